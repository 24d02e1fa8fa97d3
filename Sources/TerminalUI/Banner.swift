package import Foundation
package import Layout
package import Reader

/// The words of the banner: what is on screen when it is not a new answer, and why.
package enum Banner {
  /// What a command without a screen says of a substitute.
  package static let substituted =
    "a local file in place of the page, by [[substitute]] in the settings"

  /// The parts of the banner in the order of their weight; empty when there is none. `hasNewer`
  /// says that a newer version has come and waits, `version` which of the saved ones was asked for,
  /// `isOffline` whether the network is left alone now; short parts are for a single short row.
  package static func parts(
    of provenance: Provenance, hasNewer: Bool, version: String? = nil, isShort: Bool = false,
    isOffline: Bool, now: Date, timeZone: TimeZone
  ) -> [String] {
    if provenance.source == .substituted {
      let date = provenance.contentDate.map {
        "  " + DateWords.age(of: $0, now: now, in: timeZone)
      }
      return ["LOCAL FILE" + (date ?? ""), "in place of the page, by [[substitute]]"]
    }
    guard case .saved(let reason) = provenance.source else {
      return hasNewer ? ["newer version: r"] : []
    }
    var parts = ["SAVED COPY"]
    if let date = provenance.contentDate {
      let age =
        isShort
        ? DateWords.plainAge(of: date, now: now) : DateWords.age(of: date, now: now, in: timeZone)
      parts[0] += "  " + age
    }
    if hasNewer { parts.append("newer version: r") }
    // What was waited for has come.
    if !hasNewer || reason != .waiting {
      let words =
        switch reason {
        case .requested: version ?? reason.text
        case .offlineMode where !isOffline: "read in offline mode"
        default: reason.text
        }
      parts +=
        isShort || provenance.isFresh
        ? [words] : reasons(reason, words, provenance.lastCheck, now: now, timeZone: timeZone)
    }
    if let words = provenance.foreignWords { parts.append(words) }
    if !hasNewer { parts.append(advice(for: reason, isOffline: isOffline)) }
    if provenance.olderVersions > 0 {
      parts.append("( older versions: \(provenance.olderVersions)")
    }
    return parts
  }

  private static func reasons(
    _ reason: SavedReason, _ words: String, _ check: Provenance.Check?, now: Date,
    timeZone: TimeZone
  ) -> [String] {
    guard let check else { return [words] }
    let day = DateWords.relativeDay(check.date, now: now, in: timeZone)
    let failed = check.failure.map { "last check failed \(day): \($0.text)" }
    switch reason {
    case .offlineMode, .waiting, .requested:
      return [words, failed ?? "last checked \(day)"]
    default:
      return [failed ?? "\(words); last checked \(day)"]
    }
  }

  private static func advice(for reason: SavedReason, isOffline: Bool) -> String {
    switch reason {
    case .offlineMode where isOffline: "x asks the network again"
    case .waiting: "a newer version will be offered"
    case .requested: ") newer version"
    case .signInPage: "sign in to the network, then r"
    case .refused(401): "r asks again, to sign in"
    default: "r asks again"
    }
  }

  /// Fills at most `limit` rows of a width with the parts, as wide as `widths` says they are.
  package static func rows(
    _ parts: [String], columns: Int, limit: Int, separator: String,
    widths: DisplayWidth = DisplayWidth()
  ) -> [String] {
    var rows: [String] = []
    for part in parts {
      if let last = rows.last, widths.width(of: last + separator + part) <= columns {
        rows[rows.count - 1] = last + separator + part
      } else if rows.count < limit {
        rows.append(part)
      }
    }
    return rows
  }
}
