import Exchange
package import Images

extension ImageProcess {
  /// Converts an image to PNG, for reading systems that do not support its format.
  /// - Parameter bytes: an image in a format that can be decoded.
  /// - Returns: the PNG file, at most 2000 pixels wide and high.
  /// - Throws: `ImageFailure`.
  package func png(of bytes: [UInt8]) throws(ImageFailure) -> [UInt8] {
    var request = ImageRequest(maxSizeInCells: ImageSize(width: Self.cells, height: Self.cells))
    request.cellSize = ImageSize(width: 1, height: 1)
    request.output = .pixels
    var image = try decode(bytes, request)
    // A larger image is decoded with larger cells, as the number of cells is limited.
    let size = max(image.sourceSize.width, image.sourceSize.height)
    if size > Self.cells {
      let side = min(Self.maxPixels / Self.cells, (size + Self.cells - 1) / Self.cells)
      request.cellSize = ImageSize(width: side, height: side)
      image = try decode(bytes, request)
    }
    guard case .pixels(let pixels, let made) = image.content else { throw .invalidOutput }
    return PNGWriter.file(pixels, width: made.width, height: made.height)
  }

  private static let cells = 500
  private static let maxPixels = 2000
}
