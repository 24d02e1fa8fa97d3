import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The reader in a real terminal.
@Suite struct ReadingTests {
  private static let html = [("Content-Type", "text/html; charset=utf-8")]

  private static let article = """
    <!DOCTYPE html><title>Flight log</title><nav><a href="/home">Home</a></nav>
    <main><h1>Flight log</h1><p>Above the clouds, with a <a href="/second">second page</a> and
    a <a href="/never">page never read</a>.</p>\
    \((1...60).map { "<p>Paragraph number \($0) of the log.</p>" }.joined())</main>
    """

  private func server() throws -> ScriptedServer {
    let server = try ScriptedServer()
    server.on("/", .response(Self.html, text: Self.article))
    server.on("/second", .response(Self.html, text: "<title>Second</title><h1>Second page</h1>"))
    return server
  }

  @Test func `a page is read online, and offline from the saved copy, with its links`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let online = try sandbox.reader(server.url + "/")
    let rows = try online.wait(for: "Above the clouds")
    #expect(rows[0].contains("127.0.0.1") && rows[0].contains("Flight log"))
    #expect(!rows.contains { $0.contains("SAVED COPY") })
    #expect(rows[23].contains("%"))
    try online.press("Tab", "Enter")
    try online.wait(for: "Second page")
    try online.press("q")
    #expect(try online.waitForExit() == 0)
    server.stop()

    let offline = try sandbox.reader(server.url + "/")
    let saved = try offline.wait(for: "Above the clouds")
    #expect(saved[1].drop { $0 == " " }.hasPrefix("▌SAVED COPY"))
    #expect(saved[1].contains("just now") || saved[1].contains("minute"))
    #expect(saved.contains { $0.contains("connection refused") })
    try offline.press("Tab", "Enter")
    try offline.wait("the second page from its copy") { rows in
      rows.contains { $0.contains("Second page") } && rows[1].contains("SAVED COPY")
    }
    try offline.press("Left")
    try offline.wait(for: "Above the clouds")
    try offline.press("Tab", "Enter")
    let explained = try offline.wait(for: "No copy of this page")
    #expect(explained.contains { $0.contains("Saved from this host") })
    try offline.press("q")
    #expect(try offline.waitForExit() == 0)
  }

  @Test
  func `a session goes offline and back, with links from copies and missing pages queued`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    server.on("/never", .response(Self.html, text: "<title>Now</title><h1>Never said never</h1>"))
    _ = try sandbox.offread("fetch", server.url + "/second")
    let screen = try sandbox.reader(server.url + "/")
    try screen.wait(for: "Above the clouds")
    let asked = server.requests.count
    try screen.press("x")
    try screen.wait(for: "offline mode")
    try screen.press("Tab", "Enter")
    try screen.wait("the second page from its copy") { rows in
      rows.contains { $0.contains("Second page") }
        && rows.contains { $0.contains("SAVED COPY") && $0.contains("offline mode") }
    }
    try screen.press("Left")
    try screen.wait(for: "Above the clouds")
    try screen.press("Tab", "Enter")
    try screen.wait("the missing page in the queue") { rows in
      rows.contains { $0.contains("No copy of this page") } && rows[23].contains("1 queued")
    }
    #expect(server.requests.count == asked, "no request when offline")
    try screen.press("x")
    try screen.wait(for: "1 queued page arrived")
    try screen.press("r")
    let rows = try screen.wait(for: "Never said never")
    #expect(!rows.contains { $0.contains("SAVED COPY") || $0.contains("queued") })
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `resizing keeps the text at the top of the screen`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("log.html", Self.article)
    let screen = try sandbox.reader(page)
    try screen.wait(for: "Above the clouds")
    try screen.press("Space")
    let top = try screen.wait("a scrolled page") {
      !$0[1].contains("Flight log") && $0.contains { $0.contains("number 10") }
    }
    let first = try #require(top.dropFirst().first { $0.contains("Paragraph") })
    try screen.resize(columns: 50, rows: 18)
    let narrow = try screen.wait("the new size") {
      $0.count <= 19 && $0.contains { $0.contains("%") }
    }
    let kept = narrow.dropFirst().first { $0.contains("Paragraph") }
    #expect(
      kept?.trimmingCharacters(in: .whitespaces) == first.trimmingCharacters(in: .whitespaces))
  }

  @Test func `a page from a pipe is read with the keys of the terminal`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("log.html", Self.article)
    let screen = try TmuxScreen(["sh", "-c", "\"$0\" - < \"$1\"", Program.offread, page])
    try screen.wait(for: "Above the clouds")
    try screen.press("G")
    try screen.wait(for: "Paragraph number 60")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `characters of ambiguous width do not move the characters after them`() throws {
    let sandbox = try Sandbox()
    let rows = (1...30).map { "<tr><td>“\($0)” é ★<td>end" }.joined()
    let page = try sandbox.file(
      "page.html", "<table><tr><th>Ω<th>x<tr><td>ASCII alone<td>end\(rows)</table>")
    try sandbox.settings("[display]\nambiguous_width = 2\n")
    let dump = try sandbox.offread("dump", page)
    #expect(dump.text.contains("| “9” é ★  | end |"), "two columns each")
    // tmux draws them in one column. The following characters are positioned explicitly.
    let screen = try TmuxScreen(
      [Program.offread, page, "--data-dir", sandbox.data], columns: 60, rows: 14)
    func borders(_ rows: [String]) -> Set<[Int]> {
      Set(
        rows.filter { $0.contains("| end") }
          .map { row in Array(row).indices.filter { Array(row)[$0] == "|" } })
    }
    #expect(borders(try screen.wait(for: "ASCII alone")).count == 1)
    #expect(borders(try screen.wait(for: "“ 5”")).count == 1)
    for key in ["j", "j", "d", "G", "k"] { try screen.press(key) }
    #expect(borders(try screen.wait(for: "“ 20”")).count == 1)
    try screen.press("g")
    let top = try screen.wait("the first rows") { rows in
      ["| Ω ", "ASCII alone"].allSatisfy { part in rows.contains { $0.contains(part) } }
    }
    #expect(borders(top).count == 1)
  }

  @Test func `a load that hangs can be cancelled, and the page is kept`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let gate = Gate()
    server.on("/second", ServerScript.response(Self.html, text: "late").after(gate))
    let screen = try sandbox.reader(server.url + "/")
    try screen.wait(for: "Above the clouds")
    try screen.press("Tab", "Enter")
    try screen.wait("the request") { _ in !server.requests(for: "/second").isEmpty }
    try screen.press("Escape")
    let rows = try screen.wait(for: "stopped loading")
    #expect(rows.contains { $0.contains("Paragraph") })
    gate.open()
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `a copy is shown while the response stalls, and the newer version is offered`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let gate = Gate()
    let forever = Gate()
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 24\r\n\r\n"
    func stalling(_ gate: Gate) -> ServerScript {
      ServerScript([
        .send(Array((head + "<h1>Newer ").utf8)), .wait(gate),
        .content(Array("words</h1>\n\n\n\n".utf8)),
      ])
    }
    server.on(
      "/", .response(Self.html, text: "<h1>Older words</h1>"), stalling(gate), stalling(forever))
    _ = try sandbox.offread("fetch", server.url + "/")
    let screen = try sandbox.reader(server.url + "/")
    let rows = try screen.wait(for: "waiting for the network")
    #expect(rows.contains { $0.contains("Older words") })
    gate.open()
    try screen.wait(for: "newer version: r")
    try screen.press("r")
    try screen.wait(for: "Newer words")
    #expect(server.requests.count == 2)
    try screen.press("r")
    try screen.wait(for: "waiting for the network")
    // Quitting does not wait for a stalled response, which is requested again at the next start.
    try screen.press("q")
    #expect(try screen.waitForExit(seconds: 10) == 0)
    #expect(try sandbox.offread("list", "--queue").text.contains(server.url))
    forever.open()
    server.stop()
    #expect(try sandbox.offread("dump", "--offline", server.url + "/").text.contains("Newer words"))
  }

  @Test func `an error status is shown, also if the data directory cannot be used`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.onOthers { _ in
      .response(status: 404, Self.html, text: "<title>T</title><h1>Nothing here</h1>")
    }
    try Data().write(to: URL(fileURLWithPath: sandbox.data))
    let screen = try sandbox.reader(server.url + "/", columns: 160)
    try screen.wait("the notice") { $0[23].contains("the server returned 404 Not Found") }
    #expect(try screen.rows().contains { $0.contains("Nothing here") })
    try screen.press("j")
    try screen.wait("the status line") { $0[23].contains("% ") && $0[23].contains("404 Not Found") }
    let plain = try sandbox.reader(try sandbox.file("p.html", "<h1>File</h1>"))
    let rows = try plain.wait("the status line") { $0[23].contains("0 links") }
    #expect(rows.contains { $0.contains("File") })
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGSEGV])
  func `the terminal is restored after a signal or a crash`(_ signal: Int32) throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("log.html", Self.article)
    let screen = try sandbox.reader(page, inShell: true)
    try screen.wait(for: "Above the clouds")
    kill(try screen.processID(), signal)
    try screen.wait("the shell's screen") { !$0.contains { $0.contains("Above the clouds") } }
    try screen.type("stty -a; echo code done\r")
    let rows = try screen.wait("the terminal's modes") { $0.contains { $0.hasPrefix("code done") } }
    let modes = rows.joined(separator: " ")
    #expect(modes.contains(" echo ") && modes.contains(" icanon ") && modes.contains(" isig "))
  }

  @Test func `Ctrl-Z suspends the reader, and fg resumes it`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("log.html", Self.article)
    let screen = try sandbox.reader(page, inShell: true)
    try screen.wait(for: "Above the clouds")
    try screen.press("G")
    try screen.wait(for: "Paragraph number 60")
    try screen.press("C-z")
    try screen.wait("the shell") { !$0.contains { $0.contains("Paragraph number 60") } }
    try screen.type("fg\r")
    try screen.wait(for: "Paragraph number 60")
    try screen.press("q")
    // The screen is restored before the terminal modes, and the prompt follows both.
    try screen.wait("the prompt") { rows in
      let last = rows.last { !$0.isEmpty } ?? ""
      return ["$", "#"].contains(last.trimmingCharacters(in: .whitespaces))
    }
    try screen.type("echo back\r")
    try screen.wait("the shell again") { $0.contains { $0.hasPrefix("back") } }
  }

  @Test func `a terminal that cannot show the reader gets the text, a hint, and exit code 0`()
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file("log.html", "<h1>Short</h1><p>As text")
    for term in ["dumb", "no-such-terminal"] {
      let screen = try sandbox.reader(page, environment: ["TERM": term])
      #expect(try screen.waitForExit() == 0)
      let rows = try screen.transcript()
      #expect(rows.contains { $0.contains("As text") })
      #expect(rows.contains { $0.contains("offread: this terminal") })
    }
  }

  @Test func `text for a narrow terminal is wrapped at words`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file(
      "log.html", "<p>" + String(repeating: "harbour ", count: 18) + "end")
    let screen = try sandbox.reader(page, columns: 36, environment: ["TERM": "dumb"])
    #expect(try screen.waitForExit() == 0)
    let rows = try screen.transcript().filter { $0.hasPrefix("harbour") }
    #expect(rows.count == 5)
    #expect(rows.allSatisfy { $0.hasSuffix("harbour") || $0.hasSuffix("end") }, "\(rows)")
  }

  @Test func `no control sequence of a page reaches the terminal`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let bad = "\u{1B}]0;pwned\u{7}\u{9B}31m&#27;[31m&#x9b;2J\u{202E}"
    server.on(
      "/",
      .response(
        Self.html,
        text: "<title>T\(bad)</title><h1>H\(bad)</h1><p><a href='/x\(bad)'>Readable\(bad)</a>"))
    let screen = try sandbox.reader(server.url + "/")
    try screen.wait(for: "Readable")
    try screen.press("Tab")
    let rows = try screen.wait("the link") { $0[23].contains("/x") }
    #expect(
      !rows.contains {
        $0.unicodeScalars.contains {
          $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E
        }
      })
    let run = try sandbox.offread("dump", "--offline", server.url + "/")
    #expect(!run.output.contains { $0 < 0x20 && $0 != 0x0A })
    #expect(
      !run.text.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) || $0.value == 0x202E })
  }
}
