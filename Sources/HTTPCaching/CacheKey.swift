/// The key under which responses are stored: the URL in its normal form.
///
/// Scheme and host in lower case, default port dropped, empty path "/", dot segments removed, unreserved characters
/// not percent-encoded, hex digits of percent-encoding in upper case (RFC 3986 §6.2.2); fragment and credentials
/// dropped. Path and query are otherwise untouched.
package enum CacheKey {
  /// The key of a URL; nil when the text is no absolute URL.
  package static func make(_ url: String) -> String? {
    WebURL(url).map(make)
  }

  /// The key of a parsed URL.
  package static func make(_ url: WebURL) -> String {
    normalised(url.text(withFragment: false, withCredentials: false))
  }

  /// The normal form of the percent-encoding in a URL (RFC 3986 §6.2.2.1, §6.2.2.2): `%7e` is `~`, `%c3` is `%C3`.
  package static func normalised(_ url: String) -> String {
    guard url.utf8.contains(percent) else { return url }
    let bytes = Array(url.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == percent, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      else {
        output.append(bytes[index])
        index += 1
        continue
      }
      let byte = high << 4 | low
      // After a stray percent sign, a decoded digit would create a new escape.
      if isUnreserved(byte), !output.suffix(2).contains(percent) {
        output.append(byte)
      } else {
        output += bytes[index..<index + 3].map { $0 >= 0x61 ? $0 & 0xDF : $0 }
      }
      index += 3
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static let percent = UInt8(ascii: "%")

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// RFC 3986 §2.3.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(byte)
    }
  }
}
