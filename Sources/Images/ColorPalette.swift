/// A palette for an image, computed by median cut: the box of colours with the greatest extent,
/// weighted by its pixels, is split until there are enough boxes.
struct ColorPalette {
  struct Color: Equatable {
    var red: UInt8, green: UInt8, blue: UInt8
  }

  private(set) var colors: [Color] = []
  /// The palette index for each colour with 5 bits per channel.
  private var paletteIndices = [UInt8](repeating: 0, count: 1 << 15)

  /// A colour in 15 bits, and the number of pixels that have it.
  private typealias ColorCount = (color: Int, pixels: Int)

  /// Creates a palette.
  /// - Parameters:
  ///   - pixels: red, green, blue and alpha of each pixel. Pixels that are more than half
  ///     transparent are ignored.
  ///   - maxColorCount: the maximum number of colours, up to 256.
  init(of pixels: [UInt8], maxColorCount: Int) {
    var histogram = [Int](repeating: 0, count: 1 << 15)
    for position in stride(from: 0, to: pixels.count - 3, by: 4) where pixels[position + 3] >= 128 {
      histogram[Self.key(pixels[position], pixels[position + 1], pixels[position + 2])] += 1
    }
    var boxes: [[ColorCount]] = [
      histogram.indices.lazy.filter { histogram[$0] > 0 }.map { ($0, histogram[$0]) }
    ]
    var sizes = boxes.map(Self.splitPriority)
    while boxes.count < maxColorCount,
      let largest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }),
      sizes[largest] > 0
    {
      let (low, high) = Self.halves(boxes[largest])
      boxes[largest] = low
      boxes.append(high)
      sizes[largest] = Self.splitPriority(low)
      sizes.append(Self.splitPriority(high))
    }
    for (entry, box) in boxes.enumerated() where !box.isEmpty {
      colors.append(Self.mean(box))
      for count in box { paletteIndices[count.color] = UInt8(entry) }
    }
  }

  /// Returns the palette index for a colour of the image.
  func entry(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    Int(paletteIndices[Self.key(red, green, blue)])
  }

  private static func key(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
  }

  private static func part(_ color: Int, _ axis: Int) -> Int { color >> (10 - 5 * axis) & 31 }

  /// Returns the channel with the greatest extent in a box, and that extent.
  private static func widestChannel(_ box: [ColorCount]) -> (axis: Int, extent: Int) {
    (0..<3).map { axis in
      let parts = box.lazy.map { part($0.color, axis) }
      return (axis, (parts.max() ?? 0) - (parts.min() ?? 0))
    }.max { $0.1 < $1.1 } ?? (0, 0)
  }

  /// Returns the priority for splitting a box; 0 if it has only one colour.
  private static func splitPriority(_ box: [ColorCount]) -> Int {
    box.count < 2 ? 0 : widestChannel(box).extent * box.reduce(0) { $0 + $1.pixels }
  }

  private static func halves(_ box: [ColorCount]) -> ([ColorCount], [ColorCount]) {
    let axis = widestChannel(box).axis
    let sorted = box.sorted { (part($0.color, axis), $0.color) < (part($1.color, axis), $1.color) }
    let half = sorted.reduce(0) { $0 + $1.pixels } / 2
    var (sum, end) = (0, 0)
    while end < sorted.count - 1, sum < half || end == 0 {
      sum += sorted[end].pixels
      end += 1
    }
    return (Array(sorted[..<end]), Array(sorted[end...]))
  }

  private static func mean(_ box: [ColorCount]) -> Color {
    let total = max(1, box.reduce(0) { $0 + $1.pixels })
    let parts = (0..<3).map { axis in
      box.reduce(0) { $0 + part($1.color, axis) * $1.pixels } * 255 / 31 / total
    }
    return Color(red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]))
  }
}
