package import Foundation

/// How often what is kept is refreshed, and what stays of feeds.
package struct SyncSettings: Sendable, Equatable {
  /// How often a kept page is refreshed unless it or one of its tags says otherwise, in seconds.
  package var interval: TimeInterval = 86_400
  /// The same for feeds.
  package var feedInterval: TimeInterval = 3600
  /// How many items of a feed stay unless it says otherwise; 0 for all.
  package var feedItems = 50
  /// For how many seconds a removal that can be undone is.
  package var undoTime: TimeInterval = 7 * 86_400

  /// Once a day, feeds once an hour, 50 items.
  package init() {}
}

/// How often the pages with a tag are refreshed.
package struct RefreshRule: Sendable, Equatable {
  /// The tag, in the form in which it is kept.
  package var tag = ""
  /// The time between two refreshes, in seconds.
  package var interval: TimeInterval?

  /// A rule for no page.
  package init() {}
}
