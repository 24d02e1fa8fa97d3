package import DOM

/// Builds a `Document` from a `DOMTree` in a single, iterative walk. Each element is entered, its
/// children are visited, and it is left; a frame stores the state to restore then. The walk decides
/// what an element means, and calls its parts: `LeafWriter` appends text to the open leaf,
/// `ContainerStack` contains the blocks and those that are open, and others collect images, form
/// controls and so on. Each part has its own state; `finish` joins their results.
package struct DocumentBuilder {
  let tree: DOMTree
  let hiding: HidingRules
  /// The document; the results of the parts are added at the end.
  var document = Document()

  /// An open element, with the values that are needed when it ends.
  struct ElementState {
    var node: Int32
    /// The state to restore after the element.
    var outer: InheritedState
    /// The number of open containers at the start of the element.
    var openContainerCount: Int
    /// The length of the text at the start of the element.
    var textStart: Int
    /// The number of pending images without text at the start of the element.
    var pendingImageCount: Int
    /// The `display` value that styles set; nil if they set none.
    var display: TextStyleDeclarations.Display?
    /// What separates the element from the text around it.
    var separation = Separation.none
    /// The margins and paddings of a `div`; nil if they have no effect.
    var spacing: BlockSpacing?
    /// The distance in pixels that styles set between an inline element and the text after it.
    var gapAfter: Int16 = 0
    /// The value of `unicode-bidi` that styles set for an inline element; nil for none.
    var unicodeBidi: TextStyleDeclarations.Bidi?
    /// Right to left if the styles of an inline element set that direction; otherwise nil.
    var direction: Document.Direction?
  }

  /// What separates an element from the text around it, besides its margins.
  enum Separation {
    case none
    /// Empty lines: the element is a `div` with inline elements that styles display on lines of
    /// their own.
    case emptyLines
    /// Spaces: the element is an inline element that is positioned apart from the text around it.
    case spaces
  }

  /// How the walk goes on after an element was entered.
  private enum Entry {
    /// The children are skipped, and the element is not left.
    case skipped
    /// The children are visited, and the element is left.
    case open
    /// The text below the element was written; it is left without a visit of its children.
    case written
  }

  /// The kind of leaf that the next text begins.
  enum LeafKind: Equatable {
    case paragraph, heading(UInt8), term, preformatted
  }

  // MARK: The walk

  var openElementStates: [ElementState] = []
  /// The state that the current element passes on to its content.
  var inherited = InheritedState()
  /// The style declarations of the element being entered.
  var textStyle = TextStyleDeclarations()
  /// Maximum number of containers that may remain open when the element being entered ends.
  var maxRemainingContainers = Int.max
  /// The order of the children of elements that styles reorder.
  private var visualOrder = VisualOrder()
  /// `summary` elements that were already written because they are not the first child.
  var writtenSummaries: Set<Int32> = []
  /// The nesting levels of replies in a discussion.
  let replyDepths: ReplyDepths
  /// The whole page if `tree` is a part of it. Its forms are read from here, because controls that
  /// reader view leaves out are submitted, too.
  let wholePage: DOMTree?

  // MARK: Parts

  var leaf = LeafWriter()
  var containers = ContainerStack()
  var paragraphs = ParagraphSpacing()
  var gap = InlineGap()
  var lineOffsets = LineOffsets()
  var lists = ListRoles()
  private var clones = ClonedElements()
  var tables = OpenTables()
  var images = ImageCollection()
  var controls = ShownControls()
  var codeLanguages = CodeLanguages()
  var namedFormulas = NamedFormulas()
  var margin = MarginTexts()
  var quotations = Quotations()
  var locales = LocaleTable()
  var foldedElements = FoldedElements()
  var head = HeadMetadata()
  /// The candidate for the start of the main content.
  var mainContent = MainContentCandidate()
  /// The ranges that the page marks as secondary; nil if the page is main content only.
  private var secondaryRanges: SecondaryRanges?

  init(_ tree: DOMTree, hiding: HidingRules = HidingRules(), wholePage: DOMTree? = nil) {
    self.tree = tree
    self.hiding = hiding
    self.wholePage = wholePage
    replyDepths = ReplyDepths(of: wholePage ?? tree, hiding: hiding)
    leaf.reserveCapacity(text: tree.bytes.count, runs: tree.nodes.count / 2)
    containers.reserveCapacity(tree.nodes.count / 2)
  }

  /// Builds the document of a tree.
  /// - Parameters:
  ///   - tree: The page, or its main content.
  ///   - url: The URL of the page.
  ///   - hiding: The rules for hidden elements.
  ///   - wholePage: The whole page if `tree` is a part of it.
  ///   - isMainContentOnly: Whether the tree consists of main content only.
  ///   - comments: The element with the comments, and their number; nil without comments.
  /// - Returns: The document.
  package static func build(
    _ tree: DOMTree, url: String, hiding: HidingRules, wholePage: DOMTree? = nil,
    isMainContentOnly: Bool = false, comments: (element: Int32, count: Int)? = nil
  ) -> Document {
    var builder = DocumentBuilder(tree, hiding: hiding, wholePage: wholePage)
    if !isMainContentOnly {
      builder.secondaryRanges = SecondaryRanges()
      builder.foldedElements = FoldedElements(of: tree, hiding: hiding)
    }
    if let comments {
      builder.foldedElements.add(comments.element, .comments(count: comments.count))
    }
    builder.visualOrder = VisualOrder(
      of: tree, hiding: hiding, except: builder.foldedElements.startsOfSiblingRuns)
    builder.head = HeadMetadata(url: url)
    if let wholePage { builder.head.addReferences(toPage: wholePage) }
    builder.document.language = builder.cleanedLine(tree.language[...])
    builder.document.direction = Document.Direction.parse(attribute: tree.direction[...]) ?? nil
    builder.locales.setPage(
      language: builder.document.language, direction: builder.document.direction)
    builder.walk()
    builder.finish()
    builder.document.hasScripts = tree.hasScripts
    guard let secondaryRanges = builder.secondaryRanges else { return builder.document }
    builder.document.mainContentBlock = builder.mainContent.block(of: builder.document)
    builder.document.addBlockFolds(secondaryRanges: secondaryRanges)
    return builder.document
  }

  /// Closes the open leaf and containers, and moves the results of the parts to the document.
  mutating func finish() {
    closeLeaf()
    containers.close(downTo: 0)
    document.text = leaf.text
    document.runs = leaf.runs
    document.anchors = leaf.anchors
    document.blocks = containers.blocks
    document.images = images.all
    document.imagesBelowLeaves = images.belowLeaves
    document.unshownImages = images.unshown
    document.locales = locales.changes
    document.blockFolds = foldedElements.folds
    document.forms = controls.forms
    document.codeLanguages = codeLanguages.all
    head.write(to: &document)
  }

  private mutating func walk() {
    var node: Int32 = 0
    while true {
      let element = tree.nodes[Int(node)]
      if element.name == .characters {
        if !inherited.isInvisible, inherited.drawing == nil {
          separateRowText(node)
          addText(ofNode: element)
        }
        if node == foldedElements.lastOfCurrentRun { endFoldedRun() }
      } else {
        if hiding.isRevealed(node) { beginRevealedElement(node) }
        if foldedElements.beginsRun(node) { beginFoldedRun(node) }
        var frame = makeElementState(node)
        maxRemainingContainers = .max
        let entry = enter(node, element.name, &frame)
        if entry == .skipped {
          restoreState(frame)
        } else {
          frame.openContainerCount = min(frame.openContainerCount, maxRemainingContainers)
          openElementStates.append(frame)
          if entry == .open, let child = visualOrder.firstChild(of: node, in: tree) {
            node = child
            continue
          }
          leave(openElementStates.removeLast(), element.name)
        }
      }
      var next = visualOrder.nextSibling(of: node, in: tree)
      while next == nil {
        guard let frame = openElementStates.popLast(), let parent = tree.nodes[Int(node)].parent
        else { return }
        node = parent
        leave(frame, tree.nodes[Int(node)].name)
        next = visualOrder.nextSibling(of: node, in: tree)
      }
      guard let next else { return }
      node = next
    }
  }

  private func makeElementState(_ node: Int32) -> ElementState {
    ElementState(
      node: node, outer: inherited, openContainerCount: containers.count,
      textStart: leaf.textEnd, pendingImageCount: images.pending.count)
  }

  private mutating func restoreState(_ frame: ElementState) {
    inherited = frame.outer
    if frame.node == foldedElements.revealedElement { endRevealedElement() }
    if frame.node == foldedElements.lastOfCurrentRun { endFoldedRun() }
  }

  private mutating func enter(
    _ node: Int32, _ name: ElementName, _ frame: inout ElementState
  ) -> Entry {
    textStyle = TextStyleDeclarations()
    guard readAttributes(node, name) else { return .skipped }
    if inherited.drawing != nil { return enterDrawing(node, name) ? .open : .skipped }
    switch name {
    case .script, .style, .template, .datalist, .head, .noembed, .param, .source, .track, .col,
      .colgroup, .rp, .annotation, .annotationXML:
      return .skipped
    case .link, .title, .base, .meta:
      readMetadata(node, name)
      return .skipped
    default: break
    }
    if inherited.isInvisible { return enterInvisible(node, name) ? .open : .skipped }
    var entry = Entry.open
    beginReply(node, name)
    beginTextStyle(&frame, name)
    if name.isBlock, !isInLine(frame, name) {
      guard enterBlock(node, name) else { return .skipped }
      beginWhiteSpace(node, name)
      if name == .div, frame.display != .tableCell || !sharesLine(node, with: \.nextSibling) {
        beginSpacing(&frame, node)
      }
      if addReversedText(node, name) { entry = .written }
    } else {
      if name.isBlock { separateFromElementBefore(node) }
      guard enterInline(node, name) else { return .skipped }
      applyFontStyle(to: name)
    }
    addGeneratedText({ $0.before }, of: node)
    return entry
  }

  private mutating func readMetadata(_ node: Int32, _ name: ElementName) {
    switch name {
    case .link: head.recordLink(node, in: tree)
    case .title: setTitle(node)
    case .base: head.setBaseURL(node, in: tree)
    default: addRefresh(node)
    }
  }

  /// Enters an invisible element. Returns false if none of its descendants can be visible.
  private mutating func enterInvisible(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .img, .svg, .iframe, .frame, .audio, .video, .object, .embed, .canvas, .input, .select,
      .textarea, .meter, .progress:
      return false
    case .dialog where !tree.hasAttribute(.open, node): return false
    case .a: recordUnshownLink(node)
    default: if name.isBlock { breakBlock() }
    }
    return true
  }

  private mutating func enterBlock(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .hr:
      addThematicBreak()
      return false
    case .h1, .h2, .h3, .h4, .h5, .h6: beginHeading(name.headingLevel)
    case .p where tree.value(.role, of: node, contains: "heading"): beginHeading(byRole: node)
    case .pre, .listing, .xmp, .plaintext:
      guard name != .pre || !isLineNumberColumn(node), !addFormula(ofCode: node, isDisplay: true)
      else { return false }
      beginPreformatted(node)
    case .ul where isLineNumberColumn(node): return false
    case .ul, .ol, .menu, .dir: openList(node, name)
    case .li: openItem(node)
    case .dl: openContainer(.definitionList)
    case .dt: openTerm()
    case .dd: openDefinition()
    case .blockquote: openContainer(.quote)
    case .figure: openContainer(.figure)
    case .figcaption: openContainer(.caption)
    case .details: openDetails(node)
    case .summary where writtenSummaries.contains(node): return false
    case .dialog where !tree.hasAttribute(.open, node): return false
    case .summary, .dialog: breakBlock()
    case .table: return enterTable(node)
    case .td where tables.isLineNumberCell(node): return false
    case .caption, .thead, .tbody, .tfoot, .tr, .td, .th: return enterTablePart(node, name)
    case .main, .article:
      breakBlock()
      recordMainContent(name == .main ? .main : .article)
    case .p:
      if followsOwnMarker { leaf.addSpace() } else { breakBlock() }
      paragraphs.beginElement()
    case .div: return enterDivision(node)
    default:
      breakBlock()
      return enterRoleOrName(node)
    }
    return true
  }

  private mutating func enterDivision(_ node: Int32) -> Bool {
    if isLineNumberColumn(node) || inherited.leafKind == .preformatted && tree.isCodeTooltip(node) {
      return false
    }
    if beginTableRole(node) || beginCodeLines(node) { return true }
    if isForumQuotation(node) {
      openContainer(.quote)
      return true
    }
    let continuesCell =
      textStyle.display == .tableCell && leaf.isOpen && sharesLine(node, with: \.previousSibling)
    if followsOwnMarker || continuesCell { leaf.addSpace() } else { breakBlock() }
    addTabName(ofBlock: node)
    return enterRoleOrName(node)
  }

  private mutating func enterRoleOrName(_ node: Int32) -> Bool {
    tree.hasAttribute(.role, node) || hasName(node) ? enterRole(node) : true
  }

  /// Handles roles that change the meaning of a generic block, and blocks that are ratings. Returns
  /// false if its children are to be skipped.
  private mutating func enterRole(_ node: Int32) -> Bool {
    if tree.value(.role, of: node, contains: "main") {
      recordMainContent(.main)
    } else if tree.value(.role, of: node, contains: "heading") {
      beginHeading(byRole: node)
    } else if tree.value(.role, of: node, contains: "tabpanel"),
      wholePage != nil || followsTabPanel(node),
      !hiding.mayAffectVisibility(node, of: tree)
        || !hiding.effect(on: node, of: tree).isHiddenTabPanel
    {
      addTabPanelName(node)
    } else if addImageName(node) {
      breakBlock()
      return false
    }
    return true
  }

  /// Leaves an element whose children were visited.
  private mutating func leave(_ frame: ElementState, _ name: ElementName) {
    if frame.outer.drawing != nil {
      leaveDrawing(frame, name)
      return restoreState(frame)
    }
    // The state that the descendants inherited is still in force.
    let isInvisible = inherited.isInvisible
    if !isInvisible { addGeneratedText({ $0.after }, of: frame.node) }
    if isInvisible {
      if name.isBlock || containers.count > frame.openContainerCount { closeLeaf() }
      containers.close(downTo: frame.openContainerCount)
    } else if name.isBlock, !isInLine(frame, name) {
      leaveBlock(frame, name)
      secondaryRanges?.record(frame.node, of: tree, from: frame.textStart, to: leaf.textEnd)
    } else {
      leaveInline(frame, name)
      if frame.display?.isBlock == true { breakStyledLine() }
      if frame.display == .tableCell { addSpaceBetweenRowChildren() }
      if frame.separation == .spaces { separateFromNextWord(frame.node) }
      endGap(frame)
      if inherited.style != frame.outer.style {
        leaf.recordStyleEnd(of: inherited.style.subtracting(frame.outer.style))
      }
    }
    restoreState(frame)
  }

  private mutating func leaveBlock(_ frame: ElementState, _ name: ElementName) {
    switch name {
    case .table: leaveTable(frame)
    case .thead, .tbody, .tfoot, .tr, .td, .th, .caption: leaveTablePart(frame, name)
    case .summary:
      addSummaryLabel(frame)
      breakBlock()
      paragraphs.addEmptyLine()
    case .details: leaveDetails(frame)
    case .li where inherited.leafKind == .preformatted: endListedLine(frame)
    default:
      if containers.count > frame.openContainerCount {
        closeLeaf()
        containers.close(downTo: frame.openContainerCount)
      } else if frame.display == .tableCell, sharesLine(frame.node, with: \.nextSibling) {
        leaf.addSpace()
      } else if inherited.leafKind == frame.outer.leafKind {
        breakBlock()
      } else {
        closeLeaf()
      }
      if frame.separation == .emptyLines { paragraphs.addEmptyLine() }
      endSpacing(frame)
      if lists.isDateLine(frame.node) { paragraphs.addEmptyLine() }
      if name == .p {
        paragraphs.endElement()
        containers.recordParagraph()
      }
      if name == .main || name == .article {
        if leaf.textEnd == frame.textStart { mainContent.rejectCandidate() }
      }
    }
  }

  /// Reads the attributes common to all elements. Returns false if the element is not shown.
  private mutating func readAttributes(_ node: Int32, _ name: ElementName) -> Bool {
    let element = tree.nodes[Int(node)]
    guard element.start < element.end || !hiding.isEmpty else { return true }
    if hiding.mayAffectVisibility(node, of: tree), !resolveVisibility(node) { return false }
    if let sheet = hiding.style(of: node) { textStyle = sheet }
    var inlineStyle = TextStyleDeclarations()
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      let value = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .id: addAnchor(value)
      case .name where name == .a: addAnchor(value)
      case .ariaHidden
      where tree.isKaTeXVisualCopy(node) || repeatsScreenReaderText(node)
        || clones.contains(node, of: tree, hiding):
        return false
      case .class
      where tree.isMathJaxOutput(ofScriptAfter: node, class: value)
        || tree.isIcon(node, value):
        return false
      case .style where hiding.appliesStyleAttributes:
        inlineStyle = tree.inlineTextStyle(
          value, mayShowSpacing: name == .div || name == .span || name == .a,
          readsFont: !name.isBlock)
      case .lang where name.isBlock:
        inherited.localeIndex = locales.index(
          language: cleanedLine(tree.bytes[value]), in: inherited.localeIndex)
      case .dir where name.isBlock:
        if let direction = Document.Direction.parse(attribute: tree.bytes[value]) {
          inherited.localeIndex = locales.index(
            direction: direction, in: inherited.localeIndex)
        }
      default: break
      }
    }
    textStyle.apply(inlineStyle)
    return true
  }

  /// Returns whether anything of an element that styles or attributes affect is shown.
  private mutating func resolveVisibility(_ node: Int32) -> Bool {
    let effect = hiding.effect(on: node, of: tree)
    if effect.isNotRendered {
      if effect.isHiddenBySheet { recordLinks(below: node) }
      return false
    }
    if effect.isHiddenTabPanel, !inherited.isInvisible { addTabPanelName(node) }
    switch effect.visibility {
    case .hides:
      guard inherited.isInvisible || hiding.hasVisibleDescendant(node, of: tree) else {
        if effect.isHiddenBySheet { recordLinks(below: node) }
        addEmptyCell(inPlaceOf: node)
        return false
      }
      inherited.isInvisible = true
    case .shows: inherited.isInvisible = false
    case .inherits, nil: break
    }
    return true
  }

  /// Records the links below an element. What a style sheet hides is often a menu that scripts
  /// open, so its links count as links of the page.
  private mutating func recordLinks(below root: Int32) {
    var next: Int32? = root
    while let node = next {
      let name = tree.nodes[Int(node)].name
      let isHidden = name != .characters && isHiddenByAttributes(node)
      if name == .a, !isHidden { recordUnshownLink(node) }
      next = isHidden ? tree.nodeAfterSubtree(node, in: root) : tree.nodeAfter(node, in: root)
    }
  }

  /// Returns whether an element is hidden by its own attributes.
  private func isHiddenByAttributes(_ node: Int32) -> Bool {
    guard hiding.mayAffectVisibility(node, of: tree) else { return false }
    let effect = hiding.effect(on: node, of: tree)
    return (effect.isNotRendered || effect.visibility == .hides) && !effect.isHiddenBySheet
  }

  mutating func addAnchor(_ value: Range<Int>) {
    guard !value.isEmpty else { return }
    leaf.addAnchor(cleanedLine(tree.bytes[value]))
  }

  private mutating func recordMainContent(_ rank: MainContentCandidate.Evidence) {
    // The main content does not begin within a table.
    tables.tableOfRows = nil
    let block = containers.outermost ?? containers.nextIndex
    mainContent.recordCandidate(rank, at: block)
  }

  /// Begins a heading whose level is an attribute of the element.
  private mutating func beginHeading(byRole node: Int32) {
    beginHeading(UInt8(max(1, min(6, tree.attributeInteger(.ariaLevel, of: node) ?? 2))))
  }

  private mutating func beginHeading(_ level: UInt8) {
    if inherited.leafKind == .term { return closeLeaf() }
    closeLeaf()
    inherited.leafKind = .heading(level)
    inherited.keepsWhiteSpace = false
    if level == 1 { recordMainContent(.heading) }
  }
}
