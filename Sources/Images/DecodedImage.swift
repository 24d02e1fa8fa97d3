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

/// A character with its colours.
package struct ImageSymbol: Sendable, Equatable {
  /// A character that is one column wide and not a control character.
  package var character: Unicode.Scalar
  package var colors: ImageColors

  package init(_ character: Unicode.Scalar, _ colors: ImageColors) {
    self.character = character
    self.colors = colors
  }

  /// Returns whether a character may be part of an image: printable ASCII including space, and
  /// block elements.
  static func isImageCharacter(_ scalar: UInt32) -> Bool {
    (0x20...0x7E).contains(scalar) || (0x2580...0x259F).contains(scalar)
  }
}

/// The colours of a symbol as 0xRRGGBB; -1 is the default colour of the terminal.
package struct ImageColors: Sendable, Hashable {
  package var foreground: Int32, background: Int32

  package init(foreground: Int32 = -1, background: Int32 = -1) {
    self.foreground = foreground
    self.background = background
  }
}
