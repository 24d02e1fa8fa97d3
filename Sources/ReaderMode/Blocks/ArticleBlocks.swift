import DOM

/// The blocks of a page that are part of its article.
struct ArticleBlocks: Sendable {
  /// For each block, the share of its bytes that is in the article, in 32nds.
  private(set) var shares: [UInt8]
  /// The range from the first to the last block of the article.
  let range: Range<Int>
  /// The number of words of the article before each block and before the end.
  private(set) var wordCountBefore: [Int] = [0]
  /// The approximate number of words of the article outside any block.
  let otherWordCount: Int

  /// Determines which blocks of a page are in its article.
  init(in article: DOMTree, of page: PageBlocks, in tree: DOMTree) {
    var isInArticle = article.isReachable
    shares = page.blocks.map { block in
      var (size, shared) = (0, 0)
      for text in page.textNodes(of: block) {
        let length = Int(tree.nodes[Int(text)].end - tree.nodes[Int(text)].start)
        size += length
        if isInArticle[Int(text)] { shared += length }
        isInArticle[Int(text)] = false
      }
      return BlockFeatures.shareByte(shared, of: size)
    }
    otherWordCount = article.wordCount(in: isInArticle)
    let isIn = shares.map { $0 > Self.halfShare }
    let first = isIn.firstIndex(of: true) ?? 0
    range = first..<(isIn.lastIndex(of: true) ?? first - 1) + 1
    wordCountBefore.reserveCapacity(isIn.count + 1)
    for (block, isIn) in zip(page.blocks, isIn) {
      wordCountBefore.append(
        wordCountBefore[wordCountBefore.count - 1] + (isIn ? Int(block.text.wordCount) : 0))
    }
  }

  /// Half of a block, as a share in 1/32.
  private static let halfShare: UInt8 = 16

  /// The number of words in the blocks of the article.
  var wordCount: Int { wordCountBefore[wordCountBefore.count - 1] }

  /// Whether more than half of a block is in the article; false for an index out of range.
  func containsMost(_ block: Int) -> Bool {
    shares.indices.contains(block) && shares[block] > Self.halfShare
  }

  func wordCount(in blocks: Range<Int32>) -> Int {
    wordCountBefore[Int(blocks.upperBound)] - wordCountBefore[Int(blocks.lowerBound)]
  }

  /// Whether most words of the article are in the footer of the page or in navigation, as on a page
  /// whose text is shorter than its footer.
  func isMostlyFooter(of page: PageBlocks) -> Bool {
    let isOutside = page.isOutsideNavigation
    var footerWordCount = 0
    for (index, block) in page.blocks.enumerated()
    where containsMost(index) && !isOutside[index] && page.isInFooter(block) {
      footerWordCount += Int(block.text.wordCount)
    }
    return footerWordCount * 2 > wordCount
  }

  /// Whether the article consists of the given long text and little else.
  func consistsMostly(_ text: PageBlocks.LongText, of page: PageBlocks) -> Bool {
    var shared = 0
    for (index, block) in page.blocks.enumerated() where containsMost(index) && block.text.isProse {
      if page.textContainerIndex(of: block) == text.containerIndex {
        shared += Int(block.text.wordCount)
      }
    }
    return shared * 10 >= text.wordCount * 9 && shared * 5 >= (wordCount + otherWordCount) * 3
  }
}

extension DOMTree {
  /// For each node, whether it is part of the tree.
  var isReachable: [Bool] {
    var reachable = [Bool](repeating: false, count: nodes.count)
    for node in descendants(of: 0) { reachable[Int(node)] = true }
    return reachable
  }

  /// Returns the approximate number of words in the marked texts, of which there are usually few.
  fileprivate func wordCount(in isCounted: [Bool]) -> Int {
    var size = 0
    for (index, node) in nodes.enumerated()
    where isCounted[index] && node.name == .characters && !isWhiteSpace(node) {
      size += Int(node.end - node.start)
    }
    return size / 6
  }
}
