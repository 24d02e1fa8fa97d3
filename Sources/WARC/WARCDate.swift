public import Foundation

/// Dates as WARC writes them: UTC, the W3C profile of ISO 8601 (WARC 1.1, WARC-Date).
public enum WARCDate {
  /// Reads a date of any precision: from the year alone to fractions of a second.
  /// - Returns: nil when the text is not a date in UTC.
  public static func parse(_ text: String) -> Date? {
    guard let milliseconds = milliseconds(parsing: text) else { return nil }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Writes a date, with milliseconds when it has any.
  public static func text(_ date: Date) -> String {
    text(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
  }

  /// Writes a number of milliseconds since 1970 as a date.
  package static func text(milliseconds: Int64) -> String {
    let limited = max(-62_135_596_800_000, min(milliseconds, 253_402_300_799_999))
    let seconds = limited.flooredQuotient(1000)
    let fraction = limited - seconds * 1000
    let days = seconds.flooredQuotient(86_400)
    let second = seconds - days * 86_400
    let (year, month, day) = civil(days)
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    text += "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    if fraction != 0 { text += "." + padded(fraction, 3) }
    return text + "Z"
  }

  /// Reads a date as milliseconds since 1970; further digits are cut off.
  package static func milliseconds(parsing text: String) -> Int64? {
    var bytes = Array(text.utf8)[...]
    guard let year = number(&bytes, digits: 4) else { return nil }
    var parts: [Int64] = [1, 1, 0, 0, 0]
    let marks: [UInt8] = [0x2D, 0x2D, 0x54, 0x3A, 0x3A]
    var given = 0
    while given < 5, bytes.first == marks[given] {
      bytes.removeFirst()
      guard let part = number(&bytes, digits: 2) else { return nil }
      parts[given] = part
      given += 1
    }
    var fraction: Int64 = 0
    if given == 5, bytes.first == 0x2E {
      bytes.removeFirst()
      let digits = bytes.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      for index in 0..<3 {
        let digit = index < digits.count ? digits[digits.startIndex + index] - 0x30 : 0
        fraction = fraction * 10 + Int64(digit)
      }
      bytes = bytes.dropFirst(digits.count)
    }
    // An hour alone is no time of day; a time ends with Z.
    guard given != 3, given < 4 || bytes.elementsEqual([0x5A]), given >= 4 || bytes.isEmpty,
      (1...12).contains(parts[0]), (1...31).contains(parts[1]), parts[2] < 24, parts[3] < 60,
      parts[4] <= 60
    else { return nil }
    let seconds = days(year, parts[0], parts[1]) * 86_400 + parts[2] * 3600 + parts[3] * 60
    return (seconds + parts[4]) * 1000 + fraction
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>, digits: Int) -> Int64? {
    guard bytes.count >= digits else { return nil }
    var value: Int64 = 0
    for byte in bytes.prefix(digits) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    bytes = bytes.dropFirst(digits)
    return value
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  // The proleptic Gregorian calendar in eras of 400 years that begin in March.

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.flooredQuotient(400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
