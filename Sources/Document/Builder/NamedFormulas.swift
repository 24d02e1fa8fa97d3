import DOM

/// The elements whose class states that their text is a formula in TeX.
struct NamedFormulas {
  /// The result for each element that was examined.
  private var isFormulaByNode: [Int32: Bool] = [:]

  /// Returns whether a class of an element, such as `math-container`, states that its text is a
  /// formula.
  mutating func isFormula(_ node: Int32, in tree: DOMTree) -> Bool {
    guard let names = tree.attribute(.class, of: node) else { return false }
    if let known = isFormulaByNode[node] { return known }
    let isNamed = tree.bytes[names].split(whereSeparator: \.isWhiteSpace).contains { name in
      let parts = name.split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      return parts.contains { part in Self.formulaTerms.contains { part.elementsEqual($0.utf8) } }
        && !parts.contains { part in Self.exclusions.contains { part.elementsEqual($0.utf8) } }
    }
    isFormulaByNode[node] = isNamed
    return isNamed
  }

  /// Parts of classes of elements that contain TeX.
  private static let formulaTerms = ["math", "arithmatex", "tex", "latex", "mathjax", "katex"]
  /// Parts of classes of elements that contain no TeX in spite of `formulaTerms`.
  private static let exclusions = ["no", "ignore"]
}
