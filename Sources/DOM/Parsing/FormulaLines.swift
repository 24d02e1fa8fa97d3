// Formulas in TeX whose lines a page separates by `br`, as WordPress does. MathJax reads a `br` in
// a formula as a line feed.

extension DOMTree {
  /// Joins text nodes that are separated by `br` if a formula begins in one and ends in another.
  mutating func joinLinesOfFormulas() {
    // Formulas without an end are searched again and again, so the time is bounded by the page.
    var remainingNodes = nodes.count + Self.maxFormulaLength
    for node in 0..<Int32(nodes.count)
    where nodes[Int(node)].name == .characters && isBeforeLineBreak(node) && remainingNodes > 0 {
      joinFormula(beginningIn: node, &remainingNodes)
    }
  }

  private func isBeforeLineBreak(_ node: Int32) -> Bool {
    nodes[Int(node)].nextSibling.map { nodes[Int($0)].name } == .br
  }

  /// Appends the following lines to a text node up to the end of the formula that begins in it.
  /// Nothing changes if no formula is open at the end of the node, or if the formula has no end.
  /// The number of nodes that are examined is subtracted from `remainingNodes`.
  private mutating func joinFormula(beginningIn first: Int32, _ remainingNodes: inout Int) {
    var state = FormulaState()
    let firstTextRange = Int(nodes[Int(first)].start)..<Int(nodes[Int(first)].end)
    state.read(bytes[firstTextRange])
    guard state.isOpen else { return }
    var text = Array(bytes[firstTextRange])
    var joinedNodes: [Int32] = []
    var next = nodes[Int(first)].nextSibling
    while state.isOpen, let node = next, text.count <= Self.maxFormulaLength {
      let sibling = nodes[Int(node)]
      remainingNodes -= 1
      guard sibling.name == .br || sibling.name == .characters else { return }
      if sibling.name == .br {
        text.append(0x0A)
      } else {
        let line = bytes[Int(sibling.start)..<Int(sibling.end)]
        state.read(line)
        text += line
      }
      joinedNodes.append(node)
      next = sibling.nextSibling
    }
    guard !state.isOpen else { return }
    for node in joinedNodes { detach(node) }
    nodes[Int(first)].start = UInt32(bytes.count)
    bytes += text
    nodes[Int(first)].end = UInt32(bytes.count)
  }

  private static let maxFormulaLength = 4096
}

/// The delimiter that encloses the current position of a text.
private struct FormulaState {
  /// The last byte of the delimiter that ends the formula; nil outside a formula.
  private var closer: UInt8?
  /// The number of environments that are open.
  private var environmentCount = 0

  /// Whether the position is in a formula.
  var isOpen: Bool { closer != nil || environmentCount > 0 }

  /// Advances to the end of a part of the text.
  mutating func read(_ text: ArraySlice<UInt8>) {
    var index = text.startIndex
    while index + 1 < text.endIndex {
      let (byte, next) = (text[index], text[index + 1])
      if byte == UInt8(ascii: "\\") {
        readEscape(next, text[index...])
      } else if byte == UInt8(ascii: "$"), next == byte, environmentCount == 0 {
        if closer == nil { closer = byte } else if closer == byte { closer = nil }
      } else {
        index += 1
        continue
      }
      index += 2
    }
  }

  /// Reads a backslash and the byte after it, with which `rest` begins.
  private mutating func readEscape(_ next: UInt8, _ rest: ArraySlice<UInt8>) {
    switch next {
    case UInt8(ascii: "(") where !isOpen: closer = UInt8(ascii: ")")
    case UInt8(ascii: "[") where !isOpen: closer = UInt8(ascii: "]")
    case UInt8(ascii: ")"), UInt8(ascii: "]"): if next == closer { closer = nil }
    case UInt8(ascii: "b") where closer == nil && rest.starts(with: "\\begin{".utf8):
      environmentCount += 1
    case UInt8(ascii: "e") where environmentCount > 0 && rest.starts(with: "\\end{".utf8):
      environmentCount -= 1
    default: break
    }
  }
}
