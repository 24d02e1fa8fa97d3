/// A raster of the cells of a region that contain words. A cell is at least a seventh of the line
/// height wide and a quarter of it high; in large regions cells are larger, so that their number is
/// bounded.
struct PDFRaster {
  let columns: Int
  let rows: Int
  private let bounds: PDFBox
  private let stepX: Double
  private let stepY: Double
  /// For each row the prefix sums of its cells with text.
  private var sums: [Int32]

  private static let maxColumns = 480
  private static let maxRows = 640
  private static let maxSpans = 16

  /// - Parameters:
  ///   - words: At least one.
  ///   - size: The height of a line.
  init(_ words: [PDFWord], size: Double) {
    var bounds = words[0].box
    for word in words.dropFirst() { bounds = bounds.union(word.box) }
    self.bounds = bounds
    stepX = max(size / 7, bounds.width / Double(Self.maxColumns - 1), 0.1)
    stepY = max(size / 4, bounds.height / Double(Self.maxRows - 1), 0.1)
    columns = Int(bounds.width / stepX) + 1
    rows = Int(bounds.height / stepY) + 1
    sums = []
    sums = Self.sums(of: counts(words), columns, rows)
  }

  /// Returns the number of words on each cell. It uses a two-dimensional difference array, so that
  /// the cost of a word does not depend on its size.
  private func counts(_ words: [PDFWord]) -> [Int32] {
    let width = columns + 1
    var cells = [Int32](repeating: 0, count: width * (rows + 1))
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
    for row in 0...rows {
      for column in 1..<width { cells[row * width + column] += cells[row * width + column - 1] }
      guard row > 0 else { continue }
      for column in 0..<width { cells[row * width + column] += cells[(row - 1) * width + column] }
    }
    return cells
  }

  private static func sums(of cells: [Int32], _ columns: Int, _ rows: Int) -> [Int32] {
    let width = columns + 1
    var sums = [Int32](repeating: 0, count: width * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        let isText: Int32 = cells[row * width + column] > 0 ? 1 : 0
        sums[row * width + column + 1] = sums[row * width + column] + isText
      }
    }
    return sums
  }

  /// Returns the column of cells at a position on the page, in points.
  func column(at x: Double) -> Int { min(columns - 1, max(0, Int((x - bounds.left) / stepX))) }
  /// Returns the row of cells at a position on the page, in points.
  func row(at y: Double) -> Int { min(rows - 1, max(0, Int((y - bounds.top) / stepY))) }
  /// Returns the left edge of a column, which may be fractional, in points.
  func x(of column: Double) -> Double { bounds.left + column * stepX }
  /// Returns the top edge of a row, in points.
  func y(of row: Int) -> Double { bounds.top + Double(row) * stepY }

  /// A vertical range of the region in which a strip has no words, but words on both sides.
  struct Span: Equatable {
    var top: Double
    var bottom: Double
  }

  /// A vertical strip of white space that divides parts of the region.
  struct Strip: Equatable {
    var x: Double
    /// The number of raster rows with words on the side that has fewer of them.
    var score: Int
    var spans: [Span]
  }

  /// Returns the strips that divide the most rows, best first.
  /// - Parameters:
  ///   - width: The minimum width of a strip, in points.
  ///   - height: The minimum total height of the words on each side of a part, in points.
  ///   - limit: The maximum number of strips.
  /// - Returns: The strips, with the parts of the region that each divides.
  func strips(width: Double, height: Double, limit: Int) -> [Strip] {
    let cells = max(1, Int(width / stepX))
    let least = max(1, Int(height / stepY))
    guard columns > cells + 2 else { return [] }
    let scores = (0..<columns).map { column in
      column < 1 || column + cells >= columns
        ? 0 : runs(at: column, cells, least).reduce(0) { $0 + $1.score }
    }
    var strips: [Strip] = []
    var isTaken = [Bool](repeating: false, count: columns)
    while strips.count < limit {
      let free = scores.indices.lazy.filter { !isTaken[$0] && scores[$0] > 0 }
      guard let best = free.max(by: { (scores[$0], $1) < (scores[$1], $0) }) else { break }
      var last = best
      while last + 1 < columns, scores[last + 1] == scores[best] { last += 1 }
      let middle = (best + last) / 2
      strips.append(
        Strip(
          x: x(of: Double(middle) + Double(cells) / 2), score: scores[best],
          spans: runs(at: middle, cells, least).prefix(Self.maxSpans).map {
            Span(top: y(of: $0.rows.lowerBound), bottom: y(of: $0.rows.upperBound))
          }))
      for column in max(0, best - cells)..<min(columns, last + cells + 1) { isTaken[column] = true }
    }
    return strips
  }

  /// Returns the runs of rows in which a strip is empty and has words on both sides.
  private func runs(at column: Int, _ cells: Int, _ least: Int) -> [(rows: Range<Int>, score: Int)]
  {
    var runs: [(Range<Int>, Int)] = []
    let width = columns + 1
    var (start, left, right) = (0, 0, 0)
    func close(_ end: Int) {
      if min(left, right) >= least { runs.append((start..<end, min(left, right))) }
    }
    for row in 0..<rows {
      let base = row * width
      if sums[base + column + cells] > sums[base + column] {
        close(row)
        (start, left, right) = (row + 1, 0, 0)
        continue
      }
      if sums[base + column] > 0 { left += 1 }
      if sums[base + columns] > sums[base + column + cells] { right += 1 }
    }
    close(rows)
    return runs
  }
}
