/// The elements that match the relative selectors of `:has()` in a style sheet (Selectors Level 4
/// §4.5), found before other selectors are matched, in time linear in the size of the page.
struct RelativeMatches: Sendable {
  /// For the arguments of each `:has()`, whether a node matches any of them.
  private var hosts: [RelativeSelectorList: [Bool]] = [:]
  /// Whether `:has()` is not evaluated because the page has too many elements for its selectors.
  /// All selectors with it then match nothing.
  private(set) var exceedsBudget = false

  /// A result that evaluates nothing.
  static let none = RelativeMatches(exceedsBudget: true)

  /// The maximum number of compound selectors of a style sheet within `:has()`.
  static let maxCompounds = 48
  /// The maximum number of arguments of all different `:has()` of a style sheet.
  static let maxArguments = 128
  /// The maximum number of elements multiplied by compound selectors, and by different `:has()`.
  private static let maxComparisons = 20_000_000

  init() {}

  private init(exceedsBudget: Bool) { self.exceedsBudget = exceedsBudget }

  /// Finds the elements of a page.
  /// - Parameters:
  ///   - lists: The arguments of each `:has()`.
  ///   - tree: The page.
  init(_ lists: [RelativeSelectorList], in tree: DOMTree) {
    let compounds = Array(Set(lists.flatMap(\.compounds)))
    guard !compounds.isEmpty else { return }
    guard max(compounds.count, lists.count) * tree.nodes.count <= Self.maxComparisons else {
      exceedsBudget = true
      return
    }
    let matches = Self.matches(compounds, in: tree)
    var found: [SelectorSequence: [Bool]] = [:]
    for selector in lists.flatMap(\.selectors) where found[selector] == nil {
      found[selector] = Self.hosts(of: selector, matches, in: tree)
    }
    for list in lists {
      var all = found[list.selectors[0]] ?? []
      for selector in list.selectors.dropFirst() {
        guard let own = found[selector] else { continue }
        for node in own.indices where own[node] { all[node] = true }
      }
      hosts[list] = all
    }
  }

  /// The matches for `html` and `body`, by the nodes of `RootElements`. Both contain all elements.
  var ofRootElements: RelativeMatches {
    var matches = self
    matches.hosts = hosts.mapValues { nodes in
      Array(repeating: nodes.first == true, count: Int(RootElements.body) + 1)
    }
    return matches
  }

  /// Returns whether an element matches any of the arguments of a `:has()`.
  func contains(_ node: Int32, _ list: RelativeSelectorList) -> Bool {
    hosts[list]?[Int(node)] == true
  }

  /// Returns for each compound selector and node whether the node matches.
  private static func matches(
    _ compounds: [Selector], in tree: DOMTree
  ) -> [Selector: [Bool]] {
    let none = Array(repeating: false, count: tree.nodes.count)
    var found = Array(repeating: none, count: compounds.count)
    for node in tree.nodes.indices.dropFirst() where tree.nodes[node].name != .characters {
      let names = Selector.Names(of: Int32(node), in: tree)
      for index in compounds.indices
      where compounds[index].matches(Int32(node), named: names, in: tree) {
        found[index][node] = true
      }
    }
    return Dictionary(zip(compounds, found)) { first, _ in first }
  }

  /// Returns for each node whether a relative selector relates another node to it. From the last
  /// step to the first, the elements that match are replaced by those to which they are related.
  private static func hosts(
    of selector: SelectorSequence, _ matches: [Selector: [Bool]], in tree: DOMTree
  ) -> [Bool] {
    var found: [Bool] = []
    for (index, step) in selector.steps.enumerated().reversed() {
      let own = matches[step.compound] ?? []
      found = index == selector.steps.count - 1 ? own : zip(own, found).map { $0 && $1 }
      found = related(to: found, by: step.combinator, in: tree)
    }
    return found
  }

  /// Returns for each node whether a combinator relates one of some nodes to it. The root stands
  /// for `html` and `body`.
  private static func related(
    to nodes: [Bool], by combinator: SelectorSequence.Combinator, in tree: DOMTree
  ) -> [Bool] {
    var found = Array(repeating: false, count: nodes.count)
    let step: (Int32) -> Int32
    switch combinator {
    case .descendant, .child: step = { tree.nodes[Int($0)].parent }
    case .nextSibling, .laterSibling: step = { tree.elementBefore($0) }
    }
    let isRepeated = combinator == .descendant || combinator == .laterSibling
    for node in nodes.indices where nodes[node] {
      var next = step(Int32(node))
      // All nodes beyond one that was found before were found with it.
      // The content of a template is not a part of the page.
      while next >= 0, !found[Int(next)], tree.nodes[Int(next)].name != .template {
        found[Int(next)] = true
        guard isRepeated else { break }
        next = step(next)
      }
    }
    return found
  }
}

extension DOMTree {
  /// Returns the previous sibling that is an element, or -1.
  fileprivate func elementBefore(_ node: Int32) -> Int32 {
    var previous = nodes[Int(node)].previousSibling
    while previous >= 0, nodes[Int(previous)].name == .characters {
      previous = nodes[Int(previous)].previousSibling
    }
    return previous
  }
}
