import TestSupport
import Testing

@testable import Document

/// TeX formulas as lines of Unicode text.
@Suite struct TeXConverterTests {
  @Test(
    arguments: [
      ("x^2+\\frac12", "x²+½"), ("\\frac{a+b}{c}", "(a+b)/c"), ("\\frac{a}{bc}", "a/(bc)"),
      ("E = mc^{2}", "E = mc²"), ("{\\displaystyle x_{1}\\leq \\alpha }", "x₁ ≤ α"),
      ("\\sqrt{x+1}", "√(x+1)"), ("\\sqrt[3]{8}=2", "∛8 = 2"), ("\\sqrt x", "√x"),
      ("\\sqrt[n]{2}", "ⁿ√2"),
      ("\\sum_{i=1}^{n} i", "∑ᵢ₌₁ⁿ i"), ("\\lim_{x\\to 0} f(x)", "lim_(x → 0) f(x)"),
      ("2\\frac{a}{b}", "2(a/b)"), ("\\left(\\frac{a}{b}\\right)^2", "(a/b)²"),
      ("\\mathbb{R}^n\\to\\mathbf{v}", "ℝⁿ → 𝐯"), ("\\mathcal{O}(n\\log n)", "𝒪(n log n)"),
      ("\\hat{x}+\\vec v", "x\u{302}+v\u{20D7}"), ("\\text{if } x>0", "if x > 0"),
      ("\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "(a b; c d)"),
      ("\\begin{cases}1&x>0\\\\0&\\text{else}\\end{cases}", "{1, x > 0; 0, else}"),
      ("\\begin{aligned}a&=b\\\\&=c\\end{aligned}", "a = b; = c"),
      ("\\begin{displaymath}a=b\\end{displaymath}", "a = b"),
      ("\\begin{eqnarray*}a&=&b\\end{eqnarray*}", "a = b"),
      ("\\overline{ab}", "a\u{305}b\u{305}"), ("f'(x)", "f′(x)"), ("x^{n+q}", "x^(n+q)"),
      ("90^\\circ", "90°"), ("\\sin^2 x", "sin² x"),
      ("10{,}000", "10,000"), ("(a,b)", "(a, b)"), ("\\{1,2\\}", "{1, 2}"), ("a-b", "a−b"),
      ("\\binom{n}{k}", "C(n, k)"), ("\\int_0^1 x\\,dx", "∫₀¹ x dx"),
      ("a \\equiv b \\pmod{n}", "a ≡ b (mod n)"),
      ("\\label{eq:a_1} a = b \\tag{3}", "a = b (3)"), ("\\boxed{x+1}", "x+1"),
      ("\\underbrace{a+b}_{2}", "(a+b)₂"), ("\\operatorname*{argmax}_x f", "argmaxₓ f"),
      ("\\color{red}{x}\\hspace{1em}y", "x y"), ("\\textcolor{blue}{x}", "x"),
      ("a \\not= b", "a ≠ b"), ("a \\not\\in B", "a ∉ B"), ("A \\xrightarrow{f} B", "A →ᶠ B"),
      ("\\begin{alignat}{2}a&=b&c&>d\\end{alignat}", "a = b c > d"),
      ("\\begin{array}{@{}c|c@{}}a&b\\\\\\hline c&d\\end{array}", "[a b; c d]"),
    ] as [(String, String)])
  func `a TeX formula is converted to a line of text`(_ source: String, _ line: String) {
    #expect(TeXConverter.convertedLine(source.utf8) == line)
  }

  @Test(arguments: [
    "", "\\unheardof{x}", "{x", "x}", "x^", "\\frac{1}", "\\begin{pmatrix}a",
    "\\begin{tikz}\\end{tikz}",
    "\\sqrt[", "\\hat{ab}", "a & b", "\\left", "$x$", "\\", "\\end{cases}", "\\begin",
    "\\begin{cases}x\\end{array}",
  ])
  func `an unsupported formula gives nil`(_ source: String) {
    #expect(TeXConverter.convertedLine(source.utf8) == nil)
  }

  @Test func `depth and length are bounded`() {
    for part in ["{", "\\sqrt{", "\\frac{", "x^{", "\\begin{matrix}", "\\hat"] {
      #expect(TeXConverter.convertedLine(String(repeating: part, count: 600).utf8) == nil)
    }
    let braces = String(repeating: "{", count: 30) + "x" + String(repeating: "}", count: 30)
    #expect(TeXConverter.convertedLine(braces.utf8) == nil)
    #expect(TeXConverter.convertedLine(String(repeating: "x", count: 5000).utf8) == nil)
  }

  @Test func `any TeX input gives nil or a line without control characters`() {
    var random = SplitMix64(seed: 11)
    let pieces = [
      "{", "}", "^", "_", "\\frac", "\\sqrt", "[", "]", "x", "1", "+", "=", "&", "\\\\",
      "\\begin{cases}",
      "\\end{cases}", "\\left", "\\right", "(", ")", "\\text", "\\hat", "\\mathbb", "é", " ",
      "\\sum", ",",
      "\\", "\u{1B}", "'", "\\in", "\\overset",
    ]
    for _ in 0..<Effort.some(Array(0..<5000), part: 10).count {
      var source = ""
      for _ in 0..<(random.next() % 14) {
        source += pieces[Int(random.next() % UInt64(pieces.count))]
      }
      if let line = TeXConverter.convertedLine(source.utf8) {
        #expect(!line.isEmpty && !line.unicodeScalars.contains { $0.value < 0x20 }, "\(source)")
      }
    }
  }
}
