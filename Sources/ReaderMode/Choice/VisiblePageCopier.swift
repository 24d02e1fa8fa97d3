import DOM

/// A page without hidden elements, copied on request.
struct VisiblePageCopier {
  private var tree: DOMTree
  private let hiddenElements: [Int32]

  /// Finds the hidden elements of a page. Styles are ignored if they hide all text, because the
  /// page then waits for a script. `isKnownVisible` may be empty.
  init(
    _ tree: DOMTree, _ hiding: HidingRules, isKnownVisible: [Bool] = [],
    without detachedElements: [Int32] = []
  ) {
    var tree = tree
    tree.detachComments(detachedElements)
    self.tree = tree
    let hidden = tree.hiddenElements(hiding, isKnownVisible: isKnownVisible)
    guard !hiding.appliesStyleAttributes || !tree.hasText(outside: hidden) else {
      self.hiddenElements = hidden
      return
    }
    self.tree.styleSheet = []
    for index in tree.attributes.indices where tree.attributes[index].name == .style {
      self.tree.attributes[index].end = self.tree.attributes[index].start
    }
    self.hiddenElements = self.tree.hiddenElements(hiding.withHiddenAttributeOnly)
  }

  /// Returns a copy of the page without hidden elements.
  func makeCopy() -> DOMTree {
    var shown = tree
    // Reserves space for the paragraphs added later.
    shown.nodes.reserveCapacity(tree.nodes.count + tree.nodes.count / 8 + 64)
    for element in hiddenElements { shown.detach(element) }
    return shown
  }
}

extension DOMTree {
  /// Whether any text is outside the given elements, which are in document order.
  fileprivate func hasText(outside hiddenElements: [Int32]) -> Bool {
    var hiddenElements = hiddenElements[...]
    var next = nodeAfter(0, in: 0)
    while let node = next {
      if node == hiddenElements.first {
        hiddenElements.removeFirst()
        next = nodeAfterSubtree(node, in: 0)
        continue
      }
      if nodes[Int(node)].name == .characters, !isBlank(node) { return true }
      next = nodeAfter(node, in: 0)
    }
    return false
  }
}
