/// A change of a feed item: whether the item is new or has moved.
package enum FeedItemChange: Sendable, Equatable {
  /// The item is known, or the user has removed its page.
  case none
  case new
  /// The item is new, but has the link of an earlier item.
  case newWithKnownLink
  /// The link has changed; `from` is the key of the previous page, which the library still has as
  /// an item.
  case moved(from: String)
}
