import Library
import OfflineCache

/// The refresh of a collection.
package struct CollectionPlan: Sendable, Equatable {
  package var id: String
  package var name: String
  /// The number of its pages.
  package var pages: Int
  /// The start pages, grouped by the bounds within which their links are followed.
  private var starts: [(scope: String, urls: [String])] = []
  /// The start pages that other programs have added, which may only be loaded from the public
  /// network.
  private var publicOnlyPages: Set<String> = []
  /// The start pages whose scheme the user did not type.
  private var assumed: Set<String> = []

  init(_ collection: PageCollection, start: [LibraryPage]) {
    (id, name, pages) = (collection.id, collection.name, collection.pages.count)
    publicOnlyPages = Set(start.filter { $0.fromProgram != nil }.map(\.url))
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
      request.publicOnlyPages = publicOnlyPages.intersection(urls)
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
