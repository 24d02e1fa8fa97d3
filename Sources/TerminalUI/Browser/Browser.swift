package import Commands
package import Configuration
import Document
package import Foundation
package import Images
package import Layout
import Library
package import OfflineCache
package import Reader
package import Terminal

/// The reader as a value: what is shown, where the reader is, what is being typed and loaded.
///
/// `update` takes a message and gives the effects it asks for; `frame` gives the screen. Neither
/// does anything else: no clock, no files, no terminal. Each of its jobs is a value of its own, with what
/// must hold of its state; here stands what several of them need.
package struct Browser: Sendable {
  /// Rows and columns of the terminal.
  package internal(set) var size: Size
  /// The time, as far as messages told it.
  package internal(set) var now: Date
  /// The page on screen; nil until the first one has come.
  package internal(set) var view: PageView?
  /// The page that is to be on screen, as long as it was dropped from memory or has not come; else nil.
  var dropped: Visit?
  /// How it came there, and what may still come for it.
  var opening = Opening()
  /// Where the reader was.
  package internal(set) var history = History()
  /// What is open over the page, lists aside.
  package internal(set) var mode = Mode.page
  /// The count typed so far.
  package internal(set) var count: Int?
  /// What was chosen with keys for good.
  var choices: Choices
  /// Whether the last key asked to quit, and the reader was asked about what would be lost.
  var hasAskedToQuit = false
  /// Effects that come with those of the message being answered.
  var outbox: [Effect] = []

  // What each job knows.
  var loading: Loading
  var finding = Finding()
  var lists = Lists()
  var versions = Versions()
  var places: Places
  var tabs = Tabs()
  /// How many pages came to the screen, or behind it.
  var arrivals = 0
  var queue = Queue()
  var downloads = Downloads()
  var notices: Notices
  var answers = Answers()
  var look: Look
  var images = DrawnImages()
  var graphics = Graphics()
  /// A cell in pixels, as far as the system knows it.
  var cell: ImageSize?

  /// What is opened first; the library when nil.
  let start: LoadRequest?
  var settings: Settings
  /// The settings as last read from the file, without the options of the command line.
  var fileSettings: Settings
  /// The directory of the settings file, with a trailing slash; or empty.
  let settingsFolder: String
  /// What each key does.
  package internal(set) var keymap: Keymap
  let timeZone: TimeZone
  var glyphs: Glyphs
  /// Whether the terminal or the locale supports only ASCII.
  let isTerminalASCII: Bool
  let hasClipboard: Bool
  /// Whether nothing is written.
  let isPrivate: Bool
  /// Who orders text that is read from right to left.
  let bidi: LayoutOptions.Bidi
  /// What stands for characters that the terminal does not have.
  let substitution: CharacterSubstitution?
  /// How many colours the terminal has.
  let colors: Int

  /// A message on the last row, until the next key.
  package internal(set) var notice: Notice? {
    get { notices.current }
    set {
      let clock = newValue?.isError == true ? DateWords.clock(now, in: timeZone) : ""
      notices.show(newValue, at: clock)
    }
  }
  /// The list that is open over the page.
  package internal(set) var list: ListScreen? {
    get { lists.open }
    set { lists.open = newValue }
  }
  /// The theme in use.
  package var theme: Theme { look.theme }

  /// What surrounds the program, as far as it matters here.
  package struct Surroundings: Sendable {
    package var size: Size
    package var now: Date
    package var timeZone: TimeZone
    /// Whether the terminal or its locale has ASCII only.
    package var isASCII: Bool
    /// What stands for characters that the terminal does not have; nil where it has all.
    package var substitution: CharacterSubstitution?
    /// Whether the background is dark, as far as is known before the terminal says so.
    package var isDark: Bool
    /// Whether the terminal may have a clipboard that a program can write (OSC 52).
    package var hasClipboard: Bool
    /// Who orders text that is read from right to left where the reader leaves that open.
    package var bidi: LayoutOptions.Bidi
    /// How many colours the terminal has.
    package var colors: Int
    /// A cell in pixels, as far as the system knows it.
    package var cell: ImageSize?
    /// What is to be told at the start.
    package var warnings: [String]
    /// Where the settings file is: left out of what is told when that is wider than the screen.
    package var settingsFolder: String
    /// The settings of the file without the options of the command line; nil when these change nothing.
    package var fileSettings: Settings?
    /// What was chosen with keys for good.
    package var choices: Choices
    /// Whether nothing is written (`--private`).
    package var isPrivate: Bool

    package init(
      size: Size, now: Date, timeZone: TimeZone, isASCII: Bool = false,
      substitution: CharacterSubstitution? = nil, isDark: Bool = true,
      hasClipboard: Bool = true, colors: Int = 256, cell: ImageSize? = nil,
      bidi: LayoutOptions.Bidi = .app, warnings: [String] = [], settingsFolder: String = "",
      fileSettings: Settings? = nil,
      choices: Choices = Choices(), isPrivate: Bool = false
    ) {
      self.size = size
      self.now = now
      self.timeZone = timeZone
      self.isASCII = isASCII
      self.substitution = substitution
      self.isDark = isDark
      self.hasClipboard = hasClipboard
      self.bidi = bidi
      self.colors = colors
      self.cell = cell
      self.warnings = warnings
      self.settingsFolder = settingsFolder
      self.fileSettings = fileSettings
      self.choices = choices
      self.isPrivate = isPrivate
    }
  }

  /// A browser that will open `start`, or the library when that is nil, when it gets `.started`.
  /// - Parameters:
  ///   - start: what is opened first, or nil.
  ///   - options: how pages are loaded when `start` does not say it.
  ///   - settings: what the reader set.
  ///   - themes: the themes there are.
  ///   - surroundings: what surrounds the program.
  package init(
    start: LoadRequest?, options: LoadOptions = LoadOptions(), settings: Settings, themes: [Theme],
    surroundings: Surroundings
  ) {
    self.start = start
    self.settings = settings
    fileSettings = surroundings.fileSettings ?? settings
    settingsFolder = surroundings.settingsFolder
    isTerminalASCII = surroundings.isASCII
    size = surroundings.size
    now = surroundings.now
    timeZone = surroundings.timeZone
    choices = surroundings.choices
    isPrivate = surroundings.isPrivate
    hasClipboard = surroundings.hasClipboard
    bidi = settings.bidi(in: surroundings.bidi)
    substitution = surroundings.substitution
    glyphs = Glyphs(
      isASCII: settings.ambiguousWidth > 1 || settings.isASCII ?? surroundings.isASCII,
      isLinear: settings.isLinear)
    loading = Loading(start?.options ?? options)
    places = Places(now: surroundings.now)
    look = Look(
      themes: themes, setting: settings.theme, isDark: surroundings.isDark,
      drawsImages: settings.images != .off && !settings.isLinear, choices: surroundings.choices)
    colors = surroundings.colors
    cell = surroundings.cell
    var warnings = surroundings.warnings
    keymap = Keymap(settings.keys) { warnings.append($0) }
    notices = Notices()
    if let first = warnings.first {
      let clock = DateWords.clock(now, in: timeZone)
      let rest = warnings.count - 1
      let words = first + (rest > 0 ? "; \(key(of: .messages)): \(rest) more" : "")
      let folder = surroundings.settingsFolder
      let text =
        widths.width(of: words) < size.columns || folder.isEmpty
        ? words : words.replacing(folder, with: "", maxReplacements: 1)
      notices = Notices(
        log: warnings.map { Notices.line($0, at: clock) }, Notice(text: text, isError: true))
    }
  }

  /// What is open over the page.
  package enum Mode: Sendable, Equatable {
    case page
    case prompt(Prompt)
    case hints(Hints)
    case letter(LetterUse)
    case question(Question)
    case marking(MarkedLines)
    /// A box beside a link: any key closes it.
    case preview(Preview)
    /// An image on the whole screen, by its index in the document: any key goes back.
    case image(Int32)
  }

  /// A message on the last row.
  package struct Notice: Sendable, Equatable {
    package var text: String
    package var isError = false
  }

  /// How wide the terminal draws characters.
  var widths: DisplayWidth { DisplayWidth(ambiguous: settings.ambiguousWidth) }

  /// Whether something is left to be done when nothing else waits (`Message.idle`).
  package var hasWork: Bool { view?.isComplete == false }

  /// When the clock should be told next, in seconds; nil when nothing on screen depends on it.
  package var clockInterval: Double? {
    // Nothing moves on the screen of who listens.
    if loading.load != nil { return settings.isLinear ? Self.linearInterval : 0.1 }
    if hasUnwrittenPlace { return Places.restTime }
    guard let date = savedDate else { return nil }
    return now.timeIntervalSince(date) < 3600 ? 60 : 3600
  }

  /// Whether pages come from what is saved only.
  var isOffline: Bool { loading.isOffline }

  /// What is known of where the page on screen is from, by now: what its server has given is a saved
  /// copy as soon as nobody could be asked for it again.
  var provenance: Provenance? {
    guard let page = view?.page else { return nil }
    var provenance = page.provenance
    switch provenance.source {
    case .network where page.arrival.version == nil || page.sent != nil: return provenance
    case .network, .fresh:
      guard let reason = isOffline ? .offlineMode : queue.outage(at: page.url) else {
        return provenance
      }
      provenance.source = .saved(reason)
      provenance.isFresh = true
    // In offline mode, that mode is the reason for every copy, whatever was tried before.
    case .saved(let reason) where isOffline && (reason.isWantOfNetwork || reason == .waiting):
      provenance.source = .saved(.offlineMode)
    case .saved(let reason) where reason.isWantOfNetwork:
      if let outage = queue.outage(at: page.url) { provenance.source = .saved(outage) }
    case .saved, .substituted, .builtIn, .file, .explanation: break
    }
    return provenance
  }

  /// From when the page on screen is, if its server was not asked for it just now.
  var savedDate: Date? {
    switch provenance?.source {
    case .saved, .fresh: provenance?.contentDate
    case .network, .substituted, .builtIn, .file, .explanation, nil: nil
    }
  }
}
