import Foundation
import TestSupport
import Testing

/// `offread import` and `export`.
@Suite struct ExchangeCommandTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  private static let text = String(repeating: "A sentence of the text stands here. ", count: 12)

  private func put(_ path: String, _ title: String, _ rest: String = "") {
    server.on(
      path,
      .response(
        [("Content-Type", "text/html")],
        text:
          "<title>\(title)</title><nav>Elsewhere</nav><main><h1>\(title)</h1><p>\(Self.text)</p>"
          + "\(rest)</main>"))
  }

  @Test
  func `a list is imported with tags, fetched by sync, and exported as EPUB and Markdown`()
    throws
  {
    put(
      "/one", "First page", "<p>See <a href='/two'>the other</a>.</p><img alt=Chart src='/c.png'>")
    put("/two", "Second “page”")
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0]
    server.on("/c.png", .response([("Content-Type", "image/png")], body: png))
    let list = try sandbox.file(
      "bookmarks.html",
      """
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><H3>Trip</H3><DL>
      <DT><A HREF="\(server.url)/one" TAGS="sea">First</A>
      <DT><A HREF="\(server.url)/two">Second</A>
      <DT><A HREF="javascript:alert(1)">no</A></DL></DL>
      """)
    let taken = try sandbox.offread("import", "--tag", "New", list)
    #expect(taken.status == 0, "\(taken.errorText)")
    #expect(taken.text.contains("2 pages kept, 2 queued; 1 skipped"))
    #expect(try sandbox.offread("list", "--queue").text.split(separator: "\n").count == 2)
    #expect(server.requests.isEmpty)
    let synced = try sandbox.offread("sync", "--delay", "0")
    #expect(synced.status == 0 && synced.text.contains("2 queued pages arrived"))
    server.stop()
    let tagged = try sandbox.offread("list", "--tag", "sea")
    #expect(tagged.text.contains("#new") && tagged.text.contains("#trip"))

    let book = sandbox.directory.appendingPathComponent("book.epub").path
    let made = try sandbox.offread("export", "--format", "epub", "--tag", "new", "-o", book)
    #expect(made.status == 0 && made.text == "\(book): 2 pages\n", "\(made.errorText)")
    let part = try sandbox.offread(
      "export", "--format", "epub", "-o", book, "--force", "--tag", "new", "https://a.test/none")
    #expect(part.status == 1 && part.text == "\(book): 2 of 3 pages\n", "\(part.errorText)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: book))
    #expect(bytes.dropFirst(30).starts(with: "mimetypeapplication/epub+zip".utf8))
    for name in ["META-INF/container.xml", "EPUB/content.opf", ".png"] {
      #expect(bytes.range(of: Data(name.utf8)) != nil, "\(name)")
    }
    if Effort.isWhole {
      let script = "import sys,zipfile;print(zipfile.ZipFile(sys.argv[1]).testzip())"
      #expect(try Judges.python(script, [book]).text == "None\n")
    }

    // Within the program, the bytes of this character are represented as if they were not UTF-8.
    let directory = sandbox.directory.appendingPathComponent("notes \u{EFE9}").path
    #expect(
      try sandbox.offread("export", "--format", "markdown", "--all", "-o", directory).status == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    #expect(files == ["first-page.md", "second-page.md"])
    let one = try String(contentsOfFile: directory + "/first-page.md", encoding: .utf8)
    #expect(one.hasPrefix("---\ntitle: First page\nurl: "))
    #expect(one.contains("\(server.url)/two") && !one.contains("Elsewhere"))
    let single = try sandbox.offread("export", "--format", "markdown", server.url + "/two")
    #expect(single.status == 0 && single.text.contains("Second “page”"))
    let again = try sandbox.offread(
      "export", "--format", "markdown", "--force", "-o", directory, server.url + "/two")
    #expect(again.status == 0 && again.text.hasSuffix(": 1 page\n"), "\(again.errorText)")
  }

  @Test func `a WARC file of another library can be read after an import, and is imported once`()
    throws
  {
    put("/one", "First page")
    let other = try Sandbox()
    #expect(try other.offread("save", "--delay", "0", server.url + "/one").status == 0)
    server.stop()
    let segment = try #require(try other.segments().first).path
    let taken = try sandbox.offread("import", segment)
    #expect(taken.status == 0 && taken.text.hasSuffix("its pages can be read now\n"))
    let page = try sandbox.offread("dump", "--offline", server.url + "/one")
    #expect(page.status == 0 && page.text.contains("First page"))
    let again = try sandbox.offread("import", segment)
    #expect(again.text.hasSuffix("these records are already saved\n"))
    #expect(try sandbox.segments().count == 1)
  }

  @Test
  func `pages are exported as records without secrets, HTML with embedded images, and JSON`()
    throws
  {
    put("/one", "First page", "<p>See <a href='/two'>it</a>.</p><img alt=Chart src='/c.png'>")
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0]
    server.on(
      "/c.png",
      .response([("Content-Type", "image/png"), ("Set-Cookie", "id=topsecret")], body: png))
    server.on("/old", .response(status: 302, [("Location", "/one")], text: ""))
    #expect(
      try sandbox.offread("save", "--delay", "0", "--tag", "x", server.url + "/old").status == 0)
    server.stop()
    let records = sandbox.directory.appendingPathComponent("out.warc").path
    let export = ["export", "--format"]
    #expect(try sandbox.offread(export + ["warc", "-o", records, server.url + "/old"]).status == 0)
    #expect(try Warcio.complaint(about: records) == nil)
    let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: records)), as: UTF8.self)
    #expect(text.contains("HTTP/1.1 302") && text.contains("First page") && text.contains("/c.png"))
    #expect(!text.contains("topsecret"))
    let other = try Sandbox()
    #expect(try other.offread("import", records).status == 0)
    #expect(try other.offread("dump", "--offline", server.url + "/old").text.contains("First page"))

    let page = try sandbox.offread(export + ["html", "--tag", "x"])
    #expect(page.text.contains("<title>First page</title>"), "\(page.errorText)")
    #expect(page.text.contains("src=\"data:image/png;base64,iVBORw0KGgoAAAAA\""))
    #expect(page.text.contains("href=\"\(server.url)/two\""))
    #expect(page.text.contains("default-src 'none'"))
    let list = try sandbox.offread(export + ["json", "--all"])
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(list.output)) as? [[String: Any]])
    #expect(json.count == 1 && json[0]["title"] as? String == "First page")
    #expect((json[0]["markdown"] as? String)?.contains("[it](\(server.url)/two)") == true)
    #expect(json[0]["tags"] as? [String] == ["x"])

    // An existing file is not replaced unless requested.
    for format in ["warc", "epub", "markdown", "html", "json", "opml"] {
      let again = try sandbox.offread(export + [format, "-o", records, "--all"])
      #expect(again.status == 1 && again.errorText.contains("--force"), "\(again.errorText)")
    }
    let after = try Data(contentsOf: URL(fileURLWithPath: records))
    #expect(String(decoding: after, as: UTF8.self) == text)
    #expect(try sandbox.offread(export + ["json", "--force", "-o", records, "--all"]).status == 0)
  }

  @Test func `the output file - is standard output`() throws {
    put("/one", "First page")
    let url = server.url + "/one"
    #expect(try sandbox.offread("save", "--delay", "0", url).status == 0)
    for command in [["export", "--format", "json", url], ["bundle"], ["fetch", url]] {
      let plain = try sandbox.offread(command)
      let named = try sandbox.offread(command + ["-o", "-"])
      #expect(plain.status == 0 && named.status == 0, "\(command): \(named.errorText)")
      #expect(named.output.count == plain.output.count, "\(command)")
    }
  }

  @Test(arguments: ["warc", "wacz", "epub", "json"])
  func `an export without any saved page leaves an existing file as it is`(_ format: String) throws
  {
    put("/one", "First page")
    #expect(try sandbox.offread("save", "--delay", "0", server.url + "/one").status == 0)
    let file = try sandbox.file("out", "as it was")
    let run = try sandbox.offread(
      "export", "--format", format, "--force", "-o", file, server.url + "/none")
    #expect(run.status == 1 && run.errorText.contains("is not saved"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "as it was")
  }

  @Test func `feeds are exported as OPML with the requested pages, and imported unchanged`()
    throws
  {
    let list = try sandbox.file(
      "in.opml",
      """
      <opml version="2.0"><body><outline text="News"><outline text="A &amp; B" type="rss"
      xmlUrl="http://a.test/feed?x=1&amp;y=2"/></outline>
      <outline text="No folder" type="rss" xmlUrl="http://b.test/feed"/>
      <outline text="Page" type="link" url="http://c.test/" category="later"/></body></opml>
      """)
    #expect(try sandbox.offread("import", list).status == 0)
    let feeds = try sandbox.offread("export", "--format", "opml")
    #expect(feeds.status == 0, "\(feeds.errorText)")
    #expect(feeds.text.contains("xmlUrl=\"http://a.test/feed?x=1&amp;y=2\" category=\"news\""))
    #expect(feeds.text.contains("<outline text=\"No folder\" type=\"rss\""))
    #expect(!feeds.text.contains("c.test"))
    let tagged = try sandbox.offread("export", "--format", "opml", "--tag", "later")
    #expect(tagged.text.contains("type=\"link\" url=\"http://c.test/\""))
    #expect(!tagged.text.contains("xmlUrl"))
    let one = try sandbox.offread("export", "--format", "opml", "http://b.test/feed")
    #expect(one.text.contains("xmlUrl=\"http://b.test/feed\"") && !one.text.contains("a.test"))
    let all = sandbox.directory.appendingPathComponent("out.opml").path
    #expect(try sandbox.offread("export", "--format", "opml", "--all", "-o", all).status == 0)
    let other = try Sandbox()
    #expect(try other.offread("import", all).text.contains("2 feeds"))
    let again = try other.offread("export", "--format", "opml", "--all")
    #expect(again.text == (try String(contentsOfFile: all, encoding: .utf8)))
    #expect(again.text.contains("c.test"))
    let none = try Sandbox().offread("export", "--format", "opml")
    #expect(none.status == 1 && none.errorText.contains("there are no feeds to export"))
  }

  @Test func `an import rejects options that do not apply to the file`() throws {
    put("/one", "First page")
    #expect(try sandbox.offread("save", "--delay", "0", server.url + "/one").status == 0)
    let directory = sandbox.directory.path
    for (name, command) in [
      ("pages.warc", ["export", "--format", "warc", "--all", "-o"]),
      ("pages.wacz", ["export", "--format", "wacz", "--all", "-o"]), ("all.tar", ["bundle", "-o"]),
    ] {
      let file = directory + "/" + name
      #expect(try sandbox.offread(command + [file]).status == 0)
      let other = try Sandbox()
      let run = try other.offread("import", "--tag", "x", file)
      #expect(run.status == 1 && run.errorText.contains("leave out --tag"), "\(run.errorText)")
      #expect(try other.offread("list", "--saved").text.isEmpty)
      #expect(try other.offread("import", file).status == 0)
    }
    let list = try sandbox.file("list.txt", server.url + "/two\n")
    for option in ["--with-removed", "--with-changes"] {
      for file in [list, directory + "/pages.warc"] {
        let run = try sandbox.offread("import", option, file)
        #expect(run.status == 1, "\(run.text)")
        #expect(run.errorText.contains("is not a bundle; leave out \(option)"), "\(run.errorText)")
      }
      #expect(try sandbox.offread("import", option, directory + "/all.tar").status == 0)
    }
    #expect(try sandbox.offread("list", "--queue").text.isEmpty)
  }

  @Test func `a library is transferred to another device in one file`() throws {
    put("/one", "First page")
    #expect(
      try sandbox.offread("save", "--delay", "0", "--tag", "x", server.url + "/one").status == 0)
    server.stop()
    let file = sandbox.directory.appendingPathComponent("library.tar").path
    let made = try sandbox.offread("bundle", "-o", file)
    #expect(
      made.status == 0 && made.text.contains("1 file with pages, library changes of 1 device;"),
      "\(made.errorText)")
    #expect(try sandbox.offread("bundle", "-o", file).errorText.contains("--force"))
    let names = try Program.run("tar", ["-tf", file])
    #expect(names.status == 0 && names.text.contains("archive/") && names.text.contains("library/"))
    let other = try Sandbox()
    // The bundle's device is unknown there, so pages are imported and changes reported.
    let looked = try other.offread("import", file)
    #expect(
      looked.status == 0 && looked.text.contains("new: 1 file with pages\n"),
      "\(looked.errorText)")
    let lines = looked.text.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.hasPrefix("    ") } == [
        "    would be kept             1  First page", "    changed tags              1  x",
        "    changed titles            1  First page",
      ], "\(looked.text)")
    #expect(looked.text.contains("it is from an unknown device"))
    #expect(looked.text.contains("--with-changes"))
    #expect(try other.offread("list").text == "")
    let quiet = try other.offread("import", "--quiet", file)
    #expect(quiet.text == "" && quiet.errorText.contains("--with-changes"))
    let taken = try other.offread("import", "--with-changes", file)
    #expect(taken.status == 0, "\(taken.errorText)")
    #expect(taken.text.contains("new: library changes of 1 device\n"), "\(taken.text)")
    #expect(try other.offread("list", "--tag", "x").text.contains("/one"))
    #expect(try other.offread("dump", "--offline", server.url + "/one").text.contains("First page"))
    #expect(try other.offread("import", file).text.contains("already saved"))
  }

  @Test func `on a terminal the changes of an unknown device need confirmation`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on(
      "/one",
      .response(
        [("Content-Type", "text/html; charset=utf-8")],
        text: "<title>First page</title><p>Words that can be read."))
    #expect(
      try sandbox.offread("save", "--delay", "0", "--tag", "x", server.url + "/one").status == 0)
    let file = sandbox.directory.appendingPathComponent("library.tar").path
    #expect(try sandbox.offread("bundle", "-o", file).status == 0)
    for (response, pages, changes) in [("n", false, false), ("p", true, false), ("y", true, true)] {
      let other = try Sandbox()
      let screen = try other.reader("import", file, columns: 120)
      try screen.wait(for: "is from an unknown device")
      try screen.wait(for: "[y/p/N]")
      try screen.type(response + "\r")
      #expect(try screen.waitForExit() == (pages ? 0 : 1))
      #expect((try other.offread("dump", "--offline", server.url + "/one").status == 0) == pages)
      #expect(try other.offread("list").text.contains("/one") == changes)
    }
  }

  @Test func `an unreadable or unwritable file gives one clear line`() throws {
    let garbage = try sandbox.file("garbage", "\u{1}\u{2} nothing of the kind \u{0}")
    let zip = try sandbox.file("x.zip", "PK\u{3}\u{4}xxxx")
    for (file, text) in [
      (garbage, "has an unknown format; offread help import lists"),
      (zip, "is not in the format that its name indicates"),
      (sandbox.directory.path + "/none", "does not exist"),
      (sandbox.directory.path, "is a directory"),
    ] {
      let run = try sandbox.offread("import", file)
      #expect(run.status == 1 && run.errorText.contains(text), "\(run.errorText)")
      #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    }
    let none = try sandbox.offread("export", "--format", "markdown", "--all")
    #expect(none.status == 1 && none.errorText.contains("there are no kept pages"))
    let missing = try sandbox.offread("export", "--format", "markdown", "http://a.test/")
    #expect(missing.status == 1 && missing.errorText.contains("is not saved"))
  }
}
