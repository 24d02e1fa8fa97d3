import DOM
import Document

// Parts of kept items that do not look like content by themselves: author and date of a post, price
// of a product.

extension PageBlocks {
  /// Adds parts of the same items to the blocks that look like content.
  func withItemParts(_ isKept: [Bool], of kind: PageKind) -> [Bool] {
    switch kind {
    case .forum: withAuthorsAndDates(withSimilarPosts(isKept))
    case .productList: withPrices(isKept)
    case .product: withPrice(isKept)
    case .article, .documentation, .linkList, .service: isKept
    }
  }

  // MARK: Posts

  /// Keeps the texts of posts without any kept sentence if their elements have the same name and
  /// class as those of posts with one, together with their authors. Short replies score lower than
  /// long ones.
  private func withSimilarPosts(_ isKept: [Bool]) -> [Bool] {
    let posts = postContainers
    var signatures: Set<UInt64> = []
    for (index, block) in blocks.enumerated() where isKept[index] && isSentence(block) {
      if let post = posts[Int(block.containerIndex)].value, isNamedPost(post) {
        signatures.insert(containers[post].signature)
      }
    }
    guard !signatures.isEmpty else { return isKept }
    func postIndex(of block: Block) -> Int {
      var post = Int(block.containerIndex)
      while post > 0, !signatures.contains(containers[post].signature) || !isNamedPost(post) {
        post = Int(containers[post].parentIndex)
      }
      return post
    }
    let sentences = blocks.indices.filter { isSentence(blocks[$0]) }
    let complete = Set(sentences.filter { isKept[$0] }.map { postIndex(of: blocks[$0]) })
    var result = isKept
    var completed: Set<Int> = []
    for index in sentences where !isKept[index] && blocks[index].copyCount == 1 {
      let post = postIndex(of: blocks[index])
      guard post > 0, !complete.contains(post) else { continue }
      result[index] = true
      guard completed.insert(post).inserted else { continue }
      for line in Int(containers[post].blockRange.lowerBound)..<index
      where mayBeAuthorOrDate(blocks[line]) && isNear(.authorWord, blocks[line], maxDistance: 1) {
        result[line] = true
      }
    }
    return result
  }

  private func isSentence(_ block: Block) -> Bool {
    block.headingLevel == 0 && block.text.sentenceEndCount > 0 && block.phrases.isEmpty
      && block.text.linkWordCount * 2 < block.text.wordCount
  }

  /// Whether the class, id or role of a container names it as a post or a comment.
  private func isNamedPost(_ container: Int) -> Bool {
    hasTopic(Self.namedPostTopics, containers[container])
  }

  private static let namedPostTopics = BlockTopic.bits([.postWord, .commentWord])

  /// Keeps, for each kept post, the block most likely to name its author and the block most likely
  /// to give its date; of several equally likely blocks, the first.
  private func withAuthorsAndDates(_ isKept: [Bool]) -> [Bool] {
    let posts = keptPosts(isKept)
    // For each post and each of the two names, the best block so far.
    var best: [Int: (line: Int, rank: Int)] = [:]
    for (index, block) in blocks.enumerated() where mayBeAuthorOrDate(block) {
      guard let post = posts[Int(block.containerIndex)].value else { continue }
      let depth = Int(containers[Int(block.containerIndex)].depth) - Int(containers[post].depth)
      let distances = Self.bylineTopics.map { distance(to: $0, from: block) ?? .max }
      for (position, distance) in distances.enumerated()
      where distance <= min(Self.maxBylineDepth, depth) {
        // A block nearer to an element of the other name belongs to that.
        let other = distances[1 - position]
        let rank = distance < other ? 0 : distance == other ? 1 : 2
        if rank < best[2 * post + position]?.rank ?? .max {
          best[2 * post + position] = (index, rank)
        }
      }
    }
    var result = isKept
    for (line, _) in best.values { result[line] = true }
    return result
  }

  /// Whether a block is short enough to be the author or the date of a post; blocks with separate
  /// elements for both may be longer.
  private func mayBeAuthorOrDate(_ block: Block) -> Bool {
    let saysBoth = Self.bylineTopics.allSatisfy { block.topicBits & $0.bit != 0 }
    return block.text.wordCount
      <= (saysBoth ? Self.maxAuthorAndDateWordCount : Self.maxBylineWordCount)
  }

  private static let bylineTopics = [BlockTopic.authorWord, .dateWord]
  private static let maxAuthorAndDateWordCount = 16

  /// Returns, for each container, the post that it belongs to if part of that post is kept;
  /// otherwise nil.
  ///
  /// A post is an item of a list, or an element named for a post that has text and an author or a
  /// date. The latter covers pages with fewer than three posts, and replies nested in the post they
  /// reply to.
  private func keptPosts(_ isKept: [Bool]) -> [OptionalIndex] {
    let named = postContainers
    var isPost = [Bool](repeating: false, count: containers.count)
    for (index, block) in blocks.enumerated() where isKept[index] {
      let unit = containers[Int(block.containerIndex)].unitIndex.value
      if let unit { isPost[unit] = true }
      if let post = named[Int(block.containerIndex)].value, unit.map({ post > $0 }) ?? true,
        block.text.wordCount > Self.maxBylineWordCount || isPostText(block)
      {
        isPost[post] = true
      }
    }
    var posts = [OptionalIndex](repeating: nil, count: containers.count)
    for index in containers.indices.dropFirst() {
      posts[index] =
        isPost[index] ? OptionalIndex(index) : posts[Int(containers[index].parentIndex)]
    }
    return posts
  }

  /// Whether a short block is the text of a post rather than its author or date.
  private func isPostText(_ block: Block) -> Bool {
    block.headingLevel == 0 && block.text.linkWordCount * 2 < block.text.wordCount
      && !isNearBylineName(block)
  }

  /// Whether a block is in or near an element that is named for an author or a date.
  func isNearBylineName(_ block: Block) -> Bool {
    Self.bylineTopics.contains { isNear($0, block, maxDistance: Self.maxBylineDepth) }
  }

  /// For each container, the nearest one (itself or an ancestor) that is named for a post and
  /// contains a line with an author or a date but not the title of the page; otherwise nil.
  private var postContainers: [OptionalIndex] {
    var linesBefore = [0]
    linesBefore.reserveCapacity(blocks.count + 1)
    for (index, block) in blocks.enumerated() {
      let isLine =
        block.text.wordCount <= Self.maxBylineWordCount
        && isNearBylineName(block)
      linesBefore.append(linesBefore[index] + (isLine ? 1 : 0))
    }
    var posts = [OptionalIndex](repeating: nil, count: containers.count)
    for (index, container) in containers.enumerated().dropFirst() {
      let range = container.blockRange
      let hasLine = linesBefore[Int(range.upperBound)] > linesBefore[Int(range.lowerBound)]
      let isNamed = hasTopic(Self.postTopics, container)
      posts[index] =
        isNamed && hasLine && !containsFirstTitle(range)
        ? OptionalIndex(index) : posts[Int(container.parentIndex)]
    }
    return posts
  }

  private static let postTopics = BlockTopic.bits([
    .postWord, .commentWord, .questionWord, .article,
  ])
  /// The maximum number of words of a line with an author or a date.
  private static let maxBylineWordCount = 8
  /// The maximum distance, in containers, of a line from the element that is named for its author
  /// or date.
  static let maxBylineDepth = 3

  // MARK: Prices

  /// Keeps the price of the product of a page: the first price in an element named for it and
  /// before the end of the kept blocks, together with other prices in the same element, such as the
  /// former price.
  private func withPrice(_ isKept: [Bool]) -> [Bool] {
    guard let last = isKept.lastIndex(of: true) else { return isKept }
    let price = BlockTopic.priceWord
    let found = blocks[..<last].firstIndex { block in
      block.text.hasPrice && block.text.wordCount <= Self.maxPriceWordCount
        && isNear(price, block, maxDistance: Self.maxBylineDepth)
        && !isInSecondaryPart(block)
    }
    guard let found else { return isKept }
    var named = Int(blocks[found].containerIndex)
    let row = topicDepths[Int(containers[named].topicDepthsIndex)]
    while containers[named].depth > row.depths[Int(price.rawValue)] {
      named = Int(containers[named].parentIndex)
    }
    var result = isKept
    result[found] = true
    let together = containers[named].blockRange
    guard together.count <= Self.maxPrices else { return result }
    for index in together where blocks[Int(index)].text.hasPrice { result[Int(index)] = true }
    return result
  }

  /// Whether a block is in a repeated item, a header, a footer, navigation, an aside, related
  /// content or a cookie banner.
  private func isInSecondaryPart(_ block: Block) -> Bool {
    containers[Int(block.containerIndex)].unitIndex != nil
      || topicBits(around: block) & Self.secondaryPartTopics != 0
  }

  private static let secondaryPartTopics = BlockTopic.bits([
    .header, .nav, .footer, .aside, .relatedWord, .cookieWord,
  ])

  /// The maximum number of blocks in the element of the product's price for all prices in it to be
  /// kept; if there are more, only the first price is kept.
  private static let maxPrices = 6

  /// Keeps the price of each kept item if at least two fifths of the words of all similar items are
  /// kept.
  private func withPrices(_ isKept: [Bool]) -> [Bool] {
    // The kept words of each item, and of all similar items together.
    var ofUnit = [Int](repeating: 0, count: containers.count)
    var ofLikes: [UInt64: Int] = [:]
    for (index, block) in blocks.enumerated() where isKept[index] {
      guard let unit = containers[Int(block.containerIndex)].unitIndex.value else { continue }
      ofUnit[unit] += Int(block.text.wordCount)
      ofLikes[containers[unit].roleHash, default: 0] += Int(block.text.wordCount)
    }
    return blocks.enumerated().map { index, block in
      guard !isKept[index], block.text.hasPrice, block.text.wordCount <= Self.maxPriceWordCount,
        let unit = containers[Int(block.containerIndex)].unitIndex.value,
        ofUnit[unit] > 0
      else { return isKept[index] }
      return ofLikes[containers[unit].roleHash, default: 0] * 5
        >= Int(containers[unit].similarWordCount) * 2
    }
  }

  /// The maximum number of words of a price, including the former price.
  private static let maxPriceWordCount = 6
}
