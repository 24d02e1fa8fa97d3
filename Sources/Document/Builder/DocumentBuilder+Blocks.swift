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
    if !marginNumbers.deferred.isEmpty { writeDeferredNumbers() }
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
      let image = leaf.runs[Int(runs.lowerBound)].image
      kind = runs.count == 1 && image >= 0 ? .image(image) : .paragraph
    case .heading(let level): kind = .heading(level: level)
    case .term: kind = .term
    case .preformatted: kind = .preformatted(language: recordCodeLanguage())
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

  /// Records the language of the preformatted text that ends. Returns its index in
  /// `Document.codeLanguages`, or -1 if it has none.
  private mutating func recordCodeLanguage() -> Int32 {
    guard !codeLanguage.isEmpty else { return -1 }
    if document.codeLanguages.last != codeLanguage { document.codeLanguages.append(codeLanguage) }
    return Int32(document.codeLanguages.count - 1)
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
    if name == .ul, containsOnlyDate(node) {
      lists.dateOnly = node
      return breakBlock()
    }
    openContainer(.list(isTight: true))
    var numbering = ListNumbering()
    let hasNumbers = name == .ol ? textStyle.marker != .bullet : styledNumbers != nil
    if hasNumbers { numbering.isOrdered = !isNavigation(node) }
    numbering.hasMarkers = !hidesMarkers(node, isOrdered: numbering.isOrdered)
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
    if case .text(let text) = textStyle.marker { numbering.markerText = text }
    containers.setNumbering(numbering)
  }

  /// Returns whether a list is site navigation, in which numbers are meaningless: it is in a `nav`,
  /// has a class for navigation or breadcrumbs, or contains only links in a `footer`.
  mutating func isNavigation(_ list: Int32) -> Bool {
    if let known = lists.isNavigationByList[list] { return known }
    let isNavigation = findNavigation(around: list)
    lists.isNavigationByList[list] = isNavigation
    return isNavigation
  }

  private func findNavigation(around list: Int32) -> Bool {
    if tree.value(.class, of: list, contains: "breadcrumb")
      || tree.value(.class, of: list, contains: "nav")
    {
      return true
    }
    var node = list
    for _ in 0..<64 where node >= 0 {
      let name = tree.nodes[Int(node)].name
      if name == .nav || tree.value(.role, of: node, contains: "navigation") { return true }
      if name == .footer { return hasOnlyLinks(list) }
      node = tree.nodes[Int(node)].parent
    }
    return false
  }

  /// Returns whether the first items of a list contain only links.
  private func hasOnlyLinks(_ list: Int32) -> Bool {
    var next = tree.nodeAfter(list, in: list)
    for _ in 0..<32 where next >= 0 {
      let node = tree.nodes[Int(next)]
      if node.name == .characters,
        !tree.bytes[Int(node.start)..<Int(node.end)].allSatisfy(\.isWhiteSpace)
      {
        return false
      }
      next =
        node.name == .a ? tree.nodeAfterSubtree(next, in: list) : tree.nodeAfter(next, in: list)
    }
    return true
  }

  /// Returns whether a list has a single item that contains only a date, as below the name of an
  /// author.
  private func containsOnlyDate(_ list: Int32) -> Bool {
    var node = tree.nodeAfter(list, in: list)
    var (items, hasDate) = (0, false)
    for _ in 0..<16 where node >= 0 {
      let own = tree.nodes[Int(node)]
      switch own.name {
      case .li where items == 0 && own.parent == list: items = 1
      case .time where items == 1 && !hasDate && own.contents.contains(.text):
        hasDate = true
        node = tree.nodeAfterSubtree(node, in: list)
        continue
      case .a, .span: break
      case .characters:
        let bytes = tree.bytes[Int(own.start)..<Int(own.end)]
        guard bytes.allSatisfy(\.isWhiteSpace) else { return false }
      default: return false
      }
      node = tree.nodeAfter(node, in: list)
    }
    return hasDate && node < 0
  }

  mutating func openItem(_ node: Int32) {
    if lists.dateOnly >= 0, tree.nodes[Int(node)].parent == lists.dateOnly { return breakBlock() }
    closeImplicitContainers()
    openImplicitList(.list(isTight: true))
    var numbering = containers.numberItem(
      declared: tree.attributeInteger(.value, of: node).map { Int32(clamping: $0) })
    numbering.hasMarkers =
      numbering.hasMarkers
      && !hidesMarkers(node, isOrdered: numbering.isOrdered)
    if let marker = generatedMarker(of: node, numbered: numbering.nextNumber) {
      return openContainer(.item(marker))
    }
    guard numbering.hasMarkers else { return openContainer(.item(.none)) }
    if let marker = markerText(in: numbering) { return openContainer(.item(marker)) }
    if let style = numberStyle(ofItem: node, in: numbering) {
      openContainer(.item(.number(numbering.nextNumber, style)))
    } else {
      openContainer(.item(.bullet))
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
  /// list.
  mutating func addTabPanelName(_ panel: Int32) {
    closeLeaf()
    // Reader view removes tabs.
    let page = wholePage ?? tree
    let position = precedingSiblingCount(panel, page) {
      page.value(.role, of: $0, contains: "tabpanel")
    }
    guard let tabs = tabs(before: panel, page), tabs.indices.contains(position) else { return }
    let name = cleanedLine(page.text(below: tabs[position])[...])
    guard !name.isEmpty else { return }
    let outer = inherited.style
    inherited.style.insert(.strong)
    addSafeText(name)
    inherited.style = outer
    closeLeaf()
    paragraphs.addEmptyLine()
  }

  private static let maxTabPanels = 64

  /// Returns the number of preceding sibling elements that satisfy a predicate.
  private func precedingSiblingCount(_ node: Int32, _ tree: DOMTree, _ predicate: (Int32) -> Bool)
    -> Int
  {
    var (count, sibling) = (0, tree.nodes[Int(node)].previousSibling)
    for _ in 0..<(4 * Self.maxTabPanels) where sibling >= 0 {
      if tree.nodes[Int(sibling)].name != .characters, predicate(sibling) { count += 1 }
      sibling = tree.nodes[Int(sibling)].previousSibling
    }
    return count
  }

  /// Returns the tabs of the tab list that precedes a panel or one of its ancestors; nil if there
  /// is none.
  private func tabs(before panel: Int32, _ tree: DOMTree) -> [Int32]? {
    var (node, level) = (panel, 0)
    while node >= 0, level < 4 {
      var sibling = tree.nodes[Int(node)].previousSibling
      for _ in 0..<(4 * Self.maxTabPanels) where sibling >= 0 {
        if tree.nodes[Int(sibling)].name != .characters, let tabs = tabs(in: sibling, tree) {
          return tabs
        }
        sibling = tree.nodes[Int(sibling)].previousSibling
      }
      node = tree.nodes[Int(node)].parent
      level += 1
    }
    return nil
  }

  /// Returns the tabs in an element that is or contains a tab list; nil if it contains a tab panel.
  private func tabs(in root: Int32, _ tree: DOMTree) -> [Int32]? {
    var (tabs, node): ([Int32], Int32) = ([], root)
    for _ in 0..<512 where node >= 0 {
      if tree.nodes[Int(node)].name != .characters, let role = tree.attribute(.role, of: node) {
        if tree.bytes.contains("tabpanel", in: role) { return nil }
        let isTab = tree.bytes[role].elementsEqual("tab".utf8)
        if isTab, tabs.count < Self.maxTabPanels { tabs.append(node) }
      }
      node = tree.nodeAfter(node, in: root)
    }
    return tabs.isEmpty ? nil : tabs
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
    codeLanguage = language(of: node)
    if codeLanguage.isEmpty, case .codeWithLineNumbers(let language) = tables.innermost {
      codeLanguage = language
    }
  }

  /// Returns the language that a `pre`, a `code` in it or a wrapper of a highlighter declares, or
  /// an empty string. Names without an unambiguous class prefix (`hljs swift`), or on a distant
  /// ancestor, are used only if the language is known.
  func language(of node: Int32) -> String {
    var candidate = node
    for _ in 0..<3 where candidate >= 0 {
      if let name = declaredLanguage(of: candidate) { return name }
      let child = tree.nodes[Int(candidate)].firstChild
      candidate = child >= 0 && tree.nodes[Int(child)].name != .characters ? child : -1
    }
    var parent = tree.nodes[Int(node)].parent
    for level in 0..<4 where parent >= 0 {
      if let name = declaredLanguage(of: parent), level == 0 || CodeLanguage.named(name) != nil {
        return name
      }
      parent = tree.nodes[Int(parent)].parent
    }
    return ""
  }

  /// Returns the language that the element itself declares; nil if it declares none.
  private func declaredLanguage(of node: Int32) -> String? {
    if let range = tree.attribute(.class, of: node) {
      if let name = tree.bytes[range].codeLanguage { return cleanedLine(name) }
      for word in tree.bytes[range].possibleLanguageNames
      where CodeLanguage.named(cleanedLine(word)) != nil {
        return cleanedLine(word)
      }
    }
    guard let range = tree.attribute(.dataLang, of: node) else { return nil }
    let name = cleanedLine(tree.bytes[range])
    return CodeLanguage.named(name) == nil ? nil : name
  }

  /// Opens a disclosure widget. Its first child is the summary, regardless of the summary's
  /// position in the page.
  mutating func openDetails(_ node: Int32) {
    openContainer(.details(isOpen: tree.hasAttribute(.open, node)))
    var isFirst = true
    var child = tree.nodes[Int(node)].firstChild
    while child >= 0, tree.nodes[Int(child)].name != .summary {
      if tree.nodes[Int(child)].name != .characters || !text(of: child).isEmpty { isFirst = false }
      child = tree.nodes[Int(child)].nextSibling
    }
    if child >= 0, isFirst { return }
    let label = child >= 0 ? text(below: child) : ""
    addSafeText(label.isEmpty ? "Details" : label)
    closeLeaf()
    paragraphs.addEmptyLine()
    if child >= 0 { writtenSummaries.insert(child) }
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

extension ArraySlice<UInt8> {
  /// The language in a class such as `language-swift`, `lang-swift` or `highlight-source-swift`;
  /// nil if there is none.
  fileprivate var codeLanguage: ArraySlice<UInt8>? {
    for word in split(whereSeparator: { $0.isWhiteSpace }) {
      for prefix in ["language-", "lang-", "highlight-source-"] where word.count > prefix.utf8.count
      {
        if word.starts(with: prefix.utf8) { return word.dropFirst(prefix.utf8.count) }
      }
    }
    return nil
  }

  /// Class names that may be the name of a language: those with the prefix `brush:`, `highlight-`
  /// or `lang:`, without it; and all others if one of them is a class name that highlighters use.
  fileprivate var possibleLanguageNames: [ArraySlice<UInt8>] {
    let words = split { $0.isWhiteSpace || $0 == UInt8(ascii: ";") }
    let isMarked = words.contains { word in
      ["hljs", "sourceCode", "prettyprint", "brush:", "code-block", "highlight", "shiki"].contains {
        word.elementsEqual($0.utf8)
      }
    }
    return words.compactMap { word in
      for prefix in ["brush:", "highlight-", "lang:"] where word.starts(with: prefix.utf8) {
        return word.count > prefix.utf8.count ? word.dropFirst(prefix.utf8.count) : nil
      }
      return isMarked ? word : nil
    }
  }
}

extension DOMTree {
  /// Returns the text below a node, truncated after about 200 bytes.
  fileprivate func text(below root: Int32) -> [UInt8] {
    var (text, node): ([UInt8], Int32) = ([], nodeAfter(root, in: root))
    while node >= 0, text.count < 200 {
      let own = nodes[Int(node)]
      if own.name == .characters { text += bytes[Int(own.start)..<Int(own.end)].prefix(200) }
      node = nodeAfter(node, in: root)
    }
    return text
  }
}
