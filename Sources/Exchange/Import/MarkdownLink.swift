import Foundation

/// A link in Markdown: `[title](address)`, or the definition of a reference, `[title]: address`
/// (CommonMark 0.31, sections 6.3 and 4.7); also a link of Org mode, `[[address][title]]`, or of a
/// wiki, `[[address|title]]`.
struct MarkdownLink: Equatable {
  var address: String
  /// The text between the brackets, with escapes removed.
  var title: String

  /// The maximum length of an address in bytes.
  private static let maxAddressLength = 4096
  /// The maximum number of brackets in a line that are examined although they are not links.
  private static let maxFailures = 64

  /// Returns the links in a line, in order, without images.
  static func all(in line: Substring) -> [MarkdownLink] {
    let bytes = Array(line.utf8)
    if let definition = definition(bytes) { return [definition] }
    var links: [MarkdownLink] = []
    var openBrackets: [Int] = []
    var failures = 0
    var index = 0
    while index < bytes.count, failures < maxFailures {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["):
        if let (link, end) = doubleBracketed(bytes, from: index) {
          links.append(link)
          openBrackets = []
          index = end
        } else {
          openBrackets.append(index)
        }
      case UInt8(ascii: "]"):
        guard let start = openBrackets.popLast(), index + 1 < bytes.count,
          bytes[index + 1] == UInt8(ascii: "(")
        else { break }
        guard let (address, end) = destination(bytes, from: index + 2) else {
          failures += 1
          break
        }
        if start == 0 || bytes[start - 1] != UInt8(ascii: "!") {
          links.append(
            MarkdownLink(address: address, title: title(bytes[(start + 1)..<index])))
          openBrackets = []
        }
        index = end
      default: break
      }
      index += 1
    }
    return links
  }

  /// Parses a link of Org mode or of a wiki.
  /// - Returns: The link, and the index of its last bracket; nil if no such link begins at `start`.
  private static func doubleBracketed(
    _ bytes: [UInt8], from start: Int
  ) -> (MarkdownLink, end: Int)? {
    let limit = min(bytes.count, start + maxAddressLength)
    guard bytes[start..<limit].starts(with: "[[http".utf8) else { return nil }
    let address = bytes[(start + 2)..<limit].prefix {
      $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "|")
    }
    var rest = bytes[address.endIndex..<limit]
    var label: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: "|") || rest.starts(with: "][".utf8) {
      rest = rest.dropFirst(rest.first == UInt8(ascii: "|") ? 1 : 2)
      label = rest.prefix { $0 != UInt8(ascii: "]") }
      rest = rest[label.endIndex...]
    }
    let text = String(decoding: address, as: UTF8.self)
    guard rest.starts(with: "]]".utf8), !rest.starts(with: "]](".utf8), text.contains("://") else {
      return nil
    }
    return (MarkdownLink(address: text, title: title(label)), rest.startIndex + 1)
  }

  /// Parses the definition of a reference at the start of a line; nil for other lines.
  private static func definition(_ bytes: [UInt8]) -> MarkdownLink? {
    guard bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")),
      bytes[end...].starts(with: "]:".utf8)
    else { return nil }
    let rest = bytes[(end + 2)...].drop { $0 == 0x20 || $0 == UInt8(ascii: "<") }
    let address = rest.prefix { $0 != 0x20 && $0 != UInt8(ascii: ">") }
    let text = String(decoding: address, as: UTF8.self)
    guard text.contains("://") else { return nil }
    let label = bytes[1..<end]
    let isNumber = label.allSatisfy { (0x30...0x39).contains($0) }
    return MarkdownLink(
      address: text, title: title(isNumber ? quotedText(rest[address.endIndex...]) : label))
  }

  /// Returns the title of a reference between quotation marks or parentheses; empty without one.
  private static func quotedText(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let text = text.drop { $0 == 0x20 || $0 == UInt8(ascii: ">") }
    guard let opening = text.first, "\"'(".utf8.contains(opening) else { return [] }
    let closing = opening == UInt8(ascii: "(") ? UInt8(ascii: ")") : opening
    guard let end = text.lastIndex(of: closing), end > text.startIndex else { return [] }
    return text[(text.startIndex + 1)..<end]
  }

  /// Parses the address after `](`, and finds the parenthesis that closes the link.
  /// - Returns: The address, and the index of the parenthesis; nil without one.
  private static func destination(_ bytes: [UInt8], from start: Int) -> (String, end: Int)? {
    let limit = min(bytes.count, start + maxAddressLength)
    var index = start
    while index < limit, bytes[index] == 0x20 { index += 1 }
    let isBracketed = index < limit && bytes[index] == UInt8(ascii: "<")
    if isBracketed { index += 1 }
    let addressStart = index
    let terminator = isBracketed ? UInt8(ascii: ">") : 0x20
    // Parentheses in an address are balanced.
    var depth = 0
    var lastClosingIndex: Int?
    while index < limit, bytes[index] != terminator {
      if bytes[index] == UInt8(ascii: "(") { depth += 1 }
      if bytes[index] == UInt8(ascii: ")") {
        if depth == 0, !isBracketed { break }
        depth -= 1
        lastClosingIndex = index
      }
      index += 1
    }
    let address = bytes[addressStart..<index]
    // The title of the link may contain parentheses.
    if let quote = bytes[index..<limit].first(where: { $0 != 0x20 && $0 != UInt8(ascii: ">") }),
      [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote),
      let opening = bytes[index..<limit].firstIndex(of: quote),
      let closing = bytes[(opening + 1)..<limit].firstIndex(of: quote)
    {
      index = closing
    }
    if let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ")")) {
      return (String(decoding: address, as: UTF8.self), end)
    }
    // An address with too many opening parentheses.
    return lastClosingIndex.map { (String(decoding: bytes[addressStart..<$0], as: UTF8.self), $0) }
  }

  /// Returns the text between brackets, or the alternative text of an image between them, without
  /// the backslashes of escapes.
  private static func title(_ label: ArraySlice<UInt8>) -> String {
    var label = label
    if label.starts(with: "![".utf8) {
      label = label.dropFirst(2).prefix { $0 != UInt8(ascii: "]") }
    }
    var result: [UInt8] = []
    var isEscaped = false
    for byte in label {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
        continue
      }
      isEscaped = false
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }
}
