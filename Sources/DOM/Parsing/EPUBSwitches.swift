// `epub:switch` (EPUB Content Documents 3.0.1 §2.5) has a case for each vocabulary that a reading
// system may support, and a default for all others.

extension DOMTree {
  /// Removes all alternatives of each `epub:switch` but one: the first case with MathML or SVG, or
  /// else the default, or else the first case.
  mutating func resolveEPUBSwitches() {
    for node in 0..<Int32(nodes.count) where nodes[Int(node)].name == .epubSwitch {
      let alternatives = switchCases(of: node)
      let cases = alternatives.filter { nodes[Int($0)].name == .epubCase }
      let chosen =
        cases.first { containsMathOrSVG($0) }
        ?? alternatives.first { nodes[Int($0)].name == .epubDefault } ?? cases.first
      for other in alternatives where other != chosen { detach(other) }
    }
  }

  private func switchCases(of node: Int32) -> [Int32] {
    var alternatives: [Int32] = []
    var next = nodes[Int(node)].firstChild
    while let child = next {
      if [.epubCase, .epubDefault].contains(nodes[Int(child)].name) { alternatives.append(child) }
      next = nodes[Int(child)].nextSibling
    }
    return alternatives
  }

  /// Returns whether a case contains MathML or SVG. In practice, `required-namespace` names one of
  /// these two.
  private func containsMathOrSVG(_ alternative: Int32) -> Bool {
    var next = nodeAfter(alternative, in: alternative)
    for _ in 0..<Self.maxExaminedNodes {
      guard let node = next else { break }
      if [.math, .svg].contains(nodes[Int(node)].name) { return true }
      next = nodeAfter(node, in: alternative)
    }
    return false
  }

  /// Maximum number of nodes of a case to examine.
  private static let maxExaminedNodes = 64
}
