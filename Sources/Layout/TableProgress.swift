/// A table whose rows are being laid out, as a box or as cards.
struct TableProgress: Sendable {
  // Two optionals instead of an enum, because modifying the payload of an enum copies it.
  private var box: BorderedTable?
  private var cards: TableCards?

  /// Chooses a bordered table if it fits the available width, or else cards; returns nil if the
  /// table has no columns.
  init?(_ table: TableLayout, in page: inout BlockLayout) {
    let count = table.grid.columnCount
    guard count > 0 else { return nil }
    page.writeBlankLineIfNeeded()
    let borders = ColumnWidths.separatorWidth * count + 1
    let width = page.width - page.indentation.nextColumns
    let text = page.availableWidth - borders
    if page.input.options.isLinear {
      cards = TableCards(table: table, in: page)
    } else if let widths = table.columnWidths.fittedWidths(to: width - borders, preferring: text) {
      box = BorderedTable(table, widths, width: width, padding: 1, in: page)
    } else if let widths = table.columnWidths.widthsWithoutWrapping(in: width - count - 1) {
      // A table of many narrow columns, such as a crossword, becomes a grid without padding.
      box = BorderedTable(table, widths, width: width, padding: 0, in: page)
    } else {
      cards = TableCards(table: table, in: page)
    }
  }

  /// Writes rows until the page has `lines` lines or the table ends.
  /// - Returns: Whether all rows have been written.
  mutating func writeRows(maxLines lines: Int, to page: inout BlockLayout) -> Bool {
    box?.writeRows(maxLines: lines, to: &page) ?? cards?.writeCards(maxLines: lines, to: &page)
      ?? true
  }
}

extension BorderedTable {
  /// Creates a bordered table. If it is wider than the text column, it extends to the right, and
  /// then to the left.
  fileprivate init(
    _ table: TableLayout, _ widths: [Int], width: Int, padding: Int, in page: BlockLayout
  ) {
    let total = widths.reduce(0, +) + (2 * padding + 1) * widths.count + 1
    let margin = min(page.margin, width - total)
    self.init(
      table: table, columnWidths: widths, margin: margin,
      columns: max(total, page.availableWidth + page.margin - max(0, margin)), padding: padding)
  }
}
