package import Configuration
package import Library

/// The space that the enclosures of one feed need, and the files that may make room for others.
package struct EnclosureBudget: Sendable, Equatable {
  /// A file with the number of bytes that it has on the disk.
  package struct StoredFile: Sendable, Equatable {
    package var record: EnclosureRecord
    package var size: Int64

    package init(record: EnclosureRecord, size: Int64) {
      (self.record, self.size) = (record, size)
    }
  }

  /// The decision about a file.
  package enum Decision: Sendable, Equatable {
    /// Fetch it within the limit, after these files were removed.
    case fetch(EnclosureMachine.Limit, removing: [StoredFile])
    /// Do not request it.
    case refuse(EnclosureFailure)
  }

  private let fileLimit: Int64
  private let feedLimit: Int64
  /// The number of bytes on the disk.
  package private(set) var used: Int64
  /// The files that may be removed, the oldest last.
  private var removable: [StoredFile]

  /// Creates the budget of a feed.
  /// - Parameters:
  ///   - policy: The limits.
  ///   - files: All files of the feed, complete or not.
  ///   - mayRemove: Returns whether a complete file may be removed to make room.
  package init(
    _ policy: EnclosurePolicy, _ files: [StoredFile], mayRemove: (EnclosureRecord) -> Bool
  ) {
    (fileLimit, feedLimit) = (policy.fileLimit, policy.feedLimit)
    used = files.reduce(0) { $0 + $1.size }
    removable = files.filter { $0.record.state == .complete && mayRemove($0.record) }
      .sorted { $1.record.date < $0.record.date }
  }

  /// Decides whether a file is fetched. Files are removed only if the file then fits. The size that
  /// the feed declares is not a reason to refuse the file, because it may be wrong.
  /// - Parameters:
  ///   - record: The file.
  ///   - size: The number of bytes of its partial file.
  /// - Returns: The decision.
  package mutating func decide(about record: EnclosureRecord, partSize size: Int64) -> Decision {
    if let total = record.size {
      if total > fileLimit { return .refuse(.fileLimit) }
      if total > feedLimit { return .refuse(.feedLimit) }
    }
    // A declared size that would be refused anyway must not evict files. Within the limit, the
    // subtractions cannot overflow.
    let declared = record.declaredSize.flatMap { $0 <= min(fileLimit, feedLimit) ? $0 : nil }
    let needed = min(max(record.size ?? declared ?? 0, size), feedLimit)
    var available = feedLimit - (used - size)
    let missing = needed - available
    var removed: [StoredFile] = []
    if missing > 0 {
      removed = candidates(for: missing)
      let freed = removed.reduce(0) { $0 + $1.size }
      if freed < missing || available + freed == 0 {
        guard record.size == nil else { return .refuse(.feedLimit) }
        removed = []
      } else {
        removable.removeLast(removed.count)
        used -= freed
        available += freed
      }
    }
    guard available > 0 else { return .refuse(.feedLimit) }
    let limit =
      fileLimit <= available
      ? EnclosureMachine.Limit(bytes: fileLimit, failure: .fileLimit)
      : EnclosureMachine.Limit(bytes: available, failure: .feedLimit)
    return .fetch(limit, removing: removed)
  }

  /// Records the size of a file after its transfer.
  /// - Parameters:
  ///   - size: The number of bytes on the disk.
  ///   - former: The number of bytes before the transfer.
  package mutating func record(_ size: Int64, insteadOf former: Int64) { used += size - former }

  /// Returns the oldest files that may be removed and have at least a size together, or all files
  /// that may be removed.
  private func candidates(for size: Int64) -> [StoredFile] {
    var sum: Int64 = 0
    var files: [StoredFile] = []
    for file in removable.reversed() where sum < size {
      sum += file.size
      files.append(file)
    }
    return files
  }
}
