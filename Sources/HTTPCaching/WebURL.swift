public import Foundation

/// A URL as browsers read it: normalised while it is parsed, resolvable against a base.
///
/// Follows the WHATWG URL standard as far as a reader needs it. Paths, queries and fragments are
/// percent-encoded, never decoded; hosts are ASCII (IDN as Punycode) and in lower case.
public struct WebURL: Sendable, Hashable, CustomStringConvertible {
  /// The scheme in lower case, without the colon.
  public let scheme: String
  /// User name and password as written (`user:password`), or nil.
  public private(set) var credentials: String?
  /// The host in lower case, an IPv6 address in brackets; nil when the URL has no authority.
  public let host: String?
  /// The port, nil when absent or the default of the scheme.
  public let port: Int?
  /// The path; for a URL without authority everything up to `?` or `#`.
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

  /// The host, and the port if it is not the default: what one server has to itself.
  public var server: String { (host ?? "") + (port.map { ":\($0)" } ?? "") }

  /// Parses an absolute URL; nil when the text is not one.
  public init?(_ text: String) {
    guard let url = URLReader.absolute(URLReader.cleaned(text)) else { return nil }
    self = url
  }

  /// Makes a URL of Foundation's.
  /// - Parameter url: the URL; nil results when it is not absolute.
  public init?(_ url: URL) {
    self.init(url.absoluteString)
  }

  /// The same as a URL of Foundation's; nil where that cannot hold it.
  public var url: URL? { URL(string: description) }

  /// Whether the scheme is http or https and there is a host.
  public var isWeb: Bool { (scheme == "http" || scheme == "https") && host != nil }

  /// The URL that a reference on a page with this URL means; nil when it means none.
  public func resolve(_ reference: String) -> WebURL? {
    URLReader.resolve(URLReader.cleaned(reference), against: self)
  }

  /// The absolute URL that a reference means on a page with the URL `base`.
  public static func resolve(_ reference: String, against base: String) -> String? {
    let bytes = URLReader.cleaned(reference)
    if let base = WebURL(base) { return URLReader.resolve(bytes, against: base)?.description }
    return URLReader.absolute(bytes)?.description
  }

  /// The text of the URL.
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

  /// The URL with another fragment, given in its percent-encoded form.
  public func withFragment(_ fragment: String?) -> WebURL {
    var copy = self
    copy.fragment = fragment
    return copy
  }

  /// Scheme, host and port: what credentials and invalidations are confined to.
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
