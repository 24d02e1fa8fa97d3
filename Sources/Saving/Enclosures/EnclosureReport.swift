package import Library

/// The result of fetching enclosures.
package struct EnclosureReport: Sendable, Equatable {
  /// A file that could not be fetched.
  package struct Failure: Sendable, Equatable {
    package var record: EnclosureRecord
    package var reason: EnclosureFailure

    package init(record: EnclosureRecord, reason: EnclosureFailure) {
      (self.record, self.reason) = (record, reason)
    }
  }

  /// The number of files that the run completed.
  package var fetchedCount = 0
  /// The number of bytes that were received.
  package var bytes: Int64 = 0
  /// The files that could not be fetched, except those that `tooLargeCount`, `withoutSpaceCount`
  /// and the other counts below include.
  package var failures: [Failure] = []
  /// The number of files that are larger than `file_limit`.
  package var tooLargeCount = 0
  /// The number of files that do not fit into `feed_limit`.
  package var withoutSpaceCount = 0
  /// The number of files that are left to the next sync, because the run was stopped or their
  /// server does not respond.
  package var waitingCount = 0
  /// The number of files that failed earlier and are not due for another request.
  package var failedEarlierCount = 0
  /// The number of complete files that were removed to free space for others.
  package var removedCount = 0
  /// The number of records that cannot be read.
  package var damagedCount = 0
  /// Whether another process is fetching enclosures, so that this run did nothing.
  package var isBusy = false
  /// Whether the run was stopped.
  package var isInterrupted = false
  /// The reason why enclosures cannot be stored, or nil.
  package var problem: String?

  /// Creates an empty report.
  package init() {}

  /// Whether no file is missing that should have been fetched.
  package var isComplete: Bool {
    failures.isEmpty && waitingCount == 0 && !isInterrupted && problem == nil
  }
}
