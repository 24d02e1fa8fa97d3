import Foundation
import HTML
import TestSupport
import Testing

@Suite struct ReaderViewTests {
  private static let text = ReadingView.reader(
    ReaderOptions(keepsMedia: false, showsMetadata: false))

  private static func words(_ document: Document) -> [Substring] {
    String(decoding: document.plainText, as: UTF8.self).split { $0.isWhitespace }
  }

  @Test(
    "Title and text of an article",
    arguments: GoldenCase.folders(in: "Fixtures/articles", result: "txt"))
  func text(_ golden: GoldenCase) throws {
    let document = Document(bytes: try golden.bytes(), mediaType: "text/html", view: Self.text)
    let difference = try golden.difference(
      from: String(decoding: document.plainText, as: UTF8.self))
    #expect(difference == nil, "\(difference ?? "")")
    #expect(document.problems == [])
  }

  @Test(
    "What a page says about itself",
    arguments: GoldenCase.folders(in: "Fixtures/articles", result: "json"))
  func metadata(_ golden: GoldenCase) throws {
    let document = Document(bytes: try golden.bytes(), mediaType: "text/html", view: Self.text)
    let facts = try #require(document.reader)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let members = [
      "title": facts.metadata.title, "byline": facts.metadata.byline, "date": facts.metadata.date,
      "site": facts.metadata.site, "words": String(facts.words), "language": document.language,
    ]
    let text = String(decoding: try encoder.encode(members), as: UTF8.self) + "\n"
    let difference = try golden.difference(from: text)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("Nothing is made up: the text is part of the page's, in its order", arguments: Self.pages)
  func isPartOfThePage(_ golden: GoldenCase) throws {
    let bytes = try golden.bytes()
    let document = Document(bytes: bytes, mediaType: "text/html", view: Self.text)
    let title = try #require(document.reader).metadata.title.split { $0.isWhitespace }
    var rest = Self.words(document)[...]
    if rest.starts(with: title) { rest = rest.dropFirst(title.count) }
    // Sentences join where elements that stood between them are gone.
    let page = String(
      decoding: Document(bytes: bytes, mediaType: "text/html").plainText, as: UTF8.self)
    var place = page.startIndex
    for word in rest {
      let found = page.range(of: word, range: place..<page.endIndex)
      place = try #require(found, "\(word)").upperBound
    }
  }

  @Test("A page of 50 words is never empty", arguments: Self.pages)
  func isNeverEmpty(_ golden: GoldenCase) throws {
    let bytes = try golden.bytes()
    guard Self.words(Document(bytes: bytes, mediaType: "text/html")).count >= 50 else { return }
    let document = Document(bytes: bytes, mediaType: "text/html", view: Self.text)
    let title = try #require(document.reader).metadata.title.split { $0.isWhitespace }
    #expect(Self.words(document).count > title.count)
  }

  @Test(
    "Any part of a page can be read",
    arguments: GoldenCase.folders(in: "Fixtures/articles", result: "txt"))
  func truncated(_ golden: GoldenCase) throws {
    let bytes = try golden.bytes()
    for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 24)) {
      let document = Document(
        bytes: Array(bytes[..<length]), mediaType: "text/html", view: Self.text)
      #expect(document.reader != nil && document.problems == [])
    }
  }

  @Test(
    "Hostile pages are read",
    arguments: [
      String(repeating: "<div>", count: 20_000) + "end",
      String(repeating: "<div class=sidebar><p>text, and text.</p>", count: 5_000),
      String(repeating: "<a href=x>link</a> ", count: 20_000),
      String(repeating: "<br>", count: 20_000) + "end",
      String(repeating: "<p>" + String(repeating: "word, ", count: 10), count: 5_000),
      "<table>" + String(repeating: "<tr><td><table>", count: 300) + "deep",
      "<title>\u{1B}]0;x\u{7}" + String(repeating: "a", count: 100_000) + "</title><p>text",
      "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"a\\u0000\\u001b[31mb\"}</script>x",
      "<script type=application/ld+json>" + String(repeating: "[", count: 50_000) + "</script>x",
    ])
  func hostile(_ html: String) throws {
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html",
      view: .reader(ReaderOptions(explains: true)))
    #expect(document.problems == [])
    let facts = try #require(document.reader)
    let said = ([facts.metadata.title, facts.metadata.byline, document.title] + facts.trace)
      .joined()
    #expect(said.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
  }

  @Test func `the trace names the candidates and the choice`() throws {
    let page = "<div id=a><p>One, two, three, four, five, six, seven, eight, nine, ten.</p></div>"
    let document = Document(
      bytes: Array(page.utf8), mediaType: "text/html",
      view: .reader(ReaderOptions(explains: true)))
    let trace = try #require(document.reader).trace
    #expect(trace.contains { $0.hasPrefix("all rules: candidate") })
    #expect(trace.contains { $0.contains("chosen: ") })
    #expect(trace.contains { $0.hasPrefix("no cleaning") })
  }

  @Test func `relative links refer to the page's base`() throws {
    let page = """
      <base href="https://b.test/x/"><article><p>A text, with commas, and a <a href=y>link</a>, in it,
      which is long enough, so that it counts.</p></article>
      """
    let document = Document(
      bytes: Array(page.utf8), mediaType: "text/html", url: "https://a.test/",
      view: .reader(ReaderOptions()))
    #expect(document.base == "https://b.test/x/")
  }

  /// The articles and all other pages of the tests.
  private static var pages: [GoldenCase] {
    GoldenCase.folders(in: "Fixtures/articles", result: "txt") + GoldenCase.all(in: "Fixtures")
  }
}

@Suite struct NextPageTests {
  @Test(
    "The next part of an article is offered, the next article is not",
    arguments: [
      ("https://a.test/story", "/story/2", true), ("https://a.test/story", "/story?page=2", true),
      ("https://a.test/story/", "page/2/", true), ("https://a.test/s.html", "s-2.html", true),
      ("https://a.test/s-2.html", "/s-3.html", true), ("https://a.test/s?p=2", "?p=3", true),
      ("https://a.test/s?id=7", "?id=7&page=2", true),
      ("https://a.test/s-2.html", "/s-4.html", false),
      ("https://a.test/s-2.html", "/s-1.html", false),
      ("https://a.test/story", "/story/3", false), ("https://a.test/story", "/other/2", false),
      ("https://a.test/story", "https://b.test/story/2", false),
      ("https://a.test/2024", "/2025", false), ("https://a.test/story", "/story#2", false),
      ("https://a.test/post/41", "/post/43", false), ("", "/story/2", false),
    ])
  func next(_ row: (url: String, target: String, isNext: Bool)) throws {
    let html = "<p>A story, in parts, of which this is one.</p><a href=\"\(row.target)\">&gt;</a>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: row.url, view: .reader(ReaderOptions()))
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.hasSuffix("Next page\n") == row.isNext)
    if row.isNext { #expect(document.links.last?.target == row.target) }
  }

  @Test func `preferences of a site say what the content is`() throws {
    let html = """
      <div class=teaser><p>Long, long teaser, with commas, and more text than the rest of it has.</p></div>
      <div id=text class="a b"><p>The text.</p><p class=ad>Buy!</p></div>
      """
    var options = ReaderOptions()
    options.keeps = [try #require(Selector("div#text.b"))]
    options.drops = [try #require(Selector("p.ad"))]
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: .reader(options))
    #expect(document.plainText == Array("1 min (2 words)\nThe text.\n".utf8))
    for text in ["", "div p", "a:hover", "[data-x]", "nonsense", "div >"] {
      #expect(Selector(text) == nil, "\(text)")
    }
  }
}
