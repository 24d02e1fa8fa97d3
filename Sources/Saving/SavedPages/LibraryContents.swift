import Reader
import Pages
import DOM
package import Profiles
import Library
package import Foundation
package import OfflineCache

/// The rows of the library list: saved, pinned and queued pages, and pages that the user has read.
package struct LibraryContents: Sendable, Equatable {
  /// A page in the list.
  package struct Row: Sendable, Equatable {
    /// The cache key of the page, which is a URL.
    package var key: String
    /// The title of the page, or empty.
    package var title = ""
    /// The date of the content of the saved copy; nil if none is saved.
    package var date: Date?
    /// The length of the saved copy in bytes.
    package var size: Int64 = 0
    /// Whether the page is pinned.
    package var isPinned = false
    /// The tags of the page, sorted.
    package var tags: [String] = []
    /// Whether the page is queued.
    package var isQueued = false
    /// The time before which the page is not requested; nil if there is no such time.
    package var retryAfter: Date?
    /// The time since which the server has reported the page as gone (404, 410), or nil.
    package var goneSince: Date?
    /// The time at which the user last read the page, and the position in percent (0 to 100); nil
    /// if the page was not read.
    package var reading: (date: Date, percent: Int)?

    /// The identifiers of the collections that the page is in, except removed ones.
    package var collections: [String] = []
    /// The time at which another program added the page, or nil.
    package var fromProgram: Date?
    /// The number of unread feed items that lead to the page; set only in lists of feed items.
    package var unreadItemCount = 0
    /// The time of publication of the feed item, or nil; set only in lists of feed items.
    package var publicationDate: Date?
    /// The kinds and playing times of the enclosures, or empty; set only in lists of feed items.
    package var enclosures = ""

    /// Whether the archive may contain the page: it is a web page, an item whose text is saved with
    /// its feed, or an imported book.
    fileprivate var mayBeSaved: Bool {
      key.isWebURL || FeedItemAddress(key) != nil || BookAddress(key)?.path.isEmpty ?? false
    }

    /// Creates a row that has only a key.
    package init(key: String) {
      self.key = key
    }

    /// Adds a reading of the page, or of the file as which it was imported, if it is the last one.
    fileprivate mutating func add(_ reading: ReadingHistory.Reading) {
      if reading.date >= self.reading?.date ?? .distantPast {
        self.reading = (reading.date, reading.percent)
      }
      if title.isEmpty { title = reading.title }
    }

    package static func == (left: Row, right: Row) -> Bool {
      left.key == right.key && left.title == right.title && left.date == right.date
        && left.size == right.size && left.isPinned == right.isPinned && left.tags == right.tags
        && left.isQueued == right.isQueued && left.retryAfter == right.retryAfter
        && left.reading?.date == right.reading?.date
        && left.reading?.percent == right.reading?.percent
        && left.fromProgram == right.fromProgram
        && left.goneSince == right.goneSince
        && left.collections == right.collections
        && left.unreadItemCount == right.unreadItemCount
        && left.publicationDate == right.publicationDate
        && left.enclosures == right.enclosures
    }
  }

  /// The rows, one for each page: queued pages in the order of the queue, then saved pages, newest
  /// first, then the others.
  package var rows: [Row]
  /// The collections, the one that was saved last first.
  package var collections: [CollectionStatus] = []
  /// The feeds that have unread items.
  package var unread = UnreadFeeds()

  package init(rows: [Row], collections: [CollectionStatus] = []) {
    (self.rows, self.collections) = (rows, collections)
  }

  /// A value for `limit` that suffices for the first screens and loads fast, however large the
  /// library is.
  package static let maxFirstRows = 200

  /// Collects the pages of a profile from the library and the search index, without indexing pages
  /// that were saved since.
  /// - Parameters:
  ///   - profile: the profile.
  ///   - limit: the maximum number of saved pages and the maximum number of pinned pages; the
  ///     newest ones are included.
  ///   - groups: the collections and feeds; nil to count them.
  /// - Throws: `ArchiveError`.
  package init(
    of profile: Profile, limit: Int = 5000, groups: LibraryGroups? = nil
  ) throws(ArchiveError) {
    var rows: [Row] = []
    var positions: [String: Int] = [:]
    func change(_ key: String, _ change: (inout Row) -> Void) {
      let position = positions[key] ?? rows.count
      if position == rows.count {
        rows.append(Row(key: key))
        positions[key] = position
      }
      change(&rows[position])
    }
    for page in try profile.library.pages(with: .queued) {
      change(page.key) { ($0.isQueued, $0.retryAfter) = (true, page.retryAfter) }
    }
    for page in try profile.search.recent(limit: limit) {
      change(page.key) { ($0.title, $0.date) = (page.title, page.date) }
    }
    let pinned = try profile.library.pages(with: .pinned, range: 0..<limit, order: .newestFirst)
    for page in pinned { change(page.key) { $0.isPinned = true } }
    let fromProgram = try profile.library.pages(
      with: .fromProgram, range: 0..<limit, order: .newestFirst)
    for page in fromProgram { change(page.key) { $0.fromProgram = page.fromProgram } }
    for reading in ReadingHistory(profile.readingLog.recent(limit: 500)).readings {
      // A file that was imported already has a row.
      let imported = reading.contentKey.flatMap { positions[$0] == nil ? nil : $0 }
      guard let key = imported ?? profile.rowKey(of: reading.url) else { continue }
      change(key) { $0.add(reading) }
    }
    let hidden = try Self.addFacts(to: &rows, in: profile)
    let groups = if let groups { groups } else { try LibraryGroups(in: profile) }
    collections = groups.collections
    unread = try UnreadFeeds(in: profile, with: groups.feeds)
    self.rows =
      hidden.isEmpty ? rows : rows.filter { !hidden.contains(BookAddress.key(of: $0.key)) }
  }

  /// Adds to rows what the library and the cache record about their pages.
  /// - Returns: the keys of the pages that are not listed.
  private static func addFacts(
    to rows: inout [Row], in profile: Profile
  ) throws(ArchiveError) -> Set<String> {
    let web = rows.indices.filter { rows[$0].mayBeSaved }
    var hidden: Set<String> = []
    for start in stride(from: 0, to: web.count, by: Self.batchSize) {
      let positions = web[start..<min(start + Self.batchSize, web.count)]
      let keys = positions.map { rows[$0].key }
      let saved = try profile.cache.newest(of: keys)
      let pages = try profile.library.pages(keys)
      for (index, page) in zip(positions, pages) {
        if try Self.isHidden(page, rows[index], in: profile) { hidden.insert(page.key) }
        rows[index].isPinned = page.pinnedDate != nil && !page.isPinnedAsStart
        rows[index].tags = page.tags
        rows[index].collections = page.membership.pageCollections
        if rows[index].title.isEmpty { rows[index].title = page.title }
        var copy = saved[page.key]
        if let redirect = copy, redirect.isRedirect {
          // A redirect is represented by the row of its target. It has its own row only if it is
          // pinned or queued itself.
          if !rows[index].isPinned, !rows[index].isQueued { hidden.insert(page.key) }
          copy = profile.cache.page(of: page.key)
        }
        rows[index].goneSince = page.goneSince(besides: copy)
        if FeedItemAddress(page.key) != nil { copy = profile.cache.page(of: page.feed) }
        rows[index].date = copy?.contentDate
        rows[index].size = copy?.length ?? 0
      }
    }
    if rows.contains(where: { !$0.collections.isEmpty }) {
      let ids = try profile.library.collectionIDs()
      for index in rows.indices { rows[index].collections.removeAll { !ids.contains($0) } }
    }
    return hidden
  }

  /// Returns whether a page has no row: its removal is pending, or it continues a text on several
  /// pages, which the row of the first page represents.
  private static func isHidden(
    _ page: LibraryPage, _ row: Row, in profile: Profile
  ) throws(ArchiveError) -> Bool {
    if page.removed != nil { return true }
    guard row.reading == nil, !row.isQueued else { return false }
    return try profile.library.isContinuation(page)
  }

  /// The number of pages that are looked up at once.
  private static let batchSize = 500
}

extension Profile {
  /// Returns the key of the row of a page that was read; nil for an invalid URL.
  func rowKey(of url: String) -> String? { url.isWebURL ? cache.key(of: url) : url }
}
