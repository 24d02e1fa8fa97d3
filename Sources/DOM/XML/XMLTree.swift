/// XML text as a tree, parsed leniently, because many feeds and OPML files are not well-formed.
///
/// Comments, processing instructions and declarations are dropped; everything else that is not
/// a tag or a CDATA section is text. An end tag closes the nearest open element with its name
/// and is ignored if there is none; the end of the input closes all elements. An ampersand that
/// does not begin a reference is literal, and HTML's named references are known. Tags, text and
/// attribute values are ranges of the bytes. Parsing is iterative and takes linear time.
package struct XMLTree: Sendable {
  /// The text as UTF-8, as `CharacterEncoding.decode` returns it.
  package let bytes: [UInt8]
  /// The elements and texts in document order. The first is the root, which has no name and
  /// contains everything.
  package var nodes: [Node] = []
  var attributes: [Attribute] = []
  /// Whether the text was not parsed completely.
  package let isTruncated: Bool

  package struct Node: Sendable {
    /// The range of the element name in its tag, or of the text.
    package var nameOrTextRange: Range<UInt32>
    package var kind: Kind
    var parent: Int32
    var nextSibling: Int32 = -1
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    /// The attributes of an element.
    var attributes: Range<Int32> = 0..<0
    /// The range between the tags of an element.
    package var content: Range<UInt32> = 0..<0

    /// Whether the node has at most one child.
    var isLeaf: Bool { firstChild == lastChild }

    package enum Kind: Sendable {
      case element, text, cdata
    }
  }

  struct Attribute: Sendable {
    var name: Range<UInt32>
    var value: Range<UInt32>
  }

  /// Parses a text. References to entities that its own document type declares are replaced.
  /// - Parameters:
  ///   - bytes: The text.
  ///   - maxNodes: The approximate maximum number of elements and texts.
  ///   - unnestableNames: Lower-case names of elements that are never nested: each closes the
  ///     previous one.
  package init(
    _ bytes: consuming [UInt8], maxNodes: Int = .max, unnestableNames: [StaticString] = []
  ) {
    let bytes = bytes.expandingEntities
    var builder = XMLTreeBuilder(maxNodes: maxNodes, unnestableNames: unnestableNames)
    bytes.withUnsafeBufferPointer { builder.parse($0) }
    self.bytes = bytes
    nodes = builder.nodes
    attributes = builder.attributes
    isTruncated = builder.isTruncated
  }

  /// The root element, which contains the whole text.
  package var root: XMLElement { XMLElement(tree: self, index: 0) }

  /// All elements in document order.
  package var elements: some Sequence<XMLElement> {
    nodes.indices.lazy.filter { nodes[$0].kind == .element && $0 > 0 }
      .map { XMLElement(tree: self, index: Int32($0)) }
  }
}

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
    node.parent < 0 ? nil : XMLElement(tree: tree, index: node.parent)
  }

  package var children: some Sequence<XMLElement> {
    sequence(first: node.firstChild) { [tree] in tree.nodes[Int($0)].nextSibling }
      .lazy.prefix { $0 >= 0 }.filter { [tree] in tree.nodes[Int($0)].kind == .element }
      .map { [tree] in XMLElement(tree: tree, index: $0) }
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
        while open.count > 1, open[open.count - 1].index != part.parent { open.removeLast() }
        let holder = open[open.count - 1].value
        open.append(
          (position, holder.flatMap { visit(XMLElement(tree: tree, index: position), $0) }))
      }
      position += 1
    }
  }

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
    var child = node.firstChild
    while child >= 0, tree.nodes[Int(child)].kind != .element {
      append(tree.nodes[Int(child)].nameOrTextRange, to: &result)
      child = tree.nodes[Int(child)].nextSibling
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

extension UnsafeBufferPointer<UInt8> {
  /// Appends the text with its character references decoded. As in attributes of HTML, those
  /// without a semicolon are literal before `=`, a letter or a digit, because ampersands of URLs
  /// are often not escaped.
  func appendDecoded(to result: inout [UInt8]) {
    var index = 0
    while index < count {
      let next = firstIndex(of: UInt8(ascii: "&"), from: index)
      result.append(contentsOf: self[index..<next])
      guard next < count else { return }
      if let pair = surrogatePair(at: next) {
        result.append(codePoint: pair.codePoint)
        index = next + pair.length
      } else if let match = CharacterReferences.decode(self, at: next, inAttribute: true) {
        result.append(codePoint: match.firstCodePoint)
        if match.secondCodePoint != 0 { result.append(codePoint: match.secondCodePoint) }
        index = next + match.length
      } else {
        result.append(UInt8(ascii: "&"))
        index = next + 1
      }
    }
  }

  /// Returns the code point of two references to the surrogates of UTF-16 at an index, and their
  /// length; nil for anything else. Some programs write an emoji as `&#55357;&#56832;`.
  private func surrogatePair(at start: Int) -> (codePoint: UInt32, length: Int)? {
    guard let high = surrogate(at: start), (0xD800...0xDBFF).contains(high.value),
      let low = surrogate(at: start + high.length), (0xDC00...0xDFFF).contains(low.value)
    else { return nil }
    let codePoint = 0x10000 + ((high.value - 0xD800) << 10) + (low.value - 0xDC00)
    return (codePoint, high.length + low.length)
  }

  /// Returns the value and the length of a reference such as `&#55357;` or `&#xD83D;` at an index;
  /// nil for a number of another length.
  private func surrogate(at start: Int) -> (value: UInt32, length: Int)? {
    guard start + 8 <= count, self[start] == UInt8(ascii: "&"),
      self[start + 1] == UInt8(ascii: "#"), self[start + 7] == UInt8(ascii: ";")
    else { return nil }
    let isHexadecimal = self[start + 2] | 0x20 == UInt8(ascii: "x")
    let digits = self[(isHexadecimal ? start + 3 : start + 2)..<(start + 7)]
    guard
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return (value, 8)
  }
}

extension String {
  /// The text with HTML character references decoded; tags are left unchanged.
  package var withoutCharacterReferences: String {
    guard utf8.contains(UInt8(ascii: "&")) else { return self }
    var result: [UInt8] = []
    Array(utf8).withUnsafeBufferPointer { $0.appendDecoded(to: &result) }
    return String(decoding: result, as: UTF8.self)
  }
}
