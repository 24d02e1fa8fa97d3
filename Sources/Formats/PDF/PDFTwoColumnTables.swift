/// Finds tables that span both columns although no cell crosses the gutter.
enum PDFTwoColumnTables {
  /// Returns the parts of two columns whose lines are rows of one table: left and right lines share
  /// baselines and have gaps like those between cells.
  /// - Parameters:
  ///   - left: The lines of the left column, from top to bottom.
  ///   - right: The lines of the right column.
  ///   - lineHeight: The height of a line of the text.
  /// - Returns: The top and bottom of each table on the page.
  static func tableExtents(
    _ left: [PDFLine], _ right: [PDFLine], lineHeight: Double
  ) -> [(top: Double, bottom: Double)] {
    var tables: [(top: Double, bottom: Double)] = []
    var openTable: (top: Double, bottom: Double, rows: Int)?
    func close() {
      if let table = openTable, table.rows >= 3 {
        tables.append((table.top - 0.1, table.bottom + 0.1))
      }
      openTable = nil
    }
    var rightIndex = 0
    for line in left {
      while rightIndex < right.count,
        right[rightIndex].box.bottom < line.box.bottom - lineHeight * 0.25
      {
        rightIndex += 1
      }
      guard rightIndex < right.count,
        abs(right[rightIndex].box.bottom - line.box.bottom) < lineHeight * 0.25
      else {
        if let table = openTable, line.box.top > table.bottom + lineHeight { close() }
        continue
      }
      let cellCount = [line, right[rightIndex]].reduce(0) {
        $0 + $1.cellSegments(minGap: lineHeight * PDFLine.minCellGap).count
      }
      let (top, bottom) = (
        min(line.box.top, right[rightIndex].box.top),
        max(line.box.bottom, right[rightIndex].box.bottom)
      )
      guard cellCount >= 3, openTable.map({ top - $0.bottom < lineHeight * 1.8 }) ?? true else {
        close()
        continue
      }
      openTable = (openTable?.top ?? top, bottom, (openTable?.rows ?? 0) + 1)
    }
    close()
    return tables
  }
}
