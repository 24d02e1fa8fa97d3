import DOM

// What a page shows as a flat list of blocks, with the tree of elements around them reduced to
// containers: ranges of blocks. All sums over an element are then differences of prefix sums, and
// whatever a block inherits from the elements around it is found by one look into its container.

/// The visible blocks of text of a page, in document order, and the elements that hold them.
struct PageBlocks {
  /// Text between two borders of blocks.
  struct Block {
    /// Index of the innermost container.
    var container: Int32
    /// Range of `texts`.
    var texts: Range<Int32>
    /// What stands in it.
    var text = BlockText()
    /// Level of a heading, else 0.
    var headingLevel: UInt8 = 0
    /// The topics of elements inside it, a bit each.
    var topics: UInt64 = 0
    /// What its words are, by `BlockPhrase`.
    var phrases: BlockPhrase = []
    /// Words in elements that set them apart (`em`, `b`, …).
    var emphasisedWords: UInt32 = 0
    /// Pictures between the block before and this one.
    var picturesBefore: UInt16 = 0
    /// How often a block with the same text stands on the page.
    var copies: UInt32 = 1
  }

  /// A block element with visible text.
  struct Container {
    var node: Int32
    var name: ElementName
    /// Index of the container around it; -1 for the root.
    var parent: Int32
    /// How many containers are around it.
    var depth: UInt16
    /// Its blocks.
    var blocks: Range<Int32>
    /// Which row of `surroundings` is its own.
    var surroundings: Int32
    /// What it looks like: element and class.
    var signature: UInt64
    /// How many containers beside it look the same, itself included, and how many words they have.
    var similar: UInt32 = 1
    var similarWords: UInt32 = 0
    /// The nearest container, itself included, that stands among three or more that look alike; or -1.
    var repeated: Int32 = -1
    /// The outermost such container that has two or more blocks; or -1.
    var unit: Int32 = -1
    /// What it is within its unit: alike in all units that look the same; 0 outside of units.
    var role: UInt64 = 0
    /// The nearest section (`main`, `section`, `aside`, …), itself included; or 0.
    var section: Int32 = 0
    /// The innermost container around it, itself included, on the way to where most prose stands.
    var onCorePath: Int32 = 0
  }

  /// The depth of the nearest container of each topic, itself included; 0xFFFF for none.
  struct Surroundings {
    var depths = SIMD64<UInt16>(repeating: .max)
    /// The topics that there are, a bit each.
    var topics: UInt64 = 0
  }

  /// Blocks in document order.
  var blocks: [Block] = []
  /// Containers in document order; the first is the root.
  var containers: [Container] = []
  /// Nodes of text of all blocks.
  var texts: [Int32] = []
  /// Rows, which containers that add nothing share with the one around them.
  var surroundings: [Surroundings] = []
  /// Sums over all blocks before an index.
  var sums: [BlockSums] = []
  /// The last container on the way from the root to where most prose stands.
  var core: Int32 = 0
  /// The first heading of level 1, or -1.
  var firstTitle: Int32 = -1
  /// What the page says of itself.
  var page = PageSignals()
  /// For each node whether it is an element of which it is known that nothing hides it.
  var isShown: [Bool] = []
  /// What hides elements of the page.
  private(set) var hiding = HidingRules()

  /// Collects the blocks of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its address, or empty.
  init(_ tree: DOMTree, url: String = "") {
    self.init(tree, url: url, hiding: HidingRules(of: tree))
  }

  /// Collects the blocks of a page.
  /// - Parameters:
  ///   - tree: The page.
  ///   - url: Its address, or empty.
  ///   - hiding: What of it is hidden.
  init(_ tree: DOMTree, url: String, hiding: HidingRules) {
    var reader = PageBlocksReader(tree, hiding: hiding)
    reader.walk()
    self = reader.takeResult()
    self.hiding = hiding
    page = PageSignals(tree, url: url)
    countCopies(reader.textHashes)
    sumUp()
    findRepetitions()
    findCore()
    firstTitle = Int32(blocks.firstIndex { $0.headingLevel == 1 } ?? -1)
  }

  /// Without blocks.
  init() {}

  /// How many containers away the nearest of a topic is: 0 inside a block or in its container; nil
  /// when there is none.
  func distance(to topic: Int, from block: Block) -> Int? {
    if block.topics >> UInt64(topic) & 1 != 0 { return 0 }
    let container = containers[Int(block.container)]
    let depth = surroundings[Int(container.surroundings)].depths[topic]
    return depth == .max ? nil : Int(container.depth) - Int(depth)
  }

  // MARK: Sums

  /// The sums over a range of blocks.
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

  /// Goes down from the root as long as one container has most of the prose.
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
    return sums[Int(range.upperBound)].proseWords - sums[Int(range.lowerBound)].proseWords
  }

  private mutating func countCopies(_ hashes: [UInt64]) {
    let texts = Grouping(hashes)
    var counts = [UInt32](repeating: 0, count: texts.count)
    for text in texts.groups { counts[Int(text)] += 1 }
    for index in blocks.indices { blocks[index].copies = counts[Int(texts.groups[index])] }
  }

  // MARK: Repetition

  /// Finds out which containers stand among others that look alike.
  private mutating func findRepetitions() {
    // Containers with the same parent that look the same.
    let likes = Grouping(
      containers.map { $0.signature ^ UInt64(UInt32(bitPattern: $0.parent)) << 20 })
    var sums = [Likes](repeating: Likes(), count: likes.count)
    for (index, group) in likes.groups.enumerated().dropFirst() {
      let own = UInt32(truncatingIfNeeded: words(in: containers[index].blocks))
      sums[Int(group)].count += 1
      sums[Int(group)].words &+= own
      sums[Int(group)].most = max(sums[Int(group)].most, own)
    }
    for index in containers.indices.dropFirst() {
      let outer = containers[Int(containers[index].parent)]
      setRepetition(of: index, among: sums[Int(likes.groups[index])], in: outer)
    }
  }

  /// Containers that stand side by side and look the same.
  private struct Likes {
    /// How many there are, and their words: of all together and of the longest.
    var count: UInt32 = 0, words: UInt32 = 0, most: UInt32 = 0
  }

  private mutating func setRepetition(of index: Int, among likes: Likes, in outer: Container) {
    var container = containers[index]
    container.similar = likes.count
    container.similarWords = likes.words
    let isRepeated = likes.count >= 3
    // What has half of all words is a part of the page that holds items, not one of them.
    let isItem = isRepeated && Int(likes.most) * 2 < words(in: all)
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

  /// How many words some blocks have.
  @inline(__always)
  func words(in range: Range<Int32>) -> Int {
    sums[Int(range.upperBound)].words - sums[Int(range.lowerBound)].words
  }
}

/// Sums over blocks.
struct BlockSums {
  var words = 0
  var linkWords = 0
  var links = 0
  /// Words of blocks that read as prose.
  var proseWords = 0
  var sentences = 0
  var prices = 0
  var headings = 0
  var blocks = 0

  mutating func add(_ block: PageBlocks.Block) {
    words += Int(block.text.words)
    linkWords += Int(block.text.linkWords)
    links += Int(block.text.links)
    proseWords += block.text.isProse ? Int(block.text.words) : 0
    sentences += Int(block.text.sentences)
    prices += block.text.hasPrice ? 1 : 0
    headings += block.headingLevel > 0 ? 1 : 0
    blocks += 1
  }

  static func - (left: BlockSums, right: BlockSums) -> BlockSums {
    BlockSums(
      words: left.words - right.words, linkWords: left.linkWords - right.linkWords,
      links: left.links - right.links, proseWords: left.proseWords - right.proseWords,
      sentences: left.sentences - right.sentences, prices: left.prices - right.prices,
      headings: left.headings - right.headings, blocks: left.blocks - right.blocks)
  }
}

extension ElementName {
  /// Elements that are parts of a page on their own.
  var isSection: Bool {
    switch self {
    case .main, .article, .section, .nav, .aside, .header, .footer, .form, .dialog: true
    default: false
    }
  }
}
