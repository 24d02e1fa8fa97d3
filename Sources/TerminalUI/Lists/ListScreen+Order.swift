package import Foundation
import Layout

extension ListScreen {
  /// The order of pages.
  package enum Order: String, CaseIterable, Sendable {
    case date, title, size, site, progress
  }
}

extension ListScreen.Order {
  /// What tells the place of a page in each of the orders.
  package struct Place: Sendable, Equatable {
    /// When the content of its copy is from; nil when none is saved.
    package var date: Date?
    /// Its title, folded (`TextFolding.folded`).
    package var title: String
    /// The bytes of its copy.
    package var size: Int64
    /// Its address.
    package var address: String
    /// How far it was read, from 0 to 100; nil when it was not.
    package var percent: Int?

    /// Says where a page stands.
    /// - Parameters:
    ///   - title: its title, as it is shown.
    ///   - address: its address.
    ///   - date: when its content is from.
    ///   - size: the bytes of its copy.
    ///   - percent: how far it was read.
    package init(title: String, address: String, date: Date?, size: Int64, percent: Int?) {
      (self.title, self.address) = (TextFolding.folded(title), address)
      (self.date, self.size, self.percent) = (date, size, percent)
    }
  }

  /// Whether a page stands before another one: the newest, the largest and what was read farthest come
  /// first, titles and sites by their letters.
  package func precedes(_ one: Place, _ other: Place) -> Bool {
    switch self {
    case .date: (one.date ?? .distantPast) > (other.date ?? .distantPast)
    case .title: one.title < other.title
    case .size: one.size > other.size
    case .site: (one.address, one.title) < (other.address, other.title)
    case .progress: (one.percent ?? -1) > (other.percent ?? -1)
    }
  }
}
