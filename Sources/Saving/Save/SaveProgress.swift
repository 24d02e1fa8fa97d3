package import Foundation

/// The progress of a save.
package struct SaveProgress: Sendable, Equatable {
  /// The number of finished pages.
  package var doneCount = 0
  /// The number of requested and found pages, whether they are finished or not.
  package var knownCount = 0
  /// The number of bytes received.
  package var received: Int64 = 0
  /// The hosts that have running loads or were busy, with the numbers of their loads.
  package var hosts: [Host] = []
  /// The number of pages that are queued because their servers are busy.
  package var deferredCount = 0
  /// The time at which the first page of a busy server is requested again; nil if there is none.
  package var retryAfter: Date?
  /// The number of other hosts with waiting loads.
  package var waitingHosts = 0

  /// The loads of a host.
  package struct Host: Sendable, Equatable {
    package var name: String
    package var waitingCount: Int
    package var runningCount: Int
    /// The number of pages and images of the host that have been fetched.
    package var done: Int
  }
}
