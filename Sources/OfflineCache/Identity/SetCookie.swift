import Foundation

/// One line of `Set-Cookie`: what a server wants kept (RFC 6265 §5.2, with the limits and prefixes
/// of its successor).
enum SetCookie {
  /// The most bytes of name and value together, and of an attribute's value.
  private static let pairLimit = 4096
  private static let attributeLimit = 1024
  /// The longest life of a cookie, in seconds: 400 days.
  private static let longestLife: TimeInterval = 400 * 86_400

  /// What a line says of the cookie, before it is known whether the server may set it.
  private struct Attributes {
    var expires: Date?
    var maximumAge: TimeInterval?
    var domain = ""
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = Cookie.SameSite.unspecified
  }

  /// The cookie that an answer of `url` sets, or nil when the line is none or the server may not
  /// set it. One that is over already takes away what it would replace.
  static func cookie(_ line: String, from url: WebURL, now: Date) -> Cookie? {
    guard let host = url.host, !line.utf8.contains(where: isControl) else { return nil }
    let parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let (first, second) = pair(parts[0])
    let (name, value) = second.map { (first, $0) } ?? ("", first)
    guard name.utf8.count + value.utf8.count <= pairLimit, !(name.isEmpty && value.isEmpty) else {
      return nil
    }
    let attributes = attributes(parts.dropFirst())
    guard let (domain, isHostOnly) = place(attributes.domain, host: host),
      !domain.hasPrefix(".")
    else { return nil }
    var cookie = Cookie(
      name: name, value: value, domain: domain, isHostOnly: isHostOnly,
      path: attributes.path ?? Cookie.defaultPath(of: url), isSecure: attributes.isSecure,
      isHTTPOnly: attributes.isHTTPOnly, sameSite: attributes.sameSite)
    let latest = now + longestLife
    cookie.expires =
      attributes.maximumAge.map { $0 <= 0 ? .distantPast : min(now + $0, latest) }
      ?? attributes.expires.map { min($0, latest) }
    guard !cookie.isSecure || url.scheme == "https", cookie.sameSite != .none || cookie.isSecure,
      keepsPrefix(cookie, attributes.path)
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
      guard value.utf8.count <= attributeLimit else { continue }
      switch name.lowercased() {
      case "expires": attributes.expires = CookieDate.parse(value) ?? attributes.expires
      case "max-age": attributes.maximumAge = seconds(value) ?? attributes.maximumAge
      case "domain": attributes.domain = value
      case "path": attributes.path = value.hasPrefix("/") ? value : nil
      case "secure": attributes.isSecure = true
      case "httponly": attributes.isHTTPOnly = true
      case "samesite":
        attributes.sameSite = Cookie.SameSite(rawValue: value.lowercased()) ?? .unspecified
      default: break
      }
    }
    return attributes
  }

  /// Whose cookie it is: the host's alone, or of every host below a domain that covers it; nil when
  /// the server may not set it.
  private static func place(
    _ attribute: String, host: String
  ) -> (domain: String, isHostOnly: Bool)? {
    var text = attribute.utf8[...]
    if text.first == UInt8(ascii: ".") { text.removeFirst() }
    guard !text.isEmpty else { return (host, true) }
    guard let domain = HostName.normalised(ArraySlice(Array(text))),
      Cookie.domain(domain, covers: host)
    else { return nil }
    if HostAddress.isAddress(domain) { return (domain, true) }
    // A public suffix may set cookies for itself.
    if PublicSuffix.contains(domain) { return domain == host ? (host, true) : nil }
    return (domain, false)
  }

  /// Names that promise something of the cookie have to keep it.
  private static func keepsPrefix(_ cookie: Cookie, _ path: String?) -> Bool {
    let name = (cookie.name.isEmpty ? cookie.value : cookie.name).lowercased()
    let isHost = name.hasPrefix("__host-")
    guard isHost || name.hasPrefix("__secure-") else { return true }
    guard !cookie.name.isEmpty, cookie.isSecure else { return false }
    return !isHost || cookie.isHostOnly && path == "/"
  }

  /// Seconds of `Max-Age`; nil when it is no number.
  private static func seconds(_ text: String) -> TimeInterval? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return text.hasPrefix("-") ? 0 : TimeInterval(digits)
  }

  /// What stands before and after the first `=`, without white space around.
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
