import Foundation
import OfflineCache
import Terminal
import Pages

/// The loads for the page on the screen, the input that waits for them, and the options of loads.
struct Loading: Sendable {
  /// The loads for the page on the screen.
  private var tabLoads = TabLoads()
  /// The page being loaded while the old one stays on the screen.
  private(set) var load: Load? {
    get { tabLoads.load }
    set { tabLoads.load = newValue }
  }
  /// The options with which pages are loaded.
  private(set) var options: LoadOptions
  /// The mode in which the program was started.
  private let startMode: LoadMode
  private var lastIDNumber = 0

  /// The loads for one tab.
  struct TabLoads: Sendable {
    /// The page being loaded; nil for none.
    @Indirect fileprivate(set) var load: Load?
    /// The load whose response replaces the page on the screen as soon as it is received, because
    /// the user requested it, and the reading position at that time; nil for none.
    fileprivate var requestedLoad: (load: LoadID, position: ReadingPosition)?
    /// The load that the user stopped, whose received part is still to be shown; nil for none.
    @Indirect fileprivate var stoppedLoad: Load?

    init() {}

    /// Creates the loads of a page that is opened in the background.
    init(_ load: Load) { self.load = load }
  }

  /// Creates the state without loads.
  /// - Parameter options: The options of the first page, or of the settings.
  init(_ options: LoadOptions) {
    self.options = options
    startMode = options.mode
    self.options.copy = .latest
    self.options.isReload = false
  }

  /// Applies timeouts, size limits and storage rules to the pages that are loaded from now on.
  mutating func apply(limitsOf other: LoadOptions) {
    options.fallbackDelay = other.fallbackDelay
    options.connectTimeout = other.connectTimeout
    options.totalTimeout = other.totalTimeout
    options.firstByteTimeout = other.firstByteTimeout
    options.maxSize = other.maxSize
    options.maxRenderedSize = other.maxRenderedSize
    options.respectsNoStore = other.respectsNoStore
    options.respectsNoCache = other.respectsNoCache
  }

  // MARK: Start and end

  /// Begins to load a page instead of the one that was being loaded.
  mutating func begin(_ request: LoadRequest, for purpose: Load.Purpose, at now: Date) -> LoadID {
    let id = nextID()
    tabLoads.stoppedLoad = nil
    load = Load(id: id, request: request, startDate: now, purpose: purpose)
    return id
  }

  /// Returns an unused load identifier.
  mutating func nextID() -> LoadID {
    lastIDNumber += 1
    return LoadID(lastIDNumber)
  }

  /// Ensures that `nextID` does not return the identifiers that a copy of this state has returned.
  mutating func skipIDs(of copy: Loading) { lastIDNumber = max(lastIDNumber, copy.lastIDNumber) }

  /// Makes another tab's loads the current ones.
  /// - Parameter other: The loads of the tab that is shown now.
  /// - Returns: The previous loads, which continue in the background.
  mutating func switchTab(_ other: TabLoads) -> TabLoads {
    defer { tabLoads = other }
    return tabLoads
  }

  /// Ends the current load.
  /// - Returns: The load with the input that waited for it; nil if nothing was being loaded.
  @discardableResult
  mutating func endLoad() -> Load? {
    tabLoads.stoppedLoad = nil
    defer { load = nil }
    return load
  }

  /// Ends the current load at the request of the user, who will be shown the part of the page that
  /// was received.
  mutating func stopLoad() {
    let stopped = endLoad()
    tabLoads.stoppedLoad = stopped
  }

  /// Removes and returns the load with an identifier if the user stopped it and nothing was loaded
  /// since; nil otherwise.
  mutating func consumeStoppedLoad(_ id: LoadID) -> Load? {
    guard let stopped = tabLoads.stoppedLoad, stopped.id == id else { return nil }
    tabLoads.stoppedLoad = nil
    return stopped
  }

  /// Records the sequence from which the page being loaded was chosen.
  mutating func record(sequence: ReadingSequence?) { load?.sequence = sequence }

  /// Records that the page being loaded is a part in which a text was found.
  mutating func record(match: PartSearch.Match) { load?.partMatch = match }

  /// Records the list from which the page being loaded was chosen.
  mutating func record(list: ListScreen?) { load?.list = list }

  /// Records the progress that a load reports.
  mutating func record(_ event: LoadEvent) {
    switch event {
    case .progressed(let received, let expected):
      load?.receivedByteCount = received
      load?.expectedByteCount = expected
    case .asking(let host): load?.queriedArchiveHost = host
    case .offered, .began, .loaded, .newer, .checked, .failed: break
    }
  }

  /// Marks the current progress as announced if at least `interval` seconds have passed since the
  /// last announcement.
  mutating func announceProgress(at now: Date, every interval: Double) {
    guard let load, now.timeIntervalSince(load.announcedDate ?? load.startDate) >= interval else {
      return
    }
    self.load?.announcedByteCount = load.receivedByteCount
    self.load?.announcedDate = now
  }

  /// Returns a loaded page with the reason why its saved copy is shown. If the page was open before
  /// and was dropped from memory, the reason is not the mode.
  func labeled(_ page: Page, openedBy load: Load) -> Page {
    guard load.purpose.opensPage, load.purpose != .newEntry, options.mode == .networkFirst,
      page.provenance.source == .saved(.preferred)
    else { return page }
    var page = page
    page.provenance.source = .saved(.reopened)
    return page
  }

  // MARK: Buffered input and results

  /// Shows the first screens of the page until it has been loaded completely; nil stops showing
  /// them.
  mutating func show(firstScreens view: PageView?) { load?.firstScreens = view }

  /// Buffers an input event until the whole page is loaded.
  mutating func buffer(_ event: InputEvent) { load?.bufferedInput.append(event) }

  /// Defers a result of the load while the user is typing or selecting.
  mutating func deferEvent(_ event: LoadEvent) { load?.deferredEvents.append(event) }

  /// Removes and returns the deferred results of the load, in order; nil if there are none.
  mutating func removeDeferredEvents() -> (id: LoadID, events: [LoadEvent])? {
    guard let load, !load.deferredEvents.isEmpty else { return nil }
    self.load?.deferredEvents = []
    return (load.id, load.deferredEvents)
  }

  // MARK: Responses that the user requested

  /// Records that the user requested the response of a load, and the reading position at that time;
  /// if either is nil, no response counts as requested.
  mutating func recordRequest(for load: LoadID?, from position: ReadingPosition?) {
    tabLoads.requestedLoad = load.flatMap { load in position.map { (load, $0) } }
  }

  /// Returns whether the user requested the response of a load and the reading position is
  /// unchanged.
  func isRequested(_ id: LoadID, at position: ReadingPosition?) -> Bool {
    tabLoads.requestedLoad?.load == id && tabLoads.requestedLoad?.position == position
  }

  // MARK: Offline mode

  /// Whether offline mode is on, in which only saved pages are shown.
  var isOffline: Bool { options.mode == .cacheOnly }

  /// Switches between offline mode and the mode in which the program was started, or network-first
  /// mode if it was started offline.
  mutating func toggleOffline() {
    options.mode =
      isOffline ? (startMode == .cacheOnly ? .networkFirst : startMode) : .cacheOnly
  }

  /// Repeats the current load in offline mode, unless it has displayed a part of the page or sends
  /// a form.
  /// - Returns: The identifier of the load that is replaced, and that of the new load with its
  ///   request; nil if no load is repeated.
  mutating func repeatLoadOffline() -> (replaced: LoadID, id: LoadID, request: LoadRequest)? {
    guard isOffline, var repeated = load,
      repeated.purpose.opensPage || repeated.purpose == .openInProgram,
      repeated.request.options.mode != .cacheOnly, repeated.request.webURL != nil,
      repeated.firstScreens == nil, repeated.deferredEvents.isEmpty
    else { return nil }
    let replaced = repeated.id
    repeated.id = nextID()
    repeated.request.options.mode = .cacheOnly
    (repeated.receivedByteCount, repeated.expectedByteCount) = (0, nil)
    repeated.queriedArchiveHost = nil
    load = repeated
    return (replaced, repeated.id, repeated.request)
  }
}
