import Testing

@testable import Images

@Suite struct ImageRequestTests {
  private static func request(_ form: ImageRequest.OutputFormat) -> ImageRequest {
    var request = ImageRequest(maxSizeInCells: ImageSize(width: 40, height: 12))
    request.cellSize = ImageSize(width: 9, height: 18)
    request.mayGrow = true
    request.isDark = false
    request.output = form
    return request
  }

  @Test(arguments: [
    ImageRequest.OutputFormat.symbols(colorCount: 0, isASCII: true),
    .symbols(colorCount: 256, isASCII: false),
    .pixels,
  ])
  func `a request is unchanged after conversion to arguments and back`(
    _ form: ImageRequest.OutputFormat
  ) {
    let request = Self.request(form)
    #expect(ImageRequest(arguments: request.arguments) == request)
  }

  @Test(arguments: [
    "40 8x16 keep dark pixels", "0x12 8x16 keep dark pixels", "40x12 8x0 keep dark pixels",
    "501x12 8x16 keep dark pixels", "40x12 101x16 keep dark pixels", "40x12 8x16 more dark pixels",
    "40x12 8x16 keep grey pixels", "40x12 8x16 keep dark paint", "40x12 8x16 keep dark blocks:-1",
    "40x12 8x16 keep dark", "",
  ])
  func `invalid arguments are rejected`(_ arguments: String) {
    #expect(ImageRequest(arguments: arguments.split(separator: " ").map(String.init)) == nil)
  }

  /// Source size, box, whether it grows, and the resulting size, with cells of 8 by 16 pixels.
  @Test(
    arguments: [
      ((640, 480), (80, 30), false, (80, 30)), ((640, 480), (40, 30), false, (40, 15)),
      ((640, 480), (80, 15), false, (40, 15)), ((16, 16), (40, 15), false, (2, 1)),
      ((16, 16), (40, 15), true, (30, 15)), ((10_000, 10), (40, 15), false, (40, 1)),
      ((1, 50_000_000), (40, 15), true, (1, 15)),
    ] as [((Int, Int), (Int, Int), Bool, (Int, Int))])
  func `an image fitted into a box keeps its aspect ratio`(
    _ source: (Int, Int), _ box: (Int, Int), _ grows: Bool, _ expected: (Int, Int)
  ) {
    let size = ImageSize(width: box.0, height: box.1).fitting(
      ImageSize(width: source.0, height: source.1), cellSize: ImageSize(width: 8, height: 16),
      mayEnlarge: grows)
    #expect(size == ImageSize(width: expected.0, height: expected.1))
  }
}
