import DOM
import Document

/// Distinguishes data tables from layout tables, which only arrange a page and are laid out as
/// blocks.
enum LayoutTableDetector {
  /// The statistics of a table that is being examined.
  private struct TableStatistics {
    var blockIndex: Int32
    var end: Int32
    var rowCount = 0
    var cellCount = 0
    var maxCellsInRow = 0
    /// The maximum number of non-empty cells in a row.
    var maxFilledCellsInRow = 0
    var filledCellsInRow = 0
    /// The depth of the tables nested in the table; 0 if there are none.
    var nestingDepth = 0
    var hasHeader = false
    /// Whether a row consists of column headings rather than labels of fields.
    var hasHeaderRow = false
    var hasPageContent = false
    /// The number of rows with a label in the first cell and a field in the second.
    var fieldRowCount = 0
    /// Whether the first cell of the row being read has text and no control.
    var rowBeginsWithLabel = false
    /// The number of leaves in the cell being read.
    var cellLeafCount = 0
    /// The number of bytes of text in the cell being read.
    var cellTextLength = 0

    var isLayoutTable: Bool {
      // One level of nested tables is readable; with more, cells would be laid out too many times.
      if nestingDepth > 1 || maxFilledCellsInRow <= 1 || maxCellsInRow > 500 { return true }
      // The rows of a form are laid out as lines, with the fields in one column.
      if fieldRowCount > 0, fieldRowCount * 2 >= rowCount, maxCellsInRow <= 3, !hasHeaderRow {
        return true
      }
      return !hasHeader && (rowCount <= 1 || hasPageContent)
    }
  }

  /// Returns the indices of the layout tables, in one pass over a table and all tables in it.
  /// - Parameters:
  ///   - document: The page.
  ///   - table: The block index of the outermost table.
  ///   - alignsForms: Whether the rows of a form are laid out as lines.
  /// - Returns: The block indices.
  static func layoutTables(
    in document: Document, at table: Int32, alignsForms: Bool = true
  ) -> Set<Int32> {
    var result: Set<Int32> = []
    var open: [TableStatistics] = []
    for index in Int(table)..<Int(document.blocks[Int(table)].end) {
      let block = document.blocks[index]
      while let innermost = open.last, innermost.end <= index { closeTable(&open, &result) }
      let top = open.count - 1
      switch block.kind {
      case .table:
        open.append(
          TableStatistics(blockIndex: Int32(index), end: block.end, hasHeaderRow: !alignsForms))
      case _ where top < 0: break
      case .row(let isHeader):
        open[top].rowCount += 1
        open[top].cellCount = 0
        open[top].filledCellsInRow = 0
        open[top].rowBeginsWithLabel = false
        if isHeader { (open[top].hasHeader, open[top].hasHeaderRow) = (true, true) }
      case .cell(let isHeader, _, _, _):
        open[top].cellCount += 1
        open[top].maxCellsInRow = max(open[top].maxCellsInRow, open[top].cellCount)
        if block.end > index + 1 {
          open[top].filledCellsInRow += 1
          open[top].maxFilledCellsInRow = max(
            open[top].maxFilledCellsInRow, open[top].filledCellsInRow)
        }
        open[top].cellLeafCount = 0
        open[top].cellTextLength = 0
        if isHeader { open[top].hasHeader = true }
        if isHeader, open[top].cellCount > 1 { open[top].hasHeaderRow = true }
      case .heading: open[top].hasPageContent = true
      default: addLeaf(document, block, to: &open[top])
      }
    }
    while !open.isEmpty { closeTable(&open, &result) }
    return result
  }

  private static func closeTable(_ openTables: inout [TableStatistics], _ result: inout Set<Int32>)
  {
    let table = openTables.removeLast()
    if let top = openTables.indices.last {
      openTables[top].nestingDepth = max(openTables[top].nestingDepth, table.nestingDepth + 1)
    }
    if table.isLayoutTable { result.insert(table.blockIndex) }
  }

  private static func addLeaf(
    _ document: Document, _ block: Document.Block, to statistics: inout TableStatistics
  ) {
    guard !block.runs.isEmpty else { return }
    let hasControl = block.runs.contains { document.runs[Int($0)].style.contains(.control) }
    if statistics.cellCount == 1 { statistics.rowBeginsWithLabel = !hasControl }
    if statistics.cellCount == 2, hasControl, statistics.rowBeginsWithLabel {
      statistics.fieldRowCount += 1
      statistics.rowBeginsWithLabel = false
    }
    statistics.cellLeafCount += 1
    statistics.cellTextLength += document.textLength(of: block)
    if statistics.cellLeafCount > 6 || statistics.cellTextLength > 1500 {
      statistics.hasPageContent = true
    }
  }
}

extension Document {
  /// Returns the number of bytes of text in a leaf.
  func textLength(of block: Block) -> Int {
    guard !block.runs.isEmpty else { return 0 }
    let first = runs[Int(block.runs.lowerBound)].start
    return Int(runs[Int(block.runs.upperBound) - 1].end - first)
  }

  /// Returns the index of a cell's only leaf if that is a paragraph, an index without a value if
  /// the cell is empty, else nil.
  @inline(__always)
  func soleParagraph(ofCell index: Int32) -> OptionalIndex? {
    let cell = blocks[Int(index)]
    if cell.end == index + 1 { return .some(nil) }
    guard cell.end == index + 2, case .paragraph = blocks[Int(index) + 1].kind else { return nil }
    return OptionalIndex(index + 1)
  }
}
