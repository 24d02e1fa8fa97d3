import Document

/// Shows plain text as it is, with what printers and terminals make of it: addresses are links, what
/// is struck over is bold or underlined, page breaks are empty lines, and what only sets colours is
/// left out.
enum PlainTextView {
  /// The document of a text; `text` is valid UTF-8.
  static func document(of text: [UInt8]) -> Document {
    var writer = DocumentWriter(capacity: text.count)
    var index = 0
    // The beginning of text that was not written yet.
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

  /// The place past an escape sequence (ECMA-48, section 5.4); what is none keeps its first byte,
  /// which is replaced.
  private static func endOfSequence(_ text: [UInt8], from start: Int) -> Int {
    guard start + 1 < text.count, text[start + 1] == UInt8(ascii: "[") else {
      return start + 1
    }
    var index = start + 2
    while index < text.count, index < start + 32, (0x20...0x3F).contains(text[index]) { index += 1 }
    return index < text.count && (0x40...0x7E).contains(text[index]) ? index + 1 : start + 1
  }
}

/// Characters that are printed over each other, as manuals for printers have them: `_`, backspace, `x`
/// is an underlined x, and the same character twice a bold one.
private struct Overstrike {
  /// Where the first of them begins.
  var start: Int
  /// The character that is seen.
  var shown: Range<Int>
  /// Past the last of them.
  var end: Int
  var style: InlineStyle

  /// - Parameters:
  ///   - text: valid UTF-8.
  ///   - backspace: the place of the first backspace.
  ///   - first: nothing before it belongs to it.
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
        // A character of parts, such as + over o for a list: the last one is seen.
        shown = over
      }
      end = next
    }
    if end == backspace { return nil }
  }
}
