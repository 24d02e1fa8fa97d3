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
