/// Finds table rows: lines of several cells that are aligned at the left, right or centre, and the
/// further lines of cells that have several.
enum PDFRows {
  private typealias Cells = [ArraySlice<PDFWord>]

  /// Maximum number of cells of a row that are compared.
  private static let maxCells = 24
  /// Maximum number of lines between two rows that belong to their inner cells.
  private static let maxInnerLines = 12

  /// A group of rows.
  private struct Table {
    /// The indices of the rows.
    var rows: [Int]
    /// The number of cells of all rows.
    var cellCount: Int
    /// The cells that the next line is compared with.
    var last: Cells
    /// The cells of the last row whose gaps are all wide enough to divide it.
    var model: Cells
    /// The number of lines since the last row that belong to its inner cells.
    var innerCount = 0
  }

  /// Marks the rows.
  /// - Parameters:
  ///   - lines: The lines of a column, from top to bottom.
  ///   - kinds: Their kinds; only text lines change.
  static func mark(in lines: [PDFLine], _ kinds: inout [PDFLineKind]) {
    let cells = lines.map { $0.parts(gap: $0.size * PDFLine.cellGap) }
    var start = 0
    while start < lines.count {
      guard kinds[start] == .text, cells[start].count > 1 else {
        start += 1
        continue
      }
      let table = Self.table(from: start, lines, cells, kinds)
      var end = table.rows.last ?? start
      let rows = table.rows.count
      // Lines of a paragraph that are justified by wide spaces can be aligned by chance.
      let stretched = table.rows.count { lines[$0].isStretched }
      if rows >= 3 || rows == 2 && table.cellCount >= 6, stretched * 2 <= rows {
        while end + 1 < lines.count, kinds[end + 1] == .text, cells[end + 1].count == 1,
          isInner(lines[end + 1], of: table.model),
          lines[end + 1].box.top - lines[end].box.bottom < lines[end].size * 0.6
        {
          end += 1
        }
        for index in start...end { kinds[index] = .row }
      }
      start = end + 1
    }
  }

  /// Returns the rows that follow a line, each with at most two other lines before it that are not
  /// within its inner cells.
  private static func table(
    from start: Int, _ lines: [PDFLine], _ cells: [Cells], _ kinds: [PDFLineKind]
  ) -> Table {
    var table = Table(
      rows: [start], cellCount: cells[start].count, last: cells[start], model: cells[start])
    var (index, end) = (start + 1, start)
    while index < lines.count, kinds[index] == .text, index - end - table.innerCount <= 2 {
      let (line, own) = (lines[index], cells[index])
      guard line.box.top - lines[index - 1].box.bottom < line.size * 2.2 else { break }
      let isNarrow = own.count < table.model.count && fits(line, table.model)
      if isNarrow || own.count > 1 && areAligned(table.last, own, line.size) {
        table.rows.append(index)
        table.cellCount += isNarrow ? table.model.count : own.count
        if !isNarrow { table.model = own }
        table.last = own
        table.innerCount = 0
        end = index
      } else if own.count == 1, table.innerCount < maxInnerLines, isInner(line, of: table.model) {
        table.innerCount += 1
      }
      index += 1
    }
    return table
  }

  /// Returns whether a line is between the first and the last cell of a row of three or more.
  private static func isInner(_ line: PDFLine, of row: Cells) -> Bool {
    guard row.count >= 3, let first = row[0].last, let last = row[row.count - 1].first else {
      return false
    }
    return line.box.left > first.box.right + line.size * 0.5
      && line.box.right < last.box.left - line.size * 0.3
  }

  /// Returns whether a line whose gaps are too narrow for cells has its first word in the first
  /// cell and its last word in the last cell of a row of three or more.
  private static func fits(_ line: PDFLine, _ row: Cells) -> Bool {
    guard row.count >= 3, line.words.count >= 3, !line.isStretched,
      let left = box(row[0]), let right = box(row[row.count - 1])
    else { return false }
    let (first, next) = (line.words[0].box, line.words[1].box)
    let last = line.words[line.words.count - 1].box
    let near = line.size * 0.6
    let isWithin = { (word: PDFBox, cell: PDFBox) in
      word.center > cell.left - near && word.center < cell.right + near
    }
    return isWithin(first, left) && isWithin(last, right) && next.left > left.right
      && next.left - first.right > line.size * 0.5
      && last.left - line.words[line.words.count - 2].box.right > line.size * 0.25
  }

  private static func areAligned(_ above: Cells, _ below: Cells, _ size: Double) -> Bool {
    let near = size * 0.6
    let boxes = above.prefix(maxCells).compactMap(box)
    return below.dropFirst().prefix(maxCells).contains { cell in
      guard let first = cell.first, let last = cell.last else { return false }
      return boxes.contains { box in
        abs(box.left - first.box.left) < near || abs(box.right - last.box.right) < near
          || abs(box.center - (first.box.left + last.box.right) / 2) < near
      }
    }
  }

  /// Returns the smallest box that contains the words of a cell; nil if it has none.
  private static func box(_ cell: ArraySlice<PDFWord>) -> PDFBox? {
    cell.dropFirst().reduce(cell.first?.box) { $0?.union($1.box) }
  }
}
