extension Theme {
  /// The theme of what is printed: nothing answers what the background is.
  /// - Parameters:
  ///   - themes: the themes there are.
  ///   - names: the names that were chosen, the first that there is counts.
  ///   - isDark: whether the background is dark, or nil when that is not known.
  /// - Returns: the chosen theme, else the default for the background.
  package static func forPrinting(
    _ themes: [Theme], chosen names: [String], isDark: Bool?
  ) -> Theme {
    let usual = isDark.map { $0 ? "default-dark" : "default-light" }
    for name in names + [usual].compactMap(\.self) {
      if let theme = themes.first(where: { $0.name == name }) { return theme }
    }
    return anyBackground
  }

  /// Colours that can be read on black and on white alike: as far from one as from the other.
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
