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

  /// The table with the rows of the last table, which consists only of a header; nil without one.
  var tableOfRows: Int32?

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
