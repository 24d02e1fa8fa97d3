import Testing

@testable import Formats

/// Attribute lists in Markdown, which are not shown.
@Suite struct MarkdownAttributesTests {
  @Test(
    arguments: [
      ("[a](/b){:target=\"_blank\" rel=\"x y\"} c", "<p><a href=\"/b\">a</a> c</p>"),
      ("![a](/b){width=50% .wide}{.x}", "<p><img src=\"/b\" alt=\"a\">{.x}</p>"),
      ("`a`{.py} **b**{: .c}", "<p><code>a</code> <strong>b</strong></p>"),
      ("[*a*]{.small} [b]{#c}d", "<p><em>a</em> bd</p>"),
      ("a\n{: .b}\n\nc", "<p>a</p><p>c</p>"), ("{: #a}\nb", "<p>b</p>"),
      ("1. a\n{:.b}\n2. c", "<ol><li>a</li><li>c</li></ol>"),
      ("* a\n{:toc}", "<ul><li>a</li></ul>"),
      (
        "|a|b|\n|-|-|\n{: .c}",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody></tbody></table>"
      ),
    ] as [(String, String)])
  func `attribute lists are not shown`(_ text: String, _ html: String) {
    let bytes = MarkdownFormatter.html(of: Array(text.utf8))
    #expect(String(decoding: bytes, as: UTF8.self).replacing("\n", with: "") == html)
  }

  @Test(arguments: [
    "[a]{.5}", "[a]{}", "[a]{b}", "[a] {.b}", "a{.b}", "[a]{.b,c}", "[a]{.b", "[a]{b=}", "a {: .b}",
    "*a*{.b}", "{.b}", "{::comment}", "{: }", "[a]{#1}", "![a]{.b}", "[a]{b='c}",
  ])
  func `other text in braces is shown`(_ text: String) {
    let html = String(decoding: MarkdownFormatter.html(of: Array(text.utf8)), as: UTF8.self)
    #expect(html.contains(text.drop { $0 != "{" }))
  }

  @Test(
    arguments: [
      ("[TOC]\n\na", "<p>a</p>"), ("a\n\n[[_TOC_]]", "<p>a</p>"), ("[TOC] b", "<p>[TOC] b</p>"),
      ("[toc]\n\n[toc]: /t", "<p><a href=\"/t\">toc</a></p>"), ("[tic]", "<p>[tic]</p>"),
    ] as [(String, String)])
  func `a marker for a table of contents is not shown`(_ text: String, _ html: String) {
    let bytes = MarkdownFormatter.html(of: Array(text.utf8))
    #expect(String(decoding: bytes, as: UTF8.self).replacing("\n", with: "") == html)
  }

  @Test func `attribute lists in code are shown`() {
    let text = Array("```\n{: .a}\n```\n\n    {: .a}\n".utf8)
    let html = String(decoding: MarkdownFormatter.html(of: text), as: UTF8.self)
    #expect(html.split(separator: "{: .a}").count == 3)
  }
}
