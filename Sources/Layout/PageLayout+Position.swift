import Algorithms
package import Document

extension PageLayout {
  /// Returns the line that shows an offset of the document: the last line that begins at or before
  /// the offset.
  ///
  /// Together with its inverse, `Line.sourceOffset`, this preserves the reading position when the
  /// width changes.
  /// - Parameter source: The offset in `Document.text`.
  /// - Returns: The index in `lines`.
  package func line(for source: UInt32) -> Int {
    let first = lines.partitioningIndex { $0.sourceOffset > source }
    return max(0, first - 1)
  }
}

extension PageLayout {
  /// The maximum number of lines before the main content for a page to open at its top.
  private static let maxLinesBeforeContent = 5

  /// Returns the line at the top of the screen when a page opens: the first line or, if many lines
  /// precede the main content, the start of that content. The user can scroll up to the skipped
  /// lines.
  /// - Parameter document: The document of this layout.
  /// - Returns: The index in `lines`.
  package func openingLine(of document: Document) -> Int {
    let main = document.mainContentBlock
    guard main > 0, main < document.blocks.count else { return 0 }
    let heading = headings.first { Int($0.blockIndex) >= main }
    let line =
      if let heading, Int(heading.blockIndex) == main { Int(heading.lineIndex) } else {
        self.line(for: document.textOffset(ofBlock: Int32(main)))
      }
    return line > Self.maxLinesBeforeContent ? line : 0
  }
}
