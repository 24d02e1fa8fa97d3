import DOM

// A page as a flat list of blocks, with the surrounding elements reduced to containers: ranges of
// blocks. Sums over an element are differences of prefix sums, and what a block inherits from its
// ancestors is stored in its container.
//
// Functions that choose blocks have an argument or result with one value for each block, such as
// `isKept`, and receive the page itself as `tree`.

/// The visible blocks of text of a page, in document order, and the elements that contain them.
struct PageBlocks {
  /// The text between two block boundaries.
  struct Block {
    /// The index of the innermost container.
    var containerIndex: Int32
    /// The range of the text nodes of the block in `textNodes`.
    var textRange: Range<Int32>
    var text = BlockTextCounts()
    /// The heading level, or 0.
    var headingLevel: UInt8 = 0
    /// The topics of the inline elements inside the block, as a bit set.
    var topicBits: UInt64 = 0
    /// The phrases that the block begins with.
    var phrases: BlockPhrase = []
    /// The number of words in emphasis elements (`em`, `b`, …).
    var emphasizedWordCount: UInt32 = 0
    /// The number of images between the previous block and this one.
    var precedingImageCount: UInt16 = 0
    /// The number of blocks of the page with the same text, itself included.
    var copyCount: UInt32 = 1
  }

  /// A block element with visible text.
  struct Container {
    var node: Int32
    var name: ElementName
    /// The index of the parent container; -1 for the root.
    var parentIndex: Int32
    /// The number of ancestor containers.
    var depth: UInt16
    var blockRange: Range<Int32>
    /// The index of the row of the container in `topicDepths`.
    var topicDepthsIndex: Int32
    /// A hash of the element name and the class of the container.
    var signature: UInt64
    /// The number of siblings with the same signature, itself included.
    var similarCount: UInt32 = 1
    /// The number of words in all siblings with the same signature, itself included.
    var similarWordCount: UInt32 = 0
    /// The nearest container (itself or an ancestor) that is one of three or more similar siblings;
    /// or nil.
    var repeatedIndex: OptionalIndex = nil
    /// The outermost repeated container with at least two blocks (an item); or nil.
    var unitIndex: OptionalIndex = nil
    /// A hash of the position of the container within its unit, equal in all similar units; 0
    /// outside of units.
    var roleHash: UInt64 = 0
    /// The nearest section (`main`, `section`, `aside`, …), itself included; or 0.
    var sectionIndex: Int32 = 0
    /// The nearest container (itself or an ancestor) on the path from the root to `coreIndex`.
    var corePathIndex: Int32 = 0
  }

  /// For each topic, the depth of the nearest container (itself or an ancestor); 0xFFFF for none.
  struct TopicDepths {
    var depths = SIMD64<UInt16>(repeating: .max)
    /// The topics present, as a bit set.
    var topicBits: UInt64 = 0
  }

  /// The blocks in document order.
  var blocks: [Block] = []
  /// The containers in document order; the first is the root.
  var containers: [Container] = []
  /// The text nodes of all blocks.
  var textNodes: [Int32] = []
  /// The rows of topic depths; a container that adds no topic shares the row of its parent.
  var topicDepths: [TopicDepths] = []
  /// The sums over all blocks before each index.
  var sums: [BlockSums] = []
  /// The innermost container on the path from the root along which each container has most of the
  /// prose.
  var coreIndex: Int32 = 0
  /// The first heading of level 1, or nil.
  var firstTitleIndex: Int?
  /// The containers of sections of the text whose id repeats their heading, and so looks like the
  /// name of something else, such as comments or a menu.
  private(set) var textSections: Set<Int> = []
  /// Hints from the metadata of the page.
  var signals = PageSignals()
  /// For each node, whether it is an element known not to be hidden.
  var isKnownVisible: [Bool] = []
  /// The rules for hidden elements of the page.
  private(set) var hidingRules = HidingRules()

  /// Collects the blocks of a page, by default with the rules for hidden elements of that page.
  init(_ tree: DOMTree, url: String = "", hidingRules: HidingRules? = nil) {
    let hidingRules = hidingRules ?? HidingRules(of: tree)
    var reader = PageBlockCollector(tree, hiding: hidingRules)
    reader.walk()
    self = reader.moveOutResult()
    self.hidingRules = hidingRules
    signals = PageSignals(tree, url: url)
    setCopyCounts(reader.textHashes)
    computePrefixSums()
    setRepetitions()
    setCore()
    firstTitleIndex = blocks.firstIndex { $0.headingLevel == 1 }
    textSections = findTextSections(in: tree)
  }

  init() {}

  /// Returns the text nodes of a block.
  func textNodes(of block: Block) -> ArraySlice<Int32> {
    textNodes[Int(block.textRange.lowerBound)..<Int(block.textRange.upperBound)]
  }

  /// Returns how many levels above the container of a block the nearest container of a topic is: 0
  /// if the container of the block or an element within the block has the topic; nil if no
  /// container around the block has it.
  func distance(to topic: BlockTopic, from block: Block) -> Int? {
    if block.topicBits & topic.bit != 0 { return 0 }
    let container = containers[Int(block.containerIndex)]
    let depth = topicDepths[Int(container.topicDepthsIndex)].depths[Int(topic.rawValue)]
    return depth == .max ? nil : Int(container.depth) - Int(depth)
  }

  /// Whether a block is in a container of a topic that is at most `maxDistance` levels above the
  /// container of the block; see `distance`.
  func isNear(_ topic: BlockTopic, _ block: Block, maxDistance: Int) -> Bool {
    distance(to: topic, from: block).map { $0 <= maxDistance } ?? false
  }

  /// Returns the topics of the container of a block and of those around it, as a bit set.
  func topicBits(around block: Block) -> UInt64 {
    topicDepths[Int(containers[Int(block.containerIndex)].topicDepthsIndex)].topicBits
  }

  /// Whether a container itself has any of the topics in a bit set.
  func hasTopic(_ topics: UInt64, _ container: Container) -> Bool {
    let row = Int(container.topicDepthsIndex)
    var rest = topics & topicDepths[row].topicBits
    while rest != 0 {
      if topicDepths[row].depths[rest.trailingZeroBitCount] == container.depth { return true }
      rest &= rest - 1
    }
    return false
  }

  /// Whether a range of blocks contains the first heading of level 1.
  func containsFirstTitle(_ range: Range<Int32>) -> Bool {
    firstTitleIndex.map { range.contains(Int32($0)) } ?? false
  }

  /// Returns the innermost container with a name around a block; 0 if there is none.
  func ancestor(_ name: ElementName, of block: Block) -> Int {
    var index = Int(block.containerIndex)
    while index > 0, containers[index].name != name { index = Int(containers[index].parentIndex) }
    return index
  }

  // MARK: Sums

  /// Returns the sums over a range of blocks.
  func sum(_ range: Range<Int32>) -> BlockSums {
    sums[Int(range.upperBound)] - sums[Int(range.lowerBound)]
  }

  private mutating func computePrefixSums() {
    var total = BlockSums()
    sums.reserveCapacity(blocks.count + 1)
    sums.append(total)
    for block in blocks {
      total.add(block)
      sums.append(total)
    }
  }

  /// Sets `coreIndex` by descending from the root while one child container has more than half of
  /// the prose.
  private mutating func setCore() {
    var heaviest = [OptionalIndex](repeating: nil, count: containers.count)
    for index in containers.indices.dropFirst() {
      let parent = Int(containers[index].parentIndex)
      if let heavier = heaviest[parent].value, proseWordCount(index) <= proseWordCount(heavier) {
        continue
      }
      heaviest[parent] = OptionalIndex(index)
    }
    while let next = heaviest[Int(coreIndex)].value,
      proseWordCount(next) * 2 > proseWordCount(Int(coreIndex))
    {
      coreIndex = Int32(next)
      containers[Int(coreIndex)].corePathIndex = coreIndex
    }
    for index in containers.indices.dropFirst() where containers[index].corePathIndex == 0 {
      containers[index].corePathIndex = containers[Int(containers[index].parentIndex)].corePathIndex
    }
  }

  private func proseWordCount(_ container: Int) -> Int {
    let range = containers[container].blockRange
    return sums[Int(range.upperBound)].proseWordCount - sums[Int(range.lowerBound)].proseWordCount
  }

  private mutating func setCopyCounts(_ hashes: [UInt64]) {
    let texts = Grouping(hashes)
    var counts = [UInt32](repeating: 0, count: texts.count)
    for text in texts.groupNumbers { counts[Int(text)] += 1 }
    for index in blocks.indices { blocks[index].copyCount = counts[Int(texts.groupNumbers[index])] }
  }

  // MARK: Repetition

  /// Determines which containers have similar siblings.
  private mutating func setRepetitions() {
    // Groups of siblings with the same signature.
    let similarContainers = Grouping(
      containers.map { $0.signature ^ UInt64(UInt32(bitPattern: $0.parentIndex)) << 20 })
    var sums = [SimilarContainers](repeating: SimilarContainers(), count: similarContainers.count)
    for (index, group) in similarContainers.groupNumbers.enumerated().dropFirst() {
      let own = UInt32(truncatingIfNeeded: wordCount(in: containers[index].blockRange))
      sums[Int(group)].count += 1
      sums[Int(group)].wordCount &+= own
      sums[Int(group)].maxWordCount = max(sums[Int(group)].maxWordCount, own)
    }
    for index in containers.indices.dropFirst() {
      let outer = containers[Int(containers[index].parentIndex)]
      setRepetition(of: index, among: sums[Int(similarContainers.groupNumbers[index])], in: outer)
    }
  }

  /// Similar sibling containers.
  private struct SimilarContainers {
    /// The number of containers, their total words, and the words of the longest container.
    var count: UInt32 = 0, wordCount: UInt32 = 0, maxWordCount: UInt32 = 0
  }

  private mutating func setRepetition(
    of index: Int, among siblings: SimilarContainers, in parent: Container
  ) {
    var container = containers[index]
    container.similarCount = siblings.count
    container.similarWordCount = siblings.wordCount
    let isRepeated = siblings.count >= 3
    // A container with half of all words is a part of the page that holds items, not an item.
    let isItem = isRepeated && Int(siblings.maxWordCount) * 2 < wordCount(in: allBlockIndices)
    container.repeatedIndex = isRepeated ? OptionalIndex(index) : parent.repeatedIndex
    container.unitIndex =
      parent.unitIndex != nil
      ? parent.unitIndex : isItem && container.blockRange.count > 1 ? OptionalIndex(index) : nil
    if container.unitIndex.value == index {
      let key = container.signature ^ UInt64(UInt32(bitPattern: container.parentIndex)) << 20
      container.roleHash = key &* 31 | 1
    } else if parent.roleHash != 0 {
      container.roleHash = (parent.roleHash ^ container.signature) &* 0x100_0000_01B3 | 1
    }
    container.sectionIndex = container.name.isSection ? Int32(index) : parent.sectionIndex
    containers[index] = container
  }

  /// Returns the number of words in a range of blocks.
  @inline(__always)
  func wordCount(in range: Range<Int32>) -> Int {
    sums[Int(range.upperBound)].wordCount - sums[Int(range.lowerBound)].wordCount
  }

  /// Returns the number of words in the kept blocks, by default of the whole page.
  func wordCount(kept isKept: [Bool], in range: Range<Int32>? = nil) -> Int {
    (range ?? allBlockIndices).reduce(0) {
      $0 + (isKept[Int($1)] ? Int(blocks[Int($1)].text.wordCount) : 0)
    }
  }

  /// Returns the number of words in kept blocks before each block and before the end.
  func keptWordSums(_ isKept: [Bool]) -> [Int] {
    var sums = [0]
    sums.reserveCapacity(blocks.count + 1)
    for index in blocks.indices {
      sums.append(sums[index] + (isKept[index] ? Int(blocks[index].text.wordCount) : 0))
    }
    return sums
  }
}

extension ElementName {
  var isSection: Bool {
    switch self {
    case .main, .article, .section, .nav, .aside, .header, .footer, .form, .dialog: true
    default: false
    }
  }
}
