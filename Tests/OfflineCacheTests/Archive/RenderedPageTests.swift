import Foundation
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// The page as rendered by a browser is stored next to its versions, but is not one of them.
@Suite struct RenderedPageTests {
  let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  private static let page = "https://a.test/p"
  private static let marker = "what-scripts-made"

  @discardableResult
  private func render(
    _ archive: Archive, _ text: String = marker, of source: String?, at seconds: Double = 10
  ) throws -> StoredResponse {
    try archive.append(
      RenderedPage(
        key: Self.page, url: Self.page + "#x", browser: "chromium/156.0.1", source: source,
        date: Archive.start + seconds, content: Array("<p>\(text)".utf8)))
  }

  private func rendered(_ archive: Archive) throws -> [StoredResponse] {
    try archive.indexedVersions(of: RenderedPage.key(of: Self.page))
  }

  @Test func `a rendered page is found by its URL, with its creator and date`() throws {
    let archive = files.open()
    let page = try archive.save("<script>", at: 0, key: Self.page)
    let stored = try render(archive, of: page.id)
    #expect(try rendered(archive) == [stored])
    #expect(stored.browser == "chromium/156.0.1" && stored.renderedURL == Self.page + "#x")
    #expect(stored.contentDate == Archive.start + 10)
    #expect(stored.response.fields["Content-Type"] == "text/html; charset=utf-8")
    #expect(try archive.text(stored) == "<p>" + Self.marker)
  }

  @Test func `a rendered page is neither a version of the page nor a good copy`() throws {
    let archive = files.open()
    let page = try archive.save("<script>", at: 0, key: Self.page)
    let stored = try render(archive, of: page.id)
    #expect(!stored.isGood)
    #expect(try archive.captures(of: Self.page) == [page])
    #expect(try archive.keys(host: "a.test", limit: 9).map(\.key) == [Self.page])
    #expect(try archive.keys(from: "", limit: 9) == [Self.page])
    #expect(try archive.keys(prefix: "urn:", limit: 9) == [])
    #expect(try archive.readVersions(after: 0, limit: 9).map(\.stored.id) == [page.id, stored.id])
    #expect(try archive.recordedCaptures(after: 0, limit: 9)?.captures.map(\.key) == [Self.page])
  }

  @Test func `a rendered page is a resource record with its own URL that refers to the page`()
    throws
  {
    let archive = files.open()
    let page = try archive.save("<script>", at: 0, key: Self.page)
    try render(archive, of: page.id)
    archive.close()
    try files.expectValidSegments()
    let reader = try WARCReader(path: files.segment(try #require(try files.segments().first)).path)
    var records: [WARCRecord] = []
    while let entry = try reader.next() {
      if case .record(let record, _) = entry, record.kind == .resource { records.append(record) }
    }
    let record = try #require(records.first)
    #expect(records.count == 1)
    #expect(record.targetURI == "urn:rendered:" + Self.page + "#x")
    #expect(record.fields["WARC-Concurrent-To"] == "<urn:uuid:\(page.id)>")
    #expect(record.refersTo == nil, "not allowed in a resource record (ISO 28500)")
    #expect(record.fields["Content-Type"] == "text/html; charset=utf-8")
    #expect(record.fields["Offread-Rendered-By"] == "chromium/156.0.1")
  }

  @Test func `a rebuilt index contains the rendered page`() throws {
    let archive = files.open()
    let page = try archive.save("<script>", at: 0, key: Self.page)
    try render(archive, of: page.id)
    try render(archive, "anew", of: page.id, at: 11)
    let before = try rendered(archive)
    archive.close()
    try files.removeIndex()
    let reopened = files.open()
    #expect(try rendered(reopened) == before)
    #expect(before.map(\.contentDate) == [Archive.start + 11, Archive.start + 10])
    #expect(try reopened.captures(of: Self.page) == [page])
  }

  @Test(arguments: [1, 1 << 30] as [Int64])
  func `a rendered page is removed with its page from every file`(segmentLimit: Int64) throws {
    let archive = files.open(segmentLimit: segmentLimit)
    let page = try archive.save("<script>", at: 0, key: Self.page)
    try archive.save("kept", at: 1, key: "https://a.test/other")
    try render(archive, of: page.id)
    #expect(try archive.remove(Self.page, now: Archive.start + 20).versions == 2)
    #expect(try rendered(archive) == [])
    archive.close()
    #expect(try files.places(of: [Self.marker, Self.page]) == [])
    try files.removeIndex()
    let reopened = files.open()
    #expect(try rendered(reopened) == [])
    #expect(try reopened.captures(of: "https://a.test/other").count == 1)
  }

  @Test func `a rendered page is kept while its page is pinned, and evicted before pages`() throws {
    let archive = files.open()
    let page = try archive.save("<script>", at: 0, key: Self.page)
    try render(archive, of: page.id)
    try archive.save("other", at: 20, key: "https://a.test/other")
    var limits = StorageLimits()
    limits.bytes = 1
    _ = try archive.evict(limits, now: Archive.start + 30) { $0 == Self.page }
    #expect(try rendered(archive).count == 1)
    #expect(try archive.captures(of: "https://a.test/other") == [])
    _ = try archive.evict(limits, now: Archive.start + 30)
    #expect(try rendered(archive) == [])
  }
}
