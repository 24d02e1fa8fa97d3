@testable import Saving
import Exchange
import Foundation
import Library
import OfflineCache
import Profiles
import TestNetwork
import Testing

/// Lists that contain the texts of their pages.
@Suite struct ImportedTextsTests {
  private let files: TestProfile

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private static let text = String(repeating: "<p>Boats leave at noon.</p>", count: 40)

  private static func wallabag(_ text: String) -> String {
    """
    [{"is_archived": 0, "title": "Boats & bays", "url": "https://a.test/page", "content": "\(text)",
      "created_at": "2020-01-02T03:04:05+0000"}]
    """
  }

  private func run(_ list: String, _ profile: Profile) throws -> LibraryImport.Outcome {
    let file = files.directory.appendingPathComponent("list.json")
    try Data(list.utf8).write(to: file)
    return try LibraryImport(into: profile).run(file.path)
  }

  @Test(arguments: [
    wallabag(text),
    """
    {"items": [{"title": "Boats & bays", "published": 1577934245, "created": 1577934245,
      "alternate": [{"href": "https://a.test/page"}], "summary": {"content": "\(text)"}}]}
    """,
  ])
  func `the text of a page in a list can be read, and the page is queued`(_ list: String) throws {
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    let outcome = try run(list, profile)
    #expect(outcome.pageCount == 1 && outcome.queuedCount == 1)
    let saved = try #require(
      try profile.cache.archive.captures(of: "https://a.test/page").first)
    #expect(saved.contentDate == Date(timeIntervalSince1970: 1_577_934_245))
    let page = try profile.library.page("https://a.test/page")
    #expect(page.queuedDate != nil && page.title == "Boats & bays")
    // Importing the list again adds no version.
    _ = try run(list, profile)
    #expect(try profile.cache.archive.captures(of: "https://a.test/page").count == 1)
  }

  @Test func `a message that the page could not be fetched is not stored`() throws {
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    let message = "<p>The contents cannot be retrieved. Please <a href='/x'>report</a> it.</p>"
    #expect(try run(Self.wallabag(message), profile).queuedCount == 1)
    #expect(try profile.cache.archive.captures(of: "https://a.test/page").isEmpty)
  }
}
