import TestFiles
import Foundation
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite("Responses with faults that do not make them unusable")
struct FaultyResponseTests {
  let transport = CurlTransport()

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fields: [(String, String)]
    let body: [UInt8]

    init(_ description: String, _ fields: [(String, String)], _ body: String = "abc") {
      self.init(description, fields, bytes: Array(body.utf8))
    }

    init(_ description: String, _ fields: [(String, String)], bytes: [UInt8]) {
      (testDescription, self.fields, body) = (description, fields, bytes)
    }

    /// Returns the script that sends the response and closes the connection.
    func script(status: Int = 200, _ more: [(String, String)] = []) -> ServerScript {
      .raw(ServerScript.head(status: status, more + fields) + body)
    }
  }

  // MARK: Redirects

  static let faultyContents = [
    Row("a short Content-Length", [("Content-Length", "500")]),
    Row("a length beyond every limit", [("Content-Length", "99999999999999")]),
    Row("different lengths", [("Content-Length", "1"), ("Content-Length", "500")]),
    Row("content that is not chunked", [("Transfer-Encoding", "chunked")], "<html>moved"),
    Row(
      "content that is not gzip", [("Content-Encoding", "gzip"), ("Content-Length", "3")],
      bytes: [0xFF, 0, 1]),
    Row("content that is not Brotli", [("Content-Encoding", "br"), ("Content-Length", "3")]),
    Row("gzip without content", [("Content-Encoding", "gzip")], ""),
  ]

  @Test(arguments: faultyContents)
  func `a redirect is followed whatever its content is`(_ row: Row) throws {
    let server = try ScriptedServer()
    server.on("/old", row.script(status: 302, [("Location", "/new")]))
    server.on("/new", .response([("Content-Type", "text/html")], text: "<p>new"))
    let result = transport.exchange(WebRequest(url: server.url + "/old"))
    #expect(result.isFinished && result.response?.status == 302)
    let record = SessionRecord()
    let fixture = CacheFixture()
    fixture.cache.start(WebRequest(url: server.url + "/old"), event: record.receive)
    #expect(record.waitForEnd().text == "<p>new")
  }

  @Test(arguments: faultyContents)
  func `a redirect without a target is incomplete if its content is`(_ row: Row) throws {
    let server = try ScriptedServer()
    server.on("/old", row.script(status: 302))
    server.on("/mail", row.script(status: 302, [("Location", "mailto:a@site.test")]))
    for path in ["/old", "/mail"] {
      let result = transport.exchange(WebRequest(url: server.url + path))
      #expect(result.failure != nil && !result.isFinished)
    }
  }

  @Test func `a redirect does not wait for the end of its content`() throws {
    let server = try ScriptedServer()
    let gate = Gate()
    defer { gate.open() }
    let head = ServerScript.head(status: 301, [("Location", "/new"), ("Content-Length", "5000")])
    server.on("/", ServerScript([.send(head + [65]), .wait(gate)]))
    #expect(transport.exchange(WebRequest(url: server.url + "/")).isFinished)
  }

  @Test func `cancelling a redirect reports the cancellation`() throws {
    let server = try ScriptedServer()
    let (gate, hasHead) = (Gate(), Gate())
    defer { gate.open() }
    let head = ServerScript.head(status: 301, [("Location", "/new"), ("Content-Length", "5000")])
    server.on("/", ServerScript([.send(head + [65]), .wait(gate)]))
    let collected = TransportRecord()
    let exchange = transport.send(
      WebRequest(url: server.url + "/"), limits: TransportLimits()
    ) { event in
      collected.receive(event)
      if case .response = event { hasHead.open() }
    }
    hasHead.wait()
    exchange.cancel()
    #expect(collected.wait().failure?.kind == .cancelled)
  }

  // MARK: Lengths

  static let page = Array((Page.article + "\n<!-- 3 ms -->\n").utf8)
  static let zipped = ContentDecodingTests.deflated(page, .gzip)

  private static func lengths(
    _ count: Int, _ coding: String, _ bytes: some Sequence<UInt8>
  ) -> [(description: String, script: ServerScript)] {
    let fields = [("Content-Encoding", coding), ("Content-Length", "\(count)")]
    let start = ServerScript.head(status: 200, fields) + bytes
    return [
      ("\(coding), closed", .raw(start)), ("\(coding), kept open", ServerScript([.send(start)])),
    ]
  }

  @Test(
    arguments: lengths(page.count, "gzip", zipped)
      + lengths(page.count, "deflate", ContentDecodingTests.deflated(page, .zlib))
      + lengths(
        page.count, "gzip, gzip", ContentDecodingTests.deflated(zipped, .gzip)))
  func `a compressed response may declare the length of its decoded content`(
    _ description: String, _ script: ServerScript
  ) throws {
    let server = try ScriptedServer()
    server.on("/", script)
    let result = transport.exchange(WebRequest(url: server.url + "/"))
    #expect(result.isFinished && result.body == Self.page)
  }

  @Test(
    arguments: [(page.count + 1, 0), (page.count - 1, 0), (page.count, 9), (page.count, 30)]
      as [(Int, Int)])
  func `a compressed response of another length, or without its end, is incomplete`(
    _ declared: Int, _ missing: Int
  ) throws {
    let server = try ScriptedServer()
    server.on("/", Self.lengths(declared, "gzip", Self.zipped.dropLast(missing))[0].script)
    let result = transport.exchange(WebRequest(url: server.url + "/"))
    #expect(result.failure?.kind == .incomplete)
  }

  static let html = ("Content-Type", "text/html")

  @Test(arguments: ["-1", "+5", "5.0", "chunked", "0x10", "5 bytes"])
  func `a page with an invalid length is complete if it has its end tag`(_ length: String) throws {
    let row = Row("", [Self.html, ("Content-Length", length)], bytes: Self.page)
    let server = try ScriptedServer()
    server.on("/", row.script())
    let fixture = CacheFixture()
    #expect(fixture.load(server.url).body == Self.page)
    #expect(try fixture.cache.archive.captures(of: server.url + "/").count == 1)
  }

  @Test func `compressed content with an invalid length is complete if its stream has ended`()
    throws
  {
    let server = try ScriptedServer()
    for (path, missing) in [("/whole", 0), ("/part", 12)] {
      let fields = [("Content-Encoding", "gzip"), ("Content-Length", "-1")]
      server.on(path, Row("", fields, bytes: Array(Self.zipped.dropLast(missing))).script())
      let result = transport.exchange(WebRequest(url: server.url + path))
      #expect(result.isFinished == (missing == 0))
    }
  }

  @Test(arguments: [
    Row("no end tag", [html], bytes: Array(page.dropLast(100))),
    Row("a text", [("Content-Type", "text/plain")], bytes: page),
    Row("an end tag far from the end", [html], bytes: page + [UInt8](repeating: 97, count: 5000)),
  ])
  func `other content with an invalid length is incomplete`(_ row: Row) throws {
    let server = try ScriptedServer()
    server.on("/", row.script([("Content-Length", "-1")]))
    let result = transport.exchange(WebRequest(url: server.url + "/"))
    #expect(result.failure?.kind == .incomplete && result.body == row.body)
  }

  @Test func `a page with an invalid length is incomplete if the connection is reset`() throws {
    let server = try ScriptedServer()
    let head = ServerScript.head(status: 200, [Self.html, ("Content-Length", "-1")])
    server.on("/", ServerScript([.send(head + Self.page), .reset]))
    #expect(transport.exchange(WebRequest(url: server.url + "/")).failure?.kind == .incomplete)
  }

  // MARK: White space before the colon of a field

  @Test(arguments: [
    Row("a length", [("Content-Length ", "3")], "abc more"),
    Row("chunks", [("Transfer-Encoding\t", "chunked")], "3\r\nabc\r\n0\r\n\r\n"),
    Row("no content", [("Content-Length ", "0")], ""),
    Row(
      "chunks that libcurl decodes",
      [("Transfer-Encoding", "chunked"), ("Transfer-Encoding ", "chunked")],
      "3\r\nabc\r\n0\r\n\r\n"),
  ])
  func `content ends as declared although white space precedes the colon`(_ row: Row) throws {
    let server = try ScriptedServer()
    // The connection stays open.
    server.on("/", ServerScript([.send(ServerScript.head(status: 200, row.fields) + row.body)]))
    let result = transport.exchange(WebRequest(url: server.url + "/"))
    #expect(result.isFinished && result.text == (row.body.isEmpty ? "" : "abc"))
  }

  @Test(arguments: [
    Row("a length", [("Content-Length ", "9")]),
    Row("chunks", [("Transfer-Encoding ", "chunked")], "5\r\nabc"),
  ])
  func `content that is shorter than declared after white space is incomplete`(_ row: Row) throws {
    let server = try ScriptedServer()
    server.on("/", row.script())
    let result = transport.exchange(WebRequest(url: server.url + "/"))
    #expect(result.failure?.kind == .incomplete && result.text == "abc")
  }

  // MARK: Files with the coding of their format

  struct FileRow: Sendable {
    let path: String
    let type: String
    var coding = "gzip"
    var disposition = ""
  }

  private func fetch(_ row: FileRow, _ bytes: [UInt8]) throws -> TransportRecord.Result {
    let server = try ScriptedServer()
    var fields = [("Content-Type", row.type), ("Content-Encoding", row.coding)]
    if !row.disposition.isEmpty { fields.append(("Content-Disposition", row.disposition)) }
    server.on(row.path, .response(fields, body: bytes))
    let result = transport.exchange(WebRequest(url: server.url + row.path))
    #expect(result.isFinished && result.response?.fields["Content-Encoding"] == nil)
    return result
  }

  @Test(arguments: [
    FileRow(path: "/a.tar.gz", type: "application/x-gzip"),
    FileRow(path: "/get?id=5", type: "application/gzip"),
    FileRow(path: "/a.tgz", type: "application/x-tar", coding: "x-gzip"),
    FileRow(path: "/A.TAR.GZ", type: "application/octet-stream", coding: "GZIP"),
    FileRow(
      path: "/get", type: "application/octet-stream",
      disposition: "attachment; filename=\"a.tar.gz\""),
  ])
  func `a compressed file with the coding of its own format is delivered as sent`(
    _ row: FileRow
  ) throws {
    #expect(try fetch(row, Self.zipped).body == Self.zipped)
    // A server that compresses the file once more is right about the coding.
    let twice = ContentDecodingTests.deflated(Self.zipped, .gzip)
    #expect(try fetch(row, twice).body == Self.zipped)
  }

  @Test(arguments: [
    FileRow(path: "/a.html.gz", type: "text/html"), FileRow(path: "/a.svgz", type: "image/svg+xml"),
    FileRow(path: "/a.tar", type: "application/x-tar"),
    FileRow(path: "/a.json.gz", type: "application/json"),
    FileRow(path: "/a.zip", type: "application/octet-stream"),
  ])
  func `other content with a coding is decoded`(_ row: FileRow) throws {
    #expect(try fetch(row, Self.zipped).body == Self.page)
  }

  // MARK: Header sections that libcurl rejects

  static let faultyHeads = [
    "HTTP/1.1 200 OK\r\nX-One: 1\r\nwarning at line 3\r\n",
    "HTTP/1.1 200 OK\r\nHTTP/1.1 200 OK\r\nX-One: 1\r\n",
    "HTTP/1.1 200 OK\nX-One: 1\nno colon\n", "\r\nHTTP/1.1 200 OK\r\nX-One: 1\r\n",
    "ICY 200 OK\r\nX-One: 1\r\n", "HTTP/1.2 200 OK\r\nX-One: 1\r\n",
    "HTTP/1.1 200 OK\r\nX-One: 1\0\r\n",
    "HTTP/1.1 103 Early\r\nX-Two: 1\r\n\r\nHTTP/1.1 200 OK\r\nno colon\r\nX-One: 1\r\n",
  ]

  @Test(arguments: faultyHeads)
  func `lines that are not fields are ignored in a header section`(_ head: String) throws {
    let server = try ScriptedServer()
    let length = "Content-Length: \(Self.page.count)\r\n\r\n"
    server.on("/close?a=1", .raw(Array((head + "\r\n").utf8) + Self.page))
    server.on(
      "/open", ServerScript([.send(Array((head + length).utf8) + Self.page + "more".utf8)]))
    for path in ["/close?a=1", "/open"] {
      let fields = FieldLines([
        .init("Accept", "text/html"), .init("Accept", "image/png"), .init("X-Own", "ä"),
      ])
      let result = transport.exchange(WebRequest(url: server.url + path, fields: fields))
      #expect(result.isFinished && result.body == Self.page)
      #expect(result.response?.status == 200)
      #expect(result.response?.fields["X-One"] == "1" && result.response?.fields["X-Two"] == nil)
      let request = try #require(server.requests(for: path).last)
      #expect(request.method == "GET" && request["Accept"] == "text/html")
      #expect(request["X-Own"] == "ä")
    }
  }

  @Test
  func `content after a faulty header section is decoded, limited and checked for its length`()
    throws
  {
    let server = try ScriptedServer()
    func head(_ fields: String) -> [UInt8] {
      Array("HTTP/1.1 200 OK\r\nno colon\r\n\(fields)\r\n\r\n".utf8)
    }
    server.on("/zip", .raw(head("Content-Encoding: gzip") + Self.zipped))
    server.on("/cut", .raw(head("Content-Length: 99999") + Self.page))
    server.on("/none", ServerScript([.send(head("Content-Length: 0"))]))
    var limits = TransportLimits()
    let zip = transport.exchange(WebRequest(url: server.url + "/zip"), limits: limits)
    #expect(zip.isFinished && zip.body == Self.page)
    let cut = transport.exchange(WebRequest(url: server.url + "/cut"), limits: limits)
    #expect(cut.failure?.kind == .incomplete && cut.body == Self.page)
    let none = transport.exchange(WebRequest(url: server.url + "/none"), limits: limits)
    #expect(none.isFinished && none.body.isEmpty)
    limits.size = 10
    let long = transport.exchange(WebRequest(url: server.url + "/zip"), limits: limits)
    #expect(long.failure == .tooLarge(limit: 10))
  }

  @Test(arguments: ["204 No Content", "304 Not Modified"])
  func `no content is expected after a faulty header section of some statuses`(
    _ status: String
  ) throws {
    let server = try ScriptedServer()
    let head = "HTTP/1.1 \(status)\r\nno colon\r\nContent-Length: 9\r\n\r\n"
    server.on("/open", ServerScript([.send(Array(head.utf8))]))
    server.on("/more", .raw(Array((head + "more").utf8)))
    for path in ["/open", "/more"] {
      let result = transport.exchange(WebRequest(url: server.url + path))
      #expect(result.isFinished && result.body.isEmpty)
    }
  }

  @Test func `chunked content after a faulty header section is decoded`() throws {
    let server = try ScriptedServer()
    let head = Array("HTTP/1.1 200 OK\r\nno colon\r\nTransfer-Encoding: Chunked\r\n\r\n".utf8)
    server.on("/close", .raw(head + Array("3\r\nabc\r\n0\r\n\r\n".utf8)))
    server.on("/open", ServerScript([.send(head + Array("3\r\nabc\r\n0\r\n\r\n".utf8))]))
    server.on("/part", .raw(head + Array("3\r\nabc\r\n".utf8)))
    for path in ["/close", "/open"] {
      let result = transport.exchange(WebRequest(url: server.url + path))
      #expect(result.isFinished && result.body == Array("abc".utf8))
    }
    let part = transport.exchange(WebRequest(url: server.url + "/part"))
    #expect(part.failure?.kind == .incomplete && part.body == Array("abc".utf8))
  }

  // MARK: Content that is not chunked as declared

  @Test func `content that is not chunked as declared is complete if it marks its end`() throws {
    let server = try ScriptedServer()
    let fields = [Self.html, ("Transfer-Encoding", "chunked")]
    server.on("/page", Row("", fields, bytes: Self.page).script())
    server.on(
      "/zip", Row("", fields + [("Content-Encoding", "gzip")], bytes: Self.zipped).script())
    server.on("/part", Row("", fields, bytes: Array(Self.page.dropLast(100))).script())
    for (path, isComplete) in [("/page", true), ("/zip", true), ("/part", false)] {
      let result = transport.exchange(WebRequest(url: server.url + path))
      #expect(result.isFinished == isComplete)
      #expect(result.body == (isComplete ? Self.page : Array(Self.page.dropLast(100))))
      #expect(isComplete || result.failure?.kind == .incomplete)
    }
    let fixture = CacheFixture()
    #expect(fixture.load(server.url + "/page").body == Self.page)
  }

  @Test func `chunks that libcurl cannot parse make a response incomplete`() throws {
    let server = try ScriptedServer()
    let head = ServerScript.head(status: 200, [Self.html, ("Transfer-Encoding", "chunked")])
    server.on("/", .raw(head + Array("3\r\nabc\r\n0x3\r\nabc\r\n".utf8)))
    let result = transport.exchange(WebRequest(url: server.url + "/"))
    #expect(result.failure?.kind == .incomplete)
  }

  @Test func `content of known length ends after a pause although the connection is kept open`()
    throws
  {
    let server = try ScriptedServer()
    let content = [UInt8](repeating: 97, count: FlowWindow.size * 3 / 2)
    let packed = ContentDecodingTests.deflated(content, .gzip)
    let head =
      "HTTP/1.1 200 OK\r\nno colon\r\nContent-Encoding: gzip\r\n"
      + "Content-Length: \(packed.count)\r\n\r\n"
    server.on("/", ServerScript([.send(Array(head.utf8) + packed)]))
    let (collected, isFull) = (TransportRecord(), Gate())
    let exchange = transport.send(
      WebRequest(url: server.url + "/"), limits: TransportLimits()
    ) { event in
      collected.receive(event)
      if collected.current.body.count >= FlowWindow.size { isFull.open() }
    }
    isFull.wait()
    exchange.acknowledge(FlowWindow.size)
    let result = collected.wait()
    #expect(result.isFinished && result.body == content)
  }

  @Test func `a NUL in a field value is replaced with a space`() throws {
    let server = try ScriptedServer()
    server.on("/", .raw(Array("HTTP/1.1 200 OK\r\nX-One: a\0b\r\n\r\n".utf8)))
    let result = transport.exchange(WebRequest(url: server.url + "/"))
    #expect(result.isFinished && result.response?.fields["X-One"] == "a b")
  }

  @Test func `a form is not sent again because of a faulty header section`() throws {
    let server = try ScriptedServer()
    server.on("/", .raw(Array("HTTP/1.1 200 OK\r\nno colon\r\n\r\nok".utf8)))
    let request = WebRequest(method: "POST", url: server.url, body: Array("a=b".utf8))
    #expect(transport.exchange(request).failure?.kind == .malformed)
    #expect(server.requests.count == 1)
  }
}
