import Document

/// Distinguishes data tables from layout tables, which only arrange a page and are laid out as
/// blocks.
enum TableKind {
  /// The findings about a table that is being examined.
  private struct Shape {
    var block: Int32
    var end: Int32
    var rows = 0
    var cells = 0
    var widestRow = 0
    /// The maximum number of non-empty cells in a row.
    var maxFilled = 0
    var filled = 0
    /// The depth of nested tables in the table; 0 if it has none.
    var nesting = 0
    var hasHeader = false
    /// Whether a row consists of column headings rather than labels of fields.
    var hasHeaderRow = false
    var hasPage = false
    /// The number of rows with a label in the first cell and a field in the second.
    var fieldRows = 0
    /// Whether the first cell of the open row has text and no control.
    var beginsWithLabel = false
    /// Leaves and bytes of text in the open cell.
    var leaves = 0
    var length = 0

    var isLayout: Bool {
      // One level of nested tables is readable; with more levels, cells would be laid out too many
      // times.
      if nesting > 1 || maxFilled <= 1 || widestRow > 500 { return true }
      // The rows of a form are laid out as lines, with the fields in one column.
      if fieldRows > 0, fieldRows * 2 >= rows, widestRow <= 3, !hasHeaderRow { return true }
      return !hasHeader && (rows <= 1 || hasPage)
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
    var open: [Shape] = []
    for index in Int(table)..<Int(document.blocks[Int(table)].end) {
      let block = document.blocks[index]
      while let shape = open.last, shape.end <= index { close(&open, &result) }
      let top = open.count - 1
      switch block.kind {
      case .table:
        open.append(Shape(block: Int32(index), end: block.end, hasHeaderRow: !alignsForms))
      case _ where top < 0: break
      case .row(let isHeader):
        open[top].rows += 1
        open[top].cells = 0
        open[top].filled = 0
        open[top].beginsWithLabel = false
        if isHeader { (open[top].hasHeader, open[top].hasHeaderRow) = (true, true) }
      case .cell(let isHeader, _, _, _):
        open[top].cells += 1
        open[top].widestRow = max(open[top].widestRow, open[top].cells)
        if block.end > index + 1 {
          open[top].filled += 1
          open[top].maxFilled = max(open[top].maxFilled, open[top].filled)
        }
        open[top].leaves = 0
        open[top].length = 0
        if isHeader { open[top].hasHeader = true }
        if isHeader, open[top].cells > 1 { open[top].hasHeaderRow = true }
      case .heading: open[top].hasPage = true
      default: addLeaf(document, block, to: &open[top])
      }
    }
    while !open.isEmpty { close(&open, &result) }
    return result
  }

  private static func close(_ open: inout [Shape], _ result: inout Set<Int32>) {
    let shape = open.removeLast()
    if let top = open.indices.last { open[top].nesting = max(open[top].nesting, shape.nesting + 1) }
    if shape.isLayout { result.insert(shape.block) }
  }

  private static func addLeaf(
    _ document: Document, _ block: Document.Block, to shape: inout Shape
  ) {
    guard !block.runs.isEmpty else { return }
    let hasControl = block.runs.contains { document.runs[Int($0)].style.contains(.control) }
    if shape.cells == 1 { shape.beginsWithLabel = !hasControl }
    if shape.cells == 2, hasControl, shape.beginsWithLabel {
      shape.fieldRows += 1
      shape.beginsWithLabel = false
    }
    shape.leaves += 1
    shape.length += document.length(of: block)
    if shape.leaves > 6 || shape.length > 1500 { shape.hasPage = true }
  }
}

extension Document {
  /// Returns the number of bytes of text in a leaf.
  func length(of block: Block) -> Int {
    guard !block.runs.isEmpty else { return 0 }
    let first = runs[Int(block.runs.lowerBound)].start
    return Int(runs[Int(block.runs.upperBound) - 1].end - first)
  }

  /// Returns the index of the only leaf of a cell if it is a paragraph, -1 if the cell is empty,
  /// else nil.
  @inline(__always)
  func soleParagraph(ofCell index: Int32) -> Int32? {
    let cell = blocks[Int(index)]
    if cell.end == index + 1 { return -1 }
    guard cell.end == index + 2, case .paragraph = blocks[Int(index) + 1].kind else { return nil }
    return index + 1
  }
}
