import DOM

/// The text measures of all elements of a page.
struct TextMeasures {
  private var measures: [TextMeasure]

  /// Adds up the texts of a page in linear time.
  init(_ tree: DOMTree, _ lengths: TextLengths) {
    var measures = Array(repeating: TextMeasure(), count: tree.nodes.count)
    measures.withUnsafeMutableBufferPointer { measures in
      tree.visit(below: 0) { _ in
      } leave: { node, own in
        let parent = Int(own.parent ?? 0)
        guard own.name != .characters else {
          let length = lengths[node]
          measures[parent].counts &+= SIMD4(length.characterCount, 0, length.commaCount, 0)
          return
        }
        var share = measures[Int(node)].counts
        if own.name == .a { share[1] &+= share[0] &* tree.linkWeight(of: node) }
        if own.name.preventsParagraph { share[3] &+= 1 }
        measures[parent].counts &+= share
      }
    }
    self.measures = measures
  }

  /// The measure of the text below an element.
  subscript(node: Int32) -> TextMeasure { measures[Int(node)] }
}

extension DOMTree {
  /// Visits the nodes below a root in document order.
  /// - Parameters:
  ///   - root: The node whose descendants are visited.
  ///   - enter: Called with each element before its descendants.
  ///   - leave: Called with each element after its descendants, and with each text.
  @inline(__always)
  func visit(below root: Int32, enter: (Int32) -> Void, leave: (Int32, Node) -> Void) {
    nodes.withUnsafeBufferPointer { nodes in
      guard var node = nodes[Int(root)].firstChild else { return }
      while true {
        var own = nodes[Int(node)]
        if own.name != .characters {
          enter(node)
          if let child = own.firstChild {
            node = child
            continue
          }
        }
        while true {
          leave(node, own)
          if let sibling = own.nextSibling {
            node = sibling
            break
          }
          guard let parent = own.parent, parent != root else { return }
          node = parent
          own = nodes[Int(node)]
        }
      }
    }
  }

  /// Returns the weight of a character of a link in tenths: 10, or 3 for links within the page.
  func linkWeight(of link: Int32) -> Int32 {
    guard let target = attribute(.href, of: link), target.count > 1 else { return 10 }
    return bytes[target.lowerBound] == UInt8(ascii: "#") ? 3 : 10
  }
}

extension ElementName {
  /// Whether a `div` with this element is more than a paragraph.
  var preventsParagraph: Bool {
    switch self {
    case .blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul: true
    default: false
    }
  }
}
