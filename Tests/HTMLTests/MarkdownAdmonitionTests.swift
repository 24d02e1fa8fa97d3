import Testing

@testable import DOM
@testable import Document
@testable import Formats
@testable import ReaderMode

/// Notes of Markdown's extensions, and Gemtext.
@Suite struct MarkdownAdmonitionTests {
  private static func html(_ text: String) -> String {
    String(decoding: MarkdownFormatter.html(of: Array(text.utf8)), as: UTF8.self)
      .replacing("\n", with: "")
  }

  private static func note(_ title: String, _ text: String) -> String {
    "<blockquote><p><strong>\(title)</strong></p>\(text)</blockquote>"
  }

  // A list with its type is compiled in much less time.
  private static let cases: [(String, String)] = [
    ("!!! note\n    a", note("Note", "<p>a</p>")),
    (
      "!!! note \"My *T*\"\n    a\n\n    b\nc",
      note("My <em>T</em>", "<p>a</p><p>b</p>") + "<p>c</p>"
    ),
    ("!!! see-also inline end\n\n    a", note("See also", "<p>a</p>")),
    ("!!! note \"\"\n    a", "<blockquote><p>a</p></blockquote>"),
    ("x\n!!! tip\n    - a\n    - b", "<p>x</p>" + note("Tip", "<ul><li>a</li><li>b</li></ul>")),
    ("??? note \"T\"\n    a", "<details><summary>T</summary><p>a</p></details>"),
    ("???+ tip\n    a", "<details open><summary>Tip</summary><p>a</p></details>"),
    ("!!! a\n    !!! b\n        c", note("A", note("B", "<p>c</p>"))),
    (":::note\na\n:::\nb", note("Note", "<p>a</p>") + "<p>b</p>"),
    ("::: tip My title\n- a\n:::", note("My title", "<ul><li>a</li></ul>")),
    (":::danger[Stop *now*]\n\na\n\n:::", note("Stop <em>now</em>", "<p>a</p>")),
    (":::{warning} T\na\n:::", note("T", "<p>a</p>")),
    ("::: {.callout-tip collapse=\"true\"}\na\n:::", note("Tip", "<p>a</p>")),
    (":::note{.x}\na\n:::", note("Note", "<p>a</p>")),
    (":::details More\na\n:::", "<details><summary>More</summary><p>a</p></details>"),
    ("::::note\n:::tip\na\n:::\nb\n::::", note("Note", note("Tip", "<p>a</p>") + "<p>b</p>")),
    (
      ":::note\n```\n:::\n```\n:::",
      note("Note", "<pre><code>:::</code></pre>")
    ),
    (
      ":::note\n|a|\n|-|\n:::\n\n:::tip\n<div>x</div>\n:::",
      note("Note", "<table><thead><tr><th>a</th></tr></thead><tbody></tbody></table>")
        + note("Tip", "<div>x</div>")
    ),
    ("::: {.callout-note title=\"My *T*\"}\na\n:::", note("My <em>T</em>", "<p>a</p>")),
    ("::: {.callout-note title=\"\"}\na\n:::", note("Note", "<p>a</p>")),
    ("::: {.a #b}\nc\n:::\nd", "<div><p>c</p></div><p>d</p>"),
    (
      ":::: {.columns} ::::\n::: {.column width=\"40%\"}\na\n\n- b\n:::\n::: {.note}\nc\n:::\n::::",
      "<div><div><p>a</p><ul><li>b</li></ul></div>" + note("Note", "<p>c</p>") + "</div>"
    ),
    ("> [!TIP]\n> a", note("Tip", "<p>a</p>")),
    ("> [!warning] My *T*\n> a", note("My <em>T</em>", "<p>a</p>")),
    ("> [!see-also|wide]- T\n> > [!faq]+\n> > a", note("T", note("Faq", "<p>a</p>"))),
    (
      "> a\n> :::\n\n:::note\nb\n:::",
      "<blockquote><p>a:::</p></blockquote>" + note("Note", "<p>b</p>")
    ),
  ]

  @Test(arguments: cases)
  func `a note has its title and contains its text`(_ text: String, _ expected: String) {
    #expect(Self.html(text) == expected)
  }

  @Test(
    arguments: [
      ("!!! note", "<p>!!! note</p>"), ("!!! note\na", "<p>!!! notea</p>"),
      ("!!! Stop: now\n\n    a", "<p>!!! Stop: now</p><pre><code>a</code></pre>"),
      ("!!!\n    a", "<p>!!!a</p>"),
      ("!!! note \"x\n\n    a", "<p>!!! note &quot;x</p><pre><code>a</code></pre>"),
      ("???", "<p>???</p>"), (":::note\na", "<p>:::notea</p>"), (":::", "<p>:::</p>"),
      (":::columns\na\n:::", "<p>:::columnsa:::</p>"), ("::note\na\n:::", "<p>::notea:::</p>"),
      (":::note:x\na\n:::", "<p>:::note:xa:::</p>"),
      ("    !!! note\n        a", "<pre><code>!!! note    a</code></pre>"),
      (":::{note\na\n:::", "<p>:::{notea:::</p>"),
      ("::: {.a} b\nc\n:::", "<p>::: {.a} bc:::</p>"), ("::: {.a}\nb", "<p>::: {.a}b</p>"),
      (":::{figure} a.png\nb\n:::", "<p>:::{figure} a.pngb:::</p>"),
      ("> [!a b]\n> c", "<blockquote><p>[!a b]c</p></blockquote>"),
      ("> [!a]b", "<blockquote><p>[!a]b</p></blockquote>"),
      ("> [!]", "<blockquote><p>[!]</p></blockquote>"),
      ("```\n:::\n```\n:::note\na", "<pre><code>:::</code></pre><p>:::notea</p>"),
      (
        "---\n:::\n---\n:::note\na",
        "<pre><code class=\"language-yaml\">:::</code></pre><p>:::notea</p>"
      ),
    ] as [(String, String)])
  func `other text with the same characters is text`(_ text: String, _ expected: String) {
    #expect(
      Self.html(text).replacing("&quot;", with: "\"") == expected.replacing("&quot;", with: "\""))
  }

  @Test func `Gemtext becomes headings, links, lists, quotations and code`() {
    let text = """
      # The *Harbour*
      One line.
      Another line & more.

      => /rel A relative link
      =>gemini://x.test/
      =>
      * one
      * two
      > said
      ### Deep
      ```python
      # no heading
      => no link
      ```
      end\r
      """
    let document = Document(
      bytes: Array(text.utf8), mediaType: "text/gemini", url: "https://a.test/b/")
    #expect(document.problems == [])
    #expect(document.title == "The *Harbour*")
    #expect(document.links.map(\.target) == ["/rel", "gemini://x.test/"])
    let leaves = document.blocks.filter { !$0.runs.isEmpty }.map { document.text(of: $0) }
    #expect(
      leaves == [
        "The *Harbour*", "One line.", "Another line & more.", "A relative link", "gemini://x.test/",
        "=>", "one", "two", "said", "Deep", "# no heading\n=> no link", "end",
      ])
    #expect(document.blocks.contains { $0.kind == .quote })
  }
}
