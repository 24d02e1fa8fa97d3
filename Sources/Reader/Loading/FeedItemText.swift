package import Profiles
import Configuration
import Feeds
import Library
package import OfflineCache

/// The text that a saved feed contains for the page of one of its items.
package struct FeedItemText: Sendable {
  /// The feed that contains the item.
  var feed: Feed
  /// The item with the text.
  var item: FeedItem
  /// The saved version of the feed.
  package var version: StoredResponse

  /// The maximum number of saved versions of a feed that are searched for an item.
  private static let maxVersions = 200

  /// Finds the text of a page in the newest saved version of its feed that contains it. An item
  /// without a page of its own is found even if it has no text.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - profile: the profile with the library.
  ///   - limit: the maximum number of bytes of a feed that is parsed.
  ///   - isStopped: returns whether to stop.
  /// - Returns: the text; nil if there is none, or if the settings forbid it.
  package static func find(
    for url: String, in profile: Profile, limit: Int64, isStopped: () -> Bool = { false }
  ) -> FeedItemText? {
    let cache = profile.cache
    guard let key = cache.key(of: url), let feed = try? profile.library.page(key).feed,
      !feed.isEmpty, FeedItemAddress(key) != nil || profile.settings.text(ofFeed: feed) != .page,
      let versions = try? cache.archive.captures(of: feed)
    else { return nil }
    for version in versions.filter({ $0.isGood && !$0.isRedirect }).prefix(maxVersions) {
      guard !isStopped() else { return nil }
      guard version.length <= limit,
        let content = try? cache.archive.body(of: version).rest(),
        let parsed = PageWatch.process(feed, { Feed(content, url: feed) }) ?? nil,
        let item = parsed.items.first(where: { item in
          FeedItemAddress(key) != nil
            ? FeedItemAddress(ofItem: item.id, in: feed).key == key
            : item.hasText && item.url.flatMap { cache.key(of: $0) } == key
        })
      else { continue }
      return FeedItemText(feed: parsed, item: item, version: version)
    }
    return nil
  }
}
