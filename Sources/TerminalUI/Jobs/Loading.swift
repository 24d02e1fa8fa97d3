import Foundation
import OfflineCache
import Terminal
import Reader

/// What becomes of loads: the page that is being loaded, with what waits for it, and how pages are loaded.
struct Loading: Sendable {
  /// What is loading for the page on screen.
  private var running = Running()
  /// The page being loaded, while the old one stays on screen.
  private(set) var load: Load? {
    get { running.load }
    set { running.load = newValue }
  }
  /// How pages are loaded.
  private(set) var options: LoadOptions
  /// The mode in which the program was started.
  private let startMode: LoadMode
  private var last = 0

  /// What is loading for one page.
  struct Running: Sendable {
    /// The page being loaded.
    fileprivate(set) var load: Load?
    /// The load whose answer takes the place of the page on screen whenever it comes, because a key asked
    /// for it, and where the reader was then.
    fileprivate var asked: (load: LoadID, place: ReadingPosition)?

    init() {}

    /// A page that is loaded behind the one on screen.
    init(_ load: Load) { self.load = load }
  }

  /// - Parameter options: those of the first page, or of the settings.
  init(_ options: LoadOptions) {
    self.options = options
    startMode = options.mode
    self.options.copy = .latest
    self.options.isReload = false
  }

  /// Applies timeouts, size limits and storage rules to the pages that are loaded from now on.
  mutating func take(limitsOf other: LoadOptions) {
    options.patience = other.patience
    options.connectTimeout = other.connectTimeout
    options.totalTimeout = other.totalTimeout
    options.firstByteTimeout = other.firstByteTimeout
    options.sizeLimit = other.sizeLimit
    options.renderLimit = other.renderLimit
    options.respectsNoStore = other.respectsNoStore
    options.respectsNoCache = other.respectsNoCache
  }

  // MARK: Beginning and end

  /// Begins to load a page, instead of what was being loaded.
  mutating func begin(_ request: LoadRequest, for purpose: Load.Purpose, at now: Date) -> LoadID {
    let id = nextID()
    load = Load(id: id, request: request, started: now, purpose: purpose)
    return id
  }

  /// A name for a load that no other has.
  mutating func nextID() -> LoadID {
    last += 1
    return LoadID(last)
  }

  /// Goes on with what is loading for another page; that of the one on screen goes on behind it.
  mutating func exchange(_ other: Running) -> Running {
    defer { running = other }
    return running
  }

  /// Ends what is being loaded.
  /// - Returns: the load with what waited for it.
  @discardableResult
  mutating func end() -> Load? {
    defer { load = nil }
    return load
  }

  /// The page that is loaded was chosen in a list.
  mutating func note(list: ListScreen?) { load?.list = list }

  /// Takes how far a load is.
  mutating func note(_ event: LoadEvent) {
    switch event {
    case .progressed(let received, let expected):
      load?.received = received
      load?.expected = expected
    case .asking(let host): load?.asked = host
    case .offered, .began, .loaded, .newer, .checked, .failed: break
    }
  }

  /// Takes down what is told of the progress from now on, at most every `interval` seconds.
  mutating func tellProgress(at now: Date, every interval: Double) {
    guard let load, now.timeIntervalSince(load.toldAt ?? load.started) >= interval else { return }
    self.load?.told = load.received
    self.load?.toldAt = now
  }

  // MARK: What waits

  /// Shows the first screens of the page until all of it has come; nil shows them no longer.
  mutating func show(beginning view: PageView?) { load?.beginning = view }

  /// Holds a key and the like back for the whole page.
  mutating func hold(_ event: InputEvent) { load?.held.append(event) }

  /// Holds what came back while a form is being filled in.
  mutating func hold(_ event: LoadEvent) { load?.arrival = event }

  /// What came and was held back; it is not told again.
  mutating func takeArrival() -> (id: LoadID, event: LoadEvent)? {
    defer { load?.arrival = nil }
    return load.flatMap { load in load.arrival.map { (load.id, $0) } }
  }

  // MARK: Answers that a key asked for

  /// Takes the answer of a load for what is looked for from a place on.
  mutating func ask(for load: LoadID?, from place: ReadingPosition?) {
    running.asked = load.flatMap { load in place.map { (load, $0) } }
  }

  /// Whether a key asked for the answer of a load, and the reader is still at that place.
  func isAsked(_ id: LoadID, at place: ReadingPosition?) -> Bool {
    running.asked?.load == id && running.asked?.place == place
  }

  // MARK: Offline mode

  /// Whether pages come from what is saved only.
  var isOffline: Bool { options.mode == .cacheOnly }

  /// Changes between saved pages only and the mode in which the program was started, else the network.
  mutating func toggleOffline() {
    options.mode =
      isOffline ? (startMode == .cacheOnly ? .networkFirst : startMode) : .cacheOnly
  }
}

/// A page being loaded.
struct Load: Sendable {
  var id: LoadID
  var request: LoadRequest
  /// Bytes so far, and in all if the server said so.
  var received = 0
  var expected: Int?
  /// The archive of the web that is asked, by its host.
  var asked: String?
  var started: Date
  /// As many bytes were told last, and when, where progress is told in words.
  var told = 0
  var toldAt: Date?
  /// What will become of the page.
  var purpose: Purpose
  /// The list from which it is opened.
  var list: ListScreen?
  /// The first screens of the page, shown until all of it has come.
  var beginning: PageView?
  /// Keys and the like that came since, for the whole page.
  var held: [InputEvent] = []
  /// What came while a form was being filled in, until that is done.
  var arrival: LoadEvent?

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
    /// It is a page that was open and dropped from memory, where it was left.
    case resume(Visit)
    /// It is given to the program for it, unless it turns out to be a page.
    case show
  }
}
