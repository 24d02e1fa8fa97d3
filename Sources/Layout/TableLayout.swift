import DOM
import Document

/// Lays out a data table: with borders, or as cards if the columns do not fit.
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
        guard cell.columnSpan > 0, !cell.isEmpty else { continue }
        let plain = cellLayout.context.plainCell(cell)
        let (word, line) = measure(cell, plain)
        if cell.columnSpan == 1 {
          columnWidths.widen(column: cell.column, wordWidth: word, lineWidth: line)
          guard row >= grid.headerRowCount, !cell.isHeader, words[cell.column] == 0 else {
            continue
          }
          switch cellLayout.valueKind(of: plain) {
          case .number: numbers[cell.column] += 1
          case .word: words[cell.column] += 1
          case .missingNumber: break
          }
        }
      }
    }
    for row in 0..<grid.rowCount {
      for index in grid.cells(inRow: row) where grid.cells[index].columnSpan > 1 {
        let cell = grid.cells[index]
        guard !cell.isEmpty else { continue }
        let (word, line) = measure(cell, cellLayout.context.plainCell(cell))
        columnWidths.widen(
          columns: cell.column..<cell.column + cell.columnSpan, wordWidth: word, lineWidth: line)
      }
    }
    cellLayout.isMeasuring = false
    // Columns of numbers are right-aligned.
    let isNumeric = zip(numbers, words).map { $0 > 0 && $1 == 0 }
    grid.align(columns: isNumeric, .right)
  }

  private mutating func measure(
    _ cell: TableGrid.Cell, _ plainCell: PlainCell?
  ) -> (word: Int, line: Int) {
    if let plainCell {
      let line = plainCell.textRange.count
      // A word that cannot widen the column need not be measured.
      let isWide =
        cell.columnSpan > 1
        || columnWidths.minWidths[cell.column] < min(line, ColumnWidths.maxWordWidth)
      return (
        isWide
          ? LineBreaker.maxWordWidth(cellLayout.input.document.text, in: plainCell.textRange) : 0,
        line
      )
    }
    cellLayout.maxWordWidth = 0
    if let line = cellLayout.measureParagraph(ofCell: cell.blockIndex) {
      return (cellLayout.maxWordWidth, line)
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
    return (cellLayout.maxWordWidth, line)
  }

  /// Lays out the content of a cell and appends it to the lines that `cellLayout` already has.
  /// `isHeader` overrides whether the cell is a header; nil keeps the value in the table.
  mutating func layOut(_ cell: TableGrid.Cell, width: Int, isHeader: Bool? = nil) {
    cellLayout.mayDrawImages = cell.rowSpan == 1 && cellLayout.embeddingLevel == 0
    cellLayout.layOut(cell: cell.blockIndex, width: width, isHeader: isHeader ?? cell.isHeader)
  }
}

extension BlockLayout {
  /// Returns the width of the widest line of a cell that is one paragraph; nil for other cells, and
  /// for a paragraph with images that may get space.
  fileprivate mutating func measureParagraph(ofCell cell: Int32) -> Int? {
    guard let paragraph = input.document.soleParagraph(ofCell: cell)?.value else {
      inlineText.removeAll()
      return nil
    }
    let runs = input.document.blocks[paragraph].runs
    // Images may need more width than any word does.
    if input.options.imageSpace != nil,
      runs.contains(where: { input.document.runs[Int($0)].image != nil })
    {
      return nil
    }
    inlineText.removeAll()
    inlineText.append(runs: runs, in: context)
    lineBreaker.prepare(
      inlineText.bytes, isASCII: inlineText.isASCII, unbreakableRanges: inlineText.unbreakableRanges
    )
    let (word, line) = lineBreaker.measure(inlineText.bytes)
    maxWordWidth = word
    return line
  }

}

extension InlineContext {
  /// Returns the content of a cell that is one run of ASCII on one line, without delimiters or
  /// markers; nil for other cells.
  func plainCell(_ cell: TableGrid.Cell) -> PlainCell? {
    guard !cell.isEmpty,
      let paragraph = input.document.soleParagraph(ofCell: cell.blockIndex)?.value
    else { return nil }
    let runs = input.document.blocks[paragraph].runs
    guard runs.count == 1 else { return nil }
    let run = input.document.runs[Int(runs.lowerBound)]
    let range = Int(run.start)..<Int(run.end)
    guard run.image == nil, run.style.isDisjoint(with: InlineText.textChangingStyles.union(.code)),
      run.link == nil || !annotatesLinks, input.document.text.isPlainASCII(in: range),
      input.options.controlAppearances.isEmpty || !run.style.contains(.control)
    else { return nil }
    var style = style(of: run)
    if cell.isHeader { style.inlineStyle.insert(.strong) }
    return PlainCell(textRange: range, style: style, target: target(of: run))
  }
}

extension BlockLayout {
  /// Returns the kind of value in the cell that was just measured.
  fileprivate func valueKind(of plainCell: PlainCell?) -> CellValueKind {
    if let plainCell { return input.document.text.cellValueKind(in: plainCell.textRange) }
    return inlineText.bytes.cellValueKind(in: 0..<inlineText.bytes.count)
  }
}

/// The kind of a cell's value, for alignment.
private enum CellValueKind {
  /// Digits with signs, separators or units.
  case number
  /// A placeholder for a missing number, such as a dash.
  case missingNumber
  case word
}

extension [UInt8] {
  /// Whether all bytes of a range are ASCII without control characters, and the first is not a
  /// space.
  fileprivate func isPlainASCII(in range: Range<Int>) -> Bool {
    withUnsafeBufferPointer { bytes in
      for byte in bytes[range] where byte >= 0x80 || byte < 0x20 { return false }
      return !range.isEmpty && bytes[range.lowerBound] != .space
    }
  }

  fileprivate func cellValueKind(in range: Range<Int>) -> CellValueKind {
    guard !range.isEmpty, range.count <= 24 else { return .word }
    if range.count == 3, self[range].map({ $0 | 0x20 }).elementsEqual("n/a".utf8) {
      return .missingNumber
    }
    var digits = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let scalar = DisplayWidth.decodeScalar(in: self, at: &position, end: range.upperBound)
      switch scalar {
      case 0x30...0x39: digits += 1
      case 0x20, 0x25, 0x27, 0x2B, 0x2C, 0x2D, 0x2E, 0x24, 0xA0, 0xA3, 0xA5, 0xB1, 0x2009, 0x202F,
        0x2212, 0x2013, 0x2014, 0x20AC:
        break
      default: return .word
      }
    }
    return digits > 0 ? .number : .missingNumber
  }
}
