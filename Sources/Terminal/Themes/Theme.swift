/// The colours and attributes of all roles.
package struct Theme: Sendable, Equatable {
  /// The name by which the user selects the theme.
  package var name: String
  /// The styles that the theme specifies; all others are derived from them.
  package var appearances: [Role: Appearance]

  /// The terminal background for which the theme is designed if its text has no background colour;
  /// nil if the theme file does not specify it.
  package var background: Color?

  package init(name: String, appearances: [Role: Appearance]) {
    self.name = name
    self.appearances = appearances
  }

  /// The theme used without a theme file: attributes and the terminal's own colours.
  package static let plain = Theme(name: "plain", appearances: [:])

  /// Returns the style of a role. If the theme does not specify it, the attributes come from
  /// `Role.defaultStyle`, and the colours from the nearest ancestor that the theme specifies, or
  /// else from `Role.defaultStyle`.
  package subscript(role: Role) -> Appearance {
    if let named = appearances[role] { return named }
    var derived = role.defaultStyle.appearance
    var ancestor = role.defaultStyle.parent
    while let parent = ancestor {
      if let named = appearances[parent] {
        derived.foreground = named.foreground
        derived.background = named.background
        break
      }
      ancestor = parent.defaultStyle.parent
    }
    return derived
  }

  /// The colours and attributes of text.
  package struct Appearance: Sendable, Hashable {
    /// The text colour; nil for the terminal's default.
    package var foreground: Color?
    /// The background colour; nil for the terminal's default.
    package var background: Color?
    /// Attributes in addition to the text's own.
    package var attributes: Attributes

    package init(
      foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []
    ) {
      self.foreground = foreground
      self.background = background
      self.attributes = attributes
    }
  }

  /// A colour: its components from 0 to 255, or one of the terminal's 16 palette colours.
  package enum Color: Sendable, Hashable {
    /// An sRGB colour.
    case rgb(UInt8, UInt8, UInt8)
    /// An entry of the terminal's palette, 0 to 15.
    case palette(UInt8)
  }

  /// Attributes of a terminal cell.
  package struct Attributes: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    package static let bold = Attributes(rawValue: 1)
    package static let italic = Attributes(rawValue: 2)
    package static let underline = Attributes(rawValue: 4)
    package static let reverse = Attributes(rawValue: 8)
    package static let dim = Attributes(rawValue: 16)
    package static let strike = Attributes(rawValue: 32)
  }
}
