import Configuration
import Crawl
import Foundation
import Library
import OfflineCache
import Profiles

/// Records finished pages. Once a page is on the disk, it is recorded both in the library and in
/// the file for resuming an interrupted save, and reported:
///
/// ```
/// finished ── flushed ──> on the disk ── recorded ──> reported
///    │                        └── the disk is full ──> reported, unrecorded ── end ──> recorded
///    ├── the disk is full ──> dropped, if it was saved
///    └── an error ──> reported as failed, if it was saved
/// ```
struct SaveJournal {
  private typealias Row = (visit: LinkFrontier.Entry, outcome: SaveOutcome)

  private let request: SaveRequest
  private let cache: HTTPCache
  private let library: PageLibrary
  private let settings: Settings
  private let now: @Sendable () -> Date
  private let feeds: FeedFollower
  private let changes: SaveChanges
  /// The recorder of the pages as a collection; nil if the pages form no collection.
  private var collection: CollectionRecorder?
  private let progress: InterruptedSave?
  private let directory: String
  /// Reserved disk space for recording pages on a full disk; nil if no space is reserved.
  private var reserve: DiskReserve?
  /// The pages that are finished but may not be on the disk yet.
  private var finishedRows: [Row] = []
  /// The pages that are on the disk but could not be recorded because the disk is full.
  private var unrecordedRows: [Row] = []
  /// The URLs of the named pages that have been recorded.
  private var recordedURLs = SeenTexts()
  /// The cache keys of the pages that have been pinned.
  private var pinnedKeys: [String] = []
  private var reportedCount = 0
  /// The number of failed flushes of the archive that have been reported.
  private var reportedFlushFailures: Int
  private var lastFlush = ContinuousClock.now

  /// The number of named pages that are finished.
  private(set) var finishedNamedCount = 0
  /// The number of requested pages that were queued because the disk is full.
  private(set) var queuedOnFullDiskCount = 0
  /// Whether some requested pages could not even be queued because the disk is full.
  private(set) var hasUnrecordedPages = false
  var isDiskFull = false
  /// The reason why saved pages or their records may not be on the disk; nil if there is none.
  var warning: ArchiveError?

  init(
    _ request: SaveRequest, in profile: Profile, feeds: FeedFollower,
    now: @escaping @Sendable () -> Date
  ) {
    (self.request, self.feeds, self.now) = (request, feeds, now)
    (cache, library, settings) = (profile.cache, profile.library, profile.settings)
    changes = SaveChanges(request)
    collection = request.isOfflineCheck ? nil : CollectionRecorder(request, in: profile)
    progress =
      request.isOfflineCheck || !request.resumes
      ? nil : InterruptedSave(request, in: profile.locations.saves, now: now())
    directory = profile.locations.archive.deletingLastPathComponent().path
    reportedFlushFailures = cache.archive.failedFlushCount
  }

  /// The pages that an interrupted save of the same request has already finished.
  var finishedPages: SeenTexts { progress?.finishedURLs ?? SeenTexts() }

  /// Whether the saved pages are pinned when they are recorded.
  var pinsPages: Bool {
    !request.isOfflineCheck && (request.pinsPages || collection?.isPinned ?? false)
  }

  /// Reserves disk space for records if the saved pages are pinned.
  mutating func begin() {
    if request.pinsPages, !request.isOfflineCheck { reserve = DiskReserve(in: directory) }
  }

  /// Adds a finished page.
  mutating func add(_ outcome: SaveOutcome, _ entry: LinkFrontier.Entry) {
    var outcome = outcome
    let hasHistory =
      outcome.isRejected || outcome.lastingFailure != nil
      || request.isOfflineCheck && !outcome.isReadable
    let page = hasHistory ? cache.key(of: outcome.url).flatMap { try? library.page($0) } : nil
    let hasDirectory = if case .noFolder? = cache.warning { false } else { true }
    outcome.isQueued = changes.isQueued(
      outcome, entry, page, isFeed: feeds.request(for: outcome.url) != nil,
      hasDirectory: hasDirectory)
    if let page { changes.addHistory(of: page, to: &outcome, now: now()) }
    if entry.isNamed { finishedNamedCount += 1 }
    finishedRows.append((entry, outcome))
  }

  /// Flushes and records the finished pages. Does so at most once a second, unless `isLast` is set.
  /// - Returns: the pages to report; in a check, in the order in which they were found.
  mutating func synchronize(isLast: Bool) -> [SaveOutcome] {
    let now = ContinuousClock.now
    guard !finishedRows.isEmpty, isLast || now - lastFlush >= .seconds(1) else { return [] }
    lastFlush = now
    do throws(ArchiveError) {
      try flush()
      try recordFinished()
    } catch {
      warning = error
      revertSaved(error)
    }
    if request.isOfflineCheck { finishedRows.sort { $0.visit.number < $1.visit.number } }
    let rows = finishedRows.enumerated().prefix { index, row in
      !request.isOfflineCheck || isLast || row.visit.number == reportedCount + index
    }
    reportedCount += rows.count
    finishedRows.removeFirst(rows.count)
    return rows.map(\.element.outcome)
  }

  /// Records the end of the run.
  /// - Parameters:
  ///   - isComplete: whether all pages of the request are finished.
  ///   - pages: the number of pages within the size limit, if the limit was reached.
  mutating func end(isComplete: Bool, limitedTo pages: Int?) {
    if isDiskFull { queueNamedPages() }
    finishCollection(isComplete: isComplete)
    guard isComplete else { return }
    if !isDiskFull { progress?.end() }
    guard let pages else { return }
    do throws(ArchiveError) {
      try library.record(changes.pageLimitChanges(pinnedKeys, maxPages: pages))
    } catch {
      warning = error
    }
  }

  /// The collection that was recorded; nil if there is none.
  var summary: CollectionSummary? { collection?.summary }

  private mutating func finishCollection(isComplete: Bool) {
    guard collection != nil else { return }
    do throws(ArchiveError) {
      let changes = try collection?.finish(isComplete: isComplete) ?? []
      try library.record(changes)
    } catch {
      warning = error
    }
  }

  /// Waits until the saved pages are on the disk.
  /// - Throws: `ArchiveError` if they cannot be flushed, or if the flush of another caller has
  ///   failed since.
  private mutating func flush() throws(ArchiveError) {
    try cache.archive.sync()
    let lost = cache.archive.failedFlushCount
    defer { reportedFlushFailures = lost }
    if lost > reportedFlushFailures {
      throw cache.archive.warning ?? .unwritable("the saved pages were not written to the disk")
    }
  }

  private mutating func record(_ rows: [Row]) throws(ArchiveError) {
    guard !request.isOfflineCheck else { return }
    var all: [LibraryChange] = []
    for (entry, outcome) in rows where entry.isRequested || collection != nil {
      guard let key = cache.key(of: outcome.url) else { continue }
      let page = try library.page(key)
      var facts = SaveChanges.Facts(
        page: page, isFeed: feeds.request(for: outcome.url) != nil,
        isPublic: cache.isOnPublicNetwork(outcome.url), interval: settings.interval(of: page),
        now: now())
      if outcome.isCurrent, !outcome.isUnconfirmed, request.assumedPages.contains(entry.url),
        let assumed = cache.key(of: entry.url)
      {
        all += changes.schemeChoiceChanges(
          of: try library.page(assumed), loadedAs: &facts.page, at: outcome.url)
      }
      all += changes.changes(outcome, entry, facts)
      if changes.isPinned(outcome, isFeed: facts.isFeed) { pinnedKeys.append(key) }
    }
    if collection != nil { all += try collection?.changes(rows) ?? [] }
    try library.record(all)
    recordDependencies(of: rows)
    for (entry, _) in rows where entry.isNamed { recordedURLs.insert(entry.url) }
    progress?.record(rows.filter(\.outcome.isCurrent).map(\.visit.url))
  }

  /// Records which images and other parts the pages depend on, so that these are not evicted before
  /// the pages. Errors are ignored, because the dependencies are recorded again when the pages are
  /// refreshed.
  private func recordDependencies(of rows: [Row]) {
    var (all, others) = ([String: Set<String>](), [String: Set<String>]())
    for outcome in rows.map(\.outcome) where outcome.isReadable {
      guard let key = cache.key(of: outcome.url) else { continue }
      if outcome.hasAllDependencies {
        all[key] = outcome.dependencies
      } else {
        others[key] = outcome.dependencies
      }
    }
    let known = try? cache.archive.pagesWithDependencies(among: Array(others.keys))
    for key in others.keys where known?.contains(key) == false {
      others[key]?.formUnion(savedDependencies(of: key))
    }
    try? cache.archive.record(dependencies: all)
    try? cache.archive.record(dependencies: others, keepsOthers: true)
  }

  /// Returns the cache keys of the images and other parts that the saved copy of a page references.
  private func savedDependencies(of key: String) -> [String] {
    let copies = SavedCopies(cache, maxPageLength: request.options.maxRenderedSize)
    let links = WebURL(key).flatMap { copies.part($0).links }
    let images = links?.images.map { cache.key(of: $0) } ?? []
    let parts = cache.page(of: key).flatMap { try? SavedParts.parts(of: $0, in: cache) } ?? []
    return images + parts.map(\.key)
  }

  /// Records the finished pages, or retains them for later if the disk is full.
  private mutating func recordFinished() throws(ArchiveError) {
    do throws(ArchiveError) {
      try record(finishedRows)
    } catch {
      guard error == .full else { throw error }
      (warning, isDiskFull) = (error, true)
      unrecordedRows += finishedRows
    }
  }

  /// Marks saved pages that could not be flushed or recorded as failed, and others as not queued,
  /// unless they were queued before. If the disk is full, drops the saved pages instead, so that
  /// they are not reported.
  private mutating func revertSaved(_ error: ArchiveError) {
    if error == .full {
      isDiskFull = true
      finishedNamedCount -= finishedRows.count { $0.visit.isNamed && $0.outcome.result == .saved }
      finishedRows.removeAll { $0.outcome.result == .saved }
      return
    }
    for index in finishedRows.indices {
      let page = cache.key(of: finishedRows[index].outcome.url).flatMap { try? library.page($0) }
      finishedRows[index].outcome.isQueued = page?.queuedDate != nil
      guard finishedRows[index].outcome.result == .saved else { continue }
      finishedRows[index].outcome.result = .failed(error.description)
      finishedRows[index].outcome.size = 0
    }
  }

  /// Records the saved pages that could not be recorded before, and queues the other named pages.
  private mutating func queueNamedPages() {
    guard !request.isOfflineCheck else { return }
    reserve = nil
    let late = unrecordedRows
    unrecordedRows = []
    do throws(ArchiveError) {
      if !late.isEmpty { try record(late) }
      var all: [LibraryChange] = []
      for url in request.pinsPages ? request.pages : [] where !recordedURLs.contains(url) {
        guard let key = cache.key(of: url), feeds.request(for: url) == nil else { continue }
        all += changes.fullDiskChanges(url, try library.page(key))
        queuedOnFullDiskCount += 1
      }
      if !all.isEmpty { try library.record(all) }
    } catch {
      queuedOnFullDiskCount = 0
      hasUnrecordedPages = true
    }
  }
}
