/// A schedule for loading images, at most six at a time.
struct ImageSchedule<Query: Hashable> {
  /// The wanted images whose loads have not begun.
  private var waiting: [Query] = []
  /// The wanted images that are being loaded. Loads of images that are not wanted any more are not
  /// counted.
  private var running: Set<Query> = []
  /// All images that are being loaded.
  private var begun: Set<Query> = []

  private static var maxRunning: Int { 6 }

  /// Replaces the wanted images.
  /// - Returns: the images to load now.
  mutating func draw(_ queries: [Query]) -> [Query] {
    waiting = queries.filter { !begun.contains($0) }
    running = begun.intersection(queries)
    return next()
  }

  /// Records that the load of an image has ended.
  /// - Returns: the images to load now.
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
