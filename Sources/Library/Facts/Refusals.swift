package import Foundation

/// The days on which responses for a page were rejected as untrusted. After rejections on several
/// days, offread shows the user how to accept the response.
package struct Refusals: Sendable, Equatable {
  /// The most recent days, in days since 1970 (UTC), ascending.
  package private(set) var days: [Int] = []

  /// Whether responses were rejected on at least two days.
  package var areRepeated: Bool { days.count >= 2 }

  package init() {}

  /// Parses the format of `text`; anything other than numbers is ignored.
  package init(text: String) {
    days = Array(Set(text.split(separator: " ").compactMap { Int($0) })).sorted().suffix(
      Self.maxDays)
  }

  /// The value of the fact in a journal.
  package var text: String { days.map(String.init).joined(separator: " ") }

  /// Returns these refusals with the day of a date added.
  package func adding(dayOf date: Date) -> Refusals {
    let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    return Refusals(text: text + " \(day)")
  }

  /// The maximum number of days that are stored.
  private static let maxDays = 3
}
