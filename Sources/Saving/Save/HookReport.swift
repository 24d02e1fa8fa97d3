package import Library

/// A report about the calls of the read hook: those that a run made, and those that are pending
/// afterwards.
package struct HookReport: Sendable, Equatable {
  /// A call that failed for the first time.
  package struct FirstFailure: Sendable, Equatable {
    /// The URL of the item.
    package var url: String
    package var reason: String
  }

  /// The number of calls of the run that succeeded.
  package var succeededCount = 0
  /// The number of calls of the run that failed.
  package var failedCount = 0
  /// The calls of the run that failed for the first time.
  package var firstFailures: [FirstFailure] = []
  /// The number of calls that this device will make, including those that have failed before.
  package private(set) var waitingCount = 0
  /// The number of pending calls that have failed at least once.
  package private(set) var retriedCount = 0
  /// The number of calls that have failed too often and are not repeated.
  package private(set) var abandonedCount = 0
  /// The number of pending calls of other devices.
  package private(set) var otherDeviceCount = 0
  /// The reason for the last failure of the oldest pending call that has failed; empty if none has.
  package private(set) var reason = ""

  /// Whether there is nothing to report.
  package var isEmpty: Bool { self == HookReport() }

  package init() {}

  /// Creates a report of pending calls.
  package init(_ calls: [HookCall]) { count(calls) }

  /// Counts pending calls. The counts and `reason` of an earlier call of this method are replaced.
  package mutating func count(_ calls: [HookCall]) {
    (waitingCount, retriedCount, abandonedCount, otherDeviceCount, reason) = (0, 0, 0, 0, "")
    for call in calls {
      switch call.state {
      case _ where !call.isFromThisDevice: otherDeviceCount += 1
      case .waiting: waitingCount += 1
      case .failed: (waitingCount, retriedCount) = (waitingCount + 1, retriedCount + 1)
      case .abandoned: abandonedCount += 1
      }
      if reason.isEmpty, call.isFromThisDevice { reason = call.state.failure?.reason ?? "" }
    }
  }
}
