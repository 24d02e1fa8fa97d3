import DOM

/// Parses the output of `pdftotext -bbox-layout` into pages with words. Flow, block and line
/// elements are ignored, because the reading order is determined by `PDFReadingOrder`.
package struct PDFBoxParser {
  /// The title in the file's metadata, or empty.
  package private(set) var title = ""
  /// The author in the file's metadata, or empty.
  package private(set) var author = ""
  package private(set) var pages: [PDFPage] = []

  private let bytes: [UInt8]
  private var wordCount = 0

  /// Maximum length of the title and the author in bytes.
  private static let maxMetadataLength = 1000

  /// Parses the output of `pdftotext`; returns nil if it has no page.
  /// - Parameter bytes: The output, in UTF-8.
  package init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    read()
    if pages.isEmpty { return nil }
  }

  private mutating func read() {
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
      let tag = start + 1..<end
      index = min(end + 1, bytes.count)
      let name = bytes[tag].prefix { $0 > 0x20 }
      if name.elementsEqual("word".utf8) {
        let text = bytes[index...].prefix { $0 != UInt8(ascii: "<") }
        index = text.endIndex
        addWord(tag, text)
      } else if name.elementsEqual("page".utf8) {
        guard pages.count < PDFPage.maxPages else {
          pages[pages.count - 1].isTruncated = true
          return
        }
        let width = number("width", in: tag) ?? 0
        let height = number("height", in: tag) ?? 0
        pages.append(PDFPage(width: width, height: height))
      } else if name.elementsEqual("title".utf8), pages.isEmpty {
        title = Self.metadata(bytes[index...].prefix { $0 != UInt8(ascii: "<") })
      } else if name.elementsEqual("meta".utf8), pages.isEmpty,
        value("name", in: tag)?.elementsEqual("Author".utf8) == true
      {
        author = value("content", in: tag).map(Self.metadata) ?? ""
      }
    }
  }

  private static func metadata(_ encoded: ArraySlice<UInt8>) -> String {
    String(decoding: encoded.prefix(maxMetadataLength), as: UTF8.self).withoutCharacterReferences
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private mutating func addWord(_ tag: Range<Int>, _ content: ArraySlice<UInt8>) {
    guard !pages.isEmpty else { return }
    let page = pages.count - 1
    guard pages[page].words.count < PDFPage.maxWordsPerPage, wordCount < PDFPage.maxWordsPerFile
    else {
      pages[page].isTruncated = true
      return
    }
    guard let left = number("xMin", in: tag), let top = number("yMin", in: tag),
      let right = number("xMax", in: tag), let bottom = number("yMax", in: tag)
    else { return }
    let text = Self.text(content)
    guard !text.isEmpty else { return }
    let box = PDFBox(
      left: min(left, right), top: min(top, bottom), right: max(left, right),
      bottom: max(top, bottom))
    pages[page].words.append(PDFWord(text, box))
    wordCount += 1
  }

  /// Returns the number in an attribute; nil when it is missing, not a number, or out of range for
  /// a page.
  private func number(_ name: StaticString, in tag: Range<Int>) -> Double? {
    guard let value = value(name, in: tag),
      let number = Double(String(decoding: value, as: UTF8.self)), number.isFinite,
      abs(number) < 100_000
    else { return nil }
    return number
  }

  /// Returns the value of an attribute; nil when it is missing.
  private func value(_ name: StaticString, in tag: Range<Int>) -> ArraySlice<UInt8>? {
    let count = name.utf8CodeUnitCount
    var index = tag.lowerBound
    while index + count + 2 < tag.upperBound {
      let isName = name.withUTF8Buffer { bytes[index..<index + count].elementsEqual($0) }
      guard isName, bytes[index - 1] == 0x20, bytes[index + count] == UInt8(ascii: "=") else {
        index += 1
        continue
      }
      return bytes[(index + count + 2)..<tag.upperBound].prefix { $0 != UInt8(ascii: "\"") }
    }
    return nil
  }

  /// Returns a text with character references replaced, ligatures expanded, the symbols of symbol
  /// fonts decoded and white space removed, in the order in which it is read.
  private static func text(_ encoded: ArraySlice<UInt8>) -> String {
    var text = String(decoding: encoded, as: UTF8.self)
    if encoded.contains(UInt8(ascii: "&")) { text = text.withoutCharacterReferences }
    guard encoded.contains(where: { $0 >= 0x80 }) else {
      return text.filter { !$0.isWhitespace }
    }
    var result = ""
    for character in text {
      if let letters = ligatures[character] ?? symbols[character] {
        result += letters
      } else if !character.isWhitespace {
        result.append(character)
      }
    }
    return PDFDirection.logicalText(ofVisual: result)
  }

  private static let ligatures: [Character: String] = [
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
  ]

  /// The bullets and arrows of the fonts Symbol and Wingdings, for which Word writes private-use
  /// characters.
  private static let symbols: [Character: String] = [
    "\u{F0B7}": "•", "\u{F0A7}": "▪", "\u{F0A8}": "□", "\u{F0D8}": "➢", "\u{F076}": "❖",
    "\u{F0FC}": "✓", "\u{F0FB}": "✗", "\u{F0FE}": "☑", "\u{F0E0}": "→", "\u{F0E8}": "➔",
    "\u{F09F}": "•",
  ]
}
