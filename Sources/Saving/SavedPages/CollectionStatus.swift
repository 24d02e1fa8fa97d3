package import Library
package import OfflineCache
package import Profiles

/// A collection with the numbers that are shown in lists.
package struct CollectionStatus: Sendable, Equatable {
  /// The collection, which may lack its pages.
  package var collection: PageCollection
  package var counts: GroupCounts

  /// Whether the collection is complete, and all of its pages are saved.
  package var isReady: Bool { counts.missing == 0 && collection.record.unfinished == nil }

  /// A message about a collection whose save was interrupted, as by a full disk.
  package static let unfinishedMessage = "the save did not finish: run it again"

  /// The reasons why the collection is not ready, as text for users; empty if it is ready.
  package var problems: [String] {
    (counts.missing > 0 ? ["\(counts.missing) missing"] : [])
      + (collection.record.unfinished == nil ? [] : ["save not finished"])
  }

  package init(collection: PageCollection, counts: GroupCounts) {
    (self.collection, self.counts) = (collection, counts)
  }

  /// Returns the collections, the one that was saved last first.
  /// - Parameters:
  ///   - profile: The profile with the library.
  ///   - isRemoved: Whether to return only collections whose removal is pending, rather than only
  ///     the others.
  /// - Returns: The collections with their pages.
  /// - Throws: `ArchiveError`.
  package static func all(
    in profile: Profile, isRemoved: Bool = false
  ) throws(ArchiveError) -> [CollectionStatus] {
    let collections = try profile.library.collections(isRemoved: isRemoved)
    return try counted(collections, in: profile)
  }

  /// Returns the collections, the one that was saved last first.
  /// - Parameters:
  ///   - profile: The profile with the library.
  ///   - known: Numbers by key; the pages of other collections are counted.
  ///   - limit: The maximum number of collections.
  /// - Returns: The collections, without their pages if their numbers are known.
  /// - Throws: `ArchiveError`.
  static func all(
    in profile: Profile, with known: [String: GroupCounts], limit: Int
  ) throws(ArchiveError) -> [CollectionStatus] {
    let collections = try profile.library.collectionsWithoutPages(limit: limit)
    var all: [CollectionStatus] = []
    for collection in collections {
      if let counts = known[collection.key] {
        all.append(CollectionStatus(collection: collection, counts: counts))
      } else if let withPages = try profile.library.collection(collection.id) {
        all += try counted([withPages], in: profile)
      }
    }
    return all
  }

  /// Counts the pages of collections.
  private static func counted(
    _ collections: [PageCollection], in profile: Profile
  ) throws(ArchiveError) -> [CollectionStatus] {
    guard !collections.isEmpty else { return [] }
    let read = Set(try profile.library.keys(with: .read))
    return try collections.map { collection throws(ArchiveError) in
      let saved = try profile.cache.newestContents(of: collection.pages)
      var counts = GroupCounts()
      counts.total = collection.pages.count
      counts.read = collection.pages.count(where: read.contains)
      counts.missing = counts.total - saved.count
      counts.size = saved.values.reduce(0) { $0 + $1.length }
      counts.date = saved.values.lazy.map(\.date).max()
      return CollectionStatus(collection: collection, counts: counts)
    }
  }
}
