/// Divides the words of a page into regions of one column each, in reading order.
///
/// A gutter is a strip of white space with text on both sides (T. M. Breuel, "Two Geometric
/// Algorithms for Layout Analysis", 2002). It is followed through the page: words that cross it (a
/// title, a table that spans both columns) divide the page into bands, and each band is divided in
/// turn, as by recursive XY-cuts (G. Nagy, S. Seth, 1984). A strip that does not have prose on both
/// sides belongs to a table, unless other pages have a gutter at the same position.
struct PDFColumnDivider {
  /// The line height of the body text, in points.
  let lineHeight: Double
  /// The x positions of the gutters found so far on any page, in points.
  private(set) var gutters: [Double]
  /// The number of divisions left for this page.
  private var remainingDivisions = 0
  /// The number of searches for columns beside a gutter left for this page.
  private var remainingSearches = 0
  /// The number of raster cells left for the file.
  private var remainingCells = Self.maxCells
  /// Whether the budget of the file is used up, so that further pages are not divided.
  var isCellBudgetExhausted: Bool { remainingCells <= 0 }

  /// Maximum number of divisions of a page, and of searches for columns beside a gutter.
  private static let maxDivisions = 64
  private static let maxSearches = 24
  /// Maximum number of raster cells per file: a few seconds of work, at least a thousand pages.
  private static let maxCells = 3_000_000_000
  /// Minimum number of words of a region that is divided: two lines of prose on each side of a
  /// gutter have more.
  private static let minWordCount = 10
  /// Maximum number of recorded gutters of a file.
  private static let maxGutters = 32
  /// Maximum number of nested divisions.
  private static let maxDepth = 8
  /// Maximum number of tables that divide one span.
  private static let maxTables = 16

  init(lineHeight: Double, gutters: [Double] = []) {
    (self.lineHeight, self.gutters) = (lineHeight, gutters)
  }

  /// Returns the regions of a page, in reading order.
  mutating func regions(of words: [PDFWord]) -> [[PDFWord]] {
    remainingDivisions = Self.maxDivisions
    remainingSearches = Self.maxSearches
    return divide(words, depth: 0)
  }

  private mutating func divide(_ words: [PDFWord], depth: Int) -> [[PDFWord]] {
    guard words.count >= Self.minWordCount, depth < Self.maxDepth, remainingDivisions > 0,
      !isCellBudgetExhausted
    else {
      return words.isEmpty ? [] : [words]
    }
    remainingDivisions -= 1
    let raster = PDFRaster(words, lineHeight: lineHeight)
    // The search for strips takes as long as the raster.
    remainingCells -= 2 * raster.columnCount * raster.rowCount
    for strip in raster.strips(minWidth: lineHeight * 0.7, minHeight: lineHeight * 2.2, maxCount: 4)
    {
      var spans: [PDFRaster.Span] = []
      for span in strip.spans {
        guard let parts = self.spans(in: span, of: words, at: strip.x) else {
          return divideAroundTable(in: span, of: words, depth: depth)
        }
        spans += parts
      }
      guard !spans.isEmpty else { continue }
      if !isKnownGutter(strip.x), gutters.count < Self.maxGutters { gutters.append(strip.x) }
      return divideAtSpans(words, spans, at: strip.x, depth: depth)
    }
    return [words]
  }

  private func isKnownGutter(_ x: Double) -> Bool { gutters.contains { abs($0 - x) < lineHeight } }

  /// Returns the parts of a span in which there are two columns of prose, without the tables that
  /// cross the strip; nil if the whole span is a table with cells of prose.
  private mutating func spans(
    in span: PDFRaster.Span, of words: [PDFWord], at x: Double
  ) -> [PDFRaster.Span]? {
    let wordsInSpan = words.filter { span.contains($0.box.centerY) }
    let left = PDFLine.lines(of: wordsInSpan.filter { $0.box.centerX < x })
    let right = PDFLine.lines(of: wordsInSpan.filter { $0.box.centerX >= x })
    guard !left.isEmpty, !right.isEmpty, !PDFProse.isRiver(wordsInSpan, at: x) else { return [] }
    // Whether the left and the right side consist of columns; nil until it is needed.
    var (columnsOfLeft, columnsOfRight): (Bool?, Bool?) = (nil, nil)
    func hasColumns(_ lines: [PDFLine], _ known: inout Bool?) -> Bool {
      let haveColumns = known ?? haveProseColumns(lines, depth: 0)
      known = haveColumns
      return haveColumns
    }
    func isText(_ part: PDFRaster.Span) -> Bool {
      let leftPart = left.filter { part.contains($0.box.centerY) }
      let rightPart = right.filter { part.contains($0.box.centerY) }
      guard !leftPart.isEmpty, !rightPart.isEmpty else { return false }
      let (isLeftProse, isRightProse) = (isProse(leftPart), isProse(rightPart))
      return isKnownGutter(x)
        ? isLeftProse || isRightProse || hasColumns(left, &columnsOfLeft)
          || hasColumns(right, &columnsOfRight)
        : (isLeftProse || hasColumns(left, &columnsOfLeft))
          && (isRightProse || hasColumns(right, &columnsOfRight))
    }
    // Author names set side by side above the columns are not columns.
    let top = bottomOfRaggedLines(left, right) ?? span.top
    // Lines of three or more columns share baselines as the rows of a table do.
    let (isLeftProse, isRightProse) = (isProse(left), isProse(right))
    let isMultiple =
      !(isLeftProse && isRightProse) && (isLeftProse || hasColumns(left, &columnsOfLeft))
      && (isRightProse || hasColumns(right, &columnsOfRight))
    if isMultiple, PDFProse.areTableRows(left + right, lineHeight: lineHeight) { return nil }
    let tables =
      isMultiple ? [] : PDFTwoColumnTables.tableExtents(left, right, lineHeight: lineHeight)
    return Self.parts(
      of: PDFRaster.Span(top: top, bottom: span.bottom), between: tables.prefix(Self.maxTables)
    ).filter(isText)
  }

  private static func parts(
    of span: PDFRaster.Span, between tables: ArraySlice<(top: Double, bottom: Double)>
  ) -> [PDFRaster.Span] {
    var top = span.top
    var parts: [PDFRaster.Span] = []
    for table in tables where table.bottom > top {
      if table.top > top { parts.append(PDFRaster.Span(top: top, bottom: table.top)) }
      top = table.bottom
    }
    return parts + [PDFRaster.Span(top: top, bottom: span.bottom)]
  }

  /// Divides the words above and below a table, which is not divided.
  private mutating func divideAroundTable(
    in span: PDFRaster.Span, of words: [PDFWord], depth: Int
  ) -> [[PDFWord]] {
    let above = words.filter { $0.box.centerY < span.top }
    let below = words.filter { $0.box.centerY >= span.bottom }
    let within = words.filter { span.contains($0.box.centerY) }
    return divide(above, depth: depth + 1) + [within] + divide(below, depth: depth + 1)
  }

  private func isProse(_ lines: [PDFLine]) -> Bool {
    PDFProse.fillsColumn(lines, lineHeight: lineHeight)
  }

  /// Returns whether lines consist of columns of prose that are separated by gutters of nearly
  /// their whole height.
  private mutating func haveProseColumns(_ lines: [PDFLine], depth: Int) -> Bool {
    guard depth < 2, lines.count >= 4, remainingSearches > 0, !isCellBudgetExhausted else {
      return false
    }
    let words = lines.flatMap(\.words)
    guard words.count >= Self.minWordCount * 2 else { return false }
    remainingSearches -= 1
    let raster = PDFRaster(words, lineHeight: lineHeight)
    remainingCells -= 2 * raster.columnCount * raster.rowCount
    let strips = raster.strips(minWidth: lineHeight * 0.7, minHeight: lineHeight * 4, maxCount: 1)
    guard let strip = strips.first, !PDFProse.isRiver(words, at: strip.x) else { return false }
    for side in [
      words.filter { $0.box.centerX < strip.x }, words.filter { $0.box.centerX >= strip.x },
    ] {
      let lines = PDFLine.lines(of: side)
      guard lines.count >= 4,
        PDFProse.fillsColumn(lines, lineHeight: lineHeight, minFill: 0.7)
          || haveProseColumns(lines, depth: depth + 1)
      else { return false }
    }
    return true
  }

  /// Returns the end of the leading lines that fill neither column, if a gap separates them from
  /// those below; nil otherwise.
  private func bottomOfRaggedLines(_ left: [PDFLine], _ right: [PDFLine]) -> Double? {
    let edges = (
      left: left.map(\.box.width).max() ?? 0, right: right.map(\.box.width).max() ?? 0
    )
    let lines = (left.map { ($0, edges.left) } + right.map { ($0, edges.right) })
      .sorted { $0.0.box.top < $1.0.box.top }
    var bottom = lines.first?.0.box.bottom ?? 0
    for (index, (line, _)) in lines.prefix(24).enumerated() {
      if index >= 2, line.box.top - bottom > lineHeight * 1.2 { return bottom + lineHeight * 0.6 }
      bottom = max(bottom, line.box.bottom)
      let edge = lines[index].1
      if line.box.width > edge * 0.8 { return nil }
    }
    return nil
  }

  /// Divides the page at the spans: the words between spans form regions of their own; in a span
  /// the left side comes before the right.
  private mutating func divideAtSpans(
    _ words: [PDFWord], _ spans: [PDFRaster.Span], at x: Double, depth: Int
  ) -> [[PDFWord]] {
    var between = [[PDFWord]](repeating: [], count: spans.count + 1)
    var left = [[PDFWord]](repeating: [], count: spans.count)
    var right = left
    for word in words {
      let next = spans.firstIndex { word.box.centerY < $0.bottom } ?? spans.count
      if next < spans.count, word.box.centerY >= spans[next].top {
        if word.box.centerX < x { left[next].append(word) } else { right[next].append(word) }
      } else {
        between[next].append(word)
      }
    }
    var regions: [[PDFWord]] = []
    for index in spans.indices {
      regions += divide(between[index], depth: depth + 1)
      regions += divide(left[index], depth: depth + 1)
      regions += divide(right[index], depth: depth + 1)
    }
    return regions + divide(between[spans.count], depth: depth + 1)
  }
}
