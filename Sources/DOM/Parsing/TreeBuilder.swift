/// The tree construction stage of HTML (HTML standard, section 13.2.6): puts the tokens of a page
/// where a browser would.
///
/// Elements that the standard would imply but that show nothing (html, head, body, tbody, the row
/// around a lone cell) are not made. Names that the project does not know are told apart by hashes.
struct TreeBuilder {
  /// The tree so far.
  var tree = DOMTree()
  /// The elements whose end has not come yet, the root first.
  var open: [OpenElement] = []
  /// The list of active formatting elements, with markers.
  var formatting: [FormattingEntry] = []
  /// How many of the open elements are `p`, or `select`: most often none.
  private(set) var openParagraphs = 0
  private(set) var openSelects = 0
  /// The open elements that are `form`, or were put into a table.
  var hasForm = false
  /// The feet of tables.
  var feet: [Int32] = []
  /// Frames, which may have a page of their own in `srcdoc`.
  var frames: [Int32] = []
  /// Elements below the limit of depth that are not closed yet.
  private var swallowed = 0

  /// The limit of browsers. Deeper elements stand beside their parents.
  static let depthLimit = 512

  /// An element whose end has not come yet.
  struct OpenElement {
    let node: Int32
    let name: ElementName
    let hash: UInt32
    /// It belongs to SVG or MathML.
    let isForeign: Bool

    /// Whether a tag names this element.
    func isNamed(_ tag: TagName) -> Bool { name == tag.name && hash == tag.hash }
  }

  init() {
    tree.nodes.append(DOMTree.Node(name: .other, start: 0, end: 0))
    open.append(OpenElement(node: 0, name: .other, hash: 0, isForeign: false))
  }

  /// Makes room for a page of a number of bytes.
  mutating func reserve(_ count: Int) {
    tree.bytes.reserveCapacity(count)
    tree.nodes.reserveCapacity(count / 24)
    tree.attributes.reserveCapacity(count / 48)
  }

  /// The element that new nodes go into.
  var current: OpenElement { open[open.count - 1] }

  /// Whether the next token is read by the rules of SVG and MathML.
  var isForeign: Bool { current.isForeign && !current.isIntegrationPoint }

  // MARK: Tokens

  /// Text: a range of the tree's bytes.
  mutating func characters(_ range: Range<Int>) {
    let isBlank = tree.bytes.withUnsafeBufferPointer { $0.isWhiteSpace(range) }
    if !isBlank, !isForeign {
      if current.name == .colgroup { pop() }
      reconstructFormatting()
    }
    let parent = current.node
    if !isBlank, current.name.holdsTableParts, !current.isForeign {
      let node = makeNode(.characters, range)
      insertBeforeTable(node)
      return tree.mark(.text, from: tree.nodes[Int(node)].parent)
    }
    if !isBlank { tree.mark(.text, from: parent) }
    let last = Int(tree.nodes[Int(parent)].lastChild)
    if last >= 0, tree.nodes[last].name == .characters, tree.nodes[last].end == range.lowerBound {
      tree.nodes[last].end = UInt32(range.upperBound)
    } else {
      tree.append(makeNode(.characters, range), to: parent)
    }
  }

  /// A start tag whose attributes are those of the tree from `first` on.
  mutating func startTag(_ tag: TagName, attributesFrom first: Int, isSelfClosing: Bool) {
    let attributes = first..<tree.attributes.count
    if isForeign {
      if !tag.name.breaksOutOfForeignContent {
        return startForeign(tag, attributes, isSelfClosing)
      }
      while isForeign { pop() }
    }
    startInBody(Self.inBody(tag), attributes, isSelfClosing)
  }

  /// Outside of drawings many write `image` for a picture (13.2.6.4.7).
  private static func inBody(_ tag: TagName) -> TagName {
    tag.name == .image ? TagName(.img) : tag
  }

  /// An end tag.
  mutating func endTag(_ tag: TagName) {
    let tag = isForeign ? tag : Self.inBody(tag)
    if swallowed > 0, !tag.name.isVoid {
      swallowed -= 1
      return
    }
    if current.isForeign, endForeign(tag) { return }
    endInBody(tag)
  }

  // MARK: The stack of open elements

  /// Makes an element at the place for new nodes and opens it.
  @discardableResult
  mutating func insert(
    _ tag: TagName, _ attributes: Range<Int>, isForeign: Bool = false, isOpened: Bool = true
  ) -> Int32 {
    let node = makeNode(tag.name, attributes)
    place(node, into: current.node)
    if isOpened { push(node, tag, isForeign: isForeign) }
    return node
  }

  /// Opens an element, unless the tree is too deep.
  mutating func push(_ node: Int32, _ tag: TagName, isForeign: Bool = false) {
    if open.count >= Self.depthLimit {
      // The words of a drawing are shown only in their own elements.
      guard isForeign, tag.name.holdsWords else {
        swallowed += 1
        return
      }
      pop()
    }
    open.append(OpenElement(node: node, name: tag.name, hash: tag.hash, isForeign: isForeign))
    count(tag.name, 1)
    if tag.name.isMarker { formatting.append(.marker) }
  }

  /// Closes the element that was opened last; the root stays.
  mutating func pop() {
    guard open.count > 1 else { return }
    let element = open.removeLast()
    didClose(element)
  }

  /// Closes elements until `count` are open.
  mutating func pop(to count: Int) {
    while open.count > max(1, count) { pop() }
  }

  /// Takes an element out of the stack, wherever it is.
  mutating func removeOpen(at index: Int) {
    didClose(open.remove(at: index))
  }

  /// Puts an element into the stack at an index.
  mutating func insertOpen(_ element: OpenElement, at index: Int) {
    open.insert(element, at: index)
    count(element.name, 1)
  }

  /// Puts a copy in the place of an open element.
  mutating func replaceOpen(at index: Int, by node: Int32) {
    let old = open[index]
    open[index] = OpenElement(node: node, name: old.name, hash: old.hash, isForeign: false)
  }

  private mutating func didClose(_ element: OpenElement) {
    count(element.name, -1)
    if element.name.isMarker, !element.isForeign { clearFormattingToMarker() }
    if element.name.isFormatting { noteClosed(element.node) }
    if element.name == .form { hasForm = false }
  }

  private mutating func count(_ name: ElementName, _ difference: Int) {
    switch name {
    case .p: openParagraphs += difference
    case .select: openSelects += difference
    default: break
    }
  }

  // MARK: Nodes

  /// Makes a node that stands nowhere yet.
  mutating func makeNode(_ name: ElementName, _ range: Range<Int>) -> Int32 {
    tree.nodes.append(
      DOMTree.Node(
        name: name, start: UInt32(range.lowerBound), end: UInt32(range.upperBound)))
    return Int32(tree.nodes.count - 1)
  }

  /// Puts a new element into a parent, or, when that holds only parts of a table and the element
  /// is none, before the table ("foster parenting").
  mutating func place(_ node: Int32, into parent: Int32) {
    let name = tree.nodes[Int(node)].name
    if tree.nodes[Int(parent)].name.holdsTableParts, !name.isTablePart, !name.isInvisible {
      insertBeforeTable(node)
    } else {
      tree.append(node, to: parent)
    }
    let top = tree.nodes[Int(node)].parent
    switch name {
    case .table: tree.mark([.table, .block], from: top)
    case .img, .image, .svg: tree.mark(.image, from: top)
    default: if name.isBlock { tree.mark(.block, from: top) }
    }
  }

  /// What may not stand in a table stands before it.
  private mutating func insertBeforeTable(_ node: Int32) {
    guard let index = open.lastIndex(where: { $0.name == .table }) else {
      return tree.append(node, to: current.node)
    }
    let table = open[index].node
    let parent = tree.nodes[Int(table)].parent
    guard parent >= 0 else { return tree.append(node, to: open[max(0, index - 1)].node) }
    tree.insert(node, before: table)
  }
}

extension ElementName {
  /// Elements of drawings whose text is read.
  fileprivate var holdsWords: Bool {
    switch self {
    case .text, .desc, .foreignObject: true
    default: false
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether there is nothing but white space in a range.
  package func isWhiteSpace(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound, self[index].isWhiteSpace { index += 1 }
    return index == range.upperBound
  }
}
