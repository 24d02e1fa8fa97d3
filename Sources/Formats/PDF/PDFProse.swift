/// Distinguishes columns of prose from tables, and gutters from word spaces.
enum PDFProse {
  /// Returns whether the lines fill their column with words, unlike those of a table.
  /// - Parameters:
  ///   - lines: The lines, in any order.
  ///   - lineHeight: The height of a line of the text.
  ///   - minFill: The minimum mean width of a line, as a fraction of the width of the column.
  /// - Returns: Whether the lines are prose.
  static func fillsColumn(_ lines: [PDFLine], lineHeight: Double, minFill: Double = 0.55) -> Bool {
    guard lines.count >= 2 else { return false }
    let left = lines.map(\.box.left).min() ?? 0
    let right = lines.map(\.box.right).max() ?? 0
    guard right - left > lineHeight * 8 else { return false }
    let wordCount = lines.reduce(0) { $0 + $1.words.count }
    let width = lines.reduce(0) { $0 + $1.box.width } / Double(lines.count)
    let rows = lines.count { $0.cellSegments(minGap: lineHeight * PDFLine.minCellGap).count > 1 }
    guard rows * 2 < lines.count else { return false }
    return wordCount >= lines.count * 5 / 2 && width >= (right - left) * minFill
  }

  /// Returns whether the lines of several columns are rows of a table: at least two horizontal
  /// strips of white space that extend across all columns are higher than usual.
  /// - Parameters:
  ///   - lines: The lines of all columns, in any order.
  ///   - lineHeight: The height of a line of the text.
  /// - Returns: Whether the lines are rows.
  static func areTableRows(_ lines: [PDFLine], lineHeight: Double) -> Bool {
    var gaps: [Double] = []
    var bottom = Double.infinity
    for line in lines.sorted(by: { $0.box.top < $1.box.top }) {
      if line.box.top > bottom { gaps.append(line.box.top - bottom) }
      bottom = bottom.isFinite ? max(bottom, line.box.bottom) : line.box.bottom
    }
    guard gaps.count >= 3 else { return false }
    let usual = gaps.sorted()[gaps.count / 2]
    let wide = gaps.count { $0 > usual + lineHeight * 0.12 }
    return wide >= 2 && wide * 15 >= gaps.count
  }

  /// Returns whether a strip of white space consists of word spaces that happen to be below each
  /// other: in few lines, of which most have similar gaps elsewhere.
  /// - Parameters:
  ///   - words: The words on both sides of the strip.
  ///   - x: The middle of the strip.
  /// - Returns: Whether the strip is not a gutter.
  static func isRiver(_ words: [PDFWord], at x: Double) -> Bool {
    var (lines, wide) = (0, 0)
    for line in PDFLine.lines(of: words) {
      let next = line.words.firstIndex { $0.box.centerX >= x } ?? line.words.count
      guard next > 0, next < line.words.count else { continue }
      lines += 1
      guard lines < maxRiverLines else { return false }
      let gaps = line.gaps
      let otherGaps = (gaps[..<(next - 1)] + gaps[next...]).filter { $0 > 0 }.sorted()
      if otherGaps.isEmpty || gaps[next - 1] >= otherGaps[otherGaps.count / 2] * 1.5 { wide += 1 }
    }
    return wide * 2 < lines
  }

  private static let maxRiverLines = 10
}
