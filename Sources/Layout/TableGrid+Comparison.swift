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
      guard cell.column == 0, cell.columnSpan == 1 else { return false }
      if cell.isEmpty { continue }
      guard document.kind(ofCell: cell.blockIndex) == .word else { return false }
      names += 1
      if cell.isHeader { headers += 1 }
    }
    guard names * 10 >= (rowCount - 1) * 9, let similarity = similarity(in: document) else {
      return false
    }
    let isNamed = headerRowCount == 0 && headers * 10 >= names * 8
    return similarity.rows > similarity.columns + (isNamed ? -1 : similarity.cells / 10)
  }

  /// The maximum number of columns of a comparison.
  private static let maxComparedColumns = 40

  /// Measures how similar the cells of each row and of each column are. Returns the number of cells
  /// whose kind is the most frequent one in their row, the number of cells whose kind is the most
  /// frequent one in their column, and the number of all cells; nil if there are no cells, or if a
  /// column has no name or a number as its name.
  private func similarity(in document: Document) -> (rows: Int, columns: Int, cells: Int)? {
    var columns: [CellKindCounts] = Array(repeating: CellKindCounts(), count: columnCount)
    var named = 0
    for index in cells(inRow: 0) where cells[index].column > 0 && !cells[index].isEmpty {
      guard document.kind(ofCell: cells[index].blockIndex) != .number else { return nil }
      named += cells[index].columnSpan
    }
    guard named == columnCount - 1 else { return nil }
    var (rows, count) = (0, 0)
    for row in 1..<rowCount {
      var kinds = CellKindCounts()
      for index in cells(inRow: row) where cells[index].column > 0 && !cells[index].isEmpty {
        let kind = document.kind(ofCell: cells[index].blockIndex)
        kinds.add(kind)
        columns[cells[index].column].add(kind)
        count += 1
      }
      rows += kinds.maxCount
    }
    return count > 0 ? (rows, columns.reduce(0) { $0 + $1.maxCount }, count) : nil
  }
}

/// The kind of a cell's content.
private enum CellKind {
  /// Text that begins with a number, a price or a placeholder such as a dash.
  case number
  /// Other text of at most 48 bytes.
  case word
  case text
}

/// The number of cells of each kind.
private struct CellKindCounts {
  private var numberCount = 0
  private var wordCount = 0
  private var textCount = 0

  var maxCount: Int { max(numberCount, wordCount, textCount) }

  mutating func add(_ kind: CellKind) {
    switch kind {
    case .number: numberCount += 1
    case .word: wordCount += 1
    case .text: textCount += 1
    }
  }
}

extension Document {
  fileprivate func kind(ofCell index: Int32) -> CellKind {
    if firstByte(ofCell: index, maxLength: 400)?.mayBeginNumber == true { return .number }
    return firstByte(ofCell: index, maxLength: 48) == nil ? .text : .word
  }
}
