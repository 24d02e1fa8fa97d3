import Library
import OfflineCache

/// The pages of the items of enclosures, which decide whether a file is needed.
struct EnclosureItems {
  private let pages: [String: LibraryPage]

  /// Reads the pages.
  /// - Throws: `ArchiveError`.
  init(of records: [EnclosureRecord], in library: PageLibrary) throws(ArchiveError) {
    let keys = Set(records.map(\.feed) + records.map(\.item)).sorted()
    pages = Dictionary(
      try library.pages(keys).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the enclosures of unread items of their feed and of pinned pages, except those that
  /// are hidden because they will be removed.
  func needed(_ records: [EnclosureRecord]) -> [EnclosureRecord] {
    records.filter { !isHidden($0) && isUnreadOrPinned($0) }
  }

  /// Returns the enclosures of other items, except those that are hidden, which can be undone.
  func unneeded(_ records: [EnclosureRecord]) -> [EnclosureRecord] {
    records.filter { !isHidden($0) && !isUnreadOrPinned($0) }
  }

  private func isHidden(_ record: EnclosureRecord) -> Bool {
    pages[record.feed]?.removed != nil || pages[record.item]?.removed != nil
  }

  private func isUnreadOrPinned(_ record: EnclosureRecord) -> Bool {
    guard let page = pages[record.item] else { return false }
    return page.isUnread && page.feed == record.feed || page.pinnedDate != nil
  }
}
