package import Foundation
package import OfflineCache

/// The user's settings, with their defaults.
package struct Settings: Sendable, Equatable {
  /// The maximum width of running text, in columns.
  package var textWidth = 72
  /// The name of the theme; nil for a dark or light default depending on the terminal's background.
  package var theme: String?
  /// The file and line of the theme for messages: `config.toml:3`; nil if no file sets it.
  package var themeLocation: String?
  /// The condition under which colours are used.
  package var color = ColorChoice.auto
  /// Whether to handle mouse clicks and the wheel; otherwise they are left to the terminal.
  package var usesMouse = true
  /// Whether to lay out pages for braille displays and speech: one table cell per line, no
  /// centering, visible cursor.
  package var isLinear = false
  /// Whether comments, strings, numbers and keywords in code are coloured.
  package var highlightsCode = true
  /// The way in which images in pages are shown initially.
  package var images = ImageChoice.off
  /// Whether to use ASCII substitutes for glyphs; nil to decide by the locale.
  package var isASCII: Bool?
  /// The width of ambiguous characters (UAX 11) in the terminal, 1 or 2.
  package var ambiguousWidth = 1
  /// The component that reorders bidirectional text.
  package var bidi = Bidi.auto
  /// The command that opens files other than text, with `%s` for the file; nil to use mailcap and
  /// the desktop.
  package var opener: String?
  /// The command that opens audio and video, with `%s` for the file; nil to use `opener`.
  package var player: String?
  /// The key bindings that differ from the defaults.
  package var keys: [KeySetting] = []
  /// The options for loading pages.
  package var load = LoadOptions()
  /// Whether query parameters used only for tracking are ignored when URLs are compared.
  package var dropsTracking = true
  /// Cookies, passwords and certificates.
  package var identity = IdentitySettings()
  /// The limits on what this device stores in the archive.
  package var storage = StorageLimits()
  /// The refresh intervals of pinned pages and feeds, and the number of feed items.
  package var sync = SyncSettings()
  /// The refresh intervals by tag.
  package var refreshes: [RefreshRule] = []
  /// The settings for feeds and their items.
  package var feeds: [FeedRule] = []
  /// The commands that are called on events.
  package var hooks = HookSettings()
  /// The reading settings by site.
  package var readingPreferences: [ReadingPreference] = []
  /// The cache rules for requests and responses.
  package var rules: [Rule] = []
  /// The rewrite rules for requests.
  package var rewrites: [Rewrite] = []
  /// Files used as responses instead of the network.
  package var substitutions: [Substitution] = []
  /// Sources of pages that are shown if no copy is saved; they precede the built-in pages.
  package var seeds: [Seed] = []
  /// Web archives from which pages that no longer exist are loaded.
  package var remotes: [RemoteArchive] = []
  /// ZIM files, such as Wikipedia, that are searched together with saved pages.
  package var zimFiles: [URL] = []
  /// The settings for rendering pages that need scripts.
  package var render = RenderSettings()

  /// Whether only saved pages are shown, because the file cannot be read, or a faulty line of it
  /// may be one that forbids requests, sending or storing.
  package private(set) var isSavedOnly = false

  package init() {}

  /// Restricts offread to saved pages: nothing is requested, sent or stored.
  mutating func restrictToSaved() {
    isSavedOnly = true
    load.mode = .cacheOnly
    identity = IdentitySettings()
    remotes = []
  }

  /// The component that reorders bidirectional text.
  package enum Bidi: String, CaseIterable, Sendable, Equatable {
    /// The terminal if it is known to do so, else offread.
    case auto
    case app, terminal, off
  }

  /// The way in which images in pages are shown.
  package enum ImageChoice: String, CaseIterable, Sendable, Equatable {
    /// As alternative text.
    case off
    /// Drawn with character symbols.
    case symbols
    /// Drawn with the best method that the terminal supports.
    case auto
  }

  /// The condition under which colours are used.
  package enum ColorChoice: String, CaseIterable, Sendable, Equatable {
    /// If the terminal has colours and `NO_COLOR` is not set.
    case auto
    case always, never

    /// Whether to use colours; nil to let the terminal and the environment decide.
    package var isWanted: Bool? { self == .auto ? nil : self == .always }
  }
}
