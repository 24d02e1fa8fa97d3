package import Profiles
package import OfflineCache
import Library

/// The name of a feed.
package struct FeedName: Sendable, Equatable {
  /// The cache key of the feed, which is a URL.
  package var key: String
  /// The title of the feed; the URL if the title is unknown.
  package var name: String
  /// The enclosures of the feed item that is on the screen.
  package var enclosures: [EnclosureStatus] = []

  package init(key: String, name: String) { (self.key, self.name) = (key, name) }

  /// Looks up the name of a feed.
  /// - Throws: `ArchiveError.unreadable`.
  package init(_ key: String, in profile: Profile) throws(ArchiveError) {
    let title = try profile.library.page(key).title
    self.init(key: key, name: title.isEmpty ? key : title)
  }
}
