/// A modification of requests before they are sent: another server, other header fields, or a
/// proxy.
///
/// The request keeps its URL for all other purposes, including the archive. Rewrites are applied in
/// order: the URL and the proxy are taken from the first matching rewrite that specifies them, and
/// each header field from the first that specifies it. All rewrites are matched against the
/// original URL, so a rewritten URL is never rewritten again.
///
/// If the target has another origin, only request fields that are independent of the server are
/// sent (such as `Accept` and `User-Agent`). `Authorization`, `Cookie` and fields with unknown
/// names, which may contain API keys, are removed. The cookies and passwords of the cache's
/// `Identity` are not sent either, because their files refer to hosts, and a mirror on another port
/// may belong to someone else. However, the fields set by `fields`, and credentials passed to
/// `HTTPCache.signIn` for the new origin, are sent.
///
/// `Location` and `Content-Location` of responses are mapped back: a URL below `target` appears to
/// the client as the URL below `prefix`.
public struct Rewrite: Sendable, Hashable {
  /// The prefix of the matching URLs (`https://example.org/docs/`); nil for any URL.
  public var prefix: String?
  /// The matching hosts, as in `Rule.hosts`; empty for any host.
  public var hosts: [String] = []
  /// The replacement for `prefix`, or for scheme, host and port if there is no prefix. It must be
  /// an http or https URL without a query.
  public var target: String?
  /// The header fields to set; they replace the fields of the request.
  public var fields: [FieldLines.Field] = []
  /// The names of the header fields to remove.
  public var removedFields: [String] = []
  /// The proxy in the syntax of libcurl (`http://proxy.test:3128`, `socks5h://localhost:9050`);
  /// empty to use no proxy, nil to use the proxy configured by the environment.
  public var proxy: String?
  /// Whether responses are stored under the rewritten URL instead of the requested one.
  public var keysByTarget = false

  /// Creates a rewrite that matches every request and changes nothing.
  public init() {}

  /// Creates a rewrite and configures it.
  public init(_ configure: (inout Rewrite) -> Void) {
    configure(&self)
  }

  /// Whether `prefix` and `target` are valid.
  package var isValid: Bool {
    prefix.map { URLPrefix($0) != nil } ?? true
      && target.map { WebURL($0)?.isWeb ?? false && URLPrefix($0) != nil } ?? true
  }

  /// Returns the remainder of a URL after the prefix; nil if the rewrite does not match the URL.
  fileprivate func remainder(of url: WebURL) -> String? {
    guard hosts.isEmpty || hosts.contains(where: { HostPattern.matches($0, url) }) else {
      return nil
    }
    guard let prefix = prefix ?? URLPrefix.origin(of: url) else { return nil }
    return URLPrefix(prefix)?.remainder(of: url)
  }
}

extension URLPrefix {
  fileprivate static func origin(of url: WebURL) -> String? {
    url.host == nil ? nil : url.origin + "/"
  }
}

/// A request after all rewrites.
struct RewrittenRequest: Sendable {
  /// The request to send, before the cache adds its own fields; its URL is the requested one.
  var request: WebRequest
  /// The URL to which the request is sent.
  var target: WebURL
  /// The URL under which the response is stored.
  var storageURL: WebURL
  /// The requested URL.
  private let requestedURL: WebURL
  /// The target prefix (`by`) and the prefix that it replaced; nil if the URL was not rewritten.
  private var replacedPrefix: (by: URLPrefix, prefix: URLPrefix)?
  /// The lowercase names of the fields that rewrites set or remove.
  private(set) var overriddenFields: Set<String> = []

  /// Whether the request is sent to another URL.
  var isRetargeted: Bool { target != requestedURL }
  /// Whether the request is sent to another origin.
  var leavesOrigin: Bool { target.origin != requestedURL.origin }

  /// Applies rewrites to a request for a URL, which must be the normalized URL of the request.
  init(_ request: WebRequest, for url: WebURL, by rewrites: [Rewrite]) {
    self.request = request
    target = url
    storageURL = url
    requestedURL = url
    let applying = rewrites.compactMap { rewrite in
      rewrite.remainder(of: url).map { (rewrite, remainder: $0) }
    }
    for (rewrite, remainder) in applying {
      guard let base = rewrite.target.flatMap(URLPrefix.init),
        let target = base.appending(remainder), target.isWeb
      else { continue }
      self.target = target
      if rewrite.keysByTarget { storageURL = target }
      replacedPrefix = (rewrite.prefix ?? URLPrefix.origin(of: url)).flatMap(URLPrefix.init)
        .map { (base, $0) }
      break
    }
    if leavesOrigin { PortableField.removeOthers(in: &self.request.fields) }
    if target != url { self.request.fields["Host"] = nil }
    applyFieldChanges(applying.map(\.0))
  }

  /// Returns the URL to which a reference in a response leads, mapped back from the target of the
  /// rewrite to the requested URL space if it is below that target.
  func requestedURL(for reference: String) -> String {
    guard let location = target.resolve(reference) else { return reference }
    guard let replacedPrefix, let remainder = replacedPrefix.by.remainder(of: location),
      let source = replacedPrefix.prefix.appending(remainder)
    else { return location.description }
    return source.withFragment(location.fragment).description
  }

  private mutating func applyFieldChanges(_ rewrites: [Rewrite]) {
    for rewrite in rewrites {
      if request.proxy == nil { request.proxy = rewrite.proxy }
      for name in rewrite.removedFields where overriddenFields.insert(name.lowercased()).inserted {
        request.fields[name] = nil
      }
      for field in rewrite.fields where overriddenFields.insert(field.name.lowercased()).inserted {
        request.fields[field.name] = field.value
      }
    }
  }
}

/// A URL prefix that matches a URL and everything below it.
///
/// `https://a.test/docs` is a prefix of `https://a.test/docs`, `…/docs/x` and `…/docs?x`, but not
/// of `…/docsx`. A trailing slash makes no difference.
struct URLPrefix: Sendable, Hashable {
  private let bytes: [UInt8]

  /// Parses a prefix; nil if it is not an absolute URL with a host, or if it has a query or a
  /// fragment.
  init?(_ text: String) {
    guard let url = WebURL(text), url.host != nil, url.query == nil, url.fragment == nil else {
      return nil
    }
    var bytes = Array(CacheKey.make(url).utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    self.bytes = bytes
  }

  /// Returns the remainder of a URL after the prefix, which is empty or begins with a slash or a
  /// question mark; nil if the URL is not below the prefix.
  func remainder(of url: WebURL) -> String? {
    let key = CacheKey.make(url)
    guard key.utf8.starts(with: bytes) else { return nil }
    let rest = key.utf8.dropFirst(bytes.count)
    guard rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") else {
      return nil
    }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Returns the URL of this prefix followed by a remainder; nil if it is invalid.
  func appending(_ remainder: String) -> WebURL? {
    WebURL(String(decoding: bytes, as: UTF8.self) + remainder)
  }
}
