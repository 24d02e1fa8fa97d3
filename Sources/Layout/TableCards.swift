import Document

/// A table that does not fit in the available width: each row is a card of `Header  value` lines.
///
/// A cell that spans rows is repeated in each of their cards, a cell that spans columns has the
/// headers of all of them, and a row of one cell is a heading. In a comparison table whose columns
/// are the items, each column is a card, and values that all items share are shown once before
/// them.
struct TableCards: Sendable {
  private var table: TableLayout
  /// The header of each column.
  private var headers: [String]
  private var headerColumns = 0
  /// Headers that cover the whole table, shown once.
  private var titles: [TableGrid.Cell] = []
  /// The rows with content, and how many of them have been written.
  private let rows: [Int]
  private var written = 0
  /// The number of rows that are cards, and how many of these have been begun.
  private let cardCount: Int
  private var begun = 0
  /// Whether each card is a column of the table in the page.
  private let isTransposed: Bool
  /// The first cell of each column whose cells are the same in all cards (at least three).
  private var shared: [TableGrid.Cell] = []
  private var isShared: [Bool]
  /// Cells that span from rows above, and the row at which each ends.
  private var open: [(cell: TableGrid.Cell, end: Int)] = []
  /// Whether all cells below the header of a column are empty; the header is shown all the same.
  private var isBare: [Bool]
  /// The remaining number of bytes that may be repeated, which bounds the output to a multiple of
  /// the table's text.
  private var repeatable: Int

  /// Cells longer than this, in bytes, are repeated with their first lines only.
  private static let longCell = 300

  private var hasHeaders: Bool { headerColumns > 0 }
  private var isLinear: Bool { table.cellLayout.input.options.isLinear }

  init(table: TableLayout, in page: BlockLayout) {
    let document = table.cellLayout.input.document
    isTransposed = table.grid.comparesColumns(in: document)
    self.table = table
    if isTransposed { self.table.transpose() }
    let grid = self.table.grid
    let headerRows =
      grid.headerRows > 0 ? grid.headerRows : grid.beginsWithNames(in: document) ? 1 : 0
    rows = (headerRows..<grid.rowCount).filter { row in
      grid.cells(inRow: row).contains { !grid.cells[$0].isEmpty && grid.cells[$0].columns > 0 }
    }
    cardCount = rows.count { grid.heading(inRow: $0) == nil }
    isShared = Array(repeating: false, count: grid.columnCount)
    headers = Array(repeating: "", count: grid.columnCount)
    isBare = Array(repeating: true, count: grid.columnCount)
    for row in rows {
      for index in grid.cells(inRow: row) where !grid.cells[index].isEmpty {
        let cell = grid.cells[index]
        for column in cell.column..<cell.column + cell.columns { isBare[column] = false }
      }
    }
    repeatable = 1 << 14
    for cell in grid.cells { repeatable += 4 * document.length(ofCell: cell.block) }
    for row in 0..<headerRows {
      for index in grid.cells(inRow: row) where !grid.cells[index].isEmpty {
        let cell = grid.cells[index]
        guard cell.columns > 0 else { continue }
        if cell.columns > 1, cell.columns == grid.columnCount {
          titles.append(cell)
          continue
        }
        let text = document.text(ofCell: cell.block)
        // A cell that contains only spaces is not a header.
        if text.utf8.allSatisfy({ [0x20, 0xC2, 0xA0].contains($0) }) { continue }
        for column in cell.column..<cell.column + cell.columns {
          headers[column] += headers[column].isEmpty ? text : " / " + text
        }
      }
    }
    headerColumns = min(
      headers.map { page.input.options.widths.width(of: $0) }.max() ?? 0,
      page.availableWidth * 2 / 5)
    if isTransposed { findShared(grid, document) }
  }

  /// Finds the columns, except the first, whose cells are the same in all cards, if there are at
  /// least three cards.
  private mutating func findShared(_ grid: TableGrid, _ document: Document) {
    var counts = Array(repeating: 0, count: grid.columnCount)
    var first: [TableGrid.Cell?] = Array(repeating: nil, count: grid.columnCount)
    for row in rows {
      for index in grid.cells(inRow: row) {
        let cell = grid.cells[index]
        guard cell.column > 0, cell.columns == 1, document.isOnlyText(cell) else { continue }
        if let other = first[cell.column] {
          guard document.bytes(ofCell: cell.block) == document.bytes(ofCell: other.block) else {
            continue
          }
        } else {
          first[cell.column] = cell
        }
        counts[cell.column] += cell.rows
      }
    }
    guard rows.count > 2 else { return }
    for column in counts.indices where counts[column] == rows.count {
      guard let cell = first[column] else { continue }
      isShared[column] = true
      shared.append(cell)
    }
  }

  /// Writes cards until the page has `lines` lines or the table ends.
  /// - Returns: Whether all rows have been written.
  mutating func write(upTo lines: Int, to page: inout BlockLayout) -> Bool {
    if written == 0 {
      for title in titles { write(title, "", isTitle: true, to: &page) }
      if !titles.isEmpty { page.gap = true }
      writeShared(to: &page)
    }
    while written < rows.count {
      guard page.writer.lineCount < lines || written == 0 else { return false }
      write(row: rows[written], to: &page)
      written += 1
    }
    return true
  }

  private mutating func writeShared(to page: inout BlockLayout) {
    guard !shared.isEmpty else { return }
    page.writeGap()
    writeTitle("all \(cardCount)", linear: "all \(cardCount) columns", to: &page)
    for cell in shared { write(cell, label(of: cell), to: &page) }
    page.gap = true
  }

  private mutating func write(row: Int, to page: inout BlockLayout) {
    page.source = table.source(ofRow: row) ?? page.source
    if written > 0 { page.gap = true }
    page.writeGap()
    let grid = table.grid
    open.removeAll { $0.end <= row }
    if let heading = grid.heading(inRow: row) {
      return write(grid.cells[heading], "", isTitle: true, to: &page)
    }
    begun += 1
    let position = "\(begun) of \(cardCount)"
    writeTitle(position, linear: "\(isTransposed ? "column" : "row") \(position)", to: &page)
    let own = grid.cells(inRow: row).map { grid.cells[$0] }.filter { $0.columns > 0 }
    let last = own.last { !$0.isEmpty }?.column ?? 0
    let above = open.map(\.cell)
    for cell in (above + own).sorted(by: { $0.column < $1.column }) {
      if isShared[cell.column] { continue }
      // With headers, an omitted line already shows that the cell is empty.
      if cell.isEmpty, hasHeaders ? !isBare[cell.column] : cell.column > last { continue }
      let isAgain = above.contains { $0.block == cell.block }
      if isAgain { repeatable -= table.cellLayout.input.document.length(ofCell: cell.block) + 8 }
      let label = label(of: cell)
      // The name of an item needs no label.
      let isName = isTransposed && cell.column == 0 && label.isEmpty
      write(cell, label, isTitle: isName, isAgain: isAgain, to: &page)
    }
    if repeatable < 0 { open = [] }
    for cell in own where cell.rows > 1 && repeatable > 0 && !(cell.isEmpty && hasHeaders) {
      open.append((cell, row + cell.rows))
    }
  }

  /// Returns the headers of the columns that a cell covers; of many, only the first and the last.
  private func label(of cell: TableGrid.Cell) -> String {
    let covered = headers[cell.column..<cell.column + cell.columns]
    guard cell.columns > 1 else { return covered.first ?? "" }
    var names: [String] = []
    for name in covered where !name.isEmpty && name != names.last {
      names.append(name)
    }
    let text = names.joined(separator: ", ")
    guard names.count > 2, text.utf8.count > 60, let first = names.first, let last = names.last
    else { return text }
    return "\(first) … \(last)"
  }

  /// Writes the title line of a card: `── 1 of 40 ─────`
  private func writeTitle(_ text: String, linear: String, to page: inout BlockLayout) {
    guard !isLinear else { return writeSign("[\(linear)]", to: &page) }
    let rule = page.input.glyphs.rule
    let style = TextStyle(.dim)
    let width = page.availableWidth
    page.beginLine()
    page.beginOrder(columns: width)
    page.writer.append(rule, count: 2, style: style)
    page.endRule(level: page.level, columns: 0)
    page.append(label: " " + text + " ", style: style, columns: 0)
    page.writer.append(rule, count: min(width, 32) - text.utf8.count - 4, style: style)
    page.endRule(level: page.level, columns: 0)
    page.writer.endLine(source: page.source)
  }

  private mutating func write(
    _ cell: TableGrid.Cell, _ header: String, isTitle: Bool = false, isAgain: Bool = false,
    to page: inout BlockLayout
  ) {
    let label = TextStyle(.text, inline: .strong)
    let columns = page.availableWidth
    var text = header
    if isLinear, !text.isEmpty { text += ": " }
    let width = page.input.options.widths.width(of: text)
    let isOneText = table.cellLayout.input.document.soleParagraph(ofCell: cell.block) != nil
    // Without borders there is no alignment: a value follows its header.
    let hang =
      if isLinear { isOneText && width <= columns / 2 ? width : 0 } else {
        isTitle || !hasHeaders ? 0 : headerColumns + 2
      }
    let isBeside = hang > 0 && width <= (isLinear ? hang : headerColumns)
    if !isBeside, !header.isEmpty {
      writeHeader(isLinear ? header + ":" : header, label, columns, &page)
    }
    if cell.isEmpty {
      if isBeside { return writeSign("\(text)\(isLinear ? "[empty]" : "")", to: &page) }
      return writePlaceholder(to: &page)
    }
    table.cellLayout.writer.removeAll()
    table.layOut(
      cell, width: max(1, columns - hang), isHeader: isTitle || cell.isHeader && hang == 0)
    let layout = table.cellLayout.writer.layout
    if !isAgain {
      page.writer.add(
        layout.imageBoxes, from: 0, column: page.margin + page.indentation.columns + hang)
    }
    let length = table.cellLayout.input.document.length(ofCell: cell.block)
    let isTruncated = isAgain && length > Self.longCell && layout.lines.count > 2
    for index in layout.lines.indices.prefix(isTruncated ? 2 : .max) {
      page.beginLine()
      page.beginOrder(columns: columns)
      let isFirst = index == 0 && isBeside
      if !isLinear || isFirst {
        page.append(label: isFirst ? text : "", style: label, columns: hang)
      }
      page.writer.append(
        line: index, of: layout, width: page.writer.isOrdered ? max(1, columns - hang) : 0,
        alignment: .unset)
      page.source = max(page.source, layout.lines[index].source)
      page.writer.endLine(source: layout.lines[index].source)
    }
    if isTruncated {
      writeSign(String(repeating: " ", count: isLinear ? 0 : hang) + "…", to: &page)
    }
  }

  /// Writes an indicator for an empty cell, so that the following cells stay identifiable.
  private func writePlaceholder(to page: inout BlockLayout) {
    writeSign(isLinear ? "[empty]" : page.input.glyphs.rule, to: &page)
  }

  /// Writes a line that is not text of the page.
  private func writeSign(_ text: String, to page: inout BlockLayout) {
    page.beginLine()
    page.beginOrder(columns: page.availableWidth)
    page.append(label: text, style: TextStyle(.dim), columns: 0)
    page.writer.endLine(source: page.source)
  }

  /// Writes a header on lines of its own, if it is too wide to be beside the value.
  private func writeHeader(
    _ header: String, _ style: TextStyle, _ width: Int, _ page: inout BlockLayout
  ) {
    page.inline.removeAll()
    page.inline.append(header.utf8, style: style, target: nil, source: page.source)
    page.fill(width: width)
  }
}

extension TableLayout {
  /// Returns the offset of the first text of a row; nil if no cell begins in the row.
  fileprivate func source(ofRow row: Int) -> UInt32? {
    guard let first = grid.cells(inRow: row).first else { return nil }
    return cellLayout.input.document.source(ofBlock: grid.cells[first].block)
  }
}

extension Document {
  /// Returns the number of bytes of text in a cell.
  fileprivate func length(ofCell index: Int32) -> Int {
    blocks[Int(index)..<Int(blocks[Int(index)].end)].reduce(0) { $0 + length(of: $1) }
  }

  /// Whether a cell has text but no links, images or fields, which differ even if their text is the
  /// same.
  fileprivate func isOnlyText(_ cell: TableGrid.Cell) -> Bool {
    !cell.isEmpty
      && runs(ofBlocks: cell.block..<blocks[Int(cell.block)].end).allSatisfy {
        $0.link < 0 && $0.image < 0 && !$0.style.contains(.control)
      }
  }

  /// Returns the text of a cell as bytes of the document.
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
      words += text[start..<start + length(of: block)].map { $0 < 0x20 ? .space : $0 }
    }
    return String(decoding: words, as: UTF8.self)
  }
}
