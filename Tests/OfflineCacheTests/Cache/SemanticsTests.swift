import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("RFC 9111 through the cache")
struct SemanticsTests {
  private static func transport(
    _ respond: @escaping @Sendable (WebRequest) -> ScriptedTransport.Reply
  ) -> ScriptedTransport {
    ScriptedTransport(respond)
  }

  private static let fresh = [("Cache-Control", "max-age=600"), ("ETag", "\"1\"")]

  @Test(
    arguments: [("POST", 200), ("PUT", 204), ("DELETE", 302), ("X-OTHER", 201)] as [(String, Int)])
  func `§4.4: a successful unsafe request invalidates, also for the next process`(
    _ method: String, _ status: Int
  ) {
    let network = Self.transport { request in
      switch (request.method, request.fields["If-None-Match"]) {
      case ("GET", nil): .response(200, Self.fresh, "one")
      case ("GET", _): .response(304, Self.fresh)
      default: .response(status, [("Location", "/b"), ("Content-Location", "http://other/a")])
      }
    }
    let time = CacheFixture.Time()
    let fixture = CacheFixture(network, time: time)
    for url in ["http://h/a", "http://h/b", "http://other/a", "http://h/c"] { fixture.load(url) }
    fixture.advance(1)
    fixture.load("http://h/a", method: method)
    fixture.advance(1)
    fixture.cache.close()
    let next = CacheFixture(network, in: fixture.directory, time: time)
    let isValidated = { next.load($0).cacheStatus == "OfflineCache; fwd=request; fwd-status=304" }
    #expect(isValidated("http://h/a"))
    #expect(isValidated("http://h/b"))
    #expect(next.load("http://other/a").cacheStatus == "OfflineCache; hit; ttl=598")
    #expect(next.load("http://h/c").cacheStatus == "OfflineCache; hit; ttl=598")
    // Validation ends the invalidation.
    #expect(next.load("http://h/a").cacheStatus == "OfflineCache; hit; ttl=600")
  }

  @Test func `§4.4: a rebuilt index contains invalidations`() throws {
    let network = Self.transport {
      $0.method == "GET" ? .response(200, Self.fresh, "1") : .response()
    }
    let time = CacheFixture.Time()
    let fixture = CacheFixture(network, time: time)
    fixture.load("http://h/a")
    fixture.advance(1)
    fixture.load("http://h/a", method: "POST")
    fixture.cache.close()
    try FileManager.default.removeItem(at: fixture.directory.appendingPathComponent("index.sqlite"))
    let next = CacheFixture(network, in: fixture.directory, time: time)
    #expect(next.cache.invalidation(of: "http://h/a") == time.date)
    #expect(next.cache.invalidation(of: "http://h/") == nil)
  }

  @Test func `§4.4: an invalidation is recorded once, and only for stored responses`() throws {
    let network = Self.transport {
      $0.method == "GET" ? .response(200, Self.fresh, "1") : .response()
    }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    fixture.advance(1)
    fixture.load("http://h/a", method: "POST")
    let segments = fixture.directory.appendingPathComponent("archive")
    func size() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: segments.path).reduce(0) {
        $0 + (try Data(contentsOf: segments.appendingPathComponent($1)).count)
      }
    }
    let before = try size()
    for path in ["a", "b", "c"] { fixture.load("http://h/\(path)", method: "POST") }
    #expect(try size() == before)
  }

  /// Starts to load a page, posts to its URL, delivers the page and loads it again.
  private static func loadAfterRace(
    _ network: ScriptedTransport, _ fixture: CacheFixture, posting other: CacheFixture
  ) -> LoadRecord.Result {
    let slow = fixture.begin("http://h/a")
    let pending = network.next()
    fixture.advance(1)
    other.load("http://h/a", method: "POST")
    fixture.advance(1)
    for event in TransportEvent.response(200, fresh, "before") { pending.receive(event) }
    #expect(slow.waitForEnd().text == "before")
    fixture.advance(1)
    return fixture.load("http://h/a")
  }

  /// A network whose first GET is held, and whose later ones return the state after the POST.
  private static func slowNetwork() -> ScriptedTransport {
    let count = Mutex(0)
    return transport { request in
      guard request.method == "GET" else { return .response() }
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1 ? .hold : .response(200, fresh, "after")
    }
  }

  @Test
  func `§4.4: a response requested before a POST is not reused after it`() {
    let network = Self.slowNetwork()
    let fixture = CacheFixture(network)
    #expect(Self.loadAfterRace(network, fixture, posting: fixture).text == "after")
  }

  @Test func `§4.4: the same applies to a POST by another process`() {
    let network = Self.slowNetwork()
    let time = CacheFixture.Time()
    let fixture = CacheFixture(network, time: time)
    let otherFixture = CacheFixture(
      Self.transport { _ in .response() }, in: fixture.directory, time: time)
    #expect(Self.loadAfterRace(network, fixture, posting: otherFixture).text == "after")
  }

  @Test(arguments: [true, false])
  func `§4.4: no load joins an exchange that began before a POST`(_ isPostedHere: Bool) {
    let network = Self.slowNetwork()
    let time = CacheFixture.Time()
    let fixture = CacheFixture(network, time: time)
    let otherFixture = CacheFixture(
      Self.transport { _ in .response() }, in: fixture.directory, time: time)
    let slow = fixture.begin("http://h/a")
    let pending = network.next()
    fixture.advance(1)
    (isPostedHere ? fixture : otherFixture).load("http://h/a", method: "POST")
    fixture.advance(1)
    #expect(fixture.load("http://h/a").text == "after")
    for event in TransportEvent.response(200, Self.fresh, "before") { pending.receive(event) }
    #expect(slow.waitForEnd().text == "before")
    // The response to the later request was saved.
    #expect(fixture.load("http://h/a").text == "after")
  }

  @Test(arguments: [400, 404, 500, 503])
  func `§4.4: a failed unsafe request invalidates nothing`(_ status: Int) {
    let network = Self.transport {
      $0.method == "GET" ? .response(200, Self.fresh, "1") : .response(status)
    }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    fixture.load("http://h/a", method: "POST")
    #expect(fixture.load("http://h/a").cacheStatus == "OfflineCache; hit; ttl=600")
  }

  @Test func `§4.4: an unsaved invalidation lasts as long as the process, in bounded memory`() {
    var unsaved = UnsavedInvalidations()
    for number in 0..<1000 {
      unsaved.add("http://h/\(number)", at: Date(timeIntervalSince1970: Double(number)))
    }
    #expect(unsaved["http://h/999"] != nil)
    #expect(unsaved["http://h/0"] == nil)
    #expect((0..<1000).count { unsaved["http://h/\($0)"] != nil } == UnsavedInvalidations.maxKeys)
  }

  @Test func `§3.3: range requests are served from a stored complete response, also offline`() {
    let text = "0123456789"
    let network = Self.transport { _ in .response(200, Self.fresh, text) }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    func part(_ range: String) -> LoadRecord.Result {
      fixture.load("http://h/a", [("Range", range)])
    }
    #expect(part("bytes=2-4").text == "234")
    #expect(part("bytes=2-4").status == 206)
    #expect(part("bytes=2-4").response?.response.fields["Content-Range"] == "bytes 2-4/10")
    #expect(part("bytes=-3").text == "789")
    #expect(part("bytes=4-").text == "456789")
    #expect(part("bytes=10-").status == 416)
    #expect(part("bytes=10-").text.isEmpty)
    #expect(part("bytes=0-1,3-4").text == text)
    #expect(network.sent.count == 1)
    fixture.advance(9999)
    let offline = fixture.load("http://h/a", [("Range", "bytes=0-0")]) { $0.mode = .cacheOnly }
    #expect(offline.status == 206)
    #expect(offline.text == "0")
  }

  @Test func `§3.3: a range of long content is extracted while reading`() {
    let text = String(repeating: "0123456789", count: 200_000)
    let network = Self.transport { _ in .response(200, Self.fresh, text) }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    let part = fixture.load("http://h/a", [("Range", "bytes=65530-1000001")])
    #expect(part.text == String(text.dropFirst(65_530).prefix(934_472)))
    #expect(fixture.load("http://h/a", [("Range", "bytes=-1")]).text == "9")
  }

  @Test func `§3.3: a stored range is reused only for the same range`() {
    let network = Self.transport { request in
      request.fields["Range"] == nil
        ? .response(200, [], "0123456789")
        : .response(
          206, [("Cache-Control", "max-age=60"), ("Content-Range", "bytes 0-1/10")], "01")
    }
    let fixture = CacheFixture(network)
    let part = { fixture.load("http://h/a", [("Range", $0)]) }
    #expect(part("bytes=0-1").cacheStatus == "OfflineCache; fwd=uri-miss; fwd-status=206; stored")
    #expect(network.sent.last?.fields["Accept-Encoding"] == "identity")
    #expect(part("bytes=0-1").cacheStatus == "OfflineCache; hit; ttl=60")
    #expect(part("bytes=0-1").text == "01")
    #expect(part("bytes=0-2").cacheStatus == "OfflineCache; fwd=partial; fwd-status=206; stored")
    #expect(fixture.load("http://h/a") { $0.mode = .cacheOnly }.error != nil)
    #expect(fixture.load("http://h/a").text == "0123456789")
    #expect(fixture.load("http://h/a") { $0.mode = .cacheOnly }.text == "0123456789")
  }

  @Test func `§3.3: a stored range with a validator serves ranges within it, also offline`() {
    let etag = ("ETag", "\"1\"")
    let network = Self.transport { request in
      request.fields["Range"] == "bytes=10-19"
        ? .response(
          206, [("Cache-Control", "max-age=60"), ("Content-Range", "bytes 10-19/40"), etag],
          "0123456789")
        : .response(416, [], "")
    }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a", [("Range", "bytes=10-19")])
    for (range, text) in [
      ("bytes=10-19", "0123456789"), ("bytes=12-13", "23"), ("BYTES=19-19", "9"),
    ] {
      let result = fixture.load("http://h/a", [("Range", range)]) { $0.mode = .cacheOnly }
      #expect(result.text == text && result.status == 206, "\(range)")
      let length = result.response?.response.fields["Content-Length"]
      #expect(length == "\(text.utf8.count)")
    }
    let inner = fixture.load("http://h/a", [("Range", "bytes=12-13"), ("If-Range", "\"1\"")])
    #expect(inner.response?.response.fields["Content-Range"] == "bytes 12-13/40")
    #expect(inner.cacheStatus == "OfflineCache; hit; ttl=60")
    for fields in [
      [("Range", "bytes=9-12")], [("Range", "bytes=12-20")], [("Range", "bytes=12-")],
      [("Range", "bytes=-3")], [("Range", "bytes=11-12, 14-15")], [],
      [("Range", "bytes=12-13"), ("If-Range", "\"2\"")],
    ] {
      let result = fixture.load("http://h/a", fields) { $0.mode = .cacheOnly }
      #expect(result.error == .notSaved, "\(fields)")
    }
  }

  @Test func `§4.3.2: a client's own condition is evaluated against a fresh response`() {
    let network = Self.transport { _ in .response(200, Self.fresh, "one") }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    let same = fixture.load("http://h/a", [("If-None-Match", "\"0\", W/\"1\"")])
    #expect(same.status == 304)
    #expect(same.body.isEmpty)
    #expect(same.response?.response.fields["ETag"] == "\"1\"")
    #expect(fixture.load("http://h/a", [("If-None-Match", "\"2\"")]).text == "one")
    #expect(fixture.load("http://h/a", [("If-None-Match", "*")]).status == 304)
    #expect(network.sent.count == 1)
  }

  @Test(arguments: [("\"1\"", 304, "\"1\"", ""), ("\"0\"", 200, "\"1\", \"0\"", "one")])
  func `§4.3.3: a stale response is validated in addition to the client's own condition`(
    _ own: String, _ status: Int, _ sent: String, _ text: String
  ) {
    let network = Self.transport { request in
      request.fields["If-None-Match"] == nil
        ? .response(200, [("ETag", "\"1\"")], "one") : .response(304, Self.fresh)
    }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    fixture.advance(1)
    let secondLoad = fixture.load("http://h/a", [("If-None-Match", own)])
    #expect(secondLoad.status == status)
    #expect(secondLoad.text == text)
    #expect(network.sent.last?.fields["If-None-Match"] == sent)
    // In both cases our response was validated.
    #expect(fixture.load("http://h/a").cacheStatus == "OfflineCache; hit; ttl=600")
  }

  @Test func `§4.3.4: a 304 selects another variant by its entity tag`() {
    let network = Self.transport { request in
      let language = request.fields["Accept-Language"] ?? ""
      let tag = language == "de" ? "\"de\"" : "\"en\""
      let fields = [("ETag", tag), ("Vary", "Accept-Language"), ("Cache-Control", "max-age=60")]
      let isHeld = request.fields["If-None-Match"]?.contains(tag) ?? false
      return isHeld ? .response(304, fields) : .response(200, fields, language)
    }
    let fixture = CacheFixture(network)
    let load = { fixture.load("http://h/a", [("Accept-Language", $0)]) }
    #expect(load("en").text == "en")
    #expect(load("de").text == "de")
    #expect(load("en").cacheStatus == "OfflineCache; hit; ttl=60")
    let british = load("en-GB")
    #expect(british.text == "en")
    #expect(british.cacheStatus == "OfflineCache; fwd=vary-miss; fwd-status=304")
    #expect(network.sent.last?.fields["If-None-Match"] == "\"de\", \"en\"")
  }

  @Test func `§4.3.4: a response is used again after a 304 that adds a field to Vary`() throws {
    let network = Self.transport { request in
      request.fields["If-None-Match"] == nil
        ? .response(200, [("Cache-Control", "max-age=0"), ("ETag", "\"a\"")], "one")
        : .response(
          304, [("ETag", "\"a\""), ("Cache-Control", "max-age=60"), ("Vary", "X-Lang")])
    }
    let time = CacheFixture.Time()
    let fixture = CacheFixture(network, time: time)
    let german = [("X-Lang", "de")]
    fixture.load("http://h/a", german)
    fixture.advance(1)
    fixture.load("http://h/a", german)
    #expect(network.sent.count == 2)
    #expect(fixture.load("http://h/a", german).cacheStatus == "OfflineCache; hit; ttl=60")
    fixture.cache.close()
    try FileManager.default.removeItem(at: fixture.directory.appendingPathComponent("index.sqlite"))
    let next = CacheFixture(network, in: fixture.directory, time: time)
    #expect(next.load("http://h/a", german).cacheStatus == "OfflineCache; hit; ttl=60")
    #expect(next.load("http://h/a", german) { $0.mode = .cacheOnly }.text == "one")
    #expect(network.sent.count == 2)
    next.load("http://h/a", [("X-Lang", "fr")])
    #expect(network.sent.count == 3)
  }

  @Test func `No-Vary-Search: a response is reused for equivalent queries`() {
    let fields = [("Cache-Control", "max-age=60"), ("No-Vary-Search", "params=(\"utm\")")]
    let network = Self.transport { request in
      request.url.contains("plain")
        ? .response(200, [("Cache-Control", "max-age=60")], "p")
        : .response(200, fields, "one")
    }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a?id=1&utm=x")
    let status = { fixture.load("http://h/" + $0).cacheStatus }
    #expect(status("a?id=1") == "OfflineCache; hit; ttl=60")
    #expect(status("a?utm=y&id=1") == "OfflineCache; hit; ttl=60")
    #expect(status("a?id=2") == "OfflineCache; fwd=uri-miss; fwd-status=200; stored")
    #expect(status("b?id=1") == "OfflineCache; fwd=uri-miss; fwd-status=200; stored")
    #expect(status("plain?a=1") == "OfflineCache; fwd=uri-miss; fwd-status=200; stored")
    #expect(status("plain?a=2") == "OfflineCache; fwd=uri-miss; fwd-status=200; stored")
    let offline = fixture.load("http://h/a?id=1&utm=q") { $0.mode = .cacheOnly }
    #expect(offline.text == "one")
  }

  @Test func `§5.2.1.7: only-if-cached without a stored response gives a 504 from the cache`() {
    let network = Self.transport { _ in .response(200, Self.fresh, "one") }
    let fixture = CacheFixture(network)
    let missing = fixture.load("http://h/a", [("Cache-Control", "only-if-cached")])
    #expect(missing.status == 504)
    #expect(missing.cacheStatus == "OfflineCache; detail=only-if-cached")
    #expect(network.sent.isEmpty)
    fixture.load("http://h/a")
    #expect(fixture.load("http://h/a", [("Cache-Control", "only-if-cached")]).text == "one")
  }

  @Test func `2 KB URLs that differ in the last byte are distinct`() {
    let network = Self.transport {
      .response(200, Self.fresh, String($0.url.description.suffix(1)))
    }
    let fixture = CacheFixture(network)
    let url = "http://h/" + String(repeating: "x", count: 2048)
    for last in ["a", "b", "c"] { #expect(fixture.load(url + last).text == last) }
    for last in ["a", "b", "c"] { #expect(fixture.load(url + last).text == last) }
    #expect(network.sent.count == 3)
  }

  @Test(
    arguments: [
      ("max-age=0, must-revalidate, stale-if-error=60", false),
      ("no-cache, stale-if-error=60", false), ("max-age=0", false),
      ("max-age=0, stale-if-error=60", true),
    ] as [(String, Bool)])
  func `strict mode: failed validation of a response that requires it is an error`(
    _ control: String, _ isShown: Bool
  ) {
    let gate = ScriptedTransport.Reply.response(200, [("Cache-Control", control)], "one")
    let network = Self.transport { request in
      request.fields["X-Off"] == nil ? gate : .failure(.incomplete)
    }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    fixture.advance(1)
    let strict = fixture.load("http://h/a", [("X-Off", "1")]) { $0.allowsFallback = false }
    #expect((strict.text == "one") == isShown)
    #expect((strict.error != nil) == !isShown)
    #expect(fixture.load("http://h/a", [("X-Off", "1")]).text == "one")
  }

  @Test func `RFC 5861 §4: stale-if-error applies to every error, not only the first`() {
    let isDown = Mutex(false)
    let network = Self.transport { request in
      guard isDown.withLock({ $0 }) else {
        return .response(
          200, [("Cache-Control", "max-age=0, stale-if-error=60"), ("ETag", "\"1\"")], "one")
      }
      return .response(503, [], "down")
    }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    isDown.withLock { $0 = true }
    for _ in 0..<3 {
      fixture.advance(1)
      let response = fixture.load("http://h/a") { $0.allowsFallback = false }
      #expect(response.text == "one")
      #expect(network.sent.last?.fields["If-None-Match"] == "\"1\"")
    }
  }

  @Test(
    arguments: [(302, [("Location", "/b")]), (403, []), (503, [])] as [(Int, [(String, String)])])
  func `§3: a response that can never be fresh is never reused, even with max-stale`(
    _ status: Int, _ fields: [(String, String)]
  ) {
    let network = Self.transport { _ in .response(status, fields, "no") }
    let fixture = CacheFixture(network)
    fixture.load("http://h/a")
    fixture.advance(1)
    fixture.load("http://h/a", [("Cache-Control", "max-stale")])
    #expect(network.sent.count { $0.url == "http://h/a" } == 2)
    let only = fixture.load("http://h/a", [("Cache-Control", "only-if-cached, max-stale")])
    #expect(only.status == 504)
  }
}
