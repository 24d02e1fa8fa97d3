import Document
import ReaderMode
import Testing
import TestSupport

@testable import Layout

/// Syntax highlighting of code in the layout of pages.
@Suite struct SyntaxColorsTests {
  private func parts(_ html: String, coloured: Bool = true, width: Int = 60) -> [String] {
    var options = LayoutOptions(width: width)
    options.highlightsCode = coloured
    let layout = PageLayout(
      Document(bytes: Array(html.utf8), mediaType: "text/html"), options: options)
    var start = 0
    return layout.runs.compactMap { run in
      defer { start = Int(run.end) }
      switch run.style.role {
      case .comment, .string, .number, .keyword:
        return "\(run.style.role) "
          + String(decoding: layout.text[start..<Int(run.end)], as: UTF8.self)
      default: return nil
      }
    }
  }

  @Test(arguments: [
    "<pre class=language-swift>let a = 1</pre>",
    "<pre><code class=lang-swift>let a = 1</code></pre>",
    "<div class='highlight highlight-source-swift'><pre>let a = 1</pre></div>",
    "<pre class='brush: swift; toolbar: false'>let a = 1</pre>",
    "<pre class='brush:swift'>let a = 1</pre>",
    "<div class=highlight-swift><div class=highlight><pre>let a = 1</pre></div></div>",
    "<div class='language-swift highlighter-rouge'><div><pre>let a = 1</pre></div></div>",
    "<pre><code class='hljs swift'>let a = 1</code></pre>", "<pre data-lang=swift>let a = 1</pre>",
    "<figure data-language=Swift><pre><code>let a = 1</code></pre></figure>",
    "<pre class='sourceCode swift'><code><span class=k>l</span>et a = 1</code></pre>",
  ])
  func `the language of code is recognized in all common forms of markup`(_ code: String) {
    let parts = parts("<p>a<p>" + code)
    #expect(parts.joined(separator: " ").hasSuffix("number 1"), "\(parts)")
    #expect(parts.first?.hasPrefix("keyword l") == true, "\(parts)")
  }

  @Test(arguments: [
    "<pre>let a = 1</pre>", "<pre class=language-text>let a = 1</pre>",
    "<div class=lang-swift><div><p>let a = 1</p></div></div>",
    "<pre class=language-nothing>def a():\n  return 1</pre>",
    "<code class=language-swift>let a = 1</code>",
    "<h1><code class=language-swift>let a = 1</code></h1>",
  ])
  func `text that is not code or has no known language is not highlighted`(_ code: String) {
    #expect(parts("<p>a<p>" + code) == [])
  }

  @Test func `the language of code without a name is detected from its content`() {
    let parts = parts("<p>a<pre>def f(x):\n    return 1  # one\n</pre>")
    #expect(parts == ["keyword def", "keyword return", "number 1", "comment # one"])
  }

  @Test func `links in code are kept`() {
    let parts = parts("<p>a<pre class=lang-swift>let <a href=/b>let</a> 1</pre>")
    #expect(parts == ["keyword let", "number 1"])
  }

  @Test func `long strings and comments are highlighted on every line`() {
    let code =
      "<p>a<pre class=lang-swift>/* " + String(repeating: "so it is ", count: 20)
      + "\nend */ 1</pre>"
    let parts = parts(code, width: 30)
    #expect(parts.count > 5 && parts.dropLast().allSatisfy { $0.hasPrefix("comment ") })
    #expect(parts.last == "number 1")
  }

  @Test(arguments: GoldenCase.all(in: "Fixtures"))
  func `highlighting does not change text, lines or links`(_ fixture: GoldenCase) throws {
    let document = Document(bytes: try fixture.bytes(), mediaType: "text/html")
    for width in [20, 33, 60, 100] {
      var options = LayoutOptions(width: width)
      let coloured = PageLayout(document, options: options)
      options.highlightsCode = false
      let plain = PageLayout(document, options: options)
      #expect(
        coloured.text == plain.text && coloured.linkPlacements == plain.linkPlacements,
        "width \(width)")
      #expect(coloured.lines.map(\.end) == plain.lines.map(\.end), "width \(width)")
      #expect(
        coloured.lines.map(\.sourceOffset) == plain.lines.map(\.sourceOffset), "width \(width)")
    }
  }

  @Test func `highlighting is the same when code is laid out in steps`() {
    let line = "let a = \"b\" /* c\n d */ + 0x1F // e\n"
    let code = "<p>a<pre class=lang-swift>" + String(repeating: line, count: 400) + "</pre>"
    let document = Document(bytes: Array(code.utf8), mediaType: "text/html")
    var builder = PageLayout.Builder(document, options: LayoutOptions(width: 60))
    for _ in 0..<2000 where !builder.isComplete { builder.layOut(minLines: 7) }
    #expect(builder.layout == PageLayout(document, options: LayoutOptions(width: 60)))
    #expect(parts(code).count == 400 * 6)
  }
}
