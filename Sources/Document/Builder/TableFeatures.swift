import DOM

/// The features of a table that distinguish data tables from tables used for layout.
struct TableFeatures {
  private(set) var rowCount = 0
  private(set) var cellCount = 0
  /// The number of cells that contain a table.
  var cellsWithTableCount = 0
  /// The number of cells of the longest row.
  var columnCount = 0
  /// Whether the table has an element that only data tables have.
  var hasDataTableElement = false
  var hasHeaderCell = false
  /// Whether a row has the role of a row (WAI-ARIA), as in a grid around tables that have none.
  var hasRowRole = false
  /// Whether a cell contains a heading, a form, long text, or nested tables.
  var hasPageContent = false
  /// The columns with a cell that is not empty, as bits; all columns from the 64th share a bit.
  private var filledColumns: UInt64 = 0
  /// The number of rows in which a cell begins with a relation sign such as `=`.
  private var relationRowCount = 0
  /// The number of cells below the first row that are the only cell of their row and span several
  /// columns.
  private var wideCellCount = 0
  /// The number of rows with a cell of at least `minMessageLength` bytes, as in a guest book.
  private var messageRowCount = 0
  /// The number of rows with a cell of at least `minShortMessageLength` bytes, for small tables.
  private var shortMessageRowCount = 0
  /// The number of cells of the first row with a text that is shorter than a message, apart from
  /// links.
  private var shortHeadingCount = 0
  /// Whether the current row has been counted in `relationRowCount`.
  private var hasRelation = false
  /// Whether the current row has been counted in `messageRowCount`.
  private var hasMessage = false
  /// Whether the current row has been counted in `shortMessageRowCount`.
  private var hasShortMessage = false

  /// Maximum number of nodes of a cell to examine; a cell with more counts as long text.
  private static let maxCellNodes = 2000

  /// Begins the next row.
  mutating func beginRow() {
    rowCount += 1
    (hasRelation, hasMessage, hasShortMessage) = (false, false, false)
  }

  /// Adds a cell of the current row. `column` is the number of the cell in its row, from 1.
  mutating func addCell(_ tree: DOMTree, _ cell: Int32, _ column: Int) {
    cellCount += 1
    columnCount = max(columnCount, column)
    let node = tree.nodes[Int(cell)]
    if !node.contents.isDisjoint(with: [.text, .image, .block]) {
      filledColumns |= 1 << UInt64(min(column, 64) - 1)
      if rowCount <= Self.maxReadRows { recordText(of: cell, in: tree) }
    }
    if column == 1, rowCount > 1, isLastInRow(cell, in: tree),
      (tree.attributeInteger(.colspan, of: cell) ?? 1) > 1
    {
      wideCellCount += 1
    }
    if node.name == .th { hasHeaderCell = true }
    if node.contents.contains(.table) { cellsWithTableCount += 1 }
    guard !hasPageContent, rowCount <= 10, node.contents.contains(.block) else { return }
    var textLength = 0
    var nodeCount = 0
    var next = tree.nodeAfter(cell, in: cell)
    while let descendant = next {
      let descendantNode = tree.nodes[Int(descendant)]
      nodeCount += 1
      if descendantNode.name == .characters {
        textLength += Int(descendantNode.end - descendantNode.start)
      }
      if descendantNode.name.headingLevel > 0 || descendantNode.name == .form || textLength > 2000
        || descendantNode.name == .table && descendantNode.contents.contains(.table)
        || nodeCount > Self.maxCellNodes
      {
        hasPageContent = true
        return
      }
      next = tree.nodeAfter(descendant, in: cell)
    }
  }

  /// Maximum number of rows whose text is examined.
  private static let maxReadRows = 40
  /// Minimum length of a message in bytes.
  private static let minMessageLength = 240
  /// Minimum length in bytes of a message in a table with few rows.
  private static let minShortMessageLength = 48
  /// Maximum number of rows, and of columns, of a table to which `minShortMessageLength` applies.
  private static let maxShortTableSize = 2

  /// Updates the counts from the text of a cell.
  private mutating func recordText(of cell: Int32, in tree: DOMTree) {
    var (textLength, nodeCount) = (0, 0)
    var isFirst = true
    var next = tree.nodeAfter(cell, in: cell)
    while let descendant = next, textLength < Self.minMessageLength,
      nodeCount < Self.minMessageLength
    {
      let descendantNode = tree.nodes[Int(descendant)]
      nodeCount += 1
      if descendantNode.name == .characters {
        let text = tree.bytes[Int(descendantNode.start)..<Int(descendantNode.end)].drop(
          while: \.isWhiteSpace)
        if isFirst, !text.isEmpty {
          isFirst = false
          if !hasRelation, text.beginsWithRelationSign {
            (hasRelation, relationRowCount) = (true, relationRowCount + 1)
          }
        }
        textLength += text.count
      }
      next =
        descendantNode.name == .a
        ? tree.nodeAfterSubtree(descendant, in: cell) : tree.nodeAfter(descendant, in: cell)
    }
    if textLength >= Self.minMessageLength, !hasMessage {
      (hasMessage, messageRowCount) = (true, messageRowCount + 1)
    }
    if textLength >= Self.minShortMessageLength, !hasShortMessage {
      (hasShortMessage, shortMessageRowCount) = (true, shortMessageRowCount + 1)
    }
    if rowCount == 1, 1..<Self.minShortMessageLength ~= textLength { shortHeadingCount += 1 }
  }

  /// Returns whether no other cell follows a cell in its row.
  private func isLastInRow(_ cell: Int32, in tree: DOMTree) -> Bool {
    var next = tree.nodes[Int(cell)].nextSibling
    while let sibling = next {
      if [.td, .th].contains(tree.nodes[Int(sibling)].name) { return false }
      next = tree.nodes[Int(sibling)].nextSibling
    }
    return true
  }

  /// Whether the rows are lines: aligned equations, entries of a guest book, or one column beside
  /// empty ones.
  private var hasLines: Bool {
    let readRowCount = min(rowCount, Self.maxReadRows)
    return filledColumns.nonzeroBitCount <= 1 || relationRowCount * 2 >= max(1, readRowCount)
      || wideCellCount * (wideCellCount > 1 ? 3 : 2) >= max(1, rowCount)
      || !hasHeadings && hasMessages
  }

  /// Whether most rows have a message.
  private var hasMessages: Bool {
    let readRowCount = min(rowCount, Self.maxReadRows)
    return messageRowCount * 2 >= max(1, readRowCount)
      || max(rowCount, columnCount) <= Self.maxShortTableSize
        && shortMessageRowCount * 2 >= max(1, readRowCount)
  }

  /// Whether the cells of the first row, at least three, are headings of columns: each has a short
  /// text, and several rows follow.
  private var hasHeadings: Bool {
    columnCount > 2 && shortHeadingCount == columnCount && rowCount > 2
  }

  /// Returns whether the table is used for layout only. `isBelowHeader` is whether the table
  /// directly above consists only of header cells, which may be those of this table, or a menu.
  func isLayoutTable(_ tree: DOMTree, _ node: Int32, isBelowHeader: Bool = false) -> Bool {
    let isPresentational = ["presentation", "none"].contains {
      tree.value(.role, of: node, contains: $0)
    }
    // `memname` is the signature of a function by doxygen.
    if isPresentational && !hasRowRole || tree.value(.class, of: node, contains: "memname") {
      return true
    }
    if tree.nodes[Int(node)].contents.contains(.table) {
      // Old pages use nested tables for layout, so a nested table counts as data only if all of it
      // looks like data.
      let isMarked =
        hasDataTableElement || hasHeaderCell || (tree.attributeInteger(.border, of: node) ?? 0) > 0
      return !isMarked || hasPageContent || rowCount <= 1 || columnCount <= 1
        || cellsWithTableCount * 2 > cellCount
    }
    if hasDataTableElement || hasHeaderCell { return false }
    if isBelowHeader { return hasPageContent || rowCount <= 1 && messageRowCount > 0 }
    return rowCount <= 1 || columnCount <= 1 || hasPageContent || hasLines
  }
}

extension ArraySlice<UInt8> {
  /// Whether a text begins with a relation sign such as `=`.
  fileprivate var beginsWithRelationSign: Bool {
    guard let first else { return false }
    if first < 0x80 {
      // A sign alone or followed by a space, unlike `<T>` or `=>`.
      let rest = dropFirst().first
      return "=<>~".utf8.contains(first) && (rest.map { $0 == 0x20 || $0 >= 0x80 } ?? true)
    }
    return ["≤", "≥", "≈", "≡", "∼", "≠", "⇒", "→", "⟹", "∝", "≅", "≪", "≫", "⟺", "⇔", "≔", "∈"]
      .contains { starts(with: $0.utf8) }
  }
}
