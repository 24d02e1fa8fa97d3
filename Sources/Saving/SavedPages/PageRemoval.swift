import Rendering
import Configuration
package import Profiles
import Library
package import Foundation
package import OfflineCache

/// Removes pages from a library, either immediately and permanently, or by hiding them first, which
/// can be undone.
package struct PageRemoval {
  /// The outcome of removing a page.
  package struct Outcome: Sendable, Equatable {
    /// The saved data that was removed.
    package var removal: Removal
    /// The number of enclosures that were removed.
    package var enclosures = 0
    /// The size of the removed enclosures in bytes.
    package var enclosureBytes: Int64 = 0
    /// The number of enclosures that remain because their records cannot be read.
    package var damagedEnclosures = 0
    /// Whether the page was a followed feed.
    package var wasFeed = false
    /// Whether the library had facts about the page: it was pinned, tagged or queued, for example.
    package var wasInLibrary = false
    /// Whether a version of the page could be read; false if all saved versions were error
    /// responses, such as 404; true if no version was saved.
    package var wasPage = true
  }

  let profile: Profile

  /// Creates the operations on a profile.
  /// - Parameter profile: the profile with the library.
  package init(from profile: Profile) {
    self.profile = profile
  }

  /// Removes from the disk the saved data of pages and all facts about them. Feeds are unfollowed.
  /// - Parameters:
  ///   - urls: the absolute URLs of the pages.
  ///   - isDryRun: whether to only report what would be removed.
  ///   - progress: called with the progress; returns false to stop.
  /// - Returns: the outcomes, in the order of `urls`.
  /// - Throws: `ArchiveError`, which is `.notFound` if a string is not a URL.
  package func remove(
    _ urls: [String], isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Outcome] {
    let (cache, library) = (profile.cache, profile.library)
    let urls = urls.map(BookAddress.key(of:))
    let keys = urls.compactMap { cache.key(of: $0) }
    guard keys.count == urls.count else { throw .notFound }
    var libraryPages: [LibraryPage] = []
    for key in keys { libraryPages.append(try library.page(key)) }
    let errorKeys = try keysWithErrorsOnly(keys)
    // The enclosures are read first, so that an unreadable directory does not leave the removal
    // half done.
    let contents = try profile.enclosures.contents()
    let enclosureSizes = try storedEnclosures(of: Set(keys), in: contents.records)
    // The search index needs the text of the pages to remove them, so they must still be in the
    // archive.
    if !isDryRun { try profile.search.remove(keys) }
    let removals = try cache.remove(urls, isDryRun: isDryRun, progress: progress)
    let outcomes = zip(removals, libraryPages).map { removal, page in
      let sizes = enclosureSizes[page.key] ?? []
      return Outcome(
        removal: removal, enclosures: sizes.count, enclosureBytes: sizes.reduce(0, +),
        damagedEnclosures: contents.damagedCount(of: page.key),
        wasFeed: page.isFeed, wasInLibrary: page != LibraryPage(key: page.key),
        wasPage: !errorKeys.contains(page.key))
    }
    if !isDryRun { try removeFacts(about: outcomes, urls) }
    return outcomes
  }

  /// Removes the enclosures of removed pages and all facts about them.
  private func removeFacts(about outcomes: [Outcome], _ urls: [String]) throws(ArchiveError) {
    let (cache, library) = (profile.cache, profile.library)
    var removedKeys: Set<String> = []
    var savedKeys: Set<String> = []
    var readURLs = Set(urls)
    try unfollow(Set(outcomes.filter(\.wasFeed).map(\.removal.key)))
    for outcome in outcomes {
      let removal = outcome.removal
      let names = [removal.key] + removal.redirects.compactMap(cache.key)
      removedKeys.formUnion(names)
      if removal.versions > 0 || !removal.redirects.isEmpty { savedKeys.formUnion(names) }
      readURLs.formUnion(names + removal.redirects)
    }
    // The highlights of a book are recorded for the part of the book that contains them.
    let highlightedParts = try library.highlightedPages().map(\.key).filter {
      removedKeys.contains(BookAddress.key(of: $0))
    }
    // If the enclosures cannot be removed, the facts in the library are needed to repeat the
    // removal. Therefore, the facts are removed later.
    try profile.enclosures.remove(ofPages: removedKeys)
    try library.forget(removedKeys.union(highlightedParts), saved: savedKeys)
    for key in removedKeys { InterruptedSave.forget(key, in: profile.locations.saves) }
    try profile.readingLog.forget(readURLs)
  }

  /// Returns the keys of pages that have saved versions, all of which are error responses.
  private func keysWithErrorsOnly(_ keys: [String]) throws(ArchiveError) -> Set<String> {
    var errors: Set<String> = []
    for key in keys {
      let versions = try profile.cache.archive.captures(of: key)
      if !versions.isEmpty, !versions.contains(where: \.isGood) { errors.insert(key) }
    }
    return errors
  }

  /// Returns the sizes in bytes of the stored files of enclosures, by the cache keys of their pages
  /// and feeds.
  private func storedEnclosures(
    of keys: Set<String>, in records: [EnclosureRecord]
  ) throws(ArchiveError) -> [String: [Int64]] {
    let store = profile.enclosures
    var sizes: [String: [Int64]] = [:]
    for record in records {
      for key in Set([record.item, record.feed]).intersection(keys) {
        sizes[key, default: []].append(try store.storedSize(of: record))
      }
    }
    return sizes
  }

  /// Removes from the disk the saved data of a page and all facts about it.
  package func remove(_ url: String) throws(ArchiveError) -> Outcome { try remove([url])[0] }

  /// Unfollows the items of feeds; items that the user has pinned remain pinned. Items that another
  /// feed contains become items of that feed.
  private func unfollow(_ feeds: Set<String>) throws(ArchiveError) {
    let library = profile.library
    var items: [(key: String, digest: String)] = []
    for feed in feeds {
      items += try library.items(of: feed).map { ($0, FeedItemRecord.digest(of: $0)) }
    }
    guard !items.isEmpty else { return }
    var changes: [LibraryChange] = []
    for other in try library.keys(with: .feed) where !feeds.contains(other) && !items.isEmpty {
      let pages = Set(try library.itemRecords(of: other).map(\.page))
      changes += items.filter { pages.contains($0.digest) }.map {
        LibraryChange($0.key, .item, other)
      }
      items.removeAll { pages.contains($0.digest) }
    }
    changes += items.flatMap {
      [LibraryChange($0.key, .item, nil), LibraryChange($0.key, .queued, nil)]
    }
    try library.record(changes)
  }

  /// Removes versions that the import of a bundle has brought back: versions that are older than
  /// the removal of their page by this device or by a device whose journal is present.
  ///
  /// All versions of a page remain if one of the older ones is neither in `segments` nor from a
  /// device whose journal is present. They also remain if the page is in the library again and has
  /// no version newer than the removal.
  /// - Parameters:
  ///   - segments: the names of the imported segments.
  ///   - now: the current time.
  /// - Returns: the number of pages of which versions were removed.
  /// - Throws: `ArchiveError`.
  func removeAgain(in segments: Set<String>, now: Date) throws(ArchiveError) -> Int {
    let archive = profile.cache.archive
    let otherDevices = try profile.library.otherDevices()
    func mayBeRemoved(_ segment: String) -> Bool {
      segments.contains(segment)
        || SegmentName(segment).map { otherDevices.contains($0.device) } ?? false
    }
    var last = ""
    var count = 0
    while true {
      let keys = try archive.keys(from: last, limit: Self.batchSize)
      for (key, date) in try profile.library.removals(of: keys).sorted(by: { $0.key < $1.key }) {
        let versions = try archive.allVersions(of: key)
        let old = versions.filter { $0.response.responseTime <= date }
        guard !old.isEmpty, old.allSatisfy({ mayBeRemoved($0.segment) }) else { continue }
        if old.count == versions.count {
          // If the library has newer facts about the page, the user has added it again on purpose.
          guard try profile.library.page(key) == LibraryPage(key: key) else { continue }
          // The search index needs the text of the page to remove it, so it must still be in the
          // archive.
          try profile.search.remove([key])
        }
        if try archive.remove(key, savedUntil: date, now: now) > 0 { count += 1 }
      }
      guard keys.count == Self.batchSize, let end = keys.last else { return count }
      last = end
    }
  }

  /// The number of keys that are processed at once.
  private static let batchSize = 10_000

  /// Hides pages: they no longer appear in lists and search results, and a sync removes them once
  /// the time for undoing is over.
  /// - Parameter urls: the absolute URLs of the pages.
  /// - Returns: the URLs of the pages that are neither saved nor in the library.
  /// - Throws: `ArchiveError`.
  package func hide(_ urls: [String]) throws(ArchiveError) -> [String] {
    var unknown: [String] = []
    var changes: [LibraryChange] = []
    for url in urls {
      guard let key = profile.cache.key(of: url).map(BookAddress.key(of:)) else { continue }
      let page = try profile.library.page(key)
      let isSaved = try !profile.cache.archive.captures(of: key).isEmpty
      if isSaved || page != LibraryPage(key: key) {
        changes.append(LibraryChange(key, .removed, "1"))
      } else {
        unknown.append(url)
      }
    }
    try profile.library.record(changes)
    return unknown
  }

  /// Shows hidden pages again.
  /// - Parameter urls: the absolute URLs of the pages.
  /// - Returns: the URLs of the pages that were not hidden.
  /// - Throws: `ArchiveError`.
  package func restore(_ urls: [String]) throws(ArchiveError) -> [String] {
    var missing: [String] = []
    var changes: [LibraryChange] = []
    for url in urls {
      guard let key = profile.cache.key(of: url).map(BookAddress.key(of:)),
        try profile.library.page(key).removed != nil
      else {
        missing.append(url)
        continue
      }
      changes.append(LibraryChange(key, .removed, nil))
    }
    try profile.library.record(changes)
    return missing
  }

  /// Removes the hidden pages whose time for undoing is over.
  /// - Parameter now: the current time.
  /// - Returns: the number of pages.
  /// - Throws: `ArchiveError`.
  package func finish(now: Date) throws(ArchiveError) -> Int {
    let last = now.addingTimeInterval(-profile.settings.sync.undoTime)
    let pages = try withoutNeeded(
      profile.library.pages(with: .removed).filter { $0.removed.map { $0 <= last } ?? false })
    if !pages.isEmpty { _ = try remove(pages.map(\.key)) }
    try finishCollections(until: last)
    return pages.count
  }
}
