import TestSupport
import Testing

@testable import Terminal

@Suite struct InputDecoderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var bytes: String
    var events: [String]
    var testDescription: String { bytes.debugDescription }
    init(_ bytes: String, _ events: String...) {
      self.bytes = bytes
      self.events = events
    }
  }

  static let rows = [
    Row("j", "j"), Row(" ", "Space"), Row("ä漢", "ä", "漢"), Row("\r", "Enter"), Row("\n", "Enter"),
    Row("\t", "Tab"), Row("\u{7F}", "Backspace"), Row("\u{08}", "Backspace"), Row("\u{03}", "C-c"),
    Row("\u{1A}", "C-z"), Row("\u{1C}", "C-\\"), Row("\u{0}"), Row("\u{1B}[A", "Up"),
    Row("\u{1B}OA", "Up"), Row("\u{1B}[Z", "S-Tab"), Row("\u{1B}[5~", "PgUp"),
    Row("\u{1B}[6~j", "PgDn", "j"), Row("\u{1B}[H", "Home"), Row("\u{1B}[1~", "Home"),
    Row("\u{1B}[4~", "End"), Row("\u{1B}OF", "End"), Row("\u{1B}OP", "F1"),
    Row("\u{1B}[11~", "F1"), Row("\u{1B}[[A", "F1"), Row("\u{1B}[24~", "F12"),
    // As in terminfo, and as reported by kitty without and with modifiers.
    Row("\u{1B}[21~", "F10"), Row("\u{1B}[21;1~", "F10"), Row("\u{1B}[21;3~", "M-F10"),
    Row("\u{1B}[21;5~", "C-F10"), Row("\u{1B}[[E\u{1B}[21~", "F5", "F10"),
    Row("\u{1B},", "M-,"), Row("\u{1B}.", "M-."), Row("\u{1B},\u{1B}.", "M-,", "M-."),
    Row("\u{1B}[1;3C", "M-Right"), Row("\u{1B}[1;5D", "C-Left"), Row("\u{1B}[3;5~", "C-Del"),
    Row("\u{1B}f", "M-f"), Row("\u{1B}ä", "M-ä"), Row("\u{1B}\u{1B}", "Esc", "Esc"),
    // Unknown sequences are ignored completely.
    Row("\u{1B}[99~j", "j"), Row("\u{1B}[?1;2cj", "attributes([1, 2])", "j"),
    Row("\u{1B}[27;5;13~j", "j"),
    Row("\u{1B}[97;5uj", "j"), Row("\u{1B}[Ij\u{1B}[O", "j"), Row("\u{1B}[1;2;3;4Xj", "j"),
    Row("\u{1B}[Mabcj", "j"), Row("\u{1B}P1$r0m\u{1B}\\j", "j"), Row("\u{1B}]0;title\u{07}j", "j"),
    Row("\u{1B}_Gi=1;OK\u{1B}\\j", "j"), Row("\u{1B}[12\u{1B}[Bj", "Down", "j"),
    Row("\u{1B}]52;c;aGk=\u{1B}[Aj", "Up", "j"),
    // Replies to the background colour query.
    Row("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "dark"),
    Row("\u{1B}]11;rgb:ffff/ffff/dddd\u{07}", "light"),
    Row("\u{1B}]11;rgb:1c/1c/1c\u{07}q", "dark", "q"),
    Row("\u{1B}]11;rgba:fdf6/e3e3/e3e3/ffff\u{07}", "light"), Row("\u{1B}]11;rgb:zz/1/1\u{07}"),
    // The mouse, SGR encoding.
    Row("\u{1B}[<0;5;3M\u{1B}[<0;5;3m", "click 2 4"), Row("\u{1B}[<64;1;1M", "wheel up"),
    Row("\u{1B}[<65;1;1M", "wheel down"), Row("\u{1B}[<69;1;1M", "wheel down"),
    Row("\u{1B}[<35;9;9M"), Row("\u{1B}[<2;9;9M"), Row("\u{1B}[<0;9M"),
    // Bracketed paste.
    Row("\u{1B}[200~a\u{1B}[A\nb\u{1B}[201~j", "paste a\u{1B}[A\nb", "j"),
  ]

  static func descriptions(_ events: [InputEvent]) -> [String] {
    events.map { event in
      switch event {
      case .key(let key): return key.description
      case .paste(let text): return "paste \(text)"
      case .background(let isDark): return isDark ? "dark" : "light"
      case .reply(let reply): return "\(reply)"
      case .mouse(let mouse):
        switch mouse.action {
        case .click: return "click \(mouse.row) \(mouse.column)"
        case .wheelUp: return "wheel up"
        case .wheelDown: return "wheel down"
        }
      }
    }
  }

  @Test(arguments: rows)
  func `bytes are decoded as keys and reports`(row: Row) {
    var decoder = InputDecoder()
    let events = decoder.feed(row.bytes.utf8) + decoder.flush()
    #expect(Self.descriptions(events) == row.events)
  }

  @Test(arguments: rows)
  func `the result does not depend on how bytes are split`(row: Row) {
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for byte in row.bytes.utf8 { events += decoder.feed([byte]) }
    events += decoder.flush()
    #expect(Self.descriptions(events) == row.events)
  }

  @Test func `a lone escape is a key only if nothing follows`() {
    var decoder = InputDecoder()
    #expect(decoder.escapeTimeout == nil)
    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(decoder.escapeTimeout == 40)
    #expect(Self.descriptions(decoder.feed("[A".utf8)) == ["Up"])
    #expect(decoder.feed([0x1B]).isEmpty)
    #expect(Self.descriptions(decoder.flush()) == ["Esc"])
    #expect(decoder.escapeTimeout == nil)
  }

  @Test func `key sequences of the terminal take precedence`() {
    var decoder = InputDecoder(keys: [Array("\u{1B}[99~".utf8): Key(.home)])
    #expect(Self.descriptions(decoder.feed("\u{1B}[99~".utf8)) == ["Home"])
  }

  @Test func `random bytes never block the decoder or yield control characters as text`() {
    var random = SplitMix64(seed: 7)
    var decoder = InputDecoder()
    for _ in 0..<2000 {
      let bytes = (0..<Int(random.next() % 40)).map { _ -> UInt8 in
        let byte = UInt8(truncatingIfNeeded: random.next())
        return byte % 5 == 0 ? 0x1B : byte % 7 == 0 ? UInt8(ascii: "[") : byte
      }
      for case .key(let key) in decoder.feed(bytes) + decoder.flush() {
        guard case .character(let scalar) = key.code else { continue }
        #expect(Frame.isSafe(scalar) || scalar.value >= 0xA0)
      }
      #expect(decoder.escapeTimeout == nil)
      #expect(Self.descriptions(decoder.feed([UInt8(ascii: "q")])) == ["q"])
    }
  }

  @Test(arguments: [
    "j", "Space", "C-f", "M-Right", "S-Tab", "F1", "F12", "PgDn", "C-M-x", "-", "?", "ä",
  ])
  func `the name of a key is parsed to the same key`(name: String) throws {
    #expect(try #require(Key(name)).description == name)
  }

  @Test(arguments: ["", "C-", "Nothing", "F0", "F99", "jj", "\u{1B}", "\u{85}"])
  func `an invalid name is not a key`(name: String) {
    #expect(Key(name) == nil)
  }

  @Test func `an 8-bit terminal sends one byte per letter`() {
    let charset = TerminalCharset(codeset: "ISO-8859-15")
    var decoder = InputDecoder(charset: charset)
    let events = decoder.feed(
      [0xFC, 0x9B, 0xA4, 0x1B, 0xE9] + Array("\u{1B}[200~Z".utf8) + [0xFC]
        + Array("\u{1B}[201~".utf8))
    #expect(
      events == [
        .key(.character("ü")), .key(.character("€")), .key(Key(.character("é"), modifiers: .meta)),
        .paste("Zü"),
      ])
  }
}
