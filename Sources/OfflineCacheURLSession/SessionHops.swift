import Dispatch
import Foundation
public import OfflineCache

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPCache {
  /// Loads a URL through a URLSession of the cache's own with `CachingURLProtocol` in it, redirects
  /// followed: what `start` does, as every other load of an application.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is loaded.
  ///   - maxRedirects: how many redirects are followed; 0 gives the redirect itself.
  ///   - event: called for each event, one at a time, on a queue of the load; while it runs no more
  ///     than about 1 MB of content queues up behind it.
  /// - Returns: the navigation, to cancel it.
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
  /// Loads a URL as `startInSession` does, for a thread that takes the events from an inbox.
  package func startInSession(
    _ request: WebRequest, options: LoadOptions, maxRedirects: Int, into inbox: NavigationInbox
  ) -> Navigation {
    start(
      request, options: options, maxRedirects: maxRedirects, through: SessionHops(), into: inbox)
  }
}

/// Through a URLSession.
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

/// A hop that a session is lent to. On the queue of its navigation.
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
