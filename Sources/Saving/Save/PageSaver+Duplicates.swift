import Reader
import Library
import Crawl
import OfflineCache

/// Pages that are there under several addresses, as they say themselves (`link rel=canonical`).
extension PageSaver {
  /// The key of the canonical address of a page, when that is another one of its site; nil else.
  ///
  /// What names its own site's first page is no copy of that: many sites do by mistake.
  func canonicalKey(_ canonical: String?, of url: String) -> String? {
    guard let canonical, let own = WebURL(url), let other = WebURL(canonical), other.isWeb,
      Self.site(own) == Self.site(other), other.path != "/" || own.path == "/",
      let key = cache.key(of: canonical), key != cache.key(of: url)
    else { return nil }
    return key
  }

  private static func site(_ url: WebURL) -> Substring {
    let host = url.host ?? ""
    return host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
  }

  /// The page that is kept already and is the same as another one: it has the same canonical address, and
  /// has the same title.
  /// - Parameters:
  ///   - outcome: what came of the other one.
  ///   - key: its key.
  /// - Returns: the key of the kept page, or nil.
  /// - Throws: `ArchiveError.unreadable`.
  func kept(like outcome: SaveOutcome, _ key: String) throws(ArchiveError) -> String? {
    let name = canonicalKey(outcome.canonical, of: outcome.url) ?? key
    guard !outcome.title.isEmpty else { return nil }
    return try library.pages(canonical: name)
      .first { $0.key != key && $0.kept != nil && $0.title == outcome.title }?.key
  }

  /// Whether the links of a page were followed already, from a page that is the same.
  func isRepeated(_ links: PageLinks, _ visit: LinkFrontier.Visit) -> Bool {
    guard request.bounds.depth > visit.depth, !links.title.isEmpty,
      let own = cache.key(of: visit.url)
    else { return false }
    let name = canonicalKey(links.canonical, of: visit.url) ?? own
    return !followed.insert(name + " " + links.title)
  }
}
