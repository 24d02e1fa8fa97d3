import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// What stands between the heading of a text and the text.
@Suite struct PreambleTests {
  private static let text = "<p>\((1...300).map { "word\($0)" }.joined(separator: " "))</p>"
  private static let names = ["Ann Baker wrote it", "Carl Diaz looked through it"]
    .map { "<p>\($0)</p>" }.joined()
  private static let shares = ["By letter", "By pigeon", "By messenger", "By boat", "By drum"]
    .map { "<p><a href=x>\($0)</a></p>" }.joined()

  private static func page(_ body: String) -> Document {
    let page = "<title>How to sail</title><p>A <a href=/>menu</a></p><h1>How to sail</h1>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document
  }

  /// What of a page folds away, line by line.
  private static func preamble(_ body: String) -> [String] {
    let document = page(body)
    return document.parts.flatMap { part in
      part.blocks.map { document.text(of: document.blocks[Int($0)]) }.filter { !$0.isEmpty }
    }
  }

  @Test func `the first lines below a heading stay, and more of them folds away`() {
    let folded = Self.preamble(Self.names + Self.shares + Self.text + Self.text)
    #expect(folded == ["By letter", "By pigeon", "By messenger", "By boat", "By drum"])
    #expect(Self.page(Self.names + Self.shares + Self.text).parts.map(\.kind) == [.preamble])
  }

  @Test func `headings and pictures above a text stay with it`() {
    let above = "<h2>Rope</h2><img src=r.png alt='A rope' width=600 height=400>"
    let folded = Self.preamble(Self.names + Self.shares + above + Self.text)
    #expect(folded.last == "By drum")
    let between = Self.preamble(Self.names + "<h2>Send it</h2>" + Self.shares + above + Self.text)
    #expect(between.first == "Send it" && between.last == "By drum")
  }

  @Test(arguments: [
    // A few lines fill no screen.
    names + text, names + "<p><a href=x>By letter</a></p>" + text,
    // The text is near, and lists of links come later.
    text + names + shares + text,
    // No text comes: short lines are the page.
    names + shares, "",
    // What is a table or code may be what the page is for, and so may many lines.
    names + "<table border=1><tr><th>Knot<th>Use<tr><td>Bowline<td>Loop</table>" + shares + text,
    names + "<pre>haul\nease\nhaul\nease</pre>" + shares + text,
    String(repeating: "<p>A line of a song</p>", count: 60) + text,
  ])
  func `what is short, or may be what the page is for, stays`(body: String) {
    #expect(Self.preamble(body) == [])
  }

  @Test func `a page without a heading at its beginning has none`() {
    let page = "<main>\(Self.names)\(Self.shares)\(Self.text)</main>"
    #expect(Document(bytes: Array(page.utf8), mediaType: "text/html").parts == [])
  }
}
