import Profiles
import Document
import Foundation
import Library
import OfflineCache
import Saving
import TerminalUI

/// The list of enclosures.
extension ListCommand {
  /// Writes a row for each enclosure, the newest first, and reports those whose records cannot be
  /// read.
  /// - Returns: the number of enclosures, including those with unreadable records.
  static func writeEnclosures(in profile: Profile, json: Bool, width: Int?) throws -> Int {
    let (all, damagedCount) = try ProfileArguments.reportingErrors {
      try EnclosureStatus.list(in: profile)
    }
    if json {
      let text = try JSONReport.text("enclosures", all.map(EnclosureLine.init))
      try StandardOutput.write(Array(text.utf8))
    } else {
      var table = ListTable(width: width)
      try StandardOutput.write(Array(table.text(all.map(enclosureRow)).utf8))
    }
    if damagedCount > 0 { StandardOutput.printError(EnclosureReport.damageText(damagedCount)) }
    return all.count + damagedCount
  }

  /// Returns the row of an enclosure. It ends with the path of the file if it is ready, and
  /// otherwise with the URL.
  private static func enclosureRow(_ enclosure: EnclosureStatus) -> ListTable.Row {
    var row = ListTable.Row()
    let url = SafeText.line(SafeText.withoutCredentials(enclosure.record.url))
    row.title = enclosure.record.title.isEmpty ? url : SafeText.line(enclosure.record.title)
    row.age = enclosure.state == .ready ? "ready" : SafeText.line(enclosure.problem)
    row.size = enclosure.size.map { CountFormatter.byteCountText($0) } ?? ""
    row.readingProgress =
      (enclosure.record.kind?.rawValue ?? "file") + " " + SafeText.line(enclosure.record.duration)
    row.url = enclosure.path.map { SafeText.line($0) } ?? url
    return row
  }

  /// An enclosure in JSON output.
  private struct EnclosureLine: Encodable {
    var url: String
    var title: String
    var feed: String
    var item: String
    var mediaType: String
    var duration: String
    var size: Int64?
    var state: String
    var problem: String?
    var path: String?

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case title = "title"
      case feed = "feed"
      case item = "item"
      case mediaType = "mediaType"
      case duration = "duration"
      case size = "size"
      case state = "state"
      case problem = "problem"
      case path = "path"
    }

    init(_ enclosure: EnclosureStatus) {
      let record = enclosure.record
      url = SafeText.withoutCredentials(record.url)
      (title, mediaType, duration) = (record.title, record.mediaType, record.duration)
      feed = SafeText.withoutCredentials(record.feed)
      item = SafeText.withoutCredentials(record.item)
      (size, path, state) = (enclosure.size, enclosure.path, enclosure.state.rawValue)
      problem = enclosure.problem.isEmpty ? nil : enclosure.problem
    }
  }
}
