import Dates
import Foundation
import Testing

@Suite struct CivilTimeTests {
  @Test func `every day of 800 years follows the previous one and converts back to itself`() {
    var expected = CivilTime(year: 1600)
    var seconds = expected.secondsSince1970
    #expect(seconds == -11_676_096_000)
    while expected.year < 2400 {
      let time = CivilTime(secondsSince1970: seconds)
      guard time == expected, time.secondsSince1970 == seconds, time.isDayOfCalendar else {
        Issue.record("\(time) at \(seconds), expected \(expected)")
        return
      }
      let isLeap =
        expected.year % 4 == 0 && (expected.year % 100 != 0 || expected.year % 400 == 0)
      let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][
        expected.month - 1]
      expected.day += 1
      if expected.day > length {
        #expect(!expected.isDayOfCalendar)
        (expected.month, expected.day) = (expected.month + 1, 1)
      }
      if expected.month > 12 { (expected.year, expected.month) = (expected.year + 1, 1) }
      seconds += 86_400
    }
    #expect(seconds == 13_569_465_600)
  }

  @Test func `the last second of a day, negative times and out-of-range times are converted`() {
    #expect(CivilTime(secondsSince1970: -1).isoText == "1969-12-31T23:59:59")
    #expect(CivilTime(secondsSince1970: 86_399).isoText == "1970-01-01T23:59:59")
    #expect(CivilTime(secondsSince1970: .max).isoText == "9999-12-31T23:59:59")
    #expect(CivilTime(secondsSince1970: .min).isoText == "0001-01-01T00:00:00")
    #expect(CivilTime(year: 1970, month: 2, day: 31).secondsSince1970 == 61 * 86_400)
    #expect(CivilTime(year: 1969, month: 12, day: 31, hour: 1).dayNumber == -1)
  }

  @Test(
    arguments: [
      (1582, 10, 15, "Fri"), (1900, 1, 1, "Mon"), (1969, 12, 31, "Wed"), (2000, 2, 29, "Tue"),
      (2026, 11, 24, "Tue"),
    ] as [(Int, Int, Int, String)])
  func `the weekday of a date is correct`(_ year: Int, _ month: Int, _ day: Int, _ name: String) {
    #expect(CivilTime(year: year, month: month, day: day).weekdayName == name)
  }

  @Test(
    arguments: [(2026, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 0), (1900, 2, 29)]
      as [(Int, Int, Int)])
  func `an invalid date is not a calendar day`(_ year: Int, _ month: Int, _ day: Int) {
    #expect(!CivilTime(year: year, month: month, day: day).isDayOfCalendar)
  }

  @Test func `a date cursor does not advance if nothing matches`() {
    var cursor = DateCursor(trimming: " \t12:3x ")
    #expect(cursor.consumeNumber(digits: 3) == nil && cursor.consumeNumber(digits: 2) == 12)
    #expect(
      !cursor.consumeLiteral(":4") && !cursor.consume(anyOf: "-") && cursor.consume(anyOf: "-:"))
    #expect(cursor.consumeNumber(digits: 2) == nil && cursor.digitCount == 1)
    #expect(cursor.consumeWord(in: ["4", "3X"]) == 1 && cursor.isAtEnd)
    #expect(
      cursor.consumeNumber(digits: 1) == nil && !cursor.consume(anyOf: "x")
        && cursor.consumeLiteral(""))
  }
}
