/// The tree construction stage of an HTML parser (HTML standard §13.2.6).
///
/// Implied elements without visible effect (`html`, `head`, `body`, `tbody`, the row around a lone
/// cell) are not created. Unknown element names are distinguished by hashes.
struct TreeBuilder {
  var tree = DOMTree()
  /// The stack of open elements; the first is the root.
  var openElements: [OpenElement] = []
  /// The list of active formatting elements, with markers.
  var activeFormattingElements: [FormattingEntry] = []
  /// The number of open `p` elements.
  private(set) var openParagraphCount = 0
  /// The number of open `select` elements.
  private(set) var openSelectCount = 0
  /// Whether a `form` element is open, so that another one is ignored.
  var hasOpenForm = false
  /// The last `form` element whose end tag has not been reached, although the element may have been
  /// closed; nil without one.
  var currentForm: Int32?
  /// The captions of tables that are not the first child.
  var misplacedCaptions: [Int32] = []
  /// The feet of tables.
  var tableFeet: [Int32] = []
  /// The heads of tables that are not the first child.
  var tableHeads: [Int32] = []
  /// The frames, which may have a page in their attributes.
  var frames: [Int32] = []
  /// The number of unclosed elements beyond the maximum depth.
  private var excessElementCount = 0

  /// The maximum depth of a tree, as in browsers. Deeper elements become siblings of their parents.
  static let maxDepth = 512

  /// An element of the stack of open elements.
  struct OpenElement {
    let node: Int32
    let name: ElementName
    let hash: UInt32
    /// Whether the element is an SVG or MathML element.
    let isForeign: Bool

    /// Whether a tag has the name of this element.
    func isNamed(_ tag: TagName) -> Bool { name == tag.name && hash == tag.unknownNameHash }
  }

  init() {
    tree.nodes.append(DOMTree.Node(name: .other, start: 0, end: 0))
    openElements.append(OpenElement(node: 0, name: .other, hash: 0, isForeign: false))
  }

  /// Reserves memory for a page of `count` bytes.
  mutating func reserve(_ count: Int) {
    tree.bytes.reserveCapacity(count)
    tree.nodes.reserveCapacity(count / 24)
    tree.attributes.reserveCapacity(count / 48)
  }

  /// The innermost open element (the "current node" of the HTML standard).
  var currentNode: OpenElement { openElements[openElements.count - 1] }

  /// Whether the next token is handled by the rules for foreign content.
  var isForeign: Bool { currentNode.isForeign && !currentNode.isIntegrationPoint }

  // MARK: Tokens

  /// Inserts text, given as a range of the tree's bytes.
  mutating func insertText(_ range: Range<Int>) {
    let isBlank = tree.bytes.withUnsafeBufferPointer { $0.isWhiteSpace(range) }
    if !isBlank, !isForeign {
      if currentNode.name == .colgroup { pop() }
      reconstructFormatting()
    }
    let parent = currentNode.node
    if !isBlank, currentNode.name.allowsOnlyTableParts, !currentNode.isForeign {
      let node = makeNode(.characters, range)
      insertBeforeTable(node)
      return tree.addContents(.text, from: tree.nodes[Int(node)].parent)
    }
    if !isBlank { tree.addContents(.text, from: parent) }
    if let last = tree.nodes[Int(parent)].lastChild, tree.nodes[Int(last)].name == .characters,
      tree.nodes[Int(last)].end == range.lowerBound
    {
      tree.nodes[Int(last)].end = UInt32(range.upperBound)
    } else {
      tree.append(makeNode(.characters, range), to: parent)
    }
  }

  /// Handles a start tag. Its attributes are those of the tree from the index `first`.
  mutating func handleStartTag(_ tag: TagName, attributesFrom first: Int, isSelfClosing: Bool) {
    let attributes = first..<tree.attributes.count
    if isForeign {
      if !tag.name.breaksOutOfForeignContent {
        return startForeign(tag, attributes, isSelfClosing)
      }
      while isForeign { pop() }
    }
    startInBody(Self.correctedName(tag), attributes, isSelfClosing)
  }

  /// Maps `image` to `img` in HTML content (HTML standard §13.2.6.4.7).
  private static func correctedName(_ tag: TagName) -> TagName {
    tag.name == .image ? TagName(.img) : tag
  }

  /// Handles an end tag.
  mutating func handleEndTag(_ tag: TagName) {
    let tag = isForeign ? tag : Self.correctedName(tag)
    if excessElementCount > 0, !tag.name.isVoid {
      excessElementCount -= 1
      return
    }
    if currentNode.isForeign, endForeign(tag) { return }
    endInBody(tag)
  }

  // MARK: The stack of open elements

  /// Inserts an element at the "appropriate place for inserting a node" of the HTML standard, and
  /// opens it if `isOpened` is true.
  /// - Returns: The node of the element.
  @discardableResult
  mutating func insertElement(
    _ tag: TagName, _ attributes: Range<Int>, isForeign: Bool = false, isOpened: Bool = true
  ) -> Int32 {
    let node = makeNode(tag.name, attributes)
    insert(node, into: currentNode.node)
    if isOpened { push(node, tag, isForeign: isForeign) }
    return node
  }

  /// Opens an element, unless the tree is too deep.
  mutating func push(_ node: Int32, _ tag: TagName, isForeign: Bool = false) {
    if openElements.count >= Self.maxDepth {
      // Text in SVG is only shown within its own elements.
      guard isForeign, tag.name.isSVGTextElement else {
        excessElementCount += 1
        return
      }
      pop()
    }
    openElements.append(
      OpenElement(node: node, name: tag.name, hash: tag.unknownNameHash, isForeign: isForeign))
    adjustOpenCount(tag.name, 1)
    if tag.name.insertsFormattingMarker { activeFormattingElements.append(.marker) }
  }

  /// Closes the current node, except the root.
  mutating func pop() {
    guard openElements.count > 1 else { return }
    let element = openElements.removeLast()
    recordClose(element)
  }

  /// Closes elements until `count` are open.
  mutating func pop(to count: Int) {
    while openElements.count > max(1, count) { pop() }
  }

  /// Removes an element from any position of the stack.
  mutating func removeOpen(at index: Int) {
    recordClose(openElements.remove(at: index))
  }

  /// Inserts an element into the stack at an index.
  mutating func insertOpen(_ element: OpenElement, at index: Int) {
    openElements.insert(element, at: index)
    adjustOpenCount(element.name, 1)
  }

  /// Replaces an open element by a copy.
  mutating func replaceOpen(at index: Int, by node: Int32) {
    let old = openElements[index]
    openElements[index] = OpenElement(node: node, name: old.name, hash: old.hash, isForeign: false)
  }

  private mutating func recordClose(_ element: OpenElement) {
    adjustOpenCount(element.name, -1)
    if element.name.insertsFormattingMarker, !element.isForeign { clearFormattingToMarker() }
    if element.name.isFormattingElement { recordClosedElement(element.node) }
    if element.name == .form { hasOpenForm = false }
  }

  private mutating func adjustOpenCount(_ name: ElementName, _ difference: Int) {
    switch name {
    case .p: openParagraphCount += difference
    case .select: openSelectCount += difference
    default: break
    }
  }

  // MARK: Nodes

  /// Creates a node that is not in the tree yet.
  mutating func makeNode(_ name: ElementName, _ range: Range<Int>) -> Int32 {
    tree.nodes.append(
      DOMTree.Node(
        name: name, start: UInt32(range.lowerBound), end: UInt32(range.upperBound)))
    return Int32(tree.nodes.count - 1)
  }

  /// Appends a new element to a parent, or inserts it before the table if the parent only allows
  /// table parts ("foster parenting").
  mutating func insert(_ node: Int32, into parent: Int32) {
    let name = tree.nodes[Int(node)].name
    if tree.nodes[Int(parent)].name.allowsOnlyTableParts, !name.isAllowedInTable,
      !name.isAllowedAmongTableParts
    {
      insertBeforeTable(node)
    } else {
      tree.append(node, to: parent)
    }
    let top = tree.nodes[Int(node)].parent
    switch name {
    case .table: tree.addContents([.table, .block], from: top)
    case .img, .image, .svg: tree.addContents(.image, from: top)
    default: if name.isBlock { tree.addContents(.block, from: top) }
    }
  }

  /// Inserts a node before the innermost table.
  private mutating func insertBeforeTable(_ node: Int32) {
    guard let index = openElements.lastIndex(where: { $0.name == .table }) else {
      return tree.append(node, to: currentNode.node)
    }
    let table = openElements[index].node
    guard tree.nodes[Int(table)].parent != nil else {
      return tree.append(node, to: openElements[max(0, index - 1)].node)
    }
    tree.insert(node, before: table)
  }
}

extension ElementName {
  /// Whether the element contains visible text in SVG.
  fileprivate var isSVGTextElement: Bool {
    switch self {
    case .text, .desc, .foreignObject: true
    default: false
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a range contains only white space.
  package func isWhiteSpace(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound, self[index].isWhiteSpace { index += 1 }
    return index == range.upperBound
  }
}
