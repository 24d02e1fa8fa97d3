package import Dispatch

/// A function that sends one request of a navigation, either directly to its cache or through a
/// URLSession.
///
/// The parameters are the request, the cache, the queue of the navigation (on which the function is
/// called), and the receiver of the events. Events are reported on the queue of the navigation,
/// never during the call; only `refreshed` and `checked` may arrive out of order. The function
/// throws if the request cannot start.
package typealias RequestLoader =
  @Sendable (
    RedirectStep, HTTPCache, DispatchQueue, @escaping @Sendable (CacheEvent) -> Void
  ) throws(LoadError) -> RunningRequest

extension FetchTask {
  /// The load as a request of a redirect chain.
  package var runningRequest: RunningRequest {
    RunningRequest(
      cancel: cancel, acknowledge: { self.acknowledge($0) },
      checkConnection: { self.checkConnection($0) })
  }

  /// Sends a request directly to the cache.
  static let direct: RequestLoader = { step, cache, queue, receive in
    cache.load(step, acknowledgesManually: true) { event in
      queue.async { receive(event) }
    }.runningRequest
  }
}

extension Navigation {
  /// The navigation as a request of another navigation; see `RunningRequest`.
  package var runningRequest: RunningRequest {
    RunningRequest(
      cancel: cancel, acknowledge: { self.acknowledge($0) },
      checkConnection: { self.checkConnection($0) })
  }
}
