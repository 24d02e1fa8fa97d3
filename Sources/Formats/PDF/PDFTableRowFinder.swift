/// Finds table rows: lines of several cells that are aligned at the left, right or centre. The
/// further lines of a cell with several lines belong to its row.
enum PDFTableRowFinder {
  private typealias Cells = [ArraySlice<PDFWord>]

  /// Maximum number of cells of a row that are compared.
  private static let maxCells = 24
  /// Maximum number of lines between two rows that belong to their inner cells.
  private static let maxInnerLines = 12

  /// A group of rows, which may be a table.
  private struct RowGroup {
    /// The indices of the lines that are rows.
    var rowIndices: [Int]
    /// The number of cells of all rows.
    var cellCount: Int
    /// The cells that the next line is compared with.
    var lastCells: Cells
    /// The cells of the last row whose gaps are all wide enough to divide it.
    var modelCells: Cells
    /// The number of lines since the last row that belong to its inner cells.
    var innerCount = 0
  }

  /// Marks the lines of a column that are rows of a table.
  /// - Parameters:
  ///   - lines: The lines of a column, from top to bottom.
  ///   - kinds: Their kinds; only text lines change.
  static func mark(in lines: [PDFLine], _ kinds: inout [PDFLineKind]) {
    let cells = lines.map(Self.cells)
    var start = 0
    while start < lines.count {
      guard kinds[start] == .text, cells[start].count > 1 else {
        start += 1
        continue
      }
      let table = Self.rowGroup(from: start, lines, cells, kinds)
      var end = table.rowIndices.last ?? start
      let rows = table.rowIndices.count
      // Lines of a paragraph that are justified by wide spaces can be aligned by chance.
      let stretched = table.rowIndices.count { lines[$0].isJustified }
      if rows >= 3 || rows == 2 && table.cellCount >= 6, stretched * 2 <= rows {
        while end + 1 < lines.count, kinds[end + 1] == .text, cells[end + 1].count == 1,
          isWithinInnerCells(lines[end + 1], of: table.modelCells),
          lines[end + 1].box.top - lines[end].box.bottom < lines[end].wordHeight * 0.6
        {
          end += 1
        }
        for index in start...end { kinds[index] = .row }
      }
      start = end + 1
    }
  }

  /// Returns the cells of a line. A bullet or a number in front of a single text belongs to the
  /// text, however wide the gap between them is.
  private static func cells(of line: PDFLine) -> Cells {
    let cells = line.gapSegments(minGap: line.wordHeight * PDFLine.minCellGap)
    let isListItem =
      cells.count == 2 && cells[0].count == 1 && cells[1].count > 1
      && PDFMarker.isListMarker(line.words[0].text)
    return isListItem ? [line.words[...]] : cells
  }

  /// Returns the table rows that begin with a line and follow it. Between two rows, there may be at
  /// most two lines that are neither rows nor within the inner cells of a row.
  private static func rowGroup(
    from startIndex: Int, _ lines: [PDFLine], _ cells: [Cells], _ kinds: [PDFLineKind]
  ) -> RowGroup {
    var group = RowGroup(
      rowIndices: [startIndex], cellCount: cells[startIndex].count, lastCells: cells[startIndex],
      modelCells: cells[startIndex])
    var (index, end) = (startIndex + 1, startIndex)
    while index < lines.count, kinds[index] == .text, index - end - group.innerCount <= 2 {
      let (line, lineCells) = (lines[index], cells[index])
      guard line.box.top - lines[index - 1].box.bottom < line.wordHeight * 2.2 else { break }
      let isNarrow =
        lineCells.count < group.modelCells.count && fitsOuterCells(line, group.modelCells)
      if isNarrow || lineCells.count > 1 && areAligned(group.lastCells, lineCells, line.wordHeight)
      {
        group.rowIndices.append(index)
        group.cellCount += isNarrow ? group.modelCells.count : lineCells.count
        if !isNarrow { group.modelCells = lineCells }
        group.lastCells = lineCells
        group.innerCount = 0
        end = index
      } else if lineCells.count == 1, group.innerCount < maxInnerLines,
        isWithinInnerCells(line, of: group.modelCells)
      {
        group.innerCount += 1
      }
      index += 1
    }
    return group
  }

  /// Returns whether a line is between the first and the last cell of a row of three or more.
  private static func isWithinInnerCells(_ line: PDFLine, of row: Cells) -> Bool {
    guard row.count >= 3, let first = row[0].last, let last = row[row.count - 1].first else {
      return false
    }
    return line.box.left > first.box.right + line.wordHeight * 0.5
      && line.box.right < last.box.left - line.wordHeight * 0.3
  }

  /// Returns whether a line whose gaps are too narrow for cells has its first word in the first
  /// cell and its last word in the last cell of a row of three or more.
  private static func fitsOuterCells(_ line: PDFLine, _ row: Cells) -> Bool {
    guard row.count >= 3, line.words.count >= 3, !line.isJustified,
      let left = box(row[0]), let right = box(row[row.count - 1])
    else { return false }
    let (first, next) = (line.words[0].box, line.words[1].box)
    let last = line.words[line.words.count - 1].box
    let near = line.wordHeight * 0.6
    let isWithin = { (word: PDFBox, cell: PDFBox) in
      word.centerX > cell.left - near && word.centerX < cell.right + near
    }
    return isWithin(first, left) && isWithin(last, right) && next.left > left.right
      && next.left - first.right > line.wordHeight * 0.5
      && last.left - line.words[line.words.count - 2].box.right > line.wordHeight * 0.25
  }

  private static func areAligned(_ above: Cells, _ below: Cells, _ size: Double) -> Bool {
    let near = size * 0.6
    let boxes = above.prefix(maxCells).compactMap(box)
    return below.dropFirst().prefix(maxCells).contains { cell in
      guard let first = cell.first, let last = cell.last else { return false }
      return boxes.contains { box in
        abs(box.left - first.box.left) < near || abs(box.right - last.box.right) < near
          || abs(box.centerX - (first.box.left + last.box.right) / 2) < near
      }
    }
  }

  /// Returns the smallest box that contains the words of a cell; nil if it has none.
  private static func box(_ cell: ArraySlice<PDFWord>) -> PDFBox? {
    cell.dropFirst().reduce(cell.first?.box) { $0?.union($1.box) }
  }
}
