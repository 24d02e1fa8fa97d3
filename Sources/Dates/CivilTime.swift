/// A date and time in UTC, in the proleptic Gregorian calendar and without leap seconds. All dates
/// that the program parses or formats itself use this type.
package struct CivilTime: Sendable, Equatable {
  /// The year, the month from 1, and the day from 1.
  package var year: Int, month: Int, day: Int
  /// The time of day.
  package var hour: Int, minute: Int, second: Int

  package init(
    year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0
  ) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// Creates the date and time for seconds since 1970, clamped to the years 1 to 9999.
  package init(secondsSince1970 seconds: Int) {
    let seconds = max(-62_135_596_800, min(seconds, 253_402_300_799))
    let days = floored(seconds, by: 86_400)
    let rest = seconds - days * 86_400
    // The algorithm uses years that begin in March, in eras of 400 years.
    let shifted = days + 719_468
    let era = floored(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, hour: rest / 3600,
      minute: rest / 60 % 60, second: rest % 60)
  }

  /// Seconds since 1970. Days, hours, minutes and seconds may be out of range and are carried over;
  /// the month must be 1 to 12.
  package var secondsSince1970: Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = floored(shifted, by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The number of days since 1970-01-01.
  package var dayNumber: Int { floored(secondsSince1970, by: 86_400) }

  /// The first three letters of the English name of the day of the week.
  package var weekdayName: String { Self.weekdayNames[((dayNumber + 4) % 7 + 7) % 7] }

  /// Whether this day exists in the calendar.
  package var isDayOfCalendar: Bool {
    guard (1...12).contains(month), day >= 1 else { return false }
    let midnight = CivilTime(year: year, month: month, day: day)
    return CivilTime(secondsSince1970: midnight.secondsSince1970) == midnight
  }

  /// The first three letters of the English names of the days of the week, from Sunday.
  package static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// The first three letters of the English names of the months, from January.
  package static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns a number with leading zeros, with at least `minDigitCount` digits.
  package static func padded(_ number: Int, _ minDigitCount: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, minDigitCount - digits.utf8.count)) + digits
  }

  /// The date and time in the format `2026-11-21T10:15:00`.
  package var isoText: String {
    "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))"
      + "T\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))"
  }
}

/// Returns the quotient, rounded down.
private func floored(_ number: Int, by divisor: Int) -> Int {
  number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
}
