import Dates
import Foundation

/// Parses the dates of cookies, which servers write in many formats (RFC 6265 §5.1.1).
enum CookieDate {
  /// Parses a date that consists of a time, day, month and year in any order, with any separators;
  /// returns nil if a component is missing or out of range.
  static func parse(_ text: String) -> Date? {
    var time: (hour: Int, minute: Int, second: Int)?
    var day: Int?
    var month: Int?
    var year: Int?
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      if time == nil, let found = timeOfDay(token) {
        time = found
      } else if day == nil, let found = number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = monthNumber(token) {
        month = found
      } else if year == nil, let found = number(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
    guard (1...31).contains(day), year >= 1601, time.hour <= 23, time.minute <= 59,
      time.second <= 59
    else { return nil }
    let date = CivilTime(
      year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    guard date.isDayOfCalendar else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(date.secondsSince1970))
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }

  /// Parses `h:m:s` with one or two digits each; text after the seconds is ignored if it begins
  /// with a non-digit.
  private static func timeOfDay(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
    let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count >= 3, let hour = Int(ascii: parts[0]), parts[0].count <= 2,
      let minute = Int(ascii: parts[1]), parts[1].count <= 2,
      let second = number(parts[2], digits: 1...2)
    else { return nil }
    return (hour, minute, second)
  }

  /// Returns the number at the start of a token; nil unless its number of digits is in `digits`.
  private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
    let leading = token.prefix { (0x30...0x39).contains($0) }
    return digits.contains(leading.count) ? Int(ascii: leading) : nil
  }

  private static func monthNumber(_ token: Substring.UTF8View) -> Int? {
    var cursor = DateCursor(Array(token.prefix(3))[...])
    return cursor.consumeWord(in: CivilTime.monthNames).map { $0 + 1 }
  }
}

extension Int {
  /// Parses a number; nil unless the bytes are one or more ASCII digits.
  fileprivate init?(ascii bytes: Substring.UTF8View) {
    guard !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(String(decoding: bytes, as: UTF8.self))
  }
}
