import Crawl
import OfflineCache
import Pages

/// A page that has loads that have not ended.
struct PendingPage {
  let entry: LinkFrontier.Entry
  var outcome: SaveOutcome
  /// Whether the page is on the public network, so that its links must lead to that network as
  /// well.
  let isPublic: Bool
  /// The origin of the page after redirects.
  let origin: String
  /// The host of the page after redirects; nil if there is no response.
  let finalHost: String?
  /// Whether the page is saved with all parts that a browser needs.
  let isComplete: Bool
  /// Whether the user keeps the page, unless only as the start page of a collection.
  let isPinned: Bool
  /// The number of subresources that were requested for a browser.
  var partCount = 0
  /// The requirements for reading the page; nil if they are unknown.
  var pageNeeds: PageNeeds?
  /// The number of loads that have not ended: of the page, its images and its parts.
  var pendingLoadCount = 1
  /// The number of loads that have not ended: of the page and its needed parts.
  var pendingPartCount = 1
  /// The cache keys of the needed parts that have been requested.
  var parts: Set<String> = []
  /// The links of the page and its needed parts, which are followed once all of these have been
  /// loaded.
  var links: [String] = []
  /// The URL of the next part of an article that was found by a link; nil if there is none.
  var nextPart: WebURL?
  /// The size of the page in bytes.
  let size: Int64
  /// Whether a needed part failed for a reason that may be temporary.
  var mayRecover = false

  init(_ visited: LinkFrontier.Entry, _ result: CrawlResult, _ facts: CrawlFacts) {
    self.entry = visited
    isPublic = visited.isPublicOnly || facts.isTargetPublic
    let finalURL = result.redirectChain.last
    origin = finalURL?.origin ?? visited.parsedURL.origin
    finalHost = finalURL?.host
    isComplete = result.task.isComplete
    isPinned = facts.isPinned
    size = result.size
    outcome = SaveOutcome(visited, result, facts)
  }
}

extension SaveOutcome {
  /// Creates the outcome of a page from its response alone, without images and parts.
  init(_ entry: LinkFrontier.Entry, _ result: CrawlResult, _ facts: CrawlFacts) {
    self.init(
      url: entry.url, depth: entry.depth, result: result.outcome(facts), size: result.size,
      date: result.date)
    alternateSchemeURL = result.otherURL?.description
    if isReadable, let other = alternateSchemeURL { url = other }
    // The content of an error page does not count as the page's content.
    if !isReadable { size = 0 }
    retryAfter = result.retryAfter
    isRejected = result.isRejected
    isNextPart = entry.partNumber > 1
    lastingFailure = LastingFailure(result.ending, through: result.redirectChain)
    isForbidden = result.ending.forbidsRequest
    isUnstorable =
      facts.forbidsStoring
      || result.ending.failure.map { [.tooLarge, .endless].contains($0.kind) } ?? false
    guard case .answered(_, let source, _) = result.ending else { return }
    isReached = source == .network || source == .validated
    isFromCaptivePortal = result.leavesPublicNetwork
    if case .saved(let reason) = source, SavedReason(reason) == .signInPage {
      isFromCaptivePortal = true
    }
  }
}
