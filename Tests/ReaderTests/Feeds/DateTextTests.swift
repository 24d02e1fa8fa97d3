import Feeds
import Foundation
import TestSupport
import Testing

@Suite struct DateTextTests {
  /// 2026-11-21 10:15:30 UTC.
  private static let instant = 1_795_256_130
  private static let midnight = instant - 36_930

  @Test(
    arguments: [
      // RFC 822, and common errors in it.
      ("Sat, 21 Nov 2026 10:15:30 GMT", instant),
      ("Sat, 21 Nov 2026 10:15:30 +0000", instant),
      ("21 Nov 2026 10:15:30 GMT", instant),
      ("Sat,21 Nov 2026 10:15:30 GMT", instant),
      ("Saturday, 21 November 2026 11:15:30 +0100", instant),
      ("Mon, 21 Nov 26 05:15:30 EST", instant),
      ("Sat, 21 Nov 2026 02:15:30 PST", instant),
      ("Sat, 21 Nov 2026 12:15:30 GMT+2", instant),
      ("Sat, 21 Nov 2026 12:15:30 GMT+0200", instant),
      ("Sat, 21 Nov 2026 12:15:30 UTC+02:00", instant),
      ("Sat, 21 Nov 2026 10:15:30", instant),
      ("Sat, 21 Nov 2026 10:15:30 Z", instant),
      ("Sat, 21 Nov 2026 10:15:30 (UTC)", instant),
      ("Sat, 21 Nov 2026 10:15 GMT", 1_795_256_100),
      ("Sat, 21 Nov 2026", midnight), ("Sat, 21 Nov 2026 +0100", midnight),
      ("21 Nov 2026 EST", midnight),
      ("Sat, 21 Nov 2026 25:61:00 GMT", midnight),
      ("Sat, 21 Nov 2026 10:61 GMT", midnight),
      ("Sat, 21 Nov 2026 10:15:99", midnight),
      ("Sat Nov 21 10:15:30 2026", instant),
      ("Sat Nov 21 10:15:30 UTC 2026", instant),
      ("Nov 21, 2026 10:15:30 AM", instant),
      ("Nov 20, 2026 10:15:30 PM", 1_795_212_930),
      ("November 21, 2026", midnight),
      ("2026 Nov 21 10:15:30", instant),
      ("21-Nov-2026 10:15:30", instant),
      ("21-Nov-26", midnight),
      ("Sat, 21 11 2026 10:15:30 GMT", instant),
      ("Sat, 21 Nov 2026 05:15:30 America/New_York", instant),
      ("2026-11-21 11:15:30 Europe/Berlin", instant),
      ("2026-11-21 05:15:30 America/New_York", instant),
      ("Sat, 21 Nov 2026 05:15:30 Eastern Standard Time", instant),
      ("Sat Nov 21 2026 11:15:30 GMT+0100 (Central European Standard Time)", instant),
      ("21 November 2026 12:15:30 (Central European Summer Time)", 1_795_256_130),
      ("21 November 2026 11:15:30 (Central European Standard Time)", instant),
      ("pet, 21 nov 2026 10:15:30", instant),
      ("21 November 2026 20:45:30 Australian Central Daylight Time", instant),
      ("21 November 2026 10:15:30 Any Time", instant),
      ("Samstag, 21. November 2026 11:15:30 MEZ", instant),
      ("sam., 21 nov. 2026 10:15:30 +0000", instant),
      ("Sat, 21 Dez 2026 10:15:30 GMT", 1_797_848_130),
      ("21 декабря 2026 10:15:30", 1_797_848_130),
      ("Sat, 21 Nov 2026 24:00:00 GMT", 1_795_305_600),
      ("토, 21 11월 2026 19:15:30 +0900", instant),
      ("週六, 21 十一月 2026 18:15:30 +0800", instant),
      ("土, 21 11月 2026 19:15:30 +0900", instant),
      ("  \n Sat, 21 Nov 2026 10:15:30 GMT\t", instant),
      // ISO 8601.
      ("2026-11-21T10:15:30Z", instant),
      ("2026-11-21T11:15:30+01:00", instant),
      ("2026-11-21T11:15:30+0100", instant),
      ("2026-11-21T11:15:30+01", instant),
      ("2026-11-21T10:15:30.123Z", instant),
      ("2026-11-21T10:15:30,5Z", instant),
      ("2026-11-21t10:15:30z", instant),
      ("2026-11-21 10:15:30", instant),
      ("2026-11-21 10:15:30 UTC", instant),
      ("2026-11-21T10:15:30 +0000", instant),
      ("2026-11-21 05:15:30 -0500", instant),
      ("2026-11-21T10:15Z", 1_795_256_100),
      ("2026-11-21", midnight), ("2026-11-21+01:00", midnight), ("2026-11-21Z", midnight),
      ("2026-11-21 -0500", midnight), ("2026-11-21-05:00", midnight),
      ("2026-11", 1_793_491_200),
      ("2026", 1_767_225_600),
      ("20261121T101530Z", instant),
      ("20261121", midnight),
      ("2026/11/21 10:15:30", instant),
      ("2026-11-1", 1_793_491_200),
      ("2026-W47-6", midnight), ("2026W476", midnight), ("2026-W47-6T10:15:30Z", instant),
      ("2026-W47", midnight - 432_000), ("2026-W01-1", 1_766_966_400),
      ("2020-W53-7", 1_609_632_000), ("2026-325", midnight), ("2026325T101530Z", instant),
      ("2026-11-21T11:15:30 01:00", instant),
      ("21.11.2026 10:15:30", instant),
      ("11/21/2026 10:15:30 AM", instant),
      ("21/11/2026", midnight),
      // Seconds, milliseconds, microseconds, and microseconds since 1601.
      ("1795256130", instant),
      ("1795256130000", instant),
      ("1795256130000000", instant),
      ("13439729730000000", instant),
      ("1795256130.5", instant),
    ] as [(String, Int)])
  func `a date is parsed in any format`(_ text: String, _ seconds: Int) {
    #expect(DateText.parse(text).map { Int($0.timeIntervalSince1970.rounded(.down)) } == seconds)
  }

  @Test(arguments: [
    "", " ", "yesterday", "Sat", "21", "Nov 2026", "2026-13-01", "2026-00-10", "2026-11-32",
    "21 Nov", "99:99:99", "2026-11-21T99:00", "--", "GMT", "\u{0}", "0000-01-01", "Nov Nov Nov",
    "99999999999999999", "1795256130000000000", "1 2 3", "::::", "12:", "-0001-01-01",
    "00/00/0000", "see page 5", "May 5th", "Fri, 31 Feb 2026 10:00:00 GMT", "2026-04-31T10:00:00Z",
    "29.02.2025", "2026-02-30", "2026-W00-1", "2026-W54", "2026-W10-8", "2026-000", "2026-W",
    "21 13 2026", "août 2021", "до 2021",
  ])
  func `other texts are not dates`(_ text: String) {
    #expect(DateText.parse(text) == nil)
  }

  @Test(
    arguments: [
      // "mar" is a day of the week if the name of a month follows.
      ("Mar, 24 Nov 2020 10:15:30 +0100", "24 Nov 2020, 09:15 UTC"),
      ("mar. 24 nov. 2020 10:15:30 +0000", "24 Nov 2020, 10:15 UTC"),
      ("mar, 24-nov-2020", "24 Nov 2020"),
      ("mar, 5 mar 2024 08:00:00 +0100", "5 Mar 2024, 07:00 UTC"),
      ("mar 5, 2024 8:00 AM", "5 Mar 2024, 08:00 UTC"),
      ("5 mar 2024", "5 Mar 2024"),
      // Forms that people write.
      ("May 5th, 2021", "5 May 2021"),
      ("1er mai 2021", "1 May 2021"),
      ("2021년 5월 20일 10:30", "20 May 2021, 10:30 UTC"),
      ("2021年5月20日 10:30", "20 May 2021, 10:30 UTC"),
      ("१२ Nov 2026", "12 Nov 2026"),
      ("04/Jan/2024 15:04", "4 Jan 2024, 15:04 UTC"),
      ("Jan. 4, 2024, 3:04 p.m.", "4 Jan 2024, 15:04 UTC"),
      ("Jan. 4, 2024, 12:04 a.m.", "4 Jan 2024, 00:04 UTC"),
      // The calendars of Iran and Thailand.
      ("1403/02/17", "6 May 2024"), ("1400/6/11 20:00", "2 Sep 2021, 20:00 UTC"),
      ("1403-02-17", "17 Feb 1403"), ("2564-09-02 20:00:00", "2 Sep 2021, 20:00 UTC"),
      ("Thu, 02 Sep 2564 20:00:00 +0700", "2 Sep 2021, 13:00 UTC"),
      // Days of the week beside other characters.
      ("2021/8/2(月) 10:30", "2 Aug 2021, 10:30 UTC"), ("2021年8月2日（月）", "2 Aug 2021"),
      ("2021년 8월 2일 (월)", "2 Aug 2021"), ("2021년 8월 2일 (월) 10:30", "2 Aug 2021, 10:30 UTC"),
      ("พฤ. 2 ก.ย. 2564", "2 Sep 2021"), ("2021/8/2(月)1030", "2 Aug 2021, 10:30 UTC"),
      // Times with dots.
      ("Sat, 05 Jun 2021 12.30.00 +0200", "5 Jun 2021, 10:30 UTC"),
      ("5 June 2021 9.05", "5 Jun 2021, 09:05 UTC"), ("5 June 2021 1.5", "5 Jun 2021"),
      // A weekday that a template wrote as a number.
      ("026, 26 Mar 2023 22:43:38 +0000", "26 Mar 2023, 22:43 UTC"),
      // An offset and the name of its zone.
      ("2024-01-04T15:04:05-05:00[America/New_York]", "4 Jan 2024, 20:04 UTC"),
      ("2024-01-04T15:04:05.000-05:00 EST", "4 Jan 2024, 20:04 UTC"),
      ("2024-01-04 15:04:05 +0300 MSK", "4 Jan 2024, 12:04 UTC"),
    ] as [(String, String)])
  func `weekdays, written forms and named offsets are understood`(_ text: String, _ date: String) {
    #expect(DateText.parse(text).map(DateText.formatted) == date)
  }

  @Test(arguments: [
    "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z", "1970-01-01",
    "Mon, 01 Jan 0001 00:00:00 +0000", "0001-01-01T00:00:00Z", "Wed, 30 Nov -0001 00:00:00 +0000",
  ])
  func `the date of an unset clock is no date`(_ text: String) {
    #expect(DateText.parse(text) == nil)
  }

  @Test func `a date near the zero of a clock is a date`() {
    #expect(DateText.parse("1970-01-01T00:00:01Z") != nil)
    #expect(DateText.parse("Thu, 01 Jan 1970 12:00:00 GMT") != nil)
  }

  @Test(arguments: [
    "9223372036854775807/1582/0", "9223372036854775807.1.1", "1/1/9223372036854775807",
    "Nov 9223372036854775807 26", "21 Nov 9223372036854775807", "9223372036854775807-Nov-26",
  ])
  func `out-of-range numbers are not dates`(_ text: String) {
    #expect(DateText.parse(text) == nil)
  }

  @Test func `any text is parsed without overflow`() {
    var random = SplitMix64(seed: 822)
    let tokens = [
      "21", "Nov", "2026", "10:15:30", ":", "-", "/", ".", "+", "GMT", "T", "Z", " ", ",",
      "99999999",
      "\u{2212}", "é", "PM", "0", "٣", "\u{0}", "+0100",
      "9223372036854775807", "-9223372036854775808",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        tokens.randomElement(using: &random) ?? ""
      }.joined()
      if let date = DateText.parse(text) {
        #expect(abs(date.timeIntervalSince1970) < 4e11)
        #expect(!DateText.formatted(date).isEmpty)
      }
    }
  }

  @Test func `a date is shown in UTC, without its time if that is midnight`() {
    #expect(
      DateText.formatted(Date(timeIntervalSince1970: Double(Self.instant)))
        == "21 Nov 2026, 10:15 UTC")
    #expect(DateText.formatted(Date(timeIntervalSince1970: 1_767_225_600.9)) == "1 Jan 2026")
    #expect(DateText.formatted(Date(timeIntervalSince1970: -1)) == "31 Dec 1969, 23:59 UTC")
  }

  @Test(
    arguments: [
      (["25/12/2020 10:00", "03/06/2020 11:00"], "", "2020-06-03"),
      (["Wed, 03/06/2020 - 11:00", "Fri, 25/12/2020 - 10:00"], "en-us", "2020-06-03"),
      (["12/25/2020", "03/06/2020 11:00"], "fr", "2020-03-06"),
      (["03/06/2020"], "", "2020-03-06"), (["03/06/2020"], "en-US", "2020-03-06"),
      (["03/06/2020"], "fr-FR", "2020-06-03"), (["03/06/2020"], "en-gb", "2020-06-03"),
      // Contradictory dates decide nothing.
      (["25/12/2020", "12/25/2020", "03/06/2020"], "", "2020-03-06"),
      (["03/06/2020", "1/2", "2020/13/01", "a/b/c"], "", "2020-03-06"),
    ] as [([String], String, String)])
  func `the dates of a feed have one order of day and month`(
    _ dates: [String], _ language: String, _ expected: String
  ) throws {
    let items = dates.map { "<item><title>\($0)</title><pubDate>\($0)</pubDate></item>" }
    let text =
      "<rss><channel><title>F</title><language>\(language)</language>\(items.joined())</channel></rss>"
    let feed = try #require(Feed(Array(text.utf8)))
    let item = try #require(feed.items.first { $0.title.contains("03/06/2020") })
    let day = try #require(DateText.parse(expected))
    #expect(item.date.map { $0.timeIntervalSince(day) < 86_400 && $0 >= day } == true)
  }
}
