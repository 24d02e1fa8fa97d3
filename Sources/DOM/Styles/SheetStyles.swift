/// The styles that the style sheets of a page give to its elements, computed in one traversal from
/// the root, so that descendant combinators need no search among ancestors.
struct SheetStyles {
  struct Style {
    var hiding = HidingDeclarations()
    var text = TextStyleDeclarations()
    /// The text before and after the content; nil for none.
    var before: GeneratedContent?
    var after: GeneratedContent?
    /// Whether a rule for some sizes of the screen shows an element that other rules hide.
    var isShownBySize = false
    /// Whether a rule shows the element after the user clicks or selects something. Other rules
    /// then do not hide it.
    var isOpened = false
    /// How the element is concealed until the pointer is over something; nil if it is not.
    var tooltip: HidingDeclarations.Concealment?
    /// Whether the style may hide an element or show it within a hidden one.
    var concernsHiding: Bool { hiding.hides || hiding.visibility != nil || tooltip != nil }
  }

  /// For each node, an index in `styles` plus 1, or 0 for no style. Empty if no element has a
  /// style.
  private var indexes: [UInt16] = []
  private var styles: [Style] = []
  /// The generated texts that depend on counters, by node.
  private var counted: [Int32: (before: GeneratedText, after: GeneratedText)] = [:]

  init() {}

  /// Returns the text that style sheets insert before and after the content of an element; nil if
  /// there is none.
  func generatedText(of node: Int32, in tree: DOMTree) -> (
    before: GeneratedText, after: GeneratedText
  )? {
    guard let style = self[node], style.before != nil || style.after != nil else { return nil }
    if let known = counted[node] { return known }
    return (
      style.before?.text(of: node, in: tree) ?? GeneratedText(),
      style.after?.text(of: node, in: tree) ?? GeneratedText()
    )
  }

  /// Matches the rules of a page's style sheets against its elements. Those in a shadow tree apply
  /// to the elements of that tree only, and all others to none of them.
  init(of tree: DOMTree) {
    let rules = StyleRules(tree.styleSheet)
    var remaining = Self.maxVisits(of: tree)
    apply(rules, RelativeMatches(rules.relativeSelectors, in: tree), below: 0, of: tree, &remaining)
    guard !tree.shadowSheets.isEmpty else { return }
    remaining = Self.maxVisits(of: tree)
    // Components of one kind have equal style sheets.
    var known: [[UInt8]: StyleRules] = [:]
    for sheet in tree.shadowSheets {
      let rules = known[sheet.source] ?? StyleRules(sheet.source)
      known[sheet.source] = rules
      apply(rules, .none, below: sheet.host, of: tree, &remaining)
    }
  }

  /// Matches rules against the elements of a scope.
  private mutating func apply(
    _ rules: StyleRules, _ hosts: RelativeMatches, below root: Int32, of tree: DOMTree,
    _ remaining: inout Int
  ) {
    guard !rules.rules.isEmpty, remaining > 0 else { return }
    var walk = Walk(tree, rules, Scope(root: root), hosts)
    // Moved, because a copy for each shadow tree would take quadratic time.
    swap(&self, &walk.result)
    walk.run(&remaining)
    swap(&self, &walk.result)
  }

  /// The maximum number of nodes that are examined for the style sheets of a page, and again for
  /// those of shadow trees, which may contain each other.
  private static func maxVisits(of tree: DOMTree) -> Int { 4 * tree.nodes.count }

  /// The elements to which a style sheet applies: those of a page outside shadow trees, or those of
  /// one shadow tree.
  private struct Scope {
    /// The root, or the host of the shadow tree.
    var root: Int32

    /// Returns whether an element is in the scope.
    func contains(_ node: Int32, of tree: DOMTree) -> Bool {
      tree.shadowHosts.isEmpty || tree.shadowHosts[node, default: 0] == root
    }
  }

  /// Whether no element has a style.
  var isEmpty: Bool { styles.isEmpty }

  /// Whether any style may hide an element or show it within a hidden one.
  var concernsHiding: Bool { styles.contains(where: \.concernsHiding) }

  /// The style of a node; nil if it has none, and for nodes created later.
  subscript(_ node: Int32) -> Style? {
    guard Int(node) < indexes.count, case let index = indexes[Int(node)], index > 0 else {
      return nil
    }
    return styles[Int(index) - 1]
  }

  /// The traversal of a page, with the selector steps that the open elements match.
  private struct Walk {
    /// The page; while `html` and `body` are matched, the tree of these.
    private var tree: DOMTree
    let rules: StyleRules
    let scope: Scope
    /// The elements that `:has()` matches.
    private var hosts: RelativeMatches
    /// The styles so far.
    var result = SheetStyles()
    /// The counters in scope.
    private var counters = CounterScopes()
    /// The depth of the element that is not displayed and contains the current one; nil for none.
    private var hiddenDepth: Int?
    /// The elements that rules for some sizes hide, with all rules that match them.
    private var alternatives: [(node: Int32, rules: [Int32])] = []
    /// The parents of elements that rules for some sizes show.
    private var replaced: Set<Int32> = []
    /// The styles by the list of matching rules.
    private var byRules: [[Int32]: UInt16] = [:]
    /// For each step, the depth of the innermost open element that matches it, or -1.
    private var innermost: [Int32]
    /// The previous values of `innermost`, to be restored when an element is closed.
    private var saved: [(step: Int32, depth: Int32)] = []
    /// For each open element, the length of `saved` before it.
    private var lengths: [Int] = []
    /// The steps that the current element matches.
    private var matched: [Int32] = []
    /// The matches of the earlier siblings of each open element; the last entry is for the current
    /// element.
    private var siblings = [Siblings()]

    /// The steps that the preceding siblings of an element match.
    private struct Siblings {
      var count = 0
      /// The positions of all siblings, if they were needed.
      var positions: [Int32: ElementPosition]?
      /// The steps before a sibling combinator (`+`, `~`) that the last sibling matches, and those
      /// that any sibling matches.
      var last: [Int32] = []
      var any: [Int32] = []
    }

    init(_ tree: DOMTree, _ rules: StyleRules, _ scope: Scope, _ hosts: RelativeMatches) {
      (self.tree, self.rules, self.scope, self.hosts) = (tree, rules, scope, hosts)
      innermost = Array(repeating: -1, count: rules.steps.count)
    }

    /// Visits the elements of the scope.
    /// - Parameter remaining: The number of nodes that may still be examined.
    mutating func run(_ remaining: inout Int) {
      let root = scope.root
      if root == 0 { openRootElements() }
      defer { hideAlternatives() }
      var node = tree.nodes[Int(root)].firstChild
      while node >= 0, remaining > 0 {
        remaining -= 1
        if tree.nodes[Int(node)].name != .characters {
          siblings[siblings.count - 1].count += 1
          if rules.hasCounters { findHidden(node) }
          if scope.contains(node, of: tree), concerns(node) {
            match(node)
          } else {
            matched.removeAll(keepingCapacity: true)
          }
          if rules.hasSiblings { addSibling() }
        } else {
          matched.removeAll(keepingCapacity: true)
        }
        let child = tree.nodes[Int(node)].firstChild
        if child >= 0 {
          open()
          node = child
          continue
        }
        while node != root, tree.nodes[Int(node)].nextSibling < 0 {
          node = tree.nodes[Int(node)].parent
          if node != root { close() }
        }
        guard node != root else { return }
        node = tree.nodes[Int(node)].nextSibling
      }
    }

    /// Matches `html` and `body`, which contain the elements of a page outside shadow trees.
    private mutating func openRootElements() {
      let page = (tree, hosts)
      defer { (tree, hosts) = page }
      tree = (tree.rootElements ?? .withoutAttributes).tree
      hosts = hosts.ofRootElements
      // `head` precedes `body`.
      for (node, index) in [(RootElements.html, 1), (RootElements.body, 2)] {
        siblings[siblings.count - 1].count = index
        findSteps(matching: node, Selector.Names(of: node, in: tree))
        let found = matched.flatMap { rules.steps[Int($0)].rules }.map { rules.rules[Int($0)] }
        let counting = found.filter { $0.counters != nil && $0.generated == nil }
        if let changes = counting.max(by: { $0.rank < $1.rank })?.counters {
          counters.apply(changes, depth: lengths.count)
        }
        open()
      }
      matched.removeAll(keepingCapacity: true)
    }

    /// Descends to the children of the current element.
    private mutating func open() {
      let depth = Int32(lengths.count)
      lengths.append(saved.count)
      siblings.append(Siblings())
      for step in matched {
        saved.append((step, innermost[Int(step)]))
        innermost[Int(step)] = depth
      }
    }

    private mutating func close() {
      guard let length = lengths.popLast() else { return }
      siblings.removeLast()
      if rules.hasCounters { counters.close(depth: lengths.count) }
      while saved.count > length {
        let (step, depth) = saved.removeLast()
        innermost[Int(step)] = depth
      }
    }

    /// Records the steps that the current element matches, for its later siblings.
    private mutating func addSibling() {
      let steps = matched.filter { rules.steps[Int($0)].precedesSibling }
      let level = siblings.count - 1
      siblings[level].last = steps
      for step in steps where !siblings[level].any.contains(step) {
        siblings[level].any.append(step)
      }
    }

    /// Whether any step could match an element; a quick test.
    private func concerns(_ node: Int32) -> Bool {
      let element = tree.nodes[Int(node)]
      if !rules.ofAnyElement.isEmpty { return true }
      if rules.types.contains(element.name) { return true }
      for index in Int(element.start)..<Int(element.end) {
        let attribute = tree.attributes[index]
        let value = Int(attribute.start)..<Int(attribute.end)
        switch attribute.name {
        case .id: if rules.byName[Selector.hash(tree.bytes[value])] != nil { return true }
        case .class:
          if tree.bytes[value].containsToken(where: { rules.byName[Selector.hash($0)] != nil }) {
            return true
          }
        default: break
        }
        if rules.attributes & attribute.name.bit != 0 { return true }
      }
      return false
    }

    /// Finds the steps and rules that match an element, and sets its style.
    private mutating func match(_ node: Int32) {
      let names = Selector.Names(of: node, in: tree)
      findSteps(matching: node, names)
      var found = matched.flatMap { rules.steps[Int($0)].rules }
      guard !found.isEmpty else { return }
      found.sort { rules.rules[Int($0)].rank < rules.rules[Int($1)].rank }
      if matches(node, names, rules.opened) { found.append(Self.openedMark) }
      let isPhrasing = ElementSet.phrasing.contains(tree.nodes[Int(node)].name)
      if isPhrasing {
        let concealments = HidingDeclarations.Concealment.allCases.filter {
          matches(node, names, rules.pointed[$0.rawValue])
        }
        if !concealments.isEmpty, isWithinSentence(node) { found += concealments.map(Self.mark) }
      }
      if found.contains(where: { $0 >= 0 && rules.rules[Int($0)].rearranges }) {
        found.append(Self.rearrangedMark)
      }
      if !isPhrasing {
        let all = found
        found.removeAll { $0 >= 0 && rules.rules[Int($0)].hidesBySize }
        if found.count < all.count { alternatives.append((node, all)) }
      }
      guard !found.isEmpty else { return }
      setStyle(of: node, found)
      if rules.hasCounters { count(node, found) }
      if result[node]?.isShownBySize == true {
        replaced.insert(tree.nodes[Int(node)].parent)
      }
    }

    /// Finds the steps that an element matches.
    private mutating func findSteps(matching node: Int32, _ names: Selector.Names) {
      matched.removeAll(keepingCapacity: true)
      for name in names.classes { if let list = rules.byName[name] { add(list, node, names) } }
      if let id = names.id, let list = rules.byName[id] { add(list, node, names) }
      if let list = rules.byType[tree.nodes[Int(node)].name] { add(list, node, names) }
      add(rules.byAttribute, node, names)
      add(rules.ofAnyElement, node, names)
    }

    /// Hides the elements that a rule for some sizes hides, if such a rule shows a sibling in their
    /// place.
    private mutating func hideAlternatives() {
      for (node, found) in alternatives where replaced.contains(tree.nodes[Int(node)].parent) {
        setStyle(of: node, found)
      }
    }

    /// Whether an element is a short part of a line that has other text. The only text of a link or
    /// control is not such a part.
    private func isWithinSentence(_ node: Int32) -> Bool {
      var length = 0
      var next = tree.next(node, in: node)
      for _ in 0..<64 where next >= 0 {
        let own = tree.nodes[Int(next)]
        if own.name == .characters { length += Int(own.end - own.start) }
        next = tree.next(next, in: node)
      }
      guard next < 0, length <= Self.maxTooltipLength else { return false }
      var line = tree.nodes[Int(node)].parent
      while line > 0, ElementSet.phrasing.contains(tree.nodes[Int(line)].name) {
        let isTarget = tree.nodes[Int(line)].name == .a || tree.nodes[Int(line)].name == .label
        guard !isTarget || hasText(line, besides: node) else { return false }
        line = tree.nodes[Int(line)].parent
      }
      let name = tree.nodes[Int(line)].name
      guard line > 0, name != .figcaption, name != .figure else { return false }
      var child = tree.nodes[Int(line)].firstChild
      for _ in 0..<256 where child >= 0 {
        let own = tree.nodes[Int(child)]
        if own.name == .characters,
          !tree.bytes[Int(own.start)..<Int(own.end)].allSatisfy(\.isWhiteSpace)
        {
          return true
        }
        child = own.nextSibling
      }
      return false
    }

    private static let maxTooltipLength = 120

    /// Whether an element has text outside one of its descendants. At most 64 nodes are examined.
    private func hasText(_ element: Int32, besides node: Int32) -> Bool {
      var next = tree.next(element, in: element)
      for _ in 0..<64 where next >= 0 {
        let own = tree.nodes[Int(next)]
        if own.name == .characters,
          !tree.bytes[Int(own.start)..<Int(own.end)].allSatisfy(\.isWhiteSpace)
        {
          return true
        }
        next = next == node ? tree.following(next, in: element) : tree.next(next, in: element)
      }
      return false
    }

    /// Keeps track of whether the elements from here on are not displayed.
    private mutating func findHidden(_ node: Int32) {
      if let depth = hiddenDepth, lengths.count <= depth { hiddenDepth = nil }
      guard hiddenDepth == nil else { return }
      let own = tree.attribute(.style, of: node).map { range in
        tree.bytes.withStyle(range) { HidingDeclarations($0) }
      }
      if tree.has(.hidden, node) || own?.display?.value == .hides { hiddenDepth = lengths.count }
    }

    /// Applies the counters of an element, and records its texts that depend on counters.
    private mutating func count(_ node: Int32, _ found: [Int32]) {
      guard let style = result[node] else { return }
      if style.hiding.display?.value == .hides, hiddenDepth == nil { hiddenDepth = lengths.count }
      guard hiddenDepth == nil else { return }
      let own = found.filter { $0 >= 0 }.map { rules.rules[Int($0)] }
      for isGenerated in [false, true] {
        // The last rule overrides the others.
        let last = own.last { $0.counters != nil && ($0.generated != nil) == isGenerated }
        if let changes = last?.counters { counters.apply(changes, depth: lengths.count) }
      }
      guard style.before?.hasCounters == true || style.after?.hasCounters == true,
        result.counted.count < Self.maxCounted
      else { return }
      func text(_ content: GeneratedContent?) -> GeneratedText {
        content?.text(of: node, in: tree) { counters.values($0) } ?? GeneratedText()
      }
      result.counted[node] = (text(style.before), text(style.after))
    }

    private static let maxCounted = 50_000

    /// The entry in lists of rules for elements that `StyleRules.opened` contains.
    private static let openedMark: Int32 = -1

    /// The entry in lists of rules for elements that are arranged otherwise on screens of some
    /// sizes.
    private static let rearrangedMark: Int32 = -2

    /// Returns the entry in lists of rules for elements that `StyleRules.pointed` contains.
    private static func mark(_ concealment: HidingDeclarations.Concealment) -> Int32 {
      rearrangedMark - 1 - Int32(concealment.rawValue)
    }

    private mutating func add(_ list: [Int32], _ node: Int32, _ names: Selector.Names) {
      let depth = Int32(lengths.count)
      for number in list where !matched.contains(number) {
        let step = rules.steps[Int(number)]
        let isPlaced =
          switch (step.combinator, step.previous) {
          case (_, ..<0): true
          case (.descendant, let previous): innermost[Int(previous)] >= 0
          case (.child, let previous): depth > 0 && innermost[Int(previous)] == depth - 1
          case (.nextSibling, let previous): siblings[siblings.count - 1].last.contains(previous)
          case (.laterSibling, let previous): siblings[siblings.count - 1].any.contains(previous)
          }
        guard isPlaced, !hosts.exceedsBudget || !step.compound.isRelative else { continue }
        let position = position(of: node)
        if step.compound.matches(node, named: names, at: position, hosts: hosts, in: tree) {
          matched.append(number)
        }
      }
    }

    private mutating func position(of node: Int32) -> ElementPosition {
      let level = siblings.count - 1
      guard rules.countsSiblings else { return ElementPosition(index: siblings[level].count) }
      if siblings[level].positions == nil {
        siblings[level].positions = tree.childPositions(of: tree.nodes[Int(node)].parent)
      }
      return siblings[level].positions?[node] ?? ElementPosition()
    }

    /// Whether an element matches one of the selectors in a table by class and id.
    private func matches(
      _ node: Int32, _ names: Selector.Names, _ table: [UInt64: [Selector]]
    ) -> Bool {
      guard !table.isEmpty else { return false }
      func matches(_ name: UInt64) -> Bool {
        table[name]?.contains { $0.matches(node, named: names, in: tree) } == true
      }
      return names.classes.contains(where: matches) || names.id.map(matches) == true
    }

    private mutating func setStyle(of node: Int32, _ found: [Int32]) {
      if result.indexes.isEmpty {
        result.indexes = Array(repeating: 0, count: tree.nodes.count)
      }
      if let known = byRules[found] {
        result.indexes[Int(node)] = known
        return
      }
      guard result.styles.count < Int(UInt16.max) else { return }
      var style = Style()
      var onAllSizes = HidingDeclarations()
      var parts: [GeneratedContent.Position: GeneratedStyle] = [:]
      for index in found {
        guard index >= 0 else {
          if index == Self.openedMark { style.isOpened = true }
          continue
        }
        let rule = rules.rules[Int(index)]
        style.hiding.apply(rule.hiding)
        style.text.apply(rule.text)
        if rule.opens { style.isOpened = true }
        if !rule.dependsOnSize { onAllSizes.apply(rule.hiding) }
        if case (let position, let generated?)? = rule.generated {
          if parts[position]?.apply(generated) == nil { parts[position] = generated }
        }
      }
      if rules.ignoresOrder || found.contains(Self.rearrangedMark) { style.text.removeOrder() }
      (style.before, style.after) = (parts[.before]?.shown, parts[.after]?.shown)
      style.isShownBySize =
        onAllSizes.display?.value == .hides && style.hiding.display?.value == .shows
      style.tooltip = HidingDeclarations.Concealment.allCases.first {
        found.contains(Self.mark($0)) && style.hiding[$0]?.value == .hides
      }
      result.styles.append(style)
      byRules[found] = UInt16(result.styles.count)
      result.indexes[Int(node)] = UInt16(result.styles.count)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether any whitespace-separated token satisfies the predicate.
  fileprivate func containsToken(where isMatch: (ArraySlice<UInt8>) -> Bool) -> Bool {
    var rest = self
    while let start = rest.firstIndex(where: { !$0.isWhiteSpace }) {
      let token = rest[start...].prefix { !$0.isWhiteSpace }
      if isMatch(token) { return true }
      rest = rest[token.endIndex...]
    }
    return false
  }
}

extension ElementSet {
  /// The elements that are usually a part of a line.
  static let phrasing: ElementSet = [
    .a, .abbr, .b, .cite, .code, .em, .font, .i, .label, .mark, .q, .small, .span, .strong, .sup,
    .time, .u,
  ]
}
