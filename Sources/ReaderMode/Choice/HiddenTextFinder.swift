package import DOM
import Metadata

// Some pages hide their text until a script reveals it, by `style` attributes or style sheets, as a
// whole or in parts that open one at a time. Without scripts the text would stay hidden. This is
// decided once here, on the tree; the page view, reader view and saving all use the resulting
// rules.

/// Text that a page hides although it is most of its content.
struct HiddenTextFinder {
  /// Elements that are shown although they are hidden, each with its content.
  private(set) var revealedElements = NodeSet()
  private(set) var pageShowsText = false

  private let tree: DOMTree
  private let hidingRules: HidingRules
  /// The number of visible words outside navigation.
  private var shownWordCount = 0
  /// The hidden elements outside navigation.
  private var hiddenElements: [HiddenElement] = []

  /// An outermost hidden element.
  private struct HiddenElement {
    var node: Int32
    /// The number of words that are not in links.
    var wordCount: Int
  }

  /// The number of visible words from which a page is not examined further, if it shows enough of
  /// its text.
  private static let maxExaminedShownWordCount = 60
  /// The ratio of all text to visible text above which hidden text is considered.
  private static let minHiddenTextRatio = 4
  private static let minRevealedWordCount = 20
  /// The maximum number of nested hidden elements that are revealed.
  private static let maxDepth = 8
  /// The maximum number of ancestors examined for names of menus and the like.
  private static let maxExaminedAncestors = 12

  /// Examines a page, stopping as soon as enough text is visible; if nothing can be hidden, at the
  /// first word.
  init(_ tree: DOMTree, hidingRules: HidingRules, canHideElements: Bool) {
    self.tree = tree
    self.hidingRules = hidingRules
    guard !walk(canHideElements: canHideElements), pageShowsText else { return }
    revealLargestElements()
  }

  /// Counts visible words and collects hidden elements.
  /// - Returns: Whether enough text is visible, so that hidden text does not matter.
  private mutating func walk(canHideElements: Bool) -> Bool {
    let totalByteCount =
      canHideElements
      ? tree.nodes.reduce(0) { $1.name == .characters ? $0 + Int($1.end - $1.start) : $0 } : 0
    let minWordCount = canHideElements ? Self.maxExaminedShownWordCount : 1
    var shownByteCount = 0
    var shownWords = WordCounter()
    // The node after the current invisible subtree, and the node after a visible subtree in that.
    var (invisibleEnd, visibleEnd): (Int32?, Int32?)
    var next = tree.nodeAfter(0, in: 0)
    while let node = next {
      let element = tree.nodes[Int(node)]
      if node == visibleEnd { visibleEnd = nil }
      if node == invisibleEnd { (invisibleEnd, visibleEnd) = (nil, nil) }
      let isShown = invisibleEnd == nil || visibleEnd != nil
      if element.name == .characters {
        if isShown { shownByteCount += countWords(element, to: &shownWords) }
        if shownByteCount * Self.minHiddenTextRatio >= totalByteCount,
          shownWords.count >= minWordCount
        {
          pageShowsText = true
          return true
        }
        next = tree.nodeAfterSubtree(node, in: 0)
        continue
      }
      if element.name.isBlock { shownWords.endWord() }
      // A frame contains nodes only if its page is in its `srcdoc`.
      if element.name.neverShowsText && element.name != .iframe || !element.contents.contains(.text)
      {
        next = tree.nodeAfterSubtree(node, in: 0)
      } else if hidingRules.hides(node, of: tree) {
        if isShown { record(node) }
        next = tree.nodeAfterSubtree(node, in: 0)
      } else if let visibility = isVisible(of: node), visibility != isShown {
        if visibility {
          visibleEnd = end(of: node, in: 0)
        } else if invisibleEnd == nil {
          record(node)
          invisibleEnd = end(of: node, in: 0)
        } else {
          visibleEnd = nil
        }
        next = tree.nodeAfter(node, in: 0)
      } else if isNavigation(node, element.name) {
        pageShowsText = pageShowsText || isShown
        next = tree.nodeAfterSubtree(node, in: 0)
      } else {
        next = tree.nodeAfter(node, in: 0)
      }
    }
    shownWordCount = shownWords.count
    pageShowsText = pageShowsText || shownWordCount > 0
    return false
  }

  /// Returns whether an element makes its text visible or invisible; nil if it inherits.
  private func isVisible(of node: Int32) -> Bool? {
    guard hidingRules.mayAffectVisibility(node, of: tree) else { return nil }
    switch hidingRules.effect(on: node, of: tree).visibility {
    case .hides: return false
    case .shows: return true
    case .inherits, nil: return nil
    }
  }

  /// Counts the words of a text.
  /// - Returns: Its length in bytes; 0 for white space.
  private func countWords(_ text: DOMTree.Node, to count: inout WordCounter) -> Int {
    let range = Int(text.start)..<Int(text.end)
    return tree.bytes.withUnsafeBufferPointer { bytes in
      guard !bytes.isWhiteSpace(range) else {
        count.endWord()
        return 0
      }
      count.add(bytes, in: range)
      return range.count
    }
  }

  /// Returns whether an element is navigation or boilerplate, by its element or role.
  private func isNavigation(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .nav, .footer, .aside, .menu: return true
    case .dialog: return !tree.hasAttribute(.open, node)
    case .header: return !tree.hasAncestor(.article, node) && !tree.hasAncestor(.main, node)
    default:
      guard let role = tree.attribute(.role, of: node) else { return false }
      return Self.roles.contains { tree.bytes[role].elementsEqual($0.utf8) }
    }
  }

  private static let roles = [
    "navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog",
    "menu", "menubar", "tooltip",
  ]

  // MARK: Hidden elements

  /// Returns the node after the descendants of a node; the number of nodes if no node follows.
  private func end(of node: Int32, in root: Int32) -> Int32 {
    tree.nodeAfterSubtree(node, in: root) ?? Int32(tree.nodes.count)
  }

  /// Records a hidden element, unless it is a menu, dialog or the like that is hidden on purpose.
  private mutating func record(_ node: Int32) {
    guard !isSecondary(node) else { return }
    var ancestor = tree.nodes[Int(node)].parent ?? 0
    for _ in 0..<Self.maxExaminedAncestors where ancestor > 0 {
      if BlockTopic.topics(of: ancestor, in: tree) & Self.excludedAncestorTopics != 0 { return }
      ancestor = tree.nodes[Int(ancestor)].parent ?? 0
    }
    let expectedWordCount = wordCount(below: node)
    if expectedWordCount > 0 {
      hiddenElements.append(HiddenElement(node: node, wordCount: expectedWordCount))
    }
  }

  /// Returns whether an element is not main content: by its element or class, or because of the
  /// attribute `hidden`.
  private func isSecondary(_ node: Int32) -> Bool {
    let name = tree.nodes[Int(node)].name
    return tree.hasAttribute(.hidden, node) || isNavigation(node, name) || name == .form
      || BlockTopic.topics(of: node, in: tree) & Self.secondaryTopics != 0
  }

  /// Returns the number of words of an element outside links and outside elements that are not main
  /// content; 0 if most words are in links.
  private func wordCount(below root: Int32) -> Int {
    var allWords = WordCounter()
    var linkWords = WordCounter()
    var linkEnd: Int32?
    var next = tree.nodeAfter(root, in: root)
    while let node = next {
      if node == linkEnd { linkEnd = nil }
      let element = tree.nodes[Int(node)]
      if element.name == .characters {
        _ = countWords(element, to: &allWords)
        if linkEnd != nil { _ = countWords(element, to: &linkWords) }
        next = tree.nodeAfterSubtree(node, in: root)
        continue
      }
      if element.name.isBlock {
        allWords.endWord()
        linkWords.endWord()
      }
      guard !element.name.neverShowsText, element.contents.contains(.text), !isSecondary(node)
      else {
        next = tree.nodeAfterSubtree(node, in: root)
        continue
      }
      if element.name == .a, linkEnd == nil { linkEnd = end(of: node, in: root) }
      next = tree.nodeAfter(node, in: root)
    }
    return linkWords.count * 2 < allWords.count ? allWords.count - linkWords.count : 0
  }

  // MARK: Panels

  /// Elements with text that stay hidden until a button opens them: a button or link with a
  /// reference to the element, a button beside the element with a label such as "Read more" or a
  /// script, or a label such as a question directly before the element.
  var closedPanels: NodeSet { NodeSet(controlledPanels + continuations + labeledPanels) }

  /// Hidden elements to which a button or link refers. A link may also open a dialog, which has
  /// fields.
  private var controlledPanels: [Int32] {
    var (names, linkedNames): (Set<ArraySlice<UInt8>>, Set<ArraySlice<UInt8>>) = ([], [])
    for node in tree.nodes.indices {
      let found = panelNames(ofButton: Int32(node))
      if found.isEmpty { continue }
      if tree.hasAttribute(.ariaControls, Int32(node)) {
        names.formUnion(found)
      } else {
        linkedNames.formUnion(found)
      }
    }
    guard !names.isEmpty || !linkedNames.isEmpty else { return [] }
    var panels: [Int32] = []
    for node in tree.nodes.indices where tree.nodes[node].name != .characters {
      let node = Int32(node)
      guard let id = tree.attribute(.id, of: node), case let name = tree.bytes[id],
        names.contains(name) || linkedNames.contains(name),
        let hidden = hiddenElement(around: node),
        isPanel(
          node,
          minWordCount: followsButton(hidden, opening: name) ? 1 : Self.minPanelWordCount),
        names.contains(name) || !contains(Self.fields, below: node)
      else { continue }
      panels.append(hidden)
    }
    return panels
  }

  /// Hidden elements with the rest of a text, beside a control such as "Read more" or one whose
  /// script shows and hides an element.
  private var continuations: [Int32] {
    tree.nodes.indices.compactMap { index in
      let control = Int32(index)
      let hasScript = tree.nodes[index].name != .characters && hasShowingScript(control)
      guard hasScript || opensInPlace(control), let hidden = hiddenElement(beside: control),
        isPanel(hidden, minWordCount: Self.minPanelWordCount)
      else { return nil }
      if hasScript, !contains(Self.fields, below: hidden) { return hidden }
      let label = tree.collapsedText(below: control)
      return label.utf8.count <= Self.maxExpanderLabelBytes
        && Vocabulary.expanderLabels.contains(PageTitle.comparisonKey(label)) ? hidden : nil
    }
  }

  /// Whether the `onclick` script of an element shows or hides another one, as for a spoiler.
  private func hasShowingScript(_ node: Int32) -> Bool {
    tree.value(.panelReference, of: node, contains: "display")
      || tree.value(.panelReference, of: node, contains: "toggle")
  }

  /// Hidden elements directly after a label that opens them, such as the answers to questions.
  private var labeledPanels: [Int32] {
    tree.nodes.indices.compactMap { index in
      let panel = Int32(index)
      guard tree.nodes[index].name != .characters, hidingRules.mayAffectVisibility(panel, of: tree)
      else { return nil }
      guard let (label, wrapper) = label(before: panel), isLabel(label, ofPanel: wrapper),
        hidingRules.hides(panel, of: tree), !isHidden(label),
        isPanel(panel, minWordCount: 1), !contains(Self.fields, below: panel)
      else { return nil }
      return panel
    }
  }

  /// Whether a node is an element that the rules hide, rather than a text.
  private func isHidden(_ node: Int32) -> Bool {
    tree.nodes[Int(node)].name != .characters && hidingRules.hides(node, of: tree)
  }

  /// Returns the node directly before an element, or before a wrapper that contains only this
  /// element, and the element or wrapper that follows it; nil if no node precedes them.
  private func label(before panel: Int32) -> (label: Int32, panel: Int32)? {
    var node = panel
    for _ in 0..<Self.maxWrappersOfButton where node > 0 {
      if let before = shownSibling(before: node) { return (before, node) }
      guard let parent = tree.nodes[Int(node)].parent, parent > 0,
        tree.onlyChild(of: parent) == node, !isSecondary(parent)
      else { return nil }
      node = parent
    }
    return nil
  }

  /// Returns the nearest sibling before a node that is neither blank nor one of some hidden fields.
  private func shownSibling(before node: Int32) -> Int32? {
    var next = tree.siblingBefore(node)
    for _ in 0..<Self.maxHiddenFields {
      guard let before = next, tree.nodes[Int(before)].name == .input,
        tree.value(.type, of: before, contains: "hidden")
      else { break }
      next = tree.siblingBefore(before)
    }
    return next
  }

  private static let maxHiddenFields = 8

  /// Whether an element opens the hidden element after it: a control that is marked as closed, a
  /// term before its description, a question, the label of a spoiler, or a text in an element whose
  /// name is that of a list of questions or of a fold.
  private func isLabel(_ label: Int32, ofPanel panel: Int32) -> Bool {
    let isSpoiler = [label, panel, tree.nodes[Int(panel)].parent ?? panel].contains {
      tree.value(.class, of: $0, contains: "spoiler")
    }
    if isSpoiler, [.input, .characters].contains(tree.nodes[Int(label)].name) { return true }
    guard tree.nodes[Int(label)].contents.contains(.text) else { return false }
    if tree.nodes[Int(label)].name == .dt { return true }
    var node = label
    for _ in 0..<Self.maxWrappersOfButton where tree.nodes[Int(node)].name != .characters {
      if tree.hasAttribute(.ariaExpanded, node), opensInPlace(node) { return true }
      guard let content = tree.onlyChild(of: node) else { break }
      node = content
    }
    let text = tree.collapsedText(below: label)
    guard !text.isEmpty, text.utf8.count <= Self.maxLabelBytes else { return false }
    return isSpoiler || text.last.map { "?？؟".contains($0) } == true
      || text.utf8.count <= Self.maxExpanderLabelBytes && Self.namesSpoiler(text)
      || [label, panel, tree.nodes[Int(panel)].parent ?? panel].contains {
        BlockTopic.topics(of: $0, in: tree) & BlockTopic.questionWord.bit != 0
      }
  }

  /// Whether a label contains a word for a spoiler.
  private static func namesSpoiler(_ label: String) -> Bool {
    let label = label.lowercased()
    return Vocabulary.spoilerWords.contains { label.contains($0) }
  }

  private static let maxLabelBytes = 300

  /// Whether an element may be a control that changes this page rather than a link to another one.
  private func opensInPlace(_ node: Int32) -> Bool {
    switch tree.nodes[Int(node)].name {
    case .button, .label: return true
    case .a:
      guard let target = tree.attribute(.href, of: node) else { return true }
      let bytes = tree.bytes[target].drop(while: \.isWhiteSpace)
      return bytes.isEmpty || bytes.first == UInt8(ascii: "#")
        || bytes.starts(with: "javascript:".utf8)
    case .span, .div, .p: return tree.value(.role, of: node, contains: "button")
    default: return false
    }
  }

  /// Returns the hidden element directly before or after a control, or at the end of the element
  /// directly before it; nil if there is none. If nothing else is beside the control, the element
  /// around the control is examined in the same way, and so on.
  private func hiddenElement(beside control: Int32) -> Int32? {
    var node = control
    for _ in 0..<Self.maxWrappersOfButton where node > 0 {
      let (before, after) = (tree.siblingBefore(node), tree.siblingAfter(node))
      for case let neighbor? in [before, before.flatMap(lastElement), after] {
        if tree.nodes[Int(neighbor)].name != .characters, hidingRules.hides(neighbor, of: tree) {
          return neighbor
        }
      }
      guard before == nil, after == nil else { return nil }
      node = tree.nodes[Int(node)].parent ?? 0
    }
    return nil
  }

  /// Returns the last child of an element except white space.
  private func lastElement(of node: Int32) -> Int32? {
    guard tree.nodes[Int(node)].name != .characters else { return nil }
    return tree.children(of: node).filter { !tree.isBlank($0) }.last
  }

  private static let maxExpanderLabelBytes = 80

  /// Returns the hidden element: the panel itself or an ancestor that contains nothing else; nil if
  /// none is hidden.
  private func hiddenElement(around panel: Int32) -> Int32? {
    var node = panel
    for _ in 0..<3 where node > 0 {
      if hidingRules.hides(node, of: tree) { return node }
      guard let ancestor = tree.nodes[Int(node)].parent, ancestor > 0,
        tree.onlyChild(of: ancestor) == node
      else { return nil }
      node = ancestor
    }
    return nil
  }

  /// Returns the IDs of the elements that a button, an element with a script or a link to a part of
  /// the page may open, as those of tabs and accordions do; empty for other elements.
  private func panelNames(ofButton node: Int32) -> [ArraySlice<UInt8>] {
    let name = tree.nodes[Int(node)].name
    guard name != .characters else { return [] }
    if isButton(node), let value = tree.attribute(.ariaControls, of: node) {
      return tree.bytes[value].split(whereSeparator: \.isWhiteSpace)
    }
    var names: [ArraySlice<UInt8>] = []
    if let value = tree.attribute(.panelReference, of: node), name != .video, name != .audio {
      names = Self.panelNames(inReference: tree.bytes[value])
    }
    guard name == .a, let target = tree.attribute(.href, of: node),
      case let reference = tree.bytes[target],
      reference.first == UInt8(ascii: "#") || reference.starts(with: "javascript:".utf8)
    else { return names }
    return names + Self.panelNames(inReference: reference)
  }

  /// Returns the IDs in a reference to a panel: the ID after the `#` of a selector or URL, or else
  /// the strings in a script.
  private static func panelNames(inReference reference: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    if reference.first == UInt8(ascii: "#") {
      return reference.count > 1 ? [reference.dropFirst()] : []
    }
    var names: [ArraySlice<UInt8>] = []
    var rest = reference.prefix(maxScriptBytes)
    while names.count < maxNamesInScript,
      let start = rest.firstIndex(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }),
      let end = rest[(start + 1)...].firstIndex(of: rest[start])
    {
      let text = rest[(start + 1)..<end]
      let name = text.first == UInt8(ascii: "#") ? text.dropFirst() : text
      if !name.isEmpty { names.append(name) }
      rest = rest[(end + 1)...]
    }
    return names
  }

  /// Maximum number of bytes of a script that are searched for IDs.
  private static let maxScriptBytes = 512
  private static let maxNamesInScript = 8

  private func isButton(_ node: Int32) -> Bool {
    switch tree.nodes[Int(node)].name {
    case .button, .a, .summary: true
    case .characters: false
    default: tree.value(.role, of: node, contains: "button")
    }
  }

  /// Whether a button that opens a panel is right before the hidden element of that panel, alone or
  /// as a whole heading. Even a single word is then the answer to a question.
  private func followsButton(_ hidden: Int32, opening panel: ArraySlice<UInt8>) -> Bool {
    var next = tree.siblingBefore(hidden)
    for _ in 0..<Self.maxWrappersOfButton {
      guard let before = next else { break }
      guard tree.nodes[Int(before)].name != .characters else { return false }
      let names = panelNames(ofButton: before)
      if !names.isEmpty {
        return names.contains(panel) && tree.nodes[Int(before)].contents.contains(.text)
      }
      // A heading or an element around it may contain nothing else.
      guard let content = tree.onlyChild(of: before) else { return false }
      next = content
    }
    return false
  }

  private static let maxWrappersOfButton = 3

  /// Whether a hidden element is in the main content and has text of its own.
  private func isPanel(_ node: Int32, minWordCount: Int) -> Bool {
    let name = tree.nodes[Int(node)].name
    guard !isNavigation(node, name), name != .form,
      BlockTopic.topics(of: node, in: tree) & Self.secondaryTopics == 0
    else { return false }
    var ancestor = tree.nodes[Int(node)].parent ?? 0
    while ancestor > 0 {
      let name = tree.nodes[Int(ancestor)].name
      if isNavigation(ancestor, name) || name == .form || name == .dialog { return false }
      ancestor = tree.nodes[Int(ancestor)].parent ?? 0
    }
    // A form control shows that a short panel is part of the user interface, such as a menu of
    // options.
    let count = wordCount(below: node)
    return count >= Self.minPanelWordCount
      || count >= minWordCount && !contains(Self.controls, below: node)
  }

  private static let fields: ElementSet = [.input, .select, .textarea]
  private static let controls: ElementSet = [.button, .input, .select, .textarea]

  private func contains(_ elements: ElementSet, below root: Int32) -> Bool {
    tree.descendants(of: root).contains { elements.contains(tree.nodes[Int($0)].name) }
  }

  /// The minimum number of words of a panel outside links, unless it follows its button.
  private static let minPanelWordCount = 6

  // MARK: Choice

  /// Reveals hidden text if the page shows little else: the largest hidden element and those of
  /// similar size.
  private mutating func revealLargestElements() {
    guard let largest = hiddenElements.map(\.wordCount).max() else { return }
    let hidden = hiddenElements.reduce(0) { $0 + $1.wordCount }
    guard
      shownWordCount < Self.maxExaminedShownWordCount
        || shownWordCount * Self.minHiddenTextRatio < shownWordCount + hidden
    else { return }
    let chosen = hiddenElements.filter { $0.wordCount * Self.minHiddenTextRatio >= largest }
    let wordCount = chosen.reduce(0) { $0 + $1.wordCount }
    guard wordCount > shownWordCount, wordCount >= Self.minRevealedWordCount else { return }
    for part in chosen { reveal(part) }
  }

  /// Reveals an element, and nested hidden elements with most of its text.
  private mutating func reveal(_ part: HiddenElement) {
    var part = part
    for _ in 0..<Self.maxDepth {
      revealedElements.insert(part.node)
      var innerElement: HiddenElement?
      var next = tree.nodeAfter(part.node, in: part.node)
      while let node = next, innerElement == nil {
        let element = tree.nodes[Int(node)]
        guard element.name != .characters, element.contents.contains(.text),
          !element.name.neverShowsText
        else {
          next = tree.nodeAfterSubtree(node, in: part.node)
          continue
        }
        guard hidingRules.hides(node, of: tree) else {
          next = tree.nodeAfter(node, in: part.node)
          continue
        }
        if !isSecondary(node), case let expectedWordCount = wordCount(below: node),
          expectedWordCount * 2 > part.wordCount
        {
          innerElement = HiddenElement(node: node, wordCount: expectedWordCount)
        }
        next = tree.nodeAfterSubtree(node, in: part.node)
      }
      guard let innerElement else { return }
      part = innerElement
    }
  }

  /// The topics of hidden elements that are not main content.
  private static let secondaryTopics = BlockTopic.bits(
    [
      .menuWord, .footerWord, .cookieWord, .popupWord, .newsletterWord, .loginWord, .searchWord,
      .shareWord, .adWord, .cartWord, .filterWord, .noticeWord, .legalWord, .formWord,
    ])
  /// The topics of ancestors that rule out main content.
  private static let excludedAncestorTopics = BlockTopic.bits(
    [.menuWord, .footerWord, .cookieWord, .popupWord, .loginWord, .searchWord, .cartWord])
}

extension HidingRules {
  /// Reads the rules of a page's style sheets and attributes, with exceptions for text that is most
  /// of the page and that only a script would reveal.
  package init(of tree: DOMTree) {
    self.init(styleSheetsOf: tree)
    noteTargets = tree.noteTargets
    let mayHide = mayHide(in: tree)
    let hidden = HiddenTextFinder(tree, hidingRules: self, canHideElements: mayHide)
    guard hidden.pageShowsText else {
      self = withHiddenAttributeOnly
      return
    }
    if mayHide {
      (revealedElements, revealedPanels) = (hidden.revealedElements, hidden.closedPanels)
    }
  }
}
