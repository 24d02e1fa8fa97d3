import OfflineCache

/// The state of the archive and the library that determines the outcome of a crawled page.
struct CrawlFacts: Sendable {
  /// Whether a good copy or a seed is saved under the URL of the page.
  var isSaved = false
  /// Whether the page is queued.
  var isQueued = false
  /// Whether the user keeps the page, unless only as the start page of a collection; only set if
  /// the text of the page continues on another page.
  var isPinned = false
  /// The request for which the page is fetched as a feed; nil if it is not fetched as a feed.
  var feed: FeedRequest?
  /// Whether the URL of the page is on the public network.
  var isPublic = true
  /// Whether the target of the page's redirects is on the public network.
  var isTargetPublic = true
  /// Whether the page is skipped because offread crashed on it repeatedly.
  var isExcluded = false
  /// Whether a rule of the settings forbids storing responses under the URL of the page, or under
  /// the target of its redirects.
  var forbidsStoring = false
  /// Whether the disk is full.
  var isDiskFull = false
  /// The latest error that prevented saving or reading; nil if there is none.
  var warning: ArchiveError?
}
