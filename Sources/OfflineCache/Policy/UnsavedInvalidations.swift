import Foundation

/// Invalidations (RFC 9111 §4.4) that could not be written to the archive. The number of recorded
/// keys is limited; the oldest one is dropped first.
struct UnsavedInvalidations: Sendable, Equatable {
  /// The maximum number of recorded keys.
  static let maxKeys = 256

  private var dates: [String: Date] = [:]

  /// The time at which a key was invalidated; nil if no invalidation of the key is recorded here.
  subscript(key: String) -> Date? { dates[key] }

  /// Records the invalidation of a key.
  mutating func add(_ key: String, at date: Date) {
    dates[key] = date
    guard dates.count > Self.maxKeys, let oldest = dates.min(by: { $0.value < $1.value }) else {
      return
    }
    dates[oldest.key] = nil
  }
}
