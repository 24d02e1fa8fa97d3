import Foundation
import OfflineCache
import TestFiles
import TestSupport
import Testing

/// A good copy under adverse network conditions, tested with the program.
@Suite struct PromiseTests {
  private static let html = [("Content-Type", "text/html")]
  private static let article =
    "<h1>Harbour</h1>"
    + (1...30).map { "<p>Paragraph \($0) tells of granite, storms and pilots.</p>" }.joined()
  private static let login =
    "<h1>Welcome</h1><form><p>Please sign in</p><input type=password></form>"

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let script: ServerScript
    let text: String
  }

  static let rows: [Row] = [
    Row(
      testDescription: "a sign-in page", script: .response(html, text: login),
      text: "sign-in page of this network"),
    Row(
      testDescription: "a redirect to a sign-in page", script: .redirect(to: "/login"),
      text: "sign-in or subscription required"),
    Row(
      testDescription: "a redirect to another site",
      script: .redirect(to: "http://portal.example/"), text: "sign-in page of this network"),
    Row(
      testDescription: "511", script: .response(status: 511, html, text: login),
      text: "sign-in page of this network"),
    Row(
      testDescription: "503", script: .response(status: 503, html, text: "later"),
      text: "server error 503"),
    Row(
      testDescription: "404", script: .response(status: 404, html, text: "gone"),
      text: "page gone (404)"),
    Row(
      testDescription: "nothing", script: .response(html, text: ""), text: "answer nearly empty"),
    Row(
      testDescription: "the front page", script: .redirect(to: "/"),
      text: "front page of the site"),
    Row(
      testDescription: "a circle", script: .redirect(to: "/page"),
      text: "redirected in a circle"),
    Row(
      testDescription: "half of it", script: .truncated(html, body: [60], promised: 9999),
      text: "answer incomplete"),
  ]

  /// Returns a profile whose page was saved in 2023.
  private func profile(_ server: ScriptedServer) throws -> Sandbox {
    let sandbox = try Sandbox()
    let directory = URL(fileURLWithPath: sandbox.data)
    let location = ArchiveLocation(
      archive: directory.appendingPathComponent("archive"),
      index: directory.appendingPathComponent("index.sqlite"))
    // The profile appears to have been used before: its files are named by the host name alone.
    let state = directory.appendingPathComponent("state")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    try Data().write(to: state.appendingPathComponent("reading.jsonl"))
    let cache = HTTPCache(CacheConfiguration(location: location)) {
      Date(timeIntervalSince1970: 1_700_000_000)
    }
    let end = Gate()
    cache.load(WebRequest(url: server.url + "/page")) { event in
      if case .finished = event { end.open() }
      if case .failed = event { end.open() }
    }
    end.wait()
    cache.close()
    return sandbox
  }

  @Test(arguments: rows)
  func `the copy is shown with the reason, keeps its date, and is available offline`(_ row: Row)
    throws
  {
    let server = try ScriptedServer()
    server.on("/page", .response(Self.html, text: Self.article), row.script)
    server.on("/login", .response(Self.html, text: Self.login))
    let sandbox = try profile(server)
    let fetched = try sandbox.offread("fetch", "-i", server.url + "/page")
    #expect(fetched.status == 0 && fetched.text.hasSuffix(Self.article))
    #expect(fetched.text.contains("Memento-Datetime: Tue, 14 Nov 2023 22:13:20 GMT\r\n"))
    #expect(fetched.errorText.contains(row.text), "\(fetched.errorText)")
    let dumped = try sandbox.offread("dump", "--fail-stale", server.url + "/page")
    #expect(dumped.status == 3 && dumped.text.contains("Paragraph 30 tells"))
    #expect(dumped.errorText.contains(row.text), "\(dumped.errorText)")
    let offline = try sandbox.offread("fetch", "-i", "--offline", server.url + "/page")
    #expect(offline.text.hasSuffix(Self.article))
    #expect(offline.text.contains("Memento-Datetime: Tue, 14 Nov 2023 22:13:20 GMT\r\n"))
  }

  /// A network response for a saved page, and the resulting banner of the reader.
  struct Notice: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The response of the server, or nil if it is unreachable.
    var script: ServerScript?
    var arguments: [String] = []
    let text: String
  }

  static let notices: [Notice] = [
    Notice(
      testDescription: "403", script: .response(status: 403, html, text: "no"),
      text: "last check failed today: refused (403)"),
    Notice(
      testDescription: "410", script: .response(status: 410, html, text: "gone"),
      text: "last check failed today: page gone (410)"),
    Notice(
      testDescription: "503", script: .response(status: 503, html, text: "later"),
      text: "last check failed today: server error 503"),
    Notice(
      testDescription: "511", script: .response(status: 511, html, text: login),
      text:
        "last check failed today: sign-in page of this network · sign in to the network, then r"),
    Notice(
      testDescription: "a sign-in page of the site", script: .redirect(to: "/login"),
      text: "last check failed today: sign-in or subscription required"),
    Notice(
      testDescription: "a circle", script: .redirect(to: "/page"),
      text: "last check failed today: redirected in a circle"),
    Notice(
      testDescription: "no place on the web", script: .redirect(to: "ftp://site.test/page"),
      text: "last check failed today: redirected nowhere"),
    Notice(
      testDescription: "half of it", script: .truncated(html, body: [60], promised: 9999),
      text: "last check failed today: answer incomplete"),
    Notice(
      testDescription: "no HTTP", script: .raw(Array("SSH-2.0-server\r\n".utf8)),
      text: "check failed today: answer not readable"),
    Notice(
      testDescription: "nobody", script: nil,
      text: "connection refused"),
    Notice(
      testDescription: "silence, with a limit", script: .response(html, text: "").after(Gate()),
      arguments: ["--timeout", "0.5", "--patience", "60"],
      text: "timed out"),
    Notice(
      testDescription: "silence", script: .response(html, text: "").after(Gate()),
      arguments: ["--patience", "0.1"],
      text: "waiting for the network · a newer version will be offered"),
    Notice(
      testDescription: "offline", script: .response(html, text: "new"), arguments: ["--offline"],
      text: "offline mode · x leaves offline mode"),
  ]

  @Test(arguments: notices)
  func `the banner shows the date of the copy and the result of the last check`(
    _ notice: Notice
  ) throws {
    let server = try ScriptedServer()
    server.on("/page", .response(Self.html, text: Self.article))
    let sandbox = try profile(server)
    server.on("/login", .response(Self.html, text: Self.login))
    if let script = notice.script { server.on("/page", script) } else { server.stop() }
    let reader = try sandbox.reader(
      notice.arguments + [server.url + "/page"], columns: 220, rows: 12)
    // The screen may be read while it is being drawn, so the text of the page must be there, too.
    let rows = try reader.wait("the page below its banner") { rows in
      rows[1].contains(notice.text)
        && rows.contains { $0.contains("Paragraph 1 tells of granite") }
    }
    #expect(rows[1].contains("SAVED COPY  from Tue 14 Nov 2023, "))
    try reader.press("q")
    #expect(try reader.waitForExit() == 0)
  }

  @Test func `with an untrusted certificate the copy is shown`() throws {
    let server = try TLSServer()
    let sandbox = try Sandbox()
    let url = server.url + "/"
    #expect(try sandbox.offread("fetch", "--cacert", server.authority, url).status == 0)
    let reader = try sandbox.reader([url], columns: 160)
    let rows = try reader.wait("the banner") { $0[1].contains("SAVED COPY") }
    #expect(rows[1].contains("just now · last check failed today: certificate not trusted"))
    try reader.press("q")
    #expect(try reader.waitForExit() == 0)
  }

  @Test(arguments: ["fetch", "dump"])
  func `a stale page is revalidated before the process ends`(_ command: String) throws {
    let server = try ScriptedServer()
    let fields = [("Cache-Control", "max-age=0, stale-while-revalidate=999999999")] + Self.html
    server.on(
      "/page", .response(fields, text: "<p>first text"), .response(fields, text: "<p>second text"))
    let sandbox = try profile(server)
    let shown = try sandbox.offread(command, server.url + "/page")
    #expect(shown.status == 0 && shown.text.contains("first text"))
    #expect(server.requests.count == 2)
    let next = try sandbox.offread(command, "--offline", server.url + "/page")
    #expect(next.text.contains("second text"))
  }

  @Test func `a stale page in the reader is revalidated before it quits`() throws {
    let server = try ScriptedServer()
    let fields = [("Cache-Control", "max-age=0, stale-while-revalidate=999999999")] + Self.html
    server.on(
      "/page", .response(fields, text: "<p>first text"), .response(fields, text: "<p>second text"))
    let sandbox = try profile(server)
    let reader = try sandbox.reader(server.url + "/page")
    _ = try reader.wait(for: "first text")
    try reader.press("q")
    #expect(try reader.waitForExit() == 0)
    let next = try sandbox.offread("fetch", "--offline", server.url + "/page")
    #expect(next.text.contains("second text"))
  }

  @Test func `a decompression bomb is an error that names the limit, and is not saved`() throws {
    let server = try ScriptedServer()
    // 128 MB of one letter (RFC 8878, section 3.1.1.2).
    let blocks = (0..<1024).flatMap { [UInt8($0 == 1023 ? 3 : 2), 0, 0x10, 0x41] as [UInt8] }
    let body: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x50] + blocks
    server.on("/bomb", .response([("Content-Encoding", "zstd")] + Self.html, body: body))
    let sandbox = try Sandbox()
    let run = try sandbox.offread("dump", server.url + "/bomb")
    #expect(run.status == 1 && run.text.isEmpty)
    #expect(run.errorText.contains("larger than 100 MiB"), "\(run.errorText)")
    #expect(try sandbox.offread("dump", "--offline", server.url + "/bomb").status == 4)
  }
}
