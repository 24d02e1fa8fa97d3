import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Decisions")
struct CachePolicyTests {
  enum Shape: Equatable, Sendable {
    case use, useAndRefresh, revalidate, fetch(CacheStatus.Reason), unavailable
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let request: WebRequest
    let stored: [StoredResponse]
    let options: LoadOptions
    let shape: Shape

    init(
      _ name: String, _ stored: [StoredResponse], _ shape: Shape,
      request: WebRequest = Sample.request(), _ configure: (inout LoadOptions) -> Void = { _ in }
    ) {
      var options = LoadOptions()
      configure(&options)
      (testDescription, self.request, self.stored) = (name, request, stored)
      (self.options, self.shape) = (options, shape)
    }
  }

  static func with(_ value: String, _ age: TimeInterval = 0) -> [StoredResponse] {
    [Sample.stored(200, [("Cache-Control", value)], age: age)]
  }

  static func asking(_ value: String) -> WebRequest {
    Sample.request("GET", [("Cache-Control", value)])
  }

  static let fresh = [("Cache-Control", "max-age=60")]

  private static func strict(_ options: inout LoadOptions) { options.allowsFallback = false }

  static func part(_ range: String, _ control: String, age: TimeInterval = 0) -> StoredResponse {
    Sample.stored(
      206, [("Cache-Control", control), ("Content-Range", "bytes 0-1/9")], age: age,
      varying: [.init(name: "range", value: range)])
  }

  static let rows: [Row] = [
    .init("§4 nothing stored", [], .fetch(.uriMiss)),
    .init("§4 fresh", with("max-age=60", 10), .use),
    .init("§4.2.4 stale", with("max-age=60", 61), .fetch(.stale)),
    .init(
      "§4.3.1 stale with a validator", [Sample.stored(200, [("ETag", "\"1\"")], age: 9)],
      .revalidate),
    .init("§5.2.2.4 no-cache", with("no-cache, max-age=60"), .fetch(.request)),
    .init("§5.2.2.5 no-store is never reused", with("no-store, max-age=60"), .fetch(.miss)),
    .init(
      "§5.2.2.3 must-understand lifts no-store", with("no-store, must-understand, max-age=60"), .use
    ),
    .init(
      "§5.4 Pragma of a response without Cache-Control",
      [Sample.stored(200, [("Pragma", "no-cache"), ("Expires", Sample.date(60))])], .fetch(.request)
    ),
    .init(
      "§5.4 Cache-Control goes before Pragma",
      [Sample.stored(200, [("Pragma", "no-cache"), ("Cache-Control", "max-age=9")])], .use),
    .init(
      "§5.2.1.4 request no-cache", with("max-age=60"), .fetch(.request), request: asking("no-cache")
    ),
    .init(
      "§5.4 request Pragma", with("max-age=60"), .fetch(.request),
      request: Sample.request("GET", [("Pragma", "no-cache")])),
    .init(
      "§5.2.1.1 request max-age", with("max-age=60", 20), .fetch(.request),
      request: asking("max-age=10")),
    .init(
      "§5.2.1.1 request max-age, young enough", with("max-age=60", 5), .use,
      request: asking("max-age=10")),
    .init(
      "§5.2.1.3 min-fresh", with("max-age=60", 20), .fetch(.request),
      request: asking("min-fresh=50")),
    .init("§5.2.1.2 max-stale", with("max-age=60", 70), .use, request: asking("max-stale=20")),
    .init(
      "§5.2.1.2 max-stale without a number", with("max-age=60", 9999), .use,
      request: asking("max-stale")),
    .init(
      "§5.2.1.2 too stale", with("max-age=60", 90), .fetch(.stale), request: asking("max-stale=20")),
    .init(
      "§5.2.2.2 must-revalidate against max-stale", with("max-age=60, must-revalidate", 61),
      .fetch(.stale), request: asking("max-stale")),
    .init(
      "§5.2.1.7 only-if-cached, fresh", with("max-age=60"), .use, request: asking("only-if-cached")),
    .init(
      "§5.2.1.7 only-if-cached, stale", with("max-age=60", 61), .unavailable,
      request: asking("only-if-cached")),
    .init(
      "RFC 5861 §3 within the window", with("max-age=1, stale-while-revalidate=60", 30),
      .useAndRefresh),
    .init(
      "RFC 5861 §3 after the window", with("max-age=1, stale-while-revalidate=60", 90),
      .fetch(.stale)),
    .init(
      "RFC 5861 §3 and must-revalidate",
      with("max-age=1, stale-while-revalidate=60, must-revalidate", 30),
      .fetch(.stale)),
    .init(
      "§4 an unsafe method is written through", with("max-age=60"), .fetch(.method),
      request: Sample.request("POST")),
    .init("§4 HEAD from a fresh GET", with("max-age=60"), .use, request: Sample.request("HEAD")),
    .init(
      "§4 HEAD of a stale GET", with("max-age=60", 90), .fetch(.method),
      request: Sample.request("HEAD")),
    .init(
      "§3.3 a range of a fresh response", with("max-age=60"), .use,
      request: Sample.request("GET", [("Range", "bytes=0-1")])),
    .init(
      "§3.3 a range of a stale response", with("max-age=60", 90), .fetch(.stale),
      request: Sample.request("GET", [("Range", "bytes=0-1")])),
    .init(
      "§3.3 a stored part answers the same range", [part("bytes=0-1", "max-age=60")], .use,
      request: Sample.request("GET", [("Range", "bytes=0-1")])),
    .init(
      "§3.3 a stored part answers no other range", [part("bytes=0-1", "max-age=60")],
      .fetch(.partial), request: Sample.request("GET", [("Range", "bytes=0-2")])),
    .init(
      "§3.3 a stored part never answers for the whole", [part("bytes=0-1", "max-age=60")],
      .fetch(.partial)),
    .init(
      "§3.3 a part of unknown range answers nothing",
      [Sample.stored(206, [("Cache-Control", "max-age=60")])], .fetch(.uriMiss)),
    .init(
      "§3.3 a stale part is fetched anew", [part("bytes=0-1", "max-age=60", age: 90)],
      .fetch(.uriMiss), request: Sample.request("GET", [("Range", "bytes=0-1")])),
    .init(
      "§4.3.2 a client's own condition goes to the server", with("max-age=60", 90), .fetch(.stale),
      request: Sample.request("GET", [("If-None-Match", "\"1\"")])),
    .init(
      "§4.3.2 a client's own condition beside a validator of ours",
      [Sample.stored(200, [("ETag", "\"1\"")], age: 9)], .revalidate,
      request: Sample.request("GET", [("If-None-Match", "\"2\"")])),
    .init(
      "§4.3.2 a date of ours beside a client's entity tag",
      [Sample.stored(200, [("Last-Modified", Sample.date(-9))], age: 9)], .fetch(.stale),
      request: Sample.request("GET", [("If-None-Match", "\"2\"")])),
    .init(
      "§4.3.2 If-Match is for the origin", with("max-age=60"), .fetch(.bypass),
      request: Sample.request("GET", [("If-Match", "\"1\"")])),
    .init(
      "§4.3.1 another variant with an entity tag",
      [
        Sample.stored(
          200, [("Vary", "Accept"), ("ETag", "\"1\"")],
          varying: [.init(name: "accept", value: "x/y")])
      ], .revalidate),
    .init(
      "§4.3.1 another variant of somebody",
      [
        Sample.stored(
          200, [("Vary", "Cookie"), ("ETag", "\"1\"")],
          varying: [.init(name: "cookie", value: "hmac")])
      ], .fetch(.varyMiss)),
    .init(
      "§4.1 a variant of unknown request fields is not matched",
      [Sample.stored(200, [("Vary", "Accept"), ("Cache-Control", "max-age=60")])],
      .fetch(.varyMiss)),
    .init(
      "§4.1 codings are removed, whatever was asked",
      [Sample.stored(200, [("Vary", "Accept-Encoding"), ("Cache-Control", "max-age=60")])], .use),
    .init(
      "§5.2.1.5 request no-store", [Sample.stored(200, fresh + [("ETag", "\"1\"")])],
      .fetch(.request), request: asking("no-store")),
    .init(
      "§5.2.2.4 no-cache for listed fields only", with("no-cache=\"x-a, x-b\", max-age=60"), .use),
    .init(
      "§5.2.2.4 no-cache for a field that the content needs",
      with("no-cache=\"x-a, Content-Type\", max-age=60"), .fetch(.request)),
    .init(
      "§5.2.2.4 no-cache with and without a list", with("no-cache=\"x-a\", no-cache, max-age=60"),
      .fetch(.request)),
    .init(
      "RFC 8246 §2 immutable against max-age=0", with("immutable, max-age=60"), .use,
      request: asking("max-age=0")),
    .init(
      "RFC 8246 §2 immutable and stale", with("immutable, max-age=60", 61), .fetch(.stale),
      request: asking("max-age=0")),
    .init(
      "RFC 8246 §2 immutable against no-cache", with("immutable, max-age=60"), .fetch(.request),
      request: asking("no-cache")),
    .init(
      "§4.1 Vary: *", [Sample.stored(200, [("Vary", "*"), ("Cache-Control", "max-age=60")])],
      .fetch(.varyMiss)),
    .init(
      "§4.1 another variant",
      [
        Sample.stored(
          200, [("Vary", "Accept"), ("Cache-Control", "max-age=60")],
          varying: [.init(name: "accept", value: "x/y")])
      ], .fetch(.varyMiss)),
    .init(
      "§4 a fresh error without a page", [Sample.stored(404, [("Cache-Control", "max-age=60")])],
      .use
    ),
    .init(
      "a fresh error of a page that the user wants",
      [Sample.stored(404, [("Cache-Control", "max-age=60")])], .fetch(.request)
    ) { $0.isUserEntered = true },
    .init(
      "a fresh error behind a redirect of the user", [Sample.stored(404, fresh)], .fetch(.request)
    ) { $0.isTargetOfUserEntered = true },
    .init("a fresh error that may be temporary", [Sample.stored(503, fresh)], .fetch(.request)),
    .init("§4 a fresh error of a server, strict", [Sample.stored(503, fresh)], .use, strict),
    .init(
      "RFC 6585 §4 a refusal is not reused", [Sample.stored(429, fresh)], .fetch(.miss), strict),
    .init(
      "RFC 5861 §4 a fresh error after a page that may be served after errors",
      [
        Sample.stored(503, fresh, id: "two"),
        Sample.stored(200, [("Cache-Control", "max-age=1, stale-if-error=60")], age: 9),
      ], .fetch(.request), strict),
    .init("a fresh page that the user wants", with("max-age=60"), .use) {
      $0.isUserEntered = true
    },
    .init(
      "§4 a fresh page after which a redirect without a lifetime was sent",
      [
        Sample.stored(302, [("Location", "/b")], age: 9, id: "two"),
        Sample.stored(200, fresh, age: 19),
      ], .fetch(.stale)),
    .init(
      "§4 a fresh redirect after which a page without a lifetime was sent",
      [
        Sample.stored(200, [("Cache-Control", "no-store")], age: 9, id: "two"),
        Sample.stored(301, fresh + [("Location", "/b")], age: 19),
      ], .fetch(.stale)),
    .init(
      "§4 a fresh page that was confirmed after a redirect",
      [
        Sample.stored(200, fresh, age: 9),
        Sample.stored(302, [("Location", "/b")], age: 19, id: "two"),
      ], .use),
    .init(
      "a fresh error does not hide a page",
      [
        Sample.stored(404, [("Cache-Control", "max-age=60")], id: "two"),
        Sample.stored(200, [("ETag", "\"1\"")], age: 99),
      ],
      .revalidate),
    .init(
      "a suspect answer is never reused",
      [Sample.stored(200, [("Cache-Control", "max-age=60")], rejectionReason: .signInPage)],
      .fetch(.miss)),
    .init("a reload asks although it is fresh", with("max-age=60"), .fetch(.request)) {
      $0.isReload = true
    },
    .init("cache-first", with("max-age=60", 90), .use) { $0.mode = .cacheFirst },
    .init("cache-first, nothing", [], .fetch(.uriMiss)) { $0.mode = .cacheFirst },
    .init("stale-while-revalidate", with("max-age=60", 90), .useAndRefresh) {
      $0.mode = .staleWhileRevalidate
    },
    .init("network-only", with("max-age=60"), .fetch(.bypass)) { $0.mode = .networkOnly },
    .init("cache-only", with("no-store", 90), .use) { $0.mode = .cacheOnly },
    .init("cache-only, nothing", [], .unavailable) { $0.mode = .cacheOnly },
    .init(
      "cache-only, an unsafe method is not sent", with("max-age=60"), .unavailable,
      request: Sample.request("POST")
    ) { $0.mode = .cacheOnly },
    .init("cache-only, an error is no page", [Sample.stored(404)], .unavailable) {
      $0.mode = .cacheOnly
    },
    .init("cache-only, strict and stale", with("max-age=60", 90), .unavailable) {
      ($0.mode, $0.allowsFallback) = (.cacheOnly, false)
    },
    .init("cache-only, strict and fresh", with("max-age=60", 9), .use) {
      ($0.mode, $0.allowsFallback) = (.cacheOnly, false)
    },
  ]

  static let vary = Vary(secret: [1, 2, 3])

  @Test(arguments: rows)
  func `a request is decided by the stored responses`(_ row: Row) {
    let decision = CachePolicy.decide(
      row.request, stored: Self.vary.variants(row.stored, for: row.request), options: row.options,
      now: Sample.now)
    let shape: Shape =
      switch decision {
      case .use(_, _, let refreshes): refreshes ? .useAndRefresh : .use
      case .revalidate: .revalidate
      case .fetch(let reason): .fetch(reason)
      case .unavailable: .unavailable
      }
    #expect(shape == row.shape)
  }

  @Test
  func `a fresh response is labelled as a copy if the network is not allowed or unreachable`() {
    let page = Sample.stored(200, [("Cache-Control", "max-age=60")], age: 9)
    let request = Sample.request()
    let failure = TransportFailure(.noNetwork)
    func decide(_ mode: LoadMode, outage: TransportFailure? = nil) -> CachePolicy.Decision {
      var options = LoadOptions()
      options.mode = mode
      return CachePolicy.decide(
        request, stored: Self.vary.variants([page], for: request), options: options,
        outage: outage, now: Sample.now)
    }
    for mode in [LoadMode.networkFirst, .cacheFirst, .staleWhileRevalidate] {
      #expect(decide(mode) == .use(page, reason: nil, refreshes: false))
      #expect(
        decide(mode, outage: failure) == .use(page, reason: .failure(failure), refreshes: false))
    }
    #expect(decide(.cacheOnly) == .use(page, reason: .offlineMode, refreshes: false))
    #expect(
      decide(.cacheOnly, outage: failure) == .use(page, reason: .offlineMode, refreshes: false))
  }

  @Test func `a fresh error of a page that the user wants is served without a network`() {
    let page = Sample.stored(404, [("Cache-Control", "max-age=60")], age: 9)
    let failure = TransportFailure(.noNetwork)
    func decide(_ mode: LoadMode, outage: TransportFailure? = nil) -> CachePolicy.Decision {
      var options = LoadOptions()
      (options.mode, options.isUserEntered) = (mode, true)
      return CachePolicy.decide(
        Sample.request(), stored: Self.vary.variants([page], for: Sample.request()),
        options: options,
        outage: outage, now: Sample.now)
    }
    #expect(decide(.cacheOnly) == .use(page, reason: .offlineMode, refreshes: false))
    #expect(
      decide(.networkFirst, outage: failure)
        == .use(page, reason: .failure(failure), refreshes: false))
    #expect(decide(.networkFirst) == .fetch(.request))
  }

  @Test func `a redirect is served offline instead of an older fresh page`() {
    let redirect = Sample.stored(302, [("Location", "/b")], age: 9, id: "two")
    let page = Sample.stored(200, Self.fresh, age: 19)
    var options = LoadOptions()
    options.mode = .cacheOnly
    let decision = CachePolicy.decide(
      Sample.request(), stored: Self.vary.variants([redirect, page], for: Sample.request()),
      options: options, now: Sample.now)
    #expect(decision == .use(redirect, reason: .offlineMode, refreshes: false))
  }

  @Test func `an imported response is never fresh, and is served as a saved copy`() {
    var page = Sample.stored(
      200, [("Cache-Control", "max-age=60, stale-while-revalidate=60"), ("ETag", "\"1\"")], age: 9)
    page.importedFile = "import-1.warc.gz"
    let stored = Self.vary.variants([page], for: Sample.request())
    func decide(_ options: LoadOptions) -> CachePolicy.Decision {
      CachePolicy.decide(Sample.request(), stored: stored, options: options, now: Sample.now)
    }
    var options = LoadOptions()
    #expect(decide(options) == .revalidate(page, .request))
    #expect(
      CachePolicy.fallbackCopy(Sample.request(), stored: stored, options: options, now: Sample.now)
        == page)
    options.mode = .cacheOnly
    #expect(decide(options) == .use(page, reason: .offlineMode, refreshes: false))
  }

  @Test func `an invalidated response is not fresh (RFC 9111 §4.4)`() {
    let stored = Self.vary.variants(Self.with("max-age=60"), for: Sample.request())
    let decision = CachePolicy.decide(
      Sample.request(), stored: stored, options: LoadOptions(), invalidated: Sample.now + 1,
      now: Sample.now + 2)
    #expect(decision == .fetch(.request))
  }

  struct ResponseCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let response: ResponseHead
    let expected: String
    var hasCopy = true
    var isStrict = false
  }

  static let answers: [ResponseCase] = [
    .init(testDescription: "200", response: Sample.response(), expected: "pass, stored"),
    .init(
      testDescription: "200 no-store is archived",
      response: Sample.response(200, [("Cache-Control", "no-store")]), expected: "pass, stored"),
    .init(
      testDescription: "404 without a copy", response: Sample.response(404),
      expected: "pass, stored",
      hasCopy: false),
    .init(
      testDescription: "404 with a copy", response: Sample.response(404),
      expected: "keep status 404, stored"),
    .init(
      testDescription: "404, strict", response: Sample.response(404), expected: "pass, stored",
      isStrict: true),
    .init(
      testDescription: "500 with a copy", response: Sample.response(500),
      expected: "keep status 500, stored"),
    .init(
      testDescription: "511 without a copy", response: Sample.response(511),
      expected: "pass, stored, sign-in-page", hasCopy: false),
    .init(
      testDescription: "a redirect within the site",
      response: Sample.response(301, [("Location", "https://www.h/x")]), expected: "pass, stored"),
    .init(
      testDescription: "a redirect to another site",
      response: Sample.response(302, [("Location", "http://x/")]),
      expected: "keep not trusted: foreign-redirect, stored, foreign-redirect"),
    .init(
      testDescription: "a redirect to another site without a copy",
      response: Sample.response(302, [("Location", "http://x/")]), expected: "pass, stored",
      hasCopy: false),
    .init(
      testDescription: "a choice does not replace a page", response: Sample.response(300),
      expected: "keep not trusted: error-page, stored, error-page"),
    .init(
      testDescription: "a choice is a page without a copy", response: Sample.response(300),
      expected: "pass, stored", hasCopy: false),
    .init(
      testDescription: "a redirect without a target", response: Sample.response(302),
      expected: "keep status 302, stored"),
    .init(
      testDescription: "a redirect to what is no URL",
      response: Sample.response(302, [("Location", "http://[::1/")]),
      expected: "keep status 302, stored"),
    .init(
      testDescription: "206", response: Sample.response(206),
      expected: "keep status 206, not stored"
    ),
    .init(
      testDescription: "206 without a copy", response: Sample.response(206),
      expected: "pass, not stored", hasCopy: false),
    .init(
      testDescription: "an unknown status", response: Sample.response(299), expected: "pass, stored"
    ),
    .init(
      testDescription: "§4.3.4 a 304 that fits",
      response: Sample.response(304, [("ETag", "\"1\"")]), expected: "refresh"),
    .init(
      testDescription: "§4.3.4 a 304 with another strong validator",
      response: Sample.response(304, [("ETag", "\"2\"")]), expected: "retry"),
    .init(
      testDescription: "§4.3.4 a 304 with a weak one that fits",
      response: Sample.response(304, [("ETag", "W/\"1\"")]), expected: "refresh"),
    .init(
      testDescription: "a 412 to a condition of the cache's own", response: Sample.response(412),
      expected: "retry"),
    .init(
      testDescription: "a 412 without a condition", response: Sample.response(412),
      expected: "pass, stored", hasCopy: false),
    .init(
      testDescription: "§4.3.4 a 304 without any", response: Sample.response(304),
      expected: "refresh"
    ),
  ]

  @Test(arguments: answers)
  func `a response is stored and served according to the policy`(_ row: ResponseCase) {
    var options = LoadOptions()
    options.allowsFallback = !row.isStrict
    let copy = row.hasCopy ? Sample.stored(200, [("ETag", "\"1\"")]) : nil
    let outcome = CachePolicy.receive(
      row.response, for: Sample.request(), revalidating: copy.map { [$0] } ?? [],
      fallback: row.isStrict ? nil : copy,
      goodCopy: copy, options: options, now: Sample.now)
    func content(_ isStored: Bool, _ rejectionReason: RejectionReason?) -> String {
      (isStored ? ", stored" : ", not stored") + (rejectionReason.map { ", \($0.rawValue)" } ?? "")
    }
    let text: String =
      switch outcome {
      case .refresh: "refresh"
      case .retry: "retry"
      case .pass(let isStored, let rejectionReason): "pass" + content(isStored, rejectionReason)
      case .keep(_, let because, let isStored, let rejectionReason):
        "keep \(because)" + content(isStored, rejectionReason)
      }
    #expect(text == row.expected)
  }

  @Test func `§5.2.2.5, §5.2.1.5: no-store is respected if configured`() {
    let response = Sample.response(200, [("Cache-Control", "no-store")])
    #expect(Storability.isArchivable(response, for: Sample.request(), respecting: []))
    #expect(!Storability.isArchivable(response, for: Sample.request(), respecting: .noStore))
    #expect(
      !Storability.isArchivable(
        Sample.response(), for: Self.asking("no-store"), respecting: []))
    #expect(
      !Storability.isArchivable(Sample.response(), for: Sample.request("POST"), respecting: []))
  }

  @Test(
    arguments: [
      ("Accept-Language", ["en, de"], ["EN,de"], true),
      ("Accept-Language", ["en, de;q=0.5"], ["de; q=0.5", "en"], true),
      ("Accept-Language", ["en"], ["de"], false), ("X-Own", ["a,  b"], ["a", "b"], true),
      ("X-Own", ["a, b"], ["b, a"], false), ("X-Own", ["A"], ["a"], false), ("X-Own", [], [], true),
      ("X-Own", [], [""], false), ("Cookie", ["a=1"], ["a=1"], true),
      ("Cookie", ["a=1"], ["a=2"], false),
      ("Authorization", ["x"], [], false),
    ] as [(String, [String], [String], Bool)])
  func `§4.1: variants match after normalization`(
    _ name: String, _ first: [String], _ second: [String], _ matches: Bool
  ) {
    let response = Sample.response(200, [("Vary", name.uppercased() + ", Accept")])
    let varying = Self.vary.varying(
      of: response, for: Sample.request("GET", first.map { (name, $0) }))
    let stored = Sample.stored(200, [("Vary", name)], varying: varying)
    #expect(Self.vary.matches(stored, Sample.request("GET", second.map { (name, $0) })) == matches)
    let isSecret = name == "Cookie" || name == "Authorization"
    #expect(varying.contains { $0.value?.contains("hmac-sha256:") == true } == isSecret)
  }

  @Test func `Cache-Status is formatted as in RFC 9211`() {
    #expect(
      CacheStatus.forwarded(.uriMiss, status: 200, isStored: true).text(by: "OfflineCache")
        == "OfflineCache; fwd=uri-miss; fwd-status=200; stored")
    #expect(
      CacheStatus.hit(timeToLive: -86_400, detail: .offline).text(by: "OfflineCache")
        == "OfflineCache; hit; ttl=-86400; detail=offline")
  }
}
