package import Foundation
import OfflineCache

/// The pages and books that were read, each once: a book is one reading, whichever of its parts
/// were read, and wherever its file was.
package struct ReadingHistory: Sendable, Equatable {
  package struct Reading: Sendable, Equatable {
    /// The URL that opens the page, or the table of contents of the book.
    package var url: String
    /// The key of the content of the book (`BookAddress.key`), which is its URL once it is
    /// imported; nil for a page of the web, and if it is unknown.
    package var contentKey: String?
    /// The title of the page or book, or empty.
    package var title: String
    /// The time at which the page or book was left last.
    package var date: Date
    /// The progress in percent, from 0 to 100; for a book, that of the whole book.
    package var percent: Int
  }

  /// The readings, the latest first.
  package private(set) var readings: [Reading] = []

  /// Combines the records about parts of a book.
  /// - Parameter records: The records, the latest first.
  package init(_ records: [ReadingLog.Record]) {
    /// The indices in `readings` of books, by the key of their content or else their URL.
    var positions: [String: Int] = [:]
    /// The indices in `readings` of books of which only the table of contents was found so far.
    var unread: Set<Int> = []
    let books = Set(records.compactMap { $0.book?.url })
    for record in records {
      guard let book = record.book else {
        // Earlier versions recorded the parts of books as pages.
        if !Self.isPart(record.url, ofAny: books) {
          readings.append(
            Reading(
              url: record.url, title: record.title, date: record.date, percent: record.percent))
        }
        continue
      }
      let hasPart = book.part != nil || book.url == record.url && book.percent > 0
      if let position = positions[book.key ?? book.url] {
        if hasPart, unread.remove(position) != nil { readings[position].percent = book.percent }
        continue
      }
      positions[book.key ?? book.url] = readings.count
      if !hasPart { unread.insert(readings.count) }
      readings.append(
        Reading(
          url: book.url, contentKey: book.key, title: book.title, date: record.date,
          percent: book.percent))
    }
  }

  private static func isPart(_ url: String, ofAny books: Set<String>) -> Bool {
    if let address = BookAddress(url) { return books.contains(address.key) }
    guard url.hasPrefix("file:") else { return false }
    return url.indices.contains { url[$0] == "/" && books.contains(String(url[..<$0])) }
  }
}
