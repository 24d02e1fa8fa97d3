import Pages
package import Profiles
import Sandbox
import Configuration
package import Crawl
import DOM
import Document
import Foundation
import ReaderMode
package import OfflineCache
import Synchronization

/// Renders pages in a browser, which runs their scripts, and saves the resulting documents.
///
/// The browser has no network. The cache responds to its requests, according to the rules of the
/// user and without cookies or credentials. All functions block.
package struct Renderer: Sendable {
  /// A rendered page.
  package struct Rendered: Sendable, Equatable {
    /// The rendering.
    package var page: RenderedPage
    /// The saved rendering; nil if the page itself must not be saved.
    package var stored: StoredResponse?
  }

  private let profile: Profile
  private let options: LoadOptions
  private var pace: PaceLimits
  private let isCancelled: @Sendable () -> Bool
  private let limits: RenderSession.Limits
  private let standby = BrowserStandby()
  /// Whether no browser can be started because this process is confined.
  package var isConfined = false

  /// Maximum duration of the load of one response, in seconds.
  private static let maxLoadDuration = 15.0
  /// Requests for subresources of a page are sent this many times as often as requests for pages,
  /// since a page that loads its subresources one after the other must be complete within its time
  /// limit.
  private static let partRateFactor = 5
  /// The interval at which cancellation is checked.
  private static let tick = Duration.milliseconds(50)

  /// Creates a renderer.
  /// - Parameters:
  ///   - profile: the profile whose cache responds, and whose archive stores the renderings.
  ///   - options: the load options of the page and its subresources; in the mode `cacheOnly` the
  ///     network is not used.
  ///   - pace: limits of the request rate.
  ///   - isCancelled: returns whether rendering was cancelled; called often, from the thread that
  ///     renders.
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
    self.pace.minGap = pace.minGap / Self.partRateFactor
    (self.limits, self.isCancelled) = (limits, isCancelled)
  }

  /// Renders a page and saves the rendering, unless the page itself must not be saved. A rendering
  /// that is equal to the latest one is not saved again.
  /// - Parameter url: the URL of the page; redirects are followed.
  /// - Returns: the rendering.
  /// - Throws: `RenderFailure`; no rendering is saved then.
  package func render(_ url: WebURL) throws(RenderFailure) -> Rendered {
    guard !profile.isPrivate else { throw .privateSession }
    let document = try document(of: url.withoutFragment.withoutCredentials)
    // A rendering without text is of no use, and would only replace an older one.
    let text = Document(
      bytes: Array(document.markup.utf8), mediaType: "text/html", charset: "utf-8",
      url: document.url)
    guard text.textAmount != .none else { throw .withoutText(refused: document.refusedCount) }
    let page = RenderedPage(
      key: profile.cache.key(of: document.source), url: document.url, browser: document.browser,
      source: document.version, date: Date(), content: Array(document.markup.utf8))
    // If the page must not be saved, neither must its rendering.
    guard document.version != nil else { return Rendered(page: page) }
    // An identical rendering keeps its first date, like a page that has not changed.
    if let latest = latestRendering(of: page.key), latest.isSame(as: page) {
      return Rendered(page: page, stored: latest)
    }
    do throws(ArchiveError) {
      let stored = try profile.cache.archive.append(page)
      Self.recordUse(profile)
      return Rendered(page: page, stored: stored)
    } catch {
      throw .archive(error)
    }
  }

  /// Returns the latest saved rendering of a page; nil if there is none.
  func latestRendering(of url: String) -> StoredResponse? {
    guard let key = profile.cache.key(of: url) else { return nil }
    return try? profile.cache.archive.indexedVersions(of: RenderedPage.key(of: key)).first
  }

  /// Returns whether pages may have to be rendered again, which a confined process cannot do: a
  /// browser is installed, and a page was rendered in this profile before. Opens no database, since
  /// it is called before a command confines itself.
  package static func mayRenderAgain(in profile: Profile) -> Bool {
    access(markerPath(profile), F_OK) == 0
      && ChildProcess.find(profile.settings.render.command) != nil
  }

  private static func recordUse(_ profile: Profile) {
    _ = FileManager.default.createFile(
      atPath: markerPath(profile), contents: nil, attributes: [.posixPermissions: 0o600])
  }

  private static func markerPath(_ profile: Profile) -> String {
    profile.locations.state.appendingPathComponent("rendered").path
  }

  /// Waits until renderings are on the disk.
  func sync() throws(RenderFailure) {
    do throws(ArchiveError) { try profile.cache.archive.sync() } catch { throw .archive(error) }
  }

  // MARK: The browser

  /// Starts the browser for the first page, so that it starts while the page loads. `render(_:)`
  /// reports why it does not start.
  package func start() {
    guard !profile.isPrivate, let browser = try? browser() else { return }
    standby.setBrowser(try? StartedBrowser(browser.path, browser.enclosure))
  }

  /// Ends a browser that was started and not used.
  package func stop() { _ = standby.removeBrowser()?.process.finish() }

  private func browser() throws(RenderFailure) -> (path: String, enclosure: BrowserEnclosure) {
    let command = profile.settings.render.command
    // A missing browser is reported first, since no other command could use it either.
    guard ChildProcess.find(command) != nil else { throw .missing(command: command) }
    guard !isConfined else { throw .confined }
    return try Self.browser(command)
  }

  /// Returns the path and the sandbox of the browser that the `command` setting names.
  static func browser(
    _ command: String
  ) throws(RenderFailure) -> (path: String, enclosure: BrowserEnclosure) {
    guard let path = ChildProcess.find(command) else { throw .missing(command: command) }
    // Tests that run as root set this variable.
    guard geteuid() != 0 || ProcessInfo.processInfo.environment["OFFREAD_TEST_AS_ROOT"] == "1"
    else { throw .asRoot }
    guard let enclosure = BrowserEnclosure.available() else { throw .noSandbox }
    return (path, enclosure)
  }

  private func document(of url: WebURL) throws(RenderFailure) -> RenderSession.Document {
    guard url.isWeb else { throw .notOfTheWeb }
    let started: StartedBrowser
    if let waiting = standby.removeBrowser() {
      started = waiting
    } else {
      let (path, enclosure) = try browser()
      started = try StartedBrowser(path, enclosure)
    }
    let (inbox, process) = (started.inbox, started.process)
    var loads = BrowserLoads(pace: options.mode == .cacheOnly ? nil : pace) { request, number in
      load(request, of: url) { inbox.post(.response(request, $0, load: number)) }
    }
    let result = run(RenderSession(url, limits: limits), process, &loads, inbox)
    loads.cancel()
    let text = process.finish()
    if case .failure(.notStarted("")) = result { throw .notStarted(text) }
    return try result.get()
  }

  private func run(
    _ initialSession: RenderSession, _ process: BrowserProcess, _ loads: inout BrowserLoads,
    _ inbox: RenderInbox
  ) -> Result<RenderSession.Document, RenderFailure> {
    let start = ContinuousClock.now
    var session = initialSession
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
      let nextStartTime = loads.startNext(at: now)
      actions = []
      let deadline = min(session.deadline, nextStartTime, now + Self.tick)
      for event in inbox.receive(timeout: deadline - now) {
        let now = ContinuousClock.now - start
        switch event {
        case .browser(.message(let bytes)):
          if let message = DevToolsMessage(bytes) { actions += session.receive(message, at: now) }
        case .browser(.tooLong): session.messageTooLong()
        case .browser(.closed): session.browserEnded()
        case .response(let request, let response, let load):
          loads.ended(load, of: request, at: now)
          actions += session.receive(request, response, at: now)
        }
      }
      actions += session.tick(at: ContinuousClock.now - start)
    }
  }

  // MARK: The cache

  /// Loads a request of the browser from the cache. Redirects are passed to the browser.
  private func load(
    _ request: BrowserRequest, of page: WebURL, then: @escaping @Sendable (BrowserResponse) -> Void
  ) -> Navigation {
    let cache = profile.cache
    var options = options
    options.isAnonymous = true
    options.isUnattended = true
    options.limitTotal(to: min(options.totalTimeout, Self.maxLoadDuration))
    options.maxSize = min(options.maxSize, Int64(limits.maxBytes))
    options.copy = .latest
    options.isPublicOnly = request.isPublicOnly
    let isNamed = request.isPage && request.url == page
    options.isFromPage = !isNamed
    if isNamed, options.mode != .cacheOnly {
      options.mode = .cacheFirst
    }
    let collected = Mutex<(answer: LoadedResponse?, content: [UInt8])>((nil, []))
    return cache.start(request.request, options: options, maxRedirects: 0) { event in
      switch event {
      case .response(let response, _): collected.withLock { $0 = (response, []) }
      case .data(let bytes): collected.withLock { $0.content += bytes }
      case .finished(let stored):
        let (response, content) = collected.withLock { $0 }
        guard let response else { return then(.failure("no response")) }
        var head = response.response
        head.isFromPublicNetwork = cache.isOnPublicNetwork(request.url)
        then(.response(head, content, version: (response.stored ?? stored)?.id))
      case .failed(let error): then(.failure(error.text.line))
      case .redirected, .refreshed, .checked: break
      }
    }
  }
}

/// A running browser, with the queue of its events.
private struct StartedBrowser: Sendable {
  let inbox: RenderInbox
  let process: BrowserProcess

  init(_ path: String, _ enclosure: BrowserEnclosure) throws(RenderFailure) {
    let inbox = RenderInbox()
    self.inbox = inbox
    process = try BrowserProcess(path, in: enclosure) { inbox.post(.browser($0)) }
  }
}

/// Holds the browser that waits for the first page, if there is one.
private final class BrowserStandby: Sendable {
  private let browser = Mutex<StartedBrowser?>(nil)

  func setBrowser(_ started: StartedBrowser?) { browser.withLock { $0 = started } }

  func removeBrowser() -> StartedBrowser? {
    browser.withLock { browser in
      defer { browser = nil }
      return browser
    }
  }
}

/// The loads of a rendered page, limited to the allowed request rate.
private struct BrowserLoads {
  /// The limiter of the request rate; nil if the network is not used.
  private var pace: SitePace<BrowserRequest>?
  private var running: [Int: Navigation] = [:]
  private var lastNumber = 0
  private let begin: (BrowserRequest, Int) -> Navigation

  init(pace: PaceLimits?, begin: @escaping (BrowserRequest, Int) -> Navigation) {
    self.pace = pace.map { SitePace($0) }
    self.begin = begin
  }

  mutating func add(_ request: BrowserRequest) {
    // The page itself is nearly always in the archive, so its request need not wait.
    guard pace != nil, !request.isPage else { return start(request) }
    pace?.add(request, host: request.url.server)
  }

  /// Starts all loads that may start now.
  /// - Returns: the time at which the next one may start.
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
