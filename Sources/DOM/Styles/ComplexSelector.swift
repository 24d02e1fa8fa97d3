/// A complex selector: compound selectors with the descendant and child combinators (Selectors
/// Level 4 §3.1).
package struct ComplexSelector: Sendable, Hashable {
  /// The compound selectors: the subject first, then those of its ancestors from the inside out.
  /// The combinator of a step relates it to the next step in the array.
  private let steps: [SelectorSequence.Step]

  /// Parses a comma-separated list of selectors, such as `main > article` or
  /// `aside, #comments .meta`.
  /// - Parameter text: The list.
  /// - Returns: The selectors; nil if one of them is invalid or not supported.
  package static func parseList(_ text: String) -> [ComplexSelector]? {
    let bytes = Array(text.utf8)
    return bytes.withStyleBytes(0..<bytes.count) { list in
      let parts = list.parts(separator: UInt8(ascii: ","))
      let selectors = parts.compactMap { ComplexSelector($0.trimmed) }
      return selectors.count == parts.count ? selectors : nil
    }
  }

  init?(_ text: StyleBytes) {
    guard let sequence = SelectorSequence(text),
      sequence.steps.last?.compound.isOfRootElement == false,
      !sequence.steps.contains(where: {
        $0.compound.namesUnknownAttribute || $0.compound.hasPseudoClass
          || $0.compound.isUniversal || $0.combinator == .nextSibling
          || $0.combinator == .laterSibling
      })
    else { return nil }
    steps = sequence.steps.reversed()
  }

  /// Whether the selector matches an element with the given names.
  package func matches(
    _ node: Int32, withNames names: CompoundSelector.NameHashes, in tree: DOMTree
  ) -> Bool {
    steps[0].compound.matches(node, withNames: names, in: tree)
      && matchesAncestors(of: node, in: tree)
  }

  /// The compound selector of the subject.
  var subject: CompoundSelector { steps[0].compound }

  /// The specificity of the compound selectors before the subject.
  var specificityOfAncestors: Int {
    steps.dropFirst().reduce(0) { $0 + $1.compound.specificity }
  }

  /// Whether the compound selectors before the subject match ancestors of an element. After
  /// `maxComparisons` comparisons, the result is false.
  func matchesAncestors(of node: Int32, in tree: DOMTree, maxComparisons: Int = .max) -> Bool {
    var above = Self.parent(of: node, in: tree)
    var comparisons = 0
    var index = 1
    /// The state for backtracking: the last descendant combinator and the next ancestor to try; nil
    /// before a descendant combinator.
    var retry: (index: Int, above: Int32)?
    while index < steps.count {
      guard above >= Self.html, comparisons < maxComparisons else { return false }
      comparisons += 1
      let isChild = steps[index - 1].combinator == .child
      if !isChild { retry = (index, Self.parent(of: above, in: tree)) }
      let isMet = matches(steps[index].compound, above, in: tree)
      if isMet || !isChild {
        if isMet { index += 1 }
        above = Self.parent(of: above, in: tree)
      } else {
        guard let last = retry else { return false }
        (index, above) = last
      }
    }
    return true
  }

  /// The node number that stands for `body`, which the tree of a page does not contain.
  private static let body: Int32 = 0
  /// The node number that stands for `html`, which the tree of a page does not contain.
  private static let html: Int32 = -1

  /// Returns the parent of an element, of `body` or of `html`.
  private static func parent(of node: Int32, in tree: DOMTree) -> Int32 {
    node > body ? tree.nodes[Int(node)].parent ?? html : node - 1
  }

  private func matches(_ compound: CompoundSelector, _ node: Int32, in tree: DOMTree) -> Bool {
    guard node <= Self.body else {
      return compound.matches(node, withNames: .init(of: node, in: tree), in: tree)
    }
    let roots = (tree.rootElements ?? .withoutAttributes).tree
    let root = node == Self.body ? RootElements.body : RootElements.html
    return compound.matches(root, withNames: .init(of: root, in: roots), in: roots)
  }
}
