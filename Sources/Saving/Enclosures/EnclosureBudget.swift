package import Configuration
package import Library

/// The space that the enclosures of one feed use, and the files that may be removed to free space
/// for others.
package struct EnclosureBudget: Sendable, Equatable {
  /// A file, with the number of bytes that it takes on the disk.
  package struct StoredFile: Sendable, Equatable {
    package var record: EnclosureRecord
    package var size: Int64

    package init(record: EnclosureRecord, size: Int64) {
      (self.record, self.size) = (record, size)
    }
  }

  /// The decision whether a file is fetched.
  package enum Decision: Sendable, Equatable {
    /// The file is fetched within the limit, after these files have been removed.
    case fetch(EnclosureMachine.Limit, removing: [StoredFile])
    /// The file is not requested.
    case refuse(EnclosureFailure)
  }

  private let maxFileSize: Int64
  private let maxFeedSize: Int64
  /// The number of bytes that the files of the feed take on the disk.
  package private(set) var usedSize: Int64
  /// The files that may be removed, oldest last.
  private var removableFiles: [StoredFile]

  /// Creates the budget of a feed.
  /// - Parameters:
  ///   - policy: The limits.
  ///   - files: All files of the feed, complete or not.
  ///   - mayRemove: Returns whether a complete file may be removed to free space.
  package init(
    _ policy: EnclosurePolicy, _ files: [StoredFile], mayRemove: (EnclosureRecord) -> Bool
  ) {
    (maxFileSize, maxFeedSize) = (policy.fileLimit, policy.feedLimit)
    usedSize = files.reduce(0) { $0 + $1.size }
    removableFiles = files.filter { $0.record.state == .complete && mayRemove($0.record) }
      .sorted { $1.record.date < $0.record.date }
  }

  /// Decides whether a file is fetched. Other files are removed only if the file then fits. The
  /// size that the feed declares is not a reason to refuse the file, because it may be wrong.
  /// - Parameters:
  ///   - record: The record of the file.
  ///   - size: The number of bytes of its partial file.
  /// - Returns: The decision.
  package mutating func decide(about record: EnclosureRecord, partSize size: Int64) -> Decision {
    if let recordedSize = record.size {
      if recordedSize > maxFileSize { return .refuse(.fileLimit) }
      if recordedSize > maxFeedSize { return .refuse(.feedLimit) }
    }
    // Files must not be evicted for a declared size that would be refused anyway. Within the limit,
    // the subtractions cannot overflow.
    let declaredSize = record.declaredSize.flatMap {
      $0 <= min(maxFileSize, maxFeedSize) ? $0 : nil
    }
    let requiredSize = min(max(record.size ?? declaredSize ?? 0, size), maxFeedSize)
    var availableSize = maxFeedSize - (usedSize - size)
    let missingSize = requiredSize - availableSize
    var removedFiles: [StoredFile] = []
    if missingSize > 0 {
      removedFiles = candidates(for: missingSize)
      let freedSize = removedFiles.reduce(0) { $0 + $1.size }
      if freedSize < missingSize || availableSize + freedSize == 0 {
        guard record.size == nil else { return .refuse(.feedLimit) }
        removedFiles = []
      } else {
        removableFiles.removeLast(removedFiles.count)
        usedSize -= freedSize
        availableSize += freedSize
      }
    }
    guard availableSize > 0 else { return .refuse(.feedLimit) }
    let limit =
      maxFileSize <= availableSize
      ? EnclosureMachine.Limit(maxSize: maxFileSize, failure: .fileLimit)
      : EnclosureMachine.Limit(maxSize: availableSize, failure: .feedLimit)
    return .fetch(limit, removing: removedFiles)
  }

  /// Records the size of a file after its transfer.
  /// - Parameters:
  ///   - size: The number of bytes on the disk.
  ///   - former: The number of bytes on the disk before the transfer.
  package mutating func record(_ size: Int64, insteadOf former: Int64) { usedSize += size - former }

  /// Returns the oldest removable files whose total size reaches `size`, or all removable files if
  /// they are too small.
  private func candidates(for size: Int64) -> [StoredFile] {
    var sum: Int64 = 0
    var files: [StoredFile] = []
    for file in removableFiles.reversed() where sum < size {
      sum += file.size
      files.append(file)
    }
    return files
  }
}
