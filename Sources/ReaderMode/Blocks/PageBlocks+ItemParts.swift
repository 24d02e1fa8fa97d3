import Document

// What goes with an item that is kept, although it does not look like content by itself: who wrote a
// post and when, and what a thing costs.

extension PageBlocks {
  /// Adds to the blocks that look like content those that belong to the same items.
  /// - Parameters:
  ///   - isKept: Whether each block looks like content.
  ///   - kind: What the page is.
  /// - Returns: Whether each block is kept.
  func withItemParts(_ isKept: [Bool], of kind: PageKind) -> [Bool] {
    switch kind {
    case .forum: withAuthorsAndDates(isKept)
    case .collection: withPrices(isKept)
    case .product: withPrice(isKept)
    case .article, .documentation, .listing, .service: isKept
    }
  }

  // MARK: Posts

  /// Keeps of each post that is kept the line that fits the name of its author best, and that of its
  /// date; of several the first.
  private func withAuthorsAndDates(_ isKept: [Bool]) -> [Bool] {
    let posts = posts(isKept)
    // For each post and name the first of the lines that fit it best.
    var best: [Int: (line: Int, rank: Int)] = [:]
    for (index, block) in blocks.enumerated() where isLine(block) {
      let post = Int(posts[Int(block.container)])
      guard post >= 0 else { continue }
      let depth = Int(containers[Int(block.container)].depth) - Int(containers[post].depth)
      let distances = Self.lineNames.map { distance(to: Int($0.rawValue), from: block) ?? .max }
      for (place, distance) in distances.enumerated() where distance <= min(Self.lineDepth, depth) {
        // What is nearer to the other name is about that.
        let other = distances[1 - place]
        let rank = distance < other ? 0 : distance == other ? 1 : 2
        if rank < best[2 * post + place]?.rank ?? .max { best[2 * post + place] = (index, rank) }
      }
    }
    var result = isKept
    for (line, _) in best.values { result[line] = true }
    return result
  }

  /// Whether a block is short enough to say who wrote a post or when; one that says both in elements of
  /// their own may say more.
  private func isLine(_ block: Block) -> Bool {
    let saysBoth = Self.lineNames.allSatisfy { block.topics >> UInt64($0.rawValue) & 1 != 0 }
    return block.text.words <= (saysBoth ? Self.mostFullLineWords : Self.mostLineWords)
  }

  private static let lineNames = [BlockTopic.authorWord, .dateWord]
  private static let mostFullLineWords = 16

  /// For each container the post it belongs to, of those of which something is kept; or -1.
  ///
  /// A post is an item of a list of such, or what is named so and has a text and an author or a date:
  /// where there are fewer than three, and in answers that stand in the post that they answer.
  private func posts(_ isKept: [Bool]) -> [Int32] {
    let named = namedPosts
    var isPost = [Bool](repeating: false, count: containers.count)
    for (index, block) in blocks.enumerated() where isKept[index] {
      let unit = containers[Int(block.container)].unit
      let post = named[Int(block.container)]
      if unit >= 0 { isPost[Int(unit)] = true }
      if post > unit, block.text.words > Self.mostLineWords { isPost[Int(post)] = true }
    }
    var posts = [Int32](repeating: -1, count: containers.count)
    for index in containers.indices.dropFirst() {
      posts[index] = isPost[index] ? Int32(index) : posts[Int(containers[index].parent)]
    }
    return posts
  }

  /// For each container the nearest around it, itself included, that is named for a post and holds a
  /// line with an author or a date, but not the title of the page; or -1.
  private var namedPosts: [Int32] {
    var linesBefore = [0]
    linesBefore.reserveCapacity(blocks.count + 1)
    for (index, block) in blocks.enumerated() {
      let isLine =
        block.text.words <= Self.mostLineWords
        && [BlockTopic.authorWord, .dateWord].contains {
          distance(to: Int($0.rawValue), from: block).map { $0 <= Self.lineDepth } ?? false
        }
      linesBefore.append(linesBefore[index] + (isLine ? 1 : 0))
    }
    var posts = [Int32](repeating: -1, count: containers.count)
    for (index, container) in containers.enumerated().dropFirst() {
      let range = container.blocks
      let hasLine = linesBefore[Int(range.upperBound)] > linesBefore[Int(range.lowerBound)]
      let depths = surroundings[Int(container.surroundings)].depths
      let isNamed = [BlockTopic.postWord, .commentWord, .questionWord, .article].contains {
        depths[Int($0.rawValue)] == container.depth
      }
      posts[index] =
        isNamed && hasLine && !range.contains(firstTitle)
        ? Int32(index) : posts[Int(container.parent)]
    }
    return posts
  }

  /// A line with an author or a date has at most so many words, and its name is so near.
  private static let mostLineWords = 8
  static let lineDepth = 3

  // MARK: Things

  /// Keeps what the thing costs that a page is about: the first price that stands in something named for
  /// it, before the end of what is kept, and what stands there with it, such as what it cost before.
  private func withPrice(_ isKept: [Bool]) -> [Bool] {
    guard let last = isKept.lastIndex(of: true) else { return isKept }
    let price = BlockTopic.priceWord
    let found = blocks[..<last].firstIndex { block in
      block.text.hasPrice && block.text.words <= Self.mostPriceWords
        && distance(to: Int(price.rawValue), from: block).map { $0 <= Self.lineDepth } == true
        && !standsBesideThing(block)
    }
    guard let found else { return isKept }
    var named = Int(blocks[found].container)
    let row = surroundings[Int(containers[named].surroundings)]
    while containers[named].depth > row.depths[Int(price.rawValue)] {
      named = Int(containers[named].parent)
    }
    var result = isKept
    result[found] = true
    let together = containers[named].blocks
    guard together.count <= Self.mostPrices else { return result }
    for index in together where blocks[Int(index)].text.hasPrice { result[Int(index)] = true }
    return result
  }

  /// Whether a block stands in the head or the end of the page, in a cart, or with other things.
  private func standsBesideThing(_ block: Block) -> Bool {
    let row = surroundings[Int(containers[Int(block.container)].surroundings)]
    return containers[Int(block.container)].unit >= 0
      || [BlockTopic.header, .nav, .footer, .aside, .relatedWord, .cookieWord].contains {
        row.depths[Int($0.rawValue)] != .max
      }
  }

  /// What stands in one place with a price has at most so many blocks.
  private static let mostPrices = 6

  /// Keeps the price of each thing that is kept, where things are mostly kept.
  private func withPrices(_ isKept: [Bool]) -> [Bool] {
    // The words that are kept of each thing, and of all that look the same.
    var ofUnit = [Int](repeating: 0, count: containers.count)
    var ofLikes: [UInt64: Int] = [:]
    for (index, block) in blocks.enumerated() where isKept[index] {
      let unit = Int(containers[Int(block.container)].unit)
      guard unit >= 0 else { continue }
      ofUnit[unit] += Int(block.text.words)
      ofLikes[containers[unit].role, default: 0] += Int(block.text.words)
    }
    return blocks.enumerated().map { index, block in
      guard !isKept[index], block.text.hasPrice, block.text.words <= Self.mostPriceWords,
        case let unit = Int(containers[Int(block.container)].unit), unit >= 0, ofUnit[unit] > 0
      else { return isKept[index] }
      return ofLikes[containers[unit].role, default: 0] * 5
        >= Int(containers[unit].similarWords) * 2
    }
  }

  /// A price has at most so many words: it and what it was before.
  private static let mostPriceWords = 6
}
