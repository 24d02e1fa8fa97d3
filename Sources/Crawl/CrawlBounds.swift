import OfflineCache

/// How far links are followed.
package struct CrawlBounds: Sendable, Equatable {
  /// How many links lead from a page that was asked for to the last ones; 0 follows none.
  package var depth = 0
  /// Only to pages of the host of the page that was asked for; `www.` makes no difference.
  package var staysOnHost = false
  /// Patterns of URLs (`*` any text, `?` any octet), or of their paths when they begin with a slash.
  /// When there are any, only links that one of them matches are followed.
  package var includes: [String] = []
  /// Patterns of links that are not followed, whatever the others say.
  package var excludes: [String] = []
  /// The most pages, those that were asked for among them.
  package var mostPages: Int?
  /// The size of all pages, in bytes, at which no more is fetched.
  package var mostBytes: Int64?
  /// The most pages beyond the first links that differ in nothing but numbers, or in the values of
  /// their parameters: a calendar has a page for every day for ever.
  package var mostOfSeries = 500

  /// No link is followed.
  package init() {}

  /// Why a link is not followed.
  package enum Refusal: Sendable, Hashable, CaseIterable {
    /// It leads to another host.
    case host
    /// The patterns leave it out.
    case pattern
    /// It leads to an archive, a program, sound or video.
    case file
    /// It is one of an endless series.
    case series
    /// It differs from a link that was followed only in what makes no difference to pages, such as a session id.
    case duplicate
    /// There are enough pages, or enough bytes of them.
    case limit
  }

  /// Why a link is not followed for what its URL is, or nil when it is.
  func refusal(of url: WebURL, host: String) -> Refusal? {
    if staysOnHost, Self.site(url.host ?? "") != Self.site(host) { return .host }
    if !includes.isEmpty, !includes.contains(where: { Self.matches($0, url) }) { return .pattern }
    if excludes.contains(where: { Self.matches($0, url) }) { return .pattern }
    if Self.isFile(url.path), !includes.contains(where: { Self.matches($0, url) }) { return .file }
    return URLSeries.isTrap(url) ? .series : nil
  }

  private static func site(_ host: String) -> Substring {
    host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
  }

  private static func matches(_ pattern: String, _ url: WebURL) -> Bool {
    let text =
      pattern.hasPrefix("/")
      ? url.path + (url.query.map { "?" + $0 } ?? "")
      : url.withoutFragment.withoutCredentials.description
    return Glob.matches(pattern.utf8, text.utf8)
  }

  /// Whether the name at the end of a path is that of a file which is no page.
  private static func isFile(_ path: String) -> Bool {
    guard let name = path.utf8.split(separator: UInt8(ascii: "/")).last,
      let dot = name.lastIndex(of: UInt8(ascii: "."))
    else { return false }
    let ending = name[name.index(after: dot)...]
    guard ending.count <= 7 else { return false }
    return fileEndings.contains(String(decoding: ending, as: UTF8.self).lowercased())
  }

  private static let fileEndings: Set<String> = [
    "7z", "apk", "appimage", "bz2", "deb", "dmg", "exe", "gz", "iso", "jar", "msi", "pkg", "rar",
    "rpm", "tar", "tgz", "whl", "xz", "zip", "zst", "bin", "img", "torrent",
    "aac", "avi", "flac", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "ogg", "opus",
    "wav", "webm", "wma", "wmv",
    "avif", "bmp", "gif", "ico", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp",
    "css", "js", "mjs", "woff", "woff2", "ttf", "otf",
  ]
}
