import DOM
import ReaderMode
import Document
import Testing

@testable import Layout

/// Hostile pages: each has a valid layout, and its text is shown.
@Suite struct HostileTests {
  static let pages: [(name: String, html: String)] = [
    ("500 quotes", String(repeating: "<blockquote>", count: 500) + "the words inside"),
    ("500 lists", String(repeating: "<ul><li>", count: 500) + "the words inside"),
    ("500 numbered lists", String(repeating: "<ol><li>", count: 500) + "the words inside"),
    ("500 definitions", String(repeating: "<dl><dd>", count: 500) + "the words inside"),
    ("500 tables", String(repeating: "<table><tr><th>h<td>", count: 500) + "the words inside"),
    (
      "absurd spans",
      "<table>" + String(repeating: "<tr><td colspan=100000 rowspan=100000>a<td>b", count: 200)
        + "<tr><td>the words inside</table>"
    ),
    (
      "spans in each other's way",
      "<table><tr><th>a<th rowspan=3>b<th>c<tr><td colspan=3>d<td>e<tr><td colspan=2>f<td>"
        + "the words inside</table>"
    ),
    (
      "a row of 2000 cells",
      "<table><tr>" + String(repeating: "<td>a", count: 2000) + "<tr><td>the words inside</table>"
    ),
    (
      "a thousand combining marks",
      "<p>e" + String(repeating: "&#x301;", count: 1000) + " the words inside"
    ),
    ("a word of 100 KB", "<p>" + String(repeating: "x", count: 100_000) + " the words inside"),
    (
      "100,000 soft hyphens",
      "<p>x" + String(repeating: "&shy;", count: 100_000) + "the words inside"
    ),
    (
      "100,000 zero-width joiners",
      "<p>x" + String(repeating: "&zwj;", count: 100_000) + " the words inside"
    ),
    (
      "code with 2000 characters without width",
      "<p>code:<pre>" + String(repeating: "x ", count: 60)
        + String(repeating: "&#x301;", count: 2000)
        + String(repeating: " y", count: 100) + " the words inside"
    ),
    ("only line breaks", "<p>a" + String(repeating: "<br>", count: 5000) + "the words inside"),
    (
      "a wide marker", "<ol start=2147483647><li>the words inside</ol>"
    ),
    (
      "captions in captions", String(repeating: "<table><caption>", count: 300) + "the words inside"
    ),
  ]

  @Test(arguments: pages.indices) func `hostile page has a valid layout`(_ index: Int) {
    let page = Self.pages[index]
    let document = Document(bytes: Array(page.html.utf8), mediaType: "text/html")
    for width in [20, 33, 80] {
      let layout = PageLayout(document, options: LayoutOptions(width: width))
      #expect(layout.flaw(in: document) == nil, "\(page.name) at \(width)")
      let text = String(decoding: layout.plainText(), as: UTF8.self)
      for word in ["the", "words", "inside"] { #expect(text.contains(word), "\(page.name)") }
    }
  }

  @Test func `text keeps a width of ten columns at any nesting depth`() {
    for opening in ["<blockquote>", "<ul><li>", "<dl><dd>", "<details><summary>s</summary>"] {
      let html = String(repeating: opening, count: 100) + "ab cd ef gh"
      let layout = PageLayout(
        Document(bytes: Array(html.utf8), mediaType: "text/html"), options: LayoutOptions(width: 20)
      )
      let lines = layout.lines.map(layout.text(of:))
      #expect(lines.contains { $0.contains("ab cd ef") }, "\(opening): \(lines)")
    }
  }

  @Test func `a document with arbitrary blocks has a valid layout`() {
    var state: UInt64 = 1_234_567
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let kinds: [Document.Block.Kind] = [
      .paragraph, .heading(level: 1), .preformatted(language: OptionalIndex(0)), .rule, .image(0),
      .list(isTight: true), .list(isTight: false), .item(.bullet), .item(.number(-3, .lowerRoman)),
      .item(.none), .definitionList, .term, .definition, .quote, .figure, .caption, .table,
      .row(isHeader: false), .row(isHeader: true),
      .cell(isHeader: false, columns: 3, rows: 2, alignment: .center),
      .cell(isHeader: true, columns: 1, rows: 1, alignment: .right), .details(isOpen: false),
    ]
    for _ in 0..<400 {
      var document = Document()
      document.links = [Document.Link(target: "x")]
      document.images = [Document.Image(source: "i", alternativeText: nil)]
      let count = 1 + random(40)
      for index in 0..<count {
        let start = UInt32(document.text.count)
        document.text += Array("wörd 日本 \(index)".utf8)
        document.runs.append(
          Document.Run(
            start: start, end: UInt32(document.text.count),
            style: InlineStyle(rawValue: UInt16(random(1 << 13))),
            link: OptionalIndex(random(2) - 1)))
        let end = index + 1 + random(count - index)
        document.blocks.append(
          Document.Block(
            kind: kinds[random(kinds.count)], runs: Int32(index)..<Int32(index + 1),
            end: Int32(end)))
      }
      for width in [20, 60] {
        let layout = PageLayout(
          document, options: LayoutOptions(width: width, linkNumbers: .numbers))
        #expect(layout.flaw(in: document) == nil)
      }
    }
  }
}
