import Foundation
import TestFiles
import Testing

@testable import OfflineCache

@Suite("Limits in bytes and compacting, as an application uses them")
struct StorageLimitTests {
  /// A cache with three pages of 100 kB that do not compress.
  private static func filled() -> CacheFixture {
    var state: UInt64 = 1
    let texts = (0..<3).map { _ in
      String(
        decoding: (0..<100_000).map { _ -> UInt8 in
          state = state &* 6_364_136_223_846_793_005 &+ 1
          return UInt8(state >> 58) + 48
        }, as: UTF8.self)
    }
    let transport = ScriptedTransport { request in
      .answer(200, [], texts[Int(request.url.description.suffix(1)) ?? 0])
    }
    let fixture = CacheFixture(transport)
    for number in 0..<3 {
      fixture.load("http://a.test/\(number)")
      fixture.advance(100)
    }
    return fixture
  }

  private static func isSaved(_ number: Int, in fixture: CacheFixture) -> Bool {
    fixture.load("http://a.test/\(number)") { $0.mode = .cacheOnly }.error == nil
  }

  private static func size(of fixture: CacheFixture) throws -> Int {
    let folder = fixture.folder.appendingPathComponent("archive")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".warc.gz") }
      .map { try Data(contentsOf: folder.appendingPathComponent($0)).count }.reduce(0, +)
  }

  @Test("a limit in bytes is kept: the oldest page goes, the kept one never")
  func limit() throws {
    let fixture = Self.filled()
    let before = try Self.size(of: fixture)
    let limit = Int64(before) - 50_000
    try fixture.cache.archive.evict(
      StorageLimits(bytes: limit), now: fixture.now, isKept: { $0 == "http://a.test/0" })
    #expect(try Self.size(of: fixture) <= limit)
    #expect(Self.isSaved(0, in: fixture) && !Self.isSaved(1, in: fixture))
    #expect(Self.isSaved(2, in: fixture))
  }

  @Test("compacting tells what it would do, and then does it")
  func compaction() throws {
    let fixture = Self.filled()
    let limits = StorageLimits(age: 150)
    let before = try Self.size(of: fixture)
    let expected = try fixture.cache.archive.compact(
      limits: limits, now: fixture.now, isDryRun: true)
    #expect(expected.evicted > 0)
    #expect(try Self.size(of: fixture) == before)
    let done = try fixture.cache.archive.compact(limits: limits, now: fixture.now)
    #expect(done.evicted == expected.evicted)
    #expect(try Self.size(of: fixture) < before)
  }
}
