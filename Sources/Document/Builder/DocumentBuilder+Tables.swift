import DOM

extension DocumentBuilder {
  /// Enters a table. A layout table is converted to blocks.
  /// - Returns: Whether its children are visited. Those of a repeated header are not.
  mutating func enterTable(_ node: Int32) -> Bool {
    guard !tree.isHeaderRepeatedByNextTable(node, hiding) else { return false }
    closeLeaf()
    inherited.leafKind = .paragraph
    inherited.keepsWhiteSpace = false
    if let numbers = lineNumberCell(ofTable: node) {
      tables.beginCode(language: tree.codeLanguage(of: node), numbers: numbers)
    } else if tree.isListing(node) {
      inherited.leafKind = .preformatted
      codeLanguages.begin(tree.codeLanguage(of: node))
      tables.begin(.codeLines)
    } else {
      enterDataOrLayoutTable(node)
    }
    return true
  }

  /// Enters a table without code. If the table directly above is the header of a data table, its
  /// container is reopened.
  private mutating func enterDataOrLayoutTable(_ node: Int32) {
    let isBelowHeader = tables.tableOfRows == node && containers.followsReopenableTable
    guard !replyDepths.isReplyLayout(node),
      !tree.features(of: node).isLayoutTable(tree, node, isBelowHeader: isBelowHeader)
    else { return tables.begin(.layout) }
    if isBelowHeader { containers.reopenTable() } else { openDataTable(node) }
    tables.begin(.data(TableRows()))
  }

  private mutating func openDataTable(_ node: Int32) {
    openContainer(.table)
    tables.tableOfRows = tree.tableOfRows(belowHeader: node, hiding)
    if tables.tableOfRows != nil { containers.makeTableReopenable() }
  }

  mutating func leaveTable(_ frame: ElementState) {
    closeLeaf()
    containers.close(downTo: frame.openContainerCount)
    tables.end()
  }

  /// Enters a part of a table. Outside a table, and in a layout table, it is a block. Returns false
  /// if its children are to be skipped.
  mutating func enterTablePart(_ node: Int32, _ name: ElementName) -> Bool {
    if case .codeLines = tables.innermost { return enterListingPart(node, name) }
    guard case .data(let rows) = tables.innermost, isDirectlyInTable else {
      enterLayoutTablePart(node, name)
      return true
    }
    if name != .td, name != .th, containers.isImplicitRow(atDepth: containers.count - 1) {
      containers.close(downTo: containers.count - 1)
      maxRemainingContainers = containers.count
    }
    switch name {
    case .caption: openContainer(.caption)
    case .tr where tree.isRuleRow(node): return false
    case .tr:
      openContainer(.row(isHeader: tree.isHeaderRow(node, isFirst: rows.count == 0)))
      tables.beginRow(node, in: tree)
    case .td, .th:
      if !isInnermostContainerRow {
        openContainer(.row(isHeader: false), isImplicit: true)
        tables.beginRow(node, in: tree)
      }
      openContainer(cellKind(node, isHeader: name == .th))
    default: closeLeaf()
    }
    return true
  }

  mutating func leaveTablePart(_ frame: ElementState, _ name: ElementName) {
    if containers.count > frame.openContainerCount {
      closeLeaf()
      // Cells outside a row share an implicit one, which ends with the table or the next row.
      let keepsRow =
        (name == .td || name == .th)
        && containers.isImplicitRow(atDepth: frame.openContainerCount)
      containers.close(downTo: frame.openContainerCount + (keepsRow ? 1 : 0))
    } else if name == .td || name == .th, !tree.nodes[Int(frame.node)].contents.contains(.block) {
      leaf.addSpace()
    } else {
      breakBlock()
    }
  }

  /// Adds an empty cell for an invisible one, which keeps its place in the row (CSS 2.2 §11.2).
  mutating func addEmptyCell(inPlaceOf node: Int32) {
    let name = tree.nodes[Int(node)].name
    guard name == .td || name == .th, case .data = tables.innermost, isInnermostContainerRow else {
      return
    }
    openContainer(cellKind(node, isHeader: name == .th))
    containers.close(downTo: containers.count - 1)
  }

  /// Begins a row group, row or cell of a layout table. A cell without block content continues the
  /// current line after a space, unless it is a column of text beside another; a box within a text
  /// is set off as a quotation.
  private mutating func enterLayoutTablePart(_ node: Int32, _ name: ElementName) {
    let isCell = name == .td || name == .th
    if isCell, tree.isBoxedText(node) {
      openContainer(.quote)
    } else if isCell, !tree.nodes[Int(node)].contents.contains(.block),
      !tree.isColumnOfText(node)
    {
      leaf.addSpace()
    } else {
      breakBlock()
    }
  }

  /// Returns whether an element is a quotation in a forum by its class.
  func isForumQuotation(_ node: Int32) -> Bool {
    guard inherited.leafKind == .paragraph, tree.nodes[Int(node)].contents.contains(.text),
      let range = tree.attribute(.class, of: node), tree.bytes.contains("quote", in: range)
    else { return false }
    return tree.bytes[range].split(whereSeparator: \.isWhiteSpace).contains { name in
      Self.quotationClasses.contains { name.elementsEqual($0.utf8) }
    }
  }

  /// The classes of quotations in phpBB 2, Invision Power Board and vBulletin.
  private static let quotationClasses = ["quotecontent", "quotemain", "bbcode_quote"]

  /// Whether the open container is a table or one of its rows, rather than something in a cell.
  private var isDirectlyInTable: Bool {
    switch containers.innermostKind {
    case .table, .row: true
    default: false
    }
  }

  private var isInnermostContainerRow: Bool {
    if case .row = containers.innermostKind { true } else { false }
  }

  private func cellKind(_ node: Int32, isHeader: Bool) -> Document.Block.Kind {
    if tree.nodes[Int(node)].start == tree.nodes[Int(node)].end {
      return .cell(isHeader: isHeader, columns: 1, rows: 1, alignment: .unset)
    }
    let columns = UInt16(max(1, min(1000, tree.attributeInteger(.colspan, of: node) ?? 1)))
    // No cell extends beyond its row group. With a `rowspan` of 0, it extends to the end of it.
    let rowspan = tree.attributeInteger(.rowspan, of: node) ?? 1
    let maxRows = min(TableRows.maxRowSpan, tables.remainingRowCount)
    let rows = UInt16(rowspan == 0 ? maxRows : max(1, min(maxRows, rowspan)))
    let isStyled = tree.value(.style, of: node, contains: "text-align")
    func isAligned(_ word: StaticString) -> Bool {
      tree.value(.align, of: node, contains: word)
        || isStyled && tree.value(.style, of: node, contains: word)
    }
    let alignment: Document.Alignment =
      isAligned("right")
      ? .right : isAligned("center") ? .center : isAligned("left") ? .left : .unset
    return .cell(isHeader: isHeader, columns: columns, rows: rows, alignment: alignment)
  }

  // MARK: Layout tables
}

extension DOMTree {
  /// Returns whether a row only draws a line between the rows around it: its cells have nothing but
  /// thematic breaks.
  fileprivate func isRuleRow(_ row: Int32) -> Bool {
    let contents = nodes[Int(row)].contents
    guard contents.contains(.block), contents.isDisjoint(with: [.text, .image, .table]) else {
      return false
    }
    var hasRule = false
    var next = nodeAfter(row, in: row)
    while let node = next {
      switch nodes[Int(node)].name {
      case .hr: hasRule = true
      case .td, .th, .characters, .br: break
      default: return false
      }
      next = nodeAfter(node, in: row)
    }
    return hasRule
  }

  /// Returns whether a cell of a layout table is a box within a text, such as a quotation in a
  /// forum: it is named a quotation, or it is the only cell of a table with a border. Its text is
  /// short and has other text beside it.
  fileprivate func isBoxedText(_ cell: Int32) -> Bool {
    let domNode = nodes[Int(cell)]
    guard domNode.contents.contains(.text) else { return false }
    var (next, levels) = (domNode.parent, 0)
    while let part = next, nodes[Int(part)].name != .table, levels < 3 {
      (next, levels) = (nodes[Int(part)].parent, levels + 1)
    }
    guard let table = next, nodes[Int(table)].name == .table else { return false }
    let isBox =
      value(.class, of: cell, contains: "quote")
      || !domNode.contents.contains(.table) && isOnlyCell(cell, of: table)
        && (hasBorder(cell) || hasBorder(table)
          || (attributeInteger(.border, of: table) ?? 0) > 0
          || value(.class, of: table, contains: "quote"))
    return isBox && isShort(cell) && hasTextAround(table)
  }

  /// Returns whether a cell and the cell before it in its row have long texts, as in an edition
  /// with a translation beside the text.
  fileprivate func isColumnOfText(_ cell: Int32) -> Bool {
    guard hasLongText(cell) else { return false }
    var previous = nodes[Int(cell)].previousSibling
    while let part = previous, ![.td, .th].contains(nodes[Int(part)].name) {
      previous = nodes[Int(part)].previousSibling
    }
    return previous.map(hasLongText) ?? false
  }

  /// Returns whether the text of a cell before any formula has a width of at least
  /// `minColumnWidth`.
  private func hasLongText(_ cell: Int32) -> Bool {
    var (width, next) = (0, nodeAfter(cell, in: cell))
    while let node = next, nodes[Int(node)].name != .math {
      let domNode = nodes[Int(node)]
      if domNode.name == .characters {
        for byte in bytes[Int(domNode.start)..<Int(domNode.end)] where byte > 0x20 {
          switch byte {
          case 0x80...0xBF: continue
          // Most characters that begin so are Chinese, Japanese or Korean.
          case 0xE3...0xED: width += 2
          default: width += 1
          }
          if width >= Self.minColumnWidth { return true }
        }
      }
      next = nodeAfter(node, in: cell)
    }
    return false
  }

  /// The minimum width of a long text, in columns of the terminal without white space.
  private static let minColumnWidth = 50

  /// Returns whether a table has no other cell.
  fileprivate func isOnlyCell(_ cell: Int32, of table: Int32) -> Bool {
    var node = cell
    while node != table {
      for side in [\DOMTree.Node.previousSibling, \.nextSibling] {
        var next = nodes[Int(node)][keyPath: side]
        while let sibling = next {
          if nodes[Int(sibling)].name != .characters || !isBlank(sibling) { return false }
          next = nodes[Int(sibling)][keyPath: side]
        }
      }
      guard let parent = nodes[Int(node)].parent else { break }
      node = parent
    }
    return true
  }

  /// Returns whether the `style` attribute of an element sets a visible border.
  fileprivate func hasBorder(_ node: Int32) -> Bool {
    guard let range = attribute(.style, of: node), bytes.contains("border", in: range)
    else { return false }
    let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
    return text.split(separator: ";").contains { declaration in
      let pair = declaration.split(separator: ":", maxSplits: 1).map { $0.filter { $0 != " " } }
      guard pair.count == 2, ["border", "border-style", "border-left"].contains(pair[0]) else {
        return false
      }
      return !pair[1].hasPrefix("0") && !pair[1].contains("none") && !pair[1].contains("hidden")
    }
  }

  /// Returns whether a cell has at most `maxBoxLength` bytes of text, without headings and forms.
  fileprivate func isShort(_ cell: Int32) -> Bool {
    var (length, count) = (0, 0)
    var next = nodeAfter(cell, in: cell)
    while let node = next {
      let domNode = nodes[Int(node)]
      if domNode.name == .characters { length += Int(domNode.end - domNode.start) }
      count += 1
      if domNode.name.headingLevel > 0 || domNode.name == .form || length > Self.maxBoxLength
        || count > Self.maxBoxNodes
      {
        return false
      }
      next = nodeAfter(node, in: cell)
    }
    return true
  }

  fileprivate static let maxBoxLength = 4000

  fileprivate static let maxBoxNodes = 500

  /// Returns whether there is text beside a table, or beside one of the two elements around it.
  fileprivate func hasTextAround(_ table: Int32) -> Bool {
    var node = table
    for _ in 0..<3 where node > 0 {
      for side in [\DOMTree.Node.previousSibling, \.nextSibling] {
        var next = nodes[Int(node)][keyPath: side]
        for _ in 0..<Self.maxSiblings {
          guard let sibling = next else { break }
          let domNode = nodes[Int(sibling)]
          if domNode.name == .characters ? !isBlank(sibling) : domNode.contents.contains(.text) {
            return true
          }
          next = domNode[keyPath: side]
        }
      }
      node = nodes[Int(node)].parent ?? 0
    }
    return false
  }

  fileprivate static let maxSiblings = 16

  /// Returns whether a row is a header: it is in `thead`, or it is the first row and has only
  /// header cells.
  fileprivate func isHeaderRow(_ node: Int32, isFirst: Bool) -> Bool {
    if nodes[Int(nodes[Int(node)].parent ?? 0)].name == .thead { return true }
    guard isFirst else { return false }
    var cells = 0
    var next = nodes[Int(node)].firstChild
    while let child = next {
      switch nodes[Int(child)].name {
      case .td: return false
      case .th: cells += 1
      default: break
      }
      next = nodes[Int(child)].nextSibling
    }
    return cells > 1
  }

  /// Returns the features of a table, from at most 400 cells.
  fileprivate func features(of table: Int32) -> TableFeatures {
    var features = TableFeatures()
    var columns = 0
    var next = nodeAfter(table, in: table)
    while let part = next, features.cellCount < 400 {
      switch nodes[Int(part)].name {
      case .tr:
        features.beginRow()
        if value(.role, of: part, hasWordAmong: ["row"]) { features.hasRowRole = true }
        columns = 0
      case .td, .th:
        columns += 1
        if features.rowCount == 0 { features.beginRow() }
        features.addCell(self, part, columns)
        next = nodeAfterSubtree(part, in: table)
        continue
      case .caption, .thead: features.hasDataTableElement = true
      case .tbody, .tfoot, .form, .colgroup, .col: break
      default:
        next = nodeAfterSubtree(part, in: table)
        continue
      }
      next = nodeAfter(part, in: table)
    }
    return features
  }
}
