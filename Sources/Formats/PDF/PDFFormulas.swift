/// Finds displayed formulas: indented lines that stand closer to each other than lines of text,
/// such as the parts of a fraction or the limits of a sum. Their layout is kept.
enum PDFFormulas {
  /// Maximum number of lines of a formula.
  private static let maxLines = 16

  /// Marks the lines of formulas.
  /// - Parameters:
  ///   - lines: the lines of a column, from top to bottom.
  ///   - kinds: their kinds; those of formulas are changed.
  ///   - left: the left edge of the text.
  ///   - right: the right edge of the text.
  ///   - bodyLineHeight: the line height of the body text.
  static func markFormulas(
    in lines: [PDFLine], _ kinds: inout [PDFLineKind], left: Double, right: Double,
    bodyLineHeight: Double
  ) {
    var start = 0
    while start < lines.count {
      guard kinds[start] == .text || kinds[start] == .row,
        mayBeFormulaLine(lines[start], left: left, right: right, bodyLineHeight: bodyLineHeight)
      else {
        start += 1
        continue
      }
      var (end, isStacked) = (start + 1, false)
      while end < lines.count, end - start < maxLines,
        kinds[end] == .text || kinds[end] == .row,
        mayBeFormulaLine(lines[end], left: left, right: right, bodyLineHeight: bodyLineHeight),
        lines[end].box.top - lines[end - 1].box.bottom < bodyLineHeight * 0.25
      {
        if lines[end].box.centerY - lines[end - 1].box.centerY < bodyLineHeight * 0.9 {
          isStacked = true
        }
        end += 1
      }
      if isStacked {
        for index in start..<end { kinds[index] = .formula }
      }
      start = end
    }
  }

  /// Returns whether a line is indented and consists of letters, numbers and signs rather than
  /// words.
  private static func mayBeFormulaLine(
    _ line: PDFLine, left: Double, right: Double, bodyLineHeight: Double
  ) -> Bool {
    guard line.box.left > left + bodyLineHeight * 1.5, line.words.count <= 60 else { return false }
    let wordCount = line.words.count { word in
      word.text.count > 3 && word.text.allSatisfy(\.isLetter)
    }
    return wordCount * 3 <= line.words.count
  }
}
