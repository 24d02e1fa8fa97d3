import DOM

/// A subscript or superscript as in Pandoc: `H~2~O`, `x^2^`.
struct MarkdownScript {
  /// The range between the two delimiters.
  let content: Range<Int>
  /// The name of its HTML element.
  let element: String

  /// The maximum length of the content in bytes.
  static let maxLength = 16

  /// Reads the script that begins at an index; nil if there is none. A single tilde also deletes
  /// text, so a subscript follows a word. A caret is also an operator, as in `2^8^x`, so a
  /// superscript ends a word, or is a number at the start of one.
  /// - Parameters:
  ///   - text: The text.
  ///   - index: The index of a tilde or a caret.
  ///   - range: The range of the block.
  init?(_ text: [UInt8], at index: Int, in range: Range<Int>) {
    let content = text[(index + 1)..<range.upperBound].prefix(Self.maxLength)
      .prefix(while: Self.isContent)
    let end = content.endIndex
    // A sign is only before or after the rest: a caret may also be an operator, as in `x^2+y^-1`.
    guard let first = content.first, end < range.upperBound, text[end] == text[index],
      content.dropFirst().dropLast().allSatisfy(Self.isWord)
    else { return nil }
    let before = index > range.lowerBound ? text[index - 1] : 0x20
    let after = end + 1 < range.upperBound ? text[end + 1] : 0x20
    let isAfterWord = Self.isWord(before)
    if text[index] == UInt8(ascii: "~") {
      guard isAfterWord, Self.isWord(first), after != UInt8(ascii: "~") else { return nil }
      element = "sub"
    } else {
      guard isAfterWord ? !Self.isWord(after) : first.isDigit, before != UInt8(ascii: "["),
        before != UInt8(ascii: "^"), after != UInt8(ascii: "^")
      else { return nil }
      element = "sup"
    }
    self.content = content.startIndex..<end
  }

  private static func isContent(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || byte == UInt8(ascii: ")")
  }
}
