import DOM
import Document
import ReaderMode
import Testing

/// Markup that occurs in books: notes, namespaces, and imports of style sheets.
@Suite struct BookMarkupTests {
  /// The text of each leaf block, separated by `|`.
  private func leaves(_ page: String) -> String {
    let document = Document(bytes: Array(page.utf8), mediaType: "application/xhtml+xml")
    return document.blocks.filter { !$0.runs.isEmpty }
      .map { document.text(of: $0) }.joined(separator: "|")
  }

  private static let link = "<p>Word<a epub:type=\"noteref\" href=\"#n\">1</a></p>"

  @Test(arguments: [
    "<style>aside{display:none}</style>\(link)<aside epub:type=\"footnote\" id=\"n\">Note</aside>",
    "\(link)<aside epub:type=\"endnote\" id=\"n\" hidden=\"hidden\">Note</aside>",
    "\(link)<aside role=\"doc-footnote\" hidden=\"\">Note</aside>",
    "\(link)<div id=\"n\" style=\"display:none\">Note</div>",
    "\(link)<section epub:type=\"footnotes\" hidden=\"\"><p id=\"n\">Note</p></section>",
    "<p>Word<a role=\"doc-noteref\" href=\"#n\">1</a></p><div id=\"n\" hidden=\"\">Note</div>",
    "<p>Word<a class=\"noteref\" role=\"link\" href=\"#n\">1</a></p>"
      + "<div id=\"n\" hidden=\"\">Note</div>",
    "<p>Word1</p><ol class=\"duokan-footnote-content\" style=\"display:none\">"
      + "<li class=\"duokan-footnote-item\">Note</li></ol>",
  ])
  func `notes that a book hides are shown`(_ body: String) {
    #expect(leaves("<html><body>\(body)</body></html>") == "Word1|Note")
  }

  @Test(arguments: [
    "<p>Word<a role=\"link\" href=\"#n\">1</a></p><div id=\"n\" hidden=\"\">Note</div>",
    "\(link)<aside id=\"x\" hidden=\"hidden\">Other</aside>",
    "<style>aside{display:none}</style>\(link)<aside epub:type=\"sidebar\">Other</aside>",
    "\(link)<div id=\"x\" style=\"display:none\">Other</div>",
    "<p>Word<a href=\"#n\">1</a></p><div id=\"n\" style=\"display:none\">Other</div>",
  ])
  func `hidden elements that are not notes of a book stay hidden`(_ body: String) {
    #expect(leaves("<html><body>\(body)</body></html>") == "Word1")
  }

  @Test(
    arguments: [
      ("[epub|type~=\"x\"]", "Word"), ("p[epub|type]", "Word"), ("[epub|type=\"y\"]", "Word|Other"),
      ("[epub|type|=\"x\"]", "Word|Other"), ("[epub|lang]", "Word|Other"),
      ("[epub|]", "Word|Other"),
      ("[xml|lang|=\"de\"]", "Word"),
    ] as [(String, String)])
  func `attribute selectors with a namespace apply`(_ selector: String, _ text: String) {
    let page =
      "<html xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><style>\(selector){display:none}"
      + "</style></head><body><p>Word</p>"
      + "<p epub:type=\"x z\" xml:lang=\"de-AT\">Other</p></body></html>"
    #expect(leaves(page) == text)
  }

  @Test func `elements with a prefix for XHTML are read`() {
    let page = """
      <?xml version="1.0"?>
      <h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>t</h:title></h:head>
      <h:body><h:h1>One</h1><h:p>A <h:b>b</h:b></h:p><h:ul><h:li>x</h:li></h:ul></h:body></h:html>
      """
    #expect(leaves(page) == "One|A b|x")
    #expect(Array(page.utf8).withoutHTMLPrefix.starts(with: "<?xml version=\"1.0\"?>\n<html ".utf8))
  }

  @Test(arguments: [
    "<html xmlns=\"http://www.w3.org/1999/xhtml\"><h:p>x</h:p></html>",
    "<h:html xmlns:h=\"http://a.example/\"><h:p>x</h:p></h:html>",
    "<h:html xmlns:i=\"http://www.w3.org/1999/xhtml\"><h:p>x</h:p></h:html>", "<h:html", "",
  ])
  func `pages whose prefix is not of the XHTML namespace are unchanged`(_ page: String) {
    #expect(Array(page.utf8).withoutHTMLPrefix == Array(page.utf8))
  }

  @Test(
    arguments: [
      ("@import 'a.css';", ["a.css|"]), ("@IMPORT url( \"a;b.css\" ) screen ;", ["a;b.css|screen"]),
      (
        "@charset \"utf-8\";\n/* x */ @import url(a.css);@import \"b.css\" print;p{}",
        ["a.css|", "b.css|print"]
      ),
      ("@import url(a.css) layer(x);", ["a.css|"]), ("p{} @import 'a.css';", []),
      ("@media screen { @import 'a.css'; }", []), ("@import a.css;", []),
      ("@import url();", []), ("@import", []), ("@", []), ("", []),
      ("@namespace epub 'x'; @import 'a.css';", []), ("@import 'a.css' {};", []),
      // The end of the style sheet ends all that is open.
      ("@import 'a.css'", ["a.css|"]), ("@import url(a.css", ["a.css|"]),
      ("@import \"a.css", ["a.css|"]), ("@import 'a.css' (width", []),
      // Escapes.
      ("@\\69 mport 'a\\2e css';", ["a.css|"]), ("@import \\55 RL( a\\ b.css );", ["a b.css|"]),
      ("@import 'a\\\n.css';", ["a.css|"]), ("@import 'a\\'b.css';", ["a'b.css|"]),
      ("@import 'a\\0000e9\r\nb';", ["aéb|"]), ("@import '\\5c a';", []),
      // Strings and URLs that are invalid end where the tokens end.
      ("@import 'a.css\n';@import 'b.css';", []),
      ("@import url(a'b;c) ;@import 'b.css';", ["b.css|"]),
      ("@import url(a b);@import url('c' d);@import url('b.css' );", ["b.css|"]),
      // Comments are not within URLs.
      ("@import/**/'a.css'/*;*/screen/**/;", ["a.css|screen"]),
      (
        "@import url(/*/a.css);/* @import 'no.css'; */@import url( b.css/**/);",
        [
          "/*/a.css|", "b.css/**/|",
        ]
      ),
      ("@import url(/**/'a.css');", []),
      (
        "<!-- @import 'a.css'; -->@import 'b.css';",
        [
          "a.css|", "b.css|",
        ]
      ),
      // Conditions.
      ("@import 'a.css' layer print;", ["a.css|print"]),
      (
        "@import 'a.css' LAYER(x) supports(content: ')') screen  and (color);",
        [
          "a.css|screen and (color)"
        ]
      ),
      ("@import 'a.css' layered;", ["a.css|layered"]), ("@import 'a.css' 'x';", []),
      ("@layer a; @import 'a.css'; @layer b; @import 'b.css';", ["a.css|"]),
      ("\u{FEFF}@import 'a.css';", ["a.css|"]),
    ] as [(String, [String])])
  func `imports at the beginning of a style sheet are found`(_ sheet: String, _ found: [String]) {
    let rules = StyleImports(of: Array(sheet.utf8)).all
    #expect(rules.map { "\($0.reference)|\($0.condition)" } == found)
  }
}
