/// The elements that match the relative selectors of `:has()` in a style sheet (Selectors Level 4
/// §4.5), found before other selectors are matched, in time linear in the size of the page.
struct RelativeMatches: Sendable {
  /// For the arguments of each `:has()`, whether a node matches any of them.
  private var matchesBySelectorList: [RelativeSelectorList: [Bool]] = [:]
  /// Whether `:has()` is not evaluated because the page has too many elements for its selectors.
  /// All selectors with it then match nothing.
  private(set) var exceedsMaxComparisons = false

  /// A result that evaluates nothing.
  static let unevaluated = RelativeMatches(exceedsMaxComparisons: true)

  /// The maximum number of compound selectors of a style sheet within `:has()`.
  static let maxCompoundSelectors = 48
  /// The maximum number of arguments of all different `:has()` of a style sheet.
  static let maxArguments = 128
  /// The maximum number of elements multiplied by compound selectors, and by different `:has()`.
  private static let maxComparisons = 20_000_000

  init() {}

  private init(exceedsMaxComparisons: Bool) { self.exceedsMaxComparisons = exceedsMaxComparisons }

  /// Finds the elements of a page.
  /// - Parameters:
  ///   - lists: The arguments of each `:has()`.
  ///   - tree: The page.
  init(_ lists: [RelativeSelectorList], in tree: DOMTree) {
    let compounds = Array(Set(lists.flatMap(\.compoundSelectors)))
    guard !compounds.isEmpty else { return }
    guard max(compounds.count, lists.count) * tree.nodes.count <= Self.maxComparisons else {
      exceedsMaxComparisons = true
      return
    }
    let matches = Self.matchTable(compounds, in: tree)
    var found: [SelectorSequence: [Bool]] = [:]
    for selector in lists.flatMap(\.selectors) where found[selector] == nil {
      found[selector] = Self.nodesMatching(of: selector, matches, in: tree)
    }
    for list in lists {
      var all = found[list.selectors[0]] ?? []
      for selector in list.selectors.dropFirst() {
        guard let ownMatches = found[selector] else { continue }
        for node in ownMatches.indices where ownMatches[node] { all[node] = true }
      }
      matchesBySelectorList[list] = all
    }
  }

  /// The matches for `html` and `body`, by the nodes of `RootElements`. Both contain all elements.
  var ofRootElements: RelativeMatches {
    var matches = self
    matches.matchesBySelectorList = matchesBySelectorList.mapValues { nodes in
      Array(repeating: nodes.first == true, count: Int(RootElements.body) + 1)
    }
    return matches
  }

  /// Returns whether an element matches any of the arguments of a `:has()`.
  func contains(_ node: Int32, _ list: RelativeSelectorList) -> Bool {
    matchesBySelectorList[list]?[Int(node)] == true
  }

  /// Returns for each compound selector and node whether the node matches.
  private static func matchTable(
    _ compounds: [CompoundSelector], in tree: DOMTree
  ) -> [CompoundSelector: [Bool]] {
    let noMatches = Array(repeating: false, count: tree.nodes.count)
    var found = Array(repeating: noMatches, count: compounds.count)
    for node in tree.nodes.indices.dropFirst() where tree.nodes[node].name != .characters {
      let names = CompoundSelector.NameHashes(of: Int32(node), in: tree)
      for index in compounds.indices
      where compounds[index].matches(Int32(node), withNames: names, in: tree) {
        found[index][node] = true
      }
    }
    return Dictionary(zip(compounds, found)) { first, _ in first }
  }

  /// Returns for each node whether a relative selector relates another node to it. From the last
  /// step to the first, the elements that match are replaced by those to which they are related.
  private static func nodesMatching(
    of selector: SelectorSequence, _ matches: [CompoundSelector: [Bool]], in tree: DOMTree
  ) -> [Bool] {
    var found: [Bool] = []
    for (index, step) in selector.steps.enumerated().reversed() {
      let ownMatches = matches[step.compound] ?? []
      found =
        index == selector.steps.count - 1 ? ownMatches : zip(ownMatches, found).map { $0 && $1 }
      found = nodesRelated(to: found, by: step.combinator, in: tree)
    }
    return found
  }

  /// Returns, for each node of the tree, whether a combinator relates any of the given nodes to it.
  /// The root represents `html` and `body`.
  private static func nodesRelated(
    to nodes: [Bool], by combinator: SelectorSequence.Combinator, in tree: DOMTree
  ) -> [Bool] {
    var found = Array(repeating: false, count: nodes.count)
    let step: (Int32) -> Int32?
    switch combinator {
    case .descendant, .child: step = { tree.nodes[Int($0)].parent }
    case .nextSibling, .laterSibling: step = { tree.elementBefore($0) }
    }
    let isRepeated = combinator == .descendant || combinator == .laterSibling
    for node in nodes.indices where nodes[node] {
      var next = step(Int32(node))
      // All nodes beyond one that was found before were found with it.
      // The content of a template is not a part of the page.
      while let related = next, !found[Int(related)],
        tree.nodes[Int(related)].name != .template
      {
        found[Int(related)] = true
        guard isRepeated else { break }
        next = step(related)
      }
    }
    return found
  }
}

extension DOMTree {
  /// Returns the previous sibling that is an element.
  fileprivate func elementBefore(_ node: Int32) -> Int32? {
    var next = nodes[Int(node)].previousSibling
    while let text = next, nodes[Int(text)].name == .characters {
      next = nodes[Int(text)].previousSibling
    }
    return next
  }
}
