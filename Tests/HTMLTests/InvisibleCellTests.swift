import ReaderMode
import Testing

@testable import DOM
@testable import Document

/// Cells whose text is invisible (CSS 2.2 §11.2).
@Suite struct InvisibleCellTests {
  /// The texts of the cells of each row.
  private static func rows(_ document: Document) -> [[String]] {
    var rows: [[String]] = []
    for block in document.blocks {
      switch block.kind {
      case .row: rows.append([])
      case .cell: rows[rows.count - 1].append("")
      case .paragraph:
        guard let row = rows.indices.last, let cell = rows[row].indices.last else { continue }
        for run in block.runs {
          let textRun = document.runs[Int(run)]
          rows[row][cell] += String(
            decoding: document.text[Int(textRun.start)..<Int(textRun.end)], as: UTF8.self)
        }
      default: break
      }
    }
    return rows
  }

  private static func rows(_ page: String, _ view: PageViewMode = .page) -> [[String]] {
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html", view: view)
    #expect(document.problems == [])
    return rows(document)
  }

  @Test(arguments: [
    "<th style='visibility: hidden'>corner", "<th class=v>corner",
    "<th style='visibility: hidden'><b>corner</b> <i>x</i>", "<th>",
    "<th style='font-size: 0'>corner",
  ])
  func `an invisible cell keeps its place in the row`(_ corner: String) {
    let page =
      "<style>.v { visibility: hidden }</style><table border=1>"
      + "<tr>\(corner)<th>May<th>June<tr><th>Ann<td>1<td>2</table>"
    #expect(Self.rows(page) == [["", "May", "June"], ["Ann", "1", "2"]])
  }

  @Test(arguments: [
    "<th style='display: none'>corner", "<th hidden>corner", "<th class=n>corner", "",
  ])
  func `a cell that is not displayed has no place`(_ corner: String) {
    let page =
      "<style>.n { display: none }</style><table border=1>"
      + "<tr>\(corner)<th>May<th>June<tr><th>Ann<td>1</table>"
    #expect(Self.rows(page) == [["May", "June"], ["Ann", "1"]])
  }

  @Test(arguments: [("style='visibility: hidden'", ""), ("aria-hidden=true", "corner")])
  func `reader view keeps the place of an invisible cell`(_ attribute: String, _ cell: String) {
    let text = String(repeating: "The harbour was full of boats that day. ", count: 20)
    let page =
      "<article><h1>Boats</h1><p>\(text)</p><table border=1>"
      + "<tr><th \(attribute)>corner<th>May<th>June<tr><th>Ann<td>14<td>25"
      + "<tr><th>Bob<td>36<td>47</table><p>\(text)</p></article>"
    let rows = Self.rows(page, .reader(ReaderOptions()))
    #expect(rows.first == [cell, "May", "June"])
  }
}
