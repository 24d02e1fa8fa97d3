/// The elements `html`, `head` and `body` of a page, of which its tree has no nodes. Selectors are
/// matched against a tree that consists of these elements.
///
/// A class, because a `DOMTree` refers to it and it contains one.
final class RootElements: Sendable {
  let tree: DOMTree

  /// The nodes of `tree`. Node 2 is `head`.
  static let html: Int32 = 1
  static let body: Int32 = 3

  /// The elements of a page that gives them no attributes.
  static let withoutAttributes = RootElements(RootAttributes())

  init(_ attributes: RootAttributes) {
    var tree = DOMTree.empty
    let html = tree.addElement(.html, to: 0, attributes.html)
    tree.addElement(.head, to: html, [])
    let body = tree.addElement(.body, to: html, attributes.body)
    // The body is not `:empty`.
    tree.addText(" ", to: body)
    self.tree = tree
  }
}

extension DOMTree {
  @discardableResult
  fileprivate mutating func addElement(
    _ name: ElementName, to parent: Int32, _ values: [RootAttributes.Attribute]
  ) -> Int32 {
    let node = addElement(name, to: parent)
    for attribute in values {
      let start = UInt32(bytes.count)
      let attributeName = attribute.name.withUnsafeBufferPointer { AttributeName.named($0) }
      if attributeName == nil { bytes += attribute.name + [UInt8(ascii: "=")] }
      bytes += attribute.value
      attributes.append(
        Attribute(name: attributeName ?? .other, start: start, end: UInt32(bytes.count)))
    }
    nodes[Int(node)].end = UInt32(attributes.count)
    return node
  }
}
