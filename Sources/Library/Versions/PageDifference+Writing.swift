import Document
import Formats
import Layout

extension PageDifference {
  /// A word, or several words without a space between them, any of which may be marked.
  private typealias Chunk = [(text: String, change: Change)]

  /// Writes the difference for a terminal: deleted text as `[-deleted-]`, inserted text as
  /// `{+inserted+}`, and `-`, `+` or `~` before each deleted, inserted or changed paragraph.
  /// - Parameters:
  ///   - width: The line width in columns.
  ///   - isColored: Whether deleted text is red and inserted text green.
  ///   - write: Receives the text, one paragraph at a time.
  /// - Throws: The error that `write` throws.
  package func writeText(
    width: Int, isColored: Bool, _ write: (String) throws -> Void
  ) rethrows {
    for (number, part) in parts.enumerated() {
      if number > 0 { try write("\n") }
      switch part {
      case .unchanged(let count): try write("  … \(Self.unchanged(count))\n")
      case .changed(let marker, let pieces):
        let start = "\(Self.sign(pieces)) \(marker)"
        try write(Self.lines(start, Self.chunks(pieces), max(20, width), isColored: isColored))
      }
    }
  }

  /// Writes the difference as Markdown: deleted text is struck through, inserted text is bold.
  /// - Parameter write: Receives the text, one paragraph at a time.
  /// - Throws: The error that `write` throws.
  package func writeMarkdown(_ write: (String) throws -> Void) rethrows {
    for (number, part) in parts.enumerated() {
      if number > 0 { try write("\n") }
      switch part {
      case .unchanged(let count): try write("*… \(Self.unchanged(count))*\n")
      case .changed(let marker, let pieces):
        let text = pieces.map(Self.markdown).joined()
        try write((marker == "• " ? "- " : marker) + Document.escapedMarkdownParagraph(text) + "\n")
      }
    }
  }

  private static func unchanged(_ count: Int) -> String {
    "\(count) \(count == 1 ? "paragraph" : "paragraphs") unchanged"
  }

  private static func sign(_ pieces: [Piece]) -> String {
    guard pieces.count == 1 else { return "~" }
    return pieces[0].change == .deleted ? "-" : "+"
  }

  // MARK: Lines

  private static func chunks(_ pieces: [Piece]) -> [Chunk] {
    var chunks: [Chunk] = [[]]
    for piece in pieces {
      let marked =
        switch piece.change {
        case .kept: piece.text
        case .deleted: "[-\(piece.text)-]"
        case .inserted: "{+\(piece.text)+}"
        }
      let words = marked.split(separator: " ", omittingEmptySubsequences: false)
      for (number, word) in words.enumerated() {
        if number > 0 { chunks.append([]) }
        if !word.isEmpty { chunks[chunks.count - 1].append((String(word), piece.change)) }
      }
    }
    return chunks.filter { !$0.isEmpty }
  }

  private static func lines(
    _ start: String, _ chunks: [Chunk], _ width: Int, isColored: Bool
  ) -> String {
    let widths = DisplayWidth()
    let indent = widths.width(of: start)
    var result = start
    var column = indent
    for (number, chunk) in chunks.enumerated() {
      let size = chunk.reduce(0) { $0 + widths.width(of: $1.text) }
      if number > 0, column + 1 + size > width {
        result += "\n" + String(repeating: " ", count: indent)
        column = indent
      } else if number > 0 {
        result += " "
        column += 1
      }
      for (text, change) in chunk { result += isColored ? colored(text, change) : text }
      column += size
    }
    return result + "\n"
  }

  private static func colored(_ text: String, _ change: Change) -> String {
    switch change {
    case .kept: text
    case .deleted: "\u{1B}[31m\(text)\u{1B}[0m"
    case .inserted: "\u{1B}[32m\(text)\u{1B}[0m"
    }
  }

  // MARK: Markdown

  private static func markdown(_ piece: Piece) -> String {
    let text = Document.escapedMarkdown(piece.text)
    // Next to punctuation, Markdown may treat delimiters as literal text; HTML elements work
    // everywhere.
    let ends = [piece.text.first, piece.text.last].compactMap(\.self)
    let isPlain = ends.allSatisfy { $0.isLetter || $0.isNumber }
    switch piece.change {
    case .kept: return text
    case .deleted: return isPlain ? "~~\(text)~~" : "<del>\(text)</del>"
    case .inserted: return isPlain ? "**\(text)**" : "<ins>\(text)</ins>"
    }
  }
}
