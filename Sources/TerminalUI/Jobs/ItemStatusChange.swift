/// A change of feed items to read or unread.
package enum ItemStatusChange: Sendable, Equatable {
  /// Mark the unread items of the feed with this key as read, and reply with `Message.markedRead`.
  case read(feed: String)
  /// Mark the items that lead to these pages as unread.
  case unread([String])
}
