public import Foundation

/// A URL as browsers interpret it: normalized when it is parsed, and usable as a base for resolving
/// references.
///
/// It implements the parts of the WHATWG URL standard that reading web pages requires. Paths,
/// queries and fragments are percent-encoded and never decoded; hosts are ASCII (IDN as Punycode)
/// in lower case.
public struct WebURL: Sendable, Hashable, CustomStringConvertible {
  /// The scheme in lower case, without the colon.
  public let scheme: String
  /// The user name and password in percent-encoded form (`user:password`), or nil.
  public private(set) var credentials: String?
  /// The host in lower case, an IPv6 address in brackets; nil if the URL has no authority.
  public let host: String?
  /// The port, nil if absent or the default of the scheme.
  public let port: Int?
  /// The path; for a URL without authority, everything between the colon and `?` or `#`.
  public let path: String
  /// The query without `?`, or nil.
  public let query: String?
  /// The fragment without `#`, or nil.
  public private(set) var fragment: String?

  package init(
    scheme: String, credentials: String? = nil, host: String?, port: Int? = nil, path: String,
    query: String? = nil, fragment: String? = nil
  ) {
    self.scheme = scheme
    self.credentials = credentials
    self.host = host
    self.port = port
    self.path = path
    self.query = query
    self.fragment = fragment
  }

  /// The host, and the port unless it is the default.
  public var server: String { (host ?? "") + (port.map { ":\($0)" } ?? "") }

  /// Parses an absolute URL; nil if the text is not one.
  public init?(_ text: String) {
    guard let url = URLReader.parseAbsolute(URLReader.cleaned(text)) else { return nil }
    self = url
  }

  /// Parses a reference relative to the URL `base`; nil if it cannot be resolved. An absolute
  /// reference can be resolved even if `base` is invalid.
  package init?(_ reference: String, against base: String) {
    let bytes = URLReader.cleaned(reference)
    let resolved =
      if let base = WebURL(base) {
        URLReader.resolve(bytes, against: base)
      } else {
        URLReader.parseAbsolute(bytes)
      }
    guard let resolved else { return nil }
    self = resolved
  }

  /// Converts a Foundation URL.
  /// - Parameter url: The URL; the result is nil if it is not absolute.
  public init?(_ url: URL) {
    self.init(url.absoluteString)
  }

  /// The Foundation URL; nil if Foundation cannot represent it.
  public var url: URL? { URL(string: description) }

  /// Whether the scheme is http or https and there is a host.
  public var isWeb: Bool { (scheme == "http" || scheme == "https") && host != nil }

  /// Resolves a reference against this URL; nil if it cannot be resolved.
  public func resolve(_ reference: String) -> WebURL? {
    URLReader.resolve(URLReader.cleaned(reference), against: self)
  }

  /// Resolves a reference against the URL `base`; nil if it cannot be resolved. An absolute
  /// reference can be resolved even if `base` is invalid.
  public static func resolve(_ reference: String, against base: String) -> String? {
    WebURL(reference, against: base)?.description
  }

  /// The URL as text, including the fragment and the credentials.
  public var description: String { text(withFragment: true, withCredentials: true) }

  /// The URL without its fragment.
  public var withoutFragment: WebURL {
    var copy = self
    copy.fragment = nil
    return copy
  }

  /// The URL without user name and password.
  public var withoutCredentials: WebURL {
    var copy = self
    copy.credentials = nil
    return copy
  }

  /// Returns the URL with another fragment, given in percent-encoded form.
  public func withFragment(_ fragment: String?) -> WebURL {
    var copy = self
    copy.fragment = fragment
    return copy
  }

  /// The scheme, host and port, which delimit the scope of credentials and of invalidation.
  public var origin: String {
    "\(scheme)://\(host ?? "")" + (port.map { ":\($0)" } ?? "")
  }

  package func text(withFragment: Bool, withCredentials: Bool) -> String {
    var text = scheme + ":"
    if let host {
      text += "//"
      if withCredentials, let credentials { text += credentials + "@" }
      text += host
      if let port { text += ":\(port)" }
    }
    text += path
    if let query { text += "?" + query }
    if withFragment, let fragment { text += "#" + fragment }
    return text
  }
}
