extension DOMTree {
  /// Whether one of the four nearest ancestors of a node has a name.
  package func hasNearAncestor(_ name: ElementName, _ node: Int32) -> Bool {
    var next = nodes[Int(node)].parent
    for _ in 0..<4 {
      guard let ancestor = next else { break }
      if nodes[Int(ancestor)].name == name { return true }
      next = nodes[Int(ancestor)].parent
    }
    return false
  }

  /// Returns whether an element is in a `noscript` element directly after a figure or another
  /// element that may contain the same image for browsers with scripts.
  package func repeatsFigureBefore(_ node: Int32) -> Bool {
    var next = nodes[Int(node)].parent
    for _ in 0..<4 {
      guard let ancestor = next, nodes[Int(ancestor)].name != .noscript else { break }
      next = nodes[Int(ancestor)].parent
    }
    guard let ancestor = next, nodes[Int(ancestor)].name == .noscript else { return false }
    var before = nodes[Int(ancestor)].previousSibling
    if let textNode = before, nodes[Int(textNode)].name == .characters {
      let text = nodes[Int(textNode)]
      guard bytes[Int(text.start)..<Int(text.end)].allSatisfy(\.isWhiteSpace) else { return false }
      before = text.previousSibling
    }
    guard let before else { return false }
    return [.figure, .picture, .img, .a, .div, .span].contains(nodes[Int(before)].name)
  }

  /// Whether one of the 64 nearest ancestors of a node has a name.
  package func hasAncestor(_ name: ElementName, _ node: Int32) -> Bool {
    var next = nodes[Int(node)].parent
    for _ in 0..<64 {
      guard let ancestor = next else { break }
      if nodes[Int(ancestor)].name == name { return true }
      next = nodes[Int(ancestor)].parent
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
    while let current = next, text.count < 4096 {
      let domNode = nodes[Int(current)]
      if excluded.contains(domNode.name) {
        text.append(0x20)
        next = nodeAfterSubtree(current, in: node)
        continue
      }
      if domNode.name == .characters {
        text.append(contentsOf: bytes[Int(domNode.start)..<Int(domNode.end)])
      } else if domNode.name.isBlock || domNode.name == .br {
        text.append(0x20)
      }
      next = nodeAfter(current, in: node)
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

  /// Returns the nearest sibling before a node that is not blank.
  package func siblingBefore(_ node: Int32) -> Int32? {
    var next = nodes[Int(node)].previousSibling
    while let sibling = next, isBlank(sibling) { next = nodes[Int(sibling)].previousSibling }
    return next
  }

  /// Returns the nearest sibling after a node that is not blank.
  package func siblingAfter(_ node: Int32) -> Int32? {
    var next = nodes[Int(node)].nextSibling
    while let sibling = next, isBlank(sibling) { next = nodes[Int(sibling)].nextSibling }
    return next
  }

  /// Returns the innermost block around a node; 0 if there is none below the root.
  package func blockAround(_ node: Int32) -> Int32 {
    var block = nodes[Int(node)].parent ?? 0
    while block > 0, !nodes[Int(block)].name.isBlock { block = nodes[Int(block)].parent ?? 0 }
    return block
  }
}
