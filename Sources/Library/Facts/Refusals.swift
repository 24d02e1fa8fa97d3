package import Foundation

/// The days on which a response was not trusted as a page, so that the user is told how to accept it when it is no
/// captive portal that answers.
package struct Refusals: Sendable, Equatable {
  /// Days since 1970 in UTC, ascending, the last ones.
  package private(set) var days: [Int] = []

  /// Whether the user is told how to accept the page: it was refused on two days.
  package var areRepeated: Bool { days.count >= 2 }

  package init() {}

  /// Reads what `text` wrote; what is no number is left out.
  package init(text: String) {
    days = Array(Set(text.split(separator: " ").compactMap { Int($0) })).sorted().suffix(
      Self.maxDays)
  }

  /// The value as a journal has it.
  package var text: String { days.map(String.init).joined(separator: " ") }

  /// Returns the refusals with the day of a date.
  package func adding(dayOf date: Date) -> Refusals {
    let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    return Refusals(text: text + " \(day)")
  }

  /// More days tell nothing new.
  private static let maxDays = 3
}
