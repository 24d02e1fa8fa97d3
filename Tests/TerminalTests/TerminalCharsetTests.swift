import TestSupport
import Testing

@testable import Terminal

/// Substitutes for characters that the charset of a terminal lacks.
@Suite struct TerminalCharsetTests {
  private static let latin1 = TerminalCharset(codeset: "ISO-8859-1")
  private static let latin9 = TerminalCharset(codeset: "ISO-8859-15")

  private static func text(_ charset: TerminalCharset, _ text: String) -> String {
    String(decoding: charset.encode(Array(text.utf8)), as: UTF8.self)
  }

  @Test(
    arguments: [
      ("UTF-8", "UTF-8"), ("utf8", "UTF-8"), ("ANSI_X3.4-1968", "US-ASCII"), ("", "US-ASCII"),
      ("ISO-8859-1", "ISO-8859-1"), ("iso885915", "ISO-8859-15"), ("ISO8859-2", "ISO-8859-2"),
      ("ISO-8859-12", "US-ASCII"), ("ISO-8859-99999999999999999999", "US-ASCII"),
      ("KOI8-R", "US-ASCII"),
      ("ISO-8859-0", "US-ASCII"), ("EUC-JP", "US-ASCII"), ("CP1252", "US-ASCII"),
      ("\u{0}", "US-ASCII"),
    ] as [(String, String)])
  func `a codeset name is normalized`(_ codeset: String, _ name: String) {
    #expect(TerminalCharset(codeset: codeset).name == name)
  }

  @Test(
    arguments: [
      ([:], "US-ASCII"), (["LANG": "xx_XX.UTF-8"], "UTF-8"), (["LANG": "C"], "US-ASCII"),
      (["LANG": "xx_XX.UTF-8", "LC_ALL": "C"], "US-ASCII"),
      (["LC_ALL": "", "LANG": "xx.utf8@a"], "UTF-8"),
      (["LC_CTYPE": "xx_XX.ISO-8859-15@euro", "LANG": "xx.UTF-8"], "ISO-8859-15"),
      (["LC_ALL": "known"], "ISO-8859-2"), (["LC_ALL": "known.UTF-8"], "ISO-8859-2"),
      (["LC_ALL": "xx_XX"], "US-ASCII"), (["LC_ALL": "xx."], "US-ASCII"),
      (["LC_ALL": "."], "US-ASCII"), (["LC_CTYPE": "UTF-8"], "UTF-8"),
      (["LC_CTYPE": "ISO-8859-1"], "ISO-8859-1"),
    ] as [([String: String], String)])
  func `the charset is that of the locale in the C library, or else from its name`(
    _ environment: [String: String], _ name: String
  ) {
    let charset = TerminalCharset(environment: environment) { locale in
      locale.hasPrefix("known") ? "ISO-8859-2" : locale == "C" ? "ANSI_X3.4-1968" : nil
    }
    #expect(charset.name == name)
    #expect(TerminalCharset.codeset(of: "C") != nil && TerminalCharset.codeset(of: "xx_XX") == nil)
  }

  @Test(
    arguments: [
      ("Zürich", "Zurich"), ("Zu\u{308}rich", "Zurich"), ("“Straße” – ‘a’", "\"Strasse\" - 'a'"),
      ("a…b", "a...b"), ("½ x² ﬁ Ａ", "1/2 x2 fi A"), ("漢字", "??"), ("😀", "?"), ("👩\u{200D}🚀", "?"),
      ("🇨🇭 1️⃣ ❤️", "CH 1 ?"), ("Æon œuvre Łódź Þing", "AEon oeuvre Lodz Thing"),
      ("\u{A0}\u{3000}", "  "),
      ("┌─┐│╳", "+-+|X"), ("€ £ © °", "EUR GBP (C) deg"), ("a\u{AD}b\u{200B}c", "abc"),
      ("\u{9B}31m\u{85}", "?31m?"), ("\u{1B}[1mé\u{1B}[0m\t\n", "\u{1B}[1me\u{1B}[0m\t\n"),
      ("", ""),
      ("\u{FFFD}", "?"), ("Дом", "???"), ("한국", "??"), ("\u{301}", ""), ("Ω\u{301}x", "?x"),
    ] as [(String, String)])
  func `ASCII substitutes are used`(_ text: String, _ expected: String) {
    #expect(Self.text(.ascii, text) == expected)
    #expect(Self.text(.utf8, text) == text)
  }

  @Test func `ISO 8859 charsets use their own letters`() {
    #expect(
      Self.latin1.encode(Array("Zu\u{308}rich ½ €“".utf8)) == [
        0x5A, 0xFC, 0x72, 0x69, 0x63, 0x68, 0x20, 0xBD, 0x20, 0x45, 0x55, 0x52, 0x22,
      ])
    #expect(Self.latin9.encode(Array("é½€\u{AD}".utf8)) == [0xE9, 0x31, 0x2F, 0x32, 0xA4])
    #expect(TerminalCharset(codeset: "ISO-8859-5").encode(Array("Дом".utf8)) == [0xB4, 0xDE, 0xDC])
  }

  @Test(arguments: 0...17)
  func `no control character is sent to an 8-bit terminal`(_ part: Int) {
    let charset = TerminalCharset(codeset: part == 0 ? "" : "ISO-8859-\(part)")
    var random = SplitMix64(seed: UInt64(part))
    var all = String.UnicodeScalarView()
    for value in UInt32(0x80)...0xFFFF where value < 0x300 || value % 7 == UInt32(part % 7) {
      if let scalar = Unicode.Scalar(value) { all.append(scalar) }
    }
    var garbage = Array(String(all).utf8)
    garbage += (0..<4096).map { _ in UInt8.random(in: 0x20...0xFF, using: &random) }
    #expect(charset.encode(garbage).allSatisfy { $0 < 0x7F || $0 >= 0xA0 || $0 == 0x7F })
  }

  @Test(
    arguments: [
      ("ü", 1, "u"), ("ß", 1, "s"), ("漢", 2, "? "), ("…", 1, "."), ("🇨🇭", 2, "CH"), ("a", 1, "a"),
      ("\u{200B}", 1, " "), ("─", 1, "-"), ("\u{3000}", 2, "  "), ("½", 1, "1"),
    ] as [(String, Int, String)])
  func `a substitute keeps the width of its cell`(
    _ cluster: String, _ width: Int, _ expected: String
  ) {
    #expect(TerminalCharset.ascii.cellText(cluster, width: width) == expected)
    #expect(TerminalCharset.utf8.cellText(cluster, width: width) == cluster)
  }

  @Test func `typed bytes are decoded in the charset`() {
    #expect(Self.latin9.decode(typed: [0x5A, 0xFC, 0xA4, 0x9B]) == "Zü€\u{FFFD}")
    #expect(TerminalCharset.ascii.decode(typed: Array("Zü".utf8)) == "Zü")
    #expect(
      Self.latin1.scalar(typed: 0x9B) == nil && TerminalCharset.utf8.scalar(typed: 0xFC) == nil)
  }
}
