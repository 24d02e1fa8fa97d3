/// Removes running headers and footers: lines that recur above or below the text of pages, and page
/// numbers.
struct PDFRunningLines {
  /// The distinct texts of the headers and footers, in the order of the pages.
  private(set) var texts: [String] = []
  /// The printed page numbers; empty for a page without one.
  private(set) var pageLabels: [String]
  /// The pages without headers, footers and page numbers.
  private(set) var pages: [PDFPage]

  /// A line at the top or bottom of a page.
  private struct EdgeLine {
    var key: PDFRunningKey
    var line: PDFLine
    /// Whether no other line is close to this one.
    var hasGapBeside: Bool
    /// Whether the distance to the text is larger than that between the lines of the text.
    var isSeparateFromText: Bool
    /// Whether the line is larger than the text, as a heading is.
    var isLargerThanBody: Bool
  }

  /// Maximum number of header lines, and of footer lines, of a page.
  private static let maxLinesPerEdge = 2
  /// Maximum number of words of a header or footer line.
  private static let maxWordCount = 100

  init(_ pages: [PDFPage]) {
    self.pages = pages
    pageLabels = Array(repeating: "", count: pages.count)
    let bodyLineHeight = PDFLine.commonWordHeight(
      of: pages.lazy.flatMap(\.words).filter(\.isUpright))
    let edgeLinesByPage = pages.enumerated().map {
      Self.edgeLines(of: $1, pageIndex: $0, bodyLineHeight: bodyLineHeight)
    }
    var pageCountByKey: [String: Int] = [:]
    for page in edgeLinesByPage {
      for key in Set((page.top + page.bottom).map(\.key.text)) {
        pageCountByKey[key, default: 0] += 1
      }
    }
    var seenKeys: Set<String> = []
    for (index, page) in edgeLinesByPage.enumerated() {
      // The number of pages with the same header or footer as the one that contains the page
      // number.
      var labelCount = 0
      for lines in [page.top, page.bottom] {
        let count = Self.removedLineCount(of: lines, pageCountByKey, pageCount: pages.count)
        for edge in lines.prefix(count) {
          let removedLeftEdges = Set(edge.line.words.map(\.box.left))
          self.pages[index].words.removeAll { word in
            removedLeftEdges.contains(word.box.left) && edge.line.words.contains(word)
          }
          let pageCount = pageCountByKey[edge.key.text, default: 0]
          if !edge.key.pageLabel.isEmpty, labelCount == 0 || labelCount == 1 && pageCount > 1 {
            (pageLabels[index], labelCount) = (edge.key.pageLabel, pageCount)
          }
          if !edge.key.isPageNumberOnly, seenKeys.insert(edge.key.text).inserted {
            let words = PDFDirection.wordsInReadingOrder(edge.line.words)
            texts.append(words.map(\.text).joined(separator: " "))
          }
        }
      }
    }
  }

  /// Returns the number of lines that are removed: page numbers, and lines that recur on other
  /// pages and are separate from the text. The repeated header row of a table is not removed.
  private static func removedLineCount(
    of lines: [EdgeLine], _ pageCounts: [String: Int], pageCount: Int
  ) -> Int {
    let minPageCount = pageCount < 6 ? 2 : 3
    var count = 0
    for (index, edge) in lines.enumerated() {
      let pages = pageCounts[edge.key.text, default: 0]
      // A number of four digits that does not count the pages may be a year.
      let isNumber =
        edge.key.isPageNumberOnly && edge.hasGapBeside && pageCount > 1 && !edge.isLargerThanBody
        && (pages > 1 || edge.key.pageLabel.count < 4)
      // A title that several slides share is larger than the text.
      let isRecurring =
        edge.key.hasLetters && pages >= minPageCount
        && (!edge.isLargerThanBody || pages >= 3 && pages * 2 >= pageCount)
      guard isNumber || isRecurring else { break }
      if isNumber || edge.isSeparateFromText { count = index + 1 }
    }
    return count
  }

  private static func edgeLines(
    of page: PDFPage, pageIndex: Int, bodyLineHeight: Double
  ) -> (top: [EdgeLine], bottom: [EdgeLine]) {
    let height = page.height > 0 ? page.height : page.words.map(\.box.bottom).max() ?? 0
    let words = page.words.filter(\.isUpright)
    let top = PDFLine.lines(of: words.filter { $0.box.centerY < height * 0.22 })
    let bottom = PDFLine.lines(of: words.filter { $0.box.centerY > height * 0.8 })
    let isTop = { (line: PDFLine) in line.box.centerY < height * 0.14 }
    let isBottom = { (line: PDFLine) in line.box.centerY > height * 0.88 }
    return (
      outermostLines(top.prefix(while: isTop).count, top, pageIndex, bodyLineHeight),
      outermostLines(
        bottom.reversed().prefix(while: isBottom).count, bottom.reversed(), pageIndex,
        bodyLineHeight)
    )
  }

  /// Returns the lines nearest to the top or bottom edge of a page.
  /// - Parameters:
  ///   - candidateCount: The number of lines that can be headers or footers.
  ///   - lines: The lines near the edge, from the edge to the middle of the page.
  ///   - pageIndex: The index of the page.
  ///   - bodyLineHeight: The line height of the body text of the file.
  /// - Returns: At most `maxLinesPerEdge` lines, from the edge.
  private static func outermostLines(
    _ candidateCount: Int, _ lines: [PDFLine], _ pageIndex: Int, _ bodyLineHeight: Double
  ) -> [EdgeLine] {
    /// Returns the distance of a line to the next one; nil if there is none.
    func gap(_ index: Int) -> Double? {
      guard lines.indices.contains(index + 1) else { return nil }
      let (one, next) = (lines[index].box, lines[index + 1].box)
      return max(next.top - one.bottom, one.top - next.bottom)
    }
    return lines.indices.prefix(min(candidateCount, maxLinesPerEdge))
      .prefix { lines[$0].words.count <= maxWordCount }
      .map { index in
        let line = lines[index]
        let adjacentGap = gap(index) ?? .infinity
        let usualGap = gap(index + 1).flatMap { $0 < line.wordHeight * 2.5 ? $0 : nil } ?? 0
        return EdgeLine(
          key: PDFRunningKey(line, pageIndex: pageIndex), line: line,
          hasGapBeside: adjacentGap > line.wordHeight * 0.3,
          isSeparateFromText: adjacentGap > max(line.wordHeight * 0.5, usualGap * 1.1),
          isLargerThanBody: line.wordHeight > bodyLineHeight * 1.1)
      }
  }
}
