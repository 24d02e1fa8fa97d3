// Whether a page is a thread, by its posts: a kind of page that says so of itself less often than
// others.

extension PageBlocks {
  /// Whether most of the page is posts: items among their likes, each with a text, a line that names
  /// its author and one with its date, and no title of its own, as what leads to another page has.
  var isThread: Bool {
    // Of most pages this is all that is looked at.
    guard isNamed(.authorWord), isNamed(.dateWord) else { return false }
    var posts: [Int32: Post] = [:]
    for block in blocks {
      let unit = containers[Int(block.container)].unit
      guard unit >= 0 else { continue }
      posts[unit, default: Post()].add(block) { topic in
        distance(to: Int(topic.rawValue), from: block).map {
          $0 <= Int(containers[Int(block.container)].depth) - Int(containers[Int(unit)].depth)
        } ?? false
      }
    }
    let whole = posts.filter { $0.value.isWhole }
    guard whole.count >= Self.fewPosts else { return false }
    let words = whole.keys.reduce(0) { $0 + sum(containers[Int($1)].blocks).words }
    return words * 2 >= sum(all).words
  }

  /// Whether anything on the page has a topic.
  private func isNamed(_ topic: BlockTopic) -> Bool {
    let place = Int(topic.rawValue)
    return surroundings.contains { $0.depths[place] != .max }
      || blocks.contains { $0.topics >> UInt64(place) & 1 != 0 }
  }

  /// So many posts are a thread.
  static let fewPosts = 3

  /// What is known of an item.
  private struct Post {
    private var hasAuthor = false, hasDate = false, hasText = false, hasTitle = false

    var isWhole: Bool { hasAuthor && hasDate && hasText && !hasTitle }

    mutating func add(_ block: Block, isNear: (BlockTopic) -> Bool) {
      if block.headingLevel > 0, block.text.linkWords > 0, block.copies == 1 { hasTitle = true }
      if block.text.words <= Post.longestLine {
        if isNear(.authorWord) { hasAuthor = true }
        if isNear(.dateWord) { hasDate = true }
      }
      if block.text.isProse { hasText = true }
    }

    /// Words of a line at most.
    private static let longestLine = 14
  }
}
