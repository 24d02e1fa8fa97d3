import DOM
import Metadata

/// Hints that the attributes of the elements of a page give about their content, collected once for
/// all passes.
struct ElementHints {
  /// For each node, one byte each for the hints from its classes, from its id and from its other
  /// attributes.
  private var bits: [UInt32]

  /// Collects the hints of all elements in the tree.
  init(of tree: DOMTree) {
    bits = Array(repeating: 0, count: tree.nodes.count)
    var memo = AttributeValueCache()
    for (index, node) in tree.nodes.enumerated()
    where node.name != .characters && node.end > node.start && node.parent != nil {
      bits[index] = Self.bits(of: node, in: tree, &memo)
    }
  }

  /// The combined hints of an element; empty for elements created later.
  subscript(node: Int32) -> NameHints {
    let own = bits(of: node)
    return NameHints(rawValue: (own | own >> 8 | own >> 16) & 0xFF)
  }

  /// Returns the weight of an element's class and id, -50 to 50; positive weights suggest content.
  func weight(of node: Int32) -> Int {
    let own = bits(of: node)
    guard own != 0 else { return 0 }
    return [NameHints(rawValue: own & 0xFF), NameHints(rawValue: own >> 8 & 0xFF)]
      .reduce(0) { $0 + ($1.contains(.negative) ? -25 : 0) + ($1.contains(.positive) ? 25 : 0) }
  }

  private func bits(of node: Int32) -> UInt32 { Int(node) < bits.count ? bits[Int(node)] : 0 }

  private static func bits(
    of element: DOMTree.Node, in tree: DOMTree, _ memo: inout AttributeValueCache
  ) -> UInt32 {
    // The literal `[]` would call a function of `SetAlgebra` that is not specialized for the type.
    let none = NameHints(rawValue: 0)
    var (ofClass, ofID, others) = (none, none, none)
    // The parser keeps only the first of several attributes with the same name.
    for index in Int(element.start)..<Int(element.end) {
      let attribute = tree.attributes[index]
      let value = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .class: ofClass = hints(value, in: tree.bytes, &memo)
      case .id: ofID = hints(value, in: tree.bytes, &memo)
      case .itemprop where tree.bytes.contains("author", in: value): others.insert(.byline)
      case .rel where value.count == 6 && tree.bytes.contains("author", in: value):
        others.insert(.byline)
      case .role where NameHints.isUnlikelyRole(tree.bytes[value]): others.insert(.nonContentRole)
      default: break
      }
    }
    return ofClass.rawValue | ofID.rawValue << 8 | others.rawValue << 16
  }

  /// Returns the hints in the value of a `class` or `id` attribute.
  private static func hints(
    _ value: Range<Int>, in bytes: [UInt8], _ memo: inout AttributeValueCache
  ) -> NameHints {
    guard !value.isEmpty else { return NameHints(rawValue: 0) }
    return bytes.withUnsafeBufferPointer {
      let found = memo.result(of: value, in: $0) { UInt64(NameHints.hints(in: $0).rawValue) }
      return NameHints(rawValue: UInt32(truncatingIfNeeded: found))
    }
  }
}
