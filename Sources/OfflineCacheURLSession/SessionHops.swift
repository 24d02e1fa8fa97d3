import Dispatch
import Foundation
public import OfflineCache

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCache {
  /// Loads a URL through a URLSession of the cache's own that uses `CachingURLProtocol`, and
  /// follows redirects: like `start`, but in the same way as other loads of an application.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options of each request in the redirect chain.
  ///   - maxRedirects: The maximum number of redirects to follow; with 0, a redirect itself is
  ///     returned.
  ///   - event: Called for each event, one at a time, on a queue of the load. While it runs, at
  ///     most about 1 MB of content is buffered.
  /// - Returns: The navigation, which can be cancelled.
  @discardableResult
  public func startInSession(
    _ request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20,
    event: @escaping @Sendable (NavigationEvent) -> Void
  ) -> Navigation {
    start(
      request, options: options, maxRedirects: maxRedirects, through: SessionHops(), event: event)
  }
}

extension HTTPCache {
  /// Loads a URL like `startInSession(_:options:maxRedirects:event:)`, for a thread that takes
  /// events from an inbox.
  package func startInSession(
    _ request: WebRequest, options: LoadOptions, maxRedirects: Int, into inbox: NavigationInbox
  ) -> Navigation {
    start(
      request, options: options, maxRedirects: maxRedirects, through: SessionHops(), into: inbox)
  }
}

/// Loads each request of a redirect chain through a URLSession.
struct SessionHops: HopLoader {
  func begin(
    _ hop: Hop, in cache: HTTPCache, on queue: DispatchQueue,
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) throws(LoadError) -> any RunningHop {
    guard let url = hop.request.url.url else {
      throw .transport(TransportFailure(.badURL, "not a URL: \(hop.request.url)"))
    }
    let ticket = LoadTicket(hop, in: cache) { event in
      queue.async { receive(event) }
    }
    let session = LoadSession.take()
    session.begin(url, with: ticket, on: queue, receive: receive)
    return SessionHop(session: session, ticket: ticket, queue: queue)
  }
}

/// A request performed by a session from the pool. Used on the queue of its navigation.
private final class SessionHop: RunningHop {
  private let session: LoadSession
  private let ticket: LoadTicket
  private let queue: DispatchQueue

  init(session: LoadSession, ticket: LoadTicket, queue: DispatchQueue) {
    (self.session, self.ticket, self.queue) = (session, ticket, queue)
  }

  func cancel() { session.cancel(ticket) }

  func acknowledge(_ count: Int) { ticket.acknowledge(count) }

  func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) {
    ticket.checkConnection(report)
  }
}
