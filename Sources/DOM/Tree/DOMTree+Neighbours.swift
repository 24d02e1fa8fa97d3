extension DOMTree {
  /// Whether one of the four nearest ancestors of a node has a name.
  package func hasNearAncestor(_ name: ElementName, _ node: Int32) -> Bool {
    var ancestor = nodes[Int(node)].parent
    for _ in 0..<4 where ancestor >= 0 {
      if nodes[Int(ancestor)].name == name { return true }
      ancestor = nodes[Int(ancestor)].parent
    }
    return false
  }

  /// Returns whether an element is in a `noscript` element directly after a figure or another
  /// element that may contain the same image for browsers with scripts.
  package func repeatsFigureBefore(_ node: Int32) -> Bool {
    var ancestor = nodes[Int(node)].parent
    for _ in 0..<4 where ancestor >= 0 && nodes[Int(ancestor)].name != .noscript {
      ancestor = nodes[Int(ancestor)].parent
    }
    guard ancestor >= 0, nodes[Int(ancestor)].name == .noscript else { return false }
    var before = nodes[Int(ancestor)].previousSibling
    if before >= 0, nodes[Int(before)].name == .characters {
      let text = nodes[Int(before)]
      guard bytes[Int(text.start)..<Int(text.end)].allSatisfy(\.isWhiteSpace) else { return false }
      before = text.previousSibling
    }
    return before >= 0
      && [.figure, .picture, .img, .a, .div, .span].contains(nodes[Int(before)].name)
  }

  /// Whether one of the 64 nearest ancestors of a node has a name.
  package func hasAncestor(_ name: ElementName, _ node: Int32) -> Bool {
    var ancestor = nodes[Int(node)].parent
    for _ in 0..<64 where ancestor >= 0 {
      if nodes[Int(ancestor)].name == name { return true }
      ancestor = nodes[Int(ancestor)].parent
    }
    return false
  }

  /// Whether a node is white space or a line break.
  package func isBlank(_ node: Int32) -> Bool {
    let domNode = nodes[Int(node)]
    switch domNode.name {
    case .br: return true
    case .characters: return isWhiteSpace(domNode)
    default: return false
    }
  }

  /// Returns the text below a node on one line, except within the elements `excluded`. Collecting
  /// stops once the text has 4096 bytes.
  package func collapsedText(below node: Int32, without excluded: ElementSet = []) -> String {
    var next = nodeAfter(node, in: node)
    var text: [UInt8] = []
    while next >= 0, text.count < 4096 {
      let domNode = nodes[Int(next)]
      if excluded.contains(domNode.name) {
        text.append(0x20)
        next = nodeAfterSubtree(next, in: node)
        continue
      }
      if domNode.name == .characters {
        text.append(contentsOf: bytes[Int(domNode.start)..<Int(domNode.end)])
      } else if domNode.name.isBlock || domNode.name == .br {
        text.append(0x20)
      }
      next = nodeAfter(next, in: node)
    }
    return SpecialText.collapsedLine(text[...])
  }

  /// Whether a text node is only white space, including no-break spaces.
  package func isWhiteSpace(_ text: Node) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var index = Int(text.start)
      while index < Int(text.end) {
        if bytes[index] == 0xC2, index + 1 < bytes.count, bytes[index + 1] == 0xA0 {
          // A no-break space.
          index += 2
        } else if bytes[index].isWhiteSpace {
          index += 1
        } else {
          return false
        }
      }
      return true
    }
  }

  /// Returns the nearest sibling before a node that is not blank; -1 if there is none.
  package func siblingBefore(_ node: Int32) -> Int32 {
    var sibling = nodes[Int(node)].previousSibling
    while sibling >= 0, isBlank(sibling) { sibling = nodes[Int(sibling)].previousSibling }
    return sibling
  }

  /// Returns the nearest sibling after a node that is not blank; -1 if there is none.
  package func siblingAfter(_ node: Int32) -> Int32 {
    var sibling = nodes[Int(node)].nextSibling
    while sibling >= 0, isBlank(sibling) { sibling = nodes[Int(sibling)].nextSibling }
    return sibling
  }

  /// Returns the innermost block around a node; at most 0 if there is none below the root.
  package func blockAround(_ node: Int32) -> Int32 {
    var block = nodes[Int(node)].parent
    while block > 0, !nodes[Int(block)].name.isBlock { block = nodes[Int(block)].parent }
    return block
  }
}
