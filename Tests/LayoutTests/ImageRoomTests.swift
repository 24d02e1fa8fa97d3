import DOM
import Document
import ReaderMode
import Testing

@testable import Layout

/// Room for images: by what the page says of their size, before they have come.
@Suite struct ImageRoomTests {
  private static func layout(_ html: String, width: Int = 80, rows: Int = 15) -> PageLayout {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    var options = LayoutOptions(width: width, textWidth: min(72, width))
    options.imageRoom = ImageRoom(rows: rows)
    let layout = PageLayout(document, options: options)
    #expect(layout.flaw(in: document) == nil)
    return layout
  }

  /// width and height as the page has them, the columns and rows of 72 and 15 that are left.
  @Test(arguments: [
    ("width=640 height=480", 40, 15), ("width=320 height=160", 40, 10),
    ("width=4000 height=100", 72, 1),
    ("width=100 height=4000", 1, 15), ("", 40, 15), ("width=160", 20, 8), ("height=96", 16, 6),
    ("width=160 height=99999999", 1, 15),
  ])
  func `rows are left by the size that the page gives`(_ size: String, _ columns: Int, _ rows: Int)
  {
    let layout = Self.layout("<p>Before<p><img src=a.png alt=Words \(size)><p>After")
    #expect(layout.imageBoxes.map { [$0.columns.count, Int($0.rows)] } == [[columns, rows]])
    let lines = layout.lines.map { layout.text(of: $0) }
    let first = Int(layout.imageBoxes[0].line)
    #expect(lines[first - 1].hasPrefix("▣ Words"))
    #expect(lines[first..<first + rows].joined() == "")
    #expect(lines.suffix(from: first + rows) == ["", "After"])
  }

  @Test(arguments: [
    "<img src=a.png alt=Icon width=16 height=16>", "<img alt=Nothing width=640 height=480>",
    "Words <img src=a.png alt=Within width=640 height=480> words",
    "<table><tr><td><img src=a.png alt=A width=640 height=480><td>b<tr><td>c<td>d</table>",
  ])
  func `icons, and images within lines and cells, get none`(_ html: String) {
    #expect(Self.layout("<p>Before<p>\(html)<p>After").imageBoxes.isEmpty)
  }

  @Test func `room is as deep within lists and quotes as their text`() {
    let layout = Self.layout(
      "<blockquote><p>a<p><img src=a.png alt=A width=4000 height=480></blockquote>", width: 40)
    #expect(layout.imageBoxes.map(\.columns) == [2..<40])
    let line = layout.lines[Int(layout.imageBoxes[0].line)]
    #expect(layout.text(of: line) == "│")
  }

  @Test func `without room the lines are those of before`() {
    let html = "<p>Before<p><img src=a.png alt=A width=640 height=480><p>After"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let layout = PageLayout(document, options: LayoutOptions(width: 80))
    #expect(layout.imageBoxes.isEmpty && layout.lines.count == 5)
  }

  @Test func `lines that are handed out take their room with them`() {
    let html = String(repeating: "<p><img src=a.png alt=A width=96 height=96>", count: 300)
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    var options = LayoutOptions(width: 80)
    options.imageRoom = ImageRoom(rows: 15)
    var builder = PageLayout.Builder(document, options: options)
    var (boxes, lines) = (0, 0)
    while !builder.isComplete {
      builder.layOut(lines: 100)
      for box in builder.layout.imageBoxes {
        #expect((0...builder.layout.lines.count - Int(box.rows)).contains(Int(box.line) - lines))
      }
      boxes += builder.layout.imageBoxes.count
      lines += builder.layout.lines.count
      builder.drain()
    }
    #expect(boxes == document.images.count && boxes > 0)
  }
}
