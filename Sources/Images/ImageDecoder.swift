import CImages

/// Decodes an image with the libraries of the system: the only file that imports them. In a process of its
/// own, which ends when this is done: `offread --decode-image`.
package struct ImageDecoder {
  private let bytes: [UInt8]
  private let request: ImageRequest

  /// Opens the libraries; from then on no file is needed.
  /// - Throws: `ImageFailure`, when they are not there or there is none for these bytes.
  package init(_ bytes: [UInt8], for request: ImageRequest) throws(ImageFailure) {
    (self.bytes, self.request) = (bytes, request)
    try Self.check(offread_image_open(bytes, bytes.count))
    if request.form != .pixels { try Self.check(offread_symbols_open()) }
  }

  /// The formats that can be decoded here, the libraries of which are opened for this, and those that
  /// cannot.
  package static var formats: (known: [String], missing: [String]) {
    var formats: (known: [String], missing: [String]) = ([], [])
    var (index, isThere) = (0, Int32(0))
    while let name = offread_image_format(index, &isThere).map({ String(cString: $0) }) {
      if isThere != 0 { formats.known.append(name) } else { formats.missing.append(name) }
      index += 1
    }
    return formats
  }

  /// Whether libchafa is here, which makes symbols of images.
  package static var hasSymbols: Bool { offread_symbols_open() == OFFREAD_IMAGE_DONE }

  /// Decodes it.
  /// - Throws: `ImageFailure`.
  package func decoded() throws(ImageFailure) -> DecodedImage {
    var image = offread_image()
    let pixels = pixels
    try Self.check(
      offread_image_decode(
        bytes, bytes.count, UInt32(pixels.width), UInt32(pixels.height), &image))
    let source = ImageSize(width: Int(image.source_width), height: Int(image.source_height))
    let cells = request.box.fitting(source, cell: request.cell, grows: request.grows)
    let content: DecodedImage.Content
    switch request.form {
    case .symbols(let colors, let isASCII):
      content = .symbols(try symbols(of: &image, cells, colors, isASCII))
    case .pixels:
      let size = ImageSize(
        width: cells.width * request.cell.width, height: cells.height * request.cell.height)
      try Self.check(offread_image_scale(&image, UInt32(size.width), UInt32(size.height)))
      let count = Int(image.width) * Int(image.height) * 4
      content = .pixels(
        Array(UnsafeBufferPointer(start: image.pixels, count: count)),
        size)
    }
    return DecodedImage(source: source, cells: cells, content: content)
  }

  /// How many pixels are wanted: of symbols, each has eight by eight, and a little more is smoother.
  private var pixels: ImageSize {
    guard case .symbols = request.form else { return request.pixels }
    return ImageSize(width: request.box.width * 16, height: request.box.height * 32)
  }

  private var background: UInt32 { request.isDark ? 0 : 0xFF_FFFF }

  private func symbols(
    of image: inout offread_image, _ cells: ImageSize, _ colors: Int, _ isASCII: Bool
  ) throws(ImageFailure) -> [ImageSymbol] {
    var options = offread_symbol_options(
      columns: UInt32(cells.width), rows: UInt32(cells.height), colors: UInt32(colors),
      is_ascii: isASCII ? 1 : 0, background: background)
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
