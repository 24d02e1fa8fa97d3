import Foundation
import TestFiles
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite("The transport on libcurl")
struct CurlTransportTests {
  let transport = CurlTransport()

  /// Behaviour of the server, and the expected failure.
  struct FailureCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let script: ServerScript
    let kind: TransportFailure.Kind
  }

  static let page = Array("<h1>Hello</h1>".utf8)
  static let zipped: [UInt8] = {
    var bytes: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    let text = (0..<2000).flatMap { Array("line \($0) of a page\n".utf8) }
    deflater.deflate(text) { bytes += $0 }
    deflater.finish { bytes += $0 }
    return bytes
  }()

  /// A head of 600 kB in short lines.
  static let longHead: [UInt8] = {
    var bytes = Array("HTTP/1.1 200 OK\r\n".utf8)
    for number in 0..<600 {
      bytes += Array("X-\(number): ".utf8)
      bytes += [UInt8](repeating: 97, count: 999)
      bytes += [13, 10]
    }
    return bytes + [13, 10]
  }()

  static let failures: [FailureCase] = [
    .init(
      testDescription: "a short Content-Length", script: .truncated(body: page, promised: 99),
      kind: .incomplete),
    .init(
      testDescription: "a cut chunked answer", script: .chunked(chunks: [page], isTruncated: true),
      kind: .incomplete),
    .init(
      testDescription: "a close before any byte", script: ServerScript([.close]), kind: .incomplete),
    .init(
      testDescription: "a reset before any byte", script: ServerScript([.reset]), kind: .incomplete),
    .init(
      testDescription: "a close within the head",
      script: .raw(Array("HTTP/1.1 200 OK\r\nContent-Ty".utf8)), kind: .incomplete),
    .init(
      testDescription: "cut gzip without a length",
      script: .untilClose([("Content-Encoding", "gzip")], body: Array(zipped.dropLast(9))),
      kind: .incomplete),
    .init(
      testDescription: "gzip that is none",
      script: .response([("Content-Encoding", "gzip")], body: [0xFF, 0xD8, 0xFF, 0xE0]),
      kind: .undecodable),
    .init(
      testDescription: "two lengths",
      script: .raw(
        ServerScript.head(status: 200, [("Content-Length", "2"), ("Content-Length", "4")])
          + page), kind: .incomplete),
    .init(
      testDescription: "a length beyond all numbers",
      script: .raw(
        ServerScript.head(status: 200, [("Content-Length", String(repeating: "9", count: 30))])
          + page), kind: .tooLarge),
    .init(
      testDescription: "a head line without end",
      script: .raw(Array("HTTP/1.1 200 OK\r\nX: ".utf8) + [UInt8](repeating: 97, count: 1 << 20)),
      kind: .malformed),
    .init(
      testDescription: "a head that is too long", script: .raw(longHead),
      kind: .malformed),
    .init(
      testDescription: "a change of protocol that nobody asked for",
      script: .raw(Array("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\nxx".utf8)),
      kind: .malformed),
    .init(
      testDescription: "an answer that is not HTTP", script: .raw(Array("SSH-2.0-x\r\n\r\n".utf8)),
      kind: .malformed),
  ]

  @Test(arguments: failures)
  func `every failure is reported exactly`(_ row: FailureCase) throws {
    let server = try ScriptedServer()
    server.on("/", row.script)
    let result = transport.exchange(WebRequest(url: server.url + "/"))
    #expect(result.failure?.kind == row.kind, "\(result.failure?.message ?? "no failure")")
    #expect(!result.isFinished)
  }

  @Test func `a connection closed before any byte is distinguished from a truncated response`()
    throws
  {
    let server = try ScriptedServer()
    server.on("/close", ServerScript([.close]))
    server.on("/reset", ServerScript([.reset]))
    server.on("/head", .raw(Array("HTTP/1.1 200 OK\r\nContent-Ty".utf8)))
    server.on("/cut", .truncated(body: Self.page, promised: 99))
    for (path, isEmpty) in [("/close", true), ("/reset", true), ("/head", false), ("/cut", false)] {
      let failure = transport.exchange(WebRequest(url: server.url + path)).failure
      #expect(failure?.kind == .incomplete)
      #expect((failure?.subject != nil) == isEmpty, "\(path)")
    }
  }

  @Test func `a refused connection is reported`() throws {
    let server = try ScriptedServer()
    server.stop()
    #expect(
      transport.exchange(WebRequest(url: server.url)).failure?.kind == .connectionRefused)
    // The message of libcurl contains the name of the host.
    let named = server.url.replacingOccurrences(of: "127.0.0.1", with: "chunks.localhost")
    #expect(named != server.url)
    #expect(transport.exchange(WebRequest(url: named)).failure?.kind == .connectionRefused)
  }

  @Test func `an unknown host is distinguished from a missing network`() {
    let failure = transport.exchange(WebRequest(url: "http://no-such-host.invalid/")).failure
    #expect(failure?.kind == (NetworkRoute.exists ? .hostNotFound : .noNetwork))
  }

  @Test func `a port without TLS is distinguished from an untrusted certificate`() throws {
    let server = try ScriptedServer()
    let url = server.url.replacingOccurrences(of: "http:", with: "https:")
    // The server closes the connection during the handshake.
    #expect(transport.exchange(WebRequest(url: url)).failure?.kind == .noSecureConnection)
  }

  @Test(arguments: ["file:///etc/hosts", "ftp://[::1]/"])
  func `other protocols and invalid URLs are refused`(_ url: String) {
    let result = transport.exchange(WebRequest(url: url))
    #expect(result.failure != nil)
    #expect(result.body.isEmpty)
  }

  enum Limit: String, CaseIterable, Sendable {
    case firstByte, stall, total
  }

  @Test(arguments: Limit.allCases)
  func `each time limit applies to a server that stalls`(_ limit: Limit) throws {
    let server = try ScriptedServer()
    let gate = Gate()
    let head = ServerScript.head(status: 200, [("Content-Length", "10")])
    switch limit {
    case .firstByte: server.on("/", ServerScript([.wait(gate)]))
    case .stall, .total: server.on("/", ServerScript([.send(head + [65]), .wait(gate)]))
    }
    var limits = TransportLimits()
    switch limit {
    case .firstByte: limits.firstByte = 0.05
    case .stall: limits.stall = 0.05
    case .total: limits.total = 0.05
    }
    let result = transport.exchange(WebRequest(url: server.url + "/"), limits: limits)
    #expect(result.failure?.kind == .timedOut)
    #expect(result.failure?.message.contains("0.05 s") == true)
    gate.open()
  }

  @Test func `a plain response is delivered unchanged`() throws {
    let server = try ScriptedServer(.ipv6)
    server.on(
      "/a%20b?c=%C3%A9",
      .response(
        [("Content-Type", "text/html"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2")],
        body: Self.page))
    let result = transport.exchange(WebRequest(url: server.url + "/a%20b?c=%C3%A9"))
    #expect(result.isFinished)
    #expect(result.body == Self.page)
    #expect(result.response?.fields.values(of: "Set-Cookie") == ["a=1", "b=2"])
    #expect(result.response?.fields.lines.map(\.name).contains("set-cookie") == true)
    #expect(result.response?.reason == "OK")
  }

  @Test func `1xx responses are skipped, and Latin-1, folded lines and unknown statuses are kept`()
    throws
  {
    let server = try ScriptedServer()
    var head = Array("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 299 Fa".utf8)
    head += [0xE7] + Array("on\r\nX-Name: caf".utf8) + [0xE9]
    head += Array("\r\nX-Folded: one\r\n  two\r\nX-Empty:\r\nContent-Length: 2\r\n\r\nok".utf8)
    server.on("/", .raw(head))
    let result = transport.exchange(WebRequest(url: server.url))
    #expect(result.response?.status == 299)
    #expect(result.response?.reason == "Façon")
    #expect(result.response?.fields["X-Name"] == "café")
    #expect(result.response?.fields["X-Folded"] == "one two")
    #expect(result.response?.fields["X-Empty"] == "")
    #expect(result.response?.fields["Link"] == nil)
    #expect(result.text == "ok")
  }

  @Test(arguments: ["gzip", "x-gzip", "GZIP"])
  func `gzip content is decoded, and its header fields are removed`(_ name: String) throws {
    let server = try ScriptedServer()
    server.on("/", .response([("Content-Encoding", name)], body: Self.zipped))
    let result = transport.exchange(WebRequest(url: server.url))
    #expect(result.isFinished)
    #expect(result.text.hasSuffix("line 1999 of a page\n"))
    #expect(result.response?.fields["Content-Encoding"] == nil)
    #expect(result.response?.fields["Content-Length"] == nil)
  }

  @Test(arguments: ["Content-Encoding", "Transfer-Encoding"])
  func `content with an unknown coding is passed through`(_ field: String) throws {
    let server = try ScriptedServer()
    server.on("/", .untilClose([(field, "x-own")], body: Self.page))
    let result = transport.exchange(WebRequest(url: server.url))
    #expect(result.isFinished)
    #expect(result.body == Self.page)
    #expect(result.response?.fields[field] == "x-own")
  }

  @Test(arguments: ["gzip", "br", "zstd"])
  func `content with too many codings is passed through without decoding`(_ coding: String) throws {
    let server = try ScriptedServer()
    let value = [String](repeating: coding, count: 20_000).joined(separator: ",")
    server.on("/", .untilClose([("Content-Encoding", value)], body: Self.zipped))
    let result = transport.exchange(WebRequest(url: server.url))
    #expect(result.isFinished && result.body == Self.zipped)
    #expect(result.response?.fields["Content-Encoding"] == value)
  }

  @Test func `size limits apply to the decoded and the declared length`() throws {
    let server = try ScriptedServer()
    server.on("/bomb", .response([("Content-Encoding", "gzip")], body: Self.zipped))
    server.on("/long", .response(body: Self.page))
    var limits = TransportLimits()
    limits.size = 10
    for path in ["/bomb", "/long"] {
      let result = transport.exchange(WebRequest(url: server.url + path), limits: limits)
      #expect(
        result.failure == .tooLarge(limit: 10))
      #expect(result.body.count <= 10)
    }
  }

  @Test(arguments: [
    ("text/html; charset=utf-8", false), ("audio/mpeg", false), ("image/png", false),
    ("multipart/x-mixed-replace; boundary=b", false), ("application/zip", true),
    ("application/octet-stream", true), ("video/mp4\r\nETag: \"1\"", true),
    ("audio/mpeg\r\nLast-Modified: Tue, 17 Nov 2026 13:06:40 GMT", true),
    ("audio/mpeg\r\nContent-Disposition: Attachment; filename=a.mp3", true),
    (
      "audio/mpeg\r\nDate: Tue, 17 Nov 2026 13:06:40 GMT\r\n"
        + "Last-Modified: Tue, 17 Nov 2026 13:06:40 GMT", false
    ),
    ("multipart/x-mixed-replace; boundary=b\r\nETag: \"1\"", false),
  ])
  func `the size limit for streams applies to content without a length that is no file`(
    _ type: String, _ isFile: Bool
  ) throws {
    let server = try ScriptedServer()
    let head = Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n".utf8)
    server.on("/stream", .raw(head + Self.page))
    let firstLine = String(type.prefix { $0 != "\r\n" })
    server.on("/sized", .response([("Content-Type", firstLine)], body: Self.page))
    var limits = TransportLimits()
    limits.streamSize = 10
    let stream = transport.exchange(WebRequest(url: server.url + "/stream"), limits: limits)
    let expected: TransportFailure? = isFile ? nil : .tooLarge(limit: 10)
    #expect(stream.failure == expected)
    let sized = transport.exchange(WebRequest(url: server.url + "/sized"), limits: limits)
    #expect(sized.isFinished && sized.body == Self.page)
  }

  @Test(arguments: [
    ("text/event-stream; charset=utf-8", true), ("Multipart/X-Mixed-Replace;boundary=b", true),
    ("audio/mpeg\r\nicy-name: Radio", true), ("audio/mpeg", false),
    ("multipart/mixed; boundary=b", false), ("text/plain", false),
    ("audio/mpeg\r\nIcy-MetaInt: 8\r\nContent-Length: 4", false),
  ])
  func `a stream that never ends fails at its head if the load refuses it`(
    _ type: String, _ isEndless: Bool
  ) throws {
    let server = try ScriptedServer()
    server.on("/", .raw(Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\ntext".utf8)))
    var limits = TransportLimits()
    let accepted = transport.exchange(WebRequest(url: server.url), limits: limits)
    #expect(accepted.isFinished && accepted.body == Array("text".utf8))
    limits.refusesEndless = true
    let refused = transport.exchange(WebRequest(url: server.url), limits: limits)
    #expect(refused.failure == (isEndless ? .endless : nil))
    #expect(refused.body.isEmpty == isEndless)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "PROPFIND"])
  func `method, fields and content are sent as given`(_ method: String) throws {
    let server = try ScriptedServer()
    server.on("/", .response(text: "ok"))
    let body = method == "DELETE" ? [] : Array("a=b".utf8)
    let fields = FieldLines([.init("X-One", "1"), .init("X-Empty", ""), .init("Accept", "a/b")])
    let request = WebRequest(method: method, url: server.url, fields: fields, body: body)
    #expect(transport.exchange(request).isFinished)
    let received = try #require(server.requests.first)
    #expect(received.method == method)
    #expect(received.body == body)
    #expect(received["X-One"] == "1")
    #expect(received["X-Empty"] == "")
    #expect(received["Accept"] == "a/b")
    #expect(received["Expect"] == nil)
  }

  @Test func `line breaks in the method, names or values cannot create another message`() throws {
    let server = try ScriptedServer()
    server.on("/", .response(text: "ok"))
    let odd = [
      WebRequest(method: "GET / HTTP/1.1\r\nX: 1\r\n\r\nGET", url: server.url),
      WebRequest(method: "", url: server.url),
      WebRequest(url: server.url, fields: FieldLines([.init("X", "1\r\nY: 2")])),
      WebRequest(url: server.url, fields: FieldLines([.init("X\r\nY", "1")])),
      WebRequest(url: server.url, fields: FieldLines([.init("X: 1", "2")])),
      WebRequest(url: server.url, fields: FieldLines([.init("X", "1\0")])),
    ]
    for request in odd {
      #expect(transport.exchange(request).failure?.kind == .badURL, "\(request)")
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a HEAD response has no content and keeps its length`() throws {
    let server = try ScriptedServer()
    server.on("/", .response(body: Self.page))
    let result = transport.exchange(WebRequest(method: "HEAD", url: server.url))
    #expect(result.isFinished)
    #expect(result.response?.fields["Content-Length"] == "\(Self.page.count)")
  }

  @Test func `a connection is reused`() throws {
    let server = try ScriptedServer()
    server.on("/", .response(text: "ok"))
    for _ in 0..<5 { #expect(transport.exchange(WebRequest(url: server.url)).isFinished) }
    #expect(server.connectionCount == 1)
  }

  @Test func `a response has the address and the protocol of its connection, and the times`() throws
  {
    let server = try ScriptedServer()
    server.on("/", .response(text: "ok"))
    let first = try #require(transport.exchange(WebRequest(url: server.url)).response?.metrics)
    #expect(first.remoteAddress == "127.0.0.1")
    #expect(first.remotePort == WebURL(server.url)?.port)
    #expect(first.protocolVersion == "HTTP/1.1" && !first.isConnectionReused)
    #expect(first.secureConnectionEnd == nil)
    let times = try [first.connectionEnd, first.requestStart, first.headEnd].map {
      try #require($0)
    }
    #expect(times == times.sorted() && times[0] > 0)
    let second = try #require(transport.exchange(WebRequest(url: server.url)).response?.metrics)
    #expect(second.isConnectionReused && second.remotePort == first.remotePort)
    #expect(second.nameLookupEnd == nil && second.connectionEnd == nil)
  }

  @Test func `cancelling ends an exchange with a server that stalls`() throws {
    let server = try ScriptedServer()
    let gate = Gate()
    server.on("/", ServerScript([.wait(gate)]))
    let collected = TransportRecord()
    let exchange = transport.send(
      WebRequest(url: server.url), limits: TransportLimits(), receive: collected.receive)
    exchange.cancel()
    #expect(collected.wait().failure?.kind == .cancelled)
    gate.open()
  }

  @Test func `reading stops while the receiver is behind, also for inflated content`() throws {
    let server = try ScriptedServer()
    var bomb: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    deflater.deflate([UInt8](repeating: 65, count: 8 << 20)) { bomb += $0 }
    deflater.finish { bomb += $0 }
    server.on("/", .response([("Content-Encoding", "gzip")], body: bomb))
    let collected = TransportRecord()
    let isFull = Gate()
    let exchange = transport.send(
      WebRequest(url: server.url), limits: TransportLimits()
    ) { event in
      collected.receive(event)
      if collected.current.body.count >= FlowWindow.size { isFull.open() }
    }
    isFull.wait()
    #expect(collected.current.body.count <= FlowWindow.size + 65_536)
    exchange.acknowledge(8 << 20)
    // From now on, all content is acknowledged.
    for _ in 0..<8 { exchange.acknowledge(1 << 20) }
    while collected.current.failure == nil, !collected.current.isFinished {
      exchange.acknowledge(1 << 20)
    }
    #expect(collected.wait().body.count == 8 << 20)
  }

  @Test func `connections per host are limited, and queueing does not count as a timeout`() throws {
    let (server, other) = (try ScriptedServer(), try ScriptedServer())
    let (slowGate, blockingGate) = (Gate(), Gate())
    defer { blockingGate.open() }
    server.on("/slow", ServerScript([.wait(slowGate)] + ServerScript.response(text: "slow").steps))
    server.on("/next", .response(text: "next"))
    other.on("/", ServerScript([.wait(blockingGate)]))
    let transport = CurlTransport(maxConnectionsPerHost: 1)
    defer { transport.close() }
    let (first, second, clock) = (TransportRecord(), TransportRecord(), TransportRecord())
    let exchange = transport.send(
      WebRequest(url: server.url + "/slow"), limits: TransportLimits(), receive: first.receive)
    var limits = TransportLimits()
    limits.connect = 0.05
    let waiting = transport.send(
      WebRequest(url: server.url + "/next"), limits: limits, receive: second.receive)
    // Another host is not affected. It reports when the connection timeout has long passed.
    limits.firstByte = 0.5
    let late = transport.send(WebRequest(url: other.url), limits: limits, receive: clock.receive)
    #expect(clock.wait().failure?.kind == .timedOut)
    #expect(server.requests(for: "/next").isEmpty)
    slowGate.open()
    #expect(first.wait().text == "slow")
    #expect(second.wait().text == "next")
    #expect(server.connectionCount == 1)
    withExtendedLifetime((exchange, waiting, late)) {}
  }

  @Test func `a closed transport reports a failure`() throws {
    let server = try ScriptedServer()
    let transport = CurlTransport()
    server.on("/", .response(text: "ok"))
    #expect(transport.exchange(WebRequest(url: server.url)).isFinished)
    transport.close()
    #expect(transport.exchange(WebRequest(url: server.url)).failure?.kind == .cancelled)
    transport.close()
  }
}
