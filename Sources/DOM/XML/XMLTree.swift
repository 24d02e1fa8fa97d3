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
    var parent: OptionalIndex
    var nextSibling: OptionalIndex = nil
    var firstChild: OptionalIndex = nil
    var lastChild: OptionalIndex = nil
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
