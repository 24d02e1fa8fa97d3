import ReaderMode
import Foundation
import DOM
import Document
import Formats
import TestSupport
import Testing

/// Documents converted to other formats.
struct WriterTests {
  private static func targets(of document: Document) -> ExportTargets {
    ExportTargets(
      linkURL: { document.links[$0].target }, imageURL: { document.images[$0].source })
  }

  private static func read(_ html: String) -> Document {
    Document(bytes: Array(html.utf8), mediaType: "text/html")
  }

  @Test(
    arguments: [
      (
        "<p>by <bdi>אב 1</bdi> and <span dir=rtl>גד</span>, <a href=x><bdo dir=ltr>אב</bdo></a>",
        "by <bdi>אב 1</bdi> and <bdi dir=\"rtl\">גד</bdi>, <a href=\"x\"><bdo dir=\"ltr\">אב</bdo></a>"
      ),
      (
        "<p><bdi>a <bdi dir=ltr>b</bdi> &amp;</bdi><bdi>c</bdi>",
        "<bdi>a <bdi dir=\"ltr\">b</bdi> &amp;</bdi><bdi>c</bdi>"
      ),
      (
        "<p>10<sup>6</sup><sup>[2]</sup> x<sup>a <b>b</b></sup>",
        "10<sup>6</sup><sup>[2]</sup> x<sup>a <strong>b</strong></sup>"
      ),
      // Adjacent isolates keep their order, or are not isolated at all.
      ("<p>x <bdi>a <b>b</b></bdi>", "x a <strong>b</strong>"),
    ] as [(String, String)])
  func `HTML keeps inline markup that matters for reading`(_ html: String, _ expected: String) {
    let document = Self.read(html)
    let output = document.semanticHTML(Self.targets(of: document))
    #expect(String(decoding: output, as: UTF8.self).contains("<p>\(expected)</p>"))
    #expect(
      Document(bytes: output, mediaType: "text/html").isolates.count
        == expected.components(separatedBy: "</bd").count - 1)
  }

  @Test(
    arguments: [
      ("<h2>A <code>b</code></h2><p>c", "## A `b`\n\nc\n"),
      ("<p>1. a<br># b<br>- c", "1\\. a\\\n\\# b\\\n\\- c\n"),
      ("<p>a<br>| b |<br>|:-|<br>c", "a\\\n| b |\\\n\\|:-|\\\nc\n"),
      ("<p>a<br>:-", "a\\\n\\:-\n"),
      ("<p>a*b_c[d]`e`\\ &amp;amp; &lt;i>", "a\\*b_c\\[d\\]\\`e\\`\\\\ \\&amp; \\<i>\n"),
      ("<p><b>bold</b> <i>it</i>al <b><i>both</i></b>", "**bold** *it*al ***both***\n"),
      ("<p>x<b>(a)</b>y", "x<strong>(a)</strong>y\n"),
      ("<p><del>d</del> H<sub>2</sub>O <kbd>k</kbd>", "<del>d</del> H<sub>2</sub>O <kbd>k</kbd>\n"),
      ("<p><kbd>k</kbd><br>a<del>d</del><br>b", "<kbd>k</kbd>\\\na<del>d</del>\\\nb\n"),
      ("<p><kbd>k</kbd><br><kbd>l</kbd>", "<kbd>k</kbd>\\\n<kbd>l</kbd>\n"),
      ("<p><del>d<br>e</del> f", "<del>d\\\ne</del> f\n"),
      ("<p><a href=x>l</a><br><b>m</b><br>n", "[l](x)\\\n**m**\\\nn\n"),
      ("<p><a href=x>l<br>m</a><br><code>n</code><br>o", "[l\\\nm](x)\\\n`n`\\\no\n"),
      ("<p>a <img src=i.png alt='A fog bell'><br>c", "a ![A fog bell](i.png)\\\nc\n"),
      ("<p><code>a`b</code>, <code>`</code>", "``a`b``, `` ` ``\n"),
      (
        "<p><a href='/x y' title='T \"q\"'>l <b>m</b></a> n",
        "[l **m**](</x y> \"T \\\"q\\\"\") n\n"
      ),
      ("<p>Wow!<a href=x>l</a>! <a href=y>m</a>", "Wow\\![l](x)! [m](y)\n"),
      ("<p><code>a</code> <code>b</code>", "`a` `b`\n"),
      ("<p>a <img src=i.png alt='A [b]'> c", "a ![A \\[b\\]](i.png) c\n"),
      ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d\n"),
      ("<ol start=9><li>a<li>b</ol><ol><li>c</ol>", "9. a\n10. b\n\n1) c\n"),
      (
        "a<ol reversed><li>x<li>y</ol><p>b",
        "a\n\n<ol reversed start=\"2\">\n<li>x</li>\n<li>y</li>\n</ol>\n\nb\n"
      ),
      (
        "<ol><li>x<li value=-5>y<li>z</ol>",
        "<ol>\n<li>x</li>\n<li value=\"-5\">y</li>\n<li>z</li>\n</ol>\n"
      ),
      (
        "<ul><li>n<ol type=a start=3><li>c<pre>1\n\n\n2\n\n3</pre></ol></ul>",
        "- n\n  <ol type=\"a\" start=\"3\">\n  <li><p>c</p>\n"
          + "  <pre><code>1\n  &#10;\n  2\n  &#10;3</code></pre>\n"
          + "  </li>\n  </ol>\n"
      ),
      (
        "<ol><p>intro</p><li>one<li>two</ol>",
        "<ol>\n<li style=\"list-style: none\">intro</li>\n<li value=\"1\">one</li>\n<li>two</li>\n</ol>\n"
      ),
      (
        "<ul><li>a<li style='list-style: lower-roman'>b</ul>",
        "<ul>\n<li>a</li>\n<li style=\"list-style: lower-roman\">b</li>\n</ul>\n"
      ),
      (
        "<ol><li>a<li style='list-style: disc'>b<li>c</ol>",
        "<ol>\n<li>a</li>\n<li style=\"list-style: disc\">b</li>\n<li>c</li>\n</ol>\n"
      ),
      ("<p><i>in<b>ner</b></i>word", "<em>in<strong>ner</strong></em>word\n"),
      ("<p><i>in<b>ner</b></i> word", "*in<strong>ner</strong>* word\n"),
      ("<ul><li><p>a<p>b<li><p>c</ul>", "- a\n\n  b\n\n- c\n"),
      ("<ul><li>a</ul><p>b<ul><li>c</ul><ul><li>d</ul>", "- a\n\nb\n\n* c\n\n- d\n"),
      ("<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>", "> a\n>\n> b\n>\n> > c\n"),
      ("<pre><code class=language-c>a\n\n```</code></pre>", "````c\na\n\n```\n````\n"),
      ("<dl><dt>T<dd>D<dt>U<dd>E</dl><p>f", "- **T**\n\n  D\n\n- **U**\n\n  E\n\nf\n"),
      (
        "<table><tr><th>A<th>B|<tr><td>1<td><b>2</b><tr><td>3</table>",
        "| A | B\\| |\n| --- | --- |\n| 1 | **2** |\n| 3 |  |\n"
      ),
      (
        "<table><tr><th>A<th>B<tr><td colspan=2>1</table>a",
        "<table>\n<thead>\n<tr><th>A</th><th>B</th></tr>\n</thead>\n"
          + "<tr><td colspan=\"2\">1</td></tr>\n</table>\n\na\n"
      ),
      (
        "<table><tr><th align=right>A<th align=center>B<th>C<tr><td align=right>1<td align=center>"
          + "<img src=i.png alt=I><td>3</table>",
        "| A | B | C |\n| ---: | :---: | --- |\n| 1 | ![I](i.png) | 3 |\n"
      ),
      (
        "<ul><li><input type=checkbox checked> done<li><p><input type=checkbox> open</p>[x]</ul>",
        "- [x] done\n\n- [ ] open\n\n  \\[x\\]\n"
      ),
      ("<p><input type=checkbox> a", "\\[ \\] a\n"),
      ("<p><code>a<br>b`</code>", "`a`\\\n`` b` ``\n"),
      ("<pre>a  \n\nb</pre>", "```\na  \n\nb\n```\n"),
      (
        "<b style='font-weight: normal'><p>a <span style='font-weight:700'>b</span> <i "
          + "style='font-style:normal'>c</i> <span style='FONT-STYLE: italic !important'>d</span></b>",
        "a **b** c *d*\n"
      ),
      ("<p><s style='text-decoration:none'>a</s> <s>b</s>", "a <del>b</del>\n"),
      ("<details><summary>S</summary><p>t</details><hr>u", "**S**\n\nt\n\n* * *\n\nu\n"),
      ("<p><a href=m><img src=i.png alt=A width=300 height=200></a>", "[![A](i.png)](m)\n"),
      ("", ""),
    ] as [(String, String)])
  func `CommonMark output is as expected`(_ html: String, _ expected: String) {
    let document = Self.read(html)
    let text = String(decoding: document.markdown(Self.targets(of: document)), as: UTF8.self)
    #expect(text == expected)
  }

  @Test(arguments: [
    "<p>x^2^, 2^8, ^1^ and ^[a long note]", "<p>:rocket: a:b:c", "<p>==a== b == c==d== ====",
    "<p>$x$ costs $5 and $y=2$", "<p>$$x$$ and $$y$$", "<p>$$ open<p>more", "<p>{: .wide}",
    "<p><code>x</code>{.wide} <a href=/u>l</a>{#y} <b>b</b>{: .x}", "<h2>A {#b .c}</h2><p>d",
    "<p>Term<p>: no definition", "<p>a<br>: b<br>{: .c}<br>$$ d", "<p>::: note<p>text<p>:::",
    "<table><tr><th>:rocket:<th>x^2^<tr><td>==a==<td>$x$</table>",
  ])
  func `the syntax of other kinds of Markdown in a text is literal in its CommonMark`(
    _ html: String
  ) {
    let document = Self.read(html)
    let output = document.markdown(Self.targets(of: document))
    let reread = Document(bytes: output, mediaType: "text/markdown")
    let texts = [document, reread].map { document in
      document.blocks.map { document.text(of: $0) }.filter { !$0.isEmpty }
    }
    #expect(texts[0] == texts[1], "\(String(decoding: output, as: UTF8.self))")
    #expect(!reread.runs.contains { !$0.style.isDisjoint(with: [.marked, .superscript]) })
  }

  @Test(arguments: [
    "2^8 and 3^4, 2^8^x", "a == b", "costs $5 and $10", "10:30: a :b c", "{a} and a{b}",
    "at 5: x = y", "50% :)", "file_name_2.txt, https://a.example/b_c",
  ])
  func `ordinary text is written without backslashes`(_ text: String) {
    let document = Self.read("<p>\(text)")
    #expect(
      String(decoding: document.markdown(Self.targets(of: document)), as: UTF8.self) == text + "\n")
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `a document written as HTML is parsed to the same document`(_ golden: GoldenCase) throws {
    let document = Document(bytes: try golden.bytes(), mediaType: "text/html")
    let reparsed = Document(
      bytes: document.semanticHTML(Self.targets(of: document)), mediaType: "text/html")
    #expect(reparsed.title == document.title)
    #expect(reparsed.language == document.language)
    #expect(reparsed.tokens == document.tokens)
    #expect(reparsed.headings == document.headings)
    #expect(Set(reparsed.links.map(\.target)).isSubset(of: document.links.map(\.target)))
    #expect(reparsed.problems == [])
  }

  @Test(
    arguments: [
      (
        "<ol type=a start=3><li>c<li>d<li value=9>i</ol>",
        "<ol type=\"a\" start=\"3\">\n<li>c</li>\n<li>d</li>\n<li value=\"9\">i</li>\n</ol>\n"
      ),
      (
        "<ol style='list-style: lower-greek'><li>a</ol>",
        "<ol style=\"list-style: lower-greek\">\n<li>a</li>\n</ol>\n"
      ),
      (
        "<ol reversed><li>a<li>b</ol>",
        "<ol reversed start=\"2\">\n<li>a</li>\n<li>b</li>\n</ol>\n"
      ),
      (
        "<ul><li>a<ul><li>b</ul></ul>",
        "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>\n"
      ),
      ("<ul><li>a<p>b</ul>", "<ul>\n<li><p>a</p>\n<p>b</p>\n</li>\n</ul>\n"),
      (
        "<ul><li>a<div>b</div></ul>",
        "<ul>\n<li><div>a</div>\n<div>b</div>\n</li>\n</ul>\n"
      ),
      (
        "<p><kbd>a<b>b</b></kbd><kbd>c</kbd>",
        "<p><kbd>a<strong>b</strong></kbd>\u{200B}<kbd>c</kbd></p>\n"
      ),
      (
        "<p>a<img src=view-of-the-lake.png width=400 height=300>",
        "<p>a</p>\n<div><img src=\"view-of-the-lake.png\" alt=\"\" width=\"400\" height=\"300\"></div>\n"
      ),
      (
        "<ul><li><img src=a.png alt=One><p>One<li>b</ul>",
        "<ul>\n<li>One<div><img src=\"a.png\" alt=\"\"></div>\n</li>\n<li>b</li>\n</ul>\n"
      ),
      (
        "<img src=view-of-the-lake.png width=400 height=300>",
        "<p><img src=\"view-of-the-lake.png\" width=\"400\" height=\"300\"></p>\n"
      ),
      ("<img src=javascript:1 alt=a>", "<p><img alt=\"a\"></p>\n"),
      ("<pre>\n\na</pre>", "<pre><code>\n\na</code></pre>\n"),
    ] as [(String, String)])
  func `HTML output is as expected`(_ html: String, _ expected: String) {
    let document = Self.read(html)
    var targets = Self.targets(of: document)
    targets.imageURL = { document.images[$0].source.isEmpty ? nil : document.images[$0].source }
    let text = String(decoding: document.semanticHTML(targets), as: UTF8.self)
    let body = text.components(separatedBy: "<body>\n").last ?? ""
    #expect(body == expected + "</body>\n</html>\n")
  }

  @Test func `language and direction of a page survive writing as HTML and parsing it again`()
    throws
  {
    let bytes = Array(
      """
      <html lang=ar dir=rtl><p>أ<blockquote lang=en dir=ltr>b<p dir=auto lang=ar>أ</blockquote>
      <table><tr><th>أ<th>x<tr><td>أ<td dir=ltr>b</table><pre dir=ltr>c</pre>
      """.utf8)
    let document = Document(bytes: bytes, mediaType: "text/html")
    let html = document.semanticHTML(Self.targets(of: document))
    let reparsed = Document(bytes: html, mediaType: "text/html")
    #expect(document.direction == .rightToLeft && reparsed.direction == .rightToLeft)
    for document in [document, reparsed] {
      let parts = document.locales.map { locale in
        let text = String(decoding: document.text[Int(locale.start)...], as: UTF8.self)
        return "\(locale.language) \(locale.direction?.rawValue ?? "auto") \(text.prefix(1))"
      }
      #expect(parts == ["en ltr b", "ar auto أ", "ar rtl أ", "ar ltr b"])
    }
    #expect(String(decoding: html, as: UTF8.self).contains("<html lang=\"ar\" dir=\"rtl\">"))
    let json = String(
      decoding: document.json(url: "https://example.org/a", Self.targets(of: document)),
      as: UTF8.self)
    #expect(
      json.contains("\"direction\":\"rtl\"")
        && json.contains("\"lang\":\"en\",\"direction\":\"ltr\""))
  }

  @Test(
    arguments: [
      ("<html lang=en><body dir=rtl lang=fa>", "fa", "rtl"),
      ("<html dir=rtl lang=ar><body>", "ar", "rtl"),
      ("<html dir=RTL><body dir=ltr>", "", "ltr"), ("<html><body dir=up>", "", ""),
      ("<html lang=ar dir=rtl><html lang=en dir=ltr>", "ar", "rtl"),
    ] as [(String, String, String)])
  func `the language and direction of a page are those of its body or html element`(
    tags: String, language: String, direction: String
  ) {
    let document = Document(bytes: Array((tags + "<p>text").utf8), mediaType: "text/html")
    #expect(document.language == language)
    #expect(document.direction?.rawValue ?? "" == direction)
    #expect(document.locales.isEmpty)
  }

  @Test(.enabled(if: Effort.isWhole))
  func `cmark reads the CommonMark of a document as the same text, headings and links`()
    throws
  {
    let documents = try GoldenCase.all(in: "Fixtures").map {
      Document(bytes: try $0.bytes(), mediaType: "text/html")
    }
    let texts = documents.map { document in
      String(decoding: document.markdown(Self.targets(of: document)), as: UTF8.self)
    }
    let pages = try CommonMark.html(of: texts)
    for (index, page) in pages.enumerated() {
      let document = documents[index]
      let text = document.tokensOutsidePipeTables
      let reparsed = Self.read(page)
      #expect(reparsed.tokensOutsidePipeTables == text, "\(texts[index])")
      let headings = document.headings.map(Self.onOneLine)
      #expect(reparsed.headings.map(Self.onOneLine) == headings, "\(texts[index])")
      let targets = document.links.map { $0.target.removingPercentEncoding }
      for link in reparsed.links { #expect(targets.contains(link.target.removingPercentEncoding)) }
    }
  }

  private static func onOneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private struct Parsed: Decodable {
    struct Heading: Decodable { var level: Int, text: String, offset: Int }
    struct Link: Decodable { var url: String, offset: Int?, length: Int? }
    struct Anchor: Decodable { var name: String, offset: Int }
    struct Block: Decodable {
      var kind: String
      var offset: Int?
      var length: Int?
      var children: [Block]?
    }
    var title: String
    var text: String
    var headings: [Heading]
    var links: [Link]
    var anchors: [Anchor]
    var blocks: [Block]
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `the ranges in the JSON of a document are correct`(_ golden: GoldenCase) throws {
    let document = Document(bytes: try golden.bytes(), mediaType: "text/html")
    let parsed = try JSONDecoder().decode(
      Parsed.self, from: Data(document.json(url: "", Self.targets(of: document))))
    let text = Array(parsed.text.unicodeScalars)
    func part(_ offset: Int, _ length: Int) -> String {
      var string = String.UnicodeScalarView()
      string.append(contentsOf: text[offset..<offset + length])
      return String(string)
    }
    for heading in parsed.headings {
      #expect(part(heading.offset, heading.text.unicodeScalars.count) == heading.text)
    }
    #expect(parsed.headings.map(\.text) == document.headings)
    #expect(parsed.title == document.title)
    #expect(parsed.links.count == document.links.count)
    for anchor in parsed.anchors { #expect((0...text.count).contains(anchor.offset)) }
    #expect(parsed.anchors.count == document.anchors.count)
    var leaves = ""
    func collect(_ blocks: [Parsed.Block]) {
      for block in blocks {
        if let offset = block.offset, let length = block.length {
          leaves += part(offset, length) + "\n"
        }
        collect(block.children ?? [])
      }
    }
    collect(parsed.blocks)
    #expect(leaves == parsed.text)
  }
}

extension Document {
  /// The text of the page without generated image names, which depend on neighbours.
  fileprivate var tokens: [String] { tokens(imagesInCode: false) }

  /// The words except those of pipe tables, which are plain text in CommonMark.
  fileprivate var tokensOutsidePipeTables: [String] {
    tokens(imagesInCode: true).filter { $0 != "|" && $0 != "---" }
  }

  private func tokens(imagesInCode: Bool) -> [String] {
    blocks.flatMap { block -> [String] in
      guard !block.runs.isEmpty else { return [] }
      let isCode = if case .preformatted = block.kind { imagesInCode } else { false }
      return runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)]
        .filter { $0.image == nil || isCode }.map { text(of: $0) }.joined()
        .split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }

  fileprivate var headings: [String] {
    blocks.compactMap { if case .heading = $0.kind { text(of: $0) } else { nil } }
  }
}
