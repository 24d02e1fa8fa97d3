import Layout
import Testing

@testable import Terminal

@Suite struct TerminalTextTests {
  /// A small substitute for the width table of the C library.
  static func columns(_ character: Int32) -> Int32 {
    switch character {
    case 0x300...0x36F, 0x200D, 0xFE0F: 0
    case 0x4E00...0x9FFF, 0x1F300...0x1F6FF: 2
    case 0x1FAE9: -1
    default: 1
    }
  }

  @Test(
    arguments: [
      ("a", 1, ["0:a"]), ("e\u{301}", 1, ["0:e\u{301}"]), ("漢", 2, ["0:漢"]),
      ("🇨🇭", 2, ["0:🇨", "1:🇭"]), ("❤\u{FE0F}", 2, ["0:❤", "1: "]), ("👩\u{200D}🚀", 2, ["0:👩"]),
      ("\u{1FAE9}", 2, ["0:\u{FFFD}", "1: "]), ("漢", 1, ["0: "]),
    ] as [(String, Int, [String])])
  func `the parts of a cluster fill its columns`(
    cluster: String, width: Int, expected: [String]
  ) {
    let parts = TerminalText.cellParts(of: cluster, width: width, columnsInLibrary: Self.columns)
    let text = parts.map { part -> String in
      #expect(part.text.last == 0)
      let scalars = part.text.dropLast().compactMap { Unicode.Scalar(UInt32($0)) }
      return "\(part.offset):" + String(String.UnicodeScalarView(scalars))
    }
    #expect(text == expected)
  }

  @Test(
    arguments: [
      ("\u{201C}", "\u{201C}"), ("\u{E9}\u{301}", "\u{E9}\u{301}"),
      ("\u{2605}\u{301}", "\u{2605}\u{301}"),
      ("a", nil), ("漢", nil), ("\u{F1}", nil), ("🇨🇭", nil),
    ] as [(String, String?)])
  func `only clusters wide here but narrow in the C library are written without ncurses`(
    cluster: String, expected: String?
  ) {
    let wide = TerminalText.textForWideDrawing(
      cluster, by: DisplayWidth(ambiguousWidth: 2), columnsInLibrary: Self.columns)
    #expect(wide == expected)
    #expect(
      TerminalText.textForWideDrawing(cluster, by: DisplayWidth(), columnsInLibrary: Self.columns)
        == nil)
    if expected != nil {
      let parts = TerminalText.cellParts(
        of: TerminalText.placeholder, width: 2,
        columnsInLibrary: { $0 == 0x3000 ? 2 : Self.columns($0) })
      #expect(parts.map(\.text) == [[0x3000, 0]], "the placeholder of ncurses has the same width")
    }
  }

  @Test(
    arguments: [
      ("\u{1FAE9}", "\u{1FAE9}"), ("\u{1FAE9}\u{FE0F}", "\u{1FAE9}\u{FE0F}"), ("a", nil),
      ("漢", nil),
      ("👩\u{200D}🚀", nil), ("\u{1FAE9}\u{9B}", nil), ("\u{1FAE9}\u{202E}", nil),
      ("\u{9B}", nil), ("\u{7}", nil), ("\u{1FFFF}", nil),
    ] as [(String, String?)])
  func `only text that the C library does not know is written without ncurses`(
    cluster: String, expected: String?
  ) {
    let columns = { (character: Int32) -> Int32 in
      [0x7, 0x9B, 0x202E, 0x1FFFF].contains(character) ? -1 : Self.columns(character)
    }
    #expect(TerminalText.textForUnknownCharacters(cluster, columnsInLibrary: columns) == expected)
  }

  @Test(
    arguments: [
      ("👨‍⚖️", [:], "👨‍⚖️"), ("👍🏿", [:], "👍🏿"), ("👨‍⚖️", ["TMUX": "1"], "👨⚖"),
      ("🏳️‍🌈", ["TERM": "screen-256color"], "🏳🌈"), ("👍🏿", ["STY": "1"], "👍🏿"),
      ("🏴\u{E0067}\u{E0062}\u{E007F}", [:], "🏴\u{E0067}\u{E0062}\u{E007F}"),
      ("🏴\u{E0067}\u{E0062}\u{E007F}", ["MLTERM": "3"], "🏴"),
      ("😀", [:], nil), ("❤️", [:], nil), ("🇨🇭", [:], nil), ("1️⃣", [:], nil),
      ("\u{645}\u{200D}", [:], nil),
    ] as [(String, [String: String], String?)])
  func `an emoji sequence is written in full, or unjoined if the terminal may show it wider`(
    cluster: String, environment: [String: String], expected: String?
  ) {
    #expect(EmojiSequences(environment: environment).text(of: cluster) == expected)
  }

  @Test(
    arguments: [("क्ष", true), ("বা", true), ("မြ", true), ("a", false), ("ที", false)]
      as [(String, Bool)])
  func `clusters of scripts with complex shaping are positioned and padded`(
    cluster: String, expected: Bool
  ) {
    #expect(TerminalText.hasAmbiguousShapedWidth(cluster) == expected)
    for columns in 1...5 {
      let filling = TerminalText.placeholder(columns: columns)
      let parts = TerminalText.cellParts(
        of: filling, width: columns, columnsInLibrary: { $0 == 0x3000 ? 2 : Self.columns($0) })
      #expect(parts.count == (columns + 1) / 2)
    }
  }
}
