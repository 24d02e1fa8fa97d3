import OfflineCache

/// What URLs of one series have in common: a site that makes pages from numbers (`/2026/11/21`,
/// `?page=7`) has as many as there are numbers.
enum URLSeries {
  /// The longest URL that is followed.
  private static let lengthLimit = 2048
  /// The most parts of a path that is followed.
  private static let depthLimit = 24
  /// The most times that a part stands in a path: relative links of a page that a site shows under
  /// any path make `/a/b/a/b/a/b`.
  private static let repetitionLimit = 3

  /// The URL with each number in its path replaced by `#`, and of its query the names of the
  /// parameters in order; nil when it has neither and so belongs to no series.
  static func pattern(of url: WebURL) -> String? {
    var pattern = Array(url.origin.utf8)
    var hasNumber = false
    for byte in url.path.utf8 {
      if (0x30...0x39).contains(byte) {
        hasNumber = true
        if pattern.last == UInt8(ascii: "#") { continue }
        pattern.append(UInt8(ascii: "#"))
      } else {
        pattern.append(byte)
      }
    }
    guard let query = url.query, !query.isEmpty else {
      return hasNumber ? String(decoding: pattern, as: UTF8.self) : nil
    }
    let names = query.utf8.split(separator: UInt8(ascii: "&"))
      .map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
    pattern += "?".utf8
    pattern += Set(names).sorted().joined(separator: "&").utf8
    return String(decoding: pattern, as: UTF8.self)
  }

  /// Whether a URL by itself looks like one of an endless series.
  static func isTrap(_ url: WebURL) -> Bool {
    let parts = url.path.utf8.split(separator: UInt8(ascii: "/"))
    guard url.path.utf8.count + (url.query?.utf8.count ?? 0) <= lengthLimit,
      parts.count <= depthLimit
    else { return true }
    guard parts.count > repetitionLimit else { return false }
    var counts: [String: Int] = [:]
    for part in parts { counts[String(decoding: part, as: UTF8.self), default: 0] += 1 }
    return counts.values.contains { $0 > repetitionLimit }
  }
}
