import Foundation
import TestSupport
import Testing

/// Sixels in a terminal that moves them when it scrolls, as xterm does.
@Suite struct SixelScreenTests {
  private static let image = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/images/sun.png").path

  /// The program in a simulated terminal.
  private final class Screen {
    let terminal: RawTerminal
    var model = SixelTerminal(columns: 80, rows: 24)
    private var read = 0

    init(_ sandbox: Sandbox, _ page: String) throws {
      terminal = try RawTerminal(sandbox, ["--images", "auto", page])
      try terminal.wait(for: "\u{1B}[c")
      terminal.type("\u{1B}[6;16;8t\u{1B}[?1;0;256S\u{1B}[?62;4c")
    }

    /// Reads until the simulated terminal reaches a state.
    func wait(_ what: String, until isReached: (SixelTerminal) -> Bool) throws {
      while !isReached(model) {
        if read == terminal.output.count { try terminal.readMore(expecting: what) }
        model.feed(Array(terminal.output[read...]))
        read = terminal.output.count
      }
    }

    /// Returns the complete screen after the program has redrawn everything.
    func complete(_ what: String) throws -> [SixelTerminal.Cell] {
      let count = model.clears.count
      terminal.type("\u{0C}")
      try wait("the screen anew after \(what)") { $0.clears.count > count }
      return model.clears.before
    }
  }

  @Test(arguments: [
    "ddjjkuuuj", "  jjkbjj", "jjjjjkkkkk", "Gkkgjj",
  ])
  func `the screen after each key equals a complete redraw`(_ keys: String) throws {
    let sandbox = try Sandbox()
    let image = "<p><img src=\"\(Self.image)\" alt=\"A sun\" width=120 height=80>"
    let page = try sandbox.file(
      "p.html",
      (0..<90).map { line in
        "<p>The line of number \(line)" + ([4, 9, 30, 50, 51, 77].contains(line) ? image : "")
      }.joined())
    let screen = try Screen(sandbox, page)
    try screen.wait("an image", until: \.hasImage)
    for key in keys {
      let before = screen.model.text
      screen.terminal.type(String(key))
      try screen.wait("a change after '\(key)'") { $0.text != before }
      // The first C-l is handled after the key, and the second one after the first.
      let after = try screen.complete("'\(key)'")
      let anew = try screen.complete("C-l")
      try screen.wait("the redrawn screen after C-l") { $0.cells == anew }
      let rows = Set(after.indices.filter { after[$0] != anew[$0] }.map { $0 / 80 }).sorted()
      #expect(rows.isEmpty, "rows that differ after '\(key)'")
    }
    #expect(screen.model.drawings > keys.count && screen.model.unknown.isEmpty)
    screen.terminal.type("q")
    #expect(screen.terminal.end() == 0)
  }
}
