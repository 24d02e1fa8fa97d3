package import OfflineCache

/// What is saved of a page: its versions, the newest first.
package struct PageVersions: Sendable, Equatable {
  /// The address of the page.
  package var url: String
  /// Every version, also those that are not trusted, damaged ones and redirects.
  package var all: [SavedVersion]
  /// Until when each of them may be used without asking, in the order of `all`.
  package var freshness: [FreshnessTerm]

  /// Puts versions together.
  /// - Parameters:
  ///   - url: the address of the page.
  ///   - all: every version, the newest first.
  ///   - freshness: until when each may be used without asking; empty when that is not known.
  package init(url: String, all: [SavedVersion], freshness: [FreshnessTerm] = []) {
    self.url = url
    self.all = all
    self.freshness = freshness
  }

  /// Looks up what is saved of a page. Blocks for the disk.
  /// - Parameters:
  ///   - url: its address, absolute.
  ///   - cache: where it is saved.
  /// - Throws: `ArchiveError.unreadable`.
  package init(of url: String, in cache: HTTPCache) throws(ArchiveError) {
    let all = try cache.versions(of: url)
    self.init(url: url, all: all, freshness: all.map { cache.freshness(of: $0.response) })
  }

  /// The versions that may be shown as the page, the newest first: those that a reader steps
  /// through.
  package var pages: [SavedVersion] { all.filter { $0.isGood && !$0.response.isRedirect } }

  /// The version with an id.
  package func version(_ id: String?) -> SavedVersion? { all.first { $0.response.id == id } }

  /// The number of a version among those that may be shown, from 1 for the oldest; nil when it is
  /// not one of them.
  package func number(of id: String?) -> Int? {
    let pages = pages
    return pages.firstIndex { $0.response.id == id }.map { pages.count - $0 }
  }

  /// The version that is some steps away from another one, at most the first or the last one.
  /// - Parameters:
  ///   - steps: how many; negative is older.
  ///   - id: the version from which is counted; one that may not be shown as the page lies between
  ///     those before and after it, and what is not saved is newer than all.
  /// - Returns: the version; nil when there is none in that direction.
  package func version(_ steps: Int, from id: String?) -> SavedVersion? {
    let pages = pages
    // In twos, so that there is a place between any two.
    var place = -1
    if let index = pages.firstIndex(where: { $0.response.id == id }) {
      place = 2 * index
    } else if let order = all.firstIndex(where: { $0.response.id == id }) {
      place = 2 * all[..<order].count { $0.isGood && !$0.response.isRedirect } - 1
    }
    let target = steps < 0 ? (place + 2) / 2 - steps - 1 : (place + 1) / 2 - steps
    guard steps < 0 ? 2 * pages.count - 2 > place : place > 0 else { return nil }
    return pages[min(max(0, target), pages.count - 1)]
  }
}
