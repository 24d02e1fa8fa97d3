import Reader
import Crawl
import Dates
import Library
import Foundation
import OfflineCache

/// What the library is told of pages that could not be had.
extension PageSaver {
  /// Whether a response was not stored because the disk is full; then nothing that follows is either.
  func isWithoutRoom(_ result: Result) -> Bool {
    guard case .answered(_, .network, false) = result.ending else { return false }
    return cache.archive.warning == .full
  }

  /// What is said of a page that waits in the queue.
  /// - Throws: `ArchiveError.unreadable`.
  func queueChanges(
    _ outcome: SaveOutcome, _ visit: LinkFrontier.Visit, _ key: String
  ) throws(ArchiveError) -> [LibraryChange] {
    var changes: [LibraryChange] = []
    if try library.page(key).queued == nil { changes.append(LibraryChange(key, .queued, "")) }
    let again = outcome.askAgain.map { "\(Timestamp.seconds($0.timeIntervalSince1970))" }
    changes.append(LibraryChange(key, .again, again))
    guard request.keeps, visit.isNamed, !outcome.isReadable else { return changes }
    changes.append(LibraryChange(key, .kept, "1"))
    changes += LibraryChange.address(outcome.url, of: key)
    if let trip = CrawlScope(request) { changes.append(LibraryChange(key, .trip, trip.text)) }
    return changes + request.changes(of: key)
  }

  /// Whether a page waits in the queue from now on: it was to be kept and could not be had, or its server is
  /// busy.
  func isQueued(_ visit: LinkFrontier.Visit, _ outcome: SaveOutcome) -> Bool {
    guard visit.isWanted, feedRequest(for: outcome.url) == nil else { return false }
    if request.isCheck {
      guard case .failed = outcome.result, let key = cache.key(of: outcome.url) else {
        return false
      }
      return (try? library.page(key).queued) != nil
    }
    // The queue is in the folder that is not there.
    if case .noFolder? = cache.warning { return false }
    if outcome.askAgain != nil || outcome.isUnconfirmed { return true }
    if outcome.lacksParts { return visit.isNamed }
    guard case .failed = outcome.result, outcome.lasting?.isGone != true else { return false }
    return visit.isNamed && request.keeps
  }

  /// Fills in whether a page that fails lastingly is requested again, and whether that was reported before.
  func judgeLasting(_ outcome: inout SaveOutcome) {
    guard let failure = outcome.lasting, !request.isCheck, let key = cache.key(of: outcome.url),
      let page = try? library.page(key)
    else { return }
    outcome.isAskedAgain =
      outcome.isQueued || page.queued != nil || page.kept != nil || page.isFeed
    outcome.isExcused = isReported(failure, page)
  }

  /// Whether an earlier run has reported that a page fails in this way, and this one need not.
  func isReported(_ failure: LastingFailure, _ page: LibraryPage) -> Bool {
    request.excusesRepeatedFailures && page.failure == failure.rawValue
  }

  /// What the library records of a page that fails lastingly: since when, and when it is requested again.
  /// - Throws: `ArchiveError.unreadable`.
  func lastingChanges(
    _ failure: LastingFailure, _ outcome: SaveOutcome, _ key: String
  ) throws(ArchiveError) -> [LibraryChange] {
    let page = try library.page(key)
    let since = page.failure == failure.rawValue ? page.failedSince : nil
    var changes = [LibraryChange(key, .failed, failure.rawValue)]
    let isPublic = cache.isOnPublicNetwork(outcome.url)
    if outcome.askAgain == nil,
      failure.isConfirmed(at: outcome.url, isPublic: isPublic, since: since, now: now())
    {
      let next = GoneSchedule.nextRequest(
        interval: settings.interval(of: page), goneSince: since ?? now(), now: now())
      changes.append(LibraryChange(key, .again, "\(Timestamp.seconds(next.timeIntervalSince1970))"))
    }
    return changes
  }

  /// How far the links of a kept page were followed, as it is remembered: by this save, or by one before that
  /// followed links when this one does not.
  /// - Throws: `ArchiveError.unreadable`.
  func trip(of key: String) throws(ArchiveError) -> String? {
    if let trip = CrawlScope(request) { return trip.text }
    return CrawlScope(text: try library.page(key).trip).flatMap { $0.depth > 0 ? $0.text : nil }
  }

  /// Notes how many pages a limit of size has let through: the sizes of what is saved tell that no more.
  func notePacked() {
    guard request.bounds.mostBytes != nil, report.cutOff > 0, var trip = CrawlScope(request) else {
      return
    }
    trip.maxPages = max(1, frontier.count - report.cutOff)
    do throws(ArchiveError) {
      try library.record(packed.map { LibraryChange($0, .trip, trip.text) })
    } catch {
      warning = error
    }
  }
}
