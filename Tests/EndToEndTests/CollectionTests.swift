import Foundation
import TestSupport
import Testing

/// Collections: the pages that a save with `--depth` or `--as` fetched, managed as a unit.
@Suite struct CollectionTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    put("/m/", "<title>The Manual</title><p>Contents <a href=/m/2>2</a> <a href=/m/1>1</a>")
    put("/m/1", "<title>One</title><link rel=next href=/m/2><p>First <a href=/old>old</a>")
    put("/m/2", "<title>Two</title><p>Second chapter about xylophones")
  }

  private func put(_ path: String, _ text: String) {
    server.on(path, .response([("Content-Type", "text/html")], text: text))
  }

  @discardableResult
  private func offread(_ arguments: String..., status: Int32 = 0) throws -> Program {
    let run = try sandbox.offread(arguments)
    #expect(run.status == status, "\(arguments): \(run.text)\(run.errorText)")
    return run
  }

  private func save(_ options: String...) throws -> Program {
    try sandbox.offread(["save", "--delay", "0", "--depth", "1"] + options + [server.url + "/m/"])
  }

  private struct Collections: Decodable {
    struct Entry: Decodable {
      var name: String
      var pages: Int
      var unread: Int
      var missing: Int
      var tags: [String]
      var is_kept: Bool
    }
    var collections: [Entry]
  }

  private func collections(_ options: String...) throws -> [Collections.Entry] {
    let run = try sandbox.offread(["list", "--collections", "--json"] + options)
    return try JSONDecoder().decode(Collections.self, from: Data(run.output)).collections
  }

  private func titles(_ options: String...) throws -> [String] {
    try sandbox.offread(["list"] + options).text.split(separator: "\n").map {
      String($0.prefix { $0 != " " })
    }
  }

  @Test func `a crawl is a collection with its pages in reading order, under one name`() throws {
    let run = try save("--as", "My manual")
    #expect(run.status == 0 && run.text.contains("3 pages in the collection My manual\n"))
    let found = try collections()
    #expect(found.map(\.name) == ["My manual"])
    #expect(found.first?.pages == 3 && found.first?.unread == 3 && found.first?.missing == 0)
    #expect(try titles("--collection", "my  MANUAL") == ["The", "One", "Two"])
    #expect(try titles("--collection", server.url + "/m/").count == 3)
    let report = try save("--as", "My manual", "--json").text
    let part = report.split(separator: "\"collections\" : [").last ?? ""
    #expect(part.contains(#""name" : "My manual""#) && part.contains(#""pages" : 3"#), "\(report)")
    // The same start page is the same collection; without a name, it keeps its own.
    #expect(try save("--as", "Renamed").status == 0)
    #expect(try save().status == 0)
    #expect(try collections().map(\.name) == ["Renamed"])
    #expect(
      try offread("list", "--collection", "My manual", status: 1).errorText.contains(
        "no collection"))
  }

  @Test func `the order follows rel=next`() throws {
    put(
      "/m/",
      "<title>The Manual</title><link rel=next href=/m/1><p><a href=/m/2>2</a> <a href=/m/1>1</a>")
    #expect(try save().status == 0)
    #expect(try collections().map(\.name) == ["The Manual"])
    #expect(try titles("--collection", "The Manual") == ["The", "One", "Two"])
  }

  @Test func `pages can be put into a collection by hand, and a page can be in several`() throws {
    put("/other", "<title>Other</title><p>Elsewhere")
    try offread("save", "--delay", "0", "--as", "Trip", server.url + "/m/1", server.url + "/m/2")
    try offread("save", "--delay", "0", "--as", "Trip", server.url + "/other")
    #expect(try save("--as", "Manual").status == 0)
    #expect(try collections().map { "\($0.name) \($0.pages)" } == ["Manual 3", "Trip 3"])
  }

  @Test func `check, sync, mark and export work on a collection as a whole`() throws {
    server.on("/m/2", .response(status: 500, text: ""))
    #expect(try save("--as", "Manual").status == 1)
    #expect(try collections().first?.missing == 1)
    let check = try offread("check", "--collection", "Manual", status: 1)
    #expect(check.text.hasPrefix("missing  \(server.url)/m/2"), "\(check.text)")
    #expect(check.text.hasSuffix("Manual: 2 of 3 pages ready, 1 missing\n"), "\(check.text)")
    #expect(check.text.contains("500"), "\(check.text)")
    put("/m/2", "<title>Two</title><p>Second chapter")
    // The missing page is queued. The start page is not due, so nothing else is requested.
    let requests = server.requests.count
    try offread("sync", "--delay", "0")
    #expect(server.requests.dropFirst(requests).map(\.target) == ["/m/2"])
    #expect(try collections().first?.missing == 0)
    #expect(try offread("check", "--collection", "Manual").text.hasSuffix("3 of 3 pages ready\n"))
    #expect(try offread("list", "--queue").text == "")
    #expect(try offread("sync").text == "nothing to do\n")
    try offread("mark", "--collection", "Manual", "--tag", "Trip")
    #expect(try collections().first?.tags == ["trip"])
    #expect(try titles("--tag", "trip").count == 3)
    let list = try offread("export", "--tag", "trip", "--format", "json")
    #expect(list.text.contains("\"trip\""), "\(list.text)")
    let book = sandbox.directory.appendingPathComponent("book.epub").path
    let export = try offread("export", "--tag", "trip", "--format", "epub", "-o", book)
    #expect(export.text == "\(book): 3 pages\n")
    #expect(try offread("search", "tag:trip", "chapter").text.contains("/m/2"))
    try offread("mark", "--collection", "Manual", "--unkeep")
    #expect(try collections().first?.is_kept == false)
  }

  @Test func `a removal asks with the number of pages, spares shared pages, and can be undone`()
    throws
  {
    #expect(try save("--as", "Manual").status == 0)
    try offread("mark", "--tag", "own", server.url + "/m/2")
    let asked = try offread("remove", "--collection", "Manual", status: 2)
    #expect(asked.errorText.contains("Manual with 2 pages; 1 page stays"), "\(asked.errorText)")
    try offread("remove", "--yes", "--collection", "Manual")
    #expect(try collections().isEmpty && collections("--removed").map(\.name) == ["Manual"])
    #expect(try titles("--saved") == ["Two"] && titles().isEmpty)
    try offread("remove", "--undo", "--collection", "Manual")
    #expect(try titles("--collection", "Manual").count == 3 && titles("--saved").count == 3)
    try sandbox.settings("[sync]\nundo_time = 0\n")
    try offread("remove", "--yes", "--collection", "Manual")
    try offread("sync")
    #expect(try collections("--removed").isEmpty && titles("--saved") == ["Two"])
    try offread("fetch", "--offline", server.url + "/m/1", status: 4)
  }

  @Test func `limits evict no page of a collection, and save reports an excess`() throws {
    let text = (0..<3000).map { "word\($0 &* 7919 % 100_003)" }.joined(separator: " ")
    put("/m/1", "<title>One</title><p>\(text)")
    put("/m/2", "<title>Two</title><p>\(String(text.reversed()))")
    for number in 0..<6 { put("/x\(number)", "<title>X</title><p>\(number) \(text)") }
    try sandbox.settings("[archive]\nmax_size = 60000\n")
    #expect(try save("--as", "Manual").status == 0)
    for number in 0..<6 { _ = try sandbox.offread("fetch", server.url + "/x\(number)") }
    #expect(try collections().first?.missing == 0)
    try sandbox.settings("[archive]\nmax_size = 20000\n")
    let again = try save("--as", "Manual")
    #expect(again.errorText.contains("more than max_size"), "\(again.errorText)")
    let check = try sandbox.offread("check")
    #expect(check.errorText.contains("more than max_size"))
    let screen = try sandbox.reader("--offline")
    let library = try screen.wait(for: "more than max_size")
    #expect(library[0].contains("Library: kept pages need"))
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test(arguments: [["--as", "Pages"], []])
  func `limits evict no page before a save has recorded it`(_ options: [String]) throws {
    let text = (0..<1200).map { "word\($0 &* 7919 % 100_003)" }.joined(separator: " ")
    for number in 1...9 { put("/p\(number)", "<title>P</title><p>\(number) \(text)") }
    try sandbox.settings("[archive]\nmax_size = 20000\n")
    let urls = (1...9).map { "\(server.url)/p\($0)" }
    let run = try sandbox.offread(["save", "--delay", "0"] + options + urls)
    #expect(run.status == 0 && run.text.contains("9 of 9 pages ready"), "\(run.text)")
    #expect(run.errorText.contains("more than max_size"), "\(run.errorText)")
    #expect(try sandbox.offread("check").text.contains("9 of 9 pages can be read"))
  }

  @Test func `removing a collection spares pages whose redirects are kept`() throws {
    server.on("/short", .redirect(to: "/m/1"))
    server.on("/also", .redirect(to: "/m/1"))
    try offread("save", "--delay", "0", server.url + "/short")
    put(
      "/m/", "<title>The Manual</title><p><a href=/m/1>1</a> <a href=/also>a</a> <a href=/m/2>2</a>"
    )
    #expect(try save("--as", "Manual").status == 0)
    try sandbox.settings("[sync]\nundo_time = 0\n")
    try offread("remove", "--yes", "--collection", "Manual")
    try offread("sync")
    for path in ["/short", "/also", "/m/1"] {
      #expect(try offread("dump", "--offline", server.url + path).text.contains("First"))
    }
    try offread("fetch", "--offline", server.url + "/m/2", status: 4)
  }

  @Test func `a removed page does not return when a collection links to it`() throws {
    put("/m/", "<title>The Manual</title><p><a href=/m/2>2</a>")
    #expect(try save("--as", "Manual").status == 0)
    try offread("save", "--delay", "0", server.url + "/m/1")
    try offread("remove", "--later", server.url + "/m/1")
    put("/m/", "<title>The Manual</title><p><a href=/m/2>2</a> <a href=/m/1>1</a>")
    try offread("sync", "--delay", "0", "--collection", "Manual")
    #expect(try titles("--removed") == ["One"])
    // A tag shows that the user wants it.
    try offread("mark", "--tag", "mine", server.url + "/m/1")
    #expect(try titles("--removed").isEmpty)
  }

  @Test func `a removed collection returns with all its pages when it is saved again`() throws {
    #expect(try save("--as", "Manual").status == 0)
    try offread("remove", "--yes", "--collection", "Manual")
    put("/m/", "<title>The Manual</title><p><a href=/m/2>2</a>")
    #expect(try save("--as", "Manual").status == 0)
    try sandbox.settings("[sync]\nundo_time = 0\n")
    try offread("sync")
    #expect(try titles("--collection", "Manual").sorted() == ["One", "The", "Two"])
    #expect(try offread("dump", "--offline", server.url + "/m/1").text.contains("First"))
  }

  @Test func `a page that redirects to another page of its collection counts as ready`() throws {
    #expect(try save("--as", "Manual").status == 0)
    server.on("/m/1", .redirect(301, to: "/m/2"))
    #expect(try save("--as", "Manual").status == 0)
    #expect(try offread("check", "--collection", "Manual").text.hasSuffix("3 of 3 pages ready\n"))
  }

  @Test func `an interrupted save leaves an unfinished collection, which the next save finishes`()
    throws
  {
    let (gate, isReached) = (Gate(), Gate())
    let html = [("Content-Type", "text/html")]
    put("/m/", "<title>M</title><p>Contents <a href=/slow>s</a> <a href=/m/1>1</a>")
    let slow = ServerScript.response(html, text: "<title>Slow</title><p>Second")
    server.on("/slow", ServerScript([.open(isReached), .wait(gate)] + slow.steps))
    put("/m/1", "<title>One</title><p>First")
    let child = try Program.start(
      Program.offread,
      ["save", "--delay", "0", "--depth", "1", "--as", "Manual", server.url + "/m/"],
      files: ["/dev/null", "/dev/null", "/dev/null"],
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(isReached.wait(atMost: 60))
    kill(child, SIGINT)
    #expect(Program.wait(for: child) == 130)
    gate.open()
    #expect(try offread("list", "--collections").text.contains("save not finished"))
    let check = try offread("check", status: 1)
    #expect(check.text.contains("the save did not finish: run it again"), "\(check.text)")
    let sync = try offread("sync", "--delay", "0")
    #expect(sync.text.contains("Manual: the save did not finish: run it again"), "\(sync.text)")
    #expect(!sync.text.contains("nothing to do"), "\(sync.text)")
    #expect(try save("--as", "Manual").status == 0)
    #expect(try offread("list", "--collections").text.contains("ready"))
    #expect(try offread("check").text.hasSuffix("Manual: 3 of 3 pages ready\n"))
  }

  @Test func `a new name is another collection unless the start pages are the same`() throws {
    put("/other", "<title>Other</title><p>Elsewhere")
    let urls = ["/m/1", "/m/2", "/other"].map { server.url + $0 }
    try offread("save", "--delay", "0", "--as", "Monday", urls[0], urls[1])
    try offread("save", "--delay", "0", "--as", "Tuesday", urls[0], urls[2])
    #expect(try Set(collections().map { "\($0.name) \($0.pages)" }) == ["Monday 2", "Tuesday 2"])
    let added = try offread("save", "--delay", "0", "--as", "Monday", urls[2])
    #expect(!added.text.contains("no longer linked"), "\(added.text)")
    #expect(try titles("--collection", "Monday") == ["One", "Two", "Other"])
    try offread("mark", "--unkeep", "--collection", "Monday")
    try offread("mark", "--unkeep", "--collection", "Tuesday")
    #expect(try titles().isEmpty)
  }

  @Test func `a page that is added to a collection leaves it finished`() throws {
    put("/other", "<title>Other</title><p>Elsewhere")
    try offread("save", "--delay", "0", "--as", "Trip", server.url + "/other")
    try offread("save", "--delay", "0", "--as", "Trip", server.url + "/m/2")
    #expect(!(try offread("list", "--collections").text.contains("not finished")))
    #expect(try offread("check", "--collection", "Trip").text.hasSuffix("2 of 2 pages ready\n"))
    #expect(try save("--as", "Trip").status == 0)
    #expect(try offread("check", "--collection", "Trip").text.hasSuffix("4 of 4 pages ready\n"))
  }

  @Test func `tags of collections choose pages to restore, and are removed from collections`()
    throws
  {
    #expect(try save("--as", "Manual", "--tag", "trip").status == 0)
    put("/other", "<title>Other</title><p>Elsewhere")
    try offread("save", "--delay", "0", "--tag", "trip", server.url + "/other")
    try offread("remove", "--later", "--tag", "trip")
    #expect(try titles("--saved").isEmpty)
    try offread("remove", "--undo", "--tag", "trip")
    #expect(try titles("--saved").sorted() == ["One", "Other", "The", "Two"])
    try offread("remove", "--undo", "--tag", "trip", status: 1)
    // The tag of a single page is that of its collection.
    let one = try offread("mark", "--untag", "trip", server.url + "/m/1", status: 1)
    #expect(
      one.errorText.contains("offread mark --collection Manual --untag trip"), "\(one.errorText)")
    #expect(try titles("--tag", "trip").count == 4)
    let other = try offread("mark", "--untag", "none", server.url + "/m/1")
    #expect(other.errorText.contains("has no tag none"), "\(other.errorText)")
    let all = try offread("mark", "--tag", "trip", "--untag", "trip", "--archive")
    #expect(all.errorText.isEmpty, "\(all.errorText)")
    #expect(try titles("--tag", "trip").isEmpty && collections().first?.tags == [])
    #expect(try titles("--archived").count == 4)
  }

  @Test func `a link that leads to no page leaves a collection ready`() throws {
    put(
      "/m/",
      "<title>The Manual</title><p><a href=/m/1>1</a> <a href=/m/none>n</a> <a href=/m/5>5</a>")
    put("/m/1", "<title>One</title><p>First")
    server.on("/m/none", .response(status: 404, text: ""))
    server.on("/m/5", .response(status: 500, text: ""))
    #expect(try save("--as", "M").text.contains("2 failed"))
    let check = try offread("check", status: 1)
    #expect(check.text.contains("missing  \(server.url)/m/5"), "\(check.text)")
    #expect(
      check.text.contains(
        "skipped  \(server.url)/m/none: a link leads to it, but there is no such page (404"),
      "\(check.text)")
    put("/m/5", "<title>Five</title><p>Fifth")
    try offread("sync", "--delay", "0")
    for options in [["check"], ["check", "--collection", "M"]] {
      let run = try sandbox.offread(options)
      #expect(run.status == 0 && run.text.contains("3 of 3 pages can be read"), "\(run.text)")
    }
    #expect(!(try offread("check", "--quiet").text.contains("none")))
    #expect(try offread("check", "--json").text.contains("404"))
    // Only a link may lead to no page; a page that the user names must exist.
    try offread("save", "--delay", "0", server.url + "/m/none", status: 1)
  }

  @Test func `JSON lists may be empty, and are missing if a collection does not exist`() throws {
    let run = try offread("list", "--json", "--collection", "nosuch", status: 1)
    #expect(run.text.isEmpty && run.errorText.contains("no collection is named 'nosuch'"))
    for empty in [try offread("list", "--json"), try offread("check", "--json", status: 1)] {
      let report = try JSONSerialization.jsonObject(with: Data(empty.output)) as? [String: Any]
      #expect((report?["pages"] as? [Any])?.isEmpty == true, "\(empty.text)")
    }
  }

  @Test func `a page that the settings do not store is not queued`() throws {
    put("/tides", "<title>Tides</title><p>Low at noon")
    try offread("add", server.url + "/tides")
    try sandbox.settings("[[rule]]\npath = \"/tides\"\nstore = false\n")
    let sync = try sandbox.offread("sync", "--delay", "0")
    #expect(sync.text.contains("the settings forbid saving it\n"), "\(sync.text)")
    #expect(try offread("list", "--queue").text.isEmpty)
    let run = try offread("save", "--delay", "0", server.url + "/tides", status: 1)
    #expect(!run.text.contains("queue"), "\(run.text)")
    #expect(try offread("list", "--queue").text.isEmpty)
    try sandbox.settings("[[rule]]\nmime_type = \"text/html\"\nstore = false\n")
    try offread("save", "--delay", "0", server.url + "/tides", status: 1)
    #expect(try offread("list", "--queue").text.isEmpty)
  }

  @Test func `a new collection does not return the pages of a removed one`() throws {
    let urls = ["/m/1", "/m/2", "/other"].map { server.url + $0 }
    put("/other", "<title>Other</title><p>Elsewhere")
    try offread("save", "--delay", "0", "--as", "Monday", urls[0], urls[1])
    try offread("remove", "--yes", "--collection", "Monday")
    try offread("save", "--delay", "0", "--as", "Tuesday", urls[0], urls[2])
    #expect(try titles("--collection", "Tuesday") == ["One", "Other"])
    #expect(try collections("--removed").map(\.name) == ["Monday"])
    let list = try offread("list", "--collections", "--sort", "title", status: 2)
    #expect(list.errorText.contains("--collections can be combined only with"))
    let tagged = try offread("list", "--collection", "Tuesday", "--tag", "a", status: 2)
    #expect(tagged.errorText.contains("--collection cannot be used with --tag"))
    #expect(try titles("--collection", "Tuesday", "--limit", "1") == ["One"])
  }

  @Test func `a bundle counts the responses that it omits because a password was needed`() throws {
    server.onOthers { request in
      request["Authorization"] != nil
        ? .response([("Content-Type", "text/html")], text: "<title>Club</title><p>Members")
        : .response(status: 401, [("WWW-Authenticate", "Basic realm=\"club\"")], text: "who?")
    }
    let club = server.url.replacing("http://", with: "http://me:secret@") + "/club"
    try offread("save", "--delay", "0", "--as", "Club", club)
    let bundle = sandbox.directory.appendingPathComponent("club.tar").path
    let run = try offread("bundle", "--collection", "Club", "-o", bundle)
    #expect(run.errorText.contains("skipped 1 response obtained with"), "\(run.errorText)")
  }

  @Test func `the key that keeps a page pins the start page of a collection itself`() throws {
    #expect(try save("--as", "Manual").status == 0)
    let screen = try sandbox.reader("--offline", server.url + "/m/")
    try screen.wait(for: "Contents")
    try screen.press("a")
    try screen.wait(for: "kept")
    try screen.type("q")
    #expect(try screen.waitForExit() == 0)
    try offread("remove", "--yes", "--collection", "Manual")
    #expect(try titles() == ["The"])
  }

  @Test func `a sync stops at the first collection behind a captive portal`() throws {
    for path in ["/m/", "/x/"] {
      put(
        path, "<title>Page</title><h1>Tides</h1><p>" + String(repeating: "Of granite. ", count: 90))
      try offread("save", "--delay", "0", "--as", "C\(path)", server.url + path)
    }
    let portal = try ScriptedServer()
    portal.onOthers { _ in
      .response(
        [("Content-Type", "text/html")],
        text: "<h1>Wi-Fi of the village</h1><form><p>Sign in here</p><input type=password></form>")
    }
    let run = try sandbox.offread(
      ["sync", "--delay", "0", "--collection", "C/m/", "--collection", "C/x/"],
      environment: ["http_proxy": portal.url, "no_proxy": ""])
    #expect(run.status == 4, "\(run.text)\(run.errorText)")
    #expect(Set(portal.requests.map(\.target)).count == 1, "\(portal.requests.map(\.target))")
  }

  @Test func `a bundle of a collection has only its pages`() throws {
    put("/private", "<title>Private</title><p>Diary")
    #expect(try save("--as", "Manual", "--tag", "trip").status == 0)
    try offread("save", "--delay", "0", server.url + "/private")
    let bundle = sandbox.directory.appendingPathComponent("manual.tar").path
    try offread("bundle", "--collection", "Manual", "-o", bundle)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: bundle))
    #expect(bytes.range(of: Data("/private".utf8)) == nil)
    let other = try Sandbox()
    let looked = try other.offread("import", bundle)
    #expect(looked.text.contains("unknown device (not named in a bundle of collections)"))
    let row = looked.text.split(separator: "\n").first { $0.contains("in collections") }
    #expect(
      row?.hasSuffix("  3  Manual") == true && !looked.text.contains("collection:"),
      "\(looked.text)")
    let run = try other.offread("import", "--with-changes", bundle)
    #expect(run.status == 0, "\(run.text)\(run.errorText)")
    let list = try other.offread("list", "--collection", "Manual")
    #expect(list.text.split(separator: "\n").count == 3, "\(list.text)\(list.errorText)")
    #expect(try other.offread("dump", "--offline", server.url + "/m/2").text.contains("xylophones"))
    #expect(try other.offread("list", "--tag", "trip").text.split(separator: "\n").count == 3)
  }

  @Test func `a collection is read in order with one key, also from the URL of a page`() throws {
    #expect(try save("--as", "Manual").status == 0)
    let screen = try sandbox.reader("--offline")
    try screen.wait(for: "Collections")
    #expect(try screen.wait(for: "0 of 3").isEmpty == false)
    try screen.press("Enter")
    try screen.wait(for: "1/3")
    try screen.press("Enter")
    try screen.wait(for: "Contents ● 2 ● 1")
    try screen.wait(for: "1/3")
    try screen.type(";")
    try screen.wait(for: "2/3")
    try screen.press("Space")
    try screen.wait(for: "next: Two")
    try screen.press("Space")
    try screen.wait(for: "3/3")
    try screen.type(",")
    try screen.wait(for: "2/3")
    try screen.type("q")
    let page = try sandbox.reader("--offline", server.url + "/m/2")
    try page.wait(for: "3/3")
  }
}
