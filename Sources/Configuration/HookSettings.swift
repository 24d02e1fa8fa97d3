import OfflineCache

/// The commands of the user that are called on events: `[hooks]`.
package struct HookSettings: Sendable, Equatable {
  /// The command that is called for each item of a feed that is marked as read; nil for none.
  package var readCommand: HookCommand?
  /// The patterns for the URLs of the feeds whose items the command is called for, in which `*`
  /// matches any text; empty for all feeds.
  package var feeds: [String] = []
  /// The time limit of a call in seconds.
  package var timeout = 20.0

  package init() {}

  /// Returns whether the command is called for items of a feed.
  /// - Parameter feed: The URL of the feed; empty for a page that is not an item of a feed.
  /// - Returns: Whether a command is set, and its patterns match the feed.
  package func isCalledForItems(of feed: String) -> Bool {
    guard readCommand != nil, !feed.isEmpty else { return false }
    return feeds.isEmpty || feeds.contains { Glob.matches($0, url: feed) }
  }
}
