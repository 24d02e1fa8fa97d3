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
