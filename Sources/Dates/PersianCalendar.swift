// The Solar Hijri calendar, which Iran and Afghanistan use.

extension WrittenDate {
  /// Creates a date of the Solar Hijri calendar; returns nil if the day does not exist.
  package init?(persianYear year: Int, month: Int, day: Int) {
    let (nextYear, nextMonth) = month == 12 ? (year + 1, 1) : (year, month + 1)
    let number = Self.dayNumber(persianYear: year, month: month, day: day)
    guard (1...12).contains(month), day > 0,
      number < Self.dayNumber(persianYear: nextYear, month: nextMonth, day: 1)
    else { return nil }
    let date = CivilTime(secondsSince1970: number * 86_400)
    self.init(year: date.year, month: date.month, day: date.day)
  }

  /// Returns the number of days since 1970-01-01. Every 33 years have 8 leap days, as in the
  /// astronomical calendar from 1925 to 2088.
  private static func dayNumber(persianYear year: Int, month: Int, day: Int) -> Int {
    let years = year + 1595
    let leapDays = years / 33 * 8 + (years % 33 + 3) / 4
    let daysBeforeMonth = (month - 1) * 30 + min(month - 1, 6)
    return years * 365 + leapDays + daysBeforeMonth + day - 1_075_196
  }
}

extension DateVocabulary {
  /// The years of the Solar Hijri calendar that begin in 1991 to 2041. Other years are more likely
  /// to be Gregorian.
  package static let persianYears = 1370...1420

  /// Returns the number of a month of the Solar Hijri calendar by its name in Persian or Dari; nil
  /// for other words.
  static func persianMonth(_ word: String) -> Int? {
    guard let first = word.unicodeScalars.first, (0x0600...0x06FF).contains(first.value) else {
      return nil
    }
    // Old keyboards have the Arabic form of the last letter of the alphabet.
    return persianMonths[word.replacing("ي", with: "ی")]
  }

  private static let persianMonths: [String: Int] = {
    var months: [String: Int] = ["امرداد": 5]
    for names in [
      "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند",
      "حمل ثور جوزا سرطان اسد سنبله میزان عقرب قوس جدی دلو حوت",
    ] {
      for (index, name) in names.split(separator: " ").enumerated() {
        months[String(name)] = index + 1
      }
    }
    return months
  }()
}
