import DOM

/// Parses the parts of a link: label, destination and title.
struct MarkdownLinkParser {
  private let text: [UInt8]
  private let end: Int
  /// The index of the next byte to read.
  var index: Int

  /// Maximum length of a destination or title in bytes.
  private static let maxPartLength = 1024
  /// Maximum nesting depth of parentheses in a destination (CommonMark, section 6.3, requires at
  /// least three).
  private static let maxParenthesisDepth = 32

  init(_ text: [UInt8], _ range: Range<Int>) {
    self.text = text
    index = range.lowerBound
    end = range.upperBound
  }

  mutating func skipSpace() {
    while index < end, text[index].isWhiteSpace { index += 1 }
  }

  mutating func consume(_ byte: UInt8) -> Bool {
    guard index < end, text[index] == byte else { return false }
    index += 1
    return true
  }

  /// Whether only spaces follow on the line. If so, moves past the line end.
  var consumeLineEnd: Bool {
    mutating get {
      var position = index
      while position < end, text[position] == 0x20 || text[position] == 0x09 { position += 1 }
      guard position == end || text[position] == 0x0A else { return false }
      index = min(end, position + 1)
      return true
    }
  }

  /// Parses a label in brackets, which contains no brackets.
  /// - Returns: The range of the label; nil if there is none, or if it is too long.
  mutating func parseLabel() -> Range<Int>? {
    guard index < end, text[index] == UInt8(ascii: "[") else { return nil }
    let start = index + 1
    var position = start
    while position < end, position - start <= MarkdownLinkDefinitions.maxLabelLength {
      switch text[position] {
      case UInt8(ascii: "]"):
        index = position + 1
        return start..<position
      case UInt8(ascii: "["): return nil
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return nil
  }

  /// Parses a destination: in angle brackets, or with balanced parentheses. Returns nil if there is
  /// none, or if it is too long.
  mutating func parseDestination() -> [UInt8]? {
    guard index < end else { return nil }
    let limit = min(end, index + Self.maxPartLength)
    var position = index
    if text[position] == UInt8(ascii: "<") {
      position += 1
      while position < limit, text[position] != UInt8(ascii: ">") {
        if text[position] == 0x0A || text[position] == UInt8(ascii: "<") { return nil }
        position += text[position] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard position < limit else { return nil }
      defer { index = position + 1 }
      return Self.unescaped(text[(index + 1)..<position])
    }
    var depth = 0
    while position < limit, text[position] > 0x20 {
      switch text[position] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\\") where position + 1 < limit && text[position + 1] > 0x20: position += 1
      default: break
      }
      if depth < 0 { break }
      guard depth <= Self.maxParenthesisDepth else { return nil }
      position += 1
    }
    guard position > index, depth <= 0, position < end || position == limit else { return nil }
    defer { index = position }
    return Self.unescaped(text[index..<position])
  }

  /// Parses a title in quotation marks or parentheses. Returns nil if there is none, or if it is
  /// too long.
  mutating func parseTitle() -> [UInt8]? {
    guard index < end else { return nil }
    let close: UInt8
    switch text[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): close = text[index]
    case UInt8(ascii: "("): close = UInt8(ascii: ")")
    default: return nil
    }
    let limit = min(end, index + Self.maxPartLength)
    var position = index + 1
    while position < limit, text[position] != close {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < limit else { return nil }
    defer { index = position + 1 }
    return Self.unescaped(text[(index + 1)..<position])
  }

  /// Returns a text without the backslashes before punctuation.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    var result: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "\\"), index + 1 < text.endIndex,
        text[index + 1].isPunctuation
      {
        index += 1
      }
      result.append(text[index])
      index += 1
    }
    return result
  }
}
