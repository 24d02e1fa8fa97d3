import Feeds
import Reader

/// A feed that is fetched, with the pages of its new items.
package struct FeedRequest: Sendable, Equatable {
  /// Its absolute URL; when it is to be followed from now on also that of a page that names it.
  package var url: String
  /// How many items stay, 0 for all; nil for the default.
  package var mostItems: Int?
  /// Whether it is to be followed from now on.
  package var isNew: Bool
  /// Whether a page named it.
  var isDiscovered = false

  /// Of an older page of a feed, the cache key of the feed.
  var newestPage: String?

  /// Asks for a feed; see the members.
  package init(_ url: String, mostItems: Int? = nil, isNew: Bool = false) {
    self.url = url
    self.mostItems = mostItems
    self.isNew = isNew
  }
}

/// What came of a feed.
package struct FeedOutcome: Sendable, Equatable {
  /// Its absolute URL.
  package var url: String
  /// Its title, or empty.
  package var title = ""
  /// How many items are new.
  package var new = 0
  /// How many items stay from now on.
  package var items = 0
  /// Why its items could not be looked at, or nil.
  package var problem: String?
  /// Why its older items could not be fetched although they were asked for, or nil.
  package var olderProblem: String?
  /// Where it is followed from now on, as its server redirects there permanently, or nil.
  package var newURL: String?
  /// Whether the feed is gone, as an earlier run has reported.
  package var isExcused = false
  /// Whether what came of it as a page says so, too.
  package var isToldAsPage = false
}

/// A feed of which older pages are being fetched.
struct GrowingFeed {
  /// The feed with the items of all pages so far.
  var feed: Feed
  var request: FeedRequest
  var outcome: FeedOutcome
  /// Whether it is on the public network.
  var isPublic: Bool
  /// How many pages were read.
  var pages = 1
  /// The items of the page that was read last.
  var lastItems: [FeedItem]

  /// The maximum number of pages of one feed.
  static let maxPages = 100

  init(_ feed: Feed, _ request: FeedRequest, _ outcome: FeedOutcome, isPublic: Bool) {
    (self.feed, self.request, self.outcome, self.isPublic) = (feed, request, outcome, isPublic)
    lastItems = feed.items
  }
}
