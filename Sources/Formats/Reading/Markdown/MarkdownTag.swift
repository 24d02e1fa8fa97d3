import DOM

/// Recognizes HTML tags in Markdown (CommonMark 0.31, section 6.6). Other text in angle brackets,
/// such as `<file name.txt>`, is literal.
enum MarkdownTag {
  /// Returns the index after the start or end tag that begins at an index; nil if there is no valid
  /// tag, or if it does not end before `limit`.
  static func end(in text: [UInt8], at start: Int, limit: Int) -> Int? {
    var index = start + 1
    let isEndTag = index < limit && text[index] == UInt8(ascii: "/")
    if isEndTag { index += 1 }
    guard index < limit, text[index].isLetter else { return nil }
    skip(in: text, &index, limit) { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    while true {
      let end = index
      skip(in: text, &index, limit, while: \.isWhiteSpace)
      guard index < limit else { return nil }
      if text[index] == UInt8(ascii: ">") { return index + 1 }
      guard !isEndTag else { return nil }
      if text[index] == UInt8(ascii: "/") {
        return index + 1 < limit && text[index + 1] == UInt8(ascii: ">") ? index + 2 : nil
      }
      guard index > end, skipAttribute(in: text, &index, limit) else { return nil }
    }
  }

  /// Moves past an attribute.
  /// - Returns: Whether there is a valid attribute.
  private static func skipAttribute(in text: [UInt8], _ index: inout Int, _ limit: Int) -> Bool {
    guard text[index].isLetter || "_:".utf8.contains(text[index]) else { return false }
    skip(in: text, &index, limit) { $0.isLetter || $0.isDigit || "_.:-".utf8.contains($0) }
    let end = index
    skip(in: text, &index, limit, while: \.isWhiteSpace)
    guard index < limit, text[index] == UInt8(ascii: "=") else {
      index = end
      return true
    }
    index += 1
    skip(in: text, &index, limit, while: \.isWhiteSpace)
    guard index < limit else { return false }
    let quote = text[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard let close = text[(index + 1)..<limit].firstIndex(of: quote) else { return false }
      index = close + 1
      return true
    }
    let start = index
    skip(in: text, &index, limit) { !$0.isWhiteSpace && !"\"'=<>`".utf8.contains($0) }
    return index > start
  }

  private static func skip(
    in text: [UInt8], _ index: inout Int, _ limit: Int, while isSkipped: (UInt8) -> Bool
  ) {
    while index < limit, isSkipped(text[index]) { index += 1 }
  }
}
