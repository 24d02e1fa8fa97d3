/// The value of a `Refresh` header field or of a `meta refresh` (HTML standard §4.2.5.3).
struct RefreshDirective: Sendable, Equatable {
  /// The delay in seconds; 0 if the value does not begin with a number.
  var delay: Double
  /// The URL to load, as written; empty for the page itself.
  var target: String

  /// The delay in seconds below which a page that refreshes counts as a redirect.
  static let shortDelay = 3.0

  /// Parses a value such as `5; url=next.html`. Values that do not begin with a number are
  /// accepted.
  init(_ value: String) {
    let isNumeric = { (character: Character) in
      character.isASCII && character.isNumber || character == "."
    }
    let isSpace = { (character: Character) in character.isWhitespace }
    let start = value.drop(while: isSpace)
    let number = start.prefix(while: isNumeric)
    delay = Double(number) ?? 0
    var rest = start[number.endIndex...].drop { isSpace($0) || $0 == ";" || $0 == "," }
    if rest.prefix(3).lowercased() == "url" {
      let afterName = rest.dropFirst(3).drop(while: isSpace)
      if afterName.first == "=" { rest = afterName.dropFirst().drop(while: isSpace) }
    }
    if let quote = rest.first, quote == "'" || quote == "\"" {
      rest = rest.dropFirst().prefix { $0 != quote }
    }
    target = String(rest)
  }
}

extension ResponseHead {
  /// The value of the field `Refresh`; nil if there is none.
  var refresh: RefreshDirective? { fields.values(of: "Refresh").first.map(RefreshDirective.init) }
}
