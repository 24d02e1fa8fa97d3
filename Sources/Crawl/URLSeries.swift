import OfflineCache

/// Detects series of URLs: a site that generates pages from numbers (`/2026/11/21`, `?page=7`) may
/// have an unlimited number of such URLs.
enum URLSeries {
  /// The maximum length of a URL that is followed, in bytes.
  private static let maxLength = 2048
  /// The maximum number of path segments of a URL that is followed.
  private static let maxDepth = 24
  /// The maximum number of times that a segment may occur in a path. If a site shows the same page
  /// under any path, relative links lead to paths such as `/a/b/a/b/a/b`.
  private static let maxRepetitions = 3

  /// Returns the pattern of a URL: each number in its path is replaced by `#`, and its query by the
  /// sorted names of its parameters. Returns nil if the URL has neither numbers nor parameters and
  /// thus belongs to no series.
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

  /// Returns whether a URL, considered alone, looks like part of an endless series.
  static func isTrap(_ url: WebURL) -> Bool {
    let parts = url.path.utf8.split(separator: UInt8(ascii: "/"))
    guard url.path.utf8.count + (url.query?.utf8.count ?? 0) <= maxLength,
      parts.count <= maxDepth
    else { return true }
    guard parts.count > maxRepetitions else { return false }
    var counts: [String: Int] = [:]
    for part in parts { counts[String(decoding: part, as: UTF8.self), default: 0] += 1 }
    return counts.values.contains { $0 > maxRepetitions }
  }
}
