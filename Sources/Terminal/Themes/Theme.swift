/// Colours and attributes of every role.
package struct Theme: Sendable, Equatable {
  /// The name by which it is chosen.
  package var name: String
  /// The looks that the theme names; the others follow from these.
  package var appearances: [Role: Appearance]

  /// The background for which it is made, where it paints none; nil when the file does not say it.
  package var background: Color?

  package init(name: String, appearances: [Role: Appearance]) {
    self.name = name
    self.appearances = appearances
  }

  /// The theme for when there is no theme file: attributes and the terminal's own colours.
  package static let plain = Theme(name: "plain", appearances: [:])

  /// The look of a role. One that the theme does not name has the colours of the nearest of its parents
  /// that it names, else its own of `Role.looks`, and the attributes of that in either case.
  package subscript(role: Role) -> Appearance {
    if let named = appearances[role] { return named }
    var derived = role.looks.look
    var ancestor = role.looks.parent
    while let parent = ancestor {
      if let named = appearances[parent] {
        derived.foreground = named.foreground
        derived.background = named.background
        break
      }
      ancestor = parent.looks.parent
    }
    return derived
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
