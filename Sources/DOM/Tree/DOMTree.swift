/// A page as a tree: an arena of nodes that refer to each other and to one byte array by index.
///
/// Node 0 is the root. Text is UTF-8 with entities decoded and white space as the page has it.
package struct DOMTree: Sendable {
  /// The nodes, in the order of parsing; misplaced parts of tables stand elsewhere in the tree.
  package var nodes: [Node] = []
  /// Attributes of all elements; `Node.start..<Node.end` of an element.
  package var attributes: [Attribute] = []
  /// The text of all text nodes and attribute values, in the order of parsing, and the data that
  /// the page has for programs.
  package var bytes: [UInt8] = []
  /// The `lang` of the body or of the html element, or what the page says elsewhere of its language.
  package var language: [UInt8] = []
  /// The `dir` of the body, or of the html element.
  package var direction: [UInt8] = []
  /// Whether there was a `script` element; none is in the tree.
  package var hasScripts = false
  /// Between which signs programs of the page look for formulas in its text.
  package var formulaDelimiters: FormulaDelimiters = []
  /// The rules of all `style` elements, one after the other.
  package var styleSheet: [UInt8] = []
  /// What the page says in JSON for programs, in its order; see `StructuredData`.
  package var structuredData: [StructuredData] = []

  package init() {}

  /// An element or a piece of text.
  package struct Node: Sendable {
    /// What it is: an element or `characters`.
    package var name: ElementName
    /// What is known of its descendants.
    package var contents: Contents = []
    /// Index of the parent, -1 for the root.
    package var parent: Int32 = -1
    /// Index of the first child, or -1.
    package var firstChild: Int32 = -1
    /// Index of the last child, or -1.
    package var lastChild: Int32 = -1
    /// Index of the next sibling, or -1.
    package var nextSibling: Int32 = -1
    /// Index of the sibling before, or -1.
    package var previousSibling: Int32 = -1
    /// Of text: first byte in `bytes`; of an element: first of its `attributes`.
    package var start: UInt32
    /// Past the last one.
    package var end: UInt32

    package init(
      name: ElementName, contents: Contents = [], parent: Int32 = -1, firstChild: Int32 = -1,
      lastChild: Int32 = -1, nextSibling: Int32 = -1, previousSibling: Int32 = -1, start: UInt32,
      end: UInt32
    ) {
      self.name = name
      self.contents = contents
      self.parent = parent
      self.firstChild = firstChild
      self.lastChild = lastChild
      self.nextSibling = nextSibling
      self.previousSibling = previousSibling
      self.start = start
      self.end = end
    }
  }

  /// What a subtree holds, so that no question needs a walk.
  package struct Contents: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// An element that begins on its own line.
    package static let block = Contents(rawValue: 1 << 0)
    /// A table below.
    package static let table = Contents(rawValue: 1 << 1)
    /// Text other than white space.
    package static let text = Contents(rawValue: 1 << 2)
    /// An image.
    package static let image = Contents(rawValue: 1 << 3)
  }

  /// The contents of a `script` element that holds JSON, or may: a range of `bytes`, as the page has
  /// it, which nobody has checked.
  package struct StructuredData: Sendable {
    package var kind: Kind
    /// First byte in `bytes`.
    package var start: UInt32
    /// Past the last one.
    package var end: UInt32

    /// What a script is for.
    package enum Kind: Sendable, Equatable {
      /// `application/ld+json`: a description of the page (JSON-LD, mostly of schema.org).
      case linkedData
      /// Any other JSON: the state of the page's own scripts.
      case state
      /// A program, which may begin with its state.
      case program
    }

    /// Where the JSON stands in `bytes`.
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

  /// Where in `bytes` the value of an attribute stands, or nil when the element has none. Text has
  /// none either.
  package func attribute(_ name: AttributeName, of node: Int32) -> Range<Int>? {
    let element = nodes[Int(node)]
    guard element.name != .characters else { return nil }
    for index in Int(element.start)..<Int(element.end) where attributes[index].name == name {
      return Int(attributes[index].start)..<Int(attributes[index].end)
    }
    return nil
  }

  /// Whether the element has an attribute.
  package func has(_ name: AttributeName, _ node: Int32) -> Bool {
    attribute(name, of: node) != nil
  }

  /// The value of an attribute as the page has it, or nil.
  package func string(_ name: AttributeName, of node: Int32) -> String? {
    attribute(name, of: node).map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// The number an attribute begins with, or nil.
  package func number(_ name: AttributeName, of node: Int32) -> Int? {
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
      // Not a shorter number, but none.
      guard value <= Int32.max else { return nil }
      index += 1
    }
    return index == first ? nil : isNegative ? -value : value
  }

  /// Whether the value of an attribute contains a word, in any case.
  package func value(_ name: AttributeName, of node: Int32, contains word: StaticString) -> Bool {
    guard let range = attribute(name, of: node) else { return false }
    return bytes.contains(word, in: range)
  }

  /// The node after `node` in document order that is not below it, within `root`; or -1.
  package func following(_ node: Int32, in root: Int32) -> Int32 {
    var node = node
    while node != root, node >= 0 {
      let next = nodes[Int(node)].nextSibling
      if next >= 0 { return next }
      node = nodes[Int(node)].parent
    }
    return -1
  }

  /// The node after `node` in document order within `root`, or -1.
  package func next(_ node: Int32, in root: Int32) -> Int32 {
    let child = nodes[Int(node)].firstChild
    return child >= 0 ? child : following(node, in: root)
  }
}

extension [UInt8] {
  /// Whether an ASCII word stands in a range, in any case.
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
  /// HTML's white space: tab, line feed, form feed, carriage return, space.
  @inlinable
  package var isWhiteSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C
  }

  /// An ASCII letter.
  @inlinable
  package var isLetter: Bool {
    let folded = self | 0x20
    return folded >= 0x61 && folded <= 0x7A
  }

  /// The ASCII letter in lower case, other bytes as they are.
  @inlinable
  package var lowercased: UInt8 {
    self >= 0x41 && self <= 0x5A ? self | 0x20 : self
  }
}
