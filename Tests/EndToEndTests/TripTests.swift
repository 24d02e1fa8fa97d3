import Containers
import Exchange
import Foundation
import TestSupport
import Testing

/// A journey: saving pages with a network, reading them without one, and syncing afterwards.
@Suite struct TripTests {
  private let sandbox: Sandbox
  private let server: ScriptedServer
  /// The number of chapters of the manual, which also has a table of contents.
  private let chapters = Effort.rounds(300, part: 60)

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    let links = (1...chapters).map { "<li><a href=/m/\($0)>\($0)</a>" }.joined()
    put("/m/", "<title>Contents</title><h1>Contents</h1><ul>\(links)</ul>")
    for number in 1...chapters {
      let next = number < chapters ? "<link rel=next href=/m/\(number + 1)>" : ""
      put(
        "/m/\(number)",
        "<title>Chapter \(number)</title>\(next)<h1>Chapter \(number)</h1>"
          + "<p>Gulls follow ship number \(number). It sails.</p>")
    }
    let posts = ["Ebb", "Flood", "Slack"]
    for title in posts {
      let text = String(repeating: "The \(title) of the day. ", count: 40)
      put("/blog/\(title)", "<title>\(title)</title><h1>\(title)</h1><p>\(text)")
    }
    let items = posts.map {
      "<item><title>\($0)</title><guid>\($0)</guid><link>\(server.url)/blog/\($0)</link></item>"
    }.joined()
    server.on(
      "/blog/feed",
      .response(
        [("Content-Type", "application/rss+xml")],
        text: "<rss><channel><title>Tides daily</title>\(items)</channel></rss>"))
    for part in ["Anchor", "Buoy"] {
      put(
        "/book/\(part)", "<title>\(part)</title><h1>\(part)</h1><p>About the \(part.lowercased()).")
    }
    put("/later", "<title>Later</title><p>Words for the way home.")
  }

  private func put(_ path: String, _ text: String) {
    server.on(path, .response([("Content-Type", "text/html")], text: text))
  }

  private func offread(_ arguments: String...) throws -> String {
    let run = try sandbox.offread(arguments)
    #expect(run.status == 0, "\(arguments): \(run.text)\(run.errorText)")
    return run.text
  }

  private func path(_ name: String) -> String {
    sandbox.directory.appendingPathComponent(name).path
  }

  /// Saves the manual, the blog and the book.
  private func pack() throws {
    let saved = try offread(
      "save", "--delay", "0", "--depth", "1", "--max-pages", "400", "--as", "Manual",
      server.url + "/m/")
    #expect(saved.contains("\(chapters + 1) pages in the collection Manual"), "\(saved)")
    _ = try offread("save", "--delay", "0", "--feed", server.url + "/blog/feed")
    let parts = ["Anchor", "Buoy"].map { server.url + "/book/\($0)" }
    _ = try offread("save", "--delay", "0", parts[0], parts[1])
    _ = try offread(
      "export", "--format", "epub", "--title", "Seamanship", "-o", path("sea.epub"), parts[0],
      parts[1])
    _ = try offread("import", path("sea.epub"))
    _ = try offread("remove", "--yes", parts[0], parts[1])
  }

  /// Opens the entry of the library whose title begins with a text.
  private func open(_ title: String, in screen: TmuxScreen) throws {
    try screen.press("/")
    try screen.type(title)
    try screen.press("Enter")
  }

  @Test func `saved pages are read in order with one key without a network`() throws {
    try pack()
    server.stop()
    let screen = try sandbox.reader(columns: 100)
    for text in ["Unread", "Collections", "Books", "Seamanship"] { try screen.wait(for: text) }
    // Forty pages of the manual, each with one key.
    try open("Manual", in: screen)
    try screen.wait(for: "1/\(chapters + 1)")
    try screen.press("Enter")
    try screen.wait("the table of contents") { $0[0].contains("Contents") }
    for number in 1...40 {
      try screen.type(";")
      try screen.wait("chapter \(number)") { rows in
        rows[0].contains("Chapter \(number)")
          && rows.contains { $0.contains("\(number + 1)/\(chapters + 1)") }
      }
    }
    try screen.press("/")
    try screen.type("gulls")
    try screen.press("Enter")
    try screen.wait(for: "1 of 1")
    try screen.press("w", "Enter")
    try screen.wait(for: "Note for this highlight")
    try screen.press("Enter")
    try screen.wait(for: "highlight saved")
    // The unread items of the blog.
    try screen.type(":unread")
    try screen.press("Enter")
    // The key also opens an item if the list is still being loaded.
    try screen.wait(for: "Unread items")
    try screen.press("Enter")
    try screen.wait(for: "of the day. The")
    try screen.type(";")
    try screen.wait(for: "2/3")
    // The chapters of the book.
    try screen.press("s")
    try screen.wait(for: "Seamanship")
    try open("Seamanship", in: screen)
    try screen.wait("the book") { $0[0].contains("Seamanship") }
    try screen.type(";")
    try screen.wait(for: "1/3")
    // This page was not saved before the journey.
    try screen.type("o" + server.url + "/later")
    try screen.press("Enter")
    try screen.wait(for: "No copy of this page is saved.")
    try screen.press("a")
    try screen.wait(for: "queued; it is fetched")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    try land()
  }

  /// Syncs and exports after the journey.
  private func land() throws {
    try server.restart()
    _ = try offread("sync", "--delay", "0")
    #expect(try offread("dump", "--offline", server.url + "/later").contains("the way home"))
    let highlights = try offread("export", "--format", "markdown", "--highlights", "--all")
    #expect(highlights.contains("> Gulls follow ship number 40. It sails."), "\(highlights)")
    _ = try offread(
      "export", "--format", "epub", "--collection", "Manual", "-o", path("manual.epub"))
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("manual.epub"))))
    let package = try EPUBPackage(ZIPArchive(ByteAccess(file)))
    #expect(package.contents.count >= chapters + 1)
    #expect(try offread("check", "--collection", "Manual").contains("\(chapters + 1)"))
  }
}
