import Foundation

/// A stored cookie, and the conditions under which it is sent (RFC 6265 §5.3, §5.4).
struct Cookie: Sendable, Hashable {
  /// The name, possibly empty.
  var name: String
  /// The value.
  var value: String
  /// The host in lowercase ASCII, without a leading dot.
  var domain: String
  /// Whether the cookie is sent only to the host itself, not to subdomains.
  var isHostOnly: Bool
  /// The path prefix of the URLs to which the cookie is sent.
  var path = "/"
  /// Whether the cookie is sent only over https, or to this device.
  var isSecure = false
  /// Whether scripts must not read the cookie; preserved for other programs that use the file.
  var isHTTPOnly = false
  /// The expiry time; nil for a session cookie.
  var expires: Date?
  /// The `SameSite` attribute.
  var sameSite = SameSite.unspecified

  /// The requests from other sites that may carry a cookie (RFC 6265bis, "SameSite").
  enum SameSite: String, Sendable, Hashable {
    case none, lax, strict, unspecified
  }

  /// Returns whether the cookie has expired.
  func isExpired(at now: Date) -> Bool {
    expires.map { $0 <= now } ?? false
  }

  /// Returns whether a request for a URL carries the cookie, regardless of its expiry and its
  /// `SameSite` attribute.
  func isSent(to url: WebURL) -> Bool {
    guard url.isWeb, let host = url.host else { return false }
    return (isHostOnly ? host == domain : Self.domain(domain, covers: host))
      && Self.path(path, covers: url.path) && (!isSecure || Self.isProtected(url))
  }

  /// Returns whether secure cookies may be set by and sent to a URL (RFC 6265bis, "Secure"): over
  /// https, and without it to this device, as browsers do (Secure Contexts §3.1).
  static func isProtected(_ url: WebURL) -> Bool {
    if url.scheme == "https" { return true }
    guard let host = url.host else { return false }
    return WebURL.isLoopback(host) && (!host.hasPrefix("127.") || HostAddress.isAddress(host))
  }

  /// The properties that identify a cookie in a store. A new cookie replaces the cookie with the
  /// same identity.
  struct Identity: Hashable {
    fileprivate var name: String
    fileprivate var domain: String
    fileprivate var path: String
    fileprivate var isHostOnly: Bool
  }

  /// The name, domain, path and scope of the cookie.
  var identity: Identity {
    Identity(name: name, domain: domain, path: path, isHostOnly: isHostOnly)
  }

  /// Returns whether the cookie replaces another one.
  func replaces(_ other: Cookie) -> Bool { identity == other.identity }

  /// Returns whether a domain matches a host (RFC 6265 §5.1.3).
  static func domain(_ domain: String, covers host: String) -> Bool {
    host == domain || host.hasSuffix("." + domain) && !HostAddress.isAddress(host)
  }

  /// Returns whether a cookie path matches a request path (RFC 6265 §5.1.4).
  static func path(_ path: String, covers other: String) -> Bool {
    guard other.hasPrefix(path) else { return false }
    return other.utf8.count == path.utf8.count || path.hasSuffix("/")
      || other.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
  }

  /// Returns the default path for cookies set by a URL (RFC 6265 §5.1.4).
  static func defaultPath(of url: WebURL) -> String {
    guard url.path.hasPrefix("/"), let slash = url.path.utf8.lastIndex(of: UInt8(ascii: "/")),
      slash > url.path.startIndex
    else { return "/" }
    return String(url.path[..<slash])
  }
}
