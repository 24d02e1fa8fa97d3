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
        followsText(index, lastSentence, range),
        isLine
          || range.contains(where: { blocks[Int($0)].text.linkCount > 0 })
            && announcesLinks(index, lastSentence, in: tree)
      else { continue }
      isKept[index] = true
      for position in range { isKept[Int(position)] = true }
    }
  }

  /// Whether a block is a label of sources, or one such as "Resources" in the element of the text.
  /// Beside the text, the latter is above links of the site.
  private func announcesLinks(_ index: Int, _ lastSentence: Int?, in tree: DOMTree) -> Bool {
    let key = PageTitle.comparisonKey(text(of: index, in: tree))
    if Vocabulary.sourceLabels.contains(key) { return true }
    guard let lastSentence, Vocabulary.linkListLabels.contains(key) else { return false }
    let article = ancestor(.article, of: blocks[index])
    if article > 0, article == ancestor(.article, of: blocks[lastSentence]) { return true }
    var around = elementAround(index)
    if around > 0, containers[Int(around)].name == .section {
      around = containers[Int(around)].parentIndex
    }
    return containers[Int(around)].blockRange.contains(Int32(lastSentence))
  }

  /// Returns the index of the container around a line that is a heading, a paragraph or text.
  private func elementAround(_ index: Int) -> Int32 {
    let own = blocks[index].containerIndex
    let name = containers[Int(own)].name
    return name.headingLevel > 0 || name == .p ? containers[Int(own)].parentIndex : own
  }

  private func isIntroduction(_ block: Block) -> Bool {
    block.headingLevel == 0 && block.text.lastByte == UInt8(ascii: ":")
      && Self.introductionWordCounts ~= Int(block.text.wordCount)
  }

  /// Whether the last kept sentence before a block is in the element around it, or in the next one,
  /// and that element contains a list, too.
  private func followsText(_ index: Int, _ lastSentence: Int?, _ list: Range<Int32>) -> Bool {
    guard let lastSentence else { return false }
    var around = elementAround(index)
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
