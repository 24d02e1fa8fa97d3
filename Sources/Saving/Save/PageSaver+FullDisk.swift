import Reader
import Crawl
import Library
import OfflineCache

/// What becomes of pages that were asked for when the disk is full.
extension PageSaver {
  /// Notes what was saved and not noted yet, and that the rest of what was named waits.
  func rememberNamed() {
    guard !request.isCheck else { return }
    reserve = nil
    let named = request.keeps ? request.pages.filter { !noted.contains($0) } : []
    let late = unnoted
    unnoted = []
    guard !named.isEmpty || !late.isEmpty else { return }
    do throws(ArchiveError) {
      try note(late)
      var changes: [LibraryChange] = []
      for page in named where !noted.contains(page) {
        guard let key = cache.key(of: page), feedRequest(for: page) == nil else { continue }
        changes.append(LibraryChange(key, .kept, "1"))
        changes += LibraryChange.address(page, of: key)
        if let trip = CrawlScope(request) { changes.append(LibraryChange(key, .trip, trip.text)) }
        if try library.page(key).queued == nil { changes.append(LibraryChange(key, .queued, "")) }
        changes += request.changes(of: key)
        report.remembered += 1
      }
      try library.record(changes)
    } catch {
      report.remembered = 0
      report.isForgotten = true
    }
  }

  /// Notes what is done, or that it is to be noted once there is room.
  func noteNow() throws(ArchiveError) {
    do throws(ArchiveError) {
      try note(unsynced)
    } catch {
      guard error == .full else { throw error }
      (warning, report.isDiskFull) = (error, true)
      unnoted += unsynced
    }
  }

  /// What did not get onto the disk, or not into the library, is not saved.
  func takeBackSaved(_ error: ArchiveError) {
    if error == .full {
      report.isDiskFull = true
      namedDone -= unsynced.count { $0.visit.isNamed && $0.outcome.result == .saved }
      unsynced.removeAll { $0.outcome.result == .saved }
      return
    }
    for index in unsynced.indices where unsynced[index].outcome.result == .saved {
      unsynced[index].outcome.result = .failed(error.description)
      unsynced[index].outcome.size = 0
    }
  }
}
