import GRDB

/// The read state of a page to which a feed item leads, for lists of feeds.
package struct FeedItemState: Sendable, Equatable {
  /// The cache key of the feed.
  package var feed: String
  /// The cache key of the page to which the item leads.
  package var key: String
  package var isUnread: Bool
  /// The number of unread items that lead to the page; 1 if the page is read.
  package var count: Int
}
