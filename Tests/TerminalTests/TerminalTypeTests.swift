import Testing

@testable import Terminal

@Suite struct TerminalTypeTests {
  @Test(
    arguments: [
      ("xterm-ghostty", "xterm-256color"), ("xterm-kitty", "xterm-256color"),
      ("alacritty", "xterm-256color"), ("foot", "xterm-256color"), ("foot-extra", "xterm-256color"),
      ("wezterm", "xterm-256color"), ("st-256color", "xterm-256color"), ("putty", "xterm-256color"),
      ("rxvt-unicode-256color", "xterm-256color"), ("xterm+256color", "xterm-256color"),
      ("iTerm2.app", "xterm-256color"), ("nsterm-256color", "xterm-256color"),
      ("eat-truecolor", "xterm-256color"), ("ms-terminal", "xterm-256color"),
      ("tmux-256color", "screen-256color"),
      ("screen.xterm-new", "screen-256color"), ("screen", "screen-256color"),
      ("dumb", nil), ("unknown", nil), ("", nil), ("no-such-terminal", nil), ("sterm", nil),
      ("dumb-emacs-ansi", nil), ("vt100", nil), ("xtermlike", nil), ("-xterm", nil),
      ("wyse50", nil), ("footer", nil),
    ] as [(String, String?)])
  func `only terminals of known families have substitutes`(term: String, expected: String?) {
    #expect(TerminalType.substitutes(for: term).first == expected)
  }

  @Test(
    arguments: [
      ("vt100", true), ("vt-utf8", true), ("linux", true), ("linux-16color", true),
      ("ansi", true), ("dumb", true), ("vte", false), ("vte-256color", false), ("xterm", false),
      ("screen", false), ("", false),
    ] as [(String, Bool)])
  func `terminals without operating system commands are known by their names`(
    term: String, expected: Bool
  ) {
    #expect(TerminalType.lacksSystemCommands(term) == expected)
  }

  private static let sizes: [(variables: [String: String], expected: [Int])] = [
    (["LINES": "30", "COLUMNS": "100"], [100, 30]), (["COLUMNS": "132"], [132, 24]),
    (["LINES": "0", "COLUMNS": "-5"], [80, 24]),
    (["LINES": "x", "COLUMNS": "99999999"], [80, 24]),
    ([:], [80, 24]),
  ]

  @Test(arguments: sizes)
  func `a terminal without a size has the one of the environment`(
    variables: [String: String], expected: [Int]
  ) {
    let size = TerminalType.size(in: variables)
    #expect([size.columns, size.rows] == expected)
  }

  @Test(
    arguments: [
      ("\u{1B}[m\u{0F}$<2>", "\u{1B}[m\u{0F}"), ("a$<50/>b$<1.5*>c", "abc"), ("$<", "$<"),
      ("a$b<c>", "a$b<c>"), ("\u{1B}[m", "\u{1B}[m"), ("", ""),
    ] as [(String, String)])
  func `delays of terminfo are not sent`(capability: String, expected: String) {
    #expect(TerminalType.withoutDelays(Array(capability.utf8)) == Array(expected.utf8))
  }

  @Test func `the key capabilities have one key each`() {
    let names = TerminalType.keyCapabilities.map(\.name)
    #expect(Set(names).count == names.count)
    let keys = Dictionary(uniqueKeysWithValues: TerminalType.keyCapabilities.map { ($0, $1) })
    #expect(keys["kf63"] == Key(.function(63)) && keys["kf64"] == nil)
    #expect(keys["kLFT"]?.description == "S-Left" && keys["kLFT5"]?.description == "C-Left")
    #expect(keys["kDC3"]?.description == "M-Del" && keys["kUP6"]?.description == "C-S-Up")
  }
}
