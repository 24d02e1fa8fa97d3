import Document
import Library
package import Foundation
import Layout
package import OfflineCache
package import Reader
package import Terminal

/// The reader as a value: what is shown, where the reader is, what is being typed and loaded.
///
/// `update` takes a message and gives the effects it asks for; `view` gives the screen. Neither
/// does anything else: no clock, no files, no terminal.
package struct Browser: Sendable {
  /// Rows and columns of the terminal.
  package internal(set) var size: Size
  /// The page on screen; nil until the first one has come.
  package internal(set) var view: PageView?
  /// Who asked for the page on screen; asking again must not allow more.
  package internal(set) var origin = LoadRequest.Origin.user
  /// The load that may still bring a newer version of the page on screen.
  package internal(set) var refresh: LoadID?
  /// A newer version of the page on screen, already saved.
  package internal(set) var newer: Page?
  /// Where the reader was.
  package internal(set) var history = History()
  /// The load whose answer takes the place of the page on screen whenever it comes, because a key asked
  /// for it, and where the reader was then.
  var asked: (load: LoadID, place: ReadingPosition)?
  /// The page being loaded, while the old one stays on screen.
  package internal(set) var loading: Loading?
  /// The first screens of the page being loaded, shown until all of it has come.
  var beginning: PageView?
  /// Keys and the like that came since, for the whole page.
  var held: [InputEvent] = []
  /// The page that came while a form was being filled in, until that is done.
  var arrival: (id: LoadID, event: LoadEvent)?
  /// What is open over the page.
  package internal(set) var mode = Mode.page
  /// A message on the last row, until the next key.
  package internal(set) var notice: Notice? {
    didSet {
      guard let notice, notice.isError, notice != oldValue else { return }
      messages.append("\(DateWords.clock(now, in: timeZone))  \(SafeText.line(notice.text))")
      if messages.count > 200 { messages.removeFirst() }
    }
  }
  /// The list that is open over the page.
  package internal(set) var list: ListScreen?
  /// The list from which the page on screen was opened.
  var openedFrom: ListScreen?
  /// What is below help while that is open.
  var belowHelp: BelowHelp?
  /// The count typed so far.
  package internal(set) var count: Int?
  /// What is being looked for on the page.
  package internal(set) var find: Find?
  /// Where the last requests found no network.
  var outages = Outages()
  /// How many pages wait for a network.
  package internal(set) var queued = 0
  /// The time, as far as messages told it.
  package internal(set) var now: Date
  /// The theme in use.
  package var theme: Theme { themes[themeIndex] }
  /// What each key does.
  package internal(set) var keymap: Keymap
  /// How pages are loaded.
  package internal(set) var loadOptions: LoadOptions

  /// What is opened first; the library when nil.
  let start: LoadRequest?
  /// The mode in which the program was started.
  let startMode: LoadMode
  let settings: Settings
  let timeZone: TimeZone
  let glyphs: Glyphs
  let hasClipboard: Bool
  var themes: [Theme]
  var themeIndex = 0
  /// What was chosen with keys for good.
  var choices: Choices
  /// Whether the background of the terminal is dark.
  var isDark: Bool
  var showsLinkNumbers = false
  var lastLoad = 0
  /// How many pages came to the screen.
  var arrivals = 0
  /// How many pages were opened anew.
  var openings = 0
  var lastQuery = ""
  /// What was answered in prompts, the latest last.
  var answers: [Typing: [String]] = [:]
  var lastFindWasForward = true
  var showsLinkMarks = false
  var hidesImages = false
  var wrapsCode = true
  /// How many columns lines that are cut are moved to the left.
  var pan = 0
  /// What is saved, kept, read and waiting, as far as it is known.
  var library: LibraryContents?
  /// What the last search found, and for which words.
  var hits: [SearchIndex.Hit] = []
  var lastSearch = ""
  /// Pages that are no longer listed, and what was removed, in that order.
  var removed: Set<String> = []
  var removals: [Removal] = []
  /// The passages that are kept, as far as they were asked for, with their pages.
  var passages: [HighlightedPage] = []
  /// What went wrong so far, the latest last.
  var messages: [String] = []
  /// The saved versions of a page, as far as they were asked for, and steps among them that wait for it.
  var versions: PageVersions?
  var pendingSteps = 0
  /// The comparison that runs or ran last, and with which version.
  var comparison = ComparisonID(0)
  var comparedDate: Date?
  /// Where the page that is being loaded was left, the place that is to be shown of it, and what was
  /// last written down.
  var recalled: ReadingLog.Record?
  var destination: ReadingLog.Record?
  var remembered: ReadingLog.Record?
  /// The marks of this session.
  var marks: [String: ReadingLog.Record] = [:]
  /// Where the reader was on this page before the last jump.
  var jumpedFrom: ReadingPosition?
  /// What is written to files, the latest last.
  var downloads: [Download] = []
  var lastDownload = 0
  /// Whether the reader was asked about the downloads that are not complete, with the last key.
  var hasAskedToQuit = false
  /// When the last key came.
  var lastInput: Date
  /// Effects that come with those of the message being answered.
  var outbox: [Effect] = []
  /// Which question was answered last, and as whom, until a page comes that does not ask.
  var signedIn: (question: SignIn, user: String)?
  /// What was to be told with the last page; it is not told again.
  var lastNotices: [String] = []

  /// What surrounds the program, as far as it matters here.
  package struct Surroundings: Sendable {
    package var size: Size
    package var now: Date
    package var timeZone: TimeZone
    /// Whether the terminal or its locale has ASCII only.
    package var isASCII: Bool
    /// Whether the background is dark, as far as is known before the terminal says so.
    package var isDark: Bool
    /// Whether the terminal may have a clipboard that a program can write (OSC 52).
    package var hasClipboard: Bool
    /// What is to be told at the start.
    package var warnings: [String]
    /// Where the settings file is: left out of what is told when that is wider than the screen.
    package var settingsFolder: String
    /// What was chosen with keys for good.
    package var choices: Choices

    package init(
      size: Size, now: Date, timeZone: TimeZone, isASCII: Bool = false, isDark: Bool = true,
      hasClipboard: Bool = true, warnings: [String] = [], settingsFolder: String = "",
      choices: Choices = Choices()
    ) {
      self.size = size
      self.now = now
      self.timeZone = timeZone
      self.isASCII = isASCII
      self.isDark = isDark
      self.hasClipboard = hasClipboard
      self.warnings = warnings
      self.settingsFolder = settingsFolder
      self.choices = choices
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
    self.themes = themes.isEmpty ? [.plain] : themes
    size = surroundings.size
    now = surroundings.now
    lastInput = surroundings.now
    timeZone = surroundings.timeZone
    choices = surroundings.choices
    isDark = surroundings.isDark
    hasClipboard = surroundings.hasClipboard
    glyphs = Glyphs(
      isASCII: settings.ambiguousWidth > 1 || settings.isASCII ?? surroundings.isASCII,
      isLinear: settings.isLinear)
    var warnings = surroundings.warnings
    keymap = Keymap(settings.keys) { warnings.append($0) }
    loadOptions = start?.options ?? options
    startMode = loadOptions.mode
    loadOptions.copy = .latest
    loadOptions.isReload = false
    if let first = warnings.first {
      messages = warnings.map { "\(DateWords.clock(now, in: timeZone))  \(SafeText.line($0))" }
      let rest = warnings.count - 1
      let words = first + (rest > 0 ? "; \(key(of: .messages)): \(rest) more" : "")
      let folder = surroundings.settingsFolder
      notice = Notice(
        text: widths.width(of: words) < size.columns || folder.isEmpty
          ? words : words.replacing(folder, with: "", maxReplacements: 1), isError: true)
    }
    chooseTheme()
  }

  /// A page being loaded.
  package struct Loading: Sendable, Equatable {
    package var id: LoadID
    package var request: LoadRequest
    /// Bytes so far, and in all if the server said so.
    package var received = 0
    package var expected: Int?
    /// The archive of the web that is asked, by its host.
    package var asked: String?
    package var started: Date
    /// As many bytes were told last, and when, where progress is told in words.
    var told = 0
    var toldAt: Date?
    /// What will become of the page.
    var purpose: Purpose
    /// The list from which it is opened.
    var list: ListScreen?
  }

  /// What will become of a page that is being loaded.
  enum Purpose: Sendable, Equatable {
    /// It comes after the page on screen.
    case visit
    /// It takes the place of the page on screen, at the same text.
    case replace
    /// It is another saved version of the page on screen, at the same text, with marks where they differ.
    case version
    /// It is another view of the page on screen.
    case view
    /// It is a page of the history, this many steps away, that was dropped from memory.
    case travel(Int)
    /// It is given to the program for it, unless it turns out to be a page.
    case show
  }

  /// What is open over the page.
  package enum Mode: Sendable, Equatable {
    case page
    case prompt(Prompt)
    case hints(Hints)
    case letter(LetterUse)
    case question(Question)
    case marking(MarkedLines)
  }

  /// What was removed and can be brought back.
  enum Removal: Sendable, Equatable {
    /// What is saved of a page.
    case page(String)
    /// Passages of a page.
    case highlights([Highlight], of: String)
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
    if loading != nil { return settings.isLinear ? Self.linearInterval : 0.1 }
    if hasUnwrittenPlace { return Self.restTime }
    guard let date = savedDate else { return nil }
    return now.timeIntervalSince(date) < 3600 ? 60 : 3600
  }

  /// Whether pages come from what is saved only.
  var isOffline: Bool { loadOptions.mode == .cacheOnly }

  /// What is known of where the page on screen is from, by now: what its server has given is a saved
  /// copy as soon as nobody could be asked for it again.
  var provenance: Provenance? {
    guard let page = view?.page else { return nil }
    var provenance = page.provenance
    switch provenance.source {
    case .network where page.arrival.version == nil || page.sent != nil: return provenance
    case .network, .fresh:
      guard let reason = isOffline ? .offlineMode : outages.reason(at: page.url) else {
        return provenance
      }
      provenance.source = .saved(reason)
      provenance.isFresh = true
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

  /// Chooses the theme that a key chose, else that of the settings, else the default for the background.
  mutating func chooseTheme() {
    let names = [
      choices.theme(insteadOf: settings.theme), settings.theme,
      isDark ? "default-dark" : "default-light",
    ]
    let known = themes.map(\.name)
    themeIndex = names.compactMap { name in known.firstIndex { $0 == name } }.first ?? 0
  }
}
