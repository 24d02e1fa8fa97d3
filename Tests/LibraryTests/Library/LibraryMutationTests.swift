@testable import Library
import Foundation
import OfflineCache
import Synchronization
import TestSupport
import Testing

@testable import Pages
@testable import Profiles

/// Damage of any kind to the library's database and journals: nothing hangs, and nothing that is
/// stored anywhere is lost.
@Suite struct LibraryMutationTests {
  let files: LibraryDirectory

  init() throws {
    files = try LibraryDirectory()
  }

  private var database: URL { files.directory.appendingPathComponent("cache m/library.sqlite") }
  private var journal: URL { files.journals.appendingPathComponent("m.journal") }

  private static func key(_ number: Int) -> String { "https://example.org/page/\(number)" }
  private static let keys = (0..<16).map(key)
  private static let attributes: [LibraryAttribute] = [
    .pinned, .title, .queued, .read, .archived, .note, .interval, .feed, .item, .removed, .address,
    .canonical, .tag("a"), .tag("b c"),
  ]

  @Test func `a damaged journal line is restored before the journal is rewritten`()
    throws
  {
    let before = try fill()
    let text = [UInt8](try Data(contentsOf: journal))
    var damaged = text
    // The damage is in the middle, where it does not affect the end of the journal.
    let title = Array("Page 2, with".utf8)
    let position = try #require(
      text.indices.first { text[$0...].starts(with: title) })
    damaged[position + 5] = UInt8(ascii: "x")
    try Data(damaged).write(to: journal)
    let library = open()
    try library.forget([Self.key(14)])
    library.close()
    try RebuildableDatabase.remove(database.path)
    let again = open()
    let expected = try #require(before.pages.first { $0.key == Self.key(2) })
    #expect(try again.page(Self.key(2)).title == expected.title)
    again.close()
  }

  private func open() -> PageLibrary {
    PageLibrary(
      directory: files.journals, database: database, device: "m", clock: { LibraryDirectory.start })
  }

  /// The results of all queries.
  private struct Answers: Equatable {
    var pages: [LibraryPage]
    var lists: [[String]]
    var counts: [Int]
    var tags: [String]
    var kept: [Bool]
    var removals: [String: Date]
    var items: [String]
  }

  private func readAnswers(_ library: PageLibrary) throws -> Answers {
    Answers(
      pages: try library.pages(Self.keys),
      lists: try Self.attributes.flatMap {
        [
          try library.keys(with: $0).sorted(), try library.pages(with: $0).map(\.key),
          try library.pages(with: $0, range: 0..<7, order: .newestFirst).map(\.key),
        ]
      },
      counts: try Self.attributes.map { try library.count(with: $0) },
      tags: try library.tags().filter { $0.tag != "new" }.map { "\($0.tag) \($0.pages)" },
      kept: Self.keys.map(library.isEvictionExempt),
      removals: try library.removals(of: Self.keys),
      items: try library.items(of: Self.key(3)))
  }

  /// Fills a library, and returns the results of its queries.
  private func fill() throws -> Answers {
    let library = open()
    var changes: [LibraryChange] = []
    for (number, key) in Self.keys.enumerated() {
      changes.append(LibraryChange(key, .pinned, number % 7 == 0 ? nil : "1"))
      changes.append(LibraryChange(key, .title, "Page \(number), with a title"))
      let attribute = Self.attributes[2 + number % (Self.attributes.count - 2)]
      changes.append(LibraryChange(key, attribute, "\(number)"))
      if number % 5 == 0 { changes.append(LibraryChange(key, .item, Self.key(3))) }
      if number % 9 == 0 { changes.append(LibraryChange(key, .canonical, Self.key(4))) }
    }
    try library.record(changes)
    try library.forget([Self.key(11), Self.key(15)])
    let responses = try readAnswers(library)
    library.close()
    return responses
  }

  @Test func `each of many damaged databases is rebuilt`() throws {
    let expected = try fill()
    let bytes = [UInt8](try Data(contentsOf: database))
    var mutator = DatabaseMutator(
      seed: 16,
      columns: ["fact.date", "journal.seen", "journal.tail", "removal.date"])
    for round in 0..<Effort.rounds(500, part: 75) {
      let what = try mutator.write(bytes, damagedTo: database)
      let library = open()
      #expect(throws: Never.self, "\(round): \(what)") {
        let responses = try readAnswers(library)
        #expect(responses == expected, "\(round): \(what)")
      }
      library.close()
      if round % 25 == 0 {
        let again = open()
        #expect(try readAnswers(again) == expected, "\(round), once more: \(what)")
        again.close()
      }
    }
    #expect(try Data(contentsOf: journal).count > 0)
  }

  /// Returns the changes in the intact lines of a journal.
  private func facts(of lines: some Sequence<ArraySlice<UInt8>>) -> [LibraryChange] {
    lines.compactMap { line in
      guard case .fact(let fact) = LibraryJournal.entry(line, device: "m") else { return nil }
      return LibraryChange(fact.key, fact.attribute, fact.value)
    }
  }

  @Test func `nothing known to the database is lost from damaged journals`() throws {
    let expected = try fill()
    let (bytes, known) = ([UInt8](try Data(contentsOf: journal)), try Data(contentsOf: database))
    var mutator = FileMutator(seed: 17, page: 512)
    for round in 0..<Effort.rounds(250, part: 50) {
      var damaged = bytes
      let what = mutator.damage(&damaged)
      try known.write(to: database)
      try Data(damaged).write(to: journal)
      let library = open()
      #expect(throws: Never.self, "\(round): \(what)") {
        #expect(try readAnswers(library) == expected, "\(round): \(what)")
        // Later changes are kept, too, also when everything is read again.
        try library.record([LibraryChange(Self.key(100 + round), .tag("new"), "1")])
      }
      library.close()
      let again = open()
      #expect(try readAnswers(again) == expected, "\(round), once more: \(what)")
      #expect(try again.page(Self.key(100 + round)).tags == ["new"])
      again.close()
    }
  }

  @Test func `without a database the intact lines of damaged journals are read`() throws {
    _ = try fill()
    let bytes = [UInt8](try Data(contentsOf: journal))
    let lines = bytes.split(separator: 10)
    var mutator = FileMutator(seed: 18, page: 512)
    for round in 0..<Effort.rounds(250, part: 50) {
      var damaged = bytes
      let what = mutator.damage(&damaged)
      try Data(damaged).write(to: journal)
      try? FileManager.default.removeItem(at: database.deletingLastPathComponent())
      let library = open()
      let left = Set(
        damaged.dropLast(damaged.last == 10 ? 0 : 1).split(separator: 10).map(Array.init))
      let whole = facts(of: lines.filter { left.contains(Array($0)) })
      // The last change of everything counts.
      let last = Dictionary(
        whole.map { (LibraryChange($0.key, $0.attribute, nil), $0.value) },
        uniquingKeysWith: { $1 })
      for (subject, value) in last where subject.attribute == .title {
        let page = try library.page(subject.key)
        #expect(page.title == value ?? "", "\(round): \(what)")
      }
      library.close()
    }
  }
}

/// Journals and databases that lost data, and how it is reported.
@Suite struct JournalGuardTests {
  let files: LibraryDirectory
  let key = "https://example.org/"
  private let noted = Noted()

  /// The reported messages.
  private final class Noted: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func drain() -> [String] {
      lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
    }
  }

  init() throws {
    files = try LibraryDirectory()
  }

  private var database: URL { files.directory.appendingPathComponent("cache m/library.sqlite") }
  private var journal: URL { files.journals.appendingPathComponent("m.journal") }

  private func open(device: String = "m") -> PageLibrary {
    PageLibrary(
      directory: files.journals,
      database: files.directory.appendingPathComponent("cache \(device)/library.sqlite"),
      device: device, clock: { LibraryDirectory.start }, note: { [noted] in noted.add($0) })
  }

  private func record(_ numbers: Range<Int>) throws {
    let library = open()
    for number in numbers { try library.record([LibraryChange(key + "\(number)", .pinned, "1")]) }
    library.close()
  }

  private func kept(device: String = "m") throws -> Int {
    let library = open(device: device)
    defer { library.close() }
    return try library.count(with: .pinned)
  }

  @Test(arguments: ["cut", "cut within a line", "zeros at its end", "gone", "empty", "older"])
  func `lost lines of this device's journal are restored`(_ loss: String) throws {
    try record(0..<3)
    let old = [UInt8](try Data(contentsOf: journal))
    try record(3..<6)
    var bytes = [UInt8](try Data(contentsOf: journal))
    switch loss {
    case "cut", "older": bytes = old
    case "cut within a line": bytes.removeLast(200)
    case "zeros at its end": for position in bytes.indices.suffix(300) { bytes[position] = 0 }
    case "empty": bytes = []
    default: try FileManager.default.removeItem(at: journal)
    }
    if loss != "gone" { try Data(bytes).write(to: journal) }
    #expect(noted.drain() == [])
    #expect(try kept() == 6)
    let said = noted.drain()
    #expect(said.contains { $0.contains("of m.journal w") && $0.contains("restored") }, "\(said)")
    #expect(try kept() == 6 && noted.drain().isEmpty)
    // The lines are in the journal, not only in the database.
    try FileManager.default.removeItem(at: database.deletingLastPathComponent())
    #expect(try kept() == 6)
  }

  @Test func `a journal deleted with its directory is not restored`() throws {
    try record(0..<3)
    try FileManager.default.removeItem(at: files.journals)
    let library = open()
    #expect(try library.count(with: .pinned) == 0)
    try library.record([LibraryChange(key, .pinned, "1")])
    #expect(try library.count(with: .pinned) == 1)
    library.close()
    #expect(try kept() == 1)
    #expect(noted.drain() == [])
  }

  @Test func `an altered line is ignored, reported and restored from the database`()
    throws
  {
    try record(0..<9)
    let text = try files.text(of: "m")
    try Data(text.replacing("/1\"", with: "/x\"").utf8).write(to: journal)
    #expect(try kept(device: "other") == 8)
    #expect(noted.drain() == ["m.journal: a line is damaged and ignored"])
    // The device knows its own changes, and writes them again when everything is read.
    var found = Verification()
    let library = open()
    try library.verify(into: &found)
    #expect(found.journals == 1 && found.lines == 11)
    #expect(found.damages.map(\.reason) == ["a line does not match its checksum"])
    let start = try #require(text.range(of: "\n{\"sum\"")).upperBound
    #expect(found.damages[0].file == "m.journal")
    #expect(found.damages[0].offset > Int64(text.utf8.distance(from: text.startIndex, to: start)))
    try library.rebuild()
    library.close()
    #expect(try kept() == 9)
    #expect(noted.drain().contains { $0.contains("restored from the database") })
    #expect(try kept(device: "third") == 9)
  }

  @Test func `lines of earlier versions without checksums are read`() throws {
    try record(0..<3)
    let old = try files.text(of: "m").replacing(/"sum":"[0-9a-f]{8}",/, with: "")
    try Data(old.utf8).write(to: journal)
    try FileManager.default.removeItem(at: database.deletingLastPathComponent())
    try record(3..<4)
    #expect(try kept() == 4)
    #expect(noted.drain() == [])
    var found = Verification()
    let library = open()
    try library.verify(into: &found)
    library.close()
    #expect(found.isSound && found.lines == 5)
  }

  @Test func `changes known only to a damaged database are written to the journal`() throws {
    try record(0..<200)
    let text = try files.text(of: "m")
    let bytes = [UInt8](try Data(contentsOf: database))
    // A line is damaged, and a database page other than the one that contains the line.
    try Data(text.replacing("/7\"", with: "/x\"").utf8).write(to: journal)
    var isKnown = false
    for page in 1..<bytes.count / 4096 {
      var damaged = bytes
      for position in page * 4096..<(page + 1) * 4096 { damaged[position] = 0 }
      try Data(damaged).write(to: database)
      let count = try kept()
      #expect(count == 199 || count == 200)
      if count == 200 { isKnown = true }
      try Data(text.replacing("/7\"", with: "/x\"").utf8).write(to: journal)
    }
    #expect(isKnown)
  }

  @Test func `a database is kept until changes known only to it are in the journal`() throws {
    try record(0..<9)
    let text = try files.text(of: "m")
    let damaged = Data(text.replacing("/7\"", with: "/x\"").utf8)
    // The journal is replaced by something that cannot be written to.
    try FileManager.default.removeItem(at: journal)
    try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: false)
    let library = open()
    #expect {
      try library.rebuild()
    } throws: {
      guard case ArchiveError.unwritable(let reason) = $0 else { return false }
      return reason.hasPrefix("lost lines of m.journal")
    }
    library.close()
    #expect(noted.drain().contains { $0.contains("cannot be restored") })
    try FileManager.default.removeItem(at: journal)
    try damaged.write(to: journal)
    let reopened = open()
    try reopened.rebuild()
    reopened.close()
    #expect(
      noted.drain() == [
        "a lost line of m.journal was restored from the database",
        "m.journal: a line is damaged and ignored",
      ])
    #expect(try kept() == 9 && kept(device: "other") == 9)
  }

  @Test func `a damaged database is kept until its changes are in the journal, too`() throws {
    try record(0..<200)
    let damaged = Data(try files.text(of: "m").replacing("/7\"", with: "/x\"").utf8)
    let bytes = [UInt8](try Data(contentsOf: database))
    var isKnown = false
    for page in 1..<bytes.count / 4096 {
      var broken = bytes
      for position in page * 4096..<(page + 1) * 4096 { broken[position] = 0 }
      try Data(broken).write(to: database)
      try FileManager.default.removeItem(at: journal)
      try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: false)
      let library = open()
      try? library.record([LibraryChange(key + "1", .pinned, nil)])
      library.close()
      try FileManager.default.removeItem(at: journal)
      try damaged.write(to: journal)
      let count = try kept()
      #expect(count == 199 || count == 200)
      if count == 200 { isKnown = true }
      try RebuildableDatabase.remove(database.path)
    }
    #expect(isKnown)
  }
}

@Suite struct LineChecksumTests {
  @Test func `a change of any byte in a line is detected`() {
    let line = LineChecksum.withChecksum(
      Array("{\"date\":1,\"url\":\"https://example.org/\"}".utf8))
    #expect(LineChecksum.isIntact(line[...]))
    for position in line.indices.dropFirst(8) {
      for bit in 0..<8 {
        var other = line
        other[position] ^= 1 << UInt8(bit)
        #expect(!LineChecksum.isIntact(other[...]), "bit \(bit) of byte \(position)")
      }
    }
    for count in 8..<line.count { #expect(!LineChecksum.isIntact(line[..<count])) }
    #expect(LineChecksum.isIntact(Array("{}".utf8)[...]))
    #expect(LineChecksum.isIntact([]))
  }
}
