import Document
package import Foundation
import OfflineCache

extension Page {
  /// The time to wait that the server states with an error (`Retry-After`), as a clause.
  /// - Parameter now: the current time.
  /// - Returns: a clause such as "it asks to wait 2 minutes"; nil if the server states no time, or
  ///   if the page is not an error.
  package func waitText(now: Date) -> String? {
    guard errorStatus != nil, let field = loadTrace.fields["Retry-After"],
      let delay = RetryAfter.delay(field, now: now), delay > .zero
    else { return nil }
    let (seconds, attoseconds) = delay.components
    return "it asks to wait " + Self.durationText(Int(seconds) + (attoseconds > 0 ? 1 : 0))
  }

  /// Returns a duration in the largest unit of which it has at least two, rounded up.
  private static func durationText(_ seconds: Int) -> String {
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute")]
    guard let (length, name) = units.first(where: { seconds >= 2 * $0.0 }) else {
      return CountFormatter.countText(seconds, "second")
    }
    return CountFormatter.countText((seconds + length - 1) / length, name)
  }
}
