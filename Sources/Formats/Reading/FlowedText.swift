import DOM
import Document

/// A reader for `format=flowed` text, in which a line that ends with a space continues on the next
/// line (RFC 3676).
package struct FlowedText {
  /// A paragraph whose lines were joined, or a fixed line.
  package struct Line: Equatable {
    /// The quote depth: the number of `>` before the text.
    package var depth: Int
    package var text: [UInt8]
    /// Whether the line is a flowed paragraph, which may be wrapped.
    package var isFlowed: Bool

    var isBlank: Bool { text.allSatisfy(\.isWhiteSpace) }
  }

  /// Returns the paragraphs and fixed lines of a text, without quote marks and space-stuffing.
  package static func lines(of text: [UInt8], by format: FlowedFormat) -> [Line] {
    var lines: [Line] = []
    // Whether the last line is flowed.
    var isOpen = false
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: 0x0A) ?? text.count
      var line = text[start..<end]
      start = end + 1
      if line.last == 0x0D { line.removeLast() }
      let depth = consumeQuoteMarks(&line)
      if line.first == 0x20 { line.removeFirst() }
      let isSignature = line.elementsEqual("-- ".utf8)
      let isFlowed = line.last == 0x20 && !isSignature
      if isFlowed, format.deletesTrailingSpace { line.removeLast() }
      // An empty line ends a paragraph even if the line before it is flowed.
      if isOpen, let last = lines.last, last.depth == depth, !isSignature, !line.isEmpty {
        lines[lines.count - 1].text += line
      } else {
        lines.append(Line(depth: depth, text: Array(line), isFlowed: isFlowed))
      }
      isOpen = isFlowed
    }
    return lines
  }

  /// Consumes the quote marks at the start of a line, also if a program wrote spaces between them.
  /// - Returns: The number of marks.
  private static func consumeQuoteMarks(_ line: inout ArraySlice<UInt8>) -> Int {
    let mark = UInt8(ascii: ">")
    var depth = 0
    while line.first == mark {
      depth += 1
      line = line.dropFirst()
      if line.first == 0x20, line.dropFirst().first == mark { line = line.dropFirst() }
    }
    return depth
  }

  /// Returns the text with one line for each paragraph, with quote marks.
  package static func unwrapped(_ text: [UInt8], by format: FlowedFormat) -> [UInt8] {
    var plainText: [UInt8] = []
    for line in lines(of: text, by: format) {
      plainText += repeatElement(UInt8(ascii: ">"), count: line.depth)
      if line.depth > 0 { plainText.append(0x20) }
      plainText += line.text
      plainText.append(0x0A)
    }
    if plainText.last == 0x0A { plainText.removeLast() }
    return plainText
  }

  /// Maximum quote depth in the document.
  private static let maxDepth = 32

  /// Returns a document with paragraphs, fixed lines and quotations.
  static func document(of text: [UInt8], by format: FlowedFormat) -> Document {
    var writer = DocumentWriter(capacity: text.count)
    var depth = 0
    // Whether a block of fixed lines is open.
    var isOpen = false
    func close() {
      if isOpen { writer.endLeaf(.paragraph) }
      isOpen = false
    }
    for line in lines(of: text, by: format) {
      let lineDepth = min(line.depth, maxDepth)
      if lineDepth != depth || line.isFlowed { close() }
      while depth < lineDepth {
        writer.begin(.quote)
        depth += 1
      }
      while depth > lineDepth {
        writer.end()
        depth -= 1
      }
      if line.isFlowed {
        writer.keepsWhiteSpace = false
        writer.writeLinkingURLs(line.text, line.text.indices)
        writer.endLeaf(.paragraph)
        writer.keepsWhiteSpace = true
      } else if isOpen || !line.isBlank {
        if isOpen { writer.newLine() }
        writer.writeLinkingURLs(line.text, line.text.indices)
        isOpen = true
      }
    }
    close()
    for _ in 0..<depth { writer.end() }
    return writer.document
  }
}
