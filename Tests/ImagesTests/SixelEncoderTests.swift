import Testing

@testable import Images

@Suite struct SixelImageTests {
  private static func text(
    _ pixels: [UInt8], _ size: ImageSize, colors: Int = 256, rows: Range<Int>? = nil
  )
    -> String
  {
    String(
      decoding: SixelEncoder(pixels, size, maxColorCount: colors).bytes(
        rows: rows ?? 0..<size.height),
      as: UTF8.self)
  }

  @Test func `transparent pixels are not drawn`() {
    let size = ImageSize(width: 2, height: 2)
    let pixels: [UInt8] = [255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 127, 255, 0, 0, 128]
    #expect(Self.text(pixels, size) == "\u{1B}P0;1q\"1;1;2;2#0;2;100;0;0#0@A$-\u{1B}\\")
    let nothing = [UInt8](repeating: 0, count: 16)
    #expect(Self.text(nothing, size) == "\u{1B}P0;1q\"1;1;2;2-\u{1B}\\")
  }

  @Test(arguments: [2, 16, 256])
  func `at most the number of colours of the terminal is used`(_ colors: Int) {
    let size = ImageSize(width: 64, height: 64)
    var pixels: [UInt8] = []
    for index in 0..<64 * 64 {
      pixels += [UInt8(index % 64 * 4), UInt8(index / 64 * 4), UInt8(index % 17 * 15), 255]
    }
    let palette = ColorPalette(of: pixels, maxColorCount: colors)
    #expect(palette.colors.count == colors)
    let text = Self.text(pixels, size, colors: colors)
    let used = Set(
      text.split(separator: "#").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) })
    #expect(used.max() ?? 0 < colors)
  }

  @Test func `palette colours are close to those of the image`() {
    var pixels: [UInt8] = []
    for shade in 0..<256 { pixels += [UInt8(shade), UInt8(255 - shade), 40, 255] }
    let palette = ColorPalette(of: pixels, maxColorCount: 16)
    for shade in 0..<256 {
      let color = palette.colors[palette.entry(UInt8(shade), UInt8(255 - shade), 40)]
      #expect(abs(Int(color.red) - shade) <= 20 && abs(Int(color.green) - (255 - shade)) <= 20)
    }
  }

  /// Whatever the pixels are, the output contains only sixel data.
  @Test func `the output contains only sixel data`() {
    let size = ImageSize(width: 40, height: 25)
    var random: UInt32 = 1
    var pixels: [UInt8] = []
    for _ in 0..<size.width * size.height * 4 {
      random = random &* 1_664_525 &+ 1_013_904_223
      pixels.append(UInt8(random >> 24))
    }
    for rows in [0..<25, 3..<9, 24..<25, 0..<0] {
      let bytes = SixelEncoder(pixels, size, maxColorCount: 256).bytes(rows: rows)
      #expect(bytes.starts(with: Array("\u{1B}P0;1q".utf8)))
      #expect(bytes.suffix(2) == [0x1B, UInt8(ascii: "\\")])
      #expect(bytes.dropFirst(2).dropLast(2).allSatisfy { (0x21...0x7E).contains($0) })
    }
  }
}
