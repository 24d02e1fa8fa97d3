import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Damage of any kind to the archive index: nothing hangs, and every page is found.
@Suite struct IndexMutationTests {
  let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  private static func key(_ number: Int) -> String { "https://example.org/page/\(number)" }
  private static let keys = (0..<9).map(key)

  /// The results of all queries.
  private struct Answers: Equatable {
    var captures: [[StoredResponse]]
    var versions: [Int]
    var containedKeys: Set<String>
    var host: [String]
    var prefix: [String]
    var good: Set<String>
    var invalidations: [Date?]
    var relatives: [String]
    var summary: ArchiveSummary
    var removal: Removal
  }

  private func ask(_ archive: Archive) throws -> Answers {
    var summary = try archive.summary()
    summary.indexBytes = 0
    return Answers(
      captures: try archive.snapshot(Self.keys),
      versions: try Self.keys.map { try archive.allVersions(of: $0).count },
      containedKeys: try archive.contains(Self.keys),
      host: try archive.keys(host: "example.org", limit: 100).map(\.key),
      prefix: try archive.keys(prefix: "https://example.org/", limit: 100),
      good: Set(try archive.readVersions(after: 0, limit: 100).map(\.stored.id)),
      invalidations: try Self.keys.map(archive.invalidation),
      relatives: try archive.keysSharingBase(of: Self.key(0), limit: 10),
      summary: summary,
      removal: try archive.remove(Self.key(3), now: Archive.start, isDryRun: true))
  }

  private func fill() throws -> Answers {
    let archive = files.open(segmentLimit: 3000)
    for (number, key) in Self.keys.enumerated() {
      let first = try archive.save("one \(number)", at: Double(number), key: key)
      if number % 2 == 0 { try archive.save("two \(number)", at: Double(number + 20), key: key) }
      if number % 3 == 0 {
        try archive.record(.init(date: Archive.start + 50, result: .status(503)), of: key)
      }
      if number % 4 == 0 {
        try archive.markUntrusted(first, reason: .signInPage, at: Archive.start + 60)
      }
      if number % 5 == 0 { try archive.invalidate(key, by: "POST", at: Archive.start + 70) }
      archive.recordUse(of: key, at: Archive.start + 80)
    }
    try archive.save(
      "moved", at: 90, key: Self.key(20), status: 301,
      fields: [("Location", Self.key(3))])
    try archive.remove(Self.key(8), now: Archive.start + 100)
    let responses = try ask(archive)
    archive.close()
    return responses
  }

  @Test func `each of many damaged indexes is rebuilt`() throws {
    let expected = try fill()
    let bytes = [UInt8](try Data(contentsOf: files.location.index))
    var mutator = DatabaseMutator(
      seed: 15,
      columns: [
        "segment.seen", "segment.size", "segment.inode", "capture.requestTime", "capture.head",
        "capture.length", "capture.checksum", "capture.size",
      ])
    for round in 0..<Effort.roundsOutsideThreadSanitizer(500, part: 75) {
      let what = try mutator.write(bytes, damagedTo: files.location.index)
      let archive = files.open()
      #expect(throws: Never.self, "\(round): \(what)") {
        let responses = try ask(archive)
        #expect(responses == expected, "\(round): \(what)")
      }
      archive.close()
      if round % 25 == 0 {
        let reopened = files.open()
        #expect(try ask(reopened) == expected, "\(round), once more: \(what)")
        #expect(reopened.takeNotices() == [], "\(round), once more: \(what)")
        reopened.close()
      }
    }
  }

  @Test func `dates of last use are recovered from a damaged index`() throws {
    let expected = try fill()
    let bytes = [UInt8](try Data(contentsOf: files.location.index))
    let keyHash = CaptureIndex.keyHash(of: Self.key(2))
    var keptCount = 0
    for page in 1..<bytes.count / 4096 {
      var damaged = bytes
      for location in page * 4096..<(page + 1) * 4096 { damaged[location] = 0xAA }
      try Data(damaged).write(to: files.location.index)
      let archive = files.open()
      #expect(try ask(archive) == expected)
      let opened = archive.index.current
      let index = try #require(opened)
      // The damaged database page may be the one with this date.
      let date = try? index.read {
        try Int64.fetchOne($0, sql: "SELECT date FROM use WHERE key = ?", arguments: [keyHash])
      }
      if date == (Archive.start + 80).milliseconds { keptCount += 1 }
      archive.close()
    }
    // The dates in the damaged database page are lost.
    #expect(keptCount >= bytes.count / 4096 - 2)
  }

  private func lastUseTimes(_ archive: Archive) throws -> [Int64: Int64] {
    let opened = archive.index.current
    return try #require(opened).uses()
  }

  @Test func `dates of last use survive a rebuild of the index`() throws {
    _ = try fill()
    let before = try lastUseTimes(files.open())
    #expect(before[CaptureIndex.keyHash(of: Self.key(2))] == (Archive.start + 80).milliseconds)
    _ = try Archive.rebuild(at: files.location, device: "m")
    let archive = files.open()
    #expect(try lastUseTimes(archive) == before)
    // Dates that are known only to the rebuilding process, or only to another one, survive, too.
    let otherArchive = files.open()
    otherArchive.recordUse(of: Self.key(1), at: Archive.start + 10_000)
    otherArchive.maintenance.flushUses()
    archive.recordUse(of: Self.key(2), at: Archive.start + 20_000)
    try archive.rebuild()
    var expected = before
    expected[CaptureIndex.keyHash(of: Self.key(1))] = (Archive.start + 10_000).milliseconds
    expected[CaptureIndex.keyHash(of: Self.key(2))] = (Archive.start + 20_000).milliseconds
    #expect(try lastUseTimes(archive) == expected && lastUseTimes(otherArchive) == expected)
    // Removed pages leave no date behind, and none reappears.
    #expect(expected[CaptureIndex.keyHash(of: Self.key(8))] == nil)
  }

  @Test func `the index is rebuilt without reading the old one, which is removed`() throws {
    let expected = try fill()
    try Data("this is no database".utf8).write(to: files.location.index)
    #expect(throws: ArchiveError.stopped) {
      try Archive.rebuild(at: files.location, device: "m") { _ in false }
    }
    #expect(try Data(contentsOf: files.location.index).count == 19)
    let (summary, notices) = try Archive.rebuild(at: files.location, device: "m")
    #expect(notices == [] && summary.versions == expected.summary.versions)
    let archive = files.open()
    #expect(try ask(archive) == expected)
    #expect(archive.takeNotices() == [])
    let directory = files.location.index.deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == ["index.sqlite"])
  }

  @Test(arguments: [0, 1, 700]) func `a truncated segment is reported, also by verify`(
    _ left: Int
  ) throws {
    let archive = files.open()
    try archive.save("one", at: 0)
    let name = try #require(try files.segments().first)
    let shortBytes = try files.bytes(of: name)
    try archive.save("two", at: 1)
    archive.close()
    let wholeBytes = try files.bytes(of: name)
    let size = left == 700 ? shortBytes.count : left
    if left == 0 {
      try FileManager.default.removeItem(at: files.segment(name))
    } else {
      try files.write(Array(wholeBytes[..<size]), to: name)
    }
    let loss = ArchiveNotice.shortened(
      file: name, known: Int64(wholeBytes.count), size: Int64(size))
    let reopened = files.open()
    #expect(reopened.takeNotices().contains(loss))
    #expect(try reopened.captures(of: "https://example.org/").count == (left == 700 ? 1 : 0))
    reopened.close()
    let secondReopened = files.open()
    #expect(secondReopened.takeNotices() == [])
    let report = try secondReopened.verify()
    #expect(report.damages.map(\.file) == [name])
    #expect(report.damages.first?.length == Int64(wholeBytes.count - size))
    secondReopened.close()
    // A restored file is not a loss.
    try files.write(wholeBytes, to: name)
    let mended = files.open()
    #expect(try mended.verify().isSound)
    #expect(try mended.captures(of: "https://example.org/").count == 2)
  }
}

/// Errors that are and are not treated as database damage.
@Suite struct RebuildableDatabaseTests {
  private let files: TemporaryArchive
  private let schema = RebuildableDatabase.Schema(version: 3, cacheSize: 1000) { db in
    try db.execute(
      sql: """
        DROP TABLE IF EXISTS t; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL);
        CREATE INDEX tb ON t (b)
        """)
  }

  init() throws {
    files = try TemporaryArchive()
  }

  private var path: String { files.directory.appendingPathComponent("a b%20?#.sqlite").path }

  private func open(_ access: RebuildableDatabase.Access = .writing) throws -> RebuildableDatabase {
    try RebuildableDatabase.opening(path) { _ in
      try RebuildableDatabase(path: path, schema, access)
    }.store
  }

  @Test func `programming errors, locks and write errors are not damage`() throws {
    let database = try open()
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (1, 'x')") }
    for sql in ["SELECT * FROM none", "NONSENSE", "INSERT INTO t VALUES (1, NULL)"] {
      #expect(throws: DatabaseError.self, "\(sql)") {
        try database.writeWithoutTransaction { try $0.execute(sql: sql) }
      }
    }
    let reading = try open(.reading)
    #expect(throws: DatabaseError.self) {
      try reading.write { try $0.execute(sql: "DELETE FROM t") }
    }
    #expect(try reading.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 1)
  }

  @Test func `missing tables and values of wrong types are damage`() throws {
    let database = try open()
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (1, x'fffe')") }
    #expect(throws: DatabaseDamage.self) {
      try database.read { db in
        try Row.fetchOne(db, sql: "SELECT b FROM t").map { try $0.value(0, as: String.self) }
      }
    }
    try database.write { try $0.execute(sql: "DROP TABLE t") }
    #expect(throws: DatabaseDamage.self) {
      try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }
  }

  @Test func `further tables are not damage`() throws {
    let database = try open()
    try database.write { try $0.execute(sql: "CREATE TABLE further (a INTEGER PRIMARY KEY)") }
    for sql in ["SELECT count(*) FROM none", "INSERT INTO further VALUES ('x')"] {
      #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: sql) } }
    }
    try database.write { try $0.execute(sql: "DROP TABLE t") }
    #expect(throws: DatabaseDamage.self) {
      try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }
  }

  @Test func `tables created by another version are not damage`() throws {
    let database = try open()
    try database.write { try $0.execute(sql: "DROP TABLE t; PRAGMA user_version = 4") }
    #expect(throws: DatabaseError.self) {
      try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }
    let reopened = try open()
    #expect(try reopened.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
  }

  @Test func `a change of any byte of the file is detected`() throws {
    let database = try open()
    try database.write { db in
      for number in 0..<300 {
        try db.execute(sql: "INSERT INTO t VALUES (?, ?)", arguments: [number, "text \(number)"])
      }
    }
    database.close()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var random = SplitMix64(seed: 1)
    for _ in 0..<200 {
      var damaged = bytes
      let location = Int.random(in: bytes.indices, using: &random)
      damaged[location] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      #expect(throws: DatabaseDamage.self, "byte \(location)") {
        let opened = try RebuildableDatabase(path: path, schema)
        defer { opened.close() }
        for sql in [
          "SELECT count(b || '') FROM t NOT INDEXED", "SELECT count(b) FROM t INDEXED BY tb",
        ] {
          _ = try opened.read { try Int.fetchOne($0, sql: sql) }
        }
        _ = try opened.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
      }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(try open().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 300)
  }

  @Test func `other programs can read the file, and their writes are detected`() throws {
    let database = try open()
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (1, 'x')") }
    database.close()
    let otherDatabase = try DatabaseQueue(path: path)
    #expect(
      try otherDatabase.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    try otherDatabase.write { try $0.execute(sql: "UPDATE t SET b = 'y'") }
    try otherDatabase.close()
    #expect(throws: DatabaseDamage.self) {
      try open().read { try String.fetchOne($0, sql: "SELECT b FROM t") }
    }
  }
}
