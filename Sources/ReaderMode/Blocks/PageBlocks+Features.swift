import Document
import DOM

// The features of a block are bytes: counts on a scale of quarters of powers of two, ratios in
// 32nds, distances in containers up to 15 with 16 for none. Their order is that of `names`.

/// The features of the blocks of a page: sixteen blocks side by side, a column a feature.
package struct BlockFeatures {
  let page: PageBlocks
  let whole: BlockSums
  /// What is said elsewhere, too.
  let echoes: BlockEchoes
  /// What stands in the article of the page; nil when nobody looked for one.
  let article: ArticleBlocks?
  private let kind: PageKind
  /// For each block its length and its share of links.
  private var lengths: [(words: UInt8, links: UInt8)] = []
  /// For each container its sums, and for those that look alike the sums of all of them; unknown
  /// until somebody asks.
  private var sums: [ContainerFeatures]
  /// For each container the next larger one, or -1 when nobody asked.
  private var larger: [Int32]
  /// For each block the headings that it stands below, but for the nearest.
  private(set) var outlines: [Outline] = []
  /// For each container the number of those that look alike, and their sums.
  private(set) var likes: [Int32] = []
  private(set) var sumsOfLikes: [Likes] = []
  /// For each block the nearest heading before it, or -1.
  private var headings: [Int32] = []
  /// What is the same for all blocks.
  private var constants: [UInt8] = []
  private let coreShare: UInt8

  /// The sums of a container as features.
  private struct ContainerFeatures {
    var words: UInt8 = 0, links: UInt8 = 0, prose: UInt8 = 0
    var blocks: UInt8 = 0, wordsOfBlock: UInt8 = 0, share: UInt8 = 0
    var alike: UInt8 = 0, wordsAlike: UInt8 = 0, shareAlike: UInt8 = 0
    var isKnown = false
  }

  /// - Parameters:
  ///   - page: The blocks.
  ///   - echoes: What of them is said elsewhere, too.
  ///   - kind: What the page is.
  ///   - article: What of them stands in the article of the page; nil when nobody looked for one.
  init(_ page: PageBlocks, _ echoes: BlockEchoes, _ kind: PageKind, _ article: ArticleBlocks?) {
    self.page = page
    (self.echoes, self.kind, self.article) = (echoes, kind, article)
    whole = page.sum(page.all)
    larger = Array(repeating: -1, count: page.containers.count)
    coreShare = Self.ratio(
      page.sum(page.containers[Int(page.core)].blocks).words, of: whole.words)
    lengths = page.blocks.map {
      let words = Int($0.text.words)
      return (Self.level(words), Self.ratio(Int($0.text.linkWords), of: words))
    }
    sums = Array(repeating: ContainerFeatures(), count: page.containers.count)
    headings.reserveCapacity(page.blocks.count)
    var heading: Int32 = -1
    for (index, block) in page.blocks.enumerated() {
      headings.append(heading)
      if block.headingLevel > 0 { heading = Int32(index) }
    }
    constants = [
      Self.level(whole.words), Self.ratio(whole.linkWords, of: whole.words),
      Self.ratio(whole.proseWords, of: whole.words), Self.level(whole.blocks),
      Self.level(whole.prices), UInt8(PageKind.allCases.firstIndex(of: kind) ?? 0),
    ]
    outlines = Outline.outlines(of: page)
    (likes, sumsOfLikes) = Likes.likes(in: page, article)
  }

  private static func features(
    of container: PageBlocks.Container, in page: PageBlocks, _ whole: BlockSums
  ) -> ContainerFeatures {
    let sums = page.sum(container.blocks)
    let alike = Int(container.similarWords)
    return ContainerFeatures(
      words: level(sums.words), links: ratio(sums.linkWords, of: sums.words),
      prose: ratio(sums.proseWords, of: sums.words), blocks: level(sums.blocks),
      wordsOfBlock: ratio(sums.words, of: sums.blocks * 4),
      share: ratio(sums.words, of: whole.words), alike: level(Int(container.similar)),
      wordsAlike: level(alike / Int(container.similar)), shareAlike: ratio(alike, of: whole.words),
      isKnown: true)
  }

  /// The features of a block.
  mutating func row(_ index: Int) -> [UInt8] {
    columns(of: index..<index + 1).map { $0.lanes[0] }
  }

  /// The features of up to sixteen blocks, a column for each feature.
  mutating func columns(of blocks: Range<Int>) -> [ContentTrees.Column] {
    var columns = [ContentTrees.Column](repeating: .zero, count: Self.count)
    columns.withUnsafeMutableBytes { bytes in
      for index in blocks {
        var row = FeatureRow(bytes: bytes, place: index - blocks.lowerBound)
        write(index, to: &row)
      }
    }
    return columns
  }

  private mutating func write(_ index: Int, to row: inout FeatureRow) {
    let block = page.blocks[index]
    addText(block.text, index, block, &row)
    addPlace(index, page.containers[Int(block.container)], &row)
    addContainers(block.container, &row)
    page.writeDistances(from: block, to: &row)
    for bit in 0..<BlockPhrase.count {
      row.append(UInt8(truncatingIfNeeded: block.phrases.rawValue >> UInt16(bit) & 1))
    }
    addHeading(index, &row)
    addNeighbours(index, block.container, &row)
    for constant in constants { row.append(constant) }
    addOutline(index, &row)
    addEchoes(index, block, &row)
    addLook(index, block, &row)
    addArticle(index, block, &row)
  }

  // MARK: Groups

  private func addText(
    _ text: BlockText, _ index: Int, _ block: PageBlocks.Block, _ row: inout FeatureRow
  ) {
    let words = Int(text.words)
    row.append(lengths[index].words)
    row.append(lengths[index].links)
    row.append(Self.level(Int(text.links)))
    row.append(Self.ratio(Int(text.letters), of: words * 4))
    row.append(Self.ratio(Int(text.capitals), of: words))
    row.append(Self.ratio(Int(text.numbers), of: words))
    row.append(Self.level(Int(text.sentences)))
    row.append(Self.level(Int(text.commas)))
    row.append(Self.level(Int(text.separators)))
    row.append(text.hasPrice ? 1 : 0)
    row.append(text.isProse ? 1 : 0)
    row.append(Self.lastByteClass(text.last))
    row.append(block.headingLevel)
    row.append(Self.level(Int(block.copies)))
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

  private func addPlace(
    _ index: Int, _ container: PageBlocks.Container, _ row: inout FeatureRow
  ) {
    row.append(Self.ratio(index, of: page.blocks.count))
    row.append(Self.ratio(page.sums[index].words, of: whole.words))
    row.append(Self.level(Int(container.depth)))
    row.append(Self.nameClass(container.name))
    let title = Int(page.firstTitle)
    row.append(title < 0 ? 0 : index < title ? 1 : index == title ? 2 : 3)
    row.append(title >= 0 && index >= title ? Self.level(index - title) : 0)
    row.append(title >= 0 && index < title ? Self.level(title - index) : 0)
    let core = page.containers[Int(page.core)]
    row.append(
      Int32(index) < core.blocks.lowerBound ? 0 : Int32(index) >= core.blocks.upperBound ? 2 : 1)
    let onPath = Int(page.containers[Int(container.onCorePath)].depth)
    row.append(distance: Int(core.depth) - onPath)
    row.append(distance: Int(container.depth) - onPath)
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

  private mutating func features(of container: Int32) -> ContainerFeatures {
    if !sums[Int(container)].isKnown {
      sums[Int(container)] = Self.features(of: page.containers[Int(container)], in: page, whole)
    }
    return sums[Int(container)]
  }

  /// The container of the block, three larger ones, the repeated ones and the section.
  private mutating func addContainers(_ own: Int32, _ row: inout FeatureRow) {
    let container = page.containers[Int(own)]
    addSums(of: own, &row)
    var larger = own
    for _ in 0..<3 {
      larger = self.larger(than: larger)
      addSums(of: larger, &row)
    }
    addSums(of: container.section, &row)
    for group in [container.repeated, container.unit] {
      guard group >= 0 else {
        for _ in 0..<10 { row.append(0) }
        continue
      }
      addSums(of: group, &row)
      let features = features(of: group)
      row.append(features.alike)
      row.append(features.wordsAlike)
      row.append(features.shareAlike)
      row.append(distance: Int(container.depth) - Int(page.containers[Int(group)].depth))
    }
  }

  /// The nearest container around one that has at least one and a half times its blocks.
  mutating func larger(than index: Int32) -> Int32 {
    if larger[Int(index)] < 0 { larger[Int(index)] = findLarger(than: index) }
    return larger[Int(index)]
  }

  private func findLarger(than index: Int32) -> Int32 {
    let count = page.containers[Int(index)].blocks.count
    var index = index
    for _ in 0..<Self.reach {
      let parent = page.containers[Int(index)].parent
      guard parent >= 0 else { return index }
      index = parent
      if page.containers[Int(index)].blocks.count * 2 > count * 3 { return index }
    }
    return index
  }

  /// How many containers, or blocks, are looked at.
  private static let reach = 40

  private mutating func addSums(of container: Int32, _ row: inout FeatureRow) {
    let features = features(of: container)
    row.append(features.words)
    row.append(features.links)
    row.append(features.prose)
    row.append(features.blocks)
    row.append(features.wordsOfBlock)
    row.append(features.share)
  }

  /// The heading above a block.
  private func addHeading(_ index: Int, _ row: inout FeatureRow) {
    let heading = Int(headings[index])
    guard heading >= 0, index - heading <= Self.reach else {
      for _ in 0..<2 + Self.headingPhrases.count { row.append(0) }
      return
    }
    row.append(page.blocks[heading].headingLevel)
    row.append(Self.level(index - heading))
    let phrases = page.blocks[heading].phrases
    for phrase in Self.headingPhrases { row.append(phrases.isDisjoint(with: phrase) ? 0 : 1) }
  }

  static let headingPhrases: [BlockPhrase] = [
    .related, .comments, .reviews, .product, [.subscribe, .signIn], [.legal, .cookies],
    [.order, .follow],
  ]

  private func addNeighbours(_ index: Int, _ container: Int32, _ row: inout FeatureRow) {
    for neighbour in [index - 2, index - 1, index + 1, index + 2] {
      guard page.blocks.indices.contains(neighbour) else {
        for _ in 0..<4 { row.append(0) }
        continue
      }
      row.append(lengths[neighbour].words)
      row.append(lengths[neighbour].links)
      row.append(page.blocks[neighbour].headingLevel)
      row.append(page.blocks[neighbour].container == container ? 1 : 0)
    }
  }

  // MARK: Scales

  static func level(_ count: Int) -> UInt8 { UInt8(truncatingIfNeeded: scale(count)) }

  /// Whole numbers up to 8, from there on four steps for each power of two.
  static func scale(_ count: Int) -> Int {
    guard count >= 8 else { return max(0, count) }
    let power = Int.bitWidth - 1 - count.leadingZeroBitCount
    return min(63, 4 * power - 4 + (count >> (power - 2)) & 3)
  }

  static func ratio(_ part: Int, of whole: Int) -> UInt8 {
    whole > 0 ? UInt8(min(255, part * 32 / whole)) : 0
  }

  // MARK: Names

  /// How many features there are: as many as names.
  static let count =
    75 + BlockTopic.count + BlockPhrase.count + headingPhrases.count + 2 + 16 + 6
    + surroundingNames.count

  /// The features in their order.
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
    for place in ["2 before", "before", "after", "2 after"] {
      names += ["words", "links", "heading", "beside"].map { "\(place) \($0)" }
    }
    names += ["page words", "page links", "page prose", "page blocks", "page prices", "page kind"]
    return names + surroundingNames
  }()
}

/// Where the features of one block go: a byte of each column.
struct FeatureRow {
  private let bytes: UnsafeMutableRawBufferPointer
  private var place: Int

  /// - Parameters:
  ///   - bytes: The columns, one behind the other.
  ///   - place: Which byte of each is meant.
  init(bytes: UnsafeMutableRawBufferPointer, place: Int) {
    self.bytes = bytes
    self.place = place
  }

  /// Writes the next feature.
  mutating func append(_ value: UInt8) {
    bytes[place] = value
    place += ContentTrees.Column.count
  }

  /// Writes a distance, at most 15.
  mutating func append(distance: Int) {
    append(UInt8(max(0, min(15, distance))))
  }
}

extension PageBlocks {
  /// Writes how far the nearest container of each topic is: 0 inside the block, 16 for none.
  fileprivate func writeDistances(from block: Block, to row: inout FeatureRow) {
    let container = containers[Int(block.container)]
    let depth = container.depth
    var topics = block.topics
    withUnsafeBytes(of: surroundings[Int(container.surroundings)]) { bytes in
      for depthOfTopic in bytes.assumingMemoryBound(to: UInt16.self).prefix(BlockTopic.count) {
        let distance =
          depthOfTopic == .max ? 16 : UInt8(truncatingIfNeeded: min(15, depth &- depthOfTopic))
        row.append(topics & 1 != 0 ? 0 : distance)
        topics >>= 1
      }
    }
  }
}
