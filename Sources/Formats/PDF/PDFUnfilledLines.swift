/// Finds lines that were not filled: verses, addresses and code in a proportional font. The first
/// word of each would have fitted on the line before it.
enum PDFUnfilledLines {
  /// Minimum number of consecutive unfilled lines whose breaks are kept.
  private static let minLines = 3
  /// Maximum width of the lines, as a fraction of the width of the column.
  private static let maxWidthRatio = 0.7

  /// Marks the lines whose breaks are kept.
  /// - Parameters:
  ///   - lines: The lines of a column, from top to bottom.
  ///   - kinds: Their kinds; only text lines change.
  ///   - left: The left edge of the text.
  ///   - right: The right edge of the text.
  ///   - lineDistance: The usual distance between baselines.
  ///   - bodyLineHeight: The line height of the body text of the file.
  ///   - isPageUnfilled: Whether no line shows the width of the text; nearly all lines must then
  ///     begin with a capital letter or a number.
  static func markUnfilledLines(
    in lines: [PDFLine], _ kinds: inout [PDFLineKind], left: Double, right: Double,
    lineDistance: Double,
    bodyLineHeight: Double, isPageUnfilled: Bool
  ) {
    func isShort(_ index: Int) -> Bool {
      let line = lines[index]
      return kinds[index] == .text && line.wordHeight < bodyLineHeight * 1.1
        && line.box.left > left - line.wordHeight
        && line.box.right < left + (right - left) * maxWidthRatio
        && !(line.words.count > 1 && PDFMarker.isListMarker(line.words[0].text))
    }
    /// Whether a line directly follows the one before it, in the same size.
    func isBelow(_ index: Int) -> Bool {
      let (line, last) = (lines[index], lines[index - 1])
      return abs(line.wordHeight - last.wordHeight) < max(line.wordHeight, last.wordHeight) * 0.09
        && line.box.bottom - last.box.bottom < max(lineDistance, line.wordHeight * 0.9) * 1.28
    }
    /// Whether the first word of a line would have fitted on the line before it.
    func wasBroken(_ index: Int) -> Bool {
      right - lines[index - 1].box.right > lines[index].words[0].box.width + lines[index].wordHeight
        * 2
    }
    var start = 0
    while start < lines.count {
      // The last line of a paragraph belongs to it.
      let endsParagraph =
        start > 0 && kinds[start - 1] == .text && isBelow(start) && !wasBroken(start)
      // A house number in an address looks like the number of a section.
      let isHeading = PDFMarker.isSectionHeading(lines[start].words.map(\.text))
      guard isShort(start), !endsParagraph, !isHeading else {
        start += 1
        continue
      }
      var end = start + 1
      while end < lines.count, isShort(end), isBelow(end), wasBroken(end) { end += 1 }
      // Lines that end sentences are paragraphs, for example of a list of definitions.
      let sentenceEndCount = lines[start..<end - 1].count {
        PDFMarker.endsSentence($0.words.last?.text ?? "")
      }
      let lowercaseCount = lines[start..<end].count { $0.words[0].text.first?.isLowercase ?? false }
      if end - start >= minLines, sentenceEndCount * 4 <= end - start,
        !isPageUnfilled || lowercaseCount * 5 <= end - start
      {
        for index in start..<end { kinds[index] = .unfilled }
      }
      start = end
    }
  }
}
