package import Library
package import OfflineCache
package import Profiles

/// The collections and feeds of a library with their numbers.
package struct LibraryGroups: Sendable, Equatable {
  /// The collections, the one that was saved last first.
  package var collections: [CollectionStatus]
  /// The numbers of all feeds by key.
  package var feeds: [String: GroupCounts]

  /// The number of collections that fill the first screens.
  package static let maxFirstCollections = 20

  /// Counts the pages of all collections and the items of all feeds.
  /// - Parameter profile: The profile with the library.
  /// - Throws: `ArchiveError`.
  package init(in profile: Profile) throws(ArchiveError) {
    collections = try CollectionStatus.all(in: profile)
    feeds = try FeedStatus.currentCounts(in: profile)
  }

  /// Looks up the numbers that `store(in:)` stored last, which takes the same short time for
  /// collections and feeds of any size. The pages of collections and feeds without such numbers are
  /// counted.
  /// - Parameters:
  ///   - profile: The profile with the library.
  ///   - collectionLimit: The maximum number of collections.
  /// - Throws: `ArchiveError`.
  package init(
    storedIn profile: Profile, collectionLimit: Int = maxFirstCollections
  ) throws(ArchiveError) {
    collections = try CollectionStatus.all(
      in: profile, with: profile.library.storedCounts(of: .collection), limit: collectionLimit)
    feeds = try FeedStatus.storedCounts(in: profile)
  }

  /// Stores the numbers for `init(storedIn:collectionLimit:)`.
  /// - Parameter profile: The profile with the library.
  /// - Throws: `ArchiveError` if the database of the library cannot be written.
  package func store(in profile: Profile) throws(ArchiveError) {
    let counts = collections.map { ($0.collection.key, $0.counts) }
    try profile.library.store(Dictionary(counts) { $1 }, of: .collection)
    try profile.library.store(feeds, of: .feed)
  }
}
