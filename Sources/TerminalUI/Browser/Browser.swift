package import Commands
package import Configuration
import Document
package import Foundation
package import Images
package import Layout
import Library
package import OfflineCache
package import Pages
package import Terminal

/// The state of the program: the pages, the reading position, the layers and the loads.
///
/// `update` handles a message and returns the resulting effects; `frame` returns the screen.
/// Neither has side effects or accesses the clock, files or the terminal. The state of each task is
/// a separate value that maintains its own invariants; the extensions of this type connect these
/// values.
package struct Browser: Sendable {
  /// The size of the terminal.
  package internal(set) var size: Size
  /// The current time according to the last clock message.
  package internal(set) var now: Date
  /// The page on the screen; nil until the first one is loaded.
  package internal(set) var view: PageView?
  /// The page to load for the tab on the screen, if it was dropped from memory, or if the tab was
  /// opened in the background and its page is not loaded yet; otherwise nil.
  var unloadedEntry: HistoryEntry?
  /// How the page was opened, and the state of its revalidation.
  var opening = Opening()
  /// The history of the tab on the screen.
  package internal(set) var history = History()
  /// The page and the layers over it, such as a list or a prompt.
  var layers = LayerStack()
  /// The count typed so far; nil for none.
  package internal(set) var count: Int?
  /// The preferences that the user set with keys.
  var choices: Choices
  /// Whether the last input requested to quit, and the user was asked to confirm.
  var isQuitConfirmationPending = false
  /// Effects to return in addition to those of the message being handled.
  var additionalEffects: [Effect] = []

  // The state of the individual tasks.
  var loading: Loading
  var pageSearch = PageSearch()
  var listData = ListData()
  var versions = Versions()
  var readingPositions: ReadingPositions
  var tabs = Tabs()
  /// The number of pages shown or opened in the background so far.
  var openedPageCount = 0
  var queue = Queue()
  var downloads = Downloads()
  var enclosureFetch = EnclosureFetch.idle
  var notices: Notices
  var inputHistory = InputHistory()
  var appearance: Appearance
  var images = DrawnImages()
  var graphics = Graphics()
  /// The size of a cell in pixels; nil if the system does not report it.
  var cellSize: ImageSize?

  /// The page to open first; nil for the library.
  let startRequest: LoadRequest?
  var settings: Settings
  /// The settings as last read from the file, without the options of the command line.
  var fileSettings: Settings
  /// The directory of the settings file, with a trailing slash; or empty.
  let settingsDirectory: String
  /// The key bindings.
  package internal(set) var keymap: Keymap
  let timeZone: TimeZone
  var glyphs: Glyphs
  /// Whether the terminal or the locale does not support UTF-8, so that only ASCII glyphs are used.
  let isTerminalASCII: Bool
  let hasClipboard: Bool
  /// Whether the session is private, so that nothing is stored.
  let isPrivate: Bool
  /// The component that reorders bidirectional text.
  let bidi: LayoutOptions.BidiOrdering
  /// The replacements for characters that the terminal cannot display; nil for none.
  let substitution: CharacterSubstitution?
  /// The number of colours of the terminal.
  let colorCount: Int

  /// The message on the last row, until the next key.
  package var notice: Notice? { notices.current }
  /// The list that is open over the page; nil if no list is open.
  package internal(set) var list: ListScreen? {
    get { layers.list }
    set {
      if let list = layers.list, list.kind != newValue?.kind {
        listData.storeClosedList(list, under: newValue)
      }
      layers.list = newValue
    }
  }
  /// The theme in use.
  package var theme: Theme { appearance.theme }

  /// The environment of the program.
  package struct Environment: Sendable {
    package var size: Size
    package var now: Date
    package var timeZone: TimeZone
    /// Whether the terminal or the locale does not support UTF-8, so that only ASCII glyphs are
    /// used.
    package var isASCII: Bool
    /// The replacements for characters that the terminal cannot display; nil if it can display all.
    package var substitution: CharacterSubstitution?
    /// Whether the background is dark, or assumed to be until the terminal reports it.
    package var isDark: Bool
    /// Whether the terminal may support setting the clipboard (OSC 52).
    package var hasClipboard: Bool
    /// The component that reorders bidirectional text if the setting is `auto`.
    package var bidi: LayoutOptions.BidiOrdering
    /// The number of colours of the terminal.
    package var colorCount: Int
    /// The size of a cell in pixels; nil if the system does not report it.
    package var cellSize: ImageSize?
    /// The warnings to show at the start.
    package var warnings: [String]
    /// The directory of the settings file, with a trailing slash; or empty. It is omitted from
    /// messages that are wider than the screen.
    package var settingsDirectory: String
    /// The settings of the file without the options of the command line; nil if those options
    /// change no setting.
    package var fileSettings: Settings?
    /// The preferences that the user set with keys.
    package var choices: Choices
    /// Whether the session is private (`--private`), so that nothing is stored.
    package var isPrivate: Bool

    package init(
      size: Size, now: Date, timeZone: TimeZone, isASCII: Bool = false,
      substitution: CharacterSubstitution? = nil, isDark: Bool = true,
      hasClipboard: Bool = true, colorCount: Int = 256, cellSize: ImageSize? = nil,
      bidi: LayoutOptions.BidiOrdering = .app, warnings: [String] = [],
      settingsDirectory: String = "",
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
      self.colorCount = colorCount
      self.cellSize = cellSize
      self.warnings = warnings
      self.settingsDirectory = settingsDirectory
      self.fileSettings = fileSettings
      self.choices = choices
      self.isPrivate = isPrivate
    }
  }

  /// Creates the state before the message `.started`.
  /// - Parameters:
  ///   - startRequest: The page to open first; nil for the library.
  ///   - options: The load options if `startRequest` is nil.
  ///   - settings: The settings.
  ///   - themes: The available themes.
  ///   - environment: The environment of the program.
  package init(
    startRequest: LoadRequest?, options: LoadOptions = LoadOptions(), settings: Settings,
    themes: [Theme],
    environment: Environment
  ) {
    self.startRequest = startRequest
    self.settings = settings
    fileSettings = environment.fileSettings ?? settings
    settingsDirectory = environment.settingsDirectory
    isTerminalASCII = environment.isASCII
    size = environment.size
    now = environment.now
    timeZone = environment.timeZone
    choices = environment.choices
    isPrivate = environment.isPrivate
    hasClipboard = environment.hasClipboard
    bidi = settings.bidi(in: environment.bidi)
    substitution = environment.substitution
    glyphs = Glyphs(
      isASCII: settings.ambiguousWidth > 1 || settings.isASCII ?? environment.isASCII,
      isLinear: settings.isLinear)
    loading = Loading(startRequest?.options ?? options)
    readingPositions = ReadingPositions(now: environment.now)
    appearance = Appearance(
      themes: themes, settingsThemeName: settings.theme, isDark: environment.isDark,
      drawsImages: settings.images != .off && !settings.isLinear, choices: environment.choices)
    colorCount = environment.colorCount
    cellSize = environment.cellSize
    var warnings = environment.warnings
    keymap = Keymap(settings.keys) { warnings.append($0) }
    notices = Notices()
    if let firstWarning = warnings.first { show(warnings, first: firstWarning) }
  }

  private mutating func show(_ warnings: [String], first firstWarning: String) {
    let otherCount = warnings.count - 1
    let content =
      firstWarning + (otherCount > 0 ? "; \(keyName(of: .messages)): \(otherCount) more" : "")
    let text =
      displayWidth.width(of: content) < size.columns || settingsDirectory.isEmpty
      ? content : content.replacing(settingsDirectory, with: "", maxReplacements: 1)
    notices = Notices(
      log: warnings.map { Notices.LogEntry($0, at: now) }, Notice(text: text, isError: true))
  }

  /// A message on the last row.
  package struct Notice: Sendable, Equatable {
    package var text: String
    package var isError = false
  }

  /// Shows a message on the last row, until the next key. An error is also recorded in the log of
  /// messages.
  mutating func notify(_ text: String, isError: Bool = false) {
    notices.show(Notice(text: text, isError: isError), at: now)
  }

  /// Shows an error on the last row, and records it in the log of messages.
  mutating func reportError(_ text: String) { notify(text, isError: true) }

  /// The widths of characters in the terminal.
  var displayWidth: DisplayWidth { DisplayWidth(ambiguousWidth: settings.ambiguousWidth) }

  /// Whether there is work for times without messages (`Message.idle`).
  package var hasIdleWork: Bool { view?.isComplete == false || pageSearch.isSearching }

  /// The interval until the next clock message, in seconds; nil if nothing depends on the time.
  package var clockInterval: Double? {
    // In linear mode there are no animations.
    if loading.load != nil { return settings.isLinear ? Self.minAnnouncementInterval : 0.1 }
    if hasUnwrittenPosition { return ReadingPositions.idleTime }
    guard let date = savedDate else { return nil }
    return now.timeIntervalSince(date) < 3600 ? 60 : 3600
  }

  /// Whether offline mode is on.
  var isOffline: Bool { loading.isOffline }

  /// The current provenance of the page on the screen; nil if there is no page. A stored response
  /// from the network counts as a saved copy in offline mode, or once its server is known to be
  /// unreachable.
  var provenance: Provenance? {
    guard let page = view?.page else { return nil }
    var provenance = page.provenance
    switch provenance.source {
    case .network where page.loadTrace.version == nil || page.sentForm != nil: return provenance
    case .network, .fresh:
      guard let reason = isOffline ? .offlineMode : queue.unreachableReason(at: page.url) else {
        return provenance
      }
      provenance.source = .saved(reason)
      provenance.isFresh = true
    // In offline mode, that mode is the reason for every copy, whatever was tried before.
    case .saved(let reason)
    where isOffline && (reason.isNetworkFailure || [.waiting, .abandoned].contains(reason)):
      provenance.source = .saved(.offlineMode)
    case .saved(let reason) where reason.isNetworkFailure:
      if let outage = queue.unreachableReason(at: page.url) { provenance.source = .saved(outage) }
    case .saved, .substituted, .builtIn, .file, .explanation: break
    }
    return provenance
  }

  /// The date of the saved content on the screen; nil if the page is not a saved copy.
  var savedDate: Date? {
    switch provenance?.source {
    case .saved, .fresh: provenance?.contentDate
    case .network, .substituted, .builtIn, .file, .explanation, nil: nil
    }
  }
}
