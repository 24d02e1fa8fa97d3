import Images
import Testing

@testable import Terminal

/// Replies of terminals to graphics queries, mixed with keys.
@Suite struct TerminalReplyTests {
  @Test func `replies of kitty, xterm and others are parsed, and keys are kept`() {
    var decoder = InputDecoder()
    let kitty = decoder.feed(
      Array("j\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;c".utf8), at: .now)
    #expect(
      kitty == [
        .key(.character("j")), .reply(.supportsKitty),
        .reply(.cellSize(ImageSize(width: 9, height: 18))),
        .reply(.deviceAttributes([62])),
      ])
    let xterm = decoder.feed(Array("\u{1B}[?1;0;16S\u{1B}[?63;1;2;4;6c".utf8) + [0x6B], at: .now)
    #expect(
      xterm == [
        .reply(.sixelColorCount(16)), .reply(.deviceAttributes([63, 1, 2, 4, 6])),
        .key(.character("k")),
      ])
  }

  @Test(arguments: [
    "\u{1B}_Gi=31;ENOTSUP:no\u{1B}\\", "\u{1B}_Gi=30;OK\u{1B}\\", "\u{1B}[6;0;0t",
    "\u{1B}[6;9999;9t",
    "\u{1B}[4;480;640t", "\u{1B}[?1;3;0S", "\u{1B}[?1;0S", "\u{1B}[>41;379;0c",
    "\u{1B}]Gi=31;OK\u{1B}\\",
  ])
  func `other replies are ignored`(_ text: String) {
    var decoder = InputDecoder()
    #expect(decoder.feed(Array(text.utf8), at: .now) == [])
  }
}
