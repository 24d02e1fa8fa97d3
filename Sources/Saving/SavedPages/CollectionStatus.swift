package import Foundation
package import Library
package import OfflineCache
package import Profiles

/// A collection with the numbers that are shown in lists.
package struct CollectionStatus: Sendable, Equatable {
  package var collection: PageCollection
  /// The number of pages of the collection.
  package var pageCount: Int
  /// The number of pages of the collection that were read.
  package var readCount = 0
  /// The number of pages of the collection that are not saved.
  package var missingCount = 0
  /// The size of the saved copies in bytes.
  package var size: Int64 = 0
  /// The date of the newest content; nil if no page is saved.
  package var date: Date?

  /// Whether the collection is complete, and all of its pages are saved.
  package var isReady: Bool { missingCount == 0 && collection.record.unfinished == nil }

  /// A message about a collection whose save was interrupted, as by a full disk.
  package static let unfinishedMessage = "the save did not finish: run it again"

  /// The reasons why the collection is not ready, as text for users; empty if it is ready.
  package var problems: [String] {
    (missingCount > 0 ? ["\(missingCount) missing"] : [])
      + (collection.record.unfinished == nil ? [] : ["save not finished"])
  }

  package init(collection: PageCollection, pageCount: Int) {
    (self.collection, self.pageCount) = (collection, pageCount)
  }

  /// Returns the collections, the one that was saved last first.
  /// - Parameters:
  ///   - profile: the profile with the library.
  ///   - isRemoved: whether to return only collections whose removal is pending, rather than only
  ///     the others.
  ///   - limit: the maximum number of collections.
  /// - Returns: the collections with their numbers.
  /// - Throws: `ArchiveError`.
  package static func all(
    in profile: Profile, isRemoved: Bool = false, limit: Int = .max
  ) throws(ArchiveError) -> [CollectionStatus] {
    let collections = try profile.library.collections(isRemoved: isRemoved, limit: limit)
    guard !collections.isEmpty else { return [] }
    let read = Set(try profile.library.keys(with: .read))
    var all: [CollectionStatus] = []
    for collection in collections {
      let saved = try profile.cache.newestContents(of: collection.pages)
      var status = CollectionStatus(collection: collection, pageCount: collection.pages.count)
      for page in collection.pages {
        if read.contains(page) { status.readCount += 1 }
        guard let copy = saved[page] else {
          status.missingCount += 1
          continue
        }
        status.size += copy.length
        status.date = max(copy.date, status.date ?? copy.date)
      }
      all.append(status)
    }
    return all
  }
}
