import ReaderMode
import Testing

@testable import DOM
@testable import Document

/// Texts, numbers and markers that style sheets add, and styles that move text.
@Suite struct GeneratedContentTests {
  @Test func `a long attribute value is cut between characters`() {
    let value = String(repeating: "語", count: 100)
    let lines = Self.lines("i::before { content: attr(title) }", "<p><i title=\(value)>word</i>")
    #expect(lines == [String(repeating: "語", count: 66) + " word"])
  }

  private static func lines(_ style: String, _ body: String) -> [String] {
    let page = "<style>\(style)</style>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.content.split(separator: "\n").map(String.init)
  }

  @Test(
    arguments: [
      ("span::before { content: attr(title) ' ' }", "<p><span title=12.50>EUR</span>", "12.50 EUR"),
      ("span::after { content: attr(data-n) }", "<p><span data-n=3>Inbox</span>", "Inbox 3"),
      (
        "i::before { content: open-quote } i::after { content: close-quote }", "<p><i>word</i>",
        "“word”"
      ),
      (
        "q::before { content: open-quote } q::after { content: close-quote }", "<p><q>word</q>",
        "“word”"
      ),
      ("q { quotes: '«' '»' }", "<p><q>word <q>in</q></q>", "«word «in»»"),
      ("q { quotes: none }", "<p>a “<q>word</q>” „<q>b</q>“ “<q>c</q>", "a “word” „b“ ““c”"),
      ("div { quotes: '»' '«' '›' '‹' }", "<div><p><q>word <q>in</q></q></div>", "»word ›in‹«"),
      ("q { quotes: '« ' ' »' }", "<p><q>word</q>", "«\u{A0}word\u{A0}»"),
      (
        "i { quotes: '«' '»' } i::before { content: open-quote } i::after { content: close-quote }",
        "<p><i>word</i>", "«word»"
      ),
      ("q { quotes: none }", "<p><q>word</q>", "“word”"),
      ("q { quotes: '' '' }", "<p><q>word</q>", "“word”"),
      ("q { quotes: '—' '' }", "<p><q>word</q>", "—word"),
      ("q { quotes: '«' }", "<p><q>word</q>", "“word”"),
      ("q { quotes: '<<<<<' '>>>>>' }", "<p><q>word</q>", "“word”"),
      ("i::before { content: attr(data-x) }", "<p><i>word</i>", "word"),
      ("i::before { content: attr(data-x) attr( }", "<p><i data-x=1>word</i>", "word"),
      ("i::before { content: url(x.png) 'a ' }", "<p><i>word</i>", "a word"),
      ("i::before { content: linear-gradient(red, blue) }", "<p><i>word</i>", "word"),
      ("i::before { content: element(x) 'a' }", "<p><i>word</i>", "word"),
      ("b::after { content: attr(data-text) }", "<p><b data-text=Welcome>Welcome</b>", "Welcome"),
      // Tooltips.
      ("b::after { content: attr(data-t); opacity: 0 }", "<p><b data-t=tip>word</b>", "word"),
      (
        "b::after { content: attr(data-t); position: absolute }", "<p><b data-t=tip>word</b>",
        "word"
      ),
      (
        "b::after { content: attr(data-t) } b:after { visibility: hidden }",
        "<p><b data-t=tip>word</b>",
        "word"
      ),
      // Line numbers.
      (
        "code b::before { counter-increment: l; content: counter(l) }",
        "<pre><code><b>let a = 1</b></code></pre>", "let a = 1"
      ),
      (
        "code b::before { content: attr(data-l) }",
        "<pre><code><b data-l=1></b>let a = 1<b data-l=2>;</b></code></pre>", "let a = 1;"
      ),
      (
        "b::before { content: attr(data-l) }", "<pre>  <b data-l=1></b>let a = 1</pre>",
        "  let a = 1"
      ),
      // Signs of changes.
      (
        "b::before { content: attr(data-m) } i::before { content: '-' }",
        "<pre><b data-m='+'>a</b> <b data-m='+'>c</b><i></i></pre>", "+a c"
      ),
      // Callouts.
      (
        "i::after { content: attr(data-n) } i + b { display: none }",
        "<pre>open door <i data-n=1></i><b>(1)</b></pre>", "open door (1)"
      ),
      (
        "i::after { content: '<' attr(data-n) '>' }",
        "<pre><code>open<i data-n=2></i></code></pre>",
        "open <2>"
      ),
      (
        "b::before { content: attr(title) }",
        "<p><b title='\(String(repeating: "я", count: 150))'></b>",
        String(repeating: "я", count: 100)
      ),
    ] as [(String, String, String)])
  func `generated content has attributes and quotation marks`(
    _ style: String, _ body: String, _ text: String
  ) {
    #expect(Self.lines(style, body) == [text])
  }

  @Test(
    arguments: [
      ("i::after { content: '\\A'; white-space: pre }", ["one", "two", "end"]),
      ("i::after { content: ',\\a '; white-space: pre-wrap }", ["one,", "two,", "end"]),
      ("i + i::before { content: '\\A'; white-space: pre-line }", ["one", "twoend"]),
      ("p { white-space: pre-line } i::after { content: '\\A' }", ["one", "two", "end"]),
      ("i::after { content: '\\A' } i::after { white-space: pre }", ["one", "two", "end"]),
      ("i::after { content: '\\A' }", ["onetwoend"]),
      ("i::after { content: ';\\A'; white-space: normal }", ["one; two; end"]),
      ("p { white-space: pre } i::after { content: '\\A'; white-space: nowrap }", ["onetwoend"]),
      ("i::after { content: ' '; white-space: pre }", ["onetwoend"]),
    ] as [(String, [String])])
  func `a line feed in generated text is a line break if white space is kept`(
    _ style: String, _ lines: [String]
  ) {
    #expect(Self.lines(style, "<p><i>one</i><i>two</i>end") == lines)
  }

  @Test func `a line break behind a definition adds no line`() {
    let lines = Self.lines(
      "dd::after { content: '\\A'; white-space: pre }", "<dl><dt>Size<dd>10<dt>Weight<dd>5</dl>")
    #expect(lines.map { $0.filter { $0 != " " } } == ["Size", "10", "Weight", "5"])
  }

  @Test(
    arguments: [
      ("white-space-collapse: preserve-breaks", ["one two", "three"]),
      ("white-space: preserve-breaks", ["one two", "three"]),
      ("white-space: nowrap preserve", ["one   two", "three"]),
      ("white-space-collapse: preserve", ["one   two", "three"]),
      ("white-space-collapse: collapse", ["one two three"]),
      ("white-space: wrap", ["one two three"]), ("white-space-collapse: other", ["one two three"]),
    ] as [(String, [String])])
  func `white space is kept as CSS Text 4 names it`(_ declaration: String, _ lines: [String]) {
    let foundLines = Self.lines("p { \(declaration) }", "<p>one   two\nthree")
    #expect(foundLines.map { $0.replacing("\u{A0}", with: " ") } == lines)
  }

  @Test(
    arguments: [
      ("<q>“word”</q>", "“word”"), ("<q>\"word\"</q>", "\"word\""),
      ("<q>„<b>word</b>“</q>", "„word“"),
      ("<q>word</q>", "“word”"), ("<q>“one” word</q>", "““one” word”"), ("<q>”</q>", "“””"),
      ("<q>'tis</q>", "“'tis”"), ("<q></q>", "“”"),
    ] as [(String, String)])
  func `a quotation with quotation marks gets no others`(_ body: String, _ text: String) {
    #expect(Self.lines("q::before, q::after { content: none }", "<p>\(body)") == [text])
  }

  @Test(
    arguments: [
      ("div", "'⁂'", "<div></div>", "⁂"), ("p.x", "'* * *'", "<p class=x></p>", "* * *"),
      // Decoration.
      ("div", "'▾'", "<div></div>", ""), ("div", "'* ▾'", "<div></div>", ""),
      ("span", "'*'", "<span></span>", ""), ("div", "'*'", "<div><div></div></div>", "*"),
    ] as [(String, String, String, String)])
  func `an ornament in an empty block separates scenes`(
    _ element: String, _ content: String, _ body: String, _ shown: String
  ) {
    let lines = Self.lines("\(element)::before { content: \(content) }", "<p>A</p>\(body)<p>B</p>")
    #expect(lines.filter { !["A", "B"].contains($0) && $0 != shown } == [])
    #expect(lines.contains(shown) == !shown.isEmpty)
  }

  @Test func `a label of a cell is shown`() {
    let lines = Self.lines(
      "td:before { content: attr(data-label) ': ' }",
      "<table><tr><td data-label=Name>Ann<td>x</table>")
    #expect(lines.first?.contains("Name: Ann") == true)
  }

  @Test func `counters number headings, figures and nested lists`() {
    let style = """
      body { counter-reset: section figure } section { counter-reset: sub }
      h2 { counter-increment: section } h2::before { content: counter(section) '. ' }
      h3::before { counter-increment: sub; content: counter(section) '.' counter(sub) ' ' }
      p.f { counter-increment: figure 1 } p.f::before { content: 'Figure ' counter(figure) ': ' }
      .hidden { display: none } i::before { content: 'x' }
      """
    let lines = Self.lines(
      style,
      "<section><h2>One</h2><h3>A</h3><h3>B</h3></section><p class=f>ship</p>"
        + "<section><h2>Two</h2><h3>C</h3><h2 class=hidden>None</h2></section>"
        + "<div class=hidden><h2>No</h2></div><div hidden><h2>No</h2></div>"
        + "<div style='display: none'><h2>No</h2></div><p class=f>boat</p>"
        + "<section><h2>Three</h2></section>")
    #expect(
      lines == [
        "1. One", "1.1 A", "1.2 B", "Figure 1: ship", "2. Two", "2.1 C", "Figure 2: boat",
        "3. Three",
      ])
    let nested = Self.lines(
      "ol { list-style: none; counter-reset: item } li { counter-increment: item } "
        + "li::before { content: counters(item, '.') ' ' }",
      "<ol><li>a<ol><li>b<li>c</ol><li>d</ol>")
    #expect(nested.map { $0.trimmingPrefix { $0 == " " } } == ["1 a", "1.1 b", "1.2 c", "2 d"])
    let padded = Self.lines(
      "h2::before { counter-increment: n; content: counter(n, decimal-leading-zero) ' ' }",
      "<h2>a</h2><h2>b</h2>")
    #expect(padded == ["01 a", "02 b"])
    let styled = Self.lines(
      "p { counter-increment: n 2 } p::before { content: '(' counter(n, lower-roman) ') ' }",
      "<p>a<p>b<p>c")
    #expect(styled == ["(ii) a", "(iv) b", "(vi) c"])
  }

  @Test(
    arguments: [
      ("li::before { content: counter(list-item) ') ' }", "<ol><li>a<li>b", ["1) a", "2) b"]),
      (
        "li::before { content: counter(list-item, lower-alpha) ') ' }",
        "<ol start=3><li>a<li value=7>b<li>c", ["c) a", "g) b", "h) c"]
      ),
      (
        "li::before { content: counters(list-item, '.') ' ' }",
        "<ol><li>a<ul><li>b<li>c</ul><li>d</ol><ol><li>e", ["1 a", "1.1 b", "1.2 c", "2 d", "1 e"]
      ),
      (
        "li::before { content: counter(list-item) ' ' }", "<ol reversed><li>a<li>b", ["2 a", "1 b"]
      ),
      (
        "li::before { content: counter(list-item) ' ' } .n { display: none }",
        "<ol><li>a<li class=n>b<li>c", ["1 a", "2 c"]
      ),
      (
        "li { counter-increment: list-item 2 } li::before { content: counter(list-item) ' ' }",
        "<ol><li>a<li>b", ["2 a", "4 b"]
      ),
      (
        "ol { counter-reset: list-item 4 } .s { counter-set: list-item 9 } "
          + "li::before { content: counter(list-item) ' ' }",
        "<ol><li>a<li class=s>b<li>c", ["5 a", "9 b", "10 c"]
      ),
      (
        "p { counter-increment: n } .s { counter-set: n 5 } p::before { content: counter(n) ' ' }",
        "<p>a<p class=s>b<p>c", ["1 a", "5 b", "6 c"]
      ),
    ] as [(String, String, [String])])
  func `the numbers of list items are a counter`(
    _ style: String, _ body: String, _ expected: [String]
  ) {
    let lines = Self.lines("ol, ul { list-style: none } " + style, body)
    #expect(lines.map { String($0.trimmingPrefix { $0 == " " }) } == expected)
  }

  @Test func `symbols are shown in cells without text only`() {
    let style = ".yes::before { content: '✓' } .no::after { content: '✗' }"
    let lines = Self.lines(
      style,
      "<table><tr><th>Sync<td class=yes><td><span class=no></span></table><p>a <i class=yes></i>b")
    #expect(lines.joined().contains("✓") && lines.joined().contains("✗"))
    #expect(lines.last == "a b")
  }

  @Test(
    arguments: [
      (
        ".a { list-style-type: lower-alpha }", "<ol class=a><li>x<li>y</ol>",
        [.number(1, .lowerAlpha)]
      ),
      ("ol { list-style: lower-roman inside }", "<ol><li>x</ol>", [.number(1, .lowerRoman)]),
      ("li { list-style-type: upper-alpha }", "<ol><li>x</ol>", [.number(1, .upperAlpha)]),
      ("ol { list-style: none }", "<ol><li>x</ol>", [.number(1, .decimal)]),
      (
        "ol { list-style: none } li { counter-increment: i } li::before { content: counter(i) }",
        "<ol><li>x</ol>", [.none]
      ),
      (
        "ol { list-style: none } .c ol { list-style: revert }", "<div class=c><ol><li>x</ol></div>",
        [.number(1, .decimal)]
      ),
      ("ul { list-style: none }", "<ul><li>x</ul>", [.bullet]),
      // Markers that the texts have.
      ("ol { list-style: none }", "<ol><li>1. x<li>2. y</ol>", [.none, .none]),
      ("li { list-style: none }", "<ul><li><b>•</b> x<li>• y</ul>", [.none, .none]),
      ("ol { list-style: none }", "<ol><li>A. Doe<li>Roe</ol>", [.number(1, .decimal)]),
      ("", "<ol><li>1. x</ol>", [.number(1, .decimal)]),
      ("ul { list-style: decimal }", "<ul><li>x</ul>", [.number(1, .decimal)]),
      (
        "ol { list-style: decimal-leading-zero }", "<ol><li>x</ol>",
        [.number(1, .decimalLeadingZero)]
      ),
      ("ol { list-style: lower-greek }", "<ol><li>x</ol>", [.number(1, .lowerGreek)]),
      ("ol { list-style: lower-klingon }", "<ol><li>x</ol>", [.number(1, .decimal)]),
    ] as [(String, String, [Document.Marker])])
  func `style sheets set the markers of lists`(
    _ style: String, _ body: String, _ markers: [Document.Marker]
  ) {
    let page = "<style>\(style)</style>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let found = document.blocks.compactMap { block in
      if case .item(let marker) = block.kind { marker } else { nil }
    }
    #expect(found.first == markers.first)
  }

  @Test(
    arguments: [
      ("ul { list-style-type: '- ' }", "<ul><li>x<li>y</ul>", ["-", "-"]),
      ("ul { list-style: '\\2192  ' inside }", "<ul><li>x</ul>", ["→"]),
      ("li { list-style-type: \"✓\" }", "<ol><li>x</ol>", ["✓"]),
      ("", "<ul style='list-style-type: \"*) \"'><li>x<ul><li>y</ul></ul>", ["*)", nil]),
      ("ul { list-style: '+ ' }", "<ul><li>x<li style='list-style: disc'>y</ul>", ["+", nil]),
      ("li::marker { content: '✔ ' }", "<ul><li>x</ul>", ["✔"]),
      (
        "li::marker { content: 'Art. ' counter(list-item, upper-roman) ' ' }",
        "<ol start=3><li>x<li>y</ol>", ["Art. III", "Art. IV"]
      ),
      (
        "li::marker { content: counters(list-item, '.') ' ' }", "<ol><li>x<li>y<ol><li>z</ol></ol>",
        ["1", "2", "2.1"]
      ),
      // Icons of a font, long texts, and rules for parts of a marker.
      ("ul { list-style-type: '\\f00c' }", "<ul><li>x</ul>", [nil]),
      ("ul { list-style-type: 'an item of the list: ' }", "<ul><li>x</ul>", [nil]),
      ("ul { list-style: url('x.png') }", "<ul><li>x</ul>", [nil]),
      ("li::marker { color: red }", "<ul><li>x</ul>", [nil]),
      ("li::marker { content: none }", "<ul><li>x</ul>", [nil]),
      ("li::marker { content: counter(step) }", "<ul><li>x</ul>", [nil]),
      ("li:marker { content: '✔' }", "<ul><li>x</ul>", [nil]),
      // Signs before the text are markers if they distinguish items.
      (
        ".y::before { content: '\\2713' } .n:before { content: '✗ ' }",
        "<ul style='list-style: none'><li class=y>x<li class=n>y<li>z</ul>", ["✓", "✗", nil]
      ),
      ("li::before { content: '→ ' }", "<ul><li>x</ul>", [nil]),
      ("li::before { content: '✓' }", "<ol><li>x</ol>", [nil]),
      ("li::before { content: '× 3' }", "<ul><li>x</ul>", [nil]),
    ] as [(String, String, [String?])])
  func `style sheets set texts as markers`(_ style: String, _ body: String, _ texts: [String?]) {
    let page = "<style>\(style)</style>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let found = document.blocks.compactMap { block -> String?? in
      guard case .item(let marker) = block.kind else { return nil }
      guard case .text(let index) = marker else { return .some(nil) }
      return document.markerTexts[Int(index)]
    }
    #expect(found == texts)
  }

  @Test(
    arguments: [
      ("<p><span class=drop>O</span>nce upon", "Once upon"),
      ("<p><span class=drop>“O</span>nce upon", "“Once upon"),
      ("<p>Price<span class=f>10 EUR</span>", "Price 10 EUR"),
      ("<p>Price<span class=n>10 EUR</span>", "Price10 EUR"),
      ("<p><span class=f>12</span><span>comments</span>", "12 comments"),
      ("<p><span class=f>A</span> word", "A word"),
    ] as [(String, String)])
  func `a floating letter begins a word, other floating texts are apart`(
    _ body: String, _ text: String
  ) {
    let style = ".drop { float: left; display: block } .f { float: right } .n { float: none }"
    #expect(Self.lines(style, body).first == text)
  }

  @Test func `elements that a rule for the screen's size shows are shown`() {
    let style = """
      .d-none { display: none !important }
      @media (min-width: 768px) { .d-md-block { display: block !important } }
      @media (max-width: 600px) { .phone { display: block !important } }
      """
    let lines = Self.lines(
      style, "<div class='d-none d-md-block'>wide</div><div class='d-none phone'>narrow</div><p>end"
    )
    #expect(lines == ["wide", "end"])
    // Of two parts for different sizes, one is shown.
    let pair = Self.lines(
      style + "@media (min-width: 768px) { .d-md-none { display: none !important } }",
      "<div class='d-md-none'>narrow</div><div class='d-none d-md-block'>wide</div>"
        + "<section><div class=d-md-none>alone</div></section>")
    #expect(pair == ["wide", "alone"])
  }

  @Test func `links in a menu are not indented`() {
    let lines = Self.lines(
      ".nav a { display: block; padding-left: 2em } .nav span { display: block; margin-left: 8px }",
      "<div class=nav><a href=/>Home</a><a href=/d>Docs</a><span>x</span></div>")
    #expect(lines == ["Home", "Docs", "x"])
  }

  @Test func `positions and counters have linear cost`() {
    let rules = (0..<50).map { "p:nth-last-of-type(\($0 + 1000)) { display: none }" }.joined()
    let paragraphs = String(repeating: "<p>a", count: 3000)
    #expect(Self.lines(rules, paragraphs).count == 2950)
    let names = (0..<16).map { "c\($0)" }.joined(separator: " ")
    let counted = Self.lines(
      "b { counter-reset: \(names); counter-increment: \(names) } "
        + "i::before { content: counters(c0, '.') }",
      "<p>" + String(repeating: "<b>", count: 400) + "x<i>y</i>")
    #expect(counted.count == 1)
  }

  @Test func `stanzas are apart, and verses keep their indentation`() throws {
    let style = """
      .s span { display: block; margin-left: 0; padding-left: 3em; text-indent: -3em }
      .s span.i { margin-left: 2em }
      """
    let page = """
      <style>\(style)</style><div class=poem><div class=s><span>First</span><span class=i>second</span>
      </div><div class=s><span>third</span></div></div><p>end
      """
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let lines = document.content.split(separator: "\n").map(String.init)
    #expect(lines == ["First", "\u{A0}\u{A0}\u{A0}\u{A0}second", "third", "end"])
    #expect(document.blocks.map(\.hasNoSpaceAbove) == [false, true, false, false])
  }
}
