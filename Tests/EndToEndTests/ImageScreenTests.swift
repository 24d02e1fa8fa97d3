import Foundation
import TestSupport
import Testing

/// Images in a terminal multiplexer: symbols, never graphics.
@Suite struct ImageScreenTests {
  private static let images = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/images")

  private static func isDrawn(_ row: String) -> Bool {
    row.unicodeScalars.contains { (0x2580...0x259F).contains($0.value) }
  }

  @Test(arguments: [(80, 24), (120, 40)])
  func `images are drawn, hidden and replaced by alternative text without moving the page`(
    _ columns: Int, _ rows: Int
  ) throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file(
      "p.html",
      """
      <p>Before<p><img src="\(Self.images.path)/sun.png" alt="A sun" width=120 height=80><p>Between
      <p><img src="\(Self.images.path)/huge.png" alt="Too much" width=120 height=80><p>After
      """)
    let screen = try TmuxScreen(
      [Program.offread, "--data-dir", sandbox.data, page], columns: columns, rows: rows)
    let tokens = try screen.wait(for: "After")
    #expect(!tokens.contains(where: Self.isDrawn))
    try screen.press("*")
    let drawn = try screen.wait("the images") { rows in
      rows.filter(Self.isDrawn).count >= 3 && rows.contains { $0.contains("not drawn: too large") }
    }
    let first = try #require(drawn.firstIndex { $0.contains("A sun") })
    // Five rows are reserved for it, however many of them are drawn.
    #expect(drawn[first + 7].contains("Between") && drawn.contains { $0.contains("After") })
    let colored = try screen.styledRows()
    #expect(colored[first + 1].contains("\u{1B}[38;5;") || colored[first + 1].contains("48;5;"))
    try screen.press("*")
    try screen.wait("no images") { rows in
      !rows.contains(where: Self.isDrawn) && !rows.contains { $0.contains("A sun") }
    }
    try screen.press("*")
    try screen.wait("their alternative text") { rows in
      !rows.contains(where: Self.isDrawn) && rows.contains { $0.contains("A sun") }
    }
    try screen.type("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `an image fills the screen, and any key closes it`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file(
      "p.html",
      "<p>Before<p><img src=\"\(Self.images.path)/sun.jpg\" alt=\"A sun\" width=120 height=80>")
    let screen = try TmuxScreen(
      [Program.offread, "--images", "symbols", "--data-dir", sandbox.data, page])
    try screen.wait("the image") { $0.filter(Self.isDrawn).count >= 3 }
    try screen.type("ia")
    try screen.wait("the whole screen") { rows in
      rows.filter(Self.isDrawn).count >= 15 && rows.contains { $0.contains("other keys: back") }
    }
    try screen.type("j")
    try screen.wait("the page") { $0.contains { $0.contains("Before") } }
    try screen.type("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `images are drawn in a terminal with 8 colours`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file(
      "p.html",
      "<p>Before<p><img src=\"\(Self.images.path)/sun.png\" alt=\"A sun\" width=120 height=80>")
    let screen = try TmuxScreen(
      [Program.offread, "--images", "symbols", "--data-dir", sandbox.data, page],
      environment: ["TERM": "xterm"])
    try screen.wait("the image") { $0.filter(Self.isDrawn).count >= 3 }
    let rows = try screen.styledRows()
    // A red sky, a blue ground, and only the eight colours.
    let first = try #require(rows.firstIndex { $0.contains("A sun") })
    let image = rows[(first + 1)...].prefix(5).joined()
    #expect(image.contains(/[34]1m|[34]1;/) && image.contains(/[34]4m|[34]4;/), "\(image)")
    #expect(!image.contains("8;5;") && !image.contains("8;2;"))
    try screen.type("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test(arguments: [true, false])
  func `images are drawn in a terminal without colours or non-ASCII characters`(_ isASCII: Bool)
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file(
      "p.html",
      "<p>Before<p><img src=\"\(Self.images.path)/sun.png\" alt=\"A sun\" width=240 height=160>")
    let screen = try TmuxScreen(
      [Program.offread, "--images", "auto", "--data-dir", sandbox.data, page],
      environment: isASCII ? ["LC_ALL": "C", "LANG": "C"] : ["NO_COLOR": "1"])
    let rows = try screen.wait("the image") { rows in
      let first = rows.firstIndex { $0.contains("A sun") } ?? rows.count
      return rows.dropFirst(first + 1).prefix(8).filter { $0.count > 20 }.count >= 4
    }
    #expect(rows.contains(where: Self.isDrawn) != isASCII)
    try screen.type("q")
    #expect(try screen.waitForExit() == 0)
  }
}
