import DOM

// Empty lines and indentation by the margins and paddings that styles set for `div` elements, such
// as the stanzas and verses of poems, and spaces by those of inline elements.

extension DocumentBuilder {
  /// Begins a `div` whose styles may set it apart from the block before it, or indent its line. A
  /// stanza is set apart even if only a style sheet of the site does so.
  mutating func beginSpacing(_ frame: inout ElementState, _ node: Int32) {
    if inherited.leafKind == .paragraph, tree.value(.class, of: node, contains: "stanza") {
      frame.separation = .emptyLines
      paragraphs.addEmptyLine()
    }
    let spacing = textStyle.spacing
    guard spacing != BlockSpacing(), inherited.leafKind == .paragraph, !leaf.isOpen,
      tree.nodes[Int(node)].contents.contains(.text), !tree.beginsWithControl(node),
      // The children of a row are beside each other.
      openElementStates.last?.display?.separatesChildren != true, textStyle.isFloating != true,
      textStyle.isOutOfFlow != true
    else { return }
    frame.spacing = spacing
    paragraphs.add(
      margin: spacing.margin.above, padding: spacing.padding.above, at: leaf.textEnd)
    if !tree.nodes[Int(node)].contents.contains(.block), replyDepths[node] == 0 {
      indentLine(by: spacing.firstLineOffset, in: tree.nodes[Int(node)].parent)
    }
  }

  /// Ends a `div` that `beginSpacing` began.
  mutating func endSpacing(_ frame: ElementState) {
    guard let spacing = frame.spacing, leaf.textEnd > frame.textStart else { return }
    paragraphs.add(
      margin: spacing.margin.below, padding: spacing.padding.below, at: leaf.textEnd)
  }

  /// Begins a line with its indentation relative to the other children of its parent.
  private mutating func indentLine(by offset: Int, in parent: Int32?) {
    // A larger distance is that of a column of the page.
    guard offset >= Self.columnWidth, offset <= Self.maxOffset, let parent else { return }
    let columns = (offset - lineOffsets.minOffset(in: parent, of: tree, hiding)) / Self.columnWidth
    guard columns > 0 else { return }
    // No-break spaces are not removed at line breaks.
    for _ in 0..<columns { addSafeBytes([0xC2, 0xA0]) }
    leaf.forbidSpace()
  }

  // MARK: Inline elements

  /// Separates an inline element from the one directly before it if styles set a distance between
  /// them, as between labels or the numbers of pages. A single letter may be a part of a word.
  mutating func beginGap(_ frame: inout ElementState, _ name: ElementName) {
    switch name {
    case .span, .a, .b, .strong, .em, .i, .small, .time: break
    default: return
    }
    let ownGap = textStyle.spacing.gap
    frame.gapAfter = Int16(clamping: ownGap.after)
    guard leaf.isOpen, !leaf.hasPendingSpace, !inherited.keepsWhiteSpace else { return }
    if !gap.ends(at: leaf.textEnd) {
      guard ownGap.before > 0, tree.followsElement(frame.node),
        let before = tree.nodes[Int(frame.node)].previousSibling, !tree.isDropCap(before)
      else { return }
      gap = InlineGap()
    }
    guard gap.widen(by: ownGap.before) >= Self.minGap,
      leaf.lastCharacter?.isPartOfWord == true,
      case let word = tree.cleanedText(below: frame.node, maxLength: 16),
      word.first?.isPartOfWord == true, word.count > 1 || word.first?.isNumber == true
    else { return }
    leaf.addSpace()
  }

  /// Separates a text that is a child of a flex or grid container from the element directly before
  /// it: both are items of their own (CSS Flexbox 1 §4). A sign such as `$` stays before its
  /// number.
  mutating func separateRowText(_ node: Int32) {
    guard openElementStates.last?.display?.separatesChildren == true, !inherited.keepsWhiteSpace,
      let before = tree.nodes[Int(node)].previousSibling,
      tree.nodes[Int(before)].name != .characters, !tree.isDropCap(before),
      let last = leaf.lastCharacter, last.isPartOfWord || ":,.;!?)%".contains(last)
    else { return }
    leaf.insertSpace()
  }

  /// Records the distance after an inline element that ends.
  mutating func endGap(_ frame: ElementState) {
    guard frame.gapAfter > 0 || gap.ends(at: leaf.textEnd), !tree.isDropCap(frame.node)
    else { return }
    gap.add(Int(frame.gapAfter), at: leaf.textEnd)
  }

  /// The smallest distance between inline elements, in pixels, that is shown as a space: that of
  /// highlighted parts of a word is smaller.
  private static let minGap = 6
  /// The width of a column of the terminal, in pixels of the page.
  private static let columnWidth = 8
  /// The largest distance from the left edge, in pixels, that is shown as an indentation.
  private static let maxOffset = 160
}

extension DOMTree {
  /// Returns whether an element begins with a link, a list, an image or a form control, as parts of
  /// menus do. At most 16 nodes are examined.
  fileprivate func beginsWithControl(_ node: Int32) -> Bool {
    var next = nodeAfter(node, in: node)
    for _ in 0..<16 {
      guard let current = next else { break }
      let domNode = nodes[Int(current)]
      switch domNode.name {
      case .characters:
        let text = bytes[Int(domNode.start)..<Int(domNode.end)]
        if !text.allSatisfy(\.isWhiteSpace) { return false }
      case .a: if hasAttribute(.href, current) { return true }
      case .button, .label, .input, .select, .textarea, .nav, .ul, .ol, .menu, .img, .svg:
        return true
      default: break
      }
      next = nodeAfter(current, in: node)
    }
    return false
  }
}
