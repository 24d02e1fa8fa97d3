import TestSupport
import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

/// Markdown and the HTML that it is converted to.
struct MarkdownTests {
  private static func html(_ text: String) -> String {
    String(decoding: MarkdownFormatter.html(of: Array(text.utf8)), as: UTF8.self)
      .replacing("\n", with: "")
  }

  @Test(
    arguments: [
      ("*a* **b** ***c***", "<em>a</em> <strong>b</strong> <em><strong>c</strong></em>"),
      ("a*b*c a_b_c", "a<em>b</em>c a_b_c"), ("**a *b* c**", "<strong>a <em>b</em> c</strong>"),
      ("*a **b*", "*a *<em>b</em>"), ("a * b *", "a * b *"),
      ("==a *b*== c", "<mark>a <em>b</em></mark> c"), ("==a", "==a"), ("===a===", "===a==="),
      ("a==b && c==d", "a==b && c==d"), ("a == b, c == d", "a == b, c == d"),
      ("[[a]] ![[b.png]]", "[[a]] ![[b.png]]"),
      ("**a** *", "<strong>a</strong> *"), ("~~a~~ ~b~", "<del>a</del> <del>b</del>"),
      ("`a`` b` `` ` ``", "<code>a`` b</code> <code>`</code>"), ("`a *b*", "`a <em>b</em>"),
      ("\\*a\\* \\q \\&amp;", "*a* \\q &amp;amp;"), ("a  \nb\\\nc", "a<br>b<br>c"),
      ("[a](b)", "<a href=\"b\">a</a>"),
      ("[a](<b c> 'd\"e')", "<a href=\"b c\" title=\"d&quot;e\">a</a>"),
      ("[a](b(c)d) [](x)", "<a href=\"b(c)d\">a</a> <a href=\"x\"></a>"),
      ("[a [b](c) d](e)", "[a <a href=\"c\">b</a> d](e)"), ("[a](b", "[a](b"), ("[a] b]", "[a] b]"),
      ("![a *b*](c \"d\")", "<img src=\"c\" alt=\"a b\" title=\"d\">"),
      ("[![a](b)](c)", "<a href=\"c\"><img src=\"b\" alt=\"a\"></a>"),
      ("![](b) ![ ](b 'c')", "<img src=\"b\" alt=\"b\"> <img src=\"b\" title=\"c\">"),
      ("[![][b]](c)\n\n[b]: d", "<a href=\"c\"><img src=\"d\" alt=\"d\"></a>"),
      (
        "<https://a.test> <a@b.test>",
        "<a href=\"https://a.test\">https://a.test</a> <a href=\"mailto:a@b.test\">a@b.test</a>"
      ),
      (
        "x https://a.test/b_c_d, y",
        "x <a href=\"https://a.test/b_c_d\">https://a.test/b_c_d</a>, y"
      ),
      (
        "x (www.a.test/b_c), **WWW.a.test**",
        "x (<a href=\"http://www.a.test/b_c\">www.a.test/b_c</a>), "
          + "<strong><a href=\"http://WWW.a.test\">WWW.a.test</a></strong>"
      ),
      (
        "www. www.a x.www.a.b www..a.b `www.a.b`",
        "www. www.a x.www.a.b www..a.b <code>www.a.b</code>"
      ),
      (
        "?page=1&section=2&copy &notin; &notanentity; &#65; &#65 &c",
        "?page=1&amp;section=2&amp;copy &notin; &amp;notanentity; &#65; &amp;#65 &c"
      ),
      ("[a](/?b=1&copy 'c&reg')", "<a href=\"/?b=1&amp;copy\" title=\"c&amp;reg\">a</a>"),
      ("a <b>c</b> <!-- d --> e < f", "a <b>c</b>  e &lt; f"),
      ("a <b.c> <d/e> <f_g> <h@i>", "a &lt;b.c&gt; &lt;d/e&gt; &lt;f_g&gt; &lt;h@i&gt;"),
      ("Map<K, V> a<b && c>d", "Map&lt;K, V&gt; a&lt;b && c&gt;d"),
      ("<a b=c d = 'e>' f=\"<\"/> </a >", "<a b=c d = 'e>' f=\"<\"/> </a >"),
      (
        "<a b='c'd> <a b=> </a b> <a /b>", "&lt;a b='c'd&gt; &lt;a b=&gt; &lt;/a b&gt; &lt;a /b&gt;"
      ),
      ("<x-y z> <T>", "<x-y z> <T>"), ("<br/>a<br />", "<br/>a<br />"),
      ("a <?b > c?> <!D e> <![CDATA[>&<]]>f", "a   f"), ("a <!-- b > c", "a &lt;!-- b &gt; c"),
      ("a <!--> b <!---> c", "a  b  c"), ("a <? b > <![CDATA[c", "a &lt;? b &gt; &lt;![CDATA[c"),
      ("a <script>b</script>", "a &lt;script>b&lt;/script>"),
      ("*[a*](b)", "*<a href=\"b\">a*</a>"), ("a & b &copy;", "a & b &copy;"),
      ("*****a*****", "<em><strong><strong>a</strong></strong></em>"),
      ("![a ![b](c) *d*](e) *f*", "<img src=\"e\" alt=\"a  d\"> <em>f</em>"),
      ("[x ![a *b](c)* d](e)", "<a href=\"e\">x <img src=\"c\" alt=\"a *b\">* d</a>"),
    ] as [(String, String)])
  func `inline Markdown is converted to HTML`(_ text: String, _ expected: String) {
    #expect(Self.html(text) == "<p>\(expected)</p>")
  }

  private static func ref(_ number: Int, _ use: Int = 1) -> String {
    let id = use == 1 ? "fnref-\(number)" : "fnref-\(number)-\(use)"
    return "<sup><a href=\"#fn-\(number)\" id=\"\(id)\">\(number)</a></sup>"
  }

  private static func back(_ number: Int, _ use: Int = 1) -> String {
    let id = use == 1 ? "fnref-\(number)" : "fnref-\(number)-\(use)"
    return " <a href=\"#\(id)\">↩\(use == 1 ? "" : "\(use)")</a>"
  }

  @Test func `footnotes come at the end, in the order of their references`() {
    let html = Self.html(
      """
      a[^b] c[^A] d[^B] ![^a]
      [^a]: One
      lazy
      [^b]: Two[^c]

          More

      [^c]: Three
      [^d]: Unused
      [^A]: Again

      e [^z] `[^a]`
      """)
    #expect(
      html == "<p>a\(Self.ref(1)) c\(Self.ref(2)) d\(Self.ref(1, 2)) !\(Self.ref(2, 2))</p>"
        + "<p>e [^z] <code>[^a]</code></p><section><hr><ol>"
        + "<li id=\"fn-1\"><p>Two\(Self.ref(3))</p><p>More\(Self.back(1))\(Self.back(1, 2))</p></li>"
        + "<li id=\"fn-2\"><p>Onelazy\(Self.back(2))\(Self.back(2, 2))</p></li>"
        + "<li id=\"fn-3\"><p>Three\(Self.back(3))</p></li>"
        + "<li id=\"fn-4\"><p>Unused</p></li><li id=\"fn-5\"><p>Again</p></li></ol></section>")
  }

  @Test func `a footnote within the text is numbered like the others`() {
    let html = Self.html(
      "a^[See *b* [c] and ^[d here].] e[^f]. `^[code]` 2^[n+1] [^[abcd]] \\^[abcd] ^[open\n\n"
        + "[^f]: g")
    #expect(
      html == "<p>a\(Self.ref(1)) e\(Self.ref(2)). <code>^[code]</code> 2^[n+1] [^[abcd]] ^[abcd] "
        + "^[open</p><section><hr><ol>"
        + "<li id=\"fn-1\"><p>See <em>b</em> [c] and ^[d here].\(Self.back(1))</p></li>"
        + "<li id=\"fn-2\"><p>g\(Self.back(2))</p></li></ol></section>")
    #expect(Self.html("# a^[Note]\n").contains("<ol><li id=\"fn-1\"><p>Note"))
  }

  @Test(
    arguments: [
      ("H~2~O, CO~2~.", "H<sub>2</sub>O, CO<sub>2</sub>."),
      ("x^2^ + 10^-3^ Ca^2+^", "x<sup>2</sup> + 10<sup>-3</sup> Ca<sup>2+</sup>"),
      ("^14^C", "<sup>14</sup>C"),
      ("x^2+y^-1 a^b^c 2^8^2 ^o^ a^2 + b^2", "x^2+y^-1 a^b^c 2^8^2 ^o^ a^2 + b^2"),
      ("10~20 or 30~40, a~b c~", "10~20 or 30~40, a~b c~"), ("(~a b~)", "(<del>a b</del>)"),
      ("`x^2^` \\^2^", "<code>x^2^</code> ^2^"), ("x[^1^] ~/a~b", "x[^1^] ~/a~b"),
    ] as [(String, String)])
  func `short texts between tildes and carets are subscripts and superscripts`(
    _ text: String, _ html: String
  ) {
    #expect(Self.html(text) == "<p>\(html)</p>")
  }

  @Test func `a footnote within a list or a quotation comes at the end, with its blocks`() {
    let html = Self.html(
      "- a[^1]\n\n  [^1]: b\n\n      - c\n\n> d[^2]\n> [^2]: ```\n>     e\n>     ```\n")
    #expect(
      html.hasPrefix(
        "<ul><li><p>a\(Self.ref(1))</p></li></ul><blockquote><p>d\(Self.ref(2))</p></blockquote>")
    )
    #expect(html.contains("<li id=\"fn-1\"><p>b</p><ul><li>c</li></ul>\(Self.back(1))</li>"))
    #expect(html.contains("<li id=\"fn-2\"><pre><code>e</code></pre>\(Self.back(2))</li>"))
  }

  @Test(
    arguments: [
      (
        "$x^2$, $`a_b`$",
        "<script type=\"math/tex\">x^2</script>, <script type=\"math/tex\">a_b</script>"
      ),
      ("a $$x_1 + y$$ b", "a <script type=\"math/tex; mode=display\">x_1 + y</script> b"),
      ("$\\nope{x}_*y*$", "$\\nope{x}_*y*$"), ("$5 and $10", "$5 and $10"),
      ("5$ or 6$ each", "5$ or 6$ each"), ("US$ 6, A$5 of $7", "US$ 6, A$5 of $7"),
      ("$HOME/bin:$PATH", "$HOME/bin:$PATH"), ("$x:$y, $a or$b", "$x:$y, $a or$b"),
      ("the $n$th", "the <script type=\"math/tex\">n</script>th"),
      ("$5 and $n$th", "$5 and <script type=\"math/tex\">n</script>th"), ("\\$x$ y", "$x$ y"),
      ("$ x$ $y $", "$ x$ $y $"),
      ("$20 more than 30$ now", "$20 more than 30$ now"), ("$20 to 30$ now", "$20 to 30$ now"),
      ("you $6.00$, $1,000,000$ or", "you $6.00$, $1,000,000$ or"),
      ("and \"$y\". 5$ or", "and &quot;$y&quot;. 5$ or"),
      ("$x$ a", "<script type=\"math/tex\">x</script> a"), ("`$x$` $", "<code>$x$</code> $"),
      ("$$ a", "$$ a"), ("$a</script>b_1$", "$a&lt;/script&gt;b_1$"),
    ] as [(String, String)])
  func `formulas are delimited by dollar signs that are not prices`(
    _ text: String, _ expected: String
  ) {
    #expect(Self.html(text) == "<p>\(expected)</p>")
  }

  @Test(
    arguments: [
      ("a\n$$\nx\n- y\n= z\n$$\nb", "<p>a</p>", "x- y= z", "<p>b</p>"),
      ("$$x+1$$", "", "x+1", ""), ("```math\nx+1\n```", "", "x+1", ""),
      ("- $$\n  x\n  $$\n", "<ul><li>", "x", "</li></ul>"),
    ] as [(String, String, String, String)])
  func `a display formula is a block of its own`(
    _ text: String, _ before: String, _ formula: String, _ after: String
  ) {
    let script = "<script type=\"math/tex; mode=display\">\(formula)</script>"
    #expect(Self.html(text) == before + script + after)
  }

  @Test func `an opening delimiter of a formula without its closing one is part of a paragraph`() {
    #expect(Self.html("$$ a\n\nb") == "<p>$$ a</p><p>b</p>")
    #expect(
      Self.html("$$ a\nb $$ *c*")
        == "<p><script type=\"math/tex; mode=display\"> ab </script> <em>c</em></p>")
    let code = "<pre><code class=\"language-tex\">\\nope</code></pre>"
    #expect(Self.html("$$\n\\nope\n$$") == code)
  }

  /// Each of these takes quadratic time unless it is parsed in a single pass.
  @Test(
    arguments: [
      ("***", "a", "***"), ("![", "", "](b)"), ("![*a", "", "*](b)"), ("***a ", "", "b***"),
      ("*a_b", "", ""),
      ("_a*", "", "*a_"), ("[[[", "", "]]]"), ("[a](", "", ")"), ("**a ", "", ""),
      ("~a~~", "", "b"),
      ("<a", "", ">"), ("a` ", "", ""), ("a <![CDATA[ ", "", ""), ("a <!A ", "", ""),
      ("a <? ", "", ""), ("<!-- ", "", ""), ("<a b='", "", ">"), ("<a b c", "", ">"),
      ("<style>", "", ""), ("<style></style", "", ""), ("a <style </style ", "", ""),
      ("a <script </script ", "", ""), ("http://a.b", "", ")"),
      ("|a", "\n|-|\n", "|b\n"), ("> ", "a", ""),
      ("^[abcd ", "", "]"), ("a~b", "", ""), ("a^b", "", "^"), ("^[abcd]", "", ""),
      ("[x]", "\n\n[x]: ", "u"), ("[^a]", "\n\n[^a]: ", "u"), ("[^a]: b\n", "", ""),
      ("$a ", "", ""), ("$$a ", "$$", ""), ("$`", "", ""), ("$a$", "", "$"), ("$$\n", "", "a\n"),
      ("a\n", "", ": b\n"), ("[a]: b\n", "", ": c\n"), ("a\n: b\n", "", ""),
    ] as [(String, String, String)])
  func `repeated markup takes linear time`(_ first: String, _ middle: String, _ last: String) {
    let count = Effort.rounds(400_000, part: 100_000)
    let text =
      String(repeating: first, count: count / first.utf8.count) + middle
      + String(repeating: last, count: last.isEmpty ? 0 : count / last.utf8.count)
    #expect(MarkdownFormatter.html(of: Array(text.utf8)).count >= count / 8)
  }

  @Test(
    arguments: [
      ("| a | b |\n| c | d |", "<p>| a | b |<br>| c | d |</p>"),
      ("> | a\n> |   b", "<blockquote><p>| a<br>|   b</p></blockquote>"),
      (
        "| a |\n| b |\n|---|",
        "<p>| a |  </p><table><thead><tr><th>b</th></tr></thead><tbody></tbody></table>"
      ),
      ("a |\n| b", "<p>a || b</p>"), ("| a\nb", "<p>| ab</p>"),
      ("| a |\\\n| b |", "<p>| a |<br>| b |</p>"), ("| a \\\\\n| b", "<p>| a \\<br>| b</p>"),
    ] as [(String, String)])
  func `lines that begin with a bar are not joined`(_ text: String, _ html: String) {
    #expect(Self.html(text) == html)
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
      (
        "> [!NOTE]\n> a\n",
        "<blockquote><p><strong>Note</strong></p><p>a</p></blockquote>"
      ),
      ("a\n\n:tada: a :+1: (:x:)", "<p>a</p><p>🎉 a 👍 (❌)</p>"),
      ("# Go\n*(a)* b", "<h1 id=\"go\">Go</h1><p><em>(a)</em> b</p>"),
      ("# :rocket: Go\n*:bug:*", "<h1 id=\"rocket-go\">🚀 Go</h1><p><em>🐛</em></p>"),
      (
        "`:bug:` \\:bug: :bugs: a:bug: :bug:2 ::bug:: : bug:",
        "<p><code>:bug:</code> :bug: :bugs: a:bug: :bug:2 ::bug:: : bug:</p>"
      ),
      ("![:bug: b](/x)", "<p><img src=\"/x\" alt=\"🐛 b\"></p>"),
      ("[:bug:](/x:bug:y) 10:20:30", "<p><a href=\"/x:bug:y\">🐛</a> 10:20:30</p>"),
      ("> [!NOTE](a)\n", "<blockquote><p><a href=\"a\">!NOTE</a></p></blockquote>"),
      ("> - a\n> - b\n", "<blockquote><ul><li>a</li><li>b</li></ul></blockquote>"),
      ("- > a\n  > b", "<ul><li><blockquote><p>ab</p></blockquote></li></ul>"),
      ("- [x] a\n- [ ] b", "<ul><li>☑ a</li><li>☐ b</li></ul>"),
      (
        "- [x] a\n\n  b\n\n- [ ] # c\n- d",
        "<ul><li><p>☑ a</p><p>b</p></li><li>☐ <h1 id=\"c\">c</h1></li><li><p>d</p></li></ul>"
      ),
      ("-\ta\n\n\tb", "<ul><li><p>a</p><p>b</p></li></ul>"),
      (
        "a | b\n--|:-:\n1 | 2 | 3\n4\n\nc",
        "<table><thead><tr><th>a</th><th align=\"center\">b</th></tr></thead><tbody><tr><td>1</td><td align=\"center\">2</td></tr><tr><td>4</td><td align=\"center\"></td></tr></tbody></table><p>c</p>"
      ),
      (
        "a\nb | c\n--|--",
        "<p>a</p><table><thead><tr><th>b</th><th>c</th></tr></thead><tbody></tbody></table>"
      ),
      (
        "a\n+---+--+\n| *b* | c|\n+===+==+\nd",
        "<p>a</p><pre><code>+---+--+| *b* | c|+===+==+</code></pre><p>d</p>"
      ),
      (
        "> +:-:+\n> |   |\nb", "<blockquote><pre><code>+:-:+|   |</code></pre></blockquote><p>b</p>"
      ),
      ("+++\n\n+-\n\n+ -+", "<p>+++</p><p>+-</p><ul><li>-+</li></ul>"),
      ("<div>\n*a*\n\n*b*\n</div>", "<div>*a*<p><em>b</em></p></div>"),
      ("<style>p{}</style>\n*a*", "<p><em>a</em></p>"),
      ("<STYLE type=x>\n.a{}\n\n.b{}\n</STYLE>\n# a", "<h1 id=\"a\">a</h1>"),
      ("a\n<script>\nb();\n\nc();\n</script>d\n\ne", "<p>a</p>d<p>e</p>"),
      ("<style>\na", "&lt;style>a"), ("<styles>\na", "<styles>a"),
      ("<!-- <style> -->\n<style>\n</style>a", "<!-- <style> -->a"),
      ("<?php a > b\n\nc ?>\n*d*", "<p><em>d</em></p>"),
      ("<![CDATA[\na > b\n\nc\n]]>\n*d*", "<p><em>d</em></p>"),
      ("<pre>\n*a*\n\n*b*\n</pre>\n*c*", "<pre>*a**b*</pre><p><em>c</em></p>"),
      ("<a.b>\nc", "<p>&lt;a.b&gt;c</p>"), ("<a b c=\"d\">\n*e*", "<a b c=\"d\">*e*"),
      ("[]\n\n[]: /u", "<p>[]</p><p>[]: /u</p>"),
      ("<!-- a\n\nb -->\nc", "<!-- ab --><p>c</p>"),
      (
        "[a]: /x 'y'\n[B c]: <z>\n\n[a] [d][b  C] [a][] [e]",
        "<p><a href=\"/x\" title=\"y\">a</a> <a href=\"z\">d</a> <a href=\"/x\" title=\"y\">a</a> [e]</p>"
      ),
      ("[a]\n\n[a]: b\nc", "<p><a href=\"b\">a</a></p><p>c</p>"),
      ("---\na: b\n---\nc", "<pre><code class=\"language-yaml\">a: b</code></pre><p>c</p>"),
      ("+++\na = 1\n+++\nc", "<pre><code class=\"language-toml\">a = 1</code></pre><p>c</p>"),
      ("---\r\na: b\r\n---\r\nc", "<pre><code class=\"language-yaml\">a: b</code></pre><p>c</p>"),
      ("---\n\na\n\n---\nb", "<hr><p>a</p><hr><p>b</p>"),
      ("---\na\n---", "<hr><h2 id=\"a\">a</h2>"),
      (
        "---\ntitle: \"A: *b*\"\nauthor:\n  - Ann\n  - name: Bea\n    url: x\ntags: [x]\ndate: 2026-11-21\n---\nc",
        "<title>A: *b*</title><h1>A: *b*</h1><p>Ann, Bea · 2026-11-21</p><pre><code class=\"language-yaml\">tags: [x]</code></pre><p>c</p>"
      ),
      (
        "---\nTitle: A\nlang: fr\n...\n# B",
        "<html lang=\"fr\"><title>A</title><pre><code class=\"language-yaml\">Title: A</code></pre><h1 id=\"b\">B</h1>"
      ),
      (
        "+++\ntitle = 'A'\nauthors = [\"Ann\", 'Bea']\n[x]\ndate = 1\n+++\nc",
        "<title>A</title><h1>A</h1><p>Ann, Bea</p><pre><code class=\"language-toml\">[x]date = 1</code></pre><p>c</p>"
      ),
      (
        "% A\n  b\n% Ann; Bea\n% May 2026\n\nc",
        "<title>A b</title><h1>A b</h1><p>Ann, Bea · May 2026</p><p>c</p>"
      ),
      (
        "Title: A\nAuthor: Ann,\n  Bea\nDate: May 2026\nBase Header Level: 2\n\nc",
        "<title>A</title><h1>A</h1><p>Ann, Bea · May 2026</p><pre><code class=\"language-MultiMarkdown\">Base Header Level: 2</code></pre><p>c</p>"
      ),
      ("Title: A\nb\n\nc", "<p>Title: Ab</p><p>c</p>"),
      ("Note: A\nb-c: d\n\nc", "<p>Note: Ab-c: d</p><p>c</p>"),
      ("% A\n%\n% 2026\n\nc", "<title>A</title><h1>A</h1><p>2026</p><p>c</p>"),
      (
        "+++\nauthors = [\n  \"Ann\"\n]\n+++\nc",
        "<pre><code class=\"language-toml\">authors = [  &quot;Ann&quot;]</code></pre><p>c</p>"
      ),
      ("%a\n% b", "<p>%a% b</p>"), ("---\na: b", "<hr><p>a: b</p>"),
      ("+++\na = 1\n---\nc", "<h2 id=\"a--1\">+++a = 1</h2><p>c</p>"),
      ("a\r\nb\rc", "<p>abc</p>"), ("", ""), ("\n \n", ""),
    ] as [(String, String)])
  func `Markdown blocks are converted to HTML`(_ text: String, _ expected: String) {
    #expect(Self.html(text) == expected)
  }

  @Test func `the first heading is the title, and headings are anchors`() {
    let text = "A\n\n# The *title*\n\n## Part 2: more\n\n[go](#part-2-more)"
    let document = Document(bytes: Array(text.utf8), mediaType: "text/markdown")
    #expect(document.title == "The title")
    #expect(document.anchors.map(\.name) == ["the-title", "part-2-more"])
  }

  @Test(arguments: ["Text", "# Heading"])
  func `front matter has the title and the language of the page`(_ text: String) {
    let text = "---\ntitle: Front\nlanguage: de\n---\n" + text
    let document = Document(bytes: Array(text.utf8), mediaType: "text/markdown")
    #expect(document.title == "Front" && document.language == "de")
  }

  @Test(
    arguments: [
      ("---\n\ntitle: Front\n---\n\nText", "Front"), ("---\n\nNote: a: b\n\n---\n\nText", ""),
      ("---\n\ntitle: Front\n\nA paragraph\n\n---\n", ""), ("---\n\n---\n\nText", ""),
      ("---\r\n\r\ntags:\r\n  - a\r\n- b\r\ntitle: Front\r\n---\r\n", "Front"),
    ] as [(String, String)])
  func `front matter may begin with an empty line if it has only fields`(
    _ text: String, _ title: String
  ) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/markdown")
    #expect(document.title == title)
  }

  @Test(
    arguments: [
      (
        "Term\n: Def *one*\n: Two",
        "<dl><dt>Term</dt><dd><p>Def <em>one</em></p></dd><dd><p>Two</p></dd></dl>"
      ),
      ("A\nB\n: c", "<dl><dt>A</dt><dt>B</dt><dd><p>c</p></dd></dl>"),
      (
        "A\n\n:   c\n\n    d\n\nB\n: e\n\nf",
        "<dl><dt>A</dt><dd><p>c</p><p>d</p></dd><dt>B</dt><dd><p>e</p></dd></dl><p>f</p>"
      ),
      ("- A\n  : b", "<ul><li><dl><dt>A</dt><dd><p>b</p></dd></dl></li></ul>"),
      ("A\n: ```\n  x\n  ```", "<dl><dt>A</dt><dd><pre><code>x</code></pre></dd></dl>"),
      ("A\n: - b\n  - c", "<dl><dt>A</dt><dd><ul><li>b</li><li>c</li></ul></dd></dl>"),
      // These are paragraphs, not definitions.
      (": b", "<p>: b</p>"), ("A\n:b", "<p>A:b</p>"),
      ("a\nb\n\n: c", "<p>ab</p><p>: c</p>"), ("# A\n: b", "<h1 id=\"a\">A</h1><p>: b</p>"),
      ("a\nb\nc\nd\n: e", "<p>abcd: e</p>"), ("> A\n: b", "<blockquote><p>A: b</p></blockquote>"),
    ] as [(String, String)])
  func `a colon after a term begins its definition`(_ text: String, _ expected: String) {
    #expect(Self.html(text) == expected)
  }

  @Test(
    arguments: [
      ("x\n  a   b\n---- ---\n   1 2\n\ny", "<p>x</p>|  a   b\n---- ---\n   1 2|<p>y</p>"),
      ("-- --\n1  2\n-- --\ny", "|-- --\n1  2\n-- --|<p>y</p>"),
      ("a  b\r\n-- --\r\n1  2\r\n", "|a  b\n-- --\n1  2|"),
      ("- x\n\n  a  b\n  -- --\n  1  2", "<ul><li><p>x</p>|a  b\n-- --\n1  2|</li></ul>"),
      ("> a  b\n> -- --\n> 1  2", "<blockquote>|a  b\n-- --\n1  2|</blockquote>"),
      ("-- --\n\ny", "<hr><p>y</p>"), ("- - -\ny", "<hr><p>y</p>"),
      ("a\n-----\ny", "<h2 id=\"a\">a</h2><p>y</p>"),
    ] as [(String, String)])
  func `a table below dashes keeps its columns`(_ text: String, _ expected: String) {
    let code = expected.split(separator: "|", omittingEmptySubsequences: false)
    let html = String(decoding: MarkdownFormatter.html(of: Array(text.utf8)), as: UTF8.self)
      .replacing("<pre><code>", with: "|").replacing("</code></pre>", with: "|")
      .split(separator: "|", omittingEmptySubsequences: false)
    #expect(html.count == code.count)
    for (index, part) in html.enumerated() where index < code.count {
      // Only the line breaks in the table matter.
      #expect((index == 1 ? part : part.replacing("\n", with: "")) == code[index])
    }
  }

  @Test(
    arguments: [
      ("# A {-}", "<h1 id=\"a\">A</h1>"), ("# A {- .b #c}", "<h1 id=\"c\">A</h1>"),
      ("## A b {#go}", "<h2 id=\"go\">A b</h2>"), ("A\n=== ", "<h1 id=\"a\">A</h1>"),
      ("A {.x #go-1 k=v}\n===", "<h1 id=\"go-1\">A</h1>"),
      ("# A # {#go}", "<h1 id=\"go\">A</h1>"), ("## C# {#go}", "<h2 id=\"go\">C#</h2>"),
      ("# A {.unnumbered}", "<h1 id=\"a\">A</h1>"), ("# A {: #über }", "<h1 id=\"über\">A</h1>"),
      ("# A {#a\"b}", "<h1 id=\"a&quot;b\">A</h1>"), ("# A {#1} ##", "<h1 id=\"1\">A</h1>"),
      ("# A {x}", "<h1 id=\"a-x\">A {x}</h1>"), ("# A {1, 2}", "<h1 id=\"a-1-2\">A {1, 2}</h1>"),
      ("# A{#go}", "<h1 id=\"ago\">A{#go}</h1>"), ("# {#go}", "<h1 id=\"go\">{#go}</h1>"),
      ("# A {#go} b", "<h1 id=\"a-go-b\">A {#go} b</h1>"),
      ("# A {.5 x}", "<h1 id=\"a-5-x\">A {.5 x}</h1>"),
    ] as [(String, String)])
  func `attributes after a heading declare its anchor`(_ text: String, _ expected: String) {
    #expect(Self.html(text) == expected)
  }

  /// The anchors are those of GitHub.
  @Test(
    arguments: [
      ("Über uns", "über-uns"), ("What’s new — intro", "whats-new--intro"),
      ("FAQ: Häufige Fragen?", "faq-häufige-fragen"), ("安装（使用）", "安装使用"),
      ("🚀 Rocket start", "-rocket-start"), ("ΑΒΓ Éclair", "αβγ-éclair"),
      ("हिन्दी ग", "हिन्दी-ग"), ("a_b c-d 1٢", "a_b-c-d-1٢"), ("½ “x” ‿y", "-x-‿y"),
      ("C++ & C#", "c--c"),
    ] as [(String, String)])
  func `the anchor of a heading keeps letters, marks and digits of all scripts`(
    _ heading: String, _ anchor: String
  ) {
    let document = Document(
      bytes: Array("## \(heading)\n\na\n\n## \(heading)\n".utf8), mediaType: "text/markdown")
    #expect(document.anchors.map(\.name) == [anchor, anchor + "-1"])
  }

  @Test(
    arguments: [
      ("a\n\n![](images/harbour-overview.png)\n\nb", "harbour-overview.png"),
      ("![](x.png \"Harbour\")", "Harbour"), ("a [![](harbour-gate.png)](b)", "harbour-gate.png"),
      ("a ![harbour](x.png) b", "harbour"),
      ("- a\n- ![ ](x%20y.png?z) b", "x y.png b"),
    ] as [(String, String)])
  func `an image without alternative text is shown by its name`(_ text: String, _ name: String) {
    let document = Document(bytes: Array(text.utf8), mediaType: "text/markdown")
    #expect(document.images.count == 1)
    #expect(String(decoding: document.text, as: UTF8.self).contains(name))
  }

  @Test(
    arguments: [
      ("[[A page]]", "<a href=\"A%20page.md\">A page</a>"),
      ("[[d/b#On *it*|the *b*]] c", "<a href=\"d/b.md#on-it\">the *b*</a> c"),
      ("[[#On it]]", "<a href=\"#on-it\">#On it</a>"), ("[[b#^x1]]", "<a href=\"b.md\">b#^x1</a>"),
      ("![[p.png]] ![[b]]", "<img src=\"p.png\" alt=\"p.png\"> <a href=\"b.md\">b</a>"),
      (
        "![[p.png|300]] ![[p.png|a|300x200]] ![[p.png|x]]",
        "<img src=\"p.png\" alt=\"p.png\"> <img src=\"p.png\" alt=\"a\"> "
          + "<img src=\"p.png\" alt=\"x\">"
      ),
      ("*a [[b*]] c*", "<em>a <a href=\"b%2A.md\">b*</a> c</em>"),
      ("[[x]](y) [[x][z]]", "<a href=\"y\">[x]</a> [<a href=\"y\">x</a>]"),
      ("[[ -f x ]] [[]] [[|a]] [[a|]]", "[[ -f x ]] [[]] [[|a]] [[a|]]"),
      ("[a [[b]] c](d)", "[a <a href=\"b.md\">b</a> c](d)"),
      ("[^1] [[^1]]", "[^1] <a href=\"%5E1.md\">^1</a>"),
    ] as [(String, String)])
  func `names in double brackets are links in collections of notes`(
    _ text: String, _ expected: String
  ) {
    let html = MarkdownFormatter.html(of: Array((text + "\n\n[z]: y").utf8), linksPageNames: true)
    #expect(String(decoding: html, as: UTF8.self).replacing("\n", with: "") == "<p>\(expected)</p>")
  }
}
