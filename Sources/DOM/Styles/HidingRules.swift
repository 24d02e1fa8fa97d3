/// Determines which elements of a page are hidden, by its own style sheets and by attributes (CSS
/// 2.2 §6.4, §9.2.4 and §11.2).
///
/// Elements that a script would reveal stay hidden, as in a browser without scripts.
package struct HidingRules {
  /// The effect of the rules on an element.
  package struct Verdict {
    /// Whether the element is not displayed, including its descendants.
    package var isNotRendered = false
    /// The visibility of its text and of descendants that inherit it.
    package var visibility: HidingDeclarations.Value?
    /// Whether a style sheet hides the element, rather than an attribute of the element.
    package var isHiddenBySheet = false
    /// Whether the element is a hidden tab panel (WAI-ARIA `tabpanel`). All tab panels are shown,
    /// like the content of `details`.
    package var isHiddenTabPanel = false
  }

  /// The styles from the page's style sheets.
  private var sheet = SheetStyles()
  /// Whether style sheets hide elements.
  private var readsSheet = true

  /// The maximum number of descendants of an invisible element that are searched for a visible one.
  private static let maxSearched = 50_000

  /// Creates rules without style sheets: only attributes apply.
  package init() {}

  /// Applies the style sheets of a page, no matter how much of it they hide.
  package init(sheetOf tree: DOMTree) { sheet = SheetStyles(of: tree) }

  /// Whether the style sheets have no effect.
  package var isEmpty: Bool { sheet.isEmpty }

  /// Whether `style` attributes hide elements too.
  package private(set) var readsAttributes = true

  /// Elements that are shown although the rules hide them.
  package var revealed = NodeList()

  /// The targets of links to notes, which are shown: reading systems open them over the text.
  package var noteTargets = NodeList()

  /// Closed panels that are shown because a button of the page opens them.
  package var panels = NodeList()

  /// These rules without style sheets, for a part of the page from which hidden elements were
  /// removed.
  package var ofElements: HidingRules {
    var rules = self
    rules.readsSheet = false
    return rules
  }

  /// These rules reduced to the attribute `hidden`, for a page that hides all its content until a
  /// script reveals it.
  package var hidingNothing: HidingRules {
    var rules = HidingRules()
    (rules.sheet, rules.readsSheet, rules.readsAttributes) = (sheet, false, false)
    return rules
  }

  /// Returns the style-sheet declarations that affect the layout and decoration of an element's
  /// text; nil if there are none.
  package func style(of node: Int32) -> TextStyleDeclarations? { sheet[node]?.text }

  /// Returns whether the text that style sheets insert before an element has a counter.
  package func hasCounter(_ node: Int32) -> Bool { sheet[node]?.before?.hasCounters == true }

  /// Returns the text that style sheets insert before and after the content of an element, either
  /// of which may be empty; nil if there is none.
  package func generatedText(
    of node: Int32, in tree: DOMTree
  ) -> (before: GeneratedText, after: GeneratedText)? {
    sheet.generatedText(of: node, in: tree)
  }

  /// Whether an element is shown although it is hidden by the rules.
  package func reveals(_ node: Int32) -> Bool { !revealed.isEmpty && revealed.contains(node) }

  /// Whether any style or attribute of a page may hide an element.
  package func mayHide(in tree: DOMTree) -> Bool {
    readsSheet && sheet.concernsHiding
      || tree.attributes.contains { affectsVisibility($0, of: tree) }
  }

  /// Whether an element and all its descendants are hidden.
  package func hides(_ node: Int32, of tree: DOMTree) -> Bool {
    guard mayAffect(node, of: tree) else { return false }
    let verdict = verdict(on: node, of: tree)
    return verdict.isNotRendered
      || verdict.visibility == .hides && !hasVisiblePart(node, of: tree, limit: Self.maxSearched)
  }

  /// Whether any rule or attribute affects the visibility of an element. A quick test, false for
  /// most elements, and for those in `revealed` and `panels`.
  package func mayAffect(_ node: Int32, of tree: DOMTree) -> Bool {
    let element = tree.nodes[Int(node)]
    if reveals(node) || !panels.isEmpty && panels.contains(node) { return false }
    if readsSheet, sheet[node]?.concernsHiding == true { return true }
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
      return readsAttributes && tree.bytes.withStyle(value, \.mentionsHiding)
    default: return false
    }
  }

  /// Evaluates the rules and attributes of an element.
  package func verdict(on node: Int32, of tree: DOMTree) -> Verdict {
    let style = readsSheet ? sheet[node] : nil
    var (display, visibility) = (style?.hiding.display, style?.hiding.visibility)
    var (isOfSheet, isVisibilityOfSheet) = (display != nil, visibility != nil)
    // `hidden=until-found` counts as shown, because searching the page would reveal it (HTML §6.1).
    if display == nil, tree.has(.hidden, node),
      !tree.value(.hidden, of: node, contains: "until-found")
    {
      display = HidingDeclarations.Effect(value: .hides, isImportant: false)
    }
    var isTooltip = style?.tooltip != nil
    if readsAttributes, let range = tree.attribute(.style, of: node) {
      var both = style?.hiding ?? HidingDeclarations()
      let own = tree.bytes.withStyle(range) { HidingDeclarations($0) }
      both.apply(own)
      if let concealment = style?.tooltip, own[concealment]?.value == .shows { isTooltip = false }
      if own.display != nil, both.display == own.display {
        (display, isOfSheet) = (own.display, false)
      }
      if own.visibility != nil, both.visibility == own.visibility {
        (visibility, isVisibilityOfSheet) = (own.visibility, false)
      }
    }
    // A popover that is not a part of a line is shown, because no key opens it.
    let isPopover =
      tree.has(.popover, node) && ElementSet.phrasing.contains(tree.nodes[Int(node)].name)
    if isTooltip || isPopover {
      return Verdict(isNotRendered: true, isHiddenBySheet: true)
    }
    let isNotRendered = display?.value == .hides
    let isInvisible = visibility?.value == .hides
    if style?.isOpened == true, !tree.has(.hidden, node),
      isNotRendered && isOfSheet || isInvisible && isVisibilityOfSheet
    {
      return Verdict()
    }
    if isNotRendered || isInvisible, tree.value(.role, of: node, contains: "tabpanel") {
      return Verdict(isHiddenTabPanel: true)
    }
    if isNotRendered || isInvisible, noteTargets.contains(node) || tree.isFootnote(node) {
      return Verdict()
    }
    return Verdict(
      isNotRendered: isNotRendered, visibility: visibility?.value,
      isHiddenBySheet: isNotRendered ? isOfSheet : isVisibilityOfSheet)
  }

  /// Whether an invisible element has a visible descendant. At most `limit` nodes are examined; the
  /// result is true if there are more.
  package func hasVisiblePart(_ root: Int32, of tree: DOMTree, limit: Int = .max) -> Bool {
    var node = tree.next(root, in: root)
    var count = 0
    while node >= 0 {
      if tree.nodes[Int(node)].name != .characters, mayAffect(node, of: tree),
        verdict(on: node, of: tree).visibility == .shows
      {
        return true
      }
      count += 1
      if count == limit { return true }
      node = tree.next(node, in: root)
    }
    return false
  }
}
