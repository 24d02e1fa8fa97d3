import DOM
import Testing

@testable import Document
@testable import ReaderMode

/// Empty lines and indentation by the margins and paddings of `div` elements.
@Suite struct BlockSpacingTests {
  /// The lines of a page: "/" stands for an empty line before one, "·" for a column of indentation.
  private static func lines(_ style: String, _ body: String) -> String {
    let page = "<style>\(style)</style>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    var text = ""
    for block in document.blocks where !block.runs.isEmpty {
      text += block.hasNoSpaceAbove ? "|" : text.isEmpty ? "" : "/"
      text += document.text(of: block).replacing("\u{A0}", with: "·")
    }
    return text
  }

  private static let poem = """
    <div class=poem><div class=group><div class=v>Fog</div><div class='v i2'>smoke</div>
    <div class='v i8'> far</div></div><div class=group><div class=v>nobody</div></div></div>
    """

  @Test(
    arguments: [
      (
        ".group { padding: .5em 0 } .v { text-indent: -3em; padding-left: 3em } "
          + ".i2 { text-indent: -2em } .i8 { text-indent: 1em }",
        "Fog|··smoke|········far/nobody"
      ),
      (
        ".group { margin: 1em 0 } .v { margin-left: 0 } .i2 { margin-left: 1em }",
        "Fog|··smoke|far/nobody"
      ),
      (".group { margin-top: 16px } .i8 { margin: 0 0 0 2em }", "Fog|smoke|····far/nobody"),
      (".group + .group { padding-top: 1rem } div.i2 { padding: 0 8px }", "Fog|·smoke|far/nobody"),
      // Too little space, and the space of other elements.
      (".group { margin: 5px 0; padding-bottom: 2px }", "Fog|smoke|far|nobody"),
      (".group { margin: .5em 0 }", "Fog|smoke|far|nobody"),
      ("p, .poem span, section { margin: 2em; padding: 2em }", "Fog|smoke|far|nobody"),
      ("@media (min-width: 9px) { .group { margin: 2em } }", "Fog|smoke|far|nobody"),
      // The same distance for all, and that of a column of the page.
      (".v { padding-left: 15px }", "Fog|smoke|far|nobody"),
      (".i2 { margin-left: 240px }", "Fog|smoke|far|nobody"),
      (".i2 { margin-left: -2em } .i8 { text-indent: -999em }", "Fog|smoke|far|nobody"),
      (".i2 { margin: calc(1em + 2px) var(--x) }", "Fog|smoke|far|nobody"),
    ] as [(String, String)])
  func `stanzas are apart, and verses indented`(style: String, expected: String) {
    #expect(Self.lines(style, Self.poem) == expected)
  }

  @Test(
    arguments: [
      (
        "<div class=stanza><div>Fog</div><div>smoke</div></div><div class=stanza><div>far</div></div>",
        "Fog|smoke/far"
      ),
      (
        "<div class=stanza><span class=verse>Fog</span> <span class=verse>smoke</span></div>",
        "Fog|smoke"
      ),
      ("<p><span class=line>Fog</span><span class='line i2'>smoke</span> far", "Fog\nsmoke far"),
      ("<p><span class=long-line>Fog</span>\n<span class=long-line>far</span>", "Fog\nfar"),
      ("<h2><span class=line>Fog</span><span class=line>far</span></h2>", "Fog\nfar"),
      ("<p><span class=line>Fog</span><br><span class=line>far</span>", "Fog\nfar"),
      ("<p>a <span class=line></span><span class=line></span> b", "a b"),
      ("<p><span class=underline>a</span> <span class=inverse>b</span>", "a b"),
      (
        "<p><span class=verse><b>1</b> Fog.</span> <span class=verse>2 Far.</span>", "1 Fog. 2 Far."
      ),
      ("<p><span class=under-line>a</span> <span class=under-line>b</span>", "a b"),
    ] as [(String, String)])
  func `stanzas and verses may be named by classes only`(body: String, expected: String) {
    #expect(Self.lines("", body) == expected)
  }

  @Test func `paragraphs and clauses may be div elements`() {
    #expect(
      Self.lines(
        ".p { margin-bottom: 1em } .q { padding: 12px 0 } .in { margin-left: 40px }",
        "<div class=p>One.</div><div class=p>Two.</div><div style='margin: 0 0 1em'>Three.</div>"
          + "<div>Four.</div><div class=q>Five.</div><div class=in>(a)</div>"
          + "<div style='margin-left: 80px'>(i)</div><div>Six.</div>")
        == "One./Two./Three./Four./Five./·····(a)|··········(i)|Six.")
  }

  @Test func `menus, rows and cards beside each other have no empty lines`() {
    let style = "div div { margin: 20px 0 } .row { display: flex } .f div { float: left }"
    #expect(
      Self.lines(style, "<div><div><a href=/a>Home</a></div><div><a href=/b>News</a></div></div>")
        == "Home|News")
    #expect(
      Self.lines(style, "<p>x<div class=row><div>One</div><div>Two</div></div>")
        == "x/One|Two")
    #expect(
      Self.lines(style, "<p>x<div class=f><div>One</div><div>Two</div></div>") == "x/One|Two")
  }

  @Test func `the indentation of many lines has linear cost`() {
    let lines = (0..<20_000).map { "<div class=i\($0 % 2)>x<p>y</p></div><div class=j>z</div>" }
    let text = Self.lines(
      ".i1 { padding: 1em } .j { margin-left: 2em }", "<div>\(lines.joined())</div>")
    #expect(text.count { $0 == "z" } == 20_000)
  }

  @Test(
    arguments: [
      ("<span class=tag>New</span><span class=tag>Sale</span>", "New Sale"),
      ("<a class=tag>1</a><a class=tag>2</a><a class=tag>3</a>", "1 2 3"),
      ("<span class=r>Label</span><b>value</b>", "Label value"),
      ("<i><a class=tag>1</a></i><i><a class=tag>2</a></i>", "1 2"),
      ("<a style='padding: 0 5px'>1</a><a style='padding: 0 5px'>2</a>", "1 2"),
      ("<span class=l>one</span><span class=l>two</span>", "one two"),
      ("<span class=e>one</span><span>two</span>", "one two"),
      ("<span class=r>one</span><span class=e>two</span><span>three</span>", "one two three"),
      ("<u class=m><em>one</em><em>two</em></u>", "one two"),
      ("<span>one</span><span class=f>two</span>", "one two"),
      ("<span>2023</span><span class=f>14 views</span>", "2023 14 views"),
      // Parts of a word, initials, punctuation and text without an element.
      ("<span>O</span><span class=f>nce</span>", "Once"), ("one<span class=f>two</span>", "onetwo"),
      ("<span class=mark>dig</span><span class=mark>its</span>", "digits"),
      ("<span class=tag>w</span><span class=tag>o</span>", "wo"),
      ("<span class=r>O</span><span>nce</span>", "Once"),
      ("<span class=tag>one</span><span class=tag>, two</span>", "one, two"),
      ("one<span class=tag>two</span>three", "onetwothree"),
      ("<span>one</span><span>two</span>", "onetwo"),
      ("H<sub class=tag>2</sub><sup class=tag>16</sup>O", "H216O"),
      ("<code class=tag>a1</code><code class=tag>b1</code>", "a1b1"),
    ] as [(String, String)])
  func `inline elements are apart if styles set a distance`(_ body: String, _ expected: String) {
    let style =
      ".tag { padding: 2px 8px } .mark { padding: 2px } .r { margin-right: .5em } "
      + ".l { margin-inline: 4px } .e { margin-inline: 0 8px } .m em { margin-right: 10px } "
      + ".f { margin-left: 1em }"
    #expect(Self.lines(style, "<p>\(body)") == expected)
  }
}
