import DOM
import Metadata

extension PageBlocks {
  /// Keeps lists below a heading or label such as "References" in the element of the text, which may
  /// consist of links to other pages.
  /// - Parameters:
  ///   - isKept: Whether each block is kept.
  ///   - mayBelong: Whether each block may belong to the text.
  ///   - tree: The page.
  func keepSources(_ isKept: inout [Bool], _ mayBelong: [Bool], in tree: DOMTree) {
    for index in blocks.indices.dropLast() where mayBelong[index] && isShortLabel(blocks[index]) {
      guard let range = listRange(after: index),
        wordCount(in: range) <= Self.maxSourceWordCount,
        range.allSatisfy({ mayBelong[Int($0)] }),
        Vocabulary.sourceLabels.contains(PageTitle.comparisonKey(text(of: index, in: tree))),
        followsText(index, isKept)
      else { continue }
      isKept[index] = true
      for position in range { isKept[Int(position)] = true }
    }
  }

  private func isShortLabel(_ block: Block) -> Bool {
    block.headingLevel != 1 && block.text.linkCount == 0
      && 1...Self.maxSourceLabelWordCount ~= Int(block.text.wordCount)
  }

  /// Whether a kept sentence precedes a block in the element around it, or in the next one.
  private func followsText(_ index: Int, _ isKept: [Bool]) -> Bool {
    let own = containers[Int(blocks[index].containerIndex)]
    let isLine = own.name.headingLevel > 0 || own.name == .p
    var around = isLine ? own.parentIndex : blocks[index].containerIndex
    for _ in 0..<Self.maxSourceSections where around >= 0 {
      let start = Int(containers[Int(around)].blockRange.lowerBound)
      if (start..<index).contains(where: { isKept[$0] && blocks[$0].text.isProse }) { return true }
      around = containers[Int(around)].parentIndex
    }
    return false
  }

  private static let maxSourceLabelWordCount = 4
  private static let maxSourceWordCount = 600
  /// The maximum number of elements around a label that are examined for the text.
  private static let maxSourceSections = 2
}
