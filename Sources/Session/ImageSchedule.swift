/// A schedule for loading images, at most six at a time.
struct ImageSchedule<Query: Hashable> {
  /// The wanted images whose loads have not begun.
  private var waitingQueries: [Query] = []
  /// The wanted images that are being loaded. Images that are still being loaded but no longer
  /// wanted are not included.
  private var wantedRunning: Set<Query> = []
  /// All images that are being loaded, wanted or not.
  private var allRunning: Set<Query> = []

  private static var maxRunning: Int { 6 }

  /// Replaces the wanted images.
  /// - Returns: the images to load now.
  mutating func setWanted(_ queries: [Query]) -> [Query] {
    waitingQueries = queries.filter { !allRunning.contains($0) }
    wantedRunning = allRunning.intersection(queries)
    return startNext()
  }

  /// Records that the load of an image has ended.
  /// - Returns: the images to load now.
  mutating func recordEnd(_ query: Query) -> [Query] {
    wantedRunning.remove(query)
    allRunning.remove(query)
    return startNext()
  }

  private mutating func startNext() -> [Query] {
    let count = max(0, min(Self.maxRunning - wantedRunning.count, waitingQueries.count))
    let next = Array(waitingQueries.prefix(count))
    waitingQueries.removeFirst(count)
    wantedRunning.formUnion(next)
    allRunning.formUnion(next)
    return next
  }
}
