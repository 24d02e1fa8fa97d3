import DOM

/// Words of links to the next page of a text.
enum NextPageWords {
  /// What such a link says, and how much that tells.
  enum Meaning {
    /// The next page, and nothing else.
    case page
    /// What comes next, which may be another text.
    case next
  }

  /// What a link says, by its words; nil when it is nothing of this.
  static func meaning(of words: String) -> Meaning? {
    let words = words.lowercased()
    guard let first = words.firstIndex(where: \.isLetter),
      let last = words.lastIndex(where: \.isLetter)
    else { return words.contains { MetadataVocabulary.nextArrows.contains($0) } ? .next : nil }
    let name = String(words[first...last])
    if MetadataVocabulary.nextPages.contains(name) { return .page }
    return MetadataVocabulary.nexts.contains(name) ? .next : nil
  }

  /// Whether words can be those of a link to the part with a number: they have the number, say that it is
  /// the next, or say nothing.
  static func canName(_ number: Int, _ words: String) -> Bool {
    let numbers = words.split { !$0.isWholeNumber }.map { digits in
      digits.reduce(0) { min($0 * 10 + ($1.wholeNumberValue ?? 0), 1_000_000) }
    }
    if !numbers.isEmpty { return numbers.contains(number) }
    return !words.contains(where: \.isLetter) || meaning(of: words) != nil
  }

  /// Whether the words can begin with a byte.
  static func canBegin(with byte: UInt8) -> Bool { firstBytes[Int(byte.lowercased)] }

  private static let firstBytes: [Bool] = {
    var isFirst = [Bool](repeating: false, count: 256)
    for word in MetadataVocabulary.nextPages.union(MetadataVocabulary.nexts).union(
      MetadataVocabulary.nextArrows.map(String.init))
    {
      if let first = word.utf8.first { isFirst[Int(first)] = true }
      // Capitals beyond ASCII have other bytes.
      if let first = word.uppercased().utf8.first { isFirst[Int(first.lowercased)] = true }
    }
    return isFirst
  }()

  /// A link that says more is none of these.
  static let longest = 64
}
