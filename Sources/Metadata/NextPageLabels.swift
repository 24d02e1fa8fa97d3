import DOM

/// Recognizes the texts of links to the next page.
enum NextPageLabels {
  enum Meaning {
    /// The next page of the same text.
    case nextPage
    /// Something next, which may be another text.
    case nextItem
  }

  /// Returns the meaning of a link text; nil if it does not indicate a next page.
  static func meaning(of text: String) -> Meaning? {
    let text = text.lowercased()
    guard let first = text.firstIndex(where: \.isLetter),
      let last = text.lastIndex(where: \.isLetter)
    else { return text.contains { MetadataVocabulary.nextArrows.contains($0) } ? .nextItem : nil }
    let name = String(text[first...last])
    if MetadataVocabulary.nextPageTexts.contains(name) { return .nextPage }
    return MetadataVocabulary.nextTexts.contains(name) ? .nextItem : nil
  }

  /// Whether a link text fits a link to the part with the given number: it contains the number, or
  /// contains no number and is either a label such as "next" or has no letters.
  static func canLabelPart(_ number: Int, _ text: String) -> Bool {
    let numbers = text.split { !$0.isWholeNumber }.map { digits in
      digits.reduce(0) { min($0 * 10 + ($1.wholeNumberValue ?? 0), 1_000_000) }
    }
    if !numbers.isEmpty { return numbers.contains(number) }
    return !text.contains(where: \.isLetter) || meaning(of: text) != nil
  }

  /// Whether the text of a link to the next page can begin with the given byte.
  static func canBegin(with byte: UInt8) -> Bool { firstBytes[Int(byte.lowercased)] }

  private static let firstBytes: [Bool] = {
    var isFirst = [Bool](repeating: false, count: 256)
    for word in MetadataVocabulary.nextPageTexts.union(MetadataVocabulary.nextTexts).union(
      MetadataVocabulary.nextArrows.map(String.init))
    {
      if let first = word.utf8.first { isFirst[Int(first)] = true }
      // Uppercase letters beyond ASCII have other first bytes.
      if let first = word.uppercased().utf8.first { isFirst[Int(first.lowercased)] = true }
    }
    return isFirst
  }()

  /// The maximum length in bytes of the text of a link to the next page.
  static let maxLength = 64
  /// The maximum number of links with the text of a link to the next page that are examined.
  static let maxExaminedLinks = 100
}
