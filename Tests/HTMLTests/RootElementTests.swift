import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// The elements `html` and `body` in selectors of style sheets.
@Suite struct RootElementTests {
  private static let tags = """
    <html class="no-js x" lang=de data-theme='dark &amp; dim' CLASS=second><head>
    <style>STYLE</style></head><body id=top class="home  single" data-page>
    <div class=box><p>one <span class=b>two</span> three</p></div><p>end</p></body>
    <body class=later data-late=1></html>
    """

  private static func lines(_ style: String, _ page: String = tags) -> [String] {
    let page = page.replacing("STYLE", with: style)
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.content.split(separator: "\n").map(String.init)
  }

  @Test(
    arguments: [
      (".no-js .b", true), ("html.no-js .b", true), (".x.no-js .b", true), (".js .b", false),
      (".second .b", false), (".single .b", true), ("#top .b", true), ("body#top .b", true),
      ("html#top .b", false), ("body.no-js .b", false), ("body:not(.loaded) .b", true),
      ("html:not(.no-js) .b", false), (":root.x .b", true), (":root:not(.js) .b", true),
      ("[lang=de] .b", true), ("html[lang|=de] .box .b", true), ("[lang=en] .b", false),
      ("[data-theme='dark & dim'] .b", true), ("html[data-theme] .b", true),
      ("[data-theme=light] .b", false), ("body[data-page] .b", true), ("[data-late='1'] .b", true),
      (".later .b", false), (".no-js .home .b", true), (".home .no-js .b", false),
      (".no-js > .single > .box .b", true), (".no-js > .box .b", false), (".home > .b", false),
      ("html > .single .b", true), (":is(.no-js, .y) .box .b", true), ("html + body .b", false),
      ("body:first-child .b", false), ("body:last-child .b", true), ("html:first-child .b", true),
      ("body:empty .b", false), ("body:has(.b) .b", true), ("body:has(> .box) .b", true),
      (":root:has(i) .b", false), (".no-js :has(.b) .b", true), ("body:hover .b", false),
    ] as [(String, Bool)])
  func `a selector may begin with attributes of the root elements`(selector: String, hides: Bool) {
    let lines = Self.lines("\(selector) { display: none }")
    #expect(lines == [hides ? "one three" : "one two three", "end"])
  }

  @Test(arguments: [
    "html.no-js", "body", ".home", "#top", ":root", "html, body.single", ".no-js > *.home",
  ])
  func `a page is shown although a rule hides its root elements`(selector: String) {
    let lines = Self.lines(
      "\(selector) { display: none; visibility: hidden; opacity: 0 }")
    #expect(lines == ["one two three", "end"])
  }

  @Test func `text that needs no script is shown, and text for scripts is not`() {
    let page = """
      <html class=no-js><style>STYLE</style><body><p>Install it with one of two programs.</p>
      <p class=tab>pip</p><p class=spinner>wait</p>
      """
    let lines = Self.lines(
      ".tab { display: none } .no-js .tab { display: block } .no-js .spinner { display: none }",
      page)
    #expect(lines == ["Install it with one of two programs.", "pip"])
    let otherLines = Self.lines(
      ".tab { display: none } .js .tab { display: block } .js .spinner { display: none }",
      page)
    #expect(otherLines == ["Install it with one of two programs.", "wait"])
  }

  @Test func `the specificity of html and body counts`() {
    for (style, isHidden) in [
      ("body .b { display: none } .b { display: inline }", true),
      ("span.b { display: inline } body .b { display: none }", true),
      (".box .b { display: inline } body .b { display: none }", false),
      (":root .b { display: none } body .b { display: inline }", true),
    ] {
      #expect(Self.lines(style).first == (isHidden ? "one three" : "one two three"), "\(style)")
    }
  }

  @Test func `root elements are not matched in a shadow tree`() {
    let page = """
      <html class=k><body><div><template shadowrootmode=open><style>STYLE</style>
      <p class=b>shown</p></template></div>
      """
    #expect(Self.lines(".k .b, body .b { display: none }", page) == ["shown"])
  }

  @Test func `a body of some class sets counters`() {
    let style = """
      .home { counter-reset: part 4 } html { counter-reset: part 8 }
      p::before { counter-increment: part; content: counter(part) ". " }
      """
    #expect(Self.lines(style) == ["5. one two three", "6. end"])
  }

  @Test func `attributes of root elements are limited`() {
    let names = (0..<1000).map { "data-a\($0)=\($0)" }.joined(separator: " ")
    let classes = (0..<100_000).map { "c\($0)" }.joined(separator: " ")
    let page =
      "<html \(names)><style>STYLE</style><body id=k class='\(classes)'><p class=b>one<p>two"
    #expect(Self.lines("[data-a3] .b { display: none }", page) == ["two"])
    #expect(Self.lines("[data-a999] .b, .c3 .b { display: none }", page) == ["one", "two"])
  }
}
