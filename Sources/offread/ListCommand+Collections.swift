import Document
import Foundation
import Library
import OfflineCache
import Profiles
import Saving
import TerminalUI

/// The list of collections.
extension ListCommand {
  /// Writes a row for each collection, the most recently saved one first. First records the
  /// collections of saves that were made before there were collections.
  /// - Returns: the number of collections.
  static func writeCollections(
    in profile: Profile, isRemoved: Bool, json: Bool, width: Int?
  ) throws -> Int {
    PageSelection.adoptEarlierCrawls(in: profile)
    let all = try ProfileArguments.reportingErrors {
      try CollectionStatus.all(in: profile, isRemoved: isRemoved)
    }
    if json {
      let text = try JSONReport.text("collections", all.map(CollectionLine.init))
      try StandardOutput.write(Array(text.utf8))
    } else {
      var table = ListTable(width: width)
      try StandardOutput.write(Array(table.text(all.map { collectionRow($0, now: Date()) }).utf8))
    }
    return all.count
  }

  private static func collectionRow(_ status: CollectionStatus, now: Date) -> ListTable.Row {
    let (collection, counts) = (status.collection, status.counts)
    var row = ListTable.Row()
    row.title = SafeText.line(collection.name)
    row.tags = collection.tags.map { "#" + SafeText.line($0) }.joined(separator: " ")
    let age = counts.date.map { DateTexts.shortAgeText(of: $0, now: now) }
    let state =
      (status.isReady ? ["ready"] : status.problems)
      + (collection.record.isPinned ? [] : ["not kept"])
    row.age = ([age].compactMap(\.self) + state).joined(separator: ", ")
    row.size = CountFormatter.byteCountText(counts.size)
    row.readingProgress =
      "\(counts.read) of \(CountFormatter.countText(counts.total, "page")) read"
    row.url = SafeText.line(
      SafeText.withoutCredentials(collection.record.start.first ?? collection.key))
    return row
  }

  /// A collection in JSON output.
  private struct CollectionLine: Encodable {
    var name: String
    var url: String
    var tags: [String]
    var pages: Int
    var read: Int
    var unread: Int
    var missing: Int
    var isFinished: Bool
    var isReady: Bool
    var isKept: Bool
    var size: Int64
    var saved: String?

    init(_ status: CollectionStatus) {
      let (collection, counts) = (status.collection, status.counts)
      (name, tags) = (collection.name, collection.tags)
      url = SafeText.withoutCredentials(collection.record.start.first ?? "")
      (pages, read, unread) = (counts.total, counts.read, counts.unread)
      (missing, isReady, size) = (counts.missing, status.isReady, counts.size)
      isFinished = collection.record.unfinished == nil
      isKept = collection.record.isPinned
      saved = counts.date?.ISO8601Format()
    }
  }
}
