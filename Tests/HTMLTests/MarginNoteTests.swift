import ReaderMode
import Testing

@testable import Document

/// Margin notes within the text, and buttons within code.
@Suite struct MarginNoteTests {
  private static func text(_ html: String) -> String {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.content
  }

  @Test(arguments: [("1", true), ("*", true), ("Menu", false), ("", false)])
  func `a popover behind a button with a mark is a note`(_ mark: String, _ isNote: Bool) {
    let button = "<button popovertarget=n>\(mark)</button>"
    let text = Self.text("<p>The sea\(button)<span popover id=n>A note.</span> is deep.")
    #expect(text.contains(" (A note.) is deep.") == isNote)
    #expect(text.contains("A note.") == isNote)
  }

  @Test(
    arguments: [
      (
        "sea<label for=n class='margin-toggle sidenote-number'></label>"
          + "<input type=checkbox id=n class=margin-toggle><span class=sidenote>A note.</span> is",
        "sea (A note.) is"
      ),
      (
        "sea <label for=n class=margin-toggle>&#8853;</label> <input type=checkbox id=n "
          + "class=margin-toggle/> <span class=marginnote>A <b>note</b></span>, is",
        "sea (A note), is"
      ),
      (
        "<style>.margin-toggle { display: none }</style>sea<input type=checkbox "
          + "class=margin-toggle><span class=sidenote>A note.</span> is",
        "sea (A note.) is"
      ),
      (
        "<style>.sidenote { float: right }</style>sea<span class=sidenote>A note.</span> is",
        "sea (A note.) is"
      ),
      // Other check boxes and spans.
      ("sea <input type=checkbox><span class=sidenote>a word</span> is", "sea [ ] a word is"),
      ("sea<span class=sidenote> a word</span> is", "sea a word is"),
      ("sea <label class=margin-toggle>wide</label> is", "sea wide is"),
    ] as [(String, String)])
  func `a margin note is in parentheses, without its check box`(
    _ html: String, _ expected: String
  ) {
    #expect(Self.text("<p>\(html)") == expected)
  }

  @Test(arguments: [
    "", "<style>.margin-toggle { display: none } .sidenote { float: right }</style>",
  ])
  func `margin notes are in parentheses in reader view, too`(_ style: String) {
    let paragraph = "<p>The bay was surveyed in spring, when the ice was gone and boats came.</p>"
    let note = "<input type=checkbox class=margin-toggle><span class=sidenote>A note.</span>"
    let body = "\(paragraph)\(paragraph)<p>Here the sea\(note) is deep, and no lead finds it.</p>"
    let article = "<article>\(body)\(paragraph)</article>"
    let text = readerText(ofBody: article, title: "The bay", head: style)
    #expect(text.contains("the sea (A note.) is deep"))
  }

  @Test(
    arguments: [
      (laTeXMLNote("<span class=ltx_tag_note>1</span>A <i>note</i>."), "sea1 (A note.) is"),
      (laTeXMLNote("<span class=ltx_note_type>thanks: </span>A note."), "sea1 (A note.) is"),
      // A reference to another note.
      (
        laTeXMLNote("<span class=ltx_note_type>mark: </span><span class=ltx_tag_note>1</span>"),
        "sea1 is"
      ),
      (
        laTeXMLNote("A" + laTeXMLNote("<span class=ltx_tag_note>1</span>deep note") + "."),
        "sea1 (Asea1deep note is.) is"
      ),
      ("sea<sup class=ltx_note_mark>1</sup> is", "sea1 is"),
    ] as [(String, String)])
  func `a footnote of LaTeXML is in parentheses behind its number`(
    _ html: String, _ expected: String
  ) {
    let style = ".ltx_note_outer{display:none} .ltx_note:hover .ltx_note_outer{display:block}"
    #expect(Self.text("<p>\(html)") == expected)
    #expect(Self.text("<style>\(style)</style><p>\(html)") == expected)
  }

  private static func laTeXMLNote(_ content: String) -> String {
    "sea<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup>"
      + "<span class=ltx_note_outer><span class=ltx_note_content><sup class=ltx_note_mark>1</sup>"
      + "\(content)</span></span></span> is"
  }

  @Test func `a button in code is not shown`() {
    #expect(Self.text("<pre><code>let a\n<button>Copy</button></code></pre>") == "let a")
    #expect(Self.text("<form><pre>let a <button>Send</button></pre></form>").contains("[Send]"))
    #expect(
      Self.text("<form id=f></form><pre>let a <button form=f>Send</button></pre>")
        .contains("[Send]"))
    #expect(Self.text("<p>let a <button>Copy</button>") == "let a [Copy]")
  }
}
