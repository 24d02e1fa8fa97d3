import DOM

// Code listings with line numbers, as highlighters generate them. The numbers are not part of the
// code: they are in a cell beside it, in a box before it, or at the start of each line.

extension DocumentBuilder {
  /// Returns the cell that contains only line numbers in a table with a single row and code in its
  /// other cell; nil for other tables.
  func lineNumberCell(ofTable table: Int32) -> Int32? {
    guard tree.nodes[Int(table)].contents.isSuperset(of: [.block, .text]) else { return nil }
    var row = table
    for _ in 0..<3 where tree.nodes[Int(row)].name != .tr {
      guard let part = tree.firstElement(from: tree.nodes[Int(row)].firstChild),
        [.tbody, .tr].contains(tree.nodes[Int(part)].name),
        tree.firstElement(from: tree.nodes[Int(part)].nextSibling) == nil
      else { return nil }
      row = part
    }
    guard tree.nodes[Int(row)].name == .tr,
      let numbers = tree.firstElement(from: tree.nodes[Int(row)].firstChild),
      let code = tree.firstElement(from: tree.nodes[Int(numbers)].nextSibling),
      tree.firstElement(from: tree.nodes[Int(code)].nextSibling) == nil,
      tree.value(.class, of: code, contains: "code")
        && (tree.hasLineNumberClass(numbers) || tree.value(.class, of: numbers, contains: "gutter"))
        || beginsWithPreformatted(code),
      tree.containsOnlyLineNumbers(numbers), !tree.containsOnlyLineNumbers(code)
    else { return nil }
    return numbers
  }

  /// Enters a row or cell of a listing. Returns false if it is not shown.
  mutating func enterListingPart(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .td, .th:
      guard tree.isCodeCell(node) else { return false }
      inherited.keepsWhiteSpace = true
      leaf.dropPendingSpace()
    default:
      inherited.keepsWhiteSpace = false
      leaf.dropPendingSpace()
      breakPreformattedLine()
    }
    return true
  }

  // MARK: Lines that are blocks

  /// Begins code whose lines are blocks, or a line of it. Returns false for other elements.
  mutating func beginCodeLines(_ node: Int32) -> Bool {
    if inherited.leafKind == .preformatted, !inherited.keepsWhiteSpace {
      leaf.dropPendingSpace()
      breakPreformattedLine()
      inherited.keepsWhiteSpace = tree.innermostBlock(ofLine: node) != nil
      return true
    }
    guard inherited.leafKind == .paragraph,
      tree.nodes[Int(node)].contents.isSuperset(of: [.block, .text]), holdsCodeLines(node)
    else { return false }
    beginPreformatted(node)
    // White space between the lines is not shown.
    inherited.keepsWhiteSpace = false
    inherited.whiteSpace = .collapse
    return true
  }

  /// Returns whether the children of an element are lines of code: blocks of one line that keep
  /// white space, by their styles or by their class. At least one of them is indented.
  private func holdsCodeLines(_ node: Int32) -> Bool {
    guard inherited.leafKind == .paragraph,
      tree.nodes[Int(node)].contents.isSuperset(of: [.block, .text])
    else { return false }
    var lines = (count: 0, isAnyIndented: false)
    return countCodeLines(of: node, &lines) && lines.count > 1 && lines.isAnyIndented
  }

  /// Counts the lines of code among the children of an element. Returns false if it has others.
  private func countCodeLines(
    of node: Int32, _ lines: inout (count: Int, isAnyIndented: Bool), depth: Int = 0
  ) -> Bool {
    // Parsed once, because both the style and the lines may be long.
    lazy var ownWhiteSpace = whiteSpace(of: node) ?? inherited.whiteSpace
    var next = tree.nodes[Int(node)].firstChild
    while let child = next {
      if tree.isBlank(child) || tree.isCodeTooltip(child) {
        // Not a line.
      } else if let line = tree.innermostBlock(ofLine: child) {
        guard
          tree.hasLineClass(child)
            || keepsSpaces(whiteSpace(of: line) ?? whiteSpace(of: child) ?? ownWhiteSpace),
          let indentation = tree.indentation(ofLine: line)
        else { return false }
        lines.count += 1
        lines.isAnyIndented = lines.isAnyIndented || indentation > 1
      } else {
        // Lines that scripts of doxygen fold.
        guard depth < 16, tree.value(.class, of: child, contains: "foldopen"),
          countCodeLines(of: child, &lines, depth: depth + 1)
        else { return false }
      }
      next = tree.nodes[Int(child)].nextSibling
    }
    return true
  }

  private func keepsSpaces(_ whiteSpace: TextStyleDeclarations.WhiteSpace) -> Bool {
    whiteSpace == .pre || whiteSpace == .preWrap
  }

  private func whiteSpace(of node: Int32) -> TextStyleDeclarations.WhiteSpace? {
    if let style = tree.attribute(.style, of: node), tree.bytes.contains("white-space", in: style),
      let declared = tree.inlineTextStyle(style).whiteSpace
    {
      return declared
    }
    return hiding.style(of: node)?.whiteSpace
  }

  // MARK: Lines that are list items

  /// Begins a numbered list in preformatted text whose items are the lines of a listing, as
  /// highlighters write them for line numbers. Returns false for other lists.
  mutating func beginListOfLines(_ list: Int32) -> Bool {
    guard inherited.leafKind == .preformatted, !leaf.isOpen, tree.itemsAreLines(list) else {
      return false
    }
    // White space between the items is not shown.
    inherited.keepsWhiteSpace = false
    inherited.whiteSpace = .collapse
    return true
  }

  /// Begins an item that is a line of a listing. Returns false for other items.
  mutating func beginListedLine(_ item: Int32) -> Bool {
    guard inherited.leafKind == .preformatted, !inherited.keepsWhiteSpace,
      let list = tree.nodes[Int(item)].parent, tree.nodes[Int(list)].name == .ol
    else { return false }
    leaf.dropPendingSpace()
    breakPreformattedLine()
    inherited.keepsWhiteSpace = true
    return true
  }

  /// Ends an item that is a line of a listing, and keeps an empty line.
  mutating func endListedLine(_ frame: ElementState) {
    guard leaf.isOpen, leaf.textEnd == frame.textStart || leaf.text.last != 0x0A else { return }
    addSafeBytes([0x0A])
  }

  // MARK: Line numbers

  /// Returns whether a block or list contains only the line numbers of the code beside it, or of a
  /// line of code.
  mutating func isLineNumberColumn(_ node: Int32) -> Bool {
    if isLineNumber(node) { return true }
    guard tree.beginsWithDigit(node),
      tree.hasLineNumberClass(node) || tree.value(.class, of: node, contains: "gutter"),
      isBesidePreformatted(node)
    else { return false }
    // An element in which something else was found may contain other candidates, which need not be
    // searched again.
    let end = tree.nodeAfterSubtree(node, in: 0) ?? Int32(tree.nodes.count)
    guard !tables.hasOtherThanNumber(in: node..<max(node, end)) else { return false }
    guard let other = tree.firstNodeOtherThanLineNumbers(node) else { return true }
    tables.recordOtherThanNumber(other)
    return false
  }

  /// Returns whether preformatted text follows an element directly, or precedes it if its first
  /// number is 1.
  private func isBesidePreformatted(_ node: Int32) -> Bool {
    let domNode = tree.nodes[Int(node)]
    if let next = tree.firstElement(from: domNode.nextSibling), beginsWithPreformatted(next) {
      return true
    }
    var before = domNode.previousSibling
    while let node = before, tree.isBlank(node) { before = tree.nodes[Int(node)].previousSibling }
    guard let before else { return false }
    let name = tree.nodes[Int(before)].name
    return (name == .pre || name == .code && inherited.leafKind == .preformatted)
      && tree.firstWord(below: node)?.elementsEqual("1".utf8) == true
  }

  /// Returns whether an element in a line of code is its line number.
  @inline(__always)
  func isLineNumber(_ node: Int32) -> Bool {
    guard inherited.leafKind == .preformatted, !leaf.isOpen || leaf.text.last == 0x0A,
      tree.hasLineNumberClass(node)
    else { return false }
    return tree.firstNodeOtherThanLineNumbers(node, maxNodes: 8) == nil
  }

  /// Returns whether an element is, or begins with, preformatted text.
  private func beginsWithPreformatted(_ root: Int32) -> Bool {
    var next: Int32? = root
    for _ in 0..<32 {
      guard let node = next else { break }
      let name = tree.nodes[Int(node)].name
      if name == .pre || name == .div && holdsCodeLines(node) { return true }
      next = tree.nodeAfter(node, in: root)
    }
    return false
  }
}

extension DOMTree {
  /// Returns whether an element is the description of a name that doxygen adds after the code.
  func isCodeTooltip(_ node: Int32) -> Bool {
    attribute(.class, of: node).map { bytes[$0].elementsEqual("ttc".utf8) } ?? false
  }

  /// Returns whether an element outside code is a line, such as a verse, that the site shows as a
  /// line only by its style sheet. Such an element is followed by another one with such a class.
  func isLineOfText(_ node: Int32) -> Bool {
    guard nodes[Int(node)].contents.contains(.text),
      let next = firstElement(from: nodes[Int(node)].nextSibling),
      nodes[Int(next)].name == .span
    else { return false }
    return hasVerseClass(node) && hasVerseClass(next)
  }

  private func hasVerseClass(_ node: Int32) -> Bool {
    if hasLineClass(node) { return true }
    // A verse of the Bible, which begins with its number, is a part of a paragraph.
    guard let range = attribute(.class, of: node), bytes.contains("verse", in: range),
      !beginsWithDigit(node)
    else { return false }
    return bytes[range].split(whereSeparator: \.isWhiteSpace).contains {
      $0.elementsEqual("verse".utf8)
    }
  }

  /// Returns whether an element has a class such as `line` or `code-line`.
  fileprivate func hasLineClass(_ node: Int32) -> Bool {
    guard let range = attribute(.class, of: node), bytes.contains("line", in: range)
    else { return false }
    return bytes[range].split(whereSeparator: \.isWhiteSpace).contains { name in
      name.elementsEqual("line".utf8) || name.elementsEqual("ltx_listingline".utf8)
        || name.suffix(5).elementsEqual("-line".utf8)
          && !Self.classesWithinLine.contains { name.elementsEqual($0.utf8) }
    }
  }

  /// Classes that end like the class of a line, but name a part of a line.
  private static let classesWithinLine = ["in-line", "under-line", "over-line"]

  /// Returns whether the class of an element is one that highlighters use for line numbers.
  fileprivate func hasLineNumberClass(_ node: Int32) -> Bool {
    guard let range = attribute(.class, of: node) else { return false }
    return bytes.contains("lineno", in: range) || bytes.contains("linenum", in: range)
      || bytes.contains("line-num", in: range)
      || bytes.contains("crayon-num", in: range) || bytes.contains("numbering", in: range)
      || ["ln", "lnt"].contains { bytes[range].elementsEqual($0.utf8) }
  }

  /// Returns whether the first text in an element begins with a digit.
  fileprivate func beginsWithDigit(_ root: Int32) -> Bool {
    firstWord(below: root)?.first?.isDigit == true
  }

  /// Returns the first word of an element that is within its first eight nodes; nil if there is
  /// none.
  fileprivate func firstWord(below root: Int32) -> ArraySlice<UInt8>? {
    var next = nodeAfter(root, in: root)
    for _ in 0..<8 {
      guard let node = next else { break }
      let domNode = nodes[Int(node)]
      if domNode.name == .characters {
        let text = bytes[Int(domNode.start)..<Int(domNode.end)].drop(while: \.isWhiteSpace)
        if !text.isEmpty { return text.prefix { !$0.isWhiteSpace } }
      }
      next = nodeAfter(node, in: root)
    }
    return nil
  }

  /// Returns the first element among a node and its following siblings; nil if there is none, or if
  /// anything other than white space precedes it.
  fileprivate func firstElement(from node: Int32?) -> Int32? {
    var next = node
    while let node = next {
      let domNode = nodes[Int(node)]
      guard domNode.name == .characters || domNode.name == .colgroup else { return node }
      if domNode.name == .characters,
        !bytes[Int(domNode.start)..<Int(domNode.end)].allSatisfy(\.isWhiteSpace)
      {
        return nil
      }
      next = domNode.nextSibling
    }
    return nil
  }

  /// Searches an element for anything other than consecutive ascending whole numbers.
  /// - Parameters:
  ///   - root: The element.
  ///   - maxNodes: Maximum number of nodes to examine.
  /// - Returns: The first other node, or the first node beyond the maximum; the element if it has
  ///   no numbers; nil if it consists of numbers only.
  fileprivate func firstNodeOtherThanLineNumbers(_ root: Int32, maxNodes: Int = .max) -> Int32? {
    var (lastNumber, count) = (-1, 0)
    var next = nodeAfter(root, in: root)
    while let node = next {
      count += 1
      guard count <= maxNodes else { return node }
      let descendant = nodes[Int(node)]
      switch descendant.name {
      case .characters:
        var number = -1
        for byte in bytes[Int(descendant.start)..<Int(descendant.end)] {
          if byte.isDigit {
            number = max(number, 0) * 10 + Int(byte - 0x30)
            guard number < 10_000_000 else { return node }
          } else {
            guard byte.isWhiteSpace, number < 0 || lastNumber < 0 || number == lastNumber + 1 else {
              return node
            }
            if number >= 0 { (lastNumber, number) = (number, -1) }
          }
        }
        guard number < 0 || lastNumber < 0 || number == lastNumber + 1 else { return node }
        if number >= 0 { lastNumber = number }
      case .pre, .code, .span, .a, .div, .br, .li: break
      default: return node
      }
      next = nodeAfter(node, in: root)
    }
    return lastNumber >= 0 ? nil : root
  }

  fileprivate func isCodeCell(_ node: Int32) -> Bool {
    value(.class, of: node, contains: "blob-code")
      || value(.class, of: node, contains: "hljs-ln-code")
  }
}

extension DOMTree {
  /// Returns whether a table has a line of code in each row, optionally with its number before it.
  func isListing(_ table: Int32) -> Bool {
    guard nodes[Int(table)].contents.contains(.text) else { return false }
    var next = nodeAfter(table, in: table)
    for _ in 0..<16 {
      guard let node = next else { break }
      let name = nodes[Int(node)].name
      if name == .td, isCodeCell(node) { return true }
      next = name == .td ? nodeAfterSubtree(node, in: table) : nodeAfter(node, in: table)
    }
    return false
  }

  /// Returns the block that contains the text of a line: the element itself or its only child; nil
  /// if there are several blocks.
  fileprivate func innermostBlock(ofLine line: Int32) -> Int32? {
    var line = line
    for _ in 0..<3 {
      let domNode = nodes[Int(line)]
      guard domNode.name == .div else { return nil }
      guard domNode.contents.contains(.block) else { return line }
      guard let child = firstElement(from: domNode.firstChild),
        firstElement(from: nodes[Int(child)].nextSibling) == nil
      else { return nil }
      line = child
    }
    return nil
  }

  /// Returns the number of spaces, no-break spaces and tabs before the text of a block; 0 if it has
  /// no text, nil if its text does not begin on the first line.
  fileprivate func indentation(ofLine line: Int32) -> Int? {
    var (width, isBehindLine) = (0, false)
    var next = nodeAfter(line, in: line)
    while let node = next {
      let domNode = nodes[Int(node)]
      if domNode.name == .br { isBehindLine = true }
      if domNode.name == .characters {
        var text = bytes[Int(domNode.start)..<Int(domNode.end)]
        while let byte = text.first {
          let isNoBreakSpace = text.starts(with: [0xC2, 0xA0])
          guard byte.isWhiteSpace || isNoBreakSpace else { return isBehindLine ? nil : width }
          isBehindLine = isBehindLine || byte == 0x0A
          width += byte == 0x09 ? 8 : 1
          text = text.dropFirst(isNoBreakSpace ? 2 : 1)
        }
      }
      next = nodeAfter(node, in: line)
    }
    return 0
  }

  /// Returns whether an element in code is a whole line that only a style sheet of the site ends:
  /// another line follows without a line feed, or it is one that gatsby-remark-prismjs highlights.
  func isLineWithoutLineFeed(_ node: Int32) -> Bool {
    guard let next = nodes[Int(node)].nextSibling, hasLineClass(node)
    else { return false }
    let following = nodes[Int(next)]
    let isHighlighted = value(.class, of: node, contains: "gatsby-highlight-code-line")
    switch following.name {
    case .characters:
      return isHighlighted && following.start < following.end
        && bytes[Int(following.start)] != 0x0A
    case .br: return false
    default: return isHighlighted || following.name == .span && hasLineClass(next)
    }
  }

  /// Returns whether all children of a list are items without blocks, and the list has a class for
  /// line numbers or an indented item.
  fileprivate func itemsAreLines(_ list: Int32) -> Bool {
    var areCode = hasLineNumberClass(list)
    var next = nodes[Int(list)].firstChild
    while let child = next {
      if !isBlank(child) {
        guard nodes[Int(child)].name == .li,
          !nodes[Int(child)].contents.contains(.block),
          let indentation = indentation(ofLine: child)
        else { return false }
        areCode = areCode || indentation > 1
      }
      next = nodes[Int(child)].nextSibling
    }
    return areCode
  }

  fileprivate func containsOnlyLineNumbers(_ root: Int32) -> Bool {
    firstNodeOtherThanLineNumbers(root) == nil
  }
}
