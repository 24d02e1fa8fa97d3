import DOM

/// Determines the reading order of a PDF file from the boxes of its words, and writes the text as
/// HTML.
package struct PDFReadingOrder {
  private let pages: [PDFPage]
  private let runningLines: PDFRunningLines
  private let items: [PDFFlow.Item]
  /// The sizes of headings, the largest first.
  private let distinctHeadingSizes: [Double]
  /// The index in `items` of the title; nil for none.
  private let titleIndex: Int?
  /// Whether the columns of the last pages were not detected, because the budget was used up.
  private let hasUndividedPages: Bool
  /// The texts that are not part of the text of a page, by page index: a watermark, the range of
  /// its line numbers, and the vertical text along its edge.
  private let marginTexts: [Int: [String]]

  /// Determines the reading order; returns nil if the pages have no words, or if more than three
  /// tenths of the words on the first pages are in a right-to-left script.
  /// - Parameter pages: The pages.
  package init?(_ pages: [PDFPage]) {
    guard pages.contains(where: { !$0.words.isEmpty }), !Self.isMostlyRightToLeft(pages) else {
      return nil
    }
    runningLines = PDFRunningLines(pages.normalizingHeights)
    self.pages = runningLines.pages
    let pagesWithSeparateStamps = self.pages.map(\.separatingStamps)
    let normalizedPages = pagesWithSeparateStamps.map { page in
      PDFLine.lines(of: page.text).map(\.withoutLeaders).flatMap(\.words)
    }
    let bodyLineHeight = PDFLine.commonWordHeight(of: normalizedPages.joined())
    let pageTexts = Self.separatingMargins(
      normalizedPages, stamps: pagesWithSeparateStamps.map(\.stamp), bodyLineHeight: bodyLineHeight)
    let pageWords = pageTexts.text
    marginTexts = pageTexts.margins
    let lines = pageWords.map(PDFLine.lines)
    let hyphenation = PDFHyphenation(lines.joined())
    var flow = PDFFlow(bodyLineHeight: bodyLineHeight, hyphenation: hyphenation)
    var columnDivider = PDFColumnDivider(lineHeight: bodyLineHeight)
    // Gutters that are found on later pages apply to the first ones, too.
    for text in pageWords.prefix(Self.sampledPageCount) { _ = columnDivider.regions(of: text) }
    for (number, text) in pageWords.enumerated() {
      let regions = columnDivider.regions(of: text)
      let width = regions.count == 1 ? pages[number].width : nil
      let blocks = regions.map {
        PDFRegion($0, bodyLineHeight: bodyLineHeight, hyphenation: hyphenation, pageWidth: width)
          .blocks()
      }
      flow.add(page: number, columns: blocks)
    }
    hasUndividedPages = columnDivider.isCellBudgetExhausted
    items = flow.items
    distinctHeadingSizes = Self.headingSizes(items, bodyLineHeight)
    titleIndex = Self.titleIndex(items, largest: distinctHeadingSizes.first)
  }

  /// The number of pages that are searched for gutters before the first page is read.
  private static let sampledPageCount = 8

  private static func isMostlyRightToLeft(_ pages: [PDFPage]) -> Bool {
    var (other, all) = (0, 0)
    for page in pages.prefix(sampledPageCount) {
      for word in page.words {
        all += 1
        if PDFDirection.isRightToLeft(word.text) { other += 1 }
      }
    }
    return other * 10 > all * 3
  }

  /// Returns the index of the largest heading; nil if it is not near the start, or if several
  /// headings are as large.
  private static func titleIndex(_ items: [PDFFlow.Item], largest: Double?) -> Int? {
    guard let largest else { return nil }
    let titles = items.indices.filter { index in
      guard case .block(let block) = items[index] else { return false }
      return block.kind == .heading && block.lineHeight > largest * minSameSizeRatio
    }
    // Several headings of the largest size are chapter titles.
    return titles.first.flatMap { $0 < 8 && titles.count == 1 ? $0 : nil }
  }

  private static let minSameSizeRatio = 0.94

  /// Returns the words of each page without watermarks and line numbers, and the texts in the
  /// margins of the pages. A watermark that recurs is returned for its first page only.
  private static func separatingMargins(
    _ pages: [[PDFWord]], stamps: [[PDFWord]], bodyLineHeight: Double
  ) -> (text: [[PDFWord]], margins: [Int: [String]]) {
    var text: [[PDFWord]] = []
    var margins: [Int: [String]] = [:]
    var overlays: Set<String> = []
    var lastNumber: Int?
    for (page, words) in pages.enumerated() {
      let (covered, overlay) = PDFWatermark.separatingWatermark(
        words, bodyLineHeight: bodyLineHeight)
      var remainingWords = covered
      if !overlay.isEmpty, overlays.insert(overlay).inserted {
        margins[page, default: []].append(overlay)
      }
      if let lineNumbers = PDFLineNumbers.removingLineNumbers(
        from: remainingWords, after: lastNumber)
      {
        remainingWords = lineNumbers.text
        lastNumber = lineNumbers.numbers.upperBound
        let range =
          "Line numbers \(lineNumbers.numbers.lowerBound)–\(lineNumbers.numbers.upperBound)"
        margins[page, default: []].append(range)
      } else {
        lastNumber = nil
      }
      if !stamps[page].isEmpty {
        margins[page, default: []].append(marginText(stamps[page]))
      }
      text.append(remainingWords)
    }
    return (text, margins)
  }

  /// Returns the words along an edge, read from bottom to top.
  private static func marginText(_ words: [PDFWord]) -> String {
    words.sorted {
      ($0.box.left.rounded(), -$0.box.bottom) < ($1.box.left.rounded(), -$1.box.bottom)
    }
    .map(\.text).joined(separator: " ")
  }

  private static func headingSizes(_ items: [PDFFlow.Item], _ bodyLineHeight: Double) -> [Double] {
    var sizes: Set<Double> = []
    for case .block(let block) in items
    where block.kind == .heading && block.lineHeight > bodyLineHeight * 1.1 {
      sizes.insert(block.lineHeight)
    }
    // Sizes that look the same count as one.
    return sizes.sorted(by: >).reduce(into: []) { kept, size in
      if kept.last.map({ size < $0 * minSameSizeRatio }) ?? true { kept.append(size) }
    }
  }

  // MARK: HTML

  /// The text as HTML, with the page number at the start of each page except the first, and with
  /// the running headers and footers at its end.
  package var html: String {
    var html = ""
    let title = titleIndex
    for (index, item) in items.enumerated() {
      switch item {
      case .page(let number):
        if pages.count > 1, number > 0 {
          html += Self.pageMarker(number, runningLines.pageLabels[number])
        }
        for text in marginTexts[number] ?? [] {
          html += "<p><small>\(Self.escaped(text))</small></p>\n"
        }
      case .block(let block):
        html += blockHTML(block, isTitle: index == title)
      }
    }
    if !runningLines.texts.isEmpty {
      let texts = runningLines.texts.prefix(Self.maxRunningTexts).map {
        "<li>\(Self.escaped($0))</li>"
      }
      html += "<hr><p>Page headers and footers:</p><ul>\(texts.joined())</ul>\n"
    }
    let truncatedPageCount = pages.filter(\.isTruncated).count
    if truncatedPageCount > 0 {
      let text = truncatedPageCount == 1 ? "1 page has" : "\(truncatedPageCount) pages have"
      html += "<p>\(text) more words, which are not shown.</p>"
    }
    if hasUndividedPages { html += "<p>The columns of the last pages are not separated.</p>" }
    return html
  }

  private static let maxRunningTexts = 50

  /// The title printed on the first pages, or empty.
  package var title: String {
    guard let index = titleIndex, case .block(let block) = items[index] else { return "" }
    return block.text
  }

  private static func pageMarker(_ number: Int, _ label: String) -> String {
    let isOther = !label.isEmpty && label != "\(number + 1)"
    let name = "Page \(number + 1)\(isOther ? " (\(escaped(label)))" : "")"
    return "<p id=\"page-\(number + 1)\"><small>\(name)</small></p>\n"
  }

  private func blockHTML(_ block: PDFBlock, isTitle: Bool) -> String {
    let text = block.runs.map(Self.html).joined()
    switch block.kind {
    case .heading:
      let level = isTitle ? 1 : self.level(of: block.lineHeight)
      return "<h\(level)>\(text)</h\(level)>\n"
    case .preservedLayout: return "<pre>\n\(text)</pre>\n"
    case .entries: return "<p>\(text.replacing("\n", with: "<br>\n"))</p>\n"
    case .paragraph, .listItem: return "<p>\(text)</p>\n"
    }
  }

  /// Returns the level of a heading from 2 to 6, the largest size first. Level 1 is the title.
  private func level(of size: Double) -> Int {
    let larger = distinctHeadingSizes.count { $0 * Self.minSameSizeRatio > size }
    return min(6, 2 + (titleIndex == nil ? larger : max(0, larger - 1)))
  }

  private static func html(of run: PDFBlock.Run) -> String {
    let text = escaped(run.text)
    switch run.baselineShift {
    case .none: return text
    case .raised, .lowered:
      let name = run.baselineShift == .raised ? "sup" : "sub"
      guard let last = text.last, last == " " else { return "<\(name)>\(text)</\(name)>" }
      return "<\(name)>\(text.dropLast())</\(name)> "
    }
  }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else {
      return text
    }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
