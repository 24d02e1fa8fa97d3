extension URLPrefix {
  static func origin(of url: WebURL) -> String? {
    url.host == nil ? nil : url.origin + "/"
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
