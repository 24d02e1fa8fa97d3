/// A change of requests before they are sent: another server, other header fields, a proxy.
///
/// What is asked keeps its URL everywhere else, also in the archive. Rewrites are asked in order;
/// the URL and the proxy are taken from the first one that applies and names them, a header field
/// from the first that names it. All are asked about the URL as it was asked, so a rewritten URL is
/// never rewritten again.
///
/// When the URL leads to another origin, the fields of the request stay behind but for those that are
/// the same whoever is asked (`Accept`, `User-Agent` and such): `Authorization` and `Cookie`, and keys of
/// services under whatever name. So do the cookies and passwords of the cache's `Identity`: those files
/// name hosts, and a mirror on another port is somebody else. What `fields` sets is for the new
/// origin, and so is what `HTTPCache.signIn` gives for it.
///
/// `Location` and `Content-Location` of answers lead back: where they name a place below `target`,
/// the client sees the place below `prefix`.
public struct Rewrite: Sendable, Hashable {
  /// The beginning of the URLs that are meant (`https://example.org/docs/`), nil for any.
  public var prefix: String?
  /// The hosts that are meant, as in `Rule.hosts`; empty for any.
  public var hosts: [String] = []
  /// What takes the place of `prefix`, or of scheme, host and port when there is none: an http or
  /// https URL without a query.
  public var target: String?
  /// Header fields that are set, in place of what the request has.
  public var fields: [FieldLines.Field] = []
  /// Header fields that are not sent.
  public var removedFields: [String] = []
  /// The proxy, as libcurl takes it (`http://proxy.test:3128`, `socks5h://localhost:9050`); empty
  /// for none, nil for what the environment says.
  public var proxy: String?
  /// Whether answers are stored under the URL that was sent, not under the one that was asked.
  public var keysByTarget = false

  /// Makes a rewrite that applies to everything and changes nothing.
  public init() {}

  /// Makes a rewrite and sets it up.
  public init(_ configure: (inout Rewrite) -> Void) {
    configure(&self)
  }

  /// Whether `prefix` and `target` can be used.
  package var isValid: Bool {
    prefix.map { URLPrefix($0) != nil } ?? true
      && target.map { WebURL($0)?.isWeb ?? false && URLPrefix($0) != nil } ?? true
  }

  /// The remainder of a URL that this applies to, nil when it does not.
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
  /// The request as it is sent, but for what the cache adds; its URL is the one that was asked.
  var request: WebRequest
  /// Where it is sent.
  var target: WebURL
  /// The URL under which the answer is stored.
  var stored: WebURL
  /// The URL that was asked.
  private let asked: WebURL
  /// What was replaced by what; nil when the request goes where it was meant to.
  private var replaced: (by: URLPrefix, prefix: URLPrefix)?
  /// The names, in lower case, of fields that rewrites set or take out.
  private(set) var settledFields: Set<String> = []

  /// Whether the request goes elsewhere.
  var isRedirected: Bool { target != asked }
  /// Whether it goes to somebody else.
  var leavesOrigin: Bool { target.origin != asked.origin }

  /// Applies rewrites to a request for a URL, which is the request's own in its normal form.
  init(_ request: WebRequest, for url: WebURL, by rewrites: [Rewrite]) {
    self.request = request
    target = url
    stored = url
    asked = url
    let applying = rewrites.compactMap { rewrite in
      rewrite.remainder(of: url).map { (rewrite, remainder: $0) }
    }
    for (rewrite, remainder) in applying {
      guard let base = rewrite.target.flatMap(URLPrefix.init),
        let target = base.appending(remainder), target.isWeb
      else { continue }
      self.target = target
      if rewrite.keysByTarget { stored = target }
      replaced = (rewrite.prefix ?? URLPrefix.origin(of: url)).flatMap(URLPrefix.init)
        .map { (base, $0) }
      break
    }
    if leavesOrigin { PortableField.keep(in: &self.request.fields) }
    if target != url { self.request.fields["Host"] = nil }
    change(applying.map(\.0))
  }

  /// The URL to ask for what an answer calls by a reference.
  func asked(for reference: String) -> String {
    guard let place = target.resolve(reference) else { return reference }
    guard let replaced, let remainder = replaced.by.remainder(of: place),
      let asked = replaced.prefix.appending(remainder)
    else { return place.description }
    return asked.withFragment(place.fragment).description
  }

  private mutating func change(_ rewrites: [Rewrite]) {
    for rewrite in rewrites {
      if request.proxy == nil { request.proxy = rewrite.proxy }
      for name in rewrite.removedFields where settledFields.insert(name.lowercased()).inserted {
        request.fields[name] = nil
      }
      for field in rewrite.fields where settledFields.insert(field.name.lowercased()).inserted {
        request.fields[field.name] = field.value
      }
    }
  }
}

/// A URL that stands for itself and everything below it.
///
/// `https://a.test/docs` is the beginning of `https://a.test/docs`, `…/docs/x` and `…/docs?x`, not
/// of `…/docsx`; with a slash at the end it means the same.
struct URLPrefix: Sendable, Hashable {
  private let bytes: [UInt8]

  /// Reads a prefix; nil when it is no absolute URL of a host, or has a query.
  init?(_ text: String) {
    guard let url = WebURL(text), url.host != nil, url.query == nil, url.fragment == nil else {
      return nil
    }
    var bytes = Array(CacheKey.make(url).utf8)
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    self.bytes = bytes
  }

  /// What follows the prefix in a URL: empty, or beginning with a slash or a question mark; nil when
  /// the URL is not below it.
  func remainder(of url: WebURL) -> String? {
    let key = CacheKey.make(url)
    guard key.utf8.starts(with: bytes) else { return nil }
    let rest = key.utf8.dropFirst(bytes.count)
    guard rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") else {
      return nil
    }
    return String(decoding: rest, as: UTF8.self)
  }

  /// The URL in which this prefix is followed by something.
  func appending(_ remainder: String) -> WebURL? {
    WebURL(String(decoding: bytes, as: UTF8.self) + remainder)
  }
}
