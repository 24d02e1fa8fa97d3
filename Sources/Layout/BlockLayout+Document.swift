import Document

/// Content before the first block and after the last one, and foldable parts.
extension BlockLayout {
  /// Writes the note from the program, and numbers the visible links if link numbers are shown.
  mutating func beginDocument() {
    if !input.options.notice.isEmpty {
      inline.removeAll()
      inline.append(input.options.notice.utf8, style: TextStyle(.dim), target: nil, source: 0)
      fill()
      gap = true
    }
    if input.options.linkNumbers == .numbers { context.linkNumbers = linkNumbers() }
  }

  /// Writes the line that opens and closes a folded part.
  private mutating func writeFold(_ content: String, target: PageLayout.Target, isOpen: Bool) {
    let text = (isOpen ? input.glyphs.opened : input.glyphs.closed) + content
    inline.removeAll()
    inline.append(text.utf8, style: TextStyle(.dim), target: target, source: source)
    fill()
  }

  /// Writes the line above a foldable part if one begins at the block.
  /// - Returns: Whether to lay out the block; if false, `next` is the first block after the folded
  ///   part.
  mutating func foldPart(at block: Int32) -> Bool {
    let parts = input.document.parts
    while partCount < parts.count, parts[partCount].blocks.lowerBound < block { partCount += 1 }
    guard partCount < parts.count, parts[partCount].blocks.lowerBound == block else { return true }
    let part = parts[partCount]
    let number = input.document.number(ofPart: partCount)
    partCount += 1
    guard folds(part) else { return true }
    let isOpen = isOpen(part, number)
    let end = part.blocks.upperBound
    source = input.document.source(ofBlock: isOpen ? block : end)
    separate()
    writeGap()
    var text = part.kind.label
    if part.kind != .revealed, !part.kind.isCommentPart {
      text += " (\(input.document.summary(ofBlocks: part.blocks)))"
    }
    writeFold(
      text, target: part.kind == .navigation ? .navigation(number) : .details(number),
      isOpen: isOpen)
    separate()
    if !isOpen { next = end }
    return isOpen
  }

  private func folds(_ part: Document.Part) -> Bool {
    part.kind == .navigation ? input.options.foldsNavigation : input.options.foldsDetails
  }

  private func isOpen(_ part: Document.Part, _ number: Int32) -> Bool {
    part.kind.isOpen != input.options.toggledDetails.contains(number)
  }

  private func linkNumbers() -> [Int32] {
    let document = input.document
    var numbers = Array(repeating: Int32(0), count: document.links.count)
    var last: Int32 = 0
    func number(_ blocks: Range<Int32>) {
      for run in document.runs(ofBlocks: blocks)
      where run.link >= 0 && numbers[Int(run.link)] == 0 && run.end > run.start {
        last += 1
        numbers[Int(run.link)] = last
      }
    }
    var start = next
    for (index, part) in document.parts.enumerated()
    where folds(part) && !isOpen(part, document.number(ofPart: index)) {
      number(start..<part.blocks.lowerBound)
      start = part.blocks.upperBound
    }
    number(start..<end)
    return numbers
  }

  /// Sorts the links, and lists their URLs if link numbers are shown.
  mutating func endDocument() {
    writer.sortLinks()
    let links = writer.layout.links.compactMap(\.target.link)
    guard input.options.linkNumbers == .numbers, !links.isEmpty else { return }
    gap = true
    writeGap()
    let columns = "[\(links.count)] ".utf8.count
    for link in links {
      let number = "[\(context.linkNumbers[Int(link)])] "
      let padding = String(repeating: " ", count: max(0, columns - number.utf8.count))
      inline.removeAll()
      let target = input.options.url(of: link, in: input.document)
      inline.append(target.utf8, style: TextStyle(.link), target: .link(link), source: source)
      let parts = indentation.parts.count
      indentation.push(
        marker: padding + number, rest: String(repeating: " ", count: columns), columns: columns,
        style: TextStyle(.dim))
      fill(width: max(1, width - margin - columns), isCode: true)
      indentation.pop(to: parts)
    }
  }
}

extension Document {
  /// Returns the number of a part in `LayoutOptions.toggledDetails`. These numbers follow those of
  /// disclosures and folds.
  package func number(ofPart index: Int) -> Int32 { Int32(blocks.count + folds.count + index) }

  /// The number of the part with the comments of readers in `LayoutOptions.toggledDetails`; nil
  /// without comments.
  package var commentsFold: Int32? {
    parts.firstIndex { $0.kind.isCommentPart }.map { number(ofPart: $0) }
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

  /// Returns the offset of the first text in or after a block, or the length of the text if there
  /// is no more.
  package func source(ofBlock index: Int32) -> UInt32 {
    for block in blocks[Int(index)...] {
      if let run = block.runs.first { return runs[Int(run)].start }
    }
    return UInt32(text.count)
  }
}

extension Document.Part.Kind {
  /// The text of the line above the part.
  fileprivate var label: String {
    switch self {
    case .revealed: "text shown by a script"
    case .navigation: "navigation"
    case .contents: "contents"
    case .preamble: "before the text"
    case .share: "share"
    case .repeated: "menu shown above"
    case .comments(let count): count == 1 ? "1 comment" : "\(count) comments"
    }
  }
}
