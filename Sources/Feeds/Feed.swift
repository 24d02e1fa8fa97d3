package import Foundation
import DOM
package import OfflineCache

/// A feed of a site (RSS 0.9x, 1.0 and 2.0, Atom 1.0 and 0.3, JSON Feed).
package struct Feed: Sendable, Equatable {
  package var format: FeedFormat
  /// The title on one line, or empty.
  package var title = ""
  /// The description on one line, or empty.
  package var subtitle = ""
  /// The absolute URL of the page that the feed belongs to, or nil.
  package var siteURL: String?
  /// The absolute URL of the feed as stated in the feed, or nil.
  package var selfURL: String?
  /// The absolute URL to which the feed has moved (`itunes:new-feed-url`), or nil.
  package var newURL: WebURL?
  /// The absolute URL of the next page of the feed, which has older items (RFC 5005, JSON Feed), or
  /// nil.
  package var nextURL: String?
  /// The language (BCP 47), or empty.
  package var language = ""
  /// The author on one line, or empty.
  package var author = ""
  /// The date of the last change according to the feed, or nil.
  package var date: Date?
  /// The interval between updates according to the feed (`ttl`, `sy:updatePeriod`), or nil.
  package var updateInterval: Duration?
  /// Whether the feed will not be updated any more (JSON Feed `expired`).
  package var isExpired = false
  /// The items in the order of the feed, each with a unique id.
  package var items: [FeedItem] = []
  /// Whether the feed has more items than were read.
  package var isTruncated = false
  /// The encoding from which the feed was decoded.
  package var encoding = CharacterEncoding.utf8.name

  package init(format: FeedFormat) {
    self.format = format
  }

  /// Sets the author of items that have none to the author of the feed.
  mutating func setMissingAuthors() {
    for index in items.indices where items[index].author.isEmpty { items[index].author = author }
  }
}
