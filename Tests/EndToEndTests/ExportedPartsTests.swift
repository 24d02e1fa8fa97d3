import Foundation
import TestFiles
import TestSupport
import Testing

/// Exports and bundles of pages with redirects, frames and links between them.
@Suite struct ExportedPartsTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0]
  private static let prose = String(
    repeating: "<p>Some words of a page that is worth reading at the harbour.</p>", count: 9)

  private let sandbox: Sandbox
  private let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  private func put(_ path: String, _ html: String) {
    server.on(path, .response([("Content-Type", "text/html; charset=utf-8")], text: html))
  }

  private func redirect(_ path: String, to target: String) {
    server.on(path, .response(status: 302, [("Location", target)], text: ""))
  }

  private func image(_ path: String) {
    server.on(path, .response([("Content-Type", "image/png")], body: Self.png))
  }

  private func save(_ arguments: String...) throws {
    let run = try sandbox.offread(["save", "--delay", "0"] + arguments)
    #expect(run.status == 0, "\(run.text)\(run.errorText)")
    server.stop()
  }

  private func path(_ name: String) -> String {
    sandbox.directory.appendingPathComponent(name).path
  }

  private func export(_ format: String, _ arguments: String..., status: Int32 = 0) throws -> Program
  {
    let force = arguments.contains("-o") ? ["--force"] : []
    let run = try sandbox.offread(["export"] + force + ["--format", format] + arguments)
    #expect(run.status == status, "\(arguments): \(run.text)\(run.errorText)")
    return run
  }

  /// Imports a file into an empty library, and returns those of the paths that can be read offline.
  private func readable(_ file: String, _ paths: [String]) throws -> [String] {
    let other = try Sandbox()
    let imported = try other.offread("import", file)
    #expect(imported.status == 0, "\(imported.errorText)")
    return try paths.filter {
      try other.offread("fetch", "--offline", server.url + $0).status == 0
    }
  }

  @Test func `an image that redirects is in every export, and in a bundle`() throws {
    put("/p", "<title>P</title>\(Self.prose)<img src=/i.png width=300 height=300 alt=im>")
    redirect("/i.png", to: "/j.png")
    image("/j.png")
    try save("--as", "Trip", server.url + "/p")
    let page = server.url + "/p"
    #expect(try export("html", page).text.contains("src=\"data:image/png;base64,"))
    _ = try export("epub", "-o", path("p.epub"), page)
    let book = try ZIPContents.read([UInt8](Data(contentsOf: URL(fileURLWithPath: path("p.epub")))))
    #expect(book.contains { $0.path == "EPUB/images/1.png" })
    let paths = ["/p", "/i.png", "/j.png"]
    for format in ["warc", "wacz"] {
      _ = try export(format, "-o", path("p.\(format)"), page)
      #expect(try readable(path("p.\(format)"), paths) == paths)
    }
    let bundled = try sandbox.offread("bundle", "--collection", "Trip", "-o", path("trip.tar"))
    #expect(bundled.status == 0, "\(bundled.errorText)")
    #expect(try readable(path("trip.tar"), paths) == paths)
  }

  @Test func `records of a collection contain its redirects, frames and their images only`() throws
  {
    redirect("/", to: "/home")
    put("/home", "<title>Home</title>\(Self.prose)<a href=/x>x</a> <a href=/set>set</a>")
    redirect("/x", to: "/c")
    put("/c", "<title>C</title>\(Self.prose)")
    put("/set", "<frameset><frame src=/moved></frameset>")
    redirect("/moved", to: "/body")
    put("/body", "<title>Body</title>\(Self.prose)<img src=/b.png width=300 height=300 alt=b>")
    image("/b.png")
    put("/other", "<title>Other</title>\(Self.prose)")
    #expect(try sandbox.offread("save", "--delay", "0", server.url + "/other").status == 0)
    try save("--depth", "1", "--as", "C", server.url + "/")
    let parts = ["/set", "/moved", "/body", "/b.png"]
    let all = ["/", "/home", "/x", "/c"] + parts
    for format in ["warc", "wacz"] {
      let file = path("c.\(format)")
      _ = try export(format, "--collection", "C", "-o", file)
      #expect(try readable(file, all + ["/other"]) == all)
      _ = try export(format, "-o", file, server.url + "/set")
      #expect(try readable(file, all) == parts)
    }
  }

  @Test func `HTML files lead to each other, and to parts of themselves`() throws {
    put(
      "/a",
      "<title>Foot</title>\(Self.prose)<p>Note<sup id=r1><a href=#fn1>1</a></sup>.</p>"
        + "<h2 id=s2>Section two</h2>\(Self.prose)<ol><li id=fn1>The note. <a href=#r1>b</a></ol>")
    put(
      "/b",
      "<title>Bee</title>\(Self.prose)<p>The other page says more about it: see"
        + " <a href=/a#s2>two</a>, <a href=/a#no>no</a>, <a href=/old#fn1>old</a>"
        + " and also <a href=/web#x>web</a>, which is elsewhere.</p>\(Self.prose)"
    )
    redirect("/old", to: "/a")
    try save(server.url + "/old", server.url + "/b")
    _ = try export("html", "-o", path("out"), server.url + "/old", server.url + "/b")
    let foot = try String(contentsOfFile: path("out/foot.html"), encoding: .utf8)
    let bee = try String(contentsOfFile: path("out/bee.html"), encoding: .utf8)
    for text in [
      "href=\"#fn1\"", "href=\"#r1\"", " id=\"r1\"", " id=\"s2\"", " id=\"fn1\"",
      "<link rel=\"canonical\" href=\"\(server.url)/old\">",
      "<!-- Saved from \(server.url)/old at ",
    ] {
      #expect(foot.contains(text), "\(text): \(foot)")
    }
    for text in [
      "href=\"foot.html#s2\"", "href=\"foot.html\">no<", "href=\"foot.html#fn1\"",
      "href=\"\(server.url)/web#x\"",
    ] {
      #expect(bee.contains(text), "\(text): \(bee)")
    }
    // A page that is exported alone leads to the web.
    let single = try export("html", server.url + "/b").text
    #expect(single.contains("href=\"\(server.url)/a#s2\""), "\(single)")
    let dumped = try sandbox.offread("dump", "--offline", "--format", "html", server.url + "/a")
      .text
    #expect(dumped.contains("href=\"#fn1\"") && dumped.contains(" id=\"fn1\""))
    #expect(!dumped.contains("Saved from"))
    // The files are imported with their URLs.
    let other = try Sandbox()
    #expect(try other.offread("import", path("out")).status == 0)
    #expect(try other.offread("dump", "--offline", server.url + "/b").text.contains("harbour"))
  }

  @Test(arguments: ["markdown", "html", "json"])
  func `framesets and refreshes are exported with the text of their targets`(_ format: String)
    throws
  {
    put("/set", "<title>Set</title><frameset><frame src=/m><frame src=/c></frameset>")
    put("/m", "<title>M</title><p>The menu of the harbour. <a href=/c>Next chapter</a>")
    put("/c", "<title>C</title><p>The text of the chapter about herring.")
    put("/go", "<title>Go</title><meta http-equiv=refresh content='0; url=/c'>")
    put("/little", "<title>L</title><p>Few words.<iframe src=/c></iframe>")
    try save(server.url + "/set", server.url + "/go", server.url + "/little")
    let set = try export(format, server.url + "/set").text
    #expect(set.contains("The menu of the harbour.") && set.contains("herring"), "\(set)")
    #expect(set.contains("Set") && set.contains("Next chapter"), "\(set)")
    #expect(try export(format, server.url + "/go").text.contains("herring"))
    let little = try export(format, server.url + "/little").text
    #expect(little.contains("Few words.") && !little.contains("herring"), "\(little)")
  }

  @Test func `an article in several parts is exported as a whole, and once`() throws {
    func part(_ number: Int) -> String {
      let next = number < 3 ? "<a href='/a?page=\(number + 1)' rel=next>Next page</a>" : ""
      return "<title>Tides</title><h1>Tides</h1>\(Self.prose)"
        + "<p>End \(number)<sup><a href=#n>1</a></sup>.</p>\(Self.prose)"
        + "<img src=/\(number).png width=300 height=300 alt=im>"
        + "<p id=n>Note \(number).</p>\(Self.prose)<p>\(next)</p>"
    }
    put("/a", part(1))
    put("/a?page=2", part(2))
    put("/a?page=3", part(3))
    for number in 1...3 { image("/\(number).png") }
    try save(server.url + "/a")
    let page = server.url + "/a"
    for format in ["html", "markdown", "json"] {
      let text = try export(format, page).text
      for word in ["End 1", "Note 1.", "End 2", "Note 2.", "End 3", "Note 3."] {
        #expect(text.components(separatedBy: word).count == 2, "\(format), \(word): \(text)")
      }
    }
    let html = try export("html", page).text
    #expect(html.contains("href=\"#n\"") && html.contains(" id=\"n\""), "\(html)")
    #expect(html.contains("href=\"#part3-n\"") && html.contains(" id=\"part3-n\""), "\(html)")
    #expect(html.components(separatedBy: "data:image/png").count == 4, "\(html)")
    _ = try export("epub", "-o", path("a.epub"), page)
    let book = try ZIPContents.read([UInt8](Data(contentsOf: URL(fileURLWithPath: path("a.epub")))))
    #expect(book.contains { $0.path == "EPUB/images/3.png" })
    for format in ["warc", "wacz"] {
      let file = path("a.\(format)")
      _ = try export(format, "-o", file, page)
      let paths = ["/a", "/a?page=2", "/a?page=3", "/3.png"]
      #expect(try readable(file, paths) == paths)
    }
    // A part that is exported itself is not repeated.
    _ = try export("markdown", "-o", path("out"), page, page + "?page=2")
    let texts = try FileManager.default.contentsOfDirectory(atPath: path("out")).map {
      try String(contentsOfFile: path("out/\($0)"), encoding: .utf8)
    }
    #expect(texts.count == 2 && texts.count { $0.contains("End 2") } == 1, "\(texts)")
  }

  @Test func `an export says if a text has more parts than it joins`() throws {
    for number in 1...22 {
      let link = "<p><a href='/a?page=\(number + 1)' rel=next>Next page</a></p>"
      let next = number < 22 ? link : ""
      put(
        number == 1 ? "/a" : "/a?page=\(number)",
        "<title>Tides</title><h1>Tides</h1>\(Self.prose)<p>End \(number).</p>\(next)")
    }
    try save(server.url + "/a", server.url + "/a?page=21", server.url + "/a?page=22")
    let run = try export("markdown", server.url + "/a")
    #expect(run.text.contains("End 21.") && !run.text.contains("End 22."), "\(run.text)")
    #expect(run.errorText.contains("only the first 21 pages"), "\(run.errorText)")
  }

  @Test func `the next chapter of a book is not exported as a part of a chapter`() throws {
    put("/chapter-one", "<title>One</title>\(Self.prose)<p><a href=/chapter-two>Next</a></p>")
    put("/chapter-two", "<title>Two</title><p>Second</p>\(Self.prose)")
    try save(server.url + "/chapter-one", server.url + "/chapter-two")
    let text = try export("markdown", server.url + "/chapter-one").text
    #expect(text.contains("harbour") && !text.contains("Second"), "\(text)")
  }

  @Test(arguments: ["json", "markdown"])
  func `an archived page is archived where its export is imported`(_ format: String) throws {
    put("/a", "<title>A</title>\(Self.prose)")
    put("/b", "<title>B</title>\(Self.prose)")
    try save(server.url + "/a", server.url + "/b")
    #expect(try sandbox.offread("mark", "--archive", server.url + "/a").status == 0)
    _ = try export(format, "-o", path("out"), server.url + "/a", server.url + "/b")
    let other = try Sandbox()
    #expect(try other.offread("import", path("out")).status == 0)
    let archived = try other.offread("list", "--archived").text
    #expect(archived.contains("/a") && !archived.contains("/b"), "\(archived)")
    let unread = try other.offread("list").text
    #expect(unread.contains("/b") && !unread.contains("/a"), "\(unread)")
  }

  @Test func `a page whose text is not saved is not exported as an empty page`() throws {
    put("/set", "<frameset><frame src=/gone></frameset>")
    put("/go", "<title>Go</title><meta http-equiv=refresh content='0; url=/gone'>")
    _ = try sandbox.offread("save", "--delay", "0", server.url + "/set", server.url + "/go")
    server.stop()
    let set = try export("markdown", server.url + "/set", status: 1)
    #expect(set.text.isEmpty && set.errorText.contains("/set: no frame of it is saved with text"))
    let go = try export("markdown", server.url + "/go", status: 1)
    #expect(
      go.text.isEmpty && go.errorText.contains("/go: it redirects to a page that is not saved"))
  }

  @Test func `framesets that contain each other are exported with each text once`() throws {
    let frames = (1...3).map { "<frame src=/s\($0)>" }.joined()
    for number in 1...3 { put("/s\(number)", "<frameset>\(frames)<frame src=/leaf></frameset>") }
    put("/leaf", "<title>Leaf</title><p>The text about herring.")
    redirect("/again", to: "/s1")
    put("/s0", "<frameset><frame src=/again><frame src=/s1></frameset>")
    try save(server.url + "/s1", server.url + "/s0")
    for path in ["/s0", "/s1"] {
      let run = try export("markdown", server.url + path)
      #expect(run.text.components(separatedBy: "herring").count == 2, "\(run.text)")
      #expect(!run.errorText.contains("no frame of it"), "\(run.errorText)")
    }
  }

  @Test func `a page whose text is in an iframe is exported with it`() throws {
    put("/c", "<title>C</title><p>The text about herring.")
    put("/doc", "<title>Doc</title><body><iframe src=/c></iframe>")
    put("/gone", "<title>Gone</title><body><iframe src=/none></iframe>")
    let urls = ["/doc", "/gone"].map { server.url + $0 }
    _ = try sandbox.offread(["save", "--delay", "0"] + urls)
    server.stop()
    let whole = try export("markdown", urls[0]).text
    #expect(whole.contains("Doc") && whole.contains("herring"), "\(whole)")
    let gone = try export("markdown", urls[1], status: 1)
    #expect(gone.text.isEmpty && gone.errorText.contains("no frame of it is saved with text"))
  }

  @Test func `check, dump and export say which pages are shown only with a password`() throws {
    let right = "Basic " + Data("me:hunter2".utf8).base64EncodedString()
    server.onOthers { request in
      let isOpen = request["Authorization"] == right
      return isOpen
        ? .response(
          [("Content-Type", "text/html")],
          text: "<p>\(Self.prose)")
        : .response(status: 401, [("WWW-Authenticate", "Basic realm=\"club\"")], text: "who?")
    }
    let guarded = server.url.replacing("http://", with: "http://me:hunter2@") + "/club/p"
    try save(guarded)
    let check = try sandbox.offread("check")
    let lines = check.text.split(separator: "\n")
    let hint = ", only with its user name and password"
    #expect(
      lines.contains { $0.contains("/club/p  just now") && $0.hasSuffix(hint) }, "\(check.text)")
    #expect(!check.text.contains("hunter2"))
    let page = server.url + "/club/p"
    let message = "/club/p is saved, but can be read only with its user name and password"
    let runs = [
      try sandbox.offread("dump", "--offline", page), try export("markdown", page, status: 1),
    ]
    for run in runs {
      #expect(run.status != 0 && run.errorText.contains(message), "\(run.errorText)")
    }
  }
}
