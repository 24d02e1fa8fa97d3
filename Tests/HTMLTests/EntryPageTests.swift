import Testing

@testable import Document
@testable import Formats

/// Calendars and contacts shown as pages.
@Suite struct EntryPageTests {
  private static func text(_ content: String, _ type: String) -> String {
    let text = Array(content.utf8)
    let document = Document(
      text: text, format: TextFormat(mediaType: type, name: ""), url: "")
    return String(decoding: document.plainText, as: UTF8.self)
  }

  @Test func `the events, tasks and notes of a calendar are shown`() {
    let text = Self.text(
      """
      BEGIN:VCALENDAR
      METHOD:PUBLISH
      X-WR-CALNAME:Harbour\\, east
      BEGIN:VEVENT
      DTSTART;TZID=Europe/Rome:20260303T100000
      SUMMARY:Low
        tide
      DESCRIPTION:First\\nsee https://a.test/b
      BEGIN:VALARM
      DESCRIPTION:Alarm
      END:VALARM
      END:VEVENT
      BEGIN:VTODO
      DUE:20260304T080000Z
      STATUS:CANCELLED
      END:VTODO
      BEGIN:VTODO
      SUMMARY:Paint
      STATUS:completed
      END:VTODO
      END:VCALENDAR
      """, "text/calendar")
    #expect(
      text == """
        Harbour, east
        Low tide
        Start: 2026-03-03 10:00 (Europe/Rome)
        First
        see https://a.test/b
        Task
        Status: Cancelled
        Due: 2026-03-04 08:00 (UTC)
        Paint
        Status: Completed

        """)
  }

  @Test func `the attendees of an event and the dates without it are shown`() {
    let text = Self.text(
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      SUMMARY:Low tide
      DTSTART:20260303T100000Z
      EXDATE:20260304T100000Z,20260305T100000Z
      ATTENDEE;CN="Ann, B";PARTSTAT=DECLINED:mailto:a@a.test
      EXDATE;VALUE=DATE:20260306
      ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:b@a.test
      END:VEVENT
      END:VCALENDAR
      """, "text/calendar")
    #expect(
      text == """
        Low tide
        Start: 2026-03-03 10:00 (UTC)
        Except: 2026-03-04 10:00 (UTC), 2026-03-05 10:00 (UTC), 2026-03-06
        Attendees: Ann, B (declined), b@a.test

        """)
  }

  @Test(
    arguments: [
      ("<p>First<b>\\n low</p><p>see <a href=\"https://a.test/b\">map</a>", "First low\nsee map"),
      ("First<br>https://a.test/?b&amp;c", "First\nhttps://a.test/?b&c"),
      ("First<br>&lt;https://a.test/b&gt;", "First\n<https://a.test/b>"),
      ("First\\nsee <a href=\"https://a.test/b\">map</a><table>", "First\nsee map"),
      ("a < b\\n<i>c</i>", "a < b\n<i>c</i>"),
    ] as [(String, String)])
  func `a description that is HTML is shown as its text`(
    _ description: String, _ expected: String
  ) {
    let text = Self.text(
      """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      SUMMARY:Low tide
      DESCRIPTION:\(description)
      END:VEVENT
      BEGIN:VEVENT
      SUMMARY:High tide
      END:VEVENT
      END:VCALENDAR
      """, "text/calendar")
    #expect(text == "Low tide\n\(expected)\nHigh tide\n")
  }

  @Test func `contacts are shown with the kinds of their addresses`() {
    let text = Self.text(
      """
      BEGIN:VCARD
      VERSION:3.0
      N:Lee;Ann;;Dr.;
      FN:Ann Lee
      ORG:Port\\; East;Office
      item1.EMAIL;TYPE="internet,work":ann@e.test
      TEL;VALUE=uri;TYPE=cell:tel:+49-1
      ADR;TYPE=home:;;Quay 1;Port;;123;
      BDAY:19850412
      PHOTO;ENCODING=b:AAAA
       BBBB
      NOTE:One\\nTwo
      END:VCARD
      BEGIN:VCARD
      VERSION:2.1
      N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=
      ller;Jo
      TEL;WORK;VOICE:12
      END:VCARD
      """, "text/vcard")
    #expect(
      text == """
        Ann Lee
        Organization: Port; East, Office
        Email: ann@e.test (work)
        Phone: +49-1 (cell)
        Address: Quay 1, Port, 123 (home)
        Birthday: 1985-04-12
        One
        Two
        Jo Müller
        Phone: 12 (work)

        """)
  }

  @Test(arguments: ["text/calendar", "text/vcard"])
  func `a text without entries is shown as it is`(_ type: String) {
    #expect(Self.text("BEGIN:VCALENDAR\nX: y", type) == "BEGIN:VCALENDAR\nX: y\n")
  }
}
