@testable import Saving
import Exchange
import Foundation
import Library
import OfflineCache
import Profiles
import TestNetwork
import Testing

/// The dates and the order of the pages of imported lists.
@Suite struct ImportedDatesTests {
  private let files: TestProfile

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  @Test(arguments: [
    """
    <!DOCTYPE NETSCAPE-Bookmark-file-1>
    <DL><p><DT><A HREF="https://new.test/" ADD_DATE="1400000000000">New</A>
    <DT><A HREF="https://none.test/">None</A>
    <DT><A HREF="https://old.test/" ADD_DATE="1300000000">Old</A>
    <DT><A HREF="https://middle.test/" ADD_DATE="13000000000000000">Middle</A></DL>
    """,
    """
    title,url,time_added,tags,status
    New,https://new.test/,1400000000,,unread
    None,https://none.test/,,,unread
    Old,https://old.test/,1300000000,,unread
    Middle,https://middle.test/,1355526400,,unread
    """,
  ])
  func `pages have the dates of the list, and are listed in their order`(_ text: String) throws {
    let profile = files.open(SiteNetwork())
    defer { profile.close() }
    let file = files.directory.appendingPathComponent("list")
    try Data(text.utf8).write(to: file)
    let start = Date(timeIntervalSinceNow: -1)
    #expect(try LibraryImport(into: profile).run(file.path).pageCount == 4)
    let pages = try profile.library.pages(with: .pinned, range: 0..<10, order: .oldestFirst)
    #expect(
      pages.map(\.url)
        == ["https://old.test/", "https://middle.test/", "https://new.test/", "https://none.test/"])
    #expect(
      pages.prefix(3).map { $0.pinnedDate?.timeIntervalSince1970 } == [
        1_300_000_000, 1_355_526_400, 1_400_000_000,
      ])
    #expect(pages.last?.pinnedDate.map { $0 >= start } == true)
    // The pages of the list are still queued, since now.
    #expect(pages.allSatisfy { ($0.queuedDate ?? .distantPast) >= start })
  }
}
