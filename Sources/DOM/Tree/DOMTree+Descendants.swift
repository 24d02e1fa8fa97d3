extension DOMTree {
  /// Returns the nodes below a root in document order.
  package func descendants(of root: Int32) -> Descendants {
    Descendants(nodes: nodes, root: root, node: root)
  }

  /// The nodes below a root in document order.
  package struct Descendants: Sequence, IteratorProtocol {
    fileprivate let nodes: [Node]
    fileprivate let root: Int32
    /// The last node that was returned; nil after all were.
    fileprivate var node: Int32?

    package mutating func next() -> Int32? {
      guard var last = node else { return nil }
      node = nodes[Int(last)].firstChild
      while node == nil, last != root {
        node = nodes[Int(last)].nextSibling
        guard let parent = nodes[Int(last)].parent else { break }
        last = parent
      }
      return node
    }
  }
}
