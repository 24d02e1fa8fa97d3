import Reader
package import Profiles
package import Configuration
import Document
package import Foundation
package import Library
package import OfflineCache

/// Fetches the waiting enclosures of feeds, one after another: first those of a requested item,
/// then the others, newest first, and finally those that failed before.
package final class EnclosureFetcher {
  private let profile: Profile
  private let store: EnclosureStore
  private let options: LoadOptions
  /// The cache keys of the feeds whose enclosures are fetched; nil for all feeds.
  private let feeds: Set<String>?
  /// The cache key of the page of the item whose files are fetched first, even if the item was read
  /// or the files failed before; nil if no item is preferred.
  private let requestedItem: String?
  private let now: Date
  private var report = EnclosureReport()
  private var budgets: [String: EnclosureBudget] = [:]
  /// The origins that do not respond.
  private var failingOrigins: Set<String> = []
  /// Whether there is no network.
  private var isOffline = false

  /// The time in seconds until the first retry after a failure that is likely to last. The retry is
  /// useful because, for example, the page of a captive portal looks like such a failure.
  private static let firstRetryInterval: Int64 = 86_400
  /// The time in seconds until each further retry after a failure that is likely to last.
  private static let retryInterval: Int64 = 7 * 86_400
  /// The maximum length in bytes of a failure's reason that is stored.
  private static let maxFailureLength = 500
  /// The number of failed attempts after which a partial file is not continued any more.
  private static let maxFailedResumptions = 3

  /// Prepares to fetch.
  /// - Parameters:
  ///   - profile: The profile with the feeds.
  ///   - feeds: The cache keys of the feeds; nil for all feeds.
  ///   - item: The cache key of the page of the item whose files are fetched first, even if the
  ///     item was read or the files failed before; nil if no item is preferred.
  ///   - options: The options for loads.
  ///   - now: The current time.
  package init(
    _ profile: Profile, of feeds: Set<String>? = nil, first item: String? = nil,
    options: LoadOptions, now: Date = Date()
  ) {
    (self.profile, self.feeds, self.options, self.now) = (profile, feeds, options, now)
    requestedItem = item
    store = profile.enclosures
  }

  /// Returns the number of enclosures to fetch, without those that are known to be too large.
  /// - Throws: `ArchiveError`.
  package func dueCount() throws(ArchiveError) -> Int {
    let wanted = try store.contents().records.filter { record in
      let limit = profile.settings.enclosurePolicy(ofFeed: record.feed).fileLimit
      return isWanted(record) && !isDeferred(record) && record.size ?? 0 <= limit
    }
    return try items(of: wanted).neededRecords(wanted).count
  }

  /// Fetches the enclosures. Files that are not fetched wait for the next run.
  /// - Parameter progress: Called with the progress several times a second; returns false to stop.
  /// - Returns: The report.
  package func run(progress: (EnclosureProgress) -> Bool = { _ in true }) -> EnclosureReport {
    do throws(ArchiveError) {
      guard let lock = try store.lock() else {
        report.isBusy = true
        return report
      }
      defer { lock.unlock() }
      let contents = try store.contents()
      report.damagedCount = contents.damagedCount
      let records = try withoutUnneeded(try withoutRemoved(contents.records))
      try makeBudgets(records)
      let selectedRecords = records.filter(isWanted)
      let neededRecords = try items(of: selectedRecords).neededRecords(selectedRecords)
      let dueRecords = neededRecords.filter { !isDeferred($0) }
      report.failedEarlierCount = neededRecords.count - dueRecords.count
      // A file that fails each time must not prevent the others from being fetched.
      let requestedRecords = try markedAsRequested(
        dueRecords.filter { $0.item == requestedItem })
      let otherRecords = dueRecords.filter { $0.item != requestedItem }
      let orderedRecords =
        requestedRecords + otherRecords.filter(\.failure.isEmpty)
        + otherRecords.filter { !$0.failure.isEmpty }
      for (index, record) in orderedRecords.enumerated() {
        guard !report.isInterrupted, report.problem == nil else {
          report.waitingCount += dueRecords.count - index
          break
        }
        try fetch(record) { [title = record.title] received, total in
          progress(
            EnclosureProgress(
              number: index + 1, count: dueRecords.count, title: title, received: received,
              total: total))
        }
      }
    } catch {
      report.problem = error.reason
    }
    return report
  }

  // MARK: Selection

  private func items(of records: [EnclosureRecord]) throws(ArchiveError) -> EnclosureItems {
    try EnclosureItems(of: records, in: profile.library, requestedItem: requestedItem)
  }

  /// Returns whether the file is missing and the settings for its feed select it.
  private func isWanted(_ record: EnclosureRecord) -> Bool {
    record.state != .complete && feeds?.contains(record.feed) ?? true
      && profile.settings.enclosurePolicy(ofFeed: record.feed).selects(record.kind)
  }

  /// Returns whether the file is not requested now, because the last request failed for a reason
  /// that is likely to last. A retry time that is further away than the longest interval comes from
  /// a wrong clock and is ignored.
  private func isDeferred(_ record: EnclosureRecord) -> Bool {
    guard record.item != requestedItem else { return false }
    return record.retryAfter.map { time in
      let pause = Double(time) - now.timeIntervalSince1970
      return pause > 0 && pause <= Double(Self.retryInterval)
    } ?? false
  }

  /// Removes the enclosures of pages and feeds that were removed, here or on another device, and
  /// returns the others.
  private func withoutRemoved(
    _ records: [EnclosureRecord]
  ) throws(ArchiveError) -> [EnclosureRecord] {
    let library = profile.library
    let keys = Set(records.map(\.feed) + records.map(\.item))
    // The user may have added a page again since its removal.
    let removed = try library.pages(library.removals(of: keys).keys.sorted())
      .filter { $0 == LibraryPage(key: $0.key) }
    let gone = Set(removed.map(\.key))
    guard !gone.isEmpty else { return records }
    func isGone(_ record: EnclosureRecord) -> Bool {
      gone.contains(record.feed) || gone.contains(record.item)
    }
    try store.remove(records.filter(isGone))
    return records.filter { !isGone($0) }
  }

  /// Removes the incomplete enclosures whose items were read in the meantime or are no longer in
  /// the feed, and returns the others.
  private func withoutUnneeded(
    _ records: [EnclosureRecord]
  ) throws(ArchiveError) -> [EnclosureRecord] {
    let incomplete = records.filter { $0.state != .complete }
    let unneeded = Set(try items(of: incomplete).unneededRecords(incomplete).map(\.name))
    guard !unneeded.isEmpty else { return records }
    try store.remove(incomplete.filter { unneeded.contains($0.name) })
    return records.filter { !unneeded.contains($0.name) }
  }

  /// Records that the user requested files, so that a later run fetches those that this run does
  /// not complete.
  private func markedAsRequested(
    _ records: [EnclosureRecord]
  ) throws(ArchiveError) -> [EnclosureRecord] {
    var marked: [EnclosureRecord] = []
    for var record in records {
      record.isRequested = true
      // The user may have removed the enclosure in the meantime.
      if try store.contains(record) { try store.save(record) }
      marked.append(record)
    }
    return marked
  }

  private func makeBudgets(_ records: [EnclosureRecord]) throws(ArchiveError) {
    let complete = Set(records.filter { $0.state == .complete }.map(\.item))
    // The enclosures of pinned pages and unread items stay.
    let removable = Set(
      try profile.library.pages(complete.sorted())
        .filter { $0.pinnedDate == nil && !$0.isUnread }.map(\.key))
    for (feed, records) in Dictionary(grouping: records, by: \.feed) {
      var files: [EnclosureBudget.StoredFile] = []
      for record in records {
        files.append(.init(record: record, size: try store.storedSize(of: record)))
      }
      budgets[feed] = EnclosureBudget(profile.settings.enclosurePolicy(ofFeed: feed), files) {
        removable.contains($0.item)
      }
    }
  }

  // MARK: Transfers

  private func fetch(
    _ record: EnclosureRecord, progress: (Int64, Int64?) -> Bool
  ) throws(ArchiveError) {
    let origin = WebURL(record.source ?? record.url)?.origin ?? ""
    guard !isOffline, !failingOrigins.contains(origin) else {
      report.waitingCount += 1
      return
    }
    // The user may have removed the enclosure during the run.
    guard try store.contains(record) else { return }
    let size = try store.storedSize(of: record)
    switch budgets[record.feed]?.decide(about: record, partSize: size) {
    case .refuse(let reason)?: try finish(record, reason)
    case .fetch(let limit, let removed)?:
      try store.remove(removed.map(\.record))
      report.removedCount += removed.count
      try transfer(record, limit, origin: origin, partSize: size, progress: progress)
    case nil: break
    }
  }

  private func transfer(
    _ record: EnclosureRecord, _ limit: EnclosureMachine.Limit, origin: String, partSize: Int64,
    progress: (Int64, Int64?) -> Bool
  ) throws(ArchiveError) {
    // An earlier process may have ended after it renamed the file but before it updated the record.
    if let size = record.size, try store.completeSize(of: record) == size {
      return try finish(record.completed, nil)
    }
    var transfer = try EnclosureTransfer(of: record, limit: limit, in: profile, options: options)
    let startLength = transfer.length
    let failure = transfer.run(progress: progress)
    report.bytes += transfer.received
    budgets[record.feed]?.record(transfer.length, insteadOf: partSize)
    var updated = transfer.record
    if let failure {
      if failure == .cancelled { report.isInterrupted = true }
      if failure == .transport(.noNetwork) { isOffline = true }
      if failure.concernsServer, transfer.received == 0 { failingOrigins.insert(origin) }
      if startLength > 0, transfer.length == startLength, concernsSource(failure) {
        updated.failedResumptions += 1
        if updated.failedResumptions >= Self.maxFailedResumptions {
          (updated.source, updated.validator, updated.failedResumptions) = (nil, nil, 0)
        }
      }
    } else {
      updated.failedResumptions = 0
    }
    try finish(updated, failure)
  }

  /// Returns whether a failure to continue a partial file indicates that its source is gone.
  /// Without a network, all servers fail in the same way, so such failures do not count.
  private func concernsSource(_ failure: EnclosureFailure) -> Bool {
    if case .status = failure { return failure.concernsServer }
    return failure.concernsServer && (report.bytes > 0 || report.fetchedCount > 0)
  }

  /// Records the result for a file.
  private func finish(
    _ record: EnclosureRecord, _ failure: EnclosureFailure?
  ) throws(ArchiveError) {
    guard let failure else {
      report.fetchedCount += 1
      return try store.save(record)
    }
    switch failure {
    case .fileLimit: report.tooLargeCount += 1
    case .feedLimit: report.withoutSpaceCount += 1
    case .cancelled: report.waitingCount += 1
    case .removed: return
    case .unwritable(let reason):
      report.problem = reason
      report.waitingCount += 1
    case .status, .unsupportedMediaType, .transport, .incomplete, .changed, .noSpace:
      report.failures.append(.init(record: record, reason: failure))
    }
    var changed = record
    // The reason contains a path on this device, or text from the server.
    if case .unwritable = failure {
      changed.failure = "the file could not be written"
    } else {
      changed.failure = failure.description.prefix(maxUTF8Count: Self.maxFailureLength)
    }
    changed.state = failure.isTransient ? .waiting : .failed
    if changed.state == .failed { changed.isRequested = nil }
    changed.retryAfter = retryDelay(after: failure, of: record)
      .map { Int64(now.timeIntervalSince1970) + $0 }
    try store.save(changed)
  }

  /// Returns the time in seconds until a file may be requested again after a failure; nil if the
  /// next sync requests it.
  private func retryDelay(after failure: EnclosureFailure, of record: EnclosureRecord) -> Int64? {
    switch failure {
    case .noSpace: Self.firstRetryInterval
    case .fileLimit, .feedLimit: nil
    case .status, .unsupportedMediaType, .transport, .incomplete, .changed, .unwritable, .removed,
      .cancelled:
      if failure.isTransient {
        nil
      } else {
        record.retryAfter == nil ? Self.firstRetryInterval : Self.retryInterval
      }
    }
  }
}

extension EnclosureRecord {
  /// The record, changed to describe the complete file.
  var completed: EnclosureRecord {
    var record = self
    (record.state, record.failure, record.retryAfter) = (.complete, "", nil)
    (record.validator, record.source, record.isRequested) = (nil, nil, nil)
    return record
  }
}

extension EnclosurePolicy {
  /// Returns whether the settings select files of a kind.
  package func selects(_ kind: EnclosureRecord.Kind?) -> Bool {
    guard let kind else { return false }
    return switch choice {
    case .none: false
    case .audio: kind == .audio
    case .video: kind == .video
    case .all: true
    }
  }
}
