import DOM

extension DocumentBuilder {
  /// Separates the following content by a new block, or by a new line in a heading or in
  /// preformatted text.
  mutating func breakBlock() {
    if case .heading = inherited.leafKind {
      leaf.beginLine()
    } else if inherited.leafKind == .preformatted {
      breakPreformattedLine()
    } else {
      closeLeaf()
    }
  }

  /// Closes the open leaf and appends its block.
  mutating func closeLeaf() {
    writeDeferredNumbers()
    guard leaf.isOpen else {
      if !images.pending.isEmpty { addPendingImages() }
      images.separateFromNextLeaf()
      return
    }
    images.endLeaf()
    guard let runs = leaf.close() else { return }
    let kind: Document.Block.Kind
    switch inherited.leafKind {
    case .paragraph:
      let image = leaf.runs[Int(runs.lowerBound)].image.value
      kind = if runs.count == 1, let image { .image(Int32(image)) } else { .paragraph }
    case .heading(let level): kind = .heading(level: level)
    case .term: kind = .term
    case .preformatted: kind = .preformatted(language: codeLanguages.end())
    }
    let hasNoSpaceAbove =
      kind == .paragraph
      && paragraphs.recordParagraph(containers.nextIndex, containerCount: containers.count)
    let index = containers.append(
      kind, runs: runs, textLength: leaf.length(of: runs), hasNoSpaceAbove: hasNoSpaceAbove)
    if inherited.leafKind == .preformatted, inherited.tabSize != Document.defaultTabSize {
      document.tabSizes[runs.lowerBound] = inherited.tabSize
    }
    images.attach(to: index)
  }

  /// Opens a block that contains other blocks.
  mutating func openContainer(_ kind: Document.Block.Kind, isImplicit: Bool = false) {
    closeLeaf()
    containers.open(kind, isImplicit: isImplicit)
    inherited.leafKind = .paragraph
    inherited.keepsWhiteSpace = false
  }

  /// Closes the open leaf and the implicitly opened items and definitions.
  private mutating func closeImplicitContainers() {
    closeLeaf()
    containers.closeImplicitItems()
    maxRemainingContainers = containers.count
  }

  // MARK: Lists

  mutating func openList(_ node: Int32, _ name: ElementName) {
    if name == .ul, lists.beginDateLine(node, in: tree) { return breakBlock() }
    if name == .ol, beginListOfLines(node) { return }
    for _ in 0..<tree.exportedDepth(ofList: node) { openContainer(.list(isTight: true)) }
    openContainer(.list(isTight: true))
    var numbering = ListNumbering()
    let hasNumbers = name == .ol ? textStyle.marker != .bullet : styledNumbers != nil
    if hasNumbers { numbering.isOrdered = !lists.isNavigation(node, in: tree) }
    numbering.hasWrittenMarkers = tree.hasWrittenMarkers(node)
    numbering.hasMarkers = !hidesMarkers(node, in: numbering)
    if numbering.isOrdered {
      if let style = styledNumbers {
        numbering.style = style
      } else if let range = tree.attribute(.type, of: node), let style = tree.bytes[range].first {
        numbering.style = NumberStyle(type: style)
      }
      if tree.hasAttribute(.reversed, node) {
        numbering.step = -1
        numbering.nextNumber = Int32(tree.itemCount(of: node))
      }
      if let start = tree.attributeInteger(.start, of: node) {
        numbering.nextNumber = Int32(clamping: start)
      }
    }
    switch textStyle.marker {
    case .text, .custom: numbering.textMarker = textStyle.marker
    case .noMarker, .number, .bullet, .other, nil: break
    }
    containers.setNumbering(numbering)
  }

  mutating func openItem(_ node: Int32) {
    if beginListedLine(node) { return }
    if lists.isDateLine(tree.nodes[Int(node)].parent ?? 0) { return breakBlock() }
    closeImplicitContainers()
    openImplicitList(.list(isTight: true))
    var numbering = containers.numberItem(
      declared: tree.attributeInteger(.value, of: node).map { Int32(clamping: $0) })
    numbering.hasMarkers =
      numbering.hasMarkers
      && !hidesMarkers(node, in: numbering)
    if let marker = generatedMarker(of: node, numbered: numbering.nextNumber) {
      return openContainer(.item(marker))
    }
    guard numbering.hasMarkers else { return openContainer(.item(checkMark(of: node) ?? .none)) }
    if let marker = markerText(in: numbering) { return openContainer(.item(marker)) }
    if let style = numberStyle(ofItem: node, in: numbering) {
      openContainer(.item(.number(numbering.nextNumber, style)))
    } else {
      openContainer(.item(checkMark(of: node) ?? .bullet))
    }
  }

  /// Opens an implicit list for items outside a list; consecutive items share one.
  private mutating func openImplicitList(_ kind: Document.Block.Kind) {
    if !containers.continueList(kind) { openContainer(kind, isImplicit: true) }
  }

  mutating func openTerm() {
    closeImplicitContainers()
    openImplicitList(.definitionList)
    inherited.leafKind = .term
    inherited.keepsWhiteSpace = false
  }

  mutating func openDefinition() {
    closeImplicitContainers()
    openImplicitList(.definitionList)
    openContainer(.definition)
  }

  // MARK: Tab panels

  /// Adds the name of a tab panel: the text of the tab with the same index in the preceding tab
  /// list, or else of a preceding link to the panel.
  mutating func addTabPanelName(_ panel: Int32) {
    closeLeaf()
    // Reader view removes tabs.
    let page = wholePage ?? tree
    let position = precedingSiblingCount(panel, page) { page.isTabPanel($0) }
    let tab: Int32?
    if let tabs = first(before: panel, page, { tabs(in: $0, page) }) {
      tab = tabs.indices.contains(position) ? tabs[position] : nil
    } else {
      tab = page.attribute(.id, of: panel).flatMap { id in
        first(before: panel, page) { link(to: page.bytes[id], in: $0, page) }
      }
    }
    guard let tab else { return }
    let name = cleanedLine(page.text(below: tab)[...])
    if !name.isEmpty, !tree.beginsWith(name, panel) { addLine(inBold: name) }
  }

  /// Returns whether a tab panel is not the first one, which directly follows the tabs.
  func followsTabPanel(_ panel: Int32) -> Bool {
    precedingSiblingCount(panel, tree) { tree.value(.role, of: $0, contains: "tabpanel") } > 0
  }

  /// Adds the name of a tab to its block in pages of MkDocs, where the names of all tabs precede
  /// the blocks.
  mutating func addTabName(ofBlock block: Int32) {
    guard tree.value(.class, of: block, contains: "tabbed-block") else { return }
    let page = wholePage ?? tree
    guard let container = page.nodes[Int(block)].parent else { return }
    var before = page.nodes[Int(container)].previousSibling
    if let text = before, page.nodes[Int(text)].name == .characters {
      before = page.nodes[Int(text)].previousSibling
    }
    guard let labels = before, page.value(.class, of: labels, contains: "tabbed-labels") else {
      return
    }
    var position = precedingSiblingCount(block, page) {
      page.value(.class, of: $0, contains: "tabbed-block")
    }
    var next = page.nodes[Int(labels)].firstChild
    for _ in 0..<(4 * Self.maxTabPanels) {
      guard let label = next else { break }
      if page.nodes[Int(label)].name == .label {
        if position == 0 { break }
        position -= 1
      }
      next = page.nodes[Int(label)].nextSibling
    }
    guard let label = next, page.nodes[Int(label)].name == .label, position == 0,
      case let name = cleanedLine(page.text(below: label)[...]), !name.isEmpty,
      !tree.beginsWith(name, block)
    else { return }
    closeLeaf()
    addLine(inBold: name)
  }

  private static let maxTabPanels = 64
  fileprivate static let maxNodesBeforeHeading = 16

  /// Returns the number of preceding sibling elements that satisfy a predicate.
  private func precedingSiblingCount(_ node: Int32, _ tree: DOMTree, _ predicate: (Int32) -> Bool)
    -> Int
  {
    var (count, next) = (0, tree.nodes[Int(node)].previousSibling)
    for _ in 0..<(4 * Self.maxTabPanels) {
      guard let sibling = next else { break }
      if tree.nodes[Int(sibling)].name != .characters, predicate(sibling) { count += 1 }
      next = tree.nodes[Int(sibling)].previousSibling
    }
    return count
  }

  /// Returns the first result of a function for the elements before a panel or one of its
  /// ancestors, the nearest first; nil if it has none.
  private func first<Result>(
    before panel: Int32, _ tree: DOMTree, _ result: (Int32) -> Result?
  ) -> Result? {
    var node = panel
    for _ in 0..<4 {
      var next = tree.nodes[Int(node)].previousSibling
      for _ in 0..<(4 * Self.maxTabPanels) {
        guard let sibling = next else { break }
        if tree.nodes[Int(sibling)].name != .characters, let found = result(sibling) {
          return found
        }
        next = tree.nodes[Int(sibling)].previousSibling
      }
      guard let parent = tree.nodes[Int(node)].parent else { break }
      node = parent
    }
    return nil
  }

  /// Returns the tabs in an element that is or contains a tab list; nil if it contains a tab panel.
  private func tabs(in root: Int32, _ tree: DOMTree) -> [Int32]? {
    var (tabs, next): ([Int32], Int32?) = ([], root)
    for _ in 0..<512 {
      guard let node = next else { break }
      if tree.nodes[Int(node)].name != .characters, let role = tree.attribute(.role, of: node) {
        if tree.bytes.contains("tabpanel", in: role) { return nil }
        let isTab = tree.bytes[role].elementsEqual("tab".utf8)
        if isTab, tabs.count < Self.maxTabPanels { tabs.append(node) }
      }
      next = tree.nodeAfter(node, in: root)
    }
    return tabs.isEmpty ? nil : tabs
  }

  /// Returns the link to a fragment in an element; nil if it has none.
  private func link(to fragment: ArraySlice<UInt8>, in root: Int32, _ tree: DOMTree) -> Int32? {
    var next: Int32? = root
    for _ in 0..<512 {
      guard let node = next else { break }
      if tree.nodes[Int(node)].name == .a, let range = tree.attribute(.href, of: node),
        tree.bytes[range].first == UInt8(ascii: "#"),
        tree.bytes[range].dropFirst().elementsEqual(fragment)
      {
        return node
      }
      next = tree.nodeAfter(node, in: root)
    }
    return nil
  }

  // MARK: Other blocks

  mutating func addThematicBreak() {
    closeLeaf()
    containers.prepare(for: .rule)
    containers.append(.rule)
  }

  mutating func beginPreformatted(_ node: Int32) {
    if inherited.leafKind == .preformatted { return breakPreformattedLine() }
    closeLeaf()
    inherited.leafKind = .preformatted
    inherited.keepsWhiteSpace = true
    let language = tree.codeLanguage(of: node)
    if language.isEmpty, case .codeWithLineNumbers(let outer) = tables.innermost {
      codeLanguages.begin(outer)
    } else {
      codeLanguages.begin(language)
    }
  }

  /// Opens a disclosure widget. Its first child is the summary, regardless of the summary's
  /// position in the page.
  mutating func openDetails(_ node: Int32) {
    openContainer(.details(isOpen: tree.hasAttribute(.open, node)))
    var isFirst = true
    var next = tree.nodes[Int(node)].firstChild
    while let child = next, tree.nodes[Int(child)].name != .summary {
      if tree.nodes[Int(child)].name != .characters || !tree.cleanedText(of: child).isEmpty {
        isFirst = false
      }
      next = tree.nodes[Int(child)].nextSibling
    }
    let summary = next
    if summary != nil, isFirst { return }
    let label = summary.map { tree.cleanedText(below: $0) } ?? ""
    addSafeText(label.isEmpty ? "Details" : label)
    closeLeaf()
    paragraphs.addEmptyLine()
    if let summary { writtenSummaries.insert(summary) }
  }

  /// Adds a label to a summary without text, so that there is something to open.
  mutating func addSummaryLabel(_ frame: ElementState) {
    if leaf.textEnd == frame.textStart, images.pending.isEmpty { addSafeText("Details") }
  }

  mutating func leaveDetails(_ frame: ElementState) {
    closeLeaf()
    containers.close(downTo: frame.openContainerCount)
  }
}

extension NumberStyle {
  /// Creates the style for the first byte of the `type` attribute of `ol` or `li`; decimal for an
  /// unknown one.
  init(type: UInt8) {
    switch type {
    case UInt8(ascii: "a"): self = .lowerAlpha
    case UInt8(ascii: "A"): self = .upperAlpha
    case UInt8(ascii: "i"): self = .lowerRoman
    case UInt8(ascii: "I"): self = .upperRoman
    default: self = .decimal
    }
  }
}

extension DOMTree {
  /// Returns the text below a node, truncated after about 200 bytes or 64 nodes.
  fileprivate func text(below root: Int32) -> [UInt8] {
    var (text, next): ([UInt8], Int32?) = ([], nodeAfter(root, in: root))
    for _ in 0..<64 {
      guard let node = next, text.count < 200 else { break }
      let domNode = nodes[Int(node)]
      if domNode.name == .characters {
        text += bytes[Int(domNode.start)..<Int(domNode.end)].prefix(200)
      }
      next = nodeAfter(node, in: root)
    }
    return text
  }
}

extension DOMTree {
  /// Returns whether the first text in an element is a given one, such as a heading that repeats
  /// the name of a tab.
  fileprivate func beginsWith(_ text: String, _ element: Int32) -> Bool {
    var next = nodeAfter(element, in: element)
    for _ in 0..<DocumentBuilder.maxNodesBeforeHeading {
      guard let node = next else { break }
      if nodes[Int(node)].name == .characters, !isBlank(node) {
        return cleanedText(of: node) == text
      }
      next = nodeAfter(node, in: element)
    }
    return false
  }
}

extension DOMTree {
  /// Returns the depth of a list of a Google document, in which the lists within others are beside
  /// them, and have the depth at the end of their class `lst-kix_NAME-DEPTH`; 0 for other lists.
  fileprivate func exportedDepth(ofList node: Int32) -> Int {
    guard let value = attribute(.class, of: node), bytes.contains("lst-kix", in: value),
      let parent = nodes[Int(node)].parent, ![.ul, .ol, .li].contains(nodes[Int(parent)].name),
      let word = bytes[value].split(whereSeparator: \.isWhiteSpace).first(where: {
        $0.starts(with: "lst-kix".utf8)
      }), let depth = word.last, depth.isDigit, word.dropLast().last == UInt8(ascii: "-")
    else { return 0 }
    return Int(depth - UInt8(ascii: "0"))
  }
}
