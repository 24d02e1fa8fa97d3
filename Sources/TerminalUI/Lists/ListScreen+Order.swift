package import Foundation
import Layout

extension ListScreen {
  /// The order of pages.
  package enum Order: String, CaseIterable, Sendable {
    case date, title, size, site, progress
  }
}

extension ListScreen.Order {
  /// The sort keys of a page in each of the orders.
  package struct SortKeys: Sendable, Equatable {
    /// The date of the saved content; nil if none is saved.
    package var date: Date?
    /// The title, folded (`TextFolding.folded`), in a form that sorts numbers by their value.
    package var title: String
    /// The size of the saved copy, in bytes.
    package var size: Int64
    /// The URL of the page.
    package var url: String
    /// The reading progress in percent; nil if the page was not read.
    package var readPercent: Int?

    /// Creates the sort keys of a page.
    /// - Parameters:
    ///   - title: The title, as displayed.
    ///   - url: The URL.
    ///   - date: The date of the saved content; nil if none is saved.
    ///   - size: The size of the saved copy, in bytes.
    ///   - readPercent: The reading progress in percent; nil if the page was not read.
    package init(title: String, url: String, date: Date?, size: Int64, readPercent: Int?) {
      (self.title, self.url) = (Self.sortingNumbersByValue(TextFolding.folded(title)), url)
      (self.date, self.size, self.readPercent) = (date, size, readPercent)
    }

    /// Returns a text in which each number is preceded by a zero, which sorts like any digit, and
    /// by a character for the number of its digits, so that 9 sorts before 10.
    private static func sortingNumbersByValue(_ text: String) -> String {
      guard text.utf8.contains(where: isDigit) else { return text }
      var result: [UInt8] = []
      var rest = Array(text.utf8)[...]
      while let byte = rest.first {
        let number = rest.prefix(while: isDigit)
        guard !number.isEmpty else {
          result.append(byte)
          rest.removeFirst()
          continue
        }
        let digits = number.drop { $0 == UInt8(ascii: "0") }
        result += [UInt8(ascii: "0"), UInt8(min(digits.count, 0x7E) + 1)]
        result += digits
        rest = rest[number.endIndex...]
      }
      return String(decoding: result, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }

  /// Returns whether a page is sorted before another one: dates, sizes and progress in descending
  /// order, titles and sites in ascending order. Numbers in titles are sorted by value.
  package func precedes(_ one: SortKeys, _ other: SortKeys) -> Bool {
    switch self {
    case .date: (one.date ?? .distantPast) > (other.date ?? .distantPast)
    case .title: one.title < other.title
    case .size: one.size > other.size
    case .site: (one.url, one.title) < (other.url, other.title)
    case .progress: (one.readPercent ?? -1) > (other.readPercent ?? -1)
    }
  }
}
