extension Theme {
  /// Returns the theme for printed output, for which the terminal's background cannot be queried.
  /// - Parameters:
  ///   - themes: The available themes.
  ///   - names: The chosen names; the first available one is used.
  ///   - isDark: Whether the background is dark; nil if unknown.
  /// - Returns: The chosen theme, or else the default theme for the background, or else a theme for
  ///   any background.
  package static func themeForPrinting(
    _ themes: [Theme], chosen names: [String], isDark: Bool?
  ) -> Theme {
    let usual = isDark.map { $0 ? "default-dark" : "default-light" }
    for name in names + [usual].compactMap(\.self) {
      if let theme = themes.first(where: { $0.name == name }) { return theme }
    }
    return anyBackground
  }

  /// A theme whose colours are readable on both black and white.
  package static let anyBackground = Theme(
    name: "any background",
    appearances: [
      .heading: Appearance(foreground: .rgb(0x08, 0x80, 0x9B), attributes: .bold),
      .link: Appearance(foreground: .rgb(0x29, 0x72, 0xE0), attributes: .underline),
      .visited: Appearance(foreground: .rgb(0xA1, 0x54, 0xC6), attributes: .underline),
      .button: Appearance(foreground: .rgb(0x29, 0x72, 0xE0), attributes: .bold),
      .code: Appearance(foreground: .rgb(0x18, 0x88, 0x2A)),
      .comment: Appearance(foreground: .rgb(0x75, 0x75, 0x75), attributes: .italic),
      .string: Appearance(foreground: .rgb(0x97, 0x6F, 0x08)),
      .number: Appearance(foreground: .rgb(0xC5, 0x39, 0xAF)),
      .keyword: Appearance(foreground: .rgb(0xCE, 0x49, 0x11)),
      .dim: Appearance(foreground: .rgb(0x75, 0x75, 0x75)),
      .accent: Appearance(foreground: .rgb(0xBC, 0x5A, 0x00)),
      .quote: Appearance(attributes: .italic),
      .error: Appearance(foreground: .rgb(0xE1, 0x2B, 0x2B), attributes: .bold),
      .highlight: Appearance(foreground: .rgb(0xBC, 0x5A, 0x00), attributes: .underline),
    ])
}
