import Dates
public import Foundation

/// HTTP dates (RFC 9110 §5.6.7): the preferred format and the two obsolete ones.
public enum HTTPDate {
  /// Parses an IMF-fixdate, an RFC 850 date or an asctime date; returns nil for anything else,
  /// including time zones other than GMT. Case is ignored (RFC 9111 §4.2). The two-digit year of
  /// RFC 850 is at most 50 years after `now`.
  public static func parse(_ text: String, now: Date) -> Date? {
    let start = DateCursor(trimming: text)
    guard let date = fixdate(start) ?? rfc850(start, now: now) ?? asctime(start),
      date.isDayOfCalendar
    else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(date.secondsSince1970))
  }

  /// The earliest modification date that is plausible, the year of the first web server. Earlier
  /// ones are usually the zero of a clock or an archive format (1970, 1980), which files and pages
  /// keep when their content changes.
  static let earliestModification = Date(timeIntervalSince1970: 631_152_000)

  /// Formats a date in the preferred format: `Sun, 06 Nov 1994 08:49:37 GMT`.
  public static func format(_ date: Date) -> String {
    let time = CivilTime(secondsSince1970: Timestamp.clampedSeconds(date.timeIntervalSince1970))
    let month = CivilTime.monthNames[time.month - 1]
    return
      "\(time.weekdayName), \(CivilTime.padded(time.day)) \(month) \(CivilTime.padded(time.year, 4)) "
      + "\(time.isoText.suffix(8)) GMT"
  }

  private static let longWeekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  private static func fixdate(_ start: DateCursor) -> CivilTime? {
    var cursor = start
    guard cursor.consumeWord(in: CivilTime.weekdayNames) != nil, cursor.consumeLiteral(", "),
      let day = cursor.consumeNumber(digits: 2), cursor.consumeLiteral(" "),
      let month = cursor.consumeWord(in: CivilTime.monthNames), cursor.consumeLiteral(" "),
      let year = cursor.consumeNumber(digits: 4), cursor.consumeLiteral(" "),
      let seconds = time(&cursor), cursor.consumeLiteral(" GMT"), cursor.isAtEnd
    else { return nil }
    return CivilTime(year: year, month: month + 1, day: day, second: seconds)
  }

  private static func rfc850(_ start: DateCursor, now: Date) -> CivilTime? {
    var cursor = start
    guard cursor.consumeWord(in: longWeekdays) != nil, cursor.consumeLiteral(", "),
      let day = cursor.consumeNumber(digits: 2), cursor.consumeLiteral("-"),
      let month = cursor.consumeWord(in: CivilTime.monthNames), cursor.consumeLiteral("-"),
      let short = cursor.consumeNumber(digits: 2), cursor.consumeLiteral(" "),
      let seconds = time(&cursor), cursor.consumeLiteral(" GMT"), cursor.isAtEnd
    else { return nil }
    let today = CivilTime(secondsSince1970: Timestamp.clampedSeconds(now.timeIntervalSince1970))
      .year
    var year = today - today % 100 + short
    // A year more than 50 years in the future stands for the most recent year with the same last
    // digits.
    if year > today + 50 { year -= 100 }
    return CivilTime(year: year, month: month + 1, day: day, second: seconds)
  }

  private static func asctime(_ start: DateCursor) -> CivilTime? {
    var cursor = start
    guard cursor.consumeWord(in: CivilTime.weekdayNames) != nil, cursor.consumeLiteral(" "),
      let month = cursor.consumeWord(in: CivilTime.monthNames), cursor.consumeLiteral(" "),
      let day = cursor.consumeLiteral(" ")
        ? cursor.consumeNumber(digits: 1) : cursor.consumeNumber(digits: 2),
      cursor.consumeLiteral(" "), let seconds = time(&cursor), cursor.consumeLiteral(" "),
      let year = cursor.consumeNumber(digits: 4), cursor.isAtEnd
    else { return nil }
    return CivilTime(year: year, month: month + 1, day: day, second: seconds)
  }

  /// Parses `hh:mm:ss` and returns the second of the day, or nil if it is invalid; a leap second
  /// counts as the next second.
  private static func time(_ cursor: inout DateCursor) -> Int? {
    guard let hour = cursor.consumeNumber(digits: 2), cursor.consumeLiteral(":"),
      let minute = cursor.consumeNumber(digits: 2), cursor.consumeLiteral(":"),
      let second = cursor.consumeNumber(digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }
}
