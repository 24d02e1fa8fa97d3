import Document
import DOM

/// Parses the block structure of Markdown line by line (CommonMark 0.31, appendix "A parsing
/// strategy", phase 1).
struct MarkdownBlocks {
  /// An element of the result, in the order of the text. Ranges are those of `leafText`.
  enum Event {
    /// HTML tags that are written unchanged.
    case tag(String)
    /// The start tag of a list item.
    case item(String)
    /// The checkbox of a task list item, which is shown at the start of the text of the item.
    case checkbox(isChecked: Bool)
    /// A paragraph; `listIndex` is the index of the list if the paragraph is directly in an item.
    case paragraph(listIndex: Int?, content: Range<Int>, tag: String)
    case heading(level: Int, content: Range<Int>)
    /// The text of a table cell.
    case inlines(Range<Int>)
    case code(Range<Int>, language: Range<Int>)
    case html(Range<Int>)
    /// A displayed TeX formula.
    case formula(Range<Int>)
    /// The start of the text of a footnote, which ends at `footnoteEnd`; the value is an index in
    /// `footnoteNames`.
    case footnoteStart(Int)
    case footnoteEnd

    var isParagraph: Bool {
      if case .paragraph = self { true } else { false }
    }
  }

  /// A list.
  struct ListState {
    /// The bullet `-`, `+` or `*`, or the delimiter `.` or `)` after numbers.
    var marker: UInt8
    var isLoose = false
    /// Whether a blank line follows the last block in the list.
    var endsWithBlankLine = false
  }

  /// A block that contains other blocks.
  enum Container {
    case quote
    case list(Int)
    /// An item of the list with an index, whose content begins at a column; `hasOnlyMarker` as long
    /// as it consists of its marker only.
    case item(listIndex: Int, column: Int, hasOnlyMarker: Bool)
    /// A footnote: `[^name]: text`, with indented continuation lines.
    case footnote
    /// A definition of a term: `: text`, with continuation lines that are indented by a number of
    /// columns.
    case definition(column: Int)
    case admonition(MarkdownAdmonition.Extent, endTag: String)
  }

  /// A block that contains text.
  enum Leaf {
    case none
    case paragraph
    case fencedCode(marker: UInt8, length: Int, indent: Int, language: Range<Int>)
    case indentedCode
    case html(end: StaticString?)
    case table(alignments: [String])
    /// A table that is drawn with characters.
    case grid
    /// A table whose columns are separated by spaces, below a line of dashes.
    case columns
    /// A displayed formula between `$$` delimiters.
    case formula
  }

  let text: [UInt8]
  private(set) var events: [Event] = []
  private(set) var frontMatter: MarkdownFrontMatter?
  /// The concatenated text of the leaves.
  var leafText: [UInt8] = []
  var lists: [ListState] = []
  var definitions = MarkdownLinkDefinitions()
  /// The names of the footnotes, in order.
  private(set) var footnoteNames: [[UInt8]] = []
  private var anchorCounts: [String: Int] = [:]
  private var containers: [Container] = []
  /// The number of the following lines that may end an admonition, less the number of open
  /// admonitions that need one.
  private var surplusAdmonitionEnds = 0
  var leaf = Leaf.none
  /// The start of the text of the open leaf in `leafText`.
  var leafStart = 0

  /// Maximum nesting depth; deeper blocks are text.
  private static let maxContainers = 64

  init(_ text: [UInt8]) {
    self.text = text
    leafText.reserveCapacity(text.count)
  }

  /// Parses the whole text.
  mutating func read() {
    var index = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    frontMatter = MarkdownFrontMatter(text, from: index)
    index = frontMatter?.end ?? index
    if text.contains(":::", in: index..<text.count) {
      surplusAdmonitionEnds = text[index...].split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        .count { MarkdownLine(text, $0.indices).closingColonCount != nil }
    }
    while index < text.count {
      var end = index
      while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
      readLine(MarkdownLine(text, index..<end))
      if end < text.count, text[end] == 0x0D { end += 1 }
      if end < text.count, text[end] == 0x0A { end += 1 }
      index = end
    }
    closeLeaf()
    close(downTo: 0)
  }

  // MARK: Lines

  private mutating func readLine(_ line: MarkdownLine) {
    var line = line
    if line.closingColonCount != nil { surplusAdmonitionEnds -= 1 }
    let matchedCount = matchContainers(&line)
    let matchesAllContainers = matchedCount == containers.count
    if !matchesAllContainers || !isInFencedCode, let colons = line.closingColonCount,
      endFencedAdmonition(colons, matchedCount: matchedCount)
    {
      return
    }
    if matchesAllContainers, continueLeaf(&line) { return }
    if line.isAttributeList { return }
    var isParagraph = false
    if case .paragraph = leaf { isParagraph = !endsIndentedAdmonition(matchedCount: matchedCount) }
    if !matchesAllContainers, !isParagraph { closeLeaf() }
    // Containers that did not match end, unless the line is a lazy continuation.
    let hasNewContainer = openContainers(
      &line, matchedCount: matchedCount, isParagraph: isParagraph && matchesAllContainers)
    if line.isBlank {
      // A list marker or quotation marker without text is not a blank line.
      return hasNewContainer
        ? () : handleBlankLine(matchedCount: matchedCount, isParagraph: isParagraph)
    }
    let interruptsParagraph = isParagraph && !hasNewContainer
    if readLeafStart(
      &line, matchedCount: hasNewContainer ? containers.count : matchedCount,
      interruptsParagraph: interruptsParagraph
    ) {
      return
    }
    if interruptsParagraph {
      appendParagraphLine(line)
      return
    }
    prepareForBlock(matchedCount: hasNewContainer ? containers.count : matchedCount)
    leaf = .paragraph
    leafStart = leafText.count
    appendLeafText(line.content)
  }

  /// Opens the containers that a line starts.
  /// - Returns: Whether the line starts a container.
  private mutating func openContainers(
    _ line: inout MarkdownLine, matchedCount: Int, isParagraph: Bool
  ) -> Bool {
    var openCount = matchedCount
    var hasNewContainer = false
    while openCount < Self.maxContainers,
      openContainer(&line, matchedCount: openCount, isParagraph: isParagraph && !hasNewContainer)
    {
      hasNewContainer = true
      openCount = containers.count
    }
    return hasNewContainer
  }

  /// Appends a line to a paragraph: a continuation, or a lazy one without the markers of its
  /// containers. Rows of a table without a delimiter row, and lines of a line block (Pandoc), are
  /// not joined.
  private mutating func appendParagraphLine(_ line: MarkdownLine) {
    let bar = UInt8(ascii: "|")
    if leafText[leafStart...].first == bar, text[line.content].first == bar,
      // An odd number of backslashes ends with one that breaks the line.
      leafText.reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count % 2 == 0
    {
      leafText.append(contentsOf: "  ".utf8)
    }
    leafText.append(0x0A)
    appendLeafText(line.content)
  }

  /// Consumes the markers of the open containers at the start of a line.
  /// - Returns: The number of containers that continue.
  private mutating func matchContainers(_ line: inout MarkdownLine) -> Int {
    for (index, container) in containers.enumerated() {
      switch container {
      case .quote:
        guard line.indent < 4, line.consumeQuoteMarker() else { return index }
      case .list: break
      case .item(let list, let column, let isEmpty):
        if line.isBlank {
          // A list item can begin with at most one blank line.
          if isEmpty {
            containers[index] = .item(listIndex: list, column: .max, hasOnlyMarker: false)
          }
        } else if line.indent >= column {
          line.consume(columns: column)
          if isEmpty {
            containers[index] = .item(listIndex: list, column: column, hasOnlyMarker: false)
          }
        } else {
          // Without the item, the list continues only if another item follows.
          return index - 1
        }
      case .footnote:
        guard !line.isBlank else { break }
        guard line.indent >= 4 else { return index }
        line.consume(columns: 4)
      case .definition(let column):
        guard !line.isBlank else { break }
        guard line.indent >= column else { return index }
        line.consume(columns: column)
      case .admonition(.indented, _):
        guard !line.isBlank else { break }
        guard line.indent >= 4 else { return index }
        line.consume(columns: 4)
      case .admonition(.fenced, _): break
      }
    }
    return containers.count
  }

  private var isInFencedCode: Bool {
    if case .fencedCode = leaf { true } else { false }
  }

  /// Ends the innermost admonition that a line of colons ends.
  /// - Returns: Whether there is one.
  private mutating func endFencedAdmonition(_ colonCount: Int, matchedCount: Int) -> Bool {
    let index = containers[..<min(matchedCount, containers.count)].lastIndex { container in
      if case .admonition(.fenced(let count), _) = container { count <= colonCount } else { false }
    }
    guard let index else { return false }
    closeLeaf()
    close(downTo: index)
    return true
  }

  /// Returns whether a line ends an admonition because it is not indented. Unlike a quotation, an
  /// admonition has no lazy continuation lines.
  private func endsIndentedAdmonition(matchedCount: Int) -> Bool {
    containers[min(matchedCount, containers.count)...].contains { container in
      if case .admonition(.indented, _) = container { true } else { false }
    }
  }

  /// Adds a line to the open leaf.
  /// - Returns: Whether the line belongs to the leaf.
  private mutating func continueLeaf(_ line: inout MarkdownLine) -> Bool {
    switch leaf {
    case .fencedCode(let marker, let length, let indent, _):
      if line.closesFence(marker, length) {
        closeLeaf()
        return true
      }
      line.consume(columns: min(indent, line.indent))
      appendLeafLine(line)
      return true
    case .indentedCode:
      guard line.isBlank || line.indent >= 4 else {
        closeLeaf()
        return false
      }
      line.consume(columns: min(4, line.indent))
      appendLeafLine(line)
      return true
    case .html(let end):
      if end == nil, line.isBlank {
        closeLeaf()
        return false
      }
      appendLeafLine(line)
      if let end, line.contains(end) { closeLeaf() }
      return true
    case .table(let alignments):
      if line.isBlank || line.endsTable {
        closeLeaf()
        return false
      }
      if !line.isAttributeList { writeRow(line.cellRanges, alignments, tag: "td") }
      return true
    case .grid: return continueGrid(line)
    case .columns: return continueColumns(line)
    case .formula: return continueFormula(line)
    case .none, .paragraph: return false
    }
  }

  private mutating func handleBlankLine(matchedCount: Int, isParagraph: Bool) {
    if isParagraph { closeLeaf() }
    // A quotation does not continue after a blank line without its marker.
    if let quote = containers.indices.first(where: { index in
      guard index >= matchedCount, case .quote = containers[index] else { return false }
      return true
    }) {
      close(downTo: quote)
    }
    for container in containers {
      if case .list(let list) = container { lists[list].endsWithBlankLine = true }
    }
  }

  // MARK: Containers

  /// Opens the container that a line starts.
  /// - Returns: Whether the line starts a container.
  private mutating func openContainer(
    _ line: inout MarkdownLine, matchedCount: Int, isParagraph: Bool
  ) -> Bool {
    guard line.indent < 4 else { return false }
    if line.consumeQuoteMarker() {
      prepareForBlock(matchedCount: matchedCount)
      containers.append(.quote)
      events.append(.tag("<blockquote>\n"))
      if let alert = line.consumeAlert() {
        addTitle(appendLeafText(alert.title), or: alert.name)
      }
      return true
    }
    if let name = line.consumeFootnoteLabel() {
      prepareForBlock(matchedCount: matchedCount)
      containers.append(.footnote)
      events.append(.footnoteStart(footnoteNames.count))
      footnoteNames.append(MarkdownLinkDefinitions.normalizedLabel(text[name]))
      return true
    }
    if openDefinition(&line, matchedCount: matchedCount) { return true }
    if openAdmonition(&line, matchedCount: matchedCount) { return true }
    if line.isRule || isParagraph && line.setextLevel != nil { return false }
    guard let item = line.consumeItemMarker(interruptsParagraph: isParagraph) else { return false }
    open(item, line, matchedCount: matchedCount)
    if let box = line.consumeTaskCheckbox() { events.append(.checkbox(isChecked: box)) }
    return true
  }

  /// Opens a list item, and a list unless it belongs to an open one.
  private mutating func open(
    _ item: MarkdownLine.ItemMarker, _ line: MarkdownLine, matchedCount: Int
  ) {
    var listIndex: Int?
    if matchedCount < containers.count, case .list(let openListIndex) = containers[matchedCount],
      lists[openListIndex].marker == item.marker
    {
      listIndex = openListIndex
      closeLeaf()
      close(downTo: matchedCount + 1)
      if lists[openListIndex].endsWithBlankLine { lists[openListIndex].isLoose = true }
      clearTrailingBlankLines()
    }
    if listIndex == nil {
      prepareForBlock(matchedCount: matchedCount)
      lists.append(ListState(marker: item.marker))
      containers.append(.list(lists.count - 1))
      let start = item.number.map { $0 == 1 ? "<ol>\n" : "<ol start=\"\($0)\">\n" }
      events.append(.tag(start ?? "<ul>\n"))
    }
    containers.append(
      .item(
        listIndex: listIndex ?? lists.count - 1, column: item.contentColumn,
        hasOnlyMarker: line.isBlank)
    )
    events.append(.item("<li>"))
  }

  /// Opens a definition if a line is one, and directly follows its term, another definition of it,
  /// or a blank line after one of these (PHP Markdown Extra, Pandoc). Returns whether it did.
  private mutating func openDefinition(_ line: inout MarkdownLine, matchedCount: Int) -> Bool {
    var rest = line
    guard let column = rest.consumeDefinitionMarker() else { return false }
    var terms: [Range<Int>] = []
    if matchedCount < containers.count {
      guard case .definition = containers[matchedCount] else { return false }
    } else {
      terms = consumeTerms()
      guard !terms.isEmpty else { return false }
    }
    line = rest
    prepareForBlock(matchedCount: matchedCount)
    if case .tag(Self.definitionsEnd)? = events.last {
      // The list continues.
      events[events.count - 1] = .tag("</dd>\n")
    } else {
      events.append(.tag("<dl>\n"))
    }
    for term in terms {
      events += [.tag("<dt>"), .inlines(term), .tag("</dt>\n")]
    }
    containers.append(.definition(column: column))
    events.append(.tag("<dd>"))
    return true
  }

  /// Removes the paragraph before a definition: the open one, if it is short, or one of a single
  /// line before a blank line.
  /// - Returns: Its lines, which are terms; empty if there is no such paragraph.
  private mutating func consumeTerms() -> [Range<Int>] {
    if case .paragraph = leaf {
      let paragraph = leafStart..<leafText.count
      guard lines(of: paragraph, maxCount: Self.maxTerms) != nil else { return [] }
      let content = definitions.consume(from: leafText, paragraph)
      guard let terms = lines(of: content, maxCount: Self.maxTerms) else { return [] }
      leaf = .none
      return terms
    }
    guard case .none = leaf, case .paragraph(_, let content, _)? = events.last,
      let terms = lines(of: content, maxCount: 1)
    else { return [] }
    events.removeLast()
    return terms
  }

  /// Returns the lines in a range of `leafText`; nil if there are none, or more than a number.
  private func lines(of range: Range<Int>, maxCount: Int) -> [Range<Int>]? {
    let lines = leafText[range].split(separator: 0x0A, maxSplits: maxCount).map(\.indices)
    return (1...maxCount).contains(lines.count) ? lines : nil
  }

  private static let definitionsEnd = "</dd></dl>\n"
  /// The maximum number of terms with the same definition.
  private static let maxTerms = 3

  /// Opens an admonition if a line is the first one of an admonition that has a text. Returns
  /// whether it did.
  private mutating func openAdmonition(_ line: inout MarkdownLine, matchedCount: Int) -> Bool {
    var lineAfterMarker = line
    guard let admonition = lineAfterMarker.consumeAdmonition() else { return false }
    if admonition.extent == .indented {
      guard hasIndentedText(after: lineAfterMarker.rest.upperBound) else { return false }
    } else {
      guard surplusAdmonitionEnds > 0 else { return false }
      surplusAdmonitionEnds -= 1
    }
    line = lineAfterMarker
    prepareForBlock(matchedCount: matchedCount)
    if admonition.name.isEmpty {
      containers.append(.admonition(admonition.extent, endTag: "</div>\n"))
      events.append(.tag("<div>\n"))
      return true
    }
    let (startTags, end, endTag) =
      switch admonition.folding {
      case .none: ("<blockquote>\n<p><strong>", "</strong></p>\n", "</blockquote>\n")
      case .folded: ("<details><summary>", "</summary>\n", "</details>\n")
      case .unfolded: ("<details open><summary>", "</summary>\n", "</details>\n")
      }
    containers.append(.admonition(admonition.extent, endTag: endTag))
    let title = admonition.title.map { appendLeafText($0) }
    guard title?.isEmpty != true || admonition.folding != .none else {
      events.append(.tag("<blockquote>\n"))
      return true
    }
    events.append(.tag(startTags + (title?.isEmpty ?? true ? admonition.name : "")))
    if let title, !title.isEmpty { events.append(.inlines(title)) }
    events.append(.tag(end))
    return true
  }

  /// Returns whether the next line that is not blank is indented by at least four columns.
  private func hasIndentedText(after end: Int) -> Bool {
    var index = end
    while index < text.count, text[index] == 0x0A || text[index] == 0x0D { index += 1 }
    let lineEnd = text[index...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
    let line = MarkdownLine(text, index..<lineEnd)
    return !line.isBlank && line.indent >= 4
  }

  /// Closes the blocks that do not continue before a new block begins.
  mutating func prepareForBlock(matchedCount: Int) {
    closeLeaf()
    close(downTo: matchedCount)
    // A list contains only items, so it ends.
    if case .list? = containers.last { close(downTo: containers.count - 1) }
    if case .item(let list, _, _)? = containers.last, lists[list].endsWithBlankLine {
      lists[list].isLoose = true
    }
    clearTrailingBlankLines()
  }

  /// Records that a block follows a possible blank line in the open lists.
  private mutating func clearTrailingBlankLines() {
    for container in containers {
      if case .list(let list) = container { lists[list].endsWithBlankLine = false }
    }
  }

  /// Returns whether all open containers continue.
  func continuesAllContainers(_ matchedCount: Int) -> Bool { matchedCount == containers.count }

  private mutating func close(downTo count: Int) {
    while containers.count > max(0, count) {
      switch containers.removeLast() {
      case .quote: events.append(.tag("</blockquote>\n"))
      case .list(let list):
        let isOrdered = lists[list].marker == UInt8(ascii: ".") || lists[list].marker == 0x29
        events.append(.tag(isOrdered ? "</ol>\n" : "</ul>\n"))
      case .item: events.append(.tag("</li>\n"))
      case .footnote: events.append(.footnoteEnd)
      case .definition: events.append(.tag(Self.definitionsEnd))
      case .admonition(let extent, let endTag):
        if extent != .indented { surplusAdmonitionEnds += 1 }
        events.append(.tag(endTag))
      }
    }
  }

  // MARK: Leaves

  /// Closes the open leaf.
  mutating func closeLeaf() {
    defer { leaf = .none }
    let content = leafStart..<leafText.count
    switch leaf {
    case .none: break
    case .paragraph:
      let rest = definitions.consume(from: leafText, content)
      guard !rest.isEmpty else { return }
      var list: Int?
      if case .item(let open, _, _)? = containers.last { list = open }
      events.append(.paragraph(listIndex: list, content: rest, tag: "p"))
    case .fencedCode(_, _, _, let language):
      let isFormula = leafText[language].elementsEqual("math".utf8)
      events.append(isFormula ? .formula(content) : .code(content, language: language))
    case .formula:
      // A formula without a closing delimiter is a paragraph.
      events.append(.paragraph(listIndex: nil, content: content, tag: "p"))
    case .indentedCode, .grid, .columns:
      var end = content.upperBound
      while end > content.lowerBound, leafText[end - 1] == 0x0A { end -= 1 }
      events.append(.code(content.lowerBound..<end, language: 0..<0))
    case .html: events.append(.html(content))
    case .table: events.append(.tag("</tbody></table>\n"))
    }
  }

  mutating func add(_ event: Event) { events.append(event) }

  /// Appends a range of the text to `leafText`.
  /// - Returns: The range in `leafText`.
  @discardableResult
  mutating func appendLeafText(_ range: Range<Int>) -> Range<Int> {
    let start = leafText.count
    leafText.append(contentsOf: text[range])
    return start..<leafText.count
  }

  /// Appends the rest of a line and a line feed to `leafText`.
  mutating func appendLeafLine(_ line: MarkdownLine) {
    appendLeafText(line.rest)
    leafText.append(0x0A)
  }

  /// Returns a unique anchor for a heading.
  mutating func uniqueAnchor(of content: Range<Int>) -> [UInt8] {
    let name = MarkdownHeading.anchor(of: leafText[content])
    let key = String(decoding: name, as: UTF8.self)
    let count = anchorCounts[key, default: 0]
    anchorCounts[key] = count + 1
    return count == 0 ? name : name + Array("-\(count)".utf8)
  }
}

extension [UInt8] {
  /// Returns the index of the first occurrence of a marker that begins at most `maxDistance` bytes
  /// after `start`; nil if there is none.
  fileprivate func firstIndex(of marker: [UInt8], from start: Int, maxDistance: Int) -> Int? {
    var index = start
    let end = Swift.min(count - marker.count, start + maxDistance)
    while index <= end {
      if self[index] == marker[0], self[index...].starts(with: marker) { return index }
      index += 1
    }
    return nil
  }
}
