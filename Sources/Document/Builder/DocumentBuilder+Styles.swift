import DOM

// Effects of CSS declarations (`TextStyleDeclarations`) on text.

extension DocumentBuilder {
  /// Applies the style declarations of an element; `beginWhiteSpace` applies the white space of a
  /// block.
  mutating func beginTextStyle(_ frame: inout ElementState, _ name: ElementName) {
    let node = frame.node
    if openElementStates.last?.display?.separatesChildren == true, !name.isBlock {
      addSpaceBetweenRowChildren()
    }
    if !name.isBlock, tree.hasItemRole(node) {
      frame.display = .tableCell
      addSpaceBetweenRowChildren()
    }
    if name == .font || inherited.symbolFont != nil || textStyle.symbolFont != nil {
      enterFont(of: node, name)
    }
    let hasStyle = textStyle != TextStyleDeclarations()
    if hasStyle || gap.ends(at: leaf.textEnd) { beginGap(&frame, name) }
    if name == .span, !inherited.keepsWhiteSpace, tree.isScreenReaderText(node) {
      beginSeparateWord(&frame, name)
    }
    guard hasStyle else { return }
    if textStyle.isDeleted == true { inherited.style.insert(.deleted) }
    if let quotes = textStyle.quotes { inherited.quotes = quotes }
    if let size = textStyle.tabSize { inherited.tabSize = size }
    switch name {
    // These elements have their own appearance.
    case .img, .svg, .iframe, .object, .embed, .video, .audio, .canvas, .input, .select, .textarea,
      .button, .meter, .progress, .math, .br, .wbr, .rt:
      return
    default: break
    }
    // Buttons and labels of controls stay on one line.
    frame.display = isInControl(name) ? nil : textStyle.display ?? frame.display
    if frame.display == .inline, textStyle.isFloating == true || textStyle.isOutOfFlow == true {
      // Floating and absolutely positioned elements are never inline (CSS 2.2 §9.7).
      frame.display = name.isBlock ? .block : nil
    }
    if !name.isBlock { beginInlineTextStyle(&frame, name) }
  }

  /// Applies the style declarations of an inline element that do not apply to blocks.
  private mutating func beginInlineTextStyle(_ frame: inout ElementState, _ name: ElementName) {
    frame.unicodeBidi = textStyle.unicodeBidi
    frame.direction = textStyle.isRightToLeft == true ? .rightToLeft : nil
    switch textStyle.verticalAlignment {
    case .superscript: inherited.style.insert(.superscript)
    case .lowered: inherited.style.insert(.subscript)
    case .other, nil: break
    }
    if textStyle.isFloating == true {
      frame.display = tree.isDropCap(frame.node) ? nil : frame.display ?? .tableCell
    }
    if textStyle.isOutOfFlow == true { beginSeparateWord(&frame, name) }
    if frame.display?.isBlock == true { beginStyledLine(frame.node) }
    if frame.display == .tableCell { addSpaceBetweenRowChildren() }
    if let declaredWhiteSpace = textStyle.whiteSpace {
      inherited.whiteSpace = declaredWhiteSpace == .pre ? .preWrap : declaredWhiteSpace
    }
  }

  /// Applies the weight and style of the font of an inline element, and removes the line through an
  /// `s` element whose styles remove it.
  mutating func applyFontStyle(to name: ElementName) {
    inherited.style.apply(textStyle.isBold, to: .strong)
    inherited.style.apply(textStyle.isItalic, to: .emphasis)
    if textStyle.isDeleted == false, name == .s || name == .strike {
      inherited.style.remove(.deleted)
    }
  }

  /// Separates an inline element that styles position elsewhere from a word before it, and records
  /// that it is to be separated from a word after it.
  private mutating func beginSeparateWord(_ frame: inout ElementState, _ name: ElementName) {
    guard frame.display?.isBlock != true, isSeparateWord(frame.node, name) else { return }
    frame.separation = .spaces
    if leaf.lastCharacter?.isPartOfWord == true,
      let first = tree.cleanedText(below: frame.node, maxLength: 16).first,
      first.isPartOfWordOrPrice || first == "("
    {
      addSpaceBetweenRowChildren()
    }
  }

  private func isInControl(_ name: ElementName) -> Bool {
    name == .label || inherited.style.contains(.control)
      || openElementStates.suffix(Self.maxControlDepth).contains {
        [.label, .button].contains(tree.nodes[Int($0.node)].name)
      }
  }

  private static let maxControlDepth = 6

  /// Appends the text that a style sheet inserts before or after the content of an element.
  mutating func addGeneratedText(
    _ side: ((before: GeneratedText, after: GeneratedText)) -> GeneratedText, of node: Int32
  ) {
    guard let generated = hiding.generatedText(of: node, in: tree).map(side),
      !inherited.isInvisible, let first = generated.bytes.first, let last = generated.bytes.last
    else { return }
    let keepsLineFeeds =
      generated.keepsLineFeeds ?? (inherited.keepsWhiteSpace || inherited.whiteSpace != .collapse)
    if keepsLineFeeds, generated.bytes.contains(0x0A) { return addGeneratedLines(generated.bytes) }
    let text = cleanedLine(generated.bytes[...])
    guard !text.isEmpty else { return }
    let hasWord = text.contains { $0.isLetter || $0.isNumber }
    let hasText = tree.nodes[Int(node)].contents.contains(.text)
    // Symbols alone are decoration if the element has no text and is neither a table cell nor the
    // ornament between two scenes. In a list item, they are its bullet.
    guard
      hasWord || tree.nodes[Int(node)].name != .li && hasText || tree.isInEmptyCell(node)
        || tree.isSceneBreak(text, node)
    else { return }
    if inherited.keepsWhiteSpace, !text.contains(where: \.isLetter) {
      // Numbers in code are line numbers, except those of callouts, which are empty elements after
      // the code of a line. Signs before a line are those of changes.
      if generated.hasAttributeValue, !hasText, followsCode { addCallout(text) }
      if ["+", "-", "\u{2212}"].contains(text), hasText, !followsCode { addSafeText(text) }
      return
    }
    // A copy of the text is a shadow or an outline.
    if generated.hasAttributeValue, hasText, text == tree.cleanedText(below: node, maxLength: 256) {
      return
    }
    let isSeparateWord = generated.hasAttributeValue && hasText && hasWord
    if first.isWhiteSpace || isSeparateWord { leaf.addSpace() }
    addSafeText(text)
    if last.isWhiteSpace || isSeparateWord { leaf.addSpace() }
  }

  /// Appends generated text in which line feeds are line breaks.
  private mutating func addGeneratedLines(_ bytes: [UInt8]) {
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    {
      if index > 0 { addLineBreak() }
      let text = cleanedLine(line)
      if !text.isEmpty { addSafeText(text) }
    }
  }

  /// Whether the line of preformatted text so far has more than white space.
  private var followsCode: Bool {
    guard leaf.isOpen else { return false }
    let line = leaf.openText.suffix(256)
    return line.last { $0 == 0x0A || $0 > 0x20 }.map { $0 > 0x20 } ?? false
  }

  /// Appends the number of a callout, which a list below the code explains, in parentheses.
  private mutating func addCallout(_ text: String) {
    if leaf.text.last.map({ $0 > 0x20 }) == true { addSafeText(" ") }
    addSafeText(text.allSatisfy(\.isNumber) ? "(\(text))" : text)
  }

  /// Returns whether an element that styles position elsewhere is a word or number of its own,
  /// which must not be a part of the word before it.
  private func isSeparateWord(_ node: Int32, _ name: ElementName) -> Bool {
    guard name != .sup, name != .subscript, !tree.isDropCap(node), !isWithinWord(node),
      !tree.containsFormula(node)
    else { return false }
    let text = tree.cleanedText(below: node, maxLength: 16)
    return text.count > 1 || text.contains(where: \.isNumber)
  }

  /// Separates the text so far, if it ends with a word, from a word or price that directly follows
  /// an element.
  mutating func separateFromNextWord(_ node: Int32) {
    guard !inherited.keepsWhiteSpace, leaf.lastCharacter?.isPartOfWord == true,
      let next = text(after: node),
      String(decoding: next.prefix(4), as: UTF8.self).first?.isPartOfWordOrPrice == true
    else { return }
    leaf.insertSpace()
  }

  /// Begins a line for an inline element that styles make a block, such as a verse, with its
  /// indentation.
  private mutating func beginStyledLine(_ node: Int32) {
    breakStyledLine()
    guard inherited.leafKind == .paragraph else { return }
    if let parent = openElementStates.indices.last,
      openElementStates[parent].separation != .emptyLines,
      tree.nodes[Int(openElementStates[parent].node)].name == .div
    {
      // The lines are a group, such as a stanza, which is apart from others.
      openElementStates[parent].separation = .emptyLines
      paragraphs.addEmptyLine()
    }
    // No-break spaces are not removed at line breaks.
    guard tree.nodes[Int(node)].contents.contains(.text) else { return }
    guard ![.a, .button, .label].contains(tree.nodes[Int(node)].name) else { return }
    for _ in 0..<textStyle.indentation { addSafeBytes([0xC2, 0xA0]) }
  }

  /// Begins a line for an inline element that styles make a block. A paragraph is continued.
  mutating func breakStyledLine() {
    guard leaf.isOpen else { return }
    if paragraphs.isInElement, inherited.leafKind == .paragraph {
      leaf.beginLine()
    } else {
      breakBlock()
    }
  }

  /// Applies the white-space style of a block that has begun.
  mutating func beginWhiteSpace(_ node: Int32, _ name: ElementName) {
    guard let own = textStyle.whiteSpace, inherited.leafKind != .preformatted else { return }
    let isText =
      inherited.leafKind == .paragraph && !tree.nodes[Int(node)].contents.contains(.block)
    switch name {
    case .div, .p, .section, .article:
      if own == .pre, isText, tree.hasLineBreak(node) { return beginPreformatted(node) }
    default: break
    }
    inherited.whiteSpace = own == .pre ? .preWrap : own
  }

  // MARK: Markers of lists

  /// Returns whether the styles of the current list or item hide its markers. Many style sheets
  /// hide all markers, which plain text needs, so markers are hidden only by the `style` attribute,
  /// or by a sheet if the text of the items begins with markers, or, in an ordered list, if its
  /// counters number the items.
  func hidesMarkers(_ node: Int32, in numbering: ListNumbering) -> Bool {
    guard textStyle.marker == .noMarker else { return false }
    let styledMarker = tree.attribute(.style, of: node).map { tree.inlineTextStyle($0).marker }
    return styledMarker == .noMarker || numbering.hasWrittenMarkers
      || numbering.isOrdered && hasOwnNumber(node)
  }

  /// Returns whether a style sheet numbers an item, or the first item of a list.
  private func hasOwnNumber(_ node: Int32) -> Bool {
    let item = tree.nodes[Int(node)].name == .li ? node : tree.firstItems(of: node, max: 1).first
    return item.map { hiding.hasCounterBefore($0) } ?? false
  }

  /// The numbering style that the styles of the current list or item set; nil if they set none.
  var styledNumbers: NumberStyle? {
    if case .number(let style) = textStyle.marker { style } else { nil }
  }

  /// Returns the style of the number of the current item; nil if it has a bullet.
  mutating func numberStyle(ofItem node: Int32, in numbering: ListNumbering) -> NumberStyle? {
    switch textStyle.marker {
    case .number(let style) where numbering.isOrdered: return style
    case .number(let style):
      return lists.isNavigation(tree.nodes[Int(node)].parent ?? 0, in: tree) ? nil : style
    case .bullet, .text: return nil
    case .noMarker, .custom, .other, nil: break
    }
    guard numbering.isOrdered else { return nil }
    let typeLetter = tree.attribute(.type, of: node).flatMap { tree.bytes[$0].first }
    return typeLetter.map { NumberStyle(type: $0) } ?? numbering.style
  }

  /// Returns the marker that style sheets generate for an item of the innermost list; nil if they
  /// generate none that is visible.
  mutating func generatedMarker(of node: Int32, numbered number: Int32) -> Document.Marker? {
    let text = hiding.markerText(
      of: node, numbered: containers.itemNumbers(endingWith: number), in: tree)
    return text.flatMap { marker(text: $0.bytes) }
  }

  /// Returns the marker of an item without a number if a style sheet inserts the sign of a yes or
  /// no before its text; nil if it inserts nothing or another sign, which stands for a bullet.
  mutating func checkMark(of node: Int32) -> Document.Marker? {
    guard let text = hiding.generatedText(of: node, in: tree)?.before.bytes,
      case let line = cleanedLine(text[...]), line.count == 1,
      let sign = line.unicodeScalars.first, Self.checkMarks.contains(sign)
    else { return nil }
    return marker(text: text)
  }

  private static let checkMarks = Set("✓✔✅☑☐☒✗✘✕✖×❌❎+\u{2212}".unicodeScalars)

  /// Returns the marker of the current item if the styles of the item or its list set a text or a
  /// counter style of the style sheets.
  mutating func markerText(in numbering: ListNumbering) -> Document.Marker? {
    switch textStyle.marker {
    case .number, .bullet, .noMarker: return nil
    case .text, .custom, .other, nil: break
    }
    for style in [textStyle.marker, numbering.textMarker] {
      let text: [UInt8]? =
        switch style {
        case .text(let text): text.bytes
        case .custom(let name):
          hiding.markerText(inCustomStyle: name, numbered: numbering.nextNumber)
        case .noMarker, .number, .bullet, .other, nil: nil
        }
      if let text, let found = marker(text: text) { return found }
    }
    return nil
  }

  private mutating func marker(text: [UInt8]) -> Document.Marker? {
    let line = cleanedLine(text[...])
    guard !line.isEmpty else { return nil }
    if document.markerTexts.last != line { document.markerTexts.append(line) }
    return .text(Int32(document.markerTexts.count - 1))
  }

  /// Whether the only text so far in an item whose styles hide the marker of the list is a marker
  /// of its own, such as `•` or `(i)`, or the only text in a note is its label, such as `[1]`. The
  /// following block continues its line.
  var followsOwnMarker: Bool {
    guard leaf.isOpen, inherited.leafKind == .paragraph else { return false }
    let text = leaf.openText
    guard !text.isEmpty, text.count <= 24 else { return false }
    if containers.isInEmptyItem {
      return text.count <= 12 && String(decoding: text, as: UTF8.self).isListMarker
    }
    return openElementStates.suffix(3).contains { tree.isNote($0.node) }
      && String(decoding: text, as: UTF8.self).isNoteLabel
  }

  // MARK: Rows and lines

  /// Returns whether styles display a paragraph or a `div` without blocks in the line of the text
  /// around it. A child of a row is a cell, because a row has no text of its own.
  func isInLine(_ frame: ElementState, _ name: ElementName) -> Bool {
    frame.display == .inline && (name == .p || name == .div)
      && frame.outer.leafKind == .paragraph
      && !tree.nodes[Int(frame.node)].contents.contains(.block)
      && !containers.isRow(atDepth: frame.openContainerCount - 1)
  }

  /// Separates an element from the element directly before it, whose margins usually do so.
  mutating func separateFromElementBefore(_ node: Int32) {
    let before = tree.nodes[Int(node)].previousSibling
    if let before, tree.nodes[Int(before)].name != .characters { leaf.separateWords() }
  }

  /// Returns whether a block shares a line with its neighbour on the given side: styles make both
  /// cells of a row (CSS 2.2 §17.2), and neither contains blocks.
  func sharesLine(_ node: Int32, with side: KeyPath<DOMTree.Node, Int32?>) -> Bool {
    guard isCellOfLine(node) else { return false }
    var next = tree.nodes[Int(node)][keyPath: side]
    while let sibling = next, tree.nodes[Int(sibling)].name == .characters, tree.isBlank(sibling) {
      next = tree.nodes[Int(sibling)][keyPath: side]
    }
    return next.map(isCellOfLine) ?? false
  }

  private func isCellOfLine(_ node: Int32) -> Bool {
    let domNode = tree.nodes[Int(node)]
    guard domNode.name == .div, !domNode.contents.contains(.block) else { return false }
    let declared = tree.attribute(.style, of: node).flatMap { tree.inlineTextStyle($0).display }
    return (declared ?? hiding.style(of: node)?.display) == .tableCell
  }

  /// Separates two children of a row, or two cells, by a space, even if the page has none between
  /// them.
  mutating func addSpaceBetweenRowChildren() {
    if !inherited.keepsWhiteSpace { leaf.addSpace() }
  }

  /// Appends white space in which line feeds are significant.
  /// - Returns: The index after it.
  mutating func addPreLineText(from start: Int, to end: Int) -> Int {
    var (index, indentation, followsLineBreak) = (start, 0, false)
    while index < end, tree.bytes[index].isWhiteSpace {
      switch tree.bytes[index] {
      case 0x0A:
        addLineBreak()
        followsLineBreak = true
        indentation = 0
      case 0x0D: break
      case 0x09: indentation += 4
      default: indentation += 1
      }
      index += 1
    }
    guard indentation > 0 else { return index }
    // Columns within a line are separated by several spaces; in code, any number counts.
    let isColumnGap = leaf.isOpen && indentation > (inherited.style.contains(.code) ? 1 : 2)
    let keepsSpaces =
      index < end && inherited.whiteSpace == .preWrap && (followsLineBreak || isColumnGap)
    if keepsSpaces {
      // No-break spaces are not removed at line breaks. A line may break after those of a column.
      let count = followsLineBreak ? indentation : indentation - 1
      for _ in 0..<min(count, Self.maxIndentation) { addSafeBytes([0xC2, 0xA0]) }
    }
    if !keepsSpaces || !followsLineBreak { leaf.addSpace() }
    return index
  }

  private static let maxIndentation = 40
}

extension DOMTree {
  /// Returns whether the role of an element is that of a cell or of an item of a list, menu or tree
  /// (WAI-ARIA `gridcell`, `columnheader`, `listitem`, `menuitem`, `option`, `tab` and others).
  fileprivate func hasItemRole(_ node: Int32) -> Bool {
    guard let range = attribute(.role, of: node) else { return false }
    return bytes.contains("cell", in: range) || bytes.contains("header", in: range)
      || bytes.contains("item", in: range) || bytes.contains("option", in: range)
      || bytes[range].elementsEqual("tab".utf8)
  }
}

extension Character {
  /// Whether the character is a letter or a digit.
  var isPartOfWord: Bool { isLetter || isNumber }

  /// Whether the character is a letter, a digit or a currency sign.
  var isPartOfWordOrPrice: Bool { isPartOfWord || isCurrencySymbol }
}

extension String {
  /// Whether the text is a symbol, or a short number or letter with punctuation, as in `(i)`,
  /// `2.1.` and `b)`.
  fileprivate var isListMarker: Bool {
    let text = filter { !$0.isWhitespace }
    if text.count == 1 { return text.allSatisfy { !$0.isLetter && !$0.isNumber } }
    guard let last = text.last, ").]:".contains(last) else { return false }
    let number = text.drop { "([".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "." }
    guard number.count < text.count || last == ".", !number.isEmpty else { return false }
    let letters = number.filter(\.isLetter)
    return letters.count <= 1 || letters.lowercased().allSatisfy { "ivxlc".contains($0) }
  }

  /// Whether the text is the label of a note: a number, a symbol, or anything in brackets.
  fileprivate var isNoteLabel: Bool {
    let text = filter { !$0.isWhitespace }
    if text.first == "[", text.last == "]" { return true }
    return text.count <= 4 && text.allSatisfy(\.isNumber) || text.isListMarker
  }
}

extension TextStyleDeclarations.Display {
  /// Whether the element is displayed on lines of its own.
  var isBlock: Bool { self == .block || self == .flexOrGrid }
  /// Whether the children are laid out in a row and separated by a space.
  var separatesChildren: Bool { self == .flexOrGrid || self == .inlineFlexOrGrid }
}

extension DOMTree {
  /// Returns whether an element contains a formula. Pages position the MathML of each formula
  /// elsewhere, for screen readers only. At most 64 nodes are examined.
  fileprivate func containsFormula(_ node: Int32) -> Bool {
    var next = nodeAfter(node, in: node)
    for _ in 0..<64 {
      guard let current = next else { break }
      if nodes[Int(current)].name == .math { return true }
      next = nodeAfter(current, in: node)
    }
    return false
  }

  /// Returns whether a floating element is the first letter of the word that continues after it.
  func isDropCap(_ node: Int32) -> Bool {
    let text = cleanedText(below: node, maxLength: 16)
    guard text.count <= 2, text.contains(where: \.isLetter), !text.contains(where: \.isNumber)
    else { return false }
    guard let next = nodes[Int(node)].nextSibling else { return false }
    let domNode = nodes[Int(next)]
    return domNode.name != .characters
      || domNode.start < domNode.end && bytes[Int(domNode.start)].isLetter
      || domNode.start < domNode.end && bytes[Int(domNode.start)] >= 0x80
  }

  /// Returns the first items of a list.
  fileprivate func firstItems(of list: Int32, max count: Int) -> [Int32] {
    var items: [Int32] = []
    var next = nodes[Int(list)].firstChild
    while let child = next, items.count < count {
      if nodes[Int(child)].name == .li { items.append(child) }
      next = nodes[Int(child)].nextSibling
    }
    return items
  }

  /// Returns whether the texts of the first two items of a list begin with markers, such as `1.` or
  /// `•`.
  func hasWrittenMarkers(_ list: Int32) -> Bool {
    let items = firstItems(of: list, max: 2)
    return !items.isEmpty
      && items.allSatisfy {
        let words = cleanedText(below: $0, maxLength: 32).split(separator: " ", maxSplits: 1)
        return words.count > 1 && words[0].count <= 8 && String(words[0]).isListMarker
      }
  }

  /// Returns whether an element is a data cell without text, or a child of such a cell.
  fileprivate func isInEmptyCell(_ node: Int32) -> Bool {
    let parent = nodes[Int(node)].parent
    return [node, parent].contains { node in
      guard let node else { return false }
      return nodes[Int(node)].name == .td && !nodes[Int(node)].contents.contains(.text)
    }
  }

  /// Returns whether generated symbols are the ornament between two scenes: an empty block has only
  /// them.
  fileprivate func isSceneBreak(_ text: String, _ node: Int32) -> Bool {
    let name = nodes[Int(node)].name
    return (name == .p || name == .div) && nodes[Int(node)].firstChild == nil
      && text.unicodeScalars.allSatisfy { Self.sceneBreakSymbols.contains($0) }
  }

  fileprivate static let sceneBreakSymbols = Set(" \u{A0}*∗⁎⁕⁂✱✻✽❋❦❧☙❖⋆~".unicodeScalars)

  /// Returns whether the text of an element contains a line break.
  fileprivate func hasLineBreak(_ node: Int32) -> Bool {
    var (next, followsText) = (nodeAfter(node, in: node), false)
    while let current = next {
      let domNode = nodes[Int(current)]
      if domNode.name == .br { return true }
      if domNode.name == .characters {
        let text = bytes[Int(domNode.start)..<Int(domNode.end)]
        let rest = followsText ? text[...] : text.drop(while: \.isWhiteSpace)
        let lines = rest.drop { $0 != 0x0A }
        if lines.contains(where: { !$0.isWhiteSpace }) { return true }
        followsText = followsText || !rest.isEmpty
      }
      next = nodeAfter(current, in: node)
    }
    return false
  }

  /// Returns whether an element is a footnote or an entry of a bibliography, as Sphinx and Org mode
  /// write them, or a list of these.
  fileprivate func isNote(_ node: Int32) -> Bool {
    value(.class, of: node, contains: "footnote")
      || value(.class, of: node, contains: "footdef")
      || value(.class, of: node, contains: "citation")
      || value(.role, of: node, contains: "doc-footnote")
      || value(.role, of: node, contains: "doc-endnote")
  }
}

extension InlineStyle {
  /// Inserts or removes a style as declared; nil changes nothing.
  fileprivate mutating func apply(_ isOn: Bool?, to style: InlineStyle) {
    guard let isOn else { return }
    if isOn { insert(style) } else { remove(style) }
  }
}
