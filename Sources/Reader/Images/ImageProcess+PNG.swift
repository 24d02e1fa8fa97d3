import Exchange
package import Images

extension ImageProcess {
  /// A picture as PNG, for readers of books that do not know its form.
  /// - Parameter bytes: the picture in a form that can be decoded.
  /// - Returns: the picture, at most 2000 pixels wide and high.
  /// - Throws: `ImageFailure`.
  package func png(of bytes: [UInt8]) throws(ImageFailure) -> [UInt8] {
    var request = ImageRequest(box: ImageSize(width: Self.cells, height: Self.cells))
    request.cell = ImageSize(width: 1, height: 1)
    request.form = .pixels
    var image = try decode(bytes, request)
    // A larger one is made of larger cells, whose pixels it fills.
    let size = max(image.source.width, image.source.height)
    if size > Self.cells {
      let side = min(Self.mostPixels / Self.cells, (size + Self.cells - 1) / Self.cells)
      request.cell = ImageSize(width: side, height: side)
      image = try decode(bytes, request)
    }
    guard case .pixels(let pixels, let made) = image.content else { throw .nonsense }
    return PNGWriter.file(pixels, width: made.width, height: made.height)
  }

  private static let cells = 500
  private static let mostPixels = 2000
}
