package import Foundation

/// Dates and ages in words, as functions of the date, the time now and the time zone.
package enum DateWords {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Tue 3 Nov 2026`
  package static func day(_ date: Date, in timeZone: TimeZone) -> String {
    let number = dayNumber(date, in: timeZone)
    let (year, month, day) = civil(number)
    return "\(days[((number % 7) + 7) % 7]) \(day) \(months[month - 1]) \(year)"
  }

  /// `Tue 3 Nov 2026 14:05`
  package static func dayAndTime(_ date: Date, in timeZone: TimeZone) -> String {
    let seconds = localSeconds(date, in: timeZone)
    let minutes = (((seconds % 86_400) + 86_400) % 86_400) / 60
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "\(day(date, in: timeZone)) \(hour < 10 ? "0" : "")\(hour):"
      + "\(minute < 10 ? "0" : "")\(minute)"
  }

  /// `14:05`
  package static func clock(_ date: Date, in timeZone: TimeZone) -> String {
    String(dayAndTime(date, in: timeZone).suffix(5))
  }

  /// `just now`, `5 minutes old`, `3 hours old`, `18 days old`
  package static func plainAge(of date: Date, now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case ..<60: return "just now"
    case ..<3600: return count(Int(seconds / 60), "minute") + " old"
    case ..<86_400: return count(Int(seconds / 3600), "hour") + " old"
    default: return count(Int(min(seconds / 86_400, 1e6)), "day") + " old"
    }
  }

  /// The same, from one day on with the date: `from Tue 3 Nov 2026, 18 days old`
  package static func age(of date: Date, now: Date, in timeZone: TimeZone) -> String {
    let age = plainAge(of: date, now: now)
    let isRecent = now.timeIntervalSince(date) < 86_400
    return isRecent ? age : "from \(day(date, in: timeZone)), \(age)"
  }

  /// `now`, `5 min`, `3 h`, `18 d`
  package static func shortAge(of date: Date, now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    switch seconds {
    case ..<60: return "now"
    case ..<3600: return "\(Int(seconds / 60)) min"
    case ..<86_400: return "\(Int(seconds / 3600)) h"
    default: return "\(Int(min(seconds / 86_400, 1e6))) d"
    }
  }

  /// `today`, `yesterday`, `on Tue 3 Nov 2026`
  package static func relativeDay(_ date: Date, now: Date, in timeZone: TimeZone) -> String {
    switch dayNumber(now, in: timeZone) - dayNumber(date, in: timeZone) {
    case ..<1: "today"
    case 1: "yesterday"
    default: "on " + day(date, in: timeZone)
    }
  }

  /// `1 day`, `18 days`
  package static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  private static func localSeconds(_ date: Date, in timeZone: TimeZone) -> Int {
    let seconds = max(-6e10, min(date.timeIntervalSince1970, 2e11))
    return Int(seconds.rounded(.down)) + timeZone.secondsFromGMT(for: date)
  }

  /// Days since 1970-01-01 in local time.
  private static func dayNumber(_ date: Date, in timeZone: TimeZone) -> Int {
    let seconds = localSeconds(date, in: timeZone)
    return seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
  }

  /// The date of a day number in the proleptic Gregorian calendar: eras of 400 years that begin on
  /// the first of March.
  private static func civil(_ dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
