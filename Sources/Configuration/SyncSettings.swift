package import Foundation

/// The refresh intervals of pinned pages and feeds, and the number of feed items.
package struct SyncSettings: Sendable, Equatable {
  /// The refresh interval of a pinned page in seconds, unless the page or one of its tags specifies
  /// another.
  package var interval: TimeInterval = 86_400
  /// The refresh interval of a feed in seconds.
  package var feedInterval: TimeInterval = 3600
  /// The number of items kept of a feed unless it specifies another; 0 for all.
  package var feedItems = 50
  /// The time in seconds during which a removal can be undone.
  package var undoTime: TimeInterval = 7 * 86_400

  /// Creates settings with the defaults: once a day, feeds once an hour, 50 items.
  package init() {}
}
