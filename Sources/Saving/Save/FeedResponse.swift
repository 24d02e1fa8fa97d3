import OfflineCache

/// A response to the request for a feed.
struct FeedResponse {
  var request: FeedRequest
  /// The parsed page; nil if it could not be read.
  var links: PageLinks?
  var outcome: SaveOutcome
  /// The target of the permanent redirects at the start of the chain; nil if there are none.
  var permanentTarget: WebURL?
  /// The refresh target of a page that was received instead of the feed; nil if there is none.
  var refreshTarget: WebURL?
  /// Whether the feed is on the public network.
  var isPublic: Bool
}
