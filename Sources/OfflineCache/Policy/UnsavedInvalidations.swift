import Foundation

/// What was invalidated (RFC 9111 §4.4) while the archive could not be written: a few, the oldest is
/// forgotten first.
struct UnsavedInvalidations: Sendable, Equatable {
  /// The most keys that are remembered.
  static let limit = 256

  private var dates: [String: Date] = [:]

  /// When a key was invalidated, or nil.
  subscript(key: String) -> Date? { dates[key] }

  /// Remembers that a key was invalidated.
  mutating func add(_ key: String, at date: Date) {
    dates[key] = date
    guard dates.count > Self.limit, let oldest = dates.min(by: { $0.value < $1.value }) else {
      return
    }
    dates[oldest.key] = nil
  }
}
