/// A text in XML as a tree, read however broken it is: feeds and lists of feeds are seldom made by
/// programs that know XML.
///
/// What is no tag is text; an end tag closes the nearest open element of its name, or nothing; the
/// end of the text closes all. An ampersand that begins no reference means itself, and the names of
/// HTML's references are known. Tags, text and attribute values are ranges of the bytes. Reading
/// takes time linear in the text, and no stack.
package struct XMLTree: Sendable {
  /// The text: UTF-8, as `CharacterEncoding.decode` returns it.
  package let bytes: [UInt8]
  /// Elements and pieces of text, in the order of the text. The first one is the root, which has no
  /// name and holds everything.
  package var nodes: [Node] = []
  var attributes: [Attribute] = []
  /// Whether the text has more than was read.
  package let isCut: Bool

  package struct Node: Sendable {
    /// The name as it stands in the tag, or where the characters are.
    package var name: Range<UInt32>
    package var kind: Kind
    var parent: Int32
    var next: Int32 = -1
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    /// Of an element: its attributes.
    var attributes: Range<Int32> = 0..<0
    /// Of an element: what is between its tags.
    package var content: Range<UInt32> = 0..<0

    /// Whether it holds at most one piece of text.
    var isLeaf: Bool { firstChild == lastChild }

    package enum Kind: Sendable {
      case element, text, characterData
    }
  }

  struct Attribute: Sendable {
    var name: Range<UInt32>
    var value: Range<UInt32>
  }

  /// Reads a text.
  /// - Parameters:
  ///   - bytes: the text.
  ///   - mostNodes: how many elements and pieces of text are read, or a few more.
  ///   - apart: elements, as their tags name them in lower case, that never stand in one another: each
  ///     ends the one before.
  package init(
    _ bytes: consuming [UInt8], mostNodes: Int = .max, apart: [StaticString] = []
  ) {
    var builder = XMLTreeBuilder(mostNodes: mostNodes, apart: apart)
    bytes.withUnsafeBufferPointer { builder.read($0) }
    self.bytes = bytes
    nodes = builder.nodes
    attributes = builder.attributes
    isCut = builder.isCut
  }

  /// What holds the whole text.
  package var root: XMLElement { XMLElement(tree: self, index: 0) }

  /// All elements, in the order of the text.
  package var elements: some Sequence<XMLElement> {
    nodes.indices.lazy.filter { nodes[$0].kind == .element && $0 > 0 }
      .map { XMLElement(tree: self, index: Int32($0)) }
  }
}

/// An element of a text in XML.
package struct XMLElement: Sendable {
  package let tree: XMLTree
  let index: Int32

  package init(tree: XMLTree, index: Int32) {
    self.tree = tree
    self.index = index
  }

  private var node: XMLTree.Node { tree.nodes[Int(index)] }

  /// The name without its prefix, in lower case.
  package var name: String { string(localName(node.name)).lowercased() }

  /// The prefix of the name as it is written, or empty.
  package var prefix: String {
    let local = localName(node.name)
    return local.lowerBound == Int(node.name.lowerBound)
      ? "" : string(Int(node.name.lowerBound)..<local.lowerBound - 1)
  }

  /// The element that holds this one, or nil for the root.
  package var parent: XMLElement? {
    node.parent < 0 ? nil : XMLElement(tree: tree, index: node.parent)
  }

  /// The elements directly in this one.
  package var children: some Sequence<XMLElement> {
    sequence(first: node.firstChild) { [tree] in tree.nodes[Int($0)].next }
      .lazy.prefix { $0 >= 0 }.filter { [tree] in tree.nodes[Int($0)].kind == .element }
      .map { [tree] in XMLElement(tree: tree, index: $0) }
  }

  /// Goes through the elements in this one, in the order of the text and without a stack of calls.
  /// - Parameters:
  ///   - value: what is known of this element.
  ///   - visit: gets an element and what is known of the one that holds it; returns what is known of this one,
  ///     or nil to leave out what is in it.
  package func descend<Value>(
    with value: Value, _ visit: (XMLElement, Value) -> Value?
  ) {
    var open: [(index: Int32, value: Value?)] = [(index, value)]
    let end = node.content.upperBound
    var place = index + 1
    // Nodes stand in the order of the text.
    while place < tree.nodes.count, tree.nodes[Int(place)].name.lowerBound < end {
      let part = tree.nodes[Int(place)]
      if part.kind == .element {
        while open.count > 1, open[open.count - 1].index != part.parent { open.removeLast() }
        let holder = open[open.count - 1].value
        open.append((place, holder.flatMap { visit(XMLElement(tree: tree, index: place), $0) }))
      }
      place += 1
    }
  }

  /// Whether there are elements in this one.
  package var hasElements: Bool { children.contains { _ in true } }

  /// The value of the first attribute with a name, prefix included, in any case; nil without one.
  package func attribute(_ name: String) -> String? {
    for attribute in tree.attributes[
      Int(node.attributes.lowerBound)..<Int(node.attributes.upperBound)]
    where matches(attribute.name, name) {
      return decoded(attribute.value, inAttribute: true)
    }
    return nil
  }

  /// All attributes with the names as they are written.
  package var attributes: [(name: String, value: String)] {
    tree.attributes[Int(node.attributes.lowerBound)..<Int(node.attributes.upperBound)].map {
      (
        string(Int($0.name.lowerBound)..<Int($0.name.upperBound)),
        decoded($0.value, inAttribute: true)
      )
    }
  }

  /// The text in this element and the elements in it, references replaced.
  package var text: String { text(upTo: .max) }

  /// The text in this element and the elements in it, up to a number of elements and pieces of text:
  /// what is read of each of many elements that may all stand in each other.
  package func text(upTo parts: Int) -> String {
    var result: [UInt8] = []
    var place = Int(index) + 1
    let last = parts < tree.nodes.count - place ? place + parts : tree.nodes.count
    let end = node.content.upperBound
    // Nodes stand in the order of the text.
    while place < last, tree.nodes[place].name.lowerBound < end {
      let part = tree.nodes[place]
      switch part.kind {
      case .element: break
      case .text: append(part.name, to: &result, inAttribute: false)
      case .characterData:
        result += tree.bytes[Int(part.name.lowerBound)..<Int(part.name.upperBound)]
      }
      place += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text in this element before the first element in it, references replaced.
  package var leadingText: String {
    var result: [UInt8] = []
    var child = node.firstChild
    while child >= 0, tree.nodes[Int(child)].kind != .element {
      append(tree.nodes[Int(child)].name, to: &result, inAttribute: false)
      child = tree.nodes[Int(child)].next
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// What is between the tags, as it is written.
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

  private func decoded(_ range: Range<UInt32>, inAttribute: Bool) -> String {
    var result: [UInt8] = []
    append(range, to: &result, inAttribute: inAttribute)
    return String(decoding: result, as: UTF8.self)
  }

  private func append(_ range: Range<UInt32>, to result: inout [UInt8], inAttribute: Bool) {
    tree.bytes.withUnsafeBufferPointer { bytes in
      UnsafeBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        .appendDecoded(to: &result, inAttribute: inAttribute)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Appends a text with its character references replaced.
  fileprivate func appendDecoded(to result: inout [UInt8], inAttribute: Bool) {
    var index = 0
    while index < count {
      let next = firstIndex(of: UInt8(ascii: "&"), from: index)
      result.append(contentsOf: self[index..<next])
      guard next < count else { return }
      if let match = CharacterReferences.read(self, at: next, inAttribute: inAttribute) {
        result.append(codePoint: match.first)
        if match.second != 0 { result.append(codePoint: match.second) }
        index = next + match.length
      } else {
        result.append(UInt8(ascii: "&"))
        index = next + 1
      }
    }
  }
}

extension String {
  /// A text of HTML without references, tags being left as they are.
  package var withoutCharacterReferences: String {
    guard utf8.contains(UInt8(ascii: "&")) else { return self }
    var result: [UInt8] = []
    Array(utf8).withUnsafeBufferPointer { $0.appendDecoded(to: &result, inAttribute: false) }
    return String(decoding: result, as: UTF8.self)
  }
}
