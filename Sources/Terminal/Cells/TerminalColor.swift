/// A colour as it is sent to a terminal.
package enum TerminalColor: Sendable, Hashable {
  /// The default colour of the terminal.
  case defaultColor
  /// An entry of the terminal's palette.
  case palette(UInt8)
  /// Red, green and blue.
  case rgb(UInt8, UInt8, UInt8)

  /// Creates the nearest colour that a terminal of this depth has; the default colour if `color` is
  /// nil or the terminal has no colours.
  package init(_ color: Theme.Color?, depth: ColorDepth) {
    guard let color, depth != .none else {
      self = .defaultColor
      return
    }
    switch (color, depth) {
    case (.palette(let index), .eight): self = .palette(index & 7)
    case (.palette(let index), _): self = .palette(index & 15)
    case (.rgb(let red, let green, let blue), .trueColor): self = .rgb(red, green, blue)
    case (.rgb(let red, let green, let blue), .palette):
      self = .palette(Self.nearest(red, green, blue, among: 16..<256))
    case (.rgb(let red, let green, let blue), .sixteen):
      self = .palette(Self.nearest(red, green, blue, among: 0..<16))
    case (.rgb(let red, let green, let blue), _):
      self = .palette(Self.nearest(red, green, blue, among: 0..<8))
    }
  }

  /// Returns the entry of xterm's palette nearest to a colour, by the weighted distance "redmean",
  /// which approximates human perception.
  static func nearest(
    _ red: UInt8, _ green: UInt8, _ blue: UInt8, among paletteIndices: some Sequence<Int>
  ) -> UInt8 {
    var best = (entry: 0, distance: Int.max)
    for entry in paletteIndices {
      let (r, g, b) = components(of: entry)
      let mean = (Int(red) + r) / 2
      let (dr, dg, db) = (Int(red) - r, Int(green) - g, Int(blue) - b)
      let distance = (512 + mean) * dr * dr + 1024 * dg * dg + (767 - mean) * db * db
      if distance < best.distance { best = (entry, distance) }
    }
    return UInt8(best.entry)
  }

  /// Returns the red, green and blue components of an entry of xterm's palette.
  static func components(of paletteIndex: Int) -> (Int, Int, Int) {
    switch paletteIndex {
    case 0..<8:
      return (
        paletteIndex & 1 != 0 ? 205 : 0, paletteIndex & 2 != 0 ? 205 : 0,
        paletteIndex & 4 != 0 ? 205 : 0
      )
    case 8: return (127, 127, 127)
    case 9..<16:
      let low = paletteIndex - 8
      return (low & 1 != 0 ? 255 : 0, low & 2 != 0 ? 255 : 0, low & 4 != 0 ? 255 : 0)
    case 16..<232:
      let levels = [0, 95, 135, 175, 215, 255]
      let cube = paletteIndex - 16
      return (levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
    default:
      let gray = 8 + 10 * (paletteIndex - 232)
      return (gray, gray, gray)
    }
  }
}
