import ReaderMode
import Testing

@testable import DOM
@testable import Document

/// Text in fonts that draw symbols for letters.
@Suite struct SymbolFontTests {
  private static func text(_ html: String) -> String {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.content
  }

  @Test(
    arguments: [
      ("Thanks <span style='font-family:Wingdings'>J</span>", "Thanks ☺"),
      (
        "Sorry <span style='font-size:11pt;font-family: \"Wingdings\", serif'> L </span>.",
        "Sorry ☹ ."
      ),
      ("<font face=Wingdings>à</font> next", "→ next"),
      ("x &gt; <font face='symbol'>a + b</font>", "x > α + β"),
      ("<span style='font-family:Symbol'>&#183;</span> one", "• one"),
      ("<span style='font-family:Symbol'>&#61623;</span> one", "• one"),
      ("<span style='font-family:\"Wingdings 2\"'>P</span> done", "✓ done"),
      ("<style>.s { font-family: Webdings }</style><i class=s>a</i> done", "✓ done"),
      (
        "<span style='font-family:Wingdings'>ü<span style='font-family:Arial'>OK</span></span>",
        "✓OK"
      ),
      // Other fonts, and text that another font shows.
      ("<span style='font-family:Arial, Wingdings'>J</span>", "J"),
      ("<span style='font-family:\"Segoe UI Symbol\"'>J</span>", "J"),
      ("<font face=Arial>J</font>", "J"),
      ("<code style='font-family:Wingdings'></code>J", "J"),
      (
        "<font face=Symbol>A whole sentence that nobody could read in this font.</font>",
        "A whole sentence that nobody could read in this font."
      ),
    ] as [(String, String)])
  func `letters in a symbol font are shown as its symbols`(_ html: String, _ expected: String) {
    #expect(Self.text("<p>\(html)") == expected)
  }
}
