package import Foundation
package import OfflineCache

/// What a sync has to do.
package struct SyncPlan: Sendable, Equatable {
  /// The pages that wait in the queue, in the order in which they came into it.
  package var queued: [String] = []
  /// The kept pages that are due, those that have waited longest first.
  package var due: [String] = []
  /// Pages that wait in the queue and were read since: they need not wait any more.
  package var arrived: [String] = []
  /// How many kept pages are not due yet.
  package var notDue = 0

  /// How often a kept page is refreshed unless it says otherwise, in seconds.
  package static let defaultInterval: TimeInterval = 86_400
  /// A page that does not change is refreshed this many times more seldom at most.
  static let mostBackoff = 16.0
  /// Of the time for which a page was found unchanged, so much more may pass until it is looked at
  /// again.
  static let backoffShare = 0.25

  /// When a page is to be refreshed.
  ///
  /// A page that was last found unchanged a long time after it had changed need not be asked for as
  /// often as one that changes: a quarter of that time may pass, at most 16 intervals.
  /// - Parameters:
  ///   - interval: how often it is refreshed at least, in seconds.
  ///   - content: when its content is from.
  ///   - checked: when the server was last asked.
  /// - Returns: the time.
  package static func nextRefresh(
    interval: TimeInterval, content: Date, checked: Date
  ) -> Date {
    let unchanged = max(0, checked.timeIntervalSince(content)) * backoffShare
    return checked.addingTimeInterval(max(interval, min(unchanged, interval * mostBackoff)))
  }

  /// Looks at what is kept and queued.
  /// - Parameters:
  ///   - profile: whose library it is.
  ///   - now: the time of day.
  /// - Throws: `ArchiveError.unreadable`.
  package init(of profile: Profile, now: Date) throws(ArchiveError) {
    for page in try profile.library.pages(with: .queued) {
      let saved = try profile.cache.archive.captures(of: page.key).first(where: \.isGood)
      let isThere = saved.map { $0.contentDate > page.queued ?? .distantFuture } ?? false
      if isThere { arrived.append(page.key) } else { queued.append(page.key) }
    }
    let waiting = Set(queued)
    var found: [(key: String, at: Date)] = []
    for page in try profile.library.pages(with: .kept) where !waiting.contains(page.key) {
      let versions = try profile.cache.archive.captures(of: page.key)
      guard let saved = versions.first(where: \.isGood) else {
        found.append((page.key, .distantPast))
        continue
      }
      let checked = versions.map { max($0.responseTime, $0.lastCheck?.date ?? .distantPast) }.max()
      let at = Self.nextRefresh(
        interval: page.interval ?? Self.defaultInterval, content: saved.contentDate,
        checked: checked ?? saved.responseTime)
      // A check in the future was made by a clock that was wrong.
      let isWrong = (checked ?? now) > now.addingTimeInterval(Self.defaultInterval)
      if at <= now || isWrong { found.append((page.key, at)) } else { notDue += 1 }
    }
    due = found.sorted { ($0.at, $0.key) < ($1.at, $1.key) }.map(\.key)
  }

  /// The work as a request; it asks for every page, also for one that is fresh.
  /// - Parameter options: how each page is loaded.
  /// - Returns: the request.
  package func request(_ options: LoadOptions) -> SaveRequest {
    var request = SaveRequest(pages: queued + due, options: options)
    request.options.isReload = true
    request.passesOverUnchanged = true
    request.resumes = false
    request.keeps = false
    return request
  }
}

/// Sees to it that only one sync of a library runs at a time.
package final class SyncLock {
  private let file: OpenFile

  /// Takes the lock; nil when another process has it.
  /// - Parameter folder: the folder of the profile's state.
  /// - Throws: `ArchiveError.unwritable`.
  package init?(in folder: URL) throws(ArchiveError) {
    let files = LocalFileSystem()
    try files.makeFolders(folder.path)
    file = try files.openForWriting(folder.appendingPathComponent("sync.lock").path)
    guard try file.tryLock() else { return nil }
  }

  deinit { file.unlock() }
}
