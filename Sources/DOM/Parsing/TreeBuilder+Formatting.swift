/// An entry of the list of active formatting elements (HTML standard §13.2.4.3).
struct FormattingEntry {
  /// The element, or -1 for a marker.
  var node: Int32
  let name: ElementName
  /// Whether the element is in the stack of open elements.
  var isOpen: Bool

  /// The marker that a table cell or similar element inserts.
  static let marker = FormattingEntry(node: -1, name: .other, isOpen: true)

  var isMarker: Bool { node < 0 }
}

extension TreeBuilder {
  /// The maximum number of entries; beyond it, the oldest one is dropped. Browsers have no limit
  /// and need quadratic time.
  private static let maxFormattingEntries = 64

  /// Opens a formatting element.
  mutating func insertFormatting(_ tag: TagName, _ attributes: Range<Int>) {
    let node = insert(tag, attributes)
    guard current.node == node else { return }
    limitFormatting(tag.name, attributes)
    formatting.append(FormattingEntry(node: node, name: tag.name, isOpen: true))
  }

  /// Keeps at most three equal elements (the "Noah's Ark clause").
  private mutating func limitFormatting(_ name: ElementName, _ attributes: Range<Int>) {
    var equals = 0
    var earliest: Int?
    var index = formatting.count - 1
    while index >= 0, !formatting[index].isMarker {
      if formatting[index].name == name, hasAttributes(formatting[index].node, attributes) {
        equals += 1
        earliest = index
      }
      index -= 1
    }
    if equals >= 3, let earliest { formatting.remove(at: earliest) }
    if formatting.count >= Self.maxFormattingEntries,
      let oldest = formatting.firstIndex(where: { !$0.isMarker })
    {
      formatting.remove(at: oldest)
    }
  }

  private func hasAttributes(_ node: Int32, _ attributes: Range<Int>) -> Bool {
    let own = Int(tree.nodes[Int(node)].start)..<Int(tree.nodes[Int(node)].end)
    // Compares values by their ranges; equal tags mostly have no attributes.
    guard own.count == attributes.count else { return false }
    return zip(own, attributes).allSatisfy {
      let (a, b) = (tree.attributes[$0], tree.attributes[$1])
      return a.name == b.name && a.start == b.start && a.end == b.end
    }
  }

  /// Reconstructs the active formatting elements.
  mutating func reconstructFormatting() {
    guard let last = formatting.last, !last.isOpen else { return }
    var index = formatting.count - 1
    while index > 0, !formatting[index - 1].isOpen { index -= 1 }
    while index < formatting.count, open.count < Self.maxDepth {
      let copy = copy(of: formatting[index].node)
      insert(copy, into: current.node)
      push(copy, TagName(formatting[index].name))
      formatting[index].node = copy
      formatting[index].isOpen = true
      index += 1
    }
  }

  /// Clears the list of active formatting elements up to the last marker.
  mutating func clearFormattingToMarker() {
    while let last = formatting.popLast(), !last.isMarker {}
  }

  /// Records that an element left the stack of open elements.
  mutating func recordClosed(_ node: Int32) {
    if let index = formatting.lastIndex(where: { $0.node == node }) {
      formatting[index].isOpen = false
    }
  }

  /// Returns the index of the last entry with a name after the last marker; nil if there is none.
  func formattingIndex(of name: ElementName) -> Int? {
    for index in formatting.indices.reversed() {
      if formatting[index].isMarker { return nil }
      if formatting[index].name == name { return index }
    }
    return nil
  }

  /// Handles the end tag of a formatting element (the "adoption agency algorithm").
  mutating func endFormatting(_ tag: TagName) {
    if current.isNamed(tag), !formatting.contains(where: { $0.node == current.node }) {
      return pop()
    }
    for _ in 0..<8 {
      guard let entry = formattingIndex(of: tag.name) else { return endOther(tag) }
      let node = formatting[entry].node
      guard let index = open.lastIndex(where: { $0.node == node }) else {
        formatting.remove(at: entry)
        return
      }
      guard isInScope(index) else { return }
      guard let block = open[index...].firstIndex(where: { $0.name.isSpecial && !$0.isForeign })
      else {
        pop(to: index)
        formatting.remove(at: entry)
        return
      }
      adopt(formattingEntry: entry, at: index, block: block)
    }
  }

  /// Runs the adoption agency algorithm once: the formatting element ends before the furthest block
  /// and is reopened inside it.
  private mutating func adopt(formattingEntry entry: Int, at index: Int, block: Int) {
    let furthest = open[block]
    var bookmark = entry
    var last = furthest.node
    var position = block
    var rounds = 0
    while position - 1 > index {
      position -= 1
      rounds += 1
      let node = open[position].node
      var found = formatting.firstIndex { $0.node == node }
      if rounds > 3, let index = found {
        formatting.remove(at: index)
        if index < bookmark { bookmark -= 1 }
        found = nil
      }
      guard let found else {
        removeOpen(at: position)
        continue
      }
      let copy = copy(of: node)
      formatting[found].node = copy
      replaceOpen(at: position, by: copy)
      if last == furthest.node { bookmark = found + 1 }
      tree.detach(last)
      tree.append(last, to: copy)
      tree.addContents(tree.nodes[Int(last)].contents.union(.block), from: copy)
      last = copy
    }
    tree.detach(last)
    self.insert(last, into: open[index - 1].node)
    tree.addContents(
      tree.nodes[Int(last)].contents.union(.block), from: tree.nodes[Int(last)].parent)
    let old = formatting[entry]
    let copy = copy(of: old.node)
    tree.moveChildren(of: furthest.node, to: copy)
    tree.append(copy, to: furthest.node)
    let renewed = FormattingEntry(node: copy, name: old.name, isOpen: true)
    if bookmark > entry {
      formatting.insert(renewed, at: min(bookmark, formatting.count))
      formatting.remove(at: entry)
    } else {
      formatting[entry] = renewed
    }
    let element = open[index]
    removeOpen(at: index)
    guard let below = open.lastIndex(where: { $0.node == furthest.node }) else { return }
    insertOpen(
      OpenElement(node: copy, name: element.name, hash: element.hash, isForeign: false),
      at: below + 1)
  }

  /// Creates an element with the name and attributes of another, without children.
  private mutating func copy(of node: Int32) -> Int32 {
    let original = tree.nodes[Int(node)]
    return makeNode(original.name, Int(original.start)..<Int(original.end))
  }
}
