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
    /// The title, folded (`TextFolding.folded`).
    package var title: String
    /// The size of the saved copy, in bytes.
    package var size: Int64
    /// The URL of the page.
    package var address: String
    /// The reading progress in percent; nil if the page was not read.
    package var percent: Int?

    /// Creates the sort keys of a page.
    /// - Parameters:
    ///   - title: The title, as displayed.
    ///   - address: The URL.
    ///   - date: The date of the saved content; nil if none is saved.
    ///   - size: The size of the saved copy, in bytes.
    ///   - percent: The reading progress in percent; nil if the page was not read.
    package init(title: String, address: String, date: Date?, size: Int64, percent: Int?) {
      (self.title, self.address) = (TextFolding.folded(title), address)
      (self.date, self.size, self.percent) = (date, size, percent)
    }
  }

  /// Returns whether a page is sorted before another one: dates, sizes and progress in descending
  /// order, titles and sites in ascending order.
  package func precedes(_ one: SortKeys, _ other: SortKeys) -> Bool {
    switch self {
    case .date: (one.date ?? .distantPast) > (other.date ?? .distantPast)
    case .title: one.title < other.title
    case .size: one.size > other.size
    case .site: (one.address, one.title) < (other.address, other.title)
    case .progress: (one.percent ?? -1) > (other.percent ?? -1)
    }
  }
}
