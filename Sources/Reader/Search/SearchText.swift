/// Text as the search index takes it: words are told apart by white space and punctuation, which scripts
/// without spaces do not have. Their runs become pairs of characters that overlap (`漢字仮` is `漢字 字仮
/// 仮`), so that any part of a run is found as a phrase of pairs.
enum SearchText {
  /// Text for the index.
  static func indexed(_ text: some StringProtocol) -> String {
    // Scripts without spaces begin at U+0E00.
    guard text.utf8.contains(where: { $0 >= 0xE0 }) else { return String(text) }
    return replaced(text, keepsLast: true)
  }

  /// The words of a query as a phrase of the index: a string of the syntax of SQLite's FTS5, and whether
  /// it has to be taken as the beginning of a word; nil when there is no word in it.
  static func phrase(_ text: some StringProtocol) -> (text: String, isPrefix: Bool)? {
    guard text.unicodeScalars.contains(where: isWordScalar) else { return nil }
    let scalars = Array(text.unicodeScalars.filter(isWordScalar))
    // A single character of a run is at the beginning of a pair, or alone at the end.
    let isSingle = scalars.count == 1 && isUnspaced(scalars[0])
    // Neither a quotation mark nor NUL may end the string.
    let words = String(
      replaced(text, keepsLast: false).map { character in
        character == "\"" || character.unicodeScalars.contains { $0.value < 0x20 } ? " " : character
      })
    return ("\"\(words.trimmed)\"", isSingle)
  }

  /// Whether a character is of a script that puts no spaces between words: Thai, Lao, Burmese, Khmer,
  /// kana, Han. (Korean has spaces.)
  static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3041...0x30FF, 0x31F0...0x31FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isUnspaced(scalar)
  }

  private static func replaced(_ text: some StringProtocol, keepsLast: Bool) -> String {
    var result = String.UnicodeScalarView()
    var run: [Unicode.Scalar] = []
    func flush() {
      guard !run.isEmpty else { return }
      result.append(" ")
      for index in run.indices.dropLast() {
        result.append(contentsOf: [run[index], run[index + 1], " "])
      }
      if keepsLast || run.count == 1 { result.append(contentsOf: [run[run.count - 1], " "]) }
      run = []
    }
    for scalar in text.unicodeScalars {
      if isUnspaced(scalar) {
        run.append(scalar)
      } else {
        flush()
        result.append(scalar)
      }
    }
    flush()
    return String(result)
  }
}

extension String {
  /// Without white space around it.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
