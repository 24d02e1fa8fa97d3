import Document
import Library
import OfflineCache
import Reader
import Saving
import TerminalUI

/// Effects that concern collections.
extension EffectRunner {
  /// Posts the pages of a collection in reading order.
  func listPages(ofCollection id: String) throws(ArchiveError) {
    lanes.wait(for: .changes)
    lanes.wait(for: .positions)
    let pages = try profile.library.collection(id)?.pages ?? []
    post(.listed(.collection(id, try LibraryContents.rows(of: pages, in: profile))))
  }

  /// Posts the collection that a page is in, the one that was saved last if there are several;
  /// otherwise the feed that it is an item of, the newest item first.
  func findSequence(_ arrival: Int, of url: String) {
    lanes.run(.lookups) { [self] in
      guard let key = profile.cache.key(of: url), let page = try? profile.library.page(key) else {
        return
      }
      let keys = [profile.cache.page(of: key)?.key ?? key, key]
      guard let sequence = (try? collection(of: page, keys)) ?? (try? feed(of: page, keys)) else {
        return
      }
      post(.sequence(arrival: arrival, sequence))
    }
  }

  private func collection(
    of page: LibraryPage, _ keys: [String]
  ) throws(ArchiveError) -> ReadingSequence? {
    guard let collection = try profile.library.collection(of: page) else { return nil }
    return try sequence(
      .collection(collection.id), collection.name, of: collection.pages, at: keys)
  }

  private func feed(
    of page: LibraryPage, _ keys: [String]
  ) throws(ArchiveError) -> ReadingSequence? {
    guard !page.feed.isEmpty else { return nil }
    let name = try profile.library.page(page.feed).title
    let items = try profile.library.items(of: page.feed)
    return try sequence(
      .feed(page.feed), name.isEmpty ? page.feed : name, of: items.reversed(), at: keys)
  }

  /// Returns the sequence of some pages at the one that has one of the keys.
  private func sequence(
    _ source: ReadingSequence.Source, _ name: String, of pages: [String], at keys: [String]
  ) throws(ArchiveError) -> ReadingSequence? {
    let items = try LibraryContents.rows(of: pages, in: profile)
      .map { ReadingSequence.Item(url: $0.key, title: $0.title) }
    guard let index = items.firstIndex(where: { keys.contains($0.url) }) else { return nil }
    return ReadingSequence(source, name: name, items: items, index: index)
  }

  /// Posts the numbers of pages that the removal of a collection removes and spares.
  func planRemoval(ofCollection id: String) {
    lanes.run(.lookups) { [self] in
      lanes.wait(for: .changes)
      do throws(ArchiveError) {
        guard let collection = try profile.library.collection(id) else { return }
        let plan = try PageRemoval(from: profile).plan(for: collection)
        post(
          .collectionRemoval(
            id, name: collection.name, pages: plan.pages.count, spared: plan.spared.count))
      } catch {
        report("the library cannot be read: \(error.description)")
      }
    }
  }

  /// Hides a collection and its pages, which a later sync removes, or shows them again.
  func setCollection(_ id: String, isRemoved: Bool) {
    change { profile throws(ArchiveError) in
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
