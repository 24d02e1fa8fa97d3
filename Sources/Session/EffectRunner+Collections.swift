import Profiles
import Document
import Library
import OfflineCache
import Pages
import Saving
import TerminalUI

/// Runs effects that concern collections.
extension EffectRunner {
  /// Posts the pages of a collection in reading order.
  func listPages(ofCollection id: String) throws(ArchiveError) {
    lanes.wait(for: .changes)
    lanes.wait(for: .positions)
    let pages = try profile.library.collection(id)?.pages ?? []
    post(.listed(.collection(id, try LibraryContents.rows(of: pages, in: profile))))
  }

  /// Posts the sequence of pages that a page belongs to: the collection that was saved last and
  /// contains it, or else the feed of which it is an item, with the newest item first. Also posts
  /// the name of that feed; if the sequence is known, posts only the name.
  func findSequence(_ query: SequenceQuery) {
    lanes.run(.lookups) { [self] in
      let named = query.urls.compactMap { profile.cache.key(of: $0.text) }
      let keys = named.compactMap { profile.cache.page(of: $0)?.key } + named
      guard let pages = try? profile.library.pages(named) else { return }
      let item = pages.first { !$0.feed.isEmpty }
      var sequence: ReadingSequence?
      if !query.isSequenceKnown {
        sequence =
          pages.lazy.compactMap { [self] in try? collectionSequence(of: $0, keys) }.first
          ?? item.flatMap { try? feedSequence(of: $0, keys) }
      }
      var name = item.flatMap { try? FeedName($0.feed, in: profile) }
      if let item {
        name?.enclosures = (try? EnclosureStatus.all(ofItem: item.key, in: profile)) ?? []
      }
      guard sequence != nil || name != nil else { return }
      post(.sequence(pageNumber: query.pageNumber, sequence, feed: name))
    }
  }

  private func collectionSequence(
    of page: LibraryPage, _ keys: [String]
  ) throws(ArchiveError) -> ReadingSequence? {
    guard let collection = try profile.library.collection(of: page) else { return nil }
    let rows = try LibraryContents.rows(of: collection.pages, in: profile)
    return sequence(.collection(collection.id), collection.name, of: rows, at: keys)
  }

  private func feedSequence(
    of page: LibraryPage, _ keys: [String]
  ) throws(ArchiveError) -> ReadingSequence? {
    let items = try FeedItems.all(of: page.feed, in: profile)
    return sequence(.feed(page.feed), items.name, of: items.rows, at: keys)
  }

  /// Returns the reading sequence of the pages in `rows`, positioned at the page whose key is in
  /// `keys`; nil if there is no such page.
  private func sequence(
    _ source: ReadingSequence.Source, _ name: String, of rows: [LibraryContents.Row],
    at keys: [String]
  ) -> ReadingSequence? {
    let items = rows.map { ReadingSequence.Item(url: DocumentAddress($0.key), title: $0.title) }
    guard let index = rows.firstIndex(where: { keys.contains($0.key) }) else { return nil }
    return ReadingSequence(source, name: name, items: items, index: index)
  }

  /// Posts how many pages the removal of a collection would remove, and how many it would leave.
  func planRemoval(ofCollection id: String) {
    lanes.run(.lookups) { [self] in
      lanes.wait(for: .changes)
      do throws(ArchiveError) {
        guard let collection = try profile.library.collection(id) else { return }
        let plan = try PageRemoval(from: profile).plan(for: collection)
        post(
          .collectionRemoval(
            id, name: collection.name, removedPageCount: plan.pages.count,
            keptPageCount: plan.remainingPages.count))
      } catch {
        report(error.message(for: "the library cannot be read"))
      }
    }
  }

  /// Hides a collection and its pages, which a later sync removes, or shows them again.
  func setCollection(_ id: String, isRemoved: Bool) {
    changeLibrary { profile throws(ArchiveError) in
      guard let collection = try profile.library.collection(id) else { return "" }
      let removal = PageRemoval(from: profile)
      if isRemoved {
        try removal.hide(try removal.plan(for: collection))
      } else {
        try removal.restore(collection)
      }
      return ""
    }
  }
}
