import Foundation
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// Blocks between the heading of a text and the text.
@Suite struct PreambleTests {
  private static let text = "<p>\((1...300).map { "word\($0)" }.joined(separator: " "))</p>"
  private static let names = ["Ann Baker wrote it", "Carl Diaz looked through it"]
    .map { "<p>\($0)</p>" }.joined()
  private static let shares = ["By letter", "By pigeon", "By messenger", "By boat", "By drum"]
    .map { "<p class=share><a href=x>\($0)</a></p>" }.joined()

  private static func page(_ body: String) -> Document {
    let page = "<title>How to sail</title><p>A <a href=/>menu</a></p><h1>How to sail</h1>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document
  }

  /// The folded lines of a page.
  private static func preamble(_ body: String) -> [String] {
    let document = page(body)
    return document.blockFolds.flatMap { part in
      part.kind == .navigation
        ? []
        : part.blocks.map { document.text(of: document.blocks[Int($0)]) }.filter { !$0.isEmpty }
    }
  }

  @Test func `the first lines below a heading stay visible, and further ones fold`() {
    let folded = Self.preamble(Self.names + Self.shares + Self.text + Self.text)
    #expect(folded == ["By letter", "By pigeon", "By messenger", "By boat", "By drum"])
    let kinds = Self.page(Self.names + Self.shares + Self.text).blockFolds.map(\.kind)
    #expect(kinds == [.navigation, .preamble])
  }

  @Test func `headings and images directly above a text stay visible`() {
    let above = "<h2>Rope</h2><img src=r.png alt='A rope' width=600 height=400>"
    let folded = Self.preamble(Self.names + Self.shares + above + Self.text)
    #expect(folded.last == "By drum")
    let between = Self.preamble(Self.names + "<h2>Send it</h2>" + Self.shares + above + Self.text)
    #expect(between.first == "Send it" && between.last == "By drum")
  }

  @Test(arguments: [
    // A few lines do not fill a screen.
    names + text, names + "<p><a href=x>By letter</a></p>" + text,
    // The text is near, and link lists come later.
    text + names + shares + text,
    // There is no text: the page consists of the short lines.
    names + shares, "",
    // Many lines, or links to other pages below the heading, may be the purpose of the page.
    String(repeating: "<p>A line of a song</p>", count: 60) + text,
    "<ul>\(String(repeating: "<li>Berth: <a href=b>alpha pier</a>", count: 12))</ul>" + text,
    String(repeating: "<p>Berth: <a href=b>alpha pier</a></p>", count: 12) + text,
    String(repeating: "<p>Stand by the mast.</p>", count: 12) + text,
  ])
  func `lines that are few, or may be the purpose of the page, stay visible`(body: String) {
    #expect(Self.preamble(body) == [])
  }

  @Test func `a page whose main element has no heading can have a preamble`() {
    let page = "<main>\(Self.names)\(Self.shares)\(Self.text)</main>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.blockFolds == [Document.BlockFold(2..<7, .preamble)])
  }

  @Test(arguments: [
    "<table border=1><tr><th>Knot<th>Use<tr><td>Bowline<td>Loop</table>",
    "<pre>haul\nease\nhaul\nease</pre>", "<p>Mind the boom, all of you.</p>",
    "<dl><dt>Berth<dd>alpha pier</dl>", "<h2>Ropes</h2><pre>haul</pre>",
  ])
  func `content that may be the purpose of the page stays visible between folded lines`(
    matter: String
  ) {
    let folded = Self.preamble(Self.shares + matter + Self.shares + Self.text)
    #expect(folded.count == 10 && Set(folded).count == 5)
  }

  @Test func `a table of contents folds however long it is`() {
    let entries = (1...300).map { "<li><a href=#s\($0)>Section \($0)</a>" }.joined()
    for list in [
      "<ul>\(entries)</ul>", "<h2>Table of contents</h2><ol>\(entries)</ol>",
      "<details open><summary>Table of contents</summary><ul>\(entries)</ul></details>",
    ] {
      let document = Self.page(list + Self.text)
      #expect(document.blockFolds.map(\.kind) == [.navigation, .tableOfContents])
      #expect(document.summary(ofBlocks: document.blockFolds[1].blocks).hasPrefix("300 links"))
    }
    let few = Self.page("<ul><li><a href=#a>One</a><li><a href=#b>Two</a></ul>" + Self.text)
    #expect(few.blockFolds.map(\.kind) == [.navigation])
  }

  @Test func `a table of contents folds if it is in a cell, or if a script follows its links`() {
    let lines = (1...9).map { "<a href=#s\($0)>Section \($0)</a>" }.joined(separator: "<br>")
    let entries = (1...9).map { "<li><a href=#>Section \($0)</a>" }.joined()
    for list in [
      "<table><tr><td>\(lines)</table>", "<p>\(lines)</p>",
      "<p>\(lines.replacingOccurrences(of: "<br>", with: "<br>&nbsp; &nbsp;"))</p>",
      "<h6>Contents</h6><ul>\(entries)</ul>",
    ] {
      let document = Self.page(list + Self.text)
      #expect(document.blockFolds.map(\.kind) == [.navigation, .tableOfContents])
      #expect(document.summary(ofBlocks: document.blockFolds[1].blocks).hasPrefix("9 links"))
    }
    // Links to other pages below such a line are the contents of a journal, or of a book.
    let pages = (1...9).map { "<li><a href=s\($0)>Section \($0)</a>" }.joined()
    #expect(Self.preamble("<h2>Contents</h2><ul>\(pages)</ul>" + Self.text) == [])
  }
}
