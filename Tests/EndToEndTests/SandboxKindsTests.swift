import Foundation
import Pages
import Sandbox
import TestSupport
import Testing

/// Commands produce the same result confined or not for every kind of input, and access nothing
/// else.
@Suite struct SandboxKindsTests {
  private let own: Sandbox
  private let server: ScriptedServer

  init() throws {
    own = try Sandbox()
    server = try ScriptedServer()
    let html = [("Content-Type", "text/html")]
    server.on("/", .response(html, text: "<title>One</title><p>a page <a href=/b>b</a>"))
    server.on("/b", .response(html, text: "<title>Two</title><p>another page"))
    server.on("/feed", .response([("Content-Type", "application/rss+xml")], text: Self.feed))
    server.on("/moved", .redirect(to: "/b"))
    server.on(
      "/dated", .response(html + [("Date", "Sun, 01 Jun 2025 22:30:00 GMT")], text: "<p>dated"))
    for (name, bytes) in Self.encoded {
      server.on("/" + name, .response(html, body: Self.declared(name, bytes)))
    }
  }

  private static let feed = """
    <rss version="2.0"><channel><title>Birds</title><item><title>Gulls</title>\
    <link>http://a.test/1</link><description>cry</description>\
    <pubDate>Sun, 01 Jun 2025 22:30:00 GMT</pubDate></item></channel></rss>
    """

  /// The same word in encodings that are converted by iconv modules.
  private static let encoded: [(name: String, bytes: [UInt8])] = [
    ("iso-8859-1", [0x68, 0xE4]), ("windows-1252", [0x93, 0x68, 0xE4, 0x94]),
    ("gb18030", [0xD6, 0xD0, 0xCE, 0xC4]), ("shift_jis", [0x93, 0xFA, 0x96, 0x7B]),
    ("koi8-r", [0xCD, 0xC9, 0xD2]),
  ]

  private static func declared(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    Array("<meta charset=\(name)><p>".utf8) + bytes
  }

  private static let message = """
    From: <Saved by Blink>
    Snapshot-Content-Location: http://a.test/page
    MIME-Version: 1.0
    Content-Type: multipart/related; type="text/html"; boundary="b"

    --b
    Content-Type: text/html
    Content-Location: http://a.test/page

    <title>Mail</title><p>in a message
    --b--

    """

  private static func book() -> [UInt8] {
    var zip = ZIPBytes()
    zip.add("mimetype", "application/epub+zip")
    zip.add(
      "META-INF/container.xml",
      "<container><rootfiles><rootfile full-path='o.opf'/></rootfiles></container>")
    zip.add(
      "o.opf",
      "<package><metadata><title>Book</title></metadata><manifest><item id='a' href='a.xhtml'"
        + " media-type='application/xhtml+xml'/></manifest><spine><itemref idref='a'/></spine>"
        + "</package>")
    zip.add("a.xhtml", "<html><body><h1>Part</h1><p>of a book</p></body></html>")
    return zip.bytes
  }

  /// A PDF file of one page with text, whose cross-reference table is repaired by its reader.
  private static let pdf = """
    %PDF-1.4
    1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
    2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R\
    /Resources<</Font<</F1 5 0 R>>>>>>endobj
    4 0 obj<</Length 42>>stream
    BT /F1 12 Tf 20 100 Td (words in it) Tj ET
    endstream endobj
    5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
    trailer<</Root 1 0 R>>

    """

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = own.directory.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  /// Creates files of every supported kind.
  private func files() throws -> [String] {
    let html = try own.file("page.html", "<title>A</title><p>in a file <a href=b>b</a>")
    let packed = try Program.run("gzip", ["-c", html]).output
    var zip = ZIPBytes()
    zip.add("index.html", "<p>in an archive")
    let image = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/images/sun.png")
    try FileManager.default.copyItem(at: image, to: own.directory.appendingPathComponent("sun.png"))
    let pages = try own.file(
      "pictures.html", "<p>Before<p><img src=sun.png alt=\"A sun\" width=120 height=80>")
    return [
      html, pages, try write("page.html.gz", [UInt8](packed)),
      try own.file("page.md", "# Title\n\nwords *of* it\n"), try own.file("page.txt", "plain\n"),
      try own.file("feed.xml", Self.feed), try own.file("page.mht", Self.message),
      try write("book.epub", Self.book()), try write("files.zip", zip.bytes),
      try own.file("page.pdf", Self.pdf), try own.file("data.json", "{\"a\": [1, 2]}"),
      try own.file("nothing", ""), own.directory.path + "/not there", own.directory.path,
    ] + (try Self.encoded.map { try write("\($0.name).html", Self.declared($0.name, $0.bytes)) })
  }

  /// Runs the same command with two profiles, confined and not confined.
  private func compare(
    _ free: Sandbox, _ confined: Sandbox, _ arguments: [String], input: String? = nil,
    environment: [String: String] = [:], _ line: Int = #line
  ) throws {
    func run(_ sandbox: Sandbox, _ more: [String]) throws -> [String] {
      let arguments = arguments.map { $0 == "OUT" ? sandbox.directory.path + "/out" : $0 }
      let run = try sandbox.offread(
        arguments + more, input: input.map { Data($0.utf8) }, environment: environment)
      let written = try? Data(contentsOf: sandbox.directory.appendingPathComponent("out"))
      return ["\(run.status)", run.text, run.errorText, "\(written?.base64EncodedString() ?? "")"]
        .map { $0.replacingOccurrences(of: sandbox.directory.path, with: "") }
    }
    let expected = try run(free, ["--no-sandbox"])
    #expect(try run(confined, []) == expected, "\(arguments), from line \(line)")
    #expect(!expected[2].contains("denied") && !expected[2].contains("permitted"))
  }

  @Test func `dump and fetch give the same result for files, standard input and the web`() throws {
    let (free, confined) = (try Sandbox(), try Sandbox())
    for file in try files() { try compare(free, confined, ["dump", "--images", "symbols", file]) }
    try compare(free, confined, ["dump", "--reader", "-"], input: "<p>from a pipe")
    let port = try #require(server.url.split(separator: ":").last)
    for path in ["/", "/feed", "/moved", "/gone", "/dated"] + Self.encoded.map({ "/" + $0.name }) {
      try compare(free, confined, ["dump", server.url + path])
      try compare(free, confined, ["dump", "--offline", server.url + path])
      try compare(free, confined, ["fetch", "-o", "OUT", server.url + path])
    }
    for zone in ["Europe/Berlin", "Asia/Tokyo"] {
      let meta = ["dump", "--offline", "--meta", server.url + "/feed"]
      try compare(free, confined, meta, environment: ["TZ": zone])
    }
    // Host names are resolved, and errors are the same.
    try compare(free, confined, ["dump", "http://localhost:\(port)/"])
    try compare(free, confined, ["dump", "http://b\u{FC}cher.invalid/"])
    try compare(free, confined, ["dump", "about:manual"])
    let text = try confined.offread("dump", server.url + "/gb18030").text
    #expect(text == "\u{4E2D}\u{6587}\n")
    let pdf = try confined.offread("dump", own.directory.path + "/page.pdf").text
    #expect(pdf.contains("words in it"))
    #expect(
      try confined.offread("dump", own.directory.path + "/book.epub").text.contains("of a book"))
  }

  @Test func `save, sync and import give the same result`() throws {
    let (free, confined) = (try Sandbox(), try Sandbox())
    let list = try own.file("urls.txt", server.url + "/b First of them\n")
    let bookmarks = try own.file(
      "bookmarks.html",
      "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF=\"\(server.url)/\" TAGS=\"sea\">x</A></DL>"
    )
    let outlines = try own.file(
      "feeds.opml",
      "<opml version='2.0'><body><outline type='rss' text='Birds' xmlUrl='\(server.url)/feed'/>"
        + "</body></opml>")
    try compare(free, confined, ["save", "--delay", "0", "--depth", "1", server.url + "/"])
    try compare(free, confined, ["save", "--delay", "0", "--from", list])
    try compare(
      free, confined, ["save", "--delay", "0", "--from", "-"], input: server.url + "/b\n")
    try compare(free, confined, ["save", "--delay", "0", "--no-images", server.url + "/gone"])
    for file in [list, bookmarks, outlines] { try compare(free, confined, ["import", file]) }
    try compare(free, confined, ["import", "-"], input: server.url + "/feed\n")
    try compare(free, confined, ["sync", "--delay", "0"])
    let made = try confined.offread("bundle", "-o", own.directory.path + "/bundle.tar")
    #expect(made.status == 0, "\(made.errorText)")
    let mirror = own.directory.path + "/pages.wacz"
    let exported = try confined.offread("export", "--format", "wacz", "--all", "-o", mirror)
    #expect(exported.status == 0, "\(exported.errorText)")
    let segment = try #require(try confined.segments().first).path
    for file in [own.directory.path + "/bundle.tar", mirror, segment] + (try files()) {
      let (first, second) = (try Sandbox(), try Sandbox())
      try compare(first, second, ["import", file])
      try compare(first, second, ["dump", "--offline", server.url + "/"])
    }
  }

  /// Creates a file and an environment in which `TakenOver` replaces `pdftotext`.
  private func takenOver() throws -> (file: String, environment: [String: String]) {
    let home = own.directory.path + "/home"
    for directory in [home + "/.ssh", own.directory.path + "/bin"] {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    try Data("the secret key\n".utf8).write(to: URL(fileURLWithPath: home + "/.ssh/id"))
    let tool = own.directory.path + "/bin/pdftotext"
    let program = (Program.offread as NSString).deletingLastPathComponent + "/TakenOver"
    try FileManager.default.copyItem(atPath: program, toPath: tool)
    let file = try own.file("taken.pdf", "%PDF-1.4 \u{1}\n\(home)/.ssh/id\n\(home)/made\n")
    return (file, ["HOME": home, "PATH": own.directory.path + "/bin:" + Program.path])
  }

  @Test func `a compromised decoder can access no file, network or other process`()
    throws
  {
    let (file, environment) = try takenOver()
    func taken(_ options: String...) throws -> [Substring] {
      try own.offread(["dump"] + options + [file], environment: environment).text
        .split(separator: "\n")
    }
    let free = try taken("--no-sandbox")
    for text in ["read a secret: done", "the secret key", "have a network: done", "at its end"] {
      #expect(free.contains(Substring(text)), "\(free)")
    }
    let lines = try taken()
    #expect(lines.contains("at its end"), "\(lines)")
    if Confinement.version != nil {
      #expect(lines.contains("read a secret: refused") && lines.contains("write: refused"))
      #expect(!lines.contains("the secret key"))
    }
    if CallFilter.isPossible {
      #expect(lines.contains("write: refused") && lines.contains("have a network: refused"))
      #expect(!lines.contains { $0.contains("forbidden and done") }, "\(lines)")
    }
    // The decoders of a reader are confined even further.
    let screen = try own.reader(file, environment: environment)
    let rows = try screen.wait(for: "at its end")
    #expect(rows.contains { $0.contains("read a secret: refused") } == (Confinement.version != nil))
    #expect(rows.contains { $0.contains("have a network: refused") } == CallFilter.isPossible)
    let doctor = try own.offread("doctor").text
    #expect(doctor.contains(CallFilter.isPossible ? ", seccomp" : ", no seccomp"))
  }
}
