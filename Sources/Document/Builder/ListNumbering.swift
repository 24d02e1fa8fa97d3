import DOM

/// The numbering of list items.
struct ListNumbering {
  var isOrdered = false
  var hasMarkers = true
  /// Whether the text of the items begins with markers.
  var hasWrittenMarkers = false
  var nextNumber: Int32 = 1
  var step: Int32 = 1
  var style = NumberStyle.decimal
  /// The text or counter style that styles set as the marker of the items; nil if they set none.
  var textMarker: ListMarkerStyle?
}
