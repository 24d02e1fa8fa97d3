import Library
import OfflineCache

/// The pages of the feed items that enclosures belong to. The pages determine whether a file is
/// needed.
struct EnclosureItems {
  private let pages: [String: LibraryPage]
  /// The cache key of the page of an item whose files are needed even if the item was read; nil if
  /// there is no such item.
  private let requestedItem: String?

  /// Reads the pages from the library.
  /// - Throws: `ArchiveError`.
  init(
    of records: [EnclosureRecord], in library: PageLibrary, requestedItem: String? = nil
  ) throws(ArchiveError) {
    self.requestedItem = requestedItem
    let keys = Set(records.map(\.feed) + records.map(\.item)).sorted()
    pages = Dictionary(
      try library.pages(keys).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the enclosures of pinned pages, of the requested item, and of unread items that are
  /// still in their feed, and those that the user requested earlier. Enclosures that are hidden
  /// because their removal is pending are left out.
  func neededRecords(_ records: [EnclosureRecord]) -> [EnclosureRecord] {
    records.filter { !isHidden($0) && hasNeededItem($0) }
  }

  /// Returns the enclosures that are neither needed nor hidden. Hidden enclosures are omitted
  /// because their removal can be undone.
  func unneededRecords(_ records: [EnclosureRecord]) -> [EnclosureRecord] {
    records.filter { !isHidden($0) && !hasNeededItem($0) }
  }

  private func isHidden(_ record: EnclosureRecord) -> Bool {
    pages[record.feed]?.removed != nil || pages[record.item]?.removed != nil
  }

  private func hasNeededItem(_ record: EnclosureRecord) -> Bool {
    if record.item == requestedItem || record.isRequested == true { return true }
    guard let page = pages[record.item] else { return false }
    return page.isUnread && page.feed == record.feed || page.pinnedDate != nil
  }
}
