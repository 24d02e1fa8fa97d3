import DOM
import Document

/// The cells of a table with their positions.
///
/// Columns in which no cell with content begins are dropped, so that excessive spans take no width.
struct TableGrid {
  /// All cells, row by row and from left to right.
  private(set) var cells: [Cell] = []
  /// The index in `cells` of the first cell of each row, followed by the number of cells.
  private(set) var rowStarts: [Int] = [0]
  /// The number of header rows at the top.
  private(set) var headerRowCount = 0
  private(set) var columnCount = 0

  /// A cell with its position in the grid.
  struct Cell {
    /// The index in `Document.blocks`.
    var blockIndex: Int32
    /// The index of the first column that the cell covers.
    var column: Int
    /// The number of columns that the cell covers; 0 if all of them were dropped.
    var columnSpan: Int
    /// The number of rows that the cell covers within the table.
    var rowSpan: Int
    var isHeader: Bool
    var isEmpty: Bool
    var alignment: Document.Alignment
  }

  var rowCount: Int { rowStarts.count - 1 }

  /// The maximum number of columns that spans can create.
  static let maxColumns = 500

  /// Determines the positions of the cells in a range of blocks.
  init(_ document: Document, rows: Range<Int32>) {
    var taken: [Int] = []
    cells.reserveCapacity(rows.count / 2)
    var index = rows.lowerBound
    var isHead = true
    var declaredHeaderRows = 0
    while index < rows.upperBound {
      let block = document.blocks[Int(index)]
      if case .row(let isHeader) = block.kind {
        let start = cells.count
        addRow(document, block, index, &taken)
        isHead = isHead && (isHeader || hasOnlyHeaders(cells[start...]))
        if isHead { headerRowCount += 1 }
        if isHead, isHeader { declaredHeaderRows = headerRowCount }
        rowStarts.append(cells.count)
      }
      index = max(block.end, index + 1)
    }
    if headerRowCount == rowCount { headerRowCount = 0 }
    while headerRowCount > max(1, declaredHeaderRows), isGroupHeading(row: headerRowCount - 1) {
      headerRowCount -= 1
    }
    if headerRowCount == 0, rowCount > 1, isStrong(document, 0), !isStrong(document, 1) {
      headerRowCount = 1
    }
    clampRowSpans()
    dropColumns(count: taken.count)
  }

  /// Sets the alignment of the cells in the given columns, except cells that span several columns.
  mutating func align(columns: [Bool], _ alignment: Document.Alignment) {
    for index in cells.indices where cells[index].columnSpan == 1 && columns[cells[index].column] {
      cells[index].alignment = alignment
    }
  }

  /// Whether all cells of a row are headers; empty cells are allowed beside at least two headers.
  private func hasOnlyHeaders(_ row: ArraySlice<Cell>) -> Bool {
    guard !row.isEmpty else { return false }
    if row.allSatisfy(\.isHeader) { return true }
    return row.count { !$0.isEmpty } > 1 && row.allSatisfy { $0.isHeader || $0.isEmpty }
  }

  /// Returns whether a row of headers only names the group of rows below it.
  private func isGroupHeading(row: Int) -> Bool {
    let own = cells(inRow: row)
    return own.count == 1 && cells[own.lowerBound].columnSpan > 1
  }

  /// Returns the cells that begin in a row.
  func cells(inRow row: Int) -> Range<Int> { rowStarts[row]..<rowStarts[row + 1] }

  /// Returns the index in `cells` of the only non-empty cell of a row if that cell covers all
  /// columns, like a heading between rows; otherwise nil.
  func headingCellIndex(inRow row: Int) -> Int? {
    let filled = cells(inRow: row).filter { !cells[$0].isEmpty }
    guard columnCount > 1, filled.count == 1, let index = filled.first,
      cells[index].columnSpan == columnCount
    else { return nil }
    return index
  }

  /// Whether the first row of a table without header rows clearly names its columns: short words
  /// above numbers in at least two columns.
  func hasUndeclaredHeaderRow(in document: Document) -> Bool {
    guard rowCount > 1, columnCount > 2 else { return false }
    var isNamed = Array(repeating: false, count: columnCount)
    for index in cells(inRow: 0) {
      let cell = cells[index]
      guard cell.columnSpan == 1, cell.rowSpan == 1 else { return false }
      if cell.isEmpty, cell.column == 0 { continue }
      guard let first = document.firstByte(ofCell: cell.blockIndex, maxLength: 40),
        !first.mayBeginNumber
      else { return false }
      isNamed[cell.column] = true
    }
    var figures = Array(repeating: 0, count: columnCount)
    for row in 1..<rowCount {
      for index in cells(inRow: row) where !cells[index].isEmpty && cells[index].columnSpan == 1 {
        let cell = cells[index]
        let isFigure =
          document.firstByte(ofCell: cell.blockIndex, maxLength: 24)?.mayBeginNumber == true
        if isFigure, figures[cell.column] >= 0 { figures[cell.column] += 1 }
        if !isFigure { figures[cell.column] = -1 }
      }
    }
    return isNamed.dropFirst().allSatisfy { $0 } && figures.count { $0 > 0 } > 1
  }

  /// Swaps rows and columns. The cells of the first column become headers.
  mutating func transpose() {
    var columns: [[Cell]] = Array(repeating: [], count: columnCount)
    for row in 0..<rowCount {
      for index in cells(inRow: row) where cells[index].columnSpan > 0 {
        var cell = cells[index]
        (cell.column, cell.columnSpan, cell.rowSpan) = (row, cell.rowSpan, cell.columnSpan)
        columns[cells[index].column].append(cell)
      }
    }
    columnCount = rowCount
    cells.removeAll(keepingCapacity: true)
    rowStarts = [0]
    for column in columns {
      cells += column
      rowStarts.append(cells.count)
    }
    headerRowCount = 1
  }

  private mutating func addRow(
    _ document: Document, _ row: Document.Block, _ index: Int32, _ occupiedRows: inout [Int]
  ) {
    let limit = maxSpan(document, row, index)
    var column = 0
    var child = index + 1
    while child < row.end {
      let block = document.blocks[Int(child)]
      if case .cell(let isHeader, let columns, let rows, let alignment) = block.kind {
        while column < occupiedRows.count, occupiedRows[column] > 0 { column += 1 }
        let start = column
        let end = max(start + 1, min(start + min(Int(columns), limit), Self.maxColumns))
        // A cell ends before any cell that spans into this row from above.
        repeat {
          if column == occupiedRows.count { occupiedRows.append(0) }
          occupiedRows[column] = max(1, Int(rows))
          column += 1
        } while column < end && (column == occupiedRows.count || occupiedRows[column] == 0)
        cells.append(
          Cell(
            blockIndex: child, column: start, columnSpan: column - start,
            rowSpan: max(1, Int(rows)),
            isHeader: isHeader, isEmpty: document.isEmpty(block, child), alignment: alignment))
      }
      child = max(block.end, child + 1)
    }
    for index in occupiedRows.indices where occupiedRows[index] > 0 { occupiedRows[index] -= 1 }
  }

  /// Returns the maximum number of columns that a cell may span without its row exceeding
  /// `maxColumns`.
  private func maxSpan(_ document: Document, _ row: Document.Block, _ index: Int32) -> Int {
    var count = 0
    var total = 0
    var child = index + 1
    while child < row.end {
      let block = document.blocks[Int(child)]
      if case .cell(_, let columns, _, _) = block.kind {
        count += 1
        total += Int(columns)
      }
      child = max(block.end, child + 1)
    }
    return total <= Self.maxColumns ? total : max(1, Self.maxColumns / count)
  }

  /// Whether all text of a row is bold, as in a header row that is not marked up with `th`.
  private func isStrong(_ document: Document, _ row: Int) -> Bool {
    let filled = cells(inRow: row).filter { !cells[$0].isEmpty }
    return filled.count > 1
      && filled.allSatisfy { index in
        let block = cells[index].blockIndex
        return document.runs(ofBlocks: block..<document.blocks[Int(block)].end)
          .allSatisfy { $0.style.contains(.strong) }
      }
  }

  private mutating func clampRowSpans() {
    for row in 0..<rowCount {
      for index in cells(inRow: row) {
        cells[index].rowSpan = min(cells[index].rowSpan, rowCount - row)
      }
    }
  }

  private mutating func dropColumns(count: Int) {
    var isUsed = Array(repeating: false, count: count)
    for cell in cells where !cell.isEmpty { isUsed[cell.column] = true }
    var positions = [0]
    for used in isUsed { positions.append(positions[positions.count - 1] + (used ? 1 : 0)) }
    for index in cells.indices {
      let start = positions[cells[index].column]
      cells[index].columnSpan = positions[cells[index].column + cells[index].columnSpan] - start
      cells[index].column = start
    }
    columnCount = positions[count]
  }
}

extension UInt8 {
  /// Whether the byte can begin a number, a price or a placeholder such as a dash.
  var mayBeginNumber: Bool {
    (0x30...0x39).contains(self) || [0x2B, 0x2D, 0x24, 0xC2, 0xE2].contains(self)
  }
}

extension Document {
  /// Returns the first byte of a cell that is one paragraph of at most `maxLength` bytes, else nil.
  func firstByte(ofCell index: Int32, maxLength: Int) -> UInt8? {
    guard let paragraph = soleParagraph(ofCell: index)?.value else { return nil }
    let block = blocks[paragraph]
    guard let run = block.runs.first, (1...maxLength).contains(textLength(of: block)) else {
      return nil
    }
    return text[Int(runs[Int(run)].start)]
  }

  /// Whether a container has neither text nor a rule.
  func isEmpty(_ container: Block, _ index: Int32) -> Bool {
    if container.end == index + 1 { return true }
    for block in blocks[Int(index)..<Int(container.end)] {
      if case .rule = block.kind { return false }
      if textLength(of: block) > 0 { return false }
    }
    return true
  }
}
