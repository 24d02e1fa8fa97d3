import DOM

/// The copies of elements that pages have only for the eye, such as the slides at the ends of a
/// carousel, the second half of a marquee and the header of a table that stays in view: elements
/// that screen readers skip (`aria-hidden`), with the content of a sibling that is shown.
struct ClonedElements {
  /// The copies among the children of an element, by that element.
  private var clonesByParent: [Int32: NodeSet] = [:]

  /// Returns whether an element that screen readers skip is a copy of a sibling.
  mutating func contains(_ node: Int32, of tree: DOMTree, _ hiding: HidingRules) -> Bool {
    guard let parent = tree.nodes[Int(node)].parent,
      tree.value(.ariaHidden, of: node, contains: "true")
    else { return false }
    let clones = clonesByParent[parent] ?? Self.clones(below: parent, of: tree, hiding)
    clonesByParent[parent] = clones
    return clones.contains(node)
  }

  /// Returns the children of an element that are copies. A slide that is not in view is skipped by
  /// screen readers, too, so the class decides which of two such slides is the copy.
  private static func clones(
    below parent: Int32, of tree: DOMTree, _ hiding: HidingRules
  ) -> NodeSet {
    var (shown, outOfView): (Set<Content>, Set<Content>) = ([], [])
    var skipped: [(node: Int32, content: Content, isNamedClone: Bool)] = []
    var next = tree.nodes[Int(parent)].firstChild
    while let child = next {
      next = tree.nodes[Int(child)].nextSibling
      guard tree.nodes[Int(child)].name != .characters, !hiding.hides(child, of: tree),
        let content = Content(of: child, in: tree, hiding)
      else { continue }
      if tree.value(.ariaHidden, of: child, contains: "true") {
        let isNamedClone = tree.value(.class, of: child, hasWordAmong: cloneClasses)
        skipped.append((child, content, isNamedClone))
        if !isNamedClone { outOfView.insert(content) }
      } else if !tree.isScreenReaderText(child) {
        shown.insert(content)
      }
    }
    let clones = skipped.filter {
      shown.contains($0.content) || $0.isNamedClone && outOfView.contains($0.content)
    }
    return NodeSet(clones.map(\.node))
  }

  /// The classes of copies of slides.
  private static let cloneClasses: [StaticString] = [
    "slick-cloned", "swiper-slide-duplicate", "splide__slide--clone", "glide__slide--clone",
    "bx-clone", "owl-clone", "cloned", "clone", "duplicate",
  ]
}

/// What is shown of an element: the elements in it, with their text, links and images.
private struct Content: Hashable {
  private var names: [ElementName] = []
  private var text: [UInt8] = []

  /// Reads an element; nil for cells of tables, and for elements without a word, with more than
  /// 256 descendants or with more than 4096 bytes.
  init?(of element: Int32, in tree: DOMTree, _ hiding: HidingRules) {
    guard ![.characters, .td, .th].contains(tree.nodes[Int(element)].name) else { return nil }
    var next: Int32? = element
    for _ in 0...256 {
      guard let node = next else { break }
      let domNode = tree.nodes[Int(node)]
      if node != element, domNode.name != .characters, hiding.hides(node, of: tree) {
        next = tree.nodeAfterSubtree(node, in: element)
        continue
      }
      next = tree.nodeAfter(node, in: element)
      let parts =
        domNode.name == .characters
        ? [Int(domNode.start)..<Int(domNode.end)]
        : Self.attributes.compactMap { tree.attribute($0, of: node) }
      guard text.count + parts.reduce(0, { $0 + $1.count }) < 4096 else { return nil }
      if domNode.name == .characters, tree.isBlank(node) { continue }
      names.append(domNode.name)
      text.append(0x20)
      for part in parts { text += tree.bytes[part].filter { !$0.isWhiteSpace } }
    }
    let letterCount = String(decoding: text, as: UTF8.self).count(where: \.isLetter)
    guard next == nil, letterCount > 1 else { return nil }
  }

  /// The attributes with links and texts, and with images that are loaded lazily, too.
  private static let attributes: [AttributeName] = [
    .href, .src, .srcset, .dataSource, .dataOriginal, .dataSourceSet, .data, .alt, .value,
  ]
}
