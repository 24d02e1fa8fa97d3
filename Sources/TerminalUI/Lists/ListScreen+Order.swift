import Document
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
    /// The title, folded (`TextFolding.folded`), as a `NaturalOrder.key`.
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
      (self.title, self.url) = (NaturalOrder.key(TextFolding.folded(title)), url)
      (self.date, self.size, self.readPercent) = (date, size, readPercent)
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
