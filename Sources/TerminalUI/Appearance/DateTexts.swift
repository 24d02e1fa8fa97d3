import Dates
package import Foundation

/// Textual dates and ages, as functions of the date, the current time and the time zone.
package enum DateTexts {
  /// Returns a date, such as `Tue 3 Nov 2026`.
  package static func dayText(_ date: Date, in timeZone: TimeZone) -> String {
    let local = localTime(date, in: timeZone)
    let month = CivilTime.monthNames[local.month - 1]
    return "\(local.weekdayName) \(local.day) \(month) \(local.year)"
  }

  /// Returns a date with its time of day, such as `Tue 3 Nov 2026 14:05`.
  package static func dayAndTimeText(_ date: Date, in timeZone: TimeZone) -> String {
    "\(dayText(date, in: timeZone)) \(timeOfDayText(date, in: timeZone))"
  }

  /// Returns the time of day, such as `14:05`.
  package static func timeOfDayText(_ date: Date, in timeZone: TimeZone) -> String {
    let local = localTime(date, in: timeZone)
    return "\(CivilTime.padded(local.hour)):\(CivilTime.padded(local.minute))"
  }

  /// The tolerated clock difference, in seconds. A date further in the future is due to a wrong
  /// clock.
  private static let clockTolerance = 600.0

  /// Returns whether a date is further in the future than `clockTolerance`.
  private static func isInFuture(_ date: Date, of now: Date) -> Bool {
    date.timeIntervalSince(now) > clockTolerance
  }

  /// An age in the largest unit of which at least one has passed.
  private enum Age {
    /// The date is further in the future than the tolerance.
    case future
    /// Less than a minute.
    case recent
    case minutes(Int), hours(Int), days(Int)
  }

  /// Returns the age from which all texts are made, at most a million days.
  private static func roundedAge(_ date: Date, now: Date) -> Age {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case _ where isInFuture(date, of: now): return .future
    case ..<60: return .recent
    case ..<3600: return .minutes(Int(seconds / 60))
    case ..<86_400: return .hours(Int(seconds / 3600))
    default: return .days(Int(min(seconds / 86_400, 1e6)))
    }
  }

  /// The text of an age of less than a minute.
  package static let justNow = "just now"

  /// Returns an age such as `just now`, `5 minutes old`, `3 hours old` or `18 days old`; `dated in
  /// the future` if the date is due to a wrong clock.
  package static func plainAge(of date: Date, now: Date) -> String {
    switch roundedAge(date, now: now) {
    case .future: "dated in the future"
    case .recent: justNow
    case .minutes(let number): countText(number, "minute") + " old"
    case .hours(let number): countText(number, "hour") + " old"
    case .days(let number): countText(number, "day") + " old"
    }
  }

  /// Returns the same as `plainAge`, but preceded by the date if the age is at least one day: `from
  /// Tue 3 Nov 2026, 18 days old`. The time zone is only loaded for the date.
  package static func age(
    of date: Date, now: Date, in timeZone: @autoclosure () -> TimeZone
  ) -> String {
    let age = plainAge(of: date, now: now)
    let isRecent = now.timeIntervalSince(date) < 86_400 && !isInFuture(date, of: now)
    return isRecent ? age : "from \(dayText(date, in: timeZone())), \(age)"
  }

  /// Returns the age in the short form for columns of tables: `just now`, `5 min`, `3 h`, `18 d`;
  /// `future` if the date is due to a wrong clock
  package static func shortAgeText(of date: Date, now: Date) -> String {
    switch roundedAge(date, now: now) {
    case .future: "future"
    case .recent: justNow
    case .minutes(let number): "\(number) min"
    case .hours(let number): "\(number) h"
    case .days(let number): "\(number) d"
    }
  }

  /// Returns the dates as texts with the time of day, and with seconds if two dates are in the same
  /// minute.
  package static func distinctDateTexts(_ dates: [Date], in timeZone: TimeZone) -> [String] {
    let texts = dates.map { dayAndTimeText($0, in: timeZone) }
    let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(dates, texts).map { date, text in
      guard counts[text] ?? 0 > 1 else { return text }
      let seconds = Int(date.timeIntervalSince1970.truncatingRemainder(dividingBy: 60))
      return text + ":" + CivilTime.padded(max(0, seconds))
    }
  }

  /// Returns a date as `today`, `yesterday` or, for other days, `on Tue 3 Nov 2026`.
  package static func relativeDay(_ date: Date, now: Date, in timeZone: TimeZone) -> String {
    switch localTime(now, in: timeZone).dayNumber - localTime(date, in: timeZone).dayNumber {
    case 0: "today"
    case 1: "yesterday"
    default: "on " + dayText(date, in: timeZone)
    }
  }

  /// Returns the time of a future event: `at 14:05`, `tomorrow at 14:05`, `on Tue 3 Nov 2026 at
  /// 14:05`
  package static func futureTimeText(_ date: Date, now: Date, in timeZone: TimeZone) -> String {
    let time = "at " + timeOfDayText(date, in: timeZone)
    return switch localTime(date, in: timeZone).dayNumber - localTime(now, in: timeZone).dayNumber {
    case 0: time
    case 1: "tomorrow " + time
    default: "on \(dayText(date, in: timeZone)) \(time)"
    }
  }

  /// Returns a number with its noun, such as `1 day` or `18 days`.
  package static func countText(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  /// Returns the local time in a zone; dates outside the years 5 to 9999 are clamped.
  private static func localTime(_ date: Date, in timeZone: TimeZone) -> CivilTime {
    let seconds = max(-6.2e10, min(date.timeIntervalSince1970, 2.6e11))
    return CivilTime(
      secondsSince1970: Int(seconds.rounded(.down)) + timeZone.secondsFromGMT(for: date))
  }
}
