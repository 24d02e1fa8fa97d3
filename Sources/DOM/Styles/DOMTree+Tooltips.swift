extension DOMTree {
  /// Whether an element is a short part of a line that has other text. The only text of a link or
  /// control is not such a part.
  func isPartOfLine(_ node: Int32) -> Bool {
    var length = 0
    var nextDescendant = nodeAfter(node, in: node)
    for _ in 0..<64 {
      guard let descendant = nextDescendant else { break }
      let descendantNode = nodes[Int(descendant)]
      if descendantNode.name == .characters {
        length += Int(descendantNode.end - descendantNode.start)
      }
      nextDescendant = nodeAfter(descendant, in: node)
    }
    guard nextDescendant == nil, length <= Self.maxTooltipLength else { return false }
    var lineElement = nodes[Int(node)].parent ?? 0
    while lineElement > 0, ElementSet.phrasing.contains(nodes[Int(lineElement)].name) {
      let isTarget = nodes[Int(lineElement)].name == .a || nodes[Int(lineElement)].name == .label
      guard !isTarget || hasText(lineElement, outside: node) else { return false }
      lineElement = nodes[Int(lineElement)].parent ?? 0
    }
    let name = nodes[Int(lineElement)].name
    guard lineElement > 0, name != .figcaption, name != .figure else { return false }
    var next = nodes[Int(lineElement)].firstChild
    for _ in 0..<256 {
      guard let child = next else { break }
      if isVisibleText(child) { return true }
      next = nodes[Int(child)].nextSibling
    }
    return false
  }

  private static let maxTooltipLength = 120

  /// Whether an element has text outside one of its descendants. At most 64 nodes are examined.
  private func hasText(_ element: Int32, outside node: Int32) -> Bool {
    var next = nodeAfter(element, in: element)
    for _ in 0..<64 {
      guard let current = next else { break }
      if isVisibleText(current) { return true }
      next =
        current == node ? nodeAfterSubtree(current, in: element) : nodeAfter(current, in: element)
    }
    return false
  }

  /// Whether a node is text that is not white space only.
  private func isVisibleText(_ node: Int32) -> Bool {
    let domNode = nodes[Int(node)]
    return domNode.name == .characters
      && !bytes[Int(domNode.start)..<Int(domNode.end)].allSatisfy(\.isWhiteSpace)
  }
}
