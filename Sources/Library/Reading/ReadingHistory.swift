package import Foundation
import OfflineCache

/// The pages and books that were read, each once. A book is one reading, regardless of which of its
/// parts were read and where its file was.
package struct ReadingHistory: Sendable, Equatable {
  package struct Reading: Sendable, Equatable {
    /// The URL that opens the page, or the table of contents of the book.
    package var url: String
    /// The key of the book's content (`BookAddress.key`); for an imported book, this is its URL.
    /// Nil for a web page, and if the key is unknown.
    package var contentKey: String?
    /// The title of the page or book, or empty.
    package var title: String
    /// The time at which the user last left the page or book.
    package var date: Date
    /// The reading progress in percent, from 0 to 100; for a book, the progress in the whole book.
    package var percent: Int
  }

  /// The readings, latest first.
  package private(set) var readings: [Reading] = []

  /// Combines the records about the parts of each book.
  /// - Parameter records: The records, latest first.
  package init(_ records: [ReadingLog.Record]) {
    /// The indices of books in `readings`, by the key of their content or else their URL.
    var indexByKey: [String: Int] = [:]
    /// The indices in `readings` of books for which only the table of contents was found so far.
    var indicesWithoutProgress: Set<Int> = []
    let books = Set(records.compactMap { $0.book?.url })
    for record in records {
      guard let book = record.book else {
        // Earlier versions recorded the parts of books as web pages.
        if !Self.isPart(record.url, ofAny: books) {
          readings.append(
            Reading(
              url: record.url, title: record.title, date: record.date, percent: record.percent))
        }
        continue
      }
      let hasPart = book.part != nil || book.url == record.url && book.percent > 0
      if let position = indexByKey[book.key ?? book.url] {
        if hasPart, indicesWithoutProgress.remove(position) != nil {
          readings[position].percent = book.percent
        }
        continue
      }
      indexByKey[book.key ?? book.url] = readings.count
      if !hasPart { indicesWithoutProgress.insert(readings.count) }
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
