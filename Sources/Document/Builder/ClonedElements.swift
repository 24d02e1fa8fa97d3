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
    var (shown, outOfView): (Set<String>, Set<String>) = ([], [])
    var skipped: [(node: Int32, content: String, isNamedClone: Bool)] = []
    var next = tree.nodes[Int(parent)].firstChild
    while let child = next {
      next = tree.nodes[Int(child)].nextSibling
      guard let content = tree.comparableContent(of: child) else { continue }
      if tree.value(.ariaHidden, of: child, contains: "true") {
        let isNamedClone = tree.value(.class, of: child, hasWordAmong: cloneClasses)
        skipped.append((child, content, isNamedClone))
        if !isNamedClone { outOfView.insert(content) }
      } else if !hiding.hides(child, of: tree), !tree.isScreenReaderText(child) {
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

extension DOMTree {
  /// Returns the name of an element with its text, links and images; nil for cells of tables, and
  /// for elements without a word, with more than 256 descendants or with more than 4096 bytes.
  fileprivate func comparableContent(of element: Int32) -> String? {
    let name = nodes[Int(element)].name
    guard ![.characters, .td, .th].contains(name) else { return nil }
    var content = Array(name.rawValue.utf8)
    let nameLength = content.count
    var next: Int32? = element
    for _ in 0...256 {
      guard let node = next else { break }
      let domNode = nodes[Int(node)]
      let parts =
        domNode.name == .characters
        ? [Int(domNode.start)..<Int(domNode.end)]
        : [AttributeName.href, .src, .alt].compactMap { attribute($0, of: node) }
      guard content.count + parts.reduce(0, { $0 + $1.count }) < 4096 else { return nil }
      content.append(0x20)
      for part in parts { content += bytes[part].filter { !$0.isWhiteSpace } }
      next = nodeAfter(node, in: element)
    }
    let text = String(decoding: content, as: UTF8.self)
    return next == nil && text.dropFirst(nameLength).count(where: \.isLetter) > 1 ? text : nil
  }
}
