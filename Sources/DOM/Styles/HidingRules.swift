/// Determines which elements of a page are hidden, by its own style sheets and by attributes (CSS
/// 2.2 §6.4, §9.2.4 and §11.2).
///
/// Elements that a script would reveal stay hidden, as in a browser without scripts, except those
/// that appear as the user scrolls (`DOMTree.hasEntranceAnimation`).
package struct HidingRules {
  /// The effect of the rules on an element.
  package struct ElementEffect {
    /// Whether the element is not displayed, including its descendants.
    package var isNotRendered = false
    /// The visibility of the element's own text and of descendants that inherit it; nil if no rule
    /// sets it.
    package var visibility: HidingDeclarations.VisibilityEffect?
    /// Whether a style sheet hides the element, rather than an attribute of the element.
    package var isHiddenBySheet = false
    /// Whether the element is a hidden tab panel (`isTabPanel`). All tab panels are shown,
    /// like the content of `details`.
    package var isHiddenTabPanel = false
  }

  /// The styles from the page's style sheets.
  private var sheetStyles = SheetStyles()
  /// Whether style sheets hide elements.
  private var appliesStyleSheets = true

  /// The maximum number of descendants of an invisible element that are searched for a visible one.
  private static let maxExaminedNodes = 50_000

  /// For each node, whether it had a visible descendant when the rules were created, so that nested
  /// invisible elements are not searched one after the other; empty for small pages.
  private var hadVisibleDescendant: [Bool] = []

  /// The minimum number of nodes of a page for which `hadVisibleDescendant` is determined.
  private static let minNodesOfLargePage = 4000
  /// The maximum number of nodes that are examined to find out whether an element still has the
  /// visible descendant that it had.
  private static let maxReexaminedNodes = 256

  /// Creates rules without style sheets: only attributes apply.
  package init() {}

  /// Applies the style sheets of a page, no matter how much of it they hide.
  package init(styleSheetsOf tree: DOMTree) {
    sheetStyles = SheetStyles(of: tree)
    if tree.nodes.count >= Self.minNodesOfLargePage { findVisibleDescendants(in: tree) }
  }

  /// Determines `hadVisibleDescendant` in linear time.
  private mutating func findVisibleDescendants(in tree: DOMTree) {
    let visibleNodes = sheetStyles.visibleElements + elementsWithVisibleStyle(in: tree)
    guard !visibleNodes.isEmpty else { return }
    var marks = Array(repeating: false, count: tree.nodes.count)
    for node in visibleNodes where effect(on: node, of: tree).visibility == .shows {
      var next = tree.nodes[Int(node)].parent
      while let ancestor = next, !marks[Int(ancestor)] {
        marks[Int(ancestor)] = true
        next = tree.nodes[Int(ancestor)].parent
      }
    }
    hadVisibleDescendant = marks
  }

  /// Returns the elements whose `style` attribute shows them even within invisible elements.
  private func elementsWithVisibleStyle(in tree: DOMTree) -> [Int32] {
    (0..<Int32(tree.nodes.count)).filter { node in
      guard tree.nodes[Int(node)].name != .characters,
        let range = tree.attribute(.style, of: node)
      else { return false }
      return tree.bytes.withStyleBytes(range) { HidingDeclarations($0).visibility?.value == .shows }
    }
  }

  /// Whether the style sheets have no effect.
  package var isEmpty: Bool { sheetStyles.isEmpty }

  /// Whether `style` attributes hide elements too.
  package private(set) var appliesStyleAttributes = true

  /// Elements that are shown although the rules hide them.
  package var revealedElements = NodeSet()

  /// The notes that links refer to. They are shown although a rule hides them: pages hide notes for
  /// reading systems that open them over the text.
  package var noteTargets = NodeSet()

  /// Closed panels that are shown because a button of the page opens them.
  package var revealedPanels = NodeSet()

  /// These rules without style sheets, for a part of the page from which hidden elements were
  /// removed.
  package var withoutStyleSheets: HidingRules {
    var rules = self
    rules.appliesStyleSheets = false
    return rules
  }

  /// These rules reduced to the attribute `hidden`, for a page that hides all its content until a
  /// script reveals it.
  package var withHiddenAttributeOnly: HidingRules {
    var rules = HidingRules()
    (rules.sheetStyles, rules.appliesStyleSheets, rules.appliesStyleAttributes) = (
      sheetStyles, false, false
    )
    return rules
  }

  /// Returns the style-sheet declarations that affect the layout and decoration of an element's
  /// text; nil if there are none.
  package func style(of node: Int32) -> TextStyleDeclarations? { sheetStyles[node]?.text }

  /// Returns whether the text that style sheets insert before an element has a counter.
  package func hasCounterBefore(_ node: Int32) -> Bool {
    sheetStyles[node]?.contentBefore?.hasCounters == true
  }

  /// Returns the text that style sheets insert before and after the content of an element, either
  /// of which may be empty; nil if there is none.
  package func generatedText(
    of node: Int32, in tree: DOMTree
  ) -> (before: GeneratedText, after: GeneratedText)? {
    sheetStyles.generatedText(of: node, in: tree)
  }

  /// Returns the text that style sheets set as the marker of a list item; nil if they set none, or
  /// one with other counters than the number of the item.
  /// - Parameters:
  ///   - node: The item.
  ///   - numbers: The numbers of the items that contain it and its own number, from the outermost.
  ///   - tree: The tree that contains the item.
  /// - Returns: The text.
  package func markerText(
    of node: Int32, numbered numbers: @autoclosure () -> [Int32], in tree: DOMTree
  ) -> GeneratedText? {
    guard let content = sheetStyles[node]?.markerContent, !content.hasOtherCounters else {
      return nil
    }
    return content.text(of: node, in: tree, styles: sheetStyles.counterStyles) { _ in numbers() }
  }

  /// Returns the marker of a list item in a style that the style sheets define; nil if they do not
  /// define it.
  /// - Parameters:
  ///   - name: The hash of the name of the style.
  ///   - number: The number of the item.
  /// - Returns: The marker as UTF-8.
  package func markerText(inCustomStyle name: UInt64, numbered number: Int32) -> [UInt8]? {
    sheetStyles.counterStyles.markerText(of: number, in: name)
  }

  /// Whether an element is shown although it is hidden by the rules.
  package func isRevealed(_ node: Int32) -> Bool {
    !revealedElements.isEmpty && revealedElements.contains(node)
  }

  /// Whether any style or attribute of a page may hide an element.
  package func mayHide(in tree: DOMTree) -> Bool {
    appliesStyleSheets && sheetStyles.mayAffectVisibility
      || tree.attributes.contains { affectsVisibility($0, of: tree) }
  }

  /// Whether an element and all its descendants are hidden.
  package func hides(_ node: Int32, of tree: DOMTree) -> Bool {
    guard mayAffectVisibility(node, of: tree) else { return false }
    let elementEffect = effect(on: node, of: tree)
    return elementEffect.isNotRendered
      || elementEffect.visibility == .hides
        && !hasVisibleDescendant(node, of: tree, maxNodes: Self.maxExaminedNodes)
  }

  /// Whether any rule or attribute affects the visibility of an element. A quick test, false for
  /// most elements, and for those in `revealedElements` and `revealedPanels`.
  package func mayAffectVisibility(_ node: Int32, of tree: DOMTree) -> Bool {
    let element = tree.nodes[Int(node)]
    if isRevealed(node) || !revealedPanels.isEmpty && revealedPanels.contains(node) { return false }
    if appliesStyleSheets, sheetStyles[node]?.mayAffectVisibility == true { return true }
    for index in Int(element.start)..<Int(element.end)
    where affectsVisibility(tree.attributes[index], of: tree) {
      return true
    }
    return false
  }

  /// Whether an attribute affects the visibility of its element.
  @inline(__always)
  private func affectsVisibility(_ attribute: DOMTree.Attribute, of tree: DOMTree) -> Bool {
    switch attribute.name {
    case .hidden, .popover: return true
    case .style:
      let value = Int(attribute.start)..<Int(attribute.end)
      return appliesStyleAttributes
        && tree.bytes.withStyleBytes(value) {
          $0.mentionsHiding || $0.mentionsMaxHeight || $0.setsFontSizeToZero
        }
    default: return false
    }
  }

  /// The declarations for an element that decide whether it is shown.
  private struct DecisiveDeclarations {
    var display: HidingDeclarations.EffectiveDeclaration?
    private(set) var visibility: HidingDeclarations.EffectiveDeclaration?
    private(set) var isDisplayFromSheet: Bool
    private(set) var isVisibilityFromSheet: Bool
    private(set) var isTooltip: Bool

    /// Creates the declarations of style sheets.
    init(_ style: SheetStyles.Style?) {
      (display, visibility) = (style?.hiding.display, style?.hiding.visibility)
      (isDisplayFromSheet, isVisibilityFromSheet) = (display != nil, visibility != nil)
      isTooltip = style?.tooltipConcealment != nil
    }

    /// Hides the text of the element because of other declarations of the attribute `style`. A
    /// cell keeps its place in the row.
    mutating func hideText(ofCell isCell: Bool) {
      let hiding = HidingDeclarations.EffectiveDeclaration(value: .hides, isImportant: false)
      if isCell {
        (visibility, isVisibilityFromSheet) = (hiding, false)
      } else {
        (display, isDisplayFromSheet) = (hiding, false)
      }
    }

    /// Applies the declarations of the attribute `style`.
    mutating func apply(_ inline: HidingDeclarations, to style: SheetStyles.Style?) {
      var combined = style?.hiding ?? HidingDeclarations()
      combined.apply(inline)
      if let concealment = style?.tooltipConcealment, inline[concealment]?.value == .shows {
        isTooltip = false
      }
      if inline.display != nil, combined.display == inline.display {
        (display, isDisplayFromSheet) = (inline.display, false)
      }
      if inline.visibility != nil, combined.visibility == inline.visibility {
        (visibility, isVisibilityFromSheet) = (inline.visibility, false)
      }
    }
  }

  /// Evaluates the rules and attributes of an element.
  package func effect(on node: Int32, of tree: DOMTree) -> ElementEffect {
    let style = appliesStyleSheets ? sheetStyles[node] : nil
    var declared = DecisiveDeclarations(style)
    // `hidden=until-found` counts as shown, because searching the page would reveal it (HTML §6.1).
    if declared.display == nil, tree.hasAttribute(.hidden, node),
      !tree.value(.hidden, of: node, contains: "until-found")
    {
      declared.display = HidingDeclarations.EffectiveDeclaration(value: .hides, isImportant: false)
    }
    if appliesStyleAttributes, let range = tree.attribute(.style, of: node) {
      declared.apply(tree.bytes.withStyleBytes(range) { HidingDeclarations($0) }, to: style)
      if tree.bytes.withStyleBytes(range, \.setsFontSizeToZero), tree.hasOnlyText(node),
        !tree.isPartOfControl(node)
      {
        declared.hideText(ofCell: [.td, .th].contains(tree.nodes[Int(node)].name))
      }
    }
    // A popover that is a note or not a part of a line is shown, because no key opens it.
    let isPopover =
      tree.hasAttribute(.popover, node) && ElementSet.phrasing.contains(tree.nodes[Int(node)].name)
      && !tree.isNotePopover(node)
    if declared.isTooltip && !tree.isLaTeXMLNote(node) || isPopover {
      return ElementEffect(isNotRendered: true, isHiddenBySheet: true)
    }
    let isNotRendered = declared.display?.value == .hides
    let isInvisible = declared.visibility?.value == .hides
    if style?.isShownByClick == true, !tree.hasAttribute(.hidden, node),
      isNotRendered && declared.isDisplayFromSheet
        || isInvisible && declared.isVisibilityFromSheet
    {
      return ElementEffect()
    }
    if isNotRendered || isInvisible, tree.isTabPanel(node) {
      return ElementEffect(isHiddenTabPanel: true)
    }
    if isNotRendered || isInvisible, noteTargets.contains(node) || tree.isFootnote(node) {
      return ElementEffect()
    }
    if isInvisible, !isNotRendered, tree.hasEntranceAnimation(node) { return ElementEffect() }
    return ElementEffect(
      isNotRendered: isNotRendered, visibility: declared.visibility?.value,
      isHiddenBySheet: isNotRendered
        ? declared.isDisplayFromSheet : declared.isVisibilityFromSheet)
  }

  /// Whether styles move an element off the screen.
  package func movesOffScreen(_ node: Int32, of tree: DOMTree) -> Bool {
    var declarations = HidingDeclarations()
    if appliesStyleSheets, let style = sheetStyles[node] { declarations = style.hiding }
    if appliesStyleAttributes, let range = tree.attribute(.style, of: node) {
      declarations.apply(tree.bytes.withStyleBytes(range) { HidingDeclarations($0) })
    }
    return declarations[.offset]?.value == .hides
  }

  /// Whether an invisible element has a visible descendant. At most `maxNodes` nodes are examined,
  /// and fewer if the element had one when the rules were created; the result is true if there are
  /// more.
  package func hasVisibleDescendant(_ root: Int32, of tree: DOMTree, maxNodes: Int = .max) -> Bool {
    let hadOne =
      appliesStyleSheets && appliesStyleAttributes && Int(root) < hadVisibleDescendant.count
      && hadVisibleDescendant[Int(root)]
    let maxNodes = hadOne ? min(maxNodes, Self.maxReexaminedNodes) : maxNodes
    var next = tree.nodeAfter(root, in: root)
    var count = 0
    while let node = next {
      if tree.nodes[Int(node)].name != .characters, mayAffectVisibility(node, of: tree),
        effect(on: node, of: tree).visibility == .shows
      {
        return true
      }
      count += 1
      if count == maxNodes { return true }
      next = tree.nodeAfter(node, in: root)
    }
    return false
  }
}

extension DOMTree {
  /// Whether an element contains text, other than white space that separates words, and otherwise
  /// only line breaks, so that no descendant may have a font of another size.
  fileprivate func hasOnlyText(_ node: Int32) -> Bool {
    var next = nodes[Int(node)].firstChild
    var hasText = false
    while let child = next {
      let name = nodes[Int(child)].name
      guard [.characters, .br, .wbr].contains(name) else { return false }
      hasText = hasText || name == .characters && !isBlank(child)
      next = nodes[Int(child)].nextSibling
    }
    return hasText
  }

  /// Whether an element is a link or a control, or a part of its text. Pages show an icon in place
  /// of such a text.
  fileprivate func isPartOfControl(_ node: Int32) -> Bool {
    var element = node
    for _ in 0..<Self.maxWrappersInControl where element > 0 {
      let name = nodes[Int(element)].name
      if Self.controls.contains(name) { return true }
      guard ElementSet.phrasing.contains(name) else { return false }
      element = nodes[Int(element)].parent ?? 0
    }
    return false
  }

  private static let controls: ElementSet = [
    .a, .button, .label, .textarea, .select, .option, .summary,
  ]
  private static let maxWrappersInControl = 8
}
