public import Foundation

/// The reason why a load failed.
public enum LoadError: Error, Sendable, Equatable {
  /// The network delivered no complete response, and no saved copy may be served.
  case transport(TransportFailure)
  /// Network access was not allowed, and no matching copy is saved.
  case notSaved
  /// The saved copy cannot be read.
  case archive(ArchiveError)
  /// The cache is closed.
  case closed
  /// The built-in page does not exist.
  case notFound
  /// The redirects form a loop; `url` is the URL that would be requested again.
  case redirectLoop(url: WebURL)
  /// The number of redirects exceeds the limit.
  case tooManyRedirects(limit: Int)
  /// A redirect led to a scheme other than http or https, to a blocked port of another origin, or
  /// from https to http with request content. `location` is the value of `Location` as sent by the
  /// server, or the resolved URL for a blocked port.
  case forbiddenRedirect(location: String)
}

extension LoadError {
  /// This error in the form of a `TransportFailure`, which has a kind, a message and, if known, a
  /// subject.
  public var failure: TransportFailure {
    switch self {
    case .transport(let failure): failure
    case .notSaved: TransportFailure(.notSaved)
    case .closed: TransportFailure(.closed)
    case .archive(let error): TransportFailure(.unreadableCopy, error.description)
    case .notFound: TransportFailure(.noBuiltInPage)
    case .redirectLoop(let url):
      TransportFailure(.redirectLoop, "redirected in a circle", about: url.description)
    case .tooManyRedirects(let limit):
      TransportFailure(
        .tooManyRedirects, "redirected more than \(limit) times", about: "\(limit)")
    case .forbiddenRedirect(let location):
      Self.blockedPort(of: location)
        ?? TransportFailure(
          .forbiddenRedirect, "redirected to what is not on the web", about: location)
    }
  }

  private static func blockedPort(of location: String) -> TransportFailure? {
    guard let url = WebURL(location), url.isWeb, url.hasBlockedPort else { return nil }
    return url.port.map(TransportFailure.blockedPort)
  }
}

extension LoadError: LocalizedError {
  /// A message for users of the library, used as `localizedDescription`.
  public var errorDescription: String? { failure.errorDescription }
}

extension LoadError: CustomStringConvertible {
  /// A line for logs: the kind of failure, followed by details if available.
  public var description: String { failure.description }
}
