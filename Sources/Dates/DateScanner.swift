/// Finds the dates in the tokens of a line.
package struct DateScanner {
  private let tokens: [DateToken]
  private let order: WrittenDate.DayMonthOrder
  /// The index of the next token to read.
  private var index = 0

  package init(_ tokens: [DateToken], order: WrittenDate.DayMonthOrder) {
    (self.tokens, self.order) = (tokens, order)
  }

  /// The complete dates in the line, in order.
  package var dates: [WrittenDate.FoundDate] {
    var scanner = self
    var dates: [WrittenDate.FoundDate] = []
    var start = 0
    while start < tokens.count {
      if let found = scanner.scanDate(from: start) {
        dates.append(found)
        start = found.tokenRange.upperBound
      } else {
        start += 1
      }
    }
    return dates
  }

  /// Returns the date that begins at a token, with a day of the week or a time of day before it;
  /// nil if there is none.
  private mutating func scanDate(from start: Int) -> WrittenDate.FoundDate? {
    index = start
    var time: WrittenDate.Time?
    if let clock = self.readTime() {
      time = clock
      index = indexAfterSeparators(from: index)
    }
    var found = scanCalendarDate()
    if found == nil {
      // "Mar" may be a day of the week or a month.
      skipWeekday()
      found = scanCalendarDate()
    }
    guard var date = found else { return nil }
    let end = index
    if time == nil { time = date.time ?? scanTimeAfterDate() }
    if time == nil { index = endOfFullWeekday(from: end) ?? end }
    date.time = time
    return WrittenDate.FoundDate(date: date, tokenRange: start..<index)
  }

  // MARK: Tokens

  private func token(_ position: Int) -> DateToken? {
    tokens.indices.contains(position) ? tokens[position] : nil
  }

  private func word(_ position: Int) -> String { token(position)?.word ?? "" }

  private func month(_ position: Int) -> Int? {
    guard let token = token(position), !token.isPunctuation, token.digitCount == 0 else {
      return nil
    }
    if let month = DateVocabulary.monthsByOrdinal[token.word]?[word(position + 1)] { return month }
    // In Hebrew, "in" is a prefix of the name of the month.
    return DateVocabulary.monthNumbers[token.word]
      ?? (token.word.first == "ב"
        ? DateVocabulary.monthNumbers[String(token.word.dropFirst())] : nil)
  }

  private func isPunctuation(_ position: Int, _ markers: String) -> Bool {
    guard let token = token(position), token.isPunctuation, let marker = token.word.first else {
      return false
    }
    return markers.contains(marker)
  }

  /// Returns the value of the token at a position if it is a number whose count of digits is in a
  /// range; otherwise nil.
  private func number(_ position: Int, _ digits: ClosedRange<Int>) -> Int? {
    guard let token = token(position), digits.contains(token.digitCount) else { return nil }
    return token.number
  }

  /// Returns the year at a position; nil if there is none. A year of the Thai calendar, such as
  /// 2567, is converted.
  private func year(_ position: Int) -> Int? {
    guard let year = number(position, 4...4), (1000...2999).contains(year) else { return nil }
    return DateVocabulary.buddhistYears.contains(year)
      ? year - DateVocabulary.buddhistYearOffset : year
  }

  /// Returns the position after the tokens that join the parts of a date: up to four punctuation
  /// characters or words such as "of".
  private func indexAfterSeparators(from start: Int) -> Int {
    var position = start
    var count = 0
    while count < 4, let token = token(position),
      token.isPunctuation && ",.·•|-–—@/:()（），、~".contains(token.word) || isConnective(position)
    {
      position += 1
      count += 1
    }
    return position
  }

  private func isConnective(_ position: Int) -> Bool {
    DateVocabulary.connectives.contains(word(position)) || position > 0 && word(position) == "t"
  }

  /// Skips the name of a day of the week, with punctuation around it.
  private mutating func skipWeekday() {
    guard let end = endOfWeekday(from: index) else { return }
    index = indexAfterSeparators(from: end)
  }

  /// Returns the position after the name of a day of the week, which may be in parentheses; nil if
  /// there is none. After its first word, "Mar" is a month.
  private func endOfWeekday(from start: Int) -> Int? {
    let first = isPunctuation(start, "(（") ? start + 1 : start
    var position = first
    while position < first + 3, isWeekday(position) || isWeekdayCharacter(position, first),
      position == first || month(position) == nil
    {
      position += 1
    }
    return position == first ? nil : position
  }

  /// Returns the position after the name of a day of the week that follows a date without
  /// punctuation, as in `5 Mart 2026 Perşembe` and `2026-03-05 星期四`; nil without one. Short
  /// abbreviations, such as "Don" and "Sam", are words or names in many languages.
  private func endOfFullWeekday(from start: Int) -> Int? {
    guard let end = endOfWeekday(from: start), !isPunctuation(start, "(（") else { return nil }
    let name = tokens[start..<end].map(\.word).joined()
    return name.count > (name.utf8.allSatisfy { $0 < 0x80 } ? 3 : 1) ? end : nil
  }

  private func isWeekday(_ position: Int) -> Bool {
    guard let token = token(position), !token.isPunctuation, token.digitCount == 0 else {
      return false
    }
    return DateVocabulary.isWeekday(token.word)
  }

  /// Returns whether a date character such as `月` belongs to a day of the week. It ends the name of
  /// the day that begins at `first`, as in `火曜日`, begins it, as in `月曜日`, or is in parentheses as
  /// an abbreviation of the name.
  private func isWeekdayCharacter(_ position: Int, _ first: Int) -> Bool {
    ["日", "月", "일", "월"].contains(word(position))
      && (position > first || isPunctuation(position + 1, ")）")
        || ["曜", "요"].contains(word(position + 1)))
  }

  // MARK: Dates

  /// Reads a date without its time of day, in one of the known forms. If there is no date, returns
  /// nil and does not change the position.
  private mutating func scanCalendarDate() -> WrittenDate? {
    readCharacterDate() ?? readVietnameseDate() ?? readPersianDate() ?? readYearFirst()
      ?? readDayFirst() ?? readMonthFirst() ?? readNumericDate()
  }

  /// Reads `2022年2月13日`, `2022년 2월 13일`, `令和4年2月13日`, `民國111年2月13日`, `111年2月13日` and, in
  /// Mongolian, `2022 оны 2 сарын 13` and `2022 оны 2-р сарын 13`; nil for other forms.
  private mutating func readCharacterDate() -> WrittenDate? {
    var position = index
    let eraYear = readEraYear(at: &position)
    let taiwaneseYear = number(position, 3...3).flatMap {
      DateVocabulary.taiwaneseYears.contains($0) ? $0 + 1911 : nil
    }
    guard let year = eraYear ?? number(position, 4...4) ?? taiwaneseYear else { return nil }
    if eraYear == nil { position += 1 }
    guard ["年", "년", "оны"].contains(word(position)),
      let month = number(position + 1, 1...2)
    else { return nil }
    position += isPunctuation(position + 2, "-") && word(position + 3) == "р" ? 4 : 2
    guard case let monthUnit = word(position), ["月", "월", "сарын"].contains(monthUnit),
      let day = number(position + 1, 1...2)
    else { return nil }
    let hasUnit = ["日", "号", "號", "일"].contains(word(position + 2))
    guard hasUnit || monthUnit == "сарын" else { return nil }
    return advance(
      to: position + (hasUnit ? 3 : 2), WrittenDate(year: year, month: month, day: day))
  }

  /// Reads a date of the Solar Hijri calendar: `۱۷ اردیبهشت ۱۴۰۳`, `اردیبهشت ۱۷, ۱۴۰۳`,
  /// `۱۴۰۳/۰۲/۱۷`, `۱۴۰۳.۰۲.۱۷` and `۱۷/۰۲/۱۴۰۳`; nil for other forms, such as the version
  /// `1.2.1403`.
  private mutating func readPersianDate() -> WrittenDate? {
    func year(_ position: Int) -> Int? {
      number(position, 4...4).flatMap { DateVocabulary.persianYears.contains($0) ? $0 : nil }
    }
    if isPunctuation(index + 1, "/-."), word(index + 3) == word(index + 1),
      let month = number(index + 2, 1...2),
      let year = year(index) ?? (word(index + 1) == "." ? nil : year(index + 4)),
      let day = number(index, 1...2) ?? number(index + 4, 1...2), !isIslamicEra(index + 5)
    {
      return advance(to: index + 5, WrittenDate(persianYear: year, month: month, day: day))
    }
    let dayFirst = number(index, 1...2)
    guard let day = dayFirst ?? number(index + 1, 1...2),
      let month = DateVocabulary.persianMonth(word(dayFirst == nil ? index : index + 1))
    else { return nil }
    var position = index + 2
    while position < index + 5,
      isPunctuation(position, ",،-/") || ["ماه", "سال"].contains(word(position))
    {
      position += 1
    }
    guard let year = year(position) else { return nil }
    return advance(to: position + 1, WrittenDate(persianYear: year, month: month, day: day))
  }

  /// Returns whether the abbreviation of the Islamic calendar is at a position. The years of the
  /// Solar Hijri calendar may have the same abbreviation, followed by `ش`.
  private func isIslamicEra(_ position: Int) -> Bool {
    word(position) == "هـ"
      && word(isPunctuation(position + 1, ".") ? position + 2 : position + 1) != "ش"
  }

  /// Reads `21 tháng 11 năm 2026` and `21 Tháng Mười Một, 2026`; nil for other forms.
  private mutating func readVietnameseDate() -> WrittenDate? {
    guard let day = number(index, 1...2), word(index + 1) == "tháng" else { return nil }
    let names = DateVocabulary.vietnameseMonths
    var position = index + 3
    var writtenMonth = number(index + 2, 1...2)
    if let first = names.firstIndex(of: word(index + 2)) {
      writtenMonth = first + 1
      if writtenMonth == 10, let second = names.prefix(2).firstIndex(of: word(position)) {
        writtenMonth = 11 + second
        position += 1
      }
    }
    if isPunctuation(position, ",/-") || word(position) == "năm" { position += 1 }
    guard let month = writtenMonth, let year = year(position) else { return nil }
    return advance(to: position + 1, WrittenDate(year: year, month: month, day: day))
  }

  /// Returns the year of the Gregorian calendar for a year of a Japanese era or of the Taiwanese
  /// calendar at a position, and moves the position past it; nil if there is none.
  private func readEraYear(at position: inout Int) -> Int? {
    let era = word(position)
    if let start = DateVocabulary.eraStarts[era], let year = number(position + 1, 1...3) {
      position += 2
      return start + year - 1
    }
    // The first year of an era is written with a character.
    guard era.last == "元", let start = DateVocabulary.eraStarts[String(era.dropLast())] else {
      return nil
    }
    position += 1
    return start
  }

  /// Reads `2026-11-21`, `2026/11/21`, `2026. 11. 21.`, `2026 Nov 21`, `2026. november 21.`,
  /// `2026 m. lapkričio 21 d.` and `2026. gada 21. novembris`; nil for other forms.
  private mutating func readYearFirst() -> WrittenDate? {
    guard let year = year(index) else { return nil }
    var position = index + 1
    let marker = word(position)
    let hasMark = isPunctuation(position, "-/.,–")
    if hasMark { position += 1 }
    let hasWord = DateVocabulary.wordsForYear.contains(word(position))
    if hasWord { position = positionAfterDot(position + 1) }
    if hasWord, let day = number(position, 1...2) {
      position = isPunctuation(position + 1, ".-") ? position + 2 : position + 1
      guard let month = month(position) else { return nil }
      return advance(to: position + 1, WrittenDate(year: year, month: month, day: day))
    }
    if let month = month(position) {
      position = isPunctuation(position + 1, ".-") ? position + 2 : position + 1
      guard let day = number(position, 1...2), !isPunctuation(position + 1, ":") else { return nil }
      position = positionAfterOrdinal(position + 1)
      if hasWord, word(position) == "d" { position = positionAfterDot(position + 1) }
      return advance(to: position, WrittenDate(year: year, month: month, day: day))
    }
    guard hasMark, marker != ",", let month = number(position, 1...2), word(position + 1) == marker,
      let day = number(position + 2, 1...2)
    else { return nil }
    let end = marker == "." && isPunctuation(position + 3, ".") ? position + 4 : position + 3
    return advance(to: end, WrittenDate(year: year, month: month, day: day))
  }

  /// Reads `21 November 2026`, `21st of Nov, 2026`, `21-Nov-26`, `21. November 2026`,
  /// `21 de noviembre de 2026` and `6 مايو/أيار 2026`, which has two names of the month; nil for
  /// other forms.
  private mutating func readDayFirst() -> WrittenDate? {
    guard let day = number(index, 1...2), (1...31).contains(day) else { return nil }
    var position = positionAfterOrdinal(index + 1)
    let isHyphenated = isPunctuation(position, "-–/")
    if isHyphenated { position += 1 }
    while position < index + 6, DateVocabulary.connectives.contains(word(position)) {
      position += 1
    }
    guard var month = month(position) else { return nil }
    // A dot after the day distinguishes Croatian names of months from Polish ones.
    if isPunctuation(index + 1, ".") {
      month = DateVocabulary.croatianMonths[word(position)] ?? month
    }
    let isThai = word(position).unicodeScalars.first.map(DateToken.isThai) ?? false
    position += 1
    while position < index + 9,
      isPunctuation(position, ".,-–/،") || DateVocabulary.connectives.contains(word(position))
        || self.month(position) == month
    {
      position += 1
    }
    guard
      let year = year(position) ?? shortYear(position, isThai: isThai, isUnambiguous: isHyphenated)
    else { return nil }
    return advance(to: positionAfterYear(position), WrittenDate(year: year, month: month, day: day))
  }

  /// Reads `November 21, 2026` and `Nov. 21st 2026`; nil for other forms.
  private mutating func readMonthFirst() -> WrittenDate? {
    guard let month = month(index) else { return nil }
    var position = index + 1
    while position < index + 3, isPunctuation(position, ".-,") { position += 1 }
    guard let day = number(position, 1...2), (1...31).contains(day) else { return nil }
    position = positionAfterOrdinal(position + 1)
    var markers = 0
    while markers < 3,
      isPunctuation(position, ",.-،") || DateVocabulary.connectives.contains(word(position))
    {
      position += 1
      markers += 1
    }
    guard let year = year(position) ?? shortYear(position, isUnambiguous: false) else {
      return scanTimeAndYear(from: position, month, day)
    }
    return advance(to: positionAfterYear(position), WrittenDate(year: year, month: month, day: day))
  }

  /// Moves to the end of a date and returns it; does nothing and returns nil if `date` is nil
  /// because the date does not exist in the calendar.
  private mutating func advance(to end: Int, _ date: WrittenDate?) -> WrittenDate? {
    if date != nil { index = end }
    return date
  }

  /// Returns the position after a year, which may have an apostrophe.
  private func positionAfterYear(_ position: Int) -> Int {
    isPunctuation(position, "'’") ? position + 2 : position + 1
  }

  /// Reads the rest of `Nov 21 10:15:30 UTC 2026`, the format of `ctime`.
  private mutating func scanTimeAndYear(from position: Int, _ month: Int, _ day: Int)
    -> WrittenDate?
  {
    let start = index
    index = position
    guard let time = readTime(), let year = year(index),
      var date = WrittenDate(year: year, month: month, day: day)
    else {
      index = start
      return nil
    }
    date.time = time
    return advance(to: index + 1, date)
  }

  /// Reads `21.11.2026`, `21-11-2026`, `11/21/2026`, `21.11.26` and `am 1.2.26`; nil for other
  /// forms.
  private mutating func readNumericDate() -> WrittenDate? {
    guard let first = number(index, 1...2), isPunctuation(index + 1, "./-"),
      case let marker = word(index + 1), let second = number(index + 2, 1...2),
      word(index + 3) == marker, !isPunctuation(index - 1, "./-")
    else { return nil }
    let isLong = number(index, 2...2) != nil && number(index + 2, 2...2) != nil
    let isUnambiguous = marker != "-" && (isLong || isAfterDateWord(marker))
    guard let year = year(index + 4) ?? shortYear(index + 4, isUnambiguous: isUnambiguous),
      !isPunctuation(index + 5, "/-") || token(index + 5)?.followsWhiteSpace == true
    else { return nil }
    let isDayFirst = first > 12 || second <= 12 && putsDayFirst(marker)
    return advance(
      to: index + 5,
      isDayFirst
        ? WrittenDate(year: year, month: second, day: first)
        : WrittenDate(year: year, month: first, day: second))
  }

  /// Whether a word before the numbers announces a date. After "updated" or "on", numbers that dots
  /// separate may be a version.
  private func isAfterDateWord(_ marker: String) -> Bool {
    let before = word(isPunctuation(index - 1, ":") ? index - 2 : index - 1)
    return DateVocabulary.wordsBeforeDates.contains(before)
      || marker == "/" && DateVocabulary.wordsBeforeDatesWithSlashes.contains(before)
  }

  /// Whether the day is first in numeric dates whose parts are separated by `marker`.
  private func putsDayFirst(_ marker: String) -> Bool {
    switch order {
    case .dayFirst: true
    case .monthFirst: marker != "/"
    case .monthFirstWithDashes: marker == "."
    }
  }

  /// Returns the position after the ending of an ordinal number, such as the `st` of `21st` or the
  /// `.º` of `1.º`, or `position` if no ending is there.
  private func positionAfterOrdinal(_ position: Int) -> Int {
    var end = position
    while end < position + 2, let token = token(end), !token.followsWhiteSpace || token.word == "º",
      DateVocabulary.ordinalSuffixes.contains(token.word)
    {
      end += 1
    }
    return end
  }

  private func positionAfterDot(_ position: Int) -> Int {
    isPunctuation(position, ".") ? position + 1 : position
  }

  /// Returns the full year for two digits: `'26`, or `26` if the form of the date is unambiguous
  /// (`isUnambiguous`); after a Thai name of a month (`isThai`), the Gregorian year for two digits
  /// of a year in the Thai calendar; otherwise nil.
  private func shortYear(_ position: Int, isThai: Bool = false, isUnambiguous: Bool) -> Int? {
    let isMarked = isPunctuation(position, "'’")
    guard isUnambiguous || isMarked || isThai,
      let year = number(isMarked ? position + 1 : position, 2...2)
    else { return nil }
    if isThai, !isMarked {
      return DateVocabulary.shortBuddhistYears.contains(year)
        ? 2500 + year - DateVocabulary.buddhistYearOffset : nil
    }
    return year < 70 ? 2000 + year : 1900 + year
  }

  // MARK: Times

  /// Reads the time of day after a date; nil if there is none.
  private mutating func scanTimeAfterDate() -> WrittenDate.Time? {
    skipWeekday()
    index = indexAfterSeparators(from: index)
    skipWeekday()
    if DateVocabulary.clockWords.contains(word(index)) { index = positionAfterDot(index + 1) }
    return readTime()
  }

  /// Reads a time of day: `16:19:30`, `4:19 PM ET`, `16.19 Uhr`, `16h19`, `4 p.m.`, `下午4时19分`; nil
  /// for other forms.
  private mutating func readTime() -> WrittenDate.Time? {
    let start = index
    var isLate = readDayPeriod()
    guard let hour = number(index, 1...2), hour < 25 else {
      index = start
      return nil
    }
    index += 1
    var time = WrittenDate.Time(hour: hour, minute: 0)
    let hasMinutes = readMinutes(of: &time)
    let hasClock = DateVocabulary.timeSuffixes.contains(word(index))
    if hasClock { index += 1 }
    if isLate == nil { isLate = readDayPeriod() }
    if DateVocabulary.timeSuffixes.contains(word(index)) { index += 1 }
    guard hasMinutes == true || isLate != nil || hasMinutes != nil && hasClock,
      isLate == nil || (1...12).contains(hour) || hour < 24
    else {
      index = start
      return nil
    }
    if isLate == true, hour < 12 { time.hour += 12 }
    if isLate == false, hour == 12 { time.hour = 0 }
    if time.hour == 24 { time.hour = 0 }
    time.utcOffsetMinutes = readZone(at: index)
    return time
  }

  /// Reads the minutes and seconds.
  /// - Returns: Whether they are written as in a time of day; true also after an hour with a unit
  ///   such as `時` and without minutes. False if there are none, or if they follow a full stop
  ///   without a word such as "kl.", "Uhr" or a zone. Returns nil if a colon is not followed by
  ///   minutes.
  private mutating func readMinutes(of time: inout WrittenDate.Time) -> Bool? {
    let unitWord = word(index)
    let positionBeforeHour = isPunctuation(index - 2, ".") ? index - 3 : index - 2
    let isAfterClockWord = DateVocabulary.clockWords.contains(word(positionBeforeHour))
    if ["時", "时", "点", "點", "시"].contains(unitWord) {
      guard let minute = number(index + 1, 1...2), minute < 60 else {
        index += 1
        return true
      }
      time.minute = minute
      index += word(index + 2) == "分" || word(index + 2) == "분" ? 3 : 2
      return true
    }
    let isColon = unitWord == ":" || unitWord == "：" || unitWord == "h"
    guard isColon || unitWord == ".", let minute = number(index + 1, 2...2), minute < 60,
      token(index + 1)?.followsWhiteSpace == false || unitWord == "h"
    else { return unitWord == ":" ? nil : false }
    time.minute = minute
    index += 2
    if isPunctuation(index, ":."), let second = number(index + 1, 2...2), second < 61 {
      time.second = second
      index += 2
      if isPunctuation(index, ".,"), let fraction = token(index + 1), fraction.digitCount > 0,
        !fraction.followsWhiteSpace, let number = fraction.number
      {
        time.fractionDigits = CivilTime.padded(number, fraction.digitCount)
        index += 2
      }
    }
    if isColon { return true }
    // `16.19` is only a time after a word such as "kl." and before one such as "Uhr" or a zone.
    let isDate = isPunctuation(index, ".") && number(index + 1, 1...4) != nil
    return isAfterClockWord && !isDate || DateVocabulary.timeSuffixes.contains(word(index))
      || isNextWordPM != nil || DateVocabulary.zoneOffsets[word(index)] != nil
  }

  /// Whether the next word names the second half of the day; nil if it names neither half.
  private var isNextWordPM: Bool? {
    if let half = DateVocabulary.isPMByWord[word(index)] { return half }
    guard ["a", "p"].contains(word(index)), isPunctuation(index + 1, "."), word(index + 2) == "m"
    else {
      return nil
    }
    return word(index) == "p"
  }

  /// Reads the word or abbreviation for a half of the day, such as "PM".
  /// - Returns: Whether it is the second half; nil if there is no such word.
  private mutating func readDayPeriod() -> Bool? {
    guard let half = isNextWordPM else { return nil }
    if DateVocabulary.isPMByWord[word(index)] != nil {
      index += 1
    } else {
      index += isPunctuation(index + 3, ".") ? 4 : 3
    }
    return half
  }

  /// Reads the zone at a position, and moves past it.
  /// - Returns: The offset in minutes; nil if there is no zone or it has no single offset.
  mutating func readZone(at start: Int) -> Int? {
    var position = isPunctuation(start, "(（") ? start + 1 : start
    let isNamed = DateVocabulary.zoneOffsets[word(position)] != nil
    var offset: Int? = DateVocabulary.zoneOffsets[word(position)] ?? nil
    if isNamed { position += 1 }
    if isPunctuation(position, "+-−"), !isNamed || offset == 0,
      let number = number(position + 1, 1...4),
      token(position + 1)?.followsWhiteSpace == false
    {
      let digits = token(position + 1)?.digitCount ?? 0
      var minutes = digits > 2 ? number / 100 * 60 + number % 100 : number * 60
      let isNegative = !isPunctuation(position, "+")
      position += 2
      if digits <= 2, isPunctuation(position, ":"), let rest = self.number(position + 1, 2...2) {
        minutes += rest
        position += 2
      }
      guard minutes <= 15 * 60 else { return nil }
      offset = isNegative ? -minutes : minutes
    } else if !isNamed {
      return nil
    }
    index = isPunctuation(position, ")）") ? position + 1 : position
    return offset
  }
}
