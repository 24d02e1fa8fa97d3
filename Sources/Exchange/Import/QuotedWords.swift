/// Words that are separated by white space. A word that contains white space is between quotation
/// marks: `a "b c"`.
enum QuotedWords {
  /// Splits a text into its words.
  /// - Parameter text: The text on one line.
  /// - Returns: The words without quotation marks; nil if a quotation mark is within a word, as in
  ///   `12" vinyl`.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard let first = rest.first else { return words }
      let isQuoted = first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let word = rest.prefix { isQuoted ? $0 != "\"" : !$0.isWhitespace }
      rest = rest[word.endIndex...]
      if isQuoted {
        guard rest.first == "\"" else { return nil }
        rest = rest.dropFirst()
        guard rest.first?.isWhitespace ?? true else { return nil }
      } else if word.contains("\"") {
        return nil
      }
      words.append(String(word))
    }
  }
}
