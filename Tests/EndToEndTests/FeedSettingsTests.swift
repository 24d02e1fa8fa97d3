import Foundation
import TestSupport
import Testing

/// The text of feeds in place of pages, and filters for items.
@Suite struct FeedSettingsTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    put("/good", "<title>Good</title><p>" + String(repeating: "The page itself. ", count: 60))
    server.on("/bad", .response(status: 403, [("Content-Type", "text/html")], text: "<p>Denied"))
    let items = ["Good", "Bad", "Advert"].map { title in
      "<item><title>\(title)</title><guid>\(title)</guid>"
        + "<link>\(server.url)/\(title.lowercased())</link>"
        + "<description>&lt;p&gt;The feed on \(title.lowercased()).&lt;/p&gt;</description></item>"
    }.joined()
    server.on(
      "/feed",
      .response(
        [("Content-Type", "application/rss+xml")],
        text: "<rss><channel><title>Trees</title>\(items)</channel></rss>"))
  }

  private func put(_ path: String, _ text: String) {
    server.on(path, .response([("Content-Type", "text/html")], text: text))
  }

  private func follow() throws -> Program {
    try sandbox.offread("save", "--delay", "0", "--feed", server.url + "/feed")
  }

  private func dump(_ path: String, _ options: String...) throws -> String {
    try sandbox.offread(["dump"] + options + [server.url + path]).text
  }

  @Test func `the text of the feed is shown for an item whose page was refused or is missing`()
    throws
  {
    _ = try follow()
    #expect(try dump("/bad", "--offline").contains("The feed on bad."))
    #expect(try dump("/bad").contains("The feed on bad."))
    #expect(try dump("/good", "--offline").contains("The page itself."))
    let screen = try sandbox.reader(server.url + "/bad")
    try screen.wait(for: "TEXT OF THE FEED")
    try screen.wait(for: "the page was refused (403)")
  }

  @Test func `the items of a feed are read in order with one key`() throws {
    _ = try follow()
    let screen = try sandbox.reader("--offline", server.url + "/good")
    try screen.wait(for: "1/3")
    try screen.type(";")
    try screen.wait(for: "The feed on bad.")
    try screen.wait(for: "2/3")
  }

  @Test func `the settings prefer the text of the feed, or the page`() throws {
    try sandbox.settings("[[feed]]\nurl = \"\(server.url)/*\"\ntext = \"feed\"\n")
    _ = try follow()
    #expect(try dump("/good", "--offline").contains("The feed on good."))
    try sandbox.settings("[[feed]]\ntext = \"page\"\n")
    #expect(try !dump("/bad", "--offline").contains("The feed on bad."))
  }

  @Test func `a filter hides items, marks them as read or tags them, and hidden items are counted`()
    throws
  {
    try sandbox.settings(
      """
      [[feed]]
      match = "advert"
      do = "hide"
      [[feed]]
      regex = "^go+d$"
      in = ["title"]
      do = "read"
      tag = "seen"

      """)
    let run = try follow()
    #expect(run.text.contains("2 new items of Trees\n"), "\(run.text)")
    #expect(run.text.contains("1 item of Trees hidden by [[feed]]\n"), "\(run.text)")
    #expect(!server.requests.contains { $0.target == "/advert" })
    let unread = try sandbox.offread("list", "--unread").text
    #expect(unread.contains("/bad") && !unread.contains("/good") && !unread.contains("/advert"))
    #expect(try sandbox.offread("list", "--tag", "seen").text.contains("/good"))
  }
}
