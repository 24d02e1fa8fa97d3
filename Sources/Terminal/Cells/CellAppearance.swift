import Document
import Images

/// The colours and attributes of a cell, resolved for a theme and the colour depth of the terminal.
package struct CellAppearance: Sendable, Hashable {
  package var foreground: TerminalColor
  package var background: TerminalColor
  package var attributes: Theme.Attributes

  /// The resolved style of a role.
  struct ResolvedStyle: Equatable {
    var foreground: TerminalColor
    var background: TerminalColor
    var attributes: Theme.Attributes
  }

  /// Resolves a style in a theme for the given colour depth.
  ///
  /// Without colours, the attributes in `Role.defaultStyle` distinguish the roles. Inline code is
  /// italic if it has no colour of its own.
  package init(_ style: CellStyle, theme: Theme, depth: ColorDepth) {
    if let colors = style.imageColors {
      foreground = TerminalColor(Theme.Color(colors.foreground), depth: depth)
      background = TerminalColor(Theme.Color(colors.background), depth: depth)
      attributes = []
      return
    }
    let limitedPalette = LimitedPaletteMapping(theme, depth: depth)
    let themeAppearance = theme[style.role]
    let appearance =
      limitedPalette?[style.role]
      ?? ResolvedStyle(
        foreground: TerminalColor(themeAppearance.foreground, depth: depth),
        background: TerminalColor(themeAppearance.background, depth: depth),
        attributes: themeAppearance.attributes)
    (foreground, background, attributes) = (
      appearance.foreground, appearance.background, appearance.attributes
    )
    func foregroundColor(of role: Role) -> TerminalColor {
      let color = theme[role].foreground
      return limitedPalette?.foregroundColor(color, on: appearance.background)
        ?? TerminalColor(color, depth: depth)
    }
    if depth == .none { attributes.formUnion(style.role.defaultStyle.appearance.attributes) }
    if style.inlineStyle.contains(.strong) { attributes.insert(.bold) }
    if style.inlineStyle.contains(.emphasis) { attributes.insert(.italic) }
    if style.inlineStyle.contains(.underlined) { attributes.insert(.underline) }
    if style.inlineStyle.contains(.deleted) { attributes.insert(.strike) }
    if style.inlineStyle.contains(.marked), style.role == .text { attributes.insert(.reverse) }
    if style.inlineStyle.contains(.code), [.text, .link, .visited].contains(style.role) {
      let code = theme[.code]
      if style.role == .text { foreground = foregroundColor(of: .code) }
      attributes.formUnion(code.attributes)
      if depth == .none || code == Theme.Appearance() { attributes.insert(.italic) }
    }
    if style.inlineStyle.contains(.small), style.role == .text {
      foreground = foregroundColor(of: .dim)
    }
  }
}

extension Theme.Color {
  /// Creates a colour from 0xRRGGBB; nil for a negative number, which is the terminal's default
  /// colour.
  fileprivate init?(_ number: Int32) {
    guard number >= 0 else { return nil }
    self = .rgb(
      UInt8(number >> 16 & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
  }
}
