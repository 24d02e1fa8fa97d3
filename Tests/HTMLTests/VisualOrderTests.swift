import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// The order, direction and spaces of text that style sheets change.
@Suite struct VisualOrderTests {
  private static func text(_ style: String, _ body: String) -> String {
    let page = "<style>\(style)</style>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
      .joined(separator: "|")
  }

  @Test(
    arguments: [
      (".f { display: flex; flex-direction: column-reverse }", "c|b|a"),
      (".f { display: flex; flex-flow: wrap column-reverse }", "c|b|a"),
      (".f { display: flex; flex-direction: row-reverse }", "c|b|a"),
      (".f { display: flex } .a { order: 1 }", "b|c|a"),
      (".f { display: flex } .c { order: -1 }", "c|a|b"),
      (".f { display: flex; flex-direction: column } .a { order: 2 } .b { order: 1 }", "c|b|a"),
      (".f { display: inline-flex; flex-direction: column-reverse } .a { order: 1 }", "a|c|b"),
      (".f { display: grid; flex-direction: column-reverse } .a { order: 1 }", "b|c|a"),
      (".f { display: inline-grid } .c { order: -1 }", "c|a|b"),
      // The element is neither a flex container nor a grid, or the order is invalid, overridden or
      // limited to some sizes of the screen.
      (".f { flex-direction: column-reverse }", "a|b|c"), (".a { order: 1 }", "a|b|c"),
      (".f { display: grid; flex-direction: column-reverse }", "a|b|c"),
      (".f { display: grid } .a { order: 1; grid-row: 1 } .b { grid-area: b }", "a|b|c"),
      (".f { display: grid } .a { order: 1 } .b { grid-area: b }", "a|b|c"),
      (".f { display: grid } .a { order: 1; grid-row: auto / span 2 }", "b|c|a"),
      (".f { display: flex; flex-direction: sideways } .a { order: x }", "a|b|c"),
      (
        ".f { display: flex; flex-direction: column-reverse } "
          + "@media (min-width: 600px) { .f { flex-direction: row } }", "a|b|c"
      ),
      (".f { display: flex } @media (min-width: 600px) { .a { order: 1 } }", "a|b|c"),
      (
        ".f { display: flex; flex-direction: column-reverse } .f { flex-direction: column }",
        "a|b|c"
      ),
    ] as [(String, String)])
  func `children of a flex container or grid are in the order in which they are shown`(
    _ style: String, _ expected: String
  ) {
    let text = Self.text(
      style, "<div class=f><div class=a>a</div> <div class=b>b</div><div class=c>c</div></div>")
    #expect(text == expected)
  }

  @Test func `columns of a page and numbered items keep their order`() {
    #expect(
      Self.text(
        ".f { display: flex; flex-direction: row-reverse } .s { order: -1 }",
        "<div class=f><main><p>text</p></main><aside class=s><p>beside</p></aside></div>")
        == "text|beside")
    #expect(
      Self.text(
        ".f { display: grid } .s { order: -1 }",
        "<div class=f><main><p>text</p></main><aside class=s><p>beside</p></aside></div>")
        == "text|beside")
    #expect(
      Self.text(
        "ol { display: flex; flex-direction: column-reverse }", "<ol><li>a<li>b</ol>") == "a|b")
    #expect(
      Self.text(
        "", "<div style='display: flex; flex-direction: column-reverse'><p>new<p>old</div><p>end")
        == "old|new|end")
  }

  @Test(
    arguments: [
      ("<bdo dir=rtl>gro.elpmaxe@ofni</bdo>", "to info@example.org now"),
      ("<span class=o>gro.elpmaxe@ofni</span>", "to info@example.org now"),
      ("<span class=o>gro.<b>elpmaxe</b>@ofni</span>", "to info@example.org now"),
      ("<span class=o>gro.<i hidden>null</i>elpmaxe@ofni</span>", "to info@example.org now"),
      ("<span style='unicode-bidi: bidi-override; direction: rtl'>(1)</span>", "to (1) now"),
      ("<span class=b dir=rtl>cba</span>", "to abc now"),
      ("<a href=/x class=o>cba</a>", "to abc now"),
      // The text is not forced from right to left, or the element contains more than text.
      ("<bdo dir=ltr>abc</bdo>", "to abc now"), ("<span class=b>abc</span>", "to abc now"),
      ("<bdo>abc</bdo>", "to abc now"), ("<span dir=rtl>abc</span>", "to abc now"),
      ("<span class=o>ab<br>c</span>", "to ab\nc now"),
      ("<bdo dir=rtl>שלום</bdo>", "to שלום now"),
    ] as [(String, String)])
  func `text that is forced to the left is as it is seen`(_ html: String, _ expected: String) {
    let style =
      ".o { unicode-bidi: bidi-override; direction: rtl } .b { unicode-bidi: bidi-override }"
    #expect(Self.text(style, "<p>to \(html) now") == expected)
  }

  @Test(
    arguments: [
      ("<p class=o>gro.elpmaxe@ofni</p>", "to|info@example.org|now"),
      ("<div class=o id=x>\n gro.<b>elpmaxe</b>@ofni\n</div>", "to|info@example.org|now"),
      ("<ul><li class=o>cba<li>def</ul>", "to|abc|def|now"),
      ("<p class=b dir=rtl>cba</p>", "to|abc|now"), ("<p class=b>abc</p>", "to|abc|now"),
      ("<p dir=rtl>abc</p>", "to|abc|now"), ("<div class=o><p>abc</p></div>", "to|abc|now"),
      ("<p class=o>ab <a href=/x>c</a></p>", "to|ab c|now"),
    ] as [(String, String)])
  func `a block that is forced to the left is as it is seen`(_ html: String, _ expected: String) {
    let style =
      ".o { unicode-bidi: bidi-override; direction: rtl } .b { unicode-bidi: bidi-override }"
    #expect(Self.text(style, "<p>to</p>\(html)<p>now") == expected)
  }

  @Test(
    arguments: [
      (
        "<div class=r><div class=c>Name</div><div class=c>Age</div></div>"
          + "<div class=r>\n<div class=c>Ann</div>\n<div class=c>7</div>\n</div>", "Name Age|Ann 7"
      ),
      ("<div><div class=c>a</div><div style='display: table-cell'>b</div></div>", "a b"),
      ("<div>a<div class=c>b</div><div class=c>c</div>d</div>", "a|b c|d"),
      // Cells with blocks are columns.
      ("<div><div class=c><p>a</p></div><div class=c><p>b</p></div></div>", "a|b"),
      ("<div><div class=c>a</div><div class=c><p>b</p></div></div>", "a|b"),
      ("<div><div class=c>a</div>and<div class=c>b</div></div>", "a|and|b"),
      ("<div><div class=c>a</div><div>b</div></div>", "a|b"),
      ("<div><div class=c style='display: none'>a</div><div class=c>b</div></div>", "b"),
    ] as [(String, String)])
  func `short cells that styles make are beside each other`(_ body: String, _ expected: String) {
    let style = ".r { display: table-row } .c { display: table-cell; padding: 4px }"
    #expect(Self.text(style, body) == expected)
  }

  @Test(
    arguments: [
      ("<div role=row><span role=cell>a</span><span role=cell>b</span></div>", "a b"),
      (
        "<x-row role=row><x-cell role=gridcell>a</x-cell><x-cell role=gridcell>b</x-cell></x-row>",
        "a b"
      ),
      ("<p><span role=columnheader>a</span><b>b</b>", "a b"),
      ("<x-ul role=list><x-li role=listitem>a</x-li><x-li role=listitem>b</x-li></x-ul>", "a b"),
      ("<p><span role=option>a</span><span role=option>b</span>", "a b"),
      ("<p><a role=tab>a</a><a role=tab>b</a>", "a b"),
      ("<p><span role=note>a</span><b role=presentation>b</b>", "ab"),
    ] as [(String, String)])
  func `inline elements with the role of a cell or item are apart`(
    _ body: String, _ expected: String
  ) {
    #expect(Self.text("", body) == expected)
  }

  @Test func `elements that styles isolate are recorded`() {
    let page = "<style>.i { unicode-bidi: isolate }</style><p>a <span class=i>שלום</span> 1"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.isolates.map(\.isOverride) == [false])
  }

  @Test(
    arguments: [
      ("<code style='white-space: pre'>x   y</code>", "run x\u{A0}\u{A0} y"),
      ("<code style='white-space: pre-wrap'>x  y</code>", "run x\u{A0} y"),
      ("<span style='white-space: pre-wrap'>a    b</span>", "run a\u{A0}\u{A0}\u{A0} b"),
      ("<span style='white-space: pre-wrap'>a.  B</span>", "run a. B"),
      ("<span style='white-space: pre-line'>a    b</span>", "run a b"),
      ("<span style='white-space: nowrap'>a\n   b</span>", "run a b"),
      ("<span style='white-space: pre-wrap'>a    </span>", "run a"),
      ("<code>x   y</code>", "run x y"),
    ] as [(String, String)])
  func `spaces within a line are kept if they form columns`(_ html: String, _ expected: String) {
    #expect(Self.text("", "<p>run \(html)") == expected)
  }
}
