import Foundation
public import OfflineCache

extension HTTPCache {
  /// Loads a URL and follows redirects, as `start` does. The requests are sent through a URLSession
  /// of the cache's own that uses `CachingURLProtocol`, as the requests of an application are.
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
      request, options: options, maxRedirects: maxRedirects, through: LoadSession.loader,
      event: event)
  }

  /// Loads a URL like `startInSession(_:options:maxRedirects:event:)`, for a thread that reads
  /// events from an inbox.
  package func startInSession(
    _ request: WebRequest, options: LoadOptions, maxRedirects: Int, into inbox: NavigationInbox
  ) -> Navigation {
    start(
      request, options: options, maxRedirects: maxRedirects, through: LoadSession.loader,
      into: inbox)
  }

  /// Prevents FoundationNetworking from creating directories for sessions of the process. Must be
  /// called before the process has a second thread, because it changes the environment during the
  /// call.
  package static func prepareSessionsWithoutDirectories() {
    LoadSession.createConfigurationWithoutDirectories()
  }
}
