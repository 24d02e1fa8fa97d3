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
  mutating func beginRow() {
    if case .data(let rows) = tables.last { tables[tables.count - 1] = .data(rows: rows + 1) }
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
  case data(rows: Int)
}
