import Document

extension BlockLayout {
  /// Begins a table of data at its first row. Its columns are measured; its rows follow.
  mutating func beginTable(from row: Int32) {
    let end = containers.last?.end ?? row + 1
    next = end
    source = input.document.source(ofBlock: row)
    let layout = TableLayout(rows: row..<end, in: self)
    gap = gap || layout.grid.columnCount == 0
    if isMeasuring { widestWord = max(widestWord, layout.columnWidths.minimum.reduce(0, +)) }
    if let progress = TableProgress(layout, in: &self) { table = [progress] }
  }

  /// Lays out rows of the table that was begun until there are `lines` lines on the page, or all.
  mutating func layOutTableRows(upTo lines: Int) {
    guard var progress = table.popLast() else { return }
    if progress.write(upTo: lines, to: &self) {
      gap = true
    } else {
      table.append(progress)
    }
  }
}

/// A table whose rows are being laid out: as a box or as cards.
struct TableProgress: Sendable {
  // Two optionals and no enum, since what an enum holds is changed by way of a copy.
  private var box: TableBox?
  private var cards: TableCards?

  /// Chooses the form of a table by the room there is; nil when it has no columns.
  init?(_ table: TableLayout, in page: inout BlockLayout) {
    let count = table.grid.columnCount
    guard count > 0 else { return nil }
    page.writeGap()
    let borders = ColumnWidths.separator * count + 1
    let room = page.width - page.indentation.nextColumns
    let text = page.textRoom - borders
    if page.input.options.isLinear {
      cards = TableCards(table: table, in: page)
    } else if let widths = table.columnWidths.fitted(to: room - borders, preferring: text) {
      box = TableBox(table, widths, room: room, padding: 1, in: page)
    } else if let widths = table.columnWidths.unbroken(in: room - count - 1) {
      // Many narrow columns, as of a crossword, are a grid without spaces.
      box = TableBox(table, widths, room: room, padding: 0, in: page)
    } else {
      cards = TableCards(table: table, in: page)
    }
  }

  /// Writes rows until there are `lines` lines on the page, or all.
  /// - Returns: Whether all rows are written.
  mutating func write(upTo lines: Int, to page: inout BlockLayout) -> Bool {
    box?.write(upTo: lines, to: &page) ?? cards?.write(upTo: lines, to: &page) ?? true
  }
}

extension TableBox {
  /// A table wider than the text column extends to the right, then to the left.
  fileprivate init(
    _ table: TableLayout, _ widths: [Int], room: Int, padding: Int, in page: BlockLayout
  ) {
    let total = widths.reduce(0, +) + (2 * padding + 1) * widths.count + 1
    let margin = min(page.margin, room - total)
    self.init(
      table: table, widths: widths, margin: margin,
      columns: max(total, page.textRoom + page.margin - max(0, margin)), padding: padding)
  }
}
