import Foundation
import Synchronization
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Rules applied by a cache")
struct RuleLoadTests {
  private static let text = [("Content-Type", "text/plain")]

  /// Returns a cache with rules, and a network that responds with the URL.
  private static func fixture(
    _ fields: [(String, String)] = text, rules: [Rule]
  ) -> (CacheFixture, ScriptedTransport) {
    let transport = ScriptedTransport { request in .response(200, fields, "of \(request.url)") }
    return (CacheFixture(transport) { $0.rules = rules }, transport)
  }

  @Test
  func `responses excluded by host, extension, type or size are loaded but not saved`() {
    let rules = [
      Rule {
        $0.hosts = ["no.test"]
        $0.stores = false
      },
      Rule {
        $0.extensions = ["js"]
        $0.stores = false
      },
      Rule {
        $0.mediaTypes = ["image/*"]
        $0.stores = false
      },
      Rule {
        $0.minSize = 1000
        $0.stores = false
      },
    ]
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("png")
        ? .response(200, [("Content-Type", "Image/PNG; x=y")], "png")
        : request.url.hasSuffix("long")
          ? .response(200, [], String(repeating: "x", count: 1000)) : .response(200, [], "text")
    }
    let fixture = CacheFixture(transport) { $0.rules = rules }
    for url in ["http://no.test/", "http://a.test/x.js", "http://a.test/png", "http://a.test/long"]
    {
      let response = fixture.load(url)
      #expect(response.status == 200 && response.isFinished && response.stored == nil, "\(url)")
      #expect(response.cacheStatus == "OfflineCache; fwd=uri-miss; fwd-status=200", "\(url)")
      #expect(fixture.load(url) { $0.mode = .cacheOnly }.error == .notSaved, "\(url)")
    }
    #expect(fixture.load("http://a.test/").stored != nil)
    #expect(fixture.load("http://a.test/") { $0.mode = .cacheOnly }.text == "text")
  }

  @Test func `Cache-Status tells at the end whether a rule let the response be stored`() {
    let fields = [("Content-Length", "\("of http://a.test/".utf8.count)")]
    for (least, ending) in [(18 as Int64, "; stored"), (17, "")] {
      let rule = Rule { ($0.minSize, $0.stores) = (least, false) }
      let (fixture, _) = Self.fixture(fields, rules: [rule])
      let status = fixture.load("http://a.test/").cacheStatus
      #expect(status == "OfflineCache; fwd=uri-miss; fwd-status=200" + ending)
    }
  }

  @Test func `a rule can store responses despite no-store, and only matching ones`() {
    let (fixture, _) = Self.fixture(
      [("Cache-Control", "no-store")],
      rules: [
        Rule {
          $0.paths = ["/keep"]
          $0.stores = true
        }
      ])
    #expect(fixture.load("http://a.test/keep") { $0.respectsNoStore = true }.stored != nil)
    #expect(fixture.load("http://a.test/drop") { $0.respectsNoStore = true }.stored == nil)
    #expect(fixture.load("http://a.test/drop").stored != nil)
  }

  @Test func `a rule selects the mode unless the load has one`() {
    let (fixture, transport) = Self.fixture(rules: [
      Rule {
        $0.hosts = ["first.test"]
        $0.mode = .cacheFirst
      },
      Rule { $0.mode = .networkOnly },
    ])
    for _ in 1...2 { fixture.load("http://first.test/") }
    #expect(transport.sent.count == 1)
    for _ in 1...2 { fixture.load("http://other.test/") }
    #expect(transport.sent.count == 3)
    #expect(fixture.load("http://other.test/") { $0.mode = .cacheOnly }.status == 200)
    fixture.load("http://first.test/") { $0.mode = .networkFirst }
    #expect(transport.sent.count == 4)
  }

  @Test(
    arguments: [
      ("max-age=0", 2), ("no-cache", 2), ("max-age=10000", 2), ("", 2), ("no-store", 3),
    ] as [(String, Int)])
  func `a lifetime set by a rule overrides the server's, but no-store stays unusable`(
    _ control: String, _ requests: Int
  ) {
    let (fixture, transport) = Self.fixture(
      [("Cache-Control", control)], rules: [Rule { $0.maxAge = 100 }])
    fixture.load("http://a.test/")
    fixture.advance(99)
    let fresh = fixture.load("http://a.test/")
    if control != "no-store" { #expect(fresh.cacheStatus == "OfflineCache; hit; ttl=1") }
    fixture.advance(1)
    fixture.load("http://a.test/")
    #expect(transport.sent.count == requests)
  }

  @Test(
    arguments: [
      (1e300, "hit; ttl=2147483648"), (Double.infinity, "hit; ttl=2147483648"),
      (.nan, "fwd=stale; fwd-status=200; stored"), (-1e300, "fwd=stale; fwd-status=200; stored"),
    ] as [(Double, String)])
  func `a lifetime set by a rule may be any floating-point value`(
    _ seconds: Double, _ status: String
  ) {
    let (fixture, _) = Self.fixture(rules: [Rule { $0.maxAge = seconds }])
    fixture.load("http://a.test/")
    #expect(fixture.load("http://a.test/").cacheStatus == "OfflineCache; " + status)
  }

  @Test func `Access-Control-Max-Age makes a response fresh if a rule says so`() {
    let fields = [("Access-Control-Max-Age", "60")]
    for (rules, requests) in [([Rule { $0.usesAccessControlMaxAge = true }], 1), ([], 2)] {
      let (fixture, transport) = Self.fixture(fields, rules: rules)
      for _ in 1...2 { fixture.load("http://a.test/") }
      #expect(transport.sent.count == requests)
    }
  }

  @Test func `several URLs share one entry, and the request is sent unchanged`() {
    let (fixture, transport) = Self.fixture(rules: [
      Rule {
        $0.droppedParameters = ["utm_*"]
        $0.sortsQuery = true
        $0.ignoresCase = true
        $0.mode = .cacheFirst
      }
    ])
    let first = fixture.load("http://a.test/Page?b=1&utm_source=x&a=2")
    #expect(first.stored?.key == "http://a.test/page?a=2&b=1")
    let second = fixture.load("http://a.test/page?a=2&b=1&utm_medium=y")
    #expect(second.text == first.text)
    #expect(transport.sent.map(\.url.description) == ["http://a.test/Page?b=1&utm_source=x&a=2"])
    #expect(fixture.cache.key(of: "http://a.test/PAGE?utm_x&b=1&a=2") == first.stored?.key)
  }

  @Test(
    arguments: [
      ("http://a.test/p?utm_source=rss", "http://a.test/p", true),
      ("http://a.test/p?utm_source=rss", "http://a.test/p?utm_medium=y", true),
      ("http://a.test/p?id=1&utm_source=rss", "http://a.test/p?utm_medium=y&id=1", true),
      ("http://a.test/p", "http://a.test/p?utm_source=rss", true),
      ("http://a.test/p?utm_source=rss&id=1", "http://a.test/p", false),
      ("http://a.test/p?id=1", "http://a.test/p", false),
      ("http://a.test/p?id=12&utm_source=rss", "http://a.test/p?id=1", false),
      ("http://a.test/pq?utm_source=rss", "http://a.test/p", false),
    ] as [(String, String, Bool)])
  func `versions saved without a rule are found if they differ in omitted parameters`(
    _ saved: String, _ requested: String, _ isFound: Bool
  ) {
    let transport = ScriptedTransport { _ in .response(200, Self.text, "text") }
    let plain = CacheFixture(transport)
    plain.load(saved)
    plain.cache.close()
    let fixture = CacheFixture(transport, in: plain.directory) { $0.rules = [.droppingTracking] }
    let result = fixture.load(requested) { $0.mode = .cacheOnly }
    #expect(
      result.text == (isFound ? "text" : "") && result.error == (isFound ? nil : LoadError.notSaved)
    )
    withExtendedLifetime(plain) {}
  }

  @Test func `an entry named by a response field is shared by all its URLs`() throws {
    let field = "MobileAppCacheKey"
    let count = Mutex(0)
    let transport = ScriptedTransport { request in
      let number = count.withLock {
        $0 += 1; return $0
      }
      switch request.url.path {
      case "/other": return .response(200, [], "other")
      case "/unnamed": return .response(200, number > 9 ? [] : [(field, "news")], "text \(number)")
      default: return .response(200, [(field, "news")], "text \(number)")
      }
    }
    let rules = [Rule { $0.responseKeyField = field }]
    let fixture = CacheFixture(transport) { $0.rules = rules }
    #expect(fixture.load("http://a.test/1").stored?.key == "http://a.test/#key=news")
    fixture.advance(10)
    #expect(fixture.load("http://a.test/2?x").text == "text 2")
    #expect(fixture.load("http://a.test/other").stored?.key == "http://a.test/other")
    for _ in 1...2 {
      // Content loaded from one URL is used for the other. A URL never requested has no entry.
      #expect(fixture.load("http://a.test/1") { $0.mode = .cacheOnly }.text == "text 2")
    }
    #expect(fixture.load("http://a.test/3") { $0.mode = .cacheOnly }.error == .notSaved)
    fixture.cache.close()
    try FileManager.default.removeItem(at: fixture.cache.configuration.location.index)
    let reopened = CacheFixture(transport, in: fixture.directory) { $0.rules = rules }
    #expect(reopened.load("http://a.test/1") { $0.mode = .cacheOnly }.text == "text 2")
    #expect(reopened.load("http://a.test/2?x") { $0.mode = .cacheOnly }.text == "text 2")
    // A later response without a name stays in the entry.
    #expect(reopened.load("http://a.test/unnamed").stored?.key == "http://a.test/#key=news")
    count.withLock { $0 = 9 }
    reopened.advance(10)
    let unnamed = reopened.load("http://a.test/unnamed") { $0.isReload = true }
    #expect(unnamed.stored?.key == "http://a.test/#key=news")
    #expect(reopened.load("http://a.test/1") { $0.mode = .cacheOnly }.text == "text 10")
    // Removal by any of its URLs removes the entry from every file.
    let url = try #require(WebURL("http://a.test/2?x"))
    #expect(try reopened.cache.remove(url).versions > 0)
    #expect(reopened.load("http://a.test/1") { $0.mode = .cacheOnly }.error == .notSaved)
    reopened.cache.close()
    let texts = ["#key=news", "http://a.test/2"]
    #expect(try TemporaryArchive.places(of: texts, in: reopened.directory) == [])
  }

  @Test(arguments: ["", String(repeating: "x", count: 2000)])
  func `an invalid entry name leaves the entry to the URL`(_ name: String) {
    let transport = ScriptedTransport { _ in .response(200, [("Entry", name)], "text") }
    let fixture = CacheFixture(transport) { $0.rules = [Rule { $0.responseKeyField = "Entry" }] }
    #expect(fixture.load("http://a.test/1").stored?.key == "http://a.test/1")
  }

  @Test func `an entry name may have any bytes, and is limited to the origin`() {
    let name = "../\u{1b}[2J ?#&%00é"
    let transport = ScriptedTransport { _ in .response(200, [("Entry", name)], "text") }
    let fixture = CacheFixture(transport) { $0.rules = [Rule { $0.responseKeyField = "Entry" }] }
    let key = fixture.load("http://a.test/1").stored?.key
    #expect(key == "http://a.test/#key=../%1B%5B2J%20%3F%23%26%2500%C3%A9")
    #expect(fixture.load("http://a.test/1") { $0.mode = .cacheOnly }.text == "text")
  }

  @Test(
    arguments: [
      ([("Cache-Control", "no-cache")], false), ([("Cache-Control", "max-age=9, no-cache")], false),
      ([("Pragma", "no-cache")], false),
      ([("Pragma", "no-cache"), ("Cache-Control", "max-age=9")], true),
      ([("Cache-Control", "max-age=9")], true), ([], true),
      ([("Cache-Control", "max-age=9, no-cache=\"Set-Cookie\"")], true),
      ([("Cache-Control", "no-cache=\"\"")], false),
    ] as [([(String, String)], Bool)])
  func `no-cache prevents storing if configured, also as Pragma`(
    _ fields: [(String, String)], _ isStored: Bool
  ) {
    let fixture = CacheFixture(ScriptedTransport { _ in .response(200, fields, "text") })
    let respecting = fixture.load("http://a.test/1") { $0.respectsNoCache = true }
    #expect((respecting.stored != nil) == isStored)
    #expect(fixture.load("http://a.test/2").stored != nil)
  }

  @Test func `a named entry keeps its versions and checks, also in a rebuilt index`()
    throws
  {
    let tag = [("ETag", "\"1\"")]
    let transport = ScriptedTransport { request in
      request.fields["If-None-Match"] == nil ? .response(200, tag, "body") : .response(304, tag)
    }
    let rules = [Rule { $0.keyField = "MobileAppCacheKey" }]
    let fixture = CacheFixture(transport) { $0.rules = rules }
    let named = [("MobileAppCacheKey", "news")]
    #expect(
      fixture.load("http://a.test/1?session=1", named).stored?.key == "http://a.test/#key=news")
    #expect(transport.sent.first?.fields["MobileAppCacheKey"] == nil)
    fixture.advance(10)
    #expect(fixture.load("http://a.test/1?session=2", named).response?.source == .validated)
    fixture.cache.close()
    try FileManager.default.removeItem(at: fixture.cache.configuration.location.index)
    let reopened = CacheFixture(transport, in: fixture.directory) { $0.rules = rules }
    let copy = reopened.load("http://a.test/2", named) { $0.mode = .cacheOnly }
    #expect(copy.text == "body")
    #expect(copy.response?.stored?.lastCheck?.result == .unchanged)
    #expect(reopened.load("http://a.test/2") { $0.mode = .cacheOnly }.error == .notSaved)
  }
}
