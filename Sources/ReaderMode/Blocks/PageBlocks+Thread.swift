import DOM

// Detects threads by their posts, because forums declare their kind less often than other sites.
// When unsure, a page is not a thread; otherwise comments below an article, product reviews and
// lists of articles would count as content.

extension PageBlocks {
  /// Whether the page consists mostly of posts: similar items of which most have a text, a line
  /// with an author, one with a date, and no title (titles link to other pages).
  var isThread: Bool {
    // For most pages, this check is enough.
    guard signals.declaredKinds.isDisjoint(with: Self.kindsExcludingThread),
      hasElement(.authorWord), hasElement(.dateWord)
    else { return false }
    var posts: [Int: PostParts] = [:]
    for block in blocks {
      guard let unit = containers[Int(block.containerIndex)].unitIndex.value,
        !isOutsideMainContent(unit)
      else { continue }
      posts[unit, default: PostParts()].add(block) { topic in
        distance(to: topic, from: block).map {
          $0 <= Int(containers[Int(block.containerIndex)].depth) - Int(containers[unit].depth)
        } ?? false
      }
    }
    let whole = sum(allBlockIndices)
    return Dictionary(grouping: posts.keys) { containers[$0].roleHash }.values.contains {
      likes in
      let isWhole = likes.count { posts[$0]?.isCompletePost(among: likes.count) == true }
      guard isWhole >= Self.minPosts, isWhole * 4 >= likes.count * 3 else { return false }
      let sums = likes.map { sum(containers[$0].blockRange) }
      let (wordCount, prose) = sums.reduce((0, 0)) {
        ($0.0 + $1.wordCount, $0.1 + $1.proseWordCount)
      }
      return wordCount * 2 >= whole.wordCount
        && whole.proseWordCount - prose < max(Self.maxSecondaryWordCount, prose / 4)
    }
  }

  /// The declarations that rule out a thread.
  static let kindsExcludingThread: DeclaredKind = [
    .article, .product, .documentation, .service, .productList,
  ]

  static let minPosts = 3
  /// The number of words of prose outside the posts from which that prose, rather than the posts,
  /// is the subject of the page. If a quarter of the prose in the posts is more, that number
  /// applies.
  private static let maxSecondaryWordCount = 50

  private func isOutsideMainContent(_ unit: Int) -> Bool {
    topicDepths[Int(containers[unit].topicDepthsIndex)].topicBits & Self.secondaryTopics != 0
  }

  private static let secondaryTopics = BlockTopic.bits([
    .nav, .aside, .footer, .relatedWord, .sidebarWord, .reviewWord,
  ])

  private func hasElement(_ topic: BlockTopic) -> Bool {
    topicDepths.contains { $0.topicBits & topic.bit != 0 }
      || blocks.contains { $0.topicBits & topic.bit != 0 }
  }

  /// The parts found in an item.
  private struct PostParts {
    private var hasAuthor = false, hasDate = false, hasText = false
    /// The number of occurrences of the title of the item on the page; 0 without a title.
    private var titleCopyCount = 0

    /// Whether the item is a complete post. A text that most of the `itemCount` items share, such
    /// as "Re: …" above each, is not a title.
    func isCompletePost(among itemCount: Int) -> Bool {
      hasAuthor && hasDate && hasText && (titleCopyCount == 0 || titleCopyCount * 2 > itemCount)
    }

    mutating func add(_ block: Block, isNear: (BlockTopic) -> Bool) {
      var isNamed = false
      if block.text.wordCount <= PostParts.maxLineLength {
        let (isAuthor, isDate) = (isNear(.authorWord), isNear(.dateWord))
        if isAuthor { hasAuthor = true }
        if isDate { hasDate = true }
        isNamed = isAuthor || isDate
      }
      let isLink = block.text.linkWordCount * 2 > block.text.wordCount && block.text.wordCount >= 3
      if !isNamed, !hasText, block.headingLevel > 0 || isLink {
        titleCopyCount = Int(block.copyCount)
      }
      if block.text.isProse { hasText = true }
    }

    /// The maximum number of words of an author or date line.
    private static let maxLineLength = 14
  }
}
