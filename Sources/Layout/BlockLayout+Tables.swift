import HTML

extension BlockLayout {
  /// Begins a table of data at its first row. Its columns are measured; its rows follow.
  mutating func beginTable(from row: Int32) {
    let end = containers.last?.end ?? row + 1
    next = end
    source = document.source(ofBlock: row)
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

/// A table whose rows are being laid out.
enum TableProgress: Sendable {
  case box(TableBox)
  case cards(TableCards)
  case done

  /// Chooses the form of a table by the room there is; nil when it has no columns.
  init?(_ table: TableLayout, in page: inout BlockLayout) {
    let count = table.grid.columnCount
    guard count > 0 else { return nil }
    page.writeGap()
    let borders = ColumnWidths.separator * count + 1
    let room = page.options.width - page.indentation.nextColumns
    let text = page.textRoom - borders
    if let widths = table.columnWidths.fitted(to: room - borders, preferring: text) {
      // A table wider than the text column extends to the right, then to the left.
      let total = widths.reduce(0, +) + borders
      self = .box(TableBox(table: table, widths: widths, margin: min(page.margin, room - total)))
    } else {
      self = .cards(TableCards(table: table, in: page))
    }
  }

  /// Writes rows until there are `lines` lines on the page, or all.
  /// - Returns: Whether all rows are written.
  mutating func write(upTo lines: Int, to page: inout BlockLayout) -> Bool {
    switch self {
    case .box(var box):
      // The copy has to be the only one, or each step would copy the rows of the table.
      self = .done
      let isComplete = box.write(upTo: lines, to: &page)
      self = .box(box)
      return isComplete
    case .cards(var cards):
      self = .done
      let isComplete = cards.write(upTo: lines, to: &page)
      self = .cards(cards)
      return isComplete
    case .done: return true
    }
  }
}
