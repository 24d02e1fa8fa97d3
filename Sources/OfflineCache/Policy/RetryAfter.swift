package import Foundation

/// A parser for the `Retry-After` field (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// Returns the time to wait.
  /// - Parameters:
  ///   - field: The value of the field: a number of seconds, or a date.
  ///   - now: The current time, with which a date is compared.
  /// - Returns: The time to wait, at most a week; zero for a date in the past, and nil for an
  ///   invalid value.
  package static func delay(_ field: String, now: Date) -> Duration? {
    let text = field.trimmingCharacters(in: .whitespaces)
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Int(text) ?? .max, maxSeconds))
    }
    guard let date = HTTPDate.parse(text, now: now) else { return nil }
    return .seconds(max(0, min(date.timeIntervalSince(now), Double(maxSeconds))))
  }

  private static let maxSeconds = 7 * 86_400
}
