import Foundation
import Library
package import OfflineCache
package import Profiles

/// The pages that earlier versions of offread, which had no collections, saved with `--depth`.
package enum EarlierCrawls {
  /// The message for the user if `adopt` throws, to which the reason is added.
  package static let failureMessage = "saves of earlier versions are not listed as collections"

  /// Records a collection for each start page that has none. The collection consists of the saved
  /// pages that are reached from the start page by saved links within the bounds of the save.
  /// Nothing is requested, and the pages are not pinned.
  /// - Parameters:
  ///   - profile: the profile with the library.
  ///   - isStopped: returns whether to stop.
  /// - Returns: the number of new collections.
  /// - Throws: `ArchiveError`.
  @discardableResult
  package static func adopt(
    in profile: Profile, isStopped: () -> Bool = { false }
  ) throws(ArchiveError) -> Int {
    guard !profile.isReadOnly else { return 0 }
    let library = profile.library
    var count = 0
    for key in try library.keys(with: .crawlScope) where !isStopped() {
      let page = try library.page(key)
      let id = PageCollection.id(ofStart: key)
      guard page.pinnedDate != nil, !page.isPinnedAsStart, page.membership.collections.isEmpty,
        let scope = CrawlScope(text: page.crawlScope), scope.depth > 0,
        try !library.hasRecord(ofCollection: id)
      else { continue }
      let changes = adoptionChanges(page, scope, id, in: profile, isStopped: isStopped)
      guard !isStopped() else { break }
      try library.record(changes)
      count += 1
    }
    return count
  }

  private static func adoptionChanges(
    _ startPage: LibraryPage, _ scope: CrawlScope, _ id: String, in profile: Profile,
    isStopped: () -> Bool
  ) -> [LibraryChange] {
    var request = SaveRequest(pages: [startPage.url])
    scope.apply(to: &request)
    request.options.mode = .cacheOnly
    var keys: [String] = []
    var seen: Set<String> = []
    var nextKeys: [String: String] = [:]
    var name = startPage.title
    _ = PageSaver(request, in: profile).run(
      outcome: { outcome in
        guard outcome.isReadable, let key = profile.cache.key(of: outcome.url) else { return }
        let target = profile.cache.page(of: key)?.key ?? key
        if name.isEmpty { name = outcome.title }
        if seen.insert(target).inserted { keys.append(target) }
        if let nextKey = outcome.nextURL.map({ profile.cache.key(of: $0) }) {
          nextKeys[target] = profile.cache.page(of: nextKey)?.key ?? nextKey
        }
      }, progress: { _ in !isStopped() })
    let record = PageCollection.Record(
      name: name.isEmpty ? startPage.url : name, start: [startPage.url], isPinned: false,
      saved: Int64((startPage.pinnedDate?.timeIntervalSince1970 ?? 0) * 1000))
    return PageCollection.changes(
      record, id, of: keys, keys.map { _ in CollectionMembership() },
      order: PageCollection.readingOrder(keys, next: nextKeys), by: profile.library.device,
      at: profile.library.now)
  }
}
