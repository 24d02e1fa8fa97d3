import Document
import Layout

/// A unit of comparison: a paragraph, a heading, a list item, a line of code or a table row.
struct TextUnit: Sendable, Equatable {
  /// The marker before the unit, such as the bullet of a list item; empty if there is none.
  var marker = ""
  /// The text as UTF-8. White space is collapsed to single spaces unless the text is preformatted.
  var text: [UInt8]
  /// Whether white space is significant.
  var isPreformatted = false
  /// The range of the unit in `Document.text`.
  var source: Range<UInt32> = 0..<0

  /// Returns the units of a document, in order.
  static func all(of document: Document) -> [TextUnit] {
    var units: [TextUnit] = []
    var delimiter = ""
    var index = 0
    while index < document.blocks.count {
      let block = document.blocks[index]
      index += 1
      switch block.kind {
      case .row:
        let cells = document.blocks[index..<Int(block.end)].filter { !$0.runs.isEmpty }
        let rowTexts = cells.map(document.bytes).filter { !$0.isEmpty }
        if !rowTexts.isEmpty, let first = cells.first, let last = cells.last {
          units.append(
            TextUnit(
              text: oneLine(Array(rowTexts.joined(separator: bar))),
              source: document.source(of: first).lowerBound..<document.source(of: last).upperBound))
        }
        index = Int(block.end)
        continue
      case .item: delimiter = "• "
      case .preformatted:
        let start = document.source(of: block).lowerBound
        for line in document.bytes(of: block).split(separator: 0x0A) {
          let source = start + UInt32(line.startIndex)..<start + UInt32(line.endIndex)
          units.append(TextUnit(text: Array(line), isPreformatted: true, source: source))
        }
        continue
      default: break
      }
      let text = oneLine(document.bytes(of: block))
      guard !text.isEmpty else { continue }
      if case .heading(let level) = block.kind {
        delimiter = String(repeating: "#", count: Int(level)) + " "
      }
      units.append(TextUnit(marker: delimiter, text: text, source: document.source(of: block)))
      delimiter = ""
    }
    return units
  }

  private static let bar = Array(" | ".utf8)

  /// Returns the text with each run of white space replaced by a single space.
  private static func oneLine(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.split { $0 <= 0x20 }.joined(separator: [0x20]))
  }

  /// A word, a punctuation character, or a character of a script without spaces.
  struct Word: Equatable {
    /// The byte range in the text.
    var range: Range<Int>
    /// Whether white space precedes the word.
    var followsSpace: Bool
  }

  /// The words of the text.
  var tokens: [Word] {
    var words: [Word] = []
    var position = 0
    var followsSpace = false
    while position < text.count {
      let start = position
      if text[position] <= 0x20 {
        while position < text.count, text[position] <= 0x20 { position += 1 }
        // In code, the amount of white space is significant.
        if isPreformatted { words.append(Word(range: start..<position, followsSpace: false)) }
        followsSpace = !isPreformatted
        continue
      }
      let (kind, length) = Self.kind(text, at: position)
      position += length
      if kind == .letter {
        while position < text.count, case (.letter, let next) = Self.kind(text, at: position) {
          position += next
        }
      }
      words.append(Word(range: start..<position, followsSpace: followsSpace))
      followsSpace = false
    }
    return words
  }

  private enum Kind { case letter, sign, ideograph }

  /// Returns the kind of the character at an index, and its length in bytes.
  private static func kind(_ text: [UInt8], at position: Int) -> (Kind, Int) {
    let byte = text[position]
    if byte < 0x80 {
      let isLetter =
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
      return (isLetter ? .letter : .sign, 1)
    }
    let length = min(byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2, text.count - position)
    guard length >= 3 else { return (.letter, length) }
    let character = String(decoding: text[position..<(position + length)], as: UTF8.self)
    guard let scalar = character.unicodeScalars.first else { return (.sign, length) }
    if TextFolding.isOfScriptWithoutSpaces(scalar) { return (.ideograph, length) }
    return (
      scalar.properties.isAlphabetic || scalar.properties.canonicalCombiningClass != .notReordered
        ? .letter : .sign, length
    )
  }
}

extension Document {
  /// Returns the text of the runs of a block.
  fileprivate func bytes(of block: Block) -> [UInt8] {
    let range = source(of: block)
    return Array(text[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  /// Returns the range of the runs of a block in `text`; empty if it has none.
  fileprivate func source(of block: Block) -> Range<UInt32> {
    guard !block.runs.isEmpty else { return 0..<0 }
    return runs[Int(block.runs.lowerBound)].start..<runs[Int(block.runs.upperBound) - 1].end
  }
}
