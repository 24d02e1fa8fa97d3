/// The outcome of fetching a feed.
package struct FeedOutcome: Sendable, Equatable {
  /// The absolute URL.
  package var url: String
  /// The title, or empty.
  package var title = ""
  /// The number of new items.
  package var newItemCount = 0
  /// The number of new items that the settings hide.
  package var hiddenItemCount = 0
  /// The number of items that are retained.
  package var retainedItemCount = 0
  /// The number of enclosures that are to be fetched and were not known before.
  package var newEnclosureCount = 0
  /// The number of enclosures of unread items that were omitted, because the item has too many, or
  /// because their URL or media type is too long.
  package var omittedEnclosureCount = 0
  /// The reason why enclosures could not be recorded, or nil.
  package var enclosureProblem: String?
  /// The reason why the items could not be read; nil if they were read.
  package var problem: String?
  /// The reason why older items could not be fetched although they were wanted, or nil.
  package var olderProblem: String?
  /// The URL at which the feed is followed from now on, because of a permanent redirect or because
  /// the feed itself names this URL; otherwise nil.
  package var newURL: String?
  /// Whether the feed fails for the same lasting reason that an earlier run has already reported.
  package var isExcused = false
  /// Whether the outcome of the feed's page reports the problem as well.
  package var isReportedAsPage = false
}
