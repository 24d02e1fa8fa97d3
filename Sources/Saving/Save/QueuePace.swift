import Reader

/// When the queue is tried again while pages are read: a value without a clock.
///
/// Whether there is a network only a request tells, so there is one now and then, more seldom the longer
/// nothing answers; a page that was just had from the network is the best sign.
struct QueuePace: Sendable, Equatable {
  /// After the start nothing is asked for so long: the page that is read comes first.
  var start = Duration.seconds(2)
  /// After a try that reached nothing, at first and at most.
  var least = Duration.seconds(30)
  var most = Duration.seconds(900)
  /// After a try that reached servers and left something.
  var rest = Duration.seconds(300)
  /// While nothing waits: another program may put something into the queue.
  var look = Duration.seconds(15)
  /// After a sign that there is a network.
  var soon = Duration.seconds(1)

  /// How many tries in a row have reached nothing.
  private(set) var failures = 0

  /// When to try again after a try.
  /// - Parameter reached: whether any server answered.
  /// - Returns: the time to wait.
  mutating func next(afterTryThatReached reached: Bool) -> Duration {
    guard !reached else {
      failures = 0
      return rest
    }
    failures = min(failures + 1, 16)
    return min(most, least * (1 << (failures - 1)))
  }

  /// When to try again as a page came from the network; nil when that says nothing new.
  mutating func afterAnswer() -> Duration? {
    guard failures > 0 else { return nil }
    failures = 0
    return soon
  }
}
