import Foundation

/// The schedule of requests for a page that is gone.
enum GoneSchedule {
  /// The maximum wait in seconds, unless the refresh interval of the page is longer.
  static let maxWait: TimeInterval = 30 * 86_400

  /// Returns the time of the next request. Each wait is at least twice as long as the previous one,
  /// up to the maximum.
  /// - Parameters:
  ///   - interval: the refresh interval of the page in seconds.
  ///   - since: the time of the first such failure.
  ///   - now: the time of the request that just failed.
  /// - Returns: the time before which the page is not requested.
  static func nextRequest(interval: TimeInterval, goneSince since: Date, now: Date) -> Date {
    // The waits are 2, 4, 8 … intervals: each is the total time so far plus two intervals.
    let doubled = 2 * interval + max(0, now.timeIntervalSince(since))
    return now.addingTimeInterval(max(interval, min(doubled, maxWait)))
  }
}
