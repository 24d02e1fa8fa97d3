import DOM

/// The distances of the children of elements from the left edge of the element, which styles set.
struct LineOffsets {
  /// The smallest distance for each element that was examined, in pixels.
  private var minOffsets: [Int32: Int] = [:]

  /// Returns the smallest distance of the children of an element from its left edge.
  mutating func minOffset(in parent: Int32, of tree: DOMTree, _ hiding: HidingRules) -> Int {
    if let known = minOffsets[parent] { return known }
    var smallest = Int.max
    var next = tree.nodes[Int(parent)].firstChild
    while let child = next, smallest > 0 {
      let domNode = tree.nodes[Int(child)]
      if domNode.name == .characters {
        let text = tree.bytes[Int(domNode.start)..<Int(domNode.end)]
        if !text.allSatisfy(\.isWhiteSpace) { smallest = 0 }
      } else if domNode.contents.contains(.text) {
        smallest = min(
          smallest, domNode.name == .div ? Self.spacing(of: child, tree, hiding).firstLineOffset : 0
        )
      }
      next = domNode.nextSibling
    }
    if smallest == .max { smallest = 0 }
    minOffsets[parent] = smallest
    return smallest
  }

  private static func spacing(
    of node: Int32, _ tree: DOMTree, _ hiding: HidingRules
  ) -> BlockSpacing {
    var spacing = hiding.style(of: node)?.spacing ?? BlockSpacing()
    if hiding.appliesStyleAttributes, let range = tree.attribute(.style, of: node) {
      spacing.apply(tree.inlineTextStyle(range, mayShowSpacing: true).spacing)
    }
    return spacing
  }
}
