import Configuration
package import Crawl
import DOM
import Dispatch
import Document
import Foundation
import ReaderMode
package import OfflineCache
import Synchronization

/// Has a browser run the scripts of pages, and keeps the text that they make.
///
/// The browser has no network: whatever it asks for is answered by the cache, by the rules of the person, and on
/// nobody's behalf. Calls block.
package struct Renderer: Sendable {
  /// What a browser has made of a page.
  package struct Rendered: Sendable, Equatable {
    /// The page.
    package var page: RenderedPage
    /// It as it is saved; nil where the page itself is not to be.
    package var stored: StoredResponse?
  }

  private let profile: Profile
  private let options: LoadOptions
  private var pace: PaceLimits
  private let isCancelled: @Sendable () -> Bool
  private let limits: RenderSession.Limits
  private let standby = BrowserStandby()
  /// Whether no browser can be started, as this process is confined.
  package var isConfined = false

  /// The longest that one answer takes, in seconds.
  private static let longestLoad = 15.0
  /// The parts of a page are asked for in quicker succession than pages are, as a page that asks for one after
  /// the other has to be there within its time.
  private static let partsTogether = 5
  /// How often somebody is asked whether to go on.
  private static let tick = Duration.milliseconds(50)

  /// Prepares to render.
  /// - Parameters:
  ///   - profile: whose cache answers, and whose archive keeps what is made.
  ///   - options: how the page is loaded, and so all that it asks for; in the mode `cacheOnly` nothing is asked of
  ///     the network.
  ///   - pace: how much is asked of sites at once.
  ///   - isCancelled: whether nobody waits any more; asked often, from the thread that renders.
  package init(
    profile: Profile, options: LoadOptions, pace: PaceLimits = PaceLimits(),
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.init(
      profile: profile, options: options, pace: pace, limits: RenderSession.Limits(),
      isCancelled: isCancelled)
  }

  init(
    profile: Profile, options: LoadOptions, pace: PaceLimits = PaceLimits(),
    limits: RenderSession.Limits, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.profile, self.options) = (profile, options)
    self.pace = pace
    self.pace.gap = pace.gap / Self.partsTogether
    (self.limits, self.isCancelled) = (limits, isCancelled)
  }

  /// Has the scripts of a page run, and saves what they make beside the page.
  /// - Parameter url: the page; a redirect is followed.
  /// - Returns: what was made.
  /// - Throws: `RenderFailure`; nothing is changed then.
  package func render(_ url: WebURL) throws(RenderFailure) -> Rendered {
    guard !profile.isPrivate else { throw .inPrivate }
    let document = try document(of: url.withoutFragment.withoutCredentials)
    // A rendering is there to be read: one without text would only take the place of an older one.
    let text = Document(
      bytes: Array(document.markup.utf8), mediaType: "text/html", charset: "utf-8",
      url: document.url)
    guard text.ownText != .none else { throw .withoutText(refused: document.refused) }
    let page = RenderedPage(
      key: profile.cache.key(of: document.source), url: document.url, browser: document.browser,
      source: document.version, date: Date(), content: Array(document.markup.utf8))
    // What is not saved of a page is not saved in another form.
    guard document.version != nil else { return Rendered(page: page) }
    // What scripts make again has the date of the first time, as a page that has not changed.
    if let latest = latest(of: page.key), latest.isSame(as: page) {
      return Rendered(page: page, stored: latest)
    }
    do throws(ArchiveError) {
      let stored = try profile.cache.archive.append(page)
      Self.mark(profile)
      return Rendered(page: page, stored: stored)
    } catch {
      throw .archive(error)
    }
  }

  /// What was made of a page before; nil when nothing was.
  func latest(of url: String) -> StoredResponse? {
    guard let key = profile.cache.key(of: url) else { return nil }
    return try? profile.cache.archive.known(of: RenderedPage.key(of: key)).first
  }

  /// Whether pages may have to be rendered again, which nobody can do who is confined: there is a browser, and
  /// something was rendered here. It opens nothing, as it is asked before a command gives up its rights.
  package static func mayRenderAgain(in profile: Profile) -> Bool {
    access(marker(profile), F_OK) == 0
      && ChildProcess.find(profile.settings.render.command) != nil
  }

  private static func mark(_ profile: Profile) {
    _ = FileManager.default.createFile(
      atPath: marker(profile), contents: nil, attributes: [.posixPermissions: 0o600])
  }

  private static func marker(_ profile: Profile) -> String {
    profile.locations.state.appendingPathComponent("rendered").path
  }

  /// Waits until what was made is on the disk.
  func sync() throws(RenderFailure) {
    do throws(ArchiveError) { try profile.cache.archive.sync() } catch { throw .archive(error) }
  }

  // MARK: The browser

  /// Starts the browser for the first page, which loads at the same time; why it does not start is told by the
  /// rendering.
  package func start() {
    guard !profile.isPrivate, let browser = try? browser() else { return }
    standby.put(try? StartedBrowser(browser.path, browser.enclosure))
  }

  /// Ends a browser that was started and had nothing to do.
  package func stop() { _ = standby.take()?.process.finish() }

  private func browser() throws(RenderFailure) -> (path: String, enclosure: BrowserEnclosure) {
    let command = profile.settings.render.command
    // Why nobody can do it comes first: without a browser here, no command does.
    guard ChildProcess.find(command) != nil else { throw .missing(command: command) }
    guard !isConfined else { throw .confined }
    return try Self.browser(command)
  }

  /// The browser that a command of the settings names.
  static func browser(
    _ command: String
  ) throws(RenderFailure) -> (path: String, enclosure: BrowserEnclosure) {
    guard let path = ChildProcess.find(command) else { throw .missing(command: command) }
    // The tests say by this that they know what they do.
    guard geteuid() != 0 || ProcessInfo.processInfo.environment["OFFREAD_TEST_AS_ROOT"] == "1"
    else { throw .asRoot }
    guard let enclosure = BrowserEnclosure.available() else { throw .unenclosed }
    return (path, enclosure)
  }

  private func document(of url: WebURL) throws(RenderFailure) -> RenderSession.Document {
    guard url.isWeb else { throw .notOfTheWeb }
    let started: StartedBrowser
    if let waiting = standby.take() {
      started = waiting
    } else {
      let (path, enclosure) = try browser()
      started = try StartedBrowser(path, enclosure)
    }
    let (inbox, process) = (started.inbox, started.process)
    var loads = BrowserLoads(pace: options.mode == .cacheOnly ? nil : pace) { request, number in
      load(request, of: url) { inbox.post(.answer(request, $0, load: number)) }
    }
    let result = run(RenderSession(url, limits: limits), process, &loads, inbox)
    loads.cancel()
    let words = process.finish()
    if case .failure(.notStarted("")) = result { throw .notStarted(words) }
    return try result.get()
  }

  private func run(
    _ fresh: RenderSession, _ process: BrowserProcess, _ loads: inout BrowserLoads,
    _ inbox: RenderInbox
  ) -> Result<RenderSession.Document, RenderFailure> {
    let start = ContinuousClock.now
    var session = fresh
    var actions = session.start()
    while true {
      let now = ContinuousClock.now - start
      for action in actions {
        switch action {
        case .load(let request): loads.add(request)
        case .send(let bytes): if !process.send(bytes) { session.browserEnded() }
        }
      }
      if let result = session.result { return result }
      if isCancelled() { return .failure(.cancelled) }
      let next = loads.startNext(at: now)
      actions = []
      let deadline = min(session.deadline, next, now + Self.tick)
      for event in inbox.take(within: deadline - now) {
        let now = ContinuousClock.now - start
        switch event {
        case .browser(.message(let bytes)):
          if let message = DevToolsMessage(bytes) { actions += session.receive(message, at: now) }
        case .browser(.tooLong): session.messageTooLong()
        case .browser(.closed): session.browserEnded()
        case .answer(let request, let answer, let load):
          loads.ended(load, of: request, at: now)
          actions += session.answer(request, answer, at: now)
        }
      }
      actions += session.tick(at: ContinuousClock.now - start)
    }
  }

  // MARK: The cache

  /// Asks the cache for what the browser asks for; a redirect is given to the browser as it is.
  private func load(
    _ request: BrowserRequest, of page: WebURL, then: @escaping @Sendable (BrowserAnswer) -> Void
  ) -> Navigation {
    let cache = profile.cache
    var options = options
    options.isAnonymous = true
    options.isUnattended = true
    options.limitTotal(to: min(options.totalTimeout, Self.longestLoad))
    options.sizeLimit = min(options.sizeLimit, Int64(limits.bytes))
    options.copy = .latest
    options.isPublicOnly = request.isPublicOnly
    let isNamed = request.isPage && request.url == page
    options.isPageNamed = !isNamed
    if isNamed, options.mode != .cacheOnly {
      options.mode = .cacheFirst
    }
    let collected = Mutex<(answer: Answer?, content: [UInt8])>((nil, []))
    return cache.start(request.request, options: options, maxRedirects: 0) { event in
      switch event {
      case .response(let answer, _): collected.withLock { $0 = (answer, []) }
      case .data(let bytes): collected.withLock { $0.content += bytes }
      case .finished(let stored):
        let (answer, content) = collected.withLock { $0 }
        guard let answer else { return then(.failure("no answer")) }
        var head = answer.response
        head.isFromPublicNetwork = cache.isOnPublicNetwork(request.url)
        then(.response(head, content, version: (answer.stored ?? stored)?.id))
      case .failed(let error): then(.failure(error.text.line))
      case .redirected, .refreshed, .checked: break
      }
    }
  }
}

/// A browser that was started, with what it says.
private struct StartedBrowser: Sendable {
  let inbox: RenderInbox
  let process: BrowserProcess

  init(_ path: String, _ enclosure: BrowserEnclosure) throws(RenderFailure) {
    let inbox = RenderInbox()
    self.inbox = inbox
    process = try BrowserProcess(path, in: enclosure) { inbox.post(.browser($0)) }
  }
}

/// The browser that waits for the first page, if one does.
private final class BrowserStandby: Sendable {
  private let browser = Mutex<StartedBrowser?>(nil)

  func put(_ started: StartedBrowser?) { browser.withLock { $0 = started } }

  func take() -> StartedBrowser? {
    browser.withLock { browser in
      defer { browser = nil }
      return browser
    }
  }
}

/// What the browser and the cache bring to the thread that waits for both.
final class RenderInbox: Sendable {
  enum Event: Sendable {
    case browser(BrowserProcess.Arrival)
    case answer(BrowserRequest, BrowserAnswer, load: Int)
  }

  private let events = Mutex<[Event]>([])
  private let count = DispatchSemaphore(value: 0)

  func post(_ event: Event) {
    events.withLock { $0.append(event) }
    count.signal()
  }

  /// Waits for the next events, not longer than a time.
  func take(within time: Duration) -> [Event] {
    let (seconds, attoseconds) = max(.zero, time).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    guard count.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return [] }
    let taken = events.withLock { events in
      defer { events = [] }
      return events
    }
    for _ in taken.dropFirst() { count.wait() }
    return taken
  }
}

/// The loads of a page that is rendered: they start at the pace at which sites are asked.
private struct BrowserLoads {
  /// Nil where no site is asked.
  private var pace: SitePace<BrowserRequest>?
  private var running: [Int: Navigation] = [:]
  private var lastNumber = 0
  private let begin: (BrowserRequest, Int) -> Navigation

  init(pace: PaceLimits?, begin: @escaping (BrowserRequest, Int) -> Navigation) {
    self.pace = pace.map { SitePace($0) }
    self.begin = begin
  }

  mutating func add(_ request: BrowserRequest) {
    // The archive has it, nearly always.
    guard pace != nil, !request.isPage else { return start(request) }
    pace?.add(request, host: request.url.server)
  }

  /// Starts what may start.
  /// - Returns: when the next one may.
  mutating func startNext(at now: Duration) -> Duration {
    while true {
      switch pace?.next(at: now) {
      case .start(let request, _)?: start(request)
      case .wait(let instant)?: return instant
      case .abandon(let request, _, _)?: start(request)
      case .waitForEnd?, .done?, nil: return .seconds(3600)
      }
    }
  }

  mutating func ended(_ number: Int, of request: BrowserRequest, at now: Duration) {
    running[number] = nil
    if !request.isPage { pace?.ended(host: request.url.server, at: now, .ended) }
  }

  func cancel() { running.values.forEach { $0.cancel() } }

  private mutating func start(_ request: BrowserRequest) {
    lastNumber += 1
    running[lastNumber] = begin(request, lastNumber)
  }
}
