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
    var open: (top: Double, bottom: Double, rows: Int)?
    func close() {
      if let table = open, table.rows >= 3 {
        tables.append((table.top - 0.1, table.bottom + 0.1))
      }
      open = nil
    }
    var other = 0
    for line in left {
      while other < right.count, right[other].box.bottom < line.box.bottom - lineHeight * 0.25 {
        other += 1
      }
      guard other < right.count, abs(right[other].box.bottom - line.box.bottom) < lineHeight * 0.25
      else {
        if let table = open, line.box.top > table.bottom + lineHeight { close() }
        continue
      }
      let cells = [line, right[other]].reduce(0) {
        $0 + $1.cellSegments(minGap: lineHeight * PDFLine.minCellGap).count
      }
      let (top, bottom) = (
        min(line.box.top, right[other].box.top), max(line.box.bottom, right[other].box.bottom)
      )
      guard cells >= 3, open.map({ top - $0.bottom < lineHeight * 1.8 }) ?? true else {
        close()
        continue
      }
      open = (open?.top ?? top, bottom, (open?.rows ?? 0) + 1)
    }
    close()
    return tables
  }
}
