package import Foundation
import Library
package import OfflineCache
package import Reader

/// A feed with the numbers that lists show.
package struct FeedStatus: Sendable, Equatable {
  /// The cache key of the feed, which is a URL.
  package var key: String
  /// Its title; the URL if it is unknown.
  package var name: String
  /// The tags, sorted.
  package var tags: [String] = []
  /// Whether it is still followed.
  package var isFollowed = true
  /// The number of its items, and of the unread ones.
  package var items = 0
  package var unread = 0
  /// The number of pages of unread items that are not saved.
  package var missing = 0
  /// The size of the saved copies of the items, in bytes.
  package var size: Int64 = 0
  /// The date of the saved content of the feed, or nil.
  package var date: Date?
  /// The date since which its server reports it as gone, or nil.
  package var goneSince: Date?

  package init(key: String, name: String) { (self.key, self.name) = (key, name) }

  /// Returns the followed feeds, and others that have unread items: first those with unread items,
  /// the one that was updated last first, then the others by name.
  /// - Parameters:
  ///   - profile: The profile with the library.
  ///   - isUnreadOnly: Whether to return only feeds with unread items.
  /// - Returns: The feeds with their numbers.
  /// - Throws: `ArchiveError`.
  package static func all(
    in profile: Profile, isUnreadOnly: Bool = false
  ) throws(ArchiveError) -> [FeedStatus] {
    let states = try profile.library.itemStates()
    var items = Dictionary(grouping: states, by: \.feed)
    let unread = Set(states.lazy.filter(\.isUnread).map(\.feed))
    if isUnreadOnly {
      guard !unread.isEmpty else { return [] }
      items = items.filter { unread.contains($0.key) }
    }
    let followed = isUnreadOnly ? [] : try profile.library.keys(with: .feed)
    let keys = unread.union(followed).sorted()
    let saved = try profile.cache.newest(of: keys + items.values.joined().map(\.key))
    return try profile.library.pages(keys).map { page in
      FeedStatus(page, items[page.key] ?? [], saved)
    }.sorted { one, other in
      guard (one.unread > 0) == (other.unread > 0) else { return one.unread > 0 }
      if one.unread > 0, one.date != other.date {
        return one.date ?? .distantPast > other.date ?? .distantPast
      }
      let (name, otherName) = (one.name.lowercased(), other.name.lowercased())
      return (name, one.key) < (otherName, other.key)
    }
  }

  private init(_ page: LibraryPage, _ states: [FeedItemState], _ saved: [String: StoredResponse]) {
    self.init(key: page.key, name: page.title.isEmpty ? page.key : page.title)
    (tags, isFollowed, date) = (page.tags, page.isFeed, saved[page.key]?.contentDate)
    goneSince = page.goneSince(besides: saved[page.key])
    for state in states {
      items += state.count
      if state.isUnread { unread += state.count }
      guard let copy = saved[state.key] else {
        if state.isUnread { missing += 1 }
        continue
      }
      size += copy.length
    }
  }
}

/// A feed and its name.
package struct FeedName: Sendable, Equatable {
  /// The cache key of the feed, which is a URL.
  package var key: String
  /// The title of the feed; its URL if that is unknown.
  package var name: String

  package init(key: String, name: String) { (self.key, self.name) = (key, name) }

  /// Looks up the name of a feed.
  /// - Throws: `ArchiveError.unreadable`.
  package init(_ key: String, in profile: Profile) throws(ArchiveError) {
    let title = try profile.library.page(key).title
    self.init(key: key, name: title.isEmpty ? key : title)
  }
}
