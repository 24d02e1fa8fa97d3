import Document

/// Lays out a data table: as a box with columns, or as cards if the columns do not fit.
///
/// The first pass measures every cell; the second lays out one row at a time.
struct TableLayout: Sendable {
  private(set) var grid: TableGrid
  /// Lays out the content of cells; holds one row at a time.
  var cellLayout: BlockLayout
  private(set) var columnWidths: ColumnWidths

  /// Measures the cells.
  init(rows: Range<Int32>, in page: BlockLayout) {
    grid = TableGrid(page.input.document, rows: rows)
    cellLayout = BlockLayout(cellsOf: page)
    columnWidths = ColumnWidths(count: grid.columnCount)
    measure()
  }

  /// Swaps rows and columns; `columnWidths` is invalid afterwards.
  mutating func transpose() { grid.transpose() }

  // MARK: Widths

  private mutating func measure() {
    var numbers = Array(repeating: 0, count: grid.columnCount)
    var words = numbers
    cellLayout.isMeasuring = true
    for row in 0..<grid.rowCount {
      for index in grid.cells(inRow: row) {
        let cell = grid.cells[index]
        guard cell.columns > 0, !cell.isEmpty else { continue }
        let plain = cellLayout.context.plainCell(cell)
        let (word, line) = measure(cell, plain)
        if cell.columns == 1 {
          columnWidths.widen(column: cell.column, word: word, line: line)
          guard row >= grid.headerRows, !cell.isHeader, words[cell.column] == 0 else { continue }
          switch cellLayout.value(of: plain) {
          case .number: numbers[cell.column] += 1
          case .word: words[cell.column] += 1
          case .nothing: break
          }
        }
      }
    }
    for row in 0..<grid.rowCount {
      for index in grid.cells(inRow: row) where grid.cells[index].columns > 1 {
        let cell = grid.cells[index]
        guard !cell.isEmpty else { continue }
        let (word, line) = measure(cell, cellLayout.context.plainCell(cell))
        columnWidths.widen(
          columns: cell.column..<cell.column + cell.columns, word: word, line: line)
      }
    }
    cellLayout.isMeasuring = false
    // Columns of numbers are right-aligned.
    let isNumeric = zip(numbers, words).map { $0 > 0 && $1 == 0 }
    grid.align(columns: isNumeric, .right)
  }

  private mutating func measure(
    _ cell: TableGrid.Cell, _ plain: PlainCell?
  ) -> (word: Int, line: Int) {
    if let plain {
      let line = plain.bytes.count
      // A word that cannot widen the column need not be measured.
      let isWide =
        cell.columns > 1 || columnWidths.minimum[cell.column] < min(line, ColumnWidths.maxWordWidth)
      return (
        isWide ? LineBreaker.widestWord(cellLayout.input.document.text, in: plain.bytes) : 0, line
      )
    }
    cellLayout.widestWord = 0
    if let line = cellLayout.measureParagraph(ofCell: cell.block) {
      return (cellLayout.widestWord, line)
    }
    cellLayout.writer.removeAll()
    layOut(cell, width: 4000)
    let layout = cellLayout.writer.layout
    let widths = cellLayout.input.options.widths
    var line = 0
    for each in layout.lines {
      line = max(line, widths.width(of: layout.text, in: Int(each.start)..<Int(each.end)))
    }
    // Images count for the preferred width of a column, but not for its minimum.
    line = layout.imageBoxes.reduce(line) { max($0, Int($1.columns.upperBound)) }
    return (cellLayout.widestWord, line)
  }

  /// Lays out the content of a cell, after the lines that `cellLayout` already has.
  mutating func layOut(_ cell: TableGrid.Cell, width: Int, isHeader: Bool? = nil) {
    cellLayout.holdsImages = cell.rows == 1 && cellLayout.level == 0
    cellLayout.layOut(cell: cell.block, width: width, isHeader: isHeader ?? cell.isHeader)
  }
}

extension BlockLayout {
  /// Returns the width of the widest line of a cell that is one paragraph; nil for other cells, and
  /// for a paragraph with images that may get space.
  fileprivate mutating func measureParagraph(ofCell cell: Int32) -> Int? {
    guard let paragraph = input.document.soleParagraph(ofCell: cell), paragraph >= 0 else {
      inline.removeAll()
      return nil
    }
    let runs = input.document.blocks[Int(paragraph)].runs
    // Images may need more width than any word.
    if input.options.imageSpace != nil,
      runs.contains(where: { input.document.runs[Int($0)].image >= 0 })
    {
      return nil
    }
    inline.removeAll()
    inline.append(runs: runs, in: context)
    breaker.prepare(inline.bytes, isASCII: inline.isASCII, unbreakable: inline.unbreakable)
    let (word, line) = breaker.measure(inline.bytes)
    widestWord = word
    return line
  }

}

extension InlineContext {
  /// Returns the content of a cell that is one run of ASCII on one line, without delimiters or
  /// markers; else nil.
  func plainCell(_ cell: TableGrid.Cell) -> PlainCell? {
    guard !cell.isEmpty, let paragraph = input.document.soleParagraph(ofCell: cell.block),
      paragraph >= 0
    else { return nil }
    let runs = input.document.blocks[Int(paragraph)].runs
    guard runs.count == 1 else { return nil }
    let run = input.document.runs[Int(runs.lowerBound)]
    let range = Int(run.start)..<Int(run.end)
    guard run.image < 0, run.style.isDisjoint(with: InlineText.altering.union(.code)),
      run.link < 0 || !annotatesLinks, input.document.text.isPlain(in: range),
      input.options.fields.isEmpty || !run.style.contains(.control)
    else { return nil }
    var style = style(of: run)
    if cell.isHeader { style.inline.insert(.strong) }
    return PlainCell(bytes: range, style: style, target: target(of: run))
  }
}

extension BlockLayout {
  /// Returns the kind of value in the cell that was just measured.
  fileprivate func value(of plain: PlainCell?) -> CellValue {
    if let plain { return input.document.text.cellValue(in: plain.bytes) }
    return inline.bytes.cellValue(in: 0..<inline.bytes.count)
  }
}

/// The kind of a cell's value, for alignment.
private enum CellValue {
  /// Digits with signs, separators or units.
  case number
  /// A placeholder for a missing number, such as a dash.
  case nothing
  case word
}

extension [UInt8] {
  /// Whether all bytes of a range are ASCII without control characters, and the first is not a
  /// space.
  fileprivate func isPlain(in range: Range<Int>) -> Bool {
    withUnsafeBufferPointer { bytes in
      for byte in bytes[range] where byte >= 0x80 || byte < 0x20 { return false }
      return !range.isEmpty && bytes[range.lowerBound] != .space
    }
  }

  fileprivate func cellValue(in range: Range<Int>) -> CellValue {
    guard !range.isEmpty, range.count <= 24 else { return .word }
    if range.count == 3, self[range].map({ $0 | 0x20 }).elementsEqual("n/a".utf8) {
      return .nothing
    }
    var digits = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let scalar = DisplayWidth.scalar(in: self, at: &position, limit: range.upperBound)
      switch scalar {
      case 0x30...0x39: digits += 1
      case 0x20, 0x25, 0x27, 0x2B, 0x2C, 0x2D, 0x2E, 0x24, 0xA0, 0xA3, 0xA5, 0xB1, 0x2009, 0x202F,
        0x2212, 0x2013, 0x2014, 0x20AC:
        break
      default: return .word
      }
    }
    return digits > 0 ? .number : .nothing
  }
}
