package import Dispatch

/// How the hops of a navigation reach their cache: straight, or through a URLSession.
package protocol HopLoader: Sendable {
  /// Begins a hop.
  /// - Parameters:
  ///   - hop: what is asked.
  ///   - cache: the cache.
  ///   - queue: where events are told, never during this call. One that is told out of its order is
  ///     `refreshed` or `checked`.
  ///   - receive: told of them.
  /// - Returns: the running hop.
  /// - Throws: why it cannot begin.
  func begin(
    _ hop: Hop, in cache: HTTPCache, on queue: DispatchQueue,
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) throws(LoadError) -> any RunningHop
}

/// A running hop.
package protocol RunningHop: Sendable {
  /// Stops it.
  func cancel()
  /// Says that so many bytes of its content were used up.
  func acknowledge(_ count: Int)
  /// Reports whether a connection to the server is established.
  /// - Parameter report: called once, on any queue.
  func checkConnection(_ report: @escaping @Sendable (Bool) -> Void)
}

extension RunningHop {
  /// Reports false: connections are not observed.
  package func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) { report(false) }
}

/// Straight to the cache.
struct DirectHops: HopLoader {
  func begin(
    _ hop: Hop, in cache: HTTPCache, on queue: DispatchQueue,
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> any RunningHop {
    cache.load(hop, acknowledgesManually: true) { event in
      queue.async { receive(event) }
    }
  }
}

extension CacheLoad: RunningHop {}

extension Navigation: RunningHop {
  /// Reports whether the running request has a connection; see `RunningHop`.
  package func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) {
    onQueue { hop in
      guard let hop else { return report(false) }
      hop.checkConnection(report)
    }
  }
}
