import ReaderMode
import Testing

@testable import Document

/// Tables that are made of `div` elements with roles.
@Suite struct TableRoleTests {
  private static func kinds(_ html: String) -> [Document.Block.Kind] {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    return document.blocks.map(\.kind)
  }

  private static func row(_ cells: [(role: String, text: String)]) -> String {
    let cells = cells.map { "<div role=\($0.role)>\($0.text)</div>" }.joined(separator: "\n")
    return "<div role=row>\(cells)</div>"
  }

  @Test(arguments: ["table", "grid"])
  func `elements with the roles of a table are a table`(role: String) {
    let head = Self.row([("columnheader", "Knot"), ("columnheader", "Turns")])
    let body = Self.row([("rowheader", "<div>Bowline</div>"), ("cell", "<div>1</div>")])
    let more = Self.row([("rowheader", "Hitch"), ("gridcell", "2 <a href=/x>more</a>")])
    let page = """
      <p>a</p><div role=\(role)><div role=rowgroup>\(head)</div>
      <div role=rowgroup><div>\(body)</div>\(more)</div></div><p>b
      """
    let table = """
      <p>a</p><table><thead><tr><th>Knot<th>Turns</thead><tr><th>Bowline<td>1
      <tr><th>Hitch<td>2 <a href=/x>more</a></table><p>b
      """
    #expect(Self.kinds(page) == Self.kinds(table))
  }

  @Test func `cells that a style displays in line are cells`() {
    let style = "style='display: inline'"
    let head = Self.row([("columnheader \(style)", "Knot"), ("columnheader \(style)", "Turns")])
    let body = Self.row([("rowheader \(style)", "Bowline"), ("cell \(style)", "1")])
    let table = "<table><thead><tr><th>Knot<th>Turns</thead><tr><th>Bowline<td>1</table>"
    #expect(Self.kinds("<div role=table>\(head)\(body)</div>") == Self.kinds(table))
  }

  @Test(arguments: [
    row([("cell", "one")]) + row([("cell", "two")]),
    row([("cell", "one"), ("cell", "two")]),
    "Knots" + row([("cell", "a"), ("cell", "1")]) + row([("cell", "b"), ("cell", "2")]),
    row([("cell", "a"), ("cell", "1")]) + "<div role=row>text</div>",
    row([("cell", "a"), ("cell", "<h2>News</h2>text")]) + row([("cell", "b"), ("cell", "2")]),
    "<div role=cell>a</div><div role=cell>1</div>",
  ])
  func `other elements with such roles are blocks`(content: String) {
    #expect(!Self.kinds("<div role=table>\(content)</div>").contains(.table))
  }
}
