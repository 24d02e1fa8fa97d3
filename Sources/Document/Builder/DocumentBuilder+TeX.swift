import DOM

// Formulas that pages contain as TeX: in MathJax scripts, MathML annotations, images, and between
// delimiters in the text of pages that load a TeX renderer. What `TeXConverter` does not support is
// left unchanged.

extension DocumentBuilder {
  /// Adds the formula of a `math` element from its TeX source. Returns false if there is no source,
  /// or if the source is not supported and there is MathML to show instead.
  mutating func addFormula(ofMath node: Int32) -> Bool {
    if tree.isMathJaxScript(node) {
      addFormula(ofScript: node)
      return true
    }
    guard let semantics = tree.nodes[Int(node)].firstChild else { return false }
    var next = tree.nodes[Int(semantics)].firstChild
    for _ in 0..<8 {
      guard let child = next else { break }
      if tree.nodes[Int(child)].name == .annotation,
        tree.value(.type, of: child, contains: "application/x-tex"),
        let line = TeXConverter.convertedLine(
          tree.cleanedText(below: child, maxLength: Self.maxFormulaLength).utf8)
      {
        addSafeText(line)
        return true
      }
      next = tree.nodes[Int(child)].nextSibling
    }
    return false
  }

  private mutating func addFormula(ofScript node: Int32) {
    var source = tree.cleanedText(below: node, maxLength: Self.maxFormulaLength)[...]
    // CDATA delimiters for XML.
    if source.hasPrefix(Self.cdataMarker), source.hasSuffix("%]]>") {
      source = source.dropFirst(Self.cdataMarker.count).dropLast(4)
    }
    let isDisplay = tree.value(.type, of: node, contains: "display")
    if isDisplay { breakBlock() }
    addSafeText(TeXConverter.convertedLine(source.utf8) ?? String(source))
    if isDisplay { breakBlock() }
  }

  private static let cdataMarker = "% <![CDATA["

  /// Appends the text of a node. It may contain formulas if the page loads a TeX renderer, or if
  /// the class of the element around it names one.
  mutating func addText(ofNode text: DOMTree.Node) {
    let range = Int(text.start)..<Int(text.end)
    if inherited.symbolFont != nil, addSymbols(range) { return }
    if let line = formulaLine(ofOnlyText: text) {
      if tree.bytes[range].first?.isWhiteSpace == true { leaf.addSpace() }
      addFormula(line, of: text.parent ?? 0)
      if tree.bytes[range].last?.isWhiteSpace == true { leaf.addSpace() }
      return
    }
    let isFormula =
      tree.bytes.beginsWithDelimiter(in: range)
      && namedFormulas.isFormula(text.parent ?? 0, in: tree)
    // A script of Substack has already rendered the formula that was in an attribute.
    if isFormula, text.nextSibling != nil,
      tree.value(.class, of: text.parent ?? 0, contains: "latex-rendered")
    {
      return
    }
    guard isFormula || !tree.formulaDelimiters.isEmpty else { return addText(range) }
    addText(
      withFormulas: range,
      acceptsDollars: isFormula || tree.formulaDelimiters.contains(.singleDollar))
  }

  /// Returns the formula that is all of the text of an element without delimiters, as pandoc
  /// writes it for KaTeX; nil if the text is anything else, or is not supported.
  private mutating func formulaLine(ofOnlyText text: DOMTree.Node) -> String? {
    guard let parent = text.parent, text.previousSibling == nil, text.nextSibling == nil,
      tree.hasAttribute(.class, parent), !inherited.keepsWhiteSpace,
      !inherited.style.contains(.code)
    else { return nil }
    let source = tree.bytes[Int(text.start)..<Int(text.end)]
    guard source.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "^") }),
      source.count <= Self.maxFormulaLength, !source.contains(UInt8(ascii: "$")),
      !source.hasWordOutsideBraces, namedFormulas.isFormula(parent, in: tree)
    else { return nil }
    return TeXConverter.convertedLine(cleanedLine(source).utf8)
  }

  /// Appends a formula, on a line of its own if its element has a class such as `display`.
  private mutating func addFormula(_ line: String, of element: Int32) {
    let isDisplay = tree.value(.class, of: element, contains: "display")
    if isDisplay { breakBlock() }
    addSafeText(line)
    if isDisplay { breakBlock() }
  }

  /// Adds the formula of a `code` or `pre` element whose language is TeX formulas, as in Markdown.
  /// Returns false if it is something else, or is not supported.
  mutating func addFormula(ofCode node: Int32, isDisplay: Bool) -> Bool {
    guard !inherited.keepsWhiteSpace else { return false }
    let child = isDisplay ? tree.nodes[Int(node)].firstChild : nil
    guard
      tree.isFormulaCode(node)
        || child.map({ tree.nodes[Int($0)].name == .code && tree.isFormulaCode($0) }) == true,
      let line = TeXConverter.convertedLine(
        tree.cleanedText(below: node, maxLength: Self.maxFormulaLength).utf8)
    else { return false }
    if isDisplay { breakBlock() }
    addSafeText(line)
    if isDisplay { breakBlock() }
    leaf.recordFormulaEnd()
    return true
  }

  /// Appends text that may contain formulas between delimiters; a single `$` is one only if
  /// `acceptsDollars` is true.
  private mutating func addText(withFormulas range: Range<Int>, acceptsDollars: Bool) {
    guard !inherited.keepsWhiteSpace, !inherited.style.contains(.code) else {
      return addText(range)
    }
    var formulas = TeXFormulaScanner(tree.bytes, in: range, acceptsSingleDollars: acceptsDollars)
    var start = range.lowerBound
    while let formula = formulas.next() {
      guard let line = TeXConverter.convertedLine(cleanedLine(tree.bytes[formula.sourceRange]).utf8)
      else { continue }
      addText(start..<formula.fullRange.lowerBound)
      if formula.isDisplay { breakBlock() }
      addSafeText(line)
      if formula.isDisplay { breakBlock() }
      start = formula.fullRange.upperBound
    }
    addText(start..<range.upperBound)
  }

  /// Adds the formula of an image as text, unless the `math` before it was the same. Returns false
  /// if the image has no supported formula.
  mutating func addFormula(ofImage node: Int32) -> Bool {
    let isOfMath = tree.value(.class, of: node, contains: "mwe-math")
    guard isOfMath || tree.isFormulaImage(node) else { return false }
    if leaf.followsFormula, isOfMath || tree.isInNoScript(node) { return true }
    guard
      let line = tree.formula(inURLOf: node).flatMap(Self.formulaLine(of:))
        ?? tree.cleanedText(.alt, of: node).flatMap(Self.formulaLine(of:))
    else { return false }
    addSafeText(line)
    leaf.recordFormulaEnd()
    return true
  }

  /// Returns the formula in the alternative text of an image, with or without delimiters; nil if it
  /// is not supported, or is a description in words.
  private static func formulaLine(of source: String) -> String? {
    let bytes = Array(source.utf8)
    var formulas = TeXFormulaScanner(bytes, in: bytes.indices, acceptsSingleDollars: true)
    // An environment is converted as it is.
    if let formula = formulas.next(), formula.fullRange != formula.sourceRange {
      return formula.fullRange == bytes.indices
        ? TeXConverter.convertedLine(bytes[formula.sourceRange]) : nil
    }
    // A description in words is not a formula.
    let isText = source.contains(" ") && !source.contains { "\\^_=".contains($0) }
    return isText ? nil : TeXConverter.convertedLine(bytes)
  }

  private static let maxFormulaLength = 65_536
}

extension DOMTree {
  /// Returns whether a `math` element was a MathJax script that contains TeX.
  fileprivate func isMathJaxScript(_ node: Int32) -> Bool {
    nodes[Int(node)].name == .math && value(.type, of: node, contains: "math/tex")
  }

  /// Returns whether an element is the visual copy that KaTeX adds after the `math`.
  func isKaTeXVisualCopy(_ node: Int32) -> Bool {
    guard let before = nodes[Int(node)].previousSibling else { return false }
    return value(.class, of: node, contains: "katex-html")
      && value(.class, of: before, contains: "katex-mathml")
  }

  /// Returns whether an element with this class is the output of MathJax for the script that
  /// follows it.
  func isMathJaxOutput(ofScriptAfter node: Int32, class name: Range<Int>) -> Bool {
    guard let first = bytes[name].first, first | 0x20 == UInt8(ascii: "m"),
      bytes.contains("MathJax", in: name)
    else { return false }
    var next = nodes[Int(node)].nextSibling
    for _ in 0..<6 {
      guard let node = next else { break }
      if isMathJaxScript(node) { return true }
      let isBetween =
        nodes[Int(node)].name == .characters
        ? cleanedText(of: node).isEmpty : value(.class, of: node, contains: "MathJax")
      guard isBetween else { return false }
      next = nodes[Int(node)].nextSibling
    }
    return false
  }
}

extension [UInt8] {
  /// Returns whether the text in a range begins with a delimiter of a formula, after white space.
  fileprivate func beginsWithDelimiter(in range: Range<Int>) -> Bool {
    guard let start = range.first(where: { !self[$0].isWhiteSpace }) else { return false }
    return switch self[start] {
    case UInt8(ascii: "$"): true
    case UInt8(ascii: "\\"):
      start + 1 < range.upperBound
        && [UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "b")].contains(self[start + 1])
    default: false
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether TeX has three letters in succession that are neither a command nor in braces. In a
  /// formula, each letter is a variable.
  fileprivate var hasWordOutsideBraces: Bool {
    var (depth, letterCount, isCommand) = (0, 0, false)
    for byte in self {
      if byte.isLetter {
        letterCount += 1
        if letterCount == 3, depth == 0, !isCommand { return true }
        continue
      }
      letterCount = 0
      isCommand = byte == UInt8(ascii: "\\")
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
    }
    return false
  }
}

extension DOMTree {
  fileprivate func isFormulaCode(_ node: Int32) -> Bool {
    guard let names = attribute(.class, of: node) else { return false }
    return bytes[names].split(whereSeparator: \.isWhiteSpace).contains { name in
      name.elementsEqual("math".utf8) || name.elementsEqual("language-math".utf8)
    }
  }
}
