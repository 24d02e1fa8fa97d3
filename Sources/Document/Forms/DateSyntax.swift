/// The syntax of a date or time that a field of a form requires (HTML standard, section 2.3.5). The
/// raw values are the types of the fields.
package enum DateSyntax: String, Sendable {
  case date, month, week, time
  case localDateTime = "datetime-local"

  /// The noun for a value with this syntax.
  var noun: String { self == .localDateTime ? "date and time" : rawValue }

  /// A value with this syntax.
  var example: String {
    switch self {
    case .date: "2026-05-01"
    case .month: "2026-05"
    case .week: "2026-W18"
    case .time: "18:30"
    case .localDateTime: "2026-05-01T18:30"
    }
  }

  /// Returns whether a text has this syntax and names a date that exists. Each year may have 53
  /// weeks.
  func accepts(_ text: String) -> Bool {
    let bytes = Array(text.utf8)[...]
    switch self {
    case .date: return Self.isDate(bytes)
    case .month: return Self.yearAndMonth(bytes) != nil
    case .week:
      let parts = bytes.split(separator: 0x2D, omittingEmptySubsequences: false)
      return parts.count == 2 && Self.parsedYear(parts[0]) != nil
        && parts[1].first == UInt8(ascii: "W")
        && Self.twoDigits(parts[1].dropFirst(), in: 1...53) != nil
    case .time: return Self.isTime(bytes)
    case .localDateTime:
      guard let separator = bytes.firstIndex(where: { $0 == UInt8(ascii: "T") || $0 == 0x20 })
      else { return false }
      return Self.isDate(bytes[..<separator]) && Self.isTime(bytes[(separator + 1)...])
    }
  }

  /// Returns whether a value is within bounds. All have this syntax. If the minimum of a time is
  /// later than the maximum, the range extends over midnight.
  func isWithin(_ text: String, from minimum: String?, to maximum: String?) -> Bool {
    let keys = [minimum, maximum].map { $0.map(sortKey) }
    let key = sortKey(text)
    let isAfterMinimum = keys[0].map { $0 <= key } ?? true
    let isBeforeMaximum = keys[1].map { key <= $0 } ?? true
    if self == .time, let first = keys[0], let last = keys[1], last < first {
      return isAfterMinimum || isBeforeMaximum
    }
    return isAfterMinimum && isBeforeMaximum
  }

  /// Returns a text that is sorted like a value with this syntax: years have the same number of
  /// digits, and times have seconds.
  private func sortKey(_ text: String) -> String {
    var key = String(text.map { $0 == " " ? "T" : $0 })
    if self == .time || self == .localDateTime, key.utf8.count(where: { $0 == 0x3A }) == 1 {
      key += ":00"
    }
    guard self != .time, let year = key.utf8.firstIndex(of: 0x2D) else { return key }
    return String(repeating: "0", count: max(0, 6 - key.utf8[..<year].count)) + key
  }

  private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
    guard let dash = text.lastIndex(of: 0x2D), let (year, month) = yearAndMonth(text[..<dash])
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    return twoDigits(text[(dash + 1)...], in: 1...days) != nil
  }

  private static func yearAndMonth(_ text: ArraySlice<UInt8>) -> (year: Int, month: Int)? {
    let parts = text.split(separator: 0x2D, omittingEmptySubsequences: false)
    guard parts.count == 2, let year = parsedYear(parts[0]),
      let month = twoDigits(parts[1], in: 1...12)
    else { return nil }
    return (year, month)
  }

  private static func parsedYear(_ text: ArraySlice<UInt8>) -> Int? {
    guard (4...6).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(String(decoding: text, as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Returns whether a text is a time such as `18:30`, `18:30:15` or `18:30:15.25`.
  private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), twoDigits(parts[0], in: 0...23) != nil,
      twoDigits(parts[1], in: 0...59) != nil
    else { return false }
    guard parts.count == 3 else { return true }
    let seconds = parts[2].split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard twoDigits(seconds[0], in: 0...59) != nil else { return false }
    return seconds.count == 1
      || (1...3).contains(seconds[1].count)
        && seconds[1].allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns the number of two digits if it is in a range; nil for other texts.
  private static func twoDigits(_ text: ArraySlice<UInt8>, in range: ClosedRange<Int>) -> Int? {
    guard text.count == 2, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: text, as: UTF8.self)).flatMap { range.contains($0) ? $0 : nil }
  }
}
