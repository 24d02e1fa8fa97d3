package import Library
package import OfflineCache

/// A request to record the pages of a save as a collection.
package struct CollectionRequest: Sendable, Equatable {
  /// The name; nil for the present name, or the title of the first start page.
  package var name: String?
  /// The collection to update; nil to find it by its name or its start pages.
  package var id: String?
  /// Whether the pages are only refreshed by a sync. A collection that has been removed, for
  /// example by another device, then stays removed.
  package var isRefresh = false

  /// Creates a request for the collection called `name`, or, if it is nil, for the collection of
  /// the start pages.
  package init(name: String? = nil) { self.name = name }

  /// Creates a request that refreshes a collection.
  package init(refreshing id: String) { (self.id, isRefresh) = (id, true) }
}

/// A collection after a save.
package struct CollectionSummary: Sendable, Equatable {
  package var name: String
  /// The number of pages of the collection.
  package var pageCount: Int
  /// The number of pages that the crawl did not reach any more, and which stay in the collection.
  package var unreachedCount: Int
}

extension PageCollection {
  /// Returns the cache keys of the start pages.
  package func startKeys(in cache: HTTPCache) -> [String] {
    record.start.map { cache.key(of: $0) ?? $0 }
  }
}

extension PageLibrary {
  /// Returns the collections that a user means by a name or by the URL of a start page. If
  /// `isRemoved` is true, these are the collections whose removal is pending instead of the others.
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
