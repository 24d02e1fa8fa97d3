/// A decoded image, ready to be drawn.
package struct DecodedImage: Sendable, Equatable {
  /// The size of the original image in pixels.
  package var sourceSize: ImageSize
  /// The number of terminal cells that it covers.
  package var cells: ImageSize
  package var content: Content

  package init(sourceSize: ImageSize, cells: ImageSize, content: Content) {
    self.sourceSize = sourceSize
    self.cells = cells
    self.content = content
  }

  /// The content of a decoded image, as symbols or pixels.
  package enum Content: Sendable, Equatable {
    /// One symbol per cell, row by row.
    case symbols([ImageSymbol])
    /// Red, green, blue and alpha of each pixel, row by row, and the size in pixels.
    case pixels([UInt8], ImageSize)
  }

  /// The memory size in bytes.
  package var byteCount: Int {
    switch content {
    case .symbols(let symbols): symbols.count * MemoryLayout<ImageSymbol>.stride
    case .pixels(let bytes, _): bytes.count
    }
  }
}
