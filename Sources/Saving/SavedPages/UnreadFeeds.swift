import Foundation
import Library
import OfflineCache
import Profiles

/// The feeds with unread items. Only the first of them have rows in the library view.
package struct UnreadFeeds: Sendable, Equatable {
  /// The maximum number of rows for feeds in the library view.
  package static let maxRows = 8

  /// The feeds, beginning with the one that was updated last.
  package var feeds: [FeedStatus] = []
  /// The number of further feeds with unread items, and the total number of their unread items.
  package var otherFeedCount = 0, otherItemCount = 0

  /// The total number of unread items.
  package var items: Int { feeds.reduce(otherItemCount) { $0 + $1.counts.unread } }

  /// Creates the list from feeds; feeds beyond the maximum number of rows are only counted.
  package init(_ feeds: [FeedStatus] = []) {
    self.feeds = Array(feeds.prefix(Self.shownCount(of: feeds.count)))
    let others = feeds.dropFirst(self.feeds.count)
    (otherFeedCount, otherItemCount) = (others.count, others.reduce(0) { $0 + $1.counts.unread })
  }

  /// Looks up the feeds with unread items.
  /// - Parameters:
  ///   - profile: The profile with the library.
  ///   - counts: The numbers of all feeds by key.
  /// - Throws: `ArchiveError`.
  init(in profile: Profile, with counts: [String: GroupCounts]) throws(ArchiveError) {
    let unread = counts.filter { $0.value.unread > 0 }.sorted { one, other in
      (other.value.date ?? .distantPast, one.key) < (one.value.date ?? .distantPast, other.key)
    }
    let shown = unread.prefix(Self.shownCount(of: unread.count)).map(\.key)
    feeds = try FeedStatus.all(shown, with: counts, in: profile)
    let others = unread.dropFirst(shown.count)
    (otherFeedCount, otherItemCount) = (others.count, others.reduce(0) { $0 + $1.value.unread })
  }

  /// The number of feeds that get a row of their own. If there are too many feeds, the last row
  /// stands for the rest.
  private static func shownCount(of count: Int) -> Int { count > maxRows ? maxRows - 1 : count }
}
