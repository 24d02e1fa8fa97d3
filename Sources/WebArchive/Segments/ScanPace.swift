/// The amounts in which a segment is read into the index.
struct ScanPace: Sendable {
  /// The maximum number of events per transaction. In a large index, each of them changes different
  /// pages, and a page that changes several times is written only once.
  var maxEvents = 8000
  /// The approximate maximum number of bytes that are read per transaction.
  var maxBytes: Int64 = 16 << 20
  /// Called frequently; returns whether to stop.
  var isStopped: @Sendable () -> Bool = { false }

  /// Returns a pace with small batches, so that other threads do not wait long for the index.
  static func forBackground(_ isStopped: @escaping @Sendable () -> Bool) -> ScanPace {
    ScanPace(maxEvents: 200, maxBytes: 1 << 20, isStopped: isStopped)
  }
}
