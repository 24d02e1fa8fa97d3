// Building trees from elements and from parts of pages.

extension DOMTree {
  /// A tree with only a root, which is node 0.
  package static var empty: DOMTree {
    var tree = DOMTree()
    tree.nodes = [Node(name: .other, start: 0, end: 0)]
    return tree
  }

  /// Appends an element to the children of a node.
  /// - Parameters:
  ///   - name: The element.
  ///   - parent: The node.
  ///   - values: The attributes, each name once.
  /// - Returns: The new node.
  @discardableResult
  package mutating func addElement(
    _ name: ElementName, to parent: Int32, _ values: KeyValuePairs<AttributeName, String> = [:]
  ) -> Int32 {
    let first = attributes.count
    for (name, value) in values {
      let range = addBytes(value)
      attributes.append(Attribute(name: name, start: range.lowerBound, end: range.upperBound))
    }
    let node = Int32(nodes.count)
    nodes.append(Node(name: name, start: UInt32(first), end: UInt32(attributes.count)))
    append(node, to: parent)
    if name.isBlock { addContents(.block, from: parent) }
    return node
  }

  /// Appends text to the children of a node.
  package mutating func addText(_ text: String, to parent: Int32) {
    guard !text.isEmpty else { return }
    let range = addBytes(text)
    let node = Int32(nodes.count)
    nodes.append(Node(name: .characters, start: range.lowerBound, end: range.upperBound))
    append(node, to: parent)
    addContents(.text, from: parent)
  }

  /// Appends the content of another page to the children of a node. Metadata of that page (title,
  /// base, `meta`, `link`) is dropped.
  /// - Parameters:
  ///   - part: The page, or a part of one.
  ///   - parent: The node.
  ///   - suffix: A suffix for the fragment names that `part` defines; empty to keep them unchanged.
  ///   - resolve: Maps a reference of a node of `part` to the reference in this tree; nil keeps it
  ///     unchanged.
  package mutating func graft(
    _ part: DOMTree, to parent: Int32, fragmentSuffix suffix: String = "",
    resolving resolve: (String, Int32) -> String? = { _, _ in nil }
  ) {
    let offset = UInt32(bytes.count)
    let nodeOffset = Int32(nodes.count) - 1
    let firstAttribute = UInt32(attributes.count)
    bytes += part.bytes
    appendAttributes(of: part, at: offset, fragmentSuffix: suffix, resolving: resolve)
    func moved(_ node: Int32) -> Int32 { node == 0 ? node : node + nodeOffset }
    for (control, form) in part.formOwners { formOwners[moved(control)] = moved(form) }
    for node in part.nodes.dropFirst() {
      var node = node
      let shift = node.name == .characters ? offset : firstAttribute
      node.start += shift
      node.end += shift
      if [.title, .base, .meta, .link].contains(node.name) { node.name = .template }
      node.parent = node.parent.map(moved)
      node.firstChild = node.firstChild.map(moved)
      node.lastChild = node.lastChild.map(moved)
      node.nextSibling = node.nextSibling.map(moved)
      node.previousSibling = node.previousSibling.map(moved)
      nodes.append(node)
    }
    // The children of the other root.
    var next = part.nodes[0].firstChild
    while let child = next {
      next = part.nodes[Int(child)].nextSibling
      nodes[Int(moved(child))].nextSibling = nil
      nodes[Int(moved(child))].previousSibling = nil
      append(moved(child), to: parent)
    }
    addContents(part.nodes[0].contents, from: parent)
  }

  /// Appends the attributes of another page, whose bytes are at `offset`, as `graft` describes it.
  private mutating func appendAttributes(
    of part: DOMTree, at offset: UInt32, fragmentSuffix suffix: String,
    resolving resolve: (String, Int32) -> String?
  ) {
    let firstAttribute = attributes.count
    for attribute in part.attributes {
      var attribute = attribute
      attribute.start += offset
      attribute.end += offset
      attributes.append(attribute)
    }
    for (index, node) in part.nodes.enumerated() where node.name != .characters {
      for position in Int(node.start)..<Int(node.end) {
        let attribute = part.attributes[position]
        let isReference = attribute.name == .href || attribute.name == .src
        guard isReference || !suffix.isEmpty && node.hasFragmentName(in: attribute) else {
          continue
        }
        let oldValue = String(
          decoding: part.bytes[Int(attribute.start)..<Int(attribute.end)], as: UTF8.self)
        guard let newValue = isReference ? resolve(oldValue, Int32(index)) : oldValue + suffix
        else { continue }
        let range = addBytes(newValue)
        let attributeIndex = firstAttribute + position
        (attributes[attributeIndex].start, attributes[attributeIndex].end) = (
          range.lowerBound, range.upperBound
        )
      }
    }
  }

  private mutating func addBytes(_ text: String) -> Range<UInt32> {
    let start = UInt32(bytes.count)
    bytes += text.utf8
    return start..<UInt32(bytes.count)
  }

  /// The names of the places in the tree that fragments of URLs can lead to.
  package var fragmentNames: Set<String> {
    var names: Set<String> = []
    for node in nodes where node.name != .characters {
      for attribute in attributes[Int(node.start)..<Int(node.end)]
      where node.hasFragmentName(in: attribute) {
        names.insert(
          String(decoding: bytes[Int(attribute.start)..<Int(attribute.end)], as: UTF8.self))
      }
    }
    return names
  }
}

extension DOMTree.Node {
  /// Returns whether an attribute of the element is a name that fragments of URLs can lead to (HTML
  /// §7.4.6.4).
  fileprivate func hasFragmentName(in attribute: DOMTree.Attribute) -> Bool {
    attribute.name == .id || attribute.name == .name && name == .a
  }
}
