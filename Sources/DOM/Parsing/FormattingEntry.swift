/// An entry of the list of active formatting elements (HTML standard §13.2.4.3).
struct FormattingEntry {
  /// The element, or -1 for a marker.
  var node: Int32
  let name: ElementName
  /// Whether the element is in the stack of open elements.
  var isOpen: Bool

  /// The marker that a table cell or similar element inserts.
  static let marker = FormattingEntry(node: -1, name: .other, isOpen: true)

  var isMarker: Bool { node < 0 }
}
