import Profiles
import Library
package import OfflineCache

/// Finds the parts of pages that a removal does not delete, because other pages may need them.
extension PageRemoval {
  /// The maximum number of next parts of an article that are followed.
  private static let maxNextParts = 20

  /// Returns the saved parts of pages that remain when the pages are removed: images, style sheets,
  /// scripts and fonts, frames with their redirects, and the next parts of articles. A part that
  /// several pages share is parsed only once.
  /// - Parameters:
  ///   - urls: the absolute URLs of the pages.
  ///   - progress: called with the number of pages processed so far; returns false to stop.
  /// - Returns: the cache keys of the parts, each once.
  /// - Throws: `ArchiveError.unreadable`, or `.stopped`.
  package func remainingParts(
    of urls: [String], progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [String] {
    let cache = profile.cache
    let removed = Set(urls.compactMap { cache.key(of: $0) })
    var found: [String] = []
    // The keys of the parts that were seen, of the subresources that are known, and of the pages
    // that were parsed.
    var (seen, known, parsed): (Set<String>, Set<String>, Set<String>) = (removed, [], [])
    var nextParts: [String: String] = [:]
    for (index, url) in urls.enumerated() {
      let state = ArchiveProgress(done: Int64(index), total: Int64(urls.count))
      guard progress?(state) ?? true else { throw .stopped }
      guard let key = cache.key(of: url) else { continue }
      var waiting = try [key] + profile.library.page(key).frames
      var nextCount = 0
      while let part = waiting.popLast() {
        let chain = try SavedParts.chain(of: part, in: cache)
        // The redirects that lead to a page are removed with the page.
        guard let saved = chain.last, part == key || !removed.contains(saved.key) else { continue }
        if part != key { found += chain.map(\.key).filter { seen.insert($0).inserted } }
        if parsed.insert(saved.key).inserted {
          nextParts[saved.key] = nextPart(of: saved)
          for other in try SavedParts.parts(of: saved, in: cache, except: &known)
          where seen.insert(other.key).inserted {
            found.append(other.key)
          }
        }
        guard nextCount < Self.maxNextParts, let next = nextParts[saved.key],
          !removed.contains(next)
        else { continue }
        nextCount += 1
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
