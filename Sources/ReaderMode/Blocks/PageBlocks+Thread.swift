// Whether a page is a thread, by its posts: a kind of page that says so of itself less often than
// others. In doubt it is none, for then comments below a text, reviews of a thing and lists of texts
// would be taken for what a reader came for.

extension PageBlocks {
  /// Whether the page is posts and hardly anything else: items that look the same, most of which have a
  /// text, a line with an author and one with a date, and no title, which what leads to another page
  /// has.
  var isThread: Bool {
    // Of most pages this is all that is looked at.
    guard page.declared.isDisjoint(with: Self.noThreads), isNamed(.authorWord), isNamed(.dateWord)
    else { return false }
    var posts: [Int32: Post] = [:]
    for block in blocks {
      let unit = containers[Int(block.container)].unit
      guard unit >= 0, !standsBeside(unit) else { continue }
      posts[unit, default: Post()].add(block) { topic in
        distance(to: Int(topic.rawValue), from: block).map {
          $0 <= Int(containers[Int(block.container)].depth) - Int(containers[Int(unit)].depth)
        } ?? false
      }
    }
    let whole = sum(all)
    return Dictionary(grouping: posts.keys) { containers[Int($0)].role }.values.contains { likes in
      let isWhole = likes.count { posts[$0]?.isWhole(among: likes.count) == true }
      guard isWhole >= Self.fewPosts, isWhole * 4 >= likes.count * 3 else { return false }
      let sums = likes.map { sum(containers[Int($0)].blocks) }
      let (words, prose) = sums.reduce((0, 0)) { ($0.0 + $1.words, $0.1 + $1.proseWords) }
      return words * 2 >= whole.words
        && whole.proseWords - prose < max(Self.mostWordsBeside, prose / 4)
    }
  }

  /// What a page declares that is no thread.
  private static let noThreads: Declared = [
    .article, .product, .documentation, .service, .collection,
  ]

  /// So many posts are a thread.
  static let fewPosts = 3
  /// A text of so many words beside the posts, or a quarter of theirs, is what they are about.
  private static let mostWordsBeside = 50

  /// Whether an item stands beside what a page is about.
  private func standsBeside(_ unit: Int32) -> Bool {
    let row = surroundings[Int(containers[Int(unit)].surroundings)]
    return Self.beside.contains { row.depths[Int($0.rawValue)] != .max }
  }

  private static let beside: [BlockTopic] = [
    .nav, .aside, .footer, .relatedWord, .sidebarWord, .reviewWord,
  ]

  /// Whether anything on the page has a topic.
  private func isNamed(_ topic: BlockTopic) -> Bool {
    let place = Int(topic.rawValue)
    return surroundings.contains { $0.depths[place] != .max }
      || blocks.contains { $0.topics >> UInt64(place) & 1 != 0 }
  }

  /// What is known of an item.
  private struct Post {
    private var hasAuthor = false, hasDate = false, hasText = false
    /// How often the page says its title; 0 without one.
    private var titleCopies = 0

    /// Whether it is a post among so many items. What most items say, as "Re: …" above each, is no
    /// title of one.
    func isWhole(among count: Int) -> Bool {
      hasAuthor && hasDate && hasText && (titleCopies == 0 || titleCopies * 2 > count)
    }

    mutating func add(_ block: Block, isNear: (BlockTopic) -> Bool) {
      var isNamed = false
      if block.text.words <= Post.longestLine {
        let (isAuthor, isDate) = (isNear(.authorWord), isNear(.dateWord))
        if isAuthor { hasAuthor = true }
        if isDate { hasDate = true }
        isNamed = isAuthor || isDate
      }
      let isLink = block.text.linkWords * 2 > block.text.words && block.text.words >= 3
      if !isNamed, !hasText, block.headingLevel > 0 || isLink {
        titleCopies = Int(block.copies)
      }
      if block.text.isProse { hasText = true }
    }

    /// Words of a line at most.
    private static let longestLine = 14
  }
}
