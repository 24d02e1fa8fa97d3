import Saving
@testable import Exchange
@testable import Library
import ReaderMode
import Foundation
import Document
import Synchronization
import Testing

@Suite struct HighlightTests {
  private static let date = Date(timeIntervalSince1970: 1_795_234_310)

  private static func document(_ html: String) -> Document {
    Document(bytes: Array(html.utf8))
  }

  /// Returns the range of a text in a document.
  private static func range(of content: String, in document: Document) throws -> Range<UInt32> {
    let text = Data(document.text)
    let found = try #require(text.firstRange(of: Data(content.utf8)))
    return UInt32(found.lowerBound)..<UInt32(found.upperBound)
  }

  private static func text(_ range: Range<UInt32>?, of document: Document) -> String? {
    range.map {
      String(decoding: document.text[Int($0.lowerBound)..<Int($0.upperBound)], as: UTF8.self)
    }
  }

  /// A page, the highlighted text, a later version, and the highlight there, or nil if it is gone.
  @Test(
    arguments: [
      // Unchanged.
      ("<p>one two three</p>", "two", "<p>one two three</p>", "two"),
      // Moved after other text, into another block, into a list.
      ("<p>one two three</p>", "two three", "<p>new</p><p>one two three</p>", "two three"),
      ("<p>a b c</p><p>d e f</p>", "d e f", "<p>d e f</p><p>a b c</p>", "d e f"),
      ("<p>a b c</p>", "b c", "<ul><li>x<li>a b c</ul>", "b c"),
      // Wrapped and spaced differently, in other elements.
      ("<p>one two\n three</p>", "two three", "<p>one <b>two</b>   three</p>", "two three"),
      ("<p>one two</p>", "one two", "<p>one <a href=/x>two</a></p>", "one two"),
      // Without invisible characters.
      (
        "<p>Silbentrennung hier</p>", "Silbentrennung", "<p>Silben&shy;trennung hier</p>",
        "Silben\u{AD}trennung"
      ),
      // Across block boundaries.
      ("<p>first</p><p>second</p>", "first", "<div>first</div><p>second one</p>", "first"),
      // In a different context.
      ("<p>he said yes to her</p>", "yes", "<p>she said yes to him</p>", "yes"),
      // Scripts without spaces, and right-to-left scripts.
      ("<p>東京は日本の首都です</p>", "日本の首都", "<p>昔々。東京は日本の首都です</p>", "日本の首都"),
      ("<p>שלום עולם טוב</p>", "עולם", "<p>x שלום עולם טוב</p>", "עולם"),
      // In a table.
      (
        "<table><tr><th>A<th>B<tr><td>c d<td>e f</table>", "e f",
        "<table><tr><th>A<th>B<th>C<tr><td>c d<td>e f<td>g</table>", "e f"
      ),
      // Special characters.
      ("<p>a .*+?[(\\ b</p>", ".*+?[(\\", "<p>x a .*+?[(\\ b</p>", ".*+?[(\\"),
      ("<p>aaaaaaaaab</p>", "aaab", "<p>aaaaaaaaaaaaaab</p>", "aaab"),
      // A word that was removed, although it occurs elsewhere.
      (
        "<p>he said yes to her</p><p>so it was</p>", "yes",
        "<p>he said no to her</p><p>oh, yes!</p>", nil
      ),
      // Removed, or edited.
      ("<p>one two three</p>", "two", "<p>one and three</p>", nil),
      ("<p>one two three</p>", "one two three", "<p>one too three</p>", nil),
      ("<p>one two</p>", "two", "", nil),
    ] as [(String, String, String, String?)])
  func `a highlight is found in a later version by its text`(
    page: String, highlighted: String, later: String, found: String?
  ) throws {
    let document = Self.document(page)
    let range = try Self.range(of: highlighted, in: document)
    let highlight = try #require(Highlight(range, of: document, date: Self.date))
    let same = PassageText(document).range(of: highlight)
    #expect(same == range)
    let next = Self.document(later)
    #expect(Self.text(PassageText(next).range(of: highlight), of: next) == found)
  }

  @Test func `of several equal texts, the one with the same context is chosen`() throws {
    let document = Self.document("<p>red apple pie</p><p>green apple tree</p><p>old apple cake</p>")
    let range = try Self.range(of: "green apple tree", in: document)
    let apple = range.lowerBound + 6..<range.lowerBound + 11
    let highlight = try #require(Highlight(apple, of: document, date: Self.date))
    #expect(highlight.exact == "apple")
    let later = Self.document("<p>green apple tree</p><p>red apple pie</p><p>an apple</p>")
    let found = try #require(PassageText(later).range(of: highlight))
    #expect(found.lowerBound == 6)
  }

  @Test func `of several texts with the same context, the nearest is chosen`() throws {
    let row = "<p>the same line again</p>"
    let document = Self.document(String(repeating: row, count: 9))
    let width = UInt32(document.text.count / 9)
    let highlight = try #require(
      Highlight(width * 6 + 4..<width * 6 + 8, of: document, date: Self.date))
    let found = try #require(PassageText(document).range(of: highlight))
    #expect(found == width * 6 + 4..<width * 6 + 8)
  }

  @Test func `a highlight may span several blocks`() throws {
    let document = Self.document(
      "<h1>Title</h1><p>One <b>bold</b> word.</p><ul><li>item</ul><p>end</p>")
    let start = try Self.range(of: "Title", in: document).lowerBound
    let end = try Self.range(of: "item", in: document).upperBound
    let highlight = try #require(Highlight(start..<end, of: document, date: Self.date))
    #expect(highlight.exact == "Title One bold word. item")
    #expect(highlight.prefix.isEmpty)
    #expect(highlight.suffix == " end")
    #expect(PassageText(document).range(of: highlight) == start..<end)
  }

  @Test func `a page of a single repeated letter takes linear time`() throws {
    let document = Self.document("<p>" + String(repeating: "a", count: 400_000) + "</p>")
    let highlight = try #require(Highlight(200_000..<216_000, of: document, date: Self.date))
    #expect(PassageText(document).range(of: highlight) == 200_000..<216_000)
  }

  @Test func `empty and too long ranges are not highlighted`() {
    let document = Self.document("<p>a</p><p>\(String(repeating: "word ", count: 8000))</p>")
    let all = 0..<UInt32(document.text.count)
    #expect(Highlight(0..<0, of: document, date: Self.date) == nil)
    #expect(Highlight(all.upperBound..<all.upperBound + 9, of: document, date: Self.date) == nil)
    #expect(Highlight(all, of: document, date: Self.date) == nil)
  }

  @Test func `a highlight is unchanged after encoding and decoding`() throws {
    let highlight = Highlight(
      id: "a1", exact: "x \"y\" \u{1B} 漢", prefix: "p", suffix: "s", position: 0.25, note: "n\n2")
    #expect(Highlight(id: "a1", value: highlight.value) == highlight)
    #expect(LibraryAttribute(text: "highlight:a1") == .highlight("a1"))
    #expect(LibraryAttribute.highlight("a1").text == "highlight:a1")
  }

  @Test(arguments: [
    "", "{", "[]", "{\"exact\":\"\"}", "{\"exact\":1}", "{\"note\":\"x\"}", "\u{0}",
    "{\"exact\":null}",
    "{\"exact\":\"\(String(repeating: "x", count: 20_000))\"}", "{\"exact\":\"x\",\"place\":\"y\"}",
  ])
  func `a malformed value is not a highlight`(_ value: String) {
    #expect(Highlight(id: "a", value: value) == nil)
  }

  @Test(arguments: ["", "../x", "A", "a b", String(repeating: "a", count: 33), "é"])
  func `invalid identifiers are rejected`(_ name: String) {
    #expect(Highlight(id: name, value: "{\"exact\":\"x\"}") == nil)
    #expect(LibraryAttribute(text: "highlight:\(name)") == nil)
  }

  @Test func `highlights of two devices are merged, edited and removed`() throws {
    let files = try LibraryDirectory()
    let key = "https://a.test/"
    let (one, other) = (files.open(device: "one"), files.open(device: "two"))
    let (first, second) = (
      Highlight(id: "a", exact: "first", position: 0.1),
      Highlight(id: "b", exact: "first", position: 0.1, note: "overlaps")
    )
    try one.record([LibraryChange(key, .highlight("a"), first.value)])
    try other.record([LibraryChange(key, .highlight("b"), second.value)])
    try one.catchUp()
    #expect(try one.highlightedPages().map(\.highlights) == [[first, second]])
    files.seconds.withLock { $0 += 10 }
    var edited = first
    edited.note = "now with a note"
    try other.record([LibraryChange(key, .highlight("a"), edited.value)])
    try one.catchUp()
    #expect(try one.page(key).highlights == [edited, second])
    files.seconds.withLock { $0 += 10 }
    try one.record([LibraryChange(key, .highlight("b"), nil)])
    try other.catchUp()
    #expect(try other.page(key).highlights == [edited])
    try one.record([LibraryChange(key, .highlight("b"), second.value)])
    try other.catchUp()
    #expect(try other.page(key).highlights == [edited, second])
    files.seconds.withLock { $0 += 10 }
    try one.forget([key])
    try other.catchUp()
    #expect(try other.highlightedPages().isEmpty)
    #expect(try !files.text(of: "one").contains("overlaps"))
  }

  @Test func `highlights are exported as quotations with their notes`() {
    let highlights = [
      Highlight(id: "a", exact: "# no *heading*", note: "1. mine\u{1B}"),
      Highlight(id: "b", exact: "two"),
    ]
    #expect(
      String(
        decoding: HighlightText.page(highlights, title: "A [b]", url: "https://a.test/"),
        as: UTF8.self)
        == "# A \\[b\\]\n\n<https://a.test/>\n\n"
        + "> \\# no \\*heading\\* [open](<https://a.test/#:~:text=%23%20no%20%2Aheading%2A>)\n\n"
        + "1\\. mine\u{FFFD}\n\n> two [open](<https://a.test/#:~:text=two>)\n"
    )
    #expect(HighlightText.section([]).isEmpty)
    let section = String(decoding: HighlightText.section(highlights), as: UTF8.self)
    #expect(section.hasPrefix("\n## Highlights\n\n> \\# no") && !section.contains("[open]"))
  }

  @Test func `no URL ends the link of a highlight early`() {
    let text = String(
      decoding: HighlightText.page(
        [Highlight(id: "a", exact: "x)>\n[y](z)")], title: "", url: "book:/a b>c<d\\e\u{1B}"),
      as: UTF8.self)
    let url = "book:/a%20b%3Ec%3Cd%5Ce\u{FFFD}"
    #expect(text.contains("\n<\(url)>\n"))
    #expect(
      text.contains("> x)\\> \\[y\\](z) [open](<\(url)#:~:text=x%29%3E%0A%5By%5D%28z%29>)\n"))
  }

  @Test func `the highlights of several pages are one text`() {
    let page = (highlights: [Highlight(id: "a", exact: "x")], title: "A", url: "https://a.test/")
    let one = HighlightText.page(page.highlights, title: page.title, url: page.url)
    #expect(HighlightText.pages([page, page]) == one + [0x0A] + one)
    #expect(HighlightText.pages([]).isEmpty)
  }

  @Test func `the URL of a highlight leads to its first words`() {
    let long = Highlight(id: "a", exact: String(repeating: "wörter ", count: 100))
    let address = long.address(on: "https://a.test/")
    #expect(address.hasPrefix("https://a.test/#:~:text=w%C3%B6rter"))
    #expect(address.utf8.count < 400)
    // The last words of a longer highlight follow, as the end of the range that a browser
    // highlights.
    let last = Array(repeating: "w%C3%B6rter", count: 5).joined(separator: "%20")
    #expect(address.hasSuffix("," + last))
  }

  @Test func `the end in the URL of a highlight does not overlap the start`() {
    let words = (1...22).map { "word\($0)" }.joined(separator: " ")
    let address = Highlight(id: "a", exact: words).address(on: "https://a.test/")
    #expect(address.hasSuffix("%20word18,word19%20word20%20word21%20word22"))
  }

  /// The page, the occurrence of the text that is highlighted, and the text.
  @Test(
    arguments: [
      ("<p>he said yes to her</p><p>so, yes</p><p>oh, yes!</p>", "yes", 1),
      ("<p>the same line</p><p>the other line</p>", "line", 1),
      ("<p>東京は日本の首都です。昔の東京は江戸です。</p>", "東京", 1),
      ("<p>שלום עולם טוב</p><p>עוד עולם</p>", "עולם", 1),
      ("<p>One day it rained. It was late.</p>", "It was late.", 0),
      ("<p>a-b, c</p><p>b, c-d</p>", "c", 1),
      ("<h1>Title</h1><p>first words</p>", "Title first", 0),
    ] as [(String, String, Int)])
  func `the URL of a highlight opens exactly its passage`(
    html: String, text: String, occurrence: Int
  ) throws {
    let document = Self.document(html)
    let bytes = Data(document.text)
    // Blocks follow each other without a space in the text of a document.
    let sample = Data(text.replacing("Title first", with: "Titlefirst").utf8)
    let found = bytes.ranges(of: sample)[occurrence]
    let range = UInt32(found.lowerBound)..<UInt32(found.upperBound)
    let highlight = try #require(Highlight(range, of: document, date: Self.date))
    #expect(highlight.exact == text)
    let url = highlight.address(on: "https://a.test/")
    let fragment = try #require(TextFragment(String(url.drop { $0 != "#" })))
    #expect(fragment.offset(in: document) == range.lowerBound)
    #expect(PassageText(document).range(of: highlight) == range)
  }

  @Test func `a highlight of words has the form that earlier versions read`() throws {
    let document = Self.document("<p>One day it rained. It was late.</p>")
    let range = try Self.range(of: "It was late.", in: document)
    let highlight = try #require(Highlight(range, of: document, date: Self.date))
    let form = try #require(
      try JSONSerialization.jsonObject(with: Data(highlight.value.utf8)) as? [String: Any])
    #expect(Set(form.keys).isSubset(of: ["exact", "prefix", "suffix", "place", "note"]))
    #expect(form["exact"] as? String == "It was late.")
  }
}
