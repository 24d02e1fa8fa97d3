/// Joins the blocks of all columns and pages of a PDF file into one sequence in reading order.
struct PDFFlow {
  /// A block, or the start of a page.
  enum Item: Equatable {
    case page(Int)
    case block(PDFBlock)
  }

  private(set) var items: [Item] = []
  private let hyphenation: PDFHyphenation
  private let bodyLineHeight: Double
  /// The index in `items` of the paragraph that may continue in the next column; nil for none.
  private var openParagraphIndex: Int?

  init(bodyLineHeight: Double, hyphenation: PDFHyphenation) {
    (self.bodyLineHeight, self.hyphenation) = (bodyLineHeight, hyphenation)
  }

  /// Adds a page.
  /// - Parameters:
  ///   - number: The index of the page, from 0.
  ///   - columns: The blocks of each region, in reading order.
  mutating func add(page number: Int, columns: [[PDFBlock]]) {
    var footnotes: [PDFBlock] = []
    var textColumns: [[PDFBlock]] = []
    for column in columns {
      let start = footnoteStart(in: column)
      textColumns.append(Array(column[..<start]))
      footnotes += column[start...]
    }
    // The last paragraph above the footnotes of a column may continue, too.
    var needsPageMarker = true
    for column in textColumns {
      var blocks = column
      if let next = continuationIndex(in: blocks) {
        let isLastTextBlock = blocks[(next + 1)...].allSatisfy { $0.interruptsText(bodyLineHeight) }
        appendToOpenParagraph(blocks.remove(at: next), isLastTextBlock: isLastTextBlock)
      } else if blocks.contains(where: { !$0.interruptsText(bodyLineHeight) }) {
        openParagraphIndex = nil
      }
      if needsPageMarker, !blocks.isEmpty {
        items.append(.page(number))
        needsPageMarker = false
      }
      let last = blocks.lastIndex { !$0.interruptsText(bodyLineHeight) }
      for (index, block) in blocks.enumerated() {
        items.append(.block(block))
        if index == last, block.endsMidSentence { openParagraphIndex = items.count - 1 }
      }
    }
    if needsPageMarker { items.append(.page(number)) }
    // Footnotes follow the text of their page. A paragraph that continues on the next page stays
    // before them.
    items += footnotes.map { .block($0) }
  }

  private mutating func appendToOpenParagraph(_ continuation: PDFBlock, isLastTextBlock: Bool) {
    guard let openParagraphIndex, case .block(var block) = items[openParagraphIndex] else { return }
    block.append(continuation.runs, hyphenation: hyphenation)
    block.endsMidSentence = continuation.endsMidSentence && isLastTextBlock
    block.trailingSpace = continuation.trailingSpace
    block.trailingSpaceToMargin = continuation.trailingSpaceToMargin
    block.columnWidth = continuation.columnWidth
    items[openParagraphIndex] = .block(block)
    if !block.endsMidSentence { self.openParagraphIndex = nil }
  }

  /// Returns the index of the paragraph that continues the open one; only tables and figures may
  /// precede it. Nil if there is none.
  private func continuationIndex(in blocks: [PDFBlock]) -> Int? {
    guard let openParagraphIndex, case .block(let last) = items[openParagraphIndex],
      last.runs.count < Self.maxRuns,
      last.runs.last.map({ $0.text.utf8.count < Self.maxBytes }) ?? false
    else { return nil }
    for (index, block) in blocks.prefix(6).enumerated() {
      if block.kind == .paragraph, !block.isCaption,
        abs(block.lineHeight - last.lineHeight) < last.lineHeight * 0.09
      {
        guard let first = block.text.unicodeScalars.first else { return nil }
        guard !isComplete(last, before: block, startsLowercase: first.properties.isLowercase) else {
          return nil
        }
        if index > 0 { return first.properties.isLowercase ? index : nil }
        return !block.beginsParagraph || first.properties.isLowercase ? index : nil
      }
      guard block.interruptsText(bodyLineHeight) else { return nil }
    }
    return nil
  }

  /// Returns whether a paragraph ends because its last line is short: the first word of the next
  /// one would have fitted. Ragged lines before a small letter may be shorter.
  private func isComplete(
    _ last: PDFBlock, before next: PDFBlock, startsLowercase: Bool
  ) -> Bool {
    let minTrailingSpace = next.firstWordWidth + next.lineHeight * 2
    return startsLowercase
      ? last.trailingSpace > max(minTrailingSpace, last.columnWidth * 0.35)
      : last.trailingSpaceToMargin > minTrailingSpace
  }

  /// Maximum number of runs of a paragraph that is continued.
  private static let maxRuns = 2000
  private static let maxBytes = 100_000

  /// Returns the index of the first footnote of a column: the smaller text at its end, if it begins
  /// with a reference mark.
  private func footnoteStart(in column: [PDFBlock]) -> Int {
    var start = column.count
    while start > 0, column[start - 1].lineHeight < bodyLineHeight * 0.94,
      column[start - 1].kind == .paragraph || column[start - 1].kind == .listItem
    {
      start -= 1
    }
    let first = column[start...].firstIndex { block in
      guard let run = block.runs.first, let sign = run.text.first else { return false }
      return run.baselineShift == .raised || sign.isNumber || "*†‡§¶∗".contains(sign)
    }
    return first ?? column.count
  }
}

extension PDFBlock {
  /// Returns whether the surrounding text continues after the block: a table, text in a figure, or
  /// a caption.
  func interruptsText(_ bodyLineHeight: Double) -> Bool {
    kind == .preservedLayout || isCaption || lineHeight < bodyLineHeight * 0.9
  }

  var isCaption: Bool {
    let text = text
    return ["Table ", "Figure ", "Fig. ", "Listing ", "Algorithm "].contains { text.hasPrefix($0) }
      && text.dropFirst(5).prefix(8).contains(where: \.isNumber)
  }
}
