package import Images

/// A protocol by which a terminal draws pixels.
package enum GraphicsProtocol: Sendable, Hashable {
  /// That of kitty: the terminal keeps images, and shows parts of them at cells.
  case kitty
  /// Sixel strings in so many colours: what is drawn stays until it is drawn over.
  case sixel(colors: Int)
}

/// An image of pixels on the screen, over cells that are blank.
package struct Graphic: Sendable, Equatable {
  /// What is drawn, with pixels for all of its cells.
  package var image: DecodedImage
  /// The row and column of its first cell; the row may be above the screen.
  package var row: Int, column: Int
  /// The rows of the screen on which it is seen.
  package var rows: Range<Int>
  /// How it is drawn.
  package var by: GraphicsProtocol

  /// - Parameters:
  ///   - image: what is drawn.
  ///   - row: the row of its first cell.
  ///   - column: the column of its first cell.
  ///   - rows: the rows of the screen that may be covered.
  ///   - by: how it is drawn.
  package init(
    _ image: DecodedImage, row: Int, column: Int, rows: Range<Int>, by: GraphicsProtocol
  ) {
    (self.image, self.row, self.column, self.by) = (image, row, column, by)
    self.rows = rows.clamped(to: row..<row + image.cells.height)
  }

  var columns: Range<Int> { column..<column + image.cells.width }
}
