// The features of a block are bytes: counts on a scale of quarters of powers of two, ratios in
// 32nds, distances in containers up to 15 with 16 for none. Their order is that of `names`.

/// The features of the blocks of a page, one row of bytes a block.
struct BlockFeatures {
  private let page: PageBlocks
  private let whole: BlockSums
  /// The row that is being written.
  private(set) var row: [UInt8] = []

  init(_ page: PageBlocks) {
    self.page = page
    whole = page.sum(0..<Int32(page.blocks.count))
    row.reserveCapacity(Self.names.count)
  }

  /// Writes the features of a block into `row`.
  mutating func read(_ index: Int) {
    row.removeAll(keepingCapacity: true)
    let block = page.blocks[index]
    let container = page.containers[Int(block.container)]
    addText(block)
    addPlace(index, block, container)
    addContainers(block.container)
    addSurroundings(block)
    addPhrases(index, block)
    addHeading(index)
    addNeighbours(index)
    addPage()
  }

  // MARK: Groups

  private mutating func addText(_ block: PageBlocks.Block) {
    let text = block.text
    add(count: Int(text.words))
    add(Int(text.linkWords), of: Int(text.words))
    add(count: Int(text.links))
    add(Int(text.letters), of: Int(text.words) * 4)
    add(Int(text.capitals), of: Int(text.words))
    add(Int(text.numbers), of: Int(text.words))
    add(count: Int(text.sentences))
    add(count: Int(text.commas))
    add(count: Int(text.separators))
    add(flag: text.hasPrice)
    add(flag: text.isProse)
    row.append(lastByteClass(text.last))
    row.append(block.headingLevel)
    add(count: Int(block.copies))
  }

  private func lastByteClass(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "."): 5
    case UInt8(ascii: "!"), UInt8(ascii: "?"): 4
    case UInt8(ascii: ":"): 3
    case UInt8(ascii: "0")...UInt8(ascii: "9"): 1
    case _ where byte.isLetter: 0
    default: 2
    }
  }

  private mutating func addPlace(
    _ index: Int, _ block: PageBlocks.Block, _ container: PageBlocks.Container
  ) {
    add(index, of: page.blocks.count)
    add(page.sums[index].words, of: whole.words)
    add(count: Int(container.depth))
    row.append(nameClass(container.name))
    let title = Int(page.firstTitle)
    row.append(title < 0 ? 0 : index < title ? 1 : index == title ? 2 : 3)
    add(count: title >= 0 && index >= title ? index - title : 0)
    add(count: title >= 0 && index < title ? title - index : 0)
    let core = page.containers[Int(page.core)]
    row.append(
      Int32(index) < core.blocks.lowerBound ? 0 : Int32(index) >= core.blocks.upperBound ? 2 : 1)
    let onPath = page.containers[Int(container.onCorePath)]
    add(distance: Int(core.depth) - Int(onPath.depth))
    add(distance: Int(container.depth) - Int(onPath.depth))
    add(page.sum(core.blocks).words, of: whole.words)
  }

  private func nameClass(_ name: ElementName) -> UInt8 {
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

  /// The container of the block, two larger ones, the repeated ones and the section.
  private mutating func addContainers(_ own: Int32) {
    let container = page.containers[Int(own)]
    let first = larger(than: own)
    let second = larger(than: first)
    let third = larger(than: second)
    for each in [own, first, second, third, container.section] { addSums(of: each) }
    for each in [container.repeated, container.unit] {
      guard each >= 0 else {
        row.append(contentsOf: repeatElement(0, count: 10))
        continue
      }
      addSums(of: each)
      let group = page.containers[Int(each)]
      add(count: Int(group.similar))
      add(count: Int(group.similarWords) / Int(group.similar))
      add(Int(group.similarWords), of: whole.words)
      add(distance: Int(container.depth) - Int(group.depth))
    }
  }

  /// The nearest container around one that has at least one and a half times its blocks.
  private func larger(than index: Int32) -> Int32 {
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

  private static let reach = 40

  private mutating func addSums(of container: Int32) {
    let sums = page.sum(page.containers[Int(container)].blocks)
    add(count: sums.words)
    add(sums.linkWords, of: sums.words)
    add(sums.proseWords, of: sums.words)
    add(count: sums.blocks)
    add(sums.words, of: sums.blocks * 4)
    add(sums.words, of: whole.words)
  }

  private mutating func addSurroundings(_ block: PageBlocks.Block) {
    for topic in 0..<BlockTopic.count {
      row.append(page.distance(to: topic, from: block).map { UInt8(min(15, $0)) } ?? 16)
    }
  }

  private mutating func addPhrases(_ index: Int, _ block: PageBlocks.Block) {
    for bit in 0..<BlockPhrase.count {
      add(flag: block.phrases.rawValue >> UInt16(bit) & 1 != 0)
    }
  }

  /// The heading above a block.
  private mutating func addHeading(_ index: Int) {
    var heading = index - 1
    while heading >= 0, page.blocks[heading].headingLevel == 0, index - heading < Self.reach {
      heading -= 1
    }
    guard heading >= 0, page.blocks[heading].headingLevel > 0 else {
      row.append(contentsOf: repeatElement(0, count: 2 + Self.headingPhrases.count))
      return
    }
    row.append(page.blocks[heading].headingLevel)
    add(count: index - heading)
    for phrase in Self.headingPhrases {
      add(flag: !page.blocks[heading].phrases.isDisjoint(with: phrase))
    }
  }

  private static let headingPhrases: [BlockPhrase] = [
    .related, .comments, .reviews, .product, [.subscribe, .signIn], [.legal, .cookies],
    [.order, .follow],
  ]

  private mutating func addNeighbours(_ index: Int) {
    for offset in [-2, -1, 1, 2] {
      guard page.blocks.indices.contains(index + offset) else {
        row.append(contentsOf: repeatElement(0, count: 4))
        continue
      }
      let block = page.blocks[index + offset]
      add(count: Int(block.text.words))
      add(Int(block.text.linkWords), of: Int(block.text.words))
      row.append(block.headingLevel)
      add(flag: block.container == page.blocks[index].container)
    }
  }

  private mutating func addPage() {
    add(count: whole.words)
    add(whole.linkWords, of: whole.words)
    add(whole.proseWords, of: whole.words)
    add(count: whole.blocks)
    add(count: whole.prices)
  }

  // MARK: Scales

  private mutating func add(count: Int) {
    row.append(UInt8(truncatingIfNeeded: Self.scale(count)))
  }

  /// Whole numbers up to 8, from there on four steps for each power of two.
  static func scale(_ count: Int) -> Int {
    guard count >= 8 else { return max(0, count) }
    let power = Int.bitWidth - 1 - count.leadingZeroBitCount
    return min(63, 4 * power - 4 + (count >> (power - 2)) & 3)
  }

  private mutating func add(_ part: Int, of whole: Int) {
    row.append(whole > 0 ? UInt8(min(255, part * 32 / whole)) : 0)
  }

  private mutating func add(distance: Int) {
    row.append(UInt8(max(0, min(15, distance))))
  }

  private mutating func add(flag: Bool) {
    row.append(flag ? 1 : 0)
  }

  // MARK: Names

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
    names += ["page words", "page links", "page prose", "page blocks", "page prices"]
    return names
  }()
}
