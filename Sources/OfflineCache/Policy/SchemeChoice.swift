/// Which of http and https is used for a URL that the user typed without a scheme. A value without IO.
///
/// Public hosts are asked by https first and by http only when nothing there speaks TLS. Private hosts, as routers,
/// are asked by http first.
struct SchemeChoice: Sendable, Equatable {
  /// The URL by the other scheme.
  let other: WebURL
  private let isPortNamed: Bool

  /// Returns nil unless the other scheme may be tried for a request.
  /// - Parameters:
  ///   - request: the first request.
  ///   - url: its URL, with its fragment.
  ///   - isStrict: whether the host wants https only (RFC 6797).
  init?(_ request: WebRequest, at url: WebURL, isStrict: Bool) {
    // What a user sends, and a password, are not for a connection that is not encrypted.
    guard url.isWeb, ["GET", "HEAD"].contains(request.method), request.body.isEmpty,
      url.credentials == nil, request.fields["Authorization"] == nil,
      request.fields["Cookie"] == nil, !isStrict || url.scheme == "http"
    else { return nil }
    other = url.withOtherScheme
    isPortNamed = url.port != nil
  }

  /// Whether a failure of the assumed scheme lets the other one be tried.
  func allowsOther(after failure: TransportFailure) -> Bool {
    if other.scheme == "http" { return failure.mayServePlainHTTP }
    switch failure.kind {
    case .connectionRefused, .connectTimedOut: return !isPortNamed
    // The port may speak TLS.
    case .malformed, .incomplete: return isPortNamed
    default: return false
    }
  }
}

extension WebURL {
  /// The same URL by the other of http and https. A port that was named stays.
  var withOtherScheme: WebURL {
    guard scheme == "https" else { return secured }
    return WebURL(
      scheme: "http", credentials: credentials, host: host, port: port == 80 ? nil : port,
      path: path, query: query, fragment: fragment)
  }
}
