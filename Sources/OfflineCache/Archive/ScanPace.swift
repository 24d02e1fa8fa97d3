/// How a segment is read into the index.
struct ScanPace: Sendable {
  /// How many records are read at once: in a big index each of them changes other pages, and a page is
  /// then written once for all.
  var batch = 8000
  /// About how many bytes of the file are read at once at most.
  var stretch: Int64 = 16 << 20
  /// Tells, often, whether to stop.
  var isStopped: @Sendable () -> Bool = { false }

  /// So little at once that nobody waits for the index meanwhile.
  static func behind(_ isStopped: @escaping @Sendable () -> Bool) -> ScanPace {
    ScanPace(batch: 200, stretch: 1 << 20, isStopped: isStopped)
  }
}
