/// A page as a tree: an arena of nodes that refer to each other and to a single byte array by
/// index.
///
/// Node 0 is the root. Text is UTF-8 with character references decoded and white space preserved.
@usableFromInline
package struct DOMTree: Sendable {
  /// The nodes in parsing order, which differs from document order where misplaced table content
  /// was moved.
  @usableFromInline
  package var nodes: [Node] = []
  /// The attributes of all elements; those of an element are at `Node.start..<Node.end`.
  package var attributes: [Attribute] = []
  /// The text of all text nodes and attribute values in parsing order, and the structured data.
  package var bytes: [UInt8] = []
  /// The `lang` of the `body` or `html` element, or the language declared elsewhere in the page.
  package var language: [UInt8] = []
  /// The `dir` of the `body` or `html` element.
  package var direction: [UInt8] = []
  /// The elements `html` and `body`; nil if they have no attributes.
  var rootElements: RootElements?
  /// Whether the page had a `script` element; the tree contains none.
  package var hasScripts = false
  /// The delimiters by which scripts of the page, such as MathJax, find formulas in its text.
  package var formulaDelimiters: FormulaDelimiters = []
  /// The rules of all `style` elements, concatenated.
  package var styleSheet: [UInt8] = []
  /// The style sheets in shadow trees and frames, which apply only within them.
  var shadowSheets: [ShadowStyleSheet] = []
  /// For each element in a shadow tree or a frame, the node index of the shadow host or the frame
  /// element.
  var shadowHosts: [Int32: Int32] = [:]
  /// The form of each control that belongs to a form around which its element was already closed
  /// (HTML standard §13.2.4.4, "form element pointer").
  package var formOwners: [Int32: Int32] = [:]
  /// The structured data of the page, in document order.
  package var structuredData: [StructuredData] = []

  package init() {}

  /// A node of the tree: an element or a text.
  @usableFromInline
  package struct Node: Sendable {
    /// The element name, or `characters` for text.
    package var name: ElementName
    /// Kinds of content among the descendants.
    package var contents: Contents = []
    /// The indices of other nodes; -1 for nil, because an `Int32?` takes 64 bits.
    @usableFromInline
    var links:
      (
        parent: Int32, firstChild: Int32, lastChild: Int32, nextSibling: Int32,
        previousSibling: Int32
      ) = (-1, -1, -1, -1, -1)
    /// The start of a text in `bytes`, or of an element's attributes in `attributes`.
    package var start: UInt32
    /// The end of the text or of the attributes.
    package var end: UInt32

    package init(name: ElementName, contents: Contents = [], start: UInt32, end: UInt32) {
      self.name = name
      self.contents = contents
      self.start = start
      self.end = end
    }

    /// The index of the parent; nil for the root and for a detached node.
    @inlinable
    package var parent: Int32? {
      get { links.parent < 0 ? nil : links.parent }
      set { links.parent = newValue ?? -1 }
    }

    /// The index of the first child.
    @inlinable
    package var firstChild: Int32? {
      get { links.firstChild < 0 ? nil : links.firstChild }
      set { links.firstChild = newValue ?? -1 }
    }

    /// The index of the last child.
    @inlinable
    package var lastChild: Int32? {
      get { links.lastChild < 0 ? nil : links.lastChild }
      set { links.lastChild = newValue ?? -1 }
    }

    /// The index of the next sibling.
    @inlinable
    package var nextSibling: Int32? {
      get { links.nextSibling < 0 ? nil : links.nextSibling }
      set { links.nextSibling = newValue ?? -1 }
    }

    /// The index of the previous sibling.
    @inlinable
    package var previousSibling: Int32? {
      get { links.previousSibling < 0 ? nil : links.previousSibling }
      set { links.previousSibling = newValue ?? -1 }
    }
  }

  /// Kinds of content in a subtree, kept up to date so that queries need no traversal.
  package struct Contents: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// An element that begins on its own line.
    package static let block = Contents(rawValue: 1 << 0)
    /// A table.
    package static let table = Contents(rawValue: 1 << 1)
    /// Text other than white space.
    package static let text = Contents(rawValue: 1 << 2)
    /// An image.
    package static let image = Contents(rawValue: 1 << 3)
  }

  /// The unmodified and unchecked contents of a `script` element that is or may contain JSON: a
  /// range of `bytes`.
  package struct StructuredData: Sendable {
    package var kind: Kind
    /// The start in `bytes`.
    package var start: UInt32
    /// The end in `bytes`.
    package var end: UInt32

    /// The kind of a script.
    package enum Kind: Sendable, Equatable {
      /// `application/ld+json`: a description of the page (JSON-LD, usually with schema.org
      /// vocabulary).
      case linkedData
      /// Any other JSON, such as the state of the page's own scripts.
      case state
      /// A program, which may begin with its initial state.
      case program
    }

    /// The range in `bytes`.
    package var range: Range<Int> { Int(start)..<Int(end) }
  }

  /// A name and the range of its value in `bytes`.
  package struct Attribute: Sendable {
    package var name: AttributeName
    package var start: UInt32
    package var end: UInt32

    package init(name: AttributeName, start: UInt32, end: UInt32) {
      self.name = name
      self.start = start
      self.end = end
    }
  }

  /// Returns the range in `bytes` of an attribute's value; nil if the element does not have it, and
  /// for text.
  package func attribute(_ name: AttributeName, of node: Int32) -> Range<Int>? {
    let element = nodes[Int(node)]
    guard element.name != .characters else { return nil }
    for index in Int(element.start)..<Int(element.end) where attributes[index].name == name {
      return Int(attributes[index].start)..<Int(attributes[index].end)
    }
    return nil
  }

  package func hasAttribute(_ name: AttributeName, _ node: Int32) -> Bool {
    attribute(name, of: node) != nil
  }

  /// Returns the value of an attribute; nil if the node does not have it.
  package func string(_ name: AttributeName, of node: Int32) -> String? {
    attribute(name, of: node).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// Returns the integer at the start of an attribute's value; nil if the node does not have the
  /// attribute, or if there is no integer or one beyond 32 bits.
  package func attributeInteger(_ name: AttributeName, of node: Int32) -> Int? {
    guard let range = attribute(name, of: node) else { return nil }
    var index = range.lowerBound
    while index < range.upperBound, bytes[index].isWhiteSpace { index += 1 }
    var isNegative = false
    if index < range.upperBound,
      bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")
    {
      isNegative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    var value = 0
    let first = index
    while index < range.upperBound, case 0x30...0x39 = bytes[index] {
      value = value * 10 + Int(bytes[index] - 0x30)
      // An overflow makes the number invalid instead of truncating it.
      guard value <= Int32.max else { return nil }
      index += 1
    }
    return index == first ? nil : isNegative ? -value : value
  }

  /// Whether the value of an attribute contains a word, regardless of case.
  package func value(_ name: AttributeName, of node: Int32, contains word: StaticString) -> Bool {
    guard let range = attribute(name, of: node) else { return false }
    return bytes.contains(word, in: range)
  }

  /// Whether the value of an attribute contains any word of a matcher.
  package func value(
    _ name: AttributeName, of node: Int32, matches matcher: WordMatcher
  ) -> Bool {
    guard let range = attribute(name, of: node) else { return false }
    return bytes.withUnsafeBufferPointer { matcher.match($0, in: range) } != 0
  }

  /// Whether any of the words in the value of an attribute, separated by white space, is one of the
  /// given words.
  package func value(
    _ name: AttributeName, of node: Int32, hasWordAmong words: [StaticString]
  ) -> Bool {
    guard let range = attribute(name, of: node) else { return false }
    return bytes[range].split(whereSeparator: \.isWhiteSpace).contains { word in
      words.contains {
        word.elementsEqual(UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount))
      }
    }
  }

  /// Returns the node after `node` in document order that is not its descendant, within `root`.
  @usableFromInline
  package func nodeAfterSubtree(_ node: Int32, in root: Int32) -> Int32? {
    var node = node
    while node != root {
      if let next = nodes[Int(node)].nextSibling { return next }
      guard let parent = nodes[Int(node)].parent else { return nil }
      node = parent
    }
    return nil
  }

  /// Returns the node after `node` in document order within `root`.
  @inlinable
  package func nodeAfter(_ node: Int32, in root: Int32) -> Int32? {
    nodes[Int(node)].firstChild ?? nodeAfterSubtree(node, in: root)
  }
}

extension [UInt8] {
  /// Whether a range contains an ASCII word, regardless of case.
  package func contains(_ word: StaticString, in range: Range<Int>) -> Bool {
    let count = word.utf8CodeUnitCount
    guard range.count >= count, count > 0 else { return false }
    let first = word.utf8Start[0]
    return withUnsafeBufferPointer { bytes in
      var index = range.lowerBound
      let last = range.upperBound - count
      while index <= last {
        if bytes[index] | 0x20 == first | 0x20 {
          var matched = 1
          while matched < count,
            bytes[index + matched].lowercased == word.utf8Start[matched].lowercased
          {
            matched += 1
          }
          if matched == count { return true }
        }
        index += 1
      }
      return false
    }
  }
}

extension UInt8 {
  /// Whether the byte is HTML white space: tab, line feed, form feed, carriage return or space.
  @inlinable
  package var isWhiteSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
  }

  /// Whether the byte is an ASCII letter.
  @inlinable
  package var isLetter: Bool {
    let folded = self | 0x20
    return folded >= 0x61 && folded <= 0x7A
  }

  /// The byte with ASCII capitals converted to lower case.
  @inlinable
  package var lowercased: UInt8 {
    self >= 0x41 && self <= 0x5A ? self | 0x20 : self
  }
}
