/// An image as it is drawn.
package struct DecodedImage: Sendable, Equatable {
  /// Pixels of the file.
  package var source: ImageSize
  /// Cells that it covers.
  package var cells: ImageSize
  /// What is drawn there.
  package var content: Content

  package init(source: ImageSize, cells: ImageSize, content: Content) {
    self.source = source
    self.cells = cells
    self.content = content
  }

  /// What an image was made into.
  package enum Content: Sendable, Equatable {
    /// One symbol a cell, row by row.
    case symbols([ImageSymbol])
    /// Red, green, blue and opacity, row by row.
    case pixels([UInt8], ImageSize)
  }

  /// How much memory it takes, in bytes.
  package var size: Int {
    switch content {
    case .symbols(let symbols): symbols.count * MemoryLayout<ImageSymbol>.stride
    case .pixels(let bytes, _): bytes.count
    }
  }
}

/// A character with its colours.
package struct ImageSymbol: Sendable, Equatable {
  /// One that takes one column and is obeyed by no terminal.
  package var character: Unicode.Scalar
  package var colors: ImageColors

  package init(_ character: Unicode.Scalar, _ colors: ImageColors) {
    self.character = character
    self.colors = colors
  }

  /// Whether a character may stand for a part of an image: visible ASCII, blanks, and block elements.
  static func isKnown(_ scalar: UInt32) -> Bool {
    (0x20...0x7E).contains(scalar) || (0x2580...0x259F).contains(scalar)
  }
}

/// The colours of a symbol, 0xRRGGBB, or -1 for the terminal's own.
package struct ImageColors: Sendable, Hashable {
  package var foreground: Int32, background: Int32

  package init(foreground: Int32 = -1, background: Int32 = -1) {
    self.foreground = foreground
    self.background = background
  }
}
