extension DOMTree {
  /// Whether an element is a short part of a line that has other text. The only text of a link or
  /// control is not such a part.
  func isPartOfLine(_ node: Int32) -> Bool {
    var length = 0
    var descendant = nodeAfter(node, in: node)
    for _ in 0..<64 where descendant >= 0 {
      let descendantNode = nodes[Int(descendant)]
      if descendantNode.name == .characters {
        length += Int(descendantNode.end - descendantNode.start)
      }
      descendant = nodeAfter(descendant, in: node)
    }
    guard descendant < 0, length <= Self.maxTooltipLength else { return false }
    var lineElement = nodes[Int(node)].parent
    while lineElement > 0, ElementSet.phrasing.contains(nodes[Int(lineElement)].name) {
      let isTarget = nodes[Int(lineElement)].name == .a || nodes[Int(lineElement)].name == .label
      guard !isTarget || hasText(lineElement, outside: node) else { return false }
      lineElement = nodes[Int(lineElement)].parent
    }
    let name = nodes[Int(lineElement)].name
    guard lineElement > 0, name != .figcaption, name != .figure else { return false }
    var child = nodes[Int(lineElement)].firstChild
    for _ in 0..<256 where child >= 0 {
      if isVisibleText(child) { return true }
      child = nodes[Int(child)].nextSibling
    }
    return false
  }

  private static let maxTooltipLength = 120

  /// Whether an element has text outside one of its descendants. At most 64 nodes are examined.
  private func hasText(_ element: Int32, outside node: Int32) -> Bool {
    var next = nodeAfter(element, in: element)
    for _ in 0..<64 where next >= 0 {
      if isVisibleText(next) { return true }
      next = next == node ? nodeAfterSubtree(next, in: element) : nodeAfter(next, in: element)
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
