import HTML

/// What stands before the first block and after the last.
extension BlockLayout {
  /// Folds the navigation; numbers the links that are shown.
  mutating func beginDocument() {
    let main = Int32(input.document.mainContent)
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
    let count = links.count == 1 ? "1 link" : "\(links.count) links"
    let text = (isOpen ? input.glyphs.opened : input.glyphs.closed) + "navigation (\(count))"
    inline.removeAll()
    inline.append(
      text.utf8, style: TextStyle(.dim), link: PageLayout.foldLink, source: source)
    fill()
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
    let places = writer.layout.links.filter { $0.link >= 0 }
    guard input.options.linkNumbers == .numbers, !places.isEmpty else { return }
    gap = true
    writeGap()
    let columns = "[\(places.count)] ".utf8.count
    for place in places {
      let number = "[\(context.linkNumbers[Int(place.link)])] "
      let padding = String(repeating: " ", count: max(0, columns - number.utf8.count))
      inline.removeAll()
      let target = input.options.target(of: place.link, in: input.document)
      inline.append(target.utf8, style: TextStyle(.link), link: place.link, source: source)
      let parts = indentation.parts.count
      indentation.push(
        marker: padding + number, rest: String(repeating: " ", count: columns), columns: columns,
        style: TextStyle(.dim))
      fill(room: max(1, width - margin - columns))
      indentation.pop(to: parts)
    }
  }
}

extension Document {
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
