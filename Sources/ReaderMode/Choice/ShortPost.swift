import DOM
import Metadata

// A post of a dozen words is shorter than the lists of other posts around it.

extension PageBlocks {
  /// The numbers of words outside links of a short post.
  private static let postWordCountRange = 3...60
  /// The maximum number of words of a short post and what belongs to it, such as its tags.
  private static let maxPostElementWordCount = 120
  /// The maximum number of words of prose outside the post; a page with more has another text.
  private static let maxOtherProseWordCount = 30
  /// The same for a post that is the main element, beside which there may be longer texts.
  private static let maxProseOutsideMain = 100
  /// The maximum number of words of prose of an item in a list of other posts; a longer one is a
  /// section of the text.
  private static let maxItemWordCount = 80
  private static let postTopics = BlockTopic.bits([.postWord, .articleWord])

  /// Returns the blocks of a short post: the text of the only element that is named as a post or an
  /// article, or is the main element, and contains the title of the page as a heading, or else the
  /// only heading of level 1; nil if there is no such element.
  func shortPost(title: String, in tree: DOMTree) -> [Bool]? {
    guard let (heading, isTitled) = titleOfPost(title, in: tree) else { return nil }
    var container = Int(blocks[heading].containerIndex)
    while container > 0, !isPost(container) { container = Int(containers[container].parentIndex) }
    guard container > 0, containers[container].unitIndex == nil,
      containers[container].similarCount == 1
    else { return nil }
    let range = containers[container].blockRange
    guard wordCount(in: range) <= Self.maxPostElementWordCount else { return nil }
    var isKept = [Bool](repeating: false, count: blocks.count)
    var count = 0
    for index in range where index > heading && isPostText(blocks[Int(index)]) {
      isKept[Int(index)] = true
      count += Int(blocks[Int(index)].text.wordCount) - Int(blocks[Int(index)].text.linkWordCount)
    }
    let isMain = containers[container].name == .main
    // The links of a post are its tags, but other elements may consist of links.
    guard isTitled && !isMain || sum(range).linkWordCount <= count else { return nil }
    let maxOther = isMain ? Self.maxProseOutsideMain : Self.maxOtherProseWordCount
    return Self.postWordCountRange.contains(count) && !hasText(outside: range, of: maxOther)
      ? isKept : nil
  }

  /// Returns the only heading with the title of the page, or else the only one of level 1, unless
  /// it links to another page, of which the text below it is the teaser.
  private func titleOfPost(
    _ title: String, in tree: DOMTree
  ) -> (heading: Int, isTitled: Bool)? {
    let key = PageTitle.comparisonKey(title)
    guard !key.isEmpty else { return nil }
    let short = blocks.indices.filter {
      blocks[$0].headingLevel > 0 && blocks[$0].text.wordCount < 40
    }
    var headings = short.filter { isHeading($0, withKey: key, in: tree) }
    let isTitled = !headings.isEmpty
    if !isTitled { headings = short.filter { blocks[$0].headingLevel == 1 } }
    guard headings.count == 1, let heading = headings.first else { return nil }
    return isTitled || !linksToOtherPage(heading, in: tree) ? (heading, isTitled) : nil
  }

  /// Returns whether the page has a text outside a range that is neither in a list of short items
  /// nor marked as secondary, and has more than `maxWordCount` words.
  private func hasText(outside range: Range<Int32>, of maxWordCount: Int) -> Bool {
    var wordCount = 0
    var itemWordCounts: [Int: Int] = [:]
    for (index, block) in blocks.enumerated()
    where block.text.isProse && !range.contains(Int32(index)) && !isInSecondaryElement(block) {
      if let unit = containers[Int(block.containerIndex)].unitIndex.value {
        itemWordCounts[unit, default: 0] += Int(block.text.wordCount)
      } else {
        wordCount += Int(block.text.wordCount)
      }
    }
    return wordCount > maxWordCount
      || itemWordCounts.values.contains { $0 > Self.maxItemWordCount }
  }

  /// Returns whether a container is an `article` or the main element, or named as a post and
  /// contains an element named as its text.
  private func isPost(_ index: Int) -> Bool {
    let container = containers[index]
    if container.name == .article || container.name == .main { return true }
    guard hasTopic(Self.postTopics, container) else { return false }
    var inner = index + 1
    while inner < containers.count,
      containers[inner].blockRange.lowerBound < container.blockRange.upperBound
    {
      if hasTopic(BlockTopic.bodyWord.bit, containers[inner]) { return true }
      inner += 1
    }
    return false
  }

  /// Returns whether a block is neither a line of links nor a part beside the text.
  private func isPostText(_ block: Block) -> Bool {
    block.text.wordCount > 0 && block.text.linkWordCount * 2 <= block.text.wordCount
      && block.phrases.isEmpty
      && !isInSecondaryElement(block)
      && ![BlockTopic.tagWord, .dateWord, .authorWord, .shareWord].contains {
        distance(to: $0, from: block) == 0
      }
  }
}

extension ContentModel.Selection {
  /// Returns whether most words of the selection are outside some blocks.
  func isMostlyOutside(_ blocks: [Bool]) -> Bool {
    var (inside, outside) = (0, 0)
    for (index, block) in page.blocks.enumerated() where isKept[index] {
      if blocks[index] {
        inside += Int(block.text.wordCount)
      } else {
        outside += Int(block.text.wordCount)
      }
    }
    return outside > inside
  }
}
