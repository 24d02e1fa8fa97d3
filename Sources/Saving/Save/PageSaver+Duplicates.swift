import Reader
import Crawl
import OfflineCache

/// Pages that a site shows under several URLs (`link rel=canonical`).
extension PageSaver {
  /// Whether the links of an equal page were already followed in this run: one that names the same canonical
  /// URL and has the same content. The canonical URL alone is only a hint, as some sites name one URL on all
  /// of their pages. A page that the user named is never a duplicate.
  func isDuplicate(_ links: PageLinks, _ visit: LinkFrontier.Visit) -> Bool {
    guard request.bounds.depth > visit.depth, let digest = links.contentDigest,
      let own = cache.key(of: visit.url)
    else { return false }
    let name = canonicalKey(links.canonical, of: visit.url) ?? own
    return !followed.insert("\(digest) \(name)") && !visit.isNamed
  }

  /// The key of a page's canonical URL; nil unless it is another URL of the same site.
  private func canonicalKey(_ canonical: String?, of url: String) -> String? {
    guard let canonical, let own = WebURL(url), let other = WebURL(canonical), other.isWeb,
      Self.site(own) == Self.site(other), let key = cache.key(of: canonical),
      key != cache.key(of: url)
    else { return nil }
    return key
  }

  private static func site(_ url: WebURL) -> Substring {
    let host = url.host ?? ""
    return host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
  }
}
