import Document
import DOM

/// The link reference definitions of a text: `[name]: url "title"`.
struct MarkdownLinkDefinitions {
  /// The destination and title of a link.
  struct LinkTarget {
    var destination: [UInt8]
    var title: [UInt8]
  }

  private var targets: [[UInt8]: LinkTarget] = [:]
  /// Whether names in double brackets are links to pages.
  var linksPageNames = false
  /// Maximum length of a label in bytes (CommonMark, section 6.3).
  static let maxLabelLength = 999

  /// Returns the target of a label, ignoring case; nil if it is not defined.
  func target(of label: ArraySlice<UInt8>) -> LinkTarget? {
    targets.isEmpty ? nil : targets[Self.normalizedLabel(label)]
  }

  /// Whether a paragraph only marks where some programs insert a table of contents: `[TOC]`,
  /// `[[toc]]` or `[[_TOC_]]`.
  func isContentsMarker(_ paragraph: ArraySlice<UInt8>) -> Bool {
    guard paragraph.first == UInt8(ascii: "["), paragraph.count <= 16 else { return false }
    let text = String(decoding: paragraph.filter { !$0.isWhiteSpace }, as: UTF8.self).lowercased()
    return ["[toc]", "[[toc]]", "[[_toc_]]"].contains(text)
      && target(of: Array("toc".utf8)[...]) == nil
  }

  /// Consumes the definitions at the start of a paragraph.
  /// - Returns: The rest of the paragraph.
  mutating func consume(from text: [UInt8], _ range: Range<Int>) -> Range<Int> {
    var rest = range
    while let (label, target, end) = Self.definition(in: text, rest) {
      let name = Self.normalizedLabel(text[label])
      if targets[name] == nil { targets[name] = target }
      rest = end..<range.upperBound
    }
    return rest
  }

  private static func definition(
    in text: [UInt8], _ range: Range<Int>
  ) -> (label: Range<Int>, target: LinkTarget, end: Int)? {
    var reader = MarkdownLinkParser(text, range)
    reader.skipSpace()
    guard let label = reader.parseLabel(), reader.consume(UInt8(ascii: ":")),
      text[label].contains(where: { !$0.isWhiteSpace })
    else { return nil }
    reader.skipSpace()
    guard let destination = reader.parseDestination() else { return nil }
    let destinationEnd = reader.index
    reader.skipSpace()
    var title: [UInt8] = []
    var end = destinationEnd
    if reader.index > destinationEnd, let content = reader.parseTitle(), reader.consumeLineEnd {
      title = content
      end = reader.index
    } else {
      reader.index = destinationEnd
      guard reader.consumeLineEnd else { return nil }
      end = reader.index
    }
    return (label, LinkTarget(destination: destination, title: title), end)
  }

  /// Normalizes a label: in lower case, with white space collapsed.
  static func normalizedLabel(_ label: ArraySlice<UInt8>) -> [UInt8] {
    let text =
      label.contains { $0 >= 0x80 }
      ? Array(String(decoding: label, as: UTF8.self).lowercased().utf8) : label.map(\.lowercased)
    var name: [UInt8] = []
    for byte in text {
      if !byte.isWhiteSpace {
        name.append(byte)
      } else if let last = name.last, last != 0x20 {
        name.append(0x20)
      }
    }
    if name.last == 0x20 { name.removeLast() }
    return name
  }
}

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

extension UInt8 {
  /// Whether the byte is ASCII punctuation.
  var isPunctuation: Bool {
    switch self {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}
