import DOM
import Testing

@Suite struct JSONStringsTests {
  @Test(
    arguments: [
      (#"a\u0041"#, "aA"), (#"\uD83D\uDE00"#, "😀"), (#"\uD83D"#, "\u{FFFD}"), (#"\x41"#, "A"),
      // The text after a malformed escape is kept, and is never cut within a character.
      (#"\u90é0"#, "\u{FFFD}é0"), (#"\uDE0漢"#, "\u{FFFD}漢"), (#"\u"#, "\u{FFFD}"),
      (#"\xé"#, "\u{FFFD}é"),
      (#"\u+041"#, "\u{FFFD}+041"), (#"\é"#, "é"),
    ] as [(String, String)])
  func `a JSON string is decoded to UTF-8`(_ string: String, _ text: String) {
    let decoded = JSONStrings.decoded(Array(string.utf8)[...])
    #expect(String(validating: decoded, as: UTF8.self) == text)
  }
}
