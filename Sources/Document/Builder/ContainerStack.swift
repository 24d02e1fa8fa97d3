import DOM

/// The blocks so far, and the stack of those that are open: lists, items, quotations, tables and
/// other blocks that contain blocks. Items and definitions are opened implicitly where the page has
/// none.
struct ContainerStack {
  /// The blocks so far. The blocks of open containers have no extent yet.
  private(set) var blocks: [Document.Block] = []
  private var stack: [Container] = []
  /// The last top-level block; nil without one.
  private var lastTopLevelBlock: Int32?
  /// The last list that was opened implicitly for items outside a list; nil without one.
  private var reopenableList: Int32?
  /// The last table that can be reopened for the rows of another table; nil without one.
  private var reopenableTable: Int32?

  /// An open container.
  private struct Container {
    var blockIndex: Int32
    /// The index of the last child of the container; nil if it has none.
    var lastChild: Int32?
    /// The number of children that are not lists.
    var childCount = 0
    /// For a list, whether an item contains several paragraphs.
    var isLoose = false
    /// Whether the container has more than lists and short lines.
    var hasParagraphs = false
    /// The number of bytes of text directly in the container.
    var textLength: UInt32 = 0
    /// Whether the container was opened implicitly for its content; it closes together with its
    /// parent.
    var isImplicit = false
    /// For a list, the numbering of its items.
    var numbering = ListNumbering()

    /// Whether the container is an item with several paragraphs. Short lines, such as those of a
    /// menu, do not count.
    var isLooseItem: Bool { childCount > 1 && (hasParagraphs || textLength > 120) }
  }

  /// The number of open containers.
  var count: Int { stack.count }
  var isEmpty: Bool { stack.isEmpty }
  /// The index of the next block.
  var nextIndex: Int32 { Int32(blocks.count) }
  /// The outermost open container; nil if none is open.
  var outermost: Int32? { stack.first?.blockIndex }
  /// The kind of the innermost open container; nil if none is open.
  var innermostKind: Document.Block.Kind? {
    stack.isEmpty ? nil : blocks[Int(stack[stack.count - 1].blockIndex)].kind
  }

  /// The last block of the innermost container; nil if it has none.
  private var lastBlock: Int32? {
    stack.isEmpty ? lastTopLevelBlock : stack[stack.count - 1].lastChild
  }

  /// Whether the innermost container is an item that has no marker and no children.
  var isInEmptyItem: Bool {
    innermostKind == .item(.none) && stack[stack.count - 1].lastChild == nil
  }

  /// Whether the innermost container is a quotation without children.
  var isInEmptyQuotation: Bool {
    innermostKind == .quote && stack[stack.count - 1].lastChild == nil
  }

  /// Returns whether the open container at a depth is a row for cells outside a row.
  func isImplicitRow(atDepth depth: Int) -> Bool {
    isRow(atDepth: depth) && stack[depth].isImplicit
  }

  /// Returns whether the open container at a depth is a row.
  func isRow(atDepth depth: Int) -> Bool {
    guard stack.indices.contains(depth), case .row = blocks[Int(stack[depth].blockIndex)].kind
    else { return false }
    return true
  }

  mutating func reserveCapacity(_ count: Int) { blocks.reserveCapacity(count) }

  // MARK: Blocks

  /// Appends a block to the innermost container.
  /// - Parameters:
  ///   - kind: The kind of the block.
  ///   - runs: The runs of a leaf.
  ///   - textLength: The number of bytes of their text.
  ///   - hasNoSpaceAbove: Whether the block is a paragraph directly below another one.
  /// - Returns: The index of the block.
  @discardableResult
  mutating func append(
    _ kind: Document.Block.Kind, runs: Range<Int32> = 0..<0, textLength: UInt32 = 0,
    hasNoSpaceAbove: Bool = false
  ) -> Int32 {
    let index = Int32(blocks.count)
    var block = Document.Block(kind: kind, runs: runs, end: index + 1)
    block.hasNoSpaceAbove = hasNoSpaceAbove
    blocks.append(block)
    if let top = stack.indices.last {
      stack[top].lastChild = index
      update(kind, textLength, in: top)
    } else {
      lastTopLevelBlock = index
    }
    return index
  }

  /// Updates a container for a new child, which may make the container loose.
  private mutating func update(
    _ kind: Document.Block.Kind, _ textLength: UInt32, in top: Int
  ) {
    switch kind {
    case .list: return
    case .paragraph, .image: stack[top].textLength += textLength
    case .heading, .preformatted, .rule: stack[top].hasParagraphs = true
    default: break
    }
    stack[top].childCount += 1
  }

  /// Records the end of a `p` element in the innermost container.
  mutating func recordParagraph() {
    if let top = stack.indices.last { stack[top].hasParagraphs = true }
  }

  // MARK: Containers

  /// Opens a block that contains other blocks. No leaf may be open.
  mutating func open(_ kind: Document.Block.Kind, isImplicit: Bool = false) {
    prepare(for: kind)
    let block = append(kind)
    stack.append(Container(blockIndex: block, isImplicit: isImplicit))
    if isImplicit, kind.isListType { reopenableList = block }
  }

  /// Closes containers until `count` are open.
  mutating func close(downTo count: Int) {
    while stack.count > count { closeInnermost() }
  }

  private mutating func closeInnermost() {
    let container = stack.removeLast()
    let index = Int(container.blockIndex)
    let end = Int32(blocks.count)
    blocks[index].end = end
    var isList = false
    switch blocks[index].kind {
    case .item:
      if container.isLooseItem, let parentIndex = stack.indices.last {
        stack[parentIndex].isLoose = true
      }
    case .list:
      blocks[index].kind = .list(isTight: !container.isLoose)
      isList = true
    case .cell, .row: return
    default: break
    }
    if end == container.blockIndex + 1 {
      // Browsers show at most an empty box for empty elements.
      blocks.removeLast()
      if reopenableList == container.blockIndex { reopenableList = nil }
      if let parentIndex = stack.indices.last {
        stack[parentIndex].lastChild = nil
        if !isList { stack[parentIndex].childCount -= 1 }
      } else {
        lastTopLevelBlock = nil
      }
    } else if !isList, let parentIndex = stack.indices.last {
      stack[parentIndex].hasParagraphs = true
    }
  }

  /// Opens or reopens an item or a definition if `kind` needs one around it: lists contain only
  /// items, and definition lists only terms and definitions.
  mutating func prepare(for kind: Document.Block.Kind) {
    guard let outerKind = innermostKind else { return }
    let lastChild = stack[stack.count - 1].lastChild
    switch (outerKind, kind) {
    case (.list, .item), (.definitionList, .term), (.definitionList, .definition): return
    case (.list, _):
      if let lastChild {
        reopen(lastChild)
      } else {
        stack.append(Container(blockIndex: append(.item(.none)), isImplicit: true))
      }
    case (.definitionList, _):
      if let lastChild, blocks[Int(lastChild)].kind == .definition {
        reopen(lastChild)
      } else {
        stack.append(Container(blockIndex: append(.definition), isImplicit: true))
      }
    default: return
    }
  }

  /// Reopens the last child of the open container for content that belongs to it.
  private mutating func reopen(_ block: Int32) {
    stack.append(Container(blockIndex: block, childCount: 1, isImplicit: true))
  }

  /// Closes the items and definitions that were opened implicitly.
  mutating func closeImplicitItems() {
    while let top = stack.last, top.isImplicit, isItemOrDefinition(top.blockIndex) {
      closeInnermost()
    }
  }

  private func isItemOrDefinition(_ block: Int32) -> Bool {
    switch blocks[Int(block)].kind {
    case .item, .definition: true
    default: false
    }
  }

  // MARK: Tables

  /// Allows that the innermost container, a table, is reopened after it has been closed.
  mutating func makeTableReopenable() { reopenableTable = stack.last?.blockIndex }

  /// Whether the block directly before is a table that can be reopened.
  var followsReopenableTable: Bool { reopenableTable != nil && lastBlock == reopenableTable }

  /// Reopens the table directly before for further rows, if it can be reopened.
  mutating func reopenTable() {
    guard followsReopenableTable, let table = reopenableTable else { return }
    reopenableTable = nil
    stack.append(Container(blockIndex: table))
  }

  // MARK: Lists

  /// Continues the innermost list, or reopens the implicit list of the items directly before.
  /// - Returns: Whether there is a list of this kind.
  mutating func continueList(_ kind: Document.Block.Kind) -> Bool {
    if innermostKind?.isSameListType(as: kind) == true { return true }
    guard let last = lastBlock, last == reopenableList,
      blocks[Int(last)].kind.isSameListType(as: kind)
    else { return false }
    stack.append(Container(blockIndex: last, isImplicit: true))
    return true
  }

  /// Ends the implicit list of items outside a list, and the table of a header: later items and
  /// rows belong to others.
  mutating func endReopenableBlocks() { (reopenableList, reopenableTable) = (nil, nil) }

  /// Sets the numbering of the innermost container.
  mutating func setNumbering(_ numbering: ListNumbering) {
    stack[stack.count - 1].numbering = numbering
  }

  /// Numbers an item of the innermost list.
  /// - Parameter declared: The number that the item declares; nil if it declares none.
  /// - Returns: The numbering of the list, with the number of the item.
  mutating func numberItem(declared: Int32?) -> ListNumbering {
    var numbering = stack[stack.count - 1].numbering
    if let declared { numbering.nextNumber = declared }
    // The items of all lists are counted (HTML standard §15.3.8).
    stack[stack.count - 1].numbering.nextNumber = Int32(
      clamping: Int(numbering.nextNumber) + Int(numbering.step))
    return numbering
  }

  /// Returns the numbers of the open items from the outermost, followed by the number of the item
  /// that is about to be opened.
  func itemNumbers(endingWith number: Int32) -> [Int32] {
    let lists = stack.filter {
      if case .list = blocks[Int($0.blockIndex)].kind { true } else { false }
    }
    let outerNumbers = lists.dropLast().suffix(Self.maxItemNumbers).map {
      $0.numbering.nextNumber &- $0.numbering.step
    }
    return outerNumbers + [number]
  }

  private static let maxItemNumbers = 16
}

extension Document.Block.Kind {
  /// Whether the block is a list or a definition list.
  fileprivate var isListType: Bool { isSameListType(as: self) }

  /// Returns whether this and the other kind are both lists, or both definition lists.
  fileprivate func isSameListType(as other: Document.Block.Kind) -> Bool {
    switch (self, other) {
    case (.list, .list), (.definitionList, .definitionList): true
    default: false
    }
  }
}
