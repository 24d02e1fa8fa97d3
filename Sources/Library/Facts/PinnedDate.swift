package import Foundation

/// The value of `LibraryAttribute.pinned`, which determines since when a page is pinned. For a page
/// imported from a list of another program, the value contains the time when the page was added to
/// that list; for other pages, the time when the fact was recorded applies. For a page that is
/// pinned because it continues a text, the value contains the first page of the text.
package enum PinnedDate {
  private static let prefix = "since "
  private static let continuationPrefix = "continues "
  /// 1 January 1990, in seconds since 1970. Other programs write earlier dates if the date is
  /// unknown.
  private static let earliestTime: TimeInterval = 631_152_000

  /// Returns the value of the attribute.
  /// - Parameter date: The time when the page was added to a list; nil if it is unknown.
  /// - Returns: The value.
  package static func value(since date: Date?) -> String {
    guard let seconds = date?.timeIntervalSince1970, seconds >= earliestTime, seconds < 1e12 else {
      return "1"
    }
    return prefix + String(Int64(seconds))
  }

  /// Returns the value of the attribute for a page that is pinned only because it continues the
  /// text of another page.
  /// - Parameter key: The cache key of the first page of the text.
  /// - Returns: The value.
  package static func value(continuing key: String) -> String { continuationPrefix + key }

  /// Returns the cache key of the page whose text a page continues; nil for other values.
  static func continuedPage(_ value: String) -> String? {
    value.hasPrefix(continuationPrefix)
      ? String(value.dropFirst(continuationPrefix.count)) : nil
  }

  /// Parses the time when the page was added to a list; nil for other values.
  private static func listedDate(_ value: String) -> Date? {
    guard value.hasPrefix(prefix), let seconds = Int64(value.dropFirst(prefix.count)) else {
      return nil
    }
    return Date(timeIntervalSince1970: max(earliestTime, TimeInterval(seconds)))
  }

  /// Returns the time since which a page is pinned. It is never later than `recorded`, the time
  /// when the fact was recorded.
  static func date(_ value: String, recorded: Date) -> Date {
    min(listedDate(value) ?? recorded, recorded)
  }

  /// Returns whether a new value has no effect because an existing fact already pins the page since
  /// the same time or an earlier one.
  static func isRepeated(_ new: String, after fact: LibraryFact) -> Bool {
    guard fact.attribute == .pinned, let value = fact.value, value != PageCollection.startMarker,
      new != PageCollection.startMarker
    else { return false }
    guard let date = listedDate(new) else { return listedDate(value) != nil }
    let recorded = Date(timeIntervalSince1970: Double(fact.date) / 1000)
    return Self.date(value, recorded: recorded) <= date
  }
}
