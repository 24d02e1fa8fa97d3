import Dates
package import Foundation

/// Textual dates and ages, as functions of the date, the current time and the time zone.
package enum DateTexts {
  /// `Tue 3 Nov 2026`
  package static func day(_ date: Date, in timeZone: TimeZone) -> String {
    let local = localTime(date, in: timeZone)
    let month = CivilTime.monthNames[local.month - 1]
    return "\(local.weekdayName) \(local.day) \(month) \(local.year)"
  }

  /// `Tue 3 Nov 2026 14:05`
  package static func dayAndTime(_ date: Date, in timeZone: TimeZone) -> String {
    "\(day(date, in: timeZone)) \(clock(date, in: timeZone))"
  }

  /// `14:05`
  package static func clock(_ date: Date, in timeZone: TimeZone) -> String {
    let local = localTime(date, in: timeZone)
    return "\(CivilTime.padded(local.hour)):\(CivilTime.padded(local.minute))"
  }

  /// The tolerated clock difference, in seconds. A date further in the future is due to a wrong
  /// clock.
  private static let tolerance = 600.0

  /// Returns whether a date is further in the future than `tolerance`.
  private static func isAhead(_ date: Date, of now: Date) -> Bool {
    date.timeIntervalSince(now) > tolerance
  }

  /// `just now`, `5 minutes old`, `3 hours old`, `18 days old`; `dated in the future` if the date
  /// is due to a wrong clock
  package static func plainAge(of date: Date, now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case _ where isAhead(date, of: now): return "dated in the future"
    case ..<60: return "just now"
    case ..<3600: return count(Int(seconds / 60), "minute") + " old"
    case ..<86_400: return count(Int(seconds / 3600), "hour") + " old"
    default: return count(Int(min(seconds / 86_400, 1e6)), "day") + " old"
    }
  }

  /// The same as `plainAge`, with the date from one day on: `from Tue 3 Nov 2026, 18 days old`
  package static func age(of date: Date, now: Date, in timeZone: TimeZone) -> String {
    let age = plainAge(of: date, now: now)
    let isRecent = now.timeIntervalSince(date) < 86_400 && !isAhead(date, of: now)
    return isRecent ? age : "from \(day(date, in: timeZone)), \(age)"
  }

  /// `now`, `5 min`, `3 h`, `18 d`; `future` if the date is due to a wrong clock
  package static func shortAge(of date: Date, now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case _ where isAhead(date, of: now): return "future"
    case ..<60: return "now"
    case ..<3600: return "\(Int(seconds / 60)) min"
    case ..<86_400: return "\(Int(seconds / 3600)) h"
    default: return "\(Int(min(seconds / 86_400, 1e6))) d"
    }
  }

  /// `today`, `yesterday`, `on Tue 3 Nov 2026`
  package static func relativeDay(_ date: Date, now: Date, in timeZone: TimeZone) -> String {
    switch localTime(now, in: timeZone).dayNumber - localTime(date, in: timeZone).dayNumber {
    case 0: "today"
    case 1: "yesterday"
    default: "on " + day(date, in: timeZone)
    }
  }

  /// `1 day`, `18 days`
  package static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  /// Returns the local time in a zone; dates outside the years 5 to 9999 are clamped.
  private static func localTime(_ date: Date, in timeZone: TimeZone) -> CivilTime {
    let seconds = max(-6.2e10, min(date.timeIntervalSince1970, 2.6e11))
    return CivilTime(
      secondsSince1970: Int(seconds.rounded(.down)) + timeZone.secondsFromGMT(for: date))
  }
}
