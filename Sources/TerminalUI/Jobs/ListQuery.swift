/// A request for the content of a list.
package enum ListQuery: Sendable, Equatable {
  /// All pages that are saved, pinned, read or queued.
  case library
  /// The pages that match a search.
  case search(String)
  /// All highlights.
  case highlights
  /// The pages of the collection with this identifier.
  case collection(String)
  /// The feeds.
  case feeds
  /// The items of the feed with this key; nil for the unread items of all feeds.
  case items(of: String?)
}
