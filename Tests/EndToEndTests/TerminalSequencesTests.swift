import Foundation
import TestSupport
import Testing

/// Sequences that the reader sends to terminals in addition to the screen, and the handling of
/// replies, byte by byte.
@Suite struct TerminalSequencesTests {
  private static let question = "\u{1B}]11;?\u{1B}\\"
  private static let page = "<title>A log\u{7}\u{1B}]2;no</title><h1>First</h1><p>Second words."

  private func page(in sandbox: Sandbox) throws -> String {
    try sandbox.file("log.html", Self.page)
  }

  /// A heading in the theme colours for each background.
  private static let headings = [
    "dark": "\u{1B}[38;5;117mFirst", "light": "\u{1B}[38;5;24mFirst",
  ]

  /// Waits for a heading in the colours for a background, after the text read so far.
  private func wait(for theme: String, _ terminal: RawTerminal, after position: Int) throws {
    try terminal.wait(for: #require(Self.headings[theme]), after: position)
  }

  @Test
  func `the first frame does not wait for a reply, and the theme changes when it arrives`()
    throws
  {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(sandbox, try page(in: sandbox))
    try terminal.wait(for: Self.question)
    // There is no reply, but the page is shown.
    try wait(for: "dark", terminal, after: 0)
    var position = try terminal.wait(for: "Second")
    terminal.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
    try wait(for: "light", terminal, after: position)
    position = terminal.output.count
    terminal.type("\u{1B}]11;rgb:0000/0000/0000\u{07}")
    try wait(for: "dark", terminal, after: position)
    #expect(terminal.quit() == 0)
    #expect(terminal.count(of: Self.question) == 1)
  }

  @Test(
    arguments: [("15;0", "dark"), ("0;15", "light"), ("0;default;7", "light"), ("x", "dark")]
      as [(String, String)])
  func `COLORFGBG determines the background until the terminal replies`(
    value: String, expected: String
  ) throws {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(
      sandbox, try page(in: sandbox), environment: ["COLORFGBG": value])
    try wait(for: expected, terminal, after: 0)
    let position = try terminal.wait(for: "Second")
    let other = expected == "dark" ? "light" : "dark"
    terminal.type("\u{1B}]11;rgb:\(other == "dark" ? "1c1c/1c1c/1c1c" : "f/f/e")\u{1B}\\")
    try wait(for: other, terminal, after: position)
    #expect(terminal.quit() == 0)
  }

  @Test func `a configured theme is kept, whatever the terminal replies`() throws {
    let sandbox = try Sandbox()
    try sandbox.settings("[display]\ntheme = \"default-dark\"\n")
    let terminal = try RawTerminal(sandbox, try page(in: sandbox))
    let position = try terminal.wait(for: "Second")
    terminal.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{0C}")
    try wait(for: "dark", terminal, after: position)
    #expect(terminal.quit() == 0)
  }

  @Test(arguments: [
    ["\u{1B}]11;rgb:ff", "ff/ffff/ff", "ff\u{1B}", "\\"],
    ["\u{1B}", "]11;rgb:ffff/ffff/ffff\u{07}"],
    ["\u{1B}]11;xyzzy\u{1B}\\"], ["\u{1B}]", "11;rgb:zz/zz/zz\u{07}"],
    ["\u{1B}]11;rgb:ffff/ffff/ffff/ffff/ffff\u{1B}\\"], ["\u{1B}P1$r0m\u{1B}\\", "\u{1B}[?62;4c"],
  ])
  func `a reply in parts, or a malformed one, is never treated as typed keys`(
    pieces: [String]
  ) throws {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(sandbox, try page(in: sandbox))
    try terminal.wait(for: "Second")
    // Typed keys would be shown in a prompt.
    var position = terminal.output.count
    terminal.type("o")
    position = try terminal.wait(for: "Open:", after: position)
    for piece in pieces { terminal.type(piece) }
    terminal.type("END")
    let end = try terminal.wait(for: "END", after: position)
    let echoed = String(decoding: terminal.output[position..<end], as: UTF8.self)
    for part in ["rgb", "/", "zz", "xyzzy", "62", "$r"] {
      #expect(!echoed.contains(part), "\(echoed.debugDescription)")
    }
    terminal.type("\u{03}")
    #expect(terminal.quit() == 0)
  }

  @Test func `the title is saved, set without control sequences of the page, and restored`() throws
  {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(sandbox, try page(in: sandbox))
    let aside = try terminal.wait(for: "\u{1B}[22;2t")
    let set = try terminal.wait(for: "\u{1B}]2;A log\u{FFFD}\u{FFFD}]2;no - offread\u{1B}\\")
    #expect(aside < set)
    try terminal.wait(for: "Second")
    #expect(terminal.quit() == 0)
    let back = try #require(terminal.offset(of: "\u{1B}[23;2t"))
    #expect(back > set)
    #expect(terminal.count(of: "\u{1B}[22;2t") == 1 && terminal.count(of: "\u{1B}[23;2t") == 1)
    // The Meta mode is saved and restored, too; in the meantime, Meta sends Escape.
    let meta = try #require(terminal.offset(of: "\u{1B}[?1036s\u{1B}[?1036h"))
    #expect(meta < set && (terminal.offset(of: "\u{1B}[?1036r") ?? 0) > set)
    // Before the page was loaded, the title was the name of the program.
    #expect(terminal.count(of: "\u{1B}]2;") == 2 && terminal.count(of: "]2;no") == 2)
  }

  @Test func `the palette that the user has set is kept when the reader resumes the screen`() throws
  {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(
      sandbox, try page(in: sandbox), environment: ["SHELL": "/bin/true"])
    let shown = try terminal.wait(for: "Second")
    terminal.type("!")
    let prompt = try terminal.wait(for: "Shell:", after: shown)
    terminal.type("\r")
    try terminal.wait(for: "Second", after: prompt)
    #expect(terminal.quit() == 0)
    #expect(terminal.count(of: "\u{1B}]104") == 0)
  }

  @Test func `copied URLs and lines are sent as base64 in OSC 52`() throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file(
      "a.html", "<title>T</title><p>One <a href='https://a.test/x?y=ü'>link</a>\u{7}.<p>Second.")
    let terminal = try RawTerminal(sandbox, path)
    try terminal.wait(for: "Second")
    terminal.type("y")
    let start = try terminal.wait(for: "\u{1B}]52;c;")
    let end = try terminal.wait(for: "\u{07}", after: start)
    let data = Data(base64Encoded: Data(terminal.output[start..<end - 1]))
    let copied = try #require(data.map { String(decoding: $0, as: UTF8.self) })
    #expect(copied.hasPrefix("file:///") && copied.hasSuffix("/a.html"))
    terminal.type("\tY")
    let link = Data("https://a.test/x?y=%C3%BC".utf8).base64EncodedString()
    try terminal.wait(for: "\u{1B}]52;c;\(link)\u{07}")
    terminal.type("\u{1B}[Bwwy")
    let lines = Data("One link\u{FFFD}.\n\nSecond.".utf8).base64EncodedString()
    try terminal.wait(for: "\u{1B}]52;c;\(lines)\u{07}")
    #expect(terminal.quit() == 0)
    #expect(terminal.count(of: "\u{1B}]52;") == 3)
  }

  @Test func `in tmux the text is also sent through it, and in screen in chunks`() throws {
    let sandbox = try Sandbox()
    let path = try page(in: sandbox)
    let tmux = try RawTerminal(sandbox, path, environment: ["TMUX": "/tmp/x,1,0"])
    try tmux.wait(for: "Second")
    tmux.type("wy")
    let text = Data("First".utf8).base64EncodedString()
    try tmux.wait(
      for: "\u{1B}]52;c;\(text)\u{07}\u{1B}Ptmux;\u{1B}\u{1B}]52;c;\(text)\u{07}\u{1B}\\")
    #expect(tmux.quit() == 0)
    let screen = try RawTerminal(
      sandbox, path, environment: ["TERM": "screen-256color", "STY": "1.x"])
    try screen.wait(for: "Second")
    screen.type("wy")
    try screen.wait(for: "\u{1B}P\u{1B}]52;c;\(text)\u{07}\u{1B}\\")
    #expect(screen.quit() == 0)
  }

  @Test func `a vt100 receives no OSC and no title sequences`() throws {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(
      sandbox, try page(in: sandbox), environment: ["TERM": "vt100"])
    try terminal.wait(for: "Second")
    terminal.type("y")
    try terminal.wait(for: "no access to a clipboard")
    #expect(terminal.quit() == 0)
    #expect(terminal.count(of: "\u{1B}]") == 0 && terminal.count(of: "2t") == 0)
  }

  @Test func `a terminal without a terminfo entry is used as a compatible one, with a notice`()
    throws
  {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(
      sandbox, try page(in: sandbox), environment: ["TERM": "xterm-no-such-type"])
    try terminal.wait(for: "using xterm-256color")
    try terminal.wait(for: "Second")
    #expect(terminal.quit() == 0)
  }

  @Test func `the size of the terminal has precedence over the environment`() throws {
    let sandbox = try Sandbox()
    let size = ["LINES": "10", "COLUMNS": "40"]
    let terminal = try RawTerminal(sandbox, try page(in: sandbox), environment: size)
    // The scrolling region and the last row of a terminal with 24 rows.
    try terminal.wait(for: "\u{1B}[1;24r")
    try terminal.wait(for: "\u{1B}[24;")
    #expect(terminal.quit() == 0)
  }

  @Test func `keys in the formats of other terminals reach the prompt`() throws {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(
      sandbox, try page(in: sandbox), environment: ["ESCDELAY": "20000"])
    try terminal.wait(for: "Second")
    // Keypad 5 in application mode, Shift-Space as CSI u, an unknown key, and C-c as CSI u.
    terminal.type("o")
    terminal.type("a\u{1B}")
    terminal.type("Ou\u{1B}[32;2u\u{1B}[99~b")
    try terminal.wait(for: "a5 b")
    terminal.type("\u{1B}[99;5u")
    #expect(terminal.quit() == 0)
  }
}
