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
  func remainder(of url: WebURL) -> String? {
    guard hosts.isEmpty || hosts.contains(where: { HostPattern.matches($0, url) }) else {
      return nil
    }
    guard let prefix = prefix ?? URLPrefix.origin(of: url) else { return nil }
    return URLPrefix(prefix)?.remainder(of: url)
  }
}
