import DOM

// Numbers of pages and lines, which a printed book has in its margin. In the text they may be in
// the middle of a word.

extension DocumentBuilder {
  /// Begins an element if it is the number of a page or a line. Spaces separate the number from the
  /// words beside it; a number within a word is moved behind the word.
  /// - Returns: Whether the children of the element are to be skipped.
  mutating func beginMarginNumber(_ node: Int32, _ name: ElementName) -> Bool {
    guard !inherited.keepsWhiteSpace, tree.isMarginNumber(node, name) else { return false }
    if isWithinWord(node), let number = marginNumberText(node) {
      recordAnchors(below: node)
      margin.add(numberInWord: number)
      return true
    }
    margin.beginNumber(node)
    if let last = leaf.lastCharacter, last.isLetter || last.isNumber || ".,;:!?".contains(last) {
      leaf.addSpace()
    }
    return false
  }

  /// Ends the number that `beginMarginNumber` began.
  mutating func endMarginNumber(_ frame: ElementState) {
    margin.endNumber()
    guard leaf.isOpen, leaf.textEnd > frame.textStart else { return }
    leaf.insertSpace()
  }

  /// Appends text up to the end of the current word, and the numbers within it.
  /// - Returns: The index from which the text remains to be appended.
  mutating func addRestOfWord(_ range: Range<Int>) -> Int {
    guard let end = tree.bytes[range].firstIndex(where: \.isWhiteSpace) else {
      return range.lowerBound
    }
    let numbers = margin.takeNumbersInWord()
    addText(range.lowerBound..<end)
    addNumbers(numbers)
    return end
  }

  /// Appends the numbers within the last word.
  mutating func writeDeferredNumbers() {
    if margin.hasNumbersInWord { addNumbers(margin.takeNumbersInWord()) }
  }

  private mutating func addNumbers(_ numbers: [String]) {
    for number in numbers {
      leaf.addSpace()
      addSafeText(number)
    }
  }

  /// Returns whether letters surround an element, and the word after it ends soon.
  func isWithinWord(_ node: Int32) -> Bool {
    guard let last = leaf.lastCharacter, last.isLetter || last == "-",
      let next = text(after: node), let first = next.first,
      String(decoding: next.prefix(4), as: UTF8.self).first?.isLetter == true
    else { return false }
    if first >= 0xE2, IdeographicText.isSingleIdeograph(next.prefix(first < 0xF0 ? 3 : 4)) {
      return false
    }
    return next.count < Self.maxWordRestLength
      || next.prefix(Self.maxWordRestLength).contains(where: \.isWhiteSpace)
  }

  /// Maximum length in bytes of the rest of a word that a margin number interrupts.
  private static let maxWordRestLength = 48

  /// Returns the text that follows an element on the same line; nil if there is none.
  func text(after node: Int32) -> ArraySlice<UInt8>? {
    var next = tree.nodeAfterSubtree(node, in: 0)
    for _ in 0..<Self.maxNodesPerMarginNumber {
      guard let node = next else { break }
      let domNode = tree.nodes[Int(node)]
      if domNode.name == .characters { return tree.bytes[Int(domNode.start)..<Int(domNode.end)] }
      if domNode.name.isBlock || domNode.name == .br { return nil }
      next = tree.nodeAfter(node, in: 0)
    }
    return nil
  }

  /// Returns the text of a short number without links and hidden parts; nil for any other element.
  private func marginNumberText(_ root: Int32) -> String? {
    var (next, count): (Int32?, Int) = (root, 0)
    while let node = next {
      count += 1
      guard count <= Self.maxNodesPerMarginNumber else { return nil }
      if tree.nodes[Int(node)].name != .characters,
        tree.hasAttribute(.href, node) || hiding.hides(node, of: tree)
      {
        return nil
      }
      next = tree.nodeAfter(node, in: root)
    }
    let text = tree.cleanedText(below: root)
    return text.isEmpty || text.utf8.count > Self.maxNumberLength ? nil : text
  }

  private static let maxNodesPerMarginNumber = 16
  /// Maximum length of a number in bytes.
  private static let maxNumberLength = 40

  private mutating func recordAnchors(below root: Int32) {
    var next = tree.nodeAfter(root, in: root)
    while let node = next {
      if let id = tree.attribute(.id, of: node) { addAnchor(id) }
      if tree.nodes[Int(node)].name == .a, let name = tree.attribute(.name, of: node) {
        addAnchor(name)
      }
      next = tree.nodeAfter(node, in: root)
    }
  }
}

extension DOMTree {
  /// Returns whether an inline element is the number of a page or a line, by its class or role.
  fileprivate func isMarginNumber(_ node: Int32, _ name: ElementName) -> Bool {
    switch name {
    case .span, .a, .small, .sup, .i, .em, .b, .other: break
    default: return false
    }
    let element = nodes[Int(node)]
    guard element.start < element.end, element.contents == .text else { return false }
    return [AttributeName.class, .role, .epubType].contains { name in
      guard let value = attribute(name, of: node) else { return false }
      return bytes.withUnsafeBufferPointer { Self.marginNumberNames.match($0, in: value) } != 0
    }
  }

  private static let marginNumberNames = WordMatcher([
    (1, " pagenum , page-num , page_num , pagenumber , page-number , page_number , pageno "),
    (1, " pagebreak , page-break , doc-pagebreak , linenum , lineno , line-number "),
  ])
}
