package import Foundation
import Library
package import OfflineCache
package import Profiles

/// A feed with the numbers that are shown in lists.
package struct FeedStatus: Sendable, Equatable {
  /// The cache key of the feed, which is a URL.
  package var key: String
  /// The title of the feed; the URL if the title is unknown.
  package var name: String
  /// The tags, sorted.
  package var tags: [String] = []
  /// Whether the feed is still followed.
  package var isFollowed = true
  /// The number of items of the feed.
  package var itemCount = 0
  /// The number of unread items of the feed.
  package var unreadCount = 0
  /// The number of pages of unread items that are not saved.
  package var missingCount = 0
  /// The size of the saved copies of the items, in bytes.
  package var size: Int64 = 0
  /// The date of the saved content of the feed, or nil.
  package var date: Date?
  /// The time since which the server has reported the feed as gone, or nil.
  package var goneSince: Date?

  package init(key: String, name: String) { (self.key, self.name) = (key, name) }

  /// Returns the followed feeds, and other feeds that have unread items. Feeds with unread items
  /// come first, beginning with the one that was updated last; the others follow, sorted by name.
  /// - Parameter profile: The profile with the library.
  /// - Returns: The feeds with their numbers.
  /// - Throws: `ArchiveError`.
  package static func all(in profile: Profile) throws(ArchiveError) -> [FeedStatus] {
    let states = try profile.library.itemStates()
    let unread = Set(states.lazy.filter(\.isUnread).map(\.feed))
    return try statuses(
      of: unread.union(try profile.library.keys(with: .feed)).sorted(), states, in: profile
    ).sorted { one, other in
      guard (one.unreadCount > 0) == (other.unreadCount > 0) else { return one.unreadCount > 0 }
      if one.unreadCount > 0, one.date != other.date {
        return one.date ?? .distantPast > other.date ?? .distantPast
      }
      let (name, otherName) = (one.name.lowercased(), other.name.lowercased())
      return (name, one.key) < (otherName, other.key)
    }
  }

  /// Returns the status of each feed whose cache key is in `keys`, in the order of the keys.
  static func statuses(
    of keys: [String], _ states: [FeedItemState], in profile: Profile
  ) throws(ArchiveError) -> [FeedStatus] {
    let items = Dictionary(grouping: states, by: \.feed)
    let saved = try profile.cache.newestContents(of: keys + states.map(\.key))
    let pages = try profile.library.pages(keys)
    let gone = try profile.cache.newest(of: pages.lazy.filter { $0.goneSince != nil }.map(\.key))
    return pages.map { page in
      var status = FeedStatus(page, items[page.key] ?? [], saved)
      status.goneSince = page.goneSince(besides: gone[page.key])
      return status
    }
  }

  private init(_ page: LibraryPage, _ states: [FeedItemState], _ saved: [String: SavedContent]) {
    self.init(key: page.key, name: page.title.isEmpty ? page.key : page.title)
    (tags, isFollowed, date) = (page.tags, page.isFeed, saved[page.key]?.date)
    for state in states {
      itemCount += state.count
      if state.isUnread { unreadCount += state.count }
      guard let copy = saved[state.key] else {
        if state.isUnread, FeedItemAddress(state.key) == nil { missingCount += 1 }
        continue
      }
      size += copy.length
    }
  }
}

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
