import Document
import DOM
import Metadata

// Keeps threads whole. The model decides for each block by itself, and often drops short replies
// and the lines with writer and date. If posts of one kind are kept, the others of that kind are
// kept, too. A page counts as a thread only if that is clear; otherwise teasers below an article
// would count as content.

/// The posts of a page, found by the lines with their writers and dates.
struct PageThread {
  /// The line or lines above or below a post with its writer and date.
  private struct Byline {
    var nameIndex: Int
    /// The blocks with dates; one of them may be the block with the name.
    var dateIndices: [Int]
    /// Whether an attribute or a class marks a date as such.
    var hasMarkedDate: Bool
    /// Whether a class marks the name as such, or it is in the same line as the date.
    var hasMarkedName: Bool

    var firstIndex: Int { min(nameIndex, dateIndices.first ?? nameIndex) }
    var lastIndex: Int { max(nameIndex, dateIndices.last ?? nameIndex) }
    var indices: [Int] { [nameIndex] + dateIndices }
  }

  /// Elements that have the same function in every post, such as those that contain its text.
  private struct Role {
    var elements: Set<Int32> = []
    /// The numbers of the bylines that the elements belong to.
    var posts: Set<Int> = []
    /// The numbers of the bylines that a kept element belongs to.
    var keptPosts: Set<Int> = []
    /// Whether the text of a kept element has sentences.
    var isText = false
  }

  private let page: PageBlocks
  /// Whether each block is in the comments of readers on a text of the page.
  private let isExcluded: [Bool]
  private var bylines: [Byline] = []
  private var bylineIndices: Set<Int> = []
  /// For each block index, the number of bylines whose date is before it.
  private var bylineCounts: [Int] = [0]
  /// The innermost container with all bylines.
  private var root = 0

  private static let minPosts = 2
  private static let maxBylineWordCount = 14
  private static let maxNameWordCount = 4
  /// The maximum number of words of a name in an element named for the writer.
  private static let maxMarkedNameWordCount = 8
  /// The maximum distance of a name from the element named for the writer. Other lines about the
  /// writer are deeper.
  private static let maxNameDepth = 1
  /// The maximum number of lines that are searched for a date because no markup names it.
  private static let maxScannedLines = 2000
  /// The maximum number of words of a link or button below a post.
  private static let maxControlWordCount = 4

  /// Finds the bylines of the posts of a page, except in the excluded blocks, which are comments on
  /// a text of the page; nil if there are fewer than two, or if the page declares that it is
  /// something other than a thread, such as an article.
  init?(of page: PageBlocks, excluding isExcluded: [Bool]?, in tree: DOMTree) {
    guard page.signals.declaredKinds.isDisjoint(with: PageBlocks.kindsExcludingThread) else {
      return nil
    }
    self.page = page
    self.isExcluded = isExcluded ?? Array(repeating: false, count: page.blocks.count)
    findBylines(in: tree)
    guard bylines.count >= Self.minPosts, let first = bylines.first, let last = bylines.last else {
      return nil
    }
    bylineIndices = Set(bylines.flatMap(\.indices))
    var dates = [Bool](repeating: false, count: page.blocks.count)
    for byline in bylines { for index in byline.dateIndices.prefix(1) { dates[index] = true } }
    bylineCounts.reserveCapacity(dates.count + 1)
    for isDate in dates { bylineCounts.append((bylineCounts.last ?? 0) + (isDate ? 1 : 0)) }
    root = Int(page.blocks[first.firstIndex].containerIndex)
    while root > 0, !page.containers[root].blockRange.contains(Int32(last.lastIndex)) {
      root = Int(page.containers[root].parentIndex)
    }
  }

  // MARK: Completion

  /// Adds the missing posts, and the bylines of all posts; returns nil if the page has no thread.
  func completing(_ isKept: [Bool], of kind: PageKind, in tree: DOMTree) -> [Bool]? {
    let range = page.containers[root].blockRange
    let isMostOfPage =
      !kind.mayBeOneText
      && page.wordCount(in: range) * 2 >= page.wordCount(in: page.allBlockIndices)
    var result = isKept
    var posts: Set<Int> = []
    let rolesByHash = roles(isKept, in: tree)
    let titleCounts = titles(in: rolesByHash)
    for (hash, role) in rolesByHash {
      guard role.isText, role.posts.count >= Self.minPosts, !role.keptPosts.isEmpty,
        isMostOfPage || role.keptPosts.count * 2 >= role.posts.count,
        !hasTitles(role, hash, titleCounts)
      else { continue }
      for element in role.elements {
        for index in page.containers[Int(element)].blockRange where isPart(Int(index)) {
          result[Int(index)] = true
        }
      }
      posts.formUnion(role.posts)
    }
    guard let firstPost = posts.min() else { return nil }
    if isMostOfPage, firstPost > 0, keepOpening(before: firstPost, &result) { posts.insert(0) }
    for post in postsWithText(posts, result) {
      for index in bylines[post].indices { result[index] = true }
    }
    return result
  }

  /// Keeps the text of the opening post, which often has a role of its own.
  /// - Returns: Whether a block was added.
  private func keepOpening(before post: Int, _ isKept: inout [Bool]) -> Bool {
    let start = bylines[0].lastIndex + 1
    guard start < bylines[post].firstIndex else { return false }
    var isAnyBlockAdded = false
    for index in start..<bylines[post].firstIndex where !isKept[index] && isPart(index) {
      let block = page.blocks[index]
      isKept[index] =
        block.headingLevel == 0 && block.text.sentenceEndCount > 0 && block.phrases.isEmpty
        && block.text.linkWordCount * 2 <= block.text.wordCount
        && page.containers[Int(block.containerIndex)].name != .button
      if isKept[index] { isAnyBlockAdded = true }
    }
    return isAnyBlockAdded
  }

  /// Returns the given posts, and those with kept text whose bylines are of the same kind.
  private func postsWithText(_ posts: Set<Int>, _ isKept: [Bool]) -> Set<Int> {
    func signature(_ post: Int) -> UInt64 {
      let index = bylines[post].dateIndices.first ?? bylines[post].nameIndex
      return page.containers[Int(page.blocks[index].containerIndex)].signature
    }
    let signatures = Set(posts.map(signature))
    var result = posts
    for index in page.containers[root].blockRange {
      let block = page.blocks[Int(index)]
      guard isKept[Int(index)], block.text.sentenceEndCount > 0,
        !bylineIndices.contains(Int(index)), !isExcluded[Int(index)],
        case let post = postNumber(of: index), signatures.contains(signature(post))
      else { continue }
      result.insert(post)
    }
    return result
  }

  /// Returns the texts of the thread by role: the element name and class of the element with the
  /// text, and of the elements around it up to the first with a class.
  private func roles(_ isKept: [Bool], in tree: DOMTree) -> [UInt64: Role] {
    var roles: [UInt64: Role] = [:]
    for index in page.containers[root].blockRange {
      let block = page.blocks[Int(index)]
      guard block.headingLevel == 0, !bylineIndices.contains(Int(index)), isPart(Int(index)) else {
        continue
      }
      let element = page.textContainerIndex(of: block)
      let container = page.containers[Int(element)]
      guard element > 0, !container.name.isPartOfText, bylineCount(in: container.blockRange) == 0
      else { continue }
      let post = postNumber(of: index)
      let hash = roleHash(of: Int(element), in: tree)
      roles[hash, default: Role()].elements.insert(element)
      roles[hash]?.posts.insert(post)
      guard isKept[Int(index)] else { continue }
      roles[hash]?.keptPosts.insert(post)
      if block.text.isProse || block.text.sentenceEndCount > 0 { roles[hash]?.isText = true }
    }
    return roles
  }

  private func roleHash(of element: Int, in tree: DOMTree) -> UInt64 {
    var (hash, container) = (0 as UInt64, element)
    for _ in 0..<4 where container > 0 {
      hash = hash &* 0x100_0000_01B3 ^ page.containers[container].signature
      if tree.attribute(.class, of: page.containers[container].node) != nil { break }
      container = Int(page.containers[container].parentIndex)
    }
    return hash
  }

  /// The numbers of titles by the number of the byline that they belong to.
  private struct Titles {
    var counts: [Int: Int] = [:]
    /// The numbers of titles within the texts of each role.
    var countsInRole: [UInt64: [Int: Int]] = [:]
  }

  private func titles(in roles: [UInt64: Role]) -> Titles {
    var hashes: [Int32: UInt64] = [:]
    for (hash, role) in roles { for element in role.elements { hashes[element] = hash } }
    var titles = Titles()
    for index in page.containers[root].blockRange where isTitle(Int(index)) {
      let post = postNumber(of: index)
      titles.counts[post, default: 0] += 1
      var container = page.blocks[Int(index)].containerIndex
      while container > root {
        if let hash = hashes[container] {
          titles.countsInRole[hash, default: [:]][post, default: 0] += 1
          break
        }
        container = page.containers[Int(container)].parentIndex
      }
    }
    return titles
  }

  /// Whether at least half of the posts but the first have titles outside their texts, as in a list
  /// of articles.
  private func hasTitles(_ role: Role, _ hash: UInt64, _ titles: Titles) -> Bool {
    let others = role.posts.subtracting([role.posts.min() ?? 0])
    let titled = others.count {
      titles.counts[$0, default: 0] > titles.countsInRole[hash]?[$0] ?? 0
    }
    return titled * 2 >= others.count
  }

  /// Whether a block may be the title of a single post: a heading in an element with one byline or
  /// directly beside a byline, or a link directly above one.
  private func isTitle(_ index: Int) -> Bool {
    let block = page.blocks[index]
    guard block.copyCount == 1, block.phrases.isEmpty, index != page.firstTitleIndex,
      !bylineIndices.contains(index)
    else { return false }
    guard block.headingLevel > 0 else {
      return block.text.wordCount >= 3 && block.text.linkWordCount == block.text.wordCount
        && bylineIndices.contains(index + 1)
    }
    let parent = page.containers[Int(block.containerIndex)].parentIndex
    return bylineCount(in: page.containers[elementWithByline(of: index)].blockRange) == 1
      || [index - 1, index + 1].contains {
        bylineIndices.contains($0)
          && page.containers[Int(page.blocks[$0].containerIndex)].parentIndex == parent
      }
  }

  /// Returns the number of the byline that a block belongs to: the last one before it in the
  /// innermost element with bylines, or the first one in it.
  private func postNumber(of index: Int32) -> Int {
    let container = elementWithByline(of: Int(index))
    let first = bylineCounts[Int(page.containers[container].blockRange.lowerBound)]
    return max(first, bylineCounts[Int(index)] - 1)
  }

  private func elementWithByline(of index: Int) -> Int {
    var container = Int(page.blocks[index].containerIndex)
    while container > 0, bylineCount(in: page.containers[container].blockRange) == 0 {
      container = Int(page.containers[container].parentIndex)
    }
    return container
  }

  private func bylineCount(in range: Range<Int32>) -> Int {
    bylineCounts[Int(range.upperBound)] - bylineCounts[Int(range.lowerBound)]
  }

  /// Whether a block may be a part of a post: not a control, and not secondary to the page.
  private func isPart(_ index: Int) -> Bool {
    let block = page.blocks[index]
    guard !isExcluded[index], !isSecondary(block) else { return false }
    let isButton = page.containers[Int(block.containerIndex)].name == .button
    return block.phrases.isEmpty || block.text.wordCount > Self.maxControlWordCount
      || !isButton && block.text.linkWordCount < block.text.wordCount
  }

  // MARK: Opening

  /// Returns the writer and the date of the opening post; nil if it has no byline, or no kept text
  /// before that of all others. The first comment on a link is not an opening post.
  func openingByline(_ isKept: [Bool], in tree: DOMTree) -> PostByline? {
    let first = page.blocks.indices.first {
      isKept[$0] && page.blocks[$0].text.sentenceEndCount > 0 && !bylineIndices.contains($0)
    }
    guard let first, page.containers[root].blockRange.contains(Int32(first)) else { return nil }
    let byline = bylines[0]
    let blockRange = page.containers[elementWithByline(of: first)].blockRange
    guard postNumber(of: Int32(first)) == 0, startsWithOpening,
      byline.lastIndex < first || bylineCount(in: blockRange) == 1
    else { return nil }
    let isSeparate = !byline.dateIndices.contains(byline.nameIndex)
    let name =
      isSeparate
      ? page.text(of: byline.nameIndex, in: tree)
      : textOfNamedElement(byline.nameIndex, .authorWord, in: tree)
        ?? linkedName(byline.nameIndex, in: tree)
    let date = byline.dateIndices.lazy.compactMap { textOfNamedElement($0, .dateWord, in: tree) }
      .first
    let line = byline.dateIndices.first.map { page.text(of: $0, in: tree) }
    return PostByline(name: name ?? "", date: date ?? line ?? "")
  }

  /// Whether the first byline differs in its element from the second one, or is directly below the
  /// title.
  private var startsWithOpening: Bool {
    let signatures = bylines.prefix(2).map { byline in
      let index = byline.dateIndices.first ?? byline.nameIndex
      return page.containers[Int(page.blocks[index].containerIndex)].signature
    }
    if Set(signatures).count > 1 { return true }
    let first = bylines[0].firstIndex
    guard let title = page.firstTitleIndex, title < first else { return false }
    let between = page.sum(Int32(title + 1)..<Int32(first))
    return between.linkWordCount == 0 && between.wordCount <= Self.maxMarkedNameWordCount
  }

  /// Returns the first text in an inline element of a block that is named for a topic, or the
  /// machine-readable date of that element; nil if there is neither.
  private func textOfNamedElement(_ index: Int, _ topic: BlockTopic, in tree: DOMTree) -> String? {
    let outer = page.containers[Int(page.blocks[index].containerIndex)].node
    for position in page.blocks[index].textRange {
      let node = tree.nodes[Int(page.textNodes[Int(position)])]
      var ancestor = node.parent ?? 0
      for _ in 0..<16 where ancestor > 0 && ancestor != outer {
        if topic == .dateWord, let date = tree.string(.datetime, of: ancestor) { return date }
        if BlockTopic.topics(of: ancestor, in: tree) & topic.bit != 0 {
          let words = tree.bytes[Int(node.start)..<Int(node.end)].split(
            whereSeparator: \.isWhiteSpace)
          guard !words.isEmpty else { break }
          return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        }
        ancestor = tree.nodes[Int(ancestor)].parent ?? 0
      }
    }
    return nil
  }

  // MARK: Bylines

  private mutating func findBylines(in tree: DOMTree) {
    var remainingScans = Self.maxScannedLines
    for (index, block) in page.blocks.enumerated() {
      guard 1...Self.maxBylineWordCount ~= Int(block.text.wordCount), !isExcluded[index],
        !isSecondary(block), !isInQuotation(block), !isSentence(block),
        case let isDate = isMarkedAsDate(block),
        isDate || block.text.numberCount > 0, let name = nameIndex(for: index, in: tree)
      else { continue }
      if !isDate {
        guard remainingScans > 0 else { continue }
        remainingScans -= 1
        guard hasDate(index, in: tree) else { continue }
      }
      if let lastByline = bylines.last, lastByline.nameIndex == name {
        bylines[bylines.count - 1].dateIndices.append(index)
        bylines[bylines.count - 1].hasMarkedDate = lastByline.hasMarkedDate || isDate
      } else {
        bylines.append(
          Byline(
            nameIndex: name, dateIndices: [index], hasMarkedDate: isDate,
            hasMarkedName: name == index || isMarkedAsName(name)))
      }
    }
    // Other dates may be those on which the writers joined, and other names may be links.
    for isMarked in [\Byline.hasMarkedDate, \.hasMarkedName] {
      let markedBylines = bylines.filter { $0[keyPath: isMarked] }
      if markedBylines.count >= Self.minPosts { bylines = markedBylines }
    }
  }

  private func isMarked(_ topic: BlockTopic, _ block: PageBlocks.Block) -> Bool {
    page.isNear(topic, block, maxDistance: PageBlocks.maxBylineDepth)
  }

  private func isMarkedAsDate(_ block: PageBlocks.Block) -> Bool {
    if block.topicBits & BlockTopic.dateWord.bit != 0 { return true }
    return block.text.linkWordCount < block.text.wordCount && isMarked(.dateWord, block)
  }

  /// Whether a line contains a machine-readable date or the date of a day.
  private func hasDate(_ index: Int, in tree: DOMTree) -> Bool {
    hasText(index, in: tree) { _, isDate, _ in isDate }
      || DatedText.containsDay(page.text(of: index, in: tree))
  }

  /// Whether a text node of a block satisfies a predicate. It receives the node, whether it is in
  /// an element with a machine-readable date, and whether it is in a link.
  private func hasText(
    _ index: Int, in tree: DOMTree, where isFound: (_ node: Int32, Bool, Bool) -> Bool
  ) -> Bool {
    let outer = page.containers[Int(page.blocks[index].containerIndex)].node
    return page.blocks[index].textRange.contains { position in
      let node = page.textNodes[Int(position)]
      var (isDate, isLink) = (false, false)
      var ancestor = tree.nodes[Int(node)].parent ?? 0
      for _ in 0..<16 where ancestor > 0 && ancestor != outer {
        if tree.hasAttribute(.datetime, ancestor) { isDate = true }
        if tree.nodes[Int(ancestor)].name == .a { isLink = true }
        ancestor = tree.nodes[Int(ancestor)].parent ?? 0
      }
      return isFound(node, isDate, isLink)
    }
  }

  /// Returns the index of the block with the name of the writer who belongs to a date: the block
  /// with the date, or one of the two blocks before it or the two blocks after it; nil if there is
  /// none.
  private func nameIndex(for index: Int, in tree: DOMTree) -> Int? {
    let block = page.blocks[index]
    if block.topicBits & BlockTopic.authorWord.bit != 0
      || linkedName(index, in: tree) != nil
    {
      return index
    }
    let nearby = [-1, 1, -2, 2].map { index + $0 }.filter {
      page.blocks.indices.contains($0) && !isExcluded[$0]
        && !page.blocks[(index + $0) / 2].text.isProse
    }
    // The rank of a writer may be between the name and the date.
    let marked = nearby.filter(isMarkedAsName)
    if let name = marked.first(where: { isLink(page.blocks[$0]) }) ?? marked.first { return name }
    if isMarked(.authorWord, block), block.text.wordCount > block.text.numberCount + 1 {
      return index
    }
    return nearby.first { isUnmarkedName($0, beside: index) }
  }

  private func isMarkedAsName(_ index: Int) -> Bool {
    let block = page.blocks[index]
    let maxWordCount = isLink(block) ? Self.maxMarkedNameWordCount : Self.maxNameWordCount
    return 1...maxWordCount ~= Int(block.text.wordCount)
      && block.text.numberCount == 0 && block.phrases.isEmpty && block.text.sentenceEndCount == 0
      && page.isNear(.authorWord, block, maxDistance: Self.maxNameDepth)
  }

  private func isLink(_ block: PageBlocks.Block) -> Bool {
    block.text.linkWordCount == block.text.wordCount
  }

  /// Whether a block is a short link, or a short heading directly before the date.
  private func isUnmarkedName(_ index: Int, beside date: Int) -> Bool {
    let block = page.blocks[index]
    guard 1...Self.maxNameWordCount ~= Int(block.text.wordCount), block.text.numberCount == 0,
      block.text.sentenceEndCount == 0, block.phrases.isEmpty
    else { return false }
    guard block.headingLevel > 0 else { return isLink(block) }
    let (own, other) = (block.containerIndex, page.blocks[date].containerIndex)
    let parent = page.containers[Int(own)].parentIndex
    return index + 1 == date && block.text.linkCount == 0
      && (parent == other || parent == page.containers[Int(other)].parentIndex)
  }

  /// Returns the text of the first link in a line that may be a name: one to four words, each of
  /// which begins with a letter. Digits may occur only in a name of one word. Nil if there is no
  /// such link.
  private func linkedName(_ index: Int, in tree: DOMTree) -> String? {
    let text = page.blocks[index].text
    guard text.linkCount > 0, text.linkWordCount < text.wordCount else { return nil }
    var name: String?
    _ = hasText(index, in: tree) { node, isDate, isLink in
      guard isLink, !isDate else { return false }
      let own = tree.nodes[Int(node)]
      let words = tree.bytes[Int(own.start)..<Int(own.end)].split(whereSeparator: \.isWhiteSpace)
      let isName =
        1...Self.maxNameWordCount ~= words.count
        && words.allSatisfy { word in
          guard let first = word.first, first.isLetter || first >= 0x80 else { return false }
          return words.count == 1 || !word.contains(where: \.isDigit)
        }
      guard isName else { return false }
      name = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
      return true
    }
    return name
  }

  /// Whether a block is beside the main content. The footer of an `article` belongs to the main
  /// content.
  private func isSecondary(_ block: PageBlocks.Block) -> Bool {
    let row = page.topicDepths[Int(page.containers[Int(block.containerIndex)].topicDepthsIndex)]
    guard row.topicBits & Self.secondaryTopics != 0 else { return false }
    let footer = row.depths[Int(BlockTopic.footer.rawValue)]
    return row.topicBits & Self.secondaryTopics & ~BlockTopic.footer.bit != 0
      || row.depths[Int(BlockTopic.article.rawValue)] >= footer
  }

  /// Whether a block is in a quotation or an `aside`, and so not the byline of a post.
  private func isInQuotation(_ block: PageBlocks.Block) -> Bool {
    page.topicBits(around: block) & (BlockTopic.quote.bit | BlockTopic.aside.bit) != 0
  }

  /// Whether a line is a sentence rather than a byline. A time may end in "p.m.".
  private func isSentence(_ block: PageBlocks.Block) -> Bool {
    ".!?".utf8.contains(block.text.lastByte)
      && block.text.wordCount > block.text.numberCount + UInt32(Self.maxNameWordCount)
  }

  private static let secondaryTopics = BlockTopic.bits([
    .nav, .footer, .relatedWord, .sidebarWord, .reviewWord, .adWord, .cookieWord, .newsletterWord,
  ])
}

extension ElementName {
  /// Whether the element is a part of a text rather than a whole one.
  fileprivate var isPartOfText: Bool {
    switch self {
    case .li, .dt, .dd, .pre, .blockquote, .figcaption, .button, .details, .summary: true
    default: false
    }
  }
}
