import Dates
import Testing

@Suite struct WrittenDateTests {
  @Test(arguments: [
    // ISO 8601.
    ("2016-12-16", "2016-12-16"), ("2016-12-16T16:19:30Z", "2016-12-16T16:19:30Z"),
    ("2016-12-16T16:19", "2016-12-16T16:19"),
    ("2016-12-16T16:19:30+0100", "2016-12-16T16:19:30+01:00"),
    ("2016-12-16T16:19:30-05:00", "2016-12-16T16:19:30-05:00"),
    ("2016-12-16T16:19:30.294Z", "2016-12-16T16:19:30.294Z"),
    ("2016-12-16 16:19:30", "2016-12-16T16:19:30"),
    ("2016-12-16 16:19:30 UTC", "2016-12-16T16:19:30Z"),
    ("20161216", "2016-12-16"), ("20161216T161930Z", "2016-12-16T16:19:30Z"),
    ("20161216T1619", "2016-12-16T16:19"), ("2016-12", "2016-12"), ("2016", "2016"),
    ("2005-5-7 21:23:57", "2005-05-07T21:23:57"), ("2016/12/16", "2016-12-16"),
    ("2016.12.16", "2016-12-16"), ("2016. 12. 16.", "2016-12-16"),
    // English.
    ("Dec 16, 2016", "2016-12-16"), ("DEC. 16, 2016", "2016-12-16"),
    ("December 16th, 2016", "2016-12-16"), ("16 December 2016", "2016-12-16"),
    ("16th of December 2016", "2016-12-16"), ("Friday, December 16, 2016", "2016-12-16"),
    ("Fri 16 Dec 2016", "2016-12-16"), ("16-Dec-2016", "2016-12-16"), ("16-Dec-16", "2016-12-16"),
    ("2016 Dec 16", "2016-12-16"), ("Dec 16 '16", "2016-12-16"), ("Mar 5, 2016", "2016-03-05"),
    ("Sept. 5, 2016", "2016-09-05"), ("May 1, 2016", "2016-05-01"),
    ("Dec 16, 2016, 4:19 PM ET", "2016-12-16T16:19"),
    ("Dec 16, 2016, 4:19 PM EST", "2016-12-16T16:19-05:00"),
    ("December 16, 2016 at 4:19 p.m.", "2016-12-16T16:19"),
    ("4:19 PM, December 16, 2016", "2016-12-16T16:19"),
    ("December 16, 2016 12:05 am", "2016-12-16T00:05"),
    ("Fri Mar 10, 2023", "2023-03-10"), ("Tue Mar  7 10:15:22 UTC 2006", "2006-03-07T10:15:22Z"),
    ("Fri, 16 Dec 2016 16:19:30 GMT", "2016-12-16T16:19:30Z"),
    ("Fri, 16 Dec 2016 16:19:30 +0100", "2016-12-16T16:19:30+01:00"),
    ("Fri Dec 16 16:19:30 2016", "2016-12-16T16:19:30"),
    ("16 December 2016 | 16:19 BST", "2016-12-16T16:19+01:00"),
    // Other European languages.
    ("16. Dezember 2016", "2016-12-16"),
    ("Freitag, 16. Dezember 2016, 16:19 Uhr", "2016-12-16T16:19"),
    ("16.12.2016", "2016-12-16"), ("16.12.2016 - 16.19 Uhr", "2016-12-16T16:19"),
    ("16.12.16", "2016-12-16"), ("5. März 2016", "2016-03-05"), ("1. Jänner 2016", "2016-01-01"),
    ("16 décembre 2016 à 16h19", "2016-12-16T16:19"), ("1er août 2016", "2016-08-01"),
    ("16 de diciembre de 2016", "2016-12-16"), ("16 de dezembro de 2016", "2016-12-16"),
    ("16 dicembre 2016", "2016-12-16"), ("16 december 2016", "2016-12-16"),
    ("16 grudnia 2016", "2016-12-16"), ("16 декабря 2016, 16:19", "2016-12-16T16:19"),
    ("16 грудня 2016", "2016-12-16"), ("16. prosince 2016", "2016-12-16"),
    ("2016. december 16.", "2016-12-16"), ("16 Aralık 2016", "2016-12-16"),
    ("16. joulukuuta 2016", "2016-12-16"), ("16 Δεκεμβρίου 2016", "2016-12-16"),
    ("mar. 5 mars 2016", "2016-03-05"), ("16 décembre 2016 16 h 19", "2016-12-16T16:19"),
    // Other scripts.
    ("2022年2月13日", "2022-02-13"), ("2022年2月13日 09:57", "2022-02-13T09:57"),
    ("2022年2月13日（日）9時57分", "2022-02-13T09:57"), ("2022年2月13日 星期日 下午4:19", "2022-02-13T16:19"),
    ("2022년 2월 13일", "2022-02-13"), ("2022년 2월 13일 오후 4:19", "2022-02-13T16:19"),
    ("2022.02.13 09:57", "2022-02-13T09:57"), ("16 ديسمبر 2016", "2016-12-16"),
    ("١٦ ديسمبر ٢٠١٦", "2016-12-16"), ("16 दिसंबर 2016", "2016-12-16"), ("２０２２年２月１３日", "2022-02-13"),
    ("5 במרץ 2024", "2024-03-05"), ("5 มีนาคม 2567", "2024-03-05"), ("29 ก.พ. 2567", "2024-02-29"),
    ("令和6年3月5日", "2024-03-05"), ("平成元年5月6日", "1989-05-06"), ("民國113年3月5日", "2024-03-05"),
    // Digits alone.
    ("20161216161930", "2016-12-16T16:19:30"), ("201612161619", "2016-12-16T16:19"),
    // Order of day and month.
    ("16/12/2016", "2016-12-16"), ("12/16/2016", "2016-12-16"), ("5/6/2016", "2016-05-06"),
    ("05.06.2016", "2016-06-05"), ("05-06-2016", "2016-06-05"),
    ("17 Agustus 2023", "2023-08-17"), ("3 Maret 2021", "2021-03-03"),
    ("14 верасня 2022", "2022-09-14"), ("7. avgust 2020", "2020-08-07"),
    ("9 октобар 2019", "2019-10-09"), ("21 Hydref 2018", "2018-10-21"),
    ("12 dekabr 2024", "2024-12-12"), ("5 سپتامبر 2021", "2021-09-05"),
    ("2 আগস্ট 2021", "2021-08-02"), ("1 qershor 2020", "2020-06-01"),
    ("5 كانون الأول 2024", "2024-12-05"), ("5 كانون الثاني 2024", "2024-01-05"),
    ("5 تشرين الأول 2024", "2024-10-05"), ("5 تشرين الثاني 2024", "2024-11-05"),
    ("5 tháng 3 năm 2024", "2024-03-05"), ("5 Tháng Ba, 2024", "2024-03-05"),
    ("5 tháng năm 2024", "2024-05-05"), ("5 Tháng Mười Hai, 2024", "2024-12-05"),
    ("5 नवम्बर 2024", "2024-11-05"),
    ("5 มีนาคม พ.ศ. 2567 09:57 น.", "2024-03-05T09:57"),
    ("Tue 5 Mar 2024 09.57 GMT", "2024-03-05T09:57Z"),
    ("5. nov. 2024 kl. 09.57", "2024-11-05T09:57"), ("5.11.2024 klo 9.57", "2024-11-05T09:57"),
    ("5 Maret 2024 09:57 WIB", "2024-03-05T09:57+07:00"),
  ])
  func `a date is parsed in any form`(_ row: (text: String, iso: String)) {
    #expect(WrittenDate.parse(row.text)?.isoText == row.iso)
  }

  @Test(arguments: [
    ("en-US", "04-06-2024", "2024-04-06"), ("en_US", "4-6-2024 10:30", "2024-04-06T10:30"),
    ("en-US", "04/06/2024", "2024-04-06"), ("en-US", "04.06.2024", "2024-06-04"),
    ("en-US", "25-12-2023", "2023-12-25"), ("en-GB", "04-06-2024", "2024-06-04"),
    ("nl", "04-06-2024", "2024-06-04"), ("en", "04-06-2024", "2024-06-04"),
    ("es-US", "04-06-2024", "2024-06-04"), ("", "04-06-2024", "2024-06-04"),
  ])
  func `dashes have the month first in American English only`(
    _ language: String, _ text: String, _ iso: String
  ) {
    #expect(WrittenDate.parse(text, order: .init(language: language))?.isoText == iso)
  }

  @Test(arguments: [
    ("3. listopada 2023.", "2023-10-03"), ("3. lis 2023.", "2023-10-03"),
    ("3. lis. 2023", "2023-10-03"), ("3 listopada 2023", "2023-11-03"),
    ("3 lis 2023", "2023-11-03"), ("3. listopadu 2023", "2023-11-03"),
  ])
  func `listopada after a dot is October in Croatian`(_ text: String, _ iso: String) {
    #expect(WrittenDate.parse(text)?.isoText == iso)
  }

  @Test(arguments: [
    "", " ", "yesterday", "today", "3 hours ago", "16", "Dec 2016", "16 Dec", "2016-13-01",
    "2016-02-30", "30 February 2016", "99/99/2016", "1.2.3", "10.12.2", "4:19 PM", "12.5 %",
    "1772618400", "1795256130000", "20161216251930", "+1 212 555 0100",
    "5 May 2016 and 6 June 2016", "Room 16",
    "2016 people", "$2016", "0/0/2016", "16/12/2016 by admin", "May", "12345678901234567890",
  ])
  func `other texts are not dates`(_ text: String) {
    #expect(WrittenDate.parse(text) == nil)
  }

  @Test(arguments: [
    ("", WrittenDate.DayMonthOrder.monthFirst), ("en", .monthFirst),
    ("en-US", .monthFirstWithDashes),
    ("en_US", .monthFirstWithDashes), ("en-GB", .dayFirst), ("en-AU", .dayFirst), ("de", .dayFirst),
    ("fr-CA", .dayFirst), ("pt-BR", .dayFirst),
  ])
  func `the language determines the order of day and month`(
    _ row: (language: String, order: WrittenDate.DayMonthOrder)
  ) {
    #expect(WrittenDate.DayMonthOrder(language: row.language) == row.order)
    let month = row.order != .dayFirst ? "2016-05-06" : "2016-06-05"
    #expect(
      WrittenDate.parse("5/6/2016", order: WrittenDate.DayMonthOrder(language: row.language))?
        .isoText
        == month)
  }

  @Test func `seconds since 1970 are a date only where they are expected`() {
    #expect(WrittenDate(secondsSince1970: "1795256130")?.isoText == "2026-11-21T10:15:30Z")
    #expect(WrittenDate(secondsSince1970: "1795256130000")?.isoText == "2026-11-21T10:15:30Z")
    for text in ["9999999999", "2024030509", "0", "-1795256130", "2016", "now"] {
      #expect(WrittenDate(secondsSince1970: text) == nil)
    }
  }

  @Test func `dates in a line have the range of their tokens`() {
    let line = "By Jane Doe, DEC. 16, 2016, updated 5 May 2017 10:15"
    let tokens = DateToken.tokens(of: line)
    let dates = DateScanner(tokens, order: .monthFirst).dates
    let texts = dates.map { found in
      String(
        line[
          tokens[found.tokenRange.lowerBound].range
            .lowerBound..<tokens[found.tokenRange.upperBound - 1]
            .range.upperBound])
    }
    #expect(texts == ["DEC. 16, 2016", "5 May 2017 10:15"])
    #expect(dates.map(\.date.isoText) == ["2016-12-16", "2017-05-05T10:15"])
  }
}
