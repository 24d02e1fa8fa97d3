extension DOMTree {
  /// Returns the nodes below a root in document order.
  package func descendants(of root: Int32) -> Descendants {
    Descendants(nodes: nodes, root: root, node: root)
  }

  /// The nodes below a root in document order.
  package struct Descendants: Sequence, IteratorProtocol {
    fileprivate let nodes: [Node]
    fileprivate let root: Int32
    /// The last node that was returned; -1 after all were.
    fileprivate var node: Int32

    package mutating func next() -> Int32? {
      guard node >= 0 else { return nil }
      var next = nodes[Int(node)].firstChild
      while next < 0, node != root, node >= 0 {
        next = nodes[Int(node)].nextSibling
        if next < 0 { node = nodes[Int(node)].parent }
      }
      node = next
      return next < 0 ? nil : next
    }
  }
}
