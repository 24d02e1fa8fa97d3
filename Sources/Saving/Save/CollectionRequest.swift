package import Library
package import OfflineCache

/// A request to record the pages of a save as a collection.
package struct CollectionRequest: Sendable, Equatable {
  /// The name; nil for the existing name of the collection, or the title of its first start page.
  package var name: String?
  /// The identifier of the collection to update; nil to find it by its name or its start pages.
  package var id: String?
  /// Whether this is just the refresh of a collection by a sync. If so, a collection that has been
  /// removed, for example by another device, remains removed.
  package var isRefresh = false

  /// Creates a request for the collection called `name`. If the name is nil, the collection is
  /// found by its start pages.
  package init(name: String? = nil) { self.name = name }

  /// Creates a request that refreshes a collection.
  package init(refreshing id: String) { (self.id, isRefresh) = (id, true) }
}

extension PageCollection {
  /// Returns the cache keys of the start pages.
  package func startKeys(in cache: HTTPCache) -> [String] {
    record.start.map { cache.key(of: $0) ?? $0 }
  }
}

extension PageLibrary {
  /// Returns the collections that are called `name` or have a start page at the URL `name`. If
  /// there are none, returns the collections whose names differ only in case, accents or white
  /// space. If `isRemoved` is true, only collections whose removal is pending are considered,
  /// otherwise only the other collections.
  /// - Throws: `ArchiveError.unreadable`.
  package func collections(named name: String, isRemoved: Bool = false)
    throws(ArchiveError) -> [PageCollection]
  {
    let all = try collections(isRemoved: isRemoved)
    let exact = all.filter { $0.name == name || $0.record.start.contains(name) }
    if !exact.isEmpty { return exact }
    let folded = PageCollection.folded(name)
    return all.filter { PageCollection.folded($0.name) == folded }
  }
}
