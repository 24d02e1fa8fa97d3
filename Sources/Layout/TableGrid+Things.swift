import Document

// A table is about the things of its rows, as a list of countries is, or of its columns, as a comparison of
// products is: there each row has the same of all of them, and the first cell names it.

extension TableGrid {
  /// Whether the columns are what the table is about, and the first of them has the names of the rows.
  func isAboutColumns(in document: Document) -> Bool {
    guard columnCount > 2, rowCount > 2, columnCount <= Self.mostThings else { return false }
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
    guard names * 10 >= (rowCount - 1) * 9, let likeness = likeness(in: document) else {
      return false
    }
    let isNamed = headerRows == 0 && headers * 10 >= names * 8
    return likeness.rows > likeness.columns + (isNamed ? -1 : likeness.cells / 10)
  }

  /// More columns are no comparison.
  private static let mostThings = 40

  /// How many cells are of the kind that is the most frequent in their row, and in their column; nil when there
  /// are none, or a column has no name.
  private func likeness(in document: Document) -> (rows: Int, columns: Int, cells: Int)? {
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
      rows += kinds.most
    }
    return count > 0 ? (rows, columns.reduce(0) { $0 + $1.most }, count) : nil
  }
}

/// What a cell has in it.
private enum CellKind {
  /// It begins with a number, a price or a sign for none.
  case figure
  /// A few words.
  case word
  case text
}

/// How many cells there are of each kind.
private struct CellKinds {
  private var figures = 0
  private var words = 0
  private var texts = 0

  var most: Int { max(figures, words, texts) }

  mutating func add(_ kind: CellKind) {
    switch kind {
    case .figure: figures += 1
    case .word: words += 1
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
