import Foundation

/// The kinds of failures that are not determined by a code of libcurl alone.
extension CurlEasy {
  /// Returns whether an error message of the TLS library, OpenSSL or GnuTLS, indicates that the
  /// received data is not TLS, or that the connection was closed before any data. A TLS alert does
  /// not count.
  static func isWithoutTLS(_ text: String) -> Bool {
    let text = text.lowercased()
    return [
      "wrong version number", "packet length too long", "http request", "unknown protocol",
      "reset by peer", "ssl_error_syscall", "unexpected eof", "unexpected tls packet",
      "pull function", "non-properly terminated",
    ].contains { text.contains($0) }
  }

  /// Returns the failure kind for a failed DNS lookup.
  static func lookupFailure(hasRoute: Bool) -> FailureKind {
    hasRoute ? .hostNotFound : .noNetwork
  }

  /// Returns the failure kind for an `errno` value of `connect`.
  static func connectionFailure(_ number: Int32) -> FailureKind {
    switch number {
    case ECONNREFUSED: return .connectionRefused
    case ENETUNREACH, ENETDOWN: return .noNetwork
    case ETIMEDOUT: return .connectTimedOut
    default: return .hostUnreachable
    }
  }
}
