import DOM

// MathML formulas on a line of text: fractions as (a+1)/2, scripts, roots, rows of a matrix.

extension DocumentBuilder {
  /// Begins a formula, which is on a line of its own if it is displayed (`display="block"`), unless
  /// it is alone in its block: a cell with an equation is followed by one with its number. Returns
  /// false if its children are to be skipped.
  mutating func beginMath(_ node: Int32) -> Bool {
    if isDisplayed(node), !tree.isAtEdgeOfBlock(node, tree.siblingBefore) { breakStyledLine() }
    guard addFormula(ofMath: node) else { return true }
    endMath(node)
    return false
  }

  /// Ends a formula. Punctuation after a displayed formula is on its line.
  mutating func endMath(_ node: Int32) {
    leaf.recordFormulaEnd()
    guard isDisplayed(node), !tree.isAtEdgeOfBlock(node, tree.siblingAfter) else { return }
    let next = text(after: node)?.first { !$0.isWhiteSpace }
    if let next, ".,;:!?)".utf8.contains(next) { return }
    breakStyledLine()
  }

  private func isDisplayed(_ formula: Int32) -> Bool {
    !inherited.keepsWhiteSpace && tree.value(.svgDisplay, of: formula, contains: "block")
  }

  /// Enters an element of a formula. Returns false if its children are to be skipped.
  mutating func enterMath(_ node: Int32) -> Bool {
    let parent = tree.nodes[Int(node)].parent ?? 0
    let position = tree.childIndex(of: node)
    if tree.nodes[Int(node)].name == .mprescripts || tree.isPrescript(node) { return false }
    if !tree.isVisibleInMath(node) { return false }
    if tree.nodes[Int(parent)].name == .mfenced, position > 0 { addSeparator(parent, position) }
    // White space between a base and its script is not significant.
    if position > 0, tree.nodes[Int(parent)].name.holdsScripts {
      leaf.forbidSpace()
    }
    if position == 1, tree.nodes[Int(parent)].name == .mover,
      let marker = tree.combiningAccent(node)
    {
      addSafeText(marker)
      return false
    }
    switch tree.nodes[Int(parent)].name {
    case .mfrac where position == 1: addFractionBar(parent)
    // A script within a script would look like a factor.
    case let name where tree.isNestedSubOrSuperscript(node):
      addSafeText(name.isSubscript(position) ? "_" : "^")
    case .msup where position == 1, .mover where position == 1: inherited.style.insert(.superscript)
    case .msub where position == 1, .munder where position == 1: inherited.style.insert(.subscript)
    case .msubsup where position > 0, .munderover where position > 0:
      inherited.style.insert(position == 1 ? .subscript : .superscript)
    case .mmultiscripts where position > 0:
      inherited.style.insert(position % 2 == 1 ? .subscript : .superscript)
    // The degree of a root is written before it.
    case .mroot where position == 1: return false
    default: break
    }
    if tree.isRootWithScript(node) { addSafeText("(") }
    separateFromFactor(node)
    beginNotation(of: node, position)
    if addMathToken(node) { return false }
    if tree.needsParentheses(node) { addSafeText("(") }
    return true
  }

  /// Writes the text before the content of an element of a formula.
  private mutating func beginNotation(of node: Int32, _ position: Int) {
    switch tree.nodes[Int(node)].name {
    case .msqrt: addSafeText("√")
    case .mroot: addDegree(node)
    case .mmultiscripts: addPrescripts(node)
    case .mfenced: addSafeText(tree.cleanedText(.open, of: node) ?? "(")
    case .mtr:
      if position > 0 {
        leaf.dropPendingSpace()
        addSafeText(";")
      }
      leaf.addSpace()
    case .mtd: separateCell(node)
    default: break
    }
  }

  /// Leaves an element of a formula.
  mutating func leaveMath(_ node: Int32) {
    if tree.nodes[Int(node)].name == .mfenced {
      addSafeText(tree.cleanedText(.closingFence, of: node) ?? ")")
    }
    if tree.needsParentheses(node) { addSafeText(")") }
    if tree.isRootWithScript(node) { addSafeText(")") }
    if tree.isOperatorName(node), let first = tree.adjacentText(of: node, \.nextSibling)?.first,
      first.isLetter || first.isNumber
        || first == "(" && tree.adjacentText(of: node, \.previousSibling) != nil
    {
      separateTerms()
    }
    if tree.isOperatorBeforeTerm(node),
      let first = tree.adjacentText(of: node, \.nextSibling)?.first,
      first.isLetter || first.isNumber
    {
      separateTerms()
    }
  }

  // MARK: Tokens and spaces

  /// Appends a letter in double-struck style, or the space that an element stands for.
  /// - Returns: Whether nothing else of the element is to be shown.
  private mutating func addMathToken(_ node: Int32) -> Bool {
    switch tree.nodes[Int(node)].name {
    case .mi where tree.value(.mathVariant, of: node, contains: "double-struck"):
      guard let alphabet = TeXSymbols.alphabets["mathbb"] else { return false }
      addSafeText(alphabet.map(tree.cleanedText(below: node)))
      return true
    case .mspace:
      if tree.hasPositiveWidth(node) { separateTerms() }
      return true
    case .mo where tree.isFunctionApplication(node):
      if tree.isBetweenNameAndTerm(node) { separateTerms() }
      return true
    case .mo where tree.isOperatorName(node):
      if tree.adjacentText(of: node, \.previousSibling) != nil { separateTerms() }
      return false
    default: return false
    }
  }

  /// Separates the name of a function or a large operator from the factor before it.
  private mutating func separateFromFactor(_ node: Int32) {
    guard tree.isOperatorBeforeTerm(node),
      let last = tree.adjacentText(of: node, \.previousSibling)?.last
    else { return }
    if last.isLetter || last.isNumber { separateTerms() }
  }

  private mutating func separateTerms() {
    guard leaf.isOpen, !inherited.keepsWhiteSpace else { return }
    leaf.insertSpace()
  }

  /// Separates a cell of a table from the one before it, unless it continues an equation at its
  /// relation sign, at which equations are aligned.
  private mutating func separateCell(_ node: Int32) {
    var before = tree.nodes[Int(node)].previousSibling
    if let text = before, tree.nodes[Int(text)].name == .characters {
      before = tree.nodes[Int(text)].previousSibling
    }
    if let before, tree.nodes[Int(before)].contents.contains(.text),
      TeXSymbols.isRelation(tree.cleanedText(below: node, maxLength: 8).first)
    {
      leaf.dropPendingSpace()
    } else {
      leaf.addSpace()
    }
  }

  /// Appends the separator between the numerator and the denominator of a fraction. A binomial
  /// coefficient is a fraction without a bar in parentheses.
  private mutating func addFractionBar(_ fraction: Int32) {
    guard tree.hasNoBar(fraction) else { return addSafeText("/") }
    leaf.dropPendingSpace()
    addSafeText(tree.isInParentheses(fraction) ? " choose " : " ¦ ")
  }

  // MARK: Scripts and roots

  /// Maximum number of scripts of an expression, or of parts of `mfenced` or `maction`, that are
  /// distinguished.
  fileprivate static let maxChildIndex = 32

  /// Appends a radical sign, preceded by the degree of the root.
  private mutating func addDegree(_ root: Int32) {
    let parts = tree.childElements(of: root)
    guard parts.count > 1, case let degree = tree.singleLineText(of: parts[1]), !degree.isEmpty
    else {
      return addSafeText("√")
    }
    // A degree without superscript characters would look like a factor, so it is put in
    // parentheses. Within a script it is written with superscript characters, because scripts are
    // not nested.
    let raised = degree.map { Self.superscripts[$0] }
    if raised.contains(nil) {
      addSafeText("(\(degree))")
    } else if inherited.style.contains(.superscript) || inherited.style.contains(.subscript) {
      addSafeText(String(raised.compactMap(\.self)))
    } else {
      addSubOrSuperscript(degree, .superscript)
    }
    addSafeText("√")
  }

  /// The characters that have a superscript character in Unicode, with that character.
  private static let superscripts: [Character: Character] = Dictionary(
    uniqueKeysWithValues: zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ"))

  private mutating func addSubOrSuperscript(_ text: String, _ scriptStyle: InlineStyle) {
    guard !text.isEmpty else { return }
    let outerStyle = inherited.style
    inherited.style.insert(scriptStyle)
    addSafeText(text)
    inherited.style = outerStyle
  }

  /// Appends the prescripts of an expression: the pairs of elements after `mprescripts`.
  private mutating func addPrescripts(_ node: Int32) {
    let parts = tree.childElements(of: node, limit: Self.maxChildIndex)
    guard let marker = parts.firstIndex(where: { tree.nodes[Int($0)].name == .mprescripts }) else {
      return
    }
    for (index, part) in parts[(marker + 1)...].enumerated() {
      addSubOrSuperscript(
        tree.singleLineText(of: part), index.isMultiple(of: 2) ? .subscript : .superscript)
    }
    leaf.forbidSpace()
  }

  /// Appends the separator between two parts of `mfenced`. Each character of `separators` is one;
  /// the last one repeats.
  private mutating func addSeparator(_ fence: Int32, _ index: Int) {
    let signs = (tree.cleanedText(.separators, of: fence) ?? ",").filter { !$0.isWhitespace }
    guard let last = signs.last else { return }
    let sign = signs.dropFirst(index - 1).first ?? last
    leaf.dropPendingSpace()
    addSafeText(sign == "," || sign == ";" ? "\(sign) " : String(sign))
  }
}

extension DOMTree {
  /// Returns whether an element is a MathML construct that is more than its text, such as a root,
  /// or a direct child of one, such as the numerator of a fraction.
  func isInMath(_ node: Int32) -> Bool {
    guard let parent = nodes[Int(node)].parent else { return false }
    switch nodes[Int(node)].name {
    case .msqrt, .mroot, .mtr, .mtd, .mfrac, .mfenced, .mprescripts, .mi, .mo, .mspace, .mphantom:
      return true
    case let name where name.holdsScripts: return true
    default: break
    }
    switch nodes[Int(parent)].name {
    case .mfrac, .msup, .msub, .msubsup, .munder, .mover, .munderover, .mroot, .mfenced,
      .mmultiscripts, .maction:
      return true
    default: return false
    }
  }
}

extension ElementName {
  /// Whether the first child is followed by scripts.
  fileprivate var holdsScripts: Bool {
    switch self {
    case .msup, .msub, .msubsup, .munder, .mover, .munderover, .mmultiscripts: true
    default: false
    }
  }

  /// Returns whether the child with the given number of preceding siblings is a subscript.
  fileprivate func isSubscript(_ position: Int) -> Bool {
    switch self {
    case .msub, .munder: true
    case .msubsup, .munderover: position == 1
    case .mmultiscripts: position % 2 == 1
    default: false
    }
  }
}

extension DOMTree {
  /// Returns whether a node is the first or the last content of the block around it, depending on
  /// the siblings that `sibling` returns.
  fileprivate func isAtEdgeOfBlock(_ node: Int32, _ sibling: (Int32) -> Int32?) -> Bool {
    var part = node
    while part > 0, !nodes[Int(part)].name.isBlock {
      guard sibling(part) == nil else { return false }
      part = nodes[Int(part)].parent ?? 0
    }
    return true
  }

  /// Returns whether an element is an operator with a name, such as `mod`, without scripts.
  fileprivate func isOperatorName(_ node: Int32) -> Bool {
    let domNode = nodes[Int(node)]
    guard domNode.name == .mo, !nodes[Int(domNode.parent ?? 0)].name.holdsScripts else {
      return false
    }
    let name = cleanedText(below: node, maxLength: 16)
    return name.count > 1 && name.allSatisfy(\.isLetter)
  }

  /// Returns whether an element is the name of a function or a large operator, such as a sum, or
  /// one with scripts, which would look like factors of the term after them.
  fileprivate func isOperatorBeforeTerm(_ node: Int32) -> Bool {
    let domNode = nodes[Int(node)]
    guard !nodes[Int(domNode.parent ?? 0)].name.holdsScripts else { return false }
    let token = domNode.name.holdsScripts ? childElements(of: node, limit: 1).first : node
    guard let token, [.mi, .mo].contains(nodes[Int(token)].name),
      let child = nodes[Int(token)].firstChild,
      child == nodes[Int(token)].lastChild, nodes[Int(child)].name == .characters,
      nodes[Int(child)].end - nodes[Int(child)].start <= 16
    else { return false }
    let name = cleanedText(of: child)
    return TeXSymbols.functionNames.contains(name) || Self.largeOperators.contains(name)
  }

  fileprivate static let largeOperators = Set(TeXSymbols.largeOperators.values)

  /// Returns whether an element of a formula is visible: not `mphantom`, and in `maction` only the
  /// selected expression, which a click replaces by another one.
  fileprivate func isVisibleInMath(_ node: Int32) -> Bool {
    let domNode = nodes[Int(node)]
    guard domNode.name != .mphantom else { return false }
    guard let parent = domNode.parent, nodes[Int(parent)].name == .maction else { return true }
    return childIndex(of: node) == selectedIndex(in: parent)
  }

  /// Returns the position of the expression of `maction` that its `selection` selects; 0 if there
  /// is no such expression.
  fileprivate func selectedIndex(in action: Int32) -> Int {
    guard let number = attributeInteger(.selection, of: action), number > 0,
      number <= childElements(of: action, limit: DocumentBuilder.maxChildIndex).count
    else { return 0 }
    return number - 1
  }

  /// Returns whether `mspace` has a positive width.
  fileprivate func hasPositiveWidth(_ node: Int32) -> Bool {
    guard let width = cleanedText(.width, of: node)?.lowercased(), !width.hasPrefix("-"),
      !width.hasPrefix("negative")
    else { return false }
    return width.hasSuffix("mathspace") || width.contains { ("1"..."9").contains($0) }
  }

  /// Returns whether an operator is U+2061, which separates a function from its argument.
  fileprivate func isFunctionApplication(_ node: Int32) -> Bool {
    guard let child = nodes[Int(node)].firstChild, child == nodes[Int(node)].lastChild,
      case let text = nodes[Int(child)], text.name == .characters
    else { return false }
    return bytes[Int(text.start)..<Int(text.end)].lazy.filter { !$0.isWhiteSpace }
      .elementsEqual("\u{2061}".utf8)
  }

  /// Returns whether an operator stands between a name of several letters, such as "sin", and a
  /// term without parentheses; without the operator, both would look like one word.
  fileprivate func isBetweenNameAndTerm(_ node: Int32) -> Bool {
    guard let name = adjacentText(of: node, \.previousSibling), let last = name.last,
      let term = adjacentText(of: node, \.nextSibling), let first = term.first
    else { return false }
    return name.count(where: \.isLetter) > 1 && (last.isLetter || last.isNumber)
      && (first.isLetter || first.isNumber)
  }

  /// Returns whether the `linethickness` of a fraction is zero.
  fileprivate func hasNoBar(_ fraction: Int32) -> Bool {
    guard let range = attribute(.lineThickness, of: fraction) else { return false }
    let digits = bytes[range].filter { (0x30...0x39).contains($0) }
    return !digits.isEmpty && digits.allSatisfy { $0 == UInt8(ascii: "0") }
  }

  fileprivate func isInParentheses(_ node: Int32) -> Bool {
    if nodes[Int(nodes[Int(node)].parent ?? 0)].name == .mfenced { return true }
    return adjacentText(of: node, \.previousSibling)?.last == "("
      && adjacentText(of: node, \.nextSibling)?.first == ")"
  }

  /// Returns whether an element is a script of another one.
  fileprivate func isSubOrSuperscript(_ node: Int32) -> Bool {
    guard let parent = nodes[Int(node)].parent else { return false }
    return nodes[Int(parent)].name.holdsScripts && childIndex(of: node) > 0
  }

  /// Returns whether an element is a script within a script.
  fileprivate func isNestedSubOrSuperscript(_ node: Int32) -> Bool {
    guard isSubOrSuperscript(node) else { return false }
    var around = nodes[Int(node)].parent ?? 0
    for _ in 0..<32 where around > 0 && nodes[Int(around)].name != .math {
      if isSubOrSuperscript(around) { return true }
      around = nodes[Int(around)].parent ?? 0
    }
    return false
  }

  /// Returns whether an element is a root with a script, which must not appear to be under the
  /// radical.
  fileprivate func isRootWithScript(_ node: Int32) -> Bool {
    let domNode = nodes[Int(node)]
    guard domNode.name == .msqrt || domNode.name == .mroot else { return false }
    return nodes[Int(domNode.parent ?? 0)].name.holdsScripts && childIndex(of: node) == 0
  }

  /// Returns the combining mark for an accent over the single letter before it; nil if there is
  /// more than one letter, or no combining mark for the accent.
  fileprivate func combiningAccent(_ node: Int32) -> String? {
    guard let base = childElements(of: nodes[Int(node)].parent ?? 0).first,
      cleanedText(below: base, maxLength: 16).count == 1
    else { return nil }
    return Self.combiningAccents[cleanedText(below: node, maxLength: 16)]
  }

  fileprivate static let combiningAccents = [
    "^": "\u{302}", "ˆ": "\u{302}", "~": "\u{303}", "˜": "\u{303}", "¯": "\u{304}", "ˉ": "\u{304}",
    "‾": "\u{304}", "→": "\u{20D7}", "⃗": "\u{20D7}", "˙": "\u{307}", ".": "\u{307}",
    "¨": "\u{308}",
    "´": "\u{301}", "`": "\u{300}", "ˇ": "\u{30C}", "˘": "\u{306}",
  ]

  /// Returns the number of preceding sibling elements: at most 3, except in `mmultiscripts`,
  /// `mfenced` and `maction`.
  fileprivate func childIndex(of node: Int32) -> Int {
    let parent = nodes[Int(nodes[Int(node)].parent ?? 0)].name
    let limit =
      [.mmultiscripts, .mfenced, .maction].contains(parent) ? DocumentBuilder.maxChildIndex : 3
    var position = 0
    var next = nodes[Int(node)].previousSibling
    while let sibling = next, position < limit {
      if nodes[Int(sibling)].name != .characters { position += 1 }
      next = nodes[Int(sibling)].previousSibling
    }
    return position
  }

  /// Returns whether an element is a prescript.
  fileprivate func isPrescript(_ node: Int32) -> Bool {
    guard nodes[Int(nodes[Int(node)].parent ?? 0)].name == .mmultiscripts else { return false }
    var next = nodes[Int(node)].previousSibling
    for _ in 0..<2 * DocumentBuilder.maxChildIndex {
      guard let sibling = next else { break }
      if nodes[Int(sibling)].name == .mprescripts { return true }
      next = nodes[Int(sibling)].previousSibling
    }
    return false
  }

  /// Returns a part of a formula on one line: fractions with `/`, superscripts with `^`.
  fileprivate func singleLineText(of node: Int32) -> String {
    var budget = Self.maxLineNodes
    return singleLineText(of: node, depth: 0, &budget)
  }

  /// Maximum number of nodes of a part that is converted to a line.
  fileprivate static let maxLineNodes = 256

  fileprivate func singleLineText(of node: Int32, depth: Int, _ remainingNodes: inout Int) -> String
  {
    let mathNode = nodes[Int(node)]
    if mathNode.name == .characters { return cleanedText(of: node) }
    guard depth < 8 else { return cleanedText(below: node, maxLength: 64) }
    if mathNode.name == .annotation || mathNode.name == .annotationXML || mathNode.name == .mphantom
    {
      return ""
    }
    var parts: [String] = []
    var next = mathNode.firstChild
    while let child = next, remainingNodes > 0 {
      remainingNodes -= 1
      let part = singleLineText(of: child, depth: depth + 1, &remainingNodes)
      if nodes[Int(child)].name != .characters || !part.isEmpty { parts.append(part) }
      next = nodes[Int(child)].nextSibling
    }
    func group(_ part: String) -> String { part.count > 1 ? "(\(part))" : part }
    switch mathNode.name {
    case .mfrac where parts.count == 2:
      return group(parts[0]) + (hasNoBar(node) ? " ¦ " : "/") + group(parts[1])
    case .maction:
      let position = selectedIndex(in: node)
      return parts.indices.contains(position) ? parts[position] : ""
    case .msup where parts.count == 2: return parts[0] + "^" + group(parts[1])
    case .msub where parts.count == 2: return parts[0] + "_" + group(parts[1])
    case .msqrt: return "√" + group(parts.joined())
    case .mfenced: return "(" + parts.joined(separator: ", ") + ")"
    default: return parts.joined()
    }
  }

  /// Returns whether an element needs parentheses: a part of a fraction or root with several terms,
  /// a nested script, or a fraction beside a possible factor.
  fileprivate func needsParentheses(_ node: Int32) -> Bool {
    if isNestedSubOrSuperscript(node) { return cleanedText(below: node, maxLength: 64).count > 1 }
    let parent = nodes[Int(nodes[Int(node)].parent ?? 0)].name
    if nodes[Int(node)].name == .mfrac, parent != .mfrac, parent != .mroot, parent != .msqrt {
      if parent.holdsScripts { return childIndex(of: node) == 0 }
      return hasFactor(after: node) || hasFactor(before: node)
    }
    let isRoot = nodes[Int(node)].name == .msqrt
    guard isRoot || parent == .mfrac || parent == .mroot else { return false }
    var innerNode = node
    for _ in 0..<8 {
      let parts = childElements(of: innerNode)
      let name = nodes[Int(innerNode)].name
      if name == .mfrac { return true }
      guard name == .other || innerNode == node && isRoot else { return false }
      guard parts.count == 1 else { return parts.count > 1 }
      innerNode = parts[0]
    }
    return true
  }

  fileprivate func hasFactor(after node: Int32) -> Bool {
    guard let next = adjacentText(of: node, \.nextSibling), let first = next.unicodeScalars.first
    else { return false }
    return first.properties.isAlphabetic || first.properties.numericType != nil
      || first == "(" || first == "√"
  }

  fileprivate func hasFactor(before node: Int32) -> Bool {
    guard let previous = adjacentText(of: node, \.previousSibling),
      let last = previous.unicodeScalars.last
    else { return false }
    return last.properties.isAlphabetic || last.properties.numericType != nil || last == ")"
  }

  /// Returns the text beside an element in the same expression, in a direction: `()` for a
  /// fraction, a root or `mfenced`; otherwise nil.
  fileprivate func adjacentText(of node: Int32, _ direction: KeyPath<DOMTree.Node, Int32?>)
    -> String?
  {
    var node = node
    for _ in 0..<16 {
      guard let beside = nodes[Int(node)][keyPath: direction] else {
        // A group with a single element is equivalent to the element.
        guard let parent = nodes[Int(node)].parent, parent > 0, nodes[Int(parent)].name == .other,
          !isInMath(parent)
        else {
          return nil
        }
        node = parent
        continue
      }
      node = beside
      switch nodes[Int(node)].name {
      case .mfrac, .msqrt, .mroot, .mfenced: return "()"
      default: break
      }
      let isText = nodes[Int(node)].name == .characters
      let text = isText ? cleanedText(of: node) : cleanedText(below: node, maxLength: 256)
      if !text.isEmpty { return text }
    }
    return nil
  }

  /// Returns the first child elements of an element, at most `limit`.
  fileprivate func childElements(of node: Int32, limit: Int = 3) -> [Int32] {
    var elements: [Int32] = []
    var next = nodes[Int(node)].firstChild
    while let child = next, elements.count < limit {
      if nodes[Int(child)].name != .characters { elements.append(child) }
      next = nodes[Int(child)].nextSibling
    }
    return elements
  }
}
