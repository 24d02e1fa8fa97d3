import DOM

// Texts for screen readers beside the ones that the page shows instead.

extension DocumentBuilder {
  /// Returns whether an element that screen readers skip (`aria-hidden`) is next to a text only for
  /// screen readers that repeats it, such as "$5" next to "5 dollars". The text for screen readers
  /// is shown instead. Both texts must be short and visible.
  func repeatsScreenReaderText(_ node: Int32) -> Bool {
    guard tree.value(.ariaHidden, of: node, contains: "true"),
      !tree.nodes[Int(node)].name.isBlock
    else { return false }
    guard
      let unseen = [\DOMTree.Node.previousSibling, \.nextSibling].lazy
        .compactMap({ tree.adjacentElement(of: node, $0) }).first(where: tree.isScreenReaderText)
        ?? tree.unseenText(before: node),
      let shown = tree.shortText(below: node), let spoken = tree.shortText(below: unseen),
      !hiding.hides(unseen, of: tree)
    else { return false }
    // Within another element, a sign may be repeated by chance.
    guard
      tree.nodes[Int(unseen)].parent == tree.nodes[Int(node)].parent
        || shown.contains(where: \.isLetter)
    else { return false }
    return !shown.isEmpty && !spoken.isEmpty && Self.repeats(spoken, shown)
  }

  /// Returns whether a spoken text contains the words of a shown text, and whether its digits begin
  /// or end with the digits of the shown text. Punctuation is ignored: "$599" with raised cents is
  /// "$5.99".
  private static func repeats(_ spoken: String, _ shown: String) -> Bool {
    let (spoken, shown) = (spoken.lowercased(), shown.lowercased())
    let (spokenDigits, shownDigits) = (spoken.filter(\.isNumber), shown.filter(\.isNumber))
    guard spokenDigits.hasPrefix(shownDigits) || spokenDigits.hasSuffix(shownDigits) else {
      return false
    }
    return shown.split { !$0.isLetter }.allSatisfy { spoken.contains($0) }
  }
}

extension DOMTree {
  /// Returns whether an element has one of the customary classes or styles of text for screen
  /// readers.
  package func isScreenReaderText(_ node: Int32) -> Bool {
    (value(.class, of: node, hasWordAmong: Self.screenReaderClasses) || isClippedToOnePixel(node))
      && !value(.ariaHidden, of: node, contains: "true")
  }

  /// Returns whether the style attribute of an element leaves it only to screen readers, in the
  /// customary way: it is clipped, and has a width of one pixel.
  package func isClippedToOnePixel(_ node: Int32) -> Bool {
    guard let style = attribute(.style, of: node), bytes.contains("clip", in: style) else {
      return false
    }
    let text = bytes[style].filter { !$0.isWhiteSpace }.map(\.lowercased)
    let declarations = text.split(separator: UInt8(ascii: ";"))
    return ["position:absolute", "width:1px", "clip:rect("].allSatisfy { beginning in
      declarations.contains { $0.starts(with: beginning.utf8) }
    }
  }

  private static let screenReaderClasses: [StaticString] = [
    "sr-only", "visually-hidden", "visuallyhidden", "visuallyHidden", "screen-reader-text",
    "screenreader-text", "screen-reader-only", "screenreader-only", "sr-text", "a-offscreen",
    "offscreen", "off-screen", "element-invisible", "assistive-text", "hidden-visually",
    "u-hiddenVisually", "u-visually-hidden", "show-for-sr", "a11y-hidden", "a11y-text",
  ]
}

extension DOMTree {
  /// Returns the text below a node on one line; nil if the node has more than 200 bytes of text or
  /// more than 64 descendants.
  fileprivate func shortText(below node: Int32) -> String? {
    var (next, count, length) = (nodeAfter(node, in: node), 0, 0)
    while let current = next {
      let domNode = nodes[Int(current)]
      count += 1
      if domNode.name == .characters { length += Int(domNode.end - domNode.start) }
      guard count <= 64, length <= 200 else { return nil }
      next = nodeAfter(current, in: node)
    }
    return cleanedText(below: node)
  }

  /// Returns the text for screen readers at the end of the element before a node, such as a unit
  /// after a number; otherwise nil.
  fileprivate func unseenText(before node: Int32) -> Int32? {
    guard var element = adjacentElement(of: node, \.previousSibling) else { return nil }
    for _ in 0..<Self.maxEdgeDepth {
      var last = nodes[Int(element)].lastChild
      if let text = last, nodes[Int(text)].name == .characters, isBlank(text) {
        last = nodes[Int(text)].previousSibling
      }
      guard let last, nodes[Int(last)].name != .characters else { return nil }
      if isScreenReaderText(last) { return last }
      element = last
    }
    return nil
  }

  /// Maximum number of nested elements at the end of an element.
  fileprivate static let maxEdgeDepth = 4

  /// Returns the nearest sibling on one side that is an element; nil if there is none, or text in
  /// between.
  fileprivate func adjacentElement(of node: Int32, _ side: KeyPath<DOMTree.Node, Int32?>) -> Int32?
  {
    var next = nodes[Int(node)][keyPath: side]
    for _ in 0..<2 {
      guard let node = next else { break }
      guard nodes[Int(node)].name == .characters else { return node }
      guard cleanedText(of: node).allSatisfy(\.isWhitespace) else { return nil }
      next = nodes[Int(node)][keyPath: side]
    }
    return nil
  }
}
