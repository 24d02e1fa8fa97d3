import DOM

/// Writes HTML.
struct HTMLWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes literal markup.
  mutating func write(_ markup: String) {
    bytes.append(contentsOf: markup.utf8)
  }

  /// Writes HTML unchanged.
  mutating func write(_ markup: some Collection<UInt8>) {
    bytes.append(contentsOf: markup)
  }

  /// Inserts markup at the end of the last paragraph if nothing has been written after it.
  mutating func writeAtEndOfParagraph(_ markup: String) {
    let end = Array("</p>\n".utf8)
    let isParagraph = bytes.suffix(end.count).elementsEqual(end)
    if isParagraph { bytes.removeLast(end.count) }
    write(markup)
    if isParagraph { write(end) }
  }

  /// Writes the markup before the value of an attribute, and the value, in which character
  /// references are kept.
  mutating func writeAttribute(_ start: String, _ value: [UInt8]) {
    write(start)
    writeEscaped(value, value.indices, keepsReferences: true)
  }

  /// Writes text as HTML.
  /// - Parameters:
  ///   - text: The array that contains the text.
  ///   - range: The range of the text in the array.
  ///   - keepsReferences: Whether character references such as `&amp;` are kept. Only those with a
  ///     semicolon are, unlike in HTML, so that `&section=2` is literal (CommonMark, section 2.5).
  mutating func writeEscaped(
    _ text: [UInt8], _ range: Range<Int>, keepsReferences: Bool = false
  ) {
    var start = range.lowerBound
    for index in range {
      let replacement: StaticString
      switch text[index] {
      case UInt8(ascii: "&")
      where !keepsReferences || Self.isReferenceWithoutSemicolon(text, at: index):
        replacement = "&amp;"
      case UInt8(ascii: "<"): replacement = "&lt;"
      case UInt8(ascii: ">"): replacement = "&gt;"
      case UInt8(ascii: "\""): replacement = "&quot;"
      default: continue
      }
      bytes.append(contentsOf: text[start..<index])
      replacement.withUTF8Buffer { bytes.append(contentsOf: $0) }
      start = index + 1
    }
    bytes.append(contentsOf: text[start..<range.upperBound])
  }

  /// Returns whether HTML would decode a character reference at an index that no semicolon ends.
  private static func isReferenceWithoutSemicolon(_ text: [UInt8], at index: Int) -> Bool {
    text.withUnsafeBufferPointer { bytes in
      guard let match = CharacterReferences.decode(bytes, at: index, inAttribute: false) else {
        return false
      }
      return bytes[index + match.length - 1] != UInt8(ascii: ";")
    }
  }

  /// Writes text as HTML, with its URLs as links.
  mutating func writeLinkingURLs(_ text: [UInt8], _ range: Range<Int>) {
    var index = range.lowerBound
    while let url = PlainTextURLs.nextURL(in: text, index..<range.upperBound) {
      writeEscaped(text, index..<url.lowerBound)
      write("<a href=\"")
      writeEscaped(text, url)
      write("\">")
      writeEscaped(text, url)
      write("</a>")
      index = url.upperBound
    }
    writeEscaped(text, index..<range.upperBound)
  }

  /// Writes raw HTML of the text. Sections without text are left out, except comments; other tags
  /// that would change how the rest is parsed are escaped (GitHub Flavored Markdown, section 6.11).
  mutating func writeFiltered(_ text: [UInt8], _ range: Range<Int>) {
    var start = range.lowerBound
    var sections = MarkdownHTMLSections()
    while let tag = text[start..<range.upperBound].firstIndex(of: UInt8(ascii: "<")) {
      bytes.append(contentsOf: text[start..<tag])
      if let (kind, end) = sections.findSection(in: text, at: tag, limit: range.upperBound) {
        if kind == .comment { bytes.append(contentsOf: text[tag..<end]) }
        start = end
        continue
      }
      var name = tag + 1
      if name < range.upperBound, text[name] == UInt8(ascii: "/") { name += 1 }
      let word = text[name..<range.upperBound].prefix { $0.isLetter }.prefix(12)
      let isFiltered = Self.filteredTags.contains(
        String(decoding: word.map(\.lowercased), as: UTF8.self))
      write(isFiltered ? "&lt;" : "<")
      start = tag + 1
    }
    bytes.append(contentsOf: text[start..<range.upperBound])
  }

  private static let filteredTags: Set<String> = [
    "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
    "select", "frameset",
  ]
}
