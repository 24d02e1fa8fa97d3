/// What hides elements of a page, or shows them again: its own style sheets, and what elements say of
/// themselves (CSS 2.2, sections 6.4, 9.2.4 and 11.2).
///
/// What a script would show later stays hidden, as in a browser without scripts.
package struct HidingRules {
  /// What is decided of an element.
  package struct Verdict {
    /// Neither the element nor anything in it is shown.
    package var isTakenOut = false
    /// What it does to its text and to that of elements in it that say nothing else.
    package var visibility: HidingDeclarations.Value?
    /// It is a style sheet that hides it, not the element itself.
    package var isHiddenBySheet = false
    /// It is one of several panels, of which scripts show one at a time (WAI-ARIA, `tabpanel`), and not that one. All
    /// are shown, as those of `details` are.
    package var isOtherPanel = false
  }

  /// What the page's style sheets decide.
  private var sheet = SheetStyles()
  /// Whether style sheets hide elements.
  private var readsSheet = true

  /// The maximum number of elements in a hidden one that are searched for one that is visible.
  private static let maxSearched = 50_000

  /// Nothing but what elements say of themselves.
  package init() {}

  /// Applies the style sheets of a page, without regard to how much of it they hide.
  package init(sheetOf tree: DOMTree) { sheet = SheetStyles(of: tree) }

  /// Whether no style sheet decides anything.
  package var isEmpty: Bool { sheet.isEmpty }

  /// Whether `style` attributes hide elements too.
  package private(set) var readsAttributes = true

  /// Elements that are shown although rules hide them.
  package var revealed: Set<Int32> = []

  /// Panels that are shown although they are closed, as buttons of the page open them.
  package var panels: Set<Int32> = []

  /// The same without what style sheets hide: for a part of the page from which that was removed.
  package var ofElements: HidingRules {
    var rules = self
    rules.readsSheet = false
    return rules
  }

  /// The same with nothing hidden but what HTML itself hides: for a page that hides all it has until a
  /// script shows it.
  package var hidingNothing: HidingRules {
    var rules = HidingRules()
    (rules.sheet, rules.readsSheet, rules.readsAttributes) = (sheet, false, false)
    return rules
  }

  /// What style sheets declare about the lines and signs of an element's text; nil for nothing.
  package func look(of node: Int32) -> LookDeclarations? { sheet[node]?.look }

  /// The text that style sheets put before and after the content of an element, which may be empty.
  package func generatedText(of node: Int32) -> (before: [UInt8], after: [UInt8])? {
    guard let style = sheet[node], !style.before.isEmpty || !style.after.isEmpty else { return nil }
    return (style.before, style.after)
  }

  /// Whether an element is shown although it is hidden.
  package func reveals(_ node: Int32) -> Bool { !revealed.isEmpty && revealed.contains(node) }

  /// Whether an element is hidden with all that is in it.
  package func hides(_ node: Int32, of tree: DOMTree) -> Bool {
    guard concerns(node, of: tree) else { return false }
    let verdict = verdict(on: node, of: tree)
    return verdict.isTakenOut
      || verdict.visibility == .hides && !hasVisiblePart(node, of: tree, limit: Self.maxSearched)
  }

  /// Whether anything is said of an element; of most nothing is.
  package func concerns(_ node: Int32, of tree: DOMTree) -> Bool {
    let element = tree.nodes[Int(node)]
    if reveals(node) || !panels.isEmpty && panels.contains(node) { return false }
    if readsSheet, sheet[node]?.concernsHiding == true { return true }
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      switch attribute.name {
      case .hidden: return true
      case .style:
        let value = Int(attribute.start)..<Int(attribute.end)
        if readsAttributes, tree.bytes.withStyle(value, \.mentionsHiding) { return true }
      default: break
      }
    }
    return false
  }

  /// Weighs what is said of an element.
  package func verdict(on node: Int32, of tree: DOMTree) -> Verdict {
    let style = readsSheet ? sheet[node] : nil
    var (display, visibility) = (style?.hiding.display, style?.hiding.visibility)
    var (isOfSheet, isVisibilityOfSheet) = (display != nil, visibility != nil)
    // What a search of the page would open (HTML, section 6.1) is as good as shown.
    if display == nil, tree.has(.hidden, node),
      !tree.value(.hidden, of: node, contains: "until-found")
    {
      display = HidingDeclarations.Effect(value: .hides, isImportant: false)
    }
    if readsAttributes, let range = tree.attribute(.style, of: node) {
      var both = style?.hiding ?? HidingDeclarations()
      let own = tree.bytes.withStyle(range) { HidingDeclarations($0) }
      both.apply(own)
      if own.display != nil, both.display == own.display {
        (display, isOfSheet) = (own.display, false)
      }
      if own.visibility != nil, both.visibility == own.visibility {
        (visibility, isVisibilityOfSheet) = (own.visibility, false)
      }
    }
    let isTakenOut = display?.value == .hides
    let isInvisible = visibility?.value == .hides
    if style?.isOpened == true, !tree.has(.hidden, node),
      isTakenOut && isOfSheet || isInvisible && isVisibilityOfSheet
    {
      return Verdict()
    }
    if isTakenOut || isInvisible, tree.value(.role, of: node, contains: "tabpanel") {
      return Verdict(isOtherPanel: true)
    }
    return Verdict(
      isTakenOut: isTakenOut, visibility: visibility?.value,
      isHiddenBySheet: isTakenOut ? isOfSheet : isVisibilityOfSheet)
  }

  /// Whether an element that is hidden by `visibility` holds one that is visible. At most `limit`
  /// nodes are looked at; if there are more, one may be.
  package func hasVisiblePart(_ root: Int32, of tree: DOMTree, limit: Int = .max) -> Bool {
    var node = tree.next(root, in: root)
    var count = 0
    while node >= 0 {
      if tree.nodes[Int(node)].name != .characters, concerns(node, of: tree),
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
