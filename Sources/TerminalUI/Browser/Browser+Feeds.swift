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
    let unread = lists.unreadFeeds
    guard !unread.feeds.isEmpty else { return [] }
    var heading = ListEntry.heading("Unread")
    heading.details[.status] = "\(unread.items)"
    var rows = [heading] + unread.feeds.map { entry(for: $0, numbers: "\($0.unread) new") }
    if unread.otherFeeds > 0 {
      var more = ListEntry(DateTexts.count(unread.otherFeeds, "more feed"), to: .command(.feeds))
      more.details[.note] = "\(unread.otherItems) new"
      rows.append(more)
    }
    return rows
  }

  /// All feeds: those with unread items, then the others.
  var feedEntries: [ListEntry] {
    let unread = lists.feeds.filter { $0.unread > 0 }
    let others = lists.feeds.filter { $0.unread == 0 }
    return
      (unread.isEmpty
      ? []
      : [.heading("Unread")]
        + unread.map { feed in
          let missing = feed.missing > 0 ? "\(feed.missing) not saved  " : ""
          return entry(for: feed, numbers: missing + "\(feed.unread) new of \(feed.items)")
        })
      + (others.isEmpty
        ? []
        : [.heading("Read")]
          + others.map { entry(for: $0, numbers: DateTexts.count($0.items, "item")) })
  }

  /// Returns an entry such as `The Daily Loopback   12 new  2 h  1.1 MB  ●`.
  private func entry(for feed: FeedStatus, numbers: String) -> ListEntry {
    let tags = feed.tags.map { "#" + SafeText.line($0) }
    let name = feed.name == feed.key ? shown(feed.key) : SafeText.line(feed.name)
    var entry = ListEntry(
      name, to: .feed(feed.key), alsoFoundBy: ([feed.key] + tags).joined(separator: " "))
    let gone = feed.goneSince.map { "gone since " + DateTexts.day($0, in: timeZone) }
    let state = feed.isFollowed ? nil : "not followed"
    entry.details[.note] = ([gone, state].compactMap(\.self) + tags + [numbers])
      .joined(separator: "  ")
    entry.details[.age] = feed.date.map { DateTexts.shortAge(of: $0, now: now) }
    entry.details[.size] = ByteCount.text(feed.size)
    entry.details[.status] = feed.missing == 0 ? glyphs.saved : glyphs.notSaved
    return entry
  }

  /// Opens the list of the feeds or of the unread items, over the page or the library.
  mutating func openFeeds(_ kind: ListScreen.Kind) -> [Effect] {
    let isOverLibrary = list?.kind == .library || list?.parent == .library
    return open(kind, from: isOverLibrary ? .library : nil)
  }

  /// Returns the entries of a feed's items, the newest first.
  func itemEntries(of feed: String) -> [ListEntry] {
    lists.items(of: feed).flatMap { $0.rows.map(itemEntry) }
  }

  /// The unread items of all feeds, below the names of the feeds.
  var unreadEntries: [ListEntry] {
    lists.items(of: nil).flatMap { group in
      [.heading(feedName(group.feed))] + group.rows.map(itemEntry)
    }
  }

  /// Returns the entry of an item, with its publication date, and with `new` if it is unread.
  private func itemEntry(_ row: LibraryContents.Row) -> ListEntry {
    var entry = entry(for: row, hasBar: false)
    entry.details[.host] = nil
    entry.details[.age] =
      (row.published ?? row.date).map { DateTexts.shortAge(of: $0, now: now) }
    let state = row.unreadItems > 1 ? "\(row.unreadItems) new" : row.unreadItems == 1 ? "new" : ""
    let notes = [entry.details[.note] ?? "", row.enclosures, state].filter { !$0.isEmpty }
    entry.details[.note] = notes.joined(separator: "  ")
    return entry
  }

  /// Returns the name of a feed as it is displayed.
  func feedName(_ feed: String) -> String {
    let name = lists.name(ofFeed: feed)
    return name == feed ? shown(feed) : SafeText.line(name)
  }

  /// The text of the last row for a selected feed.
  var feedStatus: String {
    "\(key(of: .follow)) lists its items, \(key(of: .markAllRead)) marks them as read"
  }

  /// Executes a command on the selected feed.
  mutating func perform(
    _ action: EntryAction, onFeed feed: String, argument: String?
  ) -> [Effect] {
    switch action {
    case .tag: return tag(feed, argument)
    case .copy: return copy(SafeText.line(feed), what: "the URL of \(feedName(feed))")
    case .openInBackground, .keep, .edit, .closeTab, .markRead, .remove:
      notify("this works only on the items of a feed; \(key(of: .follow)) lists them")
      return []
    }
  }

  /// Marks all items of the selected feed, or of the feed of the selected item, as read.
  mutating func markFeedRead() -> [Effect] {
    guard !refusesSaving else { return [] }
    guard let feed = selectedFeed else {
      notify("no feed is selected; \(key(of: .feeds)) lists the feeds")
      return []
    }
    return [.mark(.read(feed: feed))]
  }

  /// The key of the selected feed, or of the feed of the selected item, or nil.
  private var selectedFeed: String? {
    guard let list else { return nil }
    if case .feed(let feed) = list.kind { return feed }
    if case .feed(let feed)? = list.entry?.target { return feed }
    guard list.kind == .unread, let url = list.entry?.url else { return nil }
    return lists.items(of: nil).first { $0.rows.contains { $0.key == url } }?.feed
  }

  /// Reports how many items of a feed were marked as read, and records their pages for `undo`.
  mutating func recordMarked(_ pages: [String], _ count: Int, of feed: FeedName) {
    let name = feed.name == feed.key ? shown(feed.key) : SafeText.line(feed.name)
    guard count > 0 else {
      notify("no unread items: \(name)")
      return
    }
    lists.recordMarked(pages, of: name)
    notify(
      "\(DateTexts.count(count, "item")) marked as read; \(key(of: .undo)) undoes it: \(name)")
  }
}
