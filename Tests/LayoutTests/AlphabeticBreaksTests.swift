import Testing

@testable import Layout

@Suite struct AlphabeticBreaksTests {
  @Test(arguments: [
    "Zürich liegt an der Limmat, „wo“ (nämlich – und das ist wichtig – am See) alles fließt.",
    "“Quoted” text—with dashes—and an ellipsis… that goes on…and on; ‘single’ (“nested”) ones",
    "¿Qué? ¡Sí! « Guillemets » et\u{A0}: espaces\u{202F}! 5–7 août 2026, n°\u{A0}5, 3×4",
    "Москва, Αθήνα и Łódź: слово-слово/слово ( „начало“ ) {ключ}é [ї]é é! é? é; é)é",
    "soft\u{AD}hyphen non\u{2011}breaking\u{2010}hyphen — – ( “x” ) \" „y“ ——z é-é é|é é/é !é }é",
  ])
  func `break opportunities near non-ASCII characters follow UAX 14`(_ text: String) {
    let bytes = Array(text.utf8)
    var expected: [UInt8] = []
    Unistring.findLineBreaks(of: bytes, into: &expected)
    var found: [UInt8] = []
    #expect(AlphabeticBreaks.addBreaks(bytes, into: &found))
    for index in bytes.indices.dropFirst() {
      guard bytes[index] & 0xC0 != 0x80, bytes[index] >= 0x80 || bytes[index - 1] >= 0x80 else {
        continue
      }
      #expect(
        (found[index] == Unistring.breakPossible) == (expected[index] == Unistring.breakPossible),
        "before \(String(decoding: bytes[index...], as: UTF8.self))")
    }
  }

  @Test(arguments: ["漢字 é", "e\u{301}", "สวัสดี", "שלום", "👍 é", "a\u{200B}b", "\u{2028}é"])
  func `other scripts are handled by libunistring`(_ text: String) {
    var result: [UInt8] = []
    #expect(!AlphabeticBreaks.addBreaks(Array(text.utf8), into: &result))
  }

  @Test func `truncated UTF-8 is handled by libunistring`() {
    var result: [UInt8] = []
    for bytes in [[0xC3], [0xE2], [0xE2, 0x80], [0x61, 0xE2, 0x80], [0x80], [0xFF, 0xFE]] {
      #expect(!AlphabeticBreaks.addBreaks(bytes.map { UInt8($0) }, into: &result))
    }
  }
}
