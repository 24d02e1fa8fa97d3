import Foundation
import TestSupport
import Testing

/// Reader mode as used in practice: `dump --reader`, the settings, and `v` in the terminal.
@Suite struct ReaderModeTests {
  private static let page = """
    <title>Morning in the harbour of a town - The Gazette</title>
    <meta name=author content="Mara Lind"><meta property="og:site_name" content="The Gazette">
    <nav><a href=/news>News</a> <a href=/sport>Sport</a></nav>
    <article><p>The first ferry leaves at half past five, when the lamps are lit, and the gulls follow it.</p>
    <p>By six the market is open, and the boats that were out all night lie in a row, wet and heavy.</p>
    <p><img src=cat.jpg alt="A fat cat"></p><p class=aside>An hour later it is over, and only a cat stays, on a coil of rope.</p>
    </article><footer>Imprint</footer>
    """

  private func sandbox() throws -> (Sandbox, page: String) {
    let sandbox = try Sandbox()
    return (sandbox, try sandbox.file("page.html", Self.page))
  }

  @Test func `dump writes the title, an empty line and the text`() throws {
    let (sandbox, page) = try sandbox()
    let text = try sandbox.offread("dump", "--reader", "--width", "200", page).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "Morning in the harbour of a town")
    #expect(text.contains("The first ferry") && text.contains("a coil of rope."))
    for missing in ["Gazette", "News", "Imprint", "Mara", "fat cat"] {
      #expect(!text.contains(missing), "\(missing)")
    }
    let meta = try sandbox.offread("dump", "--meta", page).text
    #expect(meta.contains("Mara Lind · The Gazette · 1 min"))
  }

  @Test func `the first line is reserved for the title, even if a page has none`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("page.html", "<p>Test<p>of a page without a title")
    #expect(
      try sandbox.offread("dump", "--reader", page).text
        == "\n\nTest\n\nof a page without a title\n")
    let empty = try sandbox.file("empty.html", "")
    #expect(try sandbox.offread("dump", "--reader", empty).text.isEmpty)
  }

  @Test func `other formats include images and metadata`() throws {
    let (sandbox, page) = try sandbox()
    let markdown = try sandbox.offread("dump", "--reader", "--format", "markdown", page).text
    #expect(markdown.hasPrefix("# Morning in the harbour of a town\n\nMara Lind"))
    #expect(markdown.contains("![A fat cat]"))
    let json = try sandbox.offread("dump", "--reader", "--format", "json", page)
    let members = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    #expect(members["byline"] as? String == "Mara Lind")
    #expect(members["site"] as? String == "The Gazette")
    #expect(members["title"] as? String == "Morning in the harbour of a town")
    #expect((members["words"] as? Int ?? 0) > 40)
  }

  @Test func `--with-comments keeps the comments below the text`() throws {
    let (sandbox, _) = try sandbox()
    let text = String(
      repeating: "<p>The ferry left the harbour at six, and nobody was on board.</p>", count: 6)
    let page = try sandbox.file(
      "comments.html",
      """
      <title>The ferry</title><article><h1>The ferry</h1>\(text)</article><div id=comments>
      <div class=comment><p>Ann</p><p>I was on board that morning, in fact.</p></div></div>
      """)
    #expect(try !sandbox.offread("dump", "--reader", page).text.contains("I was on board"))
    for format in ["text", "markdown", "html", "json"] {
      let dump = try sandbox.offread("dump", "--with-comments", "--format", format, page).text
      #expect(dump.contains("left the harbour") && dump.contains("I was on board"), "\(format)")
    }
  }

  @Test func `--explain prints how the content was selected`() throws {
    let (sandbox, page) = try sandbox()
    let run = try sandbox.offread("dump", "--explain", page)
    #expect(run.errorText.contains("offread: all rules: candidate article: score "))
    #expect(run.errorText.contains("chosen: article"))
    #expect(try sandbox.offread("dump", "--reader", page).text == run.text)
  }

  @Test func `a page that needs JavaScript shows the source of its text`() throws {
    let sandbox = try Sandbox()
    let body = String(
      repeating: "The ferry leaves at half past five, and the gulls follow it. ", count: 6)
    let page = try sandbox.file(
      "empty.html",
      "<title>Ferry</title><div id=app></div><script type=application/ld+json>"
        + "{\"@type\":\"Article\",\"articleBody\":\"\(body)\"}</script>")
    let run = try sandbox.offread("dump", "--reader", page)
    #expect(run.text.contains("the gulls follow it."))
    #expect(
      run.errorText
        == "offread: this page needs JavaScript; this text is from its embedded data\n")
    let json = try sandbox.offread("dump", "--reader", "--format", "json", page)
    #expect(json.text.contains("\"note\":\"this page needs JavaScript; this text is from"))
  }

  @Test func `settings select the view and the content of a site`() throws {
    let (sandbox, page) = try sandbox()
    let server = try ScriptedServer()
    server.on("/", .response([("Content-Type", "text/html; charset=utf-8")], text: Self.page))
    try sandbox.settings(
      "[[reader]]\nhost = \"127.0.0.1\"\nview = \"reader\"\ndrop = \"p.aside\"\n")
    let text = try sandbox.offread("dump", server.url + "/").text
    #expect(text.contains("The first ferry") && !text.contains("News"))
    #expect(!text.contains("An hour later"))
    let whole = try sandbox.offread("dump", "--full", server.url + "/").text
    #expect(whole.contains("News") && whole.contains("An hour later"))
    #expect(try sandbox.offread("dump", page).text.contains("News"))
    try sandbox.settings("[[reader]]\nkeep = \"div + p\"\n")
    let mistake = try sandbox.offread("dump", page)
    #expect(mistake.status == 0 && mistake.text.contains("The first ferry"))
    #expect(mistake.errorText.contains("config.toml:2: keep takes a selector such as"))
    try sandbox.settings("[[reader]]\nhost = \"a.test\"\n")
    #expect(
      try sandbox.offread("dump", page).errorText.contains(
        "[[reader]] sets nothing: it needs view, keep or drop"))
  }

  @Test func `--full and reader mode cannot be used together`() throws {
    let (sandbox, page) = try sandbox()
    let run = try sandbox.offread("dump", "--full", "--meta", page)
    #expect(run.status != 0 && run.output.isEmpty)
    #expect(run.errorText.contains("--full and --meta cannot be used together"))
  }

  @Test func `v changes the view without a request`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/", .response([("Content-Type", "text/html; charset=utf-8")], text: Self.page))
    let screen = try sandbox.reader(server.url + "/")
    try screen.wait(for: "navigation (2 links)")
    server.stop()
    try screen.press("v")
    let rows = try screen.wait(for: "reader view for all of")
    #expect(!rows.contains { $0.contains("navigation") })
    try screen.press("v")
    try screen.wait(for: "navigation (2 links)")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }
}
