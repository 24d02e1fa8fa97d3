import Feeds
import DOM
import Foundation
import Document
import OfflineCache

/// Lists of pages as tables: exports of Pocket and Instapaper, and any table with a column of URLs.
enum LinkTable {
  /// Detects the format by the header; returns nil if there is no column of URLs.
  static func format(of text: [UInt8]) -> ImportFormat? {
    guard let header = CSVTable(text, limit: 1).rows.first, header.count > 1 else { return nil }
    let names = header.map { $0.oneLine.lowercased() }
    guard names.contains(where: { LinkField($0) == .url }) else { return nil }
    if names.contains("time_added") { return .pocket }
    return names.contains("selection") && names.contains("folder") ? .instapaper : .csv
  }

  /// Reads a table with a header.
  static func read(_ text: [UInt8], into list: inout ImportedList) {
    let rows = CSVTable(text, limit: ImportedList.maxEntries).rows
    let columns = columns(rows.first ?? [])
    for row in rows.dropFirst() {
      var address = ""
      var link = ImportedLink(url: "")
      for (position, field) in columns where position < row.count && !row[position].isEmpty {
        let value = row[position]
        switch field {
        // A column of higher rank may contain an incomplete URL.
        case .url: if address.isEmpty || isAddress(value) && !isAddress(address) { address = value }
        case .title: if link.title.isEmpty { link.title = value }
        case .tags: link.tags += tags(value)
        case .folder: apply(folder: value, into: &link)
        case .date: link.date = link.date ?? DateText.parse(value)
        case .note: if link.note.isEmpty { link.note = value }
        case .archived: link.isArchived = link.isArchived || LinkField.isAffirmative(value)
        case .unread: link.isArchived = !LinkField.isAffirmative(value)
        case .starred: link.isStarred = link.isStarred || LinkField.isAffirmative(value)
        }
      }
      // Pocket uses the URL as the title of pages without one.
      if link.title == address { link.title = "" }
      list.add(address, link)
    }
  }

  /// Returns the known columns, ordered by rank.
  private static func columns(_ header: [String]) -> [(column: Int, field: LinkField)] {
    let names = header.map(\.oneLine)
    let order = names.indices.sorted {
      (LinkField.rank(of: names[$0]), $0) < (LinkField.rank(of: names[$1]), $1)
    }
    return order.compactMap { position in LinkField(names[position]).map { (position, $0) } }
  }

  private static func isAddress(_ text: String) -> Bool { WebURL(text)?.isWeb == true }

  /// Applies a folder: Instapaper has three folders of its own; others become tags.
  private static func apply(folder: String, into link: inout ImportedLink) {
    switch folder.lowercased() {
    case "unread", "home", "": break
    case "archive": link.isArchived = true
    case "starred", "liked": link.isStarred = true
    default: link.tags.append(folder)
    }
  }

  /// Parses tags in the forms `a|b`, `a,b`, `a;b` and `["a","b"]`.
  private static func tags(_ value: String) -> [String] {
    if value.hasPrefix("["), let json = JSONValue(Array(value.utf8)) {
      return json.array.compactMap(\.string)
    }
    let marker = ["|", ";", ","].first { value.contains($0) } ?? ","
    return value.split(separator: marker).map(String.init)
  }
}
