package import Images

extension Frame {
  /// Draws symbols of an image, cut where the screen or the rows end.
  /// - Parameters:
  ///   - symbols: one a cell, row by row.
  ///   - width: how many of them are a row.
  ///   - rows: the rows of the screen that may be covered.
  ///   - top: the row of the first symbol, which may be above them.
  ///   - column: the column of the first symbol.
  package mutating func put(
    _ symbols: [ImageSymbol], width: Int, rows: Range<Int>, top: Int, column: Int
  ) {
    guard width > 0 else { return }
    var style = CellStyle()
    for row in rows.clamped(to: top..<top + symbols.count / width) {
      var place = column
      for symbol in symbols[((row - top) * width)..<((row - top + 1) * width)] {
        style.colors = symbol.colors
        put(
          cluster: String(symbol.character), width: 1, row: row, column: &place, limit: .max,
          style: style)
      }
    }
  }
}
