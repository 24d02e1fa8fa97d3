/// The choice between http and https for a URL that the user typed without a scheme. This type
/// performs no I/O.
///
/// Public hosts are tried by https first, and by http only if the connection is refused or times
/// out, or if the port does not speak TLS. Private hosts, such as routers, are tried by http first.
struct SchemeChoice: Sendable, Equatable {
  /// The URL with the other scheme.
  let otherURL: WebURL
  private let hasExplicitPort: Bool

  /// Creates a choice; nil unless the other scheme may be tried for a request.
  /// - Parameters:
  ///   - request: The first request.
  ///   - url: The URL of the request, with its fragment.
  ///   - isStrict: Whether the host is in the HSTS store (RFC 6797).
  init?(_ request: WebRequest, at url: WebURL, isStrict: Bool) {
    // User data, passwords and cookies must not be sent over an unencrypted connection.
    guard url.isWeb, ["GET", "HEAD"].contains(request.method), !request.hasBody,
      url.credentials == nil, request.fields["Authorization"] == nil,
      request.fields["Cookie"] == nil, !isStrict || url.scheme == "http"
    else { return nil }
    otherURL = url.togglingScheme
    hasExplicitPort = url.port != nil
  }

  /// Returns whether the other scheme may be tried after a failure of the assumed one.
  func allowsOther(after failure: TransportFailure) -> Bool {
    if otherURL.scheme == "http" { return failure.mayServePlainHTTP }
    // A port that does not respond in HTTP may speak TLS.
    let kinds: [FailureKind] =
      hasExplicitPort ? [.malformed, .incomplete] : [.connectionRefused, .connectTimedOut]
    return kinds.contains(failure.kind)
  }
}

extension WebURL {
  /// The same URL with http instead of https, or https instead of http. An explicit port is kept.
  package var togglingScheme: WebURL {
    guard scheme == "https" else { return secured }
    return WebURL(
      scheme: "http", credentials: credentials, host: host, port: port == 80 ? nil : port,
      path: path, query: query, fragment: fragment)
  }
}
