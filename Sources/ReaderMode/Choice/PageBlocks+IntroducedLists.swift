import DOM
import Metadata

extension PageBlocks {
  /// Keeps short definitions of kept terms: a term does not stay without its definition. In a list
  /// of similar items, such as posts, a term may be the name of a user.
  func keepDefinitions(_ isKept: inout [Bool], _ mayBelong: [Bool]) {
    // For each list, whether its last term is kept.
    var isTermKept: [Int32: Bool] = [:]
    for container in containers.dropFirst() {
      if container.name == .dt {
        isTermKept[container.parentIndex] = container.blockRange.contains { isKept[Int($0)] }
      }
      guard container.name == .dd, isTermKept[container.parentIndex] == true,
        containers[Int(container.parentIndex)].unitIndex == nil,
        !container.blockRange.contains(where: { isKept[Int($0)] }),
        case let sums = sum(container.blockRange), sums.wordCount <= Self.maxDefinitionWordCount,
        sums.linkWordCount * 2 <= sums.wordCount
      else { continue }
      for index in container.blockRange where mayBelong[Int(index)] { isKept[Int(index)] = true }
    }
  }

  private static let maxDefinitionWordCount = 40

  /// Keeps lists in the element of the text, which may consist of links to other pages, below a
  /// heading or label such as "References", or below a kept line that ends with a colon.
  func keepIntroducedLists(_ isKept: inout [Bool], _ mayBelong: [Bool], in tree: DOMTree) {
    var lastSentence: Int?
    for index in blocks.indices.dropLast() {
      defer { if isKept[index], blocks[index].text.isProse { lastSentence = index } }
      let isLine = isKept[index] && isIntroduction(blocks[index])
      guard mayBelong[index], blocks[index].headingLevel != 1, blocks[index].text.linkCount == 0,
        isLine || Int(blocks[index].text.wordCount) <= Self.maxSourceLabelWordCount,
        let range = listRange(after: index),
        wordCount(in: range) <= (isLine ? Self.maxIntroducedWordCount : Self.maxSourceWordCount),
        range.allSatisfy({ mayBelong[Int($0)] && !isNearListMetadata(blocks[Int($0)]) }),
        isLine
          || range.contains(where: { blocks[Int($0)].text.linkCount > 0 })
            && Vocabulary.sourceLabels.contains(PageTitle.comparisonKey(text(of: index, in: tree))),
        followsText(index, lastSentence, range)
      else { continue }
      isKept[index] = true
      for position in range { isKept[Int(position)] = true }
    }
  }

  private func isIntroduction(_ block: Block) -> Bool {
    block.headingLevel == 0 && block.text.lastByte == UInt8(ascii: ":")
      && Self.introductionWordCounts ~= Int(block.text.wordCount)
  }

  /// Whether the last kept sentence before a block is in the element around it, or in the next one,
  /// and that element contains a list, too.
  private func followsText(_ index: Int, _ lastSentence: Int?, _ list: Range<Int32>) -> Bool {
    guard let lastSentence else { return false }
    let own = containers[Int(blocks[index].containerIndex)]
    let isLine = own.name.headingLevel > 0 || own.name == .p
    var around = isLine ? own.parentIndex : blocks[index].containerIndex
    for _ in 0..<Self.maxSourceSections where around >= 0 {
      let range = containers[Int(around)].blockRange
      if range.upperBound >= list.upperBound, lastSentence >= Int(range.lowerBound) { return true }
      around = containers[Int(around)].parentIndex
    }
    return false
  }

  private static let introductionWordCounts = 4...60
  private static let maxSourceLabelWordCount = 3
  /// The maximum number of words of a list below a line, and of a list of sources.
  private static let maxIntroducedWordCount = 120, maxSourceWordCount = 600
  /// The maximum number of elements around a label that are examined for the text.
  private static let maxSourceSections = 2
}
