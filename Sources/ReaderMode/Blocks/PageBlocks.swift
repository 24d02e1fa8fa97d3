import DOM

// A page as a flat list of blocks, with the surrounding elements reduced to containers: ranges of
// blocks. Sums over an element are differences of prefix sums, and what a block inherits from its
// ancestors is stored in its container.

/// The visible blocks of text of a page, in document order, and the elements that contain them.
struct PageBlocks {
  /// The text between two block boundaries.
  struct Block {
    /// The index of the innermost container.
    var container: Int32
    /// The range of its nodes in `texts`.
    var texts: Range<Int32>
    /// The counts of its text.
    var text = BlockText()
    /// The heading level, or 0.
    var headingLevel: UInt8 = 0
    /// The topics of the inline elements inside it, as a bit set.
    var topics: UInt64 = 0
    /// The phrases that it begins with.
    var phrases: BlockPhrase = []
    /// The number of words in emphasis elements (`em`, `b`, …).
    var emphasisedWordCount: UInt32 = 0
    /// The number of images between the previous block and this one.
    var imagesBefore: UInt16 = 0
    /// The number of blocks of the page with the same text, itself included.
    var copies: UInt32 = 1
  }

  /// A block element with visible text.
  struct Container {
    var node: Int32
    var name: ElementName
    /// The index of the parent container; -1 for the root.
    var parent: Int32
    /// The number of ancestor containers.
    var depth: UInt16
    var blocks: Range<Int32>
    /// The index of its row in `topicDepths`.
    var topicDepthsIndex: Int32
    /// A hash of its element name and class.
    var signature: UInt64
    /// The number of siblings with the same signature, itself included, and their total words.
    var similar: UInt32 = 1
    var similarWordCount: UInt32 = 0
    /// The nearest container (itself or an ancestor) that is one of three or more similar siblings;
    /// or -1.
    var repeated: Int32 = -1
    /// The outermost repeated container with at least two blocks (an item); or -1.
    var unit: Int32 = -1
    /// A hash of its position within its unit, equal in all similar units; 0 outside of units.
    var role: UInt64 = 0
    /// The nearest section (`main`, `section`, `aside`, …), itself included; or 0.
    var section: Int32 = 0
    /// The nearest container (itself or an ancestor) on the path from the root to `core`.
    var onCorePath: Int32 = 0
  }

  /// For each topic, the depth of the nearest container (itself or an ancestor); 0xFFFF for none.
  struct TopicDepths {
    var depths = SIMD64<UInt16>(repeating: .max)
    /// The topics present, as a bit set.
    var topics: UInt64 = 0
  }

  /// The blocks in document order.
  var blocks: [Block] = []
  /// The containers in document order; the first is the root.
  var containers: [Container] = []
  /// The text nodes of all blocks.
  var texts: [Int32] = []
  /// The rows of topic depths; a container that adds no topic shares the row of its parent.
  var topicDepths: [TopicDepths] = []
  /// The sums over all blocks before each index.
  var sums: [BlockSums] = []
  /// The innermost container on the path from the root along which each container has most of the
  /// prose.
  var core: Int32 = 0
  /// The first heading of level 1, or -1.
  var firstTitle: Int32 = -1
  /// Hints from the metadata of the page.
  var page = PageSignals()
  /// For each node, whether it is an element known not to be hidden.
  var isShown: [Bool] = []
  /// The rules for hidden elements of the page.
  private(set) var hiding = HidingRules()

  /// Collects the blocks of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its URL, or empty.
  init(_ tree: DOMTree, url: String = "") {
    self.init(tree, url: url, hiding: HidingRules(of: tree))
  }

  /// Collects the blocks of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its URL, or empty.
  ///   - hiding: The rules for hidden elements.
  init(_ tree: DOMTree, url: String, hiding: HidingRules) {
    var reader = PageBlocksReader(tree, hiding: hiding)
    reader.walk()
    self = reader.moveOutResult()
    self.hiding = hiding
    page = PageSignals(tree, url: url)
    countCopies(reader.textHashes)
    sumUp()
    findRepetitions()
    findCore()
    firstTitle = Int32(blocks.firstIndex { $0.headingLevel == 1 } ?? -1)
  }

  init() {}

  /// Returns the distance in containers from a block to the nearest container of a topic: 0 for
  /// inside the block or its own container; nil if there is none.
  func distance(to topic: Int, from block: Block) -> Int? {
    if block.topics >> UInt64(topic) & 1 != 0 { return 0 }
    let container = containers[Int(block.container)]
    let depth = topicDepths[Int(container.topicDepthsIndex)].depths[topic]
    return depth == .max ? nil : Int(container.depth) - Int(depth)
  }

  // MARK: Sums

  /// Returns the sums over a range of blocks.
  func sum(_ range: Range<Int32>) -> BlockSums {
    sums[Int(range.upperBound)] - sums[Int(range.lowerBound)]
  }

  private mutating func sumUp() {
    var total = BlockSums()
    sums.reserveCapacity(blocks.count + 1)
    sums.append(total)
    for block in blocks {
      total.add(block)
      sums.append(total)
    }
  }

  /// Sets `core` by descending from the root while one child container has more than half of the
  /// prose.
  private mutating func findCore() {
    var heaviest = [Int32](repeating: -1, count: containers.count)
    for index in containers.indices.dropFirst() {
      let parent = Int(containers[index].parent)
      if heaviest[parent] < 0 || prose(index) > prose(Int(heaviest[parent])) {
        heaviest[parent] = Int32(index)
      }
    }
    while case let next = heaviest[Int(core)], next >= 0, prose(Int(next)) * 2 > prose(Int(core)) {
      core = next
      containers[Int(core)].onCorePath = core
    }
    for index in containers.indices.dropFirst() where containers[index].onCorePath == 0 {
      containers[index].onCorePath = containers[Int(containers[index].parent)].onCorePath
    }
  }

  private func prose(_ container: Int) -> Int {
    let range = containers[container].blocks
    return sums[Int(range.upperBound)].proseWordCount - sums[Int(range.lowerBound)].proseWordCount
  }

  private mutating func countCopies(_ hashes: [UInt64]) {
    let texts = Grouping(hashes)
    var counts = [UInt32](repeating: 0, count: texts.count)
    for text in texts.groups { counts[Int(text)] += 1 }
    for index in blocks.indices { blocks[index].copies = counts[Int(texts.groups[index])] }
  }

  // MARK: Repetition

  /// Determines which containers have similar siblings.
  private mutating func findRepetitions() {
    // Groups of siblings with the same signature.
    let likes = Grouping(
      containers.map { $0.signature ^ UInt64(UInt32(bitPattern: $0.parent)) << 20 })
    var sums = [SimilarContainers](repeating: SimilarContainers(), count: likes.count)
    for (index, group) in likes.groups.enumerated().dropFirst() {
      let own = UInt32(truncatingIfNeeded: wordCount(in: containers[index].blocks))
      sums[Int(group)].count += 1
      sums[Int(group)].wordCount &+= own
      sums[Int(group)].maximum = max(sums[Int(group)].maximum, own)
    }
    for index in containers.indices.dropFirst() {
      let outer = containers[Int(containers[index].parent)]
      setRepetition(of: index, among: sums[Int(likes.groups[index])], in: outer)
    }
  }

  /// Similar sibling containers.
  private struct SimilarContainers {
    /// The number of containers, their total words, and the words of the longest container.
    var count: UInt32 = 0, wordCount: UInt32 = 0, maximum: UInt32 = 0
  }

  private mutating func setRepetition(
    of index: Int, among likes: SimilarContainers, in outer: Container
  ) {
    var container = containers[index]
    container.similar = likes.count
    container.similarWordCount = likes.wordCount
    let isRepeated = likes.count >= 3
    // A container with half of all words is a part of the page that holds items, not an item.
    let isItem = isRepeated && Int(likes.maximum) * 2 < wordCount(in: all)
    container.repeated = isRepeated ? Int32(index) : outer.repeated
    container.unit =
      outer.unit >= 0 ? outer.unit : isItem && container.blocks.count > 1 ? Int32(index) : -1
    if container.unit == index {
      let key = container.signature ^ UInt64(UInt32(bitPattern: container.parent)) << 20
      container.role = key &* 31 | 1
    } else if outer.role != 0 {
      container.role = (outer.role ^ container.signature) &* 0x100_0000_01B3 | 1
    }
    container.section = container.name.isSection ? Int32(index) : outer.section
    containers[index] = container
  }

  /// Returns the number of words in a range of blocks.
  @inline(__always)
  func wordCount(in range: Range<Int32>) -> Int {
    sums[Int(range.upperBound)].wordCount - sums[Int(range.lowerBound)].wordCount
  }
}

/// Sums over blocks.
struct BlockSums {
  var wordCount = 0
  var linkWordCount = 0
  var links = 0
  /// The number of words in blocks that read as prose.
  var proseWordCount = 0
  var sentences = 0
  var prices = 0
  var headings = 0
  var blocks = 0

  mutating func add(_ block: PageBlocks.Block) {
    wordCount += Int(block.text.wordCount)
    linkWordCount += Int(block.text.linkWordCount)
    links += Int(block.text.links)
    proseWordCount += block.text.isProse ? Int(block.text.wordCount) : 0
    sentences += Int(block.text.sentences)
    prices += block.text.hasPrice ? 1 : 0
    headings += block.headingLevel > 0 ? 1 : 0
    blocks += 1
  }

  static func - (left: BlockSums, right: BlockSums) -> BlockSums {
    BlockSums(
      wordCount: left.wordCount - right.wordCount,
      linkWordCount: left.linkWordCount - right.linkWordCount,
      links: left.links - right.links, proseWordCount: left.proseWordCount - right.proseWordCount,
      sentences: left.sentences - right.sentences, prices: left.prices - right.prices,
      headings: left.headings - right.headings, blocks: left.blocks - right.blocks)
  }
}

extension ElementName {
  /// Whether the element is a section of the page.
  var isSection: Bool {
    switch self {
    case .main, .article, .section, .nav, .aside, .header, .footer, .form, .dialog: true
    default: false
    }
  }
}
