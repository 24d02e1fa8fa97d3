package import HTML
import OfflineCache

extension Document {
  /// The absolute URL of a link, or nil when its target is no URL.
  package func url(ofLink link: Int) -> String? {
    guard links.indices.contains(link) else { return nil }
    return WebURL.resolve(links[link].target, against: base)
  }
}
