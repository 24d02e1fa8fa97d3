@testable import Saving
import Foundation
import Library
import OfflineCache
import TestNetwork
import TestSupport
import Testing
import WARC

@testable import Profiles

/// Searching the rendered text of pages.
@Suite final class RenderedSearchTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private let profile: Profile
  private static let page = "http://a.test/app"
  private static let start = Date(timeIntervalSince1970: 1_700_000_000)

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
    profile = files.open(network)
  }

  deinit { profile.close() }

  /// Saves a version of the page.
  private func save(
    _ text: String, at seconds: Double, mediaType: String = "text/html"
  ) throws {
    let path = files.directory.appendingPathComponent("\(seconds).warc")
    var bytes: [UInt8] = []
    let record = WARCRecord(
      .resource, date: Self.start + seconds, targetURI: Self.page, contentType: mediaType)
    try WARCWriter(compression: .none).write(record, block: Array(text.utf8)) { bytes += $0 }
    try Data(bytes).write(to: path)
    _ = try LibraryImport(into: profile).run(path.path)
  }

  private func render(_ text: String, at seconds: Double) throws {
    _ = try profile.cache.archive.append(
      RenderedPage(
        key: Self.page, url: Self.page, browser: "chromium/1", source: nil,
        date: Self.start + seconds, content: Array(text.utf8)))
  }

  private func hits(_ text: String) throws -> [SearchIndex.Hit] {
    try profile.search.catchUp()
    return try profile.search.search(SearchQuery(text, timeZone: .current), limit: 9)
  }

  @Test func `JSON that was saved as a page is found by its text`() throws {
    let url = "http://b.test/tides.json"
    network.add(url, #"{"title":"Neap tide"}"#, type: "application/json")
    #expect(PageSaver(SaveRequest(pages: [url]), in: profile).run().isComplete)
    #expect(try hits("neap").map(\.key) == [url])
  }

  @Test func `of imported JSON, a feed is found by the text of its items, other JSON is not`()
    throws
  {
    let feed =
      #"{"version":"https://jsonfeed.org/version/1","items":[{"id":"1","title":"Spring tide"}]}"#
    try save(feed, at: 0, mediaType: "application/json")
    #expect(try hits("spring tide").map(\.key) == [Self.page])
    try save(#"{"title":"Neap tide"}"#, at: 10, mediaType: "application/json")
    #expect(try hits("neap").isEmpty)
  }

  @Test func `a page is found by its rendered text, whenever it was rendered`() throws {
    try save("<title>App</title><div id=app></div>", at: 0)
    #expect(try hits("harbour").isEmpty)
    try render("<title>Tides</title><p>The harbour at dawn.", at: 10)
    let hit = try #require(try hits("harbour").first)
    #expect(hit.key == Self.page && hit.title == "Tides" && hit.date == Self.start)
    #expect(hit.snippet.contains("The harbour at dawn."))
    try render("<title>Tides</title><p>The harbour at dusk, and more of it.", at: 20)
    #expect(try hits("dawn").isEmpty)
    #expect(try hits("dusk").map(\.key) == [Self.page])
    // A new version has no more text than the previous one.
    try save("<title>App 2</title><div id=app></div>", at: 30)
    #expect(try hits("dusk").map(\.key) == [Self.page])
    try save("<title>App 3</title><p>" + String(repeating: "Text of its own. ", count: 9), at: 40)
    #expect(try hits("dusk").isEmpty)
    #expect(try hits("own").map(\.title) == ["App 3"])
  }

  @Test func `rendered text is removed with its page`() throws {
    try save("<title>App</title>", at: 0)
    try render("<p>The harbour at dawn.", at: 10)
    _ = try hits("harbour")
    _ = try PageRemoval(from: profile).remove(Self.page)
    #expect(try hits("harbour").isEmpty)
    #expect(profile.renderedDocument(of: Self.page, limit: 1 << 20) == nil)
  }
}
