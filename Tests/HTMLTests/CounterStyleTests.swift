import ReaderMode
import Testing

@testable import DOM
@testable import Document

/// Counter styles that a style sheet defines.
@Suite struct CounterStyleTests {
  @Test(
    arguments: [
      ("system: cyclic; symbols: '*' '+'", 1, "*"), ("system: cyclic; symbols: '*' '+'", 4, "+"),
      ("system: cyclic; symbols: a b c", -1, "b"), ("system: fixed; symbols: Ⓐ Ⓑ", 2, "Ⓑ"),
      ("system: fixed; symbols: Ⓐ Ⓑ", 3, "3"), ("system: fixed 5; symbols: Ⓐ Ⓑ", 6, "Ⓑ"),
      ("symbols: '*' '†'", 4, "††"), ("symbols: '*'", 300, "300"), ("symbols: '*'", 0, "0"),
      ("system: numeric; symbols: '0' '1'", 5, "101"), ("system: numeric; symbols: x y", 0, "x"),
      ("system: numeric; symbols: '0' '1'", -2, "-10"),
      ("system: numeric; symbols: '0' '1'; negative: '(' ')'; pad: 5 '0'", -2, "(010)"),
      ("system: alphabetic; symbols: a b", 5, "ba"), ("system: alphabetic; symbols: a", 1, "1"),
      ("system: additive; additive-symbols: 5 V, 4 IV, 1 I", 9, "VIV"),
      ("system: additive; additive-symbols: 5 V", 7, "7"),
      ("system: additive; additive-symbols: 3 '#', 0 '-'", 0, "-"),
      ("system: additive; additive-symbols: 1 I", Int32.max, "2147483647"),
      ("system: cyclic; symbols: '*'; range: 2 4, 8 infinite; fallback: lower-roman", 9, "*"),
      ("system: cyclic; symbols: '*'; range: 2 4, 8 infinite; fallback: lower-roman", 6, "vi"),
      ("system: cyclic; symbols: \\2192; pad: 3 '\\2d'", 1, "--→"),
      ("system: extends upper-alpha; pad: 2 '.'", 3, ".C"),
      ("system: extends s", 3, "3"), ("system: cyclic; symbols: url(x.png)", 3, "3"), ("", 3, "3"),
    ] as [(String, Int32, String)])
  func `a style formats the numbers that it can represent`(
    _ descriptors: String, _ value: Int32, _ text: String
  ) {
    let (name, descriptors) = (Array("s".utf8), Array(descriptors.utf8))
    var styles = CounterStyles()
    let result = name.withStyleBytes(0..<name.count) { name in
      descriptors.withStyleBytes(0..<descriptors.count) { styles.add(name, $0) }
      return styles.text(of: value, in: CounterStyleName(name))
    }
    #expect(String(decoding: result, as: UTF8.self) == text)
  }

  @Test(
    arguments: [
      (
        "@counter-style p { system: extends lower-alpha; prefix: '('; suffix: ') ' } ol { list-style: p }",
        "<ol><li>x<li>y</ol>", ["(a)", "(b)"]
      ),
      (
        "@counter-style p { system: cyclic; symbols: '*' '+'; suffix: ' ' }",
        "<ul style='list-style: inside p'><li>x<li>y<li style='list-style: disc'>z</ul>",
        ["*", "+", nil]
      ),
      (
        "@counter-style p { system: fixed; symbols: A B } ol { list-style: p }", "<ol><li>x", ["A."]
      ),
      ("@counter-style q { symbols: A } ol { list-style: p }", "<ol><li>x</ol>", [nil]),
      (
        "@counter-style p { system: extends q; prefix: '<' } @counter-style q { system: extends p } "
          + "ol { list-style: p }", "<ol><li>x</ol>", ["<1."]
      ),
      (
        "@media print { @counter-style p { symbols: A } } @media screen { @counter-style p { "
          + "symbols: '{' } } div { ul { list-style: p } }", "<div><ul><li>x</ul></div>", ["{."]
      ),
      (
        "@counter-style p { system: extends upper-roman } li::marker { content: counter(list-item, p) }",
        "<ol start=4><li>x</ol>", ["IV"]
      ),
    ] as [(String, String, [String?])])
  func `the markers of a list have the style that the sheet defines`(
    _ style: String, _ body: String, _ markers: [String?]
  ) {
    let page = "<style>\(style)</style>\(body)"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    let found = document.blocks.compactMap { block -> String?? in
      guard case .item(let marker) = block.kind else { return nil }
      guard case .text(let index) = marker else { return .some(nil) }
      return document.markerTexts[Int(index)]
    }
    #expect(found == markers)
  }

  @Test func `a counter before a heading has the style that the sheet defines`() {
    let page = """
      <style>@counter-style step { system: alphabetic; symbols: x y }
      h2 { counter-increment: n } h2::before { content: counter(n, step) ': ' }</style>
      <h2>First</h2><h2>Second</h2>
      """
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content.contains("x: First") && document.content.contains("y: Second"))
  }
}
