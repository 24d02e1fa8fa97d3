import Document

// The items of a table may be its rows, as in a list of countries, or its columns, as in a
// comparison of products. In the latter, each row holds one property of all items, and the first
// cell names the property.

extension TableGrid {
  /// Returns whether the items that a table compares are its columns, so that its first column
  /// holds the names of the rows.
  func comparesColumns(in document: Document) -> Bool {
    guard columnCount > 2, rowCount > 2, columnCount <= Self.maxComparedColumns else {
      return false
    }
    var (names, headers) = (0, 0)
    for row in 1..<rowCount {
      guard let first = cells(inRow: row).first else { continue }
      let cell = cells[first]
      guard cell.column == 0, cell.columns == 1 else { return false }
      if cell.isEmpty { continue }
      guard document.kind(ofCell: cell.block) == .word else { return false }
      names += 1
      if cell.isHeader { headers += 1 }
    }
    guard names * 10 >= (rowCount - 1) * 9, let similarity = similarity(in: document) else {
      return false
    }
    let isNamed = headerRows == 0 && headers * 10 >= names * 8
    return similarity.rows > similarity.columns + (isNamed ? -1 : similarity.cells / 10)
  }

  /// The maximum number of columns of a comparison.
  private static let maxComparedColumns = 40

  /// Returns the number of cells that are of the most frequent kind in their row, the number that
  /// are of the most frequent kind in their column, and the number of all cells. Returns nil if
  /// there are no cells, or if a column has no name or a number as its name.
  private func similarity(in document: Document) -> (rows: Int, columns: Int, cells: Int)? {
    var columns: [CellKinds] = Array(repeating: CellKinds(), count: columnCount)
    var named = 0
    for index in cells(inRow: 0) where cells[index].column > 0 && !cells[index].isEmpty {
      guard document.kind(ofCell: cells[index].block) != .figure else { return nil }
      named += cells[index].columns
    }
    guard named == columnCount - 1 else { return nil }
    var (rows, count) = (0, 0)
    for row in 1..<rowCount {
      var kinds = CellKinds()
      for index in cells(inRow: row) where cells[index].column > 0 && !cells[index].isEmpty {
        let kind = document.kind(ofCell: cells[index].block)
        kinds.add(kind)
        columns[cells[index].column].add(kind)
        count += 1
      }
      rows += kinds.maximum
    }
    return count > 0 ? (rows, columns.reduce(0) { $0 + $1.maximum }, count) : nil
  }
}

/// The kind of a cell's content.
private enum CellKind {
  /// Begins with a number, a price or a placeholder such as a dash.
  case figure
  /// At most 48 bytes of text.
  case word
  case text
}

/// The number of cells of each kind.
private struct CellKinds {
  private var figures = 0
  private var wordCount = 0
  private var texts = 0

  var maximum: Int { max(figures, wordCount, texts) }

  mutating func add(_ kind: CellKind) {
    switch kind {
    case .figure: figures += 1
    case .word: wordCount += 1
    case .text: texts += 1
    }
  }
}

extension Document {
  fileprivate func kind(ofCell index: Int32) -> CellKind {
    if firstByte(ofCell: index, limit: 400)?.isFigure == true { return .figure }
    return firstByte(ofCell: index, limit: 48) == nil ? .text : .word
  }
}
