import Configuration
import Layout
import Terminal

/// The appearance of screens and pages, as set by keys and settings.
struct Appearance: Sendable {
  /// The names of the available themes.
  var themeNames: [String] { themes.map(\.name) }
  /// The theme in use.
  var theme: Theme { themes[themeIndex] }
  /// The name of the theme after the current one.
  var nextTheme: String { themes[(themeIndex + 1) % themes.count].name }
  /// Whether links have numbers.
  private(set) var showsLinkNumbers = false
  /// Whether links have marks that show whether their pages are saved, queued or not saved.
  private(set) var showsLinkStatus = false
  /// How standalone images are shown.
  private(set) var images: ImageDisplay
  private(set) var wrapsCode = true
  /// The number of columns by which truncated lines are scrolled to the right.
  private(set) var horizontalOffset = 0

  private let themes: [Theme]
  private var themeIndex = 0
  /// The name of the theme in the settings; nil if they name none.
  private var settingsThemeName: String?
  /// Whether the background of the terminal is dark.
  private(set) var isDark: Bool

  /// Creates the initial appearance.
  /// - Parameters:
  ///   - themes: The available themes.
  ///   - settingsThemeName: The name of the theme in the settings, or nil.
  ///   - isDark: Whether the background of the terminal is dark, or assumed to be.
  ///   - drawsImages: Whether images are drawn initially.
  ///   - choices: The preferences that the user set with keys.
  init(
    themes: [Theme], settingsThemeName: String?, isDark: Bool, drawsImages: Bool, choices: Choices
  ) {
    self.themes = themes.isEmpty ? [.plain] : themes
    self.settingsThemeName = settingsThemeName
    self.isDark = isDark
    images = drawsImages ? .drawn : .altText
    selectTheme(choices)
  }

  /// Selects the theme that the user chose with a key, or else the theme in the settings, or else
  /// the default theme for the background.
  mutating func selectTheme(_ choices: Choices) {
    let names = [
      choices.theme(insteadOf: settingsThemeName), settingsThemeName,
      isDark ? "default-dark" : "default-light",
    ]
    let known = themeNames
    themeIndex = names.compactMap { name in known.firstIndex { $0 == name } }.first ?? 0
  }

  /// Applies changed settings.
  /// - Parameters:
  ///   - settingsThemeName: The name of the theme in the settings, or nil.
  ///   - drawsImages: Whether images are drawn; nil to leave that unchanged.
  ///   - choices: The preferences that the user set with keys.
  mutating func apply(settingsThemeName: String?, drawsImages: Bool?, _ choices: Choices) {
    if let drawsImages { images = drawsImages ? .drawn : .altText }
    guard settingsThemeName != self.settingsThemeName else { return }
    self.settingsThemeName = settingsThemeName
    selectTheme(choices)
  }

  /// Applies the background brightness that the terminal reports.
  mutating func apply(isDark: Bool, _ choices: Choices) {
    self.isDark = isDark
    selectTheme(choices)
  }

  mutating func toggleLinkNumbers() { showsLinkNumbers.toggle() }

  mutating func toggleLinkStatus() { showsLinkStatus.toggle() }

  /// Switches to the next display mode for images: alternative text, drawn (only if `canDraw` is
  /// true) or hidden.
  mutating func switchImageDisplay(canDraw: Bool) {
    images =
      switch images {
      case .altText: canDraw ? .drawn : .hidden
      case .drawn: .hidden
      case .hidden: .altText
      }
  }

  /// Switches between wrapping and truncating long lines of code, and resets horizontal scrolling.
  mutating func toggleWrapping() {
    wrapsCode.toggle()
    horizontalOffset = 0
  }

  /// Scrolls truncated lines to the right by some columns; negative to the left.
  mutating func scrollHorizontally(by columns: Int) {
    horizontalOffset = min(max(0, horizontalOffset + columns), 100_000)
  }
}
