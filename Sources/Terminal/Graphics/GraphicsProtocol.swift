/// A protocol for drawing pixel graphics in a terminal.
package enum GraphicsProtocol: Sendable, Hashable {
  /// The kitty graphics protocol: the terminal stores images and shows parts of them at given
  /// cells.
  case kitty
  /// Sixel strings with the given number of colours; graphics remain until they are overwritten.
  case sixel(colors: Int)
}
