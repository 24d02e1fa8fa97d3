package import Reader
package import Crawl

/// What came of all of it: counts, as pages are told one by one.
package struct SaveReport: Sendable, Equatable {
  /// How many pages came out in each way; see `SaveOutcome.Result`.
  package private(set) var saved = 0
  package private(set) var unchanged = 0
  package private(set) var kept = 0
  package private(set) var failed = 0
  package private(set) var refused = 0
  /// How many of them are the next parts of texts, and came with these.
  package private(set) var nextParts = 0
  /// The bytes of all pages.
  package private(set) var size: Int64 = 0
  /// How many images could not be saved.
  package private(set) var missingImages = 0
  /// How many style sheets, scripts and fonts were kept with pages, their bytes, and how many could not be.
  package private(set) var parts = 0
  package private(set) var partsSize: Int64 = 0
  package private(set) var missingParts = 0
  /// How many pages are there but cannot be read, by reason, and how many of those were asked for.
  package private(set) var unready: [Unreadiness.Kind: Int] = [:]
  private var namedUnready = 0
  /// How many frames, and pages to which others go on by themselves, were saved with pages, and how many could
  /// not be.
  package private(set) var neededParts = 0
  package private(set) var missingNeededParts = 0
  /// How many pages wait in the queue as they could not be had.
  package private(set) var queued = 0
  /// How many pages are saved without proof that their sites sent them, and wait to be asked for again.
  package private(set) var unconfirmed = 0
  /// How many pages failed for good as they did before, which counts as no failure of this run.
  package private(set) var excused = 0
  /// How many of the pages that were asked for cannot be read.
  package private(set) var unreadable = 0
  /// Whether any server answered.
  package private(set) var isReached = false
  /// How many links were not followed, and why.
  package var refusals: [CrawlBounds.Refusal: Int] = [:]
  /// How many pages were known and not fetched, as a limit was reached.
  package var cutOff = 0
  /// How many of the pages that were asked for were not fetched: a limit was reached, or it ended before.
  package var namedCutOff = 0
  /// Whether it was stopped before its end.
  package var isInterrupted = false
  /// Whether it ended before its end, as the disk is full: what is saved stays, and so does what waits.
  package var isDiskFull = false
  /// How many pages that were asked for wait in the queue since then; and whether not even that could be noted.
  package var remembered = 0
  package var isForgotten = false
  /// Whether pages were not taken, as the network in between answered in their place.
  package var isCaught = false
  /// Whether it answered in the place of any page, also of one whose copy stays.
  private var hasMetPortal = false
  /// What came of the pages that a browser was to render.
  package private(set) var renderings: [RenderOutcome] = []
  /// What came of the feeds.
  package var feeds: [FeedOutcome] = []
  /// Why something could not be saved at all, such as a full disk, or nil.
  package var warning: String?

  /// Makes a report of nothing.
  package init() {}

  /// Counts a page.
  package mutating func count(_ outcome: SaveOutcome) {
    switch outcome.result {
    case .saved: saved += 1
    case .unchanged: unchanged += 1
    case .kept: kept += 1
    case .failed: failed += 1
    case .refused: refused += 1
    }
    if outcome.isNextPart { nextParts += 1 }
    size += outcome.size
    missingImages += outcome.missingImages
    parts += outcome.parts
    partsSize += outcome.partsSize
    missingParts += outcome.missingParts
    if outcome.isExcused { excused += 1 }
    if outcome.depth == 0, !outcome.isReadable, !outcome.isExcused { unreadable += 1 }
    neededParts += outcome.neededParts
    missingNeededParts += outcome.missingNeededParts
    if let reason = outcome.unready {
      countUnready(reason.kind, 1, isNamed: outcome.depth == 0 && !outcome.wasUnready)
    }
    if outcome.isQueued { queued += 1 }
    if outcome.isUnconfirmed { unconfirmed += 1 }
    if outcome.isReached { isReached = true }
    if outcome.isPortal { hasMetPortal = true }
  }

  private mutating func countUnready(_ kind: Unreadiness.Kind, _ count: Int, isNamed: Bool) {
    unready[kind, default: 0] += count
    if isNamed { namedUnready += count }
  }

  /// Records the rendering of a page that was asked for. A new rendering has text, so the page can be read
  /// from then on.
  package mutating func note(_ rendering: RenderOutcome, of page: SaveOutcome) {
    renderings.append(rendering)
    guard page.unready == .withoutText, rendering.isSaved else { return }
    countUnready(.withoutText, -1, isNamed: page.depth == 0 && !page.wasUnready)
  }

  /// How many pages are there without a network, and how many there are.
  package var ready: Int { saved + unchanged + kept }
  package var pages: Int { ready + failed + refused }

  /// How many pages can be read, and have something to be read.
  package var readable: Int { ready - unready.values.reduce(0, +) }

  /// How many pages were asked for or found, also those that were not got at before a full disk ended it.
  package var known: Int { pages + (isDiskFull ? namedCutOff : 0) }

  /// Whether the network in between answered in the place of pages that could not be had then, or of every
  /// server.
  package var isBehindPortal: Bool { isCaught || hasMetPortal && !isReached }

  /// Adds the report of another run.
  package mutating func add(_ other: SaveReport) {
    let counts: [WritableKeyPath<Self, Int>] = [
      \.saved, \.unchanged, \.kept, \.failed, \.refused, \.nextParts, \.missingImages,
      \.namedUnready, \.neededParts, \.missingNeededParts, \.queued, \.excused, \.unconfirmed,
      \.unreadable, \.cutOff, \.namedCutOff, \.remembered,
    ]
    let flags: [WritableKeyPath<Self, Bool>] = [
      \.isReached, \.isInterrupted, \.isDiskFull, \.isForgotten, \.isCaught, \.hasMetPortal,
    ]
    for count in counts { self[keyPath: count] += other[keyPath: count] }
    for flag in flags where other[keyPath: flag] { self[keyPath: flag] = true }
    size += other.size
    unready.merge(other.unready, uniquingKeysWith: +)
    refusals.merge(other.refusals, uniquingKeysWith: +)
    feeds += other.feeds
    warning = warning ?? other.warning
  }

  /// Whether every page that was asked for can be read without a network, but those that are excused.
  package var isComplete: Bool {
    !isInterrupted && !isDiskFull && namedCutOff == 0 && warning == nil && unreadable == 0
      && namedUnready == 0 && renderings.allSatisfy(\.isThere)
      && feeds.allSatisfy { ($0.problem == nil || $0.isExcused) && $0.olderProblem == nil }
  }
}
