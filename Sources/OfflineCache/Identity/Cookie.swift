import Foundation

/// A cookie as it is kept, and to whom it goes (RFC 6265 §5.3, §5.4).
struct Cookie: Sendable, Hashable {
  /// The name, possibly empty.
  var name: String
  /// The value.
  var value: String
  /// The host, in lower case and ASCII, without a dot in front.
  var domain: String
  /// Whether hosts below the domain do not get it.
  var isHostOnly: Bool
  /// The path below which it is sent.
  var path = "/"
  /// Whether it goes over https only.
  var isSecure = false
  /// Whether scripts may not read it; kept for other programs.
  var isHTTPOnly = false
  /// When it ends; nil for the end of a session.
  var expires: Date?
  /// Its `SameSite` attribute.
  var sameSite = SameSite.unspecified

  /// The requests from other sites that a cookie is sent with (RFC 6265bis, "SameSite").
  enum SameSite: String, Sendable, Hashable {
    case none, lax, strict, unspecified
  }

  /// Whether it is over.
  func isExpired(at now: Date) -> Bool {
    expires.map { $0 <= now } ?? false
  }

  /// Whether a request for a URL carries it, its end aside.
  func isSent(to url: WebURL) -> Bool {
    guard url.isWeb, let host = url.host else { return false }
    return (isHostOnly ? host == domain : Self.domain(domain, covers: host))
      && Self.path(path, covers: url.path) && (!isSecure || url.scheme == "https")
  }

  /// What no two cookies that are kept side by side have in common.
  struct Place: Hashable {
    fileprivate var name: String
    fileprivate var domain: String
    fileprivate var path: String
    fileprivate var isHostOnly: Bool
  }

  /// Its name, its host and its path.
  var place: Place { Place(name: name, domain: domain, path: path, isHostOnly: isHostOnly) }

  /// Whether two cookies cannot be kept side by side.
  func replaces(_ other: Cookie) -> Bool { place == other.place }

  /// Whether a domain is the host or lies above it (RFC 6265 §5.1.3).
  static func domain(_ domain: String, covers host: String) -> Bool {
    host == domain || host.hasSuffix("." + domain) && !HostAddress.isAddress(host)
  }

  /// Whether a path is the other or a folder above it (RFC 6265 §5.1.4).
  static func path(_ path: String, covers other: String) -> Bool {
    guard other.hasPrefix(path) else { return false }
    return other.utf8.count == path.utf8.count || path.hasSuffix("/")
      || other.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
  }

  /// The folder of a URL's path: where a cookie goes that names no path (RFC 6265 §5.1.4).
  static func defaultPath(of url: WebURL) -> String {
    guard url.path.hasPrefix("/"), let slash = url.path.utf8.lastIndex(of: UInt8(ascii: "/")),
      slash > url.path.startIndex
    else { return "/" }
    return String(url.path[..<slash])
  }
}
