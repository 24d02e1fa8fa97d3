import DOM

/// The rows of an open table that have been read.
struct TableRows {
  private(set) var count = 0
  /// The parent of the rows of the current row group; nil before the first row.
  private var group: Int32?
  /// The number of rows up to the end of the current row group.
  private var groupEnd = 0

  /// The number of rows from the current one to the end of its row group, itself included.
  var remainingCount: Int { max(1, groupEnd - count + 1) }

  mutating func begin(_ row: Int32, in tree: DOMTree) {
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
    var (count, next, isInRow): (Int, Int32?, Bool) = (0, row, false)
    while let part = next {
      switch nodes[Int(part)].name {
      case .tr: (count, isInRow) = (count + 1, false)
      case .td, .th: (count, isInRow) = (count + (isInRow ? 0 : 1), true)
      default: if nodes[Int(part)].contents.contains(.block) { return count }
      }
      next = nodes[Int(part)].nextSibling
    }
    return count
  }
}
