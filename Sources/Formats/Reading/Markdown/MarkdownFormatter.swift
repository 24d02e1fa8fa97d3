import Document
import DOM

/// Shows Markdown: CommonMark 0.31 with the tables, strikethrough and autolinks of GitHub Flavored
/// Markdown, its footnotes and formulas, and definition lists.
///
/// Markdown is defined by the HTML that it corresponds to, and may contain HTML. Therefore it is
/// converted to HTML, which is parsed like any page. Blocks are parsed first, line by line
/// (`MarkdownBlocks`); their inline content is parsed when all link reference definitions are known
/// (`MarkdownInlines`). There is no recursion, and nesting and lookahead are bounded.
enum MarkdownFormatter {
  /// Creates the document of a text, which must be valid UTF-8.
  static func document(of text: [UInt8], url: String) -> Document {
    document(ofHTML: html(of: text, linksPageNames: url.hasPrefix("file:")), url: url)
  }

  /// Creates the document of the HTML that a text corresponds to.
  static func document(ofHTML html: [UInt8], url: String) -> Document {
    let tree = DOMParser.parse(html, isXML: false)
    var document = DocumentBuilder.build(tree, url: url, hiding: HidingRules(styleSheetsOf: tree))
    document.setTitleFromHeading()
    document.mainContentBlock = 0
    return document
  }

  /// Returns the HTML that a text corresponds to.
  /// - Parameters:
  ///   - text: The text.
  ///   - linksPageNames: Whether names in double brackets are links to pages, as in collections of
  ///     notes.
  /// - Returns: The HTML.
  static func html(of text: [UInt8], linksPageNames: Bool = false) -> [UInt8] {
    var blocks = MarkdownBlocks(text)
    blocks.definitions.linksPageNames = linksPageNames
    blocks.read()
    var writer = HTMLWriter(capacity: text.count + text.count / 4)
    if let frontMatter = blocks.frontMatter {
      writer.write(frontMatter, of: text, showsTitle: !blocks.events.contains(where: \.isTitle))
    }
    let eventGroups = EventGroups(blocks)
    var notes = MarkdownFootnotes(blocks.footnoteNames)
    write(eventGroups.mainEvents, &blocks, &notes, to: &writer)
    guard !eventGroups.footnoteEvents.isEmpty || !notes.order.isEmpty else { return writer.bytes }
    writer.write("<section><hr>\n<ol>\n")
    // The text of a note may refer to further notes. Notes without references come last.
    var next = 0
    var footnoteIndices = eventGroups.footnoteEvents.indices.makeIterator()
    while true {
      if next == notes.order.count {
        guard let index = footnoteIndices.next() else { break }
        _ = notes.assignNumber(of: index)
        continue
      }
      let index = notes.order[next]
      next += 1
      writer.write("<li id=\"fn-\(next)\">")
      if let content = notes.inlineNotes[index] {
        writer.write("<p>")
        MarkdownInlines.write(
          blocks.leafText, content, blocks.definitions, &notes, isInlineNote: true, to: &writer)
        writer.write("</p>\n")
      } else {
        write(eventGroups.footnoteEvents[index], &blocks, &notes, to: &writer)
      }
      writer.writeAtEndOfParagraph(notes.backLinks(of: index))
      writer.write("</li>\n")
    }
    writer.write("</ol>\n</section>\n")
    return writer.bytes
  }

  private static func write(
    _ events: [MarkdownBlocks.Event], _ blocks: inout MarkdownBlocks,
    _ notes: inout MarkdownFootnotes, to writer: inout HTMLWriter
  ) {
    // A checkbox that has not been written yet.
    var pendingCheckbox = ""
    for event in events {
      let precedingCheckbox = pendingCheckbox
      pendingCheckbox = ""
      if !event.isParagraph { writer.write(precedingCheckbox) }
      switch event {
      case .footnoteStart, .footnoteEnd: break
      case .checkbox(let isChecked): pendingCheckbox = isChecked ? "☑ " : "☐ "
      case .formula(let source): writer.writeFormula(blocks.leafText, source, isDisplayed: true)
      case .tag(let tag): writer.write(tag)
      case .item(let tag): writer.write(tag)
      case .paragraph(nil, let content, _)
      where blocks.definitions.isContentsMarker(blocks.leafText[content]):
        break
      case .paragraph(let list, let content, let tag):
        // Items of a tight list have no paragraphs.
        let isLoose = list.map { blocks.lists[$0].isLoose } ?? true
        writer.write(isLoose ? "<\(tag)>\(precedingCheckbox)" : precedingCheckbox)
        MarkdownInlines.write(blocks.leafText, content, blocks.definitions, &notes, to: &writer)
        writer.write(isLoose ? "</\(tag)>\n" : "\n")
      case .heading(let level, let content):
        let heading = MarkdownHeading(blocks.leafText, content)
        write(heading, level: level, &blocks, &notes, to: &writer)
      case .inlines(let content):
        MarkdownInlines.write(blocks.leafText, content, blocks.definitions, &notes, to: &writer)
      case .code(let content, let language):
        writeCode(blocks.leafText, content, language, to: &writer)
      case .html(let content): writer.writeFiltered(blocks.leafText, content)
      }
    }
  }

  private static func write(
    _ heading: MarkdownHeading, level: Int, _ blocks: inout MarkdownBlocks,
    _ notes: inout MarkdownFootnotes, to writer: inout HTMLWriter
  ) {
    writer.write("<h\(level) id=\"")
    if let anchor = heading.anchor {
      writer.writeEscaped(blocks.leafText, anchor)
    } else {
      writer.write(blocks.uniqueAnchor(of: heading.content))
    }
    writer.write("\">")
    MarkdownInlines.write(
      blocks.leafText, heading.content, blocks.definitions, &notes, to: &writer)
    writer.write("</h\(level)>\n")
  }

  private static func writeCode(
    _ text: [UInt8], _ content: Range<Int>, _ language: Range<Int>, to writer: inout HTMLWriter
  ) {
    writer.write("<pre><code")
    if !language.isEmpty {
      writer.write(" class=\"language-")
      writer.writeEscaped(text, language)
      writer.write("\"")
    }
    writer.write(">")
    writer.writeEscaped(text, content)
    writer.write("</code></pre>\n")
  }
}

extension MarkdownBlocks.Event {
  /// Whether this is a heading of level 1.
  fileprivate var isTitle: Bool {
    if case .heading(level: 1, _) = self { true } else { false }
  }
}

extension HTMLWriter {
  /// Writes front matter: its language and title, and as text its title if `showsTitle` is true,
  /// its authors, its date, and the lines of its other fields.
  fileprivate mutating func write(
    _ matter: MarkdownFrontMatter, of text: [UInt8], showsTitle: Bool
  ) {
    func write(_ line: String, in tag: String, _ attributes: String = "") {
      guard !line.isEmpty else { return }
      self.write("<\(tag)\(attributes)>")
      writeEscaped(Array(line.utf8), 0..<line.utf8.count)
      self.write("</\(tag)>\n")
    }
    if !matter.language.isEmpty {
      self.write("<html lang=\"")
      writeEscaped(Array(matter.language.utf8), 0..<matter.language.utf8.count)
      self.write("\">")
    }
    write(matter.title, in: "title")
    if showsTitle { write(matter.title, in: "h1") }
    write(matter.byline, in: "p")
    let lines = matter.remainingLines(of: text, showsTitle: showsTitle)
    guard lines.contains(where: { $0 > 0x20 }) else { return }
    self.write("<pre><code class=\"language-\(matter.format.rawValue)\">")
    writeEscaped(lines, lines.indices)
    self.write("</code></pre>\n")
  }
}

extension Document {
  /// Makes the first heading of level 1 the title, unless the document has a title.
  mutating func setTitleFromHeading() {
    guard title.isEmpty else { return }
    let heading = blocks.first {
      if case .heading(let level) = $0.kind { level == 1 } else { false }
    }
    if let heading { title = SpecialText.collapsedLine(Array(text(of: heading).utf8)[...]) }
  }
}
