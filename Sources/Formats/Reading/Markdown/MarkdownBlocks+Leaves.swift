import DOM
import Document

extension MarkdownBlocks {
  /// Begins the leaf that a line starts, other than a paragraph.
  /// - Parameters:
  ///   - line: The rest of the line, which is not blank.
  ///   - matchedCount: The number of containers that continue.
  ///   - interruptsParagraph: Whether a paragraph is open.
  /// - Returns: Whether the line starts such a leaf.
  mutating func readLeafStart(
    _ line: inout MarkdownLine, matchedCount: Int, interruptsParagraph: Bool
  ) -> Bool {
    if line.indent >= 4 {
      guard !interruptsParagraph else { return false }
      beginLeaf(.indentedCode, matchedCount: matchedCount)
      line.consume(columns: 4)
      appendLeafLine(line)
      return true
    }
    if readColumnBorder(
      line, matchedCount: matchedCount, interruptsParagraph: interruptsParagraph)
    {
      return true
    }
    if interruptsParagraph, continuesAllContainers(matchedCount), readParagraphEnd(line) {
      return true
    }
    if let heading = line.heading {
      prepareForBlock(matchedCount: matchedCount)
      add(.heading(level: heading.level, content: appendLeafText(heading.content)))
      return true
    }
    if line.isRule {
      prepareForBlock(matchedCount: matchedCount)
      add(.tag("<hr>\n"))
      return true
    }
    if line.isGridBorder {
      beginLeaf(.grid, matchedCount: matchedCount)
      return continueGrid(line)
    }
    return readDelimitedLeafStart(
      line, matchedCount: matchedCount, interruptsParagraph: interruptsParagraph)
  }

  /// Begins the fenced code, formula or HTML that a line starts.
  /// - Returns: Whether the line starts such a leaf.
  private mutating func readDelimitedLeafStart(
    _ line: MarkdownLine, matchedCount: Int, interruptsParagraph: Bool
  ) -> Bool {
    if let fence = line.openingFence {
      prepareForBlock(matchedCount: matchedCount)
      let language = appendLeafText(fence.language)
      leaf = .fencedCode(
        marker: fence.mark, length: fence.length, indent: line.indent, language: language)
      leafStart = leafText.count
      return true
    }
    if let marker = line.formulaStart {
      beginLeaf(.formula, matchedCount: matchedCount)
      appendLeafText(line.content)
      if marker == .complete { endFormula() }
      return true
    }
    if let end = line.htmlBlockEnd(interruptsParagraph: interruptsParagraph) {
      prepareForBlock(matchedCount: matchedCount)
      leafStart = leafText.count
      leaf = .html(end: end)
      appendLeafLine(line)
      if let end, line.contains(end) { closeLeaf() }
      return true
    }
    return false
  }

  /// Begins a leaf block without text.
  private mutating func beginLeaf(_ newLeaf: Leaf, matchedCount: Int) {
    prepareForBlock(matchedCount: matchedCount)
    leaf = newLeaf
    leafStart = leafText.count
  }

  /// Adds the title of an alert, or the name of its kind if the title is empty.
  mutating func addTitle(_ title: Range<Int>, or name: String) {
    add(.tag("<p><strong>"))
    add(title.isEmpty ? .tag(name) : .inlines(title))
    add(.tag("</strong></p>\n"))
  }

  /// Converts an open paragraph if the line is the underline of a heading or the delimiter row of a
  /// table. Returns whether it did.
  private mutating func readParagraphEnd(_ line: MarkdownLine) -> Bool {
    if let level = line.setextLevel {
      let rest = definitions.consume(from: leafText, leafStart..<leafText.count)
      guard !rest.isEmpty else { return false }
      leaf = .none
      add(.heading(level: level, content: rest))
      return true
    }
    guard let alignments = line.tableAlignments else { return false }
    // The last line of the paragraph is the header row.
    let content = leafStart..<leafText.count
    let start = leafText[content].lastIndex(of: 0x0A).map { $0 + 1 } ?? leafStart
    let header = MarkdownLine(leafText, start..<leafText.count).cellRanges
    guard header.count == alignments.count else { return false }
    let cells = header.map { Array(leafText[$0]) }
    leafText.removeSubrange(max(leafStart, start - 1)...)
    closeLeaf()
    add(.tag("<table><thead>"))
    writeRow(
      cells.map { cell in
        leafText += cell
        return leafText.count - cell.count..<leafText.count
      }, alignments, tag: "th")
    add(.tag("</thead><tbody>"))
    leaf = .table(alignments: alignments)
    leafStart = leafText.count
    return true
  }

  /// Begins a table whose columns are separated by spaces if the line is the line of dashes at its
  /// start or below its header, which is the last line of the open paragraph (Pandoc, simple
  /// tables).
  /// - Returns: Whether a table begins.
  private mutating func readColumnBorder(
    _ line: MarkdownLine, matchedCount: Int, interruptsParagraph: Bool
  ) -> Bool {
    guard line.isColumnBorder, line.isBeforeText,
      !interruptsParagraph || continuesAllContainers(matchedCount)
    else { return false }
    var header: [UInt8] = []
    if interruptsParagraph {
      let start = leafText[leafStart...].lastIndex(of: 0x0A).map { $0 + 1 } ?? leafStart
      header = line.indentOfPreviousLine + leafText[start...] + [0x0A]
      leafText.removeSubrange(max(leafStart, start - 1)...)
      closeLeaf()
    } else {
      prepareForBlock(matchedCount: matchedCount)
    }
    leaf = .columns
    leafStart = leafText.count
    leafText += header
    appendLeafLine(line)
    return true
  }

  /// Appends a line to an open table whose columns are separated by spaces. A further line of
  /// dashes is its end.
  /// - Returns: Whether the line belongs to the table.
  mutating func continueColumns(_ line: MarkdownLine) -> Bool {
    guard !line.isBlank else {
      closeLeaf()
      return false
    }
    appendLeafLine(line)
    if line.isColumnBorder { closeLeaf() }
    return true
  }

  /// Appends a line to an open table that is drawn with characters.
  /// - Returns: Whether the line belongs to the table.
  mutating func continueGrid(_ line: MarkdownLine) -> Bool {
    guard line.isGridRow else {
      closeLeaf()
      return false
    }
    appendLeafLine(line)
    return true
  }

  /// Appends a line to an open formula. An empty line turns the formula into a paragraph, because
  /// formulas have no empty lines.
  /// - Returns: Whether the line belongs to the formula.
  mutating func continueFormula(_ line: MarkdownLine) -> Bool {
    guard !line.isBlank else {
      closeLeaf()
      return false
    }
    leafText.append(0x0A)
    appendLeafText(line.content)
    switch line.formulaEnd {
    case .none: break
    case .complete: endFormula()
    // Text follows the closing delimiter, so all of it is a paragraph.
    case .partial: leaf = .paragraph
    }
    return true
  }

  /// Ends an open formula at its closing delimiter.
  private mutating func endFormula() {
    let dollar = UInt8(ascii: "$")
    let isOuter = { (byte: UInt8) in byte == dollar || byte.isWhiteSpace }
    var content = leafText[leafStart...]
    while let last = content.last, isOuter(last) { content.removeLast() }
    content = content.drop(while: isOuter)
    leaf = .none
    add(.formula(content.startIndex..<content.endIndex))
  }

  /// Adds a table row whose cells are ranges of the text.
  mutating func writeRow(_ cells: [Range<Int>], _ alignments: [String], tag: String) {
    add(.tag("<tr>"))
    for (column, alignment) in alignments.enumerated() {
      add(.tag(alignment.isEmpty ? "<\(tag)>" : "<\(tag) align=\"\(alignment)\">"))
      if column < cells.count {
        // The cells of the first row are in `leafText` already.
        add(.inlines(tag == "th" ? cells[column] : appendCell(cells[column])))
      }
      add(.tag("</\(tag)>"))
    }
    add(.tag("</tr>\n"))
  }

  /// Appends a cell, with `\|` replaced by `|`, also in code.
  private mutating func appendCell(_ range: Range<Int>) -> Range<Int> {
    let start = leafText.count
    var index = range.lowerBound
    while index < range.upperBound {
      if text[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound,
        text[index + 1] == UInt8(ascii: "|")
      {
        index += 1
      }
      leafText.append(text[index])
      index += 1
    }
    return start..<leafText.count
  }
}
