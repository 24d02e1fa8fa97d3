/// The marker of a list or item that styles set (CSS Lists 3 §3.2 and §3.4).
package enum ListMarkerStyle: Sendable, Equatable {
  case noMarker
  case number(NumberStyle)
  /// One of the symbols of lists without numbers.
  case bullet
  /// A style that cannot be shown, or a value that cannot be evaluated.
  case other

  /// Parses the value of `list-style-type` or `list-style`.
  init(value: StyleBytes) {
    for word in value.split(whereSeparator: \.isWhiteSpace) {
      if word.isWord("none") {
        self = .noMarker
        return
      }
      if let style = NumberStyle(word) {
        self = .number(style)
        return
      }
      if word.isWord("disc") || word.isWord("circle") || word.isWord("square") {
        self = .bullet
        return
      }
    }
    self = .other
  }
}
