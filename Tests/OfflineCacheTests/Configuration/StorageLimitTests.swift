import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Size limits and compaction in an application")
struct StorageLimitTests {
  /// Returns a cache with three incompressible pages of 100 kB.
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
      .response(200, [], texts[Int(request.url.description.suffix(1)) ?? 0])
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
    let directory = fixture.directory.appendingPathComponent("archive")
    return try FileManager.default.contentsOfDirectory(atPath: directory.path)
      .filter { $0.hasSuffix(".warc.gz") }
      .map { try Data(contentsOf: directory.appendingPathComponent($0)).count }.reduce(0, +)
  }

  @Test func `a size limit removes the oldest page, and never a pinned one`() throws {
    let fixture = Self.filled()
    let before = try Self.size(of: fixture)
    let limit = Int64(before) - 50_000
    try fixture.cache.archive.evict(
      StorageLimits(bytes: limit), now: fixture.now,
      isEvictionExempt: { $0 == "http://a.test/0" })
    #expect(try Self.size(of: fixture) <= limit)
    #expect(Self.isSaved(0, in: fixture) && !Self.isSaved(1, in: fixture))
    #expect(Self.isSaved(2, in: fixture))
  }

  @Test func `compaction can be previewed and then performed`() throws {
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

  @Test func `the size limit holds after every saved response`() throws {
    let response = 300_000
    let transport = ScriptedTransport { request in
      let number = UInt64(request.url.path.dropFirst()) ?? 0
      return .response(200, [], Self.noise(response, seed: number))
    }
    let limit: Int64 = 2_000_000
    let fixture = CacheFixture(transport) { $0.limits = StorageLimits(bytes: limit) }
    for number in 1...40 {
      #expect(fixture.load("http://a.test/\(number)").stored != nil)
      #expect(try Self.size(of: fixture) <= Int(limit), "after \(number) answers")
      fixture.advance(1)
    }
    #expect(fixture.load("http://a.test/40") { $0.mode = .cacheOnly }.error == nil)
    #expect(fixture.load("http://a.test/1") { $0.mode = .cacheOnly }.error == .notSaved)
    // The limit is used up, not enforced by removing everything.
    #expect(try fixture.cache.usage().keys >= 4)
  }

  @Test func `the size limit holds for many concurrent responses`() throws {
    let transport = ScriptedTransport { request in
      .response(200, [], Self.noise(100_000, seed: UInt64(request.url.path.dropFirst()) ?? 0))
    }
    let limit: Int64 = 1_000_000
    let fixture = CacheFixture(transport) { $0.limits = StorageLimits(bytes: limit) }
    let records = (1...40).map { fixture.begin("http://a.test/\($0)") }
    for record in records { #expect(record.waitForEnd().error == nil) }
    fixture.cache.finishBackgroundWork(timeout: 60)
    #expect(try Self.size(of: fixture) <= Int(limit))
  }

  @Test func `excess versions are hidden when the next is saved, except for pinned pages`() throws {
    let count = Mutex(0)
    let transport = ScriptedTransport { _ in
      .response(200, [], "text \(count.withLock { $0 += 1; return $0 }) of a page")
    }
    let fixture = CacheFixture(transport) {
      $0.limits = StorageLimits(versions: 2)
      $0.exemptFromEviction { $0 == WebURL("http://a.test/kept") }
    }
    for path in ["page", "kept"] {
      for number in 1...5 {
        fixture.load("http://a.test/\(path)") { $0.isReload = true }
        fixture.advance(10)
        let url = try #require(WebURL("http://a.test/\(path)"))
        let versions = try fixture.cache.versions(of: url)
        #expect(versions.count == (path == "kept" ? number : min(number, 2)))
      }
    }
    fixture.cache.close()
    try FileManager.default.removeItem(at: fixture.cache.configuration.location.index)
    let reopened = CacheFixture(transport, in: fixture.directory)
    #expect(try reopened.cache.versions(of: try #require(WebURL("http://a.test/page"))).count == 2)
  }

  /// Returns a cache with a limit of 3 MB and three pages of half a megabyte each. The response to
  /// another URL has as many bytes as its query: `/5` is an error, `/6` is compressible.
  private static func nearlyFull(
    isEvictionExempt: @escaping @Sendable (String) -> Bool = { _ in false }
  )
    -> CacheFixture
  {
    let transport = ScriptedTransport { request in
      let number = UInt64(request.url.path.dropFirst()) ?? 0
      let length = request.url.query.flatMap { Int($0) } ?? 700_000
      let text =
        number == 6 ? String(repeating: "word ", count: length / 5) : noise(length, seed: number)
      return .response(number == 5 ? 404 : 200, [("Content-Length", "\(text.utf8.count)")], text)
    }
    let fixture = CacheFixture(transport) {
      $0.limits = StorageLimits(bytes: 3_000_000)
      $0.isEvictionExempt = isEvictionExempt
    }
    for number in 1...3 {
      fixture.load("http://a.test/\(number)")
      fixture.advance(1)
    }
    return fixture
  }

  /// The numbers of the pages that are still saved.
  private static func pages(of fixture: CacheFixture) -> [Int] {
    (1...3).filter { isSaved($0, in: fixture) }
  }

  @Test func `a response longer than the limit evicts nothing`() {
    let fixture = Self.nearlyFull()
    #expect(fixture.load("http://a.test/4?5000000").stored == nil)
    #expect(Self.pages(of: fixture) == [1, 2, 3])
  }

  @Test func `only as much is evicted as a response needs`() {
    let fixture = Self.nearlyFull()
    let load = fixture.load("http://a.test/4?2000000")
    #expect(load.stored != nil)
    #expect(load.cacheStatus?.contains("stored") == true)
    #expect(Self.pages(of: fixture) == [2, 3])
    #expect(fixture.load("http://a.test/4?2000000") { $0.mode = .cacheOnly }.error == nil)
  }

  @Test func `a response that does not fit with the pinned pages is shown, and evicts nothing`()
    throws
  {
    let fixture = Self.nearlyFull { $0 == "http://a.test/1" || $0 == "http://a.test/2" }
    let load = fixture.load("http://a.test/4?2800000")
    #expect(load.error == nil && load.stored == nil)
    #expect(load.cacheStatus?.contains("stored") == false)
    #expect(Self.pages(of: fixture) == [1, 2, 3])
    let warning = try #require(fixture.cache.warning)
    guard case .limitExceeded = warning else { throw warning }
    // A smaller response replaces the page that is not pinned.
    #expect(fixture.load("http://a.test/4?2000000").stored != nil)
    #expect(Self.pages(of: fixture) == [1, 2])
  }

  @Test func `the compressed size of a response counts`() {
    let fixture = Self.nearlyFull { $0 != "http://a.test/6?2900000" }
    #expect(fixture.load("http://a.test/6?2900000").stored != nil)
    #expect(Self.pages(of: fixture) == [1, 2, 3])
  }

  @Test func `an error response evicts no page`() {
    let fixture = Self.nearlyFull()
    let load = fixture.load("http://a.test/5?2500000")
    #expect(load.error == nil && load.stored == nil)
    #expect(load.cacheStatus?.contains("stored") == false)
    #expect(Self.pages(of: fixture) == [1, 2, 3])
  }

  /// Incompressible text.
  private static func noise(_ count: Int, seed: UInt64) -> String {
    var random = SplitMix64(seed: seed)
    return String(decoding: (0..<count).map { _ in UInt8(random.next() >> 58) + 48 }, as: UTF8.self)
  }
}
