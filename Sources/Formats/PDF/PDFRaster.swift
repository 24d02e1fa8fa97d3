/// A raster of the cells of a region that contain words. A cell is at least a seventh of the line
/// height wide and a quarter of it high; in large regions cells are larger, so that their number is
/// bounded.
struct PDFRaster {
  let columnCount: Int
  let rowCount: Int
  private let bounds: PDFBox
  private let cellWidth: Double
  private let cellHeight: Double
  /// For each row, the prefix sums over its cells: the number of cells with text before each cell.
  private var sums: [Int32]

  /// Maximum number of columns and rows of cells.
  private static let maxColumns = 480
  private static let maxRows = 640
  /// Maximum number of spans of a strip.
  private static let maxSpans = 16

  /// Creates the raster of the region that words occupy.
  /// - Parameters:
  ///   - words: The words of the region: at least one.
  ///   - lineHeight: The height of a line, in points.
  init(_ words: [PDFWord], lineHeight: Double) {
    var bounds = words[0].box
    for word in words.dropFirst() { bounds = bounds.union(word.box) }
    self.bounds = bounds
    cellWidth = max(lineHeight / 7, bounds.width / Double(Self.maxColumns - 1), 0.1)
    cellHeight = max(lineHeight / 4, bounds.height / Double(Self.maxRows - 1), 0.1)
    columnCount = Int(bounds.width / cellWidth) + 1
    rowCount = Int(bounds.height / cellHeight) + 1
    sums = []
    sums = Self.sums(of: wordCounts(words), columnCount, rowCount)
  }

  /// Returns the number of words on each cell. It uses a two-dimensional difference array, so that
  /// the cost of a word does not depend on its size.
  private func wordCounts(_ words: [PDFWord]) -> [Int32] {
    let width = columnCount + 1
    var cells = [Int32](repeating: 0, count: width * (rowCount + 1))
    for word in words {
      let left = column(at: word.box.left)
      let right = column(at: word.box.right) + 1
      let top = row(at: word.box.top + word.box.height * 0.15)
      let bottom = row(at: word.box.bottom - word.box.height * 0.15) + 1
      cells[top * width + left] += 1
      cells[top * width + right] -= 1
      cells[bottom * width + left] -= 1
      cells[bottom * width + right] += 1
    }
    for row in 0...rowCount {
      for column in 1..<width { cells[row * width + column] += cells[row * width + column - 1] }
      guard row > 0 else { continue }
      for column in 0..<width { cells[row * width + column] += cells[(row - 1) * width + column] }
    }
    return cells
  }

  private static func sums(of cells: [Int32], _ columnCount: Int, _ rowCount: Int) -> [Int32] {
    let width = columnCount + 1
    var sums = [Int32](repeating: 0, count: width * rowCount)
    for row in 0..<rowCount {
      for column in 0..<columnCount {
        let isText: Int32 = cells[row * width + column] > 0 ? 1 : 0
        sums[row * width + column + 1] = sums[row * width + column] + isText
      }
    }
    return sums
  }

  /// Returns the column of cells at a position on the page, in points.
  func column(at x: Double) -> Int {
    min(columnCount - 1, max(0, Int((x - bounds.left) / cellWidth)))
  }
  /// Returns the row of cells at a position on the page, in points.
  func row(at y: Double) -> Int { min(rowCount - 1, max(0, Int((y - bounds.top) / cellHeight))) }
  /// Returns the left edge of a column, which may be fractional, in points.
  func x(of column: Double) -> Double { bounds.left + column * cellWidth }
  /// Returns the top edge of a row, in points.
  func y(of row: Int) -> Double { bounds.top + Double(row) * cellHeight }

  /// A vertical range of the region in which a strip has no words, but words on both sides.
  struct Span: Equatable {
    var top: Double
    var bottom: Double

    func contains(_ y: Double) -> Bool { y >= top && y < bottom }
  }

  /// A vertical strip of white space that divides parts of the region.
  struct Strip: Equatable {
    var x: Double
    /// The number of raster rows with words on the side that has fewer of them.
    var minSideRowCount: Int
    var spans: [Span]
  }

  /// Returns the strips that divide the most rows, best first.
  /// - Parameters:
  ///   - minWidth: The minimum width of a strip, in points.
  ///   - minHeight: The minimum total height of the words on each side of a part, in points.
  ///   - maxCount: The maximum number of strips.
  /// - Returns: The strips, with the parts of the region that each divides.
  func strips(minWidth: Double, minHeight: Double, maxCount: Int) -> [Strip] {
    let minWidthInCells = max(1, Int(minWidth / cellWidth))
    let minRowCount = max(1, Int(minHeight / cellHeight))
    guard columnCount > minWidthInCells + 2 else { return [] }
    let scores = (0..<columnCount).map { column in
      column < 1 || column + minWidthInCells >= columnCount
        ? 0 : freeRowRuns(at: column, minWidthInCells, minRowCount).reduce(0) { $0 + $1.score }
    }
    var strips: [Strip] = []
    var isUsed = [Bool](repeating: false, count: columnCount)
    while strips.count < maxCount {
      let candidateColumns = scores.indices.lazy.filter { !isUsed[$0] && scores[$0] > 0 }
      guard let bestColumn = candidateColumns.max(by: { (scores[$0], $1) < (scores[$1], $0) })
      else { break }
      var lastEqualColumn = bestColumn
      while lastEqualColumn + 1 < columnCount, scores[lastEqualColumn + 1] == scores[bestColumn] {
        lastEqualColumn += 1
      }
      let middle = (bestColumn + lastEqualColumn) / 2
      strips.append(
        Strip(
          x: x(of: Double(middle) + Double(minWidthInCells) / 2),
          minSideRowCount: scores[bestColumn],
          spans: freeRowRuns(at: middle, minWidthInCells, minRowCount).prefix(Self.maxSpans).map {
            Span(top: y(of: $0.rows.lowerBound), bottom: y(of: $0.rows.upperBound))
          }))
      for column in max(
        0, bestColumn - minWidthInCells)..<min(columnCount, lastEqualColumn + minWidthInCells + 1)
      {
        isUsed[column] = true
      }
    }
    return strips
  }

  /// Returns the runs of rows in which a strip is empty and has words on both sides.
  private func freeRowRuns(at column: Int, _ cellCount: Int, _ minRowCount: Int) -> [(
    rows: Range<Int>, score: Int
  )] {
    var runs: [(Range<Int>, Int)] = []
    let width = columnCount + 1
    var (start, left, right) = (0, 0, 0)
    func close(_ end: Int) {
      if min(left, right) >= minRowCount { runs.append((start..<end, min(left, right))) }
    }
    for row in 0..<rowCount {
      let base = row * width
      if sums[base + column + cellCount] > sums[base + column] {
        close(row)
        (start, left, right) = (row + 1, 0, 0)
        continue
      }
      if sums[base + column] > 0 { left += 1 }
      if sums[base + columnCount] > sums[base + column + cellCount] { right += 1 }
    }
    close(rowCount)
    return runs
  }
}
