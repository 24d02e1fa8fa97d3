import Synchronization

/// What has happened to an archive that a person may want to know, until it is taken.
final class ArchiveNotices: Sendable {
  /// The most that are kept.
  private static let limit = 1000

  private let notices = Mutex<[ArchiveNotice]>([])

  /// Remembers something; the same thing only once.
  func note(_ notice: ArchiveNotice) {
    notices.withLock { notices in
      guard !notices.contains(notice), notices.count < Self.limit else { return }
      notices.append(notice)
    }
  }

  /// What was noted since the last call.
  func take() -> [ArchiveNotice] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }
}
