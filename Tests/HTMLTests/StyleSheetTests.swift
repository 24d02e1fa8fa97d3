import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// The effect of a page's style sheets on its visible text.
@Suite struct StyleSheetTests {
  private static func lines(_ style: String, _ body: String) -> [String] {
    let page = "<style>\(style)</style>\(body)<p>end</p>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.content.split(separator: "\n").map(String.init)
  }

  @Test(
    arguments: [
      (".a .b", true), (".a > .b", false), (".a > p > .b", true), ("div .b", true),
      ("div.a p .b", true), ("section .b", false), ("section > .b", false), (".b .b", false),
      ("#i .b", true), ("#j .b", false), ("[title] .b", true), ("[title=x] .b", false),
      ("p > span.b", true), ("body .b", true), ("html > body .a .b", true), ("body > .b", false),
      ("body > .a .b", true), (".a .c, .a .b", true), (".a + .b", false), (".a ~ .b", false),
      ("p + .b", false),
      (".b:hover", false), (".a:hover .b", false), (".a .b::before", false), (".a; .b", false),
      ("&gt; .b", false), (".a > > .b", false), ("> .b", false), (".a .c .b", false),
      ("div p span", true), ("div > span", false), (".other .b", false), (".a.x .b", true),
      (".a.y .b", false), (".a p *", true), ("p > *", true), (".a > * > .b", true),
      (":is(.a .b)", true), ("span:where(.a > .b, .x .b)", true), (":is(body div p) .b", true),
      (".b:not(.a .b)", false), (".b:not(section .b, .a > .b)", true),
      (".b:not(div > p > .b)", false),
      (":is(.a + .b)", false), (".b:not(body .b)", false), ("span:is(.c .b)", false),
      ("section *", false), (".a > p + *", false), (".b > *", false), (#".md\:b"#, true),
      (#".a .w-1\/2"#, true), (#".\62"#, true),
      (#"#x\.y"#, false), (#".a\ .b"#, false), (#".c\:b"#, false),
    ] as [(String, Bool)])
  func `a selector hides only the elements that it matches`(selector: String, hides: Bool) {
    let lines = Self.lines(
      "\(selector) { display: none }",
      "<div class='a x' id=i title=t><p>one <span class='b md:b w-1/2'>two</span> three</p></div>")
    #expect(lines.first == (hides ? "one three" : "one two three"))
  }

  @Test(arguments: [
    ".c { color: red", "@media print { .c { color: red", "@media print {{ .c { color: red }",
    ".c { /* red", ".c { content: 'x\\",
    "/*/", ".c { content: 'x", ".c { content: '}' } /* { */", ".c { color: red } }",
    ".c { background: url(x", ".c { background: url(", ".c { background: url(x\\",
  ])
  func `the end of a style sheet closes what it leaves open`(_ style: String) {
    let lines = Self.lines(
      "\(style)</style><style>.b { display: none }", "<p>one <span class=b>two</span> three</p>")
    #expect(lines.first == "one three")
  }

  @Test func `escaped quotation marks in selectors do not begin strings`() {
    let lines = Self.lines(
      #".c-\[\'\'\]::before{content:''}.b{display:none}"#,
      "<p>one <span class=b>two</span> three</p>")
    #expect(lines.first == "one three")
  }

  @Test(arguments: ["details:not([open]) > *:not(summary)", "details:where(:not([open])) p"])
  func `rules for closed details do not hide their content, which a fold shows`(_ selector: String)
  {
    let lines = Self.lines(
      "\(selector) { display: none } details:not([open]) summary b { display: none }",
      "<details><summary>one <b>less</b></summary><p>two</p></details>")
    #expect(lines == ["one", "two", "end"])
  }

  @Test(arguments: [
    "url(a\"b.png)", "url(it's.png)", "url( it's.png )", #"url(a\)'b)"#, "url(//a.test/*b)",
    "url(data:,a{b)", "URL(data:,f(1)", "url(data:image/svg+xml;utf8,<svg xmlns='http://a.test/'>)",
  ])
  func `in a URL without quotation marks, these and brackets have no meaning`(_ url: String) {
    let lines = Self.lines(
      ".c{background:\(url)}.b{display:none}",
      "<p>one <span class=b>two</span> three<i style=\"background:url(it's.png);display:none\">4</i>"
    )
    #expect(lines.first == "one three")
  }

  @Test(
    arguments: [
      (".a { color: red; .b { display: none } }", true), (".a { & .b { display: none } }", true),
      (".a { > .b { display: none } }", false), (".a { p > .b { display: none } }", true),
      (".b { &.c { display: none } }", false), (".b { .a & { display: none } }", true),
      (".x, .a { p { .y, .b { display: none } } }", true),
      (".a { .b { content: '}'; display: none } } i { color: red }", true),
      (".a { @media print { .b { display: none } } }", false),
      (".a { @media screen { .b { display: none } } }", true),
      (".b { .c { color: red } display: none }", true), (".a { .b { display: none", true),
      (".x { .c { color: red } } .x { content: '\n} .b { display: none }", true),
      (".a { .c { display: none } } .b { display: none }", true),
      ("@media print { .a { .b { display: none } } }", false),
    ] as [(String, Bool)])
  func `nested rules apply to the elements within those of their parents`(
    _ style: String, _ hides: Bool
  ) {
    let lines = Self.lines(
      style, "<div class=a><p>one <span class=b>two</span> three</p></div>")
    #expect(lines.first == (hides ? "one three" : "one two three"))
  }

  @Test(
    arguments: [
      (".t .b { opacity: 0 } .t:hover .b { opacity: 1 }", true),
      (".b { opacity: 0%; transition: opacity .3s } .t:focus-within > .b { opacity: 100% }", true),
      (".b { opacity: 0 }", false), (".b { opacity: .5 } .t:hover .b { opacity: 1 }", false),
      (".b { opacity: 0 } .b { opacity: var(--o, 1) } .t:hover .b { opacity: 1 }", false),
      (".b { opacity: 0 } .c:hover .c { opacity: 1 }", false),
      (".b { opacity: 0 } p .b { opacity: 1 } .t:hover .b { opacity: 1 }", false),
      (".t { opacity: 0 } .t:hover { opacity: 1 }", true),
    ] as [(String, Bool)])
  func `a part of a line that appears under the pointer is hidden`(_ style: String, _ hides: Bool) {
    let lines = Self.lines(style, "<p>one <span class=t><span class=b>two</span></span> three")
    #expect(lines.first == (hides ? "one three" : "one two three"))
    let block = Self.lines(style, "<div class=t><div class=b>two</div></div>")
    #expect(block.first == "two")
    let caption = Self.lines(
      style, "<figure class=t>x<figcaption>The <span class=b>harbour</span></figcaption></figure>")
    #expect(caption.contains("The harbour"))
  }

  @Test func `a popover within a line is hidden, any other is shown`() {
    let lines = Self.lines(
      "", "<p>The keel<span popover>tip</span> of it<div popover id=x>more</div>")
    #expect(lines.prefix(2) == ["The keel of it", "more"])
  }

  @Test func `deeply nested rules have bounded cost`() {
    let deep = String(repeating: ".a,.b,.c,.d{", count: 5000) + "display:none"
    let wide = String(repeating: ".a,.b,.c,.d{", count: 12) + "display:none" + deep
    #expect(Self.lines(deep, "<p>one").first == "one")
    #expect(Self.lines(wide, "<p>one").first == "one")
    let parents = (0..<200).map { ".a\($0)" }.joined(separator: ",")
    for sheet in [
      ".a{" + String(repeating: "&&&&&&&&&&{", count: 12) + "color:red",
      "\(parents){" + String(repeating: "b{}", count: 5000) + "}", deep, wide,
    ] {
      let bytes = Array(sheet.utf8)
      let flat = bytes.withStyleBytes(0..<bytes.count) { NestedRuleFlattener($0).flatSheet }
      #expect(flat.count <= 8 * bytes.count + 8192)
    }
  }

  @Test(
    arguments: [
      ("@layer a { .b { display: none } }", true), ("@layer a, c; .b { display: none }", true),
      ("@layer { @media screen { .b { display: none } } }", true),
      ("@supports (display: grid) { .b { display: none } }", true),
      ("@supports(display:grid) and (gap: 1em) { .b { display: none } }", true),
      ("@supports not (display: grid) { .b { display: none } }", false),
      ("@supports (not (display: grid)) { .b { display: none } }", false),
      ("@layer a { @media print { .b { display: none } } }", false),
      ("@container (width > 1em) { .b { display: none } }", true),
      ("@keyframes x { .b { display: none } } @layer a { i { color: red } }", false),
      ("@supports (a: b) { i { color: red } } .b { display: none }", true),
      ("@supports (-ms-ime-align: auto) { .b { display: none } }", false),
      ("@supports (-moz-appearance: none) and (display: grid) { .b { display: none } }", false),
      ("@supports not (-ms-ime-align: auto) { .b { display: none } }", true),
      ("@supports (-ms-grid: x) or (display: grid) { .b { display: none } }", true),
      ("@supports ((display: -ms-grid) and (gap: 1em)) { .b { display: none } }", false),
      ("@supports selector(:has(a)) { .b { display: none } }", true),
      ("@supports not selector(:has(a)) { .b { display: none } }", false),
    ] as [(String, Bool)])
  func `rules in layers and for supported features apply`(_ style: String, _ hides: Bool) {
    let lines = Self.lines(style, "<p>one <span class=b>two</span> three")
    #expect(lines.first == (hides ? "one three" : "one two three"))
  }

  @Test(
    arguments: [
      // Rules outside layers override those in layers.
      (".b { display: inline } @layer a { span.b { display: none } }", false),
      ("@layer a { .b { display: inline } } .b { display: none }", true),
      // The first mention of a layer sets its place.
      ("@layer a, c; @layer c { .b { display: none } } @layer a { .b { display: inline } }", true),
      ("@layer c { .b { display: none } } @layer a { .b { display: inline } }", false),
      (
        "@layer c {} @layer a { span.b { display: none } } @layer c { .b { display: inline } }",
        true
      ),
      // A layer overrides the layers in it.
      ("@layer a { .b { display: none } @layer c { span.b { display: inline } } }", true),
      ("@layer a.c { .b { display: none } } @layer a { .b { display: inline } }", false),
      (
        "@layer a { @layer c, d; } @layer a.d { .b { display: none } } "
          + "@layer a.c { .b { display: inline } }",
        true
      ),
      ("@layer { .b { display: none } } @layer { .b { display: inline } }", false),
      (
        "@layer c { .b { display: none } } @layer a; @layer a { .b { display: inline } } "
          + "i { & b { color: red } }",
        false
      ),
      // For important declarations, the order is the opposite.
      ("@layer a { .b { display: none !important } } .b { display: inline !important }", true),
      ("@layer a { .b { display: none !important } } .b { display: inline }", true),
      (
        "@layer a, c; @layer c { .b { display: none !important } } "
          + "@layer a { .b { display: inline !important } }",
        false
      ),
      ("@layer a { .b { display: none !important } p .b { display: inline !important } }", false),
    ] as [(String, Bool)])
  func `the order of layers counts before specificity`(_ style: String, _ hides: Bool) {
    let lines = Self.lines(style, "<p>one <span class=b>two</span> three")
    #expect(lines.first == (hides ? "one three" : "one two three"), "\(style)")
  }

  @Test func `an important style attribute overrides all layers`() {
    let lines = Self.lines(
      "@layer a { .b { display: none !important } } @layer c { i { color: red } }",
      "<p>one <span class=b style='display: inline !important'>two</span>")
    #expect(lines.first == "one two")
  }

  @Test func `many layers have bounded cost`() {
    let nested = String(repeating: "@layer a {", count: 5000) + ".b { display: none }"
    let names = (0..<20_000).map { "@layer l\($0) { .b { display: none } }" }.joined()
    for sheet in [nested, names, "@layer " + String(repeating: "a.", count: 5000) + ";"] {
      #expect(Self.lines(sheet, "<p>one").first == "one")
    }
  }

  @Test(
    arguments: [
      ("screen", true), ("print", false), ("not print", true),
      ("only screen and (min-width: 600px)", true),
      ("(min-width:37.5em)", true), ("(min-width: 1281px)", false),
      ("(max-width: 767.98px)", false),
      ("(max-width: 90rem)", true), ("screen and (hover:hover) and (pointer:fine)", true),
      ("(hover: none)", false), ("(any-hover)", true), ("(prefers-color-scheme: light)", true),
      ("(prefers-color-scheme: dark)", false), ("(orientation:landscape)", true),
      ("(width >= 768px)", true), ("(400px <= width < 700px)", false), ("(400px<width)", true),
      ("not all and (min-width:1px)", false), ("not (max-width: 600px)", true),
      ("(max-width: 600px) or (min-width: 900px)", true), ("(not (hover: none))", true),
      ("(scripting: none)", true), ("(scripting: enabled)", false), ("(scripting)", false),
      ("not (scripting)", true), ("print, (min-width: 1px)", true), ("(unknown)", false),
      ("not (unknown: 1)", false),
      ("(min-width: 3parsecs)", false), ("(min-width", false), ("((((((((((hover))))))))))", false),
      ("(width => 1px)", false), ("(1px < 2px < 3px < width)", false), ("", true),
    ] as [(String, Bool)])
  func `media queries are evaluated for a wide light screen with a mouse`(
    _ query: String, _ holds: Bool
  ) {
    let lines = Self.lines(
      "@media \(query) { .b { display: none } }", "<p>one <span class=b>two</span> three")
    #expect(lines.first == (holds ? "one three" : "one two three"), "\(query)")
  }

  @Test(
    arguments: [
      ("(min-width: 600px)", true), ("page (width > 40em)", true), ("(max-width: 600px)", false),
      ("page not (inline-size < 600px)", true), ("not (min-inline-size: 1px)", false),
      ("style(--a: b)", false), ("page", true), ("(unknown)", false),
    ] as [(String, Bool)])
  func `container queries are evaluated for wide containers`(_ query: String, _ holds: Bool) {
    let lines = Self.lines(
      "@container \(query) { .b { display: none } }", "<p>one <span class=b>two</span> three")
    #expect(lines.first == (holds ? "one three" : "one two three"), "\(query)")
  }

  @Test func `rules for screens of some sizes show all elements, and hide only parts of lines`() {
    let style = """
      .c, .d { display: none }
      @media (min-width: 600px) { @media screen { .b { display: none } } .c { display: block } }
      .d { display: inline }
      """
    let lines = Self.lines(
      style, "<p>one <span class=b>two</span> three<p class=b>four<p class=c>five<p class=d>six")
    #expect(lines.prefix(3) == ["one three", "five", "six"])
    let alone = Self.lines(
      style, "<p>one <span class=b>two</span> three<p class=b>four<p class=d>six")
    #expect(alone.prefix(3) == ["one three", "four", "six"])
    // Of two texts for different sizes, one is shown.
    let both = Self.lines(
      ".h { display: none } @media (min-width: 768px) { .i { display: inline } .s { display: none } }",
      "<p>a <span class='h i'>long</span> <span class=s>short</span> b")
    #expect(both.first == "a long b")
    let contained = Self.lines(
      style.replacing("@media", with: "@container page"),
      "<p>one <span class=b>two</span> three<p class=b>four<p class=c>five")
    #expect(contained.prefix(3) == ["one three", "five", "end"])
    let supported = Self.lines(
      "@supports (height: 1dvh) { .c { display: none } }", "<p>a<p class=c>b")
    #expect(supported.first == "a" && !supported.contains("b"))
  }

  @Test(
    arguments: [
      ("p:first-child", "1"), ("p:last-child", "4"), ("p:nth-child(2)", "2"),
      ("p:nth-child(odd)", "13"), ("p:nth-child( 2n )", "24"), ("p:nth-child(n+3)", "34"),
      ("p:nth-child(-n + 2)", "12"), ("p:nth-child(2n+1):not(.k)", "1"),
      ("p:not(:first-child)", "234"), ("p:nth-child(2 of #two, .k)", "3"),
      ("p:nth-child(n + 2 of :not(.k))", "24"), ("p:nth-last-child(2 OF :not(.k))", "2"),
      ("p:nth-child(1 of :nth-child(n of p))", ""),
      ("p:nth-child(1 of )", ""), ("p:nth-child(1 of .k", ""),
      ("p:not(.k, #two)", "14"), (".k", "3"), ("p:is(.k, #two)", "23"), (":where(.k)", "3"),
      (".k + p", "4"), ("#two ~ p", "34"), ("#two + .k ~ p", "4"), (".k + #two", ""),
      ("p:hover", ""), ("p:not(:hover)", ""), ("p:nth-last-child(1)", "4"),
      ("p:nth-of-type(2)", "2"),
      ("p:nth-last-of-type(2n)", "13"), ("p:only-of-type", ""), ("p::marker", ""),
      (":root p:first-of-type", "1"), ("p:last-of-type", "4"), ("p:only-child", ""),
      ("p:nth-child(", ""), ("p:nth-child(n-9223372036854775808)", ""),
      ("p:nth-child(-9223372036854775808n)", ""), ("p:nth-child(-1n-9223372036854775808)", ""),
      (String(repeating: ":not(", count: 20_000) + "p" + String(repeating: ")", count: 20_000), ""),
      (String(repeating: ":is(", count: 20_000), ""), ("p:not(:is(:not(p)))", "1234"),
      // Parts that a click or a choice shows are not hidden.
      ("p:not(:checked)", ""), ("p:not(:target)", ""), ("h2:not(:hover) + div p", ""),
      ("p:not()", ""), (":not(p):not(div):not(h2)", ""),
    ] as [(String, String)])
  func `pseudo-classes and sibling combinators match by position`(
    selector: String, hidden: String
  ) {
    let page =
      "<style>\(selector) { display: none }</style><h2>Numbers</h2>"
      + "<div>\n<p>1</p>\n<p id=two>2</p> <p class=k>3</p>\n<p>4</p></div>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let shownDigits = "1234".filter { !hidden.contains($0) }
    #expect(document.content.filter(\.isNumber) == shownDigits)
  }

  @Test(
    arguments: [
      ("p:lang(de)", "12"), ("p:lang('de-*')", "12"), ("p:lang(de-AT)", "2"), ("p:lang(d)", ""),
      ("p:lang(fr, en)", "345"), ("div:lang(en) p", ""), (":lang(de)", "12"),
      ("p:lang(*)", "12345"),
      ("p:not(:lang(en))", "12"), ("p:lang()", ""), ("p:dir(rtl)", "4"), ("p:dir(LTR)", "1235"),
      ("input:disabled + p", "5"), ("input:enabled + p", ""), ("p:disabled", ""), ("p:enabled", ""),
    ] as [(String, String)])
  func `pseudo-classes match by language, direction and state of controls`(
    selector: String, hidden: String
  ) {
    let page =
      "<html lang=en><style>\(selector) { display: none }</style><h2>Numbers</h2>"
      + "<div lang=de><p>1</p><p lang=de-AT>2</p></div><p>3</p><p dir=rtl>4</p>"
      + "<input disabled><p>5</p>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let shownDigits = "12345".filter { !hidden.contains($0) }
    #expect(document.content.filter(\.isNumber) == shownDigits)
  }

  @Test(
    arguments: [
      ("section { display: none } section:target { display: block }", "12"),
      ("main > section { display: none } main > section:target { display: block }", "12"),
      ("section { display: none } :target { display: block }", "12"),
      ("section { display: none } #b:target { display: block }", "2"),
      ("section { visibility: hidden } input:checked ~ section { visibility: visible }", "12"),
      ("section { display: none } section:hover { display: block }", ""),
      ("section { display: none } .menu section:target { display: block }", ""),
      ("section { display: none } h2:target { display: block }", ""),
    ] as [(String, String)])
  func `sections that a link target or a checked field would reveal are shown`(
    sheet: String, shown: String
  ) {
    let page =
      "<style>\(sheet)</style><p>Words.</p><main><input type=radio><section id=a>1</section>"
      + "<section id=b>2</section></main>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content.filter(\.isNumber) == shown)
  }

  @Test(
    arguments: [
      ("<link rel=stylesheet href='data:text/css,.a{display:none}'>", "2"),
      ("<link rel='StyleSheet' href='DATA:text/css;charset=utf-8,.a%7Bdisplay%3Anone%7D'>", "2"),
      ("<link rel=stylesheet href='data:text/css;base64,LmF7ZGlzcGxheTpub25lfQ=='>", "2"),
      ("<style>@import url('data:text/css;base64,LmF7ZGlzcGxheTpub25lfQ');</style>", "2"),
      ("<style>@import 'data:text/css,.b{color:red';.a{display:none}</style>", "2"),
      ("<style>@import 'data:text/css,.a{display:none}' print;</style>", "12"),
      ("<link rel=stylesheet media=print href='data:text/css,.a{display:none}'>", "12"),
      ("<link rel='alternate stylesheet' href='data:text/css,.a{display:none}'>", "12"),
      ("<link rel=stylesheet disabled href='data:text/css,.a{display:none}'>", "12"),
      ("<link rel=icon href='data:text/css,.a{display:none}'>", "12"),
      ("<link rel=stylesheet href='data:text/plain,.a{display:none}'>", "12"),
      ("<link rel=stylesheet href='data:text/css;base64,LmF7*'>", "12"),
      ("<link rel=stylesheet href='data:text/css'>", "12"),
    ] as [(String, String)])
  func `style sheets in data URLs apply`(_ markup: String, _ shown: String) {
    let page = "\(markup)<h2>Numbers</h2><p class=a>1<p>2"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content.filter(\.isNumber) == shown)
  }

  @Test func `selectors that affect how text is shown are counted`() {
    let coverage = StyleCoverage(
      of: Array(
        """
        .a, p:has(b) { display: none } .b { color: red } p:user-valid { white-space: pre }
        p:hover, .c + .d { visibility: hidden }
        """.utf8))
    #expect(coverage.selectorCount == 5)
    #expect(coverage.supportedSelectorCount == 4)
    #expect(coverage.unsupportedSelectors == ["p:user-valid"])
  }

  @Test func `a later or more specific rule wins, and an important one overrides both`() {
    let body = "<div class=a><p id=p class=b>text</p></div>"
    for (style, isShown) in [
      (".b { display: none } .b { display: block }", true),
      (".a .b { display: none } .b { display: block }", false),
      ("#p { display: block } .a .b { display: none }", true),
      (".b { display: none !important } .a .b { display: block }", false),
      ("p { visibility: hidden } .a p { visibility: visible }", true),
      (".b { display: none; display: hidden }", false),
      (".b { display: none } .a .b { display: blok }", false),
      (".b { display: none; display: -webkit-box }", true),
      (".b { display: none; display: block flow }", true),
      (".a { visibility: hidden } .a .b { visibility: visible }", true),
    ] {
      #expect(Self.lines(style, body).contains("text") == isShown, "\(style)")
    }
  }

  @Test(arguments: [PageView.page, .reader])
  func `line breaks from a style sheet appear in both views`(view: PageView) {
    let verse = (1...8).map { "<span>line \($0) of a poem that is long enough</span>" }.joined()
    let page =
      "<style>.poem span { display: block }</style><article><h1>Poem</h1>"
      + "<p>" + String(repeating: "An introduction, which is read first. ", count: 8) + "</p>"
      + "<p class=poem>\(verse)</p></article>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html", view: view.view)
    let lines = document.content.split(separator: "\n")
    for number in 1...8 {
      #expect(lines.contains("line \(number) of a poem that is long enough"), "\(lines)")
    }
  }

  enum PageView: Sendable {
    case page, reader
    var view: PageViewMode { self == .page ? .page : .reader(ReaderOptions()) }
  }

  @Test(
    arguments: [
      (".q::before { content: '\\201C' } .q:after { content: \"\\201D \" }", "say “word” now"),
      (".q::after { content: ', or' ' so, ' }", "say word, or so, now"),
      (".q::after { content: attr(title) }", "say word now"),
      (".q::after { content: 'x' counter(n) }", "say wordx0 now"),
      (".q::after { content: 'x' element(n) }", "say word now"),
      (".q::after { content: '\\e901' }", "say word now"),
      (".q::after { content: '.'; visibility: hidden }", "say word now"),
      (".q:hover::after { content: 'tip' }", "say word now"),
      ("p .q::after { content: '!' } .q::after { content: '?' }", "say word! now"),
      (".q::after { content: '\\1b[31m\\202e' }", "say word\u{FFFD}[31m now"),
    ] as [(String, String)])
  func `text generated by a style sheet around an element is shown`(style: String, expected: String)
  {
    #expect(Self.lines(style, "<p>say <i class=q>word</i> now").first == expected)
  }

  @Test func `symbols that CSS generates for list items and empty elements are left out`() {
    let lines = Self.lines(
      "li::before { content: '»' } .rule::after { content: '◆' }",
      "<ul><li>item</ul><div class=rule></div>")
    #expect(lines == ["item", "end"])
  }

  @Test func `a white-space rule with a descendant selector applies`() {
    let lines = Self.lines(
      ".poem p { white-space: pre-line }", "<div class=poem><p>one\ntwo</p></div>")
    #expect(lines == ["one", "two", "end"])
  }

  @Test(
    arguments: [
      ("", true), ("type='text/css'", true), ("type='TEXT/CSS' media=screen", true),
      ("type=''", true), ("type='text/less'", false), ("type='text/x-template'", false),
    ] as [(String, Bool)])
  func `only style elements in CSS apply`(_ attributes: String, _ hides: Bool) {
    let page = "<style \(attributes)>.b { display: none }</style><p>one <span class=b>two</span>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content == (hides ? "one" : "one two"))
  }

  @Test(
    arguments: [
      ("x-tip { display: none }", true), ("X-Tip{display:none}", true),
      ("p>x-tip { display: none }", true), ("i, x-tip.n { visibility: hidden }", true),
      ("@media screen { x-tip { display: none } }", true),
      ("x-tip { display: inline } .n { display: none }", true),
      (".n { display: none } x-tip { display: inline }", true),
      ("x-top { display: none }", false), ("x-tip.m { display: none }", false),
      (".x-tip { display: none }", false), ("tip { display: none }", false),
      ("x-tip { color: red } i { display: none }", false),
    ] as [(String, Bool)])
  func `the name of a custom element is a type selector`(_ style: String, _ hides: Bool) {
    let lines = Self.lines(
      style, "<p>one <x-tip class=n>two</x-tip> three <b x-tip>four</b> <x-b>five</x-b>")
    #expect(lines.first == (hides ? "one three four five" : "one two three four five"))
  }

  @Test func `rules for all elements of a page leave them as they are`() {
    let lines = Self.lines(
      "* { margin: 0; white-space: pre } .a * { padding: 0 } * { display: none } p * { margin: 0 }",
      "<div class=a><p>one  <b>two</b></div>")
    #expect(lines == ["one two", "end"])
  }

  @Test func `text that a click reveals is not hidden`() {
    let lines = Self.lines(
      ".faq .reply { display: none } .faq.open .reply { display: block }",
      "<div class=faq><p>Question?</p><p class=reply>Reply.</p></div>")
    #expect(lines == ["Question?", "Reply.", "end"])
  }

  @Test func `malformed and endless style sheets have bounded cost`() {
    var random = SplitMix64(seed: 20_261_126)
    let pieces = [
      ".a", " ", ">", "{", "}", "display:none", ";", ":", "content:'", "\\", "'", "\"", "@media",
      "(", ")",
      "[", "]", "#b", ",", "::before", "/*", "*/", "html", "body", "\n", "p", "*",
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...40, using: &random)
      let style = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      _ = Self.lines(style, "<div class=a><p class=a id=b>x</p></div>")
    }
    // Every element matches every rule, at every depth.
    let rules = (0..<300).map { ".a .a .a .a .a > .a .x\($0) { display: none }" }.joined()
    let deep = String(repeating: "<div class=a>", count: 20_000)
    #expect(Self.lines(rules, deep + "text").first == "text")
  }
}
