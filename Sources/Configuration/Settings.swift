package import Foundation
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
  /// Whether pages are shown for braille lines and speech: tables as one line a cell, nothing centred,
  /// the cursor seen.
  package var isLinear = false
  /// Whether comments, strings, numbers and keywords of code have colours of their own.
  package var coloursCode = true
  /// How images within pages are shown at first.
  package var images = ImageChoice.off
  /// ASCII substitutes for glyphs; nil decides by the locale.
  package var isASCII: Bool?
  /// Columns of the characters that UAX 11 calls ambiguous, 1 or 2: as the terminal draws them.
  package var ambiguousWidth = 1
  /// Who orders text that is read from right to left.
  package var bidi = Bidi.auto
  /// The command that shows what is no text, `%s` being the file; nil leaves it to mailcap and the
  /// desktop.
  package var opener: String?
  /// What the keys do, as far as they are not the default ones.
  package var keys: [KeySetting] = []
  /// How pages are loaded.
  package var load = LoadOptions()
  /// Whether parameters that only track readers make no difference between pages.
  package var dropsTracking = true
  /// As whom pages are asked for.
  package var identity = IdentitySettings()
  /// How much is kept of what this machine saves.
  package var storage = StorageLimits()
  /// How often what is kept is refreshed, and what stays of feeds.
  package var sync = SyncSettings()
  /// How often the pages with which tags are refreshed.
  package var refreshes: [RefreshRule] = []
  /// How the pages of which sites are read.
  package var reading: [ReadingPreference] = []
  /// What is done with which requests and answers.
  package var rules: [Rule] = []
  /// How requests are changed before they are sent.
  package var rewrites: [Rewrite] = []
  /// Files that answer instead of the network.
  package var substitutions: [Substitution] = []
  /// Pages that answer when nothing was saved, before the built-in ones.
  package var seeds: [Seed] = []
  /// Archives of the web that are asked for pages that are gone.
  package var remotes: [RemoteArchive] = []
  /// ZIM files, such as Wikipedia, that are searched with what is saved.
  package var zimFiles: [URL] = []
  /// How the text of pages is made that only scripts make.
  package var render = RenderSettings()

  /// Whether a mistake in the file leaves saved pages only: it could be about what must not be asked,
  /// sent or stored.
  package private(set) var isSavedOnly = false

  package init() {}

  /// Leaves saved pages only: nothing is asked, sent or stored.
  mutating func restrictToSaved() {
    isSavedOnly = true
    load.mode = .cacheOnly
    identity = IdentitySettings()
    remotes = []
  }

  /// Who orders text that is read from right to left.
  package enum Bidi: String, CaseIterable, Sendable, Equatable {
    /// The terminal where it is known to do so, else the reader.
    case auto
    case app, terminal, off
  }

  /// How images within pages are shown.
  package enum ImageChoice: String, CaseIterable, Sendable, Equatable {
    /// By their words.
    case off
    /// Drawn as symbols.
    case symbols
    /// Drawn as well as the terminal can.
    case auto
  }

  /// When colours are used.
  package enum ColorChoice: String, CaseIterable, Sendable, Equatable {
    /// On a terminal that has them, unless `NO_COLOR` is set.
    case auto
    case always, never

    /// Whether there are to be colours; nil leaves it to the terminal and the environment.
    package var isWanted: Bool? { self == .auto ? nil : self == .always }
  }
}
