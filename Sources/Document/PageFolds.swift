// Folding before the main text of a page: navigation, tables of contents, and the lines between a
// heading and its text (byline, share links). Long paragraphs, code, and headings that do not
// introduce a list of links never fold, wherever they are, so that the content stays visible; the
// blocks around them may fold.

/// Chooses the parts of a page that are folded when it opens.
struct PageFolds {
  private let document: Document
  private let secondaryRanges: SecondaryRanges
  /// The word counts of the blocks before the first paragraph of the main content.
  private let wordCounts: LeafWordCounts
  /// The index of the block at which the main content begins.
  private(set) var mainContentBlock: Int32
  /// The parts that fold, in document order, not nested.
  private(set) var blockFolds: [Document.BlockFold] = []

  /// Maximum number of lines below a heading that always stay visible, such as author and date.
  private static let maxUnfoldedLines = 5
  /// Maximum number of lines between heading and text that are too few to fold.
  private static let maxLinesWithoutFold = 5
  /// Maximum number of lines that are too few to fold if the page marks them as secondary.
  private static let maxSecondaryLinesWithoutFold = 3
  /// Maximum number of short lines that fold although the page does not mark them as secondary. If
  /// there are more, they may be the content of the page.
  private static let maxUndeclaredLines = 120
  /// Maximum number of words outside links in short lines that fold although the page does not mark
  /// them as secondary.
  private static let maxPlainWordCount = 160
  /// Minimum number of consecutive lines with a link to another page that form an index.
  private static let minIndexLines = 4
  /// Minimum number of lines that fold inside a block whose other lines stay visible.
  private static let minNestedLines = 6
  /// Minimum number of links to parts of the page in a table of contents.
  private static let minContentsLinks = 4

  /// Chooses the parts of a document that are folded when it opens.
  /// - Parameters:
  ///   - document: A page whose blocks are complete.
  ///   - beginning: The block at which reading begins.
  ///   - secondaryRanges: The ranges that the page marks as secondary.
  ///   - foldsPreamble: Whether lines between a heading and its text may fold.
  init(
    of document: Document, beginning: ReadingStart.Start, secondaryRanges: SecondaryRanges,
    foldsPreamble: Bool
  ) {
    self.document = document
    mainContentBlock = Int32(beginning.block)
    let start = document.textOffset(ofBlockAt: Int(mainContentBlock))
    self.secondaryRanges = secondaryRanges.excluding(start)
    let text = document.firstTextBlock(from: Int(mainContentBlock), outside: self.secondaryRanges)
    wordCounts = LeafWordCounts(
      of: document, sumsBefore: text ?? Int(mainContentBlock), secondaryRanges: self.secondaryRanges
    )
    if !beginning.isDeclared { mainContentBlock = min(mainContentBlock, firstContentBlock) }
    if mainContentBlock > 0 { foldSiblings(0..<mainContentBlock, as: .navigation) }
    if foldsPreamble, let text, document.fillsScreen {
      foldSiblings(mainContentBlock..<Int32(text), as: .preamble)
    }
  }

  /// The first block that cannot be navigation, for a page that does not declare where its content
  /// begins. A heading outside menus belongs to the content, and so does the list below it.
  private var firstContentBlock: Int32 {
    var index: Int32 = 0
    while index < mainContentBlock {
      let block = document.blocks[Int(index)]
      let blockRange = index..<block.end
      if wordCounts.hasUnfoldableLeaf(blockRange) || isContentTableOrList(blockRange)
        || blockRange.contains(where: isHeadingOfPage)
      {
        return index
      }
      index = block.end
    }
    return mainContentBlock
  }

  /// Returns whether a block is a first- or second-level heading outside menus that is not a link.
  private func isHeadingOfPage(_ block: Int32) -> Bool {
    guard case .heading(1...2) = document.blocks[Int(block)].kind else { return false }
    return wordCounts.isContentHeading(block, in: document)
  }

  // MARK: Runs of blocks

  /// Folds the foldable blocks among siblings, and descends into the siblings that cannot fold as a
  /// whole.
  private mutating func foldSiblings(_ range: Range<Int32>, as kind: Document.BlockFold.Kind) {
    // Not tuples of ranges, whose generic types take long to create at run time.
    var pendingRanges = [
      SiblingRange(start: range.lowerBound, end: range.upperBound, areTopLevel: true)
    ]
    while let siblings = pendingRanges.popLast() {
      let (range, isAtTop) = (siblings.start..<siblings.end, siblings.areTopLevel)
      var run = SiblingRun(start: range.lowerBound, areTopLevel: isAtTop)
      var index = range.lowerBound
      while index < range.upperBound {
        let block = document.blocks[Int(index)]
        if block.end <= range.upperBound, isFoldable(index, as: kind) {
          index = block.end
          run.end = index
          continue
        }
        fold(run, as: kind)
        let isKept = kind == .navigation && isContentTableOrList(index..<block.end)
        if block.kind.canContainFolds, !isKept {
          // The remaining siblings are processed after the children of this block.
          if block.end < range.upperBound {
            pendingRanges.append(
              SiblingRange(start: block.end, end: range.upperBound, areTopLevel: isAtTop))
          }
          pendingRanges.append(
            SiblingRange(
              start: index + 1, end: min(block.end, range.upperBound), areTopLevel: false))
          run = SiblingRun(start: block.end, areTopLevel: isAtTop)
          break
        }
        index = block.end
        run = SiblingRun(start: index, areTopLevel: isAtTop)
      }
      fold(run, as: kind)
    }
  }

  /// A range of siblings whose blocks are still to be folded.
  private struct SiblingRange {
    var start: Int32
    var end: Int32
    /// Whether the siblings are top-level blocks.
    var areTopLevel: Bool
  }

  /// Consecutive siblings that can fold together.
  private struct SiblingRun {
    var start: Int32
    var end: Int32
    /// Whether the siblings are top-level blocks.
    var areTopLevel: Bool

    init(start: Int32, areTopLevel: Bool) {
      (self.start, end, self.areTopLevel) = (start, start, areTopLevel)
    }
  }

  private func isFoldable(_ block: Int32, as kind: Document.BlockFold.Kind) -> Bool {
    let blockRange = block..<document.blocks[Int(block)].end
    guard !wordCounts.hasUnfoldableLeaf(blockRange) else { return false }
    if kind == .navigation { return !isFirstHeading(block) && !isContentTableOrList(blockRange) }
    return isSecondary(blockRange) || isTableOfContents(blockRange)
      || isFoldableBelowHeading(blockRange)
  }

  /// Returns whether a block is a first-level heading that is not a link: the title of the page or
  /// the site.
  private func isFirstHeading(_ block: Int32) -> Bool {
    guard case .heading(1) = document.blocks[Int(block)].kind else { return false }
    return wordCounts.isContentHeading(block, in: document)
  }

  /// Returns whether a range before the main content is a table with more text than links, or a
  /// list or quotation with more than a line of text, most of it outside links; false for menus.
  private func isContentTableOrList(_ range: Range<Int32>) -> Bool {
    guard !isSecondary(range) else { return false }
    let all = wordCounts.sum(of: range)
    switch document.blocks[Int(range.lowerBound)].kind {
    case .table: return all.plainWordCount > all.linkWordCount
    case .list, .definitionList, .quote:
      return all.plainWordCount > LeafWordCounts.maxPlainWordCount
        && all.plainWordCount > all.linkWordCount * 2
    default: return false
    }
  }

  private mutating func fold(_ run: SiblingRun, as kind: Document.BlockFold.Kind) {
    guard run.start < run.end else { return }
    var range = run.start..<run.end
    range = range.lowerBound..<wordCounts.endWithoutHeadings(of: range, in: document)
    if kind == .preamble {
      guard let rest = foldableLines(of: range) else { return }
      range = rest
    }
    let all = wordCounts.sum(of: range)
    // Text without links is not navigation, unless it is in a menu.
    guard all.linkWordCount > 0 || all.leafCount > 0 && all.secondaryLeafCount == all.leafCount,
      run.areTopLevel || all.leafCount >= Self.minNestedLines
    else { return }
    blockFolds.append(
      Document.BlockFold(
        range,
        isTitledTableOfContents(range) ? .tableOfContents : all.linkWordCount > 0 ? kind : .preamble
      ))
  }

  // MARK: Between a heading and its text

  /// Returns the part of the lines below a heading that folds; nil if they are few or may be the
  /// content of the page.
  private func foldableLines(of range: Range<Int32>) -> Range<Int32>? {
    var lineCount = 0
    var start: Int32?
    /// The end of the leading lines that are all marked as secondary; nil if there are none.
    var namedEnd: Int32?
    var isNamed = false
    var index = range.lowerBound
    while index < range.upperBound {
      let blockRange = index..<document.blocks[Int(index)].end
      lineCount += document.lineCount(of: blockRange)
      let isAside = isSecondary(blockRange) || isTableOfContents(blockRange)
      if start == nil, lineCount > Self.maxUnfoldedLines || isAside {
        (start, isNamed) = (index, isAside)
      }
      if start != nil, isNamed { isNamed = isAside || wordCounts.leafCount(in: blockRange) == 0 }
      if isNamed, isAside { namedEnd = blockRange.upperBound }
      index = blockRange.upperBound
    }
    guard let start, case let end = endWithoutIntroductions(range), start < end else { return nil }
    if document.lineCount(of: start..<end) > Self.maxLinesWithoutFold,
      isMostlySecondary(start..<end)
    {
      return start..<end
    }
    guard let namedEnd, document.lineCount(of: start..<namedEnd) > Self.maxSecondaryLinesWithoutFold
    else { return nil }
    return start..<namedEnd
  }

  /// Returns whether most of the lines are marked as secondary, or have few words outside links.
  private func isMostlySecondary(_ range: Range<Int32>) -> Bool {
    let all = wordCounts.sum(of: range)
    if all.secondaryLeafCount * 2 >= all.leafCount || isTableOfContents(range) { return true }
    return all.linkWordCount >= all.plainWordCount
      && document.lineCount(of: range) <= Self.maxUndeclaredLines
      && all.plainWordCount <= Self.maxPlainWordCount
  }

  /// Returns the end of a range without its trailing headings, images and rules, because they
  /// belong to the text that follows.
  private func endWithoutIntroductions(_ range: Range<Int32>) -> Int32 {
    var (end, index) = (range.lowerBound, range.lowerBound)
    while index < range.upperBound {
      let block = document.blocks[Int(index)]
      if !block.kind.introducesText || isSecondary(index..<block.end) { end = block.end }
      index = block.end
    }
    return end
  }

  /// Returns whether the page marks the blocks as secondary, or all their links lead to the author,
  /// to tags or to share pages.
  private func isSecondary(_ range: Range<Int32>) -> Bool {
    let leaves = wordCounts.leafCount(in: range)
    return leaves > 0 && wordCounts.secondaryLeafCount(in: range) == leaves
  }

  /// Returns whether the blocks consist almost only of links to parts of the page, or are a list
  /// below a line "Contents" whose links are `#`, so that a script follows them.
  private func isTableOfContents(_ range: Range<Int32>) -> Bool {
    let all = wordCounts.sum(of: range)
    if all.inPageLinkCount >= Self.minContentsLinks,
      all.inPageLinkWordCount * 10 >= (all.linkWordCount + all.plainWordCount) * 7
    {
      return true
    }
    guard case .list = document.blocks[Int(range.lowerBound)].kind, isListOfLinks(range),
      let title = document.blocks[..<Int(range.lowerBound)].last(where: { !$0.runs.isEmpty }),
      isTitleOfContents(title)
    else { return false }
    return document.linkIndices(inBlocks: range).allSatisfy {
      document.links[Int($0)].target.utf8.first == UInt8(ascii: "#")
    }
  }

  /// Returns whether the blocks are links to parts of the page, or are titled as contents.
  private func isTitledTableOfContents(_ range: Range<Int32>) -> Bool {
    if isTableOfContents(range) { return true }
    let rangeBlocks = document.blocks[Int(range.lowerBound)..<Int(range.upperBound)]
    return rangeBlocks.first { !$0.runs.isEmpty }.map(isTitleOfContents) ?? false
  }

  private func isTitleOfContents(_ block: Document.Block) -> Bool {
    let text = document.text(of: block)
    return text.utf8.count < 40 && text.lowercased().hasSuffix("contents")
  }

  /// Returns whether a block is one of those typically found below a heading, which may fold: a
  /// line, a heading, an image or a rule that is not part of an index, or a short list of links.
  private func isFoldableBelowHeading(_ range: Range<Int32>) -> Bool {
    switch document.blocks[Int(range.lowerBound)].kind {
    case .paragraph: !wordCounts.isInLinkIndex(range.lowerBound, minLines: Self.minIndexLines)
    case .heading, .image, .figure, .rule: true
    case .list: isListOfLinks(range) && !isInLinkIndex(range)
    default: false
    }
  }

  private func isListOfLinks(_ range: Range<Int32>) -> Bool {
    let all = wordCounts.sum(of: range)
    return all.linkWordCount > all.plainWordCount
  }

  private func isInLinkIndex(_ range: Range<Int32>) -> Bool {
    wordCounts.externalLinkLeafCount(in: range) >= Self.minIndexLines
  }
}

extension Document.Block.Kind {
  /// Whether the children of a block of this kind can fold, because the block is laid out block by
  /// block.
  fileprivate var canContainFolds: Bool {
    switch self {
    case .list, .item, .quote, .definitionList, .definition: true
    default: false
    }
  }

  /// Whether a block belongs to the text below it.
  fileprivate var introducesText: Bool {
    switch self {
    case .heading, .image, .figure, .rule: true
    default: false
    }
  }
}

extension Document {
  /// Whether a page is longer than a typical screen.
  fileprivate var fillsScreen: Bool {
    blocks.count > Self.screenBlocks || text.count > Self.screenBytes
  }

  /// The number of blocks, and of bytes of text, that fit on a typical screen.
  private static let screenBlocks = 24, screenBytes = 1500
  /// The approximate number of bytes on a line.
  private static let lineLength = 72

  /// Returns the approximate number of lines of a range of blocks, including the blank lines below
  /// them.
  fileprivate func lineCount(of range: Range<Int32>) -> Int {
    blocks[Int(range.lowerBound)..<Int(range.upperBound)].reduce(0) { lines, block in
      guard let first = block.runs.first, let last = block.runs.last else { return lines }
      var (blockLines, lineLength) = (1, 0)
      for byte in text[Int(runs[Int(first)].start)..<Int(runs[Int(last)].end)] {
        lineLength += 1
        guard byte == UInt8(ascii: "\n") || lineLength == Self.lineLength else { continue }
        blockLines += 1
        lineLength = 0
      }
      return lines + blockLines + (block.hasNoSpaceAbove ? 0 : 1)
    }
  }

  /// Returns the offset of the first text in or after a block.
  fileprivate func textOffset(ofBlockAt index: Int) -> UInt32 {
    for block in blocks[index...] {
      if let run = block.runs.first { return runs[Int(run)].start }
    }
    return UInt32(text.count)
  }

  /// Returns the first text block at or after an index that is not marked as secondary; nil if
  /// there is none.
  fileprivate func firstTextBlock(from start: Int, outside secondaryRanges: SecondaryRanges) -> Int?
  {
    blocks[start...].indices.first { index in
      guard let run = blocks[index].runs.first, isMainText(blocks[index]) else { return false }
      return !secondaryRanges.contains(runs[Int(run)].start)
    }
  }
}

extension Document {
  /// Folds the parts before the main text. Shown hidden text, share lists and repeated menus have
  /// folds of their own already.
  mutating func addBlockFolds(secondaryRanges: SecondaryRanges) {
    let beginning = ReadingStart(of: self).start
    mainContentBlock = beginning.block
    splitRevealedFold()
    let folds = PageFolds(
      of: self, beginning: beginning, secondaryRanges: secondaryRanges,
      foldsPreamble: !blockFolds.contains { $0.kind == .revealed })
    mainContentBlock = Int(folds.mainContentBlock)
    let otherFolds = blockFolds.filter { part in
      !folds.blockFolds.contains { $0.blocks.overlaps(part.blocks) }
    }
    blockFolds = (folds.blockFolds + otherFolds).sorted {
      $0.blocks.lowerBound < $1.blocks.lowerBound
    }
  }

  /// Splits a shown range of hidden text at the start of the main content.
  private mutating func splitRevealedFold() {
    let main = Int32(mainContentBlock)
    guard main > 0,
      let index = blockFolds.firstIndex(where: { $0.kind == .revealed && $0.blocks.contains(main) })
    else { return }
    let part = blockFolds[index].blocks
    let halves = [part.lowerBound..<main, main..<part.upperBound].filter { !$0.isEmpty }
    blockFolds.replaceSubrange(index...index, with: halves.map { BlockFold($0, .revealed) })
  }
}
