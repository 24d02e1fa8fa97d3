import Crawl
import Dates
import Document
import Foundation
import Library
import OfflineCache

/// Computes the library changes for the pages of a save. It neither reads nor writes files.
struct SaveChanges {
  /// The facts on which the changes for a page depend.
  struct Facts {
    var page: LibraryPage
    var isFeed = false
    /// Whether the URL of the page is on the public network.
    var isPublic = true
    /// The refresh interval of the page in seconds.
    var interval: TimeInterval = 86_400
    var now: Date
  }

  let request: SaveRequest
  /// The bounds within which links are followed, as the library stores them; nil if none are
  /// followed and images are included.
  private let scope: String?

  init(_ request: SaveRequest) {
    self.request = request
    scope = CrawlScope(request)?.text
  }

  /// Returns whether a page is queued from now on.
  ///
  /// A requested page is queued if one of these conditions holds:
  /// - Its server is busy, or its response is unconfirmed.
  /// - The request names it, and its frames or refresh targets could not be loaded for a reason
  ///   that may be temporary.
  /// - It could not be loaded, is not gone, and was to be pinned.
  /// - It could not be loaded for a reason that may be temporary, and it continues a text that is
  ///   kept, or the request saves a collection.
  ///
  /// A page that could not be loaded is never queued if the settings forbid saving it. Feeds are
  /// not queued, and no page is queued without a data directory.
  ///
  /// For a check, returns whether a page that could not be loaded is already queued.
  func isQueued(
    _ outcome: SaveOutcome, _ entry: LinkFrontier.Entry, _ page: LibraryPage?, isFeed: Bool,
    hasDirectory: Bool = true
  ) -> Bool {
    guard entry.isRequested, !isFeed else {
      return isQueuedLink(outcome, hasDirectory: hasDirectory) && !isFeed
    }
    if request.isOfflineCheck {
      if case .failed = outcome.result { return page?.queuedDate != nil }
      return false
    }
    guard hasDirectory else { return false }
    if outcome.retryAfter != nil || outcome.isUnconfirmed { return true }
    if outcome.lacksParts { return entry.isNamed }
    guard case .failed = outcome.result, outcome.lastingFailure?.isGone != true,
      !outcome.isUnstorable
    else { return false }
    if outcome.continuesPinnedPage, outcome.lastingFailure == nil, !outcome.isForbidden {
      return true
    }
    return entry.isNamed && request.pinsPages || isQueuedLink(outcome, hasDirectory: hasDirectory)
  }

  /// Returns whether a page that a collection contains because of a link is queued from now on: it
  /// could not be loaded, another request may succeed, and there is a data directory.
  private func isQueuedLink(_ outcome: SaveOutcome, hasDirectory: Bool) -> Bool {
    guard request.collection != nil, !request.isOfflineCheck, hasDirectory,
      outcome.lastingFailure == nil,
      !outcome.isForbidden, !outcome.isUnstorable, case .failed = outcome.result
    else { return false }
    return true
  }

  /// Adds information about earlier failures of the page to an outcome, whose `isQueued` must have
  /// been set.
  func addHistory(of page: LibraryPage, to outcome: inout SaveOutcome, now: Date) {
    if outcome.isRejected {
      outcome.rejectionDayCount = page.refusals.adding(dayOf: now).days.count
    }
    guard let failure = outcome.lastingFailure, !request.isOfflineCheck else { return }
    outcome.isRetried =
      outcome.isQueued || page.queuedDate != nil || page.pinnedDate != nil || page.isFeed
    outcome.isExcused = request.isExcused(failure, page)
  }

  /// Returns the changes for a page.
  func changes(
    _ outcome: SaveOutcome, _ entry: LinkFrontier.Entry, _ facts: Facts
  ) -> [LibraryChange] {
    guard entry.isRequested else { return linkChanges(outcome, entry, facts.page) }
    let key = facts.page.key
    // A page that its site does not allow offread to load does not remain queued.
    let isDone =
      outcome.isCurrent && !outcome.lacksParts || outcome.result == .refused
      || outcome.isUnstorable
    var changes = isDone ? Self.unqueueingChanges(key) : []
    changes += confirmationChanges(outcome, facts)
    if outcome.isQueued, !outcome.isUnconfirmed {
      changes += queueingChanges(outcome, entry, facts.page)
    }
    if facts.isFeed, let date = outcome.retryAfter {
      changes.append(LibraryChange(key, .notBefore, Self.seconds(date)))
    }
    if let failure = outcome.lastingFailure, outcome.isRetried {
      changes += lastingFailureChanges(failure, outcome, facts)
    }
    if let reason = reasonToRecord(outcome, facts.page) {
      changes.append(LibraryChange(key, .failed, reason))
    }
    guard outcome.isReadable else { return changes }
    // The title of a feed may come from the user; see `FeedFollower.replacesTitle(of:by:)`.
    if !outcome.title.isEmpty, !facts.isFeed {
      changes.append(LibraryChange(key, .title, outcome.title))
    }
    guard outcome.depth == 0, !facts.isFeed else { return changes }
    if isPinned(outcome, isFeed: facts.isFeed) {
      changes += pinningChanges(outcome.url, facts.page, continuing: outcome.firstPinnedPart)
      changes.append(LibraryChange(key, .crawlScope, scope ?? followedScope(facts.page)))
    }
    let frames = outcome.neededKeys.isEmpty ? nil : outcome.neededKeys.joined(separator: "\n")
    changes.append(LibraryChange(key, .frames, frames))
    if outcome.isCurrent, request.includesImages, outcome.lacksImages != facts.page.lacksImages {
      changes.append(LibraryChange(key, .missingImages, outcome.lacksImages ? "1" : nil))
    }
    return changes + request.changes(of: key)
  }

  /// Returns the changes for a page that a collection contains because of a link.
  private func linkChanges(
    _ outcome: SaveOutcome, _ entry: LinkFrontier.Entry, _ page: LibraryPage
  ) -> [LibraryChange] {
    if outcome.isQueued {
      let reason = reasonToRecord(outcome, page).map { [LibraryChange(page.key, .failed, $0)] }
      return queueingChanges(outcome, entry, page) + (reason ?? [])
    }
    if let failure = outcome.lastingFailure, !outcome.isReadable {
      // A page that does not exist counts as a dead link; see `LibraryPage.isDeadLink`.
      let isKnown = page.failure == failure.rawValue
      return isKnown ? [] : [LibraryChange(page.key, .failed, failure.rawValue)]
    }
    let isDone = outcome.isCurrent && !outcome.lacksParts && !outcome.isUnconfirmed
    guard isDone, !page.isUnconfirmed else { return [] }
    if page.queuedDate != nil { return Self.unqueueingChanges(page.key) }
    return page.failure.isEmpty ? [] : [LibraryChange(page.key, .failed, nil)]
  }

  /// Returns the changes that remove a page from the queue.
  private static func unqueueingChanges(_ key: String) -> [LibraryChange] {
    [.queued, .notBefore, .failed].map { LibraryChange(key, $0, nil) }
  }

  /// Returns the changes for a page whose scheme the user did not type, once it was loaded with
  /// http or https: the facts about the assumed URL become facts about the URL that was loaded.
  /// - Parameters:
  ///   - assumedPage: The library page of the assumed URL.
  ///   - page: The library page of the URL that was loaded; its crawl scope is updated.
  ///   - url: The URL that was loaded.
  /// - Returns: The changes for both keys.
  func schemeChoiceChanges(
    of assumedPage: LibraryPage, loadedAs page: inout LibraryPage, at url: String
  ) -> [LibraryChange] {
    let changes = [LibraryChange(assumedPage.key, .schemeAssumed, nil)]
    guard assumedPage.key != page.key else { return changes }
    let savedPage = page
    if page.crawlScope.isEmpty { page.crawlScope = assumedPage.crawlScope }
    var movedAttributes: [(LibraryAttribute, String)] = assumedPage.tags.map { (.tag($0), "1") }
    if assumedPage.pinnedDate != nil {
      movedAttributes.append(
        (.pinned, assumedPage.isPinnedAsStart ? PageCollection.startMarker : "1"))
    }
    if assumedPage.isComplete { movedAttributes.append((.complete, "1")) }
    if assumedPage.fromProgram != nil { movedAttributes.append((.fromProgram, "1")) }
    if !assumedPage.note.isEmpty, !savedPage.note.contains(assumedPage.note) {
      movedAttributes.append(
        (.note, savedPage.note.isEmpty ? assumedPage.note : "\(savedPage.note) \(assumedPage.note)")
      )
    }
    if savedPage.crawlScope.isEmpty, !assumedPage.crawlScope.isEmpty {
      movedAttributes.append((.crawlScope, assumedPage.crawlScope))
    }
    if savedPage.interval == nil, let interval = assumedPage.interval {
      movedAttributes.append((.interval, "\(interval)"))
    }
    let clearedAttributes =
      assumedPage.tags.map { LibraryAttribute.tag($0) }
      + [.pinned, .complete, .fromProgram, .note, .crawlScope, .interval, .queued, .failed]
    return changes + movedAttributes.map { LibraryChange(page.key, $0, $1) }
      + clearedAttributes.map { LibraryChange(assumedPage.key, $0, nil) }
      + LibraryChange.address(url, of: page.key)
  }

  /// Returns whether a page is pinned after it was saved: only a readable page that was requested
  /// itself, and not a feed.
  func isPinned(_ outcome: SaveOutcome, isFeed: Bool) -> Bool {
    (request.pinsPages || outcome.continuesPinnedPage) && outcome.isReadable
      && outcome.depth == 0 && !isFeed
  }

  /// Returns the changes for a requested page that could not be loaded because the disk is full.
  func fullDiskChanges(_ url: String, _ page: LibraryPage) -> [LibraryChange] {
    pinningChanges(url, page) + (scope.map { [LibraryChange(page.key, .crawlScope, $0)] } ?? [])
      + (page.queuedDate == nil ? [LibraryChange(page.key, .queued, "")] : [])
      + (request.assumedPages.contains(url) ? [LibraryChange(page.key, .schemeAssumed, "1")] : [])
      + request.changes(of: page.key)
  }

  /// Returns the changes that limit the crawl scope of pinned pages after the size limit has
  /// excluded other pages. A check does not know sizes, so the number of pages is recorded to find
  /// the same pages again.
  func pageLimitChanges(_ keys: [String], maxPages count: Int) -> [LibraryChange] {
    guard request.bounds.maxBytes != nil, var scope = CrawlScope(request) else { return [] }
    scope.maxPages = max(1, count)
    return keys.map { LibraryChange($0, .crawlScope, scope.text) }
  }

  /// Returns the changes that pin a requested page. There are three kinds of pins:
  /// - A start page, if the request saves a collection and the page is not pinned yet, or only as a
  ///   start page. A request that refreshes a collection adds no start pages.
  /// - A further part of an article whose first part is `firstPart`, unless the page is pinned on
  ///   its own.
  /// - A page on its own, in all other cases.
  private func pinningChanges(
    _ url: String, _ page: LibraryPage, continuing firstPart: String? = nil
  ) -> [LibraryChange] {
    let isStart =
      request.collection.map { collection in
        page.isPinnedAsStart || !collection.isRefresh && page.pinnedDate == nil
      } ?? false
    let isOwn = page.pinnedDate != nil && page.continuedPage.isEmpty
    let part = isOwn ? nil : firstPart.map { PinnedDate.value(continuing: $0) }
    let value = isStart ? PageCollection.startMarker : part ?? "1"
    return [LibraryChange(page.key, .pinned, value)] + LibraryChange.address(url, of: page.key)
  }

  /// Returns the bounds within which an earlier save followed links; nil if it followed none.
  private func followedScope(_ page: LibraryPage) -> String? {
    CrawlScope(text: page.crawlScope).flatMap { $0.depth > 0 ? $0.text : nil }
  }

  /// Returns the changes that mark a page as unconfirmed, record the day of a rejected response, or
  /// delete both facts.
  private func confirmationChanges(_ outcome: SaveOutcome, _ facts: Facts) -> [LibraryChange] {
    let (page, key) = (facts.page, facts.page.key)
    if outcome.isUnconfirmed, outcome.isCurrent {
      // The page is queued again with a date later than the response, so that it remains queued.
      return [LibraryChange(key, .queued, page.queuedFrom), LibraryChange(key, .unconfirmed, "1")]
    }
    if outcome.isRejected {
      let refusals = page.refusals.adding(dayOf: facts.now)
      return refusals == page.refusals ? [] : [LibraryChange(key, .rejections, refusals.text)]
    }
    guard outcome.isCurrent else { return [] }
    return (page.isUnconfirmed ? [LibraryChange(key, .unconfirmed, nil)] : [])
      + (page.refusals.days.isEmpty ? [] : [LibraryChange(key, .rejections, nil)])
  }

  private func queueingChanges(
    _ outcome: SaveOutcome, _ entry: LinkFrontier.Entry, _ page: LibraryPage
  ) -> [LibraryChange] {
    let retryTime = outcome.retryAfter.map(Self.seconds)
    // Pages found by links of a public site must be on the public network when they are requested
    // later as well.
    let from =
      entry.isNamed ? "" : request.pages.first.map { SafeText.withoutCredentials($0) } ?? ""
    let changes =
      (page.queuedDate == nil ? [LibraryChange(page.key, .queued, from)] : [])
      + [LibraryChange(page.key, .notBefore, retryTime)]
    guard request.pinsPages && entry.isNamed || outcome.continuesPinnedPage, !outcome.isReadable
    else { return changes }
    return changes + pinningChanges(outcome.url, page, continuing: outcome.firstPinnedPart)
      + (request.assumedPages.contains(entry.url)
        ? [LibraryChange(page.key, .schemeAssumed, "1")] : [])
      + (scope.map { [LibraryChange(page.key, .crawlScope, $0)] } ?? [])
      + request.changes(of: page.key)
  }

  /// Returns the reason to record for a queued page that could not be loaded, so that later
  /// commands can report it; nil if this reason or a lasting failure is already recorded.
  private func reasonToRecord(_ outcome: SaveOutcome, _ page: LibraryPage) -> String? {
    guard case .failed(let reason) = outcome.result, outcome.lastingFailure == nil,
      outcome.isQueued || page.queuedDate != nil, !outcome.isUnstorable, !request.isOfflineCheck,
      LastingFailure(rawValue: page.failure) == nil
    else { return nil }
    let text = String(reason.prefix(Self.maxReasonLength))
    return text == page.failure || LastingFailure(rawValue: text) != nil ? nil : text
  }

  /// The maximum length of a recorded reason in characters.
  private static let maxReasonLength = 200

  /// Returns the changes that record a lasting failure, and the time of the next request.
  private func lastingFailureChanges(
    _ failure: LastingFailure, _ outcome: SaveOutcome, _ facts: Facts
  ) -> [LibraryChange] {
    let (page, now) = (facts.page, facts.now)
    let since = page.failure == failure.rawValue ? page.failedSince : nil
    let changes = [LibraryChange(page.key, .failed, failure.rawValue)]
    guard outcome.retryAfter == nil,
      failure.isConfirmed(
        at: outcome.alternateSchemeURL ?? outcome.url, isPublic: facts.isPublic, since: since,
        now: now)
    else { return changes }
    let next = GoneSchedule.nextRequest(
      interval: facts.interval, goneSince: since ?? now, now: now)
    return changes + [LibraryChange(page.key, .notBefore, Self.seconds(next))]
  }

  private static func seconds(_ date: Date) -> String {
    "\(Timestamp.clampedSeconds(date.timeIntervalSince1970))"
  }
}

extension SaveRequest {
  /// Returns whether the failure of a page need not be reported, because an earlier run has
  /// reported the same failure.
  func isExcused(_ failure: LastingFailure, _ page: LibraryPage) -> Bool {
    excusesRepeatedFailures && page.failure == failure.rawValue
  }
}
