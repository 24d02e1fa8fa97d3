/// A schedule for trying to fetch queued pages during an interactive session. It is a value without
/// a clock.
///
/// Only a request shows whether there is a network, so requests are tried from time to time, less
/// often after each failure. The best indication of a network is a page that the user has just
/// loaded from it.
struct QueuePace: Sendable, Equatable {
  /// The delay after the start, which gives priority to the page that the user opens.
  var startDelay = Duration.seconds(2)
  /// The delay after the first try that reached no server; it doubles after each further such try.
  var initialDelay = Duration.seconds(30)
  /// The maximum delay after a try that reached no server.
  var maxDelay = Duration.seconds(900)
  /// The delay after a try that reached servers but left pages in the queue.
  var restDelay = Duration.seconds(300)
  /// The delay while the queue is empty; other processes may queue pages.
  var idleDelay = Duration.seconds(15)
  /// The delay after an indication that there is a network.
  var networkDelay = Duration.seconds(1)

  /// The number of consecutive tries that reached no server.
  private(set) var failureCount = 0

  /// Returns the delay after a try.
  /// - Parameter reached: whether any server responded.
  /// - Returns: the time until the next try.
  mutating func next(afterTryThatReached reached: Bool) -> Duration {
    guard !reached else {
      failureCount = 0
      return restDelay
    }
    failureCount = min(failureCount + 1, 16)
    return min(maxDelay, initialDelay * (1 << (failureCount - 1)))
  }

  /// Returns the delay after a page was loaded from the network; nil if the last try did not fail,
  /// so that the current delay remains.
  mutating func afterResponse() -> Duration? {
    guard failureCount > 0 else { return nil }
    failureCount = 0
    return networkDelay
  }
}
