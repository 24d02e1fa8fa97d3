import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Fallback delays, modes and cancellation")
struct FallbackDelayTests {
  static let url = "http://site.test/"

  /// Returns a cache with a copy of the page, and a network that does not respond.
  private func fixture(
    _ fields: [(String, String)] = []
  ) -> (fixture: CacheFixture, network: ScriptedTransport) {
    let isFirst = Mutex(true)
    let network = ScriptedTransport { _ in
      isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst ? .response(200, fields, "old") : .hold
      }
    }
    let fixture = CacheFixture(network)
    fixture.load(Self.url)
    fixture.advance(3600)
    return (fixture, network)
  }

  @Test func `the copy is served if the header takes too long, and the newer version follows`()
    throws
  {
    let (fixture, network) = fixture()
    let record = fixture.begin(Self.url) { $0.fallbackDelay = 0 }
    let result = record.waitForEnd()
    #expect(result.text == "old")
    #expect(result.cacheStatus == "OfflineCache; hit; ttl=-3600; detail=waiting")
    #expect(result.response?.source == .saved(.waiting))
    network.release(TransportEvent.response(200, [], "new"))
    guard case .refreshed(let stored)? = record.waitForFollowUp().followUp else {
      Issue.record("no newer version: \(String(describing: record.current.followUp))")
      return
    }
    #expect(stored.isGood)
    #expect(fixture.load(Self.url) { $0.mode = .cacheOnly }.text == "new")
  }

  struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let events: [TransportEvent]
    let result: StoredResponse.Check.Result
  }

  static let endings: [Ending] = [
    .init(testDescription: "304", events: TransportEvent.response(304), result: .unchanged),
    .init(
      testDescription: "the same content", events: TransportEvent.response(200, [], "old"),
      result: .unchanged),
    .init(testDescription: "503", events: TransportEvent.response(503), result: .status(503)),
    .init(
      testDescription: "511", events: TransportEvent.response(511), result: .suspect(.signInPage)),
    .init(
      testDescription: "a failure", events: [.failed(TransportFailure(.timedOut, "late"))],
      result: .failed(TransportFailure(.timedOut, "late"))),
    .init(
      testDescription: "a cut answer",
      events: [
        .response(ResponseHead(status: 200)), .data([65]),
        .failed(TransportFailure(.incomplete, "cut")),
      ], result: .failed(TransportFailure(.incomplete, "cut"))),
  ]

  @Test(arguments: endings)
  func `a background revalidation without new content reports its result`(_ row: Ending) throws {
    let (fixture, network) = fixture([("ETag", "\"1\"")])
    let record = fixture.begin(Self.url) { $0.fallbackDelay = 0 }
    #expect(record.waitForEnd().text == "old")
    network.release(row.events)
    guard case .checked(let check)? = record.waitForFollowUp().followUp else {
      Issue.record("not checked: \(String(describing: record.current.followUp))")
      return
    }
    #expect(check.result == row.result)
    #expect(check.date == fixture.now)
  }

  @Test func `background revalidations can be stopped`() {
    let (fixture, _) = fixture()
    let record = fixture.begin(Self.url) { $0.fallbackDelay = 0 }
    #expect(record.waitForEnd().text == "old")
    fixture.cache.stopRevalidations()
    // The server never responds.
    #expect(fixture.cache.finishBackgroundWork(timeout: 10))
    #expect(record.current.followUp == nil)
  }

  @Test func `the fallback delay ends with the header, or with the content if requested`() {
    let (fixture, network) = fixture()
    let record = fixture.begin(Self.url) {
      $0.fallbackDelay = 0.02
      $0.fallbackDelayCoversContent = true
    }
    // The response header alone does not end the fallback delay. The rest of the response arrives
    // only after the copy was served.
    network.release([.response(ResponseHead(status: 200)), .data([65])])
    #expect(record.waitForEnd().text == "old")
    #expect(record.current.response?.source == .saved(.waiting))
    record.load.withLock(\.self)?.abort()
    fixture.cache.finishBackgroundWork(timeout: 10)
  }

  @Test func `the copy is served after a pause in the content if requested`() {
    let (fixture, network) = fixture()
    let record = fixture.begin(Self.url) { $0.pauseFallbackDelay = 0 }
    let exchange = network.next()
    exchange.receive(.response(ResponseHead(status: 200)))
    exchange.receive(.data([65]))
    let result = record.waitForEnd()
    #expect(result.text == "old" && result.response?.source == .saved(.waiting))
    // A response that still arrives completely is saved.
    exchange.receive(.data([66]))
    exchange.receive(.finished)
    guard case .refreshed = record.waitForFollowUp().followUp else {
      Issue.record("the rest of the response is lost")
      return
    }
    #expect(fixture.load(Self.url) { $0.mode = .cacheOnly }.text == "AB")
  }

  @Test func `a transfer that makes progress is waited for`() {
    let (fixture, network) = fixture()
    let record = fixture.begin(Self.url) { ($0.fallbackDelay, $0.pauseFallbackDelay) = (600, 600) }
    let exchange = network.next()
    exchange.receive(.response(ResponseHead(status: 200)))
    for byte in UInt8(65)..<75 { exchange.receive(.data([byte])) }
    exchange.receive(.finished)
    let result = record.waitForEnd()
    #expect(result.text == "ABCDEFGHIJ" && result.response?.source == .network)
  }

  @Test func `with a fallback copy, a new response is delivered only when complete`() {
    let (fixture, network) = fixture()
    let record = fixture.begin(Self.url)
    network.release([
      .response(ResponseHead(status: 200)), .data([65]),
      .failed(TransportFailure(.incomplete)),
    ])
    let result = record.waitForEnd()
    #expect(result.text == "old")
    #expect(result.cacheStatus == "OfflineCache; hit; ttl=-3600; detail=error")
  }

  @Test func `without a copy, a response is streamed, and a truncated one fails and is not stored`()
    throws
  {
    let network = ScriptedTransport { _ in
      .events([
        .response(ResponseHead(status: 200)), .data([65]),
        .failed(TransportFailure(.incomplete)),
      ])
    }
    let fixture = CacheFixture(network)
    let result = fixture.load(Self.url)
    #expect(result.text == "A")
    #expect(result.error?.failureKind == .incomplete)
    #expect(try fixture.cache.archive.captures(of: Self.url).isEmpty)
  }

  @Test func `cache-first serves any copy without a request`() {
    let (fixture, network) = fixture()
    let result = fixture.load(Self.url) { $0.mode = .cacheFirst }
    #expect(result.text == "old")
    #expect(result.cacheStatus == "OfflineCache; hit; ttl=-3600")
    #expect(network.sent.count == 1)
  }

  @Test(arguments: [true, false])
  func `stale-while-revalidate serves the copy immediately and revalidates it`(_ byMode: Bool) {
    let directive = [("Cache-Control", "max-age=1, stale-while-revalidate=9999")]
    let (fixture, network) = fixture(byMode ? [] : directive)
    let record = fixture.begin(Self.url) { if byMode { $0.mode = .staleWhileRevalidate } }
    #expect(record.waitForEnd().text == "old")
    network.release(TransportEvent.response(200, [], "new"))
    guard case .refreshed? = record.waitForFollowUp().followUp else {
      Issue.record("no newer version")
      return
    }
  }

  @Test func `network-only ignores saved copies and stores responses`() {
    let (fixture, network) = fixture([("Cache-Control", "max-age=99999")])
    let record = fixture.begin(Self.url) {
      $0.mode = .networkOnly
      $0.fallbackDelay = 0
    }
    network.release(TransportEvent.response(200, [], "new"))
    #expect(record.waitForEnd().text == "new")
    #expect(record.current.cacheStatus == "OfflineCache; fwd=bypass; fwd-status=200; stored")
    #expect(fixture.load(Self.url) { $0.mode = .cacheOnly }.text == "new")
  }

  @Test func `cache-only never accesses the network`() {
    let (fixture, network) = fixture()
    let saved = fixture.load(Self.url) { $0.mode = .cacheOnly }
    #expect(saved.cacheStatus == "OfflineCache; hit; ttl=-3600; detail=offline")
    #expect(fixture.load(Self.url + "x") { $0.mode = .cacheOnly }.error == .notSaved)
    #expect(network.sent.count == 1)
  }

  @Test func `only-if-cached gives a 504 if no stored response may be used`() {
    let (fixture, _) = fixture()
    let result = fixture.load(Self.url, [("Cache-Control", "only-if-cached")])
    #expect(result.status == 504)
    #expect(result.body.isEmpty)
  }

  @Test func `cancelling before a response ends the load without events`() {
    let (fixture, _) = fixture()
    let record = fixture.begin(Self.url + "new")
    record.load.withLock(\.self)?.cancel()
    #expect(fixture.cache.finishBackgroundWork(timeout: 10))
    #expect(record.current.response == nil)
    #expect(record.current.error == nil)
  }

  @Test func `cancelling after the copy was served lets the revalidation finish and be saved`() {
    let (fixture, network) = fixture()
    let record = fixture.begin(Self.url) { $0.fallbackDelay = 0 }
    _ = record.waitForEnd()
    record.load.withLock(\.self)?.cancel()
    network.release(TransportEvent.response(200, [], "new"))
    #expect(fixture.cache.finishBackgroundWork(timeout: 10))
    #expect(record.current.followUp == nil)
    #expect(fixture.load(Self.url) { $0.mode = .cacheOnly }.text == "new")
  }

  @Test func `background work that takes too long is stopped`() {
    let (fixture, _) = fixture()
    let record = fixture.begin(Self.url) { $0.fallbackDelay = 0 }
    _ = record.waitForEnd()
    #expect(!fixture.cache.finishBackgroundWork(timeout: 0))
    #expect(fixture.cache.finishBackgroundWork(timeout: 0))
  }

  @Test func `closing a cache fails new and running loads`() {
    let (fixture, _) = fixture()
    let record = fixture.begin(Self.url + "new")
    fixture.cache.close()
    #expect(record.waitForEnd().error?.failureKind == .cancelled)
    #expect(fixture.load(Self.url).error == .closed)
  }

  @Test func `credentials in a URL are sent, but never stored`() throws {
    let network = ScriptedTransport { _ in .response(200, [], "mine") }
    let fixture = CacheFixture(network)
    fixture.load("http://user:p%40ss@site.test/a")
    let sent = try #require(network.sent.first)
    #expect(sent.url == "http://site.test/a")
    #expect(sent.fields["Authorization"] == "Basic " + Data("user:p@ss".utf8).base64EncodedString())
    let stored = try #require(
      try fixture.cache.archive.captures(of: "http://site.test/a").first)
    #expect(stored.varying.first?.value?.hasPrefix("hmac-sha256:") == true)
    #expect(fixture.load("http://site.test/a") { $0.mode = .cacheOnly }.error == .notSaved)
  }

  @Test func `a successful unsafe request makes the stored response stale`() {
    let network = ScriptedTransport { _ in .response(200, [("Cache-Control", "max-age=99")], "x") }
    let fixture = CacheFixture(network)
    fixture.load(Self.url)
    fixture.load(Self.url)
    #expect(network.sent.count == 1)
    #expect(
      fixture.load(Self.url, method: "POST").cacheStatus
        == "OfflineCache; fwd=method; fwd-status=200")
    fixture.load(Self.url)
    #expect(network.sent.count == 3)
  }

  @Test func `at most a window of content is buffered for a slow client`() {
    let content = String(repeating: "0123456789abcdef", count: 1 << 18)
    let network = ScriptedTransport { _ in
      .response(200, [("Cache-Control", "max-age=99")], content)
    }
    let fixture = CacheFixture(network)
    fixture.load(Self.url)
    let state = Mutex((received: 0, acknowledged: 0, worst: 0))
    let isFull = Gate()
    let record = LoadRecord()
    let step = RedirectStep(request: WebRequest(url: Self.url), options: LoadOptions())
    let load = fixture.cache.load(step, acknowledgesManually: true) { event in
      if case .data(let bytes) = event {
        state.withLock { state in
          state.received += bytes.count
          state.worst = max(state.worst, state.received - state.acknowledged)
          if state.received >= FlowWindow.size { isFull.open() }
        }
      }
      record.receive(event)
    }
    isFull.wait()
    for _ in 0..<content.utf8.count / 65_536 {
      state.withLock { $0.acknowledged += 65_536 }
      load.acknowledge(65_536)
    }
    #expect(record.waitForEnd().body.count == content.utf8.count)
    #expect(state.withLock(\.worst) < FlowWindow.size + 65_536)
  }

  @Test func `HEAD is served from a fresh stored GET response, without content`() {
    let network = ScriptedTransport { _ in .response(200, [("Cache-Control", "max-age=99")], "x") }
    let fixture = CacheFixture(network)
    fixture.load(Self.url)
    let result = fixture.load(Self.url, method: "HEAD")
    #expect(result.cacheStatus == "OfflineCache; hit; ttl=99")
    #expect(result.body.isEmpty)
    #expect(network.sent.count == 1)
  }

  @Test func `a client that has the fresh response gets a 304`() {
    let fields = [("Cache-Control", "max-age=99"), ("ETag", "\"1\"")]
    let network = ScriptedTransport { _ in .response(200, fields, "x") }
    let fixture = CacheFixture(network)
    fixture.load(Self.url)
    let result = fixture.load(Self.url, [("If-None-Match", "W/\"1\"")])
    #expect(result.status == 304)
    #expect(result.body.isEmpty)
  }
}
