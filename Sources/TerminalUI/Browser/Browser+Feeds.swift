import Commands
import Document
import Foundation
import Layout
import Library
import Saving
import Terminal

/// Feeds: their rows, the lists of their items, and marking the items as read.
extension Browser {
  /// The heading and the rows of the feeds with unread items in the library.
  var unreadFeedRows: [ListEntry] {
    let unread = listData.unreadFeeds
    guard !unread.feeds.isEmpty else { return [] }
    var heading = ListEntry.heading("Unread")
    heading.details[.status] = "\(unread.items)"
    var rows =
      [heading] + unread.feeds.map { feedEntry(for: $0, numbers: "\($0.counts.unread) new") }
    if unread.otherFeedCount > 0 {
      var more = ListEntry(
        DateTexts.countText(unread.otherFeedCount, "more feed"), to: .command(.feeds))
      more.details[.extraText] = "\(unread.otherItemCount) new"
      rows.append(more)
    }
    return rows
  }

  /// All feeds: those with unread items, then the others.
  var feedEntries: [ListEntry] {
    let unread = listData.feeds.filter { $0.counts.unread > 0 }
    let others = listData.feeds.filter { $0.counts.unread == 0 }
    return
      (unread.isEmpty
      ? []
      : [.heading("Unread")]
        + unread.map { feed in
          let missing = feed.counts.missing > 0 ? "\(feed.counts.missing) not saved  " : ""
          return feedEntry(
            for: feed, numbers: missing + "\(feed.counts.unread) new of \(feed.counts.total)")
        })
      + (others.isEmpty
        ? []
        : [.heading("Read")]
          + others.map { feedEntry(for: $0, numbers: DateTexts.countText($0.counts.total, "item")) })
  }

  /// Returns an entry such as `The Daily Loopback   12 new  #news  2 h  1.1 MB  ●`.
  private func feedEntry(for feed: FeedStatus, numbers: String) -> ListEntry {
    let tags = feed.tags.map { "#" + SafeText.line($0) }
    let name = feed.name == feed.key ? displayURL(feed.key) : SafeText.line(feed.name)
    var entry = ListEntry(
      name, to: .feed(feed.key), extraFilterText: ([feed.key] + tags).joined(separator: " "))
    let gone = feed.goneSince.map { "gone since " + DateTexts.dayText($0, in: timeZone) }
    let state = feed.isFollowed ? nil : "not followed"
    entry.details[.extraText] = numbers
    entry.note = [gone, state, tags.joined(separator: " ")].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: "  ")
    entry.details[.age] = feed.counts.date.map { DateTexts.shortAgeText(of: $0, now: now) }
    // Items without pages of their own have no size.
    if feed.counts.size > 0 {
      entry.details[.size] = CountFormatter.byteCountText(feed.counts.size)
    }
    entry.details[.status] = feed.counts.missing == 0 ? glyphs.saved : glyphs.notSaved
    return entry
  }

  /// Opens the list of the feeds or of the unread items, over the page or the library.
  mutating func openFeeds(_ kind: ListScreen.Kind) -> [Effect] {
    let isOverLibrary = list?.kind == .library || list?.parent == .library
    return openList(kind, from: isOverLibrary ? .library : nil)
  }

  /// Returns the entries of a feed's items, the newest first.
  func itemEntries(of feed: String) -> [ListEntry] {
    listData.items(of: feed).flatMap { $0.rows.map(itemEntry) }
  }

  /// The unread items of all feeds, below the names of the feeds.
  var unreadEntries: [ListEntry] {
    listData.items(of: nil).flatMap { group in
      [.heading(feedName(group.feed))] + group.rows.map(itemEntry)
    }
  }

  /// Returns the entry of an item, with its publication date, and with `new` if it is unread.
  private func itemEntry(_ row: LibraryContents.Row) -> ListEntry {
    var entry = pageEntry(for: row, showsProgressBar: false)
    entry.details[.host] = nil
    entry.details[.age] =
      (row.publicationDate ?? row.date).map { DateTexts.shortAgeText(of: $0, now: now) }
    let state =
      row.unreadItemCount > 1 ? "\(row.unreadItemCount) new" : row.unreadItemCount == 1 ? "new" : ""
    let states = [entry.details[.extraText] ?? "", state].filter { !$0.isEmpty }
    entry.details[.extraText] = states.joined(separator: "  ")
    entry.note = [row.enclosures, entry.note].filter { !$0.isEmpty }.joined(separator: "  ")
    return entry
  }

  /// Returns the name of a feed as it is displayed.
  func feedName(_ feed: String) -> String {
    let name = listData.feedName(ofFeed: feed)
    return name == feed ? displayURL(feed) : SafeText.line(name)
  }

  /// The text of the last row for a selected feed.
  var feedStatusText: String {
    "\(keyName(of: .follow)) lists its items, \(keyName(of: .markAllRead)) marks them as read"
  }

  /// Executes a command on the selected feed.
  mutating func perform(
    _ action: EntryAction, onFeed feed: String, argument: String?
  ) -> [Effect] {
    switch action {
    case .setTags: return setTags(feed, argument)
    case .copy:
      return copyToClipboard(SafeText.line(feed), contentName: "the URL of \(feedName(feed))")
    case .openInBackground, .togglePin, .edit, .closeTab, .markRead, .remove:
      notify("this works only on the items of a feed; \(keyName(of: .follow)) lists them")
      return []
    }
  }

  /// Marks all items of the selected feed, or of the feed of the selected item, as read.
  mutating func markFeedRead() -> [Effect] {
    guard !isSavingRefusedWithNotice else { return [] }
    guard let feed = selectedFeed else {
      notify("no feed is selected; \(keyName(of: .feeds)) lists the feeds")
      return []
    }
    return [.markItems(.read(feed: feed))]
  }

  /// The key of the selected feed, or of the feed of the selected item, or nil.
  var selectedFeed: String? {
    guard let list else { return nil }
    if case .feed(let feed) = list.kind { return feed }
    if case .feed(let feed)? = list.selectedEntry?.target { return feed }
    guard list.kind == .unread, let url = list.selectedEntry?.pageURL else { return nil }
    return listData.items(of: nil).first { $0.rows.contains { $0.key == url } }?.feed
  }

  /// Reports how many items of a feed were marked as read, and records their pages for `undo`.
  mutating func recordItemsRead(_ pages: [String], _ itemCount: Int, of feed: FeedName) {
    let name = feed.name == feed.key ? displayURL(feed.key) : SafeText.line(feed.name)
    guard itemCount > 0 else {
      notify("no unread items: \(name)")
      return
    }
    listData.recordItemsRead(pages, feed: feed.key, name: name)
    notify(
      "\(DateTexts.countText(itemCount, "item")) marked as read; \(keyName(of: .undo)) undoes it: \(name)"
    )
  }
}
