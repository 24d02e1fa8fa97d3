// Moving nodes. The index of a node never changes.

extension DOMTree {
  /// Appends a detached node to the children of another.
  package mutating func append(_ node: Int32, to parent: Int32) {
    nodes.withUnsafeMutableBufferPointer { nodes in
      let previous = nodes[Int(parent)].lastChild
      nodes[Int(node)].parent = parent
      nodes[Int(node)].previousSibling = previous
      if let previous {
        nodes[Int(previous)].nextSibling = node
      } else {
        nodes[Int(parent)].firstChild = node
      }
      nodes[Int(parent)].lastChild = node
    }
  }

  /// Inserts a detached node before another one, which must have a parent.
  package mutating func insert(_ node: Int32, before next: Int32) {
    guard let parent = nodes[Int(next)].parent else { return }
    let previous = nodes[Int(next)].previousSibling
    nodes[Int(node)].parent = parent
    nodes[Int(node)].previousSibling = previous
    nodes[Int(node)].nextSibling = next
    nodes[Int(next)].previousSibling = node
    if let previous {
      nodes[Int(previous)].nextSibling = node
    } else {
      nodes[Int(parent)].firstChild = node
    }
  }

  /// Detaches a node from its parent.
  package mutating func detach(_ node: Int32) {
    guard let parent = nodes[Int(node)].parent else { return }
    let (previous, next) = (nodes[Int(node)].previousSibling, nodes[Int(node)].nextSibling)
    if let previous {
      nodes[Int(previous)].nextSibling = next
    } else {
      nodes[Int(parent)].firstChild = next
    }
    if let next {
      nodes[Int(next)].previousSibling = previous
    } else {
      nodes[Int(parent)].lastChild = previous
    }
    nodes[Int(node)].parent = nil
    nodes[Int(node)].previousSibling = nil
    nodes[Int(node)].nextSibling = nil
  }

  /// Moves all children of a node to another one without children.
  package mutating func moveChildren(of old: Int32, to new: Int32) {
    var next = nodes[Int(old)].firstChild
    nodes[Int(new)].firstChild = next
    nodes[Int(new)].lastChild = nodes[Int(old)].lastChild
    nodes[Int(old)].firstChild = nil
    nodes[Int(old)].lastChild = nil
    while let child = next {
      nodes[Int(child)].parent = new
      next = nodes[Int(child)].nextSibling
    }
    addContents(nodes[Int(old)].contents, from: new)
  }

  /// Adds to the `contents` of a node and its ancestors, up to the first that already has them.
  package mutating func addContents(_ contents: DOMTree.Contents, from node: Int32?) {
    guard let node, !nodes[Int(node)].contents.isSuperset(of: contents) else { return }
    nodes.withUnsafeMutableBufferPointer { nodes in
      var next: Int32? = node
      while let node = next, !nodes[Int(node)].contents.isSuperset(of: contents) {
        nodes[Int(node)].contents.formUnion(contents)
        next = nodes[Int(node)].parent
      }
    }
  }
}
