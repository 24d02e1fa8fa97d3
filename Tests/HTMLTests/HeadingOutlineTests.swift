import ReaderMode
import Testing

@testable import Document

/// The texts of headings in the outline of a page.
@Suite struct HeadingOutlineTests {
  @Test(
    arguments: [
      ("History", "History"), ("History<span>[<a href=/e>edit</a>]</span>", "History"),
      ("History [<a href=/v>edit</a> | <a href=/e>edit source</a>]", "History"),
      ("History<sup><a href=#n>[2]</a></sup>", "History"), ("One<br>two", "One two"),
      ("Type [Int]", "Type [Int]"), ("<a href=/a>[edit]</a>", "[edit]"),
      ("See [<a href=/a>the</a> notes]", "See [the notes]"),
      ("Install <button>Copy link</button>", "Install"),
      ("<a href=/a>Review [PS5]</a>", "Review [PS5]"),
      ("<a href=/a>Review</a> [<a href=/e>edit</a>]", "Review"),
      ("1. <button>One<br>two</button>", "1. [One two]"),
    ] as [(String, String)])
  func `an outline leaves out links in brackets and controls`(_ heading: String, _ text: String)
    throws
  {
    let html = "<h2>\(heading)</h2><p>text"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let block = try #require(
      document.blocks.first { if case .heading = $0.kind { true } else { false } })
    #expect(document.outlineText(of: block) == text)
  }
}
