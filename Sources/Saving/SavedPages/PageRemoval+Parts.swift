import Profiles
import Library
package import OfflineCache

/// The parts of pages, which a removal leaves because other pages may need them.
extension PageRemoval {
  /// The maximum number of pages whose parts are looked up, because each page is parsed.
  private static let maxPages = 200
  /// The maximum number of next parts of an article that are looked up.
  private static let maxNextParts = 20

  /// Returns the saved parts of pages that are not removed with them: images, style sheets, scripts
  /// and fonts, frames with their redirects, and the next parts of articles.
  /// - Parameter urls: the absolute URLs of the pages. Only the first ones are looked up if there
  ///   are very many.
  /// - Returns: the cache keys of the parts, each once.
  /// - Throws: `ArchiveError.unreadable`.
  package func remainingParts(of urls: [String]) throws(ArchiveError) -> [String] {
    let cache = profile.cache
    let removed = Set(urls.compactMap { cache.key(of: $0) })
    var found: [String] = []
    var seen = removed
    for url in urls.prefix(Self.maxPages) {
      guard let key = cache.key(of: url) else { continue }
      var waiting = try [key] + profile.library.page(key).frames
      var nextParts = 0
      while let part = waiting.popLast() {
        let chain = try SavedParts.chain(of: part, in: cache)
        // The redirects to a page are removed with it.
        guard let saved = chain.last, part == key || !removed.contains(saved.key) else { continue }
        if part != key { found += chain.map(\.key).filter { seen.insert($0).inserted } }
        for image in try SavedParts.parts(of: saved, in: cache)
        where seen.insert(image.key).inserted {
          found.append(image.key)
        }
        guard nextParts < Self.maxNextParts, let next = nextPart(of: saved),
          !seen.contains(next)
        else { continue }
        nextParts += 1
        waiting.append(next)
      }
    }
    return found
  }

  /// Returns the cache key of the next part of a saved article; nil if there is none.
  private func nextPart(of page: StoredResponse) -> String? {
    let limit = LoadOptions().maxRenderedSize
    guard page.length <= limit, !page.isRedirect,
      let content = try? profile.cache.archive.body(of: page).rest()
    else { return nil }
    let links = PageLinks(
      content, type: page.response.fields["Content-Type"], url: page.key, limit: limit)
    return links?.nextPart.flatMap { profile.cache.key(of: $0) }
  }
}
