package import Layout

/// Colours and attributes of every role.
package struct Theme: Sendable, Equatable {
  /// The name by which it is chosen.
  package var name: String
  /// The look of each role that differs from plain text.
  package var appearances: [Role: Appearance]

  /// The background for which it is made, where it paints none; nil when the file does not say it.
  package var background: Color?

  package init(name: String, appearances: [Role: Appearance]) {
    self.name = name
    self.appearances = appearances
  }

  /// The look of a role; plain when the theme does not name it.
  package subscript(role: Role) -> Appearance {
    appearances[role] ?? Appearance()
  }

  /// How text looks.
  package struct Appearance: Sendable, Hashable {
    /// Colour of the text; nil leaves the terminal's own.
    package var foreground: Color?
    /// Colour behind the text; nil leaves the terminal's own.
    package var background: Color?
    /// Attributes on top of those of the text itself.
    package var attributes: Attributes

    package init(
      foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []
    ) {
      self.foreground = foreground
      self.background = background
      self.attributes = attributes
    }
  }

  /// A colour by its components, 0 to 255 each, or one of the terminal's own sixteen.
  package enum Color: Sendable, Hashable {
    /// sRGB.
    case rgb(UInt8, UInt8, UInt8)
    /// The terminal's palette, 0 to 15.
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
