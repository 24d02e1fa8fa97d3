import HTML

extension BlockLayout {
  /// Lays out the rows of a table of data, from its first row on.
  mutating func layOutTable(from row: Int32) {
    let end = containers.last?.end ?? row + 1
    next = end
    source = document.source(ofBlock: row)
    var table = TableLayout(rows: row..<end, in: self)
    table.write(to: &self)
    gap = true
  }
}
