import ReaderMode
import Document
import Formats
import Testing

@testable import Layout

@Suite struct PageLayoutTests {
  private func layout(
    _ html: String, _ options: LayoutOptions = LayoutOptions(width: 60)
  ) -> PageLayout {
    PageLayout(Document(bytes: Array(html.utf8), mediaType: "text/html"), options: options)
  }

  private func style(of text: String, in layout: PageLayout) -> TextStyle? {
    for index in layout.lines.indices {
      for (run, bytes) in layout.runs(ofLine: index)
      where String(decoding: layout.text[bytes], as: UTF8.self).contains(text) {
        return run.style
      }
    }
    return nil
  }

  @Test func `text has the role of its element`() {
    let page = layout(
      """
      <h2>Heading</h2><p>plain <a href=x>link</a> <code>code</code> <b>strong</b> <em>stress</em></p>
      <blockquote>quoted</blockquote><pre>listing</pre><hr><table><tr><th>head<th>x<tr><td>1<td>2</table>
      """)
    #expect(style(of: "Heading", in: page) == TextStyle(.heading, inlineStyle: .strong))
    #expect(style(of: "──", in: page) == TextStyle(.heading))
    #expect(style(of: "plain", in: page) == TextStyle())
    #expect(style(of: "link", in: page) == TextStyle(.link))
    #expect(style(of: "code", in: page) == TextStyle(.code, inlineStyle: .code))
    #expect(style(of: "strong", in: page) == TextStyle(.text, inlineStyle: .strong))
    #expect(style(of: "stress", in: page) == TextStyle(.text, inlineStyle: .emphasis))
    #expect(style(of: "quoted", in: page)?.role == .quote)
    #expect(style(of: "listing", in: page)?.role == .code)
    #expect(style(of: "┆", in: page)?.role == .dim)
    #expect(style(of: "head", in: page) == TextStyle(.text, inlineStyle: .strong))
    #expect(style(of: "│ ", in: page) != nil)
  }

  @Test func `each link has one position, where it begins, in document order`() {
    let page = layout(
      """
      <p><a href=1>a link that is long enough to be shown on two lines of this page</a>
      <table><tr><td><a href=2>two words and more of them, so that they are wrapped</a>
      <td><a href=3>three</a><tr><td>x<td><a href=4>four</a></table>
      """)
    #expect(page.linkPlacements.map(\.target) == [.link(0), .link(1), .link(2), .link(3)])
    #expect(page.linkPlacements[0].lineIndex == 0)
    #expect(page.text(of: page.lines[Int(page.linkPlacements[2].lineIndex)]).contains("three"))
    #expect(page.text(of: page.lines[Int(page.linkPlacements[3].lineIndex)]).contains("four"))
  }

  @Test func `headings record their lines and blocks`() {
    let html = "<p>x</p><h1>One</h1><p>y</p><h3>Two</h3>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let page = PageLayout(document, options: LayoutOptions(width: 60))
    #expect(page.headings.map(\.level) == [1, 3])
    #expect(page.headings.map { page.text(of: page.lines[Int($0.lineIndex)]) } == ["One", "Two"])
    #expect(
      page.headings.map { document.text(of: document.blocks[Int($0.blockIndex)]) } == [
        "One", "Two",
      ])
  }

  @Test func `link markers are shown before links, once each`() {
    let page = layout(
      "<p><a href=1>one <b>bold</b></a> <a href=2>two</a> <a href=3>three</a> <a href=4>four</a>",
      LayoutOptions(width: 60, linkStatuses: [.saved, .notSaved, .queued, .none]))
    #expect(page.text(of: page.lines[0]) == "● one bold ○ two ◷ three four")
    // The markers are not part of their links.
    func run(at text: String) -> PageLayout.Run? {
      let bytes = Array(text.utf8)
      let position = page.text.indices.first { page.text[$0...].starts(with: bytes) }
      return position.flatMap { position in page.runs.first { Int($0.end) > position } }
    }
    #expect(
      run(at: "●").map { ($0.style.role, $0.target) } ?? (.text, .navigation(0)) == (.dim, nil))
    #expect(
      run(at: "○").map { ($0.style.role, $0.target) } ?? (.text, .navigation(0)) == (.accent, nil))
    #expect(run(at: "two").map { ($0.style.role, $0.target) } ?? (.text, nil) == (.link, .link(1)))
  }

  @Test func `a marker is never separated from its link`() {
    let html = "<p>" + (0..<9).map { "words <a href=\($0)>link</a> and " }.joined()
    for width in 20...60 {
      let markers = [LayoutOptions.LinkStatus](repeating: .saved, count: 9)
      let page = layout(html, LayoutOptions(width: width, linkStatuses: markers))
      for line in page.lines { #expect(!page.text(of: line).hasSuffix("●"), "width \(width)") }
    }
  }

  @Test func `headings of levels three and four have different styles`() {
    let page = layout("<h3>Three</h3><h4>Four <code>x</code></h4><p>Text")
    #expect(page.runs.first?.style == TextStyle(.heading, inlineStyle: .strong))
    #expect(page.runs.contains { $0.style == TextStyle(.text, inlineStyle: [.strong, .emphasis]) })
    // The text after them has the normal style again.
    #expect(page.runs.last?.style == TextStyle())
  }

  @Test func `link numbers skip folded links and apply to the given targets`() {
    let page = layout(
      "<nav><a href=1>one</a></nav><main><h1>T</h1><p><a href=2>two</a> <a href=3>three</a></main>",
      LayoutOptions(
        width: 60, foldsNavigation: true, linkNumbers: .numbers,
        linkTargets: ["http://h/1", "http://h/2", "http://h/3"]))
    let text = String(decoding: page.plainText(), as: UTF8.self)
    #expect(
      text == """
        ▸ navigation (1 link)

        T
        ━

        [1]two [2]three

        [1] http://h/2
        [2] http://h/3

        """)
    #expect(page.linkPlacements.map(\.target.linkIndex) == [nil, 1, 2])
    #expect(page.linkPlacements.map(\.target.isNavigation) == [true, false, false])
    #expect(page.linkPlacements[0].lineIndex == 0)
  }

  @Test func `a reading position is kept when the width changes`() {
    let text = (0..<400).map { "word\($0)" }.joined(separator: " ")
    let document = Document(bytes: Array("<h1>T</h1><p>\(text)</p><p>\(text)".utf8))
    let wide = PageLayout(document, options: LayoutOptions(width: 100))
    let narrow = PageLayout(document, options: LayoutOptions(width: 33))
    for line in wide.lines where line.end > line.start {
      let index = narrow.line(for: line.sourceOffset)
      #expect(narrow.lines[index].sourceOffset <= line.sourceOffset)
      if index + 1 < narrow.lines.count {
        #expect(narrow.lines[index + 1].sourceOffset > line.sourceOffset)
      }
    }
    #expect(narrow.line(for: 0) == 0)
    #expect(narrow.line(for: .max) == narrow.lines.count - 1)
    #expect(PageLayout(width: 20).line(for: 7) == 0)
  }

  @Test func `the anchor of a heading is on the line of the heading`() throws {
    let document = Document(
      bytes: Array("<p>x</p><h2 id=here>Here</h2><p>y".utf8), mediaType: "text/html")
    let page = PageLayout(document, options: LayoutOptions(width: 60))
    let anchor = try #require(document.anchors.first { $0.name == "here" })
    #expect(page.text(of: page.lines[page.line(for: anchor.offset)]) == "Here")
  }

  @Test func `lines record their prefix and whether they continue a line`() {
    let page = layout("<ul><li>one two three four five</ul>", LayoutOptions(width: 20))
    #expect(page.lines.map(\.continuesPrevious) == [false, true])
    #expect(page.lines.map(\.prefixLength) == [4, 2])
  }

  @Test func `escape sequences surround each styled run`() {
    let page = layout("<p>a <b>b</b> <a href=u>c</a>")
    let text = page.styledText(
      style: { style in
        Array(
          (style.role == .link
            ? "\u{1B}[4m" : style.inlineStyle.contains(.strong) ? "\u{1B}[1m" : "").utf8)
      }, hyperlink: { _ in Array("u".utf8) })
    #expect(
      String(decoding: text, as: UTF8.self)
        == "a \u{1B}[1mb\u{1B}[0m \u{1B}]8;;u\u{1B}\\\u{1B}[4mc\u{1B}[0m\u{1B}]8;;\u{1B}\\\n")
  }

  @Test func `the first screen is complete before the rest`() {
    let html = String(repeating: "<p>A paragraph.</p>", count: 1000)
    var builder = PageLayout.Builder(
      Document(bytes: Array(html.utf8), mediaType: "text/html"), options: LayoutOptions(width: 60))
    builder.layOut(minLines: 50)
    #expect(!builder.isComplete && (50..<60).contains(builder.layout.lines.count))
    builder.layOut()
    #expect(builder.isComplete && builder.layout.lines.count == 1999)
  }

  @Test func `code can overflow the width instead of being wrapped`() {
    let html = "<p>x</p><pre>" + String(repeating: "word ", count: 30) + "</pre>"
    let page = layout(html, LayoutOptions(width: 40, wrapsCode: false))
    #expect(page.lines.count == 3)
    #expect(page.lines[2].end - page.lines[2].start > 140)
  }

  @Test func `a linear table has one line per cell, after its header`() {
    let html = "<table><tr><th>A<th>B<tr><td>1<td>2</table>"
    let page = layout(html, LayoutOptions(width: 40, isLinear: true))
    #expect(String(decoding: page.plainText(), as: UTF8.self) == "[row 1 of 1]\nA: 1\nB: 2\n")
  }

  @Test func `the name of a language is not part of the code and is not copied`() {
    let html = "<p>Above:</p><pre class=language-swift>let x = 1\nlet y = 2</pre><p>below</p>"
    let page = layout(html)
    let name = String(repeating: " ", count: 44) + "swift"
    #expect(
      String(decoding: page.plainText(), as: UTF8.self)
        == "Above:\n\n┆ let x = 1\(name)\n┆ let y = 2\n\nbelow\n")
    let blank = page.lines.indices.filter { page.isBlank(line: $0) }
    #expect(blank == [1, 4])
    #expect(page.text(ofLines: 0...5) == "Above:\n\nlet x = 1\nlet y = 2\n\nbelow")
    #expect(style(of: "swift", in: page)?.role == .dim)
    #expect(page.matches(of: "swift").isEmpty && page.matches(of: "x = 1").count == 1)
  }

  @Test func `a linear table with a header column is labelled`() {
    let html = """
      <table><tr><td><td>Oak<td>Ash<td>Elm<tr><th>Price<td>1<td>2<td>3<tr><th>Kind<td>a<td>a<td>a</table>
      """
    let page = layout(html, LayoutOptions(width: 40, isLinear: true))
    #expect(
      String(decoding: page.plainText(), as: UTF8.self)
        == """
        [all 3 columns]
        Kind: a

        [column 1 of 3]
        Oak
        Price: 1

        [column 2 of 3]
        Ash
        Price: 2

        [column 3 of 3]
        Elm
        Price: 3

        """)
  }

  @Test func `a page of plain text has no margin`() {
    let document = Document(plainText: Array("one\n  two\n".utf8))
    let page = PageLayout(document, options: LayoutOptions(width: 40))
    #expect(String(decoding: page.plainText(), as: UTF8.self) == "one\n  two\n")
  }

  @Test func `an empty document has no lines`() {
    #expect(PageLayout(Document(), options: LayoutOptions(width: 40)).lines.isEmpty)
  }

  @Test(arguments: [30, 50, 80, 120])
  func `deep replies and lists leave columns for text and show their depth as a number`(width: Int)
  {
    let comment =
      "a comment that is long enough to be wrapped on any terminal of this test, and goes on"
    for (open, sign) in [("<blockquote><p>", "│ "), ("<ul><li>", "▪ ")] {
      let levels = (1...60).map { "\(open)level\($0) \(comment) " }.joined()
      let page = layout(levels, LayoutOptions(width: width))
      let lines = page.lines.map { page.text(of: $0) }
      let least = min(40, width * 2 / 3)
      let deepest = lines.filter { $0.hasSuffix("any") || $0.contains("level60") }
      #expect(deepest.contains { $0.contains("60\(sign)level60") })
      for line in lines where line.contains("level") {
        let prefix = line.prefix { !$0.isLetter }
        #expect(width - prefix.count >= least - 5, "\(line)")
      }
      #expect(lines.contains { $0.contains("level2 ") && !$0.contains("2\(sign)") })
    }
  }
}
