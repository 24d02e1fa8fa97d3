import Foundation
import HTTPTypes
import Testing

import HTTPCaching

@Suite("The response to a client")
struct ReplayTests {
  private static let stored = [
    ("ETag", "\"1\""), ("Cache-Control", "max-age=60"), ("Content-Type", "text/plain"),
    ("Content-Length", "10"), ("Date", Example.date(0)), ("Last-Modified", Example.date(-100)),
    ("Connection", "X-Hop"), ("X-Hop", "1"), ("Keep-Alive", "5"), ("Transfer-Encoding", "chunked"),
  ]

  @Test(
    arguments: [
      ([], "GET", 200, 0..<10), ([], "HEAD", 200, nil),
      ([("If-None-Match", "\"1\"")], "GET", 304, nil),
      ([("If-None-Match", "W/\"1\"")], "HEAD", 304, nil),
      ([("If-None-Match", "*")], "GET", 304, nil),
      ([("If-None-Match", "\"2\"")], "GET", 200, 0..<10),
      ([("If-Modified-Since", Example.date(-100))], "GET", 304, nil),
      ([("If-Modified-Since", Example.date(-101))], "GET", 200, 0..<10),
      ([("Range", "bytes=2-4")], "GET", 206, 2..<5), ([("Range", "bytes=-3")], "GET", 206, 7..<10),
      ([("Range", "bytes=4-")], "GET", 206, 4..<10), ([("Range", "bytes=10-")], "GET", 416, nil),
      ([("Range", "bytes=0-1,3-4")], "GET", 200, 0..<10),
      ([("Range", "lines=0-1")], "GET", 200, 0..<10),
      ([("Range", "bytes=0-1")], "HEAD", 200, nil),
      ([("Range", "bytes=0-1"), ("If-Range", "\"1\"")], "GET", 206, 0..<2),
      ([("Range", "bytes=0-1"), ("If-Range", "\"2\"")], "GET", 200, 0..<10),
      ([("Range", "bytes=0-1"), ("If-None-Match", "\"1\"")], "GET", 304, nil),
    ] as [([(String, String)], String, Int, Range<Int64>?)])
  func `RFC 9110 §13, §14: conditions and ranges of the client are evaluated`(
    _ lines: [(String, String)], _ method: String, _ status: Int, _ bytes: Range<Int64>?
  ) throws {
    let entry = try #require(Example.entry(Self.stored, length: 10, in: .shared))
    let request = Example.request(lines, method: method)
    #expect(entry.isSelected(by: request))
    let replay = try #require(
      entry.replay(
        for: request, status: .hit(timeToLive: 50), by: "m.example", now: Example.start + 10))
    #expect(replay.head.status == status)
    #expect(replay.bytes == bytes)
    let fields = replay.head.fields
    #expect(fields["Age"] == "10")
    #expect(fields["Cache-Status"] == "m.example; hit; ttl=50")
    #expect(fields["ETag"] == "\"1\"" && fields["Date"] == Example.date(0))
    for name in ["Connection", "X-Hop", "Keep-Alive", "Transfer-Encoding"] {
      #expect(fields[name] == nil)
    }
    #expect((fields["Content-Type"] == nil) == [304, 416].contains(status))
    if status == 206 { #expect(fields["Content-Length"] == bytes.map { String($0.count) }) }
    if status == 416 { #expect(fields["Content-Range"] == "bytes */10") }
  }

  @Test(arguments: [("bytes=10-", 416), ("bytes=9-", 206)])
  func `RFC 9110 §15.5.17: a 416 without content names no coding or language`(
    _ range: String, _ status: Int
  ) throws {
    let lines = [("Content-Encoding", "gzip"), ("Content-Language", "de"), ("X-Other", "1")]
    let entry = try #require(Example.entry(Self.stored + lines, length: 10))
    let head = try #require(
      entry.replay(
        for: Example.request([("Range", range)]), status: .hit(timeToLive: 60), by: "m",
        now: Example.start)
    ).head
    #expect(head.status == status)
    #expect((head.fields["Content-Encoding"] == nil) == (status == 416))
    #expect((head.fields["Content-Language"] == nil) == (status == 416))
    #expect(head.fields["X-Other"] == "1" && head.fields["ETag"] == "\"1\"")
    #expect(head.fields["Content-Length"] == (status == 416 ? "0" : "1"))
  }

  @Test(arguments: ["no-cache=\"X-User, x-two\"", "no-cache=X-User, no-cache=\"X-Two\""])
  func `§5.2.2.4: fields that no-cache names are only sent after a validation`(_ control: String)
    throws
  {
    let lines = [("Cache-Control", "max-age=60, " + control), ("x-user", "1"), ("X-Two", "2")]
    let entry = try #require(Example.entry(lines + [("X-Three", "3")]))
    let request = WebRequest(url: try #require(WebURL("https://h.example/a?b")))
    #expect(entry.reuse(for: request, now: Example.start) == .fresh)
    func names(_ status: CacheStatus) -> [String] {
      entry.replay(for: request, status: status, by: "m", now: Example.start).head.fields.lines
        .map { $0.name.lowercased() }.filter { $0.hasPrefix("x-") }
    }
    #expect(names(.hit(timeToLive: 60)) == ["x-three"])
    #expect(names(.forwarded(.stale, status: 304, isStored: false)).count == 3)
  }

  @Test func `§5.1: a response that was just received or validated has no Age of this cache`()
    throws
  {
    let forwarded = CacheStatus.forwarded(.uriMiss, status: 200, isStored: true)
    for (age, expected) in [(nil, nil), ("7", "9")] as [(String?, String?)] {
      var lines = [("Cache-Control", "max-age=60"), ("Date", Example.date(0))]
      if let age { lines.append(("Age", age)) }
      let entry = try #require(Example.entry(lines))
      let replay = try #require(
        entry.replay(for: Example.request(), status: forwarded, by: "m", now: Example.start + 2))
      #expect(replay.head.fields["Age"] == expected)
      #expect(
        replay.head.fields["Cache-Status"] == "m; fwd=uri-miss; fwd-status=200; stored")
    }
  }

  @Test func `RFC 9110 §6.6.1, RFC 9211 §2: Date is added, and Cache-Status of others is kept`()
    throws
  {
    let entry = try #require(Example.entry([("Cache-Status", "cdn; hit")]))
    let replay = try #require(
      entry.replay(
        for: Example.request(), status: .hit(timeToLive: nil), by: "m", now: Example.start + 5))
    #expect(replay.head.fields["Date"] == Example.date(0))
    #expect(replay.head.fields.values(of: "Cache-Status") == ["cdn; hit", "m; hit"])
  }

  @Test func `§3.3: a stored part is used for the ranges within it`() throws {
    let entry = try #require(
      Example.entry(
        [("Cache-Control", "max-age=60"), ("Content-Range", "bytes 10-19/100")],
        for: Example.request([("Range", "bytes=10-19")]), status: 206, length: 10))
    let inner = Example.request([("Range", "bytes=12-13")])
    #expect(entry.reuse(for: inner, now: Example.start) == .fresh)
    let replay = try #require(
      entry.replay(for: inner, status: .hit(timeToLive: 60), by: "m", now: Example.start))
    #expect(replay.bytes == 2..<4)
    #expect(replay.head.fields["Content-Range"] == "bytes 12-13/100")
    #expect(!entry.isSelected(by: Example.request([("Range", "bytes=15-25")])))
    #expect(!entry.isSelected(by: Example.request()))
  }

  @Test(
    arguments: [
      ("GET", nil, true), ("GET", "\"1\"", true), ("GET", "\"2\"", false),
      ("GET", "W/\"1\"", false), ("GET", "yesterday", false), ("HEAD", nil, false),
    ] as [(String, String?, Bool)])
  func `RFC 9110 §13.1.5, §14.2: a stored part is not used for another version, or for HEAD`(
    _ method: String, _ condition: String?, _ isSelected: Bool
  ) throws {
    var lines = [("Range", "bytes=10-19")]
    let entry = try #require(
      Example.entry(
        [("Cache-Control", "max-age=60"), ("Content-Range", "bytes 10-19/100"), ("ETag", "\"1\"")],
        for: Example.request(lines), status: 206, length: 10))
    if let condition { lines.append(("If-Range", condition)) }
    #expect(entry.isSelected(by: Example.request(lines, method: method)) == isSelected)
  }

  @Test(
    arguments: [
      (.hit(timeToLive: -3, detail: .offline), "m", "m; hit; ttl=-3; detail=offline"),
      (.hit(timeToLive: nil), "cache.example:8080", "cache.example:8080; hit"),
      (.hit(timeToLive: nil), "my cache", "\"my cache\"; hit"),
      (.hit(timeToLive: nil), "8\"\\ü", "\"8\\\"\\\\?\"; hit"),
      (.hit(timeToLive: nil), "", "\"\"; hit"),
      (.hit(timeToLive: nil, detail: .init(rawValue: "a b")), "m", "m; hit; detail=\"a b\""),
      (.generated(.onlyIfCached), "m", "m; detail=only-if-cached"),
      (
        .forwarded(.varyMiss, status: 200, isStored: false, isCollapsed: true), "m",
        "m; fwd=vary-miss; fwd-status=200; collapsed"
      ),
    ] as [(CacheStatus, String, String)])
  func `RFC 9211: Cache-Status has the name of the cache and valid parameters`(
    _ status: CacheStatus, _ name: String, _ text: String
  ) {
    #expect(status.text(by: name) == text)
    #expect("cache; \(status.description)" == status.text(by: "cache"))
  }
}

@Suite("Changes of stored responses")
struct StoredChangeTests {
  @Test(
    arguments: [
      ("POST", 200, [], 1), ("PUT", 204, [], 1), ("DELETE", 302, [("Location", "/other")], 2),
      ("PATCH", 201, [("Location", "https://h.example/n"), ("Content-Location", "/m#x")], 3),
      ("QUERYX", 200, [], 1), ("POST", 201, [("Location", "https://evil.example/a")], 1),
      ("POST", 201, [("Location", "http://h.example/a")], 1), ("POST", 404, [], 0),
      ("POST", 500, [], 0), ("GET", 200, [("Location", "/x")], 0), ("HEAD", 200, [], 0),
      ("OPTIONS", 200, [], 0), ("TRACE", 200, [], 0),
    ] as [(String, Int, [(String, String)], Int)])
  func `§4.4: a successful unsafe request invalidates its URL and those of the same origin`(
    _ method: String, _ status: Int, _ lines: [(String, String)], _ count: Int
  ) throws {
    let request = WebRequest(
      method: method, url: try #require(WebURL("https://h.example/a?b#c")))
    let urls = Invalidation.urls(
      after: request, ResponseHead(status: status, fields: Example.fieldLines(lines)))
    #expect(urls.count == count)
    #expect(urls.first.map(\.cacheKey) == (count == 0 ? nil : "https://h.example/a?b"))
    #expect(urls.allSatisfy { $0.host == "h.example" && $0.fragment == nil })
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
  func `§4.3.1: only GET and HEAD are made conditional`(_ method: String) throws {
    let entry = try #require(
      Example.entry([("ETag", "\"1\""), ("Last-Modified", Example.date(-9))]))
    let request = Example.request([("X", "1")], method: method)
    #expect(entry.validation(of: request) == request)
    let head = entry.validation(of: Example.request(method: "HEAD"))
    #expect(head.headerFields[.ifNoneMatch] == "\"1\"")
    let conditional = Example.request([("If-Match", "\"9\"")])
    #expect(entry.validation(of: conditional) == conditional)
  }

  @Test func `§4.3.1: a response for one user is not validated for another`() throws {
    let request = Example.request([("Authorization", "Basic YTpi")])
    let entry = try #require(Example.entry([("ETag", "\"1\"")], for: request))
    #expect(entry.validation(of: request) != request)
    let otherRequest = Example.request([("Authorization", "Basic eDp5")])
    #expect(entry.validation(of: otherRequest) == otherRequest)
  }

  @Test(
    arguments: [
      ([("ETag", "\"1\"")], [("ETag", "\"1\"")], true),
      ([("Last-Modified", Example.date(-9))], [("ETag", "\"1\"")], false),
      (
        [("Last-Modified", Example.date(-9))],
        [("ETag", "\"1\""), ("Last-Modified", Example.date(-9))], false
      ),
      (
        [("Last-Modified", Example.date(-9))],
        [("ETag", "W/\"1\""), ("Last-Modified", Example.date(-9))], true
      ),
      ([("Last-Modified", Example.date(-9))], [("ETag", "W/\"1\"")], false),
      ([("Last-Modified", Example.date(-9))], [("Last-Modified", Example.date(-9))], true),
      ([("Last-Modified", Example.date(-9))], [("Last-Modified", Example.date(-8))], false),
      ([("ETag", "W/\"1\"")], [("ETag", "\"1\"")], true),
      ([("ETag", "W/\"1\"")], [("ETag", "\"2\"")], false),
      ([("ETag", "\"1\"")], [("ETag", "W/\"1\"")], true),
      ([], [("ETag", "\"1\"")], false), ([], [], false),
    ] as [([(String, String)], [(String, String)], Bool)])
  func `§4.3.4: a 304 updates only the response that its validators identify`(
    _ lines: [(String, String)], _ update: [(String, String)], _ isUpdated: Bool
  ) throws {
    let entry = try #require(Example.entry(lines))
    let updated = entry.updated(
      by: Example.response(update, status: 304), to: entry.validation(of: Example.request()),
      requestTime: Example.start, responseTime: Example.start)
    #expect((updated != nil) == isUpdated)
  }

  @Test func `§4.2.3: the age given by an upstream cache ends with a validation`() throws {
    let entry = try #require(
      Example.entry([("ETag", "\"1\""), ("Age", "50"), ("Cache-Control", "max-age=60")]))
    let laterDate = Example.start + 100
    for (lines, age) in [([], 0.0), ([("Age", "7")], 7)] as [([(String, String)], Double)] {
      let updated = try #require(
        entry.updated(
          by: Example.response([("ETag", "\"1\"")] + lines, status: 304),
          to: entry.validation(of: Example.request()), requestTime: laterDate,
          responseTime: laterDate))
      #expect(updated.age(now: laterDate) == age)
    }
  }

  @Test(
    arguments: [
      ([("ETag", "\"1\""), ("X-New", "1")], 200, true), ([("ETag", "\"2\"")], 200, false),
      ([("Content-Length", "10")], 200, true), ([("Content-Length", "11")], 200, false),
      ([("Content-Length", "5"), ("Content-Encoding", "gzip")], 200, true), ([], 200, true),
      ([("Last-Modified", Example.date(-1))], 200, false), ([("ETag", "\"1\"")], 404, false),
    ] as [([(String, String)], Int, Bool)])
  func `§4.3.5: a response to HEAD updates the stored response that it describes`(
    _ lines: [(String, String)], _ status: Int, _ isUpdated: Bool
  ) throws {
    let entry = try #require(
      Example.entry([("ETag", "\"1\""), ("Last-Modified", Example.date(-9))], length: 10))
    let laterDate = Example.start + 9
    func updated(_ method: String) -> CacheEntry? {
      entry.updated(
        byHead: Example.response(lines, status: status), to: Example.request(method: method),
        requestTime: laterDate, responseTime: laterDate)
    }
    #expect((updated("HEAD") != nil) == isUpdated)
    #expect(updated("GET") == nil)
    if let changed = updated("HEAD") {
      #expect(changed.responseTime == laterDate && changed.response.fields["ETag"] == "\"1\"")
      #expect(changed.response.fields["X-New"] == lines.first { $0.0 == "X-New" }?.1)
    }
  }

  @Test func `§4: the most recent of the selected responses is used`() throws {
    let entries = try [-20.0, -5, -10].map { seconds in
      try #require(
        Example.entry([("Date", Example.date(seconds)), ("Vary", "X-A")]))
    }
    let request = WebRequest(url: try #require(WebURL("https://h.example/a?b")))
    #expect(entries.selected(by: request) == entries[1])
    #expect(entries.selected(by: Example.request([("X-A", "1")])) == nil)
    #expect([CacheEntry]().selected(by: request) == nil)
  }

  /// A type of another cache, with its own form of secret values.
  struct Row: CachedResponse {
    var response: ResponseHead
    var requestTime = Example.start
    var responseTime = Example.start
    var varying: [VaryingField] = []
    var length: Int64 = 4
    var isTrusted = true

    static func hash(_ secret: String) -> String { "#\(secret.count)" }
    func stored(secret: String) -> String { Self.hash(secret) }
  }

  @Test func `a cache's own type uses all rules, with hashed secrets`() throws {
    let url = try #require(WebURL("https://h.example/a"))
    let owner = WebRequest(url: url, fields: Example.fieldLines([("Authorization", "Basic YTpi")]))
    let head = ResponseHead(
      status: 200, fields: Example.fieldLines([("ETag", "\"1\""), ("Cache-Control", "max-age=9")]))
    #expect(Storability.isStorable(head, for: owner, in: .private))
    var row = Row(response: Storability.storedHead(of: head, in: .private))
    row.varying = VaryingField.fields(of: head, for: owner, in: .private, hash: Row.hash)
    #expect(row.varying == [VaryingField(name: "authorization", value: "#10")])
    #expect(row.reuse(for: owner, now: Example.start) == .fresh)
    #expect(row.reuse(for: WebRequest(url: url), now: Example.start) == .validate)
    #expect(row.validation(of: owner).fields["If-None-Match"] == "\"1\"")
    #expect(row.isConfirmed(by: ResponseHead(status: 304), to: row.validation(of: owner)))
    let status = CacheStatus.hit(timeToLive: 9)
    #expect(row.replay(for: owner, status: status, by: "m", now: Example.start).bytes == 0..<4)
    row.isTrusted = false
    #expect(row.reuse(for: owner, now: Example.start) == .validate)
    #expect(!row.isReusable && row.validation(of: owner) == owner)
  }
}
