import DOM

/// Traverses a tree once and collects its visible blocks.
struct PageBlockCollector {
  /// The blocks, containers, texts and topic depths found so far.
  var result = PageBlocks()
  var textHashes: [UInt64] = []

  private let tree: DOMTree
  private let hiding: HidingRules
  private var openElements: [OpenElement] = []
  private var containerIndex: Int32 = 0
  private var openLinkCount = 0
  private var topicCache: AttributeValueCache? = AttributeValueCache()

  // The open block.
  private var firstTextIndex: Int32 = 0
  private var text = BlockTextCounts()
  private var headingLevel: UInt8 = 0
  private var topics: UInt64 = 0
  private var emphasizedWordCount: UInt32 = 0
  private var openEmphasisCount = 0
  /// The number of images since the last block.
  private var pendingImageCount: UInt16 = 0

  private struct OpenElement {
    var node: Int32
    var name: ElementName
    var containerIndex: Int32
    var headingLevel: UInt8
    var opensContainer: Bool
  }

  init(_ tree: DOMTree, hiding: HidingRules) {
    self.tree = tree
    self.hiding = hiding
    // Reserves more than most pages need; unused capacity costs no memory pages.
    let size = tree.nodes.count
    result.blocks.reserveCapacity(size / 3)
    result.containers.reserveCapacity(size / 2)
    result.textNodes.reserveCapacity(size / 2)
    result.topicDepths.reserveCapacity(size / 4)
    result.isKnownVisible = Array(repeating: false, count: size)
    textHashes.reserveCapacity(size / 3)
    result.topicDepths.append(PageBlocks.TopicDepths())
    result.containers.append(
      PageBlocks.Container(
        node: 0, name: .other, parentIndex: -1, depth: 0, blockRange: 0..<0, topicDepthsIndex: 0,
        signature: 0))
  }

  /// Returns the result and leaves an empty one in its place.
  mutating func moveOutResult() -> PageBlocks {
    defer { result = PageBlocks() }
    return result
  }

  /// Traverses the whole tree.
  mutating func walk() {
    guard var node = tree.nodes[0].firstChild else { return }
    while true {
      let current = tree.nodes[Int(node)]
      if current.name == .characters {
        addText(node)
      } else if enter(node, current) {
        if let child = current.firstChild {
          node = child
          continue
        }
        leave()
      }
      while true {
        if let sibling = tree.nodes[Int(node)].nextSibling {
          node = sibling
          break
        }
        node = tree.nodes[Int(node)].parent ?? 0
        guard node > 0 else {
          endBlock()
          result.containers[0].blockRange = 0..<Int32(result.blocks.count)
          return
        }
        leave()
      }
    }
  }

  // MARK: Elements

  /// Opens an element. Returns false if nothing in it is visible text.
  private mutating func enter(_ node: Int32, _ element: DOMTree.Node) -> Bool {
    guard element.contents.contains(.text), !element.name.neverShowsText else {
      if element.name.isBlock || element.name == .hr { endBlock() }
      if element.name == .br || element.name == .img { text.endWord() }
      if element.name == .img || element.contents.contains(.image) { pendingImageCount &+= 1 }
      return false
    }
    guard !isHidden(node) else { return false }
    result.isKnownVisible[Int(node)] = true
    let name = element.name
    let isContainer = name.isBlock || name == .button || element.contents.contains(.block)
    openElements.append(
      OpenElement(
        node: node, name: name, containerIndex: containerIndex, headingLevel: headingLevel,
        opensContainer: isContainer))
    if name == .a { beginLink() }
    if name.isEmphasis { openEmphasisCount += 1 }
    guard isContainer else {
      topics |= BlockTopic.topics(of: node, in: tree, &topicCache)
      return true
    }
    endBlock()
    if name.headingLevel > 0 {
      headingLevel = name.headingLevel
    } else if tree.value(.role, of: node, contains: "heading") {
      headingLevel = UInt8(max(1, min(6, tree.attributeInteger(.ariaLevel, of: node) ?? 2)))
    }
    openContainer(node, name)
    return true
  }

  /// Closes the innermost open element.
  private mutating func leave() {
    guard let element = openElements.popLast() else { return }
    if element.name == .a { openLinkCount -= 1 }
    if element.name.isEmphasis { openEmphasisCount -= 1 }
    guard element.opensContainer else { return }
    endBlock()
    result.containers[Int(containerIndex)].blockRange =
      result.containers[Int(containerIndex)].blockRange.lowerBound..<Int32(result.blocks.count)
    containerIndex = element.containerIndex
    headingLevel = element.headingLevel
  }

  private mutating func beginLink() {
    openLinkCount += 1
    text.linkCount += 1
  }

  private mutating func openContainer(_ node: Int32, _ name: ElementName) {
    let outer = result.containers[Int(containerIndex)]
    let index = Int32(result.containers.count)
    let depth = outer.depth + 1
    let topics = BlockTopic.topics(of: node, in: tree, &topicCache)
    var surroundings = outer.topicDepthsIndex
    if topics != 0 {
      var row = result.topicDepths[Int(surroundings)]
      row.topicBits |= topics
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
        node: node, name: name, parentIndex: containerIndex, depth: depth,
        blockRange: first..<first,
        topicDepthsIndex: surroundings, signature: signature(of: node, name)))
    containerIndex = index
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
      || tree.nodes[Int(node)].name == .dialog && !tree.hasAttribute(.open, node)
      || tree.nodes[Int(node)].name == .pre && tree.isHiddenListing(node)
  }

  // MARK: Text

  private mutating func addText(_ node: Int32) {
    let current = tree.nodes[Int(node)]
    let range = Int(current.start)..<Int(current.end)
    tree.bytes.withUnsafeBufferPointer { bytes in
      if Int32(result.textNodes.count) == firstTextIndex, bytes[range].allSatisfy(\.isWhiteSpace) {
        return
      }
      result.textNodes.append(node)
      let before = text.wordCount
      text.add(bytes, in: range, isLink: openLinkCount > 0)
      if openEmphasisCount > 0 { emphasizedWordCount += text.wordCount - before }
    }
  }

  private mutating func endBlock() {
    text.endWord()
    let last = Int32(result.textNodes.count)
    defer { (topics, emphasizedWordCount) = (0, 0) }
    guard last > firstTextIndex else {
      text = BlockTextCounts()
      return
    }
    textHashes.append(text.textHash)
    result.blocks.append(
      PageBlocks.Block(
        containerIndex: containerIndex, textRange: firstTextIndex..<last, text: text,
        headingLevel: headingLevel,
        topicBits: topics, phrases: BlockPhrase.phrases(of: text),
        emphasizedWordCount: emphasizedWordCount,
        precedingImageCount: pendingImageCount))
    pendingImageCount = 0
    firstTextIndex = last
    text = BlockTextCounts()
    if openLinkCount > 0 { text.linkCount = 1 }
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
  var neverShowsText: Bool {
    switch self {
    case .script, .style, .template, .datalist, .head, .noembed, .title, .meta, .base, .link,
      .select, .textarea, .input, .svg, .iframe, .noframes, .annotation, .annotationXML, .rp,
      .audio, .video, .canvas, .map:
      true
    default: false
    }
  }
}
