import DOM

// Manual pages and references begin with code: a synopsis, a signature, a definition. Such blocks
// do not score as prose.

extension PageBlocks {
  /// Keeps code blocks within the element that holds the kept text, and definitions above that
  /// text, with the lines that introduce them.
  func keepCodeAndDefinitions(_ isKept: inout [Bool], _ isOutsideNavigation: [Bool]) {
    guard let first = isKept.firstIndex(of: true), let last = isKept.lastIndex(of: true) else {
      return
    }
    let around = containers[Int(textContainerIndex(of: isKept))].blockRange
    var opening: Int?
    for container in containers.dropFirst()
    where container.name == .pre || container.name == .dl {
      let range = Int(container.blockRange.lowerBound)..<Int(container.blockRange.upperBound)
      guard !range.isEmpty, range.lowerBound >= around.lowerBound,
        range.upperBound <= around.upperBound, range.lowerBound < last,
        container.name == .pre ? isCode(range) : range.upperBound <= first && areDefinitions(range),
        range.allSatisfy({ isOutsideNavigation[$0] && !isInSecondaryElement(blocks[$0]) })
      else { continue }
      for index in range { isKept[index] = true }
      if range.upperBound <= first { opening = min(opening ?? range.lowerBound, range.lowerBound) }
    }
    guard let opening else { return }
    keepIntroduction(&isKept, from: Int(around.lowerBound), before: opening, isOutsideNavigation)
    // Keep the headings and paragraphs between the opening code and the text.
    keepIntroduction(&isKept, from: opening, before: first, isOutsideNavigation)
  }

  /// Returns the innermost element that holds nearly all of the kept text.
  func textContainerIndex(of isKept: [Bool]) -> Int32 {
    let sums = keptWordSums(isKept)
    var innermost: Int32 = 0
    for (index, container) in containers.enumerated()
    where container.parentIndex == innermost || index == 0 {
      let own =
        sums[Int(container.blockRange.upperBound)] - sums[Int(container.blockRange.lowerBound)]
      if own * 50 >= sums[blocks.count] * 49 { innermost = Int32(index) }
    }
    // A large section may hold nearly all text of a page with otherwise small sections.
    let name = containers[Int(innermost)].name
    return innermost > 0 && name != .article && name != .main
      ? containers[Int(innermost)].parentIndex : innermost
  }

  private func isCode(_ range: Range<Int>) -> Bool {
    range.reduce(0) { $0 + Int(blocks[$1].text.wordCount) } >= 2
      && range.allSatisfy { blocks[$0].copyCount == 1 || range.count > 1 }
  }

  /// Returns whether the blocks of a `dl` are definitions in sentences.
  private func areDefinitions(_ range: Range<Int>) -> Bool {
    range.count >= 2
      && range.contains { blocks[$0].text.isProse && blocks[$0].text.sentenceEndCount > 0 }
      && range.allSatisfy { blocks[$0].phrases.isEmpty }
  }

  /// Keeps headings and paragraphs before a block.
  private func keepIntroduction(
    _ isKept: inout [Bool], from start: Int, before end: Int, _ isOutsideNavigation: [Bool]
  ) {
    for index in (start..<end).reversed() where !isKept[index] {
      let block = blocks[index]
      let name = containers[Int(block.containerIndex)].name
      guard isOutsideNavigation[index], !isInSecondaryElement(block),
        block.text.linkWordCount * 2 <= block.text.wordCount,
        block.phrases.isEmpty, block.headingLevel > 0 || name == .p || name == .dt || name == .dd
      else { return }
      isKept[index] = true
    }
  }
}
