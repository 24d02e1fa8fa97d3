public import Foundation

/// A loader for requests with a custom scheme of the application, such as `app:`.
///
/// A loader is registered with `CacheConfiguration.register`. Its responses are handled like
/// responses of a server: a URLSession in which the cache is installed delivers them, and they are
/// archived if the loader was registered with `isCached`.
public protocol SchemeLoader: Sendable {
  /// Loads the response to one request: passes the head to `reply`, then the content, and returns
  /// when the content is complete. If the method throws an error, the response is incomplete, and a
  /// saved response is served if there is one.
  ///
  /// This method runs in a task of its own. The task is cancelled if the response is no longer
  /// needed, or if a time limit of the load has expired.
  /// - Throws: The reason why the response is incomplete: a `TransportFailure` is reported
  ///   unchanged, an `UnrepeatableBodyError` of `WebRequest.bodyStream` with the kind
  ///   `unrepeatableUpload`, any other error with the kind `other`.
  func load(_ request: WebRequest, into reply: SchemeReply) async throws
}

/// The receiver of the response of a `SchemeLoader`.
public final class SchemeReply: Sendable {
  private let exchange: LoaderExchange

  init(_ exchange: LoaderExchange) {
    self.exchange = exchange
  }

  /// Sends the response head; must be called once, before any content.
  /// - Throws: `TransportFailure` if a head was already sent, or if the response is no longer
  ///   needed.
  public func respond(_ response: ResponseHead) throws {
    try exchange.respond(response)
  }

  /// Sends a piece of the content, of any length and without any coding. Suspends while the
  /// receiver has about 1 MB of unprocessed content.
  /// - Throws: `TransportFailure` if no head was sent, if the response is no longer needed, or if
  ///   the content exceeds the size limit of the load.
  public func send(_ content: [UInt8]) async throws {
    try await exchange.send(content)
  }
}

/// The reason why a scheme cannot have a loader.
public enum SchemeError: Error, Sendable, Equatable {
  /// The given scheme has a fixed meaning: the `Transport` of the cache loads http and https, seeds
  /// provide `about`, and the other reserved schemes are never loaded for a page.
  case reserved(String)
  /// The given text is not a valid scheme (RFC 3986 §3.1).
  case malformed(String)
}

extension SchemeError: CustomStringConvertible {
  /// A message in one line.
  public var description: String {
    switch self {
    case .reserved(let scheme): "the scheme \(scheme) is reserved"
    case .malformed(let scheme): "\(scheme) is not a URL scheme"
    }
  }
}

extension SchemeError: LocalizedError {
  /// The same text as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
