/// The choice between http and https for a URL that the user typed without a scheme. This type
/// performs no I/O.
///
/// For public hosts, https is tried first, and http only if the connection is refused or times out,
/// or if the server does not use TLS on the port. For private hosts, such as routers, http is tried
/// first.
struct SchemeChoice: Sendable, Equatable {
  /// The URL with the other scheme.
  let otherURL: WebURL
  private let hasExplicitPort: Bool

  /// Creates a choice; returns nil unless the other scheme may be tried for a request.
  /// - Parameters:
  ///   - request: The first request.
  ///   - url: The URL of the request, with its fragment.
  ///   - isStrict: Whether the host is in the HSTS store (RFC 6797).
  init?(_ request: WebRequest, at url: WebURL, isStrict: Bool) {
    // User information, passwords and cookies must not be sent over an unencrypted connection.
    guard url.isWeb, ["GET", "HEAD"].contains(request.method), !request.hasBody,
      url.credentials == nil, request.fields["Authorization"] == nil,
      request.fields["Cookie"] == nil, !isStrict || url.scheme == "http"
    else { return nil }
    otherURL = url.togglingScheme
    hasExplicitPort = url.port != nil
  }

  /// Returns whether the other scheme may be tried after a failure of the assumed scheme.
  func allowsOther(after failure: TransportFailure) -> Bool {
    if otherURL.scheme == "http" { return failure.mayServePlainHTTP }
    // A port that does not respond in HTTP may require TLS.
    let kinds: [FailureKind] =
      hasExplicitPort ? [.malformed, .incomplete] : [.connectionRefused, .connectTimedOut]
    return kinds.contains(failure.kind)
  }
}

extension WebURL {
  /// The same URL with the scheme changed from http to https, or from https to http. An explicit
  /// port is kept.
  package var togglingScheme: WebURL {
    guard scheme == "https" else { return secured }
    return WebURL(
      scheme: "http", credentials: credentials, host: host, port: port == 80 ? nil : port,
      path: path, query: query, fragment: fragment)
  }
}
