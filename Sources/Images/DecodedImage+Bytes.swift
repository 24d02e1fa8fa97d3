/// The output format of the decoder process: a header of six little-endian 32-bit numbers, followed
/// by the content.
extension DecodedImage {
  private static let headLength = 24

  /// The serialized image.
  package var bytes: [UInt8] {
    var numbers = [sourceSize.width, sourceSize.height, cells.width, cells.height]
    var body: [UInt8] = []
    switch content {
    case .symbols(let symbols):
      numbers += [0, 0]
      body.reserveCapacity(symbols.count * 12)
      for symbol in symbols {
        for number in [
          symbol.character.value, UInt32(bitPattern: symbol.colors.foreground),
          UInt32(bitPattern: symbol.colors.background),
        ] {
          body += Self.bytes(of: number)
        }
      }
    case .pixels(let bytes, let size):
      numbers += [size.width, size.height]
      body = bytes
    }
    return numbers.flatMap { Self.bytes(of: UInt32($0)) } + body
  }

  /// Parses the output for a request; nil if any part of it does not match the request. The decoder
  /// process has read untrusted data and may be compromised, so its output is untrusted.
  package init?(_ bytes: [UInt8], for request: ImageRequest) {
    guard bytes.count >= Self.headLength else { return nil }
    let head = (0..<6).map { Int(Self.number(in: bytes[...], at: $0 * 4)) }
    let source = ImageSize(width: head[0], height: head[1])
    let cells = ImageSize(width: head[2], height: head[3])
    guard (1...request.maxSizeInCells.width).contains(cells.width),
      (1...request.maxSizeInCells.height).contains(cells.height),
      source.width > 0, source.height > 0
    else { return nil }
    let body = bytes[Self.headLength...]
    switch request.output {
    case .symbols:
      guard let symbols = Self.symbols(body, count: cells.width * cells.height) else { return nil }
      self.init(sourceSize: source, cells: cells, content: .symbols(symbols))
    case .pixels:
      let size = ImageSize(
        width: cells.width * request.cellSize.width, height: cells.height * request.cellSize.height)
      guard size == ImageSize(width: head[4], height: head[5]),
        body.count == size.width * size.height * 4
      else { return nil }
      self.init(sourceSize: source, cells: cells, content: .pixels(Array(body), size))
    }
  }

  private static func symbols(_ body: ArraySlice<UInt8>, count: Int) -> [ImageSymbol]? {
    guard body.count == count * 12 else { return nil }
    var symbols: [ImageSymbol] = []
    symbols.reserveCapacity(count)
    for start in stride(from: body.startIndex, to: body.endIndex, by: 12) {
      let numbers = (0..<3).map { number(in: body, at: start + $0 * 4) }
      let colors = numbers[1...].map { Int32(bitPattern: $0) }
      guard ImageSymbol.isImageCharacter(numbers[0]), let character = Unicode.Scalar(numbers[0]),
        colors.allSatisfy({ (-1...0xFF_FFFF).contains($0) })
      else { return nil }
      symbols.append(
        ImageSymbol(character, ImageColors(foreground: colors[0], background: colors[1])))
    }
    return symbols
  }

  private static func bytes(of number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  private static func number(in bytes: ArraySlice<UInt8>, at position: Int) -> UInt32 {
    bytes[position..<position + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
