import DOM
import Document

/// Shows outlines and lists of feeds (OPML 1.0 and 2.0) as nested lists.
struct OutlineFormatter {
  /// An entry whose end has not been reached.
  private struct OpenEntry {
    /// The end of its content in the text.
    var end: UInt32
    /// Whether a list of the entries below it has begun.
    var hasList = false
  }

  private var writer: HTMLWriter
  private var openEntries: [OpenEntry] = []

  /// The number of bytes at the start in which the root element is searched.
  private static let examinedLength = 4096
  /// The maximum nesting depth of entries. Deeper ones are shown at this depth.
  private static let maxDepth = 32

  /// Creates the document of an outline.
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - url: The URL of the outline, or empty.
  /// - Returns: The document; nil if the text is not an outline, or has no entries.
  static func document(of text: [UInt8], url: String) -> Document? {
    guard text.prefix(examinedLength).firstRange(of: Array("<opml".utf8)) != nil else {
      return nil
    }
    let tree = XMLTree(text)
    // A comment or a text may mention the name.
    guard tree.elements.first(where: { _ in true })?.name == "opml",
      tree.elements.contains(where: isEntry)
    else { return nil }
    var formatter = OutlineFormatter(writer: HTMLWriter(capacity: text.count))
    formatter.write(tree)
    return MarkdownFormatter.document(ofHTML: formatter.writer.bytes, url: url)
  }

  private mutating func write(_ tree: XMLTree) {
    let title = tree.elements.first { $0.name == "title" && $0.parent?.name == "head" }?.text ?? ""
    if title.utf8.contains(where: { $0 > 0x20 }) {
      writer.write("<h1>\(Markup.escapedLine(title))</h1>\n")
    }
    writer.write("<ul>\n")
    for (index, node) in tree.nodes.enumerated().dropFirst() where node.kind == .element {
      let element = XMLElement(tree: tree, index: Int32(index))
      guard Self.isEntry(element) else { continue }
      closeEntries(before: node.nameOrTextRange.lowerBound)
      let depth = openEntries.count
      if depth > 0, !openEntries[depth - 1].hasList {
        openEntries[depth - 1].hasList = true
        writer.write("<ul>\n")
      }
      writer.write("<li>")
      write(element)
      if depth < Self.maxDepth {
        openEntries.append(OpenEntry(end: node.content.upperBound))
      } else {
        writer.write("</li>\n")
      }
    }
    closeEntries(before: .max)
    writer.write("</ul>\n")
  }

  /// Returns whether an element is an entry with something to show. The entries in an element that
  /// only groups them are shown as those of the group around it.
  private static func isEntry(_ element: XMLElement) -> Bool {
    guard element.name == "outline" else { return false }
    return shownAttributes.contains { name in
      element.attribute(name).map { $0.utf8.contains { $0 > 0x20 } } ?? false
    }
  }

  /// The attributes that are shown as text, link or note.
  private static let shownAttributes = [
    "text", "title", "xmlUrl", "htmlUrl", "url", "_note", "note", "description",
  ]

  /// Closes the entries that end before an offset of the text.
  private mutating func closeEntries(before offset: UInt32) {
    while let last = openEntries.last, last.end <= offset {
      writer.write(last.hasList ? "</ul></li>\n" : "</li>\n")
      openEntries.removeLast()
    }
  }

  /// Writes an entry: its text, which is a link if it has a URL, a link to its feed, and its note.
  private mutating func write(_ element: XMLElement) {
    func attribute(_ names: String...) -> String {
      names.lazy.compactMap { element.attribute($0) }
        .first { $0.utf8.contains { $0 > 0x20 } } ?? ""
    }
    let feed = attribute("xmlUrl")
    let page = attribute("htmlUrl", "url")
    let target = page.isEmpty ? feed : page
    let text = attribute("text", "title")
    if attribute("_status", "_complete", "complete").isDone { writer.write("☑ ") }
    if !target.isEmpty { writer.write("<a href=\"\(Markup.escapedLine(target))\">") }
    if text.contains("</") {
      // The text of an entry may contain HTML (OPML 2.0, "Text attribute").
      let markup = Array(text.utf8)
      writer.writeFiltered(markup, markup.indices)
    } else {
      writer.write(
        Markup.escapedLine(text.isEmpty ? target : text.withoutCharacterReferences))
    }
    if !target.isEmpty { writer.write("</a>") }
    if !page.isEmpty, !feed.isEmpty {
      writer.write(" (<a href=\"\(Markup.escapedLine(feed))\">feed</a>)")
    }
    let note = attribute("_note", "note", "description")
    guard note != text else { return }
    for line in note.split(whereSeparator: \.isNewline) {
      writer.write("<br>\n")
      let bytes = Array(line.utf8)
      writer.writeLinkingURLs(bytes, bytes.indices)
    }
  }
}

extension String {
  /// Whether the value of an attribute states that a task is done.
  fileprivate var isDone: Bool { self == "true" || self == "checked" }
}
