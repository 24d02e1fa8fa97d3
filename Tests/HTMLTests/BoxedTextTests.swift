import DOM
import ReaderMode
import Testing

@testable import Document

/// Boxes within a text, such as quotations, that old pages make with tables.
@Suite struct BoxedTextTests {
  private func quotations(_ html: String) -> Int {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.blocks.count { $0.kind == .quote }
  }

  private static func table(_ attributes: String, _ cell: String, _ text: String) -> String {
    "<div>Ann wrote:</div><table \(attributes)><tr><td \(cell)>\(text)</td></tr></table>Yes."
  }

  @Test(arguments: [
    table("", "style='border: 1px inset'", "<div>By Ann</div><div>Is it warm?</div>"),
    table("", "style='padding:2px; Border-Left:3px solid red'", "Is it warm?"),
    table("border=1", "", "Is it warm?"), table("class=quotetable", "", "Is it warm?"),
    "<td>A <table><tr><td><b>Ann:</b><tr><td class=quote>Is it warm?</table> Yes.",
  ])
  func `a box within a text is a quotation`(html: String) {
    #expect(quotations(html) == 1)
  }

  @Test func `quotations by tables are nested`() {
    let inner = "<table><tr><td>Ida:<tr><td class=quote>Is it?</table> It is."
    #expect(quotations("Hi.<table><tr><td>Ann:<tr><td class=quote>\(inner)</table> So.") == 2)
  }

  @Test(arguments: [
    "<div class=quotetitle>Ann wrote:</div><div class=quotecontent>Is it warm?</div>Yes.",
    "<div class=quotetop>Ann</div><div class='quotemain c'>Is it warm?</div>Yes.",
    "<div class=bbcode_quote><div>By Ann</div><div class=message>Is it warm?</div></div>Yes.",
  ])
  func `a division with the class of a quotation in a forum is one`(html: String) {
    #expect(quotations(html) == 1)
  }

  @Test(
    arguments: [
      ("<blockquote><div><cite>Ann wrote:</cite>Is it?</div></blockquote>", "Ann wrote:|Is it?"),
      ("<blockquote><cite><a href=a>Ann</a>: </cite> Is it?</blockquote>", "Ann:|Is it?"),
      ("<blockquote><p><cite>Ann</cite>Is it?</blockquote>", "Ann\nIs it?"),
      ("<blockquote><cite>Fog</cite> is a poem.</blockquote>", "Fog is a poem."),
      ("<blockquote><cite>Fog</cite>, a poem.</blockquote>", "Fog, a poem."),
      ("<blockquote><cite>Fog</cite>’s end.</blockquote>", "Fog’s end."),
      ("<blockquote>By <cite>Ann:</cite> Is it?</blockquote>", "By Ann: Is it?"),
      ("<div><cite>Fog:</cite> a poem</div>", "Fog: a poem"),
    ] as [(String, String)])
  func `the name of the writer is a line of a quotation`(_ html: String, _ expected: String) {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    let leaves = document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
    #expect(leaves.joined(separator: "|") == expected)
  }

  @Test(arguments: [
    table("", "", "Is it warm?"), table("border=0", "", "Is it warm?"),
    table("", "style='border:0'", "Is it warm?"), table("", "style='border: none'", "Is it warm?"),
    table("", "style='border-collapse:collapse; border-radius: 2px'", "Is it warm?"),
    table("border=1", "", "<h2>Is it warm?</h2>"), table("border=1", "", "<form>Is it?</form>"),
    table("border=1", "", "A<td>B"), table("border=1", "", String(repeating: "Long. ", count: 999)),
    // The frame of a page.
    "<center><table border=1><tr><td>Is it warm?</table></center>",
    table("border=1", "", "<table><tr><td>Is it warm?</table>"),
  ])
  func `other layout tables are not set off`(html: String) {
    #expect(quotations(html) == 0)
  }
}
