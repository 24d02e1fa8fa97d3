package import Images

extension Frame {
  /// Draws an image as symbols, clipped to the screen and to the given rows.
  /// - Parameters:
  ///   - symbols: One symbol per cell, row by row.
  ///   - width: The number of symbols per row.
  ///   - rows: The rows of the screen that may be covered.
  ///   - top: The row of the first symbol, which may be above `rows`.
  ///   - column: The column of the first symbol.
  package mutating func put(
    _ symbols: [ImageSymbol], width: Int, rows: Range<Int>, top: Int, column: Int
  ) {
    guard width > 0 else { return }
    var style = CellStyle()
    for row in rows.clamped(to: top..<top + symbols.count / width) {
      var position = column
      for symbol in symbols[((row - top) * width)..<((row - top + 1) * width)] {
        style.imageColors = symbol.colors
        put(
          cluster: String(symbol.character), width: 1, row: row, column: &position, endColumn: .max,
          style: style)
      }
    }
  }
}
