import Formats
import Foundation
import Library
import OfflineCache
import TestSupport
import Testing

/// The records and files of enclosures.
@Suite struct EnclosureStoreTests {
  private let directory: URL
  private let store: EnclosureStore

  init() {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread enclosures \(UUID().uuidString)")
    store = EnclosureStore(directory: directory.path + "/")
  }

  private static func record(
    _ url: String = "https://a.example/1.mp3", type: String = "audio/mpeg", date: Double = 1
  ) -> EnclosureRecord {
    EnclosureRecord(
      url: url, feed: "https://a.example/feed", item: "https://a.example/1", mediaType: type,
      date: Date(timeIntervalSince1970: date))
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
  }

  private func write(_ count: Int, toPartOf record: EnclosureRecord) throws {
    try store.openPart(of: record).write([UInt8](repeating: 7, count: count), at: 0)
  }

  private func makeComplete(_ record: EnclosureRecord, size: Int) throws -> EnclosureRecord {
    var record = record
    try write(size, toPartOf: record)
    try store.completePart(of: record)
    (record.state, record.size) = (.complete, Int64(size))
    try store.save(record)
    return record
  }

  @Test func `records are read as they were written, the newest first`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    #expect(try store.contents() == EnclosureStore.Contents())
    var full = Self.record(date: 2)
    (full.title, full.duration, full.isLocal, full.state) = (
      "T/\u{1B}[31m\n", "1:02", true, .failed
    )
    (full.declaredSize, full.size, full.flushed) = (1, 2, 3)
    (full.source, full.validator) = ("https://b.example/1", "\"a\"")
    (full.failedResumptions, full.failure, full.retryAfter) = (1, "no", 4)
    let other = Self.record("https://a.example/2.mp3", date: 1)
    #expect(try store.add([other, full, full]) == 2)
    #expect(try store.add([full]) == 0)
    #expect(try store.contents().records == [full, other])
    #expect(try store.contents(url: other.url).records == [other])
    #expect(try store.contents(feed: "https://b.example/feed").records == [])
    #expect(try store.contents(item: full.item).records.count == 2)
  }

  @Test(arguments: [
    "https://a.example/../../etc/passwd", "https://a.example/%2e%2e%2f%00.mp3", "/", "", "$(x)`y`",
    "https://a.example/\u{202E}\u{1B}]0;x\u{7}.mp3", String(repeating: "é/", count: 5000),
  ])
  func `the name of a file has nothing of its URL, feed or item`(_ url: String) {
    var record = Self.record(url)
    (record.feed, record.item) = (url, url)
    #expect(record.fileName.hasSuffix(".mp3"))
    let allowed = Set("0123456789abcdef-")
    #expect(record.name.allSatisfy(allowed.contains) && record.name.count == 50)
  }

  @Test(
    arguments: [
      ("audio/mpeg", "x", "audio/mpeg", "mp3"), ("", "x.mp3", "audio/mpeg", "mp3"),
      ("audio/x-m4a", "a/x.m4a?b=c", "audio/mp4", "m4a"),
      ("audio/x-m4a", "x", "audio/mp4", "m4a"), ("audio/mp3", "x?id=3", "audio/mpeg", "mp3"),
      ("audio/x-rare", "x", "audio/x-rare", "bin"),
      ("audio/mpeg", "x.sh", "audio/mpeg", "mp3"),
      ("audio/$(reboot)", "x", MediaType.unknownEssence, "bin"),
      ("audio/../../x", "x", MediaType.unknownEssence, "bin"),
      ("audio/a b", "x.exe", MediaType.unknownEssence, "bin"),
      ("text/html", "x.mp3", "text/html", "html"), ("AUDIO/MPEG; x=y", "x", "audio/mpeg", "mp3"),
    ] as [(String, String, String, String)])
  func `the type of a file is the declared one, or that of its name`(
    _ declared: String, _ name: String, _ type: String, _ ending: String
  ) {
    let url = "https://a.example/" + name
    #expect(EnclosureRecord.mediaType(declared: declared, url: url) == type)
    #expect(Self.record(url, type: type).fileName.hasSuffix("." + ending))
  }

  @Test func `damaged records are counted, and their files stay`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let record = try makeComplete(Self.record(), size: 5)
    let other = Self.record("https://a.example/2.mp3")
    let garbage = [
      "", "{", "[]", "{\"url\":1}", "\u{0}\u{1}",
      // The record of another file.
      String(decoding: try JSONEncoder().encode(record), as: UTF8.self),
      String(repeating: "x", count: 1 << 17),
    ]
    for text in garbage {
      try Data(text.utf8).write(to: directory.appendingPathComponent(other.name + ".json"))
      let contents = try store.contents()
      #expect(contents.records == [record] && contents.damagedCount == 1, "\(text.prefix(20))")
      for key in [other.feed, other.item] { #expect(contents.damagedCount(of: key) == 1) }
      #expect(contents.damagedCount(of: "https://a.example/none") == 0)
    }
    for name in ["x.json", "a-b-c.json.new", "transfer.lock", "..json", "a-b-c-d.json"] {
      try Data().write(to: directory.appendingPathComponent(name))
    }
    #expect(try store.contents().damagedCount == 1 && store.isReady(record))
  }

  @Test func `an enclosure is ready while its file has the recorded size`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let record = try makeComplete(Self.record(), size: 5)
    #expect(store.isReady(record))
    #expect(try store.storedSize(of: record) == 5 && store.completeSize(of: record) == 5)
    #expect(store.dateOfFile(of: record) != nil)
    try Data("1234".utf8).write(to: URL(fileURLWithPath: store.path(of: record)))
    #expect(!store.isReady(record))
    try FileManager.default.removeItem(atPath: store.path(of: record))
    #expect(!store.isReady(record) && store.dateOfFile(of: record) == nil)
    var waiting = record
    waiting.state = .waiting
    #expect(!store.isReady(waiting))
    // The record is replaced if the feed still has the enclosure.
    #expect(try store.add([waiting]) == 1 && store.contents().records == [waiting])
    #expect(try store.add([waiting]) == 0)
  }

  @Test func `enclosures of removed pages and feeds are removed with their files`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let record = try makeComplete(Self.record(), size: 5)
    var other = Self.record("https://b.example/2.ogg", type: "audio/ogg")
    (other.feed, other.item) = ("https://b.example/feed", "https://b.example/2")
    try write(3, toPartOf: other)
    try store.save(other)
    #expect(try store.remove(ofPages: ["https://c.example/"]).isEmpty)
    #expect(try store.remove(ofPages: [record.item]) == [record])
    #expect(names == [other.name + ".json", other.name + ".part"])
    #expect(try store.remove(ofPages: [other.feed]) == [other])
    #expect(names == [])
  }

  @Test func `the enclosures of a feed move with it`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let record = try makeComplete(Self.record(), size: 5)
    let waiting = Self.record("https://a.example/2.mp3", date: 0)
    try write(3, toPartOf: waiting)
    try store.save(waiting)
    try store.move(feed: record.feed, to: "https://b.example/feed")
    let moved = try store.contents().records
    #expect(moved.map(\.feed) == Array(repeating: "https://b.example/feed", count: 2))
    #expect(moved.map(\.url) == [record.url, waiting.url])
    #expect(store.isReady(moved[0]))
    #expect(try store.storedSize(of: moved[1]) == 3 && names.count == 4)
  }

  @Test func `a file that the new feed has already is not replaced by a partial one`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let waiting = Self.record()
    try store.save(waiting)
    var other = waiting
    other.feed = "https://b.example/feed"
    other = try makeComplete(other, size: 5)
    try store.move(feed: waiting.feed, to: other.feed)
    #expect(try store.contents().records == [other] && store.isReady(other))
  }

  @Test func `a complete file replaces the partial one of the new feed`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let record = try makeComplete(Self.record(), size: 5)
    var other = Self.record()
    other.feed = "https://b.example/feed"
    try write(3, toPartOf: other)
    try store.save(other)
    try store.move(feed: record.feed, to: other.feed)
    let moved = try store.contents().records
    #expect(moved.map(\.feed) == [other.feed] && store.isReady(moved[0]) && names.count == 2)
  }

  @Test func `a record that is too long is skipped, and the others are added`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    var long = Self.record("https://a.example/2.mp3")
    long.title = "T" + String(repeating: "\u{301}", count: 70_000)
    #expect(try store.add([long, Self.record()]) == 1)
    #expect(try store.contents().records == [Self.record()])
  }

  private static func signed(
    _ token: Int, title: String = "Episode", date: Double = 1
  ) -> EnclosureRecord {
    var record = record("https://a.example/z.mp3?token=\(token)", date: date)
    record.title = title
    return record
  }

  @Test func `a complete file stays when the query of its URL changes`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let record = try makeComplete(Self.signed(1), size: 5)
    for token in 2...4 { #expect(try store.add([Self.signed(token)]) == 0) }
    #expect(try store.contents().records == [record] && store.isReady(record))
    // A file that was deleted is fetched by its present URL.
    try FileManager.default.removeItem(atPath: store.path(of: record))
    _ = try store.add([Self.signed(5)])
    #expect(try store.contents().records == [Self.signed(5)])
  }

  @Test func `an item without a link needs no date to be recognized`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    func signed(_ token: Int) -> EnclosureRecord {
      var record = Self.signed(token, date: Double(token))
      record.item = FeedItemAddress(ofItem: "1", in: record.feed).key
      return record
    }
    let record = try makeComplete(signed(1), size: 5)
    #expect(try store.add([signed(2)]) == 0)
    #expect(try store.contents().records == [record])
  }

  @Test func `a file that moves to another URL is that of the same item`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    func moved(to url: String, _ date: Double, item identifier: String = "1") -> EnclosureRecord {
      var record = Self.record(url, date: date)
      record.identifier = identifier
      return record
    }
    let record = try makeComplete(moved(to: "https://a.example/x/z.mp3?a=1", 1), size: 5)
    #expect(try store.add([moved(to: "https://b.example/y/z.mp3", 2)]) == 0)
    #expect(try store.contents().records == [record] && store.isReady(record))
    #expect(try store.add([moved(to: "https://b.example/y/new.mp3", 3)]) == 1)
    #expect(try store.add([moved(to: "https://b.example/y/z.mp3", 3, item: "2")]) == 1)
    // Some feeds contain only the newest episode, always with the same identifier and file name.
    var next = moved(to: "https://b.example/next/z.mp3", 4)
    next.title = "Another episode"
    #expect(try store.add([next]) == 1)
  }

  @Test func `a partial file is continued by the URL with another query`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    var record = Self.signed(1)
    (record.size, record.flushed) = (9, 3)
    (record.source, record.validator, record.failure) = ("https://b.example/", "\"a\"", "no")
    try write(3, toPartOf: record)
    try store.save(record)
    _ = try store.add([Self.signed(2)])
    let moved = try #require(try store.contents().records.first)
    #expect(moved.url == Self.signed(2).url && moved.validator == "\"a\"" && moved.flushed == 3)
    #expect(try moved.failure.isEmpty && store.storedSize(of: moved) == 3 && names.count == 2)
  }

  @Test(arguments: [
    [Self.signed(2, title: "Other")], [Self.signed(2, date: 9)], [Self.signed(2, title: "")],
    [Self.signed(1), Self.signed(2)], [Self.signed(2), Self.signed(3)],
    [Self.record("https://a.example/y.mp3?token=2")],
  ])
  func `other files with similar URLs are added`(_ records: [EnclosureRecord]) throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let record = try makeComplete(Self.signed(1), size: 5)
    #expect(try store.add(records) == records.count { $0.url != record.url })
    #expect(try store.contents().records.contains(record) && store.isReady(record))
  }

  @Test func `playlists are neither audio nor video`() {
    for type in ["audio/x-mpegurl", "audio/mpegurl", "audio/x-scpls", "video/vnd.mpegurl"] {
      #expect(EnclosureRecord.kind(of: type) == nil)
    }
    #expect(EnclosureRecord.kind(of: "audio/mpeg") == .audio)
    #expect(EnclosureRecord.isPlaylist(Array("#EXTM3U\nfile:///".utf8)))
    #expect(EnclosureRecord.isPlaylist(Array("[playlist]\n".utf8)))
    #expect(!EnclosureRecord.isPlaylist(Array("ID3".utf8)) && !EnclosureRecord.isPlaylist([]))
  }

  @Test func `one process transfers at a time`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let lock = try store.lock()
    #expect(lock != nil)
    #expect(try store.lock() == nil)
    lock?.unlock()
    #expect(try store.lock() != nil)
  }
}
