import ReaderMode
import Testing

@testable import Document

/// Heads of tables that follow other rows in the source, and rows that are lines of text.
@Suite struct TableHeadTests {
  @Test(
    arguments: [
      ("<tbody><tr><td>1<td>2</tbody><thead><tr><td>A<td>B</thead>", "AB12"),
      (
        "<caption>C</caption>\n<colgroup><col></colgroup><tfoot><tr><td>3<td>4</tfoot>\n"
          + "<tr><td>1<td>2</tr><thead><tr><td>A<td>B</thead>",
        "CAB1234"
      ),
      // Only the first head is the head of the table.
      (
        "<thead><tr><td>A<td>B</thead><tbody><tr><td>1<td>2</tbody><thead><tr><td>D<td>E</thead>",
        "AB12DE"
      ),
      (
        "\n<thead><tr><td>A<td>B</thead><tbody><tr><td>1<td>2</tbody>", "AB12"
      ),
    ] as [(String, String)])
  func `the head of a table is shown above its rows`(_ rows: String, _ cells: String) {
    let page = "<table border=1>\(rows)</table>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    #expect(document.content.filter { $0.isLetter || $0.isNumber } == cells)
  }

  @Test(
    arguments: [
      ("<td>TEXT.<td>TEXT!", 2), ("<td>TEXT.<td><i>TEXT!</i><td>12", 2), ("<td>12<td>TEXT.", 1),
      ("<td>TEXT.<td>12", 1), ("<td>SPACE 12<td>SPACE 34", 1),
      ("<td>Полное наименование организации:<td>Общество с ограниченной силой", 1),
      ("<td><math><mtext>TEXT</mtext></math><td>TEXT.", 1),
    ] as [(String, Int)])
  func `long texts side by side are not joined to one paragraph`(_ cells: String, _ count: Int) {
    let text = "The mill stands at the bend of the river, where the wheel has turned for long"
    let space = String(repeating: " ", count: 80)
    let row = cells.replacing("TEXT", with: text).replacing("SPACE", with: space)
    let page = "<table><tr>\(row)</table>"
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.content.split(separator: "\n").count == count)
  }

  @Test func `a row that draws a line between others is not shown`() {
    func blocks(_ rows: String) -> [Document.Block.Kind] {
      let page = "<table border=1>\(rows)</table>"
      let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
      #expect(document.problems == [])
      return document.blocks.map(\.kind)
    }
    let (head, row) = ("<tr><th>A<th>B</tr>", "<tr><td>1<td>2</tr>")
    let line = "<tr class=hline><td><hr></td> <td><hr></td></tr>"
    #expect(blocks(line + head + line + row + line) == blocks(head + row))
    #expect(blocks(head + "<tr><td>1<hr><td>2</tr>").contains(.rule))
  }
}
