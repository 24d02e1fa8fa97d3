package import OfflineCache

/// The saved versions of a page, newest first.
package struct PageVersions: Sendable, Equatable {
  /// The URL of the page.
  package var url: String
  /// All versions, including redirects and untrusted or damaged versions. If the URL redirects, the
  /// versions of the page to which it leads come before its own.
  package var all: [SavedVersion]
  /// The freshness lifetime of each version, in the order of `all`.
  package var freshness: [FreshnessTerm]

  /// Creates a list of versions.
  /// - Parameters:
  ///   - url: The URL of the page.
  ///   - all: All versions, newest first.
  ///   - freshness: The freshness lifetime of each version; empty if unknown.
  package init(url: String, all: [SavedVersion], freshness: [FreshnessTerm] = []) {
    self.url = url
    self.all = all
    self.freshness = freshness
  }

  /// Looks up the saved versions of a page. Blocks for disk access.
  /// - Parameters:
  ///   - url: The absolute URL of the page.
  ///   - cache: The cache.
  /// - Throws: `ArchiveError.unreadable`.
  package init(of url: String, in cache: HTTPCache) throws(ArchiveError) {
    let all = try cache.pageVersions(of: url)
    self.init(url: url, all: all, freshness: all.map { cache.freshness(of: $0.response) })
  }

  /// The versions that can be shown as the page, newest first; the user can step through them.
  package var pages: [SavedVersion] { all.filter { $0.isGood && !$0.response.isRedirect } }

  /// Returns the version with an id; nil if there is none.
  package func version(_ id: String?) -> SavedVersion? { all.first { $0.response.id == id } }

  /// Returns the number of a version among `pages`, from 1 for the oldest; nil if it is not one of
  /// them.
  package func number(of id: String?) -> Int? {
    let pages = pages
    return pages.firstIndex { $0.response.id == id }.map { pages.count - $0 }
  }

  /// Returns the version that is a number of steps away from the version `id`, or the first or last
  /// version if there are fewer versions in that direction.
  /// - Parameters:
  ///   - steps: The number of steps; negative for older versions.
  ///   - id: The id of the starting version. If it is not in `pages`, it counts as lying between
  ///     its neighbours; an unsaved version counts as newer than all.
  /// - Returns: The version; nil if there is none in that direction.
  package func version(_ steps: Int, from id: String?) -> SavedVersion? {
    let pages = pages
    // Positions are doubled, so that there is a position between any two versions.
    var position = -1
    if let index = pages.firstIndex(where: { $0.response.id == id }) {
      position = 2 * index
    } else if let order = all.firstIndex(where: { $0.response.id == id }) {
      position = 2 * all[..<order].count { $0.isGood && !$0.response.isRedirect } - 1
    }
    let target = steps < 0 ? (position + 2) / 2 - steps - 1 : (position + 1) / 2 - steps
    guard steps < 0 ? 2 * pages.count - 2 > position : position > 0 else { return nil }
    return pages[min(max(0, target), pages.count - 1)]
  }
}
