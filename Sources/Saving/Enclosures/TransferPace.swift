/// The pace of a transfer. A transfer has no time limit; instead, one that hardly progresses is
/// suspended, so that it does not keep other files waiting.
struct TransferPace {
  /// The minimum number of bytes to receive per `interval`.
  static let minBytes: Int64 = 320_000
  /// The interval in which the received bytes are counted.
  static let interval = Duration.seconds(300)

  private var start: ContinuousClock.Instant
  private var bytes: Int64

  /// Starts the first interval.
  init(received: Int64 = 0, at now: ContinuousClock.Instant = .now) {
    (start, bytes) = (now, received)
  }

  /// Returns whether too few bytes were received in an interval that has ended, and starts the next
  /// interval. `received` is the number of bytes since the start of the transfer.
  mutating func isTooSlow(received: Int64, at now: ContinuousClock.Instant = .now) -> Bool {
    guard now - start >= Self.interval else { return false }
    defer { self = TransferPace(received: received, at: now) }
    return received - bytes < Self.minBytes
  }
}
