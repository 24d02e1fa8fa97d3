import DOM

/// Traverses a tree once and collects its visible blocks.
struct PageBlocksReader {
  /// The blocks, containers, texts and topic depths found so far.
  var result = PageBlocks()
  /// For each block, a hash of its text.
  var textHashes: [UInt64] = []

  private let tree: DOMTree
  private let hiding: HidingRules
  /// The open elements.
  private var open: [OpenElement] = []
  private var container: Int32 = 0
  private var links = 0
  /// A cache of the topics of attribute values.
  private var memo: ValueMemo? = ValueMemo()

  // The open block.
  private var firstText: Int32 = 0
  private var text = BlockText()
  private var headingLevel: UInt8 = 0
  private var topics: UInt64 = 0
  /// The emphasized words of the open block, the number of open emphasis elements, and the number
  /// of images since the last block.
  private var emphasisedWordCount: UInt32 = 0
  private var emphases = 0
  private var images: UInt16 = 0

  private struct OpenElement {
    var node: Int32
    var name: ElementName
    var container: Int32
    var headingLevel: UInt8
    var isContainer: Bool
  }

  init(_ tree: DOMTree, hiding: HidingRules) {
    self.tree = tree
    self.hiding = hiding
    // Reserves more than most pages need; unused capacity costs no memory pages.
    let size = tree.nodes.count
    result.blocks.reserveCapacity(size / 3)
    result.containers.reserveCapacity(size / 2)
    result.texts.reserveCapacity(size / 2)
    result.topicDepths.reserveCapacity(size / 4)
    result.isShown = Array(repeating: false, count: size)
    textHashes.reserveCapacity(size / 3)
    result.topicDepths.append(PageBlocks.TopicDepths())
    result.containers.append(
      PageBlocks.Container(
        node: 0, name: .other, parent: -1, depth: 0, blocks: 0..<0, topicDepthsIndex: 0,
        signature: 0))
  }

  /// Returns the result and leaves an empty one in its place.
  mutating func moveOutResult() -> PageBlocks {
    defer { result = PageBlocks() }
    return result
  }

  /// Traverses the whole tree.
  mutating func walk() {
    var node = tree.nodes[0].firstChild
    while node >= 0 {
      let current = tree.nodes[Int(node)]
      if current.name == .characters {
        addText(node)
      } else if enter(node, current) {
        if current.firstChild >= 0 {
          node = current.firstChild
          continue
        }
        leave()
      }
      while tree.nodes[Int(node)].nextSibling < 0 {
        node = tree.nodes[Int(node)].parent
        guard node > 0 else {
          endBlock()
          result.containers[0].blocks = 0..<Int32(result.blocks.count)
          return
        }
        leave()
      }
      node = tree.nodes[Int(node)].nextSibling
    }
  }

  // MARK: Elements

  /// Opens an element. Returns false if nothing in it is visible text.
  private mutating func enter(_ node: Int32, _ element: DOMTree.Node) -> Bool {
    guard element.contents.contains(.text), !element.name.isNeverText else {
      if element.name.isBlock || element.name == .hr { endBlock() }
      if element.name == .br || element.name == .img { text.endWord() }
      if element.name == .img || element.contents.contains(.image) { images &+= 1 }
      return false
    }
    guard !isHidden(node) else { return false }
    result.isShown[Int(node)] = true
    let name = element.name
    let isContainer = name.isBlock || name == .button || element.contents.contains(.block)
    open.append(
      OpenElement(
        node: node, name: name, container: container, headingLevel: headingLevel,
        isContainer: isContainer))
    if name == .a { beginLink() }
    if name.isEmphasis { emphases += 1 }
    guard isContainer else {
      topics |= BlockTopic.topics(of: node, in: tree, &memo)
      return true
    }
    endBlock()
    if name.headingLevel > 0 {
      headingLevel = name.headingLevel
    } else if tree.value(.role, of: node, contains: "heading") {
      headingLevel = UInt8(max(1, min(6, tree.number(.ariaLevel, of: node) ?? 2)))
    }
    openContainer(node, name)
    return true
  }

  /// Closes the innermost open element.
  private mutating func leave() {
    guard let element = open.popLast() else { return }
    if element.name == .a { links -= 1 }
    if element.name.isEmphasis { emphases -= 1 }
    guard element.isContainer else { return }
    endBlock()
    result.containers[Int(container)].blocks =
      result.containers[Int(container)].blocks.lowerBound..<Int32(result.blocks.count)
    container = element.container
    headingLevel = element.headingLevel
  }

  private mutating func beginLink() {
    links += 1
    text.links += 1
  }

  private mutating func openContainer(_ node: Int32, _ name: ElementName) {
    let outer = result.containers[Int(container)]
    let index = Int32(result.containers.count)
    let depth = outer.depth + 1
    let topics = BlockTopic.topics(of: node, in: tree, &memo)
    var surroundings = outer.topicDepthsIndex
    if topics != 0 {
      var row = result.topicDepths[Int(surroundings)]
      row.topics |= topics
      var rest = topics
      while rest != 0 {
        row.depths[rest.trailingZeroBitCount] = depth
        rest &= rest - 1
      }
      surroundings = Int32(result.topicDepths.count)
      result.topicDepths.append(row)
    }
    let first = Int32(result.blocks.count)
    result.containers.append(
      PageBlocks.Container(
        node: node, name: name, parent: container, depth: depth, blocks: first..<first,
        topicDepthsIndex: surroundings, signature: signature(of: node, name)))
    container = index
  }

  /// Returns a hash of the element name and of the first class without its digits, which often
  /// number the items.
  private func signature(of node: Int32, _ name: ElementName) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    hash = (hash ^ name.index) &* 0x100_0000_01B3
    guard let range = tree.attribute(.class, of: node) else { return hash }
    for index in range {
      let byte = tree.bytes[index]
      if byte.isWhiteSpace {
        if index > range.lowerBound { break }
      } else if !(0x30...0x39).contains(byte) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    return hash
  }

  private func isHidden(_ node: Int32) -> Bool {
    hiding.hides(node, of: tree)
      || tree.nodes[Int(node)].name == .dialog && !tree.has(.open, node)
      || tree.nodes[Int(node)].name == .pre && tree.isHiddenListing(node)
  }

  // MARK: Text

  private mutating func addText(_ node: Int32) {
    let current = tree.nodes[Int(node)]
    let range = Int(current.start)..<Int(current.end)
    tree.bytes.withUnsafeBufferPointer { bytes in
      if Int32(result.texts.count) == firstText, bytes[range].allSatisfy(\.isWhiteSpace) { return }
      result.texts.append(node)
      let before = text.wordCount
      text.add(bytes, in: range, isLink: links > 0)
      if emphases > 0 { emphasisedWordCount += text.wordCount - before }
    }
  }

  private mutating func endBlock() {
    text.endWord()
    let last = Int32(result.texts.count)
    defer { (topics, emphasisedWordCount) = (0, 0) }
    guard last > firstText else {
      text = BlockText()
      return
    }
    textHashes.append(text.textHash)
    result.blocks.append(
      PageBlocks.Block(
        container: container, texts: firstText..<last, text: text, headingLevel: headingLevel,
        topics: topics, phrases: BlockPhrase.phrases(of: text),
        emphasisedWordCount: emphasisedWordCount,
        imagesBefore: images))
    images = 0
    firstText = last
    text = BlockText()
    if links > 0 { text.links = 1 }
  }
}

extension ElementName {
  /// Whether the element emphasizes text.
  fileprivate var isEmphasis: Bool {
    switch self {
    case .em, .i, .strong, .b, .small, .u: true
    default: false
    }
  }

  /// Whether text in the element is never visible content: scripts, controls, fallback content.
  var isNeverText: Bool {
    switch self {
    case .script, .style, .template, .datalist, .head, .noembed, .title, .meta, .base, .link,
      .select, .textarea, .input, .svg, .iframe, .noframes, .annotation, .annotationXML, .rp,
      .audio, .video, .canvas, .map:
      true
    default: false
    }
  }
}
