import Dates
package import Foundation

/// A parser for dates in the many formats of feeds and lists of saved pages.
package enum DateText {
  /// Parses a date.
  ///
  /// The supported formats are RFC 822 with its common errors (no weekday, other order, months in
  /// other languages, two-digit years, named zones, `GMT+2`), ISO 8601 with or without separators,
  /// time and zone, `21.11.2026` and `11/21/2026`, dates as written on pages (`May 5th, 2026`,
  /// `2026年5月5日`), seconds, milliseconds or microseconds since 1970, and microseconds since 1601,
  /// as Chromium stores them. The default zone is UTC, and the default time is midnight.
  /// - Parameter text: the text.
  /// - Returns: the date; nil if the text is not a date. Also nil for values that programs write
  ///   for an unknown date: midnight of 1970-01-01, and years before 1000.
  package static func parse(_ text: String) -> Date? {
    var bytes = Array(text.utf8.prefix(100))[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    if let date = parseEpoch(bytes) { return date }
    let text = String(decoding: bytes, as: UTF8.self)
    let date = parseISO(bytes) ?? parseWords(text) ?? parseWritten(text)
    return date?.timeIntervalSince1970 == 0 ? nil : date
  }

  /// Returns a date in UTC as text, such as `21 Nov 2026, 10:15 UTC`. Midnight is omitted.
  package static func formatted(_ date: Date) -> String {
    let time = CivilTime(secondsSince1970: Timestamp.clampedSeconds(date.timeIntervalSince1970))
    let day =
      "\(time.day) \(CivilTime.monthNames[time.month - 1]) \(CivilTime.padded(time.year, 4))"
    if time.hour == 0, time.minute == 0 { return day }
    return "\(day), \(CivilTime.padded(time.hour)):\(CivilTime.padded(time.minute)) UTC"
  }

  // MARK: Numbers

  /// Parses a number: 9 to 11 digits are seconds since 1970, 12 and 13 milliseconds, 16
  /// microseconds, and 17 microseconds since 1601. A fraction is ignored. Nil for other text.
  private static func parseEpoch(_ bytes: ArraySlice<UInt8>) -> Date? {
    let digits = bytes.prefix { (0x30...0x39).contains($0) }
    let rest = bytes.dropFirst(digits.count)
    guard
      rest.isEmpty
        || rest.first == 0x2E && rest.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Double(String(decoding: digits, as: UTF8.self))
    else { return nil }
    switch digits.count {
    case 9...11: return Date(timeIntervalSince1970: number)
    case 12...13: return Date(timeIntervalSince1970: number / 1000)
    case 16: return Date(timeIntervalSince1970: number / 1e6)
    // The range covers the years 1970 to 2108; any other number of this length is not a date.
    case 17 where (1.16444736e16..<1.6e16).contains(number):
      return Date(timeIntervalSince1970: number / 1e6 - secondsFrom1601To1970)
    default: return nil
    }
  }

  private static let secondsFrom1601To1970: TimeInterval = 11_644_473_600

  /// Parses `2026-11-21T10:15:00Z`, `2026-11-21 10:15`, `2026/11/21`, `20261121T101500`, `2026-11`
  /// and `2026`; nil for other text.
  private static func parseISO(_ bytes: ArraySlice<UInt8>) -> Date? {
    var cursor = DateCursor(bytes)
    guard let year = cursor.consumeNumber(digits: 4) else { return nil }
    var fields = DateFields(year: year)
    let separator = cursor.consume(anyOf: "-/.")
    if cursor.isAtEnd { return separator ? nil : fields.date }
    if !separator, cursor.digitCount == 3 || cursor.digitCount == 1 { return nil }
    guard
      let month = cursor.consumeNumber(digits: 2)
        ?? (separator ? cursor.consumeNumber(digits: 1) : nil)
    else {
      return nil
    }
    fields.month = month
    if !cursor.isAtEnd {
      _ = cursor.consume(anyOf: "-/.")
      guard
        let day = cursor.consumeNumber(digits: 2)
          ?? (separator ? cursor.consumeNumber(digits: 1) : nil)
      else {
        return nil
      }
      fields.day = day
    }
    cursor.skipSpaces()
    _ = cursor.consume(anyOf: "Tt,_")
    cursor.skipSpaces()
    if !cursor.isAtEnd, !cursor.consumeTime(into: &fields) { return nil }
    if !cursor.isAtEnd { fields.utcOffset = TimeZoneText.offset(beginning: cursor.rest) ?? 0 }
    return fields.date
  }

  // MARK: Words

  /// Parses a date with the name of a month, or with numbers separated by periods or slashes; nil
  /// for other text.
  private static func parseWords(_ text: String) -> Date? {
    var fields = DateFields()
    var numbers: [(value: Int, digits: Int)] = []
    var hasMonth = false
    /// Whether the word that was read as the month may be a day of the week: "mar" stands for
    /// Tuesday or March in several languages.
    var mayBeWeekday = false
    var isZone = false
    for part in text.split(whereSeparator: { " ,\t\n()".contains($0) }) {
      // The part has the form `21.` in `21. November`.
      let part = part.hasSuffix(".") ? part.dropLast() : part
      guard !part.isEmpty else { continue }
      let bytes = Array(part.utf8)[...]
      let hasDots = hasMonth && numbers.count > 1 && isTimeWithDots(part)
      if part.contains(":") || hasDots, (0x30...0x39).contains(bytes[0]), !isZone {
        let colons = part.split(separator: ".").joined(separator: ":")
        var cursor = DateCursor(hasDots ? Array(colons.utf8)[...] : bytes)
        var fieldsWithTime = fields
        // The day is valid even if the time is not.
        if cursor.consumeTime(into: &fieldsWithTime) {
          fields = fieldsWithTime
          if !cursor.isAtEnd { readZone(cursor.rest, into: &fields) }
        }
        isZone = true
      } else if bytes.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(part) {
        numbers.append((value, bytes.count))
      } else if let parts = parseNumericDate(part), numbers.isEmpty {
        (fields.day, fields.month, fields.year) = parts
        hasMonth = true
        numbers = [(parts.day, 2), (parts.year, 4)]
      } else if part.contains("-"), !hasMonth || mayBeWeekday, (0x30...0x39).contains(bytes[0]) {
        // The part has the form `21-Nov-2026`.
        for piece in part.split(separator: "-") {
          if let value = Int(piece) { numbers.append((value, piece.utf8.count)) }
          if let month = DateVocabulary.month(piece) { (fields.month, hasMonth) = (month, true) }
        }
      } else if !hasMonth || mayBeWeekday, let month = DateVocabulary.month(part) {
        mayBeWeekday =
          !hasMonth && numbers.isEmpty && DateVocabulary.isWeekday(part.lowercased())
        (fields.month, hasMonth) = (month, true)
      } else {
        readZone(bytes, into: &fields)
      }
    }
    guard hasMonth, numbers.count >= 2 else { return nil }
    // The year is a number with four digits or one that cannot be a day; otherwise, the second
    // number.
    let yearPosition =
      numbers.firstIndex { $0.digits == 4 }
      ?? numbers.firstIndex { $0.digits > 2 || $0.value > 31 } ?? 1
    let dayPosition =
      numbers.indices.first { $0 != yearPosition && numbers[$0].digits <= 2 }
      ?? (yearPosition == 0 ? 1 : 0)
    fields.day = numbers[dayPosition].value
    fields.year = fullYear(numbers[yearPosition].value, digits: numbers[yearPosition].digits)
    return fields.date
  }

  /// Returns whether a word is a time such as `12.30` or `12.30.00`.
  private static func isTimeWithDots(_ word: Substring) -> Bool {
    let pieces = word.split(separator: ".", omittingEmptySubsequences: false)
    return (2...3).contains(pieces.count) && (1...2).contains(pieces[0].utf8.count)
      && pieces.dropFirst().allSatisfy { $0.utf8.count == 2 }
      && pieces.joined().utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func readZone(_ bytes: ArraySlice<UInt8>, into fields: inout DateFields) {
    switch String(decoding: bytes, as: UTF8.self).lowercased() {
    case "am", "a.m": if fields.hour == 12 { fields.hour = 0 }
    case "pm", "p.m": if fields.hour < 12 { fields.hour += 12 }
    default: if let zone = TimeZoneText.offset(bytes) { fields.utcOffset = zone }
    }
  }

  /// Parses a date that names a day in one of the other formats of `WrittenDate`; nil for other
  /// text.
  private static func parseWritten(_ text: String) -> Date? {
    guard let written = WrittenDate.parse(text), let month = written.month, let day = written.day
    else { return nil }
    var fields = DateFields(year: written.year, month: month, day: day)
    if let time = written.time {
      (fields.hour, fields.minute) = (time.hour, time.minute)
      fields.second = time.second ?? 0
      fields.utcOffset = (time.utcOffsetMinutes ?? 0) * 60
    }
    return fields.date
  }

  /// Parses `21.11.2026` and `11/21/2026`. With slashes, the month comes first if both orders are
  /// possible. Nil for other text.
  private static func parseNumericDate(_ text: Substring) -> (day: Int, month: Int, year: Int)? {
    for separator: Character in [".", "/"] {
      let parts = text.split(separator: separator)
      guard parts.count == 3, let first = Int(parts[0]), let second = Int(parts[1]),
        let year = Int(parts[2]), first > 0, second > 0
      else { continue }
      let full = fullYear(year, digits: parts[2].utf8.count)
      let isDayFirst = separator == "." ? second <= 12 : first > 12
      return isDayFirst ? (first, second, full) : (second, first, full)
    }
    return nil
  }

  /// Returns the full year (RFC 2822 §4.3): 2000 is added to years below 50, and 1900 to other
  /// years of two or three digits.
  private static func fullYear(_ year: Int, digits: Int) -> Int {
    // A year of four digits, or a number outside 0 to 999, is already complete.
    guard digits < 4, (0..<1000).contains(year) else { return year }
    return year < 50 ? year + 2000 : year + 1900
  }
}

private struct DateFields {
  var year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0
  /// The offset from UTC in seconds, positive to the east.
  var utcOffset = 0

  var date: Date? {
    guard (1000...9999).contains(year), (1...31).contains(day),
      CivilTime(year: year, month: month, day: day).isDayOfCalendar
    else { return nil }
    let time = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second - utcOffset)
    return Date(timeIntervalSince1970: Double(time.secondsSince1970))
  }
}

extension DateCursor {
  /// Consumes `10`, `10:15`, `10:15:30.5` or `101530`, and an optional `AM` or `PM` after it.
  /// Returns whether the time is valid.
  fileprivate mutating func consumeTime(into fields: inout DateFields) -> Bool {
    guard let hour = consumeNumber(digits: 2) ?? consumeNumber(digits: 1), hour <= 24 else {
      return false
    }
    fields.hour = hour
    let separator = consume(anyOf: ":.")
    if separator || digitCount >= 2 {
      guard let minute = consumeNumber(digits: 2) ?? consumeNumber(digits: 1), minute < 60 else {
        return false
      }
      fields.minute = minute
      let hasSeconds = consume(anyOf: ":")
      if hasSeconds || !separator && digitCount >= 2 {
        guard let second = consumeNumber(digits: 2) ?? consumeNumber(digits: 1), second <= 60 else {
          return false
        }
        fields.second = second
        if consume(anyOf: ".,:") { skip(digitCount) }
      }
    }
    skipSpaces()
    let word = String(decoding: rest.prefix(2), as: UTF8.self).lowercased()
    if word == "pm" || word == "am" {
      if word == "pm", fields.hour < 12 { fields.hour += 12 }
      if word == "am", fields.hour == 12 { fields.hour = 0 }
      skip(2)
      skipSpaces()
    }
    return true
  }
}

private enum TimeZoneText {
  /// Returns the offset from UTC in seconds of a time zone at the beginning of a text; nil if there
  /// is none. The name of the zone may follow: `+03:00 MSK`, `-05:00[America/New_York]`.
  static func offset(beginning text: ArraySlice<UInt8>) -> Int? {
    offset(text) ?? offset(text.prefix { !" [(".utf8.contains($0) })
  }

  /// Returns the offset from UTC in seconds, positive to the east; 0 for an impossible offset of
  /// more than 15 hours, and nil if the text is not a time zone.
  static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    let text = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self).uppercased()
    if let hours = offsetHours[text] { return Int(hours * 3600) }
    var rest = text[...]
    for name in ["GMT", "UTC", "UT", "Z"] where rest.hasPrefix(name) && rest.count > name.count {
      rest = rest.dropFirst(name.count)
    }
    // Some feeds use the typographic minus sign.
    guard let sign = rest.first, "+-\u{2212}".contains(sign) else { return nil }
    let digits = rest.dropFirst().filter { $0 != ":" }
    guard (1...4).contains(digits.count), let value = Int(digits) else { return nil }
    let seconds = digits.count <= 2 ? value * 3600 : value / 100 * 3600 + value % 100 * 60
    guard seconds <= 15 * 3600 else { return 0 }
    return sign == "+" ? seconds : -seconds
  }

  /// The offsets of named time zones from UTC in hours, positive to the east.
  private static let offsetHours: [String: Double] = [
    "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1,
    "CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "IST": 5.5, "CST+8": 8, "HKT": 8, "SGT": 8,
    "JST": 9, "KST": 9, "AWST": 8, "ACST": 9.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
    "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    "AKST": -9, "AKDT": -8, "HST": -10, "AST": -4, "ADT": -3, "NST": -3.5, "NDT": -2.5, "BRT": -3,
    "ART": -3,
  ]
}
