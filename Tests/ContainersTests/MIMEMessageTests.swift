@testable import Containers
import Foundation
import TestSupport
import Testing

@Suite struct MIMEMessageTests {
  private static let page = """
    From: <Saved by Blink>\r
    Snapshot-Content-Location: https://example.org/a\r
    Subject: =?utf-8?Q?A?=\r
    MIME-Version: 1.0\r
    Content-Type: multipart/related;\r
    \ttype="text/html";\r
    \tboundary="----Multi=\\"Part_1"\r
    \r
    ------Multi="Part_1\r
    Content-Type: text/html\r
    Content-ID: <frame-1@mhtml.blink>\r
    Content-Transfer-Encoding: quoted-printable\r
    Content-Location: https://example.org/a\r
    \r
    <p>caf=C3=A9 long=\r
     line 1=3D1 =XY</p>\r
    ------Multi="Part_1  \r
    Content-Type: image/png\r
    Content-Transfer-Encoding: base64\r
    Content-Location: https://example.org/a.png\r
    \r
    iVBO\r
    Rw==\r
    \r
    ------Multi="Part_1--\r
    behind it\r\n
    """

  private func text(_ part: Int, of message: MIMEMessage) -> String {
    String(decoding: message.content(of: message.parts[part]), as: UTF8.self)
  }

  @Test func `parts are separated and decoded`() throws {
    let message = try MIMEMessage(Array(Self.page.utf8))
    #expect(message.pageURL == "https://example.org/a")
    #expect(message.parts.map(\.type) == ["text/html", "image/png"])
    #expect(message.parts[0].id == "frame-1@mhtml.blink")
    #expect(
      text(0, of: message)
        == "<p>café long line 1=1 =XY</p>")
    #expect(message.content(of: message.parts[1]) == [0x89, 0x50, 0x4E, 0x47])
    #expect(message.parts[1].location == "https://example.org/a.png")
    #expect(message.rootIndex == 0)
    #expect(!message.isTruncated)
    #expect(MIMEMessage.isFormat(of: Array(Self.page.utf8)))
  }

  @Test(
    arguments: [
      ("CONTENT-TYPE: multipart/related; boundary=x\r\n\r\n", true),
      ("no field\nContent-Type: multipart/mixed; boundary=x\n\n", true),
      (" folded\r\ncontent-type:multipart/mixed;boundary=x\r\n\r\n", true),
      ("Content-Type: multipart/mixed\n\n--x\ncontent-type: text/plain\n\n", true),
      ("Content-Type: multipart/mixed\n\n--x\nno field\n\n", false),
      ("From: a@b\nTo: c@d\nSubject: s\n\n", true),
      ("<!DOCTYPE html>\n<p>Content-Type: multipart/mixed; boundary=x", false),
      ("no field\n\nContent-Type: multipart/mixed; boundary=x\n", false),
      ("no field\r\n\r\nContent-Type: multipart/mixed; boundary=x\r\n", false),
      ("\nContent-Type: multipart/mixed; boundary=x\n", false),
      ("Content-Type", false), ("", false), ("a: b", false),
      ("From: a@b\nnot a field\nTo: c@d", false),
      // A page that a browser saved without resources.
      (
        "From: <Saved by X>\nMIME-Version: 1.0\nContent-Type: text/html;\n\tcharset=x\n\n", true
      ),
      ("Subject: s\nMIME-Version: 1\nContent-Type: text/html\nContent-Location: u\n\n", true),
      ("Content-Type: text/html\nContent-Location: u\n\n", false),
      ("MIME-Version: 1.0\nContent-Type: text/plain\nContent-Location: u\n\n", false),
      ("MIME-Version: 1.0\nContent-Type: text/html\n\n", false),
    ] as [(String, Bool)])
  func `a message is recognized by its header alone`(_ text: String, _ isMessage: Bool) {
    #expect(MIMEMessage.isFormat(of: Array(text.utf8)) == isMessage)
  }

  @Test(
    arguments: [
      ("From d@e.test Tue Jan  2 10:00:00 2024\nFrom: d\nSubject: Two\n\nTWO\n", 2),
      ("From d@e.test Tue Jan  2 10:00:00 2024\r\nFrom: d\r\nSubject: Two\r\n\r\nTWO\r\n", 2),
      ("From \nFrom: d\nSubject: Two\n\nTWO\n", 2),
      ("From \r\nFrom: d\r\nSubject: Two\r\n\r\nTWO\r\n", 2),
      ("From \nFrom: the harbour\n", 1),
      // Text that begins with the word, and headers that are quoted without a date.
      ("From here on Jan 2 2024 at 10:00 it rained.\nFrom: the harbour\n", 1),
      ("From the mail:\nFrom: d\nSubject: Two\n\nTWO\n", 1),
      ("From d@e.test Tue Jan  2 10:00:00 2024\nit says, From: d\nSubject: Two\n", 1),
      ("From 0123456789 Mon Sep 17 00:00:00 2001\nFrom: d\nSubject: [PATCH] x\n\ndiff\n", 1),
      ("\nFrom 0123456789 Mon Sep 17 00:00:00 2001\nFrom: d\nSubject: [PATCH] x\n\ndiff\n", 1),
    ] as [(String, Int)])
  func `a message of a mailbox need not follow an empty line`(_ text: String, _ count: Int) throws {
    let first = "From a@e.test Mon Jan  1 10:00:00 2024\nFrom: a\nSubject: One\n\nONE\n"
    let mailbox = try Mailbox(mailbox: Array((first + text).utf8))
    #expect(mailbox.messages.count == count)
    #expect(
      mailbox.messages.last?.mail.last?.value == (count == 2 ? "Two" : "One"))
  }

  @Test func `a mailbox may begin with empty lines`() {
    let message = "From a@e.test Mon Jan  1 10:00:00 2024\nFrom: a\nSubject: One\n\nONE\n"
    for start in ["", "\n", "\r\n\n"] {
      #expect(Mailbox.isFormat(of: Array((start + message).utf8)))
    }
    #expect(!Mailbox.isFormat(of: Array("\n\n".utf8)))
  }

  @Test func `a series of patches has a message for each patch`() throws {
    let patch = "From 0123456789 Mon Sep 17 00:00:00 2001\nFrom: d\nSubject: [PATCH] x\n\ndiff\n\n"
    for start in ["", "\n"] {
      #expect(try Mailbox(mailbox: Array((start + patch + patch).utf8)).messages.count == 2)
    }
  }

  @Test func `base64 is decoded from indented lines, without the text after it`() {
    let text = "  SGVsbG8g\n\td29ybGQ=\n\n  Regards\n"
    let decoded = TransferEncoding.base64Text(Array(text.utf8)[...])
    #expect(String(decoding: decoded, as: UTF8.self) == "Hello world\n  Regards\n")
  }

  @Test(arguments: ["\n", "\r\n"])
  func `a boundary that the header lacks is read from the content`(_ lineBreak: String) throws {
    let lines = [
      "From: a@b", "Subject: s", "Content-Type: multipart/mixed", "", "preamble", "-- ", "--x1",
      "Content-Type: text/plain", "", "one", "--x1", "Content-Type: multipart/alternative", "",
      "--x2", "Content-Type: text/plain", "", "two", "--x2--", "--x1--", "",
    ]
    let message = try MIMEMessage(Array(lines.joined(separator: lineBreak).utf8))
    #expect(message.parts.indices.map { text($0, of: message) } == ["one", "two"])
    #expect(!message.isTruncated)
  }

  @Test func `the boundary of a mail is not that of a part without boundaries`() throws {
    let text = """
      Content-Type: multipart/mixed; boundary=x

      --x
      Content-Type: multipart/alternative

      one
      --x
      Content-Type: text/plain

      two
      --x--
      """
    let message = try MIMEMessage(Array(text.utf8))
    #expect(message.parts.indices.map { self.text($0, of: message) } == ["one", "two"])
    #expect(!message.isTruncated)
  }

  @Test func `a boundary and a charset in several parts are joined`() throws {
    let text = """
      Content-Type: multipart/mixed; boundary*1="b"; boundary*0=a

      --ab
      Content-Type: text/plain; charset*=us-ascii'en'koi8-r

      one
      --ab--
      """
    let message = try MIMEMessage(Array(text.utf8))
    #expect(message.parts.map(\.charset) == ["koi8-r"])
    #expect(self.text(0, of: message) == "one")
  }

  @Test(
    arguments: [
      ("From : a@b\nTo\t: c@d\nSubject: s\n\n", true, true),
      ("To be : or\nFrom: a@b\nSubject: s\n\n", false, false),
      ("From: a@b\nnot a field\nTo: c@d\nSubject: s\n\n", false, true),
      ("From: a@b\nnot a field\nor one\nTo: c@d\nSubject: s\n\n", false, false),
      ("From: a@b\nnot a field\nSubject: s\n\n", false, false),
    ] as [(String, Bool, Bool)])
  func `few invalid lines do no harm in a file that is named like mail`(
    _ text: String, _ isMessage: Bool, _ hasFields: Bool
  ) {
    #expect(MIMEMessage.isFormat(of: Array(text.utf8)) == isMessage)
    #expect(MIMEMessage.hasMailFields(Array(text.utf8)) == hasFields)
  }

  @Test func `a truncated message yields the content up to its end`() throws {
    let cut = Self.page.components(separatedBy: "iVBO")[0] + "iVBORw"
    let message = try MIMEMessage(Array(cut.utf8))
    #expect(message.isTruncated)
    #expect(message.parts.count == 2)
    #expect(message.content(of: message.parts[1]) == [0x89, 0x50, 0x4E, 0x47])
    #expect(message.parts.map(\.isTruncated) == [false, true])
  }

  @Test(arguments: [("--b--\n", false), ("--b--\n--a--", false), ("", true)] as [(String, Bool)])
  func `a part is truncated only if the message ends within it`(_ end: String, _ isTruncated: Bool)
    throws
  {
    let text =
      "Content-Type: multipart/mixed; boundary=a\nDate: Sun, 03 Nov 2019 10:15:00 -0000\n\n--a\n"
      + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>x\n"
    let message = try MIMEMessage(Array((text + end).utf8))
    #expect(message.parts.map(\.isTruncated) == [isTruncated])
    #expect(message.isTruncated == !end.contains("--a--"))
    #expect(message.date == "Sun, 03 Nov 2019 10:15:00 -0000")
  }

  @Test func `nested parts are parsed to a limited depth`() throws {
    var text = "Content-Type: multipart/mixed; boundary=b0; start=\"<x>\"\n\n"
    for level in 0..<40 {
      text += "--b\(level)\nContent-Type: multipart/related; boundary=b\(level + 1)\n\n"
    }
    #expect(throws: ContainerError.damaged("it has no parts")) {
      try MIMEMessage(Array(text.utf8))
    }
    let nested = """
      Content-Type: multipart/mixed; boundary=a; start="<x>"

      --a
      Content-Type: multipart/alternative; boundary=b

      --b
      Content-Type: text/html

      one
      --b
      Content-ID: <x>

      two
      --b--
      --a--
      """
    let message = try MIMEMessage(Array(nested.utf8))
    #expect(message.parts.indices.map { self.text($0, of: message) } == ["one", "two"])
    #expect(message.rootIndex == 1)
  }

  @Test(
    arguments: [
      // The boundary of an outer level ends the inner parts.
      ("--b\n\none\n--a\n\ntwo\n--a--", ["one", "two"], [true, false], true),
      ("--b\n\none\n--b--\nbehind\n--a\n\ntwo\n--a--", ["one", "two"], [false, false], false),
      // An unterminated header ends at the boundary.
      ("--b\nContent-ID: <x>\n--b\n\ntwo\n--b--\n--a--", ["", "two"], [false, false], false),
      ("--b--\n--b\n\nno part\n--a--\n--a\n\nnor this", [], [], false),
      (
        "-- b\n--bx\n--b \t\r\n\r\none\r\n\r\n--b--x\n\r\n--b--\n--a--\n", ["one\r\n\r\n--b--x\n"],
        [false], false
      ),
      ("--b\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\none", ["one"], [true], true),
    ] as [(String, [String], [Bool], Bool)])
  func `nested multiparts end at the right boundaries`(
    _ text: String, _ contents: [String], _ cut: [Bool], _ isTruncated: Bool
  ) {
    let head =
      "Content-Type: multipart/mixed; boundary=a\n\n--a\n"
      + "Content-Type: multipart/mixed; boundary=b\n\n"
    let message = try? MIMEMessage(Array((head + text).utf8))
    #expect(message?.parts.indices.map { self.text($0, of: message!) } ?? [] == contents)
    #expect(message?.parts.map(\.isTruncated) ?? [] == cut)
    #expect(message?.isTruncated ?? false == isTruncated)
  }

  @Test(arguments: [(3, false), (4, true)])
  func `of too many parts or messages, the first ones are read`(
    _ count: Int, _ isLimited: Bool
  ) throws {
    var bounds = ContainerBounds()
    bounds.maxEntries = 3
    let many =
      "Content-Type: multipart/mixed; boundary=a\n\n"
      + String(repeating: "--a\n\nx\n", count: count) + "--a--\n"
    let message = try MIMEMessage(Array(many.utf8), bounds: bounds)
    #expect(message.hasTooManyParts == isLimited && !message.isTruncated)
    #expect(message.parts.indices.map { text($0, of: message) } == ["x", "x", "x"])
    let mails = String(
      repeating: "From a@e.test Mon Jun  1 10:00:00 2026\nFrom: a\nTo: b\n\nx\n\n", count: count)
    let mailbox = try Mailbox(mailbox: Array(mails.utf8), bounds: bounds)
    #expect(mailbox.hasTooManyMessages == isLimited && mailbox.messages.count == 3)
    #expect(text(0, of: try #require(mailbox.messages.last)) == "x\n\n")
  }

  @Test func `input that is not a message is rejected`() {
    for text in ["", "\n", "Content-Type: text/html\n\n<p>", "<html>"] {
      #expect(throws: ContainerError.otherFormat) { try MIMEMessage(Array(text.utf8)) }
    }
  }

  @Test func `a page saved without resources has its URL and is not mail`() throws {
    let page =
      "From: <Saved by X>\nDate: x\nMIME-Version: 1.0\nContent-Type: text/html\n"
      + "Content-Transfer-Encoding: quoted-printable\nContent-Location: https://a.test/p\n\n"
      + "<p>=C3=A9</p>\n"
    let message = try MIMEMessage(Array(page.utf8))
    #expect(message.mail.isEmpty && message.pageURL == "https://a.test/p")
    #expect(text(0, of: message) == "<p>é</p>\n")
    // A message of a mailbox is mail.
    let mail = try MIMEMessage(Array(page.utf8), isMail: true)
    #expect(mail.mail.map(\.name) == ["From", "Date"])
  }

  @Test(
    arguments: [
      ("\u{FEFF}From: a", "From: a"), ("\r\n \n\nFrom: a", "From: a"),
      ("From: a", "From: a"), ("\n folded", " folded"), ("", ""), ("\u{FEFF}", ""),
    ] as [(String, String)])
  func `a byte-order mark and empty lines precede a header`(_ text: String, _ header: String) {
    let bytes = Array(text.utf8)
    #expect(Array(bytes[MIMEMessage.headerStart(in: bytes)...]) == Array(header.utf8))
  }

  @Test(
    arguments: [
      ("text; charset=utf-8", "text/plain; charset=utf-8"), ("text/", "text/plain"),
      ("plain/text", "text/plain"), ("HTML", "text/html"), ("text/plain", "text/plain"),
      ("application/x-y", "application/x-y"), ("pdf; name=a.pdf", "pdf; name=a.pdf"),
    ] as [(String, String)])
  func `an invalid type is text unless the part has a file name`(
    _ type: String, _ expected: String
  ) throws {
    let text = "From: a@b\nTo: c@d\nSubject: s\nContent-Type: \(type)\n\nx"
    #expect(try MIMEMessage(Array(text.utf8)).parts.map(\.type) == [expected])
  }

  @Test(
    arguments: [
      ("quoted-printable;", "ü"), ("Quoted-Printable (comment)", "ü"),
      ("\"quoted-printable\"", "ü"),
      ("8bit", "=C3=BC"), ("x-quoted-printable", "=C3=BC"),
    ] as [(String, String)])
  func `a comment or semicolon may follow the transfer encoding`(
    _ encoding: String, _ expected: String
  ) throws {
    let mail = "From: a@b\nTo: c@d\nContent-Transfer-Encoding: \(encoding)\n\n=C3=BC"
    #expect(text(0, of: try MIMEMessage(Array(mail.utf8), isMail: true)) == expected)
  }

  @Test func `a header in Latin-1 is decoded`() throws {
    let latin = Array("From: M".utf8) + [0xFC] + Array("ller <a@b>\nSubject: Grüße\n\nx".utf8)
    let mail = try MIMEMessage(latin, isMail: true).mail
    #expect(mail.map(\.value) == ["Müller <a@b>", "Grüße"])
  }

  @Test func `a header in windows-1252 is decoded`() throws {
    let start = Array("From: a@b\nTo: c@d\nSubject: ".utf8)
    let bytes =
      start + [0x84, 0xE9, 0x93, 0x20, 0x96, 0x20, 0x80, 0x9F, 0x85] + Array("\n\nx".utf8)
    let mail = try MIMEMessage(bytes, isMail: true).mail
    #expect(mail.last?.value == "„é“ – €Ÿ…")
  }

  @Test func `messages with altered bytes do not crash the parser`() throws {
    var random = SplitMix64(seed: 2557)
    for _ in 0..<2000 {
      var bytes = Array(Self.page.utf8)
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      guard let message = try? MIMEMessage(bytes) else { continue }
      #expect(message.parts.indices.contains(message.rootIndex))
    }
  }

  @Test func `files encoded with uuencode are parts of their own`() throws {
    let header = "From: a@b.test\nTo: c@d.test\nSubject: s\n"
    let file = "begin 644 my note.txt\n15&AE(&=U;&QS(&-I<F-L92X\n`\nend\n"
    let message = try MIMEMessage(
      Array((header + "\nFirst.\n" + file + "\n" + file + "Last.\nbegin 644 x\nmore\n").utf8))
    #expect(message.parts.map(\.fileName) == ["", "my note.txt", "my note.txt", ""])
    #expect(message.parts.map(\.isAttachment) == [false, true, true, false])
    let texts = message.parts.indices.map { text($0, of: message) }
    #expect(
      texts == ["First.\n", "The gulls circle.", "The gulls circle.", "Last.\nbegin 644 x\nmore\n"])
    let encoded = try MIMEMessage(
      Array((header + "Content-Transfer-Encoding: x-uuencode\n\n" + file).utf8))
    #expect(encoded.parts.count == 1 && text(0, of: encoded) == "The gulls circle.")
  }

  @Test(
    arguments: [
      ("\"2&D", "Hi"), ("\"2&D`\r", "Hi"), ("&86)C", "abc\0\0\0"), ("`", ""), ("", ""), (" ", ""),
      ("M", String(repeating: "\0", count: 45)),
    ] as [(String, String)])
  func `lines of uuencode are decoded`(_ line: String, _ text: String) {
    #expect(UUEncoding.decoded(Array(line.utf8)[...]) == Array(text.utf8))
  }

  @Test(arguments: [
    "begin 644 a", "begin 644 a\nend", "begin 9 a\n`\nend", "begin 644 \n`\nend",
    "begin 644 a\nwords\nend", "begin 644 a\n`", "begin 644 a\n\"2&D`````\nend",
    "xbegin 644 a\nend",
  ])
  func `only complete files are found in a text`(_ text: String) {
    let bytes = Array(text.utf8)
    let isFile = text == "begin 644 a\nend"
    #expect((UUEncoding.nextFile(in: bytes, 0..<bytes.count) != nil) == isFile)
  }
}
