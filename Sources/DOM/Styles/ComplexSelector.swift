/// A complex selector: compound selectors with the descendant and child combinators (Selectors
/// Level 4 §3.1).
package struct ComplexSelector: Sendable, Equatable {
  /// The compound selectors: the subject first, then those of its ancestors from the inside out.
  /// The combinator of a step relates it to the next step in the array.
  private let steps: [SelectorSequence.Step]

  /// Parses a comma-separated list of selectors, such as `main > article` or
  /// `aside, #comments .meta`.
  /// - Parameter text: The list.
  /// - Returns: The selectors; nil if one of them is invalid or not supported.
  package static func parseList(_ text: String) -> [ComplexSelector]? {
    let bytes = Array(text.utf8)
    return bytes.withStyle(0..<bytes.count) { list in
      let parts = list.parts(separator: UInt8(ascii: ","))
      let selectors = parts.compactMap { ComplexSelector($0.trimmed) }
      return selectors.count == parts.count ? selectors : nil
    }
  }

  private init?(_ text: StyleBytes) {
    guard let sequence = SelectorSequence(text),
      !sequence.steps.contains(where: {
        $0.compound.namesUnknownAttribute || $0.compound.hasPseudoClass
          || $0.combinator == .nextSibling || $0.combinator == .laterSibling
      })
    else { return nil }
    steps = sequence.steps.reversed()
  }

  /// Whether the selector matches an element with the given names.
  package func matches(_ node: Int32, named names: Selector.Names, in tree: DOMTree) -> Bool {
    guard steps[0].compound.matches(node, named: names, in: tree) else { return false }
    var above = tree.nodes[Int(node)].parent
    var index = 1
    /// The state for backtracking: the last descendant combinator and the next ancestor to try.
    var retry: (index: Int, above: Int32)?
    while true {
      let isChild = steps[index - 1].combinator == .child
      let isMet: Bool
      if index == steps.count {
        // A child combinator before the outermost step requires a child of the root.
        isMet = !isChild || above == 0
        if isMet { return true }
      } else {
        guard above > 0 else { return false }
        if !isChild { retry = (index, tree.nodes[Int(above)].parent) }
        isMet = steps[index].compound.matches(
          above, named: .init(of: above, in: tree), in: tree)
      }
      if isMet || !isChild {
        if isMet { index += 1 }
        above = tree.nodes[Int(above)].parent
      } else {
        guard let last = retry else { return false }
        (index, above) = last
      }
    }
  }
}
