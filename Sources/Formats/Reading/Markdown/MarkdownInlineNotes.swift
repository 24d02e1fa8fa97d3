import DOM

/// Finds footnotes within the text, as in Pandoc: `^[The text of the note.]`.
struct MarkdownInlineNotes {
  /// The indices of the closing brackets of notes, by the indices of their opening brackets; nil if
  /// they have not been searched yet.
  private var ends: [Int: Int]?

  /// The minimum length of a word in a note. An exponent, as in `2^[n+1]`, has none.
  private static let minWordLength = 4
  /// The number of bytes of a note that are searched for a word.
  private static let searchedLength = 256

  /// Returns the text of the note that begins at a caret.
  /// - Parameters:
  ///   - text: The text.
  ///   - index: The index of a caret.
  ///   - range: The range of the block.
  /// - Returns: The range of the text of the note; nil if there is none.
  mutating func note(in text: [UInt8], at index: Int, of range: Range<Int>) -> Range<Int>? {
    guard index + 1 < range.upperBound, text[index + 1] == UInt8(ascii: "["),
      index == range.lowerBound || text[index - 1] != UInt8(ascii: "[")
    else { return nil }
    let ends = self.ends ?? Self.findEnds(in: text, range)
    self.ends = ends
    guard let end = ends[index + 1] else { return nil }
    let content = index + 2..<end
    let hasWord = text[content].prefix(Self.searchedLength).split { !$0.isLetter && $0 < 0x80 }
      .contains { $0.count >= Self.minWordLength }
    return hasWord ? content : nil
  }

  /// Returns the indices of the closing brackets of all pairs that follow a caret.
  private static func findEnds(in text: [UInt8], _ range: Range<Int>) -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var open: [Int] = []
    var index = range.lowerBound
    while index < range.upperBound {
      switch text[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): open.append(index)
      case UInt8(ascii: "]"):
        if let start = open.popLast(), start > range.lowerBound,
          text[start - 1] == UInt8(ascii: "^")
        {
          ends[start] = index
        }
      default: break
      }
      index += 1
    }
    return ends
  }
}
