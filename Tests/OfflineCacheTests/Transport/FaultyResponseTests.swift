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
    Row("content that is not gzip", [("Content-Encoding", "gzip"), ("Content-Length", "3")]),
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
    let collected = Collected()
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
}
