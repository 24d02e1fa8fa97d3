import Document

extension BlockLayout {
  /// Begins a data table at its first row by measuring its columns; `layOutTableRows(maxLines:)`
  /// writes the rows.
  mutating func beginTable(from row: Int32) {
    let end = containers.last?.end ?? row + 1
    nextBlock = end
    sourceOffset = input.document.textOffset(ofBlock: row)
    let layout = TableLayout(rows: row..<end, in: self)
    needsBlankLine = needsBlankLine || layout.grid.columnCount == 0
    if isMeasuring { maxWordWidth = max(maxWordWidth, layout.columnWidths.minWidths.reduce(0, +)) }
    if let progress = TableProgress(layout, in: &self) { tableProgress = [progress] }
  }

  /// Lays out rows of the current table until the page has `lines` lines or the table ends.
  mutating func layOutTableRows(maxLines lines: Int) {
    guard var progress = tableProgress.popLast() else { return }
    if progress.writeRows(maxLines: lines, to: &self) {
      needsBlankLine = true
    } else {
      tableProgress.append(progress)
    }
  }
}
