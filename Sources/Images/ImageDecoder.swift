import CImages

/// Decodes an image with the libraries of the system; this is the only file that imports them. It
/// runs in a separate process, which ends afterwards: `offread --decode-image`.
package struct ImageDecoder {
  private let bytes: [UInt8]
  private let request: ImageRequest

  /// Creates a decoder and loads its libraries. No file access is needed after that.
  /// - Throws: `ImageFailure` if a library is missing, or if the format is not supported.
  package init(_ bytes: [UInt8], for request: ImageRequest) throws(ImageFailure) {
    (self.bytes, self.request) = (bytes, request)
    try Self.check(offread_image_open(bytes, bytes.count))
    if request.output != .pixels { try Self.check(offread_symbols_open()) }
  }

  /// The image formats whose libraries are installed, and those whose libraries are missing. The
  /// libraries are loaded to determine this.
  package static var formatSupport: (known: [String], missing: [String]) {
    var formats: (known: [String], missing: [String]) = ([], [])
    var (index, isThere) = (0, Int32(0))
    while let name = offread_image_format(index, &isThere).map({ String(cString: $0) }) {
      if isThere != 0 { formats.known.append(name) } else { formats.missing.append(name) }
      index += 1
    }
    return formats
  }

  /// Whether libchafa is installed, which converts images to symbols.
  package static var supportsSymbols: Bool { offread_symbols_open() == OFFREAD_IMAGE_DONE }

  /// Returns the decoded image.
  /// - Throws: `ImageFailure`.
  package func decoded() throws(ImageFailure) -> DecodedImage {
    var image = offread_image()
    let pixels = requestedPixelSize
    try Self.check(
      offread_image_decode(
        bytes, bytes.count, UInt32(pixels.width), UInt32(pixels.height), &image))
    let source = ImageSize(width: Int(image.source_width), height: Int(image.source_height))
    let cells = request.maxSizeInCells.fitting(
      source, cellSize: request.cellSize, mayEnlarge: request.mayGrow)
    let content: DecodedImage.Content
    switch request.output {
    case .symbols(let colors, let isASCII):
      content = .symbols(try symbols(of: &image, cells, colors, isASCII: isASCII))
    case .pixels:
      let size = ImageSize(
        width: cells.width * request.cellSize.width, height: cells.height * request.cellSize.height)
      try Self.check(offread_image_scale(&image, UInt32(size.width), UInt32(size.height)))
      let count = Int(image.width) * Int(image.height) * 4
      content = .pixels(
        Array(UnsafeBufferPointer(start: image.pixels, count: count)),
        size)
    }
    return DecodedImage(sourceSize: source, cells: cells, content: content)
  }

  /// The size to which the image is scaled, in pixels. For symbols, this is more than the 8 by 8
  /// pixels that a symbol has, because the results are smoother.
  private var requestedPixelSize: ImageSize {
    guard case .symbols = request.output else { return request.maxSizeInPixels }
    return ImageSize(
      width: request.maxSizeInCells.width * 16, height: request.maxSizeInCells.height * 32)
  }

  private var backgroundColor: UInt32 { request.isDark ? 0 : 0xFF_FFFF }

  private func symbols(
    of image: inout offread_image, _ cells: ImageSize, _ colorCount: Int, isASCII: Bool
  ) throws(ImageFailure) -> [ImageSymbol] {
    var options = offread_symbol_options(
      columns: UInt32(cells.width), rows: UInt32(cells.height), colors: UInt32(colorCount),
      is_ascii: isASCII ? 1 : 0, background: backgroundColor)
    var made = [offread_symbol](
      repeating: offread_symbol(character: 0x20, foreground: -1, background: -1),
      count: cells.width * cells.height)
    try Self.check(offread_symbols_make(&image, &options, &made))
    return made.map { symbol in
      ImageSymbol(
        Unicode.Scalar(symbol.character) ?? " ",
        ImageColors(foreground: symbol.foreground, background: symbol.background))
    }
  }

  private static func check(_ status: Int32) throws(ImageFailure) {
    guard status == OFFREAD_IMAGE_DONE else { throw ImageFailure(status: status) }
  }
}
