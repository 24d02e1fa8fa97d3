import Configuration
import Layout
import Reader
import Terminal

/// How screens and pages look, as keys have chosen.
struct Look: Sendable {
  /// The names of the themes there are.
  var themeNames: [String] { themes.map(\.name) }
  /// The theme in use.
  var theme: Theme { themes[index] }
  /// The name of the theme that follows it.
  var nextTheme: String { themes[(index + 1) % themes.count].name }
  /// Whether links have numbers, and marks that tell whether they are saved.
  private(set) var showsLinkNumbers = false
  private(set) var showsLinkMarks = false
  /// How images that stand alone are shown.
  private(set) var images: ImageDisplay
  private(set) var wrapsCode = true
  /// How many columns lines that are cut are moved to the left.
  private(set) var pan = 0

  private let themes: [Theme]
  private var index = 0
  /// The theme of the settings.
  private var setting: String?
  /// Whether the background of the terminal is dark.
  private(set) var isDark: Bool

  /// - Parameters:
  ///   - themes: the themes there are.
  ///   - setting: the theme of the settings, or nil.
  ///   - isDark: whether the background is dark, as far as it is known.
  ///   - drawsImages: whether images are drawn at first.
  ///   - choices: the choices that the user made with keys and that are remembered.
  init(themes: [Theme], setting: String?, isDark: Bool, drawsImages: Bool, choices: Choices) {
    self.themes = themes.isEmpty ? [.plain] : themes
    self.setting = setting
    self.isDark = isDark
    images = drawsImages ? .drawn : .words
    chooseTheme(choices)
  }

  /// Takes the theme that a key chose, else that of the settings, else the default for the background.
  mutating func chooseTheme(_ choices: Choices) {
    let names = [
      choices.theme(insteadOf: setting), setting, isDark ? "default-dark" : "default-light",
    ]
    let known = themeNames
    index = names.compactMap { name in known.firstIndex { $0 == name } }.first ?? 0
  }

  /// Applies changed settings.
  /// - Parameters:
  ///   - setting: the theme of the settings, or nil.
  ///   - drawsImages: whether images are drawn; nil to leave that unchanged.
  ///   - choices: what was chosen with keys for good.
  mutating func take(setting: String?, drawsImages: Bool?, _ choices: Choices) {
    if let drawsImages { images = drawsImages ? .drawn : .words }
    guard setting != self.setting else { return }
    self.setting = setting
    chooseTheme(choices)
  }

  /// Takes what the terminal says of its background.
  mutating func take(isDark: Bool, _ choices: Choices) {
    self.isDark = isDark
    chooseTheme(choices)
  }

  mutating func toggleLinkNumbers() { showsLinkNumbers.toggle() }

  mutating func toggleLinkMarks() { showsLinkMarks.toggle() }

  /// Shows images in the next of the ways there are.
  mutating func changeImages(canDraw: Bool) {
    images =
      switch images {
      case .words: canDraw ? .drawn : .hidden
      case .drawn: .hidden
      case .hidden: .words
      }
  }

  /// Wraps code that is too wide, or cuts it, from its beginning on.
  mutating func toggleWrapping() {
    wrapsCode.toggle()
    pan = 0
  }

  /// Moves lines that are cut by some columns.
  mutating func pan(by columns: Int) { pan = min(max(0, pan + columns), 100_000) }
}

/// How images that stand alone are shown within a page.
enum ImageDisplay: Sendable, Equatable {
  /// By what the page says of them.
  case words
  /// Drawn below that.
  case drawn
  /// Not at all.
  case hidden

  /// What is told when it is chosen.
  var words: String {
    switch self {
    case .words: "images are words"
    case .drawn: "images are drawn"
    case .hidden: "images are hidden"
    }
  }
}
