import Foundation
import TestSupport
import Testing

/// The lists of the reader, and remembered reading positions, in a real terminal.
@Suite struct LibraryScreenTests {
  private static let html = [("Content-Type", "text/html; charset=utf-8")]

  private func server() throws -> ScriptedServer {
    let server = try ScriptedServer()
    let paragraphs = (1...80).map { "<p>Paragraph number \($0) of the log.</p>" }.joined()
    server.on(
      "/log",
      .response(
        Self.html,
        text: "<title>Flight log</title><h1>Flight log</h1><p><a href=/next>next</a>\(paragraphs)"))
    server.on(
      "/next",
      .response(Self.html, text: "<title>Arrival</title><h1>Arrival</h1><p>Landed in Zürich."))
    return server
  }

  @Test func `a link to a local file is neither kept nor tagged`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("a.html", "<title>Page</title><p>Text <a href=b.html>other</a>")
    let screen = try sandbox.reader(page)
    try screen.wait(for: "1 link")
    try screen.type("la")
    try screen.wait(for: "only web pages and imported books can be kept")
    try screen.type("#red\r")
    try screen.wait(for: "only web pages and imported books can be tagged")
    try screen.type("qq")
    #expect(try screen.waitForExit() == 0)
    #expect(try sandbox.offread("list", "--queue").errorText.contains("nothing is queued"))
  }

  @Test func `an existing tag is suggested when another one is typed`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let url = server.url + "/next"
    let saved = try sandbox.offread("save", "--quiet", "--tag", "sea, Summer", url)
    #expect(saved.status == 0, "\(saved.errorText)")
    let screen = try sandbox.reader(url)
    try screen.wait(for: "Landed in")
    try screen.press("#")
    try screen.wait(for: "Tags: sea, summer")
    try screen.type("maps")
    try screen.press("Enter")
    try screen.wait(for: "tags: maps, sea, summer")
  }

  @Test func `pinning the page of a feed shows how to follow the feed`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    server.on(
      "/feed",
      .response(
        [("Content-Type", "application/rss+xml")],
        text: "<rss version='2.0'><channel><title>News</title><item><title>One</title></item>"
          + "</channel></rss>"))
    let screen = try sandbox.reader(server.url + "/feed", columns: 120)
    try screen.wait(for: "One")
    try screen.press("a")
    try screen.wait(for: "kept; to follow the feed: offread save --feed '\(server.url)/feed'")
    try screen.press("a")
    try screen.wait(for: "no longer kept")
    #expect(try sandbox.offread("save", "--quiet", "--feed", server.url + "/feed").status == 0)
    try screen.press("a")
    try screen.wait("pinned") { rows in
      rows.contains { $0.trimmingCharacters(in: .whitespaces) == "kept" }
    }
  }

  @Test func `a page pinned by its link is listed by its own title once it is known`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    // The page is not saved yet, so only the text of the link is known.
    let screen = try sandbox.reader(server.url + "/log")
    try screen.wait(for: "Paragraph number 1 ")
    try screen.press("Tab", "A")
    try screen.wait(for: "kept")
    try screen.press("Enter")
    try screen.wait(for: "Landed in")
    try screen.press("s")
    try screen.wait("the title") { rows in
      rows[0].contains("Library") && rows.contains { $0.contains("Arrival") }
        && !rows.contains { $0.dropFirst().hasPrefix("next ") }
    }
    try screen.press("q", "q")
    #expect(try screen.waitForExit() == 0)
    let listed = try sandbox.offread("list")
    #expect(listed.text.contains("Arrival") && !listed.text.hasPrefix("next"))
    // The page was saved before, so its title is known.
    let other = try sandbox.reader(server.url + "/log")
    try other.wait(for: "Paragraph number 1 ")
    try other.press("Tab", "A")
    try other.wait(for: "no longer kept")
    try other.press("A")
    try other.wait("pinned again") { rows in
      rows.contains { $0.trimmingCharacters(in: .whitespaces).hasPrefix("kept") }
    }
    try other.press("q")
    #expect(try other.waitForExit() == 0)
    #expect(try sandbox.offread("list").text.contains("Arrival"))
  }

  @Test
  func `the displayed page is in the history immediately, under its URL after redirects`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    server.on("/old", .redirect(301, to: "/log"))
    let screen = try sandbox.reader(server.url + "/old")
    try screen.wait(for: "Paragraph number 1 ")
    try screen.press("V")
    let history = try screen.wait("the history") {
      $0[0].contains("History") && $0.contains { $0.contains("Flight log") }
    }
    #expect(history.count { $0.contains("Flight log") } == 1 && !history.joined().contains("0 B"))
    try screen.press("s")
    let library = try screen.wait("the library") { rows in
      rows[0].contains("Library") && rows.contains { $0.contains("Flight log") }
    }
    #expect(library[2].contains("Continue reading") && library[3].contains("Flight log"))
    #expect(!library.joined().contains("0 B"))
    try screen.press("q", "q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `choices made with v and T persist, and O finds its program`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    let log = sandbox.directory.appendingPathComponent("opened").path
    let environment = [
      "BROWSER": "sh -c 'echo \"$0\" >> \"$OPENED\"'", "OPENED": log, "DISPLAY": "",
    ]
    let first = try sandbox.reader(server.url + "/log", environment: environment)
    try first.wait(for: "Paragraph number 1 ")
    try first.press("v")
    try first.wait(for: "from now on; v undoes it")
    try first.press("T")
    try first.wait(for: "from now on; :theme auto undoes it")
    try first.press("O")
    try first.wait("the other program") { _ in
      (try? String(contentsOfFile: log, encoding: .utf8))?.contains(server.url + "/log\n") ?? false
    }
    try first.press("q")
    #expect(try first.waitForExit() == 0)
    #expect(!FileManager.default.fileExists(atPath: sandbox.data + "/config.toml"))
    let second = try sandbox.reader(server.url + "/next", environment: environment)
    let rows = try second.wait(for: "Landed in")
    #expect(rows[0].contains("1 min"), "read in reader view: \(rows)")
    try second.press("q")
    #expect(try second.waitForExit() == 0)
  }

  @Test func `offline the library continues at the reading position, and finds words`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    let first = try sandbox.reader(server.url + "/log")
    try first.wait(for: "Paragraph number 1 ")
    try first.press("a")
    try first.wait(for: "kept")
    try first.press("Space", "Space")
    try first.wait(for: "number 25 ")
    try first.press("q")
    #expect(try first.waitForExit() == 0)
    _ = try sandbox.offread("save", "--quiet", server.url + "/next")
    server.stop()

    let second = try sandbox.reader("--offline")
    let rows = try second.wait("a complete library") {
      $0.contains { $0.contains("Arrival") } && $0.contains { $0.contains("Flight log") }
    }
    #expect(rows[0].contains("Library"))
    #expect(rows[2].contains("Continue reading") && rows[3].contains("Flight log"))
    #expect(rows[3].contains("%") && rows[3].contains("kept"))
    try second.press("Enter")
    try second.wait(for: "continued at")
    try second.wait(for: "number 25 ")
    try second.press("S")
    try second.wait(for: "Search:")
    try second.type("zurich\r")
    try second.wait(for: "Landed in Zürich")
    try second.press("Enter")
    try second.wait("the page that was found") { rows in
      rows[0].contains("Arrival") && rows.contains { $0.contains("Landed in Zürich") }
    }
    try second.press("s")
    try second.wait(for: "Continue reading")
    try second.press("/")
    try second.type("arrival\r")
    try second.wait(for: "Landed")
    try second.press("q")
    #expect(try second.waitForExit() == 0)
  }

  @Test func `a removed page is in no list`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    _ = try sandbox.offread("save", "--quiet", server.url + "/next", server.url + "/log")
    let screen = try sandbox.reader()
    try screen.wait("both pages") {
      $0.contains { $0.contains("Arrival") } && $0.contains { $0.contains("Flight log") }
    }
    try screen.press("/")
    try screen.type("arriv")
    try screen.wait("one page") { $0[0].contains("1 of 2") }
    try screen.press("Tab", "Delete")
    try screen.wait(for: "restores it: Arrival")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    let again = try sandbox.reader("--offline")
    let rows = try again.wait(for: "Flight log")
    #expect(!rows.contains { $0.contains("Arrival") })
    #expect(rows[0].hasSuffix("1") || rows[0].hasSuffix("1…"))
  }
}
