import Foundation

/// A proxy whose failures are distinguished from failures of the server behind it.
struct ProxyFailure {
  /// The host and port of the proxy URL, without credentials; nil if there is no host.
  let name: String?
  let isSOCKS: Bool

  /// Parses the URL of a proxy, with or without a scheme; nil for an empty text.
  init?(address: String) {
    guard !address.isEmpty else { return nil }
    let rest = address.range(of: "://").map { address[$0.upperBound...] } ?? address[...]
    let host = rest.prefix { !"/?#".contains($0) }
    let shownHost = host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
    name = shownHost.isEmpty ? nil : String(shownHost)
    isSOCKS = address.lowercased().hasPrefix("socks")
  }

  /// The failure for a proxy that requires authentication.
  var authenticationRequired: TransportFailure {
    failed(
      .proxyAuthenticationRequired,
      "asks for a user name and a password, which belong in its URL")
  }

  /// Returns the failure for an http response that the proxy itself sent; nil if the server sent
  /// it.
  func failure(ofResponse status: Int, scheme: String) -> TransportFailure? {
    status == 407 && scheme == "http" && !isSOCKS ? authenticationRequired : nil
  }

  /// Returns the failure for the status of a response to CONNECT; nil if the tunnel to the server
  /// is open, or if no tunnel was requested (status 0).
  func failure(ofTunnel status: Int) -> TransportFailure? {
    switch status {
    case 407: authenticationRequired
    case 502, 503, 504: originUnreachable("cannot reach the server (\(status))")
    case 300...: failed(.proxyRefused, "refused (\(status))", status: status)
    default: nil
    }
  }

  /// Returns the failure for an unsuccessful DNS lookup of the proxy; nil if there is no network.
  func lookupFailure(hasRoute: Bool) -> TransportFailure? {
    guard hasRoute else { return nil }
    return failed(
      .proxyNotFound, "is not found: check the spelling of its URL, or the network")
  }

  /// Returns the failure for a proxy that reports that it has no connection to the port of the
  /// server, so that the server may still be reachable by plain http (`isWithoutTLS`). An HTTP
  /// proxy does not specify the reason. A SOCKS proxy does; only a refused connection counts (RFC
  /// 1928 §6).
  func originUnreachable(_ text: String) -> TransportFailure {
    var failure = failed(.proxyUnconnected, text)
    failure.isWithoutTLS = true
    return failure
  }

  func failed(
    _ kind: FailureKind, _ text: String, status: Int? = nil
  ) -> TransportFailure {
    let parts = [name, status.map { "(status \($0))" }].compactMap(\.self)
    let subject = parts.isEmpty ? nil : parts.joined(separator: " ")
    return TransportFailure(
      kind, "the proxy\(name.map { " " + $0 } ?? "") \(text)", about: subject)
  }
}
