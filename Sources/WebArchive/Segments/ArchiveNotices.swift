import Synchronization

/// The notices of an archive that have not been retrieved yet.
final class ArchiveNotices: Sendable {
  /// The maximum number of stored notices.
  private static let maxNotices = 1000

  private let notices = Mutex<[ArchiveNotice]>([])

  /// Adds a notice, unless it is already stored or the maximum number is reached.
  func add(_ notice: ArchiveNotice) {
    notices.withLock { notices in
      guard !notices.contains(notice), notices.count < Self.maxNotices else { return }
      notices.append(notice)
    }
  }

  /// Discards the notices that satisfy a condition.
  func discard(where isDiscarded: (ArchiveNotice) -> Bool) {
    notices.withLock { $0.removeAll(where: isDiscarded) }
  }

  /// Returns the notices since the last call.
  func drain() -> [ArchiveNotice] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}
