/// The rules of a page's own style sheets that determine whether and how text is shown, indexed by
/// their compound selectors.
///
/// Supported are complex selectors whose compound selectors consist of type, class, id, attribute
/// and `PseudoClass` (with a limited number of `:has()`), or are `*` after another compound
/// selector; the pseudo-elements `before`, `after` and `marker`, `@media` and `@container`
/// (`MediaQueryList`), `@layer` (`CascadeLayers`), `@supports` (`SupportsCondition`) and
/// `@counter-style` (`CounterStyle`). A rule with any other selector matches nothing, as in a
/// browser in which nothing is hovered over, focused or checked.
struct StyleRules {
  /// The declarations of a rule, with its rank in the cascade (CSS Cascade 5 §6.1).
  struct Rule {
    /// The rank by specificity and order.
    var rank: Int
    /// The rank of the cascade layer; 0 if the style sheet has no layers.
    var layer: Int32 = 0
    var hiding = HidingDeclarations()
    var text = TextStyleDeclarations()
    var generated: (position: GeneratedContent.PseudoElement, style: PseudoElementStyle?)?
    /// The counters that the rule resets and increments; nil if it does neither.
    var counters: CounterDeclarations?
    /// The custom property to which `display` refers; nil if it has another value.
    var displayReference: DisplayVariable.Reference?
    /// The declarations of custom properties to which any rule refers.
    var variables: [DisplayVariable.Declaration] = []
    /// Whether the rule shows its elements only after the user clicks or selects something. offread
    /// shows these elements at once: other rules of style sheets do not hide them.
    var showsOnClick = false
    /// Whether the rule applies only to screens of some sizes. Pages show most of their text on all
    /// screens, so such a rule shows any element, but only hides parts of lines, of which there is
    /// usually one for each size.
    var dependsOnScreenSize = false
    /// Whether the rule changes the order of parts of the page, but only on screens of some sizes.
    var rearrangesOnSomeSizes = false
    /// Whether the rule applies only to screens of some sizes, and does not show its elements.
    var hidesOnSomeSizes: Bool {
      dependsOnScreenSize && (hiding.hidesElement || !hiding.showsElement)
    }

    /// Whether another rule overrides this one, if the declarations of neither are important.
    func precedes(_ other: Rule) -> Bool { (layer, rank) < (other.layer, other.rank) }

    /// Whether the rule sets `display`, `visibility` or `white-space`.
    fileprivate var setsDisplayOrWhiteSpace: Bool {
      hiding.display != nil || hiding.visibility != nil || text.display != nil
        || text.whiteSpace != nil
    }

    /// Restricts the rule to screens of some sizes, on which it only shows and hides elements.
    fileprivate mutating func restrictToSomeSizes() {
      rearrangesOnSomeSizes = text.setsOrder
      (dependsOnScreenSize, text) = (true, TextStyleDeclarations())
    }

    /// Sets the rank of the cascade layer.
    fileprivate mutating func setLayer(_ rank: Int32) {
      layer = rank
      hiding.setLayer(rank)
    }

    /// Whether the rule changes nothing.
    fileprivate var hasNoEffect: Bool {
      setsOnlyPlacement && text == TextStyleDeclarations() && !dependsOnScreenSize
    }

    /// Whether the rule only sets margins, or the order, direction or position of parts.
    fileprivate var setsOnlyPlacement: Bool {
      !hiding.mayAffectVisibility && text.setsOnlyPlacement && generated == nil
        && counters == nil && variables.isEmpty && !showsOnClick
    }

    /// Whether the rule hides elements, or may do so by a custom property.
    fileprivate var mayHideElements: Bool {
      hiding.hidesElement || displayReference != nil || !variables.isEmpty
    }

    /// Ignores the custom properties by which the rule may hide elements.
    fileprivate mutating func ignoreHidingVariables() {
      displayReference = nil
      variables.removeAll { $0.value == .hidden }
    }

    /// Sets the value of `display` that its custom property has for an element.
    mutating func setDisplay(_ value: DisplayVariable.Value) {
      hiding.setDisplay(value == .hidden ? .hides : .shows)
      if value == .block { text.setDisplay(.block) }
    }
  }

  /// A compound selector in a chain. Rules whose selectors begin with the same steps share them.
  struct Step {
    var compoundSelector: CompoundSelector
    var combinator: SelectorSequence.Combinator
    /// The index of the previous step, or -1.
    var previousStep: Int32
    /// The rules of which this step is the subject.
    var ruleIndices: [Int32] = []
    /// Whether a sibling combinator follows the step in any selector.
    var precedesSibling = false
  }

  private(set) var rules: [Rule] = []
  private(set) var steps: [Step] = []
  /// The indices in `steps` of the steps with a class or id, by its hash.
  private(set) var stepsByName: [UInt64: [Int32]] = [:]
  /// The indices in `steps` of the steps with a type but no class or id, by the type.
  private(set) var stepsByType: [ElementName: [Int32]] = [:]
  /// The indices in `steps` of the steps with only attributes.
  private(set) var attributeSteps: [Int32] = []
  /// The indices in `steps` of the steps that consist of pseudo-classes only.
  private(set) var pseudoClassSteps: [Int32] = []
  /// Whether any selector has a sibling combinator.
  private(set) var hasSiblingCombinators = false
  /// Whether any rule sets counters, or shows the number of list items.
  private(set) var hasCounters = false
  /// Whether any rule shows the number of list items before or after an element.
  private(set) var countsListItems = false
  /// The sum of `CompoundSelector.siblingSelectorCount` over all rules.
  private var siblingSelectorCount = 0
  /// Whether `CompoundSelector.countsSiblings` is true for any selector.
  private(set) var countsSiblings = false
  /// Counts of the selectors that set `display`, `visibility` or `white-space`, and of those that
  /// are supported.
  private(set) var coverage = StyleCoverage()
  /// The element types in `stepsByType`.
  private(set) var types: ElementSet = []
  /// The attributes of the steps in `attributeSteps`, as a bit set.
  private(set) var attributes: UInt64 = 0
  /// The subjects of rules that show an element after the user clicks or selects something, by the
  /// hash of a class or id. Other rules do not hide these elements.
  private(set) var subjectsShownOnClick: [UInt64: [CompoundSelector]] = [:]
  /// For each `Concealment`, the subjects of rules that show an element while the pointer is over
  /// something, or while something has the focus, by the hash of a class or id.
  private(set) var subjectsShownOnHover = Array(
    repeating: [UInt64: [CompoundSelector]](), count: HidingDeclarations.Concealment.allCases.count)
  /// The arguments of each `:has()` in the selectors.
  private(set) var relativeSelectors: [RelativeSelectorList] = []
  /// Whether rules for the order of elements were left out, so that no rule changes the order.
  private(set) var hasDroppedOrderRules = false
  /// The counter styles that the style sheets define.
  private(set) var counterStyles = CounterStyles()
  /// The hashes of the names of custom properties to which values of `display` refer.
  private(set) var displayVariables: Set<UInt64> = []
  /// Those of them that show every element, because a rule sets them to a value that does, and its
  /// selector is not supported, or matches after the user clicks or selects something.
  private(set) var showingVariables: Set<UInt64> = []
  private var stepsByKey: [StepKey: Int32] = [:]
  /// The index of the cascade layer of the rules being added.
  private var layer = CascadeLayers.root

  /// The identity of a step.
  private struct StepKey: Hashable {
    var step: SelectorSequence.Step
    var previousStep: Int32
  }

  /// The maximum number of rules.
  private static let maxRules = 20_000
  /// The maximum number of steps for one name.
  private static let maxStepsPerName = 128
  /// The maximum number of rules for one step.
  private static let maxRulesPerStep = 64
  /// The maximum number of selectors that are compared with the siblings of each element.
  private static let maxSiblingSelectors = 16
  /// The maximum length of a selector. Each part of a selector is compared with many elements.
  private static let maxSelectorLength = 4096

  /// Parses concatenated style sheets.
  init(_ styleSheet: [UInt8]) {
    guard !styleSheet.isEmpty else { return }
    styleSheet.withStyleBytes(0..<styleSheet.count, \.withoutComments).withUnsafeBufferPointer {
      bytes in
      guard add(bytes) else { return }
      self = StyleRules([])
      NestedRuleFlattener(bytes[...]).flatSheet.withUnsafeBufferPointer { _ = add($0) }
    }
    stepsByKey = [:]
  }

  /// Adds the rules of a style sheet without comments.
  /// - Returns: Whether rules were skipped because they contain other rules.
  private mutating func add(_ sheet: UnsafeBufferPointer<UInt8>) -> Bool {
    displayVariables = DisplayVariable.names(in: sheet)
    var reader = StyleSheetReader(sheet)
    while let (selectors, declarations) = reader.nextRule(), rules.count < Self.maxRules {
      layer = reader.layer
      add(selectors, declarations, dependsOnSize: reader.dependsOnScreenSize)
    }
    if !reader.layers.isEmpty {
      let ranks = reader.layers.ranks
      for index in rules.indices { rules[index].setLayer(ranks[Int(rules[index].layer)]) }
    }
    counterStyles = reader.counterStyles
    return reader.hasNestedRules
  }

  private mutating func add(
    _ list: StyleBytes, _ declarations: StyleBytes, dependsOnSize: Bool
  ) {
    let style = TextStyleDeclarations(declarations, mayShowSpacing: list.mayMatchSpacedElement)
    let hiding = HidingDeclarations(declarations)
    let shows = hiding.showsElement && !hiding.hidesElement
    let decidesBox = hiding.mayAffectVisibility || style != TextStyleDeclarations()
    let counters = CounterDeclarations(declarations)
    let revealed = hiding.revealedConcealments
    let variables = declaredVariables(declarations, dependsOnSize: dependsOnSize)
    guard
      decidesBox || counters != nil || !revealed.isEmpty || !variables.isEmpty
        || declarations.mentionsContent
    else { return }
    // Parsed once, because both the list and the declarations may be long.
    lazy var pseudoElementStyle = PseudoElementStyle(declarations)
    for selector in list.parts(separator: UInt8(ascii: ",")).lazy.map(\.trimmed) {
      guard selector.count <= Self.maxSelectorLength else {
        if Rule(rank: 0, hiding: hiding, text: style).setsDisplayOrWhiteSpace {
          coverage.countSelector(selector, isSupported: false)
        }
        recordShowingVariables(variables, selector, isSupported: false)
        continue
      }
      if let (subject, position) = selector.splitPseudoElement {
        let generatedStyle = pseudoElementStyle
        guard generatedStyle != nil || counters != nil else { continue }
        // Counters of a pseudo-element count as those of its element.
        add(subject, Rule(rank: 0, generated: (position, generatedStyle), counters: counters))
      } else {
        recordShownOnHover(selector, revealed)
        guard decidesBox || counters != nil || !variables.isEmpty else { continue }
        var rule = Rule(
          rank: 0, hiding: hiding, text: style, counters: counters, variables: variables)
        if dependsOnSize {
          rule.restrictToSomeSizes()
        } else if hiding.display != nil, !displayVariables.isEmpty,
          let reference = DisplayVariable.reference(in: declarations),
          displayVariables.contains(reference.name)
        {
          rule.displayReference = reference
        }
        let result = add(selector, rule)
        if rule.setsDisplayOrWhiteSpace {
          coverage.countSelector(selector, isSupported: result != .notSupported)
        }
        if shows, result != .compound { addShownOnClick(selector) }
        recordShowingVariables(variables, selector, isSupported: result != .notSupported)
      }
    }
  }

  /// Returns the custom properties that declarations set, among those to which values of `display`
  /// refer. Those for some sizes of the screen may only show elements.
  private func declaredVariables(
    _ declarations: StyleBytes, dependsOnSize: Bool
  ) -> [DisplayVariable.Declaration] {
    guard !displayVariables.isEmpty else { return [] }
    let all = DisplayVariable.declarations(in: declarations, of: displayVariables)
    return dependsOnSize ? all.filter { $0.value != .hidden } : all
  }

  /// Records the custom properties that a rule sets to values that show elements, if its selector
  /// is not supported, or matches after the user clicks or selects something.
  private mutating func recordShowingVariables(
    _ variables: [DisplayVariable.Declaration], _ selector: StyleBytes, isSupported: Bool
  ) {
    let showing = variables.filter { $0.value != .hidden }
    guard !showing.isEmpty,
      !isSupported || selector.subjectOfOpenedState != nil
        || selector.withoutTargetAndChecked != nil
    else { return }
    showingVariables.formUnion(showing.map(\.name))
  }

  /// Records the subject of a selector with a state of the pointer, for each kind of concealment
  /// that the rule ends.
  private mutating func recordShownOnHover(
    _ selector: StyleBytes, _ revealed: [HidingDeclarations.Concealment]
  ) {
    guard !revealed.isEmpty, let subject = selector.subjectOfPointerState else { return }
    // The pointer cannot be over an element of size 0 or outside the screen: such a selector is
    // that of a skip link, or of a word that a script enlarges.
    for concealment in revealed where concealment == .opacity || subject.isStateOfOtherElement {
      Self.add(subject.selector, to: &subjectsShownOnHover[concealment.rawValue])
    }
  }

  /// The result of adding a rule.
  private enum AdditionResult {
    case notSupported
    /// The selector of the rule is a single compound selector without pseudo-classes.
    case compound
    case complex
  }

  /// Adds a rule, if its selector is supported.
  @discardableResult
  private mutating func add(_ selector: StyleBytes, _ rule: Rule) -> AdditionResult {
    guard let sequence = SelectorSequence(selector) else { return .notSupported }
    guard !sequence.requiresUserAction else { return .complex }
    if sequence.steps.contains(where: \.compound.isUniversal) {
      // Most rules for `*` reset margins, and would apply to every element.
      let isReset = rule.hiding.display == nil && rule.hiding.visibility == nil
      guard !isReset, sequence.steps.first?.compound.isUniversal == false else {
        return .notSupported
      }
    }
    var rule = rule
    if let subject = sequence.steps.last?.compound, subject.isOfRootElement {
      // A page is always shown: of the rules for `html` and `body`, only the counters and custom
      // properties apply.
      guard rule.counters != nil || !rule.variables.isEmpty, rule.generated == nil else {
        return .notSupported
      }
      rule = Rule(rank: 0, counters: rule.counters, variables: rule.variables)
    }
    if let type = sequence.steps.last?.compound.type, !type.showsSpacing {
      rule.text.removeSpacing()
      if rule.hasNoEffect { return .complex }
    }
    // In a browser, the user shows these elements again by a click or a selection, which is not
    // possible in a terminal.
    if rule.mayHideElements, sequence.steps.contains(where: \.compound.excludesState) {
      guard !rule.hiding.hidesElement else { return .complex }
      rule.ignoreHidingVariables()
    }
    // Rules about placement alone are frequent, and do not displace rules that hide elements.
    if rule.setsOnlyPlacement, hasHalfFullLists(sequence) {
      hasDroppedOrderRules =
        hasDroppedOrderRules || rule.rearrangesOnSomeSizes || rule.text.setsOrder
      return .complex
    }
    let siblingSelectors = sequence.steps.reduce(0) { $0 + $1.compound.siblingSelectorCount }
    guard siblingSelectorCount + siblingSelectors <= Self.maxSiblingSelectors,
      recordRelativeSelectors(of: sequence)
    else { return .notSupported }
    siblingSelectorCount += siblingSelectors
    append(rule, selectedBy: sequence)
    return sequence.isCompound ? .compound : .complex
  }

  /// Appends a rule to the lists in which it is looked up.
  private mutating func append(_ rule: Rule, selectedBy sequence: SelectorSequence) {
    var rule = rule
    let (lastStep, specificity) = recordSteps(of: sequence)
    if let generated = rule.generated, generated.position != .marker,
      generated.style?.hasListItemCounter == true
    {
      countsListItems = true
    }
    hasCounters = hasCounters || countsListItems || rule.counters != nil
    rule.rank = specificity * (Self.maxRules + 1) + rules.count
    rule.layer = Int32(layer)
    Self.append(
      Int32(rules.count), to: &steps[lastStep].ruleIndices, maxCount: Self.maxRulesPerStep)
    rules.append(rule)
  }

  /// Adds the steps of a selector that the rules do not have yet.
  /// - Returns: The index of the last step, and the specificity of the selector.
  private mutating func recordSteps(of sequence: SelectorSequence) -> (last: Int, specificity: Int)
  {
    var previous: Int32 = -1
    var specificity = 0
    for step in sequence.steps {
      specificity += step.compound.specificity
      let key = StepKey(step: step, previousStep: previous)
      if let index = stepsByKey[key] {
        previous = index
        continue
      }
      let index = Int32(steps.count)
      steps.append(
        Step(compoundSelector: step.compound, combinator: step.combinator, previousStep: previous))
      stepsByKey[key] = index
      countsSiblings = countsSiblings || step.compound.countsSiblings
      indexStep(index, step.compound)
      if previous >= 0, step.combinator == .nextSibling || step.combinator == .laterSibling {
        steps[Int(previous)].precedesSibling = true
        hasSiblingCombinators = true
      }
      previous = index
    }
    return (Int(previous), specificity)
  }

  /// Records the arguments of `:has()` in a selector.
  /// - Returns: Whether the style sheet has few enough of them.
  private mutating func recordRelativeSelectors(of sequence: SelectorSequence) -> Bool {
    let lists = sequence.steps.flatMap(\.compound.relativeSelectors)
      .filter { !relativeSelectors.contains($0) }
    guard !lists.isEmpty else { return true }
    let all = (relativeSelectors + lists).flatMap(\.selectors)
    guard all.count <= RelativeMatches.maxArguments,
      Set(all).reduce(0, { $0 + $1.steps.count }) <= RelativeMatches.maxCompoundSelectors
    else { return false }
    relativeSelectors += lists
    return true
  }

  /// Returns whether the lists to which a selector would be added are half full.
  private func hasHalfFullLists(_ sequence: SelectorSequence) -> Bool {
    guard rules.count < Self.maxRules / 2 else { return true }
    // The last step that the selector shares with other selectors: -1 before the first step, nil
    // after the first step that is new.
    var sharedStep: Int32? = -1
    for step in sequence.steps {
      sharedStep = sharedStep.flatMap { stepsByKey[StepKey(step: step, previousStep: $0)] }
      if sharedStep == nil, stepCount(ofStepsLike: step.compound) >= Self.maxStepsPerName / 2 {
        return true
      }
    }
    return sharedStep.map { steps[Int($0)].ruleIndices.count >= Self.maxRulesPerStep / 2 } ?? false
  }

  /// Returns the length of the list to which `indexStep` would append a step with this selector.
  private func stepCount(ofStepsLike compound: CompoundSelector) -> Int {
    if let name = compound.idHash ?? compound.classHashes.first {
      return stepsByName[name]?.count ?? 0
    }
    if let type = compound.type { return stepsByType[type]?.count ?? 0 }
    return compound.hasOnlyPseudoClasses ? pseudoClassSteps.count : attributeSteps.count
  }

  /// Indexes a step by the most selective part of its compound selector.
  private mutating func indexStep(_ index: Int32, _ compound: CompoundSelector) {
    if let name = compound.idHash ?? compound.classHashes.first {
      Self.append(index, to: &stepsByName[name, default: []])
    } else if let type = compound.type {
      types.insert(type)
      Self.append(index, to: &stepsByType[type, default: []])
    } else if compound.hasOnlyPseudoClasses {
      Self.append(index, to: &pseudoClassSteps)
    } else {
      Self.append(index, to: &attributeSteps)
      attributes |= compound.attributeBit
    }
  }

  /// Appends an index to a list. Beyond the limit the oldest entry is dropped, which bounds the
  /// cost per element.
  private static func append(
    _ index: Int32, to list: inout [Int32], maxCount: Int = maxStepsPerName
  ) {
    if list.count == maxCount { list.removeFirst() }
    list.append(index)
  }

  /// Records the elements that a rule shows after the user clicks or selects something: by a class
  /// or id of the selector's subject, or else by the selector without `:target` and `:checked`.
  private mutating func addShownOnClick(_ selector: StyleBytes) {
    guard let subject = selector.subjectOfOpenedState, Self.add(subject, to: &subjectsShownOnClick)
    else {
      selector.withoutTargetAndChecked?.withUnsafeBufferPointer {
        _ = add($0[...], Rule(rank: 0, showsOnClick: true))
      }
      return
    }
  }

  /// Adds a subject to a table by its id or class.
  /// - Returns: Whether it has an id or a class.
  @discardableResult
  private static func add(_ subject: CompoundSelector, to table: inout [UInt64: [CompoundSelector]])
    -> Bool
  {
    guard let name = subject.idHash ?? subject.classHashes.first else { return false }
    let indices = table[name, default: []]
    if table.count < maxRules, indices.count < maxStepsPerName, !indices.contains(subject) {
      table[name] = indices + [subject]
    }
    return true
  }
}

extension StyleBytes {
  /// Whether the declarations may contain a `content` property; a quick test.
  fileprivate var mentionsContent: Bool {
    // Searches for the first letter, which is rarer than the others.
    var rest = self
    while let index = rest.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "c") }) {
      rest = rest[index...]
      if rest.prefix(7).isWord("content") { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
