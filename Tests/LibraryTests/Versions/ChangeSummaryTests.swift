@testable import Saving
@testable import Library
import ReaderMode
import Document
import Testing

@Suite struct ChangeSummaryTests {
  private func summary(_ old: String, _ new: String) -> ChangeSummary? {
    ChangeSummary(PageDifference(from: document(old), to: document(new)))
  }

  private func document(_ html: String) -> Document {
    Document(bytes: Array(html.utf8))
  }

  @Test(
    arguments: [
      ("<p>one<p>two", "<p>one<p>two<p>three words more", "+1 line: three words more"),
      ("<p>one<p>two", "<p>one", "−1 line: two"),
      ("<p>It costs 12 crowns today<p>x", "<p>It costs 15 crowns today<p>x", "+1 −1 line: 15"),
      (
        "<p>alpha beta gamma<p>x", "<p>x<p>new one<p>new two",
        "+2 −1 lines: new one"
      ),
      // A change of punctuation only is not quoted.
      ("<p>Read this now<p>x", "<p>Read this now!<p>x<p>And that", "+2 −1 lines: And that"),
    ] as [(String, String, String)])
  func `a change is summarized in one line`(_ old: String, _ new: String, _ text: String) {
    #expect(summary(old, new)?.text == text)
  }

  @Test func `a page with the same text has not changed`() {
    #expect(summary("<p>one", "<div><p>one</div><hr>") == nil)
    #expect(summary("", "") == nil)
  }

  @Test func `quoted words are short, on one line, and without unsafe characters`() throws {
    let text = try #require(
      summary("<p>x", "<p>x<p>a\u{1B}[31mb\u{202E}c\n\td<pre>e\nf</pre>")?.text)
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }, "\(text)")
    let long = try #require(
      summary("<p>x", "<p>x<p>" + String(repeating: "word ", count: 500)))
    #expect(long.excerpt.count == 100)
  }
}
