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
    let removedKeys = Set(urls.compactMap { cache.key(of: $0) })
    var remainingKeys: [String] = []
    // Cache keys.
    var seenParts = removedKeys
    var knownSubresources: Set<String> = []
    var parsedPages: Set<String> = []
    var nextParts: [String: String] = [:]
    for (index, url) in urls.enumerated() {
      let state = ArchiveProgress(done: Int64(index), total: Int64(urls.count))
      guard progress?(state) ?? true else { throw .stopped }
      guard let key = cache.key(of: url) else { continue }
      var waitingParts = try [key] + profile.library.page(key).frames
      var nextCount = 0
      while let part = waitingParts.popLast() {
        let chain = try SavedParts.chain(of: part, in: cache)
        // The redirects that lead to a page are removed with the page.
        guard let savedPart = chain.last, part == key || !removedKeys.contains(savedPart.key) else {
          continue
        }
        if part != key {
          remainingKeys += chain.map(\.key).filter { seenParts.insert($0).inserted }
        }
        if parsedPages.insert(savedPart.key).inserted {
          if !savedPart.isRedirect, let url = SavedParts.nextPartURL(of: savedPart, in: cache) {
            nextParts[savedPart.key] = cache.key(of: url)
          }
          let parts = try SavedParts.parts(of: savedPart, in: cache, except: &knownSubresources)
          remainingKeys += parts.map(\.key).filter { seenParts.insert($0).inserted }
        }
        guard nextCount < Self.maxNextParts, let next = nextParts[savedPart.key],
          !removedKeys.contains(next)
        else { continue }
        nextCount += 1
        waitingParts.append(next)
      }
    }
    return remainingKeys
  }
}
