import Document
import DOM

/// Shows XML that is neither a page nor a feed: tags unchanged and indented, with an element that
/// contains only text on one line.
///
/// It is a single pass over the text without recursion and without a tree, so malformed XML is
/// shown, too. The depth of indentation is bounded.
struct XMLFormatter {
  private let bytes: [UInt8]
  private var writer: DocumentWriter
  private var depth = 0
  private var lastToken = TokenKind.none
  /// Whether the white space of the text after a start tag is significant (`xml:space`).
  private var preservesWhiteSpace = false

  /// The kind of token that was written last.
  private enum TokenKind {
    case none, startTag, textAfterStartTag, other
  }

  private static let maxIndented = 16

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    writer = DocumentWriter(capacity: bytes.count + bytes.count / 4)
  }

  /// Creates the document of a text, which must be valid UTF-8.
  static func document(of text: [UInt8]) -> Document {
    var formatter = XMLFormatter(text)
    formatter.read()
    formatter.writer.endLeaf(.preformatted(language: nil))
    return formatter.writer.document
  }

  private mutating func read() {
    var index = 0
    while index < bytes.count {
      let marker = nextMarkup(from: index)
      writeText(index..<marker)
      guard marker < bytes.count else { return }
      guard let end = writeMarkup(at: marker) else {
        // The markup is never closed: the rest is text.
        return writeText(marker..<bytes.count)
      }
      index = end
    }
  }

  /// Returns the index of the next `<` that begins markup, or the end of the text.
  private func nextMarkup(from start: Int) -> Int {
    var index = start
    while let marker = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = marker + 1
      guard index < bytes.count else { break }
      let next = bytes[index]
      if next.isLetter || next >= 0x80 || "/!?_:".utf8.contains(next) { return marker }
    }
    return bytes.count
  }

  /// Writes the markup that begins with the `<` at an index.
  /// - Returns: The index after it; nil if it is not closed.
  private mutating func writeMarkup(at start: Int) -> Int? {
    if hasMarker("<!--", at: start) {
      return find("-->", from: start + 4).map { write(comment: start..<$0) }
    }
    if hasMarker("<![CDATA[", at: start) {
      return find("]]>", from: start + 9).map { write(section: start..<$0) }
    }
    guard let end = endOfTag(from: start) else { return nil }
    let next = start + 1 < bytes.count ? bytes[start + 1] : 0
    switch next {
    case UInt8(ascii: "/"):
      depth = max(0, depth - 1)
      if lastToken != .startTag, lastToken != .textAfterStartTag { beginLine() }
      writeTag(start..<end)
      lastToken = .other
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      beginLine()
      writer.style = .small
      writer.writeLinkingURLs(bytes, start..<end)
      writer.style = []
      lastToken = .other
    default:
      beginLine()
      writeTag(start..<end)
      let isEmpty = bytes[end - 2] == UInt8(ascii: "/")
      if !isEmpty { depth += 1 }
      preservesWhiteSpace =
        bytes.contains("xml:space=\"preserve\"", in: start..<end)
        || bytes.contains("xml:space='preserve'", in: start..<end)
      lastToken = isEmpty ? .other : .startTag
    }
    return end
  }

  /// Returns the index after a tag or declaration, which ends with a `>` outside quotation marks
  /// and brackets; nil if it is not closed.
  private func endOfTag(from start: Int) -> Int? {
    var index = start + 1
    var quote: UInt8 = 0
    var brackets = 0
    let isDeclaration = index < bytes.count && bytes[index] == UInt8(ascii: "!")
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == 0 { quote = byte } else if quote == byte { quote = 0 }
      case UInt8(ascii: "[") where isDeclaration && quote == 0: brackets += 1
      case UInt8(ascii: "]") where isDeclaration && quote == 0: brackets -= 1
      case UInt8(ascii: ">") where quote == 0 && brackets <= 0: return index + 1
      default: break
      }
      index += 1
    }
    return nil
  }

  // MARK: Writing

  private mutating func beginLine() {
    if lastToken != .none { writer.newLine(indent: indentation) }
  }

  private var indentation: Int { 2 * min(depth, Self.maxIndented) }

  private mutating func writeTag(_ range: Range<Int>) {
    var nameEnd = range.lowerBound + 1
    while nameEnd < range.upperBound - 1, !bytes[nameEnd].isWhiteSpace { nameEnd += 1 }
    if nameEnd == range.upperBound - 1, bytes[nameEnd - 1] == UInt8(ascii: "/") { nameEnd -= 1 }
    let nameStart = min(
      nameEnd, range.lowerBound + (bytes[range.lowerBound + 1] == UInt8(ascii: "/") ? 2 : 1))
    writer.write(bytes, range.lowerBound..<nameStart)
    writer.style = .strong
    writer.write(bytes, nameStart..<nameEnd)
    writer.style = []
    writeOnOneLine(nameEnd..<range.upperBound)
  }

  /// Writes attributes with line breaks between them replaced by spaces.
  private mutating func writeOnOneLine(_ range: Range<Int>) {
    writer.keepsWhiteSpace = false
    var start = range.lowerBound
    while let end = bytes[start..<range.upperBound].firstIndex(where: { $0 == 0x0A || $0 == 0x0D })
    {
      writeAttributes(start..<end)
      start = end
      while start < range.upperBound, bytes[start].isWhiteSpace { start += 1 }
      if start < range.upperBound - 1 { writer.write(" ") }
    }
    writeAttributes(start..<range.upperBound)
    writer.keepsWhiteSpace = true
  }

  /// Writes attributes with their URLs as links, except the names of namespaces.
  private mutating func writeAttributes(_ range: Range<Int>) {
    var start = range.lowerBound
    while let name = nextNamespace(in: start..<range.upperBound) {
      writer.writeLinkingURLs(bytes, start..<name.lowerBound)
      writer.write(bytes, name)
      start = name.upperBound
    }
    writer.writeLinkingURLs(bytes, start..<range.upperBound)
  }

  /// Returns the range of the next `xmlns` attribute, or of its part in the range; nil without one.
  private func nextNamespace(in range: Range<Int>) -> Range<Int>? {
    var index = range.lowerBound
    while let start = bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: "x")) {
      index = start + 1
      guard hasMarker("xmlns", at: start), start == 0 || bytes[start - 1].isWhiteSpace else {
        continue
      }
      let isQuote = { (byte: UInt8) in byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }
      guard let open = bytes[start..<range.upperBound].firstIndex(where: isQuote) else {
        return nil
      }
      let close = bytes[(open + 1)..<range.upperBound].firstIndex(of: bytes[open])
      return start..<(close ?? range.upperBound)
    }
    return nil
  }

  /// Writes text line by line, without the white space around each line.
  private mutating func writeText(_ range: Range<Int>) {
    let text = trimmed(range)
    guard !text.isEmpty else { return }
    if lastToken == .startTag, preservesWhiteSpace {
      writer.writeLinkingURLs(bytes, range)
      lastToken = .textAfterStartTag
      return
    }
    let isOneLine = !bytes[text].contains(0x0A)
    if lastToken != .startTag || !isOneLine { beginLine() }
    if isOneLine { writer.writeLinkingURLs(bytes, text) } else { writeLines(text) }
    lastToken = lastToken == .startTag && isOneLine ? .textAfterStartTag : .other
  }

  private mutating func writeLines(_ range: Range<Int>) {
    var start = range.lowerBound
    var isFirst = true
    while start < range.upperBound {
      let end = bytes[start..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
      let line = trimmed(start..<end)
      if !isFirst { writer.newLine(indent: line.isEmpty ? 0 : indentation) }
      writer.writeLinkingURLs(bytes, line)
      isFirst = false
      start = end + 1
    }
  }

  private mutating func write(comment range: Range<Int>) -> Int {
    beginLine()
    writer.style = .small
    writeLines(range)
    writer.style = []
    lastToken = .other
    return range.upperBound
  }

  /// Writes a CDATA section unchanged, because its white space may be significant.
  private mutating func write(section range: Range<Int>) -> Int {
    let isShort = !bytes[range].contains(0x0A)
    if lastToken != .startTag || !isShort { beginLine() }
    writer.writeLinkingURLs(bytes, range)
    lastToken = lastToken == .startTag && isShort ? .textAfterStartTag : .other
    return range.upperBound
  }

  // MARK: Positions

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start].isWhiteSpace { start += 1 }
    while end > start, bytes[end - 1].isWhiteSpace { end -= 1 }
    return start..<end
  }

  private func hasMarker(_ marker: StaticString, at start: Int) -> Bool {
    start + marker.utf8CodeUnitCount <= bytes.count
      && (0..<marker.utf8CodeUnitCount).allSatisfy { bytes[start + $0] == marker.utf8Start[$0] }
  }

  /// Returns the index after the next occurrence of a delimiter; nil if there is none.
  private func find(_ marker: StaticString, from start: Int) -> Int? {
    var index = start
    while index < bytes.count,
      let position = bytes[index...].firstIndex(of: marker.utf8Start[0])
    {
      if hasMarker(marker, at: position) { return position + marker.utf8CodeUnitCount }
      index = position + 1
    }
    return nil
  }
}
