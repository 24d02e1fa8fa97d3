/// The marker of a list or item that styles set (CSS Lists 3 §3.2 and §3.4).
package enum ListMarkerStyle: Sendable, Equatable {
  case noMarker
  case number(NumberStyle)
  /// One of the symbols of lists without numbers.
  case bullet
  /// A text, such as a check mark.
  case text(ShortText)
  /// A style that the style sheets may define by `@counter-style`: the hash of its name.
  case custom(UInt64)
  /// A style that cannot be shown, or a value that cannot be evaluated.
  case other

  /// Parses the value of `list-style-type` or `list-style`.
  init(value: StyleBytes) {
    if let string = Self.string(in: value) {
      let text = ShortText(string)
      self = string.allSatisfy(\.isWhiteSpace) ? .noMarker : text.map { Self.text($0) } ?? .other
      return
    }
    var customName: StyleBytes?
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
      if word.allSatisfy(\.isNameByte), !word.isWord("inside"), !word.isWord("outside") {
        customName = word
      }
    }
    self = customName.map { Self.custom(CompoundSelector.hash($0)) } ?? .other
  }

  /// Returns the string in a value; nil if it has none.
  private static func string(in value: StyleBytes) -> [UInt8]? {
    guard
      let start = value.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }),
      // Those in brackets are parts of functions, such as `symbols()`.
      !value[..<start].contains(UInt8(ascii: "("))
    else { return nil }
    var rest = value[start...]
    return GeneratedContent.consumeString(&rest)
  }
}
