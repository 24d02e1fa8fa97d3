/// The attributes of the `html` and `body` tags of a page.
struct RootAttributes {
  /// A name and its value, with character references decoded.
  struct Attribute {
    var name: [UInt8]
    var value: [UInt8]
  }

  private(set) var html: [Attribute] = []
  private(set) var body: [Attribute] = []

  private static let maxAttributes = 64
  private static let maxSize = 1 << 14

  /// Whether neither tag has attributes.
  var isEmpty: Bool { html.isEmpty && body.isEmpty }

  /// Adds an attribute of `body` or `html`. If the page has several tags of the element,
  /// the first that has the attribute counts (HTML standard §13.2.6.4.7).
  mutating func add(
    _ name: Slice<UnsafeBufferPointer<UInt8>>, _ value: Slice<UnsafeBufferPointer<UInt8>>,
    ofBody isOfBody: Bool
  ) {
    let knownAttributes = isOfBody ? body : html
    guard knownAttributes.count < Self.maxAttributes, name.count + value.count <= Self.maxSize,
      !knownAttributes.contains(where: { attribute in
        attribute.name.elementsEqual(name, by: { $0.lowercased == $1.lowercased })
      })
    else { return }
    var attribute = Attribute(name: Array(name), value: [])
    UnsafeBufferPointer(rebasing: value).appendDecoded(to: &attribute.value)
    if isOfBody { body.append(attribute) } else { html.append(attribute) }
  }
}

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
