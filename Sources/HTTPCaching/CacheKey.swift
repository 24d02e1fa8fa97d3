/// The key under which responses are stored: the URL in its normal form.
///
/// Scheme and host in lower case, default port dropped, empty path "/", dot segments removed, hex
/// digits of percent-encoding in upper case; fragment and credentials dropped. Path and query are
/// otherwise untouched.
package enum CacheKey {
  /// The key of a URL; nil when the text is no absolute URL.
  package static func make(_ url: String) -> String? {
    WebURL(url).map(make)
  }

  /// The key of a parsed URL.
  package static func make(_ url: WebURL) -> String {
    var bytes = Array(url.text(withFragment: false, withCredentials: false).utf8)
    var index = 0
    while let percent = bytes[index...].firstIndex(of: 0x25) {
      index = percent + 1
      guard percent + 2 < bytes.count, isHex(bytes[percent + 1]), isHex(bytes[percent + 2]) else {
        continue
      }
      for place in [percent + 1, percent + 2] where bytes[place] >= 0x61 { bytes[place] &= 0xDF }
      index = percent + 3
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}
