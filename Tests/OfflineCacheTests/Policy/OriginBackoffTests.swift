import Foundation
import Synchronization
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Recently unreachable origins")
struct OriginBackoffTests {
  static let start = Date(timeIntervalSince1970: 1_700_000_000)
  static let origin = "http://site.test"

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let outcomes: [(TransportFailure.Kind?, TimeInterval)]
    let requestDelay: TimeInterval
    let isBlocked: Bool

    init(
      _ testDescription: String, _ outcomes: [(TransportFailure.Kind?, TimeInterval)],
      at requestDelay: TimeInterval, blocked isBlocked: Bool
    ) {
      self.testDescription = testDescription
      self.outcomes = outcomes
      self.requestDelay = requestDelay
      self.isBlocked = isBlocked
    }
  }

  static let rows: [Row] = [
    Row("nothing is known", [], at: 0, blocked: false),
    Row("refused just now", [(.connectionRefused, 0)], at: 0, blocked: true),
    Row("refused 29.9 s ago", [(.connectionRefused, 0)], at: 29.9, blocked: true),
    Row("refused 30 s ago", [(.connectionRefused, 0)], at: 30, blocked: false),
    Row("no address", [(.hostNotFound, 0)], at: 1, blocked: true),
    Row("no network", [(.noNetwork, 0)], at: 1, blocked: true),
    Row("no route", [(.hostUnreachable, 0)], at: 1, blocked: true),
    Row("no connection in time", [(.connectTimedOut, 0)], at: 1, blocked: true),
    Row("connected, but slow", [(.timedOut, 0)], at: 1, blocked: false),
    Row("connected, but cut", [(.incomplete, 0)], at: 1, blocked: false),
    Row("connected, but not trusted", [(.notTrusted, 0)], at: 1, blocked: false),
    Row("it answered since", [(.connectionRefused, 0), (nil, 1)], at: 2, blocked: false),
    Row("it was connected since", [(.hostNotFound, 0), (.timedOut, 1)], at: 2, blocked: false),
    Row("cancelling says nothing", [(.hostNotFound, 0), (.cancelled, 1)], at: 2, blocked: true),
    Row(
      "refused twice", [(.connectionRefused, 0), (.connectionRefused, 20)], at: 45, blocked: true),
    Row("the clock was set back", [(.connectionRefused, 0)], at: -1, blocked: false),
  ]

  @Test(arguments: rows)
  func `an unreachable origin is not requested again for 30 s`(_ row: Row) {
    var backoff = OriginBackoff()
    for (kind, seconds) in row.outcomes {
      backoff.record(
        kind.map { TransportFailure($0, "why") }, of: Self.origin, now: Self.start + seconds)
    }
    let failure = backoff.failure(of: Self.origin, now: Self.start + row.requestDelay)
    #expect((failure != nil) == row.isBlocked)
    #expect(failure.map { $0.message == "why" } ?? true)
    #expect(backoff.failure(of: "https://site.test", now: Self.start + row.requestDelay) == nil)
  }

  /// The results of requests to two sites, and whether each counts as unreachable.
  static let outageRows: [(String, [(String, TransportFailure.Kind?)], a: Bool, b: Bool)] = [
    ("nothing is known", [], false, false),
    ("refused by one", [("a", .connectionRefused)], true, false),
    ("one was too slow", [("a", .timedOut)], true, false),
    ("one answered again", [("a", .timedOut), ("a", nil)], false, false),
    ("no way into the network", [("a", .noNetwork)], true, true),
    ("another one answered since", [("a", .noNetwork), ("b", nil)], true, false),
    ("another one refused since", [("a", .noNetwork), ("b", .connectionRefused)], true, true),
    ("cancelled", [("a", .cancelled)], false, false),
    ("an answer too large for us", [("a", .tooLarge)], false, false),
  ]

  @Test(arguments: outageRows)
  func `an origin counts as unreachable until it responds`(
    _ name: String, outcomes: [(String, TransportFailure.Kind?)], a: Bool, b: Bool
  ) {
    var backoff = OriginBackoff()
    for (host, kind) in outcomes {
      backoff.record(kind.map { TransportFailure($0) }, of: host, now: Self.start)
    }
    #expect((backoff.knownFailure(of: "a") != nil) == a)
    #expect((backoff.knownFailure(of: "b") != nil) == b)
  }

  @Test func `a fresh response of an unreachable origin is a saved copy until the origin responds`()
    throws
  {
    let isUp = Mutex(true)
    let fixture = CacheFixture(
      ScriptedTransport { _ in
        isUp.withLock(\.self)
          ? .response(200, [("Cache-Control", "max-age=999")], "page") : .failure(.noNetwork)
      })
    func source(_ url: String) -> (LoadedResponse.Source, Bool)? {
      fixture.load(url).response.map { ($0.source, $0.isFresh) }
    }
    _ = source("http://a.test/")
    #expect(try #require(source("http://a.test/")) == (.fresh, true))
    isUp.withLock { $0 = false }
    _ = fixture.load("http://b.test/")
    fixture.advance(100)
    let foundSource = try #require(source("http://a.test/"))
    guard case (.saved(.failure(let failure)), true) = foundSource else {
      Issue.record("\(foundSource)")
      return
    }
    #expect(failure.kind == .noNetwork)
    isUp.withLock { $0 = true }
    _ = fixture.load("http://b.test/")
    #expect(try #require(source("http://a.test/")) == (.fresh, true))
  }

  @Test func `the latest origins are remembered in bounded memory`() {
    var backoff = OriginBackoff()
    for index in 0..<1000 {
      backoff.record(
        TransportFailure(.hostNotFound), of: "http://\(index).test",
        now: Self.start + TimeInterval(index) / 1000)
    }
    let known = (0..<1000).filter {
      backoff.failure(of: "http://\($0).test", now: Self.start + 1) != nil
    }
    #expect(known == Array((1000 - OriginBackoff.maxEntries)..<1000))
  }

  @Test
  func `a dead origin is requested once in 30 s, unless the user entered or reloaded the URL`() {
    let network = ScriptedTransport { _ in .failure(.connectionRefused) }
    let fixture = CacheFixture(network)
    func count(_ url: String, _ configure: (inout LoadOptions) -> Void = { _ in }) -> Int {
      let before = network.sent.count
      #expect(fixture.load(url, [], configure).error?.failureKind == .connectionRefused)
      return network.sent.count - before
    }
    #expect(count("http://dead.test/") == 1)
    #expect(count("http://dead.test/style.css") == 0)
    #expect(count("http://dead.test/") { $0.isUserEntered = true } == 1)
    #expect(count("http://dead.test/") { $0.isReload = true } == 1)
    #expect(count("http://dead.test:81/") == 1)
    fixture.advance(29)
    #expect(count("http://dead.test/a") == 0)
    fixture.advance(1)
    #expect(count("http://dead.test/a") == 1)
  }

  @Test func `the copy of a page on an unreachable origin is served without a request or check`()
    throws
  {
    let network = ScriptedTransport { request in
      request.url.hasSuffix("/page") && request.fields["X-First"] != nil
        ? .response(200, [], "saved") : .failure(.hostNotFound)
    }
    let fixture = CacheFixture(network)
    fixture.load("http://site.test/page", [("X-First", "1")])
    fixture.advance(3600)
    fixture.load("http://site.test/other")
    let result = fixture.load("http://site.test/page")
    #expect(result.text == "saved")
    #expect(result.cacheStatus == "OfflineCache; hit; ttl=-3600; detail=unreachable")
    #expect(network.sent.count == 2)
    let stored = try fixture.cache.archive.captures(of: "http://site.test/page")
    #expect(stored.map(\.lastCheck) == [nil])
  }

  @Test func `a background revalidation is not attempted for an unreachable origin`() {
    let network = ScriptedTransport { request in
      request.fields["X-First"] != nil ? .response(200, [], "saved") : .failure(.hostNotFound)
    }
    let fixture = CacheFixture(network)
    fixture.load("http://site.test/page", [("X-First", "1")])
    fixture.load("http://site.test/other")
    let result = fixture.load("http://site.test/page") {
      $0.mode = .staleWhileRevalidate
      $0.isUserEntered = true
    }
    #expect(result.text == "saved")
    #expect(fixture.cache.finishBackgroundWork(timeout: 10))
    #expect(network.sent.count == 2)
  }
}
