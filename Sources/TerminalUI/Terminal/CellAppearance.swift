import Document
package import Layout
import Reader

/// Colours and attributes of a cell, after theme and terminal have had their say.
package struct CellAppearance: Sendable, Hashable {
  package var foreground: TerminalColor
  package var background: TerminalColor
  package var attributes: Theme.Attributes

  /// The look of a style in a theme on a terminal of some depth.
  ///
  /// What has no colour on this terminal keeps its meaning by attributes: focus and the current
  /// match are reversed, other matches and links underlined, those to pages that were read also dim,
  /// code within a line is italic.
  package init(_ style: TextStyle, theme: Theme, depth: ColorDepth) {
    let look = theme[style.role]
    foreground = TerminalColor(look.foreground, depth: depth)
    background = TerminalColor(look.background, depth: depth)
    attributes = look.attributes
    if depth == .none {
      switch style.role {
      case .focus, .currentMatch: attributes.insert(.reverse)
      case .match: attributes.formUnion([.underline, .bold])
      case .highlight: attributes.insert(.underline)
      case .link: attributes.insert(.underline)
      case .visited: attributes.formUnion([.underline, .dim])
      case .heading, .banner, .error, .button: attributes.insert(.bold)
      default: break
      }
    }
    if style.inline.contains(.strong) { attributes.insert(.bold) }
    if style.inline.contains(.emphasis) { attributes.insert(.italic) }
    if style.inline.contains(.underlined) { attributes.insert(.underline) }
    if style.inline.contains(.deleted) { attributes.insert(.strike) }
    if style.inline.contains(.marked), style.role == .text { attributes.insert(.reverse) }
    if style.inline.contains(.code), [.text, .link, .visited].contains(style.role) {
      let code = theme[.code]
      if style.role == .text { foreground = TerminalColor(code.foreground, depth: depth) }
      attributes.formUnion(code.attributes)
      if depth == .none || code == Theme.Appearance() { attributes.insert(.italic) }
    }
    if style.inline.contains(.small), style.role == .text {
      foreground = TerminalColor(theme[.dim].foreground, depth: depth)
    }
  }
}
