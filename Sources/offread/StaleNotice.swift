import Foundation
import Reader
import TerminalUI

/// The line on standard error of a command that showed a saved copy.
enum StaleNotice {
  /// `saved copy, 3 hours old: connection refused`
  static func text(_ reason: SavedReason, _ provenance: Provenance, now: Date) -> String {
    let age = provenance.contentDate.map {
      DateWords.age(of: $0, now: now, in: TimeZone.current)
    }
    let advice = reason == .refused(401) ? "; --netrc signs in" : ""
    return SafeText.line("saved copy, \(age ?? "of unknown age"): \(reason.text)\(advice)")
  }
}
