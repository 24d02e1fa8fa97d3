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
      try LibraryGroups(storedIn: profile, collectionLimit: limit).collections
        .map(\.collection.name)
    }
    #expect(try names(2) == ["Manual 3", "Manual 2"])
    #expect(try names(.max) == ["Manual 3", "Manual 2", "Manual 1", "Manual 0"])
    // The list has no damaged records and no removed collections.
    let removed = PageCollection.Record(
      name: "Removed", start: ["http://a.example/9"], isPinned: true, saved: 9)
    try library.record(
      ["8": "{", "9": removed.text].map { number, text in
        let id = PageCollection.id(ofStart: "http://a.example/\(number)")
        return LibraryChange(PageCollection.key(of: id), .collection, text)
      })
    #expect(try names(1) == ["Removed"])
    let removal = try #require(try library.collections(named: "Removed").first)
    var record = removal.record
    record.removed = 10
    try library.record([removal.change(record)])
    #expect(try names(1) == ["Manual 3"])
    #expect(try library.collectionIDs().count == 4)
    #expect(try library.collections(isRemoved: true).map(\.name) == ["Removed"])
  }

  /// Records a page as the only page of a collection.
  private func collect(_ page: String, in library: PageLibrary) throws -> String {
    let id = PageCollection.id(ofStart: page)
    let record = PageCollection.Record(
      name: page, start: [page], isPinned: true, saved: library.now)
    try library.record(
      [LibraryChange(PageCollection.key(of: id), .collection, record.text)]
        + (try library.page(page)).membership.adding(
          page, to: id, number: 0, by: library.device, at: library.now))
    return id
  }

  @Test func `the first screen shows stored numbers, and counts new collections and feeds`() throws
  {
    let profile = files.open(network)
    defer { profile.close() }
    let library = profile.library
    let (page, feed) = ("http://a.example/1", "http://a.example/feed")
    let id = try collect(page, in: library)
    try library.record([
      LibraryChange(feed, .feed, ""), LibraryChange("http://a.example/2", .item, feed),
    ])
    let groups = try LibraryGroups(in: profile)
    #expect(groups.collections.map(\.counts.total) == [1])
    #expect(groups.collections.map(\.counts.missing) == [1])
    #expect(groups.feeds.mapValues(\.unread) == [feed: 1])
    #expect(try LibraryGroups(storedIn: profile).collections.map(\.counts.total) == [1])
    try groups.store(in: profile)

    // A page that was read since is counted only by the complete list.
    try library.mark([page, "http://a.example/2"], isRead: true)
    let (otherPage, otherFeed) = ("http://b.example/1", "http://b.example/feed")
    _ = try collect(otherPage, in: library)
    try library.record([
      LibraryChange(otherFeed, .feed, ""), LibraryChange("http://b.example/2", .item, otherFeed),
    ])
    let first = try LibraryGroups(storedIn: profile)
    #expect(first.collections.map(\.counts.unread) == [1, 1])
    #expect(first.feeds.mapValues(\.unread) == [feed: 1, otherFeed: 1])
    let current = try LibraryGroups(in: profile)
    #expect(current.collections.map(\.counts.unread) == [1, 0])
    #expect(current.feeds.mapValues(\.unread) == [feed: 0, otherFeed: 1])

    // Numbers of what no longer exists are removed.
    try current.store(in: profile)
    let collection = try #require(try library.collection(id))
    var record = collection.record
    record.removed = library.now
    try library.record([collection.change(record), LibraryChange(otherFeed, .feed, nil)])
    try library.mark(["http://b.example/2"], isRead: true)
    try LibraryGroups(in: profile).store(in: profile)
    #expect(try library.storedCounts(of: .collection).count == 1)
    #expect(try Array(library.storedCounts(of: .feed).keys) == [feed])
  }

  @Test(
    arguments: [
      "", "1 2 3 4", "1 2 3 4 0 ", "1 2 3 4 0", "1  3 4 0 key", "x 2 3 4 0 key", "-1 2 3 4 0 key",
      "1 2 3 99999999999999999999 0 key", "1 2 3 4 18446744073709551616 key",
    ] as [String])
  func `a damaged line of stored numbers is ignored`(_ line: String) {
    #expect(GroupCounts.parse(Array(line.utf8)[...]) == nil)
  }

  @Test func `stored numbers survive the end of the process`() throws {
    var counts = GroupCounts()
    (counts.total, counts.read, counts.missing, counts.size) = (5, 4, 3, 1 << 40)
    counts.date = Date(timeIntervalSinceReferenceDate: 812_345_678.123)
    let kept = ["a": counts, "b": GroupCounts()]
    do {
      let profile = files.open(network)
      defer { profile.close() }
      // A library without any fact has no database file.
      try profile.library.record([LibraryChange("http://a.example/feed", .feed, "")])
      #expect(try profile.library.storedCounts(of: .feed).isEmpty)
      try profile.library.store(kept, of: .feed)
    }
    let profile = files.open(network)
    defer { profile.close() }
    #expect(try profile.library.storedCounts(of: .feed) == kept)
    #expect(try profile.library.storedCounts(of: .collection).isEmpty)
    // They are not kept when a page, which may be a feed, is removed for good.
    try profile.library.forget(["http://a.example/feed"])
    #expect(try profile.library.storedCounts(of: .feed).isEmpty)
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
