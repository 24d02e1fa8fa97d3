import DOM
import ReaderMode
import Testing

@testable import Document

/// Formulas on pages that load no known TeX renderer, named by classes or languages, and those that
/// span several elements.
@Suite struct FormulaClassTests {
  private func lines(_ html: String) -> [Substring] {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return String(decoding: document.plainText, as: UTF8.self).split(separator: "\n")
  }

  @Test(arguments: [
    #"<p>a <x-math class=js-inline-math>$\alpha + 1$</x-math> b"#,
    #"<p>a <span class="math-container">$\alpha + 1$</span> b"#,
    #"<p>a <span class="math inline"> \(\alpha + 1\) </span> b"#,
    #"<p>a <span class="math inline">\alpha + 1</span> b"#,
    #"<p>a <span class="wp-katex-eq">\alpha + 1</span> b"#,
    #"<p>a<span class="math"> \alpha + 1 </span>b"#,
    #"<p>a <code class="code math js-render-math">\alpha + 1</code> b"#,
    #"<p>a <code class="language-math math-inline">\alpha + 1</code> b"#,
  ])
  func `a formula within a line is named by a class`(html: String) {
    #expect(lines(html) == ["a α+1 b"])
  }

  @Test(arguments: [
    #"<div class="math notranslate">\[\alpha + 1\]</div>"#,
    #"<div class=arithmatex>\[ \alpha + 1 \]</div>"#,
    #"<p><span class="math display">$$\alpha + 1$$</span></p>"#,
    #"<p><span class="math display">\alpha + 1</span></p>"#,
    #"<div class=math>\begin{equation}\alpha + 1\end{equation}</div>"#,
    #"<div class="latex-rendered" data-attrs='{"id":"A","persistentExpression":"\\alpha + 1"}'></div>"#,
    #"<div class="latex-rendered" data-attrs='{"persistentExpression":"\\alpha + 1"}'><b>α+1</b></div>"#,
    #"<pre class="code math js-render-math"><code>\alpha + 1</code></pre>"#,
    #"<pre><code class="language-math">\alpha + 1</code></pre>"#,
  ])
  func `a formula on lines of its own is named by a class`(html: String) {
    #expect(lines(html).map { $0.drop { $0 == " " } } == ["α+1"])
  }

  @Test(arguments: [
    #"<img src="x.png" alt="$\alpha + 1$">"#, #"<img class=tex src=x.png alt="\alpha + 1">"#,
    #"<img src="https://latex.codecogs.com/svg.image?\inline&space;\alpha+1" alt="an equation">"#,
    #"<img src="https://latex.codecogs.com/png.latex?\dpi{150}\bg_white\LARGE{\alpha}+1">"#,
    #"<img src="//latex.codecogs.com/gif.latex?%5Calpha&space;&plus;&space;1" title="\alpha+1">"#,
    #"<img src="https://chart.googleapis.com/chart?cht=tx&amp;chl=%5Calpha%2B1">"#,
    #"<img src="https://www.zhihu.com/equation?tex=%5Calpha+%2B+1" alt="[formula]">"#,
    #"<img src="/cgi-bin/mathtex.cgi?\alpha+1">"#,
  ])
  func `a formula that is an image is shown as text, in reader view, too`(_ image: String) {
    let paragraph = "<p>The bay was surveyed in spring, when the ice was gone and boats came.</p>"
    let body = "\(paragraph)<p>In the middle it has a depth of \(image) metres.</p>\(paragraph)"
    #expect(lines(body)[1] == "In the middle it has a depth of α+1 metres.")
    let text = readerText(ofBody: "<article>\(body)</article>", title: "The bay")
    #expect(text.contains("a depth of α+1 metres"))
  }

  @Test(
    arguments: [
      (#"<p class=price>$\alpha$ a"#, #"$\alpha$ a"#),
      (#"<p class=aftermath>$\alpha$ a"#, #"$\alpha$ a"#),
      (#"<p class=no-mathjax>$\alpha$ a"#, #"$\alpha$ a"#),
      (#"<p class=math>$5 to $6"#, "$5 to $6"),
      (#"<p class=math>Words $\alpha$ a"#, #"Words $\alpha$ a"#),
      (#"<p class=math>for all \alpha a"#, #"for all \alpha a"#),
      (#"<p class=math>\alpha <b>a</b>"#, #"\alpha a"#),
      ("<p class=math>the x^2 a", "the x^2 a"),
      (#"<p><code class="language-mathematica">\alpha</code>"#, #"\alpha"#),
      (#"<p><code>\alpha</code>"#, #"\alpha"#),
      (#"<p><code class=math>\unheardof{x}</code>"#, #"\unheardof{x}"#),
    ] as [(String, String)])
  func `text that is not named a formula, or is not supported, is left unchanged`(
    _ html: String, _ expected: String
  ) {
    #expect(lines(html) == [Substring(expected)])
  }

  @Test(
    arguments: [
      (#"$$ \alpha<br>+ 1 $$"#, ["α+1"]), (#"\[ \alpha<br>\n<br/>+ 1 \]"#, ["α+1"]),
      (#"a \( \alpha<br>+ 1 \) b"#, ["a α+1 b"]),
      (#"\begin{align}<br>a&=b\\<br>c&=d<br>\end{align}"#, ["a = b; c = d"]),
      (#"$$ \alpha<br>\$5"#, [#"$$ \alpha"#, #"\$5"#]), (#"a \( b<br>c"#, [#"a \( b"#, "c"]),
      (#"$$ \alpha<br><b>1</b> $$"#, [#"$$ \alpha"#, "1 $$"]), ("a<br>b", ["a", "b"]),
    ] as [(String, [Substring])])
  func `lines of a formula are joined`(_ text: String, _ expected: [Substring]) {
    let script = "<script src='https://cdn.example/mathjax/tex.js'></script>"
    #expect(lines(script + "<p>" + text.replacing(#"\n"#, with: "\n")) == expected)
  }
}
