import Library
import OfflineCache

/// The plan for refreshing a collection.
package struct CollectionPlan: Sendable, Equatable {
  package var id: String
  package var name: String
  /// The number of pages of the collection.
  package var pageCount: Int
  /// The start pages, grouped by the bounds within which their links are followed.
  private var startGroups: [(scope: String, urls: [String])] = []
  /// The start pages that other programs have added, which may be loaded only from the public
  /// network.
  private var publicOnlyPages: Set<String> = []
  /// The start pages whose scheme the user did not type.
  private var assumedPages: Set<String> = []

  init(_ collection: PageCollection, start: [LibraryPage]) {
    (id, name, pageCount) = (collection.id, collection.name, collection.pages.count)
    publicOnlyPages = Set(start.filter { $0.fromProgram != nil }.map(\.url))
    assumedPages = Set(start.filter(\.isSchemeAssumed).map(\.url))
    for page in start {
      if let index = startGroups.firstIndex(where: { $0.scope == page.crawlScope }) {
        startGroups[index].urls.append(page.url)
      } else {
        startGroups.append((page.crawlScope, [page.url]))
      }
    }
  }

  /// Returns the requests that load the pages again with the same options and bounds as when they
  /// were saved, conditionally.
  func requests(_ options: LoadOptions) -> [SaveRequest] {
    startGroups.map { scope, urls in
      var request = SaveRequest(pages: urls, options: options)
      CrawlScope(text: scope)?.apply(to: &request)
      request.collection = CollectionRequest(refreshing: id)
      request.publicOnlyPages = publicOnlyPages.intersection(urls)
      request.assumedPages = assumedPages.intersection(urls)
      request.options.isReload = true
      request.resumes = false
      request.pinsPages = false
      return request
    }
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.id == other.id && one.pageCount == other.pageCount && one.name == other.name
      && one.startGroups.elementsEqual(other.startGroups) { $0 == $1 }
  }
}
