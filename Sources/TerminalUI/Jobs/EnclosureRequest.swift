package import OfflineCache

/// A request about the enclosures of feeds.
package enum EnclosureRequest: Sendable, Equatable {
  /// Fetch the waiting enclosures of the feed with this key; first those of the item whose page has
  /// one of these URLs, also if it is read. Without a key, fetch those of the feed of this item, or
  /// of all feeds if no feed has the item.
  case fetch(feed: String?, itemURLs: [String], LoadOptions)
  /// Stop fetching. The partial file stays, and is continued later.
  case stop
}
