import Testing

@testable import Images

/// The output of the decoding process is validated as untrusted input.
@Suite struct DecodedImageTests {
  private static let request: ImageRequest = {
    var request = ImageRequest(maxSizeInCells: ImageSize(width: 2, height: 2))
    request.output = .symbols(colorCount: 256, isASCII: false)
    return request
  }()

  private static let image = DecodedImage(
    sourceSize: ImageSize(width: 20, height: 10), cells: ImageSize(width: 2, height: 1),
    content: .symbols([
      ImageSymbol("▀", ImageColors(foreground: 0xFF8000, background: -1)),
      ImageSymbol(" ", ImageColors()),
    ]))

  @Test func `an image is unchanged after encoding and decoding`() {
    #expect(DecodedImage(Self.image.bytes, for: Self.request) == Self.image)
    var request = Self.request
    request.output = .pixels
    request.cellSize = ImageSize(width: 1, height: 1)
    let size = ImageSize(width: 2, height: 1)
    let pixels = DecodedImage(
      sourceSize: size, cells: size, content: .pixels([1, 2, 3, 4, 5, 6, 7, 8], size))
    #expect(DecodedImage(pixels.bytes, for: request) == pixels)
  }

  @Test func `output that is too short, too long or too large is rejected`() {
    let bytes = Self.image.bytes
    for count in [0, 5, 23, 24, bytes.count - 1] {
      #expect(DecodedImage(Array(bytes.prefix(count)), for: Self.request) == nil)
    }
    #expect(DecodedImage(bytes + [0], for: Self.request) == nil)
    var request = Self.request
    request.maxSizeInCells.width = 1
    #expect(DecodedImage(bytes, for: request) == nil)
    request = Self.request
    request.output = .pixels
    #expect(DecodedImage(bytes, for: request) == nil)
  }

  /// The offset of a number, and the number written there.
  @Test(
    arguments: [
      (24, 0x1B), (24, 0x0A), (24, 0x9B), (24, 0x202E), (24, 0x4E00), (24, 0xD800), (24, 0x7F),
      (28, 0x1_000000), (32, -2),
    ] as [(Int, Int)])
  func `an image with a control character or an invalid colour is rejected`(
    _ offset: Int, _ number: Int
  ) {
    var bytes = Self.image.bytes
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    #expect(DecodedImage(bytes, for: Self.request) == nil)
  }
}
