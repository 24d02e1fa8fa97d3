// Declarative shadow roots (HTML §4.12.3, DOM §4.2.2): a server that renders web components sends
// the content of an element in a template with the attribute `shadowrootmode`. Browsers show it
// instead of the element's children, which fill the slots in it.

extension DOMTree {
  /// Replaces the children of elements by their shadow trees, and moves the children into slots.
  ///
  /// Outer shadow trees are processed first, so a child that is itself a slot keeps the nodes
  /// assigned to it. Nodes beyond the maximum depth of a tree are removed.
  mutating func flattenShadowTrees() {
    var hosts: Set<Int32> = []
    /// The hosts of the templates whose content is shown.
    var shown: [Int32: Int32] = [:]
    for node in 0..<Int32(nodes.count) where isShadowRootTemplate(node) {
      guard let host = nodes[Int(node)].parent, host > 0, hosts.insert(host).inserted else {
        continue
      }
      shown[node] = host
      recordShadowTree(node, of: host)
      flattenShadowTree(node, of: host)
    }
    shadowSheets = shadowSheets.compactMap { sheet in
      shown[sheet.host].map { ShadowStyleSheet(host: $0, source: sheet.source) }
    }
    if !hosts.isEmpty { removeNodesBeyondMaxDepth() }
  }

  /// Adds a style sheet to those of the shadow tree in a template.
  mutating func addShadowStyleSheet(_ source: [UInt8], in template: Int32) {
    if shadowSheets.last?.host == template {
      shadowSheets[shadowSheets.count - 1].source += source
    } else {
      shadowSheets.append(ShadowStyleSheet(host: template, source: source))
    }
  }

  private func isShadowRootTemplate(_ node: Int32) -> Bool {
    guard nodes[Int(node)].name == .template, nodes[Int(node)].parent != nil,
      let mode = attribute(.shadowRootMode, of: node)
    else { return false }
    return bytes[mode].elementsEqual("open".utf8) || bytes[mode].elementsEqual("closed".utf8)
  }

  /// Records the host of each element of a shadow tree. Elements of nested shadow trees are
  /// recorded later, with their own hosts.
  private mutating func recordShadowTree(_ template: Int32, of host: Int32) {
    var next = nodeAfter(template, in: template)
    while let node = next {
      if nodes[Int(node)].name != .characters { shadowHosts[node] = host }
      next =
        isShadowRootTemplate(node)
        ? nodeAfterSubtree(node, in: template) : nodeAfter(node, in: template)
    }
  }

  private mutating func flattenShadowTree(_ template: Int32, of host: Int32) {
    let slots = slots(in: template)
    var assignedNodes: [Int32: [Int32]] = [:]
    for child in children(of: host) where child != template {
      let isText = nodes[Int(child)].name == .characters
      let name = isText ? [] : attribute(.slot, of: child).map { bytes[$0] } ?? []
      if let slot = slots[name] { assignedNodes[slot, default: []].append(child) }
      detach(child)
    }
    for (slot, children) in assignedNodes where children.contains(where: { !isBlankText($0) }) {
      for child in self.children(of: slot) { detach(child) }
      for child in children {
        append(child, to: slot)
        addContentsToAncestors(child)
      }
    }
    for child in children(of: template) {
      detach(child)
      insert(child, before: template)
    }
    addContents(nodes[Int(template)].contents, from: host)
    detach(template)
  }

  /// Returns the slots of a shadow tree by name, the first of equal names, without those of nested
  /// shadow trees.
  private func slots(in template: Int32) -> [ArraySlice<UInt8>: Int32] {
    var slots: [ArraySlice<UInt8>: Int32] = [:]
    var next = nodeAfter(template, in: template)
    while let node = next {
      if nodes[Int(node)].name == .slot {
        let name = attribute(.name, of: node).map { bytes[$0] } ?? []
        if slots[name] == nil { slots[name] = node }
      }
      next =
        isShadowRootTemplate(node)
        ? nodeAfterSubtree(node, in: template) : nodeAfter(node, in: template)
    }
    return slots
  }

  private func children(of node: Int32) -> [Int32] {
    var children: [Int32] = []
    var next = nodes[Int(node)].firstChild
    while let child = next {
      children.append(child)
      next = nodes[Int(child)].nextSibling
    }
    return children
  }

  private func isBlankText(_ node: Int32) -> Bool {
    let text = nodes[Int(node)]
    return text.name == .characters
      && bytes[Int(text.start)..<Int(text.end)].allSatisfy(\.isWhiteSpace)
  }

  /// Updates the `contents` of the ancestors of a node.
  private mutating func addContentsToAncestors(_ child: Int32) {
    let node = nodes[Int(child)]
    var contents = node.contents
    switch node.name {
    case .characters: contents.insert(.text)
    case .img, .image, .svg: contents.insert(.image)
    case .table: contents.insert(.table)
    default: break
    }
    if node.name.isBlock { contents.insert(.block) }
    addContents(contents, from: node.parent)
  }

  private mutating func removeNodesBeyondMaxDepth() {
    var (node, depth): (Int32, Int) = (0, 0)
    while true {
      if depth == TreeBuilder.maxDepth {
        for child in children(of: node) { detach(child) }
      }
      if let child = nodes[Int(node)].firstChild {
        node = child
        depth += 1
        continue
      }
      var sibling = nodes[Int(node)].nextSibling
      while sibling == nil, let parent = nodes[Int(node)].parent {
        node = parent
        depth -= 1
        sibling = nodes[Int(node)].nextSibling
      }
      guard let sibling else { return }
      node = sibling
    }
  }
}

extension TreeBuilder {
  /// The template of the innermost shadow tree that contains the insertion point; nil for none.
  var shadowTemplate: Int32? {
    openElements.last { $0.name == .template && tree.hasAttribute(.shadowRootMode, $0.node) }?.node
  }
}
