import Document
import ReaderMode
import Testing

@testable import TerminalUI

/// What a box beside a link says of a page.
struct PreviewTests {
  @Test(arguments: [
    ("<p>3 May<p>The tide tables of this year are at the office.<p>Open", "The tide tables"),
    (
      "<p>By the office<p>A paragraph that is long enough to say what the page is about, and first."
        + "<p>Another one that is even longer than the one before it, and says something else again.",
      "A paragraph"
    ),
    ("<p>Moved", "Moved"),
  ])
  func `a page begins with the first paragraph that says something`(_ html: String, _ begin: String)
  {
    let document = Document(bytes: Array("<!DOCTYPE html>\(html)".utf8))
    #expect(document.firstParagraph.hasPrefix(begin))
  }
}
