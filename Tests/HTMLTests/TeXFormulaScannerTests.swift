import TestSupport
import Testing

@testable import Document

/// Formulas between delimiters in text.
@Suite struct TeXFormulaScannerTests {
  private func sources(_ text: String, acceptsDollars: Bool = false) -> [String] {
    let bytes = Array(text.utf8)
    var formulas = TeXFormulaScanner(bytes, in: bytes.indices, acceptsSingleDollars: acceptsDollars)
    var found: [String] = []
    while let formula = formulas.next() {
      let source = String(decoding: bytes[formula.sourceRange], as: UTF8.self)
      found.append(formula.isDisplay ? "display \(source)" : source)
    }
    return found
  }

  @Test(
    arguments: [
      (#"a \(x\) b \[y\] c"#, ["x", "display y"]), ("$$x$$ $$y$$", ["display x", "display y"]),
      (#"\(a\\) b\)"#, [#"a\\) b"#]), (#"\\(x\\)"#, []), (#"\(x"#, []), (#"x\)"#, []), ("$$x$", []),
      (#"$$\$$$"#, [#"display \$"#]), (#"\(\(x\)"#, [#"\(x"#]), ("\\", []), ("$", []), ("", []),
      ("$x$", []),
    ] as [(String, [String])])
  func `a formula is enclosed by a pair of delimiters`(_ text: String, _ expected: [String]) {
    #expect(sources(text) == expected)
  }

  @Test(
    arguments: [
      ("$x$ and $y$", ["x", "y"]), ("from $5 to $10", []), ("$5 and 6$ or $7", ["5 and 6"]),
      (#"\$5 and $x$"#, ["x"]), ("a$ and $b$", ["b"]), ("$ x $", []),
      ("$$x$$ $y$", ["display x", "y"]),
      ("$20,000 and $30,000", []), ("US$5, US$6", []),
    ] as [(String, [String])])
  func `a single dollar sign is read as currency if possible`(_ text: String, _ expected: [String])
  {
    #expect(sources(text, acceptsDollars: true) == expected)
  }

  @Test(
    arguments: [
      (#"a \begin{align} x &= y \end{align} b"#, [#"display \begin{align} x &= y \end{align}"#]),
      (
        #"\begin{equation*}\begin{split}x\end{split}\end{equation*}\(y\)"#,
        [#"display \begin{equation*}\begin{split}x\end{split}\end{equation*}"#, "y"]
      ),
      (#"\begin{a}\begin{b}x\end{b}"#, [#"display \begin{b}x\end{b}"#]),
      (#"\[\begin{a}x\end{a}\]"#, [#"display \begin{a}x\end{a}"#]),
      (#"\begin{a}x\end{b}"#, []), (#"\begin{a}x"#, []), (#"x\end{a}"#, []), (#"\begin{"#, []),
      (#"\\begin{a}x\end{a}"#, []), (#"\beta \(x\)"#, ["x"]),
    ] as [(String, [String])])
  func `an environment is a formula without delimiters`(_ text: String, _ expected: [String]) {
    #expect(sources(text) == expected)
  }

  @Test func `formulas in any text are found in order without overlap`() {
    var random = SplitMix64(seed: 34)
    let pieces = [#"\("#, #"\)"#, #"\["#, #"\]"#, "$", "$$", "\\", "x", " ", "5", "é"]
    for _ in 0..<Effort.some(Array(0..<5000), part: 10).count {
      var text = ""
      for _ in 0..<(random.next() % 20) {
        text += pieces[Int(random.next() % UInt64(pieces.count))]
      }
      let bytes = Array(text.utf8)
      var formulas = TeXFormulaScanner(
        bytes, in: bytes.indices, acceptsSingleDollars: random.next() % 2 == 0)
      var end = 0
      while let formula = formulas.next() {
        #expect(formula.fullRange.lowerBound >= end && formula.fullRange.upperBound <= bytes.count)
        #expect(formula.fullRange.lowerBound < formula.sourceRange.lowerBound)
        #expect(formula.sourceRange.upperBound < formula.fullRange.upperBound)
        end = formula.fullRange.upperBound
      }
    }
  }

  @Test func `unterminated formulas are scanned only a few times`() {
    for sign in [#"\("#, #"\["#, "$$", "$", #"\(\["#, "$x $", #"$$$\("#, "\\", #"\begin{a}"#] {
      let bytes = Array(String(repeating: sign, count: 5000).utf8)
      var formulas = TeXFormulaScanner(bytes, in: bytes.indices, acceptsSingleDollars: true)
      while formulas.next() != nil {}
      #expect(formulas.examinedCount <= 5 * bytes.count, "\(sign)")
    }
  }
}
