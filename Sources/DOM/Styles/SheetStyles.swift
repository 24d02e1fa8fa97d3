/// The styles that the style sheets of a page give to its elements, computed in one traversal from
/// the root, so that descendant combinators need no search among ancestors.
struct SheetStyles {
  /// For each node, an index in `styles` plus 1, or 0 for no style. Empty if no element has a
  /// style.
  private var styleIndicesPlusOne: [UInt16] = []
  private var styles: [Style] = []
  /// The generated texts that depend on counters, by node.
  private var countedTexts: [Int32: (before: GeneratedText, after: GeneratedText)] = [:]
  /// The counter styles that the style sheets define.
  private(set) var counterStyles = CounterStyles()

  init() {}

  /// Returns the text that style sheets insert before and after the content of an element; nil if
  /// there is none.
  func generatedText(of node: Int32, in tree: DOMTree) -> (
    before: GeneratedText, after: GeneratedText
  )? {
    guard let style = self[node], style.contentBefore != nil || style.contentAfter != nil else {
      return nil
    }
    if let known = countedTexts[node] { return known }
    return (
      style.contentBefore?.text(of: node, in: tree) ?? GeneratedText(),
      style.contentAfter?.text(of: node, in: tree) ?? GeneratedText()
    )
  }

  /// Matches the rules of a page's style sheets against its elements. Style sheets in a shadow tree
  /// or a frame apply to the elements there, and all other style sheets to the rest of the page.
  init(of tree: DOMTree) {
    let rules = StyleRules(tree.styleSheet)
    var remaining = Self.maxVisits(of: tree)
    let page = Scope(root: 0, rootElements: tree.rootElements ?? .withoutAttributes)
    apply(rules, RelativeMatches(rules.relativeSelectors, in: tree), in: page, of: tree, &remaining)
    guard !tree.shadowSheets.isEmpty else { return }
    remaining = Self.maxVisits(of: tree)
    // Components of one kind have equal style sheets.
    var known: [[UInt8]: StyleRules] = [:]
    for sheet in tree.shadowSheets {
      let rules = known[sheet.source] ?? StyleRules(sheet.source)
      known[sheet.source] = rules
      let scope = Scope(root: sheet.host, rootElements: sheet.rootElements)
      apply(rules, .unevaluated, in: scope, of: tree, &remaining)
    }
  }

  /// Matches rules against the elements of a scope.
  private mutating func apply(
    _ rules: StyleRules, _ relativeMatches: RelativeMatches, in scope: Scope, of tree: DOMTree,
    _ remainingNodes: inout Int
  ) {
    counterStyles.merge(rules.counterStyles)
    guard !rules.rules.isEmpty, remainingNodes > 0 else { return }
    var traversal = StyleTraversal(tree, rules, scope, relativeMatches)
    // Moved, because a copy for each shadow tree would take quadratic time.
    swap(&self, &traversal.result)
    traversal.run(&remainingNodes)
    swap(&self, &traversal.result)
  }

  /// The maximum number of nodes that are examined for the style sheets of a page, and again for
  /// those of shadow trees, which may contain each other.
  private static func maxVisits(of tree: DOMTree) -> Int { 4 * tree.nodes.count }

  /// The elements to which a style sheet applies: those of a page outside shadow trees and frames,
  /// or those of one shadow tree or frame.
  private struct Scope {
    /// The index of the node that contains the elements: the root of the page, the shadow host, or
    /// the frame element.
    var root: Int32
    /// The `html` and `body` that contain the elements; nil for a shadow tree, which has none.
    var rootElements: RootElements?

    /// Returns whether an element is in the scope.
    func contains(_ node: Int32, of tree: DOMTree) -> Bool {
      tree.shadowHosts.isEmpty || tree.shadowHosts[node, default: 0] == root
    }
  }

  /// Whether no element has a style.
  var isEmpty: Bool { styles.isEmpty }

  /// Whether any style may hide an element or show it within a hidden one.
  var mayAffectVisibility: Bool { styles.contains(where: \.mayAffectVisibility) }

  /// The elements that a style shows even within invisible elements.
  var visibleElements: [Int32] {
    let areVisible = styles.map { $0.hiding.visibility?.value == .shows }
    guard areVisible.contains(true) else { return [] }
    return styleIndicesPlusOne.indices
      .filter { styleIndicesPlusOne[$0] > 0 && areVisible[Int(styleIndicesPlusOne[$0]) - 1] }
      .map { Int32($0) }
  }

  /// The style of a node; nil if it has none, and for nodes created later.
  subscript(_ node: Int32) -> Style? {
    guard Int(node) < styleIndicesPlusOne.count, case let index = styleIndicesPlusOne[Int(node)],
      index > 0
    else {
      return nil
    }
    return styles[Int(index) - 1]
  }

  /// The traversal of a page, with the selector steps that the open elements match.
  private struct StyleTraversal {
    /// The page; while `html` and `body` are matched, the tree of these.
    private var tree: DOMTree
    let rules: StyleRules
    let scope: Scope
    /// The elements that `:has()` matches.
    private var relativeMatches: RelativeMatches
    /// The styles so far.
    var result = SheetStyles()
    /// The counters in scope.
    private var counters = CounterScopes()
    /// The custom properties in scope.
    private var variables = DisplayVariableScopes()
    /// The last list or item to which the counter of list items was applied, and its increment.
    private var countedItem: (node: Int32?, step: Int32) = (nil, 0)
    /// The depth of the element that is not displayed and contains the current one; nil for none.
    private var hiddenDepth: Int?
    /// The elements that rules for some sizes hide, with all rules that match them.
    private var elementsHiddenBySize: [(node: Int32, rules: [Int32])] = []
    /// The parents of elements that rules for some sizes show.
    private var parentsOfElementsShownBySize: Set<Int32?> = []
    /// The styles by the list of matching rules.
    private var styleIndicesByRules: [[Int32]: UInt16] = [:]
    /// For each step, the depth of the innermost open element that matches it, or -1.
    private var innermostDepths: [Int32]
    /// The previous values of `innermostDepths`, to be restored when an element is closed.
    private var savedDepths: [(step: Int32, depth: Int32)] = []
    /// For each open element, the length of `savedDepths` before it.
    private var savedLengths: [Int] = []
    /// The indices in `rules.steps` of the selector steps that the current element matches.
    private var matchedSteps: [Int32] = []
    /// The matches of the earlier siblings of each open element; the last entry is for the current
    /// element.
    private var siblingMatches = [SiblingMatches()]

    /// The steps that the preceding siblings of an element match.
    private struct SiblingMatches {
      var count = 0
      /// The positions of all siblings, if they were needed.
      var positions: [Int32: ElementPosition]?
      /// The steps before a sibling combinator (`+`, `~`) that the last sibling matches.
      var lastSiblingSteps: [Int32] = []
      /// The steps before a sibling combinator (`+`, `~`) that any sibling matches.
      var anySiblingSteps: [Int32] = []
    }

    init(_ tree: DOMTree, _ rules: StyleRules, _ scope: Scope, _ relativeMatches: RelativeMatches) {
      (self.tree, self.rules, self.scope) = (tree, rules, scope)
      self.relativeMatches = relativeMatches
      innermostDepths = Array(repeating: -1, count: rules.steps.count)
    }

    /// Visits the elements of the scope.
    /// - Parameter remainingNodes: The number of nodes that may still be examined.
    mutating func run(_ remainingNodes: inout Int) {
      let root = scope.root
      if let elements = scope.rootElements { openRootElements(elements) }
      defer { hideElementsReplacedBySiblings() }
      guard var node = tree.nodes[Int(root)].firstChild else { return }
      while remainingNodes > 0 {
        remainingNodes -= 1
        if tree.nodes[Int(node)].name != .characters {
          siblingMatches[siblingMatches.count - 1].count += 1
          if rules.hasCounters { updateHiddenDepth(node) }
          if !rules.displayVariables.isEmpty { declareVariablesInStyle(of: node) }
          if scope.contains(node, of: tree), mayMatch(node) {
            applyMatchingRules(node)
          } else {
            matchedSteps.removeAll(keepingCapacity: true)
          }
          if rules.countsListItems { countListItem(node) }
          if rules.hasSiblingCombinators { recordSiblingMatches() }
        } else {
          matchedSteps.removeAll(keepingCapacity: true)
        }
        if let child = tree.nodes[Int(node)].firstChild {
          openElement()
          node = child
          continue
        }
        var sibling = tree.nodes[Int(node)].nextSibling
        while sibling == nil, let parent = tree.nodes[Int(node)].parent, parent != root {
          closeElement()
          node = parent
          sibling = tree.nodes[Int(node)].nextSibling
        }
        guard let sibling else { return }
        node = sibling
      }
    }

    /// Matches `html` and `body`, which contain the elements of a page outside shadow trees.
    private mutating func openRootElements(_ rootElements: RootElements) {
      let page = (tree, relativeMatches)
      defer { (tree, relativeMatches) = page }
      tree = rootElements.tree
      relativeMatches = relativeMatches.ofRootElements
      // `head` precedes `body`.
      for (node, index) in [(RootElements.html, 1), (RootElements.body, 2)] {
        siblingMatches[siblingMatches.count - 1].count = index
        findSteps(matching: node, CompoundSelector.NameHashes(of: node, in: tree))
        let ruleIndices = matchedSteps.flatMap { rules.steps[Int($0)].ruleIndices }.map {
          rules.rules[Int($0)]
        }
        let counting = ruleIndices.filter { $0.counters != nil && $0.generated == nil }
        if let changes = counting.max(by: { $0.precedes($1) })?.counters {
          counters.apply(changes, depth: savedLengths.count)
        }
        if !rules.displayVariables.isEmpty {
          declareVariablesInStyle(of: node)
          declareVariables(of: ruleIndices.sorted { $0.precedes($1) })
        }
        openElement()
      }
      matchedSteps.removeAll(keepingCapacity: true)
    }

    /// Descends to the children of the current element.
    private mutating func openElement() {
      let depth = Int32(savedLengths.count)
      savedLengths.append(savedDepths.count)
      siblingMatches.append(SiblingMatches())
      for step in matchedSteps {
        savedDepths.append((step, innermostDepths[Int(step)]))
        innermostDepths[Int(step)] = depth
      }
    }

    private mutating func closeElement() {
      guard let length = savedLengths.popLast() else { return }
      siblingMatches.removeLast()
      if rules.hasCounters { counters.closeScopes(depth: savedLengths.count) }
      while savedDepths.count > length {
        let (step, depth) = savedDepths.removeLast()
        innermostDepths[Int(step)] = depth
      }
    }

    /// Records the steps that the current element matches, for its later siblings.
    private mutating func recordSiblingMatches() {
      let steps = matchedSteps.filter { rules.steps[Int($0)].precedesSibling }
      let level = siblingMatches.count - 1
      siblingMatches[level].lastSiblingSteps = steps
      for step in steps where !siblingMatches[level].anySiblingSteps.contains(step) {
        siblingMatches[level].anySiblingSteps.append(step)
      }
    }

    /// Whether any step could match an element; a quick test.
    private func mayMatch(_ node: Int32) -> Bool {
      let element = tree.nodes[Int(node)]
      if !rules.pseudoClassSteps.isEmpty { return true }
      if rules.types.contains(element.name) { return true }
      for index in Int(element.start)..<Int(element.end) {
        let attribute = tree.attributes[index]
        let value = Int(attribute.start)..<Int(attribute.end)
        switch attribute.name {
        case .id:
          if rules.stepsByName[CompoundSelector.hash(tree.bytes[value])] != nil { return true }
        case .class:
          if tree.bytes[value].containsToken(where: {
            rules.stepsByName[CompoundSelector.hash($0)] != nil
          }) {
            return true
          }
        default: break
        }
        if rules.attributes & attribute.name.bitMask != 0 { return true }
      }
      return false
    }

    /// Finds the steps and rules that match an element, and sets its style.
    private mutating func applyMatchingRules(_ node: Int32) {
      let names = CompoundSelector.NameHashes(of: node, in: tree)
      findSteps(matching: node, names)
      var ruleIndices = matchedSteps.flatMap { rules.steps[Int($0)].ruleIndices }
      guard !ruleIndices.isEmpty else { return }
      ruleIndices.sort { rules.rules[Int($0)].precedes(rules.rules[Int($1)]) }
      if !rules.displayVariables.isEmpty {
        declareVariables(of: ruleIndices.map { rules.rules[Int($0)] })
      }
      if matches(node, names, rules.subjectsShownOnClick) { ruleIndices.append(Self.openedMarker) }
      let isPhrasing = ElementSet.phrasing.contains(tree.nodes[Int(node)].name)
      if isPhrasing {
        let concealments = HidingDeclarations.Concealment.allCases.filter {
          matches(node, names, rules.subjectsShownOnHover[$0.rawValue])
        }
        if !concealments.isEmpty, tree.isPartOfLine(node) {
          ruleIndices += concealments.map(Self.marker)
        }
      }
      if ruleIndices.contains(where: { $0 >= 0 && rules.rules[Int($0)].rearrangesOnSomeSizes }) {
        ruleIndices.append(Self.rearrangedMarker)
      }
      if !isPhrasing {
        let matchingRules = ruleIndices
        ruleIndices.removeAll { $0 >= 0 && rules.rules[Int($0)].hidesOnSomeSizes }
        if ruleIndices.count < matchingRules.count {
          elementsHiddenBySize.append((node, matchingRules))
        }
      }
      guard !ruleIndices.isEmpty else { return }
      if !rules.displayVariables.isEmpty {
        let references = ruleIndices.compactMap {
          $0 >= 0 ? rules.rules[Int($0)].displayReference : nil
        }
        ruleIndices += references.map { reference in
          let isShown = rules.showingVariables.contains(reference.name)
          return Self.marker(isShown ? .other : variables.value(of: reference))
        }
      }
      setStyle(of: node, ruleIndices)
      if rules.hasCounters { applyCounters(node, ruleIndices) }
      if result[node]?.isShownBySize == true {
        parentsOfElementsShownBySize.insert(tree.nodes[Int(node)].parent)
      }
    }

    /// Declares the custom properties in the `style` attribute of an element, which override
    /// declarations of rules.
    private mutating func declareVariablesInStyle(of node: Int32) {
      variables.beginElement(depth: savedLengths.count)
      guard let range = tree.attribute(.style, of: node) else { return }
      let declarations = tree.bytes.withStyleBytes(range) {
        DisplayVariable.declarations(in: $0, of: rules.displayVariables)
      }
      for declaration in declarations.reversed() {
        variables.declare(declaration, depth: savedLengths.count)
      }
    }

    /// Declares the custom properties of the rules that match the current element, in ascending
    /// order of precedence.
    private mutating func declareVariables(of matchingRules: [StyleRules.Rule]) {
      for declaration in matchingRules.flatMap(\.variables).reversed() {
        variables.declare(declaration, depth: savedLengths.count)
      }
    }

    /// Finds the steps that an element matches.
    private mutating func findSteps(matching node: Int32, _ names: CompoundSelector.NameHashes) {
      matchedSteps.removeAll(keepingCapacity: true)
      for name in names.classHashes {
        if let list = rules.stepsByName[name] { addMatches(list, node, names) }
      }
      if let id = names.idHash, !names.classHashes.contains(id), let list = rules.stepsByName[id] {
        addMatches(list, node, names)
      }
      if let list = rules.stepsByType[tree.nodes[Int(node)].name] { addMatches(list, node, names) }
      addMatches(rules.attributeSteps, node, names)
      addMatches(rules.pseudoClassSteps, node, names)
    }

    /// Hides the elements that a rule for some sizes hides, if such a rule shows a sibling in their
    /// place.
    private mutating func hideElementsReplacedBySiblings() {
      for (node, found) in elementsHiddenBySize
      where parentsOfElementsShownBySize.contains(tree.nodes[Int(node)].parent) {
        setStyle(of: node, found)
      }
    }

    /// Keeps track of whether the elements from here on are not displayed.
    private mutating func updateHiddenDepth(_ node: Int32) {
      if let depth = hiddenDepth, savedLengths.count <= depth { hiddenDepth = nil }
      guard hiddenDepth == nil else { return }
      let styleAttribute = tree.attribute(.style, of: node).map { range in
        tree.bytes.withStyleBytes(range) { HidingDeclarations($0) }
      }
      if tree.hasAttribute(.hidden, node) || styleAttribute?.display?.value == .hides {
        hiddenDepth = savedLengths.count
      }
    }

    /// Applies the counters of an element, and records its texts that depend on counters.
    private mutating func applyCounters(_ node: Int32, _ ruleIndices: [Int32]) {
      guard let style = result[node] else { return }
      if style.hiding.display?.value == .hides, hiddenDepth == nil {
        hiddenDepth = savedLengths.count
      }
      guard hiddenDepth == nil else { return }
      if rules.countsListItems { countListItem(node) }
      let matchingRules = ruleIndices.filter { $0 >= 0 }.map { rules.rules[Int($0)] }
      for isGenerated in [false, true] {
        // The last rule overrides the others.
        let last = matchingRules.last { $0.counters != nil && ($0.generated != nil) == isGenerated }
        if let changes = last?.counters { applyCounters(changes) }
      }
      guard style.contentBefore?.hasCounters == true || style.contentAfter?.hasCounters == true,
        result.countedTexts.count < Self.maxCountedTexts
      else { return }
      func text(_ content: GeneratedContent?) -> GeneratedText {
        content?.text(of: node, in: tree, styles: rules.counterStyles) { counters.values($0) }
          ?? GeneratedText()
      }
      result.countedTexts[node] = (text(style.contentBefore), text(style.contentAfter))
    }

    /// Applies the declarations of a rule. An increment of the counter of list items replaces the
    /// usual one.
    private mutating func applyCounters(_ changes: CounterDeclarations) {
      let name = GeneratedContent.listItemCounter
      if countedItem.step != 0, changes.increments.contains(where: { $0.nameHash == name }) {
        changeListItemCounter(increments: -countedItem.step)
        countedItem.step = 0
      }
      counters.apply(changes, depth: savedLengths.count)
    }

    /// Applies the counter of list items to a list or item, once (CSS Lists 3 §4.6).
    private mutating func countListItem(_ node: Int32) {
      guard countedItem.node != node, hiddenDepth == nil else { return }
      countedItem = (node, 0)
      let domNode = tree.nodes[Int(node)]
      switch domNode.name {
      case .ol, .ul, .menu, .dir:
        let step = tree.listStep(node)
        let first =
          tree.attributeInteger(.start, of: node) ?? (step > 0 ? 1 : tree.itemCount(of: node))
        changeListItemCounter(resetTo: Int32(clamping: first - step))
      case .li:
        if let value = tree.attributeInteger(.value, of: node) {
          changeListItemCounter(setTo: Int32(clamping: value))
        } else {
          countedItem.step = domNode.parent.map { Int32(tree.listStep($0)) } ?? 1
          changeListItemCounter(increments: countedItem.step)
        }
      default: break
      }
    }

    /// Resets, increments or sets the counter that numbers list items (`list-item`) at the current
    /// element.
    private mutating func changeListItemCounter(
      resetTo first: Int32? = nil, increments step: Int32? = nil, setTo number: Int32? = nil
    ) {
      func changes(_ number: Int32?) -> [CounterDeclarations.Change] {
        number.map {
          [CounterDeclarations.Change(nameHash: GeneratedContent.listItemCounter, number: $0)]
        } ?? []
      }
      counters.apply(
        CounterDeclarations(
          resets: changes(first), increments: changes(step), sets: changes(number)),
        depth: savedLengths.count)
    }

    /// The maximum number of elements whose generated text depends on counters.
    private static let maxCountedTexts = 50_000

    /// An entry in the list of rules that match an element, in place of the index of a rule: the
    /// element is in `StyleRules.subjectsShownOnClick`.
    private static let openedMarker: Int32 = -1

    /// An entry in the list of rules that match an element, in place of the index of a rule: some
    /// screen sizes change the order of its children.
    private static let rearrangedMarker: Int32 = -2

    /// Returns an entry in the list of rules that match an element, in place of the index of a
    /// rule: the element is in `StyleRules.subjectsShownOnHover` for a kind of concealment.
    private static func marker(_ concealment: HidingDeclarations.Concealment) -> Int32 {
      rearrangedMarker - 1 - Int32(concealment.rawValue)
    }

    /// The entry for the first value of `DisplayVariable.Value`.
    private static let firstDisplayMarker =
      rearrangedMarker - 1 - Int32(HidingDeclarations.Concealment.allCases.count)

    /// Returns an entry in the list of rules that match an element, in place of the index of a
    /// rule: the value of the custom property to which `display` refers in the next rule that has
    /// such a reference.
    private static func marker(_ value: DisplayVariable.Value) -> Int32 {
      firstDisplayMarker - Int32(value.rawValue)
    }

    /// Appends the steps in a list that match an element, together with their combinator, to
    /// `matchedSteps`.
    private mutating func addMatches(
      _ list: [Int32], _ node: Int32, _ names: CompoundSelector.NameHashes
    ) {
      let depth = Int32(savedLengths.count)
      for stepIndex in list {
        let step = rules.steps[Int(stepIndex)]
        let hasMatchingCombinator =
          switch (step.combinator, step.previousStep) {
          case (_, ..<0): true
          case (.descendant, let previous): innermostDepths[Int(previous)] >= 0
          case (.child, let previous): depth > 0 && innermostDepths[Int(previous)] == depth - 1
          case (.nextSibling, let previous):
            siblingMatches[siblingMatches.count - 1].lastSiblingSteps.contains(previous)
          case (.laterSibling, let previous):
            siblingMatches[siblingMatches.count - 1].anySiblingSteps.contains(previous)
          }
        guard hasMatchingCombinator,
          !relativeMatches.exceedsMaxComparisons || !step.compoundSelector.hasRelativePseudoClass
        else { continue }
        let position = position(of: node)
        if step.compoundSelector.matches(
          node, withNames: names, at: position, relativeMatches: relativeMatches, in: tree)
        {
          matchedSteps.append(stepIndex)
        }
      }
    }

    /// Returns the position of an element among its siblings; only the index from the start, unless
    /// a selector needs the other numbers.
    private mutating func position(of node: Int32) -> ElementPosition {
      let level = siblingMatches.count - 1
      guard rules.countsSiblings else { return ElementPosition(index: siblingMatches[level].count) }
      if siblingMatches[level].positions == nil {
        siblingMatches[level].positions =
          tree.nodes[Int(node)].parent.map { tree.childPositions(of: $0) }
      }
      return siblingMatches[level].positions?[node] ?? ElementPosition()
    }

    /// Whether an element matches one of the selectors in a table by class and id.
    private func matches(
      _ node: Int32, _ names: CompoundSelector.NameHashes, _ table: [UInt64: [CompoundSelector]]
    ) -> Bool {
      guard !table.isEmpty else { return false }
      func matches(_ name: UInt64) -> Bool {
        table[name]?.contains { $0.matches(node, withNames: names, in: tree) } == true
      }
      return names.classHashes.contains(where: matches) || names.idHash.map(matches) == true
    }

    /// Sets the style of an element from the rules that match it, in ascending order of precedence.
    /// An entry below 0 is one of the markers above.
    private mutating func setStyle(of node: Int32, _ ruleIndices: [Int32]) {
      if result.styleIndicesPlusOne.isEmpty {
        result.styleIndicesPlusOne = Array(repeating: 0, count: tree.nodes.count)
      }
      if let styleIndex = styleIndicesByRules[ruleIndices] {
        result.styleIndicesPlusOne[Int(node)] = styleIndex
        return
      }
      guard result.styles.count < Int(UInt16.max) else { return }
      var style = Style()
      var onAllSizes = HidingDeclarations()
      var parts: [GeneratedContent.PseudoElement: PseudoElementStyle] = [:]
      var displayValues = ruleIndices.reversed().compactMap {
        DisplayVariable.Value(rawValue: Int(Self.firstDisplayMarker - $0))
      }
      for index in ruleIndices {
        guard index >= 0 else {
          if index == Self.openedMarker { style.isShownByClick = true }
          continue
        }
        var rule = rules.rules[Int(index)]
        if rule.displayReference != nil { rule.setDisplay(displayValues.popLast() ?? .other) }
        style.hiding.apply(rule.hiding)
        style.text.apply(rule.text)
        if rule.showsOnClick { style.isShownByClick = true }
        if !rule.dependsOnScreenSize { onAllSizes.apply(rule.hiding) }
        if case (let position, let generated?)? = rule.generated {
          if parts[position]?.apply(generated) == nil { parts[position] = generated }
        }
      }
      if rules.hasDroppedOrderRules || ruleIndices.contains(Self.rearrangedMarker) {
        style.text.removeFlexOrder()
      }
      (style.contentBefore, style.contentAfter) = (
        parts[.before]?.shownContent, parts[.after]?.shownContent
      )
      style.contentBefore?.quotes = style.text.quotes
      style.contentAfter?.quotes = style.text.quotes
      style.markerContent = parts[.marker]?.shownContent
      style.isShownBySize =
        onAllSizes.display?.value == .hides && style.hiding.display?.value == .shows
      style.tooltipConcealment = HidingDeclarations.Concealment.allCases.first {
        ruleIndices.contains(Self.marker($0)) && style.hiding[$0]?.value == .hides
      }
      result.styles.append(style)
      styleIndicesByRules[ruleIndices] = UInt16(result.styles.count)
      result.styleIndicesPlusOne[Int(node)] = UInt16(result.styles.count)
    }
  }
}
