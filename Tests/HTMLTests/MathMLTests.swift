import Document
import ReaderMode
import Testing

/// Formulas in MathML, as text on one line.
@Suite struct MathMLTests {
  private func text(_ body: String, mediaType: String = "text/html") -> String {
    let document = Document(bytes: Array("<p>\(body)</p>".utf8), mediaType: mediaType)
    #expect(document.problems == [])
    return String(decoding: document.plainText.dropLast(), as: UTF8.self)
  }

  @Test(arguments: ["m", "mml", "math"], ["text/html", "application/xhtml+xml"])
  func `elements with a namespace prefix are read as MathML`(prefix: String, mediaType: String) {
    let formula = """
      <P:math><P:mfrac><P:mn>1</P:mn><P:mn>2</P:mn></P:mfrac></P:math> cup, \
      <P:math><P:msup><P:mi>y</P:mi><P:mn>2</P:mn></P:msup></P:math>, \
      <P:math><P:msqrt><P:mn>9</P:mn></P:msqrt></P:math>
      """
    #expect(
      text(formula.replacing("P:", with: prefix + ":"), mediaType: mediaType)
        == "1/2 cup, y2, √9")
  }

  @Test(arguments: ["m", "mml", "math", "mathml"])
  func `annotations with a prefix of MathML are not shown`(prefix: String) {
    let formula =
      "<P:math><P:semantics><P:mi>x</P:mi><P:annotation>hidden</P:annotation>"
      + "</P:semantics></P:math>"
    #expect(text(formula.replacing("P:", with: prefix + ":")) == "x")
  }

  @Test(arguments: [
    "o:p", "x:sub", "o:title", "m:r", "m:", "note:annotation", "office:annotation",
    "x:annotation-xml", "x:mphantom",
  ])
  func `other elements with a prefix are only their text`(name: String) {
    #expect(text("a<\(name)>1</\(name)>b") == "a1b")
  }

  @Test(
    arguments: [
      ("<mi>a</mi><mo>mod</mo><mi>b</mi>", "a mod b"),
      ("<mrow><mi>a</mi></mrow><mo>mod</mo><mo>(</mo><mi>b</mi><mo>)</mo>", "a mod (b)"),
      ("<mo>max</mo><mi>x</mi>", "max x"), ("<mo>max</mo><mo>(</mo><mi>x</mi><mo>)</mo>", "max(x)"),
      ("<munder><mo>lim</mo><mi>n</mi></munder>", "limn"),
      ("<mi>a</mi><mo>d</mo><mi>b</mi>", "adb"),
    ] as [(String, String)])
  func `an operator with a name is apart from its terms`(_ formula: String, _ expected: String) {
    #expect(text("<math>\(formula)</math>") == expected)
  }

  @Test(
    arguments: [
      (
        "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><msup><mi>i</mi><mn>2</mn></msup>",
        "∑in i2"
      ),
      ("<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>x</mi>", "∫01 x"),
      ("<msub><mi>log</mi><mn>2</mn></msub><mrow><mn>8</mn></mrow>", "log2 8"),
      ("<msup><mi>sin</mi><mn>2</mn></msup><mi>x</mi><mo>=</mo>", "sin2 x="),
      ("<mi>ln</mi><mn>2</mn><mo>⋅</mo><mi>ln</mi><mo>(</mo><mi>x</mi><mo>)</mo>", "ln 2⋅ln(x)"),
      ("<mi>n</mi><mi>log</mi><mi>n</mi>", "n log n"), ("<mn>2</mn><mo>∑</mo><mi>x</mi>", "2 ∑ x"),
      ("<mi>O</mi><mo>(</mo><mi>log</mi><mi>n</mi><mo>)</mo>", "O(log n)"),
      ("<mi>a</mi><msup><mi>sin</mi><mn>2</mn></msup><mi>x</mi>", "a sin2 x"),
      // Not a function, or not before a term.
      ("<msup><mi>x</mi><mn>2</mn></msup><mi>y</mi>", "x2y"), ("<mi>AB</mi><mi>C</mi>", "ABC"),
      ("<msub><mi>max</mi><mi>i</mi></msub><mo>=</mo><mn>1</mn>", "maxi=1"),
    ] as [(String, String)])
  func `a function or a sum with its limits is apart from its term`(
    _ formula: String, _ expected: String
  ) {
    #expect(text("<math>\(formula)</math>") == expected)
  }

  @Test(
    arguments: [
      (
        "<mtr><mtd><mi>a</mi></mtd> <mtd><mo>=</mo><mi>b</mi></mtd></mtr>"
          + "<mtr><mtd></mtd><mtd><mo>≤</mo><mi>c</mi></mtd></mtr>", "a=b; ≤c"
      ),
      ("<mtr><mtd><mi>a</mi></mtd><mtd><mtext>if</mtext></mtd></mtr>", "a if"),
      (
        "<mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>a</mi></mtd></mlabeledtr>"
          + "<mlabeledtr><mtd><mtext>(2)</mtext></mtd><mtd><mi>b</mi></mtd></mlabeledtr>",
        "(1) a; (2) b"
      ),
    ] as [(String, String)])
  func `rows of aligned and numbered equations are apart`(_ rows: String, _ expected: String) {
    #expect(text("<math><mtable>\(rows)</mtable></math>") == expected)
  }

  private static let pair = "<mi>n</mi><mi>k</mi>"

  @Test(
    arguments: [
      ("<mo>(</mo><mfrac linethickness=0>\(pair)</mfrac><mo>)</mo>", "(n choose k)"),
      (
        "<mrow><mo>(</mo></mrow><mfrac linethickness='0.0pt'>\(pair)</mfrac><mrow><mo>)</mo></mrow>",
        "(n choose k)"
      ),
      ("<mfenced><mfrac linethickness=0>\(pair)</mfrac></mfenced>", "(n choose k)"),
      ("<mo>{</mo><mfrac linethickness=0>\(pair)</mfrac><mo>}</mo>", "{n ¦ k}"),
      ("<mfrac linethickness='0.5px'>\(pair)</mfrac>", "n/k"),
      ("<mfrac linethickness=thin>\(pair)</mfrac>", "n/k"), ("<mfrac>\(pair)</mfrac>", "n/k"),
    ] as [(String, String)])
  func `a fraction without a bar has no slash`(formula: String, expected: String) {
    #expect(text("<math>\(formula)</math>") == expected)
  }

  @Test(
    arguments: [
      ("<mi>a</mi><mphantom><mi>H</mi></mphantom><mi>b</mi>", "ab"),
      ("<mi>a</mi><maction actiontype=toggle><mi>b</mi><mi>c</mi></maction>", "ab"),
      ("<maction actiontype=toggle selection=2><mi>b</mi><mi>c</mi></maction>", "c"),
      ("<maction actiontype=toggle selection=9><mi>b</mi><mi>c</mi></maction>", "b"),
      ("<maction actiontype=toggle selection=0><mi>b</mi><mi>c</mi></maction>", "b"),
      ("<maction><mrow><mi>b</mi><mi>c</mi></mrow><mtext>tip</mtext></maction>", "bc"),
      ("<msup><mi>x</mi><mphantom><mn>2</mn></mphantom></msup>", "x"),
    ] as [(String, String)])
  func `invisible parts of a formula are not shown`(formula: String, expected: String) {
    #expect(text("<math>\(formula)</math>") == expected)
  }

  @Test(
    arguments: [
      ("<mtext>area</mtext><mspace width=1em /><mi>r</mi>", "area r"),
      ("<mi>x</mi><mspace width=thickmathspace /><mi>y</mi>", "x y"),
      ("<mi>x</mi><mspace width='-0.5em'/><mi>y</mi>", "xy"),
      ("<mi>x</mi><mspace width=negativethinmathspace /><mi>y</mi>", "xy"),
      ("<mi>x</mi><mspace width='0.0em'/><mi>y</mi>", "xy"),
      ("<mi>x</mi><mspace/><mi>y</mi>", "xy"),
      ("<mi>sin</mi><mo>&ApplyFunction;</mo><mi>x</mi>", "sin x"),
      ("<mi>sin</mi><mo> &#x2061; </mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>", "sin(x)"),
      ("<mi>sin</mi><mo>&af;</mo><mfenced><mi>x</mi></mfenced>", "sin(x)"),
      ("<mi>f</mi><mo>&af;</mo><mi>x</mi>", "fx"),
      ("<mn>2</mn><mo>&InvisibleTimes;</mo><mi>x</mi>", "2x"),
    ] as [(String, String)])
  func `spaces and names of functions keep words apart`(formula: String, expected: String) {
    #expect(text("<math>\(formula)</math>") == expected)
  }

  @Test(
    arguments: [
      ("<mi mathvariant=double-struck>R</mi><mo>∈</mo>", "ℝ∈"),
      ("<mi mathvariant=double-struck>A</mi>", "𝔸"), ("<mi mathvariant=normal>R</mi>", "R"),
      ("<msup><mi mathvariant=double-struck>R</mi><mn>3</mn></msup>", "ℝ3"),
    ] as [(String, String)])
  func `letters in double-struck style are shown as such`(formula: String, expected: String) {
    #expect(text("<math>\(formula)</math>") == expected)
  }

  @Test(
    arguments: [
      ("<msup><mi>x</mi><mrow></mrow></msup>", "x so"),
      ("<msubsup><mi>x</mi><mn>1</mn><mrow/></msubsup>", "x1 so"),
      (
        "<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><mn>14</mn><none/></mmultiscripts>",
        "14C6 so"
      ),
    ] as [(String, String)])
  func `a space after a formula that ends with an empty script is kept`(
    formula: String, expected: String
  ) {
    #expect(text("<math>\(formula)</math> so") == expected)
  }

  @Test(
    arguments: [
      ("As <math display=block><mi>x</mi></math>so", "As\nx\nso"),
      ("As <math display=block><mi>x</mi></math>, so", "As\nx, so"),
      ("<math display=block><mi>x</mi></math>", "x"),
      ("As <math display=inline><mi>x</mi></math> so", "As x so"),
      (
        "<table><tr><td></td><td><i><math display=block><mi>x</mi></math></i>\n</td><td>(1)</table>",
        "x (1)"
      ),
      (
        "As <math display=block><semantics><mi>x</mi>"
          + "<annotation encoding='application/x-tex'>x</annotation></semantics></math>so",
        "As\nx\nso"
      ),
    ] as [(String, String)])
  func `a displayed formula is on a line of its own`(body: String, expected: String) {
    #expect(text(body) == expected)
  }

  private static let formula = "<epub:case><m:math><m:mi>q</m:mi></m:math></epub:case>"
  private static let molecule = "<epub:case required-namespace='urn:c'><cml>H2O</cml></epub:case>"

  @Test(
    arguments: [
      ("\(formula)<epub:default>an image</epub:default>", "q"),
      ("\(molecule)<epub:default>water</epub:default>", "water"),
      ("\(molecule) \(formula)\(formula)<epub:default>water</epub:default>", "q"),
      ("<epub:default>water</epub:default>\(molecule)\(formula)", "q"), (molecule, "H2O"),
      ("\(molecule)<epub:case>oxygen</epub:case>", "H2O"), ("alone", "alone"),
    ] as [(String, String)])
  func `one alternative of an EPUB switch is shown`(alternatives: String, expected: String) {
    let html = "<epub:switch>\(alternatives)</epub:switch>."
    #expect(text(html, mediaType: "application/xhtml+xml") == expected + ".")
  }
}
