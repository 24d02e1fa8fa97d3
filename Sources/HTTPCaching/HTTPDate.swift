public import Foundation

/// Dates of HTTP (RFC 9110 §5.6.7): the preferred form, the two obsolete ones, and nothing else.
public enum HTTPDate {
  /// Reads an IMF-fixdate, an RFC 850 date or an asctime date; nil for anything else, also for a
  /// zone other than GMT. Letters compare without case (RFC 9111 §4.2). The two-digit year of
  /// RFC 850 is at most 50 years after `now`.
  public static func parse(_ text: String, now: Date) -> Date? {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.trimSpaces()
    let start = scanner
    if let date = fixdate(&scanner) { return date }
    scanner = start
    if let date = rfc850(&scanner, now: now) { return date }
    scanner = start
    return asctime(&scanner)
  }

  /// Writes the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
  public static func format(_ date: Date) -> String {
    let seconds = Int(
      max(-62_135_596_800, min(253_402_300_799, date.timeIntervalSince1970.rounded(.down))))
    let days = floorDivide(seconds, 86_400)
    let rest = seconds - days * 86_400
    let (year, month, day) = civil(days: days)
    let weekday = weekdays[((days + 4) % 7 + 7) % 7]
    return "\(weekday), \(padded(day, 2)) \(monthNames[month - 1]) \(padded(year, 4)) "
      + "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2)) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longWeekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func floorDivide(_ a: Int, _ b: Int) -> Int {
    a >= 0 ? a / b : -((-a + b - 1) / b)
  }

  private static func fixdate(_ scanner: inout Scanner) -> Date? {
    guard scanner.word(in: weekdays) != nil, scanner.literal(", "),
      let day = scanner.number(digits: 2), scanner.literal(" "),
      let month = scanner.word(in: monthNames), scanner.literal(" "),
      let year = scanner.number(digits: 4), scanner.literal(" "),
      let time = scanner.time(), scanner.literal(" GMT"), scanner.isAtEnd
    else { return nil }
    return date(year: year, month: month + 1, day: day, time: time)
  }

  private static func rfc850(_ scanner: inout Scanner, now: Date) -> Date? {
    guard scanner.word(in: longWeekdays) != nil, scanner.literal(", "),
      let day = scanner.number(digits: 2), scanner.literal("-"),
      let month = scanner.word(in: monthNames), scanner.literal("-"),
      let short = scanner.number(digits: 2), scanner.literal(" "),
      let time = scanner.time(), scanner.literal(" GMT"), scanner.isAtEnd
    else { return nil }
    let today = civil(days: floorDivide(Int(now.timeIntervalSince1970.rounded(.down)), 86_400)).year
    var year = today - today % 100 + short
    // More than 50 years in the future means the most recent year with the same last digits.
    if year > today + 50 { year -= 100 }
    return date(year: year, month: month + 1, day: day, time: time)
  }

  private static func asctime(_ scanner: inout Scanner) -> Date? {
    guard scanner.word(in: weekdays) != nil, scanner.literal(" "),
      let month = scanner.word(in: monthNames), scanner.literal(" "),
      let day = scanner.literal(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2),
      scanner.literal(" "), let time = scanner.time(), scanner.literal(" "),
      let year = scanner.number(digits: 4), scanner.isAtEnd
    else { return nil }
    return date(year: year, month: month + 1, day: day, time: time)
  }

  private static func date(year: Int, month: Int, day: Int, time: Int) -> Date? {
    let days = days(year: year, month: month, day: day)
    let (_, sameMonth, sameDay) = civil(days: days)
    guard day >= 1, sameMonth == month, sameDay == day else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(days * 86_400 + time))
  }

  /// Days from 1970-01-01 to a date of the proleptic Gregorian calendar.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  private struct Scanner {
    var bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func trimSpaces() {
      while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
      while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 {
        position += 1
      }
    }

    mutating func literal(_ text: String) -> Bool {
      var cursor = position
      for byte in text.utf8 {
        guard cursor < bytes.count, folded(bytes[cursor]) == folded(byte) else { return false }
        cursor += 1
      }
      position = cursor
      return true
    }

    mutating func word(in list: [String]) -> Int? {
      for (index, word) in list.enumerated() where literal(word) { return index }
      return nil
    }

    mutating func number(digits: Int) -> Int? {
      guard position + digits <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[position..<position + digits] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      position += digits
      return value
    }

    /// Seconds of the day from `hh:mm:ss`; a leap second counts as the next second.
    mutating func time() -> Int? {
      guard let hour = number(digits: 2), literal(":"), let minute = number(digits: 2),
        literal(":"), let second = number(digits: 2), hour < 24, minute < 60, second <= 60
      else { return nil }
      return hour * 3600 + minute * 60 + second
    }

    private func folded(_ byte: UInt8) -> UInt8 {
      (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
  }
}
