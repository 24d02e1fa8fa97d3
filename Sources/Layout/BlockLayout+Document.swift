import Document

/// What stands before the first block and after the last.
extension BlockLayout {
  /// Folds the navigation; numbers the links that are shown.
  mutating func beginDocument() {
    let main = Int32(input.document.mainContent)
    if !input.options.note.isEmpty {
      inline.removeAll()
      inline.append(input.options.note.utf8, style: TextStyle(.dim), target: nil, source: 0)
      fill()
      gap = true
    }
    if input.options.foldsNavigation, main > 0, main < end, hasText(upTo: main) {
      let isOpen = input.options.opensNavigation
      writeFold(upTo: main, isOpen: isOpen)
      if !isOpen { next = main }
      gap = true
    }
    if input.options.linkNumbers == .numbers { context.linkNumbers = linkNumbers() }
  }

  /// Whether there is something to read before the main content: pictures alone are no navigation.
  private func hasText(upTo main: Int32) -> Bool {
    input.document.runs(ofBlocks: 0..<main).contains { $0.link >= 0 || $0.image < 0 }
  }

  /// The line that stands for everything before the main content.
  private mutating func writeFold(upTo main: Int32, isOpen: Bool) {
    var links: Set<Int32> = []
    for run in input.document.runs(ofBlocks: 0..<main) where run.link >= 0 {
      links.insert(run.link)
    }
    source = isOpen ? 0 : input.document.source(ofBlock: main)
    writeFold("navigation (\(count(links)))", target: .navigation, isOpen: isOpen)
  }

  private func count(_ links: Set<Int32>) -> String {
    links.count == 1 ? "1 link" : "\(links.count) links"
  }

  /// A line that stands for what it opens and closes.
  private mutating func writeFold(_ words: String, target: PageLayout.Target, isOpen: Bool) {
    let text = (isOpen ? input.glyphs.opened : input.glyphs.closed) + words
    inline.removeAll()
    inline.append(text.utf8, style: TextStyle(.dim), target: target, source: source)
    fill()
  }

  /// Writes the line above a part of the page, where that begins.
  /// - Returns: Whether the block is laid out; else `next` is behind what is folded away.
  mutating func foldPart(at block: Int32) -> Bool {
    let parts = input.document.parts
    guard input.options.foldsDetails, partCount < parts.count else { return true }
    while partCount < parts.count, parts[partCount].blocks.lowerBound < block { partCount += 1 }
    guard partCount < parts.count, parts[partCount].blocks.lowerBound == block else { return true }
    let part = parts[partCount]
    let number = input.document.number(ofPart: partCount)
    let isOpen = part.kind.isOpen != input.options.toggledDetails.contains(number)
    let end = part.blocks.upperBound
    partCount += 1
    source = input.document.source(ofBlock: isOpen ? block : end)
    gap = true
    writeGap()
    var words = part.kind.words
    if part.kind == .preamble {
      let links = input.document.runs(ofBlocks: part.blocks).filter { $0.link >= 0 }.map(\.link)
      words += " (\(count(Set(links))))"
    }
    writeFold(words, target: .details(number), isOpen: isOpen)
    gap = true
    if !isOpen { next = end }
    return isOpen
  }

  private func linkNumbers() -> [Int32] {
    var numbers = Array(repeating: Int32(0), count: input.document.links.count)
    var last: Int32 = 0
    for run in input.document.runs(ofBlocks: next..<end)
    where run.link >= 0 && numbers[Int(run.link)] == 0 && run.end > run.start {
      last += 1
      numbers[Int(run.link)] = last
    }
    return numbers
  }

  /// Lists the URLs of numbered links.
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
      fill(room: max(1, width - margin - columns), isCode: true)
      indentation.pop(to: parts)
    }
  }
}

extension Document {
  /// What stands for one of `parts` in `LayoutOptions.toggledDetails`: a number behind those of
  /// disclosures and folds.
  package func number(ofPart index: Int) -> Int32 { Int32(blocks.count + folds.count + index) }

  /// The runs of a range of blocks.
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

  /// Offset of the first text in or after a block; the length of the text past the last one.
  package func source(ofBlock index: Int32) -> UInt32 {
    for block in blocks[Int(index)...] {
      if let run = block.runs.first { return runs[Int(run)].start }
    }
    return UInt32(text.count)
  }
}

extension Document.Part.Kind {
  /// What the line above says.
  fileprivate var words: String {
    switch self {
    case .revealed: "text that a script would show"
    case .preamble: "before the text"
    }
  }
}
