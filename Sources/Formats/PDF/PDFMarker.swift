/// Classifies the first and last words of lines.
enum PDFMarker {
  /// Returns whether a word is a single bullet character. A character without a meaning (private
  /// use, or unknown) that stands alone is one, except for pieces of tall brackets.
  static func isBullet(_ word: String) -> Bool {
    guard word.count == 1, let scalar = word.unicodeScalars.first else { return false }
    return bullets.contains(scalar) || (0xE000..<0xF8E5).contains(scalar.value)
  }

  private static let bullets = Set(
    "•◦▪▫‣·∙●○■□◆◇►▶▸➔➤➢→✓✔✗✘❏❑❒❖☐☑☒–—−-*∗⁃\u{FFFD}".unicodeScalars)

  /// Returns whether a word is a list marker: a bullet, a number or a letter.
  static func isListMarker(_ word: String) -> Bool {
    if isBullet(word) { return true }
    guard word.count <= 6, let last = word.last, ".)]".contains(last) else { return false }
    let inner = word.dropLast().drop { $0 == "(" || $0 == "[" }
    guard !inner.isEmpty else { return false }
    return inner.allSatisfy { $0.isASCII && $0.isNumber }
      || inner.count == 1 && (inner.first?.isLetter ?? false) && last != "."
  }

  /// Returns whether a word ends a sentence, ignoring closing quotation marks, brackets and
  /// footnote numbers after it.
  static func endsSentence(_ word: String) -> Bool {
    var word = word[...]
    while let last = word.last, "\"'”’»)]".contains(last) || last.isNumber && word.count > 1 {
      if last.isNumber, !word.dropLast().contains(where: { ".!?".contains($0) }) { break }
      word.removeLast()
    }
    return word.last.map { ".!?:。！？".contains($0) } ?? false
  }

  private static let titles: Set<String> = [
    "abstract", "introduction", "contents", "conclusion", "conclusions", "references",
    "bibliography", "acknowledgements", "acknowledgments", "appendix", "summary", "index",
    "preface", "discussion", "results", "methods",
  ]

  /// Returns whether the words of a line are a section heading: a well-known one, or a number
  /// followed by words.
  static func isSectionHeading(_ words: [String]) -> Bool {
    guard let first = words.first, let last = words.last else { return false }
    if words.count == 1 { return titles.contains(first.lowercased()) }
    let number = first.hasSuffix(".") ? first.dropLast() : first[...]
    let isNumber =
      number.count <= 8 && number.first?.isNumber ?? false
      && number.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
    // Years and dates are not section numbers.
    if !number.contains("."), number.count > 3 { return false }
    if words.count == 3, last.count == 4, last.allSatisfy(\.isNumber) { return false }
    guard isNumber, !".,;:".contains(last.last ?? "."), words.count <= 12 else { return false }
    return words[1].first.map { $0.isUppercase } ?? false
  }
}
