@testable import Pages
import Document
import Foundation
import Library
import Saving
import Testing

@testable import TerminalUI

/// The feeds of a script: each consists of the pages with its name in the attribute `feed`.
extension ScriptFile {
  /// Returns the feeds, those with unread items first.
  func feeds(read: [String: Bool]) -> [FeedStatus] {
    let groups = ids.map { items(ofFeed: $0, read: read) }
    let feeds = groups.map { group in
      var status = FeedStatus(key: group.feed, name: group.name)
      status.counts.total = group.rows.count
      status.counts.read = group.rows.count { $0.unreadItemCount == 0 }
      status.counts.missing = group.rows.count { $0.unreadItemCount > 0 && $0.date == nil }
      status.counts.size = group.rows.reduce(0) { $0 + $1.size }
      status.counts.date = group.rows.compactMap(\.date).max()
      return status
    }
    return feeds.filter { $0.counts.unread > 0 } + feeds.filter { $0.counts.unread == 0 }
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
    order.lazy.compactMap { pages[$0] }.first { $0.page.url.text == url }?.feed
      .map { name(ofFeed: Self.key(of: $0)) }
  }

  /// Returns a feed and its name.
  func name(ofFeed key: String) -> FeedName {
    let id = ids.first { Self.key(of: $0) == key } ?? key
    return FeedName(key: key, name: "The \(id) feed")
  }

  /// Returns the report about enclosures that a step describes.
  static func enclosureEvent(_ parts: [String]) throws -> EnclosureEvent {
    func number(_ index: Int) throws -> Int { try #require(Int(parts[index])) }
    var report = EnclosureReport()
    switch parts[0] {
    case "done":
      (report.fetchedCount, report.waitingCount) = (try number(1), try number(2))
      report.bytes = Int64(report.fetchedCount) * 1_000_000
      report.isInterrupted = report.waitingCount > 0
      return .finished(report)
    case "failed":
      let record = EnclosureRecord(
        url: parts[1], feed: "", item: "", mediaType: "audio/mpeg", date: Date())
      report.failures = [.init(record: record, reason: .status(404))]
      return .finished(report)
    case "refused": return .refused(parts.dropFirst().joined(separator: " "))
    default:
      return .progressed(
        EnclosureProgress(
          number: try number(0), count: try number(1), title: "Episode \(parts[0])",
          received: Int64(try number(2)), total: parts.count > 3 ? Int64(try number(3)) : nil))
    }
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
        var row = page.row ?? LibraryContents.Row(key: page.page.url.text)
        if row.title.isEmpty { row.title = page.page.document.title }
        let isRead = read[page.page.url.text] ?? (row.reading != nil)
        row.unreadItemCount = isRead ? 0 : 1
        return row
      }
    let key = Self.key(of: id)
    return FeedItems(feed: key, name: name(ofFeed: key).name, rows: rows)
  }
}
