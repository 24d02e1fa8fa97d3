import DOM

/// The data tables below a root: tables marked up as data (header cells, a caption, columns), or
/// too large to be mere layout.
struct DataTables {
  /// For each node, whether it is a data table; empty if there is no data table.
  private var isDataTable: [Bool] = []

  init(in tree: DOMTree, below root: Int32) {
    guard tree.nodes[Int(root)].contents.contains(.table) else { return }
    for node in tree.descendants(of: root)
    where tree.nodes[Int(node)].name == .table && tree.isDataTable(node) {
      if isDataTable.isEmpty { isDataTable = Array(repeating: false, count: tree.nodes.count) }
      isDataTable[Int(node)] = true
    }
  }

  var isEmpty: Bool { isDataTable.isEmpty }

  func contains(_ node: Int32) -> Bool { Int(node) < isDataTable.count && isDataTable[Int(node)] }
}
