import OfflineCache

/// The limits for following links.
package struct CrawlBounds: Sendable, Equatable {
  /// The maximum number of links between a start page and a page; 0 means that no links are
  /// followed.
  package var depth = 0
  /// Whether only links to the host of the start page, or to the host that it redirects to, are
  /// followed; a leading `www.` is ignored.
  package var staysOnHost = false
  /// Patterns of URLs, or of paths if they begin with a slash. `*` matches any text, and `?` any
  /// octet. If there are any patterns, only links that match one of them are followed.
  package var includes: [String] = []
  /// Patterns, as in `includes`, of links that are not followed even if they match `includes`.
  package var excludes: [String] = []
  /// The maximum number of pages, including start pages; nil for no limit.
  package var maxPages: Int?
  /// The total size of the fetched pages in bytes at which fetching stops; nil for no limit.
  package var maxBytes: Int64?
  /// The maximum number of pages whose URLs differ only in numbers or parameter values, such as the
  /// days of a calendar. Links of start pages do not count.
  package var maxPagesOfSeries = 500

  /// Whether requests to some sites carry cookies or passwords of the user. If so, links of these
  /// sites that sign out are not followed unless they match `includes`.
  package var isSignedIn = false

  /// Creates limits that do not allow any links to be followed.
  package init() {}

  /// The reason why a link is not followed.
  package enum Refusal: Sendable, Hashable, CaseIterable {
    /// The link leads to a host other than that of the start page.
    case host
    /// The link matches a pattern of `excludes`, or no pattern of `includes`.
    case pattern
    /// The link leads to a file that is not a page, such as an archive, a program, an image, audio
    /// or video.
    case file
    /// The link belongs to an endless series of URLs.
    case series
    /// The link leads to the page of an already followed link: it differs only in components that
    /// are irrelevant to the content, such as a session id or the order of a listing, or the other
    /// link redirects to it.
    case duplicate
    /// The maximum number or size of pages was reached.
    case limit
    /// The link signs the user out.
    case signOut
  }

  /// Returns the reason why a link is not followed, apart from the limits on the number and size of
  /// pages; nil if the link may be followed.
  /// - Parameters:
  ///   - url: the URL of the link.
  ///   - hosts: the host of the start page, and the hosts that it redirects to.
  ///   - isSignedIn: returns whether requests to a URL carry cookies or passwords of the user.
  /// - Returns: the reason.
  func refusal(of url: WebURL, hosts: [String], isSignedIn: (WebURL) -> Bool) -> Refusal? {
    if staysOnHost, case let site = Self.site(url.host ?? ""),
      !hosts.contains(where: { Self.site($0) == site })
    {
      return .host
    }
    if !includes.isEmpty, !includes.contains(where: { Self.matches($0, url) }) { return .pattern }
    if excludes.contains(where: { Self.matches($0, url) }) { return .pattern }
    if self.isSignedIn, includes.isEmpty, SignOut.isMatch(url), isSignedIn(url) { return .signOut }
    if Self.isFile(url.path), !includes.contains(where: { Self.matches($0, url) }) { return .file }
    if includes.isEmpty, Self.sortsListing(url.query ?? "") { return .duplicate }
    return URLSeries.isTrap(url) ? .series : nil
  }

  /// Returns whether a query only sorts the listing of a directory by a column, as servers write
  /// it: `C=M;O=A`, `C=N&O=D`, or `M=A` in old versions of Apache.
  private static func sortsListing(_ query: String) -> Bool {
    let parameters = query.split(whereSeparator: { $0 == ";" || $0 == "&" })
    switch parameters.count {
    case 1: return ["N=A", "N=D", "M=A", "M=D", "S=A", "S=D", "D=A", "D=D"].contains(query)
    case 2:
      return ["C=N", "C=M", "C=S", "C=D"].contains(parameters[0])
        && ["O=A", "O=D"].contains(parameters[1])
    default: return false
    }
  }

  private static func site(_ host: String) -> Substring {
    host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
  }

  private static func matches(_ pattern: String, _ url: WebURL) -> Bool {
    let text =
      pattern.hasPrefix("/")
      ? url.path + (url.query.map { "?" + $0 } ?? "")
      : url.withoutFragment.withoutCredentials.description
    return Glob.matches(pattern, url: text)
  }

  /// Returns whether a path ends with the name of a file that is not a page.
  private static func isFile(_ path: String) -> Bool {
    guard let name = path.utf8.split(separator: UInt8(ascii: "/")).last,
      let dot = name.lastIndex(of: UInt8(ascii: "."))
    else { return false }
    let ending = name[name.index(after: dot)...]
    guard ending.count <= 7 else { return false }
    return fileExtensions.contains(String(decoding: ending, as: UTF8.self).lowercased())
  }

  private static let fileExtensions: Set<String> = [
    "7z", "apk", "appimage", "bz2", "deb", "dmg", "exe", "gz", "iso", "jar", "msi", "pkg", "rar",
    "rpm", "tar", "tgz", "whl", "xz", "zip", "zst", "bin", "img", "torrent",
    "aac", "avi", "flac", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "ogg", "opus",
    "wav", "webm", "wma", "wmv",
    "avif", "bmp", "gif", "ico", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp",
    "css", "js", "mjs", "woff", "woff2", "ttf", "otf",
  ]
}
