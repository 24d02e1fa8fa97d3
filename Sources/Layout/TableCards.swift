import Document

/// A table that is too narrow for columns: each row is a card of `Header  value` lines.
struct TableCards: Sendable {
  private var table: TableLayout
  /// The header of each column.
  private var headers: [String]
  private var headerColumns = 0
  /// Headers of the whole table, which are shown once.
  private var titles: [TableGrid.Cell] = []
  /// The rows that have something to show, and how many of them were written.
  private let rows: [Int]
  private var written = 0

  init(table: TableLayout, in page: BlockLayout) {
    self.table = table
    let grid = table.grid
    rows = (grid.headerRows..<grid.rowCount).filter { row in
      grid.cells(inRow: row).contains { !grid.cells[$0].isEmpty && grid.cells[$0].columns > 0 }
    }
    headers = Array(repeating: "", count: grid.columnCount)
    let document = table.cellLayout.input.document
    for row in 0..<grid.headerRows {
      for index in grid.cells(inRow: row) where !grid.cells[index].isEmpty {
        let cell = grid.cells[index]
        guard cell.columns > 0 else { continue }
        if cell.columns > 1, cell.columns == grid.columnCount {
          titles.append(cell)
          continue
        }
        let text = document.text(ofCell: cell.block)
        for column in cell.column..<cell.column + cell.columns {
          headers[column] += headers[column].isEmpty ? text : " / " + text
        }
      }
    }
    headerColumns = min(
      headers.map { page.input.options.widths.width(of: $0) }.max() ?? 0, page.textRoom * 2 / 5)
  }

  /// Writes cards until there are `lines` lines on the page, or all.
  /// - Returns: Whether all rows are written.
  mutating func write(upTo lines: Int, to page: inout BlockLayout) -> Bool {
    if written == 0 {
      for title in titles { write(title, isTitle: true, to: &page) }
      if !titles.isEmpty { page.gap = true }
    }
    while written < rows.count {
      guard page.writer.lineCount < lines || written == 0 else { return false }
      write(row: rows[written], to: &page)
      written += 1
    }
    return true
  }

  private mutating func write(row: Int, to page: inout BlockLayout) {
    page.source = table.source(ofRow: row) ?? page.source
    if written > 0 { page.gap = true }
    page.writeGap()
    writeTitle("\(written + 1) of \(rows.count)", to: &page)
    for index in table.grid.cells(inRow: row) {
      let cell = table.grid.cells[index]
      guard !cell.isEmpty, cell.columns > 0 else { continue }
      write(cell, to: &page)
    }
  }

  /// `── 1 of 40 ─────`
  private func writeTitle(_ text: String, to page: inout BlockLayout) {
    let rule = page.input.glyphs.rule
    let style = TextStyle(.dim)
    let room = page.textRoom
    page.beginLine()
    page.beginOrder(columns: room)
    page.writer.append(rule, count: 2, style: style)
    page.endRule(level: page.level, columns: 0)
    page.append(label: " " + text + " ", style: style, columns: 0)
    page.writer.append(rule, count: min(room, 32) - text.utf8.count - 4, style: style)
    page.endRule(level: page.level, columns: 0)
    page.writer.endLine(source: page.source)
  }

  private mutating func write(
    _ cell: TableGrid.Cell, isTitle: Bool = false, to page: inout BlockLayout
  ) {
    let header = isTitle ? "" : headers[cell.column]
    let hang = isTitle || headerColumns == 0 ? 0 : headerColumns + 2
    let room = page.textRoom
    let width = page.input.options.widths.width(of: header)
    let isBeside = hang > 0 && width <= headerColumns
    table.cellLayout.writer.removeAll()
    table.layOut(cell, width: max(1, room - hang), isHeader: cell.isHeader && hang == 0)
    let layout = table.cellLayout.writer.layout
    let label = TextStyle(.text, inline: .strong)
    if hang > 0, !isBeside { writeHeader(header, label, room, &page) }
    page.writer.add(
      layout.imageBoxes, from: 0, column: page.margin + page.indentation.columns + hang)
    for index in layout.lines.indices {
      page.beginLine()
      page.beginOrder(columns: room)
      page.append(label: index == 0 && isBeside ? header : "", style: label, columns: hang)
      page.writer.append(
        line: index, of: layout, width: page.writer.isOrdered ? max(1, room - hang) : 0,
        alignment: .unset)
      page.source = max(page.source, layout.lines[index].source)
      page.writer.endLine(source: layout.lines[index].source)
    }
  }

  /// A header too wide to stand beside the value takes lines of its own.
  private func writeHeader(
    _ header: String, _ style: TextStyle, _ room: Int, _ page: inout BlockLayout
  ) {
    page.inline.removeAll()
    page.inline.append(header.utf8, style: style, target: nil, source: page.source)
    page.fill(room: room)
  }
}

extension TableLayout {
  /// Offset of the first text of a row.
  fileprivate func source(ofRow row: Int) -> UInt32? {
    guard let first = grid.cells(inRow: row).first else { return nil }
    return cellLayout.input.document.source(ofBlock: grid.cells[first].block)
  }
}

extension Document {
  /// The text of a cell on one line.
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
