import DOM

/// The marks of nested short quotations (`q`), alternating between outer and inner ones.
struct Quotations {
  /// The number of open quotations.
  private var depth = 0

  mutating func begin() { depth += 1 }
  mutating func end() { depth -= 1 }

  /// Returns the quotation mark that styles set, with a no-break space inside if it has a space.
  func mark(isOpening: Bool, in quotes: QuotationMarks) -> String {
    let marks = depth.isMultiple(of: 2) ? quotes.outer : quotes.inner
    let mark = (isOpening ? marks.open : marks.close).bytes
    let text = String(decoding: mark, as: UTF8.self)
    let space = text.contains(where: \.isWhitespace) ? "\u{A0}" : ""
    let line = DocumentBuilder.cleanedLine(mark[...])
    return (isOpening ? "" : space) + line + (isOpening ? space : "")
  }

  /// Returns the quotation mark of a language, given as a BCP 47 tag.
  func mark(isOpening: Bool, inLanguage language: String) -> String {
    let code = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
    let markers: [String]
    switch code {
    case "de", "cs", "sk", "sl", "bg", "is", "lt", "et", "ka", "sr", "hr":
      markers = ["„", "“", "‚", "‘"]
    case "fr": markers = ["«\u{A0}", "\u{A0}»", "‹\u{A0}", "\u{A0}›"]
    case "it", "es", "pt", "ca", "el", "no", "nb", "nn", "da", "ru", "uk", "be":
      markers = ["«", "»", "“", "”"]
    case "pl", "ro", "hu", "nl": markers = ["„", "”", "«", "»"]
    case "sv", "fi": markers = ["”", "”", "’", "’"]
    case "ja", "zh": markers = ["「", "」", "『", "』"]
    default: markers = ["“", "”", "‘", "’"]
    }
    return markers[(depth % 2) * 2 + (isOpening ? 0 : 1)]
  }
}
