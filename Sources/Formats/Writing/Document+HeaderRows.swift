import Document

extension Document {
  /// Returns whether the header rows that begin with a row may be a group of rows. They may not if
  /// one of their cells spans rows below them, because cells end with their group.
  func headerIsGroup(from firstRow: Int) -> Bool {
    var (row, remainingRows) = (firstRow, 0)
    while row < blocks.count, case .row(true) = blocks[row].kind {
      var cell = row + 1
      while cell < Int(blocks[row].end) {
        if case .cell(_, _, let rows, _) = blocks[cell].kind {
          remainingRows = max(remainingRows, Int(rows))
        }
        cell = Int(blocks[cell].end)
      }
      (row, remainingRows) = (Int(blocks[row].end), max(remainingRows - 1, 0))
    }
    return remainingRows == 0
  }
}
