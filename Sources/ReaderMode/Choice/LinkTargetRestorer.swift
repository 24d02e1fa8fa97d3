import DOM

// Links within a page need their targets. Notes are often outside the text, such as in a footer or
// an aside, and the element that a link refers to may have been removed although the text after it
// is kept.

/// Targets of links within the kept content of a page.
struct LinkTargetRestorer {
  private let originalPage: DOMTree
  /// For each node of the page, whether it is part of the content.
  private var isKept: [Bool]
  /// For each node of the page, the next kept node, itself included; the number of nodes if there
  /// is none.
  private var nextKeptNode: [Int32] = []
  /// For each node of the page, the next kept text, itself included; the number of nodes if there
  /// is none.
  private var nextKeptText: [Int32] = []
  /// Names that links refer to and that no kept element has, with whether a link looks like a note
  /// reference.
  private var missingNames: [ArraySlice<UInt8>: Bool] = [:]
  /// The name attributes of targets before all kept text.
  private(set) var leadingTargets: [DOMTree.Attribute] = []

  /// The maximum length of a note in bytes.
  private static let maxNoteLength = 1500
  private static let maxNodes = 256
  /// The maximum number of ancestors of a note.
  private static let maxDepth = 256
  /// The maximum length of a note reference in bytes.
  private static let maxReferenceLength = 6

  /// Restores the targets of links in a part of the page with the same nodes: short notes as they
  /// are, otherwise an anchor. Returns nil if no target is missing, as on most pages.
  init?(into content: inout DOMTree, of page: DOMTree, hiding: HidingRules) {
    guard content.nodes.count >= page.nodes.count, content.hasFragmentLinks else { return nil }
    self.originalPage = page
    isKept = content.isReachable
    collect(in: content)
    guard !missingNames.isEmpty else { return nil }
    findNextKeptNodes()
    for node in page.nodes.indices.dropFirst() where page.nodes[node].name != .characters {
      let node = Int32(node)
      guard let target = page.targetName(of: node),
        let isNote = missingNames.removeValue(forKey: page.bytes[target.range])
      else { continue }
      if isNote, let note = note(at: node, hiding) {
        restore(note, in: &content)
      } else if !isKept[Int(node)] {
        insertAnchor(node, target, in: &content)
      }
      if missingNames.isEmpty { return }
    }
  }

  /// Collects the names of missing targets.
  private mutating func collect(in content: DOMTree) {
    for node in content.descendants(of: 0) {
      if content.nodes[Int(node)].name == .a, let range = content.attribute(.href, of: node),
        range.count > 1, content.bytes[range.lowerBound] == UInt8(ascii: "#")
      {
        let name = content.bytes[range].dropFirst()
        let isMarker =
          content.hasNearAncestor(.sup, node)
          || Self.isNoteReference(content.collapsedText(below: node))
        missingNames[name] = missingNames[name] ?? false || isMarker
      }
    }
    guard !missingNames.isEmpty else { return }
    for node in content.descendants(of: 0) {
      if content.nodes[Int(node)].name != .characters, let target = content.targetName(of: node) {
        missingNames[content.bytes[target.range]] = nil
      }
    }
  }

  /// Whether a text looks like a note reference: a number (also Roman), a symbol or a letter, but
  /// not a word such as "next".
  private static func isNoteReference(_ text: String) -> Bool {
    text.utf8.count <= maxReferenceLength
      && (text.count(where: \.isLetter) < 3 || text.allSatisfy { "ivxlc[]()".contains($0) })
  }

  private mutating func findNextKeptNodes() {
    let count = originalPage.nodes.count
    nextKeptNode = [Int32](repeating: Int32(count), count: count + 1)
    nextKeptText = nextKeptNode
    for index in originalPage.nodes.indices.reversed() {
      let isText =
        originalPage.nodes[index].name == .characters && !originalPage.isBlank(Int32(index))
      nextKeptNode[index] = isKept[index] ? Int32(index) : nextKeptNode[index + 1]
      nextKeptText[index] = isKept[index] && isText ? Int32(index) : nextKeptText[index + 1]
    }
  }

  // MARK: Notes

  /// Returns the note that contains a target at its start; nil if it is long, hidden or part of the
  /// content.
  private func note(at target: Int32, _ hiding: HidingRules) -> Int32? {
    var note = target
    // A link at the start of a note leads back to the text. A superscript link is itself the
    // target.
    while note > 0, originalPage.nodes[Int(note)].name == .a,
      !originalPage.hasNearAncestor(.sup, note)
    {
      note = originalPage.nodes[Int(note)].parent ?? 0
    }
    guard note > 0, case let length = textLength(below: note),
      length > Self.maxReferenceLength, length <= Self.maxNoteLength
    else { return nil }
    var next: Int32? = note
    for _ in 0..<Self.maxDepth {
      guard let ancestor = next, ancestor > 0 else { break }
      if hiding.hides(ancestor, of: originalPage) { return nil }
      next = originalPage.nodes[Int(ancestor)].parent
    }
    guard next == 0 else { return nil }
    next = note
    while let node = next {
      if isKept[Int(node)] { return nil }
      next = originalPage.nodeAfter(node, in: note)
    }
    return note
  }

  /// Returns the number of bytes of the text below a node; a number above `maxNoteLength` if there
  /// are too many bytes or nodes.
  private func textLength(below node: Int32) -> Int {
    var (length, nodes) = (0, 0)
    var next = originalPage.nodeAfter(node, in: node)
    while let current = next, length <= Self.maxNoteLength {
      let own = originalPage.nodes[Int(current)]
      if own.name == .characters, !originalPage.isBlank(current) {
        length += Int(own.end - own.start)
      }
      nodes += 1
      if nodes > Self.maxNodes { return Self.maxNoteLength + 1 }
      next = originalPage.nodeAfter(current, in: node)
    }
    return length
  }

  /// Restores a note at its position among the kept nodes, or at the end.
  private mutating func restore(_ note: Int32, in content: inout DOMTree) {
    var lastNode = note
    var next: Int32? = note
    while let node = next {
      content.nodes[Int(node)] = originalPage.nodes[Int(node)]
      isKept[Int(node)] = true
      lastNode = max(lastNode, node)
      next = originalPage.nodeAfter(node, in: note)
    }
    content.nodes[Int(note)].parent = nil
    content.nodes[Int(note)].nextSibling = nil
    content.nodes[Int(note)].previousSibling = nil
    let followingNode = nextKeptNode[Int(lastNode) + 1]
    let position =
      Int(followingNode) < originalPage.nodes.count
      ? content.blockStart(followingNode, after: note) : nil
    let isItem = originalPage.nodes[Int(note)].name == .li
    if isItem, let list = adjacentNoteList(before: position, in: content) {
      content.append(note, to: list)
      return
    }
    let block = content.makeElement(isItem ? .ol : .div)
    content.append(note, to: block)
    if let position {
      content.insert(block, before: position)
    } else {
      let end = content.nodes[0].lastChild ?? 0
      content.append(block, to: end > 0 && content.nodes[Int(end)].name == .div ? end : 0)
    }
    content.addContents([.block, .text], from: content.nodes[Int(note)].parent)
  }

  /// Returns the list that was created for the previous note, if it is adjacent; nil otherwise.
  private func adjacentNoteList(before position: Int32?, in content: DOMTree) -> Int32? {
    var before: Int32?
    if let position {
      before = content.nodes[Int(position)].previousSibling
    } else {
      before = content.nodes[0].lastChild
      if let last = before, content.nodes[Int(last)].name == .div {
        before = content.nodes[Int(last)].lastChild
      }
    }
    guard let before, before >= originalPage.nodes.count, content.nodes[Int(before)].name == .ol
    else { return nil }
    return before
  }

  // MARK: Anchors

  /// Inserts an anchor with the name of a removed element before the text that follows it.
  private mutating func insertAnchor(
    _ node: Int32, _ name: DOMTree.Attribute, in content: inout DOMTree
  ) {
    let next = nextKeptText[Int(node)]
    guard Int(next) < originalPage.nodes.count else { return }
    if next == nextKeptText[0] {
      leadingTargets.append(name)
    } else {
      content.insert(content.makeAnchor(name), before: next)
    }
  }
}

extension DOMTree {
  /// Whether any link refers to a fragment of the same page.
  fileprivate var hasFragmentLinks: Bool {
    attributes.contains {
      $0.name == .href && $0.end > $0.start + 1 && bytes[Int($0.start)] == UInt8(ascii: "#")
    }
  }

  /// Returns the attribute with the fragment name of an element; nil if it has none.
  fileprivate func targetName(of node: Int32) -> Attribute? {
    let element = nodes[Int(node)]
    for index in Int(element.start)..<Int(element.end)
    where attributes[index].name == .id || attributes[index].name == .name && element.name == .a {
      return attributes[index]
    }
    return nil
  }

  /// Creates an anchor with a name and no content, not yet inserted into the tree.
  mutating func makeAnchor(_ name: Attribute) -> Int32 {
    let anchor = makeElement(.a)
    attributes.append(Attribute(name: .id, start: name.start, end: name.end))
    nodes[Int(anchor)].start = UInt32(attributes.count - 1)
    nodes[Int(anchor)].end = UInt32(attributes.count)
    return anchor
  }

  /// Returns the outermost block element that begins with a node and follows another node; not
  /// inside a line, a list or a table.
  fileprivate func blockStart(_ node: Int32, after other: Int32) -> Int32 {
    var position = node
    while let parent = nodes[Int(position)].parent, parent > 0,
      nodes[Int(position)].previousSibling == nil && parent > other
        || !nodes[Int(parent)].name.mayContainBlocks
    {
      position = parent
    }
    return position
  }
}

extension DOMTree.Attribute {
  /// The range of the value in the bytes of the tree.
  fileprivate var range: Range<Int> { Int(start)..<Int(end) }
}

extension ElementName {
  fileprivate var mayContainBlocks: Bool {
    switch self {
    case .div, .section, .article, .main, .body, .blockquote, .aside, .footer: true
    default: false
    }
  }
}
