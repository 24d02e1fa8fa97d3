import DOM

/// A page without hidden elements, copied on request.
struct ShownPage {
  private var tree: DOMTree
  private let hidden: [Int32]

  /// Finds the hidden elements of a page. Styles are ignored if they hide all text, because the
  /// page then waits for a script.
  /// - Parameters:
  ///   - tree: The page.
  ///   - hiding: The rules for hidden elements.
  ///   - isShown: For each node, whether it is known not to be hidden; may be empty.
  ///   - beside: Elements to remove as well.
  init(
    _ tree: DOMTree, _ hiding: HidingRules, isShown: [Bool] = [], without beside: [Int32] = []
  ) {
    var tree = tree
    tree.detachComments(beside)
    self.tree = tree
    let hidden = tree.hiddenElements(hiding, isShown: isShown)
    guard !hiding.readsAttributes || !tree.hasText(outside: hidden) else {
      self.hidden = hidden
      return
    }
    self.tree.styleSheet = []
    for index in tree.attributes.indices where tree.attributes[index].name == .style {
      self.tree.attributes[index].end = self.tree.attributes[index].start
    }
    self.hidden = self.tree.hiddenElements(hiding.hidingNothing)
  }

  /// Returns a copy of the page without hidden elements.
  func make() -> DOMTree {
    var shown = tree
    // Reserves space for the paragraphs added later.
    shown.nodes.reserveCapacity(tree.nodes.count + tree.nodes.count / 8 + 64)
    for element in hidden { shown.detach(element) }
    return shown
  }
}

extension DOMTree {
  /// Whether any text is outside the given elements, which are in document order.
  fileprivate func hasText(outside hidden: [Int32]) -> Bool {
    var hidden = hidden[...]
    var node = next(0, in: 0)
    while node >= 0 {
      if node == hidden.first {
        hidden.removeFirst()
        node = following(node, in: 0)
        continue
      }
      if nodes[Int(node)].name == .characters, !isBlank(node) { return true }
      node = next(node, in: 0)
    }
    return false
  }
}
