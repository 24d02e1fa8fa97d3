import DOM

// Manual pages and references begin with code: a synopsis, a signature, a definition. Such blocks
// do not score as prose.

extension PageBlocks {
  /// Keeps code blocks within the element that holds the kept text, and definitions above that
  /// text, with the lines that introduce them.
  /// - Parameters:
  ///   - stays: Whether each block is kept.
  ///   - isOutside: Whether each block is outside navigation.
  func keepCodeAndDefinitions(_ stays: inout [Bool], _ isOutside: [Bool]) {
    guard let first = stays.firstIndex(of: true), let last = stays.lastIndex(of: true) else {
      return
    }
    let around = containers[Int(textElement(of: stays))].blocks
    var opening: Int?
    for container in containers.dropFirst()
    where container.name == .pre || container.name == .dl {
      let range = Int(container.blocks.lowerBound)..<Int(container.blocks.upperBound)
      guard !range.isEmpty, range.lowerBound >= around.lowerBound,
        range.upperBound <= around.upperBound, range.lowerBound < last,
        container.name == .pre ? isCode(range) : range.upperBound <= first && isDefinitions(range),
        range.allSatisfy({ isOutside[$0] && !isInAside(blocks[$0]) })
      else { continue }
      for index in range { stays[index] = true }
      if range.upperBound <= first { opening = min(opening ?? range.lowerBound, range.lowerBound) }
    }
    guard let opening else { return }
    keepIntroduction(&stays, from: Int(around.lowerBound), before: opening, isOutside)
    // Keep the headings and paragraphs between the opening code and the text.
    keepIntroduction(&stays, from: opening, before: first, isOutside)
  }

  /// Returns the innermost element that holds nearly all of the kept text.
  private func textElement(of stays: [Bool]) -> Int32 {
    var sums = [0]
    for (index, block) in blocks.enumerated() {
      sums.append((sums.last ?? 0) + (stays[index] ? Int(block.text.wordCount) : 0))
    }
    let all = sums.last ?? 0
    var innermost: Int32 = 0
    for (index, container) in containers.enumerated()
    where container.parent == innermost || index == 0 {
      let own = sums[Int(container.blocks.upperBound)] - sums[Int(container.blocks.lowerBound)]
      if own * 50 >= all * 49 { innermost = Int32(index) }
    }
    // A large section may hold nearly all text of a page with otherwise small sections.
    let name = containers[Int(innermost)].name
    return innermost > 0 && name != .article && name != .main
      ? containers[Int(innermost)].parent : innermost
  }

  private func isCode(_ range: Range<Int>) -> Bool {
    range.reduce(0) { $0 + Int(blocks[$1].text.wordCount) } >= 2
      && range.allSatisfy { blocks[$0].copies == 1 || range.count > 1 }
  }

  /// Returns whether the blocks of a `dl` are definitions in sentences.
  private func isDefinitions(_ range: Range<Int>) -> Bool {
    range.count >= 2 && range.contains { blocks[$0].text.isProse && blocks[$0].text.sentences > 0 }
      && range.allSatisfy { blocks[$0].phrases.isEmpty }
  }

  /// Keeps headings and paragraphs before a block.
  private func keepIntroduction(
    _ stays: inout [Bool], from start: Int, before end: Int, _ isOutside: [Bool]
  ) {
    for index in (start..<end).reversed() where !stays[index] {
      let block = blocks[index]
      let name = containers[Int(block.container)].name
      guard isOutside[index], !isInAside(block),
        block.text.linkWordCount * 2 <= block.text.wordCount,
        block.phrases.isEmpty, block.headingLevel > 0 || name == .p || name == .dt || name == .dd
      else { return }
      stays[index] = true
    }
  }
}
