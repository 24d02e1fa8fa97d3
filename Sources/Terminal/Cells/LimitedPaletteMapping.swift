import Foundation

/// Maps the colours of a theme to a terminal with 8 or 16 colours. Text has a contrast of at least
/// 3:1, the minimum of WCAG 2.2 for large text and graphics. Among the colours with enough
/// contrast, the one with the nearest hue is chosen.
struct LimitedPaletteMapping {
  private let theme: Theme
  private let paletteIndices: Range<Int>

  /// The minimum contrast of text.
  static let minContrast = 3.0
  /// The minimum difference between the components of a colour that has a hue.
  private static let minChroma = 40.0

  /// Creates the mapping; nil unless the terminal has 8 or 16 colours.
  init?(_ theme: Theme, depth: ColorDepth) {
    guard depth == .eight || depth == .sixteen else { return nil }
    self.theme = theme
    paletteIndices = 0..<depth.rawValue
  }

  /// Returns the style of a role. If two roles that differ in the theme would look the same, one of
  /// them gets an attribute.
  subscript(role: Role) -> CellAppearance.ResolvedStyle {
    var style = baseStyle(role)
    switch role {
    case .keyword where style == baseStyle(.string) || style == baseStyle(.code):
      style.attributes.insert(.bold)
    case .comment where [.string, .keyword, .code].contains { style == baseStyle($0) }:
      style.attributes.insert(.italic)
    case .visited where style == baseStyle(.link): style.attributes.insert(.italic)
    default: break
    }
    return style
  }

  private func baseStyle(_ role: Role) -> CellAppearance.ResolvedStyle {
    let style = theme[role]
    let background = backgroundColor(style.background)
    return CellAppearance.ResolvedStyle(
      foreground: foregroundColor(style.foreground, on: background), background: background,
      attributes: style.attributes)
  }

  /// Returns the palette entry for a background colour. The entry to which the page's background
  /// maps is not used for any other background.
  private func backgroundColor(_ color: Theme.Color?) -> TerminalColor {
    guard case .rgb(let red, let green, let blue)? = color else {
      return TerminalColor(color, depth: paletteIndices.count == 8 ? .eight : .sixteen)
    }
    let page = theme[.text].background ?? theme.background
    let paper = page.flatMap { page in
      grayIndices.min { distance(of: $0, from: page) < distance(of: $1, from: page) }
    }
    if color == page, let paper { return .palette(UInt8(paper)) }
    return .palette(
      TerminalColor.nearest(red, green, blue, among: paletteIndices.filter { $0 != paper }))
  }

  /// Returns the nearest text colour with enough contrast; the default colour if there is none.
  func foregroundColor(_ color: Theme.Color?, on background: TerminalColor) -> TerminalColor {
    guard let color, case .rgb(let red, let green, let blue) = color else {
      return TerminalColor(color, depth: paletteIndices.count == 8 ? .eight : .sixteen)
    }
    let papers = possibleLuminances(of: background)
    let readable = paletteIndices.filter { entry in
      papers.allSatisfy { Self.contrast(Self.luminance(of: entry), $0) >= Self.minContrast }
    }
    let hue = Self.hue(Double(red), Double(green), Double(blue))
    let colors = readable.filter { Self.hue(of: $0) != nil }
    guard let hue, !colors.isEmpty else {
      let gray = readable.filter { grayIndices.contains($0) }
        .min { distance(of: $0, from: color) < distance(of: $1, from: color) }
      return gray.map { .palette(UInt8($0)) } ?? .defaultColor
    }
    func distances(_ entry: Int) -> (hue: Double, light: Double) {
      let difference = abs((Self.hue(of: entry) ?? 0) - hue)
      return (min(difference, 360 - difference), distance(of: entry, from: color))
    }
    let nearest = colors.min { distances($0) < distances($1) }
    return nearest.map { .palette(UInt8($0)) } ?? .defaultColor
  }

  private var grayIndices: [Int] { paletteIndices.filter { Self.hue(of: $0) == nil } }

  private func distance(of entry: Int, from color: Theme.Color) -> Double {
    guard case .rgb(let red, let green, let blue) = color else { return 0 }
    return abs(Self.luminance(of: entry) - Self.luminance(Int(red), Int(green), Int(blue)))
  }

  /// Returns the possible luminances of a background: both black and white if it is unknown.
  private func possibleLuminances(of background: TerminalColor) -> [Double] {
    if case .palette(let entry) = background { return [Self.luminance(of: Int(entry))] }
    guard case .rgb(let red, let green, let blue)? = theme.background else { return [0, 1] }
    return [Self.luminance(Int(red), Int(green), Int(blue))]
  }

  // MARK: Colours

  /// Returns the contrast ratio of two luminances (WCAG 2.2).
  static func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  /// Returns the luminance of an entry of xterm's palette.
  static func luminance(of entry: Int) -> Double {
    if luminanceTable.indices.contains(entry) { return luminanceTable[entry] }
    let (red, green, blue) = TerminalColor.components(of: entry)
    return luminance(red, green, blue)
  }

  private static let luminanceTable = (0..<16).map { entry in
    let (red, green, blue) = TerminalColor.components(of: entry)
    return luminance(red, green, blue)
  }

  /// Returns the relative luminance of an sRGB colour (WCAG 2.2).
  static func luminance(_ red: Int, _ green: Int, _ blue: Int) -> Double {
    let parts = [red, green, blue].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// Returns the hue of an entry of xterm's palette in degrees; nil for a grey.
  static func hue(of entry: Int) -> Double? {
    let (red, green, blue) = TerminalColor.components(of: entry)
    return hue(Double(red), Double(green), Double(blue))
  }

  private static func hue(_ red: Double, _ green: Double, _ blue: Double) -> Double? {
    let most = max(red, green, blue)
    let chroma = most - min(red, green, blue)
    guard chroma >= minChroma else { return nil }
    let sector =
      if most == red {
        (green - blue) / chroma
      } else if most == green {
        2 + (blue - red) / chroma
      } else {
        4 + (red - green) / chroma
      }
    return (sector * 60 + 360).truncatingRemainder(dividingBy: 360)
  }
}
