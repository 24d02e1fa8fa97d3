package import Dispatch

/// A way to send the requests of a navigation to its cache: directly, or through a URLSession.
package protocol HopLoader: Sendable {
  /// Starts a request of a redirect chain.
  /// - Parameters:
  ///   - hop: The request and its options.
  ///   - cache: The cache.
  ///   - queue: The queue on which events are reported, never during this call. Only `refreshed`
  ///     and `checked` may arrive out of order.
  ///   - receive: The receiver of the events.
  /// - Returns: The running request.
  /// - Throws: The reason why the request cannot start.
  func begin(
    _ hop: Hop, in cache: HTTPCache, on queue: DispatchQueue,
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) throws(LoadError) -> any RunningHop
}

/// A running request of a redirect chain.
package protocol RunningHop: Sendable {
  /// Stops the request.
  func cancel()
  /// Acknowledges that the client consumed `count` bytes of content.
  func acknowledge(_ count: Int)
  /// Reports whether a connection to the server is established.
  /// - Parameter report: Called once, on any queue.
  func checkConnection(_ report: @escaping @Sendable (Bool) -> Void)
}

extension RunningHop {
  /// Reports false, because connections are not observed.
  package func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) { report(false) }
}

/// A loader that sends requests directly to the cache.
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
