import DOM
import Document

/// Lays out the notice before the first block, the list of URLs after the last one, and the lines
/// that open and close foldable sections.
extension BlockLayout {
  /// Writes `LayoutOptions.notice`, and numbers the visible links if link numbers are shown.
  mutating func beginDocument() {
    if !input.options.notice.isEmpty {
      inlineText.removeAll()
      inlineText.append(input.options.notice.utf8, style: TextStyle(.dim), target: nil, source: 0)
      writeLines()
      needsBlankLine = true
    }
    if input.options.linkNumbers == .numbers { context.linkNumbers = linkNumbers() }
  }

  /// Writes the line with which the user opens and closes a foldable section.
  private mutating func writeFold(_ content: String, target: PageLayout.Target, isOpen: Bool) {
    let text = (isOpen ? input.glyphs.openIndicator : input.glyphs.closedIndicator) + content
    inlineText.removeAll()
    inlineText.append(text.utf8, style: TextStyle(.dim), target: target, source: sourceOffset)
    writeLines()
  }

  /// Writes the line above a foldable section if one begins at the block.
  /// - Returns: Whether to lay out the block; if false, `nextBlock` is the first block after the
  ///   folded section.
  mutating func beginBlockFold(at block: Int32) -> Bool {
    let folds = input.document.blockFolds
    while reachedFoldCount < folds.count, folds[reachedFoldCount].blocks.lowerBound < block {
      reachedFoldCount += 1
    }
    guard reachedFoldCount < folds.count, folds[reachedFoldCount].blocks.lowerBound == block else {
      return true
    }
    let fold = folds[reachedFoldCount]
    let number = input.document.foldNumber(ofBlockFold: reachedFoldCount)
    reachedFoldCount += 1
    guard isFoldable(fold) else { return true }
    let isOpen = isOpen(fold, number)
    let end = fold.blocks.upperBound
    sourceOffset = input.document.textOffset(ofBlock: isOpen ? block : end)
    requestBlankLine()
    writeBlankLineIfNeeded()
    var text = fold.kind.label
    if fold.kind != .revealed, !fold.kind.isComments {
      text += " (\(input.document.summary(ofBlocks: fold.blocks)))"
    }
    writeFold(
      text, target: fold.kind == .navigation ? .navigation(number) : .fold(number),
      isOpen: isOpen)
    requestBlankLine()
    if !isOpen { nextBlock = end }
    return isOpen
  }

  private func isFoldable(_ fold: Document.BlockFold) -> Bool {
    fold.kind == .navigation ? input.options.foldsNavigation : input.options.foldsDetails
  }

  private func isOpen(_ fold: Document.BlockFold, _ number: Int32) -> Bool {
    fold.kind.isInitiallyOpen != input.options.toggledFolds.contains(number)
  }

  private func linkNumbers() -> [Int32] {
    let document = input.document
    var numbers = Array(repeating: Int32(0), count: document.links.count)
    var last: Int32 = 0
    func number(_ blocks: Range<Int32>) {
      for run in document.runs(ofBlocks: blocks) where run.end > run.start {
        guard let link = run.link.value, numbers[link] == 0 else { continue }
        last += 1
        numbers[link] = last
      }
    }
    var start = nextBlock
    for (index, part) in document.blockFolds.enumerated()
    where isFoldable(part) && !isOpen(part, document.foldNumber(ofBlockFold: index)) {
      number(start..<part.blocks.lowerBound)
      start = part.blocks.upperBound
    }
    number(start..<blockEnd)
    return numbers
  }

  /// Sorts the links, and lists their URLs if link numbers are shown.
  mutating func endDocument() {
    writer.sortLinks()
    let links = writer.layout.linkPlacements.compactMap(\.target.linkIndex)
    guard input.options.linkNumbers == .numbers, !links.isEmpty else { return }
    needsBlankLine = true
    writeBlankLineIfNeeded()
    let columns = "[\(links.count)] ".utf8.count
    for link in links {
      let number = "[\(context.linkNumbers[Int(link)])] "
      let padding = String(repeating: " ", count: max(0, columns - number.utf8.count))
      inlineText.removeAll()
      let target = input.options.url(of: link, in: input.document)
      inlineText.append(
        target.utf8, style: TextStyle(.link), target: .link(link), source: sourceOffset)
      let levelCount = indentation.levels.count
      indentation.push(
        marker: padding + number, continuation: String(repeating: " ", count: columns),
        columns: columns,
        style: TextStyle(.dim))
      writeLines(width: max(1, width - margin - columns), isCode: true)
      indentation.pop(to: levelCount)
    }
  }
}

extension Document {
  /// Returns the number of a block fold in `LayoutOptions.toggledFolds`. These numbers follow those
  /// of disclosures and text folds.
  package func foldNumber(ofBlockFold index: Int) -> Int32 {
    Int32(blocks.count + textFolds.count + index)
  }

  /// The number of the fold of the readers' comments in `LayoutOptions.toggledFolds`; nil if the
  /// page has no comments.
  package var commentsFoldNumber: Int32? {
    blockFolds.firstIndex { $0.kind.isComments }.map { foldNumber(ofBlockFold: $0) }
  }

  /// Returns the runs of a range of blocks.
  func runs(ofBlocks range: Range<Int32>) -> ArraySlice<Run> {
    var first: Int32?
    var last: Int32 = 0
    for block in blocks[Int(range.lowerBound)..<Int(range.upperBound)] where !block.runs.isEmpty {
      if first == nil { first = block.runs.lowerBound }
      last = block.runs.upperBound
    }
    guard let first else { return [] }
    return runs[Int(first)..<Int(last)]
  }

  /// Returns the offset of the first text in or after a block, or the length of the document's text
  /// if no text follows.
  package func textOffset(ofBlock index: Int32) -> UInt32 {
    for block in blocks[Int(index)...] {
      if let run = block.runs.first { return runs[Int(run)].start }
    }
    return UInt32(text.count)
  }
}

extension Document.BlockFold.Kind {
  /// The text of the line above the fold.
  fileprivate var label: String {
    switch self {
    case .revealed: "text shown by a script"
    case .navigation: "navigation"
    case .tableOfContents: "contents"
    case .preamble: "before the text"
    case .share: "share"
    case .repeatedMenu: "menu shown above"
    case .comments(let count): count == 1 ? "1 comment" : "\(count) comments"
    }
  }
}
