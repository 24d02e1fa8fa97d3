import Document

/// Shows plain text as printers and terminals do: URLs are links, overstruck characters are bold or
/// underlined, form feeds are empty lines, and escape sequences for colours are removed.
enum PlainTextFormatter {
  /// Creates the document of a text, which must be valid UTF-8.
  static func document(of text: [UInt8]) -> Document {
    var writer = DocumentWriter(capacity: text.count)
    var index = 0
    // The start of the text that is not written yet.
    var start = 0
    while index < text.count {
      let byte = text[index]
      guard byte == 0x08 || byte == 0x0C || byte == 0x1B else {
        index += 1
        continue
      }
      switch byte {
      case 0x08:
        guard let struck = Overstrike(text, backspace: index, from: start) else {
          index += 1
          continue
        }
        writer.writeLinking(text, start..<struck.start)
        writer.style = struck.style
        writer.write(text, struck.shown)
        writer.style = []
        index = struck.end
      case 0x0C:
        writer.writeLinking(text, start..<index)
        if !isLineEnd(text, index + 1) { writer.newLine() }
        index += 1
      default:
        writer.writeLinking(text, start..<index)
        index = endOfSequence(text, from: index)
      }
      start = index
    }
    writer.writeLinking(text, start..<text.count)
    writer.endLeaf(.preformatted(language: -1))
    return writer.document
  }

  private static func isLineEnd(_ text: [UInt8], _ index: Int) -> Bool {
    index >= text.count || text[index] == 0x0A || text[index] == 0x0D
  }

  /// Returns the index after an escape sequence (ECMA-48, section 5.4). If it is invalid, only its
  /// first byte is skipped.
  private static func endOfSequence(_ text: [UInt8], from start: Int) -> Int {
    guard start + 1 < text.count, text[start + 1] == UInt8(ascii: "[") else {
      return start + 1
    }
    var index = start + 2
    while index < text.count, index < start + 32, (0x20...0x3F).contains(text[index]) { index += 1 }
    return index < text.count && (0x40...0x7E).contains(text[index]) ? index + 1 : start + 1
  }
}

/// Overstruck characters, as in manuals formatted for printers: `_`, backspace, `x` is an
/// underlined x, and the same character twice is bold.
private struct Overstrike {
  /// The index of the first character.
  var start: Int
  /// The range of the visible character.
  var shown: Range<Int>
  /// The index after the last character.
  var end: Int
  var style: InlineStyle

  /// Reads an overstruck character; nil if there is none at the backspace.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - backspace: The index of the first backspace.
  ///   - first: The minimum index of the first character.
  init?(_ text: [UInt8], backspace: Int, from first: Int) {
    guard backspace > first, backspace + 1 < text.count else { return nil }
    var start = backspace - 1
    while start > first, text[start] & 0xC0 == 0x80 { start -= 1 }
    self.start = start
    shown = start..<backspace
    end = backspace
    style = []
    while end + 1 < text.count, text[end] == 0x08, text[end + 1] > 0x20 {
      var next = end + 2
      while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
      let over = end + 1..<next
      if text[shown] == text[over] {
        style.insert(.strong)
      } else if text[shown].elementsEqual([UInt8(ascii: "_")]) {
        style.insert(.underlined)
        shown = over
      } else if text[over].elementsEqual([UInt8(ascii: "_")]) {
        style.insert(.underlined)
      } else {
        // A composite character, such as + over o for a bullet: the last one is shown.
        shown = over
      }
      end = next
    }
    if end == backspace { return nil }
  }
}
