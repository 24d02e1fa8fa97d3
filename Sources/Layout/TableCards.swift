import DOM
import Document

/// Lays out a table that does not fit in the available width: each row becomes a card of `Header
/// value` lines.
///
/// A cell that spans rows is repeated in the card of each of them, a cell that spans columns has
/// the headers of all of them, and a row of one cell is a heading. In a comparison table whose
/// columns are the items, each column becomes a card, and values that all items share are shown
/// once before the cards.
struct TableCards: Sendable {
  private var table: TableLayout
  /// The header of each column.
  private var headers: [String]
  private var headerWidth = 0
  /// Header cells that cover the whole table, shown once.
  private var titles: [TableGrid.Cell] = []
  /// The indices of the rows with content.
  private let contentRows: [Int]
  /// The number of rows in `contentRows` that have been written.
  private var writtenRowCount = 0
  /// The number of rows that become cards.
  private let cardCount: Int
  /// The number of cards that have been begun.
  private var begunCardCount = 0
  /// Whether each card shows a column of the table in the page, rather than a row.
  private let isTransposed: Bool
  /// The first cell of each column whose cells are the same in all cards; empty if there are fewer
  /// than three cards.
  private var sharedCells: [TableGrid.Cell] = []
  private var isColumnShared: [Bool]
  /// Cells that span from rows above, with the row index at which each ends.
  private var openCells: [(cell: TableGrid.Cell, end: Int)] = []
  /// Whether all cells below the header of each column are empty; such a header is still shown.
  private var isColumnEmpty: [Bool]
  /// The remaining number of bytes that may be repeated, which limits the output to a multiple of
  /// the table's text.
  private var remainingRepeatLength: Int

  /// The length in bytes above which only the first lines of a cell are repeated.
  private static let maxRepeatedLength = 300

  private var hasHeaders: Bool { headerWidth > 0 }
  private var isLinear: Bool { table.cellLayout.input.options.isLinear }

  init(table: TableLayout, in page: BlockLayout) {
    let document = table.cellLayout.input.document
    isTransposed = table.grid.comparesColumns(in: document)
    self.table = table
    if isTransposed { self.table.transpose() }
    let grid = self.table.grid
    let headerRows =
      grid.headerRowCount > 0
      ? grid.headerRowCount : grid.hasUndeclaredHeaderRow(in: document) ? 1 : 0
    contentRows = (headerRows..<grid.rowCount).filter { row in
      grid.cells(inRow: row).contains { !grid.cells[$0].isEmpty && grid.cells[$0].columnSpan > 0 }
    }
    cardCount = contentRows.count { grid.headingCellIndex(inRow: $0) == nil }
    isColumnShared = Array(repeating: false, count: grid.columnCount)
    headers = Array(repeating: "", count: grid.columnCount)
    isColumnEmpty = Array(repeating: true, count: grid.columnCount)
    for row in contentRows {
      for index in grid.cells(inRow: row) where !grid.cells[index].isEmpty {
        let cell = grid.cells[index]
        for column in cell.column..<cell.column + cell.columnSpan { isColumnEmpty[column] = false }
      }
    }
    remainingRepeatLength = 1 << 14
    for cell in grid.cells {
      remainingRepeatLength += 4 * document.textLength(ofCell: cell.blockIndex)
    }
    readHeaders(inFirstRows: headerRows, of: grid, document)
    headerWidth = min(
      headers.map { page.input.options.widths.width(of: $0) }.max() ?? 0,
      page.availableWidth * 2 / 5)
    if isTransposed { findSharedColumns(grid, document) }
  }

  private mutating func readHeaders(
    inFirstRows headerRows: Int, of grid: TableGrid, _ document: Document
  ) {
    for row in 0..<headerRows {
      for index in grid.cells(inRow: row) where !grid.cells[index].isEmpty {
        let cell = grid.cells[index]
        guard cell.columnSpan > 0 else { continue }
        if cell.columnSpan > 1, cell.columnSpan == grid.columnCount {
          titles.append(cell)
          continue
        }
        let text = document.text(ofCell: cell.blockIndex)
        // A cell that contains only spaces is not a header.
        if text.utf8.allSatisfy({ [0x20, 0xC2, 0xA0].contains($0) }) { continue }
        for column in cell.column..<cell.column + cell.columnSpan {
          headers[column] += headers[column].isEmpty ? text : " / " + text
        }
      }
    }
  }

  /// Finds the columns, except the first, whose cells are the same in all cards, if there are at
  /// least three cards.
  private mutating func findSharedColumns(_ grid: TableGrid, _ document: Document) {
    var counts = Array(repeating: 0, count: grid.columnCount)
    var first: [TableGrid.Cell?] = Array(repeating: nil, count: grid.columnCount)
    for row in contentRows {
      for index in grid.cells(inRow: row) {
        let cell = grid.cells[index]
        guard cell.column > 0, cell.columnSpan == 1, document.containsOnlyText(cell) else {
          continue
        }
        if let other = first[cell.column] {
          guard document.bytes(ofCell: cell.blockIndex) == document.bytes(ofCell: other.blockIndex)
          else {
            continue
          }
        } else {
          first[cell.column] = cell
        }
        counts[cell.column] += cell.rowSpan
      }
    }
    guard contentRows.count > 2 else { return }
    for column in counts.indices where counts[column] == contentRows.count {
      guard let cell = first[column] else { continue }
      isColumnShared[column] = true
      sharedCells.append(cell)
    }
  }

  /// Writes cards until the page has `lines` lines or the table ends.
  /// - Returns: Whether all rows have been written.
  mutating func writeCards(maxLines lines: Int, to page: inout BlockLayout) -> Bool {
    if writtenRowCount == 0 {
      for title in titles { write(title, "", isTitle: true, to: &page) }
      if !titles.isEmpty { page.needsBlankLine = true }
      writeSharedValues(to: &page)
    }
    while writtenRowCount < contentRows.count {
      guard page.writer.lineCount < lines || writtenRowCount == 0 else { return false }
      write(row: contentRows[writtenRowCount], to: &page)
      writtenRowCount += 1
    }
    return true
  }

  private mutating func writeSharedValues(to page: inout BlockLayout) {
    guard !sharedCells.isEmpty else { return }
    page.writeBlankLineIfNeeded()
    writeTitle("all \(cardCount)", linear: "all \(cardCount) columns", to: &page)
    for cell in sharedCells { write(cell, label(of: cell), to: &page) }
    page.needsBlankLine = true
  }

  private mutating func write(row: Int, to page: inout BlockLayout) {
    page.sourceOffset = table.textOffset(ofRow: row) ?? page.sourceOffset
    if writtenRowCount > 0 { page.needsBlankLine = true }
    page.writeBlankLineIfNeeded()
    let grid = table.grid
    openCells.removeAll { $0.end <= row }
    if let heading = grid.headingCellIndex(inRow: row) {
      return write(grid.cells[heading], "", isTitle: true, to: &page)
    }
    begunCardCount += 1
    let position = "\(begunCardCount) of \(cardCount)"
    writeTitle(position, linear: "\(isTransposed ? "column" : "row") \(position)", to: &page)
    let own = grid.cells(inRow: row).map { grid.cells[$0] }.filter { $0.columnSpan > 0 }
    let last = own.last { !$0.isEmpty }?.column ?? 0
    let above = openCells.map(\.cell)
    for cell in (above + own).sorted(by: { $0.column < $1.column }) {
      if isColumnShared[cell.column] { continue }
      // If cards have headers, an omitted line already shows that the cell is empty.
      if cell.isEmpty, hasHeaders ? !isColumnEmpty[cell.column] : cell.column > last { continue }
      let isAgain = above.contains { $0.blockIndex == cell.blockIndex }
      if isAgain {
        remainingRepeatLength -=
          table.cellLayout.input.document.textLength(ofCell: cell.blockIndex) + 8
      }
      let label = label(of: cell)
      // The name of an item in a comparison needs no label.
      let isName = isTransposed && cell.column == 0 && label.isEmpty
      write(cell, label, isTitle: isName, isRepeated: isAgain, to: &page)
    }
    if remainingRepeatLength < 0 { openCells = [] }
    for cell in own
    where cell.rowSpan > 1 && remainingRepeatLength > 0 && !(cell.isEmpty && hasHeaders) {
      openCells.append((cell, row + cell.rowSpan))
    }
  }

  /// Returns the headers of the columns that a cell covers; if there are many, only the first and
  /// the last.
  private func label(of cell: TableGrid.Cell) -> String {
    let covered = headers[cell.column..<cell.column + cell.columnSpan]
    guard cell.columnSpan > 1 else { return covered.first ?? "" }
    var names: [String] = []
    for name in covered where !name.isEmpty && name != names.last {
      names.append(name)
    }
    let text = names.joined(separator: ", ")
    guard names.count > 2, text.utf8.count > 60, let first = names.first, let last = names.last
    else { return text }
    return "\(first) … \(last)"
  }

  /// Writes the title line of a card, such as `── 1 of 40 ─────`, or `linear` in a linear layout.
  private func writeTitle(_ text: String, linear: String, to page: inout BlockLayout) {
    guard !isLinear else { return writeLabelLine("[\(linear)]", to: &page) }
    let rule = page.input.glyphs.horizontalRule
    let style = TextStyle(.dim)
    let width = page.availableWidth
    page.beginLine()
    page.beginBidiOrder(columns: width)
    page.writer.append(rule, count: 2, style: style)
    page.endOrnament(level: page.embeddingLevel, columns: 0)
    page.append(label: " " + text + " ", style: style, columns: 0)
    page.writer.append(rule, count: min(width, 32) - text.utf8.count - 4, style: style)
    page.endOrnament(level: page.embeddingLevel, columns: 0)
    page.writer.endLine(source: page.sourceOffset)
  }

  private mutating func write(
    _ cell: TableGrid.Cell, _ header: String, isTitle: Bool = false, isRepeated: Bool = false,
    to page: inout BlockLayout
  ) {
    let labelStyle = TextStyle(.text, inlineStyle: .strong)
    let columns = page.availableWidth
    var text = header
    if isLinear, !text.isEmpty { text += ": " }
    let width = page.input.options.widths.width(of: text)
    let isOneText = table.cellLayout.input.document.soleParagraph(ofCell: cell.blockIndex) != nil
    // A linear layout has no alignment: a value directly follows its header.
    let hang =
      if isLinear { isOneText && width <= columns / 2 ? width : 0 } else {
        isTitle || !hasHeaders ? 0 : headerWidth + 2
      }
    let isBeside = hang > 0 && width <= (isLinear ? hang : headerWidth)
    if !isBeside, !header.isEmpty {
      writeHeader(isLinear ? header + ":" : header, labelStyle, columns, &page)
    }
    if cell.isEmpty {
      if isBeside { return writeLabelLine("\(text)\(isLinear ? "[empty]" : "")", to: &page) }
      return writePlaceholder(to: &page)
    }
    table.cellLayout.writer.removeAll()
    table.layOut(
      cell, width: max(1, columns - hang), isHeader: isTitle || cell.isHeader && hang == 0)
    let layout = table.cellLayout.writer.layout
    if !isRepeated {
      page.writer.addImageBoxes(
        layout.imageBoxes, from: 0, column: page.margin + page.indentation.columns + hang)
    }
    let length = table.cellLayout.input.document.textLength(ofCell: cell.blockIndex)
    let isTruncated = isRepeated && length > Self.maxRepeatedLength && layout.lines.count > 2
    for index in layout.lines.indices.prefix(isTruncated ? 2 : .max) {
      page.beginLine()
      page.beginBidiOrder(columns: columns)
      let isFirst = index == 0 && isBeside
      if !isLinear || isFirst {
        page.append(label: isFirst ? text : "", style: labelStyle, columns: hang)
      }
      page.writer.append(
        line: index, of: layout, width: page.writer.hasBidiOrder ? max(1, columns - hang) : 0,
        alignment: .unset)
      page.sourceOffset = max(page.sourceOffset, layout.lines[index].sourceOffset)
      page.writer.endLine(source: layout.lines[index].sourceOffset)
    }
    if isTruncated {
      writeLabelLine(String(repeating: " ", count: isLinear ? 0 : hang) + "…", to: &page)
    }
  }

  /// Writes an indicator for an empty cell, so that the following cells stay identifiable.
  private func writePlaceholder(to page: inout BlockLayout) {
    writeLabelLine(isLinear ? "[empty]" : page.input.glyphs.horizontalRule, to: &page)
  }

  /// Writes a line of text that is not part of the page.
  private func writeLabelLine(_ text: String, to page: inout BlockLayout) {
    page.beginLine()
    page.beginBidiOrder(columns: page.availableWidth)
    page.append(label: text, style: TextStyle(.dim), columns: 0)
    page.writer.endLine(source: page.sourceOffset)
  }

  /// Writes a header that is too wide to be beside its value on lines of its own.
  private func writeHeader(
    _ header: String, _ style: TextStyle, _ width: Int, _ page: inout BlockLayout
  ) {
    page.inlineText.removeAll()
    page.inlineText.append(header.utf8, style: style, target: nil, source: page.sourceOffset)
    page.writeLines(width: width)
  }
}

extension TableLayout {
  /// Returns the offset of the first text of a row; nil if no cell begins in the row.
  fileprivate func textOffset(ofRow row: Int) -> UInt32? {
    guard let first = grid.cells(inRow: row).first else { return nil }
    return cellLayout.input.document.textOffset(ofBlock: grid.cells[first].blockIndex)
  }
}

extension Document {
  /// Returns the number of bytes of text in a cell.
  fileprivate func textLength(ofCell index: Int32) -> Int {
    blocks[Int(index)..<Int(blocks[Int(index)].end)].reduce(0) { $0 + textLength(of: $1) }
  }

  /// Whether a cell has text but no links, images or fields, which may differ even if their text is
  /// the same.
  fileprivate func containsOnlyText(_ cell: TableGrid.Cell) -> Bool {
    !cell.isEmpty
      && runs(ofBlocks: cell.blockIndex..<blocks[Int(cell.blockIndex)].end).allSatisfy {
        $0.link == nil && $0.image == nil && !$0.style.contains(.control)
      }
  }

  /// Returns the text of a cell as a slice of the document's bytes.
  fileprivate func bytes(ofCell index: Int32) -> ArraySlice<UInt8> {
    let runs = runs(ofBlocks: index..<blocks[Int(index)].end)
    guard let first = runs.first, let last = runs.last else { return [] }
    return text[Int(first.start)..<Int(last.end)]
  }

  /// Returns the text of a cell as one line.
  fileprivate func text(ofCell index: Int32) -> String {
    let cell = blocks[Int(index)]
    var words: [UInt8] = []
    for block in blocks[Int(index)..<Int(cell.end)] where !block.runs.isEmpty {
      if !words.isEmpty { words.append(.space) }
      let start = Int(runs[Int(block.runs.lowerBound)].start)
      words += text[start..<start + textLength(of: block)].map { $0 < 0x20 ? .space : $0 }
    }
    return String(decoding: words, as: UTF8.self)
  }
}
