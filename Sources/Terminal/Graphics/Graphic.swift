package import Images

/// A pixel image on the screen, over blank cells.
package struct Graphic: Sendable, Equatable {
  /// The image, scaled to its cells.
  package var image: DecodedImage
  /// The row and column of the first cell of the image; the row may be above the screen.
  package var firstRow: Int, firstColumn: Int
  /// The rows of the screen on which the image is visible.
  package var visibleRows: Range<Int>
  /// The protocol with which the image is drawn.
  package var graphicsProtocol: GraphicsProtocol

  /// Creates an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - firstRow: The row of its first cell.
  ///   - firstColumn: The column of its first cell.
  ///   - visibleRows: The rows of the screen that may be covered.
  ///   - graphicsProtocol: The protocol with which it is drawn.
  package init(
    _ image: DecodedImage, firstRow: Int, firstColumn: Int, visibleRows: Range<Int>,
    graphicsProtocol: GraphicsProtocol
  ) {
    (self.image, self.firstRow, self.firstColumn, self.graphicsProtocol) = (
      image, firstRow, firstColumn, graphicsProtocol
    )
    self.visibleRows = visibleRows.clamped(to: firstRow..<firstRow + image.cells.height)
  }

  var columns: Range<Int> { firstColumn..<firstColumn + image.cells.width }
}
