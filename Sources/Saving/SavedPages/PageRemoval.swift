import Configuration
package import Reader
import Library
package import Foundation
package import OfflineCache

/// Takes pages out of a library: at once and for good, or hidden first, so that it can be undone.
package struct PageRemoval {
  /// What went of a page.
  package struct Outcome: Sendable, Equatable {
    /// What was saved of it.
    package var removal: Removal
    /// Whether it was a feed that was followed.
    package var wasFeed = false
    /// Whether it was in the library: kept, tagged, queued.
    package var wasKnown = false
    /// Whether any of its versions could be read, and was not only an answer such as 404.
    package var wasPage = true
  }

  private let profile: Profile

  /// Prepares to remove.
  /// - Parameter profile: from where.
  package init(from profile: Profile) {
    self.profile = profile
  }

  /// Removes what is saved and said of pages from the disk; feeds are not followed any more.
  /// - Parameters:
  ///   - urls: the pages, absolute.
  ///   - isDryRun: whether only to tell what would go.
  ///   - progress: told how far the work is; false stops it.
  /// - Returns: what went, for each page in its place.
  /// - Throws: `ArchiveError`; `.notFound` when one is no URL.
  package func remove(
    _ urls: [String], isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Outcome] {
    let (cache, library) = (profile.cache, profile.library)
    let urls = urls.map(BookAddress.key(of:))
    let keys = urls.compactMap { cache.key(of: $0) }
    guard keys.count == urls.count else { throw .notFound }
    var known: [LibraryPage] = []
    for key in keys { known.append(try library.page(key)) }
    var errors: Set<String> = []
    for key in keys {
      let versions = try cache.archive.captures(of: key)
      if !versions.isEmpty, !versions.contains(where: \.isGood) { errors.insert(key) }
    }
    // Their words are only known while the archive has them.
    if !isDryRun { try profile.search.remove(keys) }
    let removals = try cache.remove(urls, isDryRun: isDryRun, progress: progress)
    let outcomes = zip(removals, known).map { removal, known in
      Outcome(
        removal: removal, wasFeed: known.isFeed, wasKnown: known != LibraryPage(key: known.key),
        wasPage: !errors.contains(known.key))
    }
    guard !isDryRun else { return outcomes }
    var (gone, saved, read): (Set<String>, Set<String>, Set<String>) = ([], [], Set(urls))
    for outcome in outcomes {
      let removal = outcome.removal
      if outcome.wasFeed { try unfollow(removal.key) }
      let names = [removal.key] + removal.redirects.compactMap(cache.key)
      gone.formUnion(names)
      if removal.versions > 0 || !removal.redirects.isEmpty { saved.formUnion(names) }
      read.formUnion(names + removal.redirects)
    }
    // What is said of passages is said of the part that they are in.
    let parts = try library.highlightedPages().map(\.key).filter {
      gone.contains(BookAddress.key(of: $0))
    }
    try library.forget(gone.union(parts), saved: saved)
    for key in gone { InterruptedSave.forget(key, in: profile.locations.saves) }
    try profile.readingLog.forget(read)
    return outcomes
  }

  /// Removes what is saved and said of a page from the disk.
  package func remove(_ url: String) throws(ArchiveError) -> Outcome { try remove([url])[0] }

  /// Lets go of the items of a feed; what a person keeps of them stays kept.
  private func unfollow(_ feed: String) throws(ArchiveError) {
    let items = try profile.library.items(of: feed)
    try profile.library.record(
      items.flatMap { [LibraryChange($0, .item, nil), LibraryChange($0, .queued, nil)] })
  }

  /// Removes once more what a bundle has brought back: versions from before their page was removed, here or
  /// on a machine whose journal is here. What this machine saved itself stays, unless the bundle brought it,
  /// and so does a page that is in the library again and has no other version.
  /// - Parameters:
  ///   - segments: the names of the segments that came.
  ///   - now: the time of day.
  /// - Returns: how many pages went.
  /// - Throws: `ArchiveError`.
  func again(in segments: Set<String>, now: Date) throws(ArchiveError) -> Int {
    let archive = profile.cache.archive
    let others = try profile.library.otherMachines()
    func mayGo(_ segment: String) -> Bool {
      segments.contains(segment)
        || SegmentName(segment).map { others.contains($0.machine) } ?? false
    }
    var last = ""
    var count = 0
    while true {
      let keys = try archive.keys(from: last, limit: Self.piece)
      for (key, date) in try profile.library.removals(of: keys).sorted(by: { $0.key < $1.key }) {
        let versions = try archive.allVersions(of: key)
        let old = versions.filter { $0.response.responseTime <= date }
        guard !old.isEmpty, old.allSatisfy({ mayGo($0.segment) }) else { continue }
        if old.count == versions.count {
          // Something was said of it since: it is there on purpose.
          guard try profile.library.page(key) == LibraryPage(key: key) else { continue }
          // Its words are only known while the archive has it.
          try profile.search.remove([key])
        }
        if try archive.remove(key, savedUntil: date, now: now) > 0 { count += 1 }
      }
      guard keys.count == Self.piece, let end = keys.last else { return count }
      last = end
    }
  }

  /// So many keys are looked at together.
  private static let piece = 10_000

  /// Hides pages: they are in no list and are not found, and are removed by a sync some days
  /// later.
  /// - Parameter urls: the pages, absolute.
  /// - Returns: those of them that are neither saved nor in the library.
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

  /// Takes back what `hide` did.
  /// - Parameter urls: the pages, absolute.
  /// - Returns: those of them that were not hidden.
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

  /// Removes what was hidden long enough ago.
  /// - Parameter now: the time of day.
  /// - Returns: how many pages went.
  /// - Throws: `ArchiveError`.
  package func finish(now: Date) throws(ArchiveError) -> Int {
    let last = now.addingTimeInterval(-profile.settings.sync.undoTime)
    let pages = try profile.library.pages(with: .removed)
      .filter { $0.removed.map { $0 <= last } ?? false }
    if !pages.isEmpty { _ = try remove(pages.map(\.key)) }
    return pages.count
  }
}
