package import Foundation
package import Library
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
  /// The time since which the server has reported the feed as gone, or nil.
  package var goneSince: Date?
  package var counts = GroupCounts()

  package init(key: String, name: String) { (self.key, self.name) = (key, name) }

  /// Returns the followed feeds, and other feeds that have unread items.
  /// - Parameters:
  ///   - profile: The profile with the library.
  ///   - counts: The numbers of these feeds by key; nil to count their items.
  /// - Returns: The feeds with unread items, beginning with the one that was updated last; then the
  ///   others, sorted by name.
  /// - Throws: `ArchiveError`.
  package static func all(
    in profile: Profile, with counts: [String: GroupCounts]? = nil
  ) throws(ArchiveError) -> [FeedStatus] {
    let counts = if let counts { counts } else { try currentCounts(in: profile) }
    return try all(counts.keys.sorted(), with: counts, in: profile).sorted { one, other in
      let isUnread = one.counts.unread > 0
      guard isUnread == (other.counts.unread > 0) else { return isUnread }
      if isUnread, one.counts.date != other.counts.date {
        return one.counts.date ?? .distantPast > other.counts.date ?? .distantPast
      }
      let (name, otherName) = (one.name.lowercased(), other.name.lowercased())
      return (name, one.key) < (otherName, other.key)
    }
  }

  /// Returns the status of each feed whose cache key is in `keys`, in the order of the keys.
  static func all(
    _ keys: [String], with counts: [String: GroupCounts], in profile: Profile
  ) throws(ArchiveError) -> [FeedStatus] {
    let pages = try profile.library.pages(keys)
    let gone = try profile.cache.newest(of: pages.lazy.filter { $0.goneSince != nil }.map(\.key))
    return pages.map { page in
      var status = FeedStatus(key: page.key, name: page.title.isEmpty ? page.key : page.title)
      (status.tags, status.isFollowed) = (page.tags, page.isFeed)
      status.goneSince = page.goneSince(besides: gone[page.key])
      status.counts = counts[page.key] ?? GroupCounts()
      return status
    }
  }

  /// Counts the items of the followed feeds, and of other feeds that have unread items.
  /// - Returns: The numbers by key.
  /// - Throws: `ArchiveError`.
  package static func currentCounts(
    in profile: Profile
  ) throws(ArchiveError) -> [String: GroupCounts] {
    let states = try profile.library.itemStates()
    let unread = Set(states.lazy.filter(\.isUnread).map(\.feed))
    return try counts(
      of: unread.union(try profile.library.keys(with: .feed)), states, in: profile)
  }

  /// Returns the numbers that were stored last, by key; the items of feeds that were followed since
  /// then are counted.
  /// - Throws: `ArchiveError`.
  package static func storedCounts(
    in profile: Profile
  ) throws(ArchiveError) -> [String: GroupCounts] {
    let stored = try profile.library.storedCounts(of: .feed)
    let added = Set(try profile.library.keys(with: .feed).filter { stored[$0] == nil })
    var states: [FeedItemState] = []
    for feed in added { states += try profile.library.itemStates(of: feed) }
    return try counts(of: added, states, in: profile).merging(stored) { $1 }
  }

  private static func counts(
    of keys: Set<String>, _ states: [FeedItemState], in profile: Profile
  ) throws(ArchiveError) -> [String: GroupCounts] {
    guard !keys.isEmpty else { return [:] }
    let saved = try profile.cache.newestContents(of: keys + states.map(\.key))
    var counts: [String: GroupCounts] = [:]
    for key in keys { counts[key, default: GroupCounts()].date = saved[key]?.date }
    for state in states { counts[state.feed]?.add(state, saved[state.key]) }
    return counts
  }
}

extension GroupCounts {
  /// Adds the items that lead to a page, of which `copy` is saved.
  fileprivate mutating func add(_ state: FeedItemState, _ copy: SavedContent?) {
    total += state.count
    if !state.isUnread { read += state.count }
    size += copy?.length ?? 0
    if copy == nil, state.isUnread, FeedItemAddress(state.key) == nil { missing += 1 }
  }
}
