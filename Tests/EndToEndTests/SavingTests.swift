import Foundation
import TestSupport
import Testing

/// `offread save`, `check`, `list` and `sync`.
@Suite struct SavingTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  private static let html = [("Content-Type", "text/html")]

  private func put(_ path: String, _ text: String, _ fields: [(String, String)] = []) {
    server.on(path, .response(Self.html + fields, text: text))
  }

  private struct Report: Decodable {
    struct Page: Decodable {
      var url: String
      var result: String
      var reason: String?
      var is_readable: Bool
    }
    var ready: Int
    var failed: Int
    var is_complete: Bool
    var pages: [Page]
  }

  private struct Listing: Decodable {
    var version: Int
    var pages: [Entry]
  }

  private struct Entry: Decodable {
    var url: String
    var title: String
    var tags: [String]
    var queued: String?
    var saved: String?
  }

  private func report(_ program: Program) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(program.output))
  }

  @Test
  func `check lists missing content first, and list --saved includes pages that were only read`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let html = [("Content-Type", "text/html; charset=utf-8")]
    for name in ["a", "b", "c"] {
      server.on(
        "/" + name,
        .response(html, text: "<title>Page \(name)</title><p>Words of \(name) that can be read."))
    }
    server.on("/x.css", .response([("Content-Type", "text/css")], text: "p{}"))
    for name in ["a", "b"] {
      #expect(
        try sandbox.offread("save", "--quiet", "--delay", "0", server.url + "/" + name).status == 0)
    }
    _ = try sandbox.offread("dump", server.url + "/c")
    _ = try sandbox.offread("fetch", server.url + "/x.css")
    let gone = server.url + "/gone"
    let check = try sandbox.offread(
      "check", server.url + "/a", gone, server.url + "/b", server.url + "/gone2")
    let tokens = check.text.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(tokens.prefix(4) == ["missing", "missing", "ready", "ready"], "\(check.text)")
    let kept = try sandbox.offread("list").text
    #expect(kept.contains("/a") && !kept.contains("/c"))
    let saved = try sandbox.offread("list", "--saved").text
    for name in ["a", "b", "c"] {
      #expect(saved.contains("Page \(name)") && saved.contains("/\(name)"), "\(saved)")
    }
    #expect(!saved.contains("x.css"))
    #expect(
      try sandbox.offread("list", "--saved", "--limit", "1").text.split(separator: "\n").count == 1)
    #expect(try sandbox.offread("list", "--saved", "--queue").status == 2)
    #expect(
      try sandbox.offread("list", "--saved", "--sort", "title", "--json").text.contains("Page c"))
    _ = try sandbox.offread("remove", "--later", server.url + "/c")
    #expect(!(try sandbox.offread("list", "--saved").text.contains("Page c")))
    #expect(try Sandbox().offread("list", "--saved").errorText.contains("nothing is saved"))
  }

  @Test func `of many missing images the first are listed, and the others counted`() throws {
    let images = (1...30).map { "<img src='/\($0).png' alt='Image \($0)'>" }
    put("/", "<h1>Root</h1><p>Text" + images.joined())
    let saved = try sandbox.offread("save", "--delay", "0", server.url + "/")
    let lines = saved.text.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("image not saved: \(server.url)/") } == 20)
    #expect(lines.contains { $0.hasPrefix("10 more images not saved") })
    #expect(saved.text.contains("30 images could not be saved"))
    struct Report: Decodable {
      struct Page: Decodable {
        var missing_images: Int
        var unsaved_images: [[String: String]]?
      }
      var pages: [Page]
    }
    put("/other", "<p>Text<img src='/none.png'>")
    let json = try sandbox.offread("save", "--json", "--delay", "0", server.url + "/other")
    let report = try JSONDecoder().decode(Report.self, from: Data(json.output))
    let image = try #require(report.pages.first?.unsaved_images?.first)
    #expect(image == ["url": server.url + "/none.png", "reason": "the server returned 404"])
    #expect(report.pages.first?.missing_images == 1)
  }

  @Test func `a page that looks like an error page is ready, and reported as such`() throws {
    put("/", "<title>T</title><p>words <a href='/a'>a</a> <a href='http://b.invalid/'>b</a>")
    put("/a", "<title>Page not found</title><h1>Page not found</h1><p>Sorry.")
    let saved = try sandbox.offread("save", "--delay", "0", server.url + "/a")
    #expect(saved.status == 0 && saved.text.contains("1 of 1 page ready"), "\(saved.text)")
    #expect(saved.text.contains(", but it looks like an error page of the site; check the URL"))
    #expect(saved.text.contains("1 page that looks like an error page of the site"))
    let check = try sandbox.offread("check", server.url + "/a")
    #expect(check.status == 0 && check.text.contains(", looks like an error page of the site"))
    put("/n", "<title>Page not found</title><h1>Page not found</h1><p>Sorry.")
    let quiet = try sandbox.offread("save", "--quiet", "--delay", "0", server.url + "/n")
    #expect(quiet.status == 0 && quiet.text.isEmpty && quiet.errorText.isEmpty)
    // Links to other hosts are mentioned only if no link was followed.
    let root = ["save", "--depth", "1", "--same-host", "--delay", "0", server.url + "/"]
    #expect(try !sandbox.offread(root).text.contains("not followed"))
    put("/", "<title>T</title><p>words <a href='http://b.invalid/'>b</a>")
    #expect(
      try sandbox.offread(root).text.contains(
        "1 link not followed: it leads to another host than that of the given page"))
  }

  @Test func `check reports pages without text, and checks a saved set with its options`() throws {
    put("/", "<h1>Root</h1><img src='/none.png'> <a href='/empty'>empty</a> <a href='/no'>no</a>")
    put("/empty", "<script>1</script><noscript>Enable JavaScript.</noscript>")
    let saved = try sandbox.offread(
      "save", "--depth", "1", "--exclude", "*/no", "--delay", "0", server.url + "/")
    #expect(saved.status == 0 && saved.text.contains("1 image could not be saved"))
    #expect(saved.text.contains("image not saved: " + server.url))
    #expect(saved.text.contains("1 of 2 pages ready to be read offline"), "\(saved.text)")
    #expect(saved.text.contains("1 page saved without text to read"))
    let alone = try sandbox.offread("check", server.url + "/")
    #expect(alone.status == 0 && alone.text.contains("1 image missing"))
    #expect(try sandbox.offread("check", "--strict", server.url + "/").status == 1)
    let check = try sandbox.offread("check")
    #expect(check.status == 1 && check.text.contains("1 of 2 pages can be read"), "\(check.text)")
    #expect(
      check.text.contains(
        "unready  \(server.url)/empty  just now: it has no text to read; to render it in a browser:"
          + " offread save --render"), "\(check.text)")
    let bundle = sandbox.directory.appendingPathComponent("trip.tar").path
    #expect(try sandbox.offread("bundle", "-o", bundle).status == 0)
    let other = try Sandbox()
    #expect(try other.offread("import", "--with-changes", bundle).status == 0)
    #expect(try other.offread("check").text.contains("1 of 2 pages can be read"))
  }

  @Test func `a page of a busy server is queued, and the next request time is shown`()
    throws
  {
    server.on("/", .response(status: 503, Self.html + [("Retry-After", "600")], text: "busy"))
    let saved = try sandbox.offread("save", "--delay", "0", server.url + "/")
    #expect(saved.status == 1 && saved.text.contains("its server is busy; requested again at "))
    #expect(saved.text.contains("1 page in the queue"))
    let sync = try sandbox.offread("sync")
    #expect(
      sync.status == 0
        && sync.text.contains("1 page of busy servers in the queue, requested again at ")
    )
    #expect(server.requests.count == 1)
    let list = try sandbox.offread("list", "--queue").text
    #expect(list.contains(server.url) && list.contains("requested again at "), "\(list)")
    #expect(try sandbox.offread("list", "--queue", "--json").text.contains("\"ask_again\" : \"20"))
    // An explicitly requested page does not wait.
    _ = try sandbox.offread("sync", server.url + "/")
    #expect(server.requests.count == 2)
  }

  @Test func `a page is not reported as queued if the queue cannot be changed`() throws {
    server.on("/", .response(status: 500, Self.html, text: "error"))
    try FileManager.default.createDirectory(
      atPath: sandbox.data, withIntermediateDirectories: true)
    try Data("a file instead of the directory".utf8).write(
      to: URL(fileURLWithPath: sandbox.data + "/library"))
    let saved = try sandbox.offread("save", server.url + "/")
    #expect(saved.status == 1 && saved.text.contains("500 Internal Server Error"))
    #expect(!saved.text.contains("queue"), "\(saved.text)")
  }

  @Test func `a permanently missing page is reported once by a sync, then by lists and doctor`()
    throws
  {
    put("/", "<h1>Root</h1>")
    let none = server.url + "/none"
    let saved = try sandbox.offread("save", "--delay", "0", server.url + "/", none)
    #expect(saved.status == 1 && saved.text.contains("404 Not Found; it is not kept"))
    // Each failure is reported in one place.
    #expect(!saved.errorText.contains("failed") && saved.errorText.contains("saved \(server.url)/"))
    #expect(try sandbox.offread("list", "--queue").text.isEmpty)
    #expect(try sandbox.offread("add", none).status == 0)
    let first = try sandbox.offread("sync", "--quiet")
    #expect(first.status == 1 && first.errorText.contains("to stop requesting it: offread remove "))
    let second = try sandbox.offread("sync", "--quiet")
    #expect(second.status == 0 && second.errorText.isEmpty && second.text.isEmpty)
    let sync = try sandbox.offread("sync")
    #expect(sync.text.contains("1 queued page not found (404, 410), requested again later"))
    #expect(server.requests(for: "/none").count == 2)
    #expect(try sandbox.offread("sync", none).status == 1)
    let list = try sandbox.offread("list", "--queue").text
    #expect(list.contains("404 Not Found, gone since ") && list.contains(none))
    let check = try sandbox.offread("check", none)
    #expect(
      check.status == 1
        && check.text.contains("the last request failed: 404 Not Found, gone since "))
    #expect(try sandbox.offread("doctor").text.contains("1 page, 1 failed"))
    let removed = try sandbox.offread("remove", none)
    #expect(removed.status == 0 && removed.text.contains(": 1 error response"))
  }

  @Test
  func `a page in two sets is reported once, and a later save without links keeps a set`()
    throws
  {
    for page in ["/one", "/two"] { put(page, "<h1>Root</h1><a href='/shared'>shared</a>") }
    put("/shared", "<h1>Shared</h1>")
    for page in ["/one", "/two"] {
      let saved = try sandbox.offread(
        "save", "--depth", "1", "--max-pages", "5", "--delay", "0", server.url + page)
      #expect(saved.status == 0)
    }
    #expect(try sandbox.offread("check").text.contains("3 of 3 pages can be read"))
    #expect(try sandbox.offread("save", "--delay", "0", server.url + "/one").status == 0)
    let check = try sandbox.offread("check").text
    #expect(check.contains("3 of 3 pages can be read"), "\(check)")
    #expect(check.split(separator: "\n").count { $0.contains("/shared") } == 1)
  }

  @Test func `a page saved with its links is read without the server, as check confirmed before`()
    throws
  {
    put("/", "<title>Root</title><h1>Root</h1><a href='/one'>one</a> <a href='/none'>none</a>")
    put("/one", "<title>One</title><h1>First page</h1>")
    let saved = try sandbox.offread(
      "save", "--depth", "1", "--delay", "0", "--tag", "Trip", server.url + "/")
    #expect(saved.status == 0, "\(saved.errorText)")
    #expect(saved.text.contains("failed \(server.url)/none: 404 Not Found"))
    #expect(saved.text.contains("2 of 3 pages ready to be read offline"))
    #expect(saved.errorText.contains("saved \(server.url)/one"))
    server.stop()
    let count = server.requests.count
    let check = try sandbox.offread("check", server.url + "/")
    #expect(check.status == 0)
    #expect(check.text.contains("ready    \(server.url)/  just now"))
    #expect(check.text.hasSuffix("1 of 1 page can be read without a network\n"))
    let deep = try sandbox.offread("check", "--depth", "1", "--json", server.url + "/")
    #expect(deep.status == 0)
    #expect(try report(deep).pages.map(\.is_readable) == [true, true, false])
    let missing = try sandbox.offread("check", "--depth", "1", "--quiet", server.url + "/")
    // The page does not exist, so nothing is missing.
    #expect(missing.status == 0 && missing.text.isEmpty, "\(missing.text)")
    // Without URLs, all pinned pages are checked.
    #expect(try sandbox.offread("check").text.contains("2 of 2 pages"))
    let page = try sandbox.offread("dump", server.url + "/one")
    #expect(page.status == 0 && page.text.contains("First page"))
    #expect(server.requests.count == count)
    let list = try sandbox.offread("list", "--json", "--tag", "trip")
    let listed = try JSONDecoder().decode(Listing.self, from: Data(list.output))
    #expect(listed.version == 1)
    let entries = listed.pages
    // The pages that the crawl fetched are a collection, which has the tag as a whole.
    #expect(entries.map(\.title) == ["Root", "One"])
    #expect(entries.map(\.tags) == [["trip"], ["trip"]])
    let line = try sandbox.offread("list").text
    #expect(line.hasPrefix("Root  #trip  just now  "), "\(line)")
    #expect(line.hasSuffix("B  \(server.url)/\n"), "\(line)")
    let other = try sandbox.offread("list", "--tag", "other")
    #expect(other.text.isEmpty && other.errorText.contains("no page has the tag other"))
  }

  @Test
  func `a list of pages is saved, invalid lines are reported, and the exit code is correct`()
    throws
  {
    put("/a", "<h1>a</h1>")
    let list = try sandbox.file(
      "list", "# pages\n\n\(server.url)/a\n  \(server.url)/b\nftp://x.test/\n")
    let run = try sandbox.offread("save", "--delay", "0", "--quiet", "--from", list)
    #expect(run.status == 1)
    #expect(run.text.isEmpty)
    #expect(run.errorText.contains("list:5: not the URL of a web page: ftp://x.test/"))
    #expect(run.errorText.contains("failed \(server.url)/b: 404 Not Found"))
    let input = Data("\(server.url)/a and its title\n".utf8)
    let again = try sandbox.offread(
      ["save", "--delay", "0", "--json", "--from", "-"], input: input)
    #expect(again.status == 0)
    #expect(try report(again).ready == 1)
    let empty = try sandbox.offread(["save", "--from", "-"], input: Data("# nothing\n".utf8))
    #expect(empty.status == 1 && empty.errorText.contains("no URL in standard input"))
  }

  @Test func `control characters of server titles and URLs never reach a terminal`() throws {
    put("/", "<title>a\u{1B}]0;x\u{7}b</title><a href='/x%1B[31m\u{1B}[31m'>x</a>")
    let run = try sandbox.offread("save", "--depth", "1", "--delay", "0", server.url + "/")
    #expect(!run.text.contains("\u{1B}") && !run.errorText.contains("\u{1B}"))
    let list = try sandbox.offread("list")
    #expect(list.text.contains("a") && !list.text.contains("\u{1B}"))
    #expect(!(try sandbox.offread("list", "--json").text.contains("\u{1B}")))
  }

  @Test func `sync refreshes only pages that are due`() throws {
    put("/a", "<title>A</title><h1>a</h1>", [("ETag", "\"1\"")])
    #expect(try sandbox.offread("save", "--delay", "0", server.url + "/a").status == 0)
    let plan = try sandbox.offread("sync", "--dry-run")
    #expect(plan.text == "0 queued pages, 0 due, 1 not due\n")
    #expect(try sandbox.offread("sync").text == "nothing to do\n")
    let empty = try report(try sandbox.offread("sync", "--json"))
    #expect(empty.pages.isEmpty && empty.is_complete)
    #expect(server.requests(for: "/a").count == 1)
    let nothing = try Sandbox()
    #expect(try nothing.offread("sync").status == 0)
    #expect(try nothing.offread("check").errorText.contains("no page is kept"))
  }

  @Test func `the second of two concurrent syncs reports the other and exits`() throws {
    let (gate, isReached) = (Gate(), Gate())
    server.on(
      "/slow",
      ServerScript([
        .open(isReached), .wait(gate),
        .send(ServerScript.head(status: 200, Self.html + [("Content-Length", "1")])),
        .content(Array("x".utf8)),
      ]))
    let list = try sandbox.file("list", server.url + "/slow\n")
    #expect(try sandbox.offread("import", list).text.contains("1 queued"))
    let first = try Program.start(
      Program.offread, ["sync", "--quiet"], environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(isReached.wait(atMost: 60))
    let second = try sandbox.offread("sync")
    #expect(second.errorText.contains("another sync is already running"), "\(second.errorText)")
    #expect(second.text.isEmpty && server.requests(for: "/slow").count == 1)
    gate.open()
    #expect(Program.wait(for: first) == 0)
    #expect(try sandbox.offread("check", server.url + "/slow").status == 0)
  }

  @Test(arguments: [["check"], ["check", "--json"], ["save"], ["save", "--json"]])
  func `a report that cannot be written is not a success, but the pages are saved`(
    _ command: [String]
  ) throws {
    put("/", "<h1>Root</h1>")
    #expect(try sandbox.offread("save", "--quiet", server.url + "/").status == 0)
    let run = try Program.run(
      "sh",
      ["-c", "exec \"$0\" \"$@\" >/dev/full", Program.offread] + command + [server.url + "/"],
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(run.status != 0 && run.errorText.contains("No space left"), "\(run.errorText)")
    #expect(try sandbox.offread("check", server.url + "/").status == 0)
  }

  @Test
  func `on a terminal progress bars for the total and each host are replaced by the report`()
    throws
  {
    let gate = Gate()
    put("/", "<h1>Root</h1><a href=/1>x</a><a href=/2>x</a><a href=/none>x</a>")
    put("/1", "<h1>1</h1>")
    server.on(
      "/2",
      ServerScript([
        .wait(gate), .send(ServerScript.head(status: 200, Self.html + [("Content-Length", "1")])),
        .content(Array("x".utf8)),
      ]))
    let screen = try sandbox.reader("save", "--depth", "1", "--delay", "0", server.url + "/")
    let rows = try screen.wait("three of four pages") { rows in
      rows.contains { $0.hasPrefix("saving [") && $0.contains("3 of 4") }
    }
    #expect(rows.contains { $0.hasPrefix("  [") && $0.contains("127.0.0.1") }, "\(rows)")
    gate.open()
    let left = try screen.wait(for: "3 of 4 pages ready")
    // The end of the program may have scrolled the first row off the screen.
    let report = try screen.transcript()
    #expect(report.contains { $0.hasPrefix("failed \(server.url)/none: 404") }, "\(report)")
    #expect(!left.contains { $0.hasPrefix("saving") }, "\(left)")
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `an interrupted save is reported, and the same command resumes it`(
    _ signal: Int32, _ status: Int32
  ) throws {
    let gate = Gate()
    let links = (0..<20).map { "<a href='/\($0)'>x</a>" }.joined()
    put("/", "<h1>Root</h1>" + links)
    for number in 0..<20 where number != 5 { put("/\(number)", "<h1>\(number)</h1>") }
    server.on(
      "/5",
      ServerScript([
        .wait(gate), .send(ServerScript.head(status: 200, Self.html + [("Content-Length", "1")])),
        .content(Array("x".utf8)),
      ]))
    let isReached = Gate()
    server.on(
      "/19",
      ServerScript(
        ServerScript.response(Self.html, text: "<h1>19</h1>").steps + [.open(isReached)]))
    let arguments = ["save", "--depth", "1", "--delay", "0", server.url + "/"]
    let errors = sandbox.directory.appendingPathComponent("errors").path
    try Data().write(to: URL(fileURLWithPath: errors))
    let child = try Program.start(
      Program.offread, arguments, files: ["/dev/null", "/dev/null", errors],
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    // One load of the host hangs, so the others run one by one, until only that one is left.
    #expect(isReached.wait(atMost: 60))
    kill(child, signal)
    #expect(Program.wait(for: child) == status)
    gate.open()
    let before = server.requests.count
    let again = try sandbox.offread(arguments)
    #expect(again.status == 0, "\(again.errorText)")
    #expect(again.errorText.contains("resuming an interrupted save"))
    #expect(again.text.contains("21 of 21 pages ready"))
    #expect(server.requests.count - before < 8)
  }
}
