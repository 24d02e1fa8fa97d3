import Configuration
@testable import Saving
@testable import Crawl
@testable import Library
import Dispatch
import Foundation
import OfflineCache
import Synchronization
import TestNetwork
import TestSupport
import Testing

@testable import Pages
@testable import Profiles
@testable import Reader
@testable import Sandbox

/// The queue is fetched while pages are read.
@Suite struct QueueFetcherTests {
  /// The events of a fetcher.
  private final class Listener: Sendable {
    private let events = Mutex<[QueueFetcher.Event]>([])
    private let count = DispatchSemaphore(value: 0)

    func receive(_ event: QueueFetcher.Event) {
      events.withLock { $0.append(event) }
      count.signal()
    }

    /// Returns the next event, waiting at most a minute.
    func next() -> QueueFetcher.Event? {
      guard count.wait(timeout: .now() + 60) == .success else { return nil }
      return events.withLock { $0.removeFirst() }
    }
  }

  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
    for path in ["a", "b", "c"] { network.add("https://x.example/\(path)", "<h1>\(path)</h1>") }
  }

  private func fetcher(
    _ profile: Profile, mode: LoadMode = .networkFirst, start: Duration = .zero
  ) -> QueueFetcher {
    var options = LoadOptions()
    options.mode = mode
    var limits = PaceLimits()
    limits.minGap = .zero
    var pace = QueuePace()
    (pace.startDelay, pace.networkDelay, pace.initialDelay) = (start, .zero, .milliseconds(5))
    pace.maxDelay = .milliseconds(20)
    return QueueFetcher(profile, options: options, limits: limits, pace: pace)
  }

  private func enqueue(_ paths: String..., in profile: Profile) throws {
    try profile.library.record(
      paths.map { LibraryChange("https://x.example/\($0)", .queued, "") })
  }

  @Test func `queued pages are counted and fetched, and arrivals are reported`() throws {
    let profile = files.open(network)
    try enqueue("a", "b", "none", in: profile)
    let listener = Listener()
    let fetcher = fetcher(profile)
    fetcher.start(listener.receive)
    #expect(listener.next() == .waiting(3))
    #expect(listener.next() == .arrived(["https://x.example/a", "https://x.example/b"]))
    #expect(listener.next() == .waiting(1))
    fetcher.stop()
    #expect(try profile.library.pages(with: .queued).map(\.key) == ["https://x.example/none"])
    #expect(try profile.library.count(with: .pinned) == 0)
    profile.close()
  }

  @Test func `without a network the fetch is retried until there is one`() throws {
    network.setDown(true)
    let profile = files.open(network)
    try enqueue("a", in: profile)
    let listener = Listener()
    let fetcher = fetcher(profile)
    fetcher.start(listener.receive)
    #expect(listener.next() == .waiting(1))
    // The second request is a retry.
    network.waitForRequests(2)
    network.setDown(false)
    #expect(listener.next() == .arrived(["https://x.example/a"]))
    #expect(listener.next() == .waiting(0))
    fetcher.stop()
    profile.close()
  }

  @Test func `the read hook is called after a server has responded, and a failure is reported`()
    throws
  {
    let hook = files.directory.appendingPathComponent("hook")
    try FileManager.default.createDirectory(
      at: files.directory, withIntermediateDirectories: true)
    try ShellScript.write("echo no such item\nexit 3", to: hook.path)
    var settings = Settings()
    settings.hooks.readCommand = HookCommand(words: [hook.path])
    let profile = files.open(network, settings: settings)
    try profile.library.record(
      LibraryChange.marking("https://x.example/a", isRead: true, callsHook: true))
    let listener = Listener()
    let fetcher = fetcher(profile)
    fetcher.reportNetwork()
    fetcher.start(listener.receive)
    #expect(listener.next() == .hookFailed(1, reason: "exit status 3: no such item"))
    fetcher.stop()
    #expect(try profile.library.hookCalls().first?.state.failure?.attempts == 1)
    #expect(network.requests.isEmpty)
    profile.close()
  }

  @Test func `an error is reported once, and the queue is fetched when it is over`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    try enqueue("a", in: profile)
    // A directory cannot be locked.
    let lock = profile.locations.state.appendingPathComponent("sync.lock")
    try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: true)
    let listener = Listener()
    let fetcher = fetcher(profile)
    fetcher.start(listener.receive)
    #expect(listener.next() == .waiting(1))
    guard case .failed(let reason) = listener.next() else {
      Issue.record("no error is reported")
      return fetcher.stop()
    }
    #expect(reason.contains("sync.lock"), "\(reason)")
    #expect(network.requests.isEmpty)
    try FileManager.default.removeItem(at: lock)
    #expect(listener.next() == .arrived(["https://x.example/a"]))
    fetcher.stop()
  }

  @Test func `a sync of another process is not reported as an error`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    try enqueue("a", in: profile)
    var lock = try SyncLock(in: profile.locations.state)
    try #require(lock != nil)
    let listener = Listener()
    let fetcher = fetcher(profile)
    fetcher.start(listener.receive)
    #expect(listener.next() == .waiting(1))
    lock = nil
    #expect(listener.next() == .arrived(["https://x.example/a"]))
    fetcher.stop()
  }

  @Test func `nothing is requested in offline mode`() throws {
    let profile = files.open(network)
    try enqueue("a", in: profile)
    let listener = Listener()
    let fetcher = fetcher(profile, mode: .cacheOnly)
    fetcher.start(listener.receive)
    #expect(listener.next() == .waiting(1))
    fetcher.reportNetwork()
    fetcher.reportChange()
    #expect(network.requests.isEmpty)
    fetcher.setPaused(false)
    #expect(listener.next() == .arrived(["https://x.example/a"]))
    fetcher.stop()
    profile.close()
  }

  @Test func `a page queued meanwhile is counted, and fetched after another page has arrived`()
    throws
  {
    let profile = files.open(network)
    let listener = Listener()
    let fetcher = fetcher(profile)
    fetcher.start(listener.receive)
    try enqueue("b", in: profile)
    fetcher.reportChange()
    #expect(listener.next() == .waiting(1))
    #expect(listener.next() == .arrived(["https://x.example/b"]))
    #expect(listener.next() == .waiting(0))
    fetcher.stop()
    let asked = network.requests.count
    // Nothing is done after the end.
    try enqueue("c", in: profile)
    fetcher.reportNetwork()
    fetcher.reportChange()
    fetcher.start(listener.receive)
    fetcher.stop()
    #expect(network.requests.count == asked)
    profile.close()
  }

  @Test func `the queue is left to a running sync`() throws {
    let profile = files.open(network)
    try enqueue("a", in: profile)
    let listener = Listener()
    var lock = try SyncLock(in: profile.locations.state)
    #expect(lock != nil)
    let fetcher = fetcher(profile)
    fetcher.start(listener.receive)
    #expect(listener.next() == .waiting(1))
    #expect(network.requests.isEmpty)
    lock = nil
    #expect(listener.next() == .arrived(["https://x.example/a"]))
    fetcher.stop()
    profile.close()
  }

  @Test func `retries become rarer while nothing responds`() {
    var pace = QueuePace()
    let delays = (0..<8).map { _ in pace.next(afterTryThatReached: false).components.seconds }
    #expect(delays == [30, 60, 120, 240, 480, 900, 900, 900])
    #expect(pace.afterResponse() == .seconds(1))
    #expect(pace.afterResponse() == nil)
    #expect(pace.next(afterTryThatReached: true) == .seconds(300))
    #expect(pace.next(afterTryThatReached: false) == .seconds(30))
  }

  @Test func `a fetch of many queued pages ends early if no host can be reached`() throws {
    network.setDown(true)
    let profile = files.open(network)
    try profile.library.record(
      (0..<300).map { LibraryChange("https://x\($0).example/", .queued, "") })
    let plan = try SyncPlan(queueOf: profile, now: Date())
    var request = plan.request(LoadOptions())
    request.givesUpUnreached = true
    request.pace.minGap = .zero
    let report = PageSaver(request, in: profile).run()
    #expect(report.isInterrupted && report.pageCount >= 4 && report.pageCount < 60)
    #expect(try profile.library.count(with: .queued) == 300)
    profile.close()
  }

  @Test func `showing a page of the library marks it as read`() throws {
    let profile = files.open(network)
    var request = SaveRequest(pages: ["https://x.example/a", "https://x.example/b"])
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    #expect(try profile.library.page("https://x.example/a").isUnread)
    let loader = PageLoader(profile: profile, queuesMissingPages: true)
    let end = DispatchSemaphore(value: 0)
    let load = loader.load(LoadRequest("https://x.example/a#part")) { event in
      if case .loaded = event { end.signal() }
    }
    end.wait()
    loader.finishRecording()
    #expect(try !profile.library.page("https://x.example/a").isUnread)
    #expect(try profile.library.page("https://x.example/b").isUnread)
    withExtendedLifetime(load) {}
    profile.close()
  }
}
