import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

/// Markdown and the HTML for which it stands.
struct MarkdownTests {
  private static func html(_ text: String) -> String {
    String(decoding: MarkdownView.html(of: Array(text.utf8)), as: UTF8.self)
      .replacing("\n", with: "")
  }

  @Test(
    arguments: [
      ("*a* **b** ***c***", "<em>a</em> <strong>b</strong> <em><strong>c</strong></em>"),
      ("a*b*c a_b_c", "a<em>b</em>c a_b_c"), ("**a *b* c**", "<strong>a <em>b</em> c</strong>"),
      ("*a **b*", "*a *<em>b</em>"), ("a * b *", "a * b *"),
      ("**a** *", "<strong>a</strong> *"), ("~~a~~ ~b~", "<del>a</del> <del>b</del>"),
      ("`a`` b` `` ` ``", "<code>a`` b</code> <code>`</code>"), ("`a *b*", "`a <em>b</em>"),
      ("\\*a\\* \\q \\&amp;", "*a* \\q &amp;amp;"), ("a  \nb\\\nc", "a<br>b<br>c"),
      ("[a](b)", "<a href=\"b\">a</a>"),
      ("[a](<b c> 'd\"e')", "<a href=\"b c\" title=\"d&quot;e\">a</a>"),
      ("[a](b(c)d) [](x)", "<a href=\"b(c)d\">a</a> <a href=\"x\"></a>"),
      ("[a [b](c) d](e)", "[a <a href=\"c\">b</a> d](e)"), ("[a](b", "[a](b"), ("[a] b]", "[a] b]"),
      ("![a *b*](c \"d\")", "<img src=\"c\" alt=\"a b\" title=\"d\">"),
      ("[![a](b)](c)", "<a href=\"c\"><img src=\"b\" alt=\"a\"></a>"),
      (
        "<https://a.test> <a@b.test>",
        "<a href=\"https://a.test\">https://a.test</a> <a href=\"mailto:a@b.test\">a@b.test</a>"
      ),
      (
        "x https://a.test/b_c_d, y",
        "x <a href=\"https://a.test/b_c_d\">https://a.test/b_c_d</a>, y"
      ),
      ("a <b>c</b> <!-- d --> e < f", "a <b>c</b>  e &lt; f"),
      ("a <script>b</script>", "a &lt;script>b&lt;/script>"),
      ("*[a*](b)", "*<a href=\"b\">a*</a>"), ("a & b &copy;", "a & b &copy;"),
      ("*****a*****", "<em><strong><strong>a</strong></strong></em>"),
      ("![a ![b](c) *d*](e) *f*", "<img src=\"e\" alt=\"a  d\"> <em>f</em>"),
      ("[x ![a *b](c)* d](e)", "<a href=\"e\">x <img src=\"c\" alt=\"a *b\">* d</a>"),
    ] as [(String, String)])
  func `text in a paragraph`(_ text: String, _ expected: String) {
    #expect(Self.html(text) == "<p>\(expected)</p>")
  }

  /// Each has a time of its own that grows with the square of its length where it is not read in one pass.
  @Test(
    arguments: [
      ("***", "a", "***"), ("![", "", "](b)"), ("![*a", "", "*](b)"), ("***a ", "", "b***"),
      ("*a_b", "", ""),
      ("_a*", "", "*a_"), ("[[[", "", "]]]"), ("[a](", "", ")"), ("**a ", "", ""),
      ("~a~~", "", "b"),
      ("<a", "", ">"), ("a` ", "", ""), ("a <![CDATA[ ", "", ""), ("a <!A ", "", ""),
      ("a <? ", "", ""), ("http://a.b", "", ")"), ("|a", "\n|-|\n", "|b\n"), ("> ", "a", ""),
      ("[x]", "\n\n[x]: ", "u"),
    ])
  func `much of one thing takes linear time`(_ first: String, _ middle: String, _ last: String) {
    let count = Effort.rounds(400_000, part: 100_000)
    let text =
      String(repeating: first, count: count / first.utf8.count) + middle
      + String(repeating: last, count: last.isEmpty ? 0 : count / last.utf8.count)
    #expect(MarkdownView.html(of: Array(text.utf8)).count >= count / 8)
  }

  @Test(
    arguments: [
      ("# a #\n## b\n#c", "<h1 id=\"a\">a</h1><h2 id=\"b\">b</h2><p>#c</p>"),
      ("a\n===\nb\n---\n", "<h1 id=\"a\">a</h1><h2 id=\"b\">b</h2>"),
      ("# a\n# a", "<h1 id=\"a\">a</h1><h1 id=\"a-1\">a</h1>"),
      ("***\n---\n_ _ _", "<hr><hr><hr>"), ("a\n    b", "<p>ab</p>"),
      ("    a\n\n    b\n\nc", "<pre><code>ab</code></pre><p>c</p>"),
      (
        "```sh x\na <b>\n```\nc",
        "<pre><code class=\"language-sh\">a &lt;b&gt;</code></pre><p>c</p>"
      ),
      ("~~~\na", "<pre><code>a</code></pre>"), ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
      ("- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"),
      (
        "- a\n  - b\n\n    c\n- d",
        "<ul><li>a<ul><li><p>b</p><p>c</p></li></ul></li><li>d</li></ul>"
      ),
      ("- a\n+ b", "<ul><li>a</li></ul><ul><li>b</li></ul>"),
      ("3. a\n4. b", "<ol start=\"3\"><li>a</li><li>b</li></ol>"),
      ("1) a\n\n   b\n2) c", "<ol><li><p>a</p><p>b</p></li><li><p>c</p></li></ol>"),
      ("a\n- b", "<p>a</p><ul><li>b</li></ul>"), ("a\n2. b", "<p>a2. b</p>"),
      ("-\n  a\n-\n\n  b", "<ul><li>a</li><li></li></ul><p>b</p>"),
      ("- ```\n  a\n  ```\n  b", "<ul><li><pre><code>a</code></pre>b</li></ul>"),
      (
        "> a\nb\n> > c\n\nd",
        "<blockquote><p>ab</p><blockquote><p>c</p></blockquote></blockquote><p>d</p>"
      ),
      ("> - a\n> - b\n", "<blockquote><ul><li>a</li><li>b</li></ul></blockquote>"),
      ("- > a\n  > b", "<ul><li><blockquote><p>ab</p></blockquote></li></ul>"),
      ("- [x] a\n- [ ] b", "<ul><li>☑ a</li><li>☐ b</li></ul>"),
      ("-\ta\n\n\tb", "<ul><li><p>a</p><p>b</p></li></ul>"),
      (
        "a | b\n--|:-:\n1 | 2 | 3\n4\n\nc",
        "<table><thead><tr><th>a</th><th align=\"center\">b</th></tr></thead><tbody><tr><td>1</td><td align=\"center\">2</td></tr><tr><td>4</td><td align=\"center\"></td></tr></tbody></table><p>c</p>"
      ),
      (
        "a\nb | c\n--|--",
        "<p>a</p><table><thead><tr><th>b</th><th>c</th></tr></thead><tbody></tbody></table>"
      ),
      ("<div>\n*a*\n\n*b*\n</div>", "<div>*a*<p><em>b</em></p></div>"),
      ("<!-- a\n\nb -->\nc", "<!-- ab --><p>c</p>"),
      (
        "[a]: /x 'y'\n[B c]: <z>\n\n[a] [d][b  C] [a][] [e]",
        "<p><a href=\"/x\" title=\"y\">a</a> <a href=\"z\">d</a> <a href=\"/x\" title=\"y\">a</a> [e]</p>"
      ),
      ("[a]\n\n[a]: b\nc", "<p><a href=\"b\">a</a></p><p>c</p>"),
      ("---\na: b\n---\nc", "<pre><code class=\"language-yaml\">a: b</code></pre><p>c</p>"),
      ("a\r\nb\rc", "<p>abc</p>"), ("", ""), ("\n \n", ""),
    ] as [(String, String)])
  func `blocks of a text`(_ text: String, _ expected: String) {
    #expect(Self.html(text) == expected)
  }

  @Test func `the first heading is the title, and headings are places of the page`() {
    let text = "A\n\n# The *title*\n\n## Part 2: more\n\n[go](#part-2-more)"
    let document = Document(bytes: Array(text.utf8), mediaType: "text/markdown")
    #expect(document.title == "The title")
    #expect(document.anchors.map(\.name) == ["the-title", "part-2-more"])
  }
}
