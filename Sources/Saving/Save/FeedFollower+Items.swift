import Configuration
import Library
import OfflineCache

/// Records the items of a feed.
extension FeedFollower {
  /// Records an item of a feed.
  func record(
    _ item: FeedEntry, _ kind: FeedItemChange, in recording: inout FeedRecording
  ) throws(ArchiveError) {
    let rules = recording.rules(for: item, kind)
    if rules.contains(where: { $0.action == .hide }) {
      recording.countHiddenItem()
      return recording.add(item, .none, as: item.record, .unlisted, rules)
    }
    var record = item.record
    let treatment: FeedRecording.Treatment
    switch kind {
    case .none: treatment = .unlisted
    case .new:
      recording.addNewItem(item, hasKnownLink: false)
      treatment = .listed(isFetched: !recording.savedPageKeys.contains(item.key))
    case .newWithKnownLink:
      recording.addNewItem(item, hasKnownLink: true)
      treatment = .listed(isFetched: true)
    case .moved(let oldKey):
      let wasShared = !item.hasOwnPage && oldKey == recording.siteKey
      if wasShared || cache.savedPages(among: [oldKey]).isEmpty {
        let hasKnownText =
          if record.isIdentifiedByTitle {
            try isCorrection(item.item, of: oldKey, in: recording.feed)
          } else {
            true
          }
        recording.changes += try move(
          oldKey, to: item.key, of: recording.feed, hasKnownText: hasKnownText)
        treatment = .listed(isFetched: !recording.savedPageKeys.contains(item.key))
      } else {
        // A saved page remains under its former URL and is not fetched again.
        record.page = FeedItemRecord.digest(of: oldKey)
        treatment = .unlisted
      }
    }
    recording.add(item, kind, as: record, treatment, rules)
  }

  /// Returns the changes that record the titles of the items for pages to which several unread
  /// items lead.
  /// - Parameters:
  ///   - titles: the titles of the current items of the feed, by the cache keys of their pages.
  ///   - maxItems: the maximum number of items of the feed, or 0 for all.
  /// - Returns: the changes.
  /// - Throws: `ArchiveError.unreadable`.
  func titleChanges(
    _ titles: [String: ItemTitles], maxItems: Int
  ) throws(ArchiveError) -> [LibraryChange] {
    var changes: [LibraryChange] = []
    for (key, items) in titles.sorted(by: { $0.key < $1.key }) where items.isShared {
      let page = try library.page(key)
      var unread: [String] = []
      if page.isUnread, !page.feed.isEmpty {
        unread = page.itemTitles.isEmpty ? items.knownTitles : page.itemTitles
        if unread.isEmpty { unread = [page.title] }
      }
      let lines = (unread + items.newTitles)
        .suffix(maxItems > 0 ? min(maxItems, Self.maxItemTitles) : Self.maxItemTitles)
        .map { title in
          title.split(whereSeparator: \.isNewline).joined(separator: " ")
            .prefix(Self.maxItemTitleLength)
        }
      changes.append(LibraryChange(key, .itemTitles, lines.joined(separator: "\n")))
    }
    return changes
  }

  /// The maximum number of recorded titles for one page, because all titles are in one line of the
  /// journal (`LibraryJournal.maxLength`), and the maximum number of characters of each.
  private static let maxItemTitles = 1000
  static let maxItemTitleLength = 200

  /// Returns the changes for an unsaved item whose URL has changed: the new page replaces the old
  /// one. If the item may have another text than the former one, it is unread.
  private func move(
    _ old: String, to page: String, of feed: String, hasKnownText: Bool
  ) throws(ArchiveError) -> [LibraryChange] {
    let known = try library.page(old)
    var changes = [
      LibraryChange(old, .item, nil), LibraryChange(old, .queued, nil),
      LibraryChange(page, .item, feed),
    ]
    if hasKnownText, known.readDate != nil { changes.append(LibraryChange(page, .read, "1")) }
    if hasKnownText, known.isArchived { changes.append(LibraryChange(page, .archived, "1")) }
    guard FeedItemAddress(old) != nil else { return changes }
    // The old URL no longer leads to the text.
    var facts: [(LibraryAttribute, String)] = known.tags.map { (.tag($0), "1") }
    if known.pinnedDate != nil { facts.append((.pinned, "1")) }
    if !known.note.isEmpty { facts.append((.note, known.note)) }
    for (attribute, value) in facts {
      changes += [LibraryChange(page, attribute, value), LibraryChange(old, attribute, nil)]
    }
    return changes
  }
}
