import DOM

// Queries and edits that the passes of reader view share.

extension DOMTree {
  func children(of node: Int32) -> Siblings {
    Siblings(nodes: nodes, nextNode: nodes[Int(node)].firstChild)
  }

  /// A node and its following siblings.
  struct Siblings: Sequence, IteratorProtocol {
    fileprivate let nodes: [Node]
    fileprivate var nextNode: Int32?

    mutating func next() -> Int32? {
      guard let node = nextNode else { return nil }
      nextNode = nodes[Int(node)].nextSibling
      return node
    }
  }

  /// Returns the only child of a node that is not blank; nil if there is none, or several.
  func onlyChild(of node: Int32) -> Int32? {
    var only: Int32?
    for child in children(of: node) where !isBlank(child) {
      guard only == nil else { return nil }
      only = child
    }
    return only
  }

  /// Returns the innermost link around a node, itself included; 0 if there is none.
  func link(around node: Int32) -> Int32 {
    var link = node
    while link > 0, nodes[Int(link)].name != .a { link = nodes[Int(link)].parent ?? 0 }
    return link
  }

  /// Creates an element without attributes, not yet inserted into the tree.
  mutating func makeElement(_ name: ElementName) -> Int32 {
    nodes.append(Node(name: name, start: 0, end: 0))
    return Int32(nodes.count - 1)
  }

  /// Creates a text node, not yet inserted into the tree.
  mutating func makeText(_ text: String) -> Int32 {
    let start = UInt32(bytes.count)
    bytes.append(contentsOf: text.utf8)
    nodes.append(Node(name: .characters, start: start, end: UInt32(bytes.count)))
    return Int32(nodes.count - 1)
  }

  /// Creates a text node of one space, not yet inserted into the tree.
  mutating func makeSpace() -> Int32 {
    // Most pages have a space near the beginning, so that no byte has to be appended.
    guard let position = bytes.prefix(Self.maxPrefixLength).firstIndex(of: 0x20) else {
      return makeText(" ")
    }
    nodes.append(Node(name: .characters, start: UInt32(position), end: UInt32(position + 1)))
    return Int32(nodes.count - 1)
  }

  private static let maxPrefixLength = 64

  /// Inserts an element with a text as the first child of the root.
  mutating func prepend(_ name: ElementName, _ text: String) {
    let element = makeElement(name)
    append(makeText(text), to: element)
    nodes[Int(element)].contents.insert(.text)
    let first = nodes[0].firstChild
    if let first { insert(element, before: first) } else { append(element, to: 0) }
    addContents([.text, .block], from: 0)
  }

  /// Appends a paragraph with a link to the root.
  mutating func appendLink(to target: String, _ text: String) {
    let paragraph = makeElement(.p)
    let link = makeElement(.a)
    let start = UInt32(bytes.count)
    bytes.append(contentsOf: target.utf8)
    attributes.append(Attribute(name: .href, start: start, end: UInt32(bytes.count)))
    nodes[Int(link)].start = UInt32(attributes.count - 1)
    nodes[Int(link)].end = UInt32(attributes.count)
    append(makeText(text), to: link)
    append(link, to: paragraph)
    nodes[Int(paragraph)].contents.insert(.text)
    nodes[Int(link)].contents.insert(.text)
    append(paragraph, to: 0)
    addContents([.text, .block], from: 0)
  }

  /// Whether a node is phrasing content: text, or an inline element whose content is phrasing too.
  func isPhrasing(_ node: Int32) -> Bool {
    switch nodes[Int(node)].name {
    case .characters: true
    case .a, .del, .ins: children(of: node).allSatisfy(isPhrasing)
    case let name: name.isPhrasing
    }
  }

  /// Returns the elements that are hidden by the HTML standard, by attributes or by style sheets,
  /// in document order and without nested ones. For a cell that keeps its place in the row, these
  /// are its children.
  /// - Parameters:
  ///   - rules: Further rules for what is hidden.
  ///   - isKnownVisible: For each node, whether it is known that no rule hides it; may be empty.
  /// - Returns: The outermost hidden nodes.
  func hiddenElements(_ rules: HidingRules, isKnownVisible: [Bool] = []) -> [Int32] {
    var hidden: [Int32] = []
    var next = nodeAfter(0, in: 0)
    while let node = next {
      let isKnown = Int(node) < isKnownVisible.count && isKnownVisible[Int(node)]
      if nodes[Int(node)].name != .characters,
        isHidden(node) || !isKnown && rules.hides(node, of: self)
      {
        let isCell = nodes[Int(node)].name == .td || nodes[Int(node)].name == .th
        if isCell, !rules.effect(on: node, of: self).isNotRendered {
          hidden += children(of: node)
        } else {
          hidden.append(node)
        }
        next = nodeAfterSubtree(node, in: 0)
      } else {
        next = nodeAfter(node, in: 0)
      }
    }
    return hidden
  }

  /// Whether an element is hidden in any page: by its name, such as `script` or a closed `dialog`,
  /// or by `aria-hidden`.
  private func isHidden(_ node: Int32) -> Bool {
    switch nodes[Int(node)].name {
    case .script, .style, .template, .head, .title, .link, .datalist, .noembed:
      return true
    // An image for browsers without scripts may be the only copy that has a URL.
    case .noscript
    where !nodes[Int(node)].contents.contains(.image)
      || nodes[Int(node)].contents.contains(.text) && !isSoleFigureVersion(node):
      return true
    case .dialog where !hasAttribute(.open, node): return true
    case .pre where isHiddenListing(node): return true
    default: break
    }
    let element = nodes[Int(node)]
    for index in Int(element.start)..<Int(element.end) {
      let attribute = attributes[index]
      let valueRange = Int(attribute.start)..<Int(attribute.end)
      switch attribute.name {
      case .ariaHidden
      where bytes[valueRange].elementsEqual("true".utf8)
        && !self.value(.class, of: node, contains: "fallback-image"):
        return true
      default: break
      }
    }
    return false
  }

  /// Whether a `noscript` element consists of a figure for which there is no other version before
  /// it.
  private func isSoleFigureVersion(_ node: Int32) -> Bool {
    var previous = nodes[Int(node)].previousSibling
    while let text = previous, nodes[Int(text)].name == .characters {
      previous = nodes[Int(text)].previousSibling
    }
    if let previous, nodes[Int(previous)].contents.contains(.image) { return false }
    var next = nodes[Int(node)].firstChild
    var figures = 0
    while let child = next {
      switch nodes[Int(child)].name {
      case .figure: figures += 1
      case .characters where !nodes[Int(child)].contents.contains(.text): break
      default: return false
      }
      next = nodes[Int(child)].nextSibling
    }
    return figures == 1
  }

  /// Whether a listing has the class `hidden`, used for code that only runs an example.
  func isHiddenListing(_ node: Int32) -> Bool {
    value(.class, of: node, hasWordAmong: ["hidden"])
  }

  /// Replaces runs of two or more line breaks by paragraphs.
  mutating func replaceBreaks() {
    guard nodes.contains(where: { $0.name == .br }) else { return }
    var next = nodeAfter(0, in: 0)
    while let node = next {
      let following = nodeAfter(node, in: 0)
      if nodes[Int(node)].name == .br, nodes[Int(node)].parent != nil {
        replaceBreaks(from: node)
        next = nodes[Int(node)].parent != nil ? nodeAfter(node, in: 0) : following
      } else {
        next = following
      }
    }
  }

  private mutating func replaceBreaks(from first: Int32) {
    var next = firstNonBlank(nodes[Int(first)].nextSibling)
    var hasSecondBreak = false
    while let node = next, nodes[Int(node)].name == .br {
      hasSecondBreak = true
      let nextSibling = nodes[Int(node)].nextSibling
      detach(node)
      next = firstNonBlank(nextSibling)
    }
    guard hasSecondBreak else { return }
    // The first line break becomes the paragraph.
    nodes[Int(first)].name = .p
    nodes[Int(first)].end = nodes[Int(first)].start
    addContents(.block, from: nodes[Int(first)].parent)
    next = nodes[Int(first)].nextSibling
    while let node = next {
      if nodes[Int(node)].name == .br,
        let after = firstNonBlank(nodes[Int(node)].nextSibling),
        nodes[Int(after)].name == .br
      {
        break
      }
      guard isPhrasing(node) else { break }
      let nextSibling = nodes[Int(node)].nextSibling
      nodes[Int(first)].contents.formUnion(nodes[Int(node)].contents)
      nodes[Int(first)].contents.insert(.text)
      detach(node)
      append(node, to: first)
      next = nextSibling
    }
    while let last = nodes[Int(first)].lastChild, isBlank(last) { detach(last) }
    let parent = nodes[Int(first)].parent
    if let parent, nodes[Int(parent)].name == .p { nodes[Int(parent)].name = .div }
  }

  /// Returns the first of a node and its following siblings that is not white space.
  private func firstNonBlank(_ node: Int32?) -> Int32? {
    var next = node
    while let text = next, nodes[Int(text)].name == .characters, isBlank(text) {
      next = nodes[Int(text)].nextSibling
    }
    return next
  }
}

extension ElementName {
  fileprivate var isPhrasing: Bool {
    switch self {
    case .abbr, .audio, .b, .bdo, .br, .button, .cite, .code, .data, .datalist, .dfn, .em, .embed,
      .font, .i, .img, .input, .kbd, .label, .mark, .math, .meter, .noscript, .object, .output,
      .progress, .q, .ruby, .samp, .script, .select, .small, .span, .strong, .subscript, .sup,
      .textarea, .time, .var, .wbr:
      true
    default: false
    }
  }
}
