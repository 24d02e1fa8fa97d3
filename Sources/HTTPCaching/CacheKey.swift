/// The key under which responses are stored: the normalized URL.
///
/// Scheme and host are in lower case, the default port is dropped, an empty path becomes "/", dot
/// segments are removed, unreserved characters are not percent-encoded, and hex digits of
/// percent-encoding are in upper case (RFC 3986 §6.2.2); fragment and credentials are dropped. Path
/// and query are otherwise unchanged.
package enum CacheKey {
  /// Returns the key of a URL; nil if the text is not an absolute URL.
  package static func make(_ url: String) -> String? {
    WebURL(url).map(make)
  }

  /// Returns the key of a parsed URL.
  package static func make(_ url: WebURL) -> String {
    normalized(url.text(withFragment: false, withCredentials: false))
  }

  /// Normalizes the percent-encoding in a URL (RFC 3986 §6.2.2.1, §6.2.2.2): `%7e` becomes `~`,
  /// `%c3` becomes `%C3`.
  package static func normalized(_ url: String) -> String {
    guard url.utf8.contains(percent) else { return url }
    let bytes = Array(url.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == percent, index + 2 < bytes.count,
        let high = PercentEncoding.digit(bytes[index + 1]),
        let low = PercentEncoding.digit(bytes[index + 2])
      else {
        output.append(bytes[index])
        index += 1
        continue
      }
      let byte = high << 4 | low
      // After a stray percent sign, a decoded digit would create a new escape.
      if PercentEncoding.isUnreserved(byte), !output.suffix(2).contains(percent) {
        output.append(byte)
      } else {
        output += bytes[index..<index + 3].map { $0 >= 0x61 ? $0 & 0xDF : $0 }
      }
      index += 3
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")
}

extension WebURL {
  /// The URL under which a cache stores responses: without fragment and credentials, and with
  /// normalized percent-encoding (RFC 3986 §6.2.2), so that `%7e` and `~` are the same.
  public var cacheKey: String { CacheKey.make(self) }
}
