import Algorithms

/// A set of nodes as an ascending list. Unlike `Set`, it does not look up the conformance to
/// `Hashable` at run time, which takes longer than reading a short page.
package struct NodeSet: Sendable, Equatable, ExpressibleByArrayLiteral {
  /// The indices of the nodes, ascending.
  private var nodes: [Int32]

  package init(arrayLiteral nodes: Int32...) { self.init(nodes) }

  /// Creates a set from indices in any order.
  package init(_ nodes: [Int32] = []) {
    self.nodes = []
    for node in nodes.sorted() where node != self.nodes.last { self.nodes.append(node) }
  }

  /// Whether there are no nodes.
  package var isEmpty: Bool { nodes.isEmpty }

  /// Returns whether a node is in the set.
  package func contains(_ node: Int32) -> Bool {
    let index = lowerBound(of: node)
    return index < nodes.count && nodes[index] == node
  }

  /// Adds a node.
  package mutating func insert(_ node: Int32) {
    let index = lowerBound(of: node)
    if index == nodes.count || nodes[index] != node { nodes.insert(node, at: index) }
  }

  /// Returns the index of the first element that is not less than `node`.
  private func lowerBound(of node: Int32) -> Int {
    nodes.partitioningIndex { $0 >= node }
  }
}
