import Profiles
import Configuration
import Foundation
package import Library
package import OfflineCache

/// Removes collections. The pages are only hidden at first, which can be undone until a sync
/// removes them.
extension PageRemoval {
  /// The pages that the removal of a collection removes, and those that remain.
  package struct CollectionPlan: Sendable, Equatable {
    package var collection: PageCollection
    /// The cache keys of the pages that are removed, in reading order.
    package var pages: [String] = []
    /// The cache keys of the pages that remain, because they are pinned for another reason, have a
    /// tag, a note or a highlight, or are in another collection.
    package var remainingPages: [String] = []
    /// The cache keys of the redirects that lead to removed pages.
    package var redirects: [String] = []
  }

  /// Returns the pages that the removal of a collection would remove.
  /// - Throws: `ArchiveError.unreadable`.
  package func plan(for collection: PageCollection) throws(ArchiveError) -> CollectionPlan {
    var plan = CollectionPlan(collection: collection)
    let library = profile.library
    let live = Set(try library.collectionsWithoutPages().map(\.id))
    let redirects = try library.pages(library.redirects(to: collection.id))
      .map { (page: $0, target: profile.cache.page(of: $0.key)?.key) }
    func isNeeded(_ page: LibraryPage) -> Bool {
      page.isNeeded(besides: collection.id, among: live)
    }
    // The user may have pinned the URL of a redirect, which needs its target.
    let targets = Set(redirects.filter { isNeeded($0.page) }.compactMap(\.target))
      .union(try pinnedTargets())
    for page in try library.pages(collection.pages) {
      if isNeeded(page) || targets.contains(page.key) {
        plan.remainingPages.append(page.key)
      } else {
        plan.pages.append(page.key)
      }
    }
    let spared = Set(plan.remainingPages)
    plan.redirects = redirects.filter { redirect in
      !isNeeded(redirect.page) && !(redirect.target.map(spared.contains) ?? false)
    }.map(\.page.key)
    return plan
  }

  /// Returns the keys of the pages to which pinned redirects lead.
  private func pinnedTargets() throws(ArchiveError) -> Set<String> {
    let pinned = try profile.library.pages(with: .pinned).filter { !$0.isPinnedAsStart }.map(\.key)
    let redirects = try profile.cache.newest(of: pinned).filter(\.value.isRedirect).keys
    return Set(redirects.compactMap { profile.cache.page(of: $0)?.key })
  }

  /// Hides a collection and its pages, except for those that remain.
  /// - Throws: `ArchiveError`.
  package func hide(_ plan: CollectionPlan) throws(ArchiveError) {
    let library = profile.library
    var record = plan.collection.record
    record.removed = library.now
    let changes = (plan.pages + plan.redirects).map {
      LibraryChange($0, .removed, plan.collection.key)
    }
    // A start page that remains is no longer pinned by the collection.
    let starts = try library.pages(plan.remainingPages).filter(\.isPinnedAsStart)
    try library.record(
      changes + starts.map { LibraryChange($0.key, .pinned, nil) }
        + [plan.collection.change(record)])
  }

  /// Shows a hidden collection and its pages again.
  /// - Returns: the number of its pages that were hidden.
  /// - Throws: `ArchiveError`.
  @discardableResult
  package func restore(_ collection: PageCollection) throws(ArchiveError) -> Int {
    let library = profile.library
    var record = collection.record
    record.removed = nil
    let redirects = try library.redirects(to: collection.id)
    let hidden = try library.keys(hiddenBy: collection.key, among: collection.pages + redirects)
    let starts = try library.pages(collection.startKeys(in: profile.cache)).filter {
      $0.pinnedDate == nil && $0.membership.addition(to: collection.id) != nil
    }
    try library.record(
      [collection.change(record)] + hidden.map { LibraryChange($0, .removed, nil) }
        + starts.map { LibraryChange($0.key, .pinned, PageCollection.startMarker) })
    return hidden.count { !redirects.contains($0) }
  }

  /// Restores hidden pages that are needed now, or whose collection is no longer hidden.
  /// - Parameter pages: Pages that are hidden.
  /// - Returns: The pages that remain hidden.
  /// - Throws: `ArchiveError`.
  func withoutNeeded(_ pages: [LibraryPage]) throws(ArchiveError) -> [LibraryPage] {
    let library = profile.library
    let hiding = try library.hidingCollections(of: pages.map(\.key))
    guard !hiding.isEmpty else { return pages }
    let live = Set(try library.collectionsWithoutPages().map(\.id))
    let targets = try pinnedTargets()
    let needed = pages.filter { page in
      guard let collection = hiding[page.key] else { return false }
      return live.contains(collection) || targets.contains(page.key)
        || page.isNeeded(besides: collection, among: live)
    }
    try library.record(needed.map { LibraryChange($0.key, .removed, nil) })
    let keys = Set(needed.map(\.key))
    return pages.filter { !keys.contains($0.key) }
  }

  /// Deletes the records of collections that were hidden before or at a time.
  func finishCollections(until last: Date) throws(ArchiveError) {
    let library = profile.library
    for collection in try library.collections(isRemoved: true)
    where collection.removed.map({ $0 <= last }) ?? false {
      let tags = try library.page(collection.key).tags
      let pages = try library.pages(collection.pages + library.redirects(to: collection.id))
      try library.record(
        pages.flatMap { $0.membership.removing($0.key, from: collection.id) }
          + tags.map { LibraryChange(collection.key, .tag($0), nil) }
          + [.order, .collection].map { LibraryChange(collection.key, $0, nil) })
    }
  }
}

extension LibraryPage {
  /// Returns whether a page is needed for a reason other than the collection `id`. `live` contains
  /// the collections that are not removed.
  func isNeeded(besides id: String, among live: Set<String>) -> Bool {
    pinnedDate != nil && !isPinnedAsStart || isFeed || !feed.isEmpty || !tags.isEmpty
      || !note.isEmpty
      || !highlights.isEmpty || membership.collections.contains { $0 != id && live.contains($0) }
  }
}
