/// The enclosures of a feed that are fetched, and their limits: `enclosures`, `file_limit` and
/// `feed_limit` in `[[feed]]`.
package struct EnclosurePolicy: Sendable, Equatable {
  /// The kinds of enclosures that are fetched.
  package enum Choice: String, CaseIterable, Sendable, Equatable {
    case none, audio, video
    /// Audio and video.
    case all
  }

  /// The kinds of enclosures that are fetched.
  package var choice = Choice.none
  /// The maximum size of a file in bytes.
  package var fileLimit: Int64 = 500_000_000
  /// The maximum size of all files of the feed in bytes.
  package var feedLimit: Int64 = 2_000_000_000

  /// Creates a policy that fetches no enclosures.
  package init() {}
}

extension Settings {
  /// Returns the policy for a feed. Each value is that of the last rule that sets it and applies to
  /// the feed.
  /// - Parameter url: The URL of the feed.
  /// - Returns: The policy.
  package func enclosurePolicy(ofFeed url: String) -> EnclosurePolicy {
    var policy = EnclosurePolicy()
    for rule in feeds where rule.applies(to: url) {
      policy.choice = rule.enclosures ?? policy.choice
      policy.fileLimit = rule.fileLimit ?? policy.fileLimit
      policy.feedLimit = rule.feedLimit ?? policy.feedLimit
    }
    return policy
  }

  /// Whether enclosures of any feed may be fetched.
  package var fetchesEnclosures: Bool {
    feeds.contains { rule in rule.enclosures.map { $0 != .none } ?? false }
  }
}
