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
    Row("\u{1A}", "C-z"), Row("\u{1C}", "C-\\"), Row("\u{0}", "C-Space"), Row("\u{1B}[A", "Up"),
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
    Row("\u{1B}[99~j", "j"), Row("\u{1B}[?1;2cj", "deviceAttributes([1, 2])", "j"),
    Row("\u{1B}[Ij\u{1B}[O", "j"), Row("\u{1B}[1;2;3;4Xj", "j"),
    Row("\u{1B}P1$r0m\u{1B}\\j", "j"), Row("\u{1B}]0;title\u{07}j", "j"),
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
    // The mouse, X10 encoding: a click and its release, the wheel, other buttons, no position.
    Row("\u{1B}[M %#\u{1B}[M#%#j", "click 2 4", "j"), Row("\u{1B}[M`!!j", "wheel up", "j"),
    Row("\u{1B}[Mabcj", "wheel down", "j"), Row("\u{1B}[M\"!!\u{1B}[M@!!j", "j"),
    Row("\u{1B}[M \u{0}!j", "j"), Row("\u{1B}[M %\rj", "Enter", "j"),
    // Bracketed paste.
    Row("\u{1B}[200~a\u{1B}[A\nb\u{1B}[201~j", "paste a\u{1B}[A\nb", "j"),
    Row("\u{1B}[200~a\u{1B}[201\u{1B}[201~j", "paste a\u{1B}[201", "j"), Row("\u{1B}[201~j", "j"),
    // Alt as an ESC before the sequence, and Esc before other keys and reports.
    Row("\u{1B}\u{1B}[D", "M-Left"), Row("\u{1B}\u{1B}OC", "M-Right"),
    Row("\u{1B}\u{1B}[5~", "M-PgUp"), Row("\u{1B}\u{1B}Od", "C-M-Left"),
    Row("\u{1B}\u{1B}\u{1B}[A", "Esc", "M-Up"), Row("\u{1B}\u{1B}f", "Esc", "M-f"),
    Row("\u{1B}\u{1B}\r", "Esc", "M-Enter"), Row("\u{1B}\u{1B}ä", "Esc", "M-ä"),
    Row("\u{1B}\u{1B}[<0;5;3M", "Esc", "click 2 4"),
    Row("\u{1B}\u{1B}]11;rgb:0/0/0\u{07}", "Esc", "dark"),
    Row("\u{1B}\u{1B}[200~a\u{1B}[201~", "Esc", "paste a"), Row("\u{1B}\u{1B}[99~j", "j"),
    // The numeric keypad in application mode.
    Row("\u{1B}Op\u{1B}Oq\u{1B}Oy", "0", "1", "9"), Row("\u{1B}Oj\u{1B}Ok\u{1B}Ol", "*", "+", ","),
    Row("\u{1B}Om\u{1B}On\u{1B}Oo\u{1B}OX", "-", ".", "/", "="),
    Row("\u{1B}OM\u{1B}OI\u{1B}O ", "Enter", "Tab", "Space"), Row("\u{1B}Oz\u{1B}OEj", "j"),
    // rxvt.
    Row("\u{1B}[7$X", "S-Home", "X"), Row("\u{1B}[8$", "S-End"), Row("\u{1B}[3$", "S-Del"),
    Row("\u{1B}[3^", "C-Del"), Row("\u{1B}[5@", "C-S-PgUp"), Row("\u{1B}[dX", "S-Left", "X"),
    Row("\u{1B}Oc", "C-Right"), Row("\u{1B}[25~", "F13"), Row("\u{1B}[34~", "F20"),
    // Modifiers of xterm and others.
    Row("\u{1B}[1;9D", "M-Left"), Row("\u{1B}O5P", "C-F1"), Row("\u{1B}O1;2P", "S-F1"),
    Row("\u{1B}[1;2P", "S-F1"), Row("\u{1B}[1;129A", "Up"), Row("\u{1B}[1;5:1A", "C-Up"),
    Row("\u{1B}[1;5:3Aj", "j"), Row("\u{1B}[1;5Z", "C-S-Tab"),
    // CSI u of fixterms and kitty.
    Row("\u{1B}[32;2uj", "Space", "j"), Row("\u{1B}[27u", "Esc"), Row("\u{1B}[13u", "Enter"),
    Row("\u{1B}[13;2u", "Enter"), Row("\u{1B}[9;2u", "S-Tab"), Row("\u{1B}[9;5u", "C-Tab"),
    Row("\u{1B}[99;5u", "C-c"), Row("\u{1B}[67;6u", "C-c"), Row("\u{1B}[91;5u", "Esc"),
    Row("\u{1B}[32;5u", "C-Space"), Row("\u{1B}[127;5u", "C-Backspace"),
    Row("\u{1B}[127;2u", "Backspace"), Row("\u{1B}[97;3u", "M-a"), Row("\u{1B}[97;2u", "A"),
    Row("\u{1B}[97:65;2u", "A"), Row("\u{1B}[49;2;33u", "!"), Row("\u{1B}[228;2u", "Ä"),
    Row("\u{1B}[98;1:1u\u{1B}[98;1:3u", "b"), Row("\u{1B}[57414u\u{1B}[57404u", "Enter", "5"),
    Row("\u{1B}[57376u\u{1B}[57441;2uj", "F13", "j"), Row("\u{1B}[1114112uj", "j"),
    Row("\u{1B}[155uj", "j"), Row("\u{1B}[uj", "j"), Row("\u{1B}[?1uj", "j"),
    // modifyOtherKeys of xterm.
    Row("\u{1B}[27;5;119~", "C-w"), Row("\u{1B}[27;2;13~", "Enter"), Row("\u{1B}[27;2;65~", "A"),
    Row("\u{1B}[27;6;65~", "C-a"), Row("\u{1B}[27;2;32~", "Space"), Row("\u{1B}[27;3;44~", "M-,"),
    Row("\u{1B}[27;5;13~j", "Enter", "j"), Row("\u{1B}[97;5uj", "C-a", "j"),
    Row("\u{1B}[27;5~j", "j"), Row("\u{1B}[28;5;97~j", "j"),
    // Reports that are not keys: cursor position, modes.
    Row("\u{1B}[1;1Rj", "j"), Row("\u{1B}[24;80Rj", "j"), Row("\u{1B}[1;5R", "C-F3"),
    Row("\u{1B}[?2026;2$yj", "j"), Row("\u{1B}[4;1$yj", "j"), Row("\u{1B}[0nj", "j"),
    Row("\u{1B}[?7;1$\u{1B}[Bj", "Down", "j"), Row("\u{1B}[<0;1\rj", "Enter", "j"),
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

  /// Decodes reads that are a time apart, and at last a long silence.
  static func decode(
    _ reads: [[UInt8]], apart: Duration = .zero, by decoder: InputDecoder = InputDecoder()
  ) -> [String] {
    var decoder = decoder
    var now = ContinuousClock.now
    var events: [InputEvent] = []
    for read in reads {
      now += apart
      events += decoder.expireSequence(at: now)
      events += decoder.feed(read, at: now)
    }
    events += decoder.expireSequence(at: now + .seconds(60))
    return descriptions(events)
  }

  /// Returns all divisions of a short sequence into reads, and those of a longer one into two reads
  /// and into single bytes.
  static func splits(_ bytes: [UInt8]) -> [[[UInt8]]] {
    guard bytes.count > 1 else { return [[bytes]] }
    guard bytes.count <= 9 else {
      return (1..<bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
        + [bytes.map { [$0] }]
    }
    return (0..<1 << (bytes.count - 1)).map { mask in
      var reads = [[bytes[0]]]
      for index in 1..<bytes.count {
        if mask >> (index - 1) & 1 == 1 { reads.append([]) }
        reads[reads.count - 1].append(bytes[index])
      }
      return reads
    }
  }

  @Test(arguments: rows)
  func `bytes are decoded as keys and reports`(row: Row) {
    #expect(Self.decode([Array(row.bytes.utf8)]) == row.events)
  }

  @Test(arguments: rows)
  func `the result does not depend on how bytes are split, with short pauses or none`(row: Row) {
    for reads in Self.splits(Array(row.bytes.utf8)) {
      #expect(Self.decode(reads) == row.events, "\(reads)")
      #expect(Self.decode(reads, apart: .milliseconds(39)) == row.events, "\(reads)")
    }
  }

  @Test func `every key sequence is decoded in all divisions, with short pauses or none`() {
    for (sequence, key) in KeySequences.commonKeys {
      for reads in Self.splits(sequence) {
        #expect(Self.decode(reads) == [key.description], "\(reads)")
        #expect(Self.decode(reads, apart: .milliseconds(39)) == [key.description], "\(reads)")
      }
    }
  }

  @Test func `the beginning of a sequence is no key, except for ESC`() {
    let sequences = Array(KeySequences.commonKeys.keys) + Self.rows.map { Array($0.bytes.utf8) }
    for sequence in sequences where sequence.first == 0x1B && sequence.count > 1 {
      var decoder = InputDecoder()
      let now = ContinuousClock.now
      #expect(decoder.feed([0x1B], at: now) == [])
      #expect(decoder.expireSequence(at: now + .milliseconds(39)) == [])
      #expect(Self.descriptions(decoder.expireSequence(at: now + .milliseconds(40))) == ["Esc"])
    }
    for sequence in KeySequences.commonKeys.keys {
      for length in 2..<sequence.count {
        #expect(Self.decode([Array(sequence[..<length])]) == [], "\(sequence[..<length])")
      }
    }
  }

  @Test func `ESCDELAY is the time to wait after ESC`() {
    let slow = InputDecoder(escapeTimeout: InputDecoder.escapeTimeout(["ESCDELAY": "1000"]))
    let arrow = [[0x1B], Array("[D".utf8)]
    #expect(Self.decode(arrow, apart: .milliseconds(70), by: slow) == ["Left"])
    #expect(Self.decode(arrow, apart: .milliseconds(1000), by: slow) == ["Esc", "[", "D"])
    #expect(Self.decode(arrow, apart: .milliseconds(70)) == ["Esc", "[", "D"])
    let slower = InputDecoder(escapeTimeout: InputDecoder.escapeTimeout(["ESCDELAY": "3000"]))
    for reads in Self.splits(Array("\u{1B}[1;5D".utf8)) {
      #expect(Self.decode(reads, apart: .seconds(2), by: slower) == ["C-Left"])
    }
  }

  @Test(
    arguments: [
      ([:], 40), (["ESCDELAY": "25"], 25), (["ESCDELAY": "0"], 0), (["ESCDELAY": "x"], 40),
      (["ESCDELAY": "-1"], 40), (["ESCDELAY": "99999999999999999999"], 40),
      (["SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"], 100), (["SSH_TTY": ""], 40),
      (["SSH_TTY": "/dev/pts/1", "ESCDELAY": "30"], 30),
    ] as [([String: String], Int)])
  func `the time to wait after ESC depends on the environment`(
    environment: [String: String], milliseconds: Int
  ) {
    #expect(InputDecoder.escapeTimeout(environment) == .milliseconds(milliseconds))
  }

  @Test func `there is a deadline only while a sequence is incomplete`() {
    var decoder = InputDecoder()
    let now = ContinuousClock.now
    #expect(decoder.deadline == nil)
    _ = decoder.feed("j".utf8, at: now)
    #expect(decoder.deadline == nil)
    _ = decoder.feed([0x1B], at: now)
    #expect(decoder.deadline == now + .milliseconds(40))
    _ = decoder.feed("[1".utf8, at: now)
    #expect(decoder.deadline == now + .seconds(1))
    #expect(decoder.expireSequence(at: now + .milliseconds(999)) == [])
    #expect(Self.descriptions(decoder.feed("5~".utf8, at: now)) == ["F5"])
    #expect(decoder.deadline == nil)
  }

  @Test func `a paste that pauses is one paste, and is not taken for keys`() {
    let bytes = Array("\u{1B}[200~a b\u{1B}[201~x".utf8)
    for length in 6..<bytes.count - 1 {
      let reads = [Array(bytes[..<length]), Array(bytes[length...])]
      #expect(Self.decode(reads, apart: .seconds(30)) == ["paste a b", "x"])
    }
    var decoder = InputDecoder()
    let now = ContinuousClock.now
    #expect(decoder.feed("\u{1B}[200~a".utf8, at: now) == [])
    #expect(decoder.deadline == nil)
    // C-c ends a paste whose end was lost, but only after a silence.
    #expect(decoder.feed([0x03], at: now + .milliseconds(500)) == [])
    #expect(decoder.feed([0x03], at: now + .seconds(3)) == [.paste("a\u{03}")])
    #expect(Self.descriptions(decoder.feed("q".utf8, at: now + .seconds(4))) == ["q"])
  }

  @Test func `Esc ends a paste whose end was lost, unless it begins the end`() {
    var decoder = InputDecoder()
    let now = ContinuousClock.now
    #expect(decoder.feed("\u{1B}[200~a".utf8, at: now) == [])
    #expect(decoder.feed([0x1B], at: now + .seconds(3)) == [])
    #expect(decoder.deadline == now + .seconds(4))
    #expect(decoder.expireSequence(at: now + .milliseconds(3999)) == [])
    #expect(decoder.expireSequence(at: now + .seconds(4)) == [.paste("a\u{1B}")])
    #expect(decoder.deadline == nil)
    #expect(Self.descriptions(decoder.feed("q".utf8, at: now + .seconds(5))) == ["q"])
    #expect(decoder.feed("\u{1B}[200~b".utf8, at: now + .seconds(6)) == [])
    #expect(decoder.feed([0x1B], at: now + .seconds(9)) == [])
    #expect(decoder.feed("[201~".utf8, at: now + .milliseconds(9500)) == [.paste("b")])
    #expect(decoder.feed("\u{1B}[200~d".utf8, at: now + .seconds(10)) == [])
    #expect(decoder.feed([0x1B], at: now + .seconds(12)) == [])
    #expect(decoder.feed([0x1B], at: now + .milliseconds(12_200)) == [.paste("d\u{1B}")])
    // Within a paste that does not pause, ESC is text.
    #expect(decoder.feed("\u{1B}[200~c".utf8, at: now + .seconds(20)) == [])
    #expect(decoder.feed([0x1B], at: now + .milliseconds(20_500)) == [])
    #expect(decoder.deadline == nil)
  }

  @Test func `key sequences of the terminal take precedence`() {
    let vt52 = InputDecoder(keys: [
      Array("\u{1B}A".utf8): Key(.up), Array("\u{1B}[99~".utf8): Key(.home),
      Array("\u{1B}?x1".utf8): Key(.function(5)),
    ])
    for (text, expected) in [
      ("\u{1B}A", ["Up"]), ("\u{1B}[99~", ["Home"]), ("\u{1B}?x1", ["F5"]),
      // If a longer sequence is not completed, its beginning is decoded as if the longer sequence
      // were unknown.
      ("\u{1B}?", ["M-?"]), ("\u{1B}?x", ["M-?", "x"]), ("\u{1B}?xy", ["M-?", "x", "y"]),
      ("\u{1B}?\u{1B}[B", ["M-?", "Down"]), ("\u{1B}?漢", ["M-?", "漢"]),
    ] {
      for reads in Self.splits(Array(text.utf8)) {
        #expect(Self.decode(reads, by: vt52) == expected, "\(reads)")
      }
    }
  }

  @Test func `F13 of terminfo is used only if the sequence is no other key`() {
    let decoder = InputDecoder(keys: [
      Array("\u{1B}[1;2P".utf8): Key(.function(13)), Array("\u{1B}[55~".utf8): Key(.function(40)),
      Array("\u{1B}[11~".utf8): Key(.function(2)),
    ])
    let bytes = Array("\u{1B}[1;2P\u{1B}[55~\u{1B}[11~".utf8)
    #expect(Self.decode([bytes], by: decoder) == ["S-F1", "F40", "F2"])
  }

  @Test func `an endless sequence is ignored until a silence`() {
    let long = Array("\u{1B}]52;".utf8) + [UInt8](repeating: 0x61, count: 100_000)
    #expect(Self.decode([long, Array("j".utf8)]) == [])
    #expect(Self.decode([long, Array("j".utf8)], apart: .seconds(2)) == ["j"])
    #expect(Self.decode([long + Array("\u{07}j".utf8)]) == ["j"])
    let numbers = Array("\u{1B}[".utf8) + [UInt8](repeating: 0x31, count: 100_000)
    #expect(Self.decode([numbers + Array("~j".utf8)]) == ["j"])
  }

  @Test func `random bytes never block the decoder or yield control characters as text`() {
    var random = SplitMix64(seed: 7)
    var decoder = InputDecoder()
    for _ in 0..<2000 {
      let bytes = (0..<Int(random.next() % 40)).map { _ -> UInt8 in
        let byte = UInt8(truncatingIfNeeded: random.next())
        return byte % 5 == 0 ? 0x1B : byte % 7 == 0 ? UInt8(ascii: "[") : byte
      }
      let now = ContinuousClock.now
      for case .key(let key) in decoder.feed(bytes, at: now)
        + decoder.expireSequence(at: now + .seconds(60))
      {
        guard case .character(let scalar) = key.code else { continue }
        #expect(Frame.isSafe(scalar) || scalar.value >= 0xA0)
      }
      #expect(decoder.deadline == nil)
      #expect(Self.descriptions(decoder.feed([UInt8(ascii: "q")], at: now)) == ["q"])
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
        + Array("\u{1B}[201~".utf8), at: .now)
    #expect(
      events == [
        .key(.character("ü")), .key(.character("€")), .key(Key(.character("é"), modifiers: .meta)),
        .paste("Zü"),
      ])
  }
}
