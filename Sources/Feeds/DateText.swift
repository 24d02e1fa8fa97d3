package import Dates
package import Foundation

/// A parser for dates in the many formats of feeds and lists of saved pages.
package enum DateText {
  /// Parses a date.
  ///
  /// The supported formats are RFC 822 with its common errors (no weekday, other order, months in
  /// other languages, two-digit years, named zones, `GMT+2`, a month as a number), ISO 8601 with or
  /// without separators, time and zone, also with weeks and days of the year, `1403/02/17` of the
  /// Solar Hijri calendar, years of the Thai calendar (2569), `21.11.2026` and
  /// `11/21/2026`, dates as written on pages (`May 5th, 2026`, `2026年5月5日`), seconds, milliseconds
  /// or microseconds since 1970, and microseconds since 1601, as Chromium stores them. The default
  /// zone is UTC, and the default time is midnight.
  /// - Parameters:
  ///   - text: the text.
  ///   - order: the order of day and month in dates such as `5/6/2026`.
  /// - Returns: the date; nil if the text is not a date. Also nil for values that programs write
  ///   for an unknown date: midnight of 1970-01-01, and years before 1000.
  package static func parse(
    _ text: String, order: WrittenDate.DayMonthOrder = .monthFirst
  ) -> Date? {
    var bytes = Array(text.utf8.prefix(100))[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    if let date = parseEpoch(bytes) { return date }
    let text = String(decoding: bytes, as: UTF8.self)
    let date =
      parseISO(bytes) ?? parseWords(text, order) ?? parseWritten(text, order)
      ?? withoutWeekday(text).flatMap { parseISO(Array($0.utf8)[...]) ?? parseWritten($0, order) }
    return date?.timeIntervalSince1970 == 0 ? nil : date
  }

  /// Returns the order of day and month in the dates of one list, if they are separated by slashes:
  /// that of the dates for which only one order is possible (`21/11/2026`), or else the usual order
  /// of a language.
  /// - Parameters:
  ///   - texts: the dates.
  ///   - language: the language (BCP 47), or empty.
  /// - Returns: the order.
  package static func order(
    of texts: some Sequence<String>, language: String = ""
  ) -> WrittenDate.DayMonthOrder {
    var (hasDayFirst, hasMonthFirst) = (false, false)
    for text in texts {
      for word in text.split(whereSeparator: { " ,\t\n".contains($0) }) {
        let numbers = word.split(separator: "/").map { Int($0) ?? 0 }
        guard numbers.count == 3 else { continue }
        switch (numbers[0], numbers[1]) {
        case (13...31, 1...12): hasDayFirst = true
        case (1...12, 13...31): hasMonthFirst = true
        default: break
        }
      }
    }
    guard hasDayFirst != hasMonthFirst else { return WrittenDate.DayMonthOrder(language: language) }
    return hasDayFirst ? .dayFirst : .monthFirst
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

  /// Parses `2026-11-21T10:15:00Z`, `2026-11-21 10:15`, `2026/11/21`, `20261121T101500`, `2026-11`,
  /// `2026`, `2026-W47-6` and `2026-325`; nil for other text.
  private static func parseISO(_ bytes: ArraySlice<UInt8>) -> Date? {
    var cursor = DateCursor(bytes)
    guard var fields = cursor.consumeISODay() else { return nil }
    cursor.skipSpaces()
    _ = cursor.consume(anyOf: "Tt,_")
    cursor.skipSpaces()
    // A day may have a zone, but no time (XML Schema, "date").
    if !cursor.isAtEnd, !cursor.consumeTime(into: &fields), TimeZoneText(cursor.rest) == nil {
      return nil
    }
    if !cursor.isAtEnd { fields.readZone(beginning: cursor.rest) }
    return fields.date
  }

  // MARK: Words

  /// Parses a date with the name of a month, or with numbers separated by periods or slashes; nil
  /// for other text.
  private static func parseWords(_ text: String, _ order: WrittenDate.DayMonthOrder) -> Date? {
    var words = DateWords(order: order)
    for part in text.split(whereSeparator: { " ,\t\n()".contains($0) }) { words.read(part) }
    return words.date()
  }

  /// The words of a date.
  private struct DateWords {
    private let order: WrittenDate.DayMonthOrder
    private var fields = DateFields()
    private var numbers: [(value: Int, digits: Int)] = []
    private var hasMonth = false
    /// Whether the word that was read as the month may be a day of the week: "mar" stands for
    /// Tuesday or March in several languages.
    private var mayBeWeekday = false
    private var isZone = false
    private var zoneWords: [String] = []

    init(order: WrittenDate.DayMonthOrder) { self.order = order }

    /// Reads the next word.
    mutating func read(_ part: Substring) {
      // The part has the form `21.` in `21. November`.
      let part = part.hasSuffix(".") ? part.dropLast() : part
      guard !part.isEmpty else { return }
      let bytes = Array(part.utf8)[...]
      let hasDots = hasMonth && numbers.count > 1 && DateText.isTimeWithDots(part)
      if part.contains(":") || hasDots, (0x30...0x39).contains(bytes[0]), !isZone {
        let colons = part.split(separator: ".").joined(separator: ":")
        var cursor = DateCursor(hasDots ? Array(colons.utf8)[...] : bytes)
        var fieldsWithTime = fields
        // The day is valid even if the time is not.
        if cursor.consumeTime(into: &fieldsWithTime) {
          fields = fieldsWithTime
          if !cursor.isAtEnd { fields.readWord(cursor.rest) }
        }
        isZone = true
      } else if bytes.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(part) {
        numbers.append((value, bytes.count))
      } else if let parts = DateText.parseNumericDate(part, order), numbers.isEmpty {
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
        fields.readWord(bytes)
        zoneWords.append(part.uppercased())
      }
    }

    /// Returns the date, or nil if the words are not a date.
    mutating func date() -> Date? {
      if fields.zone == nil { fields.zone = TimeZoneText.zone(of: zoneWords) }
      if !hasMonth, numbers.count > 2, numbers[2].digits == 4, numbers[0].digits <= 2 {
        // The part has the form `21 11 2026`.
        fields.month = numbers.remove(at: 1).value
        hasMonth = (1...12).contains(fields.month)
      }
      guard hasMonth, numbers.count >= 2 else { return nil }
      DateText.setDayAndYear(of: &fields, from: numbers)
      return fields.date
    }
  }

  /// Sets the day and the year from at least two numbers of a text with a month.
  private static func setDayAndYear(
    of fields: inout DateFields, from numbers: [(value: Int, digits: Int)]
  ) {
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
  }

  /// Returns whether a word is a time such as `12.30` or `12.30.00`.
  private static func isTimeWithDots(_ word: Substring) -> Bool {
    let pieces = word.split(separator: ".", omittingEmptySubsequences: false)
    return (2...3).contains(pieces.count) && (1...2).contains(pieces[0].utf8.count)
      && pieces.dropFirst().allSatisfy { $0.utf8.count == 2 }
      && pieces.joined().utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns a text without the first part in parentheses and without a first word that is not in
  /// ASCII and has no digits, either of which may be the day of the week: `2021/8/2(月)`,
  /// `พฤ. 2 ก.ย. 2564`. Nil if the text has neither, and if only a year remains, because the rest
  /// was more than the day of the week: `août 2021`.
  private static func withoutWeekday(_ text: String) -> String? {
    var rest = text
    if let first = text.split(whereSeparator: { " ,".contains($0) }).first,
      first.contains(where: { !$0.isASCII }), !first.contains(where: \.isNumber)
    {
      rest = String(text[first.endIndex...].drop { " ,".contains($0) })
    }
    if let open = rest.firstIndex(where: "(（".contains),
      let close = rest[open...].firstIndex(where: ")）".contains)
    {
      // The space keeps numbers beside the parentheses apart.
      rest.replaceSubrange(open...close, with: " ")
    }
    guard rest != text else { return nil }
    rest = rest.split(separator: " ").joined(separator: " ")
    return rest.utf8.count > 4 ? rest : nil
  }

  /// Parses a date that names a day in one of the other formats of `WrittenDate`; nil for other
  /// text.
  private static func parseWritten(_ text: String, _ order: WrittenDate.DayMonthOrder) -> Date? {
    guard let written = WrittenDate.parse(text, order: order), let month = written.month,
      let day = written.day
    else { return nil }
    var fields = DateFields(year: written.year, month: month, day: day)
    if let time = written.time {
      (fields.hour, fields.minute) = (time.hour, time.minute)
      (fields.second, fields.hasTime) = (time.second ?? 0, true)
      fields.zone = .offset((time.utcOffsetMinutes ?? 0) * 60)
    }
    return fields.date
  }

  /// Parses `21.11.2026` and `11/21/2026`; nil for other text. With slashes, `order` decides if
  /// both orders are possible.
  private static func parseNumericDate(
    _ text: Substring, _ order: WrittenDate.DayMonthOrder
  ) -> (day: Int, month: Int, year: Int)? {
    for separator: Character in [".", "/"] {
      let parts = text.split(separator: separator)
      guard parts.count == 3, let first = Int(parts[0]), let second = Int(parts[1]),
        let year = Int(parts[2]), first > 0, second > 0
      else { continue }
      let full = fullYear(year, digits: parts[2].utf8.count)
      let isDayFirst =
        separator == "." || order == .dayFirst ? second <= 12 : first > 12
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
  /// Whether there is a time; if not, the time zone does not matter.
  var hasTime = false
  /// The time zone, or nil.
  var zone: TimeZoneText?

  init(year: Int = 0, month: Int = 1, day: Int = 1) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The point in time; nil if the day does not exist. Years of the Thai calendar are converted.
  var date: Date? {
    let isBuddhist = DateVocabulary.buddhistYears.contains(year)
    let year = isBuddhist ? year - DateVocabulary.buddhistYearOffset : year
    guard (1000...9999).contains(year), (1...31).contains(day),
      CivilTime(year: year, month: month, day: day).isDayOfCalendar
    else { return nil }
    let time = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second
    ).secondsSince1970
    let offset = hasTime ? zone?.utcOffset(at: time) ?? 0 : 0
    return Date(timeIntervalSince1970: Double(time - offset))
  }

  /// Creates a day from its number in a year, from 1; numbers out of range are carried over.
  init(year: Int, dayOfYear: Int) {
    let day = CivilTime(
      secondsSince1970: CivilTime(year: year, day: dayOfYear).secondsSince1970)
    (self.year, month, self.day) = (day.year, day.month, day.day)
  }

  /// Reads a word after the date or the time: half of the day, or a time zone.
  mutating func readWord(_ bytes: ArraySlice<UInt8>) {
    switch String(decoding: bytes, as: UTF8.self).lowercased() {
    case "am", "a.m": if hour == 12 { hour = 0 }
    case "pm", "p.m": if hour < 12 { hour += 12 }
    default: zone = TimeZoneText(bytes) ?? zone
    }
  }

  /// Reads the time zone at the beginning of a text. The name of the zone may follow an offset:
  /// `+03:00 MSK`, `-05:00[America/New_York]`.
  mutating func readZone(beginning text: ArraySlice<UInt8>) {
    zone = TimeZoneText(text) ?? TimeZoneText(text.prefix { !" [(".utf8.contains($0) })
    // A plus sign that was decoded as a space: `10:15:30 01:00`.
    if zone == nil { zone = TimeZoneText(Array("+".utf8) + text) }
  }
}

extension DateCursor {
  /// Consumes a day (ISO 8601-1 §5.2): `2026-11-21`, `20261121`, `2026-11`, `2026`, `2026-W47-6`,
  /// `2026W47` or `2026-325`, also with slashes or periods. With slashes, it may be of the Solar
  /// Hijri calendar: `1403/02/17`. Returns nil for other text.
  fileprivate mutating func consumeISODay() -> DateFields? {
    guard let year = consumeNumber(digits: 4) else { return nil }
    var fields = DateFields(year: year)
    let mayBePersian = rest.first == UInt8(ascii: "/")
    let separator = consume(anyOf: "-/.")
    if isAtEnd { return separator ? nil : fields }
    if consume(anyOf: "Ww") { return consumeWeek(of: year) }
    if digitCount == 3, let day = consumeNumber(digits: 3) {
      return (1...366).contains(day) ? DateFields(year: year, dayOfYear: day) : nil
    }
    if !separator, digitCount == 1 { return nil }
    guard let month = consumeNumber(digits: 2) ?? (separator ? consumeNumber(digits: 1) : nil)
    else { return nil }
    fields.month = month
    guard !isAtEnd else { return fields }
    _ = consume(anyOf: "-/.")
    guard let day = consumeNumber(digits: 2) ?? (separator ? consumeNumber(digits: 1) : nil)
    else { return nil }
    fields.day = day
    if mayBePersian, DateVocabulary.persianYears.contains(year),
      let date = WrittenDate(persianYear: year, month: month, day: day)
    {
      return DateFields(year: date.year, month: date.month ?? month, day: date.day ?? day)
    }
    return fields
  }

  /// Consumes the number of a week and an optional day of it. Week 1 contains January 4.
  private mutating func consumeWeek(of year: Int) -> DateFields? {
    guard let week = consumeNumber(digits: 2), (1...53).contains(week) else { return nil }
    _ = consume(anyOf: "-")
    let day = consumeNumber(digits: 1) ?? 1
    guard (1...7).contains(day) else { return nil }
    let january4 = CivilTime(year: year, day: 4)
    // Monday is 0; 1970-01-01 was a Thursday.
    let weekday = ((january4.dayNumber + 3) % 7 + 7) % 7
    return DateFields(year: year, dayOfYear: 4 - weekday + (week - 1) * 7 + day - 1)
  }

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
    // The name of a zone may begin with the same letters: `America/New_York`.
    let letters = rest.prefix(3).prefix { (0x61...0x7A).contains($0 | 0x20) }
    let word = String(decoding: letters, as: UTF8.self).lowercased()
    if word == "pm" || word == "am" {
      if word == "pm", fields.hour < 12 { fields.hour += 12 }
      if word == "am", fields.hour == 12 { fields.hour = 0 }
      skip(2)
      skipSpaces()
    }
    fields.hasTime = true
    return true
  }
}

/// A time zone in the text of a date.
private enum TimeZoneText {
  /// An offset from UTC in seconds, positive to the east.
  case offset(Int)
  /// A zone of the time zone database, such as `America/New_York`.
  case named(TimeZone)

  /// Returns the offset from UTC in seconds at a local time, in seconds since 1970.
  func utcOffset(at localTime: Int) -> Int {
    switch self {
    case .offset(let seconds): return seconds
    case .named(let zone):
      let guess = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(localTime)))
      return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(localTime - guess)))
    }
  }

  /// Parses an abbreviation, an offset, or the name of a zone in the time zone database. The offset
  /// is 0 if it is impossible, that is, more than 15 hours. Nil if the text is not a time zone.
  init?(_ bytes: some Sequence<UInt8>) {
    let text = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
    if let hours = Self.offsetHours[text.uppercased()] {
      self = .offset(Int(hours * 3600))
    } else if let seconds = Self.offset(text.uppercased()) {
      self = .offset(seconds)
    } else if text.contains("/"), let zone = TimeZone(identifier: text) {
      self = .named(zone)
    } else {
      return nil
    }
  }

  /// Returns the zone whose abbreviation consists of the initials of words, such as `EASTERN`,
  /// `DAYLIGHT` and `TIME`; nil for other words.
  static func zone(of words: [String]) -> TimeZoneText? {
    guard words.last == "TIME", let start = words.firstIndex(where: abbreviatedWords.contains)
    else { return nil }
    // In abbreviations of European zones, the S stands for summer: the standard time is `CET`.
    let isEuropean = words.contains("EUROPEAN")
    let initials = words[start...].filter { !isEuropean || $0 != "STANDARD" }.compactMap(\.first)
    guard let hours = offsetHours[String(initials)] else { return nil }
    return .offset(Int(hours * 3600))
  }

  /// Returns the offset from UTC in seconds of a text such as `+0200` and `GMT+2`; nil for other
  /// text.
  private static func offset(_ text: String) -> Int? {
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

  /// The first words of the names of zones whose initials are in `offsetHours` with their meaning.
  private static let abbreviatedWords: Set<String> = [
    "ATLANTIC", "EASTERN", "CENTRAL", "MOUNTAIN", "PACIFIC", "HAWAII", "NEWFOUNDLAND", "GREENWICH",
    "BRITISH", "WESTERN", "INDIA", "JAPAN", "KOREA", "AUSTRALIAN",
  ]

  /// The offsets of named time zones from UTC in hours, positive to the east.
  private static let offsetHours: [String: Double] = [
    "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1,
    "CEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "MSD": 4, "IST": 5.5, "CST+8": 8,
    "HKT": 8, "SGT": 8, "MYT": 8, "PHT": 8, "WAT": 1, "CAT": 2, "SAST": 2, "EAT": 3, "IDT": 3,
    "TRT": 3, "IRST": 3.5, "PKT": 5, "NPT": 5.75, "ICT": 7, "WIB": 7, "WITA": 8, "JST": 9, "KST": 9,
    "AWST": 8, "ACST": 9.5, "ACDT": 10.5, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "EST": -5,
    "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9,
    "AKDT": -8, "HST": -10, "AST": -4, "ADT": -3, "NST": -3.5, "NDT": -2.5, "BRT": -3, "BRST": -2,
    "ART": -3, "CLT": -4, "CLST": -3, "COT": -5, "UYT": -3, "VET": -4,
  ]
}
