/// An element of XML text.
package struct XMLElement: Sendable {
  package let tree: XMLTree
  let index: Int32

  package init(tree: XMLTree, index: Int32) {
    self.tree = tree
    self.index = index
  }

  private var node: XMLTree.Node { tree.nodes[Int(index)] }

  /// The local name, in lower case.
  package var name: String { string(localName(node.nameOrTextRange)).lowercased() }

  /// The prefix of the name as written, or empty.
  package var prefix: String {
    let local = localName(node.nameOrTextRange)
    return local.lowerBound == Int(node.nameOrTextRange.lowerBound)
      ? "" : string(Int(node.nameOrTextRange.lowerBound)..<local.lowerBound - 1)
  }

  /// The parent element, or nil for the root.
  package var parent: XMLElement? {
    node.parent.value.map { XMLElement(tree: tree, index: Int32($0)) }
  }

  package var children: some Sequence<XMLElement> {
    let siblings = sequence(state: node.firstChild.value) { [tree] (next: inout Int?) in
      defer { next = next.flatMap { tree.nodes[$0].nextSibling.value } }
      return next
    }
    let elements = siblings.lazy.filter { [tree] in tree.nodes[$0].kind == .element }
    return elements.map { [tree] in XMLElement(tree: tree, index: Int32($0)) }
  }

  /// Visits the descendant elements in document order, iteratively.
  /// - Parameters:
  ///   - value: The value of this element.
  ///   - visit: Receives an element and the value of its parent; returns the value of the element,
  ///     or nil to skip its descendants.
  package func visitDescendants<Value>(
    with value: Value, _ visit: (XMLElement, Value) -> Value?
  ) {
    var open: [(index: Int32, value: Value?)] = [(index, value)]
    let end = node.content.upperBound
    var position = index + 1
    // Nodes are in document order.
    while position < tree.nodes.count, tree.nodes[Int(position)].nameOrTextRange.lowerBound < end {
      let part = tree.nodes[Int(position)]
      if part.kind == .element {
        while open.count > 1, OptionalIndex(open[open.count - 1].index) != part.parent {
          open.removeLast()
        }
        let holder = open[open.count - 1].value
        open.append(
          (position, holder.flatMap { visit(XMLElement(tree: tree, index: position), $0) }))
      }
      position += 1
    }
  }

  /// Whether the text ends within the element.
  package var isOpenAtEnd: Bool { Int(node.content.upperBound) == tree.bytes.count }

  /// Whether the element has child elements.
  package var hasElements: Bool { children.contains { _ in true } }

  /// Returns the value of the first attribute with a name, including its prefix and regardless of
  /// case; nil without one.
  package func attribute(_ name: String) -> String? {
    for attribute in tree.attributes[
      Int(node.attributes.lowerBound)..<Int(node.attributes.upperBound)]
    where matches(attribute.name, name) {
      return decoded(attribute.value)
    }
    return nil
  }

  /// All attributes, with their names as written.
  package var attributes: [(name: String, value: String)] {
    tree.attributes[Int(node.attributes.lowerBound)..<Int(node.attributes.upperBound)].map {
      (string(Int($0.name.lowerBound)..<Int($0.name.upperBound)), decoded($0.value))
    }
  }

  /// The text of the element and its descendants, with character references decoded.
  package var text: String { text(maxNodes: .max) }

  /// Returns the text of the element and its descendants, up to a number of nodes. The limit bounds
  /// the total time for many elements nested in each other.
  /// - Parameters:
  ///   - limit: The maximum number of nodes.
  ///   - blocks: The lower-case names of elements before and after which a space is inserted.
  ///   - ends: The lower-case names of elements, the first of which ends the text.
  /// - Returns: The text, with character references decoded.
  package func text(
    maxNodes limit: Int, separating blocks: Set<String> = [], before ends: Set<String> = []
  ) -> String {
    var result: [UInt8] = []
    // The ends of the open elements in `blocks`.
    var blockEnds: [UInt32] = []
    var position = Int(index) + 1
    let positionLimit = limit < tree.nodes.count - position ? position + limit : tree.nodes.count
    let end = node.content.upperBound
    // Nodes are in document order.
    while position < positionLimit, tree.nodes[position].nameOrTextRange.lowerBound < end {
      let node = tree.nodes[position]
      var endsBlock = false
      while let blockEnd = blockEnds.last, node.nameOrTextRange.lowerBound >= blockEnd {
        blockEnds.removeLast()
        endsBlock = true
      }
      if endsBlock { result.append(UInt8(ascii: " ")) }
      switch node.kind {
      case .element:
        guard !blocks.isEmpty || !ends.isEmpty else { break }
        let name = string(localName(node.nameOrTextRange)).lowercased()
        if ends.contains(name) { return String(decoding: result, as: UTF8.self) }
        guard blocks.contains(name) else { break }
        result.append(UInt8(ascii: " "))
        blockEnds.append(node.content.upperBound)
      case .text: append(node.nameOrTextRange, to: &result)
      case .cdata:
        result +=
          tree.bytes[Int(node.nameOrTextRange.lowerBound)..<Int(node.nameOrTextRange.upperBound)]
      }
      position += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text before the first child element, with character references decoded.
  package var leadingText: String {
    var result: [UInt8] = []
    var next = node.firstChild
    while let child = next.value, tree.nodes[child].kind != .element {
      append(tree.nodes[child].nameOrTextRange, to: &result)
      next = tree.nodes[child].nextSibling
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the text of the element and its descendants before the first descendant whose name is
  /// in `ends`, with character references decoded. Elements in `lines` start new lines. Both sets
  /// contain names in lower case.
  package func text(before ends: Set<String>, startingLinesAt lines: Set<String>) -> String {
    var result: [UInt8] = []
    let end = node.content.upperBound
    // Nodes are in document order.
    for part in tree.nodes[(Int(index) + 1)...] {
      guard part.nameOrTextRange.lowerBound < end else { break }
      switch part.kind {
      case .element:
        let name = string(localName(part.nameOrTextRange)).lowercased()
        if ends.contains(name) { return String(decoding: result, as: UTF8.self) }
        if lines.contains(name) { result.append(0x0A) }
      case .text: append(part.nameOrTextRange, to: &result)
      case .cdata:
        result +=
          tree.bytes[Int(part.nameOrTextRange.lowerBound)..<Int(part.nameOrTextRange.upperBound)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The source between the tags.
  package var source: ArraySlice<UInt8> {
    tree.bytes[Int(node.content.lowerBound)..<Int(node.content.upperBound)]
  }

  // MARK: Bytes

  private func localName(_ name: Range<UInt32>) -> Range<Int> {
    let range = Int(name.lowerBound)..<Int(name.upperBound)
    let colon = tree.bytes[range].lastIndex(of: UInt8(ascii: ":"))
    return (colon.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: tree.bytes[range], as: UTF8.self)
  }

  private func matches(_ range: Range<UInt32>, _ name: String) -> Bool {
    let bytes = tree.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    return bytes.count == name.utf8.count
      && zip(bytes, name.utf8).allSatisfy { $0.lowercased == $1.lowercased }
  }

  private func decoded(_ range: Range<UInt32>) -> String {
    var result: [UInt8] = []
    append(range, to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  private func append(_ range: Range<UInt32>, to result: inout [UInt8]) {
    tree.bytes.withUnsafeBufferPointer { bytes in
      UnsafeBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        .appendDecoded(to: &result)
    }
  }
}
