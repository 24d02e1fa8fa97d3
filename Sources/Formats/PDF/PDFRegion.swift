/// Groups the lines of one column into blocks.
struct PDFRegion {
  private let lines: [PDFLine]
  /// The line height of the body text of the file.
  private let bodyLineHeight: Double
  private let hyphenation: PDFHyphenation
  private let kinds: [PDFLineKind]
  /// The left edge of the text, in points.
  private let left: Double
  /// The right edge of the text, in points.
  private let right: Double
  /// The right edge that lines could reach, in points: that of the page without its margin if no
  /// line is long enough to show the width of the text, otherwise `right`.
  private let maxRightEdge: Double
  /// Whether no line is long enough to show the width of the text.
  private let isUnfilled: Bool
  /// The usual distance between baselines, in points.
  private let lineDistance: Double

  /// Groups the words of a column into lines, and measures the column.
  /// - Parameters:
  ///   - words: The words of the column, in any order.
  ///   - bodyLineHeight: The line height of the body text of the file.
  ///   - hyphenation: The vocabulary of the file.
  ///   - pageWidth: The width of the page if the column is the only one; nil otherwise.
  init(
    _ words: [PDFWord], bodyLineHeight: Double, hyphenation: PDFHyphenation,
    pageWidth: Double? = nil
  ) {
    let lines = PDFDropCaps.lines(
      of: words, bodyLineHeight: bodyLineHeight, hyphenation: hyphenation)
    self.lines = lines
    self.bodyLineHeight = bodyLineHeight
    self.hyphenation = hyphenation
    var kinds = PDFLineKind.kinds(of: lines)
    let text = zip(lines, kinds).filter { $0.1 == .text }.map(\.0)
    let left = Self.mostFrequent(text.map { ($0.box.left / 2).rounded() * 2 }) ?? 0
    let right = text.map(\.box.right).max() ?? 0
    let lineDistances = zip(text.dropFirst(), text).map { $0.box.bottom - $1.box.bottom }
      .filter { $0 > 0 }.sorted()
    let expectedWidth = pageWidth.map { $0 - left * 2 } ?? 0
    let isUnfilled =
      !text.isEmpty && expectedWidth > bodyLineHeight * 20
      && right - left < expectedWidth * Self.maxUnfilledWidthRatio
    let rightEdge = isUnfilled ? left + expectedWidth : right
    let lineDistance =
      lineDistances.isEmpty
      ? bodyLineHeight * 1.3 : min(lineDistances[lineDistances.count / 3], bodyLineHeight * 2.5)
    PDFFormulas.markFormulas(
      in: lines, &kinds, left: left, right: right, bodyLineHeight: bodyLineHeight)
    PDFUnfilledLines.markUnfilledLines(
      in: lines, &kinds, left: left, right: rightEdge, lineDistance: lineDistance,
      bodyLineHeight: bodyLineHeight,
      isPageUnfilled: isUnfilled)
    self.kinds = kinds
    (self.left, self.right, self.maxRightEdge, self.lineDistance) = (
      left, right, rightEdge, lineDistance
    )
    self.isUnfilled = isUnfilled
  }

  /// Maximum width of the lines of an unfilled page, as a fraction of the page without its margins.
  private static let maxUnfilledWidthRatio = 0.62

  /// Returns the most frequent value; nil if there are no values.
  private static func mostFrequent(_ values: [Double]) -> Double? {
    var counts: [Double: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    return counts.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
  }

  /// Returns the blocks, from top to bottom.
  func blocks() -> [PDFBlock] {
    var blocks: [PDFBlock] = []
    // The lines of the open paragraph.
    var paragraphLines = 0..<0
    func close() {
      if !paragraphLines.isEmpty { blocks.append(paragraph(paragraphLines)) }
    }
    var index = 0
    while index < lines.count {
      if kinds[index] == .text {
        if !paragraphLines.isEmpty, startsParagraph(index, in: paragraphLines) {
          close()
          paragraphLines = index..<index
        }
        paragraphLines = (paragraphLines.isEmpty ? index : paragraphLines.lowerBound)..<index + 1
        index += 1
        continue
      }
      close()
      let kind = kinds[index]
      let end = kinds[index...].firstIndex { !$0.continues(in: kind) } ?? lines.count
      blocks.append(layout(index..<end, kind))
      index = end
      paragraphLines = index..<index
    }
    close()
    return blocks
  }

  private func layout(_ range: Range<Int>, _ kind: PDFLineKind) -> PDFBlock {
    var pitch: Double?
    if case .code(let width) = kind { pitch = width }
    let text =
      kind == .contentsEntry
      ? PDFLayoutText.entries(lines[range])
      : PDFLayoutText.alignedText(of: Array(lines[range]), characterWidth: pitch)
    return PDFBlock(
      kind: kind == .contentsEntry ? .entries : .preservedLayout, runs: [.init(text: text)],
      lineHeight: lines[range.lowerBound].wordHeight,
      box: lines[range].dropFirst().reduce(lines[range.lowerBound].box) { $0.union($1.box) })
  }

  private func paragraph(_ range: Range<Int>) -> PDFBlock {
    let first = lines[range.lowerBound]
    var block = PDFBlock(kind: .paragraph, runs: [], lineHeight: first.wordHeight, box: first.box)
    for line in lines[range] { block.append(line, hyphenation: hyphenation) }
    let last = lines[range.upperBound - 1]
    let marker = first.words.count > 1 && PDFMarker.isListMarker(first.words[0].text)
    block.beginsParagraph =
      marker || first.box.left > left + first.wordHeight * 0.7 || followsGap(range)
    block.endsMidSentence = !PDFMarker.endsSentence(last.words.last?.text ?? "")
    block.trailingSpace = right - last.box.right
    // The width of the text is not known from a page of single lines.
    block.trailingSpaceToMargin = (range.count == 1 ? maxRightEdge : right) - last.box.right
    block.columnWidth = right - left
    block.firstWordWidth = first.words[0].box.width
    if isHeading(block, range) {
      block.kind = .heading
      block.endsMidSentence = false
    } else if marker {
      block.kind = .listItem
    }
    return block
  }

  private func followsGap(_ range: Range<Int>) -> Bool {
    guard range.lowerBound > 0 else { return false }
    return lines[range.lowerBound].box.bottom - lines[range.lowerBound - 1].box.bottom
      > lineDistance * 1.25
  }

  private func isHeading(_ block: PDFBlock, _ range: Range<Int>) -> Bool {
    guard range.count <= 5, block.text.count <= 250,
      block.text.contains(where: \.isLetter)
    else { return false }
    if block.lineHeight > bodyLineHeight * 1.1 { return true }
    guard range.count == 1, block.lineHeight > bodyLineHeight * 0.95, block.text.count <= 70,
      block.box.right < right - block.lineHeight || block.text.count < 30
    else { return false }
    let isApart = range.lowerBound == 0 || followsGap(range)
    return isApart && !hasNestedItem(range) && !isNumberedItem(range.lowerBound)
      && PDFMarker.isSectionHeading(lines[range.lowerBound].words.map(\.text))
  }

  /// Returns whether a line begins a new paragraph.
  /// - Parameters:
  ///   - index: The index of the line.
  ///   - paragraph: The range of the lines of the preceding paragraph, which ends at `index`.
  /// - Returns: Whether the line does not continue that paragraph.
  private func startsParagraph(_ index: Int, in paragraph: Range<Int>) -> Bool {
    let (line, previousLine, first) = (lines[index], lines[index - 1], lines[paragraph.lowerBound])
    let em = line.wordHeight
    let isLarge = line.wordHeight > bodyLineHeight * 1.1
    if abs(line.wordHeight - previousLine.wordHeight) > max(
      line.wordHeight, previousLine.wordHeight) * 0.09
    {
      return true
    }
    if line.box.bottom - previousLine.box.bottom > max(lineDistance, em * (isLarge ? 1.25 : 0.9))
      * 1.28
    {
      return true
    }
    if isLarge { return false }
    if isUnfilled, line.box.bottom - previousLine.box.bottom > em * 1.9 { return true }
    if paragraph.count == 1, followsHeading(index) { return true }
    if line.words.count > 1,
      PDFMarker.isListMarker(line.words[0].text) || isNestedBullet(line, below: previousLine),
      line.box.left < first.box.left + em * 0.3 || PDFMarker.isBullet(line.words[0].text)
        || line.box.left > left + em * 0.7
    {
      return true
    }
    return startsParagraphByEdges(index, in: paragraph)
  }

  /// Returns whether the edges of a line and of the one before it show that it begins a paragraph.
  private func startsParagraphByEdges(_ index: Int, in paragraph: Range<Int>) -> Bool {
    let (line, previousLine, first) = (lines[index], lines[index - 1], lines[paragraph.lowerBound])
    let em = line.wordHeight
    let beginsWithMarker = first.words.count > 1 && PDFMarker.isListMarker(first.words[0].text)
    let indent = line.box.left - previousLine.box.left
    let spaceAfterPreviousLine = right - previousLine.box.right
    // The first word would have fitted on the previous line.
    let wasBroken = spaceAfterPreviousLine > line.words[0].box.width + em * 0.8
    if indent > em * 0.6 {
      // The second line of a list item, or of a paragraph with a hanging indent.
      if beginsWithMarker, paragraph.count == 1 {
        // A nested item whose bullet is a drawing.
        return wasBroken && line.box.left > first.words[1].box.left + em * 0.8
      }
      if paragraph.count == 1, isBesideLabel(line, of: first) { return false }
      return
        !(paragraph.count == 1 && !wasBroken && line.box.left > left + em * 0.6
        && !PDFMarker.endsSentence(previousLine.words.last?.text ?? ""))
    }
    let endsParagraph = wasBroken && PDFMarker.endsSentence(previousLine.words.last?.text ?? "")
    if indent < -em * 0.6 { return paragraph.count > 1 || beginsWithMarker || endsParagraph }
    return endsParagraph || wasBroken && beginsWithMarker
  }
}

extension PDFRegion {
  /// Returns whether the line below a single line is indented more than the text of a list item.
  private func hasNestedItem(_ range: Range<Int>) -> Bool {
    let (first, next) = (lines[range.lowerBound], range.upperBound)
    guard first.words.count > 1, lines.indices.contains(next), !followsGap(next..<next + 1) else {
      return false
    }
    return lines[next].box.left > first.words[1].box.left + first.wordHeight * 0.8
  }

  /// Returns whether the line above or below a line has the number before or after its own number,
  /// so that both are items of a list.
  private func isNumberedItem(_ index: Int) -> Bool {
    func number(of index: Int) -> Int? {
      guard lines.indices.contains(index), lines[index].words.count > 1 else { return nil }
      let marker = lines[index].words[0].text
      return PDFMarker.isListMarker(marker) ? Int(marker.dropLast()) : nil
    }
    guard let ownNumber = number(of: index) else { return false }
    return number(of: index - 1) == ownNumber - 1 || number(of: index + 1) == ownNumber + 1
  }

  /// Returns whether a line begins with the letter o as a bullet.
  private func isNestedBullet(_ line: PDFLine, below previousLine: PDFLine) -> Bool {
    line.words[0].text == "o" && line.gaps[0] > line.wordHeight * 0.3
      && line.box.left > previousLine.box.left + line.wordHeight * 0.6
  }

  /// Returns whether a line begins below the text beside a short label, such as the years in a
  /// curriculum vitae.
  private func isBesideLabel(_ line: PDFLine, of first: PDFLine) -> Bool {
    let parts = first.cellSegments(minGap: first.wordHeight * PDFLine.minCellGap)
    guard parts.count == 2, parts[0].count <= 4, let text = parts[1].first else { return false }
    return abs(text.box.left - line.box.left) < first.wordHeight * 0.3
  }

  /// Returns whether the line before another one stands alone: it ends early, and is a numbered
  /// title with a gap above it, or has a gap below it that is wider than that between lines.
  private func followsHeading(_ index: Int) -> Bool {
    let (line, last) = (lines[index], lines[index - 1])
    guard right - last.box.right > line.words[0].box.width + line.wordHeight * 0.8,
      !PDFMarker.endsSentence(last.words.last?.text ?? "")
    else { return false }
    let isSectionHeading = PDFMarker.isSectionHeading(last.words.map(\.text))
    guard line.words[0].text.first?.isLowercase == false else { return false }
    if isSectionHeading, index == 1 || followsGap(index - 1..<index) { return true }
    // In a file of short paragraphs, gaps between them are as frequent as those between lines.
    let next = lines.indices.contains(index + 1) ? lines[index + 1].box.bottom - line.box.bottom : 0
    return line.box.bottom - last.box.bottom
      > (next > line.wordHeight * 0.9 ? min(lineDistance, next) : lineDistance)
      * 1.12
      && last.box.width < (right - left) * 0.7
  }
}
