package import OfflineCache

/// What a reader can set, with the defaults.
package struct Settings: Sendable, Equatable {
  /// The widest line of running text, in columns.
  package var textWidth = 72
  /// The theme's name; nil chooses a dark or light default by the terminal's background.
  package var theme: String?
  /// When colours are used.
  package var color = ColorChoice.auto
  /// Whether clicks and the wheel are taken; off leaves them to the terminal.
  package var takesMouse = true
  /// ASCII stand-ins for glyphs; nil decides by the locale.
  package var isASCII: Bool?
  /// How pages are loaded.
  package var load = LoadOptions()

  package init() {}

  /// When colours are used.
  package enum ColorChoice: String, CaseIterable, Sendable, Equatable {
    /// On a terminal that has them, unless `NO_COLOR` is set.
    case auto
    case always, never
  }
}
