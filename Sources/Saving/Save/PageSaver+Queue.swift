import Reader
import Crawl
import Dates
import Library
import Foundation
import OfflineCache

/// What the library is told of pages that could not be had.
extension PageSaver {
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
    if outcome.askAgain != nil { return true }
    guard case .failed = outcome.result, outcome.lasting?.isAnswer != true else { return false }
    return visit.isNamed && request.keeps
  }

  /// Tells of a page that fails for good whether it is asked for again, and whether that was so before.
  func judgeLasting(_ outcome: inout SaveOutcome) {
    guard let failure = outcome.lasting, !request.isCheck, let key = cache.key(of: outcome.url),
      let page = try? library.page(key)
    else { return }
    outcome.isAskedAgain = outcome.isQueued || page.queued != nil || page.kept != nil
    outcome.isExcused = request.excusesRepeatedFailures && page.failure == failure.rawValue
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
