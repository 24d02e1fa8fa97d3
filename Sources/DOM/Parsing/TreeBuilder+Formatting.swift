extension TreeBuilder {
  /// The maximum number of entries; beyond it, the oldest one is dropped. Browsers have no limit
  /// and need quadratic time.
  private static let maxFormattingEntries = 64

  /// Opens a formatting element.
  mutating func insertFormatting(_ tag: TagName, _ attributes: Range<Int>) {
    let node = insertElement(tag, attributes)
    guard currentNode.node == node else { return }
    limitEqualFormatting(tag.name, attributes)
    activeFormattingElements.append(FormattingEntry(node: node, name: tag.name, isOpen: true))
  }

  /// Keeps at most three equal elements (the "Noah's Ark clause").
  private mutating func limitEqualFormatting(_ name: ElementName, _ attributes: Range<Int>) {
    var equals = 0
    var earliest: Int?
    var index = activeFormattingElements.count - 1
    while index >= 0, !activeFormattingElements[index].isMarker {
      if activeFormattingElements[index].name == name,
        hasEqualAttributes(activeFormattingElements[index].node, attributes)
      {
        equals += 1
        earliest = index
      }
      index -= 1
    }
    if equals >= 3, let earliest { activeFormattingElements.remove(at: earliest) }
    if activeFormattingElements.count >= Self.maxFormattingEntries,
      let oldest = activeFormattingElements.firstIndex(where: { !$0.isMarker })
    {
      activeFormattingElements.remove(at: oldest)
    }
  }

  private func hasEqualAttributes(_ node: Int32, _ attributes: Range<Int>) -> Bool {
    let attributeRange = Int(tree.nodes[Int(node)].start)..<Int(tree.nodes[Int(node)].end)
    // Compares values by their ranges; equal tags mostly have no attributes.
    guard attributeRange.count == attributes.count else { return false }
    return zip(attributeRange, attributes).allSatisfy {
      let (a, b) = (tree.attributes[$0], tree.attributes[$1])
      return a.name == b.name && a.start == b.start && a.end == b.end
    }
  }

  /// Reconstructs the active formatting elements.
  mutating func reconstructFormatting() {
    guard let last = activeFormattingElements.last, !last.isOpen else { return }
    var index = activeFormattingElements.count - 1
    while index > 0, !activeFormattingElements[index - 1].isOpen { index -= 1 }
    while index < activeFormattingElements.count, openElements.count < Self.maxDepth {
      let copy = shallowCopy(of: activeFormattingElements[index].node)
      insert(copy, into: currentNode.node)
      push(copy, TagName(activeFormattingElements[index].name))
      activeFormattingElements[index].node = copy
      activeFormattingElements[index].isOpen = true
      index += 1
    }
  }

  /// Clears the list of active formatting elements up to the last marker.
  mutating func clearFormattingToMarker() {
    while let last = activeFormattingElements.popLast(), !last.isMarker {}
  }

  /// Records that an element left the stack of open elements.
  mutating func recordClosedElement(_ node: Int32) {
    if let index = activeFormattingElements.lastIndex(where: { $0.node == node }) {
      activeFormattingElements[index].isOpen = false
    }
  }

  /// Returns the index of the last entry with a name after the last marker; nil if there is none.
  func formattingIndex(of name: ElementName) -> Int? {
    for index in activeFormattingElements.indices.reversed() {
      if activeFormattingElements[index].isMarker { return nil }
      if activeFormattingElements[index].name == name { return index }
    }
    return nil
  }

  /// Handles the end tag of a formatting element (the "adoption agency algorithm").
  mutating func endFormatting(_ tag: TagName) {
    if currentNode.isNamed(tag),
      !activeFormattingElements.contains(where: { $0.node == currentNode.node })
    {
      return pop()
    }
    for _ in 0..<8 {
      guard let entry = formattingIndex(of: tag.name) else { return endOtherElement(tag) }
      let node = activeFormattingElements[entry].node
      guard let index = openElements.lastIndex(where: { $0.node == node }) else {
        activeFormattingElements.remove(at: entry)
        return
      }
      guard isInScope(index) else { return }
      guard
        let block = openElements[index...].firstIndex(where: { $0.name.isSpecial && !$0.isForeign })
      else {
        pop(to: index)
        activeFormattingElements.remove(at: entry)
        return
      }
      runAdoptionStep(formattingEntry: entry, at: index, furthestBlock: block)
    }
  }

  /// Runs the adoption agency algorithm once: the formatting element ends before the furthest block
  /// and is reopened inside it.
  private mutating func runAdoptionStep(
    formattingEntry entry: Int, at index: Int, furthestBlock: Int
  ) {
    let furthestBlockElement = openElements[furthestBlock]
    var bookmark = entry
    let lastNode = reopenElements(between: index, and: furthestBlock, bookmark: &bookmark)
    tree.detach(lastNode)
    insert(lastNode, into: openElements[index - 1].node)
    tree.addContents(
      tree.nodes[Int(lastNode)].contents.union(.block), from: tree.nodes[Int(lastNode)].parent)
    let oldEntry = activeFormattingElements[entry]
    let copy = shallowCopy(of: oldEntry.node)
    tree.moveChildren(of: furthestBlockElement.node, to: copy)
    tree.append(copy, to: furthestBlockElement.node)
    let newEntry = FormattingEntry(node: copy, name: oldEntry.name, isOpen: true)
    if bookmark > entry {
      activeFormattingElements.insert(newEntry, at: min(bookmark, activeFormattingElements.count))
      activeFormattingElements.remove(at: entry)
    } else {
      activeFormattingElements[entry] = newEntry
    }
    let element = openElements[index]
    removeOpen(at: index)
    guard
      let furthestBlockIndex = openElements.lastIndex(where: {
        $0.node == furthestBlockElement.node
      })
    else { return }
    insertOpen(
      OpenElement(node: copy, name: element.name, hash: element.hash, isForeign: false),
      at: furthestBlockIndex + 1)
  }

  /// Replaces the formatting elements between the formatting element and the furthest block by
  /// copies inside each other, and removes the other elements between them from the stack.
  /// Updates `bookmark`, an index in the list of active formatting elements.
  /// - Returns: The outermost copy, which contains the furthest block; that block if nothing was
  ///   copied.
  private mutating func reopenElements(
    between index: Int, and furthestBlock: Int, bookmark: inout Int
  ) -> Int32 {
    let furthestBlockNode = openElements[furthestBlock].node
    var lastNode = furthestBlockNode
    var position = furthestBlock
    var rounds = 0
    while position - 1 > index {
      position -= 1
      rounds += 1
      let node = openElements[position].node
      var entryIndex = activeFormattingElements.firstIndex { $0.node == node }
      if rounds > 3, let index = entryIndex {
        activeFormattingElements.remove(at: index)
        if index < bookmark { bookmark -= 1 }
        entryIndex = nil
      }
      guard let entryIndex else {
        removeOpen(at: position)
        continue
      }
      let copy = shallowCopy(of: node)
      activeFormattingElements[entryIndex].node = copy
      replaceOpen(at: position, by: copy)
      if lastNode == furthestBlockNode { bookmark = entryIndex + 1 }
      tree.detach(lastNode)
      tree.append(lastNode, to: copy)
      tree.addContents(tree.nodes[Int(lastNode)].contents.union(.block), from: copy)
      lastNode = copy
    }
    return lastNode
  }

  /// Creates an element with the name and attributes of another, without children.
  private mutating func shallowCopy(of node: Int32) -> Int32 {
    let original = tree.nodes[Int(node)]
    return makeNode(original.name, Int(original.start)..<Int(original.end))
  }
}
