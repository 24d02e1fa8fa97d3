/// The pace of a transfer, which has no time limit: a transfer that hardly moves is suspended, so
/// that it does not keep other files waiting.
struct TransferPace {
  /// The minimum number of bytes in `interval`.
  static let minBytes: Int64 = 320_000
  /// The interval after which the number of received bytes is compared.
  static let interval = Duration.seconds(300)

  private var start: ContinuousClock.Instant
  private var bytes: Int64

  /// Starts an interval.
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

/// The free space that enclosures leave on the disk for pages and for other programs.
enum FreeSpaceReserve {
  /// The number of bytes that stay free.
  static let bytes: Int64 = 100_000_000

  /// Returns whether content of a length in bytes fits into the free space, which may be unknown.
  static func allows(_ length: Int64, of free: Int64?) -> Bool {
    guard let free else { return true }
    return length <= free - bytes
  }
}
