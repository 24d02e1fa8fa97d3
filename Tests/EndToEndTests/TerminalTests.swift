import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Interactions between terminals and the reader.
@Suite struct TerminalTests {
  private static let page = """
    <!DOCTYPE html><title>Flight log</title><h1>Flight log</h1>
    <p>First <a href="one.html">one page</a>, then <a href="two.html">two pages</a>.</p>\
    \((1...80).map { "<p>Paragraph number \($0) of the log.</p>" }.joined())
    """

  /// Creates a directory with three pages.
  private func page(in sandbox: Sandbox) throws -> String {
    for name in ["one", "two"] {
      _ = try sandbox.file("\(name).html", "<title>\(name)</title><h1>This is page \(name)</h1>")
    }
    return try sandbox.file("log.html", Self.page)
  }

  @Test func `letters shown before the links follow them`() throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(try page(in: sandbox))
    try screen.wait(for: "Flight log")
    try screen.press("f")
    let rows = try screen.wait(for: "Letters of a link")
    #expect(rows.contains { $0.contains("Firstaone page, thenstwo pages.") })
    try screen.type("s")
    try screen.wait(for: "This is page two")
    try screen.press("Left", "f")
    try screen.wait(for: "Letters of a link")
    // If the typed text identifies a link, no letter is needed.
    try screen.type("/one\r")
    try screen.wait(for: "This is page one")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `the mouse follows links and scrolls`() throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(try page(in: sandbox))
    let rows = try screen.wait(for: "two pages")
    let row = try #require(rows.firstIndex { $0.contains("two pages") })
    let text = rows[row]
    let link = try #require(text.range(of: "two pages"))
    let column = text.distance(from: text.startIndex, to: link.lowerBound) + 2
    try screen.type("\u{1B}[<65;5;5M\u{1B}[<65;5;5M")
    try screen.wait("six lines further down") { rows in
      rows.contains { $0.contains("number 11 ") } && !rows.contains { $0.contains("two pages") }
    }
    try screen.type("\u{1B}[<64;5;5M\u{1B}[<64;5;5M")
    try screen.wait("the top") { $0[row] == text }
    try screen.type("\u{1B}[<0;\(column);\(row + 1)M\u{1B}[<0;\(column);\(row + 1)m")
    try screen.wait(for: "This is page two")
  }

  @Test func `wide characters are edited in a prompt, and pasted text is one line`() throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(try page(in: sandbox))
    try screen.wait(for: "Flight log")
    try screen.press("/")
    try screen.type("漢字かな")
    try screen.press("BSpace", "Left", "Left")
    try screen.type("x")
    try screen.wait("the edited words") { $0[23].contains("漢x字か") }
    try screen.press("C-a", "DC", "C-e")
    try screen.type("!")
    try screen.wait("the words without the first") { $0[23].contains("/x字か!") }
    try screen.press("C-u")
    try screen.type("\u{1B}[200~number 7\rnumber 8\n\u{1B}[201~")
    try screen.wait("one line of what was pasted") { $0[23].contains("number 7") }
    try screen.press("C-u")
    try screen.type("number 77\r")
    let rows = try screen.wait("what was found") { rows in
      rows.dropLast().contains { $0.contains("Paragraph number 77") } && !rows[23].contains("Find")
    }
    #expect(rows[23].contains("1 of 1"), "\(rows[23])")
  }

  @Test func `another theme has different colours and the same text`() throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(
      try page(in: sandbox), environment: ["COLORTERM": "truecolor", "NO_COLOR": ""])
    // The last row is complete when the whole page was read.
    let rows = try screen.wait(for: "2 links")
    let styled = try screen.styledRows()
    try screen.type(":theme nord\r")
    try screen.wait("other colours") { _ in (try? screen.styledRows().first) != styled.first }
    try screen.press("C-l")
    try screen.wait("the same text") { $0.dropLast(2) == rows.dropLast(2) }
    try screen.type(":theme mono\r")
    try screen.wait("no colours") { _ in
      (try? screen.styledRows().contains { $0.contains("[38") || $0.contains("[48") }) == false
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `a signal ends the reader, which saves its position and restores the terminal`(
    signal: Int32
  ) throws {
    let sandbox = try Sandbox()
    let page = try page(in: sandbox)
    let screen = try sandbox.reader(page, inShell: true)
    try screen.wait(for: "Flight log")
    try screen.press("Space", "Space")
    try screen.wait(for: "number 25 ")
    kill(try screen.processID(), signal)
    try screen.wait("the shell") { rows in !rows.contains { $0.contains("number 25 ") } }
    try screen.type("echo code $?\r")
    try screen.wait("the exit code") { rows in rows.contains("code \(128 + signal)") }
    let again = try sandbox.reader(page)
    try again.wait(for: "number 25 ")
  }

  @Test func `repeated hang-up signals lose no reading position`() throws {
    let sandbox = try Sandbox()
    let page = try page(in: sandbox)
    let screen = try sandbox.reader(page, inShell: true)
    try screen.wait(for: "Flight log")
    try screen.press("Space", "Space")
    try screen.wait(for: "number 25 ")
    let reader = try screen.processID()
    let deadline = Date(timeIntervalSinceNow: 60)
    while kill(reader, SIGHUP) == 0, Date() < deadline {}
    #expect(kill(reader, 0) != 0, "the process has ended")
    let again = try sandbox.reader(page)
    try again.wait(for: "number 25 ")
  }

  @Test func `after a kill the terminal and the last stable position are restored`() throws {
    let sandbox = try Sandbox()
    let page = try page(in: sandbox)
    let screen = try sandbox.reader(page, inShell: true)
    try screen.wait(for: "Flight log")
    try screen.press("Space", "Space")
    try screen.wait(for: "number 25 ")
    let log = URL(fileURLWithPath: sandbox.data + "/state/reading.jsonl")
    try screen.wait("the place on the disk") { _ in
      (try? String(contentsOf: log, encoding: .utf8).contains("log.html")) == true
    }
    kill(try screen.processID(), SIGKILL)
    try screen.wait("the shell") { rows in !rows.contains { $0.contains("number 25 ") } }
    try screen.type("echo code $?\r")
    try screen.wait("the exit code") { rows in rows.contains("code \(128 + SIGKILL)") }
    let again = try sandbox.reader(page)
    try again.wait(for: "number 25 ")
    try again.press("q")
    #expect(try again.waitForExit() == 0)
  }

  @Test func `rapid resizing ends in a complete screen`() throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(try page(in: sandbox))
    try screen.wait(for: "Flight log")
    try screen.press("Space")
    for size in [(20, 5), (500, 200), (1, 1), (40, 12), (300, 3), (20, 50), (90, 30)] {
      try screen.resize(columns: size.0, rows: size.1)
    }
    let rows = try screen.wait("the last size") { rows in
      rows.count >= 30 && rows[29].contains("%") && rows[29].contains("help")
    }
    #expect(rows[1...28].filter { $0.contains("Paragraph number") }.count >= 10)
    try screen.resize(columns: 20, rows: 5)
    try screen.wait("a tiny screen") { $0.count >= 5 && $0[4].contains("%") }
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test(arguments: ["xterm", "xterm-256color", "tmux-256color", "screen", "linux", "vt100"])
  func `every terminal shows the page and is restored`(term: String) throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(try page(in: sandbox), environment: ["TERM": term])
    let rows = try screen.wait(for: "Paragraph number 5 ")
    #expect(rows[0].contains("Flight log") && rows[23].contains("%"))
    try screen.press("G")
    try screen.wait(for: "Paragraph number 80 ")
    try screen.press("g", "Tab", "Enter")
    try screen.wait(for: "This is page one")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `in a locale without UTF-8 all output is ASCII`() throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(
      try sandbox.file("a.html", "<title>T</title><h1>Zürich</h1><ul><li>a – b ½</ul><hr>"),
      environment: ["LANG": "C", "LC_ALL": "C"])
    let rows = try screen.wait(for: "Zurich")
    #expect(rows.contains { $0.contains("======") } && rows.contains { $0.contains("* a - b 1") })
    #expect(rows.joined().utf8.allSatisfy { $0 < 0x80 }, "\(rows)")
  }

  @Test(arguments: [SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGPROF, SIGQUIT])
  func `a signal that ends the process restores the terminal`(signal: Int32) throws {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(sandbox, try page(in: sandbox))
    try terminal.wait(for: "two pages")
    let position = terminal.output.count
    terminal.send(signal)
    #expect(terminal.end() == 128 + signal)
    for sequence in ["\u{1B}[?1049l", "\u{1B}[?2004l", "\u{1B}[?1000l"] {
      #expect(terminal.offset(of: sequence, after: position) != nil, "\(terminal.shown)")
    }
  }
}
