import Feeds
import OfflineCache

/// A request to fetch a feed and the pages of its new items.
package struct FeedRequest: Sendable, Equatable {
  /// The absolute URL of the feed or, if `isNew` is set, of a page that links to it.
  package var url: String
  /// The maximum number of items, or 0 for all; nil for the default.
  package var maxItems: Int?
  /// Whether the request follows the feed, which was not followed before.
  package var isNew: Bool
  /// Whether the URL was found in a page.
  var isDiscovered = false
  /// The other feed URLs in the page in which `url` was found. They are requested if the response
  /// from `url` is not a feed. Empty unless `isDiscovered` is true.
  var otherFeeds: [String] = []
  /// The URL at which the feed has been followed until now, if the feed there names `url` as its
  /// new URL; otherwise nil.
  var formerURL: String?
  /// Whether the feed at `formerURL` remains followed, without a report, if the response from `url`
  /// is not a feed.
  var isOptional = false

  /// The cache key of the feed if this is a request for one of its older pages; otherwise nil.
  var newestPage: String?

  /// Creates a request.
  package init(_ url: String, maxItems: Int? = nil, isNew: Bool = false) {
    self.url = url
    self.maxItems = maxItems
    self.isNew = isNew
  }
}

/// A response to the request for a feed.
struct FeedResponse {
  var request: FeedRequest
  /// The parsed page; nil if it could not be read.
  var links: PageLinks?
  var outcome: SaveOutcome
  /// The target of the permanent redirects at the start of the chain; nil if there are none.
  var permanentTarget: String?
  /// The refresh target of a page that was received instead of the feed; nil if there is none.
  var refreshTarget: WebURL?
  /// Whether the feed is on the public network.
  var isPublic: Bool
}

/// The outcome of fetching a feed.
package struct FeedOutcome: Sendable, Equatable {
  /// The absolute URL.
  package var url: String
  /// The title, or empty.
  package var title = ""
  /// The number of new items.
  package var newItemCount = 0
  /// The number of new items that the settings hide.
  package var hiddenItemCount = 0
  /// The number of items that are retained.
  package var retainedItemCount = 0
  /// The number of enclosures that are to be fetched and were not known before.
  package var newEnclosureCount = 0
  /// The number of enclosures of unread items that were omitted, because the item has too many, or
  /// because their URL or media type is too long.
  package var omittedEnclosureCount = 0
  /// The reason why enclosures could not be recorded, or nil.
  package var enclosureProblem: String?
  /// The reason why the items could not be read; nil if they were read.
  package var problem: String?
  /// The reason why older items could not be fetched although they were wanted, or nil.
  package var olderProblem: String?
  /// The URL at which the feed is followed from now on, because of a permanent redirect or because
  /// the feed itself names this URL; otherwise nil.
  package var newURL: String?
  /// Whether the feed fails for the same lasting reason that an earlier run has already reported.
  package var isExcused = false
  /// Whether the outcome of the feed's page reports the problem as well.
  package var isReportedAsPage = false
}

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
