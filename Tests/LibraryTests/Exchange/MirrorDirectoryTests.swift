@testable import Profiles
@testable import Saving
@testable import Exchange
import Foundation
import TestNetwork
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite struct PageDirectoryTests {
  let files: TestProfile

  init() throws {
    files = try TestProfile()
  }

  private func writeFile(_ path: String, _ text: String, date: Date? = nil) throws {
    let url = files.directory.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    if let date {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }
  }

  private func path(_ name: String) -> String { files.directory.appendingPathComponent(name).path }

  @Test(
    arguments: [
      ("a.example/index.html", "https://a.example/"),
      ("a.example/x/index.html", "https://a.example/x/"),
      ("a.example/page.html", "https://a.example/page.html"),
      ("a.example/find?q=a b&x=1", "https://a.example/find?q=a%20b&x=1"),
      ("a.example:8000/x", "https://a.example:8000/x"),
      ("a.example/ü.html", "https://a.example/%C3%BC.html"),
      ("a.example/a%20b", "https://a.example/a%20b"),
      ("a.example/index.html?p=2", "https://a.example/?p=2"),
      ("a.example/a#b", "https://a.example/a%23b"),
    ] as [(String, String)])
  func `file names are mapped to URLs`(_ path: String, _ address: String) {
    #expect(MirrorDirectory.url(scheme: "https", page: path[...]) == address)
  }

  @Test func `a directory of exported pages with a name like a host is no mirror`() throws {
    let text = String(repeating: "Words of a page. ", count: 10)
    let comment = "<!-- Saved from https://b.example/x at 2026-01-02T03:04:05Z using offread -->"
    try writeFile("pages.html/x.html", "<!DOCTYPE html>\n\(comment)\n<p>\(text)")
    try writeFile("pages.md/x.md", "---\ntitle: X\nurl: https://b.example/x\n---\n\n\(text)\n")
    #expect(MirrorDirectory(DirectoryTree(path("pages.html"))) == nil)
    #expect(MirrorDirectory(DirectoryTree(path("pages.md"))) == nil)
    // One of the pages is not a saved one.
    try writeFile("pages.html/a.html", "<p>\(text)")
    let mirror = try #require(MirrorDirectory(DirectoryTree(path("pages.html"))))
    #expect(mirror.files.map(\.url) == ["https://pages.html/a.html", "https://pages.html/x.html"])
    // A site may publish pages that a browser saved.
    try writeFile("sites/a.example/x.html", "<p>\(text)")
    try writeFile("sites/b.example/x.html", "<!DOCTYPE html>\n\(comment)\n<p>\(text)")
    let sites = try #require(MirrorDirectory(DirectoryTree(path("sites"))))
    #expect(sites.files.map(\.url) == ["https://a.example/x.html", "https://b.example/x.html"])
    #expect(sites.skippedCount == 0)
  }

  @Test func `files of a mirror whose names are not UTF-8 are read`() throws {
    try writeFile("mirror/a.example/sub/index.html", "<p>page")
    let name = Array("/mirror/a.example/sub/lat".utf8CString.dropLast())
    let path = Array(files.directory.path.utf8CString.dropLast()) + name
    let file = fopen(path + [CChar(bitPattern: 0xE9)] + Array(".html".utf8CString), "w")
    try #require(file != nil)
    fputs("<p>text of it", file)
    fclose(file)
    let tree = DirectoryTree(self.path("mirror"))
    let mirror = try #require(MirrorDirectory(tree))
    let page = try #require(mirror.files.last)
    #expect(mirror.files.count == 2 && page.url == "https://a.example/sub/lat%E9.html")
    #expect(String(decoding: tree.prefix(of: page.path, upTo: 6), as: UTF8.self) == "<p>tex")
    #expect(try tree.open(page.path)?.size == 13)
  }

  @Test func `a wget mirror is read by host, and the cache of offpunk also by scheme`() throws {
    try writeFile("mirror/a.example/index.html", "<a href='http://a.example/x'>x</a>")
    try writeFile("mirror/a.example/x/page.html", "<p>page")
    try writeFile("mirror/b.example/index.html", "<p>https://b.example/")
    try writeFile("mirror/notes.txt", "no page")
    let mirror = try #require(MirrorDirectory(DirectoryTree(path("mirror"))))
    #expect(
      mirror.files.map(\.url) == [
        "http://a.example/", "http://a.example/x/page.html", "https://b.example/",
      ])
    #expect(mirror.skippedCount == 1)
    let host = try #require(MirrorDirectory(DirectoryTree(path("mirror/a.example"))))
    #expect(host.files.map(\.url) == ["http://a.example/", "http://a.example/x/page.html"])
    try writeFile("cache/https/a.example/index.html", "<p>x")
    try writeFile("cache/gemini/b.example/index.gmi", "# x")
    let cache = try #require(MirrorDirectory(DirectoryTree(path("cache"))))
    #expect(cache.files.map(\.url) == ["https://a.example/"])
    #expect(cache.skippedCount == 1)
    try writeFile("other/photos/x.jpg", "no")
    #expect(MirrorDirectory(DirectoryTree(path("other"))) == nil)
    #expect(MirrorDirectory(DirectoryTree(path("nowhere"))) == nil)
  }

  @Test(
    arguments: [
      ("/page?x=1.html", "/page?x=1", ["/page?x=1.html", "/page%3Fx=1.html"]),
      ("/page@x=1", "/page@x=1", []), ("/@user.html", "/@user.html", []),
      ("/list.php.html", "/list.php", ["/list.php.html"]),
      ("/d/index.html", "/d/", ["/d/index.html"]), ("/a.html", "/a.html", []),
    ] as [(String, String, [String])])
  func `file names have alternative URLs`(_ path: String, _ page: String, _ others: [String]) {
    let name = MirrorName(path[...])
    #expect(name.page == page)
    #expect(others.allSatisfy(name.alternativeURLs.contains))
  }

  @Test func `the naming convention of a site is detected`() {
    let convention = { (names: [String], isWindows: Bool) in
      MirrorName.Convention(names: names.map { $0[...] }, isWindows: isWindows)
    }
    #expect(convention(["/a@x=1.html", "/b.html"], false).replacesQuestionMarks)
    #expect(convention(["/a@x=1.html", "/b.html"], false).appendsHTML)
    #expect(!convention(["/@user", "/logo@2x.png"], false).replacesQuestionMarks)
    #expect(!convention(["/a@x=1", "/b?y=1"], false).replacesQuestionMarks)
    #expect(
      convention(["/a"], true).replacesQuestionMarks && !convention(["/a.html"], true).appendsHTML)
    let windows = MirrorName("/a@x=1.html", convention(["/a@x=1.html"], true))
    #expect(windows.page == "/a?x=1" && windows.alternativeURLs.contains("/a@x=1.html"))
    #expect(MirrorName("/b.html", convention(["/a@x=1.html"], true)).alternativeURLs.contains("/b"))
  }

  @Test(
    arguments: [
      ("a.example", "a.example"), ("a.example:80", "a.example:80"),
      ("a.example+81", "a.example:81"),
      ("a.example_82", "a.example:82"), ("127.0.0.1_8765", "127.0.0.1:8765"),
      ("localhost+1", "localhost:1"), ("a_b.example", "a_b.example"), ("photos", nil),
      ("hts-cache", nil), ("a..b", nil), ("a.example:x", nil), ("", nil),
      ("export-2024.05", nil), ("10.0.1", nil), ("a.x1", "a.x1"),
    ] as [(String, String?)])
  func `directories are named by hosts and ports`(_ directory: String, _ site: String?) {
    #expect(MirrorDirectory.hostName(directory[...]) == site)
  }

  @Test(
    arguments: [
      ("a.example", "<link rel=canonical href='http://a.example/'>https://a.example/x", "http"),
      ("a.example", "http://a.example/1 http://a.example/2 https://a.example/3", "http"),
      ("a.example", "http://a.example.org/ http://a.example:81/", "https"),
      ("a.example", "nothing", "https"), ("a.example:8080", "nothing", "http"),
      ("a.example+443", "nothing", "https"), ("a.example+8443", "https://a.example:8443/", "https"),
    ] as [(String, String, String)])
  func `the scheme is derived from pages and ports`(
    _ directory: String, _ page: String, _ scheme: String
  ) throws {
    try writeFile("mirror/\(directory)/index.html", page)
    let url = try #require(MirrorDirectory(DirectoryTree(path("mirror")))).files.map(\.url)
    #expect(
      url == ["\(scheme)://\(directory.replacing("+", with: ":"))/".replacing(":443/", with: "/")])
  }

  @Test func `pages of HTTrack are identified by its comments and its list`() throws {
    let comment = { (page: String) in
      "<html>\n<!-- Mirrored from \(page) by HTTrack Website Copier/3.x [XR&CO'2014], Mon -->\n"
    }
    try writeFile("ht/index.html", "<p>HTTrack's own")
    try writeFile("ht/a.example_8000/index.html", comment("a.example:8000/"))
    try writeFile("ht/a.example_8000/page1a2b.html", comment("a.example:8000/page?x=2"))
    try writeFile("ht/a.example_8000/evil.html", comment("bank.example/"))
    let plain = try #require(MirrorDirectory(DirectoryTree(path("ht"))))
    #expect(
      plain.files.map(\.url) == [
        "http://a.example:8000/evil.html", "http://a.example:8000/",
        "http://a.example:8000/page?x=2",
      ])
    #expect(plain.files[1].alternativeURLs == ["http://a.example:8000/index.html"])
    #expect(plain.files[2].alternativeURLs.contains("http://a.example:8000/page1a2b.html?x=2"))
    #expect(plain.skippedCount == 1)
    // The list contains schemes, and files without comments.
    try writeFile("ht/a.example_8000/pic1c3d.png", "x")
    let row = { (url: String, file: String) in
      "10:00\t1/1\t---M--\t200\tadded ('OK')\tx/y\t\t\(url)\tout/ht/\(file)\t(from )\n"
    }
    try writeFile(
      "ht/hts-cache/new.txt",
      "date\tsize\n" + row("https://a.example:8000/pic?n=1", "a.example_8000/pic1c3d.png")
        + row("https://b.example/none", "b.example/none.html") + "broken\t\t\n")
    let listed = try #require(MirrorDirectory(DirectoryTree(path("ht"))))
    #expect(
      listed.files.map(\.url) == [
        "https://a.example:8000/evil.html", "https://a.example:8000/",
        "https://a.example:8000/page?x=2", "https://a.example:8000/pic?n=1",
      ])
  }

  @Test func `pages have the date in the comment of HTTrack, and others that of their file`() throws
  {
    let comment = { (page: String, date: String) in
      "<html>\n<!-- Mirrored from a.example\(page) by HTTrack Website Copier/3.x [XR&CO'2014], "
        + "\(date) -->\n<p>words"
    }
    let modified = Date(timeIntervalSince1970: 1_600_000_000)
    let requested = Date(timeIntervalSince1970: 1_577_934_245)
    let pages: [(name: String, text: String, date: Date)] = [
      ("index.html", comment("/", "Thu, 02 Jan 2020 03:04:05 GMT"), requested),
      ("future.html", comment("/future.html", "Thu, 02 Jan 2099 03:04:05 GMT"), modified),
      ("none.html", comment("/none.html", "Mon"), modified),
      ("other.html", "<p>No comment, Thu, 02 Jan 2020 03:04:05 GMT", modified),
    ]
    for page in pages { try writeFile("ht/a.example/\(page.name)", page.text, date: modified) }
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    let outcome = try LibraryImport(into: profile).run(path("ht"))
    #expect(outcome.pageCount == 4 && outcome.hasRequestDates)
    for page in pages {
      let url = "https://a.example/" + (page.name == "index.html" ? "" : page.name)
      let version = try #require(try profile.cache.archive.captures(of: url).first)
      #expect(version.contentDate == page.date, "\(url)")
    }
  }

  @Test func `a mirror without a host directory is identified by the canonical URLs of its pages`()
    throws
  {
    try writeFile("mirror/index.html", "<link rel=canonical href='http://a.example:81/'>")
    try writeFile("mirror/x/y.html", "<p>y")
    #expect(
      try #require(MirrorDirectory(DirectoryTree(path("mirror")))).files.map(\.url) == [
        "http://a.example:81/", "http://a.example:81/x/y.html",
      ])
    // A single page is not enough evidence.
    try writeFile("other/notes.html", "<link rel=canonical href='http://a.example/elsewhere'>")
    #expect(MirrorDirectory(DirectoryTree(path("other"))) == nil)
  }

  @Test func `a directory that cannot be listed is reported, and a missing one is not`() throws {
    // A link to itself.
    let link = path("link")
    try writeFile("other/notes.txt", "text")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
    let tree = DirectoryTree(link)
    #expect(tree.paths.isEmpty && tree.unreadableDirectories.map(\.path) == [""])
    for name in ["other", "nowhere"] {
      #expect(DirectoryTree(path(name)).unreadableDirectories.isEmpty)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root can list every directory"))
  func `an import reports the directories that cannot be listed`() throws {
    try writeFile("mirror/a.example/index.html", "<p>page")
    try writeFile("mirror/a.example/sub/index.html", "<p>page")
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    chmod(path("mirror/a.example/sub"), 0)
    defer { chmod(path("mirror/a.example/sub"), 0o700) }
    let outcome = try LibraryImport(into: profile).run(path("mirror"))
    #expect(outcome.pageCount == 1 && outcome.refusalReasons.count == 1)
    let reason = try #require(outcome.refusalReasons.first)
    #expect(reason.hasPrefix("has a.example/sub/, which cannot be read: "))
  }

  @Test func `random pages and lists are read`() {
    var random = SplitMix64(seed: 4)
    let pieces = [
      "<!-- Mirrored from ", " by HTTrack", "a.example", "/", "?", "https://", "\t", "\n", "<link ",
      "rel=canonical ", "href='", "'", ">", "\u{0}", "é", "@", ".html", "=", "%",
    ]
    for _ in 0..<1000 {
      let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let bytes = Array(text.utf8)
      if let found = MirrorEvidence.httrack(in: bytes, site: "a.example") {
        #expect(found.page.hasPrefix("a.example"))
      }
      _ = MirrorEvidence.canonical(in: bytes)
      _ = MirrorEvidence.mentions(of: "a.example", in: bytes)
      #expect(MirrorEvidence.httrackList(bytes, tree: ["x"]).isEmpty)
      let name = MirrorName(text[...], MirrorName.Convention(names: [text[...]], isWindows: true))
      #expect(!name.alternativeURLs.contains(name.page))
    }
  }

  @Test func `symbolic links in a directory are not followed`() throws {
    try writeFile("outside/secret.html", "secret")
    try writeFile("mirror/a.example/index.html", "<p>x")
    try FileManager.default.createSymbolicLink(
      atPath: path("mirror/a.example/link.html"), withDestinationPath: path("outside/secret.html"))
    try FileManager.default.createSymbolicLink(
      atPath: path("mirror/b.example"), withDestinationPath: path("outside"))
    #expect(
      try #require(MirrorDirectory(DirectoryTree(path("mirror")))).files.map(\.url) == [
        "https://a.example/"
      ])
  }

  @Test func `pages of a mirror are readable, dated by their files, and imported once`() throws {
    let date = Date(timeIntervalSince1970: 1_600_000_000)
    try writeFile("mirror/a.example/index.html", "<title>Old</title><p>Saved long ago", date: date)
    try writeFile("mirror/a.example/pic.png", "\u{89}PNG", date: date)
    let profile = files.open(SiteNetwork())
    let outcome = try LibraryImport(into: profile).run(path("mirror"))
    #expect(outcome.format == .directory && outcome.pageCount == 2 && !outcome.wasImportedBefore)
    let saved = try #require(
      try profile.cache.archive.captures(of: "https://a.example/").first)
    #expect(saved.isGood && saved.contentDate == date)
    #expect(saved.response.fields["Content-Type"] == "text/html")
    // The same page under the URL of its file.
    let same = try #require(
      try profile.cache.archive.captures(of: "https://a.example/index.html").first)
    #expect(same.isGood && same.response.fields["Content-Type"] == "text/html")
    #expect(
      try String(decoding: profile.cache.archive.body(of: same).rest(), as: UTF8.self)
        == "<title>Old</title><p>Saved long ago")
    #expect(try LibraryImport(into: profile).run(path("mirror")).wasImportedBefore)
    #expect(try profile.cache.archive.captures(of: "https://a.example/").count == 1)
    profile.close()
  }
}
