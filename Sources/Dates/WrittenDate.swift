/// A date as it is written on a page, with the precision that was written.
package struct WrittenDate: Sendable, Equatable {
  /// A time of day.
  package struct Time: Sendable, Equatable {
    package var hour: Int, minute: Int
    /// The second, or nil if the text has none.
    package var second: Int?
    /// The digits of the fraction of a second; usually empty.
    package var fractionDigits = ""
    /// The offset from UTC in minutes, positive to the east; nil if the text does not determine it.
    package var utcOffsetMinutes: Int?

    package init(hour: Int, minute: Int, second: Int? = nil) {
      (self.hour, self.minute, self.second) = (hour, minute, second)
    }
  }

  package var year: Int
  /// The month and the day from 1; nil if the text has none.
  package var month: Int?, day: Int?
  package var time: Time?

  /// Creates a date; returns nil if the day does not exist in the calendar.
  package init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year) else { return nil }
    if let month {
      guard CivilTime(year: year, month: month, day: day ?? 1).isDayOfCalendar else { return nil }
    } else if day != nil {
      return nil
    }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date in the extended format of ISO 8601, such as `2026-11-21`, `2026-11-21T10:15` or
  /// `2026-11-21T10:15:30+01:00`.
  package var isoText: String {
    var text = CivilTime.padded(year, 4)
    if let month { text += "-" + CivilTime.padded(month) }
    guard let day else { return text }
    text += "-" + CivilTime.padded(day)
    guard let time else { return text }
    text += "T\(CivilTime.padded(time.hour)):\(CivilTime.padded(time.minute))"
    if let second = time.second { text += ":" + CivilTime.padded(second) }
    if !time.fractionDigits.isEmpty { text += "." + time.fractionDigits }
    guard let offset = time.utcOffsetMinutes else { return text }
    if offset == 0 { return text + "Z" }
    let minutes = abs(offset)
    return text + (offset < 0 ? "-" : "+")
      + "\(CivilTime.padded(minutes / 60)):\(CivilTime.padded(minutes % 60))"
  }

  /// The order of day and month in dates such as `5/6/2026`.
  package enum DayMonthOrder: Sendable {
    /// Month first with slashes, day first with dots and dashes.
    case monthFirst
    /// Month first with slashes and dashes, as in the United States.
    case monthFirstWithDashes
    case dayFirst

    /// Creates the order that is usual in a language (BCP 47); month first if the language is
    /// unknown, as in the United States.
    package init(language: String) {
      let tag = language.lowercased().split { $0 == "-" || $0 == "_" }
      if tag.first == "en", tag.contains("us") {
        self = .monthFirstWithDashes
        return
      }
      let isAmerican = tag.first == nil || tag.first == "en" || tag.first == "fil"
      let usesMonthFirst = tag.count == 1 || tag.contains("us") || tag.contains("ph")
      self = isAmerican && (tag.isEmpty || usesMonthFirst) ? .monthFirst : .dayFirst
    }
  }

  /// Parses a value that is a date and nothing else, such as that of a `meta` element: any format
  /// of `dates(in:order:)`, and ISO 8601 in its basic format or without the day.
  /// - Parameters:
  ///   - text: The value.
  ///   - order: The order of day and month in a format that does not determine it.
  /// - Returns: The date; nil if the text is not exactly one date.
  package static func parse(_ text: String, order: DayMonthOrder = .monthFirst) -> WrittenDate? {
    guard text.utf8.count <= 100 else { return nil }
    let tokens = DateToken.tokens(of: text)
    if let date = parseBasicFormat(tokens) { return date }
    let found = DateScanner(tokens, order: order).dates
    guard found.count == 1, let only = found.first else { return nil }
    let end = only.tokenRange.upperBound
    // JavaScript writes the name of the zone after its offset, in parentheses.
    let hasZoneName =
      only.date.time?.utcOffsetMinutes != nil && end < tokens.count && tokens[end].word == "("
      && tokens.last?.word == ")"
    let rest = tokens[..<only.tokenRange.lowerBound] + (hasZoneName ? [] : tokens[end...])
    return rest.allSatisfy(\.isPunctuation) ? only.date : nil
  }

  /// Creates the date of a number of seconds or milliseconds since 1970, such as `1795256130`;
  /// returns nil for other texts and for times outside of 2001 to 2030.
  package init?(secondsSince1970 text: String) {
    guard let number = Int(text), number > 0, case let digitCount = text.utf8.count,
      digitCount == 10 || digitCount == 13,
      case let seconds = digitCount == 10 ? number : number / 1000,
      (1_000_000_000..<1_900_000_000).contains(seconds)
    else { return nil }
    let utc = CivilTime(secondsSince1970: seconds)
    self.init(year: utc.year, month: utc.month, day: utc.day)
    time = Time(hour: utc.hour, minute: utc.minute, second: utc.second)
    time?.utcOffsetMinutes = 0
  }

  /// Parses a date and a time of day without separators: `20261121101530` and `202611211015`.
  private static func parseDigits(_ number: Int, _ digitCount: Int) -> WrittenDate? {
    guard digitCount == 12 || digitCount == 14 else { return nil }
    let isLong = digitCount == 14
    let minutes = isLong ? number / 100 : number
    let (day, clock) = (minutes / 10_000, minutes % 10_000)
    guard (1000...2999).contains(day / 10_000), clock / 100 < 24, clock % 100 < 60,
      !isLong || number % 100 < 60,
      var date = WrittenDate(year: day / 10_000, month: day / 100 % 100, day: day % 100)
    else { return nil }
    date.time = Time(
      hour: clock / 100, minute: clock % 100, second: isLong ? number % 100 : nil)
    return date
  }

  /// Parses `20261121`, `20261121T101530Z`, `20261121101530`, `2026-11` and `2026`; nil for other
  /// forms.
  private static func parseBasicFormat(_ tokens: [DateToken]) -> WrittenDate? {
    guard let first = tokens.first, let number = first.number else { return nil }
    if tokens.count == 1, let date = parseDigits(number, first.digitCount) { return date }
    let hasYear = (1000...2999).contains(first.digitCount == 8 ? number / 10_000 : number)
    guard hasYear else { return nil }
    if first.digitCount == 4 {
      if tokens.count == 1 { return WrittenDate(year: number) }
      guard tokens.count == 3, tokens[1].isPunctuation, tokens[2].digitCount <= 2,
        let month = tokens[2].number
      else { return nil }
      return WrittenDate(year: number, month: month)
    }
    guard first.digitCount == 8,
      var date = WrittenDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    else { return nil }
    if tokens.count == 1 { return date }
    guard tokens[1].word == "t", tokens.count > 2, let clock = tokens[2].number,
      tokens[2].digitCount == 6 || tokens[2].digitCount == 4
    else { return nil }
    let hasSeconds = tokens[2].digitCount == 6
    let minutes = hasSeconds ? clock / 100 : clock
    guard minutes / 100 < 24, minutes % 100 < 60, clock % 100 < 60 else { return nil }
    var time = Time(
      hour: minutes / 100, minute: minutes % 100, second: hasSeconds ? clock % 100 : nil)
    var scanner = DateScanner(tokens, order: .monthFirst)
    time.utcOffsetMinutes = scanner.readZone(at: 3)
    date.time = time
    return date
  }

  /// A date in a line.
  package struct FoundDate: Sendable, Equatable {
    package var date: WrittenDate
    /// The range of its tokens, with the day of the week and the time of day.
    package var tokenRange: Range<Int>
  }
}
