import DOM
import Document

/// Shows subtitles (SubRip and WebVTT) as paragraphs that begin with their times.
struct SubtitleFormatter {
  private let text: [UInt8]
  private var writer: HTMLWriter
  /// The time of the current subtitle; nil before the first one.
  private var time: String?
  /// The lines of the current subtitle.
  private var lines: [Range<Int>] = []
  /// The names of the elements that are open in the current subtitle.
  private var openElements: [String] = []

  /// The maximum length of a tag in bytes.
  private static let maxTagLength = 256

  private init(_ text: [UInt8]) {
    self.text = text
    writer = HTMLWriter(capacity: text.count + text.count / 4)
  }

  /// Creates the document of subtitles.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - url: The URL of the file, or empty.
  /// - Returns: The document; nil if the text has no subtitles.
  static func document(of text: [UInt8], url: String) -> Document? {
    var formatter = SubtitleFormatter(text)
    formatter.write()
    guard formatter.time != nil else { return nil }
    return MarkdownFormatter.document(ofHTML: formatter.writer.bytes, url: url)
  }

  private mutating func write() {
    let isWebVTT = text.prefix(16).firstRange(of: Array("WEBVTT".utf8)) != nil
    var position = 0
    // The number of lines since the last empty one.
    var blockLineCount = 0
    var isSkipping = false
    while position < text.count {
      let end = text[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
      let line = trimmed(position..<end)
      position = end + (text[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
      guard !line.isEmpty else {
        (blockLineCount, isSkipping) = (0, false)
        continue
      }
      blockLineCount += 1
      if let time = timeText(of: line) {
        // The line before it is the number or the name of the subtitle.
        if let last = lines.last, !isSkipping,
          blockLineCount == 2 || blockLineCount > 2 && isNumber(last)
        {
          lines.removeLast()
        }
        writeSubtitle()
        self.time = time
        (blockLineCount, isSkipping) = (3, false)
      } else if isWebVTT, blockLineCount == 1, isHeader(line) {
        isSkipping = true
      } else if !isSkipping {
        lines.append(line)
      }
    }
    writeSubtitle()
  }

  /// Returns a line without white space at its ends.
  private func trimmed(_ line: Range<Int>) -> Range<Int> {
    var line = line
    while let last = text[line].last, last <= 0x20 { line = line.dropLast() }
    return line.lowerBound + text[line].prefix { $0 <= 0x20 }.count..<line.upperBound
  }

  private func isNumber(_ line: Range<Int>) -> Bool { text[line].allSatisfy(\.isDigit) }

  /// Whether a line begins the header of WebVTT, a comment, or definitions of styles and regions.
  private func isHeader(_ line: Range<Int>) -> Bool {
    let word = text[line].drop { $0 >= 0x80 }.prefix { $0 > 0x20 && $0 < 0x80 }
    return ["WEBVTT", "NOTE", "STYLE", "REGION"].contains { word.elementsEqual($0.utf8) }
  }

  /// Returns the start and the end of a subtitle, in seconds, from a line such as
  /// `00:00:01,000 --> 00:00:02,500`; nil for other lines.
  private func timeText(of line: Range<Int>) -> String? {
    guard text[line].first?.isDigit == true,
      let arrow = text[line].firstRange(of: Array("-->".utf8))
    else { return nil }
    let start = text[line.lowerBound..<arrow.lowerBound]
    let end = text[arrow.upperBound..<line.upperBound].drop { $0 == 0x20 }
    return [start, end].map { time in
      String(decoding: time.prefix { $0.isDigit || $0 == UInt8(ascii: ":") }, as: UTF8.self)
    }.joined(separator: " – ")
  }

  // MARK: Text

  /// Writes the current subtitle. One without text is left out.
  private mutating func writeSubtitle() {
    guard !lines.isEmpty else { return }
    writer.write("<p>")
    if let time { writer.write("<small>\(time)</small><br>\n") }
    for (index, line) in lines.enumerated() {
      if index > 0 { writer.write("<br>\n") }
      write(line)
    }
    for name in openElements.reversed() { writer.write("</\(name)>") }
    openElements = []
    writer.write("</p>\n")
    lines = []
  }

  /// Writes a line as HTML. Its tags become tags of HTML, and character references are kept.
  private mutating func write(_ line: Range<Int>) {
    var start = line.lowerBound
    var index = start
    while index < line.upperBound {
      guard let end = endOfTag(at: index, limit: line.upperBound) else {
        index += 1
        continue
      }
      writer.writeEscaped(text, start..<index, keepsReferences: true)
      writeTag(index..<end)
      start = end
      index = end
    }
    writer.writeEscaped(text, start..<line.upperBound, keepsReferences: true)
  }

  /// Returns the index after the tag or the formatting code, such as `{\an8}`, that begins at an
  /// index; nil if there is none.
  private func endOfTag(at index: Int, limit: Int) -> Int? {
    let rest = text[index..<limit].prefix(Self.maxTagLength)
    switch text[index] {
    case UInt8(ascii: "{"):
      guard rest.dropFirst().first == UInt8(ascii: "\\") else { return nil }
      return rest.firstIndex(of: UInt8(ascii: "}")).map { $0 + 1 }
    case UInt8(ascii: "<"):
      // A `<` begins another tag.
      guard let close = rest.dropFirst().firstIndex(where: { "<>".utf8.contains($0) }),
        text[close] == UInt8(ascii: ">")
      else { return nil }
      let isTime = rest.dropFirst().first?.isDigit == true && rest[..<close].contains(0x3A)
      return isTime || isTag(index..<close) ? close + 1 : nil
    default: return nil
    }
  }

  /// The names of the tags of SubRip and WebVTT.
  private static let tagNames: Set = [
    "b", "c", "font", "i", "lang", "rt", "ruby", "s", "u", "v",
  ]
  /// The names of the tags that HTML lacks, except `v` (the speaker).
  private static let otherNames: Set = ["c", "font", "lang"]

  /// Whether a text in angle brackets is a tag: after its name are only classes or, if it has some,
  /// attributes.
  private func isTag(_ tag: Range<Int>) -> Bool {
    let name = tagName(tag)
    let rest = text[tag].dropFirst().drop { $0 == UInt8(ascii: "/") }.drop(while: \.isLetter)
    switch rest.first {
    case nil, UInt8(ascii: "."): return Self.tagNames.contains(name)
    case 0x20: return Self.otherNames.contains(name) || name == "v"
    default: return false
    }
  }

  /// Returns the name of a tag in lower case, without a slash before it.
  private func tagName(_ tag: Range<Int>) -> String {
    let name = text[tag].dropFirst().drop { $0 == UInt8(ascii: "/") }.prefix(while: \.isLetter)
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  private mutating func writeTag(_ tag: Range<Int>) {
    let name = tagName(tag)
    guard text[tag.lowerBound] == UInt8(ascii: "<"), Self.tagNames.contains(name),
      !Self.otherNames.contains(name)
    else { return }
    let isEnd = text[tag].dropFirst().first == UInt8(ascii: "/")
    if name == "v" {
      // The name of the person who speaks.
      let voice = text[tag].dropLast().drop { $0 > 0x20 }.drop { $0 <= 0x20 }
      guard !isEnd, !voice.isEmpty else { return }
      let speaker = String(decoding: voice, as: UTF8.self).withoutCharacterReferences
      writer.write("<b>\(Markup.escapedLine(speaker)):</b> ")
    } else if !isEnd {
      openElements.append(name)
      writer.write("<\(name)>")
    } else if openElements.last == name {
      openElements.removeLast()
      writer.write("</\(name)>")
    }
  }
}
