import Commands
import DOM
import Document
import Layout
import Library
import Saving
import Terminal

/// Collections: their rows in the library, and the list of their pages.
extension Browser {
  /// The heading and the rows of the collections in the library.
  var collectionRows: [ListEntry] {
    let all = listData.visibleCollections
    return all.isEmpty ? [] : [.heading("Collections")] + all.map(entry)
  }

  /// Returns an entry such as `▓▓▓░░░░░░░  33% The Python Tutorial   9 of 28  #trip  1 h  1.4 MB
  /// ●`.
  private func entry(for status: CollectionStatus) -> ListEntry {
    let (collection, counts) = (status.collection, status.counts)
    let tags = collection.tags.map { "#" + SafeText.line($0) }
    var entry = ListEntry(
      SafeText.line(collection.name), to: .collection(collection.id),
      extraFilterText: (collection.record.start + tags).joined(separator: " "))
    entry.readPercent = counts.total == 0 ? 0 : counts.read * 100 / counts.total
    let state = collection.record.isPinned ? [] : ["not kept"]
    entry.details[.extraText] = "\(counts.read) of \(counts.total)"
    entry.note = (status.problems + state + tags).joined(separator: " ")
    entry.details[.age] = counts.date.map { DateTexts.shortAgeText(of: $0, now: now) }
    entry.details[.size] = CountFormatter.byteCountText(counts.size)
    entry.details[.status] = status.isReady ? glyphs.saved : glyphs.notSaved
    return entry
  }

  /// Returns the entries of a collection's pages in reading order.
  func collectionEntries(_ id: String) -> [ListEntry] {
    listData.pages(of: id).map { row in
      var entry = pageEntry(for: row, showsProgressBar: true)
      entry.readPercent = row.reading?.percent ?? 0
      return entry
    }
  }

  /// Returns the name of a collection as it is displayed; empty if it is unknown.
  func collectionName(_ id: String) -> String {
    SafeText.line(listData.collection(id)?.collection.name ?? "")
  }

  /// Returns the text of the last row for a selected collection.
  func collectionStatus(_ id: String) -> String {
    "\(keyName(of: .follow)) opens its pages, \(keyName(of: .remove)) removes them"
  }

  /// Executes a command on the selected collection.
  mutating func perform(
    _ action: EntryAction, onCollection id: String, argument: String?
  ) -> [Effect] {
    guard !isSavingRefusedWithNotice else { return [] }
    switch action {
    case .remove: return [.planRemoval(ofCollection: id)]
    case .setTags: return setTags(PageCollection.key(of: id), argument)
    case .openInBackground, .togglePin, .copy, .edit, .closeTab, .markRead:
      notify("this works only on the pages of a collection; \(keyName(of: .follow)) lists them")
      return []
    }
  }

  /// Asks whether to remove a collection. The question contains the number of pages that would be
  /// removed with it (`removedPageCount`), and of those that would stay because they are still
  /// needed (`keptPageCount`).
  mutating func askToRemove(
    collection id: String, _ name: String, removedPageCount: Int, keptPageCount: Int
  ) {
    guard layers.topInput == nil else { return }
    let stay =
      keptPageCount > 0 ? "; \(DateTexts.countText(keptPageCount, "kept page")) will stay" : ""
    let message =
      "Remove \(SafeText.line(name)) with \(DateTexts.countText(removedPageCount, "page"))\(stay)?"
    showQuestion(Question(text: message, action: .removeCollection(id)))
  }

  /// Hides a collection and its pages; `undo` restores them.
  mutating func remove(collection id: String) -> [Effect] {
    let name = collectionName(id)
    listData.remove(collection: id, name: name)
    refreshList()
    notify("removed; \(keyName(of: .undo)) restores it: \(name)")
    return [.setCollection(id, isRemoved: true)]
  }

  /// Restores a collection that was removed.
  mutating func restore(collection id: String, _ name: String) -> [Effect] {
    refreshList()
    selectRestored(.collection(id))
    notify("restored: \(name)")
    return [.setCollection(id, isRemoved: false)]
  }
}
