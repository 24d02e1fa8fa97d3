import DOM
import Foundation
import Library
package import OfflineCache
package import Profiles

extension LibraryContents {
  /// Returns the rows of pages, in their order, without those whose removal is pending.
  /// - Parameters:
  ///   - keys: the cache keys of the pages.
  ///   - profile: the profile.
  /// - Returns: the rows.
  /// - Throws: `ArchiveError`.
  package static func rows(
    of keys: [String], in profile: Profile
  ) throws(ArchiveError) -> [Row] {
    let newestVersions = try profile.cache.newest(of: keys)
    let titles = (try? profile.search.titles(of: keys)) ?? [:]
    var readings: [String: (date: Date, percent: Int)] = [:]
    for record in profile.readingLog.recent(limit: 2000).reversed() {
      if let key = profile.rowKey(of: record.url) {
        readings[key] = (record.date, record.percent)
      }
    }
    let pages = try profile.library.pages(keys).filter { $0.removed == nil }
    let feeds = try profile.cache.newest(
      of: Set(pages.lazy.filter { FeedItemAddress($0.key) != nil }.map(\.feed)))
    return pages.map { page in
      var row = Row(key: page.key)
      let title = titles[page.key] ?? ""
      // The items of a feed are listed with the titles that the feed gives them.
      let isItem = !page.feed.isEmpty && !page.title.isEmpty
      row.title = title.isEmpty || isItem ? page.title : title
      row.date = newestVersions[page.key]?.contentDate
      row.size = newestVersions[page.key]?.length ?? 0
      // The text of an item without a page of its own is saved with its feed.
      if let feed = feeds[page.feed], FeedItemAddress(page.key) != nil {
        (row.date, row.size) = (feed.contentDate, feed.length)
      }
      (row.isPinned, row.tags) = (page.pinnedDate != nil && !page.isPinnedAsStart, page.tags)
      (row.isQueued, row.retryAfter) = (page.queuedDate != nil, page.retryAfter)
      (row.goneSince, row.reading) = (page.goneSince, readings[page.key])
      return row
    }
  }
}
