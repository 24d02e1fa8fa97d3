import Layout
import Reader

extension Theme {
  /// The theme for when there is no theme file: attributes and the terminal's own colours.
  package static let plain = Theme(
    name: "plain",
    appearances: [
      .heading: Appearance(attributes: .bold),
      .link: Appearance(foreground: .palette(6), attributes: .underline),
      .visited: Appearance(foreground: .palette(5), attributes: .underline),
      .button: Appearance(foreground: .palette(6), attributes: .bold),
      .accent: Appearance(attributes: .bold),
      .title: Appearance(attributes: .bold),
      .banner: Appearance(attributes: .bold),
      .notice: Appearance(attributes: .bold),
      .error: Appearance(attributes: [.bold, .reverse]),
      .focus: Appearance(attributes: .reverse),
      .match: Appearance(attributes: [.underline, .bold]),
      .highlight: Appearance(attributes: .underline),
      .currentMatch: Appearance(attributes: [.reverse, .bold]),
    ])
}
