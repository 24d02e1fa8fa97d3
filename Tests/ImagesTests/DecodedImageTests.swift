import Testing

@testable import Images

/// What the process that decodes writes is looked at as if anybody had written it.
@Suite struct DecodedImageTests {
  private static let request: ImageRequest = {
    var request = ImageRequest(box: ImageSize(width: 2, height: 2))
    request.form = .symbols(colors: 256, isASCII: false)
    return request
  }()

  private static let image = DecodedImage(
    source: ImageSize(width: 20, height: 10), cells: ImageSize(width: 2, height: 1),
    content: .symbols([
      ImageSymbol("▀", ImageColors(foreground: 0xFF8000, background: -1)),
      ImageSymbol(" ", ImageColors()),
    ]))

  @Test func `bytes say all of an image`() {
    #expect(DecodedImage(Self.image.bytes, for: Self.request) == Self.image)
    var request = Self.request
    request.form = .pixels
    request.cell = ImageSize(width: 1, height: 1)
    let size = ImageSize(width: 2, height: 1)
    let pixels = DecodedImage(
      source: size, cells: size, content: .pixels([1, 2, 3, 4, 5, 6, 7, 8], size))
    #expect(DecodedImage(pixels.bytes, for: request) == pixels)
  }

  @Test func `what is too short, too long or too large is none`() {
    let bytes = Self.image.bytes
    for count in [0, 5, 23, 24, bytes.count - 1] {
      #expect(DecodedImage(Array(bytes.prefix(count)), for: Self.request) == nil)
    }
    #expect(DecodedImage(bytes + [0], for: Self.request) == nil)
    var request = Self.request
    request.box.width = 1
    #expect(DecodedImage(bytes, for: request) == nil)
    request = Self.request
    request.form = .pixels
    #expect(DecodedImage(bytes, for: request) == nil)
  }

  /// The place of a symbol's number, the number that is put there.
  @Test(arguments: [
    (24, 0x1B), (24, 0x0A), (24, 0x9B), (24, 0x202E), (24, 0x4E00), (24, 0xD800), (24, 0x7F),
    (28, 0x1_000000), (32, -2),
  ])
  func `a character that is obeyed, or a colour that is none, makes it none`(
    _ place: Int, _ number: Int
  ) {
    var bytes = Self.image.bytes
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    #expect(DecodedImage(bytes, for: Self.request) == nil)
  }
}
