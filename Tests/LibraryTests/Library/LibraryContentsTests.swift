@testable import Profiles
@testable import Saving
import Crawl
@testable import Library
import Foundation
import OfflineCache
import TestNetwork
import Testing

@Suite struct LibraryContentsTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  @Test func `rows list saved, pinned, queued and read pages, each once`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    for name in ["one", "two", "three"] {
      network.add("http://a.example/\(name)", "<title>Page \(name)</title><p>words")
    }
    var request = SaveRequest(pages: ["http://a.example/one", "http://a.example/two"])
    request.pace.minGap = .zero
    request.tags = ["trip"]
    #expect(!PageSaver(request, in: profile).run().isInterrupted)
    let waiting = "http://a.example/three"
    let gone = "http://a.example/two"
    try profile.library.record(
      [LibraryChange(waiting, .queued, ""), LibraryChange(gone, .removed, "1")])
    try profile.search.catchUp { _ in true }
    let rows = try LibraryContents(of: profile).rows
    #expect(rows.map(\.key) == [waiting, "http://a.example/one"])
    let saved = try #require(rows.last)
    #expect(saved.isPinned && saved.tags == ["trip"] && saved.title == "Page one")
    let capture = try #require(try profile.cache.versions(of: saved.key).first?.response)
    #expect(saved.date == capture.contentDate && saved.size == capture.length)
    let waits = try #require(rows.first)
    #expect(waits.isQueued && waits.date == nil && waits.size == 0 && !waits.isPinned)
  }

  @Test(
    arguments: [
      ("book://00112233445566778899aabbccddeeff/", true), ("file:///home/me/A%20b.EPUB", true),
      ("file:///a.pdf", true), ("file:///a/b.mhtml", true), ("file:///b.wacz", true),
      ("file:///w.zim", true), ("book://00112233445566778899aabbccddeeff/one.xhtml", false),
      ("file:///a.epub/one.xhtml", false), ("file:///notes.txt", false), ("file:///epub", false),
      ("file:///.d/epub", false), ("https://a.example/a.epub", false), ("book://x/", false),
      ("file:///", false), ("file:", false), ("", false), (".", false),
    ] as [(String, Bool)])
  func `books are imported files, and local files of formats that are read as a whole`(
    key: String, isBook: Bool
  ) {
    #expect(LibraryContents.Row(key: key).isBook == isBook)
  }

  @Test func `many keys are looked up in one query, and unknown ones are skipped`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    let urls = (0..<5).map { "http://a.example/\($0)" }
    for url in urls { network.add(url, "<p>\(url)") }
    network.add(urls[4], "<p>error", status: 500)
    var request = SaveRequest(pages: urls)
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    let newest = try profile.cache.archive.newest(of: urls + ["http://b.example/"])
    #expect(Set(newest.keys) == Set(urls.dropLast()))
    for (key, version) in newest { #expect(version.key == key && version.isGood) }
    // A newer version and an older error do not change which one is listed.
    network.add(urls[0], "<p>longer than before")
    _ = PageSaver(request, in: profile).run()
    let keys = [urls[3], "http://b.example/\"'", urls[4], urls[0], urls[3]]
    let versions = try profile.cache.newest(of: keys).mapValues(SavedContent.init)
    #expect(Set(versions.keys) == [urls[0], urls[3]])
    #expect(try profile.cache.newestContents(of: keys) == versions)
  }

  @Test func `only the collections that were saved last are loaded for the first screen`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    let library = profile.library
    try library.record(
      (0..<4).map { number in
        let start = "http://a.example/\(number)"
        let record = PageCollection.Record(
          name: "Manual \(number)", start: [start], isPinned: true, saved: Int64(number))
        let key = PageCollection.key(of: PageCollection.id(ofStart: start))
        return LibraryChange(key, .collection, record.text)
      })
    func names(_ limit: Int) throws -> [String] {
      try LibraryContents(of: profile, collectionLimit: limit).collections.map(\.collection.name)
    }
    #expect(try names(2) == ["Manual 3", "Manual 2"])
    #expect(try names(.max) == ["Manual 3", "Manual 2", "Manual 1", "Manual 0"])
  }

  @Test func `all pages with an attribute are returned in order, in batches`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    let keys = (0..<2500).map { "http://a.example/\($0)" }
    try profile.library.record(keys.map { LibraryChange($0, .pinned, "1") })
    try profile.library.record(keys.prefix(3).map { LibraryChange($0, .removed, "1") })
    var pieces: [[String]] = []
    try profile.library.forEachPage(with: .pinned) { pieces.append($0.map(\.key)) }
    #expect(pieces.map(\.count) == [997, 1000, 500])
    #expect(Array(pieces.joined()) == (try profile.library.pages(with: .pinned).map(\.key)))
    #expect(Array(pieces.joined()) == Array(keys.dropFirst(3)))
    try profile.library.forEachPage(with: .queued) { _ in Issue.record("unexpected queued page") }
  }
}
