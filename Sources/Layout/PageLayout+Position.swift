package import Document

extension PageLayout {
  /// The line that shows a place of the document: the last one that begins at or before it.
  ///
  /// With `Line.source` as its inverse this keeps a reading position across widths.
  /// - Parameter source: Offset in `Document.text`.
  /// - Returns: The index in `lines`.
  package func line(for source: UInt32) -> Int {
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].source <= source { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}

extension PageLayout {
  /// Maximum number of lines before the main content for a page to open at its top.
  private static let maxLinesAbove = 5

  /// Returns the line at the top of the screen when a page opens: the first line, or the start of the main content
  /// if many unfolded lines precede it. Scrolling up shows those.
  /// - Parameter document: The document of this layout.
  /// - Returns: Index in `lines`.
  package func openingLine(of document: Document) -> Int {
    let main = document.mainContent
    guard main > 0, main < document.blocks.count else { return 0 }
    let heading = headings.first { Int($0.block) >= main }
    let line =
      if let heading, Int(heading.block) == main { Int(heading.line) } else {
        self.line(for: document.source(ofBlock: Int32(main)))
      }
    return line > Self.maxLinesAbove ? line : 0
  }
}
