import DOM
import Document
import ReaderMode
import TestSupport
import Testing

@testable import Layout

/// Rows reserved for images, computed from the dimensions in the page before the images have
/// loaded.
@Suite struct ImageSpaceTests {
  private static func layout(_ html: String, width: Int = 80, rows: Int = 15) -> PageLayout {
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    var options = LayoutOptions(width: width, textWidth: min(72, width))
    options.imageSpace = ImageSpace(maxImageRows: rows)
    let layout = PageLayout(document, options: options)
    #expect(layout.flaw(in: document) == nil)
    return layout
  }

  /// Whether the cells of the image box are blank in all its lines.
  private static func isBlank(_ box: PageLayout.ImageBox, in layout: PageLayout) -> Bool {
    (box.firstLine..<box.firstLine + box.rowCount).allSatisfy { index in
      let line = layout.lines[Int(index)]
      let text = layout.text(of: line).map(\.self)
      let widths = DisplayWidth()
      var column = 0
      for character in text {
        if character != " ", box.columns.contains(Int32(column)) { return false }
        column += widths.width(of: String(character))
      }
      return true
    }
  }

  /// The page, and its lines without the reserved ones, each with the size of the image below it.
  @Test(
    arguments: [
      ("<h2>The sea</h2><img src=a.png alt='The sea'><p>Text", "The sea|─ 40×15||Text"),
      ("<img src=a.png alt='The sea'><h3>The sea</h3><p>Text", "The sea 40×15||Text"),
      (
        "<a href=b><img src=a.png alt='The sea'></a><a href=b><h3>The sea</h3></a>", "The sea 40×15"
      ),
      ("<div><img src=a.png alt=Sunset></div><p>Sunset<p>Text", "Sunset 40×15||Text"),
      ("<p>Text<p>Sunset<div><img src=a.png alt=Sunset></div>", "Text||Sunset 40×15"),
      ("<a href=b><img src=a.png alt=Map> Map</a><p>Text", "Map||Text"),
      ("<a href=b><img src=a.png alt=Map width=96 height=96> Map</a><p>Text", "Map 12×6||Text"),
      ("<p>Text<br><img src=sea-view.png width=320 height=160>more", "Text|more 40×10"),
      (
        "<p>Look at the Map <img src=a.png alt=Map width=96 height=96> here", "Look at the Map here"
      ),
      (
        "<ul><li><img src=a.png alt=One><p>One<li><img src=b.png alt=Two><p>Two</ul>",
        "• One 40×15|• Two 40×15"
      ),
      (
        "<div><img data-src=a.png alt=Sea><noscript><img src=a.png alt=Sea></noscript></div><p>Sea",
        "Sea 40×15"
      ),
    ] as [(String, String)])
  func `an image whose alternative text repeats adjacent text is below that text`(
    _ html: String, _ expected: String
  ) {
    let layout = Self.layout(html)
    var lines = layout.lines.map { layout.text(of: $0).drop { $0 == " " } }
    for box in layout.imageBoxes.reversed() {
      lines[Int(box.firstLine) - 1] += " \(box.columns.count)×\(box.rowCount)"
      lines.removeSubrange(Int(box.firstLine)..<Int(box.firstLine + box.rowCount))
    }
    let ruled = lines.map { $0.replacing(/─+/, with: "─") }
    #expect(ruled.joined(separator: "|") == expected)
    #expect(
      PageLayout(
        Document(bytes: Array(html.utf8), mediaType: "text/html"), options: LayoutOptions(width: 80)
      )
      .imageBoxes.isEmpty)
  }

  @Test(
    arguments: [
      ("<h1><img src=a.png alt='The firm' width=320 height=160></h1><p>Text", ["40×10"]),
      ("<h1><a href=/><img src=a.png alt='The firm' width=320 height=160></a></h1>", ["40×10"]),
      (
        "<h1><img src=a.png alt=The width=160 height=80> <img src=b.png alt=firm width=160 height=80></h1>",
        ["20×5", "20×5"]
      ),
      ("<h1><img src=a.png alt='The firm' width=320 height=160> and more</h1>", []),
      ("<h1><img src=a.png alt='The firm' width=32 height=32></h1>", []),
    ] as [(String, [String])])
  func `images that make up a heading are drawn below it, and the heading is kept`(
    _ html: String, _ boxes: [String]
  ) {
    let layout = Self.layout(html)
    #expect(layout.imageBoxes.map { "\($0.columns.count)×\($0.rowCount)" } == boxes)
    #expect(layout.headings.count == 1)
    #expect(layout.text(of: layout.lines[0]).contains("firm"))
    for box in layout.imageBoxes {
      #expect(box.firstLine == 2 && Self.isBlank(box, in: layout))
    }
  }

  /// The dimensions in the page, and the resulting columns and rows, at most 72 and 15.
  @Test(
    arguments: [
      ("width=640 height=480", 40, 15), ("width=320 height=160", 40, 10),
      ("width=4000 height=100", 72, 1),
      ("width=100 height=4000", 1, 15), ("", 40, 15), ("width=160", 20, 8), ("height=96", 16, 6),
      ("width=160 height=99999999", 1, 15), ("width=100% height=96", 16, 6), ("width=100%", 40, 15),
      ("style=\"width:320px;height:160px\"", 40, 10), ("style=\"width:20em; height: 5em\"", 40, 5),
      ("style=\"aspect-ratio: 2 / 1\"", 60, 15),
      ("style=\"aspect-ratio:auto 4;width:240pt\"", 40, 5),
      ("width=1600 height=400 style=\"width:320px\"", 40, 5),
      ("width=1600 height=400 style=\"WIDTH:100%;height:auto\"", 72, 9),
      ("width=1600 height=400 style=\"height:80px!important\"", 40, 5),
      ("width=320 height=160 style=\"max-width:10px;color:red\"", 40, 10),
      ("width=320 height=160 style=\"width:-5px;height:calc(1px);aspect-ratio:0/0\"", 40, 10),
      ("style=\"width:1e9px;width:/*3px*/320px;height\" height=160", 40, 10),
    ] as [(String, Int, Int)])
  func `rows are reserved according to the dimensions in the page`(
    _ size: String, _ columns: Int, _ rows: Int
  ) {
    let layout = Self.layout("<p>Before<p><img src=a.png alt=Words \(size)><p>After")
    #expect(layout.imageBoxes.map { [$0.columns.count, Int($0.rowCount)] } == [[columns, rows]])
    let lines = layout.lines.map { layout.text(of: $0) }
    let first = Int(layout.imageBoxes[0].firstLine)
    #expect(lines[first - 1].hasPrefix("▣ Words"))
    #expect(lines[first..<first + rows].joined() == "")
    #expect(lines.suffix(from: first + rows) == ["", "After"])
  }

  @Test(arguments: [
    "<img src=a.png alt=Icon width=16 height=16>", "<img alt=Nothing width=640 height=480>",
    "Words <img src=a.png alt=Within width=640 height=480> words",
    "<img src=a.png alt=Icon style=\"width:1.5em\">",
    "<img src=a.png alt=One> <img src=b.png alt=Two>",
    "<table><tr><td rowspan=2><img src=a.png alt=A width=640 height=480><td>b<tr><td>d</table>",
    "<table><tr><td>b <img src=a.png alt=A width=640 height=480><td>b<tr><td>c<td>d</table>",
  ])
  func `icons, badges, and images within lines and multi-row cells get no reserved rows`(
    _ html: String
  ) {
    #expect(Self.layout("<p>Before<p>\(html)<p>After").imageBoxes.isEmpty)
  }

  @Test func `reserved rows are indented like the text of lists and quotes`() {
    let layout = Self.layout(
      "<blockquote><p>a<p><img src=a.png alt=A width=4000 height=480></blockquote>", width: 40)
    #expect(layout.imageBoxes.map(\.columns) == [2..<40])
    let line = layout.lines[Int(layout.imageBoxes[0].firstLine)]
    #expect(layout.text(of: line) == "│")
  }

  @Test func `without reserved rows the lines are unchanged`() {
    let html = "<p>Before<p><img src=a.png alt=A width=640 height=480><p>After"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    let layout = PageLayout(document, options: LayoutOptions(width: 80))
    #expect(layout.imageBoxes.isEmpty && layout.lines.count == 5)
  }

  @Test func `delivered lines include their reserved rows`() {
    let html = String(repeating: "<p><img src=a.png alt=A width=96 height=96>", count: 300)
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    var options = LayoutOptions(width: 80)
    options.imageSpace = ImageSpace(maxImageRows: 15)
    var builder = PageLayout.Builder(document, options: options)
    var (boxes, lines) = (0, 0)
    while !builder.isComplete {
      builder.layOut(minLines: 100)
      for box in builder.layout.imageBoxes {
        #expect(
          (0...builder.layout.lines.count - Int(box.rowCount)).contains(Int(box.firstLine) - lines))
      }
      boxes += builder.layout.imageBoxes.count
      lines += builder.layout.lines.count
      builder.drain()
    }
    #expect(boxes == document.images.count && boxes > 0)
  }

  @Test(arguments: [
    "<figure><img src=a.png alt=A width=96 height=96><figcaption>Words</figcaption></figure>",
    "<figure><a href=b><img src=a.png width=96 height=96></a><figcaption>Words</figcaption></figure>",
    "<figure><figcaption><img src=a.png alt=A width=96 height=96></figcaption></figure>",
    "<a href=b><img src=a.png alt=A width=96 height=96></a>",
    "<a href=b><p><img src=a.png alt=A width=96 height=96></p></a>",
    "<ul><li>a<li><img src=a.png alt=A width=96 height=96></ul>",
    "<ol><li><p>a</p><img src=a.png alt=A width=96 height=96></ol>",
    "<dl><dt>a<dd><img src=a.png alt=A width=96 height=96></dl>",
    "<blockquote><img src=a.png alt=A width=96 height=96></blockquote>",
    "<details open><summary>a</summary><img src=a.png alt=A width=96 height=96></details>",
    "<table><caption>Birds</caption><tr><th>Bird<th>Look<tr><td>Gull"
      + "<td><img src=a.png alt=A width=96 height=96></table>",
    "<table><tr><th>Bird<th>Look<tr><td>Gull"
      + "<td>Words<p><a href=b><img src=a.png alt=A width=96 height=96></a></table>",
    "words<br><a href=b><img src=a.png alt=A width=96 height=96></a><br>words",
    "<table><tr><th>Bird<th>Look<tr><td>Gull"
      + "<td><img src=a.png alt=A width=96 height=96><br>A <b>gull</b><tr><td>Tern<td>None</table>",
  ])
  func `an image alone in an element is drawn there and keeps its link`(_ html: String) {
    let layout = Self.layout("<p>Before<p>\(html)<p>After")
    #expect(layout.imageBoxes.map { [$0.columns.count, Int($0.rowCount)] } == [[12, 6]])
    #expect(layout.imageBoxes.allSatisfy { Self.isBlank($0, in: layout) })
    #expect(layout.linkPlacements.contains { $0.target.linkIndex != nil } == html.contains("href"))
  }

  @Test func `images in a table are drawn within their cells, next to those of the same row`() {
    let row = { (width: Int) in
      "<tr><td>Gull<td><img src=a.png alt=A width=\(width) height=96><td>Words<p>"
        + "<img src=b.png alt=B width=160 height=160>"
    }
    let html =
      "<p>Before<table><tr><th>Bird<th align=right>Look<th>Nest" + row(96) + row(200)
      + "</table><p>After"
    for width in [100, 80, 60, 40, 30, 20] {
      for align in ["right", "center", "left"] {
        let layout = Self.layout(
          html.replacing("<td><img", with: "<td align=\(align)><img"), width: width)
        #expect(layout.imageBoxes.count == 4 || width < 60, "\(width)")
        for box in layout.imageBoxes {
          #expect(Self.isBlank(box, in: layout), "\(width) \(align)")
          #expect(box.hasNeighbors && box.columns.count <= 32 && box.rowCount <= 7)
        }
        #expect(
          zip(layout.imageBoxes, layout.imageBoxes.dropFirst()).allSatisfy {
            $0.firstLine <= $1.firstLine
          })
      }
    }
    // The shape of a table is the same without reserved rows.
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
    for width in [60, 40, 30, 20] {
      let plain = PageLayout(document, options: LayoutOptions(width: width))
      let layout = Self.layout(html, width: width)
      let isBox = { (layout: PageLayout) in layout.text.contains(Array("┌".utf8)) }
      #expect(isBox(plain) == isBox(layout), "\(width)")
    }
  }

  @Test func `images that make up a paragraph are drawn side by side below their text`() {
    let image = { (name: String) in
      "<a href=\(name)><img src=\(name) alt=\(name) width=160 height=96></a>"
    }
    let html = "<p>Before<p>\(["a", "b", "c", "d"].map(image).joined(separator: " "))"
    let layout = Self.layout(html + "<img src=e alt=e><p>After")
    #expect(
      layout.imageBoxes.map(\.columns) == [0..<20, 22..<42, 44..<64, 0..<20].map { $0 })
    #expect(layout.imageBoxes.map(\.firstLine) == [3, 3, 3, 9])
    #expect(layout.lines.suffix(2).map { layout.text(of: $0) } == ["", "After"])
    #expect(Self.layout(html + " words<p>After").imageBoxes.isEmpty)
  }

  @Test(
    arguments: [
      ("", 20, 10), ("width=80", 10, 5), ("height=320", 40, 15), ("width=640 height=320", 72, 15),
      ("style=\"aspect-ratio:2\"", 20, 5),
    ] as [(String, Int, Int)])
  func `the dimensions of a loaded image are used if the page has none`(
    _ size: String, _ columns: Int, _ rows: Int
  ) {
    let document = Document(
      bytes: Array("<p>Before<p><img src=a.png alt=Words \(size)><p>After".utf8),
      mediaType: "text/html")
    var options = LayoutOptions(width: 80, textWidth: 72)
    options.imageSpace = ImageSpace(maxImageRows: 15)
    options.imageSpace?.knownSizes = [0: ImageSpace.PixelSize(width: 160, height: 160)]
    let layout = PageLayout(document, options: options)
    #expect(layout.flaw(in: document) == nil)
    let box = layout.imageBoxes.first
    #expect(box?.rowCount == Int32(rows))
    #expect((box?.columns.count ?? 0) <= columns)
    // An icon gets no reserved rows.
    options.imageSpace?.knownSizes = [0: ImageSpace.PixelSize(width: 16, height: 16)]
    if size.isEmpty { #expect(PageLayout(document, options: options).imageBoxes.isEmpty) }
  }

  @Test func `hidden images leave no trace, alone or in groups`() {
    let document = Document(
      bytes: Array(
        "<p>Before<p><img src=a alt=A><p><img src=b alt=B> <a href=c><img src=c alt=C></a><p>After"
          .utf8),
      mediaType: "text/html")
    var options = LayoutOptions(width: 80)
    options.hidesImages = true
    let layout = PageLayout(document, options: options)
    #expect(layout.lines.map { layout.text(of: $0) } == ["Before", "", "After"])
  }

  @Test func `image boxes are blank, whatever surrounds them`() {
    let parts = [
      "<table>", "<tr>", "<td>", "<td align=right>", "<td rowspan=2>", "<td colspan=2>", "<th>",
      "</table>",
      "<ul><li>", "</ul>", "<blockquote>", "</blockquote>", "<p>", "words of it", "<br>",
      "<figure>",
      "</figure>", "<figcaption>", "<a href=x>", "</a>", "<details open>", "漢字 ", "<caption>",
    ]
    var random = SplitMix64(seed: 38)
    for _ in 0..<400 {
      var html = ""
      for _ in 0..<Int.random(in: 4..<40, using: &random) {
        if Bool.random(using: &random) {
          let size = [48, 96, 200, 640].randomElement(using: &random) ?? 96
          html += "<img src=a.png alt=Look width=\(size) height=\(size)>"
        } else {
          html += parts.randomElement(using: &random) ?? ""
        }
      }
      for width in [100, 40, 20] {
        let layout = Self.layout(html, width: width)
        for box in layout.imageBoxes {
          let isBlank = Self.isBlank(box, in: layout)
          #expect(isBlank, "\(width) \(html)")
        }
        let lines = layout.imageBoxes.map(\.firstLine)
        #expect(lines == lines.sorted())
      }
    }
  }

  @Test func `an image between line breaks is drawn between the lines`() {
    let layout = Self.layout(
      "<p>Before<br><img src=a.png alt=A width=64 height=96><br>between<br>"
        + "<img src=b.png alt=B width=16 height=16><br>small<br><img src=c.png alt=C width=64 height=96>"
    )
    let lines = layout.lines.map { layout.text(of: $0) }
    let width = Array(repeating: "", count: 6)
    #expect(
      lines == ["Before", "▣ A"] + width + ["between", "▣ B", "small", "▣ C"] + width)
    #expect(layout.imageBoxes.map(\.firstLine) == [2, 12])
  }
}
