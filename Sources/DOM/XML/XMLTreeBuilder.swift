/// Builds the nodes of an `XMLTree`.
struct XMLTreeBuilder {
  var nodes: [XMLTree.Node] = []
  var attributes: [XMLTree.Attribute] = []
  /// The stack of open elements; the first is the root.
  private var openElements: [(node: Int32, name: UInt64)] = []
  /// The number of open elements by name.
  private var openCounts: [UInt64: Int] = [:]
  /// Characters that do not occur in the rest of the text, which are not searched for again.
  private var absentBytes: Set<UInt8> = []
  private let maxNodes: Int
  /// The hashes of the names of elements that are never nested.
  private let unnestableNames: Set<UInt64>
  /// The number of open elements whose names are in `unnestableNames`.
  private var openUnnestableCount = 0
  /// Whether the text was not parsed completely.
  private(set) var isTruncated = false

  init(maxNodes: Int, unnestableNames: [StaticString]) {
    self.maxNodes = maxNodes
    self.unnestableNames = Set(
      unnestableNames.map { name in name.withUTF8Buffer { Self.hash($0, $0.indices) } })
  }

  /// The delimiter that begins a CDATA section.
  private static let cdataStart: StaticString = "<![CDATA["

  /// Parses a whole text.
  mutating func parse(_ input: UnsafeBufferPointer<UInt8>) {
    nodes.append(XMLTree.Node(nameOrTextRange: 0..<0, kind: .element, parent: nil))
    nodes[0].content = 0..<UInt32(input.count)
    openElements.append((0, 0))
    var index = 0
    // The start of text that has not been added yet.
    var textStart = 0
    while index < input.count {
      guard nodes.count < maxNodes else {
        isTruncated = true
        while openElements.count > 1 { closeElement(at: index) }
        return
      }
      let marker = input.firstIndex(of: UInt8(ascii: "<"), from: index)
      guard marker + 1 < input.count else { break }
      guard let end = parseMarkup(input, at: marker, textStart: textStart) else {
        index = marker + 1
        continue
      }
      index = end
      textStart = end
    }
    addText(textStart..<input.count, .text)
    while openElements.count > 1 { closeElement(at: input.count) }
  }

  /// Parses the markup that begins with the `<` at an index.
  /// - Returns: The index after it; nil if the `<` is text.
  private mutating func parseMarkup(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, textStart: Int
  ) -> Int? {
    switch input[start + 1] {
    case UInt8(ascii: "/"):
      guard start + 2 < input.count, input[start + 2].canStartXMLName else { return nil }
      addText(textStart..<start, .text)
      return parseEndTag(input, at: start)
    case UInt8(ascii: "!"):
      if input.hasPrefix(Self.cdataStart, at: start) {
        addText(textStart..<start, .text)
        let end = Self.find("]]>", input, from: start + 9) ?? input.count
        addText(start + 9..<end, .cdata)
        return min(input.count, end + 3)
      }
      addText(textStart..<start, .text)
      if input.hasPrefix("<!--", at: start) {
        return Self.find("-->", input, from: start + 4).map { $0 + 3 } ?? input.count
      }
      return endOfDeclaration(input, from: start + 2)
    case UInt8(ascii: "?"):
      addText(textStart..<start, .text)
      return min(input.count, input.firstIndex(of: UInt8(ascii: ">"), from: start) + 1)
    case let byte where byte.canStartXMLName:
      return parseStartTag(input, at: start, textStart: textStart)
    default: return nil
    }
  }

  private mutating func parseStartTag(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, textStart: Int
  ) -> Int? {
    let nameEnd = Self.endOfName(input, from: start + 1)
    let first = attributes.count
    guard let tag = parseAttributes(input, from: nameEnd) else {
      // A tag that is truncated at the end of the text.
      attributes.removeSubrange(first...)
      addText(textStart..<start, .text)
      return input.count
    }
    addText(textStart..<start, .text)
    let name = Self.hash(input, start + 1..<nameEnd)
    if unnestableNames.contains(name) {
      while openUnnestableCount > 0 { closeElement(at: start) }
    }
    let node = appendNode(.element, start + 1..<nameEnd)
    nodes[Int(node)].attributes = Int32(first)..<Int32(attributes.count)
    nodes[Int(node)].content = UInt32(tag.end)..<UInt32(tag.end)
    if !tag.isEmpty {
      openElements.append((node, name))
      if unnestableNames.contains(name) { openUnnestableCount += 1 }
      openCounts[name, default: 0] += 1
    }
    return tag.end
  }

  private mutating func parseEndTag(_ input: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
    let nameEnd = Self.endOfName(input, from: start + 2)
    let name = Self.hash(input, start + 2..<nameEnd)
    if openCounts[name, default: 0] > 0 {
      var last: UInt64
      repeat {
        last = openElements[openElements.count - 1].name
        closeElement(at: start)
      } while last != name
    } else if openElements.count > 1, nodes[Int(openElements[openElements.count - 1].node)].isLeaf,
      ElementName.named(UnsafeBufferPointer(rebasing: input[start + 2..<nameEnd])) == .other
    {
      // A misspelled end tag (`<title>x</titel>`), as opposed to unescaped HTML markup.
      closeElement(at: start)
    }
    return min(input.count, input.firstIndex(of: UInt8(ascii: ">"), from: nameEnd) + 1)
  }

  private mutating func closeElement(at end: Int) {
    let element = openElements.removeLast()
    openCounts[element.name, default: 1] -= 1
    if unnestableNames.contains(element.name) { openUnnestableCount -= 1 }
    let start = nodes[Int(element.node)].content.lowerBound
    nodes[Int(element.node)].content = start..<max(start, UInt32(end))
  }

  private mutating func addText(_ range: Range<Int>, _ kind: XMLTree.Node.Kind) {
    if !range.isEmpty { appendNode(kind, range) }
  }

  @discardableResult
  private mutating func appendNode(_ kind: XMLTree.Node.Kind, _ range: Range<Int>) -> Int32 {
    let parent = openElements[openElements.count - 1].node
    let node = Int32(nodes.count)
    nodes.append(
      XMLTree.Node(
        nameOrTextRange: UInt32(range.lowerBound)..<UInt32(range.upperBound), kind: kind,
        parent: OptionalIndex(parent)))
    if let previous = nodes[Int(parent)].lastChild.value {
      nodes[previous].nextSibling = OptionalIndex(node)
    } else {
      nodes[Int(parent)].firstChild = OptionalIndex(node)
    }
    nodes[Int(parent)].lastChild = OptionalIndex(node)
    return node
  }

  /// Parses the attributes of a start tag.
  /// - Returns: The index after the `>`, and whether a `/` precedes it; nil at the end of the text.
  private mutating func parseAttributes(
    _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (end: Int, isEmpty: Bool)? {
    var index = start
    while true {
      while index < input.count, input[index].isWhiteSpace { index += 1 }
      guard index < input.count else { return nil }
      switch input[index] {
      case UInt8(ascii: ">"):
        return (index + 1, input[index - 1] == UInt8(ascii: "/"))
      case UInt8(ascii: "<"):
        // The next tag begins before this one is closed.
        return (index, false)
      case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"):
        index += 1
        continue
      default: break
      }
      let nameStart = index
      index = Self.endOfName(input, from: index)
      if index == nameStart { index += 1 }
      let name = nameStart..<index
      while index < input.count, input[index].isWhiteSpace { index += 1 }
      guard index < input.count, input[index] == UInt8(ascii: "=") else { continue }
      index += 1
      while index < input.count, input[index].isWhiteSpace { index += 1 }
      guard index < input.count else { return nil }
      let (value, end) = parseValue(input, from: index)
      index = end
      attributes.append(
        XMLTree.Attribute(
          name: UInt32(name.lowerBound)..<UInt32(name.upperBound),
          value: UInt32(value.lowerBound)..<UInt32(value.upperBound)))
    }
  }

  /// Parses the value of an attribute, with or without quotation marks.
  private mutating func parseValue(
    _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (value: Range<Int>, end: Int) {
    var index = start
    let quote = input[index]
    var value = index..<index
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let end = endOfValue(quote, input, from: index + 1)
      value = index + 1..<end
      index = end < input.count && input[end] == quote ? end + 1 : end
    } else {
      while index < input.count, !input[index].isWhiteSpace, input[index] != UInt8(ascii: ">") {
        index += 1
      }
      value = value.lowerBound..<index
      // `<link href=x/>`
      if index < input.count, input[index] == UInt8(ascii: ">"),
        value.last.map({ input[$0] == UInt8(ascii: "/") }) == true
      {
        value = value.dropLast()
      }
    }
    return (value, index)
  }

  // MARK: Searching

  private static func endOfName(_ input: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < input.count, !input[index].endsXMLName { index += 1 }
    return index
  }

  private static func find(
    _ marker: StaticString, _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    var index = start
    while true {
      index = input.firstIndex(of: marker.utf8Start[0], from: index)
      guard index < input.count else { return nil }
      if input.hasPrefix(marker, at: index) { return index }
      index += 1
    }
  }

  /// Returns the end of a quoted value; without a closing quotation mark, the end of the tag.
  private mutating func endOfValue(
    _ quote: UInt8, _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    if !absentBytes.contains(quote) {
      let end = input.firstIndex(of: quote, from: start)
      if end < input.count { return end }
      absentBytes.insert(quote)
    }
    return input.firstIndex(of: UInt8(ascii: ">"), from: start)
  }

  /// Returns the index after a declaration (`<!DOCTYPE … [ … ]>`).
  private mutating func endOfDeclaration(
    _ input: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    let first = min(input.count, input.firstIndex(of: UInt8(ascii: ">"), from: start) + 1)
    let bracket = UInt8(ascii: "[")
    guard input[start..<first].contains(bracket), !absentBytes.contains(bracket) else {
      return first
    }
    var depth = 0
    for index in start..<input.count {
      switch input[index] {
      case bracket: depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return index + 1
      default: break
      }
    }
    // Without a closing bracket the declaration ends at its first `>`.
    absentBytes.insert(bracket)
    return first
  }

  /// Returns a hash that distinguishes names (FNV-1a), regardless of case.
  private static func hash(_ input: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in input[range] { hash = (hash ^ UInt64(byte.lowercased)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}

extension UInt8 {
  /// Whether the byte may begin a name: a letter, `_`, `:` or a non-ASCII byte.
  fileprivate var canStartXMLName: Bool { isLetter || self == 0x5F || self == 0x3A || self >= 0x80 }

  fileprivate var endsXMLName: Bool {
    isWhiteSpace || self == UInt8(ascii: "=") || self == UInt8(ascii: ">")
      || self == UInt8(ascii: "/") || self == UInt8(ascii: "<") || self == UInt8(ascii: "\"")
      || self == UInt8(ascii: "'")
  }
}
