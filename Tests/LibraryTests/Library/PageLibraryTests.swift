@testable import Library
import Foundation
import GRDB
import OfflineCache
import Synchronization
import TestSupport
import Testing

@testable import Pages
@testable import Sandbox

/// A directory for libraries, deleted with the last reference.
final class LibraryDirectory: Sendable {
  let directory: URL
  /// The current time, in seconds after a fixed instant.
  let seconds = Mutex(0.0)
  static let start = Date(timeIntervalSince1970: 1_795_234_310)

  init() throws {
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread library \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  var journals: URL { directory.appendingPathComponent("library") }

  func open(device: String = "m", journals: URL? = nil) -> PageLibrary {
    PageLibrary(
      directory: journals ?? self.journals,
      database: directory.appendingPathComponent("cache \(device)/library.sqlite"), device: device,
      firstSeenFile: directory.appendingPathComponent("state \(device)/sightings"),
      clock: { [self] in Self.start.addingTimeInterval(seconds.withLock { $0 }) })
  }

  func text(of device: String) throws -> String {
    try String(contentsOf: journals.appendingPathComponent("\(device).journal"), encoding: .utf8)
  }
}

@Suite struct PageLibraryTests {
  let files: LibraryDirectory
  let key = "https://example.org/"

  init() throws {
    files = try LibraryDirectory()
  }

  private init(files: LibraryDirectory) { self.files = files }

  @Test(arguments: [-3_000_000_000.0, -1.0e11, 3.0e11])
  func `changes recorded with a clock before 1970 or after 9999 are read back`(_ time: Double)
    throws
  {
    files.seconds.withLock { $0 = time }
    for device in ["m", "n"] {
      let library = files.open(device: device)
      try library.record([
        LibraryChange(key, .pinned, "1"), LibraryChange(key, .tag("travel \(device)"), "1"),
      ])
      try library.record([LibraryChange(key, .note, "said later")])
    }
    let page = try files.open(device: "other").page(key)
    #expect(page.pinnedDate != nil && page.note == "said later")
    #expect(page.tags == ["travel m", "travel n"])
  }

  /// Writes a journal as earlier versions did, with keys in their spelling.
  private func writeJournal(_ device: String, _ facts: [LibraryFact], removing keys: [String] = [])
    throws
  {
    let head = LibraryJournal.Head(device: device, id: "an id")
    let removals = keys.map {
      LibraryJournal.Removal(digest: LibraryJournal.digest(of: $0), date: 1_795_000_000_500)
    }
    let text =
      LibraryJournal.text(head) + LibraryJournal.text(facts) + LibraryJournal.text(removals)
    try FileManager.default.createDirectory(at: files.journals, withIntermediateDirectories: true)
    try Data(text).write(to: files.journals.appendingPathComponent("\(device).journal"))
  }

  private func fact(
    _ key: String, _ attribute: LibraryAttribute, _ value: String,
    at date: Int64 = 1_795_000_000_000
  ) -> LibraryFact {
    LibraryFact(key: key, attribute: attribute, value: value, date: date, device: "old")
  }

  @Test func `changes of another encoding of a URL apply to the page`() throws {
    let (old, new) = ("https://a.test/%7Eada/", "https://a.test/~ada/")
    try writeJournal(
      "old",
      [
        fact(old, .pinned, "1"), fact(old, .tag("ship"), "1"), fact(old, .note, "words"),
        fact(old, .feed, ""), fact("https://a.test/1", .item, old),
      ])
    let library = files.open()
    let page = try library.page(new)
    #expect(page.pinnedDate != nil && page.tags == ["ship"] && page.note == "words")
    #expect(try library.items(of: new) == ["https://a.test/1"])
    #expect(try library.page(old).pinnedDate == nil)
    #expect(library.isEvictionExempt(new))
  }

  @Test func `a page removed under another encoding of its URL stays removed`() throws {
    let (old, new) = ("https://a.test/%7Eada/", "https://a.test/~ada/")
    try writeJournal("old", [fact(old, .pinned, "1")], removing: [old])
    #expect(try files.open().page(new).pinnedDate == nil)
    // This also holds if the change and the removal are of two devices.
    let other = try LibraryDirectory()
    let tests = PageLibraryTests(files: other)
    try tests.writeJournal("a", [fact(old, .pinned, "1")])
    try tests.writeJournal("b", [], removing: [old])
    #expect(try other.open().page(new).pinnedDate == nil)
  }

  @Test func `a removal deletes all encodings of a URL from the journals`() throws {
    let (old, new) = ("https://a.test/%7Eada/", "https://a.test/~ada/")
    try writeJournal("m", [fact(old, .pinned, "1")])
    let library = files.open()
    #expect(library.isEvictionExempt(new))
    try library.forget([new])
    #expect(!library.isEvictionExempt(new))
    let text = try files.text(of: "m")
    // An identifier in hexadecimal digits may contain "ada".
    #expect(!text.contains("7Eada") && !text.contains("~ada"))
    #expect(text.contains(LibraryJournal.digest(of: old)))
  }

  @Test func `the frames of a pinned page are exempt from limits while it is pinned`() throws {
    let library = files.open()
    let frames = ["https://example.org/f1?a=b", "https://example.org/f2"]
    try library.record([
      LibraryChange(key, .pinned, "1"), LibraryChange(key, .frames, frames.joined(separator: "\n")),
      LibraryChange("https://example.org/x", .frames, "https://example.org/f3"),
    ])
    #expect(frames.allSatisfy(library.isEvictionExempt))
    #expect(!library.isEvictionExempt("https://example.org/f"))
    #expect(!library.isEvictionExempt("https://example.org/f3"))
    #expect(try library.page(key).pinnedDate != nil)
    try library.record([LibraryChange(key, .pinned, nil)])
    #expect(!frames.contains(where: library.isEvictionExempt))
    try library.record([LibraryChange(key, .item, "https://example.org/feed")])
    #expect(frames.allSatisfy(files.open(device: "other").isEvictionExempt))
    try library.forget([key])
    #expect(!frames.contains(where: library.isEvictionExempt))
    #expect(try !files.text(of: "m").contains("f1"))
  }

  @Test func `changes are kept when the database is deleted`() throws {
    let library = files.open()
    try library.record([
      LibraryChange(key, .pinned, "1"), LibraryChange(key, .title, "A \"title\"\n\u{1B}x"),
      LibraryChange(key, .tag("travel"), "1"), LibraryChange(key, .tag("a b"), "1"),
      LibraryChange(key, .note, "nöte"), LibraryChange(key, .interval, "3600"),
      LibraryChange(key, .feed, "20"), LibraryChange(key, .queued, "https://example.org/from"),
      LibraryChange(key, .read, "1"), LibraryChange(key, .archived, "1"),
    ])
    let page = try library.page(key)
    #expect(page.pinnedDate == LibraryDirectory.start)
    #expect(page.title == "A \"title\"\n\u{1B}x")
    #expect(page.tags == ["a b", "travel"])
    #expect(page.note == "nöte")
    #expect(page.interval == 3600)
    #expect(page.maxFeedItems == 20)
    #expect(page.queuedDate == LibraryDirectory.start)
    #expect(page.queuedFrom == "https://example.org/from")
    #expect(page.readDate == LibraryDirectory.start)
    #expect(page.isArchived)
    library.close()
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
    #expect(try files.open().page(key) == page)
  }

  @Test func `the later of two changes counts, even after the clock was set back`() throws {
    let library = files.open()
    files.seconds.withLock { $0 = 100 }
    try library.record([LibraryChange(key, .pinned, "1")])
    files.seconds.withLock { $0 = -5000 }
    try library.record([LibraryChange(key, .pinned, nil)])
    #expect(!library.isEvictionExempt(key))
    try library.record([LibraryChange(key, .pinned, "1")])
    #expect(library.isEvictionExempt(key))
    library.close()
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
    #expect(files.open().isEvictionExempt(key))
  }

  @Test func `lists are in order of the changes`() throws {
    let library = files.open()
    for (second, path) in ["c", "a", "b"].enumerated() {
      files.seconds.withLock { $0 = Double(second) }
      try library.record([LibraryChange(key + path, .queued, "")])
    }
    try library.record([LibraryChange(key + "a", .queued, nil), LibraryChange(key, .tag("x"), "1")])
    #expect(try library.pages(with: .queued).map(\.key) == [key + "c", key + "b"])
    #expect(try library.count(with: .queued) == 2)
    #expect(try library.pages(with: .tag("x")).map(\.key) == [key])
    #expect(try library.tags().map(\.tag) == ["x"])
  }

  @Test func `two devices that exchange their files reach the same state`() throws {
    let otherJournals = files.directory.appendingPathComponent("there")
    let (one, other) = (
      files.open(device: "one"), files.open(device: "other", journals: otherJournals)
    )
    try FileManager.default.createDirectory(at: otherJournals, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: files.journals, withIntermediateDirectories: true)
    var random = SplitMix64(seed: 7)
    func copy(_ device: String, _ from: URL, _ to: URL) throws {
      let name = "\(device).journal"
      guard let bytes = try? Data(contentsOf: from.appendingPathComponent(name)) else { return }
      // The file is copied as by a sync program: completely under another name, then renamed.
      try bytes.write(to: to.appendingPathComponent(name), options: .atomic)
    }
    let keys = (0..<5).map { key + "\($0)" }
    for step in 0..<200 {
      files.seconds.withLock { $0 = Double(step) }
      let library = Bool.random(using: &random) ? one : other
      let attribute = [LibraryAttribute.pinned, .tag("t"), .note, .queued].randomElement(
        using: &random)
      let value: String? = Bool.random(using: &random) ? "\(step)" : nil
      try library.record([
        LibraryChange(keys.randomElement(using: &random) ?? key, try #require(attribute), value)
      ])
      if step % 17 == 0 { try copy("one", files.journals, otherJournals) }
      if step % 23 == 0 { try copy("other", otherJournals, files.journals) }
    }
    try copy("one", files.journals, otherJournals)
    try copy("other", otherJournals, files.journals)
    try one.catchUp()
    try other.catchUp()
    let pages = try keys.map { try one.page($0) }
    #expect(pages == (try keys.map { try other.page($0) }))
    #expect(pages.contains { $0.pinnedDate != nil } && pages.contains { !$0.note.isEmpty })
    one.close()
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache one"))
    let again = files.open(device: "one")
    #expect(pages == (try keys.map { try again.page($0) }))
  }

  @Test func `intact lines of a truncated or damaged journal are read`()
    throws
  {
    let library = files.open()
    for number in 0..<3 { try library.record([LibraryChange(key + "\(number)", .pinned, "1")]) }
    library.close()
    let journalBytes = Array(try files.text(of: "m").utf8)
    let file = files.journals.appendingPathComponent("m.journal")
    for count in stride(from: 0, through: journalBytes.count, by: 7) {
      try Data(journalBytes[..<count]).write(to: file)
      try? FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
      let library = files.open()
      let lines = journalBytes[..<count].count { $0 == 10 }
      #expect(try library.count(with: .pinned) == max(0, lines - 1), "\(count) bytes")
      // The next change is not lost with the truncated line.
      try library.record([LibraryChange(key + "new", .pinned, "1")])
      #expect(library.isEvictionExempt(key + "new"))
      library.close()
      try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
      #expect(files.open().isEvictionExempt(key + "new"))
    }
    let lines = try #require(String(bytes: journalBytes, encoding: .utf8)).split(separator: "\n")
    let text = """
      \(lines[0])
      {}
      \0\u{1}
      [[[[[
      \(lines[1])
      {"date":1,"url":"not a url","set":"kept","to":"1"}
      {"date":9223372036854775807,"url":"\(key)y","set":"kept","to":"1"}
      {"date":1,"url":"\(key)x","set":"of a later version","to":"1"}
      \(lines[2])

      """
    try Data(text.utf8).write(to: file)
    try? FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
    #expect(try files.open().pages(with: .pinned).map(\.key) == [key + "0", key + "1"])
  }

  @Test func `a journal with a damaged first line is continued`() throws {
    try FileManager.default.createDirectory(at: files.journals, withIntermediateDirectories: true)
    try Data("garbage".utf8).write(to: files.journals.appendingPathComponent("m.journal"))
    let library = files.open()
    try library.record([LibraryChange(key, .pinned, "1")])
    #expect(library.isEvictionExempt(key))
    library.close()
    #expect(files.open().isEvictionExempt(key))
  }

  @Test func `a damaged database is rebuilt`() throws {
    let library = files.open()
    try library.record([LibraryChange(key, .pinned, "1")])
    library.close()
    let database = files.directory.appendingPathComponent("cache m/library.sqlite")
    try Data("this is no database, but it is long enough to be looked at".utf8).write(to: database)
    let again = files.open()
    #expect(again.isEvictionExempt(key))
    try again.record([LibraryChange(key, .pinned, nil)])
    #expect(!again.isEvictionExempt(key))
  }

  @Test func `forgotten pages are deleted from the disk`() throws {
    let library = files.open()
    try library.record([
      LibraryChange(key + "secret", .note, "words"), LibraryChange(key, .pinned, "1"),
    ])
    try library.forget([key + "secret"])
    #expect(try library.page(key + "secret") == LibraryPage(key: key + "secret"))
    #expect(library.isEvictionExempt(key))
    library.close()
    #expect(try !files.text(of: "m").contains("secret"))
    let paths = try #require(FileManager.default.subpaths(atPath: files.directory.path))
    for path in paths {
      let bytes = FileManager.default.contents(
        atPath: files.directory.appendingPathComponent(path).path)
      #expect(bytes?.range(of: Data("secret".utf8)) == nil, "\(path)")
    }
  }

  /// Copies a journal as a sync program does: completely under another name, then renamed.
  private func copy(_ device: String, from: URL, to: URL) throws {
    let name = "\(device).journal"
    try FileManager.default.createDirectory(at: to, withIntermediateDirectories: true)
    try Data(contentsOf: from.appendingPathComponent(name))
      .write(to: to.appendingPathComponent(name), options: .atomic)
  }

  @Test func `pages forgotten by one device are deleted from the journals of all`() throws {
    let otherJournals = files.directory.appendingPathComponent("there")
    let (one, other) = (
      files.open(device: "one"), files.open(device: "other", journals: otherJournals)
    )
    try one.record([
      LibraryChange(key + "secret", .note, "words"), LibraryChange(key, .pinned, "1"),
    ])
    try copy("one", from: files.journals, to: otherJournals)
    files.seconds.withLock { $0 = 10 }
    try other.record([LibraryChange(key + "secret", .tag("t"), "1")])
    #expect(try other.page(key + "secret").note == "words")
    try other.forget([key + "secret"])
    #expect(try other.page(key + "secret") == LibraryPage(key: key + "secret"))
    #expect(
      try !String(
        contentsOf: otherJournals.appendingPathComponent("other.journal"), encoding: .utf8
      )
      .contains("secret"))
    // The other device learns of it, and rewrites its own journal with the next change.
    try copy("other", from: otherJournals, to: files.journals)
    try one.catchUp()
    #expect(try one.page(key + "secret") == LibraryPage(key: key + "secret"))
    #expect(one.isEvictionExempt(key))
    #expect(try files.text(of: "one").contains("secret"))
    try one.record([LibraryChange(key + "2", .pinned, "1")])
    #expect(try !files.text(of: "one").contains("secret"))
    #expect(one.isEvictionExempt(key) && one.isEvictionExempt(key + "2"))
    // Later changes count even if the clock is behind.
    files.seconds.withLock { $0 = -1000 }
    try one.record([LibraryChange(key + "secret", .note, "new")])
    try copy("one", from: files.journals, to: otherJournals)
    try other.catchUp()
    #expect(try other.page(key + "secret").note == "new")
    other.close()
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache other"))
    #expect(
      try files.open(device: "other", journals: otherJournals).page(key + "secret").note == "new")
  }

  @Test func `the last of several changes recorded at once counts`() throws {
    let library = files.open()
    try library.record([LibraryChange(key, .pinned, "1"), LibraryChange(key, .pinned, nil)])
    #expect(!library.isEvictionExempt(key))
    try library.record([LibraryChange(key, .note, "a"), LibraryChange(key, .note, "b")])
    #expect(try library.page(key).note == "b")
  }

  @Test func `a rewritten journal of the same length is detected`() throws {
    let (library, reader) = (files.open(), files.open(device: "reader"))
    try library.record([LibraryChange(key + "a", .pinned, "1")])
    #expect(reader.isEvictionExempt(key + "a"))
    let old = try files.text(of: "m").replacing(/"sum":"[0-9a-f]{8}",/, with: "")
    try Data(old.utf8).write(to: files.journals.appendingPathComponent("m.journal"))
    try reader.catchUp()
    let other = old.replacing("/a\"", with: "/b\"").replacing("\"id\":\"", with: "\"id\":\"x")
    let new = other.replacing(
      try #require(other.firstMatch(of: /"id":"x./)).output, with: "\"id\":\"x")
    #expect(new.utf8.count == old.utf8.count)
    try Data(new.utf8).write(to: files.journals.appendingPathComponent("m.journal"))
    try reader.catchUp()
    #expect(reader.isEvictionExempt(key + "b") && !reader.isEvictionExempt(key + "a"))
  }

  @Test func `lines of later versions are kept when a journal is rewritten`() throws {
    let library = files.open()
    try library.record([LibraryChange(key + "secret", .pinned, "1")])
    library.close()
    let file = files.journals.appendingPathComponent("m.journal")
    let later =
      "{\"date\":1,\"colour\":\"red\",\"url\":\"\(key)x\"}\n"
      + "{\"date\":1,\"set\":\"smell\",\"url\":\"\(key)secret\"}\nnot even JSON\n"
    try Data((try files.text(of: "m") + later).utf8).write(to: file)
    let again = files.open()
    try again.forget([key + "secret"])
    let text = try files.text(of: "m")
    #expect(text.contains("colour") && text.contains("not even JSON"))
    #expect(!text.contains("secret"))
  }

  @Test(arguments: [8, 9])
  func `facts ignored by an earlier version are read after the upgrade`(
    _ version: Int
  ) throws {
    let library = files.open()
    try library.record([LibraryChange(key, .pinned, "1"), LibraryChange(key, .itemTitles, "a\nb")])
    library.close()
    let path = files.directory.appendingPathComponent("cache m/library.sqlite").path
    let database = try RebuildableDatabase(path: path, LibraryStore.schema)
    try database.write { db in
      try db.execute(sql: "DELETE FROM fact WHERE attribute = 'entries'")
      if version == 8 { try db.execute(sql: "DROP TABLE spelling") }
      // A fact whose journal does not exist.
      try db.execute(
        sql: "INSERT INTO fact VALUES (?, 'note', 'n', 1, 'gone')", arguments: [key])
      try db.execute(sql: "PRAGMA user_version = \(version)")
    }
    database.close()
    let page = try files.open().page(key)
    #expect(page.itemTitles == ["a", "b"] && page.pinnedDate != nil && page.note == "n")
  }

  @Test func `a long journal is read in chunks, and a too long line is skipped`() throws {
    let library = files.open()
    let note = String(repeating: "word ", count: 12_000)
    try library.record((0..<40).map { LibraryChange(key + "page/\($0)", .note, note) })
    #expect(try library.count(with: .note) == 40)
    library.close()
    let file = files.journals.appendingPathComponent("m.journal")
    let long = String(repeating: "x", count: 3 << 20)
    let text = try files.text(of: "m")
    let last = "{\"date\":1,\"set\":\"kept\",\"to\":\"1\",\"url\":\"\(key)\"}\n"
    try Data((text + "\"" + long + "\"\n" + last).utf8).write(to: file)
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
    let again = files.open()
    #expect(try again.count(with: .note) == 40)
    #expect(again.isEvictionExempt(key))
    try again.forget([key + "page/7"])
    #expect(try again.count(with: .note) == 39)
    #expect(again.isEvictionExempt(key))
    #expect(try !files.text(of: "m").contains("page/7\""))
  }

  @Test(arguments: [0, 1, 2, 40])
  func `a too long line may be the last one`(beyond: Int) throws {
    let library = files.open()
    try library.record([LibraryChange(key, .pinned, "1")])
    library.close()
    let file = files.journals.appendingPathComponent("m.journal")
    let long = String(repeating: "x", count: (1 << 20) + beyond)
    let text = try files.text(of: "m")
    // Without its line break, the line fills complete chunks.
    try Data((text + long + "\n").utf8).write(to: file)
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
    #expect(files.open().isEvictionExempt(key))
    try Data((long + "\n" + text).utf8).write(to: file)
    try FileManager.default.removeItem(at: files.directory.appendingPathComponent("cache m"))
    #expect(files.open().isEvictionExempt(key))
  }

  @Test func `a page with a pending removal is in no list, and is then removed completely`()
    throws
  {
    let library = files.open()
    try library.record([LibraryChange(key, .pinned, "1"), LibraryChange(key, .removed, "1")])
    #expect(try library.pages(with: .pinned).isEmpty && library.count(with: .pinned) == 0)
    #expect(try library.pages(with: .removed).map(\.key) == [key])
    #expect(try library.count(with: .removed) == 1)
    #expect(library.isEvictionExempt(key))
    try library.record([LibraryChange(key, .removed, nil)])
    #expect(try library.pages(with: .pinned).map(\.key) == [key])
  }

  @Test func `two writers of one library see each other's changes`() throws {
    let (one, two) = (files.open(), files.open())
    try one.record([LibraryChange(key, .pinned, "1")])
    #expect(two.isEvictionExempt(key))
    try two.record([LibraryChange(key + "2", .pinned, "1")])
    try one.catchUp()
    #expect(one.isEvictionExempt(key + "2"))
  }

  @Test func `a library on a read-only disk is read from the journals`() throws {
    let library = files.open()
    try library.record([LibraryChange(key, .pinned, "1")])
    library.close()
    let reading = PageLibrary(
      directory: files.journals, database: URL(fileURLWithPath: "/proc/nowhere/library.sqlite"),
      device: "m")
    #expect(reading.isEvictionExempt(key))
    let nowhere = PageLibrary(
      directory: URL(fileURLWithPath: "/proc/nowhere"),
      database: URL(fileURLWithPath: "/proc/nowhere/library.sqlite"), device: "m")
    #expect(!nowhere.isEvictionExempt(key))
    #expect(throws: (any Error).self) { try nowhere.record([LibraryChange(key, .pinned, "1")]) }
  }

  @Test(
    arguments: [
      ("Travel", "travel"), ("  a \t b ", "a b"), ("a,b", "a b"), ("ZÜRICH", "zürich"), ("", nil),
      (" \u{1B}\n", nil), ("x\u{0}y", "x y"),
    ] as [(String, String?)])
  func `tags are normalized`(_ text: String, _ tag: String?) {
    #expect(LibraryAttribute.tag(text) == tag)
  }
}
