package import DOM

/// Builds a `Document` from a `DOMTree` in a single, iterative walk. Each element is entered, its
/// children are visited, and it is left; a frame stores the state to restore then. Text is appended
/// to the open leaf, blocks begin and end leaves, and containers (lists, quotations, tables) form a
/// stack of blocks whose extents are set when they are closed.
package struct DocumentBuilder {
  let tree: DOMTree
  let hiding: HidingRules
  var document = Document()

  /// The state to restore when an element is left.
  struct Frame {
    var node: Int32
    var style: InlineStyle
    var link: Int32
    var leafKind: LeafKind
    var keepsWhiteSpace: Bool
    var isInvisible: Bool
    /// Whether the element is invisible; its descendants may still be visible.
    var isInvisibleElement = false
    /// The number of open containers at the start of the element.
    var containers: Int
    /// The length of the text at the start of the element.
    var textStart: Int
    /// The number of pending images without text at the start of the element.
    var images: Int
    var locale: Int32
    var whiteSpace: TextStyleDeclarations.WhiteSpace
    /// The `display` value that styles set; nil if they set none.
    var display: TextStyleDeclarations.Display?
    /// Whether the element contains inline elements that styles display on lines of their own.
    var holdsLines = false
    /// The margins and paddings of a `div`; nil if they have no effect.
    var spacing: BlockSpacing?
    /// Whether the element is positioned apart from the text around it, and separated by spaces.
    var standsApart = false
    /// The value of `unicode-bidi` that styles set for an inline element; nil for none.
    var bidi: TextStyleDeclarations.Bidi?
    /// Whether the styles of an inline element set the direction to right to left; nil if they set
    /// none.
    var isRightToLeft: Bool?
  }

  /// The kind of leaf that the next text begins.
  enum LeafKind: Equatable {
    case paragraph, heading(UInt8), term, preformatted
  }

  struct Container {
    var block: Int32
    /// The index of its last child, or -1.
    var lastChild: Int32 = -1
    /// The number of children that are not lists.
    var parts = 0
    /// For a list, whether an item contains several paragraphs.
    var isLoose = false
    /// Whether the container has more than lists and short lines.
    var hasParagraphs = false
    /// The number of bytes of text directly in the container.
    var length: UInt32 = 0
    /// Whether the container was opened implicitly for its content; it closes together with its
    /// parent.
    var isImplicit = false
    /// For a list, the numbering of its items.
    var numbering = Numbering()
  }

  var frames: [Frame] = []
  var containers: [Container] = []
  /// Maximum number of containers that may remain open when the element being entered ends.
  var remainingContainers = Int.max

  // State of the text being read.
  var style: InlineStyle = []
  var link: Int32 = -1
  var leafKind = LeafKind.paragraph
  var keepsWhiteSpace = false
  /// The current `white-space` value of the styles.
  var whiteSpace = TextStyleDeclarations.WhiteSpace.collapses
  /// The style declarations of the element being entered.
  var textStyle = TextStyleDeclarations()
  /// Whether text is invisible (`visibility: hidden`).
  var isInvisible = false
  /// The declared language of the preformatted text.
  var codeLanguage = ""
  var quoteDepth = 0
  /// The current language and direction: an index in `locales`.
  var locale: Int32 = 0
  /// The language and direction of the last appended text.
  var recordedLocale: Int32 = 0
  /// The languages and directions that elements declare; the first one is that of the page.
  var locales = [Document.Locale(start: 0, language: "", direction: nil)]

  // State of the open leaf.
  /// The first run of the open leaf, or -1.
  var leafRun: Int32 = -1
  /// Whether a space or line break precedes the next text in this leaf.
  var pendingSpace = false {
    didSet { if !pendingSpace { pendingLineFeed = false } }
  }
  /// Whether the pending white space contains a line feed.
  var pendingLineFeed = false
  var pendingBreaks = 0
  /// The styles of the elements that ended last, and the length of the text at their end.
  var ended: (styles: InlineStyle, textEnd: Int) = ([], -1)
  /// The length of the text at the end of an element that is separated by a space from a following
  /// word: a date, or one of several adjacent links.
  var apart = -1
  /// The node of the revealed element (a hidden element that is shown anyway) that is being read,
  /// or -1, and the block with which that element begins.
  var revealed: (node: Int32, start: Int32) = (-1, 0)
  /// Whether dates and adjacent links are separated from words next to them, as the styles of pages
  /// usually do.
  var separatesAdjacent = false
  /// The length of the text at the end of the last link.
  var linkEnd = -1
  /// The offset in the text at which no space is inserted: after the bracket that opens a button,
  /// or before an exponent; -1 for none.
  var noSpaceOffset = -1
  /// The length of the text when a pending space was added that is not in the page. Such a space is
  /// not written before closing punctuation.
  var ownSpace = -1
  /// The images without text in this leaf, with their links.
  var pendingImages: [(image: Int32, link: Int32)] = []
  /// The margin numbers within the current word, which are written after the word.
  var deferredNumbers: [String] = []
  /// The margin number that is being read, or -1.
  var marginNumber: Int32 = -1
  /// Images to show below the next leaf, and whether they are separate from it because a block
  /// began or ended since.
  var deferredImages: [(image: Int32, standsAlone: Bool)] = []
  var lastImage: LastImage?
  /// The length of the text at the end of the last formula.
  var formulaEnd = -1
  /// Whether the current position is in a `p` element.
  var isInParagraph = false
  /// The last closed paragraph if it is not in a `p` and no empty line follows it, with the number
  /// of containers that were open when it was closed.
  var lastLine: (block: Int32, containers: Int)?
  /// The vertical space that styles set at the end of the text so far.
  var space = VerticalSpace()
  /// The smallest distances of the children of elements from the left edge, in pixels.
  var leastOffsets: [Int32: Int] = [:]
  /// Whether the class of an element names its text a formula, for the examined elements.
  var namedFormulas: [Int32: Bool] = [:]
  /// Whether a list is site navigation, for the examined lists.
  var navigationLists: [Int32: Bool] = [:]

  /// The elements that fold wherever they are.
  var folding = FoldedElements()
  /// The order of the children of elements that styles reorder.
  private var visualOrder = VisualOrder()

  /// The candidate for the start of the main content.
  var main = MainContent()
  /// The ranges that the page marks as secondary, and whether to record them.
  private var asides = Asides()
  private var recordsAsides = false
  /// The last top-level block, or -1.
  var lastTopLevel: Int32 = -1
  /// The last list that was opened implicitly for items outside a list, or -1.
  var reopenable: Int32 = -1
  /// The open tables, outermost first.
  var tables: [OpenTable] = []
  /// A list with nothing but a date, which is rendered as plain lines, or -1.
  var plainList: Int32 = -1
  /// Cells that contain only line numbers of code.
  var numbersCells: Set<Int32> = []
  /// The first node that shows that an apparent column of line numbers is something else, or -1.
  var noNumbers: Int32 = -1
  /// `summary` elements that were already written because they are not the first child.
  var lateSummaries: Set<Int32> = []
  var hasTitle = false
  var hasBase = false
  /// The index in `document.forms.controls` of each node that is a control; nil until a control is
  /// shown.
  var controls: [Int32: Int32]?

  /// The nesting levels of replies in a discussion.
  let replies: ReplyDepths

  /// The whole page if `tree` is a part of it. Its forms are read from here, because controls that
  /// reader view leaves out are submitted, too.
  let whole: DOMTree?

  init(_ tree: DOMTree, hiding: HidingRules = HidingRules(), whole: DOMTree? = nil) {
    self.tree = tree
    self.hiding = hiding
    self.whole = whole
    replies = ReplyDepths(of: whole ?? tree, hiding: hiding)
    document.text.reserveCapacity(tree.bytes.count)
    document.runs.reserveCapacity(tree.nodes.count / 2)
    document.blocks.reserveCapacity(tree.nodes.count / 2)
  }

  /// Builds the document of a tree.
  /// - Parameters:
  ///   - tree: The page, or its main content.
  ///   - url: The URL of the page.
  ///   - hiding: The rules for hidden elements.
  ///   - whole: The whole page if `tree` is a part of it.
  ///   - separatesAdjacent: Whether dates and adjacent links are separated from words next to them.
  ///   - isContent: Whether the tree consists of main content only.
  ///   - comments: The element with the comments, or -1, and their number.
  /// - Returns: The document.
  package static func build(
    _ tree: DOMTree, url: String, hiding: HidingRules, whole: DOMTree? = nil,
    separatesAdjacent: Bool = false, isContent: Bool = false,
    comments: (element: Int32, count: Int) = (-1, 0)
  ) -> Document {
    var builder = DocumentBuilder(tree, hiding: hiding, whole: whole)
    builder.separatesAdjacent = separatesAdjacent
    builder.recordsAsides = !isContent
    if !isContent { builder.folding = FoldedElements(of: tree, hiding: hiding) }
    builder.folding.add(comments.element, .comments(count: comments.count))
    builder.visualOrder = VisualOrder(
      of: tree, hiding: hiding, except: builder.folding.startsOfSiblingRuns)
    builder.document.base = url
    builder.document.language = builder.cleaned(tree.language[...])
    builder.document.direction = Document.Direction.parse(attribute: tree.direction[...]) ?? nil
    builder.locales[0].language = builder.document.language
    builder.locales[0].direction = builder.document.direction
    builder.walk()
    builder.closeLeaf()
    builder.closeContainers(downTo: 0)
    builder.document.hasScripts = tree.hasScripts
    guard !isContent else { return builder.document }
    builder.document.mainContent = builder.main.block(of: builder.document)
    builder.document.fold(asides: builder.asides)
    return builder.document
  }

  private mutating func walk() {
    var node: Int32 = 0
    while true {
      let current = tree.nodes[Int(node)]
      if current.name == .characters {
        if !isInvisible { addText(ofNode: current) }
        if node == folding.last { endFolded() }
      } else {
        if hiding.reveals(node) { beginRevealed(node) }
        if folding.begins(node) { beginFolded(node) }
        var frame = makeFrame(node)
        remainingContainers = .max
        if enter(node, current.name, &frame) {
          frame.containers = min(frame.containers, remainingContainers)
          frame.isInvisibleElement = isInvisible
          frames.append(frame)
          if current.firstChild >= 0 {
            node = visualOrder.firstChild(of: node, in: tree)
            continue
          }
          leave(frames.removeLast(), current.name)
        } else {
          restore(frame)
        }
      }
      var next = visualOrder.nextSibling(of: node, in: tree)
      while next < 0 {
        node = tree.nodes[Int(node)].parent
        guard let frame = frames.popLast(), node >= 0 else { return }
        leave(frame, tree.nodes[Int(node)].name)
        next = visualOrder.nextSibling(of: node, in: tree)
      }
      node = next
    }
  }

  private func makeFrame(_ node: Int32) -> Frame {
    Frame(
      node: node, style: style, link: link, leafKind: leafKind, keepsWhiteSpace: keepsWhiteSpace,
      isInvisible: isInvisible, containers: containers.count, textStart: document.text.count,
      images: pendingImages.count, locale: locale, whiteSpace: whiteSpace)
  }

  private mutating func restore(_ frame: Frame) {
    style = frame.style
    link = frame.link
    leafKind = frame.leafKind
    keepsWhiteSpace = frame.keepsWhiteSpace
    isInvisible = frame.isInvisible
    locale = frame.locale
    whiteSpace = frame.whiteSpace
    if frame.node == revealed.node { endRevealed() }
    if frame.node == folding.last { endFolded() }
  }

  /// Enters a hidden element that is shown anyway, which begins with a new block if possible.
  private mutating func beginRevealed(_ node: Int32) {
    guard revealed.node < 0, containers.isEmpty, leafKind == .paragraph else { return }
    closeLeaf()
    reopenable = -1
    revealed = (node, Int32(document.blocks.count))
  }

  /// Records the blocks of a revealed element; adjacent ones form one part.
  private mutating func endRevealed() {
    let start = revealed.start
    revealed.node = -1
    reopenable = -1
    closeLeaf()
    let end = Int32(document.blocks.count)
    guard containers.isEmpty, end > start else { return }
    if let last = document.parts.last, last.kind == .revealed, last.blocks.upperBound == start {
      document.parts[document.parts.count - 1].blocks = last.blocks.lowerBound..<end
    } else {
      document.parts.append(Document.Part(start..<end, .revealed))
    }
  }

  /// Enters an element. Returns false if its children are to be skipped.
  private mutating func enter(_ node: Int32, _ name: ElementName, _ frame: inout Frame) -> Bool {
    textStyle = TextStyleDeclarations()
    guard readAttributes(node, name) else { return false }
    switch name {
    case .script, .style, .template, .datalist, .head, .noembed, .param, .source, .track, .col,
      .colgroup, .rp, .annotation, .annotationXML:
      return false
    case .link:
      recordHeadLink(node)
      return false
    case .title:
      setTitle(node)
      return false
    case .base:
      setBase(node)
      return false
    case .meta:
      addRefresh(node)
      return false
    default: break
    }
    if isInvisible { return enterInvisible(node, name) }
    beginReply(node, name)
    beginTextStyle(&frame, name)
    if name.isBlock {
      guard enterBlock(node, name) else { return false }
      beginWhiteSpace(node, name)
      if name == .div { beginSpacing(&frame, node) }
    } else {
      guard enterInline(node, name) else { return false }
    }
    addGenerated(\.before, of: node)
    return true
  }

  /// Enters an invisible element. Returns false if none of its descendants can be visible.
  private mutating func enterInvisible(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .img, .svg, .iframe, .frame, .audio, .video, .object, .embed, .canvas, .input, .select,
      .textarea, .meter, .progress:
      return false
    case .dialog where !tree.has(.open, node): return false
    case .a: recordLink(node)
    default: if name.isBlock { breakBlock() }
    }
    return true
  }

  private mutating func enterBlock(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .hr:
      addRule()
      return false
    case .h1, .h2, .h3, .h4, .h5, .h6:
      beginHeading(name.headingLevel)
    case .pre, .listing, .xmp, .plaintext:
      guard name != .pre || !isColumnOfNumbers(node), !addFormula(ofCode: node, isDisplay: true)
      else { return false }
      beginPreformatted(node)
    case .ul, .ol, .menu, .dir: openList(node, name)
    case .li: openItem(node)
    case .dl: openContainer(.definitionList)
    case .dt: openTerm()
    case .dd: openDefinition()
    case .blockquote: openContainer(.quote)
    case .figure: openContainer(.figure)
    case .figcaption: openContainer(.caption)
    case .details: openDetails(node)
    case .summary:
      guard !lateSummaries.contains(node) else { return false }
      breakBlock()
    case .dialog:
      guard tree.has(.open, node) else { return false }
      breakBlock()
    case .table: return enterTable(node)
    case .td where numbersCells.contains(node): return false
    case .caption, .thead, .tbody, .tfoot, .tr, .td, .th: return enterTablePart(node, name)
    case .main, .article:
      breakBlock()
      recordMain(name == .main ? .main : .article)
    case .p:
      if isBehindOwnMarker { pendingSpace = true } else { breakBlock() }
      isInParagraph = true
    default:
      guard name != .div || !isColumnOfNumbers(node) else { return false }
      if name == .div, isBehindOwnMarker { pendingSpace = true } else { breakBlock() }
      if tree.has(.role, node) { enterRole(node) }
    }
    return true
  }

  /// Handles roles that change the meaning of a generic block.
  private mutating func enterRole(_ node: Int32) {
    if tree.value(.role, of: node, contains: "main") {
      recordMain(.main)
    } else if tree.value(.role, of: node, contains: "heading") {
      beginHeading(UInt8(max(1, min(6, tree.number(.ariaLevel, of: node) ?? 2))))
    } else if whole != nil, tree.value(.role, of: node, contains: "tabpanel"),
      !hiding.mayAffect(node, of: tree) || !hiding.verdict(on: node, of: tree).isHiddenTabPanel
    {
      addPanelName(node)
    }
  }

  /// Leaves an element whose children were visited.
  private mutating func leave(_ frame: Frame, _ name: ElementName) {
    if !frame.isInvisibleElement { addGenerated(\.after, of: frame.node) }
    if frame.isInvisibleElement {
      if name.isBlock || containers.count > frame.containers { closeLeaf() }
      closeContainers(downTo: frame.containers)
    } else if name.isBlock {
      leaveBlock(frame, name)
      if recordsAsides {
        asides.record(frame.node, of: tree, from: frame.textStart, to: document.text.count)
      }
    } else {
      leaveInline(frame, name)
      if frame.display?.isBlock == true { breakStyledLine() }
      if frame.display == .cell { separateInRow() }
      if frame.standsApart { separateFromNextWord(frame.node) }
      if style != frame.style { recordEnd(of: style.subtracting(frame.style)) }
    }
    restore(frame)
  }

  private mutating func leaveBlock(_ frame: Frame, _ name: ElementName) {
    switch name {
    case .table: leaveTable(frame)
    case .thead, .tbody, .tfoot, .tr, .td, .th, .caption: leaveTablePart(frame, name)
    case .summary:
      nameSummary(frame)
      breakBlock()
      lastLine = nil
    case .details: leaveDetails(frame)
    default:
      if containers.count > frame.containers {
        closeLeaf()
        closeContainers(downTo: frame.containers)
      } else if leafKind == frame.leafKind {
        breakBlock()
      } else {
        closeLeaf()
      }
      if frame.holdsLines { lastLine = nil }
      endSpacing(frame)
      if frame.node == plainList { lastLine = nil }
      if name == .p {
        isInParagraph = false
        lastLine = nil
        if let top = containers.indices.last { containers[top].hasParagraphs = true }
      }
      if name == .main || name == .article { main.end(textStart: frame.textStart, document) }
    }
  }

  /// Reads the attributes common to all elements. Returns false if the element is not shown.
  private mutating func readAttributes(_ node: Int32, _ name: ElementName) -> Bool {
    let element = tree.nodes[Int(node)]
    guard element.start < element.end || !hiding.isEmpty else { return true }
    if hiding.mayAffect(node, of: tree), !isShown(node) { return false }
    if let sheet = hiding.style(of: node) { textStyle = sheet }
    var own = TextStyleDeclarations()
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      let value = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .id: addAnchor(value)
      case .name where name == .a: addAnchor(value)
      case .ariaHidden where repeatsFormula(node) || repeatsUnseenText(node): return false
      case .class where isMade(ofFormulaBehind: node, class: value) || isIcon(node, value):
        return false
      case .style where hiding.readsAttributes:
        own = tree.inlineTextStyle(value, mayBeDiv: name == .div)
      case .lang where name.isBlock:
        var inner = locales[Int(locale)]
        inner.language = cleaned(tree.bytes[value])
        enter(inner)
      case .dir where name.isBlock:
        var inner = locales[Int(locale)]
        inner.direction = Document.Direction.parse(attribute: tree.bytes[value]) ?? inner.direction
        enter(inner)
      default: break
      }
    }
    textStyle.apply(own)
    return true
  }

  /// Returns whether anything of an element that styles or attributes affect is shown.
  private mutating func isShown(_ node: Int32) -> Bool {
    let verdict = hiding.verdict(on: node, of: tree)
    if verdict.isNotRendered {
      if verdict.isHiddenBySheet { recordLinks(below: node) }
      return false
    }
    if verdict.isHiddenTabPanel, !isInvisible { addPanelName(node) }
    switch verdict.visibility {
    case .hides:
      guard isInvisible || hiding.hasVisiblePart(node, of: tree) else {
        if verdict.isHiddenBySheet { recordLinks(below: node) }
        return false
      }
      isInvisible = true
    case .shows: isInvisible = false
    case .inherits, nil: break
    }
    return true
  }

  /// Records the links below an element. What a style sheet hides is often a menu that scripts
  /// open, so its links count as links of the page.
  private mutating func recordLinks(below root: Int32) {
    var node = root
    while node >= 0 {
      let name = tree.nodes[Int(node)].name
      let isHidden = name != .characters && isHiddenByItself(node)
      if name == .a, !isHidden { recordLink(node) }
      node = isHidden ? tree.following(node, in: root) : tree.next(node, in: root)
    }
  }

  /// Returns whether an element is hidden by its own attributes.
  private func isHiddenByItself(_ node: Int32) -> Bool {
    guard hiding.mayAffect(node, of: tree) else { return false }
    let verdict = hiding.verdict(on: node, of: tree)
    return (verdict.isNotRendered || verdict.visibility == .hides) && !verdict.isHiddenBySheet
  }

  /// Sets the language and direction for the content of this element.
  private mutating func enter(_ inner: Document.Locale) {
    guard inner != locales[Int(locale)] else { return }
    locale = Int32(locales.count)
    locales.append(inner)
  }

  mutating func addAnchor(_ value: Range<Int>) {
    guard !value.isEmpty else { return }
    let name = cleaned(tree.bytes[value])
    let offset = UInt32(document.text.count)
    if let last = document.anchors.last, last.offset == offset, last.name == name { return }
    document.anchors.append(Document.Anchor(name: name, offset: offset))
  }

  private mutating func recordMain(_ rank: MainContent.Rank) {
    let block = containers.first?.block ?? Int32(document.blocks.count)
    main.begin(rank, at: block)
  }

  private mutating func beginHeading(_ level: UInt8) {
    if leafKind == .term { return closeLeaf() }
    closeLeaf()
    leafKind = .heading(level)
    keepsWhiteSpace = false
    if level == 1 { recordMain(.heading) }
  }
}
