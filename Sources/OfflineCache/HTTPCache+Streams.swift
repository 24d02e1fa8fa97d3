import Dispatch
public import Foundation

extension HTTPCache {
  /// Returns the events of loading a URL with redirects followed, as an asynchronous sequence.
  ///
  /// The load starts when the first element is requested. It is cancelled when the task that
  /// iterates is cancelled. At most about 1 MB of content is buffered for a slow consumer.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options for each request of the redirect chain.
  ///   - maxRedirects: The maximum number of redirects to follow; with 0, a redirect is returned as
  ///     the response.
  /// - Returns: The events, for a single iteration. The last one is `finished` or `failed`. If a
  ///   saved copy is served while the server is being contacted, the sequence continues until
  ///   `refreshed` or `checked`, if any.
  public func events(
    for request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20
  ) -> NavigationEvents {
    NavigationEvents(
      cache: self, request: .success(request), options: options, maxRedirects: maxRedirects)
  }

  /// Returns the content of a URL in pieces, with redirects followed.
  ///
  ///     for try await piece in cache.bytes(from: url) { try file.write(contentsOf: piece) }
  ///
  /// Responses of any status have content, including error pages; use `events(for:)` to receive the
  /// head.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options for each request of the redirect chain.
  ///   - maxRedirects: The maximum number of redirects to follow; with 0, a redirect is returned as
  ///     the response.
  /// - Returns: The decoded content in pieces of at most 64 KB, for a single iteration. The
  ///   iterator throws a `LoadError` if the content is incomplete.
  public func bytes(
    for request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20
  ) -> ContentPieces {
    ContentPieces(events: events(for: request, options: options, maxRedirects: maxRedirects))
  }

  /// Returns the content of a URL in pieces, loaded with GET; see `bytes(for:)`.
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: The options for each request of the redirect chain.
  /// - Returns: The content, decoded.
  public func bytes(from url: WebURL, options: LoadOptions = LoadOptions()) -> ContentPieces {
    bytes(for: WebRequest(url: url), options: options)
  }

  /// Returns the content of a URL in pieces, loaded with GET; see `bytes(for:)`.
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: The options for each request of the redirect chain.
  /// - Returns: The content, decoded.
  public func bytes(from url: URL, options: LoadOptions = LoadOptions()) -> ContentPieces {
    let request = Result { () throws(LoadError) in try WebRequest(written: url.absoluteString) }
    return ContentPieces(
      events: NavigationEvents(
        cache: self, request: request, options: options, maxRedirects: 20))
  }
}
