import Dates
public import Foundation

/// Dates in the format of WARC: UTC, in the W3C profile of ISO 8601 (WARC 1.1, WARC-Date).
public enum WARCDate {
  /// Parses a date of any precision, from the year alone to fractions of a second.
  ///
  /// Forms that some programs write instead are accepted: a space for `T`, an offset from UTC or
  /// nothing for `Z`, and fourteen digits without separators.
  /// - Parameter text: the text.
  /// - Returns: the date; nil if the text is not a date.
  public static func parse(_ text: String) -> Date? {
    guard let milliseconds = milliseconds(parsing: text) else { return nil }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Returns the text of a date, with milliseconds unless they are zero.
  /// - Parameter date: the date.
  /// - Returns: the text.
  public static func text(_ date: Date) -> String {
    text(milliseconds: Timestamp.clampedMilliseconds(date.timeIntervalSince1970))
  }

  /// Returns the text of a date in milliseconds since 1970.
  package static func text(milliseconds: Int64) -> String {
    let limited = max(-62_135_596_800_000, min(milliseconds, 253_402_300_799_999))
    let fraction = Int((limited % 1000 + 1000) % 1000)
    let time = CivilTime(secondsSince1970: (Int(limited) - fraction) / 1000)
    return time.isoText + (fraction == 0 ? "" : "." + CivilTime.padded(fraction, 3)) + "Z"
  }

  /// Parses a date as milliseconds since 1970; nil if the text is not a date. Fractions of a
  /// millisecond are discarded.
  package static func milliseconds(parsing text: String) -> Int64? {
    var cursor = DateCursor(Array(text.utf8)[...])
    guard let year = cursor.consumeNumber(digits: 4) else { return nil }
    var components = [1, 1, 0, 0, 0]
    var componentCount = 0
    let isCompact = cursor.digitCount == 2 * components.count
    for marker in ["-", "-", "T ", ":", ":"] {
      guard isCompact || cursor.consume(anyOf: marker) else { break }
      guard let component = cursor.consumeNumber(digits: 2) else { return nil }
      components[componentCount] = component
      componentCount += 1
    }
    var milliseconds = 0
    if componentCount == 5, cursor.consume(anyOf: ".") {
      let digits = cursor.consumeDigits()
      guard !digits.isEmpty else { return nil }
      for index in 0..<3 {
        let digit = index < digits.count ? digits[digits.startIndex + index] - 0x30 : 0
        milliseconds = milliseconds * 10 + Int(digit)
      }
    }
    // An hour without minutes is invalid, and a date without a time has no zone.
    guard componentCount != 3, let offset = componentCount < 4 ? 0 : parseOffset(&cursor),
      cursor.isAtEnd, (1...12).contains(components[0]), (1...31).contains(components[1]),
      components[2] < 24,
      components[3] < 60, components[4] <= 60
    else { return nil }
    let time = CivilTime(
      year: year, month: components[0], day: components[1], hour: components[2],
      minute: components[3], second: components[4])
    return Int64((time.secondsSince1970 - offset * 60) * 1000 + milliseconds)
  }

  /// Parses the offset from UTC after a time, in minutes; zero if there is none, nil if it is
  /// invalid.
  private static func parseOffset(_ cursor: inout DateCursor) -> Int? {
    cursor.skipSpaces()
    if cursor.isAtEnd || cursor.consume(anyOf: "Zz") { return 0 }
    let isWest = cursor.consume(anyOf: "-")
    guard isWest || cursor.consume(anyOf: "+"), let hours = cursor.consumeNumber(digits: 2) else {
      return nil
    }
    _ = cursor.consume(anyOf: ":")
    let minutes = cursor.isAtEnd ? 0 : cursor.consumeNumber(digits: 2)
    guard let minutes, hours < 24, minutes < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}
