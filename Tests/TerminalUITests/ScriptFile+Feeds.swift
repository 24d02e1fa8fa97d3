@testable import Pages
import Document
import Foundation
import Saving

@testable import TerminalUI

/// The feeds of a script: each consists of the pages with its name in the attribute `feed`.
extension ScriptFile {
  /// Returns the feeds, those with unread items first.
  func feeds(read: [String: Bool]) -> [FeedStatus] {
    let groups = ids.map { items(ofFeed: $0, read: read) }
    let feeds = groups.map { group in
      var status = FeedStatus(key: group.feed, name: group.name)
      status.itemCount = group.rows.count
      status.unreadCount = group.rows.count { $0.unreadItemCount > 0 }
      status.missingCount = group.rows.count { $0.unreadItemCount > 0 && $0.date == nil }
      status.size = group.rows.reduce(0) { $0 + $1.size }
      status.date = group.rows.compactMap(\.date).max()
      return status
    }
    return feeds.filter { $0.unreadCount > 0 } + feeds.filter { $0.unreadCount == 0 }
  }

  /// Returns the items of a feed, or the unread items of all feeds if `feed` is nil.
  func items(of feed: String?, read: [String: Bool]) -> [FeedItems] {
    let groups = ids.map { items(ofFeed: $0, read: read) }
    if let feed { return groups.filter { $0.feed == feed } }
    return groups.map { group in
      var group = group
      group.rows.removeAll { $0.unreadItemCount == 0 }
      return group
    }.filter { !$0.rows.isEmpty }
  }

  /// Returns the feed of which a page is an item, or nil.
  func feed(of url: String) -> FeedName? {
    order.lazy.compactMap { pages[$0] }.first { $0.page.url == url }?.feed
      .map { name(ofFeed: Self.key(of: $0)) }
  }

  /// Returns a feed and its name.
  func name(ofFeed key: String) -> FeedName {
    let id = ids.first { Self.key(of: $0) == key } ?? key
    return FeedName(key: key, name: "The \(id) feed")
  }

  private var ids: [String] {
    var ids: [String] = []
    for id in order.compactMap({ pages[$0]?.feed }) where !ids.contains(id) { ids.append(id) }
    return ids
  }

  private static func key(of id: String) -> String { "https://\(id).test/feed" }

  private func items(ofFeed id: String, read: [String: Bool]) -> FeedItems {
    let rows = order.compactMap { pages[$0] }.filter { $0.feed == id }
      .map { page -> LibraryContents.Row in
        var row = page.row ?? LibraryContents.Row(key: page.page.url)
        if row.title.isEmpty { row.title = page.page.document.title }
        let isRead = read[page.page.url] ?? (row.reading != nil)
        row.unreadItemCount = isRead ? 0 : 1
        return row
      }
    let key = Self.key(of: id)
    return FeedItems(feed: key, name: name(ofFeed: key).name, rows: rows)
  }
}
