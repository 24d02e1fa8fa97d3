package import Images

/// A protocol for drawing pixel graphics in a terminal.
package enum GraphicsProtocol: Sendable, Hashable {
  /// The kitty graphics protocol: the terminal stores images and shows parts of them at given
  /// cells.
  case kitty
  /// Sixel strings with the given number of colors; graphics remain until they are overwritten.
  case sixel(colors: Int)
}

/// A pixel image on the screen, over blank cells.
package struct Graphic: Sendable, Equatable {
  /// The image, scaled to its cells.
  package var image: DecodedImage
  /// The row and column of its first cell; the row may be above the screen.
  package var row: Int, column: Int
  /// The rows of the screen on which it is visible.
  package var rows: Range<Int>
  /// The protocol with which it is drawn.
  package var by: GraphicsProtocol

  /// Creates an image.
  /// - Parameters:
  ///   - image: The image.
  ///   - row: The row of its first cell.
  ///   - column: The column of its first cell.
  ///   - rows: The rows of the screen that may be covered.
  ///   - by: The protocol with which it is drawn.
  package init(
    _ image: DecodedImage, row: Int, column: Int, rows: Range<Int>, by: GraphicsProtocol
  ) {
    (self.image, self.row, self.column, self.by) = (image, row, column, by)
    self.rows = rows.clamped(to: row..<row + image.cells.height)
  }

  var columns: Range<Int> { column..<column + image.cells.width }
}
