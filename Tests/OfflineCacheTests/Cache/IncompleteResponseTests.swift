import Foundation
import TestFiles
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite("Responses that are truncated, too large, or invalid")
struct IncompleteResponseTests {
  static let page = Array(Page.article.utf8)
  static let zipped = ContentDecodingTests.deflated(page, .gzip)

  struct TruncationCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let script: ServerScript
  }

  private static func coded(
    _ coding: String, _ bytes: [UInt8], keeping count: Int
  ) -> ServerScript {
    .untilClose([("Content-Encoding", coding)], body: Array(bytes.prefix(count)))
  }

  static let cuts: [TruncationCase] = [
    TruncationCase(
      testDescription: "a short Content-Length", script: .truncated(body: page, promised: 99_999)),
    TruncationCase(testDescription: "no content at all", script: .truncated(body: [], promised: 9)),
    TruncationCase(
      testDescription: "chunks without the last",
      script: .chunked(chunks: [page], isTruncated: true)),
    TruncationCase(
      testDescription: "half a chunk",
      script: .raw(
        ServerScript.head(status: 200, [("Transfer-Encoding", "chunked")])
          + Array("fff\r\nhalf".utf8))),
    TruncationCase(
      testDescription: "gzip without a length", script: coded("gzip", zipped, keeping: 200)),
    TruncationCase(
      testDescription: "gzip without its last block",
      script: coded("gzip", zipped, keeping: zipped.count - 12)),
    TruncationCase(
      testDescription: "gzip of which nothing came", script: coded("gzip", zipped, keeping: 0)),
    TruncationCase(
      testDescription: "deflate without a length",
      script: coded("deflate", ContentDecodingTests.deflated(page, .zlib), keeping: 200)),
    TruncationCase(
      testDescription: "br without a length",
      script: coded("br", ContentDecodingTests.brotli, keeping: 30)),
    TruncationCase(
      testDescription: "zstd without a length",
      script: coded("zstd", ContentDecodingTests.zstd, keeping: 30)),
    TruncationCase(
      testDescription: "cut gzip of the length that was promised",
      script: .response([("Content-Encoding", "gzip")], body: Array(zipped.prefix(300)))),
    TruncationCase(
      testDescription: "cut gzip in whole chunks",
      script: .chunked([("Content-Encoding", "gzip")], chunks: [Array(zipped.prefix(300))])),
    TruncationCase(
      testDescription: "a reset in the middle",
      script: ServerScript([
        .send(ServerScript.head(status: 200, [("Content-Length", "5000")]) + page.prefix(100)),
        .reset,
      ])),
    TruncationCase(
      testDescription: "half a head", script: .raw(Array("HTTP/1.1 200 OK\r\nContent-".utf8))),
    TruncationCase(testDescription: "a close before any byte", script: ServerScript([.close])),
  ]

  private func load(_ fixture: CacheFixture, _ url: String) -> SessionRecord.Result {
    let record = SessionRecord()
    fixture.cache.start(WebRequest(url: url), event: record.receive)
    return record.waitForEnd()
  }

  @Test(arguments: cuts)
  func `a truncated response keeps the copy, and without one it is an error that is not stored`(
    _ row: TruncationCase
  )
    throws
  {
    let server = try ScriptedServer()
    server.on("/page", .response(body: Self.page), row.script)
    server.on("/new", row.script)
    let fixture = CacheFixture()
    _ = load(fixture, server.url + "/page")
    fixture.advance(60)
    let reloaded = load(fixture, server.url + "/page")
    #expect(reloaded.body == Self.page)
    #expect(
      reloaded.response?.response.fields["Cache-Status"]
        == "OfflineCache; hit; ttl=-60; detail=error")
    guard case .saved(.failure(let failure))? = reloaded.response?.source else {
      Issue.record("\(String(describing: reloaded.response?.source))")
      return
    }
    #expect(failure.kind == .incomplete)
    #expect(reloaded.response?.stored?.lastCheck?.result == .failed(failure))
    #expect(load(fixture, server.url + "/new").error?.failureKind == .incomplete)
    let archive = fixture.cache.archive
    #expect(try archive.captures(of: server.url + "/page").count == 1)
    #expect(try archive.captures(of: server.url + "/new").isEmpty)
  }

  @Test(arguments: [1, 4, 8])
  func `gzip content is complete without its checksum`(_ missingCount: Int) throws {
    let server = try ScriptedServer()
    server.on("/", Self.coded("gzip", Self.zipped, keeping: Self.zipped.count - missingCount))
    let fixture = CacheFixture()
    let result = load(fixture, server.url + "/")
    #expect(result.body == Self.page && result.error == nil)
    #expect(try fixture.cache.archive.captures(of: server.url + "/").count == 1)
  }

  private static func reset(after body: [UInt8], type: String = "text/html") -> ServerScript {
    let head = ServerScript.head(
      status: 200,
      [
        ("Content-Type", type), ("Cache-Control", "max-age=600"), ("ETag", "\"1\""),
        ("Last-Modified", "Fri, 20 Nov 2020 10:00:00 GMT"),
      ])
    return ServerScript([.send(head + body), .reset])
  }

  @Test func `a page that ends before a reset is saved as incomplete and requested again`() throws {
    let server = try ScriptedServer()
    let body = Array("<title>T</title><p>Text</html>\n".utf8)
    server.on("/", Self.reset(after: body), .response(body: Self.page))
    let fixture = CacheFixture()
    guard case .transport(let failure)? = load(fixture, server.url + "/").error else {
      Issue.record("the load did not fail")
      return
    }
    #expect(failure.kind == .incomplete && failure.isContentSaved)
    let saved = try #require(try fixture.cache.archive.captures(of: server.url + "/").first)
    #expect(saved.isGood && saved.length == Int64(body.count))
    guard case .failed(let check)? = saved.lastCheck?.result else {
      Issue.record("\(String(describing: saved.lastCheck))")
      return
    }
    #expect(check.kind == .incomplete)
    var options = LoadOptions()
    options.mode = .cacheOnly
    let record = SessionRecord()
    fixture.cache.start(WebRequest(url: server.url + "/"), options: options, event: record.receive)
    #expect(record.waitForEnd().body == body)
    // The copy is not fresh in spite of max-age, and a 304 must not confirm it.
    #expect(load(fixture, server.url + "/").body == Self.page)
    let request = try #require(server.requests(for: "/").last)
    #expect(request["If-None-Match"] == nil && request["If-Modified-Since"] == nil)
  }

  @Test func `a reset after the end of a page does not replace the copy`() throws {
    let server = try ScriptedServer()
    server.on(
      "/", .response(body: Self.page), Self.reset(after: Array("<p>Other</html>".utf8)))
    let fixture = CacheFixture()
    _ = load(fixture, server.url + "/")
    fixture.advance(60)
    #expect(load(fixture, server.url + "/").body == Self.page)
    #expect(try fixture.cache.archive.captures(of: server.url + "/").count == 1)
  }

  @Test func `a reset behind a redirect does not replace the page before the redirect`() throws {
    let server = try ScriptedServer()
    server.on("/", .response(body: Self.page), .redirect(302, to: "/new"))
    server.on("/new", Self.reset(after: Array("<p>Other</html>".utf8)))
    let fixture = CacheFixture()
    _ = load(fixture, server.url + "/")
    fixture.advance(60)
    #expect(load(fixture, server.url + "/").body == Self.page)
    #expect(try fixture.cache.archive.captures(of: server.url + "/new").isEmpty)
  }

  @Test(arguments: [("<p>No end", "text/html"), ("a</html>", "text/plain")])
  func `content without a marked end is not saved after a reset`(_ text: String, _ type: String)
    throws
  {
    let server = try ScriptedServer()
    server.on("/", Self.reset(after: Array(text.utf8), type: type))
    let fixture = CacheFixture()
    #expect(load(fixture, server.url + "/").error?.failureKind == .incomplete)
    #expect(try fixture.cache.archive.captures(of: server.url + "/").isEmpty)
  }

  /// 8 MB of one letter: 64 blocks that repeat a byte (RFC 8878, section 3.1.1.2).
  static let zstdBomb: [UInt8] =
    [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50]
    + (0..<64).flatMap { [UInt8($0 == 63 ? 3 : 2), 0, 0x10, 0x41] }

  struct DecompressionBomb: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]

    init(_ coding: String, _ bytes: [UInt8]) {
      testDescription = coding
      self.bytes = bytes
    }
  }

  static let bombs: [DecompressionBomb] = {
    let large = [UInt8](repeating: 65, count: 8 << 20)
    let once = ContentDecodingTests.deflated(large, .gzip)
    return [
      DecompressionBomb("gzip", once),
      DecompressionBomb("gzip, gzip", ContentDecodingTests.deflated(once, .gzip)),
      DecompressionBomb("br", ContentDecodingTests.bomb), DecompressionBomb("zstd", zstdBomb),
    ]
  }()

  @Test(arguments: bombs)
  func `a decompression bomb is an error that names the limit, and is not stored`(
    _ row: DecompressionBomb
  )
    throws
  {
    let (coding, bytes) = (row.testDescription, row.bytes)
    let server = try ScriptedServer()
    server.on(
      "/", .response(text: "page"), .response([("Content-Encoding", coding)], body: bytes))
    server.on("/new", .response([("Content-Encoding", coding)], body: bytes))
    let fixture = CacheFixture()
    fixture.load(server.url)
    #expect(fixture.load(server.url) { $0.maxSize = 1 << 20 }.text == "page")
    let result = fixture.load(server.url + "/new") { $0.maxSize = 1 << 20 }
    #expect(
      result.error
        == .transport(.tooLarge(limit: 1 << 20)))
    #expect(result.body.count <= 1 << 20)
    #expect(try fixture.cache.archive.captures(of: server.url + "/new").isEmpty)
    // Within the limit, it is just a large page.
    #expect(fixture.load(server.url + "/new").body.count == 8 << 20)
  }

  @Test func `limits are given in the largest unit that fits`() {
    #expect(
      TransportFailure.tooLarge(limit: 1 << 30).message == "the response is larger than 1 GiB")
    #expect(
      TransportFailure.tooLarge(limit: 100 << 20).message == "the response is larger than 100 MiB")
    #expect(
      TransportFailure.tooLarge(limit: 1025).message == "the response is larger than 1025 bytes")
  }

  @Test(arguments: bombs)
  func `a recorded decompression bomb is inflated in chunks`(_ row: DecompressionBomb) throws {
    let fields = FieldLines([.init("Content-Encoding", row.testDescription)])
    var decoder = PayloadDecoder(ResponseHead(status: 200, fields: fields))
    decoder.push(row.bytes)
    var length = 0
    while let chunk = try decoder.pull() {
      #expect(chunk.count <= 65_536)
      length += chunk.count
    }
    #expect(length == 8 << 20)
    #expect(decoder.isComplete)
  }

  static let failures: [(String, ScriptedTransport.Reply, StoredResponse.Check.Result)] = [
    ("no network", .failure(.noNetwork), .failed(TransportFailure(.noNetwork))),
    ("timed out", .failure(.timedOut), .failed(TransportFailure(.timedOut))),
    ("404", .response(404, [], "gone"), .status(404)),
    ("500", .response(500, [], "oh"), .status(500)),
    ("511", .response(511, [], "sign in"), .suspect(.signInPage)),
    ("empty", .response(200, [], ""), .suspect(.nearlyEmpty)),
    ("204", .response(204), .suspect(.nearlyEmpty)),
  ]

  @Test(arguments: failures)
  func `a failed check changes only the date of the check, in any process`(
    _ name: String, _ reply: ScriptedTransport.Reply, _ result: StoredResponse.Check.Result
  ) {
    let url = "http://site.test/"
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let time = CacheFixture.Time()
    let start = time.date
    func inProcess(_ reply: ScriptedTransport.Reply, _ use: (CacheFixture) -> Void) {
      let fixture = CacheFixture(ScriptedTransport { _ in reply }, in: directory, time: time)
      use(fixture)
      fixture.cache.finishBackgroundWork(timeout: 30)
      fixture.cache.close()
    }
    inProcess(.response(200, [], Page.article)) { $0.load(url) }
    for _ in 0..<2 {
      time.advance(86_400)
      let checked = time.date
      inProcess(reply) { fixture in
        let stored = fixture.load(url).response?.stored
        #expect(stored?.contentDate == start)
        #expect(stored?.lastCheck == .init(date: checked, result: result))
      }
      time.advance(60)
      inProcess(.hold) { fixture in
        let offline = fixture.load(url) { $0.mode = .cacheOnly }
        #expect(offline.text == Page.article)
        #expect(offline.response?.stored?.contentDate == start)
        #expect(offline.response?.stored?.lastCheck == .init(date: checked, result: result))
      }
    }
  }
}
