import Document
import ReaderMode
import Testing

@testable import Layout

/// Tables laid out as lines instead of boxes.
@Suite struct TableLinesTests {
  private static func lines(_ html: String) -> [String] {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let layout = PageLayout(document, options: LayoutOptions(width: 70))
    return String(decoding: layout.plainText(), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  @Test func `each row of aligned equations is a line`() {
    let equations = """
      <table><tbody>
      <tr><td></td><td>a</td><td>= b + c</td><td></td><td rowspan=1>(1)</td></tr>
      <tr><td></td><td></td><td>≤ b + d,</td><td></td><td rowspan=1>(2)</td></tr>
      </tbody></table>
      """
    #expect(Self.lines(equations) == ["a = b + c (1)", "≤ b + d, (2)"])
    let formulas = """
      <table><tr><td><td><math><mi>x</mi></math><td><math><mo>=</mo><mi>y</mi></math><td>
      <tr><td><td><math><mi>z</mi></math><td><math><mo>≈</mo><mi>w</mi></math><td></table>
      """
    let lines = Self.lines(formulas)
    #expect(lines.count == 2 && lines[0].hasPrefix("x") && lines[1].hasPrefix("z"))
    #expect(!lines.joined().contains("│"))
  }

  @Test(arguments: [
    "<table border=1><tr><td>One<tr><td>Two<tr><td>Three</table>",
    "<table border=1><tr><td><td>One<tr><td><td>Two<tr><td><td>Three</table>",
    "<table border=1><tr><th>One<th><tr><td>Two<td><tr><td>Three<td></table>",
    "<table border=1><thead><tr><th>One</thead><tr><td>Two<tr><td>Three</table>",
  ])
  func `a single column next to empty ones is laid out as lines`(table: String) {
    #expect(Self.lines(table) == ["One", "Two", "Three"])
  }

  @Test func `a guest book is laid out as lines`() {
    let message = String(repeating: "A lovely harbour. ", count: 16)
    let beside = (1...3).map { "<tr><td>Guest \($0)<td>\(message)" }.joined()
    let below = (1...3).map { "<tr><td>Guest \($0)<td>May \($0)<tr><td colspan=2>Lovely!" }.joined()
    for entries in [beside, below] {
      let lines = Self.lines("<table border=1>\(entries)</table>")
      #expect(lines.count { $0.hasPrefix("Guest") } == 3 && !lines.joined().contains("│"))
    }
    #expect(
      Self.lines("<table border=1>\(below)</table>").prefix(2) == ["Guest 1 May 1", "Lovely!"])
  }

  @Test func `a guest book with two short entries is laid out as lines`() {
    let entries =
      "<tr><td>Anna<td>A lovely harbour. We will come again with the whole family."
      + "<tr><td>Ben<td>Nice page!"
    let lines = Self.lines("<table border=1>\(entries)</table>")
    #expect(lines.first?.hasPrefix("Anna A lovely") ?? false, "\(lines)")
    #expect(lines.contains("Ben Nice page!") && !lines.joined().contains("│"))
  }

  @Test(arguments: [
    "<table><tr><td>Knot<td>Use<tr><td>Bowline<td>Loop</table>",
    "<table><tr><td colspan=2>Knots<tr><td>Knot<td>Use<tr><td>Bowline<td>Loop</table>",
    "<table><tr><th>Sign<th>Meaning<tr><td>=<td>equal<tr><td>&lt;<td>less</table>",
    "<table><tr><td>x<td>&lt;T&gt;<tr><td>y<td>=&gt;</table>",
    "<table><tr><td><td>Use<tr><td>Bowline<td>Loop</table>",
  ])
  func `other tables are drawn as boxes`(table: String) {
    #expect(Self.lines(table).contains { $0.hasPrefix("┌") })
  }

  @Test(arguments: [
    ("<ul><li>two<ol start=3><li>sub</ol></ul>", "3. sub"),
    ("<ol><li>a<ol type=a><li>ab</ol></ol>", "a. ab"),
  ])
  func `the marker of a nested item is shown in a cell as narrow as the item`(
    _ list: String, _ item: String
  ) {
    let lines = Self.lines("<table><tr><th>N<th>I<tr><td>A<td>\(list)</table>")
    #expect(lines.contains { $0.hasPrefix("┌") } && lines.contains { $0.contains(item) })
  }
}
