import Document
import ReaderMode
import Testing

@testable import Layout

/// The visual order of right-to-left text (UAX 9).
@Suite struct BidiOrderingTests {
  /// Text in logical and in visual order. The first letter determines the direction.
  private static let rows: [(stored: String, seen: String)] = [
    ("abc", "abc"), ("אבג", "גבא"),
    // A line keeps the order of its parts in the opposite direction.
    ("abc אבג def", "abc גבא def"), ("אבג abc דהו", "והד abc גבא"),
    // W2 to W7: numbers are read from left to right, including separators.
    ("אבג 123 דהו", "והד 123 גבא"), ("אב 1,234.5 ג", "ג 1,234.5 בא"), ("ab אב 12", "ab 12 בא"),
    // AN of Arabic digits.
    ("אב ٣٤ גד", "דג ٣٤ בא"),
    // N0: paired brackets have the same direction; L4: they are mirrored.
    ("אב (גד) ה", "ה (דג) בא"), ("אב (cd) ה", "ה (cd) בא"), ("ab (אב) c", "ab (בא) c"),
    ("אב [ab] <ג>", "<ג> [ab] בא"),
    // N1 and N2: neutral characters have the direction of the surrounding text.
    ("אב! גד?", "?דג !בא"), ("ab! אב?", "ab! בא?"),
    // L1: trailing characters have the direction of the line.
    ("אב abc.", ".abc בא"),
    // Letters keep their combining marks.
    ("שָׁלוֹם", "םוֹלשָׁ"),
  ]

  @Test(arguments: rows.indices) func `text is displayed in the order of UAX 9`(_ index: Int) {
    let row = Self.rows[index]
    #expect(Self.seen(row.stored) == row.seen)
  }

  private static func seen(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return VisualLine(bytes, widths: DisplayWidth()).clusters.map {
      $0.replacementText ?? String(decoding: bytes[$0.textRange], as: UTF8.self)
    }.joined()
  }

  @Test func `isolates keep their content together`() {
    #expect(
      Self.seen("a \u{2068}אב 1\u{2069} 2").filter {
        !$0.unicodeScalars.contains { $0.value.isIsolateControl }
      } == "a 1 בא 2")
    // P2: letters in isolates do not determine the direction of the line.
    #expect(
      Self.seen("→ \u{2066}/אב/a\u{2069} ב").filter {
        !$0.unicodeScalars.contains { $0.value.isIsolateControl }
      } == "ב /בא/a →")
    #expect(
      Self.seen("→ \u{2066}/אב/a\u{2069}").filter {
        !$0.unicodeScalars.contains { $0.value.isIsolateControl }
      } == "→ /בא/a")
  }

  @Test(
    arguments: [
      ("سلام", "ﻡﻼﺳ"), ("بب", "ﺐﺑ"), ("پژ", "ﮋﭘ"), ("لا", "ﻻ"), ("ا", "ﺍ"),
    ] as [(String, String)]) func `Arabic letters are joined with their neighbours`(
      _ stored: String, _ seen: String
    )
  {
    #expect(Self.seen(stored).unicodeScalars.elementsEqual(seen.unicodeScalars))
  }

  @Test func `right-to-left characters are found at any position`() {
    for scalar in ["א", "ش", "ࢠ", "ﭐ", "ﻻ", "𐤀", "𞤀"] {
      for before in 0...40 {
        let text = String(repeating: "a", count: before) + scalar
        #expect(Array(text.utf8).hasRightToLeft, "\(scalar) after \(before)")
        #expect(Array((text + String(repeating: "–", count: 12)).utf8).hasRightToLeft)
      }
    }
    let others = "naïve café „Ж“ 漢字 ไทย देव 😀 𐐀 – … \u{FFFD} ﬁ"
    #expect(!Array(String(repeating: others, count: 20).utf8).hasRightToLeft)
  }

  /// The layout at 80 columns.
  private static func layout(_ html: String, _ bidi: LayoutOptions.BidiOrdering = .app)
    -> PageLayout
  {
    var options = LayoutOptions(width: 80)
    options.bidiOrdering = bidi
    return PageLayout(Document(bytes: Array(html.utf8), mediaType: "text/html"), options: options)
  }

  @Test func `the layout of a page without right-to-left text is unchanged`() {
    let html =
      "<html dir=rtl><p>Text in English – naïve.<ul><li>one<li>two</ul><table><tr><td>1</table>"
    #expect(Self.layout(html) == Self.layout(html, .off))
    #expect(Self.layout(html).orderedLines.isEmpty)
  }

  @Test func `the text of a page stays in logical order`() {
    let html = "<p>שלום (12) hello</p><table><tr><td>אב<td>ab</table><ul dir=rtl><li>אב</ul>"
    #expect(Self.layout(html).text == Self.layout(html, .off).text)
  }

  @Test func `both parts of a split link are found, with the text between them`() throws {
    // The link crosses the change of direction.
    let layout = Self.layout("<p>ab <a href=x>cd אב</a> גד ef</p>")
    var found: [Character?] = Array(repeating: nil, count: 14)
    layout.forEachCluster(ofLine: 0, DisplayWidth()) { cluster, run in
      found[cluster.column] = run.target == nil ? "." : "L"
    }
    // Visual order: ab cd דג בא ef
    #expect(String(found.map { $0 ?? "?" }) == "...LLL...LL...")
  }

  @Test(
    arguments: [
      ("<p>a <bdi>אב</bdi> 12", "a בא 12"), ("<p>a אב 12", "a 12 בא"),
      ("<p dir=ltr>a <bdo dir=rtl>bcd</bdo> e א", "a dcb e א"),
      ("<p>a <span dir=rtl>b! א</span> e", "a א !b e"),
      ("<p>אב <span dir=ltr>ג! d.</span> ה", "ה ג! d. בא"),
      ("<p>a <bdi>אב <bdi>c 1</bdi> 2</bdi> 3", "a 2 c 1 בא 3"),
    ] as [(String, String)]) func `parts of a line have their own direction`(
      _ html: String, _ seen: String
    )
  {
    #expect(Self.layout(html).image().filter { $0 != "\n" }.drop { $0 == " " } == seen)
  }

  @Test func `terminals with bidi support get isolates and aligned paragraphs`() {
    let layout = Self.layout("<html dir=rtl><ul><li>אב 12</ul>", .terminal)
    let row = layout.image().dropLast()
    #expect(row.hasSuffix("אב 12 •"))
    #expect(row.count == 80)
  }

  @Test(arguments: [
    String(repeating: "אב c ", count: 20_000),
    String(repeating: "א(", count: 50_000) + String(repeating: ")", count: 50_000),
    String(repeating: "<bdi>א<bdo dir=rtl>b", count: 300),
    String(repeating: "א1 b2 ", count: 20_000), String(repeating: "لا", count: 50_000),
    String(repeating: "א\u{301}", count: 30_000), String(repeating: "א<br>b<br>", count: 5000),
  ])
  func `long and deeply nested text has a valid layout`(_ text: String) {
    let document = Document(bytes: Array(("<p dir=rtl>" + text).utf8), mediaType: "text/html")
    for bidi in [LayoutOptions.BidiOrdering.app, .terminal] {
      var options = LayoutOptions(width: 60)
      options.bidiOrdering = bidi
      let layout = PageLayout(document, options: options)
      #expect(layout.flaw(in: document) == nil)
    }
  }

  @Test func `any characters have a valid layout`() {
    var state: UInt64 = 88_172_645_463_325_252
    func next(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(limit))
    }
    let letters = Array("אבגاللاسلامab12 .,()[]<>\u{301}\u{200D}漢😀–٣\u{202E}\u{2067}")
    let tags = [
      "<p>", "<p dir=rtl>", "<p dir=ltr>", "<ul><li>", "</ul>", "<ol dir=rtl><li>", "<blockquote>",
      "</blockquote>", "<table><tr><td>", "<td rowspan=2 align=right>", "<tr dir=rtl><th>",
      "</table>",
      "<pre>", "</pre>", "<br>", "<a href=x>", "</a>", "<h1>", "<bdi>", "</bdi>", "<dl><dd>",
    ]
    for round in 0..<60 {
      var html = ""
      for _ in 0..<150 {
        html += next(4) == 0 ? tags[next(tags.count)] : String(letters[next(letters.count)])
      }
      let document = Document(bytes: Array(html.utf8), mediaType: "text/html")
      for width in [20, 47] {
        var options = LayoutOptions(width: width, textWidth: width - 3, isCentered: true)
        options.bidiOrdering = round % 2 == 0 ? .app : .terminal
        let layout = PageLayout(document, options: options)
        let flaw = layout.flaw(in: document)
        #expect(flaw == nil, "\(html)")
      }
    }
  }
}
