import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("HTTPCache over a real server")
struct HTTPCacheTests {
  static let long = "<h1>A page</h1>" + String(repeating: "<p>Some text of it.</p>", count: 100)

  @Test func `§5.1: a response from the server has the Age of the server, or none`()
    throws
  {
    let server = try ScriptedServer()
    server.on("/new", .response(text: Self.long))
    server.on("/old", .response([("Age", "7")], text: Self.long))
    let fixture = CacheFixture()
    #expect(fixture.load(server.url + "/new").response?.response.fields.values(of: "Age") == [])
    #expect(fixture.load(server.url + "/old").response?.response.fields.values(of: "Age") == ["7"])
  }

  @Test func `the same load works online, and offline after the server has stopped`() throws {
    let server = try ScriptedServer()
    server.on("/a", .response([("Content-Type", "text/html")], text: Self.long))
    let fixture = CacheFixture()
    let online = fixture.load(server.url + "/a")
    #expect(online.text == Self.long)
    #expect(online.response?.source == .network)
    #expect(online.cacheStatus == "OfflineCache; fwd=uri-miss; fwd-status=200; stored")
    #expect(online.stored?.isGood == true)
    server.stop()
    fixture.advance(86_400)
    let offline = fixture.load(server.url + "/a#part")
    #expect(offline.text == Self.long)
    #expect(offline.cacheStatus == "OfflineCache; hit; ttl=-86400; detail=unreachable")
    #expect(offline.response?.response.fields["Age"] == "86400")
    #expect(
      offline.response?.response.fields["Memento-Datetime"] == "Tue, 14 Nov 2023 22:13:20 GMT")
    #expect(offline.response?.response.fields["Content-Type"] == "text/html")
    let stored = try #require(offline.response?.stored)
    #expect(stored.id == online.stored?.id)
    guard case .failed(let failure)? = stored.lastCheck?.result else {
      Issue.record("the check is not recorded: \(String(describing: stored.lastCheck))")
      return
    }
    #expect(failure.kind == .connectionRefused)
    #expect(fixture.load(server.url + "/b").error?.failureKind == .connectionRefused)
    #expect(fixture.cache.warning == nil)
  }

  @Test func `a capture of another archive keeps its date`() throws {
    let server = try ScriptedServer()
    let captured = "Wed, 09 Apr 2008 20:30:51 GMT"
    server.on("/m", .response([("Memento-Datetime", captured)], text: Self.long))
    let fixture = CacheFixture()
    for mode in [LoadMode.networkFirst, .cacheOnly] {
      let result = fixture.load(server.url + "/m") { $0.mode = mode }
      #expect(result.response?.response.fields.values(of: "Memento-Datetime") == [captured])
    }
  }

  @Test func `a fresh response is served without the network`() throws {
    let server = try ScriptedServer()
    server.on("/", .response([("Cache-Control", "max-age=600")], text: "one"))
    let fixture = CacheFixture()
    fixture.load(server.url)
    fixture.advance(260)
    let secondLoad = fixture.load(server.url + "/")
    #expect(secondLoad.text == "one")
    #expect(secondLoad.cacheStatus == "OfflineCache; hit; ttl=340")
    #expect(secondLoad.response?.source == .fresh)
    #expect(server.requests.count == 1)
    fixture.load(server.url) { $0.isReload = true }
    #expect(server.requests.count == 2)
    #expect(server.requests.last?["Cache-Control"] == "max-age=0")
  }

  @Test func `a stale response is validated, and a 304 keeps its content`() throws {
    let server = try ScriptedServer()
    let fields = [("ETag", "\"v1\""), ("Last-Modified", "Mon, 13 Nov 2023 00:00:00 GMT")]
    server.on(
      "/", .response(fields + [("Cache-Control", "max-age=0")], text: "one"),
      .response(
        status: 304, [("ETag", "\"v1\""), ("Cache-Control", "max-age=60"), ("X-New", "1")],
        text: ""))
    let fixture = CacheFixture()
    let first = fixture.load(server.url)
    fixture.advance(100)
    let second = fixture.load(server.url)
    #expect(second.text == "one")
    #expect(second.cacheStatus == "OfflineCache; fwd=stale; fwd-status=304")
    #expect(second.response?.source == .validated)
    #expect(second.response?.response.fields["X-New"] == "1")
    #expect(server.requests.last?["If-None-Match"] == "\"v1\"")
    #expect(server.requests.last?["If-Modified-Since"] == fields[1].1)
    #expect(second.response?.stored?.contentDate == first.stored?.contentDate)
    fixture.advance(10)
    #expect(fixture.load(server.url).cacheStatus == "OfflineCache; hit; ttl=50")
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [LoadMode.networkFirst, .staleWhileRevalidate])
  func `a conditional request answered with 412 is repeated without the condition`(
    _ mode: LoadMode
  ) throws {
    let fields = [("ETag", "\"v1\""), ("Cache-Control", "max-age=0")]
    let network = ScriptedTransport { request in
      request.fields["If-None-Match"] == nil
        ? .response(200, fields, request.fields["X-Now"] ?? "one") : .response(412, [], "no")
    }
    let fixture = CacheFixture(network)
    fixture.load("http://h/")
    fixture.advance(100)
    let record = fixture.begin("http://h/", [("X-Now", "two")]) { $0.mode = mode }
    #expect(record.waitForEnd().text == (mode == .networkFirst ? "two" : "one"))
    #expect(fixture.cache.finishBackgroundWork(timeout: 60))
    #expect(network.sent.map { $0.fields["If-None-Match"] } == [nil, "\"v1\"", nil])
    #expect(fixture.load("http://h/") { $0.mode = .cacheOnly }.text == "two")
    // A condition set by the client is left to the client.
    let conditionalLoad = fixture.load("http://h/", [("If-None-Match", "\"v9\"")])
    #expect(conditionalLoad.status == 412 && network.sent.count == 4)
    #expect(fixture.cache.captures(of: "http://h/").allSatisfy { $0.response.status == 200 })
  }

  struct BadResponse: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let script: ServerScript
    let reason: CopyReason?
    var kind: TransportFailure.Kind?
  }

  static let badAnswers: [BadResponse] = [
    .init(
      testDescription: "404", script: .response(status: 404, text: "gone"), reason: .status(404)),
    .init(testDescription: "500", script: .response(status: 500, text: "oh"), reason: .status(500)),
    .init(
      testDescription: "511", script: .response(status: 511, text: "sign in"),
      reason: .suspect(.signInPage)),
    .init(
      testDescription: "a redirect to another site", script: .redirect(to: "http://portal.test/"),
      reason: .suspect(.foreignRedirect)),
    .init(
      testDescription: "an empty page", script: .response(text: ""), reason: .suspect(.nearlyEmpty)),
    .init(
      testDescription: "a page of markup only",
      script: .response(text: "<html><script>go()</script><body></body></html>"),
      reason: .suspect(.nearlyEmpty)),
    .init(
      testDescription: "204", script: .response(status: 204, text: ""),
      reason: .suspect(.nearlyEmpty)),
    .init(
      testDescription: "a content coding that nobody knows",
      script: .response(
        [("Content-Type", "text/html"), ("Content-Encoding", "gzip, aes128gcm")],
        text: long.uppercased()), reason: .suspect(.unknownCoding)),
    .init(
      testDescription: "more codings than anybody uses",
      script: .response(
        [("Content-Encoding", [String](repeating: "gzip", count: 9).joined(separator: ","))],
        text: long.uppercased()), reason: .suspect(.unknownCoding)),
    .init(
      testDescription: "a transfer coding that nobody knows",
      script: .untilClose([("Transfer-Encoding", "sorted")], body: Array(long.uppercased().utf8)),
      reason: .suspect(.unknownCoding)),
    .init(
      testDescription: "a part that nobody asked for",
      script: .response(status: 206, [("Content-Range", "bytes 0-1/9")], text: "ab"),
      reason: .status(206)),
    .init(
      testDescription: "a short Content-Length",
      script: .truncated(body: Array("<h1>A".utf8), promised: 5000), reason: nil, kind: .incomplete),
    .init(
      testDescription: "a cut chunked answer",
      script: .chunked(chunks: [Array("<h1>A".utf8)], isTruncated: true), reason: nil,
      kind: .incomplete),
    .init(
      testDescription: "a close before any byte", script: ServerScript([.close]), reason: nil,
      kind: .incomplete),
  ]

  @Test
  func `a response with an unknown coding is shown only without a copy or on explicit request`()
    throws
  {
    let server = try ScriptedServer()
    let coded = ServerScript.response([("Content-Encoding", "aes128gcm")], text: "coded")
    server.on("/first", coded, .response(text: "plain"))
    server.on("/asked", .response(text: "plain"), coded)
    let fixture = CacheFixture()
    let first = fixture.load(server.url + "/first")
    #expect(first.text == "coded" && first.response?.source == .network)
    #expect(first.response?.response.fields["Content-Encoding"] == "aes128gcm")
    #expect(fixture.load(server.url + "/first") { $0.mode = .cacheOnly }.text == "coded")
    #expect(fixture.load(server.url + "/first") { $0.isReload = true }.text == "plain")
    fixture.load(server.url + "/asked")
    let accepted = [("Accept-Encoding", "gzip, AES128GCM;q=0.5")]
    let acceptedLoad = fixture.load(server.url + "/asked", accepted) { $0.isReload = true }
    #expect(acceptedLoad.text == "coded" && acceptedLoad.response?.source == .network)
    let codings = [String](repeating: "br", count: 9).joined(separator: ", ")
    server.on("/many", .response([("Content-Encoding", codings)], text: "coded"))
    fixture.load(server.url + "/many")
    let stored = fixture.load(server.url + "/many") { $0.mode = .cacheOnly }
    #expect(
      stored.text == "coded" && stored.response?.response.fields["Content-Encoding"] == codings)
    let versions = try fixture.cache.versions(of: server.url + "/first")
    #expect(versions.map(\.isGood) == [true, true])
  }

  @Test func `an unreadable version is saved in addition to the one that is shown`() throws {
    let server = try ScriptedServer()
    let coded = ServerScript.response([("Content-Encoding", "aes128gcm")], text: "coded")
    server.on("/", .response(text: "plain"), coded)
    let fixture = CacheFixture()
    fixture.load(server.url)
    let second = fixture.load(server.url) { $0.isReload = true }
    #expect(second.text == "plain" && second.response?.source == .saved(.suspect(.unknownCoding)))
    fixture.cache.finishBackgroundWork(timeout: 20)
    let versions = try fixture.cache.versions(of: server.url)
    #expect(versions.map(\.response.rejectionReason) == [.unknownCoding, nil])
    let id = try #require(versions.first?.response.id)
    let loadedByID = fixture.load(server.url) { $0.copy = .id(id) }
    #expect(loadedByID.text == "coded")
    #expect(loadedByID.response?.response.fields["Content-Encoding"] == "aes128gcm")
  }

  @Test(arguments: badAnswers)
  func `a good copy is never replaced by a bad response`(_ row: BadResponse) throws {
    let server = try ScriptedServer()
    server.on(
      "/", .response([("Content-Type", "text/html")], text: Self.long), row.script)
    let fixture = CacheFixture()
    let first = fixture.load(server.url)
    for _ in 0..<2 {
      fixture.advance(3600)
      let next = fixture.load(server.url)
      #expect(next.text == Self.long)
      #expect(next.status == 200)
      #expect(next.response?.stored?.id == first.stored?.id)
      #expect(next.response?.stored?.contentDate == first.stored?.contentDate)
      #expect(next.cacheStatus?.hasSuffix("; detail=error") == true)
      guard case .saved(let reason)? = next.response?.source else {
        Issue.record("not a saved copy: \(String(describing: next.response?.source))")
        return
      }
      if let wanted = row.reason { #expect(reason == wanted) }
      if case .failure(let failure) = reason { #expect(failure.kind == row.kind) }
      #expect(next.response?.stored?.lastCheck != nil)
    }
    fixture.cache.finishBackgroundWork(timeout: 10)
    server.stop()
    let offline = fixture.load(server.url) { $0.mode = .cacheOnly }
    #expect(offline.text == Self.long)
    #expect(offline.response?.stored?.lastCheck != nil)
  }

  @Test func `an error response is saved as a version, and shown if there is no copy`() throws {
    let server = try ScriptedServer()
    server.on("/", .response(text: "page"), .response(status: 404, text: "gone"))
    server.on("/none", .response(status: 404, text: "never was"))
    let fixture = CacheFixture()
    fixture.load(server.url)
    fixture.load(server.url)
    fixture.cache.finishBackgroundWork(timeout: 10)
    let versions = try fixture.cache.archive.captures(of: server.url + "/")
    #expect(versions.map(\.response.status) == [404, 200])
    let none = fixture.load(server.url + "/none")
    #expect(none.status == 404)
    #expect(none.text == "never was")
    server.stop()
    #expect(fixture.load(server.url + "/none") { $0.mode = .cacheOnly }.error == .notSaved)
  }

  @Test func `a large response truncated after a megabyte does not replace the copy`() throws {
    let server = try ScriptedServer()
    let large = [UInt8](repeating: 65, count: 3 << 20)
    server.on(
      "/", .response(body: large), .truncated(body: Array(large.dropLast()), promised: large.count))
    let fixture = CacheFixture()
    #expect(fixture.load(server.url).body == large)
    fixture.advance(10)
    let next = fixture.load(server.url)
    #expect(next.body == large)
    #expect(next.cacheStatus == "OfflineCache; hit; ttl=-10; detail=error")
  }

  @Test func `a new good response replaces the copy, and the old one is kept as a version`() throws
  {
    let server = try ScriptedServer()
    server.on("/", .response(text: "one"), .response(text: "two"), .response(text: "three"))
    let fixture = CacheFixture()
    let first = fixture.load(server.url)
    fixture.advance(60)
    let second = fixture.load(server.url)
    #expect(second.text == "two")
    #expect(second.response?.olderVersions == 1)
    fixture.advance(60)
    fixture.load(server.url)
    #expect(fixture.load(server.url) { $0.copy = .previous }.text == "two")
    let id = try #require(first.stored?.id)
    let chosen = fixture.load(server.url) { $0.copy = .id(String(id.prefix(13))) }
    #expect(chosen.text == "one")
    #expect(chosen.response?.source == .saved(.requested))
    #expect(chosen.cacheStatus == "OfflineCache; hit; ttl=-120")
    #expect(fixture.load(server.url) { $0.copy = .id("ffffffff") }.error == .notSaved)
    #expect(server.requests.count == 3)
  }

  @Test func `a version whose content the server sends again is not an older one`() throws {
    let server = try ScriptedServer()
    server.on("/", .response(text: "one"), .response(text: "two"), .response(text: "two"))
    let fixture = CacheFixture()
    let counts = (0..<3).map { _ -> Int? in
      fixture.advance(60)
      let result = fixture.load(server.url)
      return result.response?.olderVersionCount(besides: result.stored)
    }
    #expect(counts == [0, 1, 1])
  }

  @Test func `strict mode delivers failures and errors unchanged`() throws {
    let server = try ScriptedServer()
    server.on(
      "/", .response([("Cache-Control", "no-cache")], text: "one"),
      .response(status: 404, text: "no"))
    let fixture = CacheFixture()
    fixture.load(server.url)
    #expect(fixture.load(server.url) { $0.allowsFallback = false }.status == 404)
    server.stop()
    let failed = fixture.load(server.url) { $0.allowsFallback = false }
    #expect(failed.error?.failureKind == .connectionRefused)
  }

  @Test
  func `with an archive that cannot be written, pages are shown with a single warning`()
    throws
  {
    let server = try ScriptedServer()
    server.on("/", .response(text: "page"))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("a file".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let location = ArchiveLocation(
      archive: file.appendingPathComponent("a"), index: file.appendingPathComponent("i"))
    let warnings = Warnings()
    var configuration = CacheConfiguration(location: location)
    configuration.onWarning = warnings.add
    let cache = HTTPCache(configuration)
    defer { cache.close() }
    for _ in 0..<2 {
      let record = LoadRecord()
      cache.load(WebRequest(url: server.url), receive: record.receive)
      let result = record.waitForEnd()
      #expect(result.text == "page")
      #expect(result.cacheStatus == "OfflineCache; fwd=uri-miss; fwd-status=200")
    }
    guard case .noFolder? = cache.warning else {
      Issue.record("no warning: \(String(describing: cache.warning))")
      return
    }
    #expect(warnings.all == [cache.warning].compactMap(\.self))
  }

  @Test func `each new warning is reported, again if saving succeeded in the meantime`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = FaultyFileSystem()
    let warnings = Warnings()
    var configuration = CacheConfiguration(location: ArchiveLocation(folder: directory))
    configuration.fileSystem = files
    configuration.onWarning = warnings.add
    let cache = HTTPCache(configuration)
    defer { cache.close() }
    let request = WebRequest(url: "https://h.example/")
    let store = { try cache.store(ResponseHead(status: 200), content: [1], for: request) }
    _ = try store()
    #expect(warnings.all == [])
    for count in 1...2 {
      files.fail(0, by: .full)
      #expect(throws: ArchiveError.full) { try store() }
      #expect(throws: ArchiveError.self) { try store() }
      #expect(warnings.all == Array(repeating: .full, count: count))
      files.heal()
      _ = try store()
      #expect(cache.warning == nil)
    }
  }

  @Test func `a cache that is read-only on purpose gives no warning`() {
    let warnings = Warnings()
    let fixture = CacheFixture(ScriptedTransport { _ in .response(200, [], "page") }) {
      $0.isReadOnly = true
      $0.onWarning = warnings.add
    }
    #expect(fixture.load("https://h.example/").text == "page")
    #expect(warnings.all == [])
  }

  /// The warnings of a cache.
  private final class Warnings: Sendable {
    private let state = Mutex<[ArchiveError]>([])

    var all: [ArchiveError] { state.withLock { $0 } }

    @Sendable func add(_ warning: ArchiveError) { state.withLock { $0.append(warning) } }
  }

  @Test func `a large new response is shown even if it cannot be spooled`() throws {
    let server = try ScriptedServer()
    let large = [UInt8](repeating: 66, count: 3 << 20)
    server.on("/", .response(text: "old"), .response(body: large))
    let fixture = CacheFixture()
    fixture.load(server.url)
    // Without its directory the archive cannot spool more than a megabyte.
    try FileManager.default.removeItem(at: fixture.directory.appendingPathComponent("archive"))
    let result = fixture.load(server.url)
    #expect(result.body == large)
    #expect(result.response?.source == .network)
    #expect(fixture.cache.warning != nil)
  }

  @Test func `saved pages are available to the next process`() throws {
    let server = try ScriptedServer()
    server.on("/", .response([("Vary", "Cookie")], text: "mine"))
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    var first: CacheFixture? = CacheFixture(in: directory)
    first?.load(server.url, [("Cookie", "id=1")])
    first?.cache.close()
    server.stop()
    let second = CacheFixture(in: directory)
    #expect(second.load(server.url, [("Cookie", "id=1")]).text == "mine")
    #expect(second.load(server.url, [("Cookie", "id=2")]).error != nil)
    first = nil
  }

  @Test func `a built-in page is read from the seed directory, and nothing outside it`() throws {
    let fixture = CacheFixture(ScriptedTransport { _ in .failure(.noNetwork) })
    let about = fixture.directory.appendingPathComponent("seed/about")
    try FileManager.default.createDirectory(at: about, withIntermediateDirectories: true)
    try Data("<h1>Manual</h1>".utf8).write(to: about.appendingPathComponent("manual.html"))
    try Data("secret".utf8).write(to: fixture.directory.appendingPathComponent("secret.html"))
    let page = fixture.load("about:manual#keys")
    #expect(page.text == "<h1>Manual</h1>")
    #expect(page.response?.source == .seed)
    #expect(page.response?.response.fields["Content-Type"] == "text/html")
    for url in [
      "about:none", "about:../secret", "about:..%2F..%2Fsecret.html", "about:%00",
    ] {
      #expect(fixture.load(url).error == .notFound)
    }
    #expect(fixture.load("file:///etc/hosts").error?.failureKind == .badURL)
  }

  @Test func `a page just saved by another process is found if the network fails`() {
    let saving = CacheFixture(
      ScriptedTransport { _ in
        .events([.response(ResponseHead(status: 200)), .data([0x78]), .finished])
      })
    let reading = CacheFixture(
      ScriptedTransport { _ in .events([.failed(TransportFailure(.noNetwork))]) },
      in: saving.directory)
    // The index row is written slightly later.
    #expect(saving.load("https://example.org/page").stored != nil)
    #expect(reading.load("https://example.org/page").text == "x")
    #expect(reading.load("https://example.org/other").error != nil)
  }
}

extension LoadError {
  /// The kind of a transport failure, or nil for other errors.
  var failureKind: TransportFailure.Kind? {
    if case .transport(let failure) = self { failure.kind } else { nil }
  }
}
