@testable import Library
import Foundation
import Synchronization
import Testing

/// The times since which pages are pinned.
@Suite struct PinnedDateTests {
  private let files: LibraryDirectory
  private let key = "https://example.org/"

  init() throws {
    files = try LibraryDirectory()
  }

  private static func date(_ year: Int) -> Date {
    Date(timeIntervalSince1970: Double(year - 1970) * 31_556_952)
  }

  private func pin(_ library: PageLibrary, since date: Date?) throws {
    files.seconds.withLock { $0 += 10 }
    try library.record([LibraryChange(key, .pinned, PinnedDate.value(since: date))])
  }

  @Test func `a page is pinned since the earliest date of all lists`() throws {
    let library = files.open()
    let known = try pinnedDate(library, since: Self.date(2013))
    #expect(known == Self.date(2013))
    // Neither a later date nor an unknown one applies.
    #expect(try pinnedDate(library, since: Self.date(2015)) == known)
    #expect(try pinnedDate(library, since: nil) == known)
    #expect(try pinnedDate(library, since: Self.date(2010)) == Self.date(2010))
    // A page that is pinned again after it was unpinned is pinned since then.
    try library.record([LibraryChange(key, .pinned, nil)])
    #expect(try library.page(key).pinnedDate == nil)
    #expect(try pinnedDate(library, since: nil).map { $0 > LibraryDirectory.start } == true)
  }

  private func pinnedDate(_ library: PageLibrary, since date: Date?) throws -> Date? {
    try pin(library, since: date)
    return try library.page(key).pinnedDate
  }

  @Test(arguments: [
    nil, Date(timeIntervalSince1970: 0), Date.distantPast, Date.distantFuture,
    LibraryDirectory.start.addingTimeInterval(1e8),
  ])
  func `unknown dates and those in the future are the time of the import`(_ date: Date?) throws {
    let library = files.open()
    #expect(try pinnedDate(library, since: date) == LibraryDirectory.start.addingTimeInterval(10))
  }

  @Test func `a start page of a collection that is in a list is pinned by itself`() throws {
    let library = files.open()
    try library.record([LibraryChange(key, .pinned, PageCollection.startMarker)])
    #expect(try library.page(key).isPinnedAsStart)
    #expect(try pinnedDate(library, since: Self.date(2013)) == Self.date(2013))
    #expect(try !library.page(key).isPinnedAsStart)
  }
}
