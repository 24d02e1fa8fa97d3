import Document

/// A page that consists of entries, such as the events of a calendar.
struct EntryPage {
  private var writer = HTMLWriter()

  /// Creates a page without entries.
  /// - Parameter title: The title, or empty.
  init(title: String) {
    if !title.isEmpty { writer.write("<h1>\(Markup.escapedLine(title))</h1>\n") }
  }

  /// Adds an entry.
  /// - Parameters:
  ///   - heading: The heading.
  ///   - rows: The facts about the entry, each with a title.
  ///   - text: The text below them, which may have several lines or be HTML, or empty.
  mutating func add(heading: String, rows: [(String, String)], text: String) {
    writer.write("<h2>\(Markup.escapedLine(heading))</h2>\n")
    write(rows.map { "\($0.0): \($0.1)" })
    if text.looksLikeHTML { return writer.write(TextMarkup.html(ofDescription: text)) }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    write(lines.map(String.init))
  }

  private mutating func write(_ lines: [String]) {
    guard lines.contains(where: { !$0.isEmpty }) else { return }
    writer.write("<p>")
    for (index, line) in lines.enumerated() {
      if index > 0 { writer.write("<br>\n") }
      let bytes = Array(line.utf8)
      writer.writeLinkingURLs(bytes, bytes.indices)
    }
    writer.write("</p>\n")
  }

  /// Creates the document of the page, whose URL may be empty.
  func document(url: String) -> Document {
    MarkdownFormatter.document(ofHTML: writer.bytes, url: url)
  }
}
