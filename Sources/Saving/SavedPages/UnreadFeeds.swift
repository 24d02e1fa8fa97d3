import Foundation
import Library
package import OfflineCache
package import Profiles

/// The feeds with unread items. Only the first of them are looked up completely, because the
/// library view shows them on opening.
package struct UnreadFeeds: Sendable, Equatable {
  /// The maximum number of rows for feeds in the library view.
  package static let maxRows = 8

  /// The feeds, beginning with the one that was updated last.
  package var feeds: [FeedStatus] = []
  /// The number of further feeds with unread items, and the total number of their unread items.
  package var otherFeedCount = 0, otherItemCount = 0

  /// The total number of unread items.
  package var items: Int { feeds.reduce(otherItemCount) { $0 + $1.unreadCount } }

  /// Creates the list from feeds; feeds beyond the maximum number of rows are only counted.
  package init(_ feeds: [FeedStatus] = []) {
    self.feeds = Array(feeds.prefix(Self.shownCount(of: feeds.count)))
    let others = feeds.dropFirst(self.feeds.count)
    (otherFeedCount, otherItemCount) = (others.count, others.reduce(0) { $0 + $1.unreadCount })
  }

  /// Looks up the feeds with unread items.
  /// - Parameter profile: The profile with the library.
  /// - Throws: `ArchiveError`.
  package init(in profile: Profile) throws(ArchiveError) {
    let counts = try profile.library.unreadCounts()
    guard !counts.isEmpty else { return }
    let dates = try profile.cache.newestContents(of: counts.keys).mapValues(\.date)
    let keys = counts.keys.sorted {
      (dates[$1] ?? .distantPast, $0) < (dates[$0] ?? .distantPast, $1)
    }
    let shown = Array(keys.prefix(Self.shownCount(of: keys.count)))
    var states: [FeedItemState] = []
    for key in shown { states += try profile.library.itemStates(of: key) }
    feeds = try FeedStatus.statuses(of: shown, states, in: profile)
    let others = keys.dropFirst(shown.count)
    (otherFeedCount, otherItemCount) = (others.count, others.reduce(0) { $0 + (counts[$1] ?? 0) })
  }

  /// The number of feeds that get a row of their own. If there are too many feeds, the last row
  /// stands for the rest.
  private static func shownCount(of count: Int) -> Int { count > maxRows ? maxRows - 1 : count }
}
