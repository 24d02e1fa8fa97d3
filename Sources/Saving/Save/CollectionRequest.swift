package import Library
package import OfflineCache
import Reader

/// A request to record the pages of a save as a collection.
package struct CollectionRequest: Sendable, Equatable {
  /// The name; nil for the present name, or the title of the first start page.
  package var name: String?
  /// The collection to update; nil to find it by its name or its start pages.
  package var id: String?
  /// Whether the pages are only refreshed, which the user did not request: a collection that
  /// another device has removed stays removed.
  package var isRefresh = false

  /// Creates a request for the collection with a name, or of the start pages if there is none.
  package init(name: String? = nil) { self.name = name }

  /// Creates a request that refreshes a collection.
  package init(refreshing id: String) { (self.id, isRefresh) = (id, true) }
}

/// A collection after a save.
package struct CollectionSummary: Sendable, Equatable {
  package var name: String
  /// The number of its pages.
  package var pages: Int
  /// The number of pages that the crawl did not reach any more, and which stay in the collection.
  package var unreached: Int
}

/// The refresh of a collection.
package struct CollectionPlan: Sendable, Equatable {
  package var id: String
  package var name: String
  /// The number of its pages.
  package var pages: Int
  /// The start pages, grouped by the bounds within which their links are followed.
  private var starts: [(scope: String, urls: [String])] = []
  /// The start pages that other programs have added, which may only be loaded from the public
  /// network, and those whose scheme the user did not type.
  private var handedOver: Set<String> = []
  private var assumed: Set<String> = []

  init(_ collection: PageCollection, start: [LibraryPage]) {
    (id, name, pages) = (collection.id, collection.name, collection.pages.count)
    handedOver = Set(start.filter { $0.handedOver != nil }.map(\.url))
    assumed = Set(start.filter(\.isSchemeAssumed).map(\.url))
    for page in start {
      if let index = starts.firstIndex(where: { $0.scope == page.crawlScope }) {
        starts[index].urls.append(page.url)
      } else {
        starts.append((page.crawlScope, [page.url]))
      }
    }
  }

  /// Returns the requests that load the pages again as they were saved, conditionally.
  func requests(_ options: LoadOptions) -> [SaveRequest] {
    starts.map { scope, urls in
      var request = SaveRequest(pages: urls, options: options)
      CrawlScope(text: scope)?.apply(to: &request)
      request.collection = CollectionRequest(refreshing: id)
      request.publicPages = handedOver.intersection(urls)
      request.assumedPages = assumed.intersection(urls)
      request.options.isReload = true
      request.resumes = false
      request.keeps = false
      return request
    }
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.id == other.id && one.pages == other.pages && one.name == other.name
      && one.starts.elementsEqual(other.starts) { $0 == $1 }
  }
}

extension PageCollection {
  /// Returns the cache keys of the start pages.
  package func startKeys(in cache: HTTPCache) -> [String] {
    record.start.map { cache.key(of: $0) ?? $0 }
  }
}

extension PageLibrary {
  /// Returns the collections that a user means by a name or by the URL of a start page.
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
