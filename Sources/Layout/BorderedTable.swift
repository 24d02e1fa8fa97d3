import Document

/// A table drawn with borders, row by row.
struct BorderedTable: Sendable {
  private var table: TableLayout
  private let columnWidths: [Int]
  /// The number of columns to the left of the table.
  private let margin: Int
  /// The width, without the indentation, to which lines with bidirectional text are padded: the
  /// width of the table or of the text column, whichever is greater.
  private let columns: Int
  /// The number of spaces between a border and the text of a cell.
  private let padding: Int
  private let style = TextStyle(.dim)
  /// The vertical border between two cells, as UTF-8.
  private let verticalBorder: [UInt8]
  /// The index of the next row.
  private var nextRow = 0
  /// The cells that began in a row above and span into the current row.
  private var openCells: [OpenCell] = []
  /// Whether each column boundary has a border in the row above.
  private var bordersAbove: [Bool]
  /// Whether each column boundary has a border in the current row.
  private var borders: [Bool]
  /// The slots of the current row, from left to right.
  private var slots: [Slot] = []
  /// Whether a row of the table has been written.
  private var hasRowAbove = false
  /// Whether the last row that was written has several lines, so that a rule separates it from the
  /// next one.
  private var isRowAboveMultiline = false

  /// The range of columns between two borders of a row.
  private struct Slot {
    var column: Int
    var columnCount: Int
    /// The lines in the layout of the row, for a cell that begins here.
    var lines: Range<Int> = 0..<0
    /// The cell that is written directly from the document; nil if the cell needs layout.
    var plainCell: PlainCell?
    /// The index in `openCells` of a cell that began in a row above; nil for other slots.
    var openCellIndex: Int?
    var alignment = Document.Alignment.unset
  }

  /// A cell that began in a row above and spans into this one.
  private struct OpenCell {
    var layout: PageLayout
    var column: Int
    var columnCount: Int
    /// The number of rows still to come, including this one.
    var remainingRowCount: Int
    /// The number of lines already shown.
    var shownLineCount = 0
    var alignment: Document.Alignment

    var remainingLineCount: Int { layout.lines.count - shownLineCount }
  }

  init(table: TableLayout, columnWidths: [Int], margin: Int, columns: Int, padding: Int) {
    self.columns = columns
    self.padding = padding
    self.table = table
    self.columnWidths = columnWidths
    self.margin = max(0, margin)
    verticalBorder = Array(table.cellLayout.input.glyphs.borders.verticalLine.utf8)
    bordersAbove = Array(repeating: false, count: columnWidths.count + 1)
    borders = bordersAbove
  }

  /// Writes rows until the page has `lines` lines or the table ends.
  /// - Returns: Whether all rows have been written.
  mutating func writeRows(maxLines lines: Int, to page: inout BlockLayout) -> Bool {
    let outer = page.margin
    page.margin = margin
    defer { page.margin = outer }
    while nextRow < table.grid.rowCount {
      guard page.writer.lineCount < lines else { return false }
      write(row: nextRow, to: &page)
      nextRow += 1
    }
    let none = Array(repeating: false, count: columnWidths.count + 1)
    if hasRowAbove {
      writeRule(above: bordersAbove, below: none, isDouble: false, isSpanned: { _ in false }, &page)
    }
    return true
  }

  // MARK: Rows

  private mutating func write(row: Int, to page: inout BlockLayout) {
    table.cellLayout.writer.removeAll()
    layOutSlots(of: row)
    let slots = slots
    var height = 0
    for slot in slots {
      if let index = slot.openCellIndex {
        if openCells[index].remainingRowCount == 1 {
          height = max(height, openCells[index].remainingLineCount)
        }
      } else {
        height = max(height, slot.plainCell == nil ? slot.lines.count : 1)
      }
    }
    guard height > 0 || openCells.contains(where: { $0.remainingLineCount > 0 }) else {
      return removeFinishedCells()
    }
    for column in 0..<columnWidths.count { borders[column] = false }
    borders[columnWidths.count] = true
    for slot in slots { borders[slot.column] = true }
    let isAfterHeader = row > 0 && row == table.grid.headerRowCount
    let spannedColumns = openCells.map {
      $0.column..<($0.shownLineCount > 0 ? $0.column + $0.columnCount : $0.column)
    }
    let isDivided = isRowAboveMultiline || height > 1 || borders != bordersAbove
    if !hasRowAbove || isAfterHeader || isDivided {
      writeRule(
        above: bordersAbove, below: borders, isDouble: hasRowAbove && isAfterHeader,
        isSpanned: { column in spannedColumns.contains { $0.contains(column) } }, &page)
    }
    addImages(of: slots, to: &page)
    for line in 0..<max(1, height) { write(line: line, of: slots, to: &page) }
    swap(&bordersAbove, &borders)
    hasRowAbove = true
    isRowAboveMultiline = height > 1
    removeFinishedCells()
  }

  /// Lays out the cells that begin in a row, and merges them with the cells that span into it from
  /// above.
  private mutating func layOutSlots(of row: Int) {
    slots.removeAll(keepingCapacity: true)
    for (index, cell) in openCells.enumerated() {
      slots.append(
        Slot(
          column: cell.column, columnCount: cell.columnCount, openCellIndex: index,
          alignment: cell.alignment))
    }
    for index in table.grid.cells(inRow: row) {
      let cell = table.grid.cells[index]
      guard cell.columnSpan > 0 else { continue }
      slots.append(slot(of: cell))
    }
    if !openCells.isEmpty { slots.sort { $0.column < $1.column } }
    guard slots.count < columnWidths.count else { return }
    var result: [Slot] = []
    result.reserveCapacity(columnWidths.count)
    var column = 0
    for slot in slots {
      while column < slot.column {
        result.append(Slot(column: column, columnCount: 1))
        column += 1
      }
      result.append(slot)
      column += slot.columnCount
    }
    while column < columnWidths.count {
      result.append(Slot(column: column, columnCount: 1))
      column += 1
    }
    slots = result
  }

  private mutating func slot(of cell: TableGrid.Cell) -> Slot {
    let alignment = cell.alignment
    let width = width(cell.column, cell.columnSpan)
    if cell.rowSpan == 1, table.cellLayout.embeddingLevel == 0,
      let plain = table.cellLayout.context.plainCell(cell),
      plain.textRange.count <= width
    {
      return Slot(
        column: cell.column, columnCount: cell.columnSpan, plainCell: plain, alignment: alignment)
    }
    let first = table.cellLayout.writer.lineCount
    if !cell.isEmpty {
      table.layOut(cell, width: width)
    }
    let lines = first..<table.cellLayout.writer.lineCount
    guard cell.rowSpan > 1 else {
      return Slot(
        column: cell.column, columnCount: cell.columnSpan, lines: lines, alignment: alignment)
    }
    openCells.append(
      OpenCell(
        layout: table.cellLayout.writer.layout.excerpt(lines), column: cell.column,
        columnCount: cell.columnSpan, remainingRowCount: cell.rowSpan, alignment: alignment))
    return Slot(
      column: cell.column, columnCount: cell.columnSpan, openCellIndex: openCells.count - 1,
      alignment: alignment)
  }

  private mutating func removeFinishedCells() {
    guard !openCells.isEmpty else { return }
    for index in openCells.indices { openCells[index].remainingRowCount -= 1 }
    openCells.removeAll { $0.remainingRowCount == 0 }
  }

  /// The number of screen columns between the text of two columns.
  private var separatorWidth: Int { 2 * padding + 1 }

  /// Returns the width of the text in a cell.
  private func width(_ column: Int, _ columns: Int) -> Int {
    if columns == 1 { return columnWidths[column] }
    return columnWidths[column..<column + columns].reduce(0, +) + separatorWidth * (columns - 1)
  }

  /// Records where the images of a row will be drawn.
  private func addImages(of slots: [Slot], to page: inout BlockLayout) {
    let cells = table.cellLayout.writer.layout
    guard !cells.imageBoxes.isEmpty else { return }
    // Images begin after the border and the padding of the first cell.
    var column = page.margin + page.indentation.columns + 1 + padding
    var placed: [(first: Int, column: Int, box: PageLayout.ImageBox)] = []
    for slot in slots {
      let width = width(slot.column, slot.columnCount)
      for box in cells.imageBoxes where slot.lines.contains(Int(box.firstLine)) {
        // Indented images stay where they are, whatever the alignment of the cell.
        let columns = box.columns.lowerBound > 0 ? 0 : width - box.columns.count
        placed.append(
          (
            slot.lines.lowerBound, column + slot.alignment.leadingColumns(before: max(0, columns)),
            box
          ))
      }
      column += width + separatorWidth
    }
    placed.sort { Int($0.box.firstLine) - $0.first < Int($1.box.firstLine) - $1.first }
    for position in placed {
      page.writer.addImageBoxes([position.box], from: position.first, column: position.column)
    }
  }

  // MARK: Lines

  private mutating func write(line: Int, of slots: [Slot], to page: inout BlockLayout) {
    page.beginLine()
    page.beginBidiOrder(columns: columns)
    var source: UInt32?
    for slot in slots {
      page.writer.append(verticalBorder, 0..<verticalBorder.count, style: style)
      page.writer.append(byte: .space, count: padding)
      if page.writer.hasBidiOrder {
        page.writer.endLevelRun(level: page.embeddingLevel, minBoxWidth: 0)
      }
      let width = width(slot.column, slot.columnCount)
      let sourceOfSlot = append(line: line, of: slot, width: width, to: &page)
      source = source ?? sourceOfSlot
      page.writer.append(byte: .space, count: padding)
    }
    page.writer.append(verticalBorder, 0..<verticalBorder.count, style: style)
    page.endOrnament(level: page.embeddingLevel, columns: 0)
    if let source { page.sourceOffset = max(page.sourceOffset, source) }
    page.writer.endLine(source: source ?? page.sourceOffset)
  }

  /// Appends a line of a cell, or spaces if the cell has no such line.
  /// - Returns: The source offset of the line; nil if the cell has no such line.
  private mutating func append(
    line: Int, of slot: Slot, width: Int, to page: inout BlockLayout
  ) -> UInt32? {
    if let plain = slot.plainCell {
      if line == 0 {
        page.writer.append(
          plain, of: page.input.document.text, width: width, alignment: slot.alignment)
        return UInt32(plain.textRange.lowerBound)
      }
    } else if let index = slot.openCellIndex {
      if openCells[index].remainingLineCount > 0 {
        let layout = openCells[index].layout
        let shown = openCells[index].shownLineCount
        page.writer.append(line: shown, of: layout, width: width, alignment: slot.alignment)
        openCells[index].shownLineCount += 1
        return layout.lines[shown].sourceOffset
      }
    } else if line < slot.lines.count {
      let index = slot.lines.lowerBound + line
      page.writer.append(
        line: index, of: table.cellLayout.writer.layout, width: width, alignment: slot.alignment)
      return table.cellLayout.writer.layout.lines[index].sourceOffset
    }
    page.writer.append(byte: .space, count: width)
    return nil
  }

  /// Writes a horizontal rule, interrupted where a cell spans it; `isDouble` is whether the rule is
  /// a double line.
  private func writeRule(
    above: [Bool], below: [Bool], isDouble: Bool, isSpanned: (Int) -> Bool,
    _ page: inout BlockLayout
  ) {
    let borders = page.input.glyphs.borders
    let junctions = isDouble ? borders.doubleJunctions : borders.junctions
    let horizontal = isDouble ? borders.doubleLine : borders.horizontalLine
    page.beginLine()
    page.beginBidiOrder(columns: columns)
    var isLine = false
    for column in 0...columnWidths.count {
      let continuesRight = column < columnWidths.count && !isSpanned(column)
      let joint =
        (above[column] ? 1 : 0) | (below[column] ? 2 : 0) | (isLine ? 4 : 0)
        | (continuesRight ? 8 : 0)
      page.writer.append(junctions[joint], style: style)
      guard column < columnWidths.count else { break }
      let span = columnWidths[column] + 2 * padding
      page.writer.append(continuesRight ? horizontal : " ", count: span, style: style)
      isLine = continuesRight
    }
    page.endOrnament(level: page.embeddingLevel, columns: 0)
    page.writer.endLine(source: page.sourceOffset)
  }
}

extension LineWriter {
  /// Appends a plain cell, padded to `width`.
  mutating func append(
    _ cell: PlainCell, of text: [UInt8], width: Int, alignment: Document.Alignment
  ) {
    let columns = max(0, width - cell.textRange.count)
    let left = alignment.leadingColumns(before: columns)
    append(byte: .space, count: left)
    append(
      text, cell.textRange, style: cell.style, target: cell.target,
      source: UInt32(cell.textRange.lowerBound))
    append(byte: .space, count: columns - left)
    endCell(level: 0, columns: width)
  }

  /// Appends a line of a cell, padded to `width`.
  mutating func append(
    line index: Int, of cell: PageLayout, width: Int, alignment: Document.Alignment
  ) {
    let line = cell.lines[index]
    let columns = widths.width(of: cell.text, in: Int(line.start)..<Int(line.end))
    let available = max(0, width - columns)
    let order = hasBidiOrder ? cell.order(ofLine: index) : nil
    let level = order?.levelRuns.last?.embeddingLevel ?? 0
    // Lines with bullets or quotation bars are not shifted, so that their ornaments stay aligned.
    let left =
      line.prefixLength > (order == nil ? 0 : BidiOrder.popDirectionalIsolate.utf8.count)
      ? 0 : alignment.mirrored(level % 2 == 1).leadingColumns(before: available)
    append(byte: .space, count: left)
    if let order, left > 0 { endLevelRun(level: level + levelOffset(of: order.embeddingLevel)) }
    let shift = layout.text.count
    recordSources(ofLine: index, of: cell)
    var start = Int(line.start)
    var position = Int(line.firstRun)
    while start < Int(line.end), position < cell.runs.count {
      let run = cell.runs[position]
      let end = min(Int(run.end), Int(line.end))
      append(cell.text, start..<end, style: run.style, target: run.target)
      start = end
      position += 1
    }
    if let order { append(levelRunsOf: order, from: Int(line.start), at: shift) }
    append(byte: .space, count: available - left)
    endCell(level: level + (order.map { levelOffset(of: $0.embeddingLevel) } ?? 0), columns: width)
  }

  /// Ends the padded box of a cell on a bidirectionally ordered line.
  private mutating func endCell(level: UInt8, columns: Int) {
    guard hasBidiOrder else { return }
    endLevelRun(level: level == 0 ? levelOffset(of: 0) : level, minBoxWidth: columns)
  }
}

extension Document.Alignment {
  /// Returns the alignment, with left and right exchanged if the text is reversed afterwards.
  fileprivate func mirrored(_ isMirrored: Bool) -> Self {
    guard isMirrored else { return self }
    return self == .right ? .left : self == .left ? .right : self
  }

  /// Returns the number of excess columns that are placed before the text.
  fileprivate func leadingColumns(before width: Int) -> Int {
    switch self {
    case .right: width
    case .center: width / 2
    case .left, .unset: 0
    }
  }
}

extension PageLayout {
  /// Returns a copy of a range of lines.
  func excerpt(_ range: Range<Int>) -> PageLayout {
    var result = PageLayout(width: width)
    for index in range {
      let line = lines[index]
      let start = UInt32(result.text.count)
      let firstRun = UInt32(result.runs.count)
      for (run, bytes) in runs(ofLine: index) {
        result.text += text[bytes]
        result.runs.append(
          Run(end: UInt32(result.text.count), style: run.style, target: run.target))
      }
      result.recordSources(ofLine: index, of: self, at: Int(start))
      if var order = order(ofLine: index) {
        order.lineIndex = Int32(result.lines.count)
        for levelRun in order.levelRuns.indices {
          order.levelRuns[levelRun].end = order.levelRuns[levelRun].end - line.start + start
        }
        result.orderedLines.append(order)
      }
      result.lines.append(
        Line(
          start: start, end: UInt32(result.text.count), firstRun: firstRun,
          sourceOffset: line.sourceOffset,
          prefixLength: line.prefixLength))
    }
    return result
  }
}
