import Containers
import Document
import Exchange
import Foundation
import Formats
import Testing

@testable import LocalDocuments
@testable import Pages

/// Mail shown as a page.
@Suite struct MailTests {
  private static let head = "From: a@e.test\nTo: b@e.test\nSubject: =?utf-8?Q?=C3=BC?= x\n"

  private func item(_ mail: String, at inner: String = "") throws -> MailPages.Item {
    let message = try MIMEMessage(Array(mail.utf8))
    return try MailPages(name: "m.eml", mailbox: Mailbox(message)) { "file:///m.eml/\($0)" }
      .item(at: inner)
  }

  private func text(_ item: MailPages.Item) -> String {
    let page = try? PageContent(item.bytes, type: item.type, limit: 1 << 20)
    return page.map { String(decoding: $0.document(url: "").plainText, as: UTF8.self) } ?? ""
  }

  private func mixed(_ parts: String..., type: String = "mixed") -> String {
    mixedOf(parts, type: type)
  }

  private func mixedOf(_ parts: [String], type: String = "mixed") -> String {
    Self.head + "MIME-Version: 1.0\nContent-Type: multipart/\(type); boundary=b\n\n"
      + parts.map { "--b\n\($0)\n" }.joined() + "--b--\n"
  }

  @Test(arguments: [
    ("filename*=utf-8''na%C3%AFve.txt", "naïve.txt"),
    ("filename*=iso-8859-1'de'%FCber.txt", "über.txt"),
    ("filename*0*=utf-8''Z%C3%BC-;\n filename*1=\"two.txt\"", "Zü-two.txt"),
    // In any order, up to the first missing part.
    ("filename*1*=b%20c; filename*0*=UTF-8''a; filename*3=d", "ab c"),
    ("filename=plain.txt; filename*=utf-8''%e2%82%ac.txt", "€.txt"),
    ("filename=\"=?utf-8?B?w7w=?=.txt\"", "ü.txt"),
    ("filename=unquoted name.doc", "unquoted name.doc"),
    ("filename*=''100%.txt", "100%.txt"), ("filename=UTF-8''na%C3%AFve%20a.txt", "naïve a.txt"),
    ("filename=\"utf-8'en'%C3%BC.txt\"", "ü.txt"), ("filename=\"a'b'c%20.txt\"", "a'b'c%20.txt"),
    ("filename*0=\"=?utf-8?B?w7\"; filename*1=\"w=?=.txt\"", "ü.txt"),
  ])
  func `attachment names are decoded`(_ parameter: String, _ name: String) throws {
    let part = "Content-Type: application/x-y\nContent-Disposition: attachment; \(parameter)\n\nx"
    let shown = text(try item(mixed("Content-Type: text/plain\n\nhi", part)))
    #expect(shown.contains("\(name) (application/x-y, 1 B)"), "\(shown)")
  }

  @Test(arguments: [
    "Content-Type: =?utf-8?Q?application/pdf=3B_name=3D=22r=C3=A9sum=C3=A9.pdf=22?=\n\nx",
    "Content-Type: =?utf-8?B?YXBwbGljYXRpb24vcGRm?=\n =?utf-8?Q?;_name=3D\"r=C3=A9sum=C3=A9.pdf\"?=\n\nx",
    "Content-Type: application/pdf\n"
      + "Content-Disposition: =?utf-8?Q?attachment;filename=3Dr=C3=A9sum=C3=A9.pdf?=\n\nx",
  ])
  func `a type with a name may be written as encoded words`(_ part: String) throws {
    let shown = text(try item(mixed("Content-Type: text/plain\n\nhi", part)))
    #expect(shown.contains("résumé.pdf (application/pdf, 1 B)"), "\(shown)")
  }

  @Test func `an attachment name in very many parts is read up to a limit`() throws {
    let parts = (0..<5000).map { "filename*\($0)=x" }.joined(separator: ";\n ")
    let part = "Content-Type: application/x-y\nContent-Disposition: attachment; \(parts)\n\nx"
    #expect(text(try item(mixed("\nhi", part))).contains("xxx (application/x-y"))
  }

  @Test(arguments: [
    ("text/plain; charset=utf-8\nContent-Transfer-Encoding: base64", "R3LDvMOfZQo=", "Grüße"),
    (
      "text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable", "a=FC=\nb",
      "aüb"
    ),
    (
      "text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
      "<p>=C3=BC<b>c</b>", "üc"
    ),
  ])
  func `mail with a single part is shown`(_ type: String, _ content: String, _ expected: String)
    throws
  {
    let mail = Self.head + "Content-Type: \(type)\n\n\(content)\n"
    #expect(MIMEMessage.isFormat(of: Array(mail.utf8)))
    let shown = text(try item(mail))
    #expect(shown.contains("From: a@e.test") && shown.contains("ü x") && shown.contains(expected))
  }

  @Test(arguments: [
    "From: a@e.test\n\nA letter.", "From: a letter\nthat is none\nSubject: x\nTo: y\n\n",
    "From 0 Mon Sep 17 00:00:00 2001\nFrom: a\nSubject: [PATCH] x\nDate: y\n\ndiff",
    "Subject: x\nDate: y\n\n",
  ])
  func `other texts are not mail`(_ text: String) {
    #expect(!MIMEMessage.isFormat(of: Array(text.utf8)))
  }

  @Test(arguments: [
    ("R3LDvMOfZQo=\n_____\nthe list\nhttps://e.test/", "Grüße\n", "the list"),
    ("R3LDvMOfZQo=\n\nFooter", "Grüße", "Footer"),
    ("QUJDREVGR0hJ\nSktM\n--\nthe list", "ABCDEFGHIJKL", "the list"),
    ("QUJDREVGR0hJ\nSktM\n", "ABCDEFGHIJKL", ""),
    ("the list", "", "the list"),
    ("SGVsbG8gd29y\n!!!bGQgYWdhaW4=\n\n--\nthe list", "Hello world again", "the list"),
    ("SGVsbG8=\nIHdvcmxk\n", "Hello world", ""),
    ("SGVsbG8=\nIHdvcmxkIQ==\n_____\nthe list", "Hello world!", "the list"),
    // Without padding, text may follow any line.
    ("SGVsbG8gd29y\nhttps://e.test/abc", "Hello wor", "https://e.test/abc"),
    ("SGVsbG8gd29y\n!!!!!bGQgYWdhaW4=", "Hello wor", "!!!!!bGQgYWdhaW4="),
  ])
  func `text after a base64 text is shown as it is`(
    _ content: String, _ first: String, _ second: String
  ) throws {
    let type = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64"
    let shown = text(try item(Self.head + "\(type)\n\n\(content)\n"))
    for part in [first, second] where !part.isEmpty {
      #expect(shown.contains(part), "\(shown)")
    }
  }

  @Test(arguments: [
    ("=?utf-8?Q?gr=C3?= =?utf-8?Q?=BCn?=", "grün"), ("=?utf-8?B?w7w=?= =?utf-8?B?w7w=?=", "üü"),
    ("a =?utf-8?Q?b?= c =?utf-8?Q?d?=", "a b c d"),
    ("=?utf-8?Q?a=C3?= =?iso-8859-1?Q?=FC?=", "a\u{FFFD}ü"),
    ("=?x?Q?a?= =?utf-8?Q?b?=", "ab"), ("=?x?R?a?= =?utf-8?Q?b?=", "=?x?R?a?= b"),
    ("=?X-UNKNOWN?Q?gr=C3=BCn?=", "grün"), ("=?unknown-8bit?B?w7w=?=", "ü"),
    ("=?utf-8?B?44G?=\n =?UTF-8?B?gg==?=", "\u{3042}"),
  ])
  func `encoded words are decoded together`(_ value: String, _ expected: String) {
    #expect(MailPages.decoded(value) == expected)
  }

  @Test(arguments: [
    ("Content-Type: text/plain; charset=koi8-r\n\n", [0xF4, 0xC5, 0xCB, 0xD3, 0xD4], "Текст"),
    (
      "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=gbk\n\n",
      [0xD6, 0xD0, 0xCE, 0xC4], "中文"
    ),
    ("\n", Array("\u{1B}$BF|K\\\u{1B}(B".utf8), "日本"), ("\n", [0x66, 0xFC, 0x72], "für"),
    ("Content-Type: text/plain; charset=utf-8\n\n", [0x66, 0xFC, 0x72], "für"),
    ("Content-Type: text/plain; charset=iso-2022-jp\n\n", [0x66, 0xFC, 0x72], "für"),
    ("Content-Type: text/plain; charset=koi8-r\n\n", Array("Текст".utf8), "Текст"),
  ])
  func `a header without encoded words has the charset of the text`(
    _ row: (rest: String, subject: [UInt8], expected: String)
  ) throws {
    let head = "From: a@e.test\nTo: b@e.test\nSubject:  "
    let bytes = Array(head.utf8) + row.subject + Array(" \n x\n\(row.rest)hi\n".utf8)
    let pages = MailPages(name: "m.eml", mailbox: Mailbox(try MIMEMessage(bytes))) { $0 }
    #expect(text(try pages.item(at: "")).hasPrefix("\(row.expected) x\n"))
  }

  @Test(arguments: [
    ("cp932", "=93=FA=96=7B", "日本"), ("CP-850", "caf=82", "café"), ("ibm437", "caf=82", "café"),
    ("utf-7", "caf+AOk-", "café"), ("x-unicode-1-1-utf-7", "a+b", "a+b"),
    ("johab", "=D0=65=8B=69", "한글"), ("cp949", "=C7=D1=B1=DB", "한글"),
    ("iso-2022-kr", "=1B$)C=0E=47=51=31=5B=0F", "한글"),
    ("hz-gb-2312", "~{::WV~}a", "汉字a"), ("HZ-GB-2312", "a~~b~{WV~}", "a~b字"),
    ("hz-gb-2312", "a~=0D=0A~{WV~}~=0Ab", "a字b"),
    // Text in UTF-8 with a wrong label.
    ("cp850", "caf=C3=A9", "café"), ("cp9999", "caf=C3=A9", "café"),
  ])
  func `charsets that web pages do not use are decoded`(
    _ charset: String, _ content: String, _ expected: String
  ) throws {
    let fields =
      "Content-Type: text/plain; charset=\(charset)\n"
      + "Content-Transfer-Encoding: quoted-printable"
    #expect(text(try item(Self.head + "\(fields)\n\n\(content)\n")).contains(expected))
    let isWrong = ["cp850", "cp9999"].contains(charset)
    if !isWrong { #expect(MailPages.decoded("=?\(charset)?Q?\(content)?=") == expected) }
  }

  @Test(arguments: [
    ("<span style=\"font-family:Wingdings\">J</span>", "☺"),
    ("<FONT FACE=wingdings>&agrave;</FONT>", "→"),
    (
      "<span style='font-family:Wingdings'><span style='mso-list:Ignore'>§<span>&nbsp;</span></span>"
        + "</span>x", "▪"
    ),
    // Texts about the font.
    ("<i>Wingdings</i> J", "Wingdings J"),
    ("<span title=\"Wingdings\">Jane</span>", "Jane"), ("<span>J</span>", "J"),
  ])
  func `letters in Wingdings are shown as symbols`(_ content: String, _ expected: String) throws {
    let mail = Self.head + "Content-Type: text/html; charset=utf-8\n\n<p>a \(content) z\n"
    #expect(text(try item(mail)).contains("a \(expected)"))
  }

  @Test(arguments: [
    ("Name   Qty\nLamp     2", "Name   Qty\nLamp     2"), ("a\tb\n\tc", "a       b\n        c"),
    ("An end.  A start: it.   Far", "An end. A start: it.   Far"),
    ("  two  words  ", "  two  words\n"),
  ])
  func `columns and indentation of plain text are kept`(_ content: String, _ expected: String)
    throws
  {
    let shown = text(try item(Self.head + "\n\(content)\n")).replacing("\u{A0}", with: " ")
    #expect(shown.contains(expected), "\(shown)")
  }

  @Test func `a very long run of tabs does not lengthen the page`() throws {
    let page = try item(Self.head + "\na\(String(repeating: "\t", count: 10_000))b\n").bytes
    #expect(page.count < 20_000)
  }

  @Test(arguments: [
    ("(http://e.test/x_(y))", "http://e.test/x_(y)"), ("<http://e.test/a>.", "http://e.test/a"),
    ("see:https://e.test/?a=1&b=2,", "https://e.test/?a=1&#38;b=2"),
    ("\"http://e.test/\"", "http://e.test/"),
  ])
  func `URLs in plain text are links`(_ content: String, _ url: String) throws {
    let page = String(decoding: try item(Self.head + "\n\(content)\n").bytes, as: UTF8.self)
    #expect(page.contains("<a href=\"\(url)\">\(url)</a>"), "\(page)")
  }

  @Test func `a word that begins with www. in plain text is a link`() throws {
    let page = String(decoding: try item(Self.head + "\n(www.e.test/a).\n").bytes, as: UTF8.self)
    #expect(page.contains("(<a href=\"http://www.e.test/a\">www.e.test/a</a>)."), "\(page)")
  }

  @Test func `lines of a signed text that begin with a hyphen are not escaped`() throws {
    let mail = """
      \(Self.head)
      - - before
      -----BEGIN PGP SIGNED MESSAGE-----
      Hash: SHA256

      - - one
      - -----x
      -----BEGIN PGP SIGNATURE-----
      - - after
      """
    let shown = text(try item(mail))
    #expect(shown.contains("- - before\n") && shown.contains("- - after"), "\(shown)")
    #expect(shown.contains("\n- one\n-----x\n-----BEGIN"), "\(shown)")
  }

  @Test func `an attached page that is the whole message is shown`() throws {
    let fields = "Content-Type: text/html\nContent-Disposition: attachment; filename=a.html"
    #expect(text(try item(Self.head + "\(fields)\n\n<p>Report")).contains("Report"))
    #expect(!text(try item(mixed("\nWords", "\(fields)\n\n<p>Report"))).contains("Report"))
  }

  @Test func `attached texts are shown below their names`() throws {
    let disposition = "Content-Disposition: attachment; filename"
    let shown = text(
      try item(
        mixed(
          "\nWords", "Content-Type: text/x-patch\n\(disposition)=a.patch\n\n- <old>\n+  new",
          "Content-Type: text/html\n\(disposition)=b.html\n\n<p>Page",
          "Content-Type: text/csv\n\(disposition)=c.csv\n\n\(String(repeating: "x", count: 1 << 17))"
        )))
    #expect(shown.contains("a.patch (text/x-patch") && shown.contains("- <old>\n"), "\(shown)")
    #expect(shown.contains("b.html (text/html") && !shown.contains("Page"))
    #expect(shown.contains("c.csv") && !shown.contains("xxx"))
  }

  @Test func `flowed lines are joined, and quotes and signatures are kept`() throws {
    let type = "Content-Type: text/plain; format=flowed"
    let flowed = Self.head + type + "\n\nOne \ntwo\n From here\n> q \n> r\n>> s\n-- \nMe\n"
    let shown = text(try item(flowed))
    for line in ["One two\n", "\nFrom here\n", "\n> q r\n", "\n>> s\n"] {
      #expect(shown.contains(line), "\(shown)")
    }
    #expect(shown.contains("--") && !shown.contains("-- Me"))
    let joined = Self.head + type + "; delsp=yes\n\nJapan \nese\n"
    #expect(text(try item(joined)).contains("Japanese"))
  }

  @Test func `an alternative with text is shown, and an invitation is an attachment`() throws {
    let empty = mixed(
      "Content-Type: text/plain\n\nWords", "Content-Type: text/html\n\n<html><body></body></html>",
      type: "alternative")
    #expect(text(try item(empty)).contains("Words"))
    let calendar = text(
      try item(
        mixed(
          "Content-Type: text/plain\n\nWords", "Content-Type: text/html\n\n<p>Html words",
          "Content-Type: text/calendar\n\nBEGIN:VCALENDAR", type: "alternative")))
    #expect(calendar.contains("Html words") && calendar.contains("text/calendar (15 B)"))
    #expect(!calendar.contains("text/plain"))
  }

  @Test func `all texts of an alternative that is multipart/mixed are shown`() throws {
    func alternative(_ subtype: String) -> String {
      "Content-Type: multipart/\(subtype); boundary=c\n\n"
        + "--c\nContent-Type: text/html\n\n<p>Intro\n"
        + "--c\nContent-Type: application/pdf; name=doc.pdf\n\nx\n"
        + "--c\nContent-Type: text/html\n\n<p>Outro\n--c--"
    }
    let plain = "Content-Type: text/plain\n\nOnly plain"
    for parts in [[plain, alternative("mixed")], [alternative("mixed"), plain]] {
      let shown = text(try item(mixedOf(parts, type: "alternative")))
      #expect(shown.contains("Intro") && shown.contains("Outro"), "\(shown)")
      #expect(shown.contains("doc.pdf") && !shown.contains("Only plain"))
    }
    // The further parts of `multipart/related` belong to the first one.
    let related = text(try item(mixed(plain, alternative("related"), type: "alternative")))
    #expect(related.contains("Intro") && !related.contains("Outro"))
  }

  @Test(
    arguments: [
      (
        "BEGIN:VEVENT\nSUMMARY:A\\, b\n  c\nDTSTART;TZID=\"Europe/Rome\":20260303T100000\n"
          + "DTEND:20260303T110000Z\nUID:7\nBEGIN:VALARM\nSUMMARY:Alarm\nEND:VALARM\n"
          + "LOCATION;X=\"a:b\":Room\nEND:VEVENT",
        "Event: A, b c\nStart: 2026-03-03 10:00 (Europe/Rome)\nEnd: 2026-03-03 11:00 (UTC)\n"
          + "Location: Room\n"
      ),
      ("BEGIN:VEVENT\nDTSTART;VALUE=DATE:20260303\nEND:VEVENT", "Start: 2026-03-03\n"),
      (
        "BEGIN:VEVENT\nDURATION:P0DT1H30M\nURL:https://a.test/b?c\nEND:VEVENT\n"
          + "BEGIN:VEVENT\nDURATION:P1W\nEND:VEVENT\nBEGIN:VEVENT\nDURATION:PT5\nEND:VEVENT",
        "Duration: 1 hour, 30 minutes\nLink: https://a.test/b?c\nDuration: 1 week\nDuration: PT5\n"
      ),
      (
        "BEGIN:VEVENT\nDTSTART;VALUE=DATE:20260303\nDTEND;VALUE=DATE:20260304\n"
          + "LOCATION:R\nEND:VEVENT",
        "Start: 2026-03-03\nLocation: R\n"
      ),
      (
        "BEGIN:VEVENT\nDTEND;VALUE=DATE:20260301\nDTSTART;VALUE=DATE:20260227\nEND:VEVENT",
        "End: 2026-02-28\nStart: 2026-02-27\n"
      ),
      (
        "BEGIN:VEVENT\nDESCRIPTION:Bring a coat\\, please.\\nAnd te\n a.\nSUMMARY:A\n"
          + "RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=SA,SU\nORGANIZER;CN=\"Ann Lee\":mailto:a@b.test\n"
          + "END:VEVENT\nBEGIN:VEVENT\nSUMMARY:B\nRRULE:INTERVAL=2;FREQ=DAILY;UNTIL=20270101\n"
          + "ORGANIZER:MAILTO:c@d.test\nDESCRIPTION:<p>Or <b>two</b>.</p>\nEND:VEVENT",
        "Event: A\nRepeats: every week on Saturday, Sunday, 3 times\nOrganizer: Ann Lee\n"
          + "Description: Bring a coat, please.\nAnd tea.\nEvent: B\n"
          + "Repeats: every 2 days, until 2027-01-01\nOrganizer: c@d.test\nDescription: Or two.\n"
      ),
      (
        "BEGIN:VEVENT\nRDATE;VALUE=PERIOD:20260303T090000Z/PT1H\nEND:VEVENT",
        "Also on: 2026-03-03 09:00 (UTC)\n"
      ),
      ("BEGIN:VEVENT\nRRULE:FREQ=X;COUNT=1\nEND:VEVENT", "Repeats: FREQ=X;COUNT=1\n"),
      (
        "BEGIN:VEVENT\nRRULE:FREQ=MONTHLY;BYDAY=2TU,-1FR\nEND:VEVENT",
        "Repeats: every month on the second Tuesday, the last Friday\n"
      ),
      (
        "BEGIN:VEVENT\nRRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=3\nEND:VEVENT",
        "Repeats: every month on the third Tuesday\n"
      ),
      (
        "BEGIN:VEVENT\nRRULE:FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1\nEND:VEVENT",
        "Repeats: every month\n"
      ),
      (
        "METHOD:CANCEL\nBEGIN:VEVENT\nSUMMARY:A\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:B\nEND:VEVENT",
        "Status: Cancelled\nEvent: A\nStatus: Cancelled\nEvent: B\n"
      ),
      (
        "METHOD:REQUEST\nBEGIN:VEVENT\nSUMMARY:A\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:B\n"
          + "STATUS:CANCELLED\nEND:VEVENT",
        "Event: A\nStatus: Cancelled\nEvent: B\n"
      ),
      (
        "BEGIN:VEVENT\nSTATUS:CONFIRMED\nSUMMARY:A\nBEGIN:VEVENT\nSUMMARY:B", "Event: A\nEvent: B\n"
      ),
      (
        String(repeating: "BEGIN:VEVENT\nSUMMARY:A\nEND:VEVENT\n", count: 202),
        "Event: A\nand 2 more events\n"
      ),
    ] as [(String, String)])
  func `the events of an invitation are shown`(
    _ calendar: String, _ expected: String
  ) throws {
    let content = "BEGIN:VCALENDAR\n\(calendar)\nEND:VCALENDAR"
    let shown = text(try item(mixed("Content-Type: text/calendar\n\n\(content)")))
    #expect(shown.contains(expected), "\(shown)")
    #expect(!shown.contains("Alarm"))
    func cancelledCount(_ text: String) -> Int { text.components(separatedBy: "Cancelled").count }
    #expect(cancelledCount(shown) == cancelledCount(expected), "\(shown)")
  }

  /// An element of BER.
  private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
  }

  /// A signed message without signatures, as Base64.
  private static func signed(_ content: String, identifier: UInt8 = 2) -> String {
    let prefix: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7]
    let string = element(0xA0, element(4, Array(content.utf8)))
    let encapsulated = element(0x30, element(6, prefix + [1]) + string)
    let data = element(0x30, element(2, [1]) + element(0x31, []) + encapsulated)
    return Data(element(0x30, element(6, prefix + [identifier]) + element(0xA0, data)))
      .base64EncodedString()
  }

  @Test(arguments: ["application/pkcs7-mime", "application/x-pkcs7-mime"])
  func `the content of a signed message is shown`(_ type: String) throws {
    let head =
      Self.head + "Content-Type: \(type); name=smime.p7m\n"
      + "Content-Transfer-Encoding: base64\n\n"
    let content =
      "Content-Type: text/plain; charset=iso-8859-1\n"
      + "Content-Transfer-Encoding: quoted-printable\n\nAt the gr=FCn pier"
    let shown = text(try item(head + Self.signed(content)))
    #expect(shown.hasSuffix("\nAt the grün pier\n") && shown.contains("smime.p7m"), "\(shown)")
    let encrypted = text(try item(head + Self.signed(content, identifier: 3)))
    #expect(!encrypted.contains("pier") && encrypted.contains("smime.p7m"))
  }

  @Test func `a message says that it is encrypted if it has no text`() throws {
    let parts = [
      "Content-Type: application/pgp-encrypted\n\nVersion: 1",
      "Content-Type: application/octet-stream; name=encrypted.asc\n\nx",
    ]
    #expect(text(try item(mixedOf(parts, type: "encrypted"))).contains("is encrypted"))
    let envelope = Self.head + "Content-Type: application/pkcs7-mime; smime-type="
    #expect(text(try item(envelope + "enveloped-data\n\nx")).contains("is encrypted"))
    #expect(!text(try item(envelope + "certs-only\n\nx")).contains("is encrypted"))
    let answered = ["Content-Type: text/plain\n\nWords"] + parts
    #expect(!text(try item(mixedOf(answered))).contains("is encrypted"))
  }

  @Test func `a message with a text does not repeat it from its invitation`() throws {
    let event = "BEGIN:VEVENT\nSUMMARY:A\nDESCRIPTION:Words\nEND:VEVENT"
    let shown = text(
      try item(
        mixed(
          "Content-Type: text/plain\n\nWords",
          "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\n\(event)\nEND:VCALENDAR")))
    #expect(shown.contains("Event: A") && !shown.contains("Description"), "\(shown)")
  }

  @Test(arguments: ["VTODO", "VFREEBUSY", "VTIMEZONE"])
  func `of a calendar without an event, only the name is shown`(_ component: String) throws {
    let content = "BEGIN:VCALENDAR\nBEGIN:\(component)\nSUMMARY:A task\nEND:\(component)"
    let shown = text(try item(mixed("Content-Type: text/calendar\n\n\(content)")))
    #expect(shown.contains("text/calendar (") && !shown.contains("A task"), "\(shown)")
    #expect(!shown.contains("BEGIN:"))
  }

  @Test(arguments: [
    ("<bold>A</bold> <<x> 1 < 2", "A <x> 1 < 2"), ("<a b> <>", "<a b> <>"),
    ("<color><param>red</param>B</color>", "B"), ("<param>C", "C"), ("D <", "D <"),
  ])
  func `commands of enriched text are removed`(_ content: String, _ expected: String) throws {
    let mail = Self.head + "Content-Type: text/enriched\n\n\(content)\n"
    let shown = text(try item(mail))
    #expect(shown.hasSuffix("\n\(expected)\n"), "\(shown)")
  }

  @Test func `Markdown is the text of a mail`() throws {
    let shown = text(try item(Self.head + "Content-Type: text/markdown\n\n# Tides\n"))
    #expect(shown.contains("# Tides") && !shown.contains("Attached"), "\(shown)")
  }

  @Test func `mail with a wrong boundary is shown as plain text`() throws {
    let mail = Self.head + "Content-Type: multipart/mixed; boundary=c\n\n--b\n\nWords\n--b--\n"
    let page = try item(mail)
    #expect(text(page).contains("Words"))
    #expect(
      page.notices == ["the parts of the mail cannot be separated: its source text is shown"])
  }

  @Test func `the parts of a digest are messages`() throws {
    let first = "\nFrom: d@e.test\nTo: b@e.test\nSubject: =?utf-8?Q?=C3=A4?= y\n\nOne"
    let shown = text(
      try item(mixedOf([first, "Content-Type: text/plain\n\nIntroduction"], type: "digest")))
    #expect(shown.contains("ä y (message/rfc822"), "\(shown)")
    #expect(shown.contains("\nä y\n") && shown.contains("\nOne"), "\(shown)")
    #expect(shown.contains("\nIntroduction") && !shown.contains("Subject"), "\(shown)")
  }

  @Test func `a forwarded message is named by its subject and opens as mail`() throws {
    let inner =
      "From: c@e.test\nSubject: Inner\nContent-Type: multipart/mixed; boundary=d\n\n"
      + "--d\n\nInner words\n--d\nContent-Type: image/png\n\nP\n--d--"
    let mail = mixed("\nOuter words", "Content-Type: message/rfc822\n\n\(inner)")
    #expect(text(try item(mail)).contains("Inner (message/rfc822, "))
    let forwarded = try item(mail, at: "1")
    #expect(text(forwarded).contains("Inner words") && !text(forwarded).contains("Outer"))
    #expect(String(decoding: forwarded.bytes, as: UTF8.self).contains("file:///m.eml/1/1"))
    #expect(try item(mail, at: "1/1").bytes == Array("P".utf8))
    #expect(throws: ContainerError.self) { try item(mail, at: "0/1") }
  }

  @Test(arguments: ["", "\nContent-Disposition: inline", "\nContent-Disposition: attachment"])
  func `the page contains the text of forwarded messages, also within others`(
    _ disposition: String
  ) throws {
    func forwarded(_ mail: String) -> String {
      "Content-Type: message/rfc822\(disposition)\n\n\(mail)"
    }
    let innermost = "From: d@e.test\nSubject: Innermost\n\n<Deep> words"
    let inner =
      "From: c@e.test\nDate: Tue, 3 Nov 2026 10:00:00 +0000\nSubject: Inner\n"
      + "Content-Type: multipart/mixed; boundary=d\n\n--d\n\nInner words\n"
      + "--d\n\(forwarded(innermost))\n--d--"
    let mail = mixed("\nOuter words", forwarded(inner), "Content-Type: text/plain\n\nFooter")
    let page = try item(mail)
    let shown = text(page)
    for part in [
      "From: c@e.test\nDate: Tue, 3 Nov", "Inner words", "From: d@e.test", "<Deep> words",
    ] {
      #expect(shown.contains(part), "\(shown)")
    }
    let html = String(decoding: page.bytes, as: UTF8.self)
    #expect(html.contains("<h2>Inner</h2>") && html.contains("<h3>Innermost</h3>"))
    #expect(html.contains("file:///m.eml/1/1\""))
    #expect(html.components(separatedBy: "<title>").count == 2)
    // Without an address of the message, attachments have no links.
    let message = try MIMEMessage(Array(mail.utf8))
    let bytes = try MailPages(name: "m", mailbox: Mailbox(message), attachmentURL: nil).item(at: "")
      .bytes
    #expect(!String(decoding: bytes, as: UTF8.self).contains("<a "))
  }

  @Test(arguments: [
    ("message/delivery-status", "Final-Recipient: rfc822; x@e.test\nStatus: 5.1.1", true),
    ("message/rfc822", "no header\nat all", true),
    ("message/partial; id=x; number=2", "Status: 5.1.1", false),
  ])
  func `a report about the delivery, or a message without a header, is shown as text`(
    _ type: String, _ content: String, _ isShown: Bool
  ) throws {
    let shown = text(try item(mixed("\nWords", "Content-Type: \(type)\n\n\(content)")))
    #expect(shown.contains("\n\(content)\n") == isShown, "\(shown)")
  }

  @Test func `the header of a returned message is decoded`() throws {
    let header = "Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n =?utf-8?Q?_an?= x\nTo: x@e.test"
    let shown = text(
      try item(mixed("\nWords", "Content-Type: text/rfc822-headers\n\n\(header)")))
    #expect(shown.contains("Subject: Grüße an x\nTo: x@e.test"), "\(shown)")
  }

  @Test(arguments: [("c@e.test", true), ("a@e.test", false)])
  func `an address for replies is shown if it is not that of the sender`(
    _ address: String, _ isShown: Bool
  ) throws {
    let shown = text(try item("Reply-To: \(address)\n\(Self.head)\nWords"))
    #expect(shown.contains("From: a@e.test"))
    #expect(shown.contains("Reply-To: \(address)\n") == isShown, "\(shown)")
  }

  @Test func `messages that are nested too deep are named`() throws {
    var mail = "From: a@e.test\nSubject: level 12\n\nText 12"
    for level in (0..<12).reversed() {
      mail =
        "From: a@e.test\nSubject: level \(level)\nContent-Type: multipart/mixed; boundary=b\(level)"
        + "\n\n--b\(level)\n\nText \(level)\n--b\(level)\nContent-Type: message/rfc822\n\n"
        + "\(mail)\n--b\(level)--\n"
    }
    let shown = text(try item(mail))
    #expect(shown.contains("Text 8\n") && !shown.contains("Text 9\n"))
    #expect(shown.contains("level 9 (message/rfc822, "))
  }

  @Test(arguments: ["\n", "\r\n"])
  func `lines and paragraphs stay separate, whatever the line ending`(_ end: String) throws {
    let mail = Self.head + "\nOne\ntwo\n \nThree https://a.example/b.\n\n\nFour\n"
    func html(_ mail: String) throws -> String {
      String(decoding: try item(mail.replacing("\n", with: end)).bytes, as: UTF8.self)
    }
    let link = "<a href=\"https://a.example/b\">https://a.example/b</a>"
    let shown = try html(mail)
    #expect(shown.contains("<p>One<br>two</p><p>Three \(link).</p><p>Four</p>"), "\(shown)")
    let flowed = Self.head + "Content-Type: text/plain; format=flowed\n\nOne \ntwo\nthree\n"
    #expect(try html(flowed).contains("<p>One two<br>three</p>"))
  }

  @Test(arguments: [
    ("a@b", "src='cid:a@b'"), ("a@b", "src=\"CID:a%40b\""), ("a&b", "src='cid:a&amp;b'"),
    ("a@b", "background=cid:a@b"), ("a@b", "style='background: url(cid:a@b)'"),
  ])
  func `a part that the text refers to is not listed as an attachment`(
    _ id: String, _ reference: String
  ) throws {
    func shown(_ reference: String) throws -> String {
      text(
        try item(
          mixed(
            "Content-Type: text/html\n\n<p>Words<p \(reference)>",
            "Content-Type: image/png\nContent-ID: <\(id)>\n\nP", type: "related")))
    }
    #expect(try !shown(reference).contains("image/png"))
    #expect(try shown("src='cid:other'").contains("image/png"))
    #expect(try shown("src='\(id)'").contains("image/png"))
  }

  @Test func `the cost of many parts is not multiplied by the length of the text`() throws {
    // Looking for each ID in the text took 20 minutes.
    let parts = (0..<9000).map { "Content-Type: image/png\nContent-ID: <p\($0)>\n\nP" }
    let html = "Content-Type: text/html\n\n" + String(repeating: "<p>cid: word ", count: 100_000)
    let message = try MIMEMessage(Array(mixedOf([html] + parts).utf8))
    let page = try MailPages(name: "m", mailbox: Mailbox(message), attachmentURL: nil).item(at: "")
    #expect(String(decoding: page.bytes, as: UTF8.self).hasSuffix("<li>image/png (1 B)</li></ul>"))
  }
}
