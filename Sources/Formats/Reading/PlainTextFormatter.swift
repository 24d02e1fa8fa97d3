import DOM
import Document

/// Shows plain text as printers and terminals do: overstruck characters are bold or underlined,
/// form feeds are empty lines, only the last state of a progress bar is shown, and escape sequences
/// are not shown. URLs and hyperlinks (OSC 8) are links.
enum PlainTextFormatter {
  /// Creates the document of a text, which must be valid UTF-8.
  static func document(of text: [UInt8]) -> Document {
    let text = ProgramOutput.withoutEarlierStates(text)
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
        guard let overstrike = Overstrike(text, backspace: index, from: start) else {
          index += 1
          continue
        }
        writer.writeLinkingURLs(text, start..<overstrike.start)
        writer.style = overstrike.style
        writer.write(text, overstrike.visibleRange)
        writer.style = []
        index = overstrike.end
      case 0x0C:
        writer.writeLinkingURLs(text, start..<index)
        if !isLineEnd(text, index + 1) { writer.newLine() }
        index += 1
      default:
        writer.writeLinkingURLs(text, start..<index)
        let end = endOfEscapeSequence(text, from: index)
        if let target = linkTarget(in: text, index..<end) { writer.setLink(target) }
        index = end
      }
      start = index
    }
    writer.writeLinkingURLs(text, start..<text.count)
    writer.endLeaf(.preformatted(language: nil))
    return writer.document
  }

  private static func isLineEnd(_ text: [UInt8], _ index: Int) -> Bool {
    index >= text.count || text[index] == 0x0A || text[index] == 0x0D
  }

  /// Returns the index after an escape sequence (ECMA-48, sections 5.4 and 5.6). If it is invalid,
  /// only its first byte is skipped.
  private static func endOfEscapeSequence(_ text: [UInt8], from start: Int) -> Int {
    guard start + 1 < text.count else { return start + 1 }
    var index = start + 2
    switch text[start + 1] {
    case UInt8(ascii: "["):
      while index < text.count, index < start + 32, (0x20...0x3F).contains(text[index]) {
        index += 1
      }
      return index < text.count && (0x40...0x7E).contains(text[index]) ? index + 1 : start + 1
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      // A command string, such as the title of the window.
      while index < text.count, text[index] >= 0x20 { index += 1 }
      guard index < text.count else { return start + 1 }
      if text[index] == 0x07 { return index + 1 }
      let isClosed =
        text[index] == 0x1B && index + 1 < text.count && text[index + 1] == UInt8(ascii: "\\")
      return isClosed ? index + 2 : start + 1
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"):
      // A character set, of which these are common: ASCII, line drawing, British.
      return index < text.count && "B0A".utf8.contains(text[index]) ? index + 1 : start + 1
    case UInt8(ascii: "7"), UInt8(ascii: "8"), UInt8(ascii: "="), UInt8(ascii: ">"),
      UInt8(ascii: "D"), UInt8(ascii: "E"), UInt8(ascii: "M"), UInt8(ascii: "c"),
      UInt8(ascii: "\\"):
      // Sequences that move or save the cursor, set the keypad mode or reset the terminal.
      return index
    default: return start + 1
    }
  }

  /// Returns the target of a link that an escape sequence begins (`ESC ] 8 ; parameters ; URL`):
  /// empty for the end of a link, for a link that does not end on the line, and for a target that
  /// is not on the web; nil for other sequences.
  private static func linkTarget(in text: [UInt8], _ sequence: Range<Int>) -> String? {
    let content = text[sequence].dropFirst()
    guard content.starts(with: "]8;".utf8),
      let separator = content.dropFirst(3).firstIndex(of: UInt8(ascii: ";"))
    else { return nil }
    let url = content[(separator + 1)...].prefix { $0 >= 0x20 }
    let isWeb = ["http://", "https://"].contains { url.starts(with: $0.utf8) }
    return isWeb && endsLink(text, from: sequence.upperBound)
      ? String(decoding: url, as: UTF8.self) : ""
  }

  /// Returns whether a sequence that ends a link, or begins another one, follows on the line.
  private static func endsLink(_ text: [UInt8], from start: Int) -> Bool {
    var index = start
    while index < text.count, text[index] != 0x0A {
      if text[index] == 0x1B, text[(index + 1)...].starts(with: "]8;".utf8) { return true }
      index += 1
    }
    return false
  }
}

/// Overstruck characters, as in manuals formatted for printers: `_`, backspace, `x` is an
/// underlined x, and the same character twice is bold.
private struct Overstrike {
  /// The index of the first character.
  var start: Int
  /// The range of the visible character.
  var visibleRange: Range<Int>
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
    visibleRange = start..<backspace
    end = backspace
    style = []
    while end + 1 < text.count, text[end] == 0x08, text[end + 1] > 0x20 {
      var secondEnd = end + 2
      while secondEnd < text.count, text[secondEnd] & 0xC0 == 0x80 { secondEnd += 1 }
      let secondRange = end + 1..<secondEnd
      if text[visibleRange] == text[secondRange] {
        style.insert(.strong)
      } else if text[visibleRange].elementsEqual([UInt8(ascii: "_")]) {
        style.insert(.underlined)
        visibleRange = secondRange
      } else if text[secondRange].elementsEqual([UInt8(ascii: "_")]) {
        style.insert(.underlined)
      } else {
        // A composite character, such as + over o for a bullet: the last one is shown.
        visibleRange = secondRange
      }
      end = secondEnd
    }
    if end == backspace { return nil }
  }
}
