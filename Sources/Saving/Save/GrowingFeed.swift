import Feeds
import OfflineCache

/// A feed whose older pages are being fetched.
struct GrowingFeed {
  /// The feed with the items of all pages read so far.
  var feed: Feed
  var request: FeedRequest
  var outcome: FeedOutcome
  /// Whether the feed is on the public network.
  var isPublic: Bool
  /// The number of pages read so far.
  var pageCount = 1
  /// The items of the last page that was read.
  var lastItems: [FeedItem]

  /// The maximum number of pages of a feed that are fetched.
  static let maxPages = 100

  init(_ feed: Feed, _ request: FeedRequest, _ outcome: FeedOutcome, isPublic: Bool) {
    (self.feed, self.request, self.outcome, self.isPublic) = (feed, request, outcome, isPublic)
    lastItems = feed.items
  }
}
