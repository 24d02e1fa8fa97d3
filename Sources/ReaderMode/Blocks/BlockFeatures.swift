import Document
import DOM

// The features of a block are bytes: counts on a logarithmic scale with four steps per power of
// two, ratios in 32nds, and distances in containers up to 15, with 16 for none. Their order is that
// of `names`.

/// The features of the blocks of a page, as one column per feature.
package struct BlockFeatures {
  let page: PageBlocks
  let pageSums: BlockSums
  /// The share of each block that is repeated in other parts of the page.
  let repetitions: BlockRepetitions
  /// The article of the page; nil if it was not extracted.
  let article: ArticleBlocks?
  private let kind: PageKind
  /// For each block, its word count and its share of links.
  private var blockTextFeatures: [(words: UInt8, links: UInt8)] = []
  /// For each container, its sums and those of all similar containers; computed on demand.
  private var containerFeatures: [ContainerFeatures]
  /// The features of the article that are the same for all blocks.
  private(set) var articleConstants: [UInt8] = []
  /// The features of the repetitions that are the same for all blocks.
  private(set) var repetitionConstants: [UInt8] = []
  /// For each container, the next larger container around it; nil if not computed yet.
  private var largerContainers: [OptionalIndex]
  /// For each block, the headings above it except the nearest.
  private(set) var outlines: [OuterHeadings] = []
  /// For each container, the number of its group of similar containers.
  private(set) var similarityGroups: [Int32] = []
  /// For each group of similar containers, their sums.
  private(set) var similarContainerSums: [SimilarContainers] = []
  /// For each block, the nearest heading before it, or nil.
  private var precedingHeadings: [OptionalIndex] = []
  /// The features that are the same for all blocks.
  private var constants: [UInt8] = []
  private let coreShare: UInt8

  /// The sums of a container as features.
  private struct ContainerFeatures {
    var wordCount: UInt8 = 0, linkShare: UInt8 = 0, proseShare: UInt8 = 0
    var blockLevel: UInt8 = 0, wordsPerBlock: UInt8 = 0, wordShare: UInt8 = 0
    var similarCount: UInt8 = 0, similarWordCount: UInt8 = 0, similarWordShare: UInt8 = 0
    var isComputed = false
  }

  /// Prepares the features of the blocks of a page.
  init(
    _ page: PageBlocks, _ repetitions: BlockRepetitions, _ kind: PageKind, _ article: ArticleBlocks?
  ) {
    self.page = page
    (self.repetitions, self.kind, self.article) = (repetitions, kind, article)
    pageSums = page.sum(page.allBlockIndices)
    largerContainers = Array(repeating: nil, count: page.containers.count)
    coreShare = Self.shareByte(
      page.sum(page.containers[Int(page.coreIndex)].blockRange).wordCount, of: pageSums.wordCount)
    blockTextFeatures = page.blocks.map {
      let wordCount = Int($0.text.wordCount)
      return (
        Self.logScaleByte(wordCount), Self.shareByte(Int($0.text.linkWordCount), of: wordCount)
      )
    }
    containerFeatures = Array(repeating: ContainerFeatures(), count: page.containers.count)
    precedingHeadings.reserveCapacity(page.blocks.count)
    var headingIndex: OptionalIndex = nil
    for (index, block) in page.blocks.enumerated() {
      precedingHeadings.append(headingIndex)
      if block.headingLevel > 0 { headingIndex = OptionalIndex(index) }
    }
    constants = [
      Self.logScaleByte(pageSums.wordCount),
      Self.shareByte(pageSums.linkWordCount, of: pageSums.wordCount),
      Self.shareByte(pageSums.proseWordCount, of: pageSums.wordCount),
      Self.logScaleByte(pageSums.blockCount),
      Self.logScaleByte(pageSums.priceCount), UInt8(PageKind.allCases.firstIndex(of: kind) ?? 0),
    ]
    repetitionConstants = Self.constants(of: repetitions, in: page)
    if let article { articleConstants = Self.constants(of: article, pageSums) }
    outlines = OuterHeadings.outlines(of: page)
    (similarityGroups, similarContainerSums) = SimilarContainers.groupBySignature(in: page, article)
  }

  private static func features(
    of container: Int, in page: PageBlocks, _ whole: BlockSums
  ) -> ContainerFeatures {
    let blocks = page.containers[container].blockRange
    let sums = page.sum(blocks)
    let alike = Int(page.containers[container].similarWordCount)
    let count = Int(page.containers[container].similarCount)
    return ContainerFeatures(
      wordCount: logScaleByte(sums.wordCount),
      linkShare: shareByte(sums.linkWordCount, of: sums.wordCount),
      proseShare: shareByte(sums.proseWordCount, of: sums.wordCount),
      blockLevel: logScaleByte(sums.blockCount),
      wordsPerBlock: shareByte(sums.wordCount, of: sums.blockCount * 4),
      wordShare: shareByte(sums.wordCount, of: whole.wordCount), similarCount: logScaleByte(count),
      similarWordCount: logScaleByte(alike / count),
      similarWordShare: shareByte(alike, of: whole.wordCount),
      isComputed: true)
  }

  /// Returns the features of a block.
  mutating func row(_ index: Int) -> [UInt8] {
    columns(of: index..<index + 1).map { $0.lanes[0] }
  }

  /// Returns the features of at most 64 blocks, one column per feature.
  mutating func columns(of blocks: Range<Int>) -> [FeatureColumn] {
    var columns = [FeatureColumn](repeating: .zero, count: Self.count)
    // Filled in advance, because most topics have no container around a block.
    for topic in 0..<BlockTopic.count {
      columns[Self.topicFeatureOffset + topic] = Self.noTopicDistances
    }
    page.withUnsafeViews { page in
      columns.withUnsafeMutableBytes { bytes in
        for index in blocks {
          var row = FeatureRow(bytes: bytes, index: index - blocks.lowerBound)
          write(index, page, to: &row)
        }
      }
    }
    return columns
  }

  private static let noTopicDistances = FeatureColumn(lanes: SIMD64(repeating: 16))

  private mutating func write(
    _ index: Int, _ page: PageBlocks.UnsafeViews, to row: inout FeatureRow
  ) {
    let containerIndex = page.blocks[index].containerIndex
    addText(index, page, &row)
    addPosition(index, Int(containerIndex), page, &row)
    addContainerSums(containerIndex, page, &row)
    page.writeDistances(from: index, to: &row)
    let phrases = page.blocks[index].phrases.rawValue
    if phrases == 0 {
      row.skip(BlockPhrase.count)
    } else {
      for bit in 0..<BlockPhrase.count {
        row.append(UInt8(truncatingIfNeeded: phrases >> UInt16(bit) & 1))
      }
    }
    addHeading(index, page, &row)
    addNeighbor(index - 2, containerIndex, page, &row)
    addNeighbor(index - 1, containerIndex, page, &row)
    addNeighbor(index + 1, containerIndex, page, &row)
    addNeighbor(index + 2, containerIndex, page, &row)
    for constant in constants { row.append(constant) }
    addOutline(index, &row)
    addRepetitions(index, Int(containerIndex), page, &row)
    addImagesAndEmphasis(index, page, &row)
    addArticle(index, Int(containerIndex), page, &row)
  }

  // MARK: Groups

  private func addText(_ index: Int, _ page: PageBlocks.UnsafeViews, _ row: inout FeatureRow) {
    let wordCount = Int(page.blocks[index].text.wordCount)
    row.append(blockTextFeatures[index].words)
    row.append(blockTextFeatures[index].links)
    row.append(Self.logScaleByte(Int(page.blocks[index].text.linkCount)))
    row.append(Self.shareByte(Int(page.blocks[index].text.wordByteCount), of: wordCount * 4))
    row.append(Self.shareByte(Int(page.blocks[index].text.capitalizedWordCount), of: wordCount))
    row.append(Self.shareByte(Int(page.blocks[index].text.numberCount), of: wordCount))
    row.append(Self.logScaleByte(Int(page.blocks[index].text.sentenceEndCount)))
    row.append(Self.logScaleByte(Int(page.blocks[index].text.commaCount)))
    row.append(Self.logScaleByte(Int(page.blocks[index].text.separatorCount)))
    row.append(page.blocks[index].text.hasPrice ? 1 : 0)
    row.append(page.blocks[index].text.isProse ? 1 : 0)
    row.append(Self.lastByteClass(page.blocks[index].text.lastByte))
    row.append(page.blocks[index].headingLevel)
    row.append(Self.logScaleByte(Int(page.blocks[index].copyCount)))
  }

  private static func lastByteClass(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "."): 5
    case UInt8(ascii: "!"), UInt8(ascii: "?"): 4
    case UInt8(ascii: ":"): 3
    case UInt8(ascii: "0")...UInt8(ascii: "9"): 1
    case _ where byte.isLetter: 0
    default: 2
    }
  }

  private func addPosition(
    _ index: Int, _ container: Int, _ page: PageBlocks.UnsafeViews, _ row: inout FeatureRow
  ) {
    row.append(Self.shareByte(index, of: page.blocks.count))
    row.append(Self.shareByte(self.page.sums[index].wordCount, of: pageSums.wordCount))
    let depth = Int(page.containers[container].depth)
    row.append(Self.logScaleByte(depth))
    row.append(Self.nameClass(page.containers[container].name))
    if let title = self.page.firstTitleIndex {
      row.append(index < title ? 1 : index == title ? 2 : 3)
      row.append(index >= title ? Self.logScaleByte(index - title) : 0)
      row.append(index < title ? Self.logScaleByte(title - index) : 0)
    } else {
      row.skip(3)
    }
    let core = page.containers[Int(self.page.coreIndex)].blockRange
    row.append(Int32(index) < core.lowerBound ? 0 : Int32(index) >= core.upperBound ? 2 : 1)
    let onPath = Int(page.containers[Int(page.containers[container].corePathIndex)].depth)
    row.append(distance: Int(page.containers[Int(self.page.coreIndex)].depth) - onPath)
    row.append(distance: depth - onPath)
    row.append(coreShare)
  }

  private static func nameClass(_ name: ElementName) -> UInt8 {
    switch name {
    case .p: 1
    case .li: 2
    case .td: 3
    case .th: 4
    case .dt: 5
    case .dd: 6
    case .pre, .listing: 7
    case .blockquote: 8
    case .figcaption, .caption: 9
    case .button: 10
    case .summary: 11
    case .h1, .h2, .h3, .h4, .h5, .h6: 12
    case .section, .article, .main: 13
    case .ul, .ol, .dl: 14
    default: 0
    }
  }

  @inline(__always)
  private mutating func features(of container: Int32) -> ContainerFeatures {
    if !containerFeatures[Int(container)].isComputed {
      containerFeatures[Int(container)] = Self.features(of: Int(container), in: page, pageSums)
    }
    return containerFeatures[Int(container)]
  }

  /// Adds the sums of the block's container, of three larger containers around it, of its section,
  /// and of the repeated containers around it.
  private mutating func addContainerSums(
    _ ownContainer: Int32, _ page: PageBlocks.UnsafeViews, _ row: inout FeatureRow
  ) {
    addSums(of: ownContainer, &row)
    var larger = ownContainer
    for _ in 0..<3 {
      larger = self.largerContainer(than: larger)
      addSums(of: larger, &row)
    }
    addSums(of: page.containers[Int(ownContainer)].sectionIndex, &row)
    addRepeatedContainer(
      page.containers[Int(ownContainer)].repeatedIndex, around: Int(ownContainer), page, &row)
    addRepeatedContainer(
      page.containers[Int(ownContainer)].unitIndex, around: Int(ownContainer), page, &row)
  }

  private mutating func addRepeatedContainer(
    _ repeatedContainer: OptionalIndex, around container: Int, _ page: PageBlocks.UnsafeViews,
    _ row: inout FeatureRow
  ) {
    guard let repeatedContainer = repeatedContainer.value else { return row.skip(10) }
    addSums(of: Int32(repeatedContainer), &row)
    let features = features(of: Int32(repeatedContainer))
    row.append(features.similarCount)
    row.append(features.similarWordCount)
    row.append(features.similarWordShare)
    row.append(
      distance: Int(page.containers[container].depth)
        - Int(page.containers[repeatedContainer].depth))
  }

  /// Returns the nearest ancestor with more than one and a half times as many blocks. If there is
  /// none among the nearest `maxExaminedCount` ancestors, returns the outermost of these.
  mutating func largerContainer(than index: Int32) -> Int32 {
    if let known = largerContainers[Int(index)].value { return Int32(known) }
    let larger = findLargerContainer(than: index)
    largerContainers[Int(index)] = OptionalIndex(larger)
    return larger
  }

  private func findLargerContainer(than index: Int32) -> Int32 {
    let count = page.containers[Int(index)].blockRange.count
    var index = index
    for _ in 0..<Self.maxExaminedCount {
      let parent = page.containers[Int(index)].parentIndex
      guard parent >= 0 else { return index }
      index = parent
      if page.containers[Int(index)].blockRange.count * 2 > count * 3 { return index }
    }
    return index
  }

  /// The maximum number of containers or blocks examined.
  private static let maxExaminedCount = 40

  private mutating func addSums(of container: Int32, _ row: inout FeatureRow) {
    let features = features(of: container)
    row.append(features.wordCount)
    row.append(features.linkShare)
    row.append(features.proseShare)
    row.append(features.blockLevel)
    row.append(features.wordsPerBlock)
    row.append(features.wordShare)
  }

  /// Adds the features of the nearest heading above a block.
  private func addHeading(_ index: Int, _ page: PageBlocks.UnsafeViews, _ row: inout FeatureRow) {
    guard let heading = precedingHeadings[index].value, index - heading <= Self.maxExaminedCount
    else {
      return row.skip(2 + Self.headingPhrases.count)
    }
    row.append(page.blocks[heading].headingLevel)
    row.append(Self.logScaleByte(index - heading))
    Self.addPhrases(page.blocks[heading].phrases, &row)
  }

  static func addPhrases(_ phrases: BlockPhrase, _ row: inout FeatureRow) {
    guard !phrases.isEmpty else { return row.skip(headingPhrases.count) }
    for phrase in headingPhrases { row.append(phrases.isDisjoint(with: phrase) ? 0 : 1) }
  }

  static let headingPhrases: [BlockPhrase] = [
    .related, .comments, .reviews, .product, [.subscribe, .signIn], [.legal, .cookies],
    [.listControls, .follow],
  ]

  /// Adds the features of a block near another one.
  private func addNeighbor(
    _ neighborIndex: Int, _ container: Int32, _ page: PageBlocks.UnsafeViews,
    _ row: inout FeatureRow
  ) {
    guard page.blocks.indices.contains(neighborIndex) else { return row.skip(4) }
    row.append(blockTextFeatures[neighborIndex].words)
    row.append(blockTextFeatures[neighborIndex].links)
    row.append(page.blocks[neighborIndex].headingLevel)
    row.append(page.blocks[neighborIndex].containerIndex == container ? 1 : 0)
  }

  // MARK: Scales

  @inline(__always)
  static func logScaleByte(_ count: Int) -> UInt8 { UInt8(truncatingIfNeeded: logScale(count)) }

  /// Returns a number on a scale that is linear up to 8 and then has four steps per power of two,
  /// at most 63.
  @inline(__always)
  static func logScale(_ count: Int) -> Int {
    guard count >= 8 else { return max(0, count) }
    let power = Int.bitWidth - 1 - count.leadingZeroBitCount
    return min(63, 4 * power - 4 + (count >> (power - 2)) & 3)
  }

  @inline(__always)
  static func shareByte(_ part: Int, of whole: Int) -> UInt8 {
    whole > 0 ? UInt8(min(255, part * 32 / whole)) : 0
  }

  // MARK: Names

  /// The number of features before the distances of topics.
  private static let topicFeatureOffset = 75

  /// The number of features, equal to `names.count`.
  static let count =
    topicFeatureOffset + BlockTopic.count + BlockPhrase.count + headingPhrases.count + 2 + 16 + 6
    + surroundingNames.count

  /// The names of the features, in order.
  static let names: [String] = {
    var names = [
      "words", "links share", "links", "word length", "capitals", "numbers", "sentences", "commas",
      "separators", "price", "prose", "last character", "heading", "copies", "place by blocks",
      "place by words", "depth", "element", "side of title", "blocks after title",
      "blocks before title", "side of core", "way below core", "way beside core", "core share",
    ]
    let sums = ["words", "links", "prose", "blocks", "words a block", "share"]
    for container in ["own", "larger", "larger 2", "larger 3", "section"] {
      names += sums.map { "\(container) \($0)" }
    }
    for container in ["repeated", "unit"] {
      names += sums.map { "\(container) \($0)" }
      names += ["alike", "words alike", "share alike", "distance"].map { "\(container) \($0)" }
    }
    names += BlockTopic.allCases.map { "in \($0)" }
    names += [
      "buy", "follow", "related", "sign in", "share", "cookies", "subscribe", "comments", "order",
      "stock", "reviews", "date", "legal", "product", "member", "script",
    ].map { "says \($0)" }
    names += ["heading level", "heading distance"]
    names += ["related", "comments", "reviews", "product", "subscribe", "legal", "order"]
      .map { "heading says \($0)" }
    for position in ["2 before", "before", "after", "2 after"] {
      names += ["words", "links", "heading", "beside"].map { "\(position) \($0)" }
    }
    names += ["page words", "page links", "page prose", "page blocks", "page prices", "page kind"]
    return names + surroundingNames
  }()
}

extension PageBlocks {
  /// Unsafe views of the blocks and containers, to read a few members of large elements without
  /// copying them.
  struct UnsafeViews {
    let blocks: UnsafeBufferPointer<Block>
    let containers: UnsafeBufferPointer<Container>
    let topicDepths: UnsafeBufferPointer<TopicDepths>
  }

  fileprivate func withUnsafeViews(_ body: (UnsafeViews) -> Void) {
    blocks.withUnsafeBufferPointer { blocks in
      containers.withUnsafeBufferPointer { containers in
        topicDepths.withUnsafeBufferPointer { surroundings in
          body(UnsafeViews(blocks: blocks, containers: containers, topicDepths: surroundings))
        }
      }
    }
  }
}

extension PageBlocks.UnsafeViews {
  /// Writes the distance from a block to the nearest container of each topic; 0 if an element
  /// within the block has the topic. The features of topics without a container are filled in
  /// advance.
  fileprivate func writeDistances(from block: Int, to row: inout FeatureRow) {
    let container = Int(blocks[block].containerIndex)
    let depth = containers[container].depth
    let depthsIndex = Int(containers[container].topicDepthsIndex)
    let position = depthsIndex * MemoryLayout<PageBlocks.TopicDepths>.stride
    let depths = UnsafeRawBufferPointer(topicDepths)
    let inside = blocks[block].topicBits
    var topics = inside | topicDepths[depthsIndex].topicBits
    while topics != 0 {
      let topic = topics.trailingZeroBitCount
      let away = depths.load(fromByteOffset: position + 2 * topic, as: UInt16.self)
      let distance = UInt8(truncatingIfNeeded: min(15, depth &- away))
      row.write(inside &>> UInt64(topic) & 1 != 0 ? 0 : distance, columnsAhead: topic)
      topics &= topics - 1
    }
    row.skip(BlockTopic.count)
  }
}
