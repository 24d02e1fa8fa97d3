import DOM
import ReaderMode
import Testing

@testable import Document

/// Code whose lines are blocks that keep white space, as editors and code viewers write it.
@Suite struct CodeLinesTests {
  private static func document(_ html: String) -> Document {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document
  }

  private static let lines = """
    <div class=line><b>if</b> x:</div>
    <div class=line>    y  z</div><div class=line><br></div>
    <div class=line>end</div>
    """

  @Test(arguments: [
    "<style>.line{white-space:pre}</style><div>\(lines)</div>",
    "<style>.code{white-space:pre-wrap}</style><div class=code>\(lines)</div>",
    "<div style='white-space: break-spaces'>\(lines)</div>",
    "<div>\(lines.replacing("class=line", with: "style='white-space:pre'"))</div>",
    "<div>"
      + lines.replacing("class=line>", with: "><div style='white-space:pre'>")
      .replacing("</div>", with: "</div></div>") + "</div>",
    "<style>.line{white-space:pre}</style><div><div class=line-numbers><div>1</div><div>2</div></div>"
      + "<div>\(lines)</div></div>",
  ])
  func `blocks that keep the indentation of their text are lines of code`(html: String) {
    #expect(Self.document("<p>a</p>\(html)<p>b").content == "a\nif x:\n    y  z\n\nend\nb")
  }

  @Test func `the lines of a listing by doxygen are code without numbers and tooltips`() {
    let page = """
      <div class=fragment><div class=line><a id=l1></a><span class=lineno>    1</span>if (x)</div>
      <div class=foldopen data-start="{"><div class=line><span class=lineno>    2</span>  {</div>
      <div class=line><span class=lineno>    3</span>    y();</div>
      </div><div class=line><span class=lineno>    4</span>  }</div>
      <div class=ttc id=y><div class=ttname>y</div></div></div>
      """
    #expect(Self.document(page).content == "if (x)\n  {\n    y();\n  }")
  }

  @Test(arguments: [
    (
      "crayon-nums", "crayon-num", "crayon-line",
      ["for x:", "<span>&nbsp;&nbsp;</span>y", "<b>z</b> 1"], "for x:\n  y\nz 1"
    ),
    ("gutter", "line number1", "line number1", ["<code>x</code> <code>1</code>", "y"], "x 1\ny"),
  ])
  func `numbers in a cell beside lines of code are left out`(
    _ cell: String, _ number: String, _ line: String, _ lines: [String], _ expected: String
  ) {
    let numbers = lines.indices.map { "<div class='\(number)'>\($0 + 1)</div>" }.joined()
    let code = lines.map { "<div class='\(line)'>\($0)</div>" }.joined()
    let page = """
      <table><tbody><tr><td class=\(cell)><div>\(numbers)</div></td>
      <td class=code><div class=container>\(code)</div></td></tr></tbody></table>
      """
    #expect(Self.document(page).content.replacing("\u{A0}", with: " ") == expected)
  }

  @Test(arguments: ["gutter", "lineno", "linenum"])
  func `a number in a cell beside a text is kept`(_ name: String) {
    let page = "<table><tr><td class=\(name)>10<td class=team>Harbour wins</table>"
    #expect(Self.document(page).content.contains("10"))
  }

  @Test func `the signature of a function by doxygen is not a table with borders`() {
    let page = """
      <table class=memname><tr><td class=memname>int open</td><td>(</td><td>const char *&#160;</td>
      <td><em>name</em>, </td></tr><tr><td></td><td></td><td>int&#160;</td><td><em>flags</em></td>
      </tr><tr><td></td><td>)</td><td></td><td></td></tr></table>
      """
    let document = Self.document(page)
    #expect(!document.blocks.contains { $0.kind == .table })
    #expect(document.content.contains("int open ( const char *"))
    let characters = "<table><tr><td>(<td>40<tr><td>)<td>41<tr><td>+<td>43</table>"
    #expect(Self.document(characters).blocks.contains { $0.kind == .table })
  }

  @Test(arguments: [
    "<pre>\(numberedLine(1, "let a"))\(numberedLine(2, "let b"))</pre>",
    "<div><pre>let a\nlet b</pre><div class=line-numbers-wrapper><span>1</span><br><span>2</span>"
      + "<br></div></div>",
    "<pre><code>let a\nlet b</code><ul class=pre-numbering><li>1</li><li>2</li></ul></pre>",
    "<div><ul class=line-numbers><li>1<li>2</ul><pre>let a\nlet b</pre></div>",
  ])
  func `line numbers in boxes of a line and after the code are left out`(html: String) {
    #expect(Self.document(html).content == "let a\nlet b")
  }

  @Test(
    arguments: [
      ("<span class='code-line hl'><b>let</b> a</span><span class=code-line>  b", "let a\n  b"),
      ("<span class=line>let a</span>\n<span class=line>  b</span>", "let a\n  b"),
      ("<span class=line>let a\n</span><span class=line>  b\n</span>", "let a\n  b"),
      ("<span class=line>let a</span><span class=underline>b</span>", "let ab"),
      ("a\n<span class=gatsby-highlight-code-line>b</span><i>c</i>", "a\nb\nc"),
      ("<span class=gatsby-highlight-code-line>b</span>c", "b\nc"),
      ("<span class=gatsby-highlight-code-line>b</span>\nc", "b\nc"),
    ] as [(String, String)])
  func `lines of code that a style sheet ends are separate`(_ code: String, _ expected: String) {
    #expect(Self.document("<pre><code>\(code)</code></pre>").content == expected)
  }

  @Test(arguments: [
    "<ol class=linenums><li class=L0><i>if</i> x:</li><li><span>    y</span></li><li></li><li>z</ol>",
    "<ol>\n<li>if x:</li>\n<li>    y</li>\n<li><br></li>\n<li>z</li>\n</ol>",
    "<code><ol><li>if x:\n</li><li>    y\n</li><li>\n</li><li>z</li></ol></code>",
  ])
  func `numbered items in preformatted text are lines of code`(list: String) {
    let document = Self.document("<p>a</p><pre class=prettyprint>\(list)</pre><p>b")
    #expect(document.content == "a\nif x:\n    y\n\nz\nb")
    #expect(!document.blocks.contains { $0.kind == .list(isTight: true) })
  }

  @Test func `a list of texts in preformatted text is a list`() {
    let document = Self.document("<pre><ol><li>one</li><li>two</li></ol></pre>")
    #expect(document.blocks.contains { $0.kind == .list(isTight: true) })
  }

  @Test(arguments: [
    "<pre>let a</pre><ul class=pre-numbering><li>1<li>3</ul>",
    "<p>let a</p><ul class=pre-numbering><li>1<li>2</ul>",
    "<pre>let a</pre><ul><li>1<li>2</ul>",
  ])
  func `other lists of numbers are shown`(html: String) {
    #expect(Self.document(html).content.contains("1"))
  }

  private static func numberedLine(_ number: Int, _ code: String) -> String {
    "<div><div class=gutter><div class=ln>\(number)</div></div><div>\(code)</div></div>"
  }

  @Test(arguments: [
    "<div>\(lines.replacing("class=line", with: "class=verse"))</div>",
    "<div class=line>one</div><div class=line>two</div>",
    "<div><div style='white-space:pre'>one</div><div style='white-space:pre'>two</div></div>",
    "<div style='white-space:pre-wrap'><div>\n  one</div><div>\n  two</div></div>",
    "<style>.line{white-space:pre}</style><div>\(lines)<h2>three</h2></div>",
  ])
  func `other blocks are not lines of code`(html: String) {
    let isCode = Self.document(html).blocks.contains { $0.kind == .preformatted(language: nil) }
    #expect(!isCode)
  }
}
