import Foundation
import Library
package import OfflineCache
package import Profiles

/// The items of a feed in a list.
package struct FeedItems: Sendable, Equatable {
  /// The cache key of the feed.
  package var feed: String
  /// The title of the feed; the URL if the title is unknown.
  package var name: String
  /// The pages of the items, newest first.
  package var rows: [LibraryContents.Row]

  package init(feed: String, name: String, rows: [LibraryContents.Row]) {
    (self.feed, self.name, self.rows) = (feed, name, rows)
  }

  /// Returns the items of a feed.
  /// - Parameters:
  ///   - feed: The cache key of the feed.
  ///   - profile: The profile with the library.
  /// - Returns: All items of the feed.
  /// - Throws: `ArchiveError`.
  package static func all(of feed: String, in profile: Profile) throws(ArchiveError) -> FeedItems {
    let groups = try groups([feed], try profile.library.itemStates(of: feed), in: profile)
    return groups.first ?? FeedItems(feed: feed, name: feed, rows: [])
  }

  /// Returns the unread items of all feeds, the feed that was updated last first.
  /// - Throws: `ArchiveError`.
  package static func unread(in profile: Profile) throws(ArchiveError) -> [FeedItems] {
    let states = try profile.library.itemStates().filter(\.isUnread)
    let feeds = Set(states.map(\.feed)).sorted()
    let dates = try profile.cache.newest(of: feeds).mapValues(\.contentDate)
    return try groups(feeds, states, in: profile).sorted {
      (dates[$1.feed] ?? .distantPast, $0.feed) < (dates[$0.feed] ?? .distantPast, $1.feed)
    }
  }

  /// Returns items grouped by their feeds.
  private static func groups(
    _ feeds: [String], _ states: [FeedItemState], in profile: Profile
  ) throws(ArchiveError) -> [FeedItems] {
    let rows = Dictionary(
      try LibraryContents.rows(of: states.map(\.key), in: profile).map { ($0.key, $0) },
      uniquingKeysWith: { first, _ in first })
    let states = Dictionary(grouping: states, by: \.feed)
    // Items are listed even if the enclosures cannot be read.
    let enclosures = Dictionary(
      grouping: (try? EnclosureStatus.all(of: Set(feeds), in: profile)) ?? [], by: \.record.item)
    var groups: [FeedItems] = []
    for page in try profile.library.pages(feeds) {
      let records = try profile.library.itemRecords(of: page.key)
      let dates = Dictionary(
        records.compactMap { record in record.date.map { (record.page, $0) } },
        uniquingKeysWith: max)
      let items = (states[page.key] ?? []).compactMap { state in
        rows[state.key].map { row in
          var row = row
          row.unreadItemCount = state.isUnread ? state.count : 0
          row.enclosures = (enclosures[state.key] ?? []).filter { $0.record.feed == page.key }
            .prefix(maxEnclosures).map(\.text).joined(separator: ", ")
          row.publicationDate = dates[FeedItemRecord.digest(of: state.key)].map {
            Date(timeIntervalSince1970: TimeInterval($0))
          }
          return row
        }
      }
      groups.append(
        FeedItems(
          feed: page.key, name: page.title.isEmpty ? page.key : page.title,
          rows: newestFirst(items)))
    }
    return groups
  }

  /// The maximum number of enclosures that the row of an item names.
  private static let maxEnclosures = 2

  /// Returns rows sorted by the dates of publication, newest first. In the original order, a row
  /// without a date stays after the row that precedes it.
  private static func newestFirst(_ rows: [LibraryContents.Row]) -> [LibraryContents.Row] {
    var last = Date.distantFuture
    let dated = rows.enumerated().map { index, row in
      last = row.publicationDate ?? last
      return (row: row, date: last, index: index)
    }
    return dated.sorted { ($1.date, $0.index) < ($0.date, $1.index) }.map(\.row)
  }
}
