import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// Parts of lines that style sheets conceal by their size or position until the pointer is over
/// something.
@Suite struct ConcealedTextTests {
  private static func firstLine(_ style: String, _ body: String) -> String? {
    let page = "<style>\(style)</style>\(body)<p>end</p>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.blocks.first { !$0.runs.isEmpty }.map { document.text(of: $0) }
  }

  @Test(
    arguments: [
      (".b { transform: scale(0) } .t:hover .b { transform: scale(1) }", true),
      (".b { transform: scale(0, 0) } .t:hover .b { transform: none }", true),
      (".b { scale: 0 } .t:focus .b { scale: 1 }", true),
      (".b { left: -999em } .t:hover .b { left: auto }", true),
      (".b { position: absolute; left: -9999px } .t:hover > .b { left: 0 }", true),
      (".b { margin-left: -9999px } .t:hover .b { margin-left: 0 }", true),
      (".b { left: -9999px; top: 0 } .t:hover .b { left: 0 }", true),
      // Nothing shows it under the pointer, or something shows it anyway.
      (".b { transform: scale(0) }", false), (".b { left: -9999px }", false),
      (".b { transform: scale(0) } .t:hover .b { left: 0 }", false),
      (".b { opacity: 0 } .t:hover .b { transform: scale(1.1) }", false),
      (".b { transform: scale(.5) } .t:hover .b { transform: scale(1) }", false),
      (".b { left: -5px } .t:hover .b { left: 0 }", false),
      (".b { left: -999em; left: 0 } .t:hover .b { left: 0 }", false),
      (".b { transform: scale(0) } .t:hover::after { transform: none }", false),
      (".b { transform: scale(0) translate( } .t:hover .b { transform: none }", false),
      // The pointer cannot be over the element itself.
      (".b { left: -999em } .b:focus { left: 0 }", false),
      (".b { left: -999em } .t .b:focus { left: 0 }", false),
      (".b { transform: scale(0) } .b:hover { transform: none }", false),
      (".b { left: -999em } .t:hover .b:hover { left: 0 }", true),
      (".b { opacity: 0 } .b:hover { opacity: 1 }", true),
    ] as [(String, Bool)])
  func `a part of a line is hidden if the pointer shows it`(_ style: String, _ hides: Bool) {
    let line = Self.firstLine(
      style, "<p>one <span class=t>two<span class=b> three</span></span> four")
    #expect(line == (hides ? "one two four" : "one two three four"))
    #expect(Self.firstLine(style, "<div class=t><div class=b>three</div></div>") == "three")
  }

  @Test(
    arguments: [
      ("two<span class=b>three</span> four", "two three four"),
      ("Inbox<span class=b>3</span>", "Inbox 3"), ("two <span class=b>three</span>.", "two three."),
      ("H<span class=b>2</span>O", "H2O"), ("x<sup class=b>12</sup> y", "x12 y"),
      ("<span class=b>O</span>nce", "Once"), ("o<span class=b>-</span>k", "o-k"),
      ("two<span style='position: relative'>three</span>", "twothree"),
      ("two<span class=b style='position: static'>three</span>", "twothree"),
      ("1<span class=b>(current)</span>", "1 (current)"),
      // Nothing runs together with punctuation.
      ("(<span class=b>three</span>)", "(three)"), ("“<span class=b>three</span>”", "“three”"),
      ("<span class=b>three</span>-x", "three-x"),
      ("two <span class=b>three</span>'s", "two three's"),
      ("$<span class=b>25</span> dollars", "$25 dollars"),
      ("<span class=b>now</span>$25", "now $25"), ("was<span class=b>€20</span>", "was €20"),
      ("10 <span class=b>km</span>/h", "10 km/h"),
      ("19.<span class=b>99</span> €", "19.99 €"), ("<span class=b>three</span>four", "three four"),
      ("2<span class=b><math><mi>n</mi><mo>+</mo><mn>1</mn></math></span>-th", "2n+1-th"),
    ] as [(String, String)])
  func `text that a style positions elsewhere is not a part of the word before it`(
    _ html: String, _ expected: String
  ) {
    let style = ".b { position: absolute; left: -9999px }"
    #expect(Self.firstLine(style, "<p>\(html)") == expected)
  }

  @Test func `the only text of a link or line is never hidden`() {
    let style = ".b { left: -999em } .t:hover .b { left: 0 }"
    #expect(
      Self.firstLine(style, "<p>see <a href=x class=t><span class=b>three</span></a> now")
        == "see three now")
    #expect(Self.firstLine(style, "<p class=t><span class=b>three</span>") == "three")
    #expect(
      Self.firstLine(style, "<p>see <a href=x class=t>this<span class=b>three</span></a> now")
        == "see this now")
    #expect(
      Self.firstLine(style, "<p>one <span class=t><span class=b style='left: 0'>two</span></span>")
        == "one two")
  }

  @Test(
    arguments: [
      (
        ".elementor-invisible { visibility: hidden }", "elementor-element elementor-invisible", true
      ),
      (".wow { visibility: hidden }", "box wow fadeInUp", true),
      ("", "wow", true),
      (".wowed { visibility: hidden }", "wowed", false),
      (".menu { visibility: hidden }", "menu", false),
      (".wow { display: none }", "wow", false),
    ] as [(String, String, Bool)])
  func `a block that fades in as the user scrolls is shown`(
    _ style: String, _ name: String, _ isShown: Bool
  ) {
    let styleAttribute = style.isEmpty ? " style='visibility: hidden'" : ""
    #expect(
      Self.firstLine(style, "<div class='\(name)'\(styleAttribute)>three</div>")
        == (isShown ? "three" : "end")
    )
    #expect(
      Self.firstLine(
        style + ".off { visibility: hidden }",
        "<div class=off><div class='\(name)'\(styleAttribute)>three</div></div>") == "end")
  }

  @Test(
    arguments: [
      ("max-height:0; overflow:hidden; mso-hide:all", true),
      ("MAX-HEIGHT: 0px !important; max-width: 0px; opacity: 0", true),
      ("font-size:1px;line-height:1px;max-height:0", true),
      // Parts that open, buttons for all programs but one, and images.
      ("max-height: 0; overflow: hidden", false), ("mso-hide: all", false),
      ("max-height: 20px; mso-hide: all", false), ("max-height: 0; font-size: 12px", false),
      ("max-width: 0; font-size: 10px", false),
      ("display: block; FONT-SIZE: 0px !important", true), ("font-size: 0.0em", true),
      ("font-size: 0; font-size: 12px", false), ("font-size: 0.9em", false),
      ("font-size: a0", false),
      ("font-size: 0; font: 12px serif", false), ("font-size: 0,5em", false),
      ("font-size: calc(0px + 1em)", false), ("font-size: 0%", true),
    ] as [(String, Bool)])
  func `the preheader of a mail is not shown`(_ style: String, _ isHidden: Bool) {
    let line = Self.firstLine("", "<div style='\(style)'>For lists</div><p>Dear reader</p>")
    #expect(line == (isHidden ? "Dear reader" : "For lists"))
  }

  @Test func `parts of an element without a font size are shown`() {
    // Such an element removes the spaces between its parts.
    let list = "<ul style='font-size:0'><li style='font-size:14px'>For lists</li></ul>"
    #expect(Self.firstLine("", list)?.contains("For lists") == true)
    #expect(Self.firstLine("", "<p>For<span style='font-size:0'> </span>lists</p>") == "For lists")
  }

  @Test(arguments: [
    "<a href=/1 style='font-size: 0'>For lists</a>",
    "<a href=/1><span style='font-size: 0'>For lists</span></a>",
    "<button style='font-size: 0'>For lists</button>",
  ])
  func `the text of a control without a font size is shown`(_ control: String) {
    // An icon from a style sheet is in its place.
    #expect(Self.firstLine("", "<p>\(control)</p>")?.contains("For lists") == true)
  }
}
