import Layout
import Testing

@testable import Terminal

/// Right-to-left text in the rows of the user interface, and whether offread or the terminal orders
/// it.
@Suite struct BidiTests {
  @Test(
    arguments: [
      ([:], .app), (["TERM": "xterm-256color"], .app), (["VTE_VERSION": "7006"], .terminal),
      (["MLTERM": "3.9.2"], .off), (["TERM": "mlterm-256color"], .off),
      (["KONSOLE_VERSION": "230400"], .terminal), (["TERM_PROGRAM": "Apple_Terminal"], .terminal),
      (["TMUX": "/tmp/tmux-1/default,1,0", "TERM": "tmux-256color"], .app),
      (["TMUX": "/tmp/tmux-1/default,1,0", "VTE_VERSION": "7006"], .terminal),
      (["TMUX": "/tmp/tmux-1/default,1,0", "KONSOLE_VERSION": "230400"], .terminal),
      (["TMUX": "/tmp/tmux-1/default,1,0", "MLTERM": "3.9.2", "TERM": "tmux-256color"], .off),
      (["TMUX": "/tmp/tmux-1/default,1,0", "TERM_PROGRAM": "tmux", "VTE_VERSION": ""], .app),
      (["STY": "1.pts-0", "TERM": "screen.vte-256color", "VTE_VERSION": "7006"], .terminal),
      (["STY": "1.pts-0", "TERM": "screen"], .app),
      (["VTE_VERSION": ""], .app), (["TERM": "xterm-kitty"], .app),
    ] as [([String: String], LayoutOptions.BidiOrdering)])
  func `terminals known to support bidi order rows themselves`(
    environment: [String: String], bidi: LayoutOptions.BidiOrdering
  ) {
    #expect(LayoutOptions.BidiOrdering(environment: environment) == bidi)
  }

  @Test func `bidi is switched off only in a terminal that supports it, and restored on exit`() {
    let vte = ["VTE_VERSION": "7006"]
    #expect(
      LayoutOptions.BidiOrdering.modeSequences(for: .app, environment: vte) == (
        "\u{1B}[8l", "\u{1B}[8h"
      ))
    #expect(LayoutOptions.BidiOrdering.modeSequences(for: .terminal, environment: vte) == ("", ""))
    #expect(LayoutOptions.BidiOrdering.modeSequences(for: .app, environment: [:]) == ("", ""))
  }

  private static func row(_ text: String, _ bidi: LayoutOptions.BidiOrdering, columns: Int = 20)
    -> String
  {
    var frame = Frame(size: Size(columns: columns, rows: 1), bidi: bidi)
    let end = frame.put(text, row: 0, column: 1, style: CellStyle(.text))
    #expect(end <= columns + 1)
    return frame.textRows[0]
  }

  @Test(
    arguments: [
      ("site: אבג", .off, " site: אבג"), ("site: אבג", .app, " site: גבא"),
      ("a \u{2068}אב\u{2069} 1", .app, " a בא 1"), ("a אב 1", .app, " a 1 בא"),
      ("a \u{2068}אב", .app, " a בא"), ("אב a", .app, " a בא"), ("سلام", .app, " ﻡﻼﺳ"),
      ("plain \u{2068}text\u{2069}", .app, " plain text"),
    ] as [(String, LayoutOptions.BidiOrdering, String)])
  func `text on a row is ordered independently`(
    text: String, bidi: LayoutOptions.BidiOrdering, expected: String
  ) {
    #expect(Self.row(text, bidi) == expected)
  }

  @Test(arguments: ["אב 1", "x \u{2068}אב\u{2069} 1", "x \u{2068}אב \u{2068}ג", "\u{2069}אב"])
  func `isolates sent to a terminal are balanced`(text: String) {
    var depth = 0
    for scalar in Self.row(text, .terminal).unicodeScalars {
      if scalar.value == 0x2069 { depth -= 1 } else if scalar.value.isIsolateControl { depth += 1 }
      #expect(depth >= 0)
    }
    #expect(depth == 0)
  }

  @Test func `bidi overrides in the text are removed`() {
    #expect(Self.row("אב\u{202E}abc\u{202C}", .app) == " abcבא")
  }
}
