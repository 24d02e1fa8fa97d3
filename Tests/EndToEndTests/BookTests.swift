import Containers
import Exchange
import Foundation
import TestSupport
import Testing

/// Books created by other programs.
@Suite struct BookTests {
  private static let text = """
    ---
    title: The Harbour Book
    author: [Ann Author, Bo Writer]
    ---

    # One: the tide

    The tide comes in.[^1] See [the second chapter](#two-the-birds).

    ![A bird](bird.png)

    ## Section A

    | Time  | Height |
    |-------|-------:|
    | 02:14 | 1.2    |

    [^1]: Twice a day.

    # Two: the birds

    Gulls. Back to [the section](#section-a).
    """

  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test(.enabled(if: Effort.isWhole), arguments: ["epub2", "epub3"])
  func `a book created by pandoc has contents, cover, footnotes and images`(_ format: String) throws
  {
    let source = try sandbox.file("book.md", Self.text)
    let directory = sandbox.directory.path
    try Self.image.write(to: sandbox.directory.appendingPathComponent("bird.png"))
    let book = directory + "/book.epub"
    let made = try Program.run(
      "pandoc",
      [
        source, "-t", format, "-o", book, "--resource-path", directory, "--toc",
        "--epub-cover-image", directory + "/bird.png",
      ])
    try #require(made.status == 0, "\(made.errorText)")
    let all = try sandbox.offread("dump", book)
    #expect(all.status == 0, "\(all.errorText)")
    for text in ["Ann Author, Bo Writer", "The tide comes in.", "Twice a day.", "02:14", "Gulls."] {
      #expect(all.text.contains(text), "\(text)")
    }
    let links = try sandbox.offread("dump", "--format", "links", book).text
    let chapters = Set(
      links.split(separator: "\n").map { $0.prefix { $0 != "#" } }
        .filter { $0.contains("/ch00") }
    ).sorted()
    #expect(chapters.count == 2)
    let first = try sandbox.offread("dump", "--format", "links", String(chapters[0])).text
    #expect(first.contains("\(chapters[1])#two-the-birds"))
    #expect(first.contains("#fn1") && first.contains("#fnref1"))
    let outline = try sandbox.offread("dump", "--format", "outline", String(chapters[0])).text
    #expect(outline.contains("One: the tide") && outline.contains("Section A"))
    let screen = try sandbox.reader(book)
    _ = try screen.wait(for: "Start reading")
    try screen.press("t")
    let parts = try screen.wait(for: "Two: the birds")
    #expect(parts.contains { $0.contains("Cover") })
  }

  @Test
  func `images not allowed in EPUB 3.2 are converted to PNG, and broken ones are reported`()
    throws
  {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/images")
    let server = try ScriptedServer()
    var page =
      "<title>Suns</title><h1>Suns</h1><p>\(String(repeating: "Words of suns. ", count: 20))"
    for (name, type) in [("sun.webp", "webp"), ("sun.avif", "avif"), ("sun.jpg", "jpeg")] {
      let bytes = [UInt8](try Data(contentsOf: fixtures.appendingPathComponent(name)))
      server.on("/\(name)", .response([("Content-Type", "image/\(type)")], body: bytes))
      page += "<p><img src=\(name) alt=\(type)>"
    }
    let broken = Array("RIFF\u{10}\0\0\0WEBPVP8 \u{1}\0\0\0x".utf8)
    server.on("/broken.webp", .response([("Content-Type", "image/webp")], body: broken))
    server.on(
      "/suns",
      .response([("Content-Type", "text/html")], text: page + "<img src=broken.webp alt=b>"))
    let saved = try sandbox.offread("save", "--delay", "0", server.url + "/suns")
    #expect(saved.status == 0, "\(saved.errorText)")
    server.stop()
    let path = sandbox.directory.appendingPathComponent("suns.epub").path
    let made = try sandbox.offread("export", "--format", "epub", "--all", "-o", path)
    #expect(made.status == 0, "\(made.errorText)")
    #expect(made.errorText.contains("/broken.webp (webp) is not in the book: "))
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let book = try ZIPArchive(ByteAccess(file))
    let images = book.entries.map(\.path).filter { $0.hasPrefix("EPUB/images/") }
    let forms = try images.map { ImageFormat(of: try book.content(of: $0)) }
    #expect(Set(forms) == [.png, .jpeg] && forms.count == 3, "\(images)")
    #expect(forms.count { $0 == .png } == 2)
  }

  @Test func `a book is imported, found, read, marked and removed without its file`() throws {
    let content = String(repeating: "The tide comes in twice a day. ", count: 9)
    let page = try sandbox.file("tide.html", "<title>Tides</title><h1>Tides</h1><p>\(content)")
    let server = try ScriptedServer()
    let text = try String(contentsOfFile: page, encoding: .utf8)
    server.on("/tide", .response([("Content-Type", "text/html")], text: text))
    #expect(try sandbox.offread("save", "--delay", "0", server.url + "/tide").status == 0)
    let book = sandbox.directory.appendingPathComponent("b.epub").path
    let made = try sandbox.offread("export", "--format", "epub", "--all", "-o", book)
    #expect(made.status == 0, "\(made.errorText)")
    server.stop()
    // The first page saved.
    try FileManager.default.removeItem(atPath: sandbox.data)
    let taken = try sandbox.offread("import", "--tag", "sea", book)
    #expect(taken.status == 0, "\(taken.errorText)")
    let address = try #require(taken.text.split(separator: " ").last).trimmingCharacters(
      in: .newlines)
    #expect(address.hasPrefix("book://"))
    #expect(try sandbox.offread("import", book).text.contains("already kept"))
    try FileManager.default.removeItem(atPath: book)
    #expect(try sandbox.offread("list", "--tag", "sea").text.contains(address))
    let found = try sandbox.offread("search", "\"twice a day\"")
    let position = try #require(
      found.text.split(separator: "\n").first { $0.hasPrefix(address) && $0 != address })
    let shown = try sandbox.offread("dump", String(position))
    #expect(shown.status == 0 && shown.text.contains("The tide comes in"))
    #expect(shown.errorText.contains("imported"))
    #expect(try sandbox.offread("dump", address).text.contains("twice a day"))
    #expect(try sandbox.offread("mark", "--note", "of the sea", address).status == 0)
    #expect(try sandbox.offread("sync").status == 0)
    #expect(try sandbox.offread("archive", "verify").status == 0)
    #expect(try sandbox.offread("archive", "rebuild").status == 0)
    #expect(try sandbox.offread("search", "tag:sea twice").text.contains(String(position)))
    #expect(try sandbox.offread("check", address).status == 2)
    #expect(try sandbox.offread("remove", String(position)).status == 0)
    #expect(try sandbox.offread("search", "twice").status == 1)
    #expect(try sandbox.offread("dump", address).errorText.contains("is not in the library"))
  }

  @Test func `a book continues where it was left, also after a move or an import of its file`()
    throws
  {
    let text = (1...60).map { "<p>Line \($0) of the log" }.joined()
    let pages = try ["Ebb", "Flood"].map {
      try sandbox.file("\($0).html", "<title>\($0)</title><h1>\($0)</h1>\(text)")
    }
    let server = try ScriptedServer()
    for (name, page) in zip(["/1", "/2"], pages) {
      let text = try String(contentsOfFile: page, encoding: .utf8)
      server.on(name, .response([("Content-Type", "text/html")], text: text))
    }
    let urls = [server.url + "/1", server.url + "/2"]
    #expect(try sandbox.offread(["save", "--delay", "0"] + urls).status == 0)
    let book = sandbox.directory.appendingPathComponent("tides.epub").path
    let made = try sandbox.offread(
      ["export", "--format", "epub", "--title", "Tides", "-o", book] + urls)
    #expect(made.status == 0, "\(made.errorText)")
    server.stop()
    try FileManager.default.removeItem(atPath: sandbox.data)

    let first = try sandbox.reader(book)
    try first.wait(for: "Contents")
    for position in ["1/3", "2/3"] {
      try first.press(";")
      try first.wait(for: position)
    }
    try first.press("Space", "Space")
    try first.wait(for: "Line 20 of")
    try first.press("q")
    #expect(try first.waitForExit() == 0)
    // The file has another name, and then it is in the library instead.
    let moved = sandbox.directory.appendingPathComponent("b.epub").path
    try FileManager.default.moveItem(atPath: book, toPath: moved)
    let second = try sandbox.reader(moved)
    try second.wait(for: "continued at")
    try second.press("B")
    try second.wait(for: "Contents")
    try second.press("q")
    #expect(try second.waitForExit() == 0)
    let imported = try sandbox.offread("import", moved)
    let address = try #require(imported.text.split(separator: " ").last)
      .trimmingCharacters(in: .newlines)
    try FileManager.default.removeItem(atPath: moved)
    let third = try sandbox.reader()
    let rows = try third.wait(for: "Books")
    #expect(rows.filter { $0.contains("Tides") }.count == 1, "\(rows)")
    #expect(rows.contains { $0.contains("%  Tides") && !$0.contains("  0%") }, "\(rows)")
    try third.press("Enter")
    try third.wait(for: "continued at")
    try third.press("q")
    #expect(try third.waitForExit() == 0)
    #expect(address.hasPrefix("book://"))
  }

  @Test func `a page in an MHTML file continues where it was left, also after an import`() throws {
    let lines = (1...60).map { "<p>Line \($0) of the log" }.joined(separator: "\n")
    let message = """
      From: <Saved>
      MIME-Version: 1.0
      Content-Type: multipart/related; boundary=b

      --b
      Content-Type: text/html
      Content-Location: https://a.test/log

      <title>Log</title>
      \(lines)
      --b--

      """
    let path = try sandbox.file("log.mhtml", message)
    let first = try sandbox.reader(path)
    try first.wait(for: "Line 1 of")
    try first.press("Space", "Space")
    try first.wait(for: "Line 22 of")
    try first.press("q")
    #expect(try first.waitForExit() == 0)
    #expect(try sandbox.offread("import", path).status == 0)
    try FileManager.default.removeItem(atPath: path)
    let second = try sandbox.reader("--offline", "https://a.test/log")
    try second.wait(for: "continued at")
    try second.press("q")
    #expect(try second.waitForExit() == 0)
  }

  @Test func `a search continues in the next chapter, and at the start of the book`() throws {
    let text = (1...60).map { "<p>Line \($0) of the log" }.joined()
    let server = try ScriptedServer()
    for (path, name) in [("/1", "Herring"), ("/2", "Cod"), ("/3", "Plaice")] {
      let end = name == "Cod" ? "" : "<p>A gannet dives."
      let page = "<title>\(name)</title><h1>\(name)</h1>\(text)\(end)"
      server.on(path, .response([("Content-Type", "text/html")], text: page))
    }
    let urls = ["/1", "/2", "/3"].map { server.url + $0 }
    #expect(try sandbox.offread(["save", "--delay", "0"] + urls).status == 0)
    let book = sandbox.directory.appendingPathComponent("fish.epub").path
    let made = try sandbox.offread(["export", "--format", "epub", "-o", book] + urls)
    #expect(made.status == 0, "\(made.errorText)")
    server.stop()
    let screen = try sandbox.reader(book)
    try screen.wait(for: "Contents")
    try screen.press("/")
    try screen.type("gannet dives")
    try screen.press("Enter")
    let first = try screen.wait(for: "1 of 1")
    #expect(first.contains { $0.contains("A gannet dives.") } && first[0].contains("Herring"))
    try screen.press("n")
    let second = try screen.wait("the last chapter") { $0[0].contains("Plaice") }
    #expect(second.contains { $0.contains("A gannet dives.") })
    try screen.press("n")
    try screen.wait(for: "wrapped to the start of the book")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  /// An image of a single pixel.
  private static let image =
    Data(
      base64Encoded:
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    ) ?? Data()
}
