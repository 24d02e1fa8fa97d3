import HTML

/// Lays out a table of data: as a box with columns, or as cards when it is too narrow for them.
///
/// Two passes: the first looks at every cell for its widths, the second lays out a row at a time.
struct TableLayout {
  let grid: TableGrid
  /// Lays out the content of cells; holds one row at a time.
  var cellLayout: BlockLayout
  /// Columns whose cells are numbers are aligned at the right.
  private(set) var isNumeric: [Bool]
  private(set) var columnWidths: ColumnWidths

  /// Measures the cells.
  init(rows: Range<Int32>, in page: BlockLayout) {
    grid = TableGrid(page.document, rows: rows)
    cellLayout = BlockLayout(cellsOf: page)
    columnWidths = ColumnWidths(count: grid.columnCount)
    isNumeric = Array(repeating: false, count: grid.columnCount)
    measure()
  }

  /// Writes the table below what `page` has.
  mutating func write(to page: inout BlockLayout) {
    let count = grid.columnCount
    guard count > 0 else { return }
    let borders = ColumnWidths.separator * count + 1
    let room = page.options.width - page.indentation.nextColumns
    if let widths = columnWidths.fitted(to: room - borders) {
      let total = widths.reduce(0, +) + borders
      // A table wider than the text column extends to the right, then to the left.
      let margin = page.margin
      page.margin = max(0, min(margin, room - total))
      page.writeGap()
      var box = TableBox(table: self, widths: widths)
      box.write(to: &page)
      page.margin = margin
    } else {
      page.writeGap()
      var cards = TableCards(table: self)
      cards.write(to: &page)
    }
  }

  // MARK: Widths

  private mutating func measure() {
    var numbers = Array(repeating: 0, count: grid.columnCount)
    var words = numbers
    cellLayout.isMeasuring = true
    for row in 0..<grid.rowCount {
      for index in grid.cells(inRow: row) {
        let cell = grid.cells[index]
        guard cell.columns > 0, !cell.isEmpty else { continue }
        let (word, line) = measure(cell)
        if cell.columns == 1 {
          columnWidths.widen(column: cell.column, word: word, line: line)
          guard row >= grid.headerRows, !cell.isHeader else { continue }
          if cellLayout.isNumber { numbers[cell.column] += 1 } else { words[cell.column] += 1 }
        }
      }
    }
    for row in 0..<grid.rowCount {
      for index in grid.cells(inRow: row) where grid.cells[index].columns > 1 {
        let cell = grid.cells[index]
        guard !cell.isEmpty else { continue }
        let (word, line) = measure(cell)
        columnWidths.widen(
          columns: cell.column..<cell.column + cell.columns, word: word, line: line)
      }
    }
    cellLayout.isMeasuring = false
    for column in isNumeric.indices {
      isNumeric[column] = numbers[column] > 0 && words[column] == 0
    }
  }

  private mutating func measure(_ cell: TableGrid.Cell) -> (word: Int, line: Int) {
    cellLayout.widestWord = 0
    if let line = cellLayout.measureParagraph(ofCell: cell.block) {
      return (cellLayout.widestWord, line)
    }
    cellLayout.writer.removeAll()
    cellLayout.layOut(cell: cell.block, width: 4000, isHeader: cell.isHeader)
    let layout = cellLayout.writer.layout
    var line = 0
    for each in layout.lines {
      line = max(line, DisplayWidth.width(of: layout.text, in: Int(each.start)..<Int(each.end)))
    }
    return (cellLayout.widestWord, line)
  }

  // MARK: Cells

  /// How a cell is aligned.
  func alignment(of cell: TableGrid.Cell) -> Document.Alignment {
    guard cell.columns == 1, isNumeric[cell.column] else { return cell.alignment }
    return .right
  }
}

extension BlockLayout {
  /// The widest line of a cell that is one paragraph, or nil for other cells.
  fileprivate mutating func measureParagraph(ofCell cell: Int32) -> Int? {
    guard let paragraph = document.soleParagraph(ofCell: cell), paragraph >= 0 else {
      inline.removeAll()
      return nil
    }
    inline.removeAll()
    inline.append(document, runs: document.blocks[Int(paragraph)].runs, in: context)
    breaker.prepare(inline.bytes, isASCII: inline.isASCII)
    let (word, line) = breaker.measure(inline.bytes)
    widestWord = word
    return line
  }

  /// Whether the text that was measured last is a number: digits with signs, separators, units.
  fileprivate var isNumber: Bool {
    guard !inline.bytes.isEmpty, inline.bytes.count <= 24 else { return false }
    var digits = 0
    var position = 0
    while position < inline.bytes.count {
      let scalar = DisplayWidth.scalar(
        in: inline.bytes, at: &position, limit: inline.bytes.count)
      switch scalar {
      case 0x30...0x39: digits += 1
      case 0x20, 0x25, 0x27, 0x2B, 0x2C, 0x2D, 0x2E, 0x24, 0xA0, 0xA3, 0xA5, 0xB1, 0x2009, 0x202F,
        0x2212, 0x2013, 0x2014, 0x20AC:
        break
      default: return false
      }
    }
    return digits > 0
  }
}
