import Foundation
import Testing

@testable import OfflineCache
@testable import Reader

@Suite struct PageFolderTests {
  let files: TestProfile

  init() throws {
    files = try TestProfile()
  }

  private func put(_ path: String, _ text: String, date: Date? = nil) throws {
    let url = files.folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    if let date {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }
  }

  private func path(_ name: String) -> String { files.folder.appendingPathComponent(name).path }

  @Test(arguments: [
    ("a.example/index.html", "https://a.example/"),
    ("a.example/x/index.html", "https://a.example/x/"),
    ("a.example/page.html", "https://a.example/page.html"),
    ("a.example/find?q=a b&x=1", "https://a.example/find?q=a%20b&x=1"),
    ("a.example:8000/x", "https://a.example:8000/x"),
    ("a.example/ü.html", "https://a.example/%C3%BC.html"),
    ("a.example/a%20b", "https://a.example/a%20b"),
    ("a.example/index.html?p=2", "https://a.example/?p=2"),
    ("a.example/a#b", "https://a.example/a%23b"),
  ])
  func `names of files tell addresses`(_ path: String, _ address: String) {
    #expect(PageFolder.address(scheme: "https", page: path[...]) == address)
  }

  @Test func `a mirror of wget is read by host, offpunk's cache by scheme, too`() throws {
    try put("mirror/a.example/index.html", "<a href='http://a.example/x'>x</a>")
    try put("mirror/a.example/x/page.html", "<p>page")
    try put("mirror/b.example/index.html", "<p>https://b.example/")
    try put("mirror/notes.txt", "no page")
    let mirror = try #require(PageFolder(path("mirror")))
    #expect(
      mirror.files.map(\.url) == [
        "http://a.example/", "http://a.example/x/page.html", "https://b.example/",
      ])
    #expect(mirror.skipped == 1)
    let host = try #require(PageFolder(path("mirror/a.example")))
    #expect(host.files.map(\.url) == ["http://a.example/", "http://a.example/x/page.html"])
    try put("cache/https/a.example/index.html", "<p>x")
    try put("cache/gemini/b.example/index.gmi", "# x")
    let cache = try #require(PageFolder(path("cache")))
    #expect(cache.files.map(\.url) == ["https://a.example/"])
    #expect(cache.skipped == 1)
    try put("other/photos/x.jpg", "no")
    #expect(PageFolder(path("other")) == nil)
    #expect(PageFolder(path("nowhere")) == nil)
  }

  @Test func `links in a folder are not followed`() throws {
    try put("outside/secret.html", "secret")
    try put("mirror/a.example/index.html", "<p>x")
    try FileManager.default.createSymbolicLink(
      atPath: path("mirror/a.example/link.html"), withDestinationPath: path("outside/secret.html"))
    try FileManager.default.createSymbolicLink(
      atPath: path("mirror/b.example"), withDestinationPath: path("outside"))
    #expect(try #require(PageFolder(path("mirror"))).files.map(\.url) == ["https://a.example/"])
  }

  @Test func `its pages can be read, dated by their files, and are taken once`() throws {
    let date = Date(timeIntervalSince1970: 1_600_000_000)
    try put("mirror/a.example/index.html", "<title>Old</title><p>Saved long ago", date: date)
    try put("mirror/a.example/pic.png", "\u{89}PNG", date: date)
    let profile = files.open(SiteNetwork())
    let outcome = try LibraryImport(into: profile).run(path("mirror"))
    #expect(outcome.format == .folder && outcome.pages == 2 && !outcome.isKnown)
    let saved = try #require(try profile.cache.archive.captures(of: "https://a.example/").first)
    #expect(saved.isGood && saved.contentDate == date)
    #expect(saved.response.fields["Content-Type"] == "text/html")
    #expect(try LibraryImport(into: profile).run(path("mirror")).isKnown)
    #expect(try profile.cache.archive.captures(of: "https://a.example/").count == 1)
    profile.close()
  }
}
