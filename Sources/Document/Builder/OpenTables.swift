import DOM

/// The tables that are being read, and columns of line numbers in code.
struct OpenTables {
  /// The open tables, outermost first.
  private var tables: [OpenTable] = []
  /// Cells that contain only line numbers of code.
  private var lineNumberCells: Set<Int32> = []
  /// The first node that shows that an apparent column of line numbers is something else; nil if
  /// there is none.
  private var firstNodeOtherThanNumbers: Int32?

  /// The innermost table; nil outside tables.
  var innermost: OpenTable? { tables.last }

  mutating func begin(_ table: OpenTable) { tables.append(table) }

  mutating func end() { if !tables.isEmpty { tables.removeLast() } }

  /// Begins a row of the innermost table, which contains data.
  /// - Parameters:
  ///   - row: The element of the row, or the first cell of a row without one.
  ///   - tree: The tree.
  mutating func beginRow(_ row: Int32, in tree: DOMTree) {
    guard case .data(var rows) = tables.last else { return }
    rows.begin(row, in: tree)
    tables[tables.count - 1] = .data(rows)
  }

  /// The number of rows from the current row of the innermost table to the end of its row group.
  var remainingRowCount: Int {
    if case .data(let rows) = tables.last { rows.remainingCount } else { 1 }
  }

  /// Begins a table with code and a cell that contains its line numbers.
  mutating func beginCode(language: String, numbers: Int32) {
    lineNumberCells.insert(numbers)
    begin(.codeWithLineNumbers(language: language))
  }

  /// Returns whether a cell contains only line numbers.
  func isLineNumberCell(_ node: Int32) -> Bool { lineNumberCells.contains(node) }

  /// Records a node that is not a line number. The elements around it may be candidates for columns
  /// of line numbers, too, and need not be searched again.
  mutating func recordOtherThanNumber(_ node: Int32) { firstNodeOtherThanNumbers = node }

  /// Returns whether one of the nodes is known not to be a line number.
  func hasOtherThanNumber(in nodes: Range<Int32>) -> Bool {
    firstNodeOtherThanNumbers.map { nodes.contains($0) } ?? false
  }
}

/// An open table.
enum OpenTable {
  case layout
  /// A single row with line numbers and code. The language may be declared around the table.
  case codeWithLineNumbers(language: String)
  /// A line of code in each row.
  case codeLines
  case data(TableRows)
}

/// The rows of an open table that have been read.
struct TableRows {
  private(set) var count = 0
  /// The parent of the rows of the current row group; nil before the first row.
  private var group: Int32?
  /// The number of rows up to the end of the current row group.
  private var groupEnd = 0

  /// The number of rows from the current one to the end of its row group, itself included.
  var remainingCount: Int { max(1, groupEnd - count + 1) }

  fileprivate mutating func begin(_ row: Int32, in tree: DOMTree) {
    let parent = tree.nodes[Int(row)].parent
    if parent != group || count >= groupEnd {
      group = parent
      groupEnd = count + tree.rowCount(from: row)
    }
    count += 1
  }

  /// The maximum number of rows that a cell spans.
  static let maxRowSpan = 1000
}

extension DOMTree {
  /// Returns the number of rows from a row to the end of its row group, itself included. Adjacent
  /// cells without the element of a row share a row; other elements with blocks end the group.
  fileprivate func rowCount(from row: Int32) -> Int {
    var (count, next, isInRow) = (0, row, false)
    while next >= 0 {
      switch nodes[Int(next)].name {
      case .tr: (count, isInRow) = (count + 1, false)
      case .td, .th: (count, isInRow) = (count + (isInRow ? 0 : 1), true)
      default: if nodes[Int(next)].contents.contains(.block) { return count }
      }
      next = nodes[Int(next)].nextSibling
    }
    return count
  }
}
