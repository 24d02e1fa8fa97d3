import DOM
import Document

/// Lays out the rows of layout tables: a row of short cells becomes one line.
extension BlockLayout {
  /// Returns whether a row can become one line: all its cells are short texts, and the layout is
  /// not linear.
  func fitsOnOneLine(row: Document.Block, _ index: Int32) -> Bool {
    guard !input.options.isLinear else { return false }
    var length = 0
    var cell = index + 1
    while cell < row.end {
      guard let paragraph = input.document.soleParagraph(ofCell: cell) else { return false }
      if let paragraph = paragraph.value {
        length += input.document.textLength(of: input.document.blocks[paragraph]) + 2
      }
      guard length <= 2 * textWidth else { return false }
      cell = input.document.blocks[Int(cell)].end
    }
    return true
  }

  /// Lays out a row as one line, with two spaces between its cells.
  mutating func layOutRowAsLine(row: Document.Block, _ index: Int32) {
    requestBlankLine()
    nextBlock = row.end
    inlineText.removeAll()
    context.width = availableWidth
    var cell = index + 1
    while cell < row.end {
      let block = input.document.blocks[Int(cell)]
      if let paragraph = input.document.soleParagraph(ofCell: cell)?.value {
        let runs = input.document.blocks[paragraph].runs
        if let first = runs.first {
          let start = input.document.runs[Int(first)].start
          if inlineText.bytes.isEmpty {
            sourceOffset = start
          } else {
            inlineText.append(
              "  ".utf8, style: TextStyle(context.defaultRole), target: nil, source: start)
          }
        }
        var inner = context
        if case .cell(isHeader: true, _, _, _) = block.kind { inner.addedStyle.insert(.strong) }
        inlineText.append(runs: runs, in: inner)
      }
      cell = block.end
    }
    guard !inlineText.bytes.isEmpty else { return }
    updateWidestWord()
    writeBlankLineIfNeeded()
    writeLines()
    requestBlankLine()
  }
}
