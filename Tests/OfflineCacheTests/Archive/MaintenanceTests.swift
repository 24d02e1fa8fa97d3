import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Limits, compaction, verification, statistics and rebuilding.
@Suite struct MaintenanceTests {
  let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  private static func key(_ number: Int) -> String { "https://example.org/\(number)" }

  /// Incompressible content.
  private static func noise(_ number: Int, length: Int = 4000) -> String {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    return String(
      decoding: (0..<length).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(33 + (state >> 33) % 90)
      }, as: UTF8.self)
  }

  private func isSaved(_ archive: Archive, _ numbers: some Sequence<Int>) throws -> [Int] {
    try numbers.filter { try !archive.captures(of: Self.key($0)).isEmpty }
  }

  @Test
  func `eviction removes old versions, then the least recently used pages, never pinned ones`()
    throws
  {
    let archive = files.open(segmentLimit: 12_000)
    try archive.save(Self.noise(100), at: 0, key: Self.key(1))
    for number in 0..<10 {
      try archive.save(Self.noise(number), at: Double(number + 1), key: Self.key(number))
    }
    // This page was captured before most others, but used since.
    archive.recordUse(of: Self.key(0), at: Archive.start + 5000)
    let before = try archive.maintenance.usage().bytes
    let limits = StorageLimits(bytes: before * 7 / 10)
    let isEvictionExempt = { $0 == Self.key(2) }
    let plan = try archive.evict(
      limits, now: Archive.start + 6000, isEvictionExempt: isEvictionExempt, isDryRun: true)
    #expect(try archive.captures(of: Self.key(1)).count == 2)
    let eviction = try archive.evict(
      limits, now: Archive.start + 6000, isEvictionExempt: isEvictionExempt)
    #expect(
      eviction.versions == plan.versions
        && eviction.evictedBytes == plan.evictedBytes)
    #expect(eviction.freedBytes > 0)
    // The old version of page 1 is evicted first, then pages 1, 3 and 4.
    #expect(try isSaved(archive, 0..<10) == [0, 2, 5, 6, 7, 8, 9])
    #expect(try archive.maintenance.usage().bytes <= limits.bytes ?? 0)
    archive.close()
    try files.expectValidSegments()
    // Evicted pages do not reappear.
    try files.removeIndex()
    let rebuilt = files.open()
    #expect(try isSaved(rebuilt, 0..<10) == [0, 2, 5, 6, 7, 8, 9])
    for number in 5..<10 {
      let stored = try #require(try rebuilt.captures(of: Self.key(number)).first)
      #expect(try rebuilt.text(stored) == Self.noise(number))
    }
  }

  @Test func `records are counted once, whichever process reads them first`() throws {
    let status = try #require(try LocalFileSystem().status(of: files.directory.path))
    func state(_ seen: Int64) -> SegmentState {
      SegmentState(name: "m.warc.gz", indexedEnd: seen, status: status, firstRecordID: "first")
    }
    let index = try CaptureIndex(device: "m")
    try index.apply([], state(200), after: 0, ends: [100, 200])
    // Another process applies its results late, with one more record.
    try index.apply([], state(100), after: 0, ends: [100])
    #expect(try index.segment("m.warc.gz")?.indexedEnd == 200)
    try index.apply([], state(300), after: 100, ends: [200, 300])
    #expect(try index.summary().records == 3)
  }

  @Test func `the configured number of newest versions of each page is kept`() throws {
    let archive = files.open()
    for second in 0..<5 {
      for number in 0..<3 {
        try archive.save("text \(second)", at: Double(second), key: Self.key(number))
      }
    }
    let eviction = try archive.evict(
      StorageLimits(versions: 2), now: Archive.start + 10,
      isEvictionExempt: { $0 == Self.key(2) })
    #expect(eviction.versions == 6)
    #expect(try (0..<3).map { try archive.captures(of: Self.key($0)).count } == [2, 2, 5])
    let newest = try #require(try archive.captures(of: Self.key(0)).first)
    #expect(try archive.text(newest) == "text 4")
    #expect(
      try archive.evict(StorageLimits(versions: 2), now: Archive.start + 10).versions
        == 3)
  }

  @Test func `pages not used for the configured time are removed`() throws {
    let archive = files.open()
    for (number, seconds) in [(0, 0.0), (1, 100_000), (2, 0)] {
      try archive.save("text", at: seconds, key: Self.key(number))
    }
    archive.recordUse(of: Self.key(2), at: Archive.start + 90_000)
    let eviction = try archive.evict(
      StorageLimits(age: 86_400), now: Archive.start + 100_000)
    #expect(eviction.versions == 1)
    #expect(try isSaved(archive, 0..<3) == [1, 2])
    // The page is hidden immediately, but stays on the disk until the segments are rewritten.
    #expect(try archive.summary().removed == 1)
    let plan = try archive.compact(now: Archive.start, isDryRun: true)
    #expect(plan.removedBytes > 0 && plan.rewritten == 1)
    let result = try archive.compact(now: Archive.start)
    #expect(result.rewritten == 1 && result.freedBytes >= plan.removedBytes)
    #expect(try archive.summary().removed == 0)
    #expect(try archive.compact(now: Archive.start).rewritten == 0)
    #expect(try files.places(of: [Self.key(0)]) == [])
    archive.close()
    try files.expectValidSegments()
  }

  @Test func `limits are enforced while pages are saved`() throws {
    let archive = files.open(segmentLimit: 20_000)
    let now = Archive.start + 10_000
    archive.enforceAutomatically(
      StorageLimits(bytes: 30_000), isEvictionExempt: { $0 == Self.key(0) }, clock: { now })
    for number in 0..<20 {
      try archive.save(Self.noise(number), at: Double(number), key: Self.key(number))
    }
    archive.close()
    let reopened = files.open()
    #expect(try reopened.maintenance.usage().bytes <= 30_000)
    let saved = try isSaved(reopened, 0..<20)
    #expect(saved.first == 0 && saved.last == 19 && (3..<12).contains(saved.count))
    try files.expectValidSegments()
  }

  @Test func `the owner of a segment deletes pages that another device removed`() throws {
    let mine = files.open(device: "mine")
    try mine.save("marker", at: 0, key: Self.key(0))
    try mine.save("kept", at: 1, key: Self.key(1))
    try mine.record(
      StoredResponse.Check(date: Archive.start + 2, result: .status(500)), of: Self.key(0))
    mine.close()
    let theirs = files.open(device: "theirs")
    #expect(try theirs.remove(Self.key(0), now: Archive.start + 3).importedVersions == 1)
    theirs.close()
    let reopened = files.open(device: "mine")
    #expect(try reopened.captures(of: Self.key(0)) == [])
    let result = try reopened.compact(now: Archive.start + 4)
    #expect(result.rewritten == 1 && result.freedBytes > 0)
    reopened.close()
    #expect(try files.places(of: ["marker", Self.key(0)]) == [])
    #expect(try files.open().captures(of: Self.key(1)).count == 1)
    try files.expectValidSegments()
  }

  @Test func `small segments are joined, also after an interruption`() throws {
    let archive = files.open(segmentLimit: 1)
    for number in 0..<6 {
      try archive.save("text \(number)", at: Double(number), key: Self.key(number))
    }
    let first = try #require(try archive.captures(of: Self.key(1)).first)
    var head = first.response
    head.fields["X-Later"] = "yes"
    _ = try archive.refresh(
      first, with: head, requestTime: Archive.start + 8, responseTime: Archive.start + 9)
    archive.close()
    let names = try files.segments()
    #expect(names.count == 7)
    let second = try files.bytes(of: names[1])

    let joining = files.open()
    let keys = (0..<6).map(Self.key)
    let snapshotBefore = try joining.snapshot(keys)
    #expect(try joining.compact(now: Archive.start, isDryRun: true).joined == 6)
    #expect(try joining.compact(now: Archive.start).joined == 6)
    #expect(try files.segments() == [names[0], names[6]])
    #expect(try joining.snapshot(keys) == snapshotBefore)
    for stored in snapshotBefore.joined() { #expect(try joining.text(stored).hasPrefix("text ")) }
    joining.close()
    try files.expectValidSegments()

    // This is the state after a kill before this file was removed.
    try files.write(second, to: names[1])
    let reopened = files.open()
    #expect(try reopened.snapshot(keys) == snapshotBefore)
    // The last segment contains only the removed page.
    try reopened.remove(Self.key(1), now: Archive.start)
    #expect(try files.segments() == [names[0]])
    #expect(try files.places(of: [Self.key(1)]) == [])
    #expect(try reopened.captures(of: Self.key(5)).count == 1)
    reopened.close()
    try files.removeIndex()
    #expect(try isSaved(files.open(), 0..<6) == [0, 2, 3, 4, 5])
  }

  @Test func `verification reports damaged records`() throws {
    let archive = files.open()
    for number in 0..<5 {
      try archive.save(Self.noise(number), at: Double(number), key: Self.key(number))
    }
    let sound = try archive.verify()
    #expect(sound.isSound && sound.records == 6 && sound.digests == 6 && sound.segments == 1)
    let stored = try #require(try archive.captures(of: Self.key(2)).first)
    let location = try #require(archive.location(of: stored))
    var bytes = try files.bytes(of: location.file.lastPathComponent)
    bytes[Int(location.offset) + 2000] ^= 0x10
    try files.write(bytes, to: location.file.lastPathComponent)
    let result = try archive.verify()
    #expect(result.records == 5 && !result.isSound)
    let damage = try #require(result.damages.first)
    #expect(damage.file == location.file.lastPathComponent && damage.offset == location.offset)
    #expect(damage.url == Self.key(2) && result.damages.count == 1)
    #expect(throws: ArchiveError.stopped) { try archive.verify { _ in false } }
  }

  @Test func `verification reports an unreadable file and checks the others`() throws {
    let layer = FaultyFileSystem()
    let archive = Archive(
      location: files.location, device: "m", readOnly: false, segmentLimit: 3000, files: layer)
    for number in 0..<4 {
      try archive.save(Self.noise(number), at: Double(number), key: Self.key(number))
    }
    layer.fail(.max, by: .broken)
    let whole = try archive.verify()
    let count = layer.calls.count
    #expect(whole.isSound && whole.segments > 1)
    var named: Set<String> = []
    for number in 0..<count {
      layer.fail(number, by: .broken)
      // Verification is impossible without a directory listing.
      guard let result = try? archive.verify(), let damage = result.damages.first else { continue }
      named.insert(damage.file)
      #expect(result.damages.count == 1 && result.records <= whole.records)
      #expect(damage.offset > 0 || result.records > 0)
    }
    layer.heal()
    #expect(named.count == whole.segments)
    #expect(try archive.verify() == whole)
  }

  @Test func `archive statistics are correct, also after a rebuild`() throws {
    let archive = files.open(segmentLimit: 3000)
    for number in 0..<4 { try archive.save("a", at: Double(number), key: Self.key(number)) }
    try archive.save("b", at: 10, key: Self.key(0))
    try archive.save("b", at: 11, key: Self.key(0))
    try archive.save("c", at: 12, key: "https://other.org/")
    let summary = try archive.summary()
    #expect(summary.versions == 6 && summary.keys == 5 && summary.hosts == 2)
    #expect(
      summary.records == 7 + summary.segments && summary.ownSegments == summary.segments
    )
    #expect(summary.oldest == Archive.start && summary.newest == Archive.start + 12)
    #expect(summary.bytes > 0 && summary.indexBytes > 0 && summary.damaged == 0)
    let keys = (0..<4).map(Self.key) + ["https://other.org/"]
    let snapshotBefore = try archive.snapshot(keys)
    let otherArchive = files.open()
    let told = Mutex<[ArchiveProgress]>([])
    try archive.rebuild { progress in
      told.withLock { $0.append(progress) }
      return true
    }
    #expect(told.withLock { $0.last }.map { $0.done == $0.total } == true)
    #expect(try archive.snapshot(keys) == snapshotBefore)
    #expect(try otherArchive.snapshot(keys) == snapshotBefore)
    var rebuilt = try archive.summary()
    rebuilt.indexBytes = summary.indexBytes
    #expect(rebuilt == summary)
    #expect(throws: ArchiveError.stopped) { try archive.rebuild { _ in false } }
    #expect(try archive.snapshot(keys) == snapshotBefore)
    try archive.save("d", at: 20, key: Self.key(9))
    #expect(try otherArchive.captures(of: Self.key(9)).count == 1)
  }

  @Test func `concurrent saves, reads, removals and compactions lose nothing`() throws {
    let archives = (0..<4).map { _ in files.open(segmentLimit: 30_000) }
    let problems = Mutex<[String]>([])
    @Sendable func attempt(_ what: String, _ work: () throws -> Void) {
      do { try work() } catch { problems.withLock { $0.append("\(what): \(error)") } }
    }
    let count = 60
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      let archive = archives[worker]
      for number in 0..<count {
        switch worker {
        case 0, 1:
          attempt("save") {
            let key = Self.key(number * 2 + worker)
            let text = Self.noise(number * 2 + worker, length: 1500)
            let stored = try archive.save(text, at: Double(number), key: key)
            let content = try archive.text(stored)
            if content != text { problems.withLock { $0.append("wrong content of \(key)") } }
            if number % 5 == 4 { try archive.remove(key, now: Archive.start) }
          }
        case 2:
          attempt("read") {
            for stored in try archive.captures(of: Self.key(number)) {
              // The content may have been removed by now, but is never wrong.
              guard let content = try? archive.text(stored) else { continue }
              if content != Self.noise(number, length: 1500) {
                problems.withLock { $0.append("wrong content of \(stored.key)") }
              }
            }
          }
        default:
          if number % 12 == 0 { attempt("compact") { try archive.compact(now: Archive.start) } }
        }
      }
    }
    #expect(problems.withLock { $0 } == [])
    // Every fifth page of both workers was removed.
    let expected = (0..<count * 2).filter { ($0 / 2) % 5 != 4 }
    for archive in archives { #expect(try isSaved(archive, 0..<count * 2) == expected) }
    for archive in archives { #expect(archive.takeNotices() == []) }
    archives.forEach { $0.close() }
    try files.expectValidSegments()
    try files.removeIndex()
    let rebuilt = files.open()
    #expect(try isSaved(rebuilt, 0..<count * 2) == expected)
    for number in expected {
      let stored = try #require(try rebuilt.captures(of: Self.key(number)).first)
      #expect(try rebuilt.text(stored) == Self.noise(number, length: 1500))
    }
  }

  @Test func `several records in one gzip member are separated when some are removed`() throws {
    var member: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    for number in 0..<3 {
      var record = WARCRecord(
        .response, date: Archive.start, targetURI: Self.key(number),
        contentType: "application/http;msgtype=response")
      let block = Array("HTTP/1.1 200 OK\r\n\r\ntext \(number)".utf8)
      record.fields["Content-Length"] = String(block.count)
      deflater.deflate(record.bytes + block + [13, 10, 13, 10]) { member += $0 }
    }
    deflater.finish { member += $0 }
    try files.write(member, to: "m-20200101-000001.warc.gz")
    let archive = files.open()
    #expect(try isSaved(archive, 0..<3) == [0, 1, 2])
    try archive.remove(Self.key(1), now: Archive.start)
    #expect(try isSaved(archive, 0..<3) == [0, 2])
    for number in [0, 2] {
      let stored = try #require(try archive.captures(of: Self.key(number)).first)
      #expect(try archive.text(stored) == "text \(number)")
    }
    #expect(try files.places(of: [Self.key(1)]) == [])
    archive.close()
    try files.removeIndex()
    #expect(try isSaved(files.open(), 0..<3) == [0, 2])
  }

  @Test func `tombstones of any form are read or ignored`() {
    for fields in [[], ["<urn:uuid:A>"], ["x", "<y>"], [""], ["<"], ["\u{0}"]] {
      var record = WARCRecord(.metadata, date: Archive.start)
      for value in fields { record.fields.append("Offread-Evicted", value) }
      #expect(Tombstone(record).map(\.records.count) == (fields.isEmpty ? nil : fields.count))
    }
    let long = Tombstone(
      (0..<Tombstone.maxRecords).map { _ in UUID().uuidString.lowercased() }, isPermanent: true)
    let written = long.record(now: Archive.start).0
    #expect(written.bytes.count < WARCReader.maxHeadLength)
    #expect(WARCRecord(parsing: written.bytes).flatMap(Tombstone.init) == long)
  }
}
