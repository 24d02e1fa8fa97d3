package import Pages
package import Rendering
package import Crawl

/// A summary of a save: the numbers of pages by outcome. The pages themselves are reported one by
/// one.
package struct SaveReport: Sendable, Equatable {
  /// The numbers of pages by result; see `SaveOutcome.Result`.
  package private(set) var saved = 0
  package private(set) var unchanged = 0
  package private(set) var kept = 0
  package private(set) var failed = 0
  package private(set) var refused = 0
  /// The number of pages that were found by links, that is, whose `SaveOutcome.depth` is above 0.
  package private(set) var linkedCount = 0
  /// The number of pages that were requested only as next parts of articles.
  package private(set) var nextPartCount = 0
  /// The total size of all pages in bytes.
  package private(set) var size: Int64 = 0
  /// The number of images that could not be saved.
  package private(set) var missingImages = 0
  /// The number of subresources saved for browsers; see `SaveOutcome.partCount`.
  package private(set) var parts = 0
  /// The size in bytes of the subresources saved for browsers.
  package private(set) var partsSize: Int64 = 0
  /// The number of subresources for browsers that could not be saved.
  package private(set) var missingParts = 0
  /// The numbers of pages that are saved but cannot be read, by reason.
  package private(set) var unready: [Unreadiness.Kind: Int] = [:]
  /// The number of pages of each kind that sites seem to show instead of the requested ones.
  package private(set) var standIns: [StandInPage: Int] = [:]
  /// The number of requested pages that are saved but cannot be read, except those that were
  /// reported as unready before.
  private var namedUnready = 0
  /// The number of frames and `meta refresh` targets that were saved.
  package private(set) var neededParts = 0
  /// The number of frames and `meta refresh` targets that could not be saved.
  package private(set) var missingNeededParts = 0
  /// The number of pages that are queued because they could not be loaded completely, their servers
  /// are busy, or their responses are unconfirmed.
  package private(set) var queued = 0
  /// The number of pages that are saved but will be requested again, because a captive portal may
  /// have sent them.
  package private(set) var unconfirmed = 0
  /// The number of pages that failed for the same lasting reason as before, which does not count as
  /// a failure of this run.
  package private(set) var excused = 0
  /// The number of requested pages without a copy, except excused ones.
  package private(set) var unreadable = 0
  /// Whether any server responded.
  package private(set) var isReached = false
  /// The numbers of links that were not followed, by reason.
  package var refusals: [CrawlBounds.Refusal: Int] = [:]
  /// The number of known pages that were not fetched because a limit was reached.
  package var cutOff = 0
  /// The number of requested pages that were not fetched, because a limit was reached or the run
  /// ended early.
  package var namedCutOff = 0
  /// Whether the run was stopped.
  package var isInterrupted = false
  /// Whether the run ended early because the disk is full. Saved and queued pages remain.
  package var isDiskFull = false
  /// The number of requested pages that were queued because the disk is full.
  package var waitingForSpace = 0
  /// Whether some requested pages could not even be queued because the disk is full.
  package var hasUnrecordedPages = false
  /// Whether pages were rejected because a captive portal responded.
  package var hasDetectedPortal = false
  /// Whether a captive portal responded to the request for any page, even one whose saved copy
  /// remains.
  private var hasOutcomeFromPortal = false
  /// The outcomes of rendering pages in a browser.
  package private(set) var renderings: [RenderOutcome] = []
  /// The outcomes of the feeds.
  package var feeds: [FeedOutcome] = []
  /// The result of fetching enclosures; nil if there were none to fetch.
  package var enclosures: EnclosureReport?
  /// The collections that were recorded.
  package var collections: [CollectionSummary] = []
  /// The calls of the read hook; empty if the run made none.
  package var hook = HookReport()
  /// The reason why no page could be saved, such as a full disk; nil if there is none.
  package var warning: String?

  /// Creates an empty report.
  package init() {}

  /// Counts the outcome of a page.
  package mutating func count(_ outcome: SaveOutcome) {
    switch outcome.result {
    case .saved: saved += 1
    case .unchanged: unchanged += 1
    case .kept: kept += 1
    case .failed: failed += 1
    case .refused: refused += 1
    }
    if outcome.depth > 0 { linkedCount += 1 }
    if outcome.isNextPart, outcome.isReadable { nextPartCount += 1 }
    size += outcome.size
    missingImages += outcome.missingImageCount
    parts += outcome.partCount
    partsSize += outcome.partsSize
    missingParts += outcome.missingPartCount
    if outcome.isExcused { excused += 1 }
    if outcome.depth == 0, !outcome.isReadable, !outcome.isExcused { unreadable += 1 }
    neededParts += outcome.neededPartCount
    missingNeededParts += outcome.missingNeededPartCount
    if let reason = outcome.unreadiness {
      countUnready(reason.kind, 1, isNamed: outcome.depth == 0 && !outcome.wasUnready)
    } else if let standIn = outcome.standIn {
      standIns[standIn, default: 0] += 1
    }
    if outcome.isQueued { queued += 1 }
    if outcome.isUnconfirmed { unconfirmed += 1 }
    if outcome.isReached { isReached = true }
    if outcome.isFromCaptivePortal { hasOutcomeFromPortal = true }
  }

  private mutating func countUnready(_ kind: Unreadiness.Kind, _ count: Int, isNamed: Bool) {
    unready[kind, default: 0] += count
    if isNamed { namedUnready += count }
  }

  /// Records the outcome of rendering a requested page. A new rendering contains text, so the page
  /// becomes readable.
  package mutating func record(_ rendering: RenderOutcome, of page: SaveOutcome) {
    renderings.append(rendering)
    guard let reason = page.unreadiness, reason.isLackOfText, rendering.isSaved else { return }
    countUnready(reason.kind, -1, isNamed: page.depth == 0 && !page.wasUnready)
  }

  /// The number of pages with a saved copy.
  package var savedPageCount: Int { saved + unchanged + kept }
  /// The number of all pages.
  package var pageCount: Int { savedPageCount + failed + refused }

  /// The number of pages that can be read.
  package var readableCount: Int { savedPageCount - unready.values.reduce(0, +) }

  /// The number of requested and found pages, including those that were not reached because the
  /// disk was full.
  package var knownCount: Int { pageCount + (isDiskFull ? namedCutOff : 0) }

  /// Whether a captive portal prevented pages from being saved, or responded while no server did.
  package var isBlockedByPortal: Bool { hasDetectedPortal || hasOutcomeFromPortal && !isReached }

  /// Adds the report of another run.
  package mutating func add(_ other: SaveReport) {
    let counts: [WritableKeyPath<Self, Int>] = [
      \.saved, \.unchanged, \.kept, \.failed, \.refused, \.linkedCount, \.nextPartCount,
      \.missingImages,
      \.namedUnready, \.neededParts, \.missingNeededParts, \.queued, \.excused, \.unconfirmed,
      \.unreadable, \.cutOff, \.namedCutOff, \.waitingForSpace, \.parts, \.missingParts,
    ]
    let flags: [WritableKeyPath<Self, Bool>] = [
      \.isReached, \.isInterrupted, \.isDiskFull, \.hasUnrecordedPages, \.hasDetectedPortal,
      \.hasOutcomeFromPortal,
    ]
    for count in counts { self[keyPath: count] += other[keyPath: count] }
    for flag in flags where other[keyPath: flag] { self[keyPath: flag] = true }
    size += other.size
    partsSize += other.partsSize
    renderings += other.renderings
    unready.merge(other.unready, uniquingKeysWith: +)
    standIns.merge(other.standIns, uniquingKeysWith: +)
    refusals.merge(other.refusals, uniquingKeysWith: +)
    feeds += other.feeds
    // Several requests may concern the same collection.
    let known = collections
    collections += other.collections.filter { !known.contains($0) }
    warning = warning ?? other.warning
  }

  /// Whether every requested page can be read offline, except excused ones.
  package var isComplete: Bool {
    !isInterrupted && !isDiskFull && namedCutOff == 0 && warning == nil && unreadable == 0
      && namedUnready == 0 && renderings.allSatisfy(\.isAvailable)
      && feeds.allSatisfy { feed in
        (feed.problem == nil || feed.isExcused) && feed.olderProblem == nil
          && feed.enclosureProblem == nil
      }
      && enclosures?.isComplete ?? true
  }
}
