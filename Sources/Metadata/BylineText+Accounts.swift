/// Accounts and e-mail addresses in bylines.
extension BylineText {
  /// Returns the name in `jd@example.org (Jane Doe)` or `Jane Doe <jd@example.org>`; other texts
  /// are returned as they are.
  static func withoutMailAddress(_ text: String) -> String {
    guard text.contains("@") else { return text }
    if text.last == ")", let open = text.firstIndex(of: "("), text[..<open].contains("@") {
      return String(text[text.index(after: open)...].dropLast())
    }
    if text.last == ">", let open = text.firstIndex(of: "<"), open > text.startIndex {
      return String(trimmed(text[..<open]))
    }
    return text
  }

  /// Returns a name without the accounts and e-mail addresses after it, such as `@jdoe`; one of
  /// them alone is kept.
  static func withoutAccount(_ text: String) -> String {
    let text = withoutMailAddress(text)
    guard text.contains("@") else { return text }
    let names = text.split(separator: " ").filter { $0 == "@" || !$0.contains("@") }
    return names.isEmpty ? text : String(trimmed(names.joined(separator: " ")[...]))
  }

  /// Returns the name of an account that ends with digits, such as `jdoe99`, if nothing follows it
  /// but a word such as "on" and a date; nil for other texts, such as "COVID19 patients", and for a
  /// date after another word without a space, as in `Posted5 March`.
  static func accountName(in text: Substring) -> String? {
    let words = text.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard let first = words.first, words.count == 1 || announcesDate(words[1].lowercased()),
      case let word = trimmed(first),
      case let letters = word.prefix(while: { $0.isLetter || $0 == "_" }),
      letters.count(where: \.isLetter) > 2, letters.count < word.count,
      word[letters.endIndex...].allSatisfy(\.isDigit), case let name = letters.lowercased(),
      !announcesDate(name), !isLabel(name), !MetadataVocabulary.monthTerms.contains(name)
    else { return nil }
    return String(word)
  }
}
