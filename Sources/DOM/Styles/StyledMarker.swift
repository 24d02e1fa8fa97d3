/// The marker of a list or item that styles set (CSS Lists 3 §3.2 and §3.4).
package enum StyledMarker: Sendable, Equatable {
  case noMarker
  case number(NumberStyle)
  /// A symbol, a style that cannot be shown, or a value that cannot be evaluated.
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
    }
    self = .other
  }
}
