/// Decides which images are loaded, at most six at a time.
struct ImageSchedule<Query: Hashable> {
  /// The wanted images that have not begun.
  private var waiting: [Query] = []
  /// The wanted images that are being loaded. Those that are no longer wanted delay no others.
  private var running: Set<Query> = []
  /// All images that are being loaded.
  private var begun: Set<Query> = []

  private static var maxRunning: Int { 6 }

  /// Replaces the wanted images.
  /// - Returns: those to begin now.
  mutating func draw(_ queries: [Query]) -> [Query] {
    waiting = queries.filter { !begun.contains($0) }
    running = begun.intersection(queries)
    return next()
  }

  /// Ends an image.
  /// - Returns: those to begin now.
  mutating func end(_ query: Query) -> [Query] {
    running.remove(query)
    begun.remove(query)
    return next()
  }

  private mutating func next() -> [Query] {
    let count = max(0, min(Self.maxRunning - running.count, waiting.count))
    let next = Array(waiting.prefix(count))
    waiting.removeFirst(count)
    running.formUnion(next)
    begun.formUnion(next)
    return next
  }
}
