import DOM

// Listings of code with the numbers of their lines, as highlighters write them. The numbers are no code: they
// stand in a cell beside it, in a box before it, or at the beginning of each line.

extension DocumentBuilder {
  /// The cell with nothing but numbers of lines in a table of one row that has code beside it, or nil.
  func numbersCell(ofTable table: Int32) -> Int32? {
    guard tree.nodes[Int(table)].contents.isSuperset(of: [.block, .text]) else { return nil }
    var row = table
    for _ in 0..<3 where tree.nodes[Int(row)].name != .tr {
      guard let part = firstElement(from: tree.nodes[Int(row)].firstChild),
        [.tbody, .tr].contains(tree.nodes[Int(part)].name),
        firstElement(from: tree.nodes[Int(part)].nextSibling) == nil
      else { return nil }
      row = part
    }
    guard tree.nodes[Int(row)].name == .tr,
      let numbers = firstElement(from: tree.nodes[Int(row)].firstChild),
      let code = firstElement(from: tree.nodes[Int(numbers)].nextSibling),
      firstElement(from: tree.nodes[Int(code)].nextSibling) == nil,
      beginsWithPreformatted(code), holdsLineNumbers(numbers), !holdsLineNumbers(code)
    else { return nil }
    return numbers
  }

  /// Whether a table has a line of code in each row, with or without its number before it.
  func isListing(_ table: Int32) -> Bool {
    guard tree.nodes[Int(table)].contents.contains(.text) else { return false }
    var node = tree.next(table, in: table)
    for _ in 0..<16 where node >= 0 {
      let name = tree.nodes[Int(node)].name
      if name == .td, isCodeCell(node) { return true }
      node = name == .td ? tree.following(node, in: table) : tree.next(node, in: table)
    }
    return false
  }

  private func isCodeCell(_ node: Int32) -> Bool {
    tree.value(.class, of: node, contains: "blob-code")
      || tree.value(.class, of: node, contains: "hljs-ln-code")
  }

  /// Begins a row or a cell of a listing. False when it is not shown.
  mutating func enterListingPart(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .td, .th:
      guard isCodeCell(node) else { return false }
      keepsWhiteSpace = true
      pendingSpace = false
    default:
      keepsWhiteSpace = false
      pendingSpace = false
      breakPreformattedLine()
    }
    return true
  }

  /// Whether an element that begins on a line of its own has nothing but the numbers of the lines of code
  /// that follows it.
  mutating func isColumnOfNumbers(_ node: Int32) -> Bool {
    let end = tree.nodes[Int(node)].nextSibling
    // What was found not to be one may hold others, which are not looked through again.
    guard end >= 0, !(node..<max(node, end)).contains(noNumbers), beginsWithDigit(node),
      namesLineNumbers(node) || tree.value(.class, of: node, contains: "gutter"),
      let next = firstElement(from: tree.nodes[Int(node)].nextSibling)
    else { return false }
    guard beginsWithPreformatted(next) else { return false }
    guard let other = otherThanLineNumbers(node) else { return true }
    noNumbers = other
    return false
  }

  /// Whether an element inside a line of code is the number of that line.
  func isLineNumber(_ node: Int32) -> Bool {
    guard leafKind == .preformatted, leafRun < 0 || document.text.last == 0x0A,
      namesLineNumbers(node)
    else { return false }
    return otherThanLineNumbers(node, nodes: 8) == nil
  }

  /// Whether the class of an element is one that highlighters give to numbers of lines.
  private func namesLineNumbers(_ node: Int32) -> Bool {
    guard let range = tree.attribute(.class, of: node) else { return false }
    return tree.bytes.contains("lineno", in: range) || tree.bytes.contains("linenum", in: range)
      || tree.bytes.contains("line-num", in: range)
      || ["ln", "lnt"].contains { tree.bytes[range].elementsEqual($0.utf8) }
  }

  /// Whether the first text in an element begins with a digit.
  private func beginsWithDigit(_ root: Int32) -> Bool {
    var node = tree.next(root, in: root)
    for _ in 0..<8 where node >= 0 {
      let own = tree.nodes[Int(node)]
      if own.name == .characters,
        let byte = tree.bytes[Int(own.start)..<Int(own.end)].first(where: { !$0.isWhiteSpace })
      {
        return byte.isDigit
      }
      node = tree.next(node, in: root)
    }
    return false
  }

  /// The first element among a node and its siblings with nothing but white space before it.
  private func firstElement(from node: Int32) -> Int32? {
    var node = node
    while node >= 0 {
      let own = tree.nodes[Int(node)]
      guard own.name == .characters || own.name == .colgroup else { return node }
      if own.name == .characters,
        !tree.bytes[Int(own.start)..<Int(own.end)].allSatisfy(\.isWhiteSpace)
      {
        return nil
      }
      node = own.nextSibling
    }
    return nil
  }

  /// Whether preformatted text is an element, or stands near its beginning.
  private func beginsWithPreformatted(_ root: Int32) -> Bool {
    var node = root
    for _ in 0..<32 where node >= 0 {
      if tree.nodes[Int(node)].name == .pre { return true }
      node = tree.next(node, in: root)
    }
    return false
  }

  private func holdsLineNumbers(_ root: Int32) -> Bool { otherThanLineNumbers(root) == nil }

  /// The first node in an element, or the one after so many, that is not of whole numbers, each one more than
  /// that before it; the element when there are none; nil when it has nothing else.
  private func otherThanLineNumbers(_ root: Int32, nodes: Int = .max) -> Int32? {
    var (last, count) = (-1, 0)
    var node = tree.next(root, in: root)
    while node >= 0 {
      count += 1
      guard count <= nodes else { return node }
      let own = tree.nodes[Int(node)]
      switch own.name {
      case .characters:
        var number = -1
        for byte in tree.bytes[Int(own.start)..<Int(own.end)] {
          if byte.isDigit {
            number = max(number, 0) * 10 + Int(byte - 0x30)
            guard number < 10_000_000 else { return node }
          } else {
            guard byte.isWhiteSpace, number < 0 || last < 0 || number == last + 1 else {
              return node
            }
            if number >= 0 { (last, number) = (number, -1) }
          }
        }
        guard number < 0 || last < 0 || number == last + 1 else { return node }
        if number >= 0 { last = number }
      case .pre, .code, .span, .a, .div, .br: break
      default: return node
      }
      node = tree.next(node, in: root)
    }
    return last >= 0 ? nil : root
  }
}
