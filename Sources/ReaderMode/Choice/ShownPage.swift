import DOM

/// A page without what it hides, made as often as it is needed.
struct ShownPage {
  private var tree: DOMTree
  private let hidden: [Int32]

  /// Looks for what a page hides. One that hides all it has waits for a script to show it: its styles
  /// are passed over.
  /// - Parameters:
  ///   - tree: The page.
  ///   - hiding: What of it is hidden.
  ///   - isShown: For each node whether it is known that nothing of that hides it; may be empty.
  init(_ tree: DOMTree, _ hiding: HidingRules, isShown: [Bool] = []) {
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

  /// The page without it.
  func make() -> DOMTree {
    var shown = tree
    // Paragraphs are made later.
    shown.nodes.reserveCapacity(tree.nodes.count + tree.nodes.count / 8 + 64)
    for element in hidden { shown.detach(element) }
    return shown
  }
}

extension DOMTree {
  /// Whether there is any text but in some elements, which come in document order.
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
