import Foundation
import TestSupport
import Testing

/// Highlights, from the key to another device.
@Suite struct HighlightTests {
  private static let html = [("Content-Type", "text/html; charset=utf-8")]

  private func put(_ text: String, on server: ScriptedServer) {
    server.on("/", .response(Self.html, text: "<title>Sea</title><main>\(text)</main>"))
  }

  @Test
  func `a highlight with a note is created, found, exported, transferred, and reported if lost`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    put("<p>Ships come home with strange things.<p>Another paragraph of the page.", on: server)
    let screen = try sandbox.reader(server.url + "/")
    try screen.wait(for: "strange things")
    try screen.press("w", "Enter")
    try screen.wait(for: "Note for this highlight (may be empty):")
    try screen.press("z", "e", "b", "r", "a", "Enter")
    try screen.wait(for: "highlight saved with its note")
    let rows = try screen.wait("the marker of the highlight") { rows in
      rows.contains { $0.contains("✎ Ships come home") }
    }
    #expect(rows.contains { $0.contains("  Another paragraph") })
    // The highlight is shown in reader view, too.
    try screen.press("v")
    try screen.wait("the reader view") { rows in
      rows[0].contains("word") && rows.contains { $0.contains("✎ Ships come home") }
    }
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)

    for text in ["zebra", "strange"] {
      let found = try sandbox.offread("search", text)
      #expect(found.status == 0 && found.text.contains(server.url), "\(found.text)")
    }
    let written = try sandbox.offread("export", "--format", "markdown", "--highlights", "--all")
    let link =
      "[open](<\(server.url)/#:~:text=Ships%20come%20home%20with%20strange%20things%2E>)"
    #expect(
      written.text
        == "# Sea\n\n<\(server.url)/>\n\n> Ships come home with strange things. \(link)\n\nzebra\n")
    let quotation = "> Ships come home with strange things.\n\nzebra\n"
    let page = try sandbox.offread("export", "--format", "markdown", server.url + "/")
    #expect(page.text.hasSuffix("## Highlights\n\n\(quotation)"))

    let bundle = sandbox.directory.appendingPathComponent("all.tar").path
    #expect(try sandbox.offread("bundle", "-o", bundle).status == 0)
    let other = try Sandbox()
    #expect(try other.offread("import", "--with-changes", bundle).status == 0)
    #expect(
      try other.offread("export", "--format", "markdown", "--highlights", "--all").text
        == written.text)

    put("<p>Another paragraph of the page.<p>Ships stay at sea.", on: server)
    #expect(try sandbox.offread("save", "--quiet", "--delay", "0", server.url + "/").status == 0)
    let later = try sandbox.reader(server.url + "/")
    try later.wait(for: "Ships stay at sea")
    try later.press("\"")
    try later.wait("the list") { rows in
      rows[0].contains("Highlights")
        && rows.contains { $0.contains("strange things") && $0.contains("no longer on the page") }
    }
    try later.press("q", "q")
    #expect(try later.waitForExit() == 0)
    server.stop()
  }

  @Test func `an export without highlights writes no file, and replaces none`() throws {
    let sandbox = try Sandbox()
    let earlier = try sandbox.file("earlier.md", "earlier")
    let new = sandbox.directory.appendingPathComponent("new.md").path
    for file in [earlier, new] {
      let run = try sandbox.offread(
        "export", "--format", "markdown", "--highlights", "--force", "-o", file,
        "https://a.example/")
      #expect(run.status == 0 && run.errorText.contains("these pages have no highlights"))
    }
    #expect(try String(contentsOfFile: earlier, encoding: .utf8) == "earlier")
    #expect(!FileManager.default.fileExists(atPath: new))
  }
}
