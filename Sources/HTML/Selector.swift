/// A plain selector of CSS: one element by type, class, id and attribute, without combinators and
/// pseudo-classes (Selectors Level 4, "compound selector").
package struct Selector: Sendable, Equatable {
  /// The kind of element, or nil for any.
  private(set) var type: ElementName?
  /// Hashes of the id and of all class names.
  private(set) var id: UInt64?
  private(set) var classes: [UInt64] = []
  private var attributes: [Attribute] = []

  /// An attribute and the hash of its value; nil for any value.
  private struct Attribute: Sendable, Equatable {
    var name: AttributeName
    var value: UInt64?
  }

  /// CSS Cascade: ids count most, then classes and attributes, then the type.
  var specificity: Int {
    (id == nil ? 0 : 10_000) + 100 * (classes.count + attributes.count) + (type == nil ? 0 : 1)
  }

  /// Reads a selector such as `div.post`, `#content` or `section[role=main]`; nil for all others.
  package init?(_ text: String) {
    var text = text
    guard
      let read = text.withUTF8({ bytes in Selector(bytes[0..<bytes.count].trimmed) })
    else { return nil }
    self = read
  }

  /// Reads a selector without white space around it.
  init?(_ selector: Slice<UnsafeBufferPointer<UInt8>>) {
    var rest = selector
    if let first = rest.first, first.isLetter {
      let name = rest.prefix(while: \.isNameByte)
      let type = ElementName.named(UnsafeBufferPointer(rebasing: name))
      guard type != .other else { return nil }
      self.type = type
      rest = rest[name.endIndex...]
    }
    while let mark = rest.first {
      rest = rest.dropFirst()
      switch mark {
      case UInt8(ascii: "."), UInt8(ascii: "#"):
        let name = rest.prefix(while: \.isNameByte)
        guard !name.isEmpty else { return nil }
        if mark == UInt8(ascii: ".") {
          classes.append(Self.hash(name))
        } else {
          id = Self.hash(name)
        }
        rest = rest[name.endIndex...]
      case UInt8(ascii: "["):
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")),
          let read = Self.attribute(rest[..<end])
        else { return nil }
        attributes.append(read)
        rest = rest[rest.index(after: end)...]
      default: return nil
      }
    }
    // An attribute alone is not looked for.
    if id == nil, classes.isEmpty, type == nil { return nil }
  }

  private static func attribute(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Attribute? {
    let parts = text.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = AttributeName.named(UnsafeBufferPointer(rebasing: parts[0].trimmed)) else {
      return nil
    }
    guard parts.count == 2 else { return Attribute(name: name, value: nil) }
    let value = parts[1].trimmed
    guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return Attribute(name: name, value: hash(value))
    }
    guard value.count >= 2, value.last == quote else { return nil }
    return Attribute(name: name, value: hash(value.dropFirst().dropLast()))
  }

  /// The names of an element, as selectors compare them.
  struct Names {
    /// Hashes of its classes, at most 64, and of its id.
    let classes: [UInt64]
    let id: UInt64?

    init(of node: Int32, in tree: DOMTree) {
      classes =
        tree.attribute(.class, of: node).map { range in
          tree.bytes[range].split(maxSplits: Self.limit, whereSeparator: \.isWhiteSpace)
            .prefix(Self.limit).map { Selector.hash($0) }
        } ?? []
      id = tree.attribute(.id, of: node).map { Selector.hash(tree.bytes[$0]) }
    }

    private static let limit = 64
  }

  /// Whether the selector means an element.
  func matches(_ node: Int32, named names: Names, in tree: DOMTree) -> Bool {
    (id == nil || id == names.id) && classes.allSatisfy(names.classes.contains)
      && (type == nil || type == tree.nodes[Int(node)].name)
      && attributes.allSatisfy { wanted in
        guard let range = tree.attribute(wanted.name, of: node) else { return false }
        return wanted.value.map { $0 == Self.hash(tree.bytes[range]) } ?? true
      }
  }

  /// FNV-1a.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

extension UInt8 {
  /// A byte of a name in CSS.
  fileprivate var isNameByte: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") || self >= 0x80
  }
}
