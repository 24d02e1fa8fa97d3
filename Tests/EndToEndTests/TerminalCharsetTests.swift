import Foundation
import TestSupport
import Testing

/// Output for terminals whose locale is not UTF-8. They may interpret the bytes 0x80 to 0x9F as
/// control characters, even within a UTF-8 character.
@Suite struct TerminalCharsetTests {
  private static let page = """
    <!DOCTYPE html><meta charset="utf-8"><title>Zürich \u{9B}7m 漢 \u{9D}0;no</title><h1>Zürich</h1>
    <p>a\u{9B}31m b\u{85} c\u{9D}0;pwned\u{9C} &#x9b;2J “Straße” – 漢字 😀 🇨🇭 ½ … ‛Ωμέγα’ Дом
    <p><a href="http://127.0.0.1:1/\u{9B}31mÿ">ein Verweis: ß€\u{9B}</a> \u{200B}\u{E0041}\u{2028}End
    <table border><tr><td>漢字<td>é<tr><td>ab<td>x</table>
    """

  private func page(in sandbox: Sandbox) throws -> String {
    try sandbox.file("zürich.html", Self.page)
  }

  /// Checks that no 8-bit control character was written.
  private func expectNoControls(_ terminal: RawTerminal) {
    #expect(!terminal.output.contains { (0x80...0x9F).contains($0) }, "\(terminal.shown)")
  }

  @Test(arguments: [
    "C", "POSIX", "xx_XX.KOI8-R", "xx_XX", "", "de_DE.ISO-8859-1", "tr_TR.ISO-8859-9",
  ])
  func `the reader writes no 8-bit control characters`(_ locale: String) throws {
    let sandbox = try Sandbox()
    let terminal = try RawTerminal(
      sandbox, try page(in: sandbox), environment: ["LC_ALL": locale, "LANG": ""])
    try terminal.wait(for: "rich")
    try terminal.wait(for: "Verweis")
    terminal.type("\t:theme\u{9B}")
    try terminal.wait(for: ":theme")
    terminal.type("\u{3}V")
    try terminal.wait(for: "History")
    // Closes the list, and quits.
    terminal.type("q")
    #expect(terminal.quit() == 0)
    expectNoControls(terminal)
    if !locale.contains("8859") {
      #expect(terminal.output.allSatisfy { $0 < 0x80 }, "\(terminal.shown)")
      #expect(terminal.count(of: "Zurich") > 0)
    }
  }

  @Test(
    arguments: [
      ("C", "Zurich", "\"Strasse\" - ??", "* "),
      ("de_DE.ISO-8859-1", "Z\u{FC}rich", "\"Stra\u{DF}e\"", "\u{BD}"),
      ("de_DE.iso885915@euro", "Z\u{FC}rich", "\"Stra\u{DF}e\"", "1/2"),
    ] as [(String, String, String, String)])
  func `a dump uses the characters of the terminal`(
    _ locale: String, _ title: String, _ content: String, _ other: String
  ) throws {
    let sandbox = try Sandbox()
    let page = try page(in: sandbox)
    _ = try sandbox.file("list.html", "<ul><li>one</ul>")
    for arguments in [
      ["dump", page], ["dump", "--format", "json", page], ["dump", "--links", "inline", page],
    ] {
      let terminal = try RawTerminal(sandbox, arguments, environment: ["LC_ALL": locale])
      #expect(terminal.end() == 0)
      expectNoControls(terminal)
      // The bytes of Latin-1 are the first Unicode code points.
      let text = String(String.UnicodeScalarView(terminal.output.map { Unicode.Scalar($0) }))
      #expect(text.contains(title), "\(text)")
      if arguments.count == 2 {
        #expect(text.contains(content), "\(text)")
        #expect(text.contains(other) || locale == "C", "\(text)")
      }
    }
  }

  @Test func `messages and lists use the characters of the terminal`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.onOthers { _ in
      .response(
        [("Content-Type", "text/html")],
        text: "<meta charset=utf-8><title>Zürich \u{9B}7m 漢</title>x")
    }
    #expect(try sandbox.offread("save", server.url + "/").status == 0)
    let plain = ["LC_ALL": "C"]
    for (arguments, text) in [
      (["list"], "Zurich"), (["search", "zürich"], "Zurich"),
      (["dump", "./über-\u{9B}31m.html"], "uber-?31m"),
      (["dump", "x", "--zür\u{9B}"], "--zur?"), (["fetch", "-i", server.url + "/"], "Zurich"),
      (["config"], "[display]"),
    ] {
      let terminal = try RawTerminal(sandbox, arguments, environment: plain)
      _ = terminal.end()
      #expect(terminal.output.allSatisfy { $0 < 0x80 }, "\(terminal.shown)")
      #expect(text.isEmpty || terminal.offset(of: text) != nil, "\(terminal.shown)")
    }
  }

  @Test func `pipes and files are in UTF-8, whatever the locale is`() throws {
    let sandbox = try Sandbox()
    let page = try page(in: sandbox)
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "Z\u{9B}ürich") }
    for locale in ["C", "de_DE.ISO-8859-1", "C.UTF-8"] {
      let dump = try sandbox.offread("dump", page, environment: ["LC_ALL": locale])
      #expect(dump.text.contains("Zürich\n━━━━━━\n") && dump.text.contains("“Straße” – 漢字 😀 🇨🇭"))
      let bytes = try sandbox.offread("fetch", server.url + "/", environment: ["LC_ALL": locale])
      #expect(Array(bytes.output) == Array("Z\u{9B}ürich".utf8))
    }
  }
}
