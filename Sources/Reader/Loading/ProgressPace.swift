/// Determines when the progress of a load is reported: whenever enough bytes have been received,
/// and on slow connections at least once a second.
package struct ProgressPace: Sendable {
  private let minByteCount: Int
  private var reportedByteCount = 0
  private var reportInstant: ContinuousClock.Instant

  /// The time after which fewer bytes are reported, too.
  private static let maxInterval = Duration.seconds(1)

  /// Creates the pace of a load that begins now.
  /// - Parameters:
  ///   - minByteCount: The minimum number of bytes between two reports in quick succession.
  ///   - start: The time at which the load begins.
  package init(minByteCount: Int, start: ContinuousClock.Instant = .now) {
    (self.minByteCount, reportInstant) = (minByteCount, start)
  }

  /// Returns whether progress is to be reported now. If so, the progress counts as reported.
  /// - Parameters:
  ///   - byteCount: The number of bytes received so far.
  ///   - now: The current time.
  /// - Returns: Whether progress is reported.
  package mutating func shouldReport(
    _ byteCount: Int, at now: ContinuousClock.Instant = .now
  ) -> Bool {
    guard
      byteCount - reportedByteCount >= minByteCount
        || byteCount > reportedByteCount && now - reportInstant >= Self.maxInterval
    else { return false }
    (reportedByteCount, reportInstant) = (byteCount, now)
    return true
  }
}
