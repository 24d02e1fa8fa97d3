import Foundation

/// A parser for `Set-Cookie` lines (RFC 6265 §5.2, with the limits and name prefixes of RFC
/// 6265bis).
enum SetCookie {
  /// The maximum length of name and value together, in bytes.
  private static let maxPairLength = 4096
  /// The maximum length of an attribute value in bytes; longer attributes are ignored.
  private static let maxAttributeLength = 1024
  /// The maximum lifetime of a cookie in seconds: 400 days.
  private static let maxLifetime: TimeInterval = 400 * 86_400

  /// The attributes of a cookie as received, before checking whether the server may set the cookie.
  private struct Attributes {
    var expires: Date?
    var maxAge: TimeInterval?
    var domain = ""
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = Cookie.SameSite.unspecified
  }

  /// Returns the cookie that a response from `url` sets; nil if the line is invalid or the server
  /// may not set the cookie. Storing an expired cookie removes the existing cookie with the same
  /// identity.
  static func cookie(_ line: String, from url: WebURL, now: Date) -> Cookie? {
    guard let host = url.host, !line.utf8.contains(where: isControl) else { return nil }
    let parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let (first, second) = pair(parts[0])
    let (name, value) = second.map { (first, $0) } ?? ("", first)
    // Tabs separate the fields of a file of cookies, of which the value is the last.
    guard name.utf8.count + value.utf8.count <= maxPairLength, !(name.isEmpty && value.isEmpty),
      !name.contains("\t")
    else { return nil }
    let attributes = attributes(parts.dropFirst())
    guard let (domain, isHostOnly) = scope(attributes.domain, host: host),
      !domain.hasPrefix(".")
    else { return nil }
    var cookie = Cookie(
      name: name, value: value, domain: domain, isHostOnly: isHostOnly,
      path: attributes.path ?? Cookie.defaultPath(of: url), isSecure: attributes.isSecure,
      isHTTPOnly: attributes.isHTTPOnly, sameSite: attributes.sameSite)
    let latest = now + maxLifetime
    cookie.expires =
      attributes.maxAge.map { $0 <= 0 ? .distantPast : min(now + $0, latest) }
      ?? attributes.expires.map { min($0, latest) }
    guard !cookie.isSecure || Cookie.isProtected(url), cookie.sameSite != .none || cookie.isSecure,
      satisfiesPrefix(cookie, attributes.path)
    else {
      return nil
    }
    return cookie
  }

  private static func attributes(_ parts: ArraySlice<Substring.UTF8View>) -> Attributes {
    var attributes = Attributes()
    for part in parts {
      let (name, given) = pair(part)
      let value = given ?? ""
      guard value.utf8.count <= maxAttributeLength else { continue }
      switch name.lowercased() {
      case "expires": attributes.expires = CookieDate.parse(value) ?? attributes.expires
      case "max-age": attributes.maxAge = seconds(value) ?? attributes.maxAge
      case "domain": attributes.domain = value
      case "path":
        attributes.path = value.hasPrefix("/") && !value.contains("\t") ? value : nil
      case "secure": attributes.isSecure = true
      case "httponly": attributes.isHTTPOnly = true
      case "samesite":
        attributes.sameSite = Cookie.SameSite(rawValue: value.lowercased()) ?? .unspecified
      default: break
      }
    }
    return attributes
  }

  /// Returns the domain of a cookie and whether it applies to that host only; nil if the server may
  /// not set it.
  private static func scope(
    _ attribute: String, host: String
  ) -> (domain: String, isHostOnly: Bool)? {
    var text = attribute.utf8[...]
    if text.first == UInt8(ascii: ".") { text.removeFirst() }
    guard !text.isEmpty else { return (host, true) }
    guard let domain = HostName.normalized(ArraySlice(Array(text))),
      Cookie.domain(domain, covers: host)
    else { return nil }
    if HostAddress.isAddress(domain) { return (domain, true) }
    // A host that is itself a public suffix may set cookies for itself.
    if PublicSuffix.contains(domain) { return domain == host ? (host, true) : nil }
    return (domain, false)
  }

  /// Returns whether a cookie satisfies the requirements of its name prefix (`__Host-`,
  /// `__Secure-`).
  private static func satisfiesPrefix(_ cookie: Cookie, _ path: String?) -> Bool {
    let name = (cookie.name.isEmpty ? cookie.value : cookie.name).lowercased()
    let isHost = name.hasPrefix("__host-")
    guard isHost || name.hasPrefix("__secure-") else { return true }
    guard !cookie.name.isEmpty, cookie.isSecure else { return false }
    return !isHost || cookie.isHostOnly && path == "/"
  }

  /// Returns the seconds of `Max-Age`, or 0 if the number is negative; nil if the text is not a
  /// number.
  private static func seconds(_ text: String) -> TimeInterval? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return text.hasPrefix("-") ? 0 : TimeInterval(digits)
  }

  /// Returns the trimmed text before and after the first `=`.
  private static func pair(_ bytes: Substring.UTF8View) -> (String, String?) {
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(bytes), nil) }
    return (trimmed(bytes[..<equals]), trimmed(bytes[bytes.index(after: equals)...]))
  }

  private static func trimmed(_ bytes: Substring.UTF8View) -> String {
    var rest = bytes
    while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return String(Substring(rest))
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 || byte == 0x7F
  }
}
