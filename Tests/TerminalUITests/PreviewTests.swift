import Document
import ReaderMode
import Testing

@testable import TerminalUI

/// The preview of a page in a box next to a link.
struct PreviewTests {
  @Test(
    arguments: [
      ("<p>3 May<p>The tide tables of this year are at the office.<p>Open", "The tide tables"),
      (
        "<p>By the office<p>A paragraph that is long enough to say what the page is about, and first."
          + "<p>Another one that is even longer than the one before it, and says something else again.",
        "A paragraph"
      ),
      ("<p>Moved", "Moved"),
    ] as [(String, String)])
  func `a preview begins with the first meaningful paragraph`(_ html: String, _ prefix: String) {
    let document = Document(bytes: Array("<!DOCTYPE html>\(html)".utf8))
    #expect(document.firstParagraph.hasPrefix(prefix))
  }
}
