/// The plain rules of a page's own style sheets that hide elements, or show them again, and what
/// elements say of themselves (CSS 2.2, sections 6.4, 9.2.4 and 11.2).
///
/// Plain are selectors of one element by type, class, id and attribute, without combinators and
/// pseudo-classes; and `@media` without conditions other than `screen` and `all`. What a script
/// would show later stays hidden, as in a browser without scripts.
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

  /// A selector with what it does.
  private struct Rule {
    var selector: Selector
    var declarations: HidingDeclarations
  }

  /// The rules by the hash of a class or id, by type, and those of attributes alone.
  private var byName: [UInt64: [Int]] = [:]
  private var byType: [ElementName: [Int]] = [:]
  /// The types that have rules, which is asked of every element.
  private var types: ElementSet = []
  private var byAttribute: [Int] = []
  /// The attributes of which there are rules of attributes alone.
  private var attributes: UInt64 = 0
  private var rules: [Rule] = []
  private var hidesAnything = false
  /// What rules say of the look of text.
  package private(set) var looks = LookRules()
  /// What ends rules that a reader cannot tell apart from others, by a class or id, and that show what they mean: by
  /// `:checked`, `:target` or a class that a click gives. Nothing that one of them means is hidden by other rules.
  private var opened: [UInt64: [Selector]] = [:]

  /// The most rules that are kept, in all and for one name.
  private static let limit = 20_000
  private static let perNameLimit = 64
  /// How many elements in a hidden one are looked at for one that is visible.
  private static let searchLimit = 50_000

  /// Reads style sheets, one after the other.
  package init(_ styleSheet: [UInt8]) {
    guard !styleSheet.isEmpty else { return }
    styleSheet.withStyle(0..<styleSheet.count, \.withoutComments).withUnsafeBufferPointer { bytes in
      var reader = StyleSheetReader(bytes)
      while let (selectors, declarations) = reader.nextRule(), rules.count < Self.limit {
        add(selectors, declarations)
      }
    }
  }

  /// Whether no rule hides anything.
  package var isEmpty: Bool { !hidesAnything }

  /// Whether `style` attributes hide elements too.
  package private(set) var readsAttributes = true

  /// Elements that are shown although rules hide them.
  package var revealed: Set<Int32> = []

  /// Panels that are shown although they are closed, as buttons of the page open them.
  package var panels: Set<Int32> = []

  /// What elements say of themselves, without style sheets: for a part of the page in which what they
  /// hide is no more, and names may have changed.
  package var ofElements: HidingRules {
    var rules = HidingRules([])
    (rules.revealed, rules.panels) = (revealed, panels)
    return rules
  }

  /// What hides nothing but what HTML itself hides: for a page that hides all it has until a
  /// script shows it.
  package static let none: HidingRules = {
    var rules = HidingRules([])
    rules.readsAttributes = false
    return rules
  }()

  /// Whether an element is shown although it is hidden.
  package func reveals(_ node: Int32) -> Bool { !revealed.isEmpty && revealed.contains(node) }

  /// Whether an element is hidden with all that is in it.
  package func hides(_ node: Int32, of tree: DOMTree) -> Bool {
    guard concerns(node, of: tree) else { return false }
    let verdict = verdict(on: node, of: tree)
    return verdict.isTakenOut
      || verdict.visibility == .hides && !hasVisiblePart(node, of: tree, limit: Self.searchLimit)
  }

  /// Whether anything is said of an element; of most nothing is.
  package func concerns(_ node: Int32, of tree: DOMTree) -> Bool {
    let element = tree.nodes[Int(node)]
    if reveals(node) || !panels.isEmpty && panels.contains(node) { return false }
    if hidesAnything, types.contains(element.name) { return true }
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      let value = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .hidden: return true
      case .style:
        if readsAttributes, tree.bytes.withStyle(value, \.mentionsHiding) { return true }
      case .id: if hidesAnything, byName[Selector.hash(tree.bytes[value])] != nil { return true }
      case .class:
        if hidesAnything,
          tree.bytes[value].contains(wordWhere: { byName[Selector.hash($0)] != nil })
        {
          return true
        }
      default: break
      }
      if attributes & attribute.name.bit != 0 { return true }
    }
    return false
  }

  /// Weighs what is said of an element.
  package func verdict(on node: Int32, of tree: DOMTree) -> Verdict {
    var display = Winner()
    var visibility = Winner()
    // What a search of the page would open (HTML, section 6.1) is as good as shown.
    if tree.has(.hidden, node), !tree.value(.hidden, of: node, contains: "until-found") {
      display = Winner(rank: -1, value: .hides)
    }
    let names = Selector.Names(of: node, in: tree)
    func consider(_ index: Int) {
      let rule = rules[index]
      guard rule.selector.matches(node, named: names, in: tree) else { return }
      let rank = rule.selector.specificity * (Self.limit + 1) + index
      display.meet(rule.declarations.display, rank)
      visibility.meet(rule.declarations.visibility, rank)
    }
    for name in names.classes { byName[name]?.forEach(consider) }
    if let id = names.id { byName[id]?.forEach(consider) }
    byType[tree.nodes[Int(node)].name]?.forEach(consider)
    byAttribute.forEach(consider)
    if readsAttributes, let range = tree.attribute(.style, of: node) {
      let own = tree.bytes.withStyle(range) { HidingDeclarations($0) }
      display.meet(own.display, Winner.styleAttribute)
      visibility.meet(own.visibility, Winner.styleAttribute)
    }
    let isTakenOut = display.value == .hides
    if isTakenOut && display.isOfSheet || visibility.value == .hides && visibility.isOfSheet,
      !tree.has(.hidden, node), isOpened(node, names, of: tree)
    {
      return Verdict()
    }
    if isTakenOut || visibility.value == .hides, tree.value(.role, of: node, contains: "tabpanel") {
      return Verdict(isOtherPanel: true)
    }
    return Verdict(
      isTakenOut: isTakenOut, visibility: visibility.value,
      isHiddenBySheet: isTakenOut ? display.isOfSheet : visibility.isOfSheet)
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

  /// The declaration that outranks the others so far.
  private struct Winner {
    var rank = Int.min
    var value: HidingDeclarations.Value?

    /// The rank of a `style` attribute: above all rules.
    static let styleAttribute = 1 << 48
    private static let important = 1 << 50

    /// It stands in a rule.
    var isOfSheet: Bool { rank >= 0 && rank & Self.styleAttribute == 0 }

    mutating func meet(_ effect: HidingDeclarations.Effect?, _ rank: Int) {
      guard let effect else { return }
      let rank = rank + (effect.isImportant ? Self.important : 0)
      if self.rank < rank { self = Winner(rank: rank, value: effect.value) }
    }
  }

  // MARK: What something opens

  /// Whether there is a rule that may show an element.
  private func isOpened(_ node: Int32, _ names: Selector.Names, of tree: DOMTree) -> Bool {
    guard !opened.isEmpty else { return false }
    func isMeant(_ name: UInt64) -> Bool {
      opened[name]?.contains { $0.matches(node, named: names, in: tree) } == true
    }
    return names.classes.contains(where: isMeant) || names.id.map(isMeant) == true
  }

  /// Notes what a rule shows by a selector that is not plain.
  private mutating func noteOpener(_ selector: StyleBytes) {
    guard let subject = selector.openedSubject, let name = subject.id ?? subject.classes.first,
      opened.count < Self.limit
    else { return }
    let known = opened[name, default: []]
    guard known.count < Self.perNameLimit, !known.contains(subject) else { return }
    opened[name] = known + [subject]
  }

  // MARK: Reading rules

  private mutating func add(_ selectors: StyleBytes, _ text: StyleBytes) {
    let look = LookDeclarations(text)
    let declarations = HidingDeclarations(text)
    let isOfHiding = declarations.display != nil || declarations.visibility != nil
    guard isOfHiding || look != LookDeclarations() else { return }
    let selectors = selectors.parts(separator: UInt8(ascii: ",")).map(\.trimmed)
    for selector in selectors { looks.add(selector, look) }
    guard isOfHiding else { return }
    let hides = declarations.display?.value == .hides || declarations.visibility?.value == .hides
    let shows = declarations.display?.value == .shows || declarations.visibility?.value == .shows
    for bytes in selectors {
      guard let selector = Selector(bytes) else {
        if shows, !hides { noteOpener(bytes) }
        continue
      }
      hidesAnything = hidesAnything || hides
      let index = rules.count
      rules.append(Rule(selector: selector, declarations: declarations))
      if let name = selector.id ?? selector.classes.first {
        Self.append(index, to: &byName[name, default: []])
      } else if let type = selector.type {
        types.insert(type)
        Self.append(index, to: &byType[type, default: []])
      } else {
        Self.append(index, to: &byAttribute)
        if hides { attributes |= selector.attributeBit }
      }
    }
  }

  /// Of very many rules for one name the last ones are kept: an element must not cost much.
  private static func append(_ index: Int, to list: inout [Int]) {
    if list.count == perNameLimit { list.removeFirst() }
    list.append(index)
  }
}

extension ArraySlice<UInt8> {
  /// Whether one of the words between white space is meant.
  fileprivate func contains(wordWhere isMeant: (ArraySlice<UInt8>) -> Bool) -> Bool {
    var rest = self
    while let start = rest.firstIndex(where: { !$0.isWhiteSpace }) {
      let word = rest[start...].prefix { !$0.isWhiteSpace }
      if isMeant(word) { return true }
      rest = rest[word.endIndex...]
    }
    return false
  }
}
