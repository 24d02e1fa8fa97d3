import Platform
import Testing

@Suite struct PathTextTests {
  @Test(
    arguments: [
      ([0x61, 0x2F, 0xC3, 0xA9], "a/é", "a/é"), ([], "", ""),
      ([0x61, 0xE9, 0x2E], "a\u{EFE9}.", "a\u{FFFD}."),
      ([0xE2, 0x82], "\u{EFE2}\u{EF82}", nil), ([0xC3], "\u{EFC3}", "\u{FFFD}"),
      ([0xC0, 0x80], "\u{EFC0}\u{EF80}", nil),
      ([0xEF, 0xBF, 0xBD], "\u{FFFD}", "\u{FFFD}"),
      ([0xEE, 0xBF, 0xA9], "\u{EFEE}\u{EFBF}\u{EFA9}", "\u{EFE9}"),
      ([0xEE, 0x80, 0x80], "\u{E000}", "\u{E000}"),
      ([0xF0, 0x9F, 0x98, 0x80, 0xFF], "😀\u{EFFF}", "😀\u{FFFD}"),
    ] as [([UInt8], String, String?)])
  func `every path has a text, which gives its bytes`(
    _ path: [UInt8], _ text: String, _ shown: String?
  ) {
    #expect(PathText.decode(path) == text)
    #expect(PathText.bytes(of: text) == path)
    let cString = path.map(CChar.init(bitPattern:)) + [0]
    #expect(PathText.decode(cString: cString) == text)
    #expect(text.withPath { path in (0...cString.count - 1).map { path[$0] } } == cString)
    if let shown { #expect(PathText.displayText(text) == shown) }
  }

  @Test(
    arguments: [
      ("http://h/caf\u{EFE9}?\u{EF80}", "http://h/caf%E9?%80"), ("/é\u{EFFF}/", "/é%FF/"),
      ("\u{E000}\u{FFFD}%E9", "\u{E000}\u{FFFD}%E9"), ("", ""),
    ] as [(String, String)])
  func `in a URL, bytes outside of characters are percent-encoded`(_ text: String, _ url: String) {
    #expect(PathText.percentEncoded(text) == url)
  }

  @Test(
    arguments: [
      (["\u{EFE9}.html", "--tag", "\u{EFE9}"], ["\u{EFE9}.html", "--tag", "\u{FFFD}"]),
      (["--tag=\u{EFE9}", "--log=\u{EFE9}"], ["--tag=\u{FFFD}", "--log=\u{EFE9}"]),
      (["--log", "\u{EFE9}", "--tag", "é"], ["--log", "\u{EFE9}", "--tag", "é"]),
      (["tag=\u{EFE9}", "--", "\u{EFE9}"], ["tag=\u{EFE9}", "--", "\u{EFE9}"]), ([], []),
    ] as [([String], [String])])
  func `only arguments that may be paths have characters for bytes`(
    _ arguments: [String], _ expected: [String]
  ) {
    #expect(PathText.sanitizedArguments(arguments, textOptions: ["--tag"]) == expected)
  }

  @Test func `if operands are text, no argument has characters for bytes`() {
    let arguments = ["find", "\u{EFE9}", "--log", "\u{EFE9}", "-x\u{EFE9}"]
    #expect(
      PathText.sanitizedArguments(arguments, textOptions: [], hasTextOperands: true)
        == ["find", "\u{FFFD}", "--log", "\u{FFFD}", "-x\u{FFFD}"])
  }
}
