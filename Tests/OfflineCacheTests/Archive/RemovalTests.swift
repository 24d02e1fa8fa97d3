import Foundation
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Removed pages disappear from every file, and nothing else does.
@Suite struct RemovalTests {
  let files: TemporaryArchive
  let key = "https://example.org/marker-url?q=secret"
  let otherKey = "https://example.org/other"

  init() throws {
    files = try TemporaryArchive()
  }

  private func fill(_ archive: Archive) throws -> StoredResponse {
    let fields = [("Content-Type", "text/html"), ("ETag", "\"marker-header\"")]
    let first = try archive.save("marker-content one", at: 0, key: key, fields: fields)
    try archive.save("kept", at: 1, key: otherKey)
    var head = first.response
    head.fields["X-Later"] = "marker-header too"
    _ = try archive.refresh(
      first, with: head, requestTime: Archive.start + 1, responseTime: Archive.start + 2)
    try archive.save("marker-content two", at: 3, key: key, fields: fields)
    try archive.save("marker-content two", at: 4, key: key, fields: fields)
    try archive.save("kept too", at: 5, key: otherKey)
    try archive.record(
      StoredResponse.Check(
        date: Archive.start + 6,
        result: .failed(TransportFailure(.timedOut, "marker-failure"))), of: key)
    try archive.save("marker-content bad", at: 7, key: key, status: 404)
    return try archive.save("kept last", at: 8, key: "https://other.org/")
  }

  private static let markers = [
    "marker-content", "marker-url", "marker-header", "marker-failure", "secret",
  ]

  @Test(arguments: [1, 1000, 1 << 30] as [Int64])
  func `a removed page is in no file`(segmentLimit: Int64) throws {
    let archive = files.open(segmentLimit: segmentLimit)
    let last = try fill(archive)
    // A leftover of a killed operation.
    try files.write(Array("marker-content".utf8), to: ".rewriting-m-20261121-000001.warc.gz")
    let ids = try archive.captures(of: key).map(\.id)
    let keptSnapshot = try archive.snapshot([otherKey, last.key])
    archive.close()
    #expect(try files.places(of: Self.markers + ids) != [])

    let reopened = files.open(segmentLimit: segmentLimit)
    let plan = try reopened.remove(key, now: Archive.start + 9, isDryRun: true)
    #expect(plan.versions == 3 && plan.bytes > 0)
    #expect(try reopened.captures(of: key).count == 3)
    let removal = try reopened.remove(key, now: Archive.start + 9)
    #expect(removal.versions == 3 && removal.importedVersions == 0 && removal.bytes > 0)
    // The page is also gone while the archive is open.
    #expect(try files.places(of: Self.markers) == [])
    #expect(try reopened.captures(of: key) == [])
    #expect(try reopened.snapshot([otherKey, last.key]) == keptSnapshot)
    #expect(
      try reopened.captures(of: otherKey).map { try reopened.text($0) } == ["kept too", "kept"])
    try reopened.save("marker-free", at: 10, key: key)
    #expect(try reopened.captures(of: key).map { try reopened.text($0) } == ["marker-free"])
    reopened.close()
    try files.expectValidSegments()

    try files.removeIndex()
    let rebuilt = files.open()
    #expect(try rebuilt.captures(of: key).count == 1)
    #expect(try rebuilt.snapshot([otherKey, last.key]) == keptSnapshot)
    #expect(try rebuilt.remove("https://example.org/none", now: Archive.start).versions == 0)
  }

  @Test func `shared content is saved separately before its original is removed`() throws {
    let body = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nshared"
    let digest = ArchiveForeignRecords.sha1("shared")
    let ids = (0..<4).map { _ in UUID() }
    let original = ArchiveForeignRecords.record(
      .response, ids[0], "http://a.test/original", second: 0, digest: digest)
    var bytes = try ArchiveForeignRecords.bytes(original, body)
    for (index, uri) in ["http://a.test/copy", "http://b.test/copy", "http://b.test/copy"]
      .enumerated()
    {
      var revisit = ArchiveForeignRecords.record(
        .revisit, ids[index + 1], uri, second: index + 1, digest: digest)
      revisit.fields.append("WARC-Profile", WARCRecord.identicalPayload)
      revisit.fields.append("WARC-Refers-To", "<urn:uuid:\(ids[0].uuidString.lowercased())>")
      revisit.fields.append("WARC-Refers-To-Target-URI", "http://a.test/original")
      bytes += try ArchiveForeignRecords.bytes(
        revisit, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    }
    // The file name is that of a segment of this device.
    try files.write(bytes, to: "m-20200101-000001.warc.gz")
    let archive = files.open()
    #expect(try archive.captures(of: "http://b.test/copy").count == 2)
    try archive.remove("http://a.test/original", now: Archive.start)
    func check(_ archive: Archive) throws {
      #expect(try archive.captures(of: "http://a.test/original") == [])
      for (key, seconds) in [("http://a.test/copy", [1]), ("http://b.test/copy", [3, 2])] {
        let captures = try archive.captures(of: key)
        #expect(captures.map { Int($0.contentDate.timeIntervalSince1970) % 60 } == seconds)
        #expect(try captures.map { try archive.text($0) } == captures.map { _ in "shared" })
      }
    }
    try check(archive)
    archive.close()
    #expect(try files.places(of: ["http://a.test/original"]) == [])
    try files.expectValidSegments()
    try files.removeIndex()
    try check(files.open())
  }

  @Test func `captures of another device are hidden, and the owner deletes them`()
    throws
  {
    let theirs = files.open(device: "other")
    try theirs.save("theirs", at: 0, key: key)
    try theirs.save("kept", at: 1, key: otherKey)
    theirs.close()
    let name = try #require(try files.segments().first)
    let before = try files.bytes(of: name)
    let mine = files.open(device: "mine")
    try mine.save("mine", at: 2, key: key)
    try mine.save("kept here", at: 2, key: otherKey)
    let removal = try mine.remove(key, now: Archive.start + 3)
    #expect(removal.versions == 2 && removal.importedVersions == 1)
    #expect(try mine.captures(of: key) == [])
    #expect(try files.bytes(of: name) == before)
    mine.close()
    try files.removeIndex()
    let rebuilt = files.open(device: "mine")
    #expect(try rebuilt.captures(of: key) == [])
    #expect(try rebuilt.captures(of: otherKey).count == 2)
    rebuilt.close()
    try files.expectValidSegments()
    #expect(try files.places(of: ["marker-url"]).allSatisfy { $0.contains(name) })
  }

  @Test
  func `unconfirmed removals of other devices apply only to their own segments`()
    throws
  {
    let mine = files.open(device: "mine")
    try mine.save("mine", at: 0, key: key)
    mine.close()
    let theirs = files.open(device: "other")
    try theirs.save("theirs", at: 1, key: otherKey)
    #expect(try theirs.remove(key, now: Archive.start + 2).importedVersions == 1)
    #expect(try theirs.remove(otherKey, now: Archive.start + 3).versions == 1)
    theirs.close()
    for isKnown in [false, true, false] {
      try files.removeIndex()
      let archive = files.open(device: "mine", mayRemove: { $0 == "other" && isKnown })
      #expect(try archive.captures(of: key).count == (isKnown ? 0 : 1))
      #expect(try archive.captures(of: otherKey) == [])
      archive.close()
    }
  }

  @Test(arguments: [1, 1 << 30] as [Int64])
  func `pages with shared content are removed together, and content needed by others is kept`(
    segmentLimit: Int64
  ) throws {
    let archive = files.open(segmentLimit: segmentLimit)
    let last = try fill(archive)
    for number in 0..<3 {
      try archive.save("marker-content", at: 10 + Double(number), key: "\(key)&n=\(number)")
    }
    try archive.save("marker-content", at: 14, key: "https://needs.org/")
    try archive.save(
      "", at: 15, key: "https://example.org/to", status: 301, fields: [("Location", key)])
    let keptSnapshot = try archive.snapshot([otherKey, last.key])
    let keys = [key, "https://example.org/none", "\(key)&n=0", "\(key)&n=2"]
    let plan = try archive.remove(keys, now: Archive.start + 20, isDryRun: true)
    let removals = try archive.remove(keys, now: Archive.start + 20)
    #expect(removals.map(\.key) == keys)
    #expect(removals.map(\.versions) == [3, 0, 1, 1] && removals == plan)
    #expect(removals[0].redirects == ["https://example.org/to"])
    for key in keys { #expect(try archive.captures(of: key) == []) }
    #expect(try archive.snapshot([otherKey, last.key]) == keptSnapshot)
    archive.close()
    #expect(try files.places(of: ["marker-header", "marker-failure", "n=0", "n=2"]) == [])
    try files.expectValidSegments()
    for isRebuilt in [false, true] {
      if isRebuilt { try files.removeIndex() }
      let reopened = files.open()
      #expect(try reopened.snapshot([otherKey, last.key]) == keptSnapshot)
      for left in ["https://needs.org/", "\(key)&n=1"] {
        #expect(try reopened.captures(of: left).map { try reopened.text($0) } == ["marker-content"])
      }
      reopened.close()
    }
  }

  @Test func `nothing is removed from a read-only archive`() throws {
    let archive = files.open()
    try archive.save("one", at: 0)
    archive.close()
    let readOnly = files.open(readOnly: true)
    #expect(throws: ArchiveError.unwritable("the archive was opened for reading only")) {
      try readOnly.remove("https://example.org/", now: Archive.start)
    }
  }

  @Test func `a stopped removal leaves the archive intact, and the next one completes it`()
    throws
  {
    let archive = files.open()
    _ = try fill(archive)
    let keptSnapshot = try archive.snapshot([otherKey])
    #expect(throws: ArchiveError.stopped) {
      try archive.remove(key, now: Archive.start + 9, progress: { _ in false })
    }
    #expect(try archive.snapshot([otherKey]) == keptSnapshot)
    archive.close()
    let reopened = files.open()
    #expect(try reopened.captures(of: otherKey).count == 2)
    try reopened.save("marker-content again", at: 10, key: key)
    _ = try reopened.remove(key, now: Archive.start + 11)
    #expect(try files.places(of: Self.markers) == [])
    #expect(try reopened.snapshot([otherKey]) == keptSnapshot)
  }

  @Test func `leftovers of an interrupted removal are removed by the next one`() throws {
    let archive = files.open()
    _ = try fill(archive)
    #expect(throws: ArchiveError.stopped) {
      // The removal is stopped while the segment is copied. By then, the page is hidden.
      try archive.remove(
        key, now: Archive.start + 9, progress: { $0.total == 0 })
    }
    #expect(try archive.captures(of: key) == [])
    archive.close()
    #expect(try files.places(of: ["marker-content"]) != [])
    try files.removeIndex()
    let reopened = files.open()
    let removal = try reopened.remove(key, now: Archive.start + 10)
    #expect(removal.versions == 3 && removal.bytes > 0)
    #expect(try files.places(of: Self.markers) == [])
    #expect(try reopened.captures(of: otherKey).count == 2)
    #expect(try reopened.remove(key, now: Archive.start + 11).versions == 0)
  }

  @Test func `evicted versions of a page are removed with it`() throws {
    let archive = files.open(segmentLimit: 1)
    try archive.save("marker-content one", at: 0, key: key)
    try archive.save("marker-content two", at: 100_000, key: key)
    try archive.save("kept", at: 100_001, key: otherKey)
    let eviction = try archive.evict(
      StorageLimits(age: 86_400), now: Archive.start + 100_002)
    #expect(eviction.versions == 1)
    #expect(try archive.remove(key, now: Archive.start + 100_003).versions == 2)
    #expect(try files.places(of: Self.markers) == [])
    #expect(try archive.captures(of: otherKey).map { try archive.text($0) } == ["kept"])
    archive.close()
    try files.expectValidSegments()
  }

  @Test func `redirects that lead only to a page are removed with it, and so are invalidations`()
    throws
  {
    let archive = files.open(segmentLimit: 1)
    let from = "https://example.org/"
    func redirect(_ key: String, at seconds: Double, to location: String) throws {
      try archive.save("", at: seconds, key: key, status: 302, fields: [("Location", location)])
    }
    try redirect("https://t.test/alias-1", at: 0, to: from + "alias-2")
    try redirect(from + "alias-2", at: 1, to: "/marker-url?q=secret")
    try redirect(from + "alias-2", at: 2, to: "https://example.org/marker-url?q=secret#part")
    try redirect(from + "elsewhere", at: 3, to: "/other")
    // These keys were a page, or redirected elsewhere, before.
    try archive.save("page", at: 4, key: from + "page")
    try redirect(from + "moved", at: 5, to: "/other")
    _ = try fill(archive)
    try archive.invalidate(key, by: "POST", at: Archive.start + 20)
    try redirect(from + "page", at: 21, to: "/other")
    let keptKeys = [from + "page", from + "moved", from + "elsewhere", otherKey]
    let snapshotBefore = try archive.snapshot(keptKeys)
    let removal = try archive.remove(key, now: Archive.start + 22)
    #expect(removal.redirects == [from + "alias-2", "https://t.test/alias-1"])
    #expect(try files.places(of: Self.markers + ["alias-1", "alias-2"]) == [])
    #expect(try archive.snapshot(keptKeys) == snapshotBefore)
    #expect(try archive.invalidation(of: key) == nil)
    archive.close()
    try files.expectValidSegments()
    try files.removeIndex()
    let rebuilt = files.open()
    #expect(try rebuilt.snapshot(keptKeys) == snapshotBefore)
    #expect(try rebuilt.captures(of: from + "alias-2") == [])
  }

  @Test func `damaged sections and records of other types survive a removal`() throws {
    let archive = files.open()
    try archive.save("first", at: 0, key: otherKey)
    try archive.save("damaged", at: 1, key: "https://damaged.org/")
    try archive.save("goes", at: 2, key: key)
    try archive.save("last", at: 3, key: "https://last.org/")
    let name = try #require(try files.segments().first)
    let stored = try #require(try archive.captures(of: "https://damaged.org/").first)
    let location = try #require(archive.location(of: stored)).offset
    archive.close()
    var bytes = try files.bytes(of: name)
    for index in Int(location) + 40..<Int(location) + 60 { bytes[index] ^= 0xFF }
    try files.write(bytes, to: name)
    let reopened = files.open()
    _ = try reopened.remove(key, now: Archive.start + 4)
    #expect(try reopened.captures(of: otherKey).map { try reopened.text($0) } == ["first"])
    #expect(
      try reopened.captures(of: "https://last.org/").map { try reopened.text($0) } == ["last"])
    let left = try files.bytes(of: name)
    let damaged = Array(bytes[Int(location)..<Int(location) + 80])
    #expect(Data(left).range(of: Data(damaged)) != nil)
    #expect(try files.places(of: ["marker-url"]) == [])
  }
}
