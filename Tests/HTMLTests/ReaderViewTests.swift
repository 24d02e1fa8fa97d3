import Foundation
import DOM
import Document
import Metadata
import ReaderMode
import TestSupport
import Testing

@Suite struct ReaderViewTests {
  private static let text = PageViewMode.reader(
    ReaderOptions(keepsMedia: false, showsMetadata: false, keepsComments: false))

  private static func tokens(_ document: Document) -> [Substring] {
    String(decoding: document.plainText, as: UTF8.self).split { $0.isWhitespace }
  }

  @Test(arguments: GoldenCase.directories(in: "Fixtures/articles", result: "txt"))
  func `the title and text of an article are extracted`(_ golden: GoldenCase) throws {
    let document = Document(bytes: try golden.bytes(), mediaType: "text/html", view: Self.text)
    let difference = try golden.difference(
      from: String(decoding: document.plainText, as: UTF8.self))
    #expect(difference == nil, "\(difference ?? "")")
    #expect(document.problems == [])
  }

  @Test(arguments: GoldenCase.directories(in: "Fixtures/articles", result: "json"))
  func `the metadata of a page is extracted`(_ golden: GoldenCase) throws {
    let document = Document(bytes: try golden.bytes(), mediaType: "text/html", view: Self.text)
    let facts = try #require(document.readerFacts)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let members = [
      "title": facts.metadata.title, "byline": facts.metadata.byline, "date": facts.metadata.date,
      "site": facts.metadata.siteName, "words": String(facts.wordCount),
      "language": document.language,
    ]
    let text = String(decoding: try encoder.encode(members), as: UTF8.self) + "\n"
    let difference = try golden.difference(from: text)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(arguments: Self.pages)
  func `the extracted text is a subsequence of the text of the page`(_ golden: GoldenCase)
    throws
  {
    let bytes = try golden.bytes()
    let document = Document(bytes: bytes, mediaType: "text/html", view: Self.text)
    if case .structuredData = document.readerFacts?.contentSource { return }
    let title = try #require(document.readerFacts).metadata.title.split { $0.isWhitespace }
    var remainingWords = Self.tokens(document)[...]
    if remainingWords.starts(with: title) { remainingWords = remainingWords.dropFirst(title.count) }
    // Sentences join where the elements between them were removed.
    let page = String(
      decoding: Document(bytes: bytes, mediaType: "text/html").plainText, as: UTF8.self)
    var position = page.startIndex
    for word in remainingWords {
      let range = page.range(of: word, range: position..<page.endIndex)
      position = try #require(range, "\(word)").upperBound
    }
  }

  @Test(arguments: Self.pages)
  func `a page of at least 50 words never has an empty text`(_ golden: GoldenCase) throws {
    let bytes = try golden.bytes()
    guard Self.tokens(Document(bytes: bytes, mediaType: "text/html")).count >= 50 else { return }
    let document = Document(bytes: bytes, mediaType: "text/html", view: Self.text)
    let title = try #require(document.readerFacts).metadata.title.split { $0.isWhitespace }
    #expect(Self.tokens(document).count > title.count)
  }

  @Test(arguments: ["sr-only", "add-to-cart"])
  func `parts that make up most of a page are kept, whatever their name`(name: String) {
    let sentence = "The ferry leaves at seven, and who wants a seat should be there before."
    for element in ["p", "span", "div", "li"] {
      let parts = (0..<12).map { "<\(element) class=\(name)>\(sentence) \($0)</\(element)>" }
      let html = "<main><ul>" + parts.joined() + "</ul></main>"
      let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: Self.text)
      #expect(Self.tokens(document).count >= 12 * 14, "\(element)")
    }
  }

  @Test(arguments: GoldenCase.directories(in: "Fixtures/articles", result: "txt"))
  func `a page truncated anywhere can be read`(_ golden: GoldenCase) throws {
    let bytes = try golden.bytes()
    let step = max(1, bytes.count / Effort.rounds(24, part: 6))
    for length in stride(from: 0, to: bytes.count, by: step) {
      let document = Document(
        bytes: Array(bytes[..<length]), mediaType: "text/html", view: Self.text)
      #expect(document.readerFacts != nil && document.problems == [])
    }
  }

  private static let size = Effort.rounds(20_000, part: 4_000)

  @Test(arguments: [
    String(repeating: "<div>", count: size) + "end",
    String(repeating: "<div class=sidebar><p>text, and text.</p>", count: size / 4),
    String(repeating: "<a href=x>link</a> ", count: size),
    String(repeating: "<br>", count: size) + "end",
    String(repeating: "<p>" + String(repeating: "word, ", count: 10), count: size / 4),
    "<table>" + String(repeating: "<tr><td><table>", count: 300) + "deep",
    "<title>\u{1B}]0;x\u{7}" + String(repeating: "a", count: 100_000) + "</title><p>text",
    "<script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"a\\u0000\\u001b[31mb\"}</script>x",
    "<script type=application/ld+json>" + String(repeating: "[", count: 50_000) + "</script>x",
  ])
  func `hostile pages are read without problems`(_ html: String) throws {
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html",
      view: .reader(ReaderOptions(explains: true)))
    #expect(document.problems == [])
    let facts = try #require(document.readerFacts)
    let texts = ([facts.metadata.title, facts.metadata.byline, document.title] + facts.trace)
      .joined()
    #expect(texts.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
  }

  @Test func `the trace lists the candidates and the choice`() throws {
    let page = "<div id=a><p>One, two, three, four, five, six, seven, eight, nine, ten.</p></div>"
    let document = Document(
      bytes: Array(page.utf8), mediaType: "text/html",
      view: .reader(ReaderOptions(explains: true)))
    let trace = try #require(document.readerFacts).trace
    #expect(trace.contains { $0.hasPrefix("all rules: candidate") })
    #expect(trace.contains { $0.contains("chosen: ") })
    #expect(trace.contains { $0.hasPrefix("no cleaning") })
  }

  @Test func `relative links are resolved against the base of the page`() throws {
    let page = """
      <base href="https://b.test/x/"><article><p>A text, with commas, and a <a href=y>link</a>, in it,
      which is long enough, so that it counts.</p></article>
      """
    let document = Document(
      bytes: Array(page.utf8), mediaType: "text/html", url: "https://a.test/",
      view: .reader(ReaderOptions()))
    #expect(document.baseURL == "https://b.test/x/")
  }

  @Test func `a long text is kept whole`() {
    let text = "says that what is written here goes on, and on, until the very end of the page."
    let menu = "<nav><ul>" + String(repeating: "<li><a href=x>Menu</a>", count: 30) + "</ul></nav>"
    let paragraphs = (0..<4000).map { "<p>Paragraph \($0) \(text)</p>" }.joined()
    let document = Document(
      bytes: Array("<title>Long</title>\(menu)<article>\(paragraphs)</article>".utf8),
      mediaType: "text/html", view: Self.text)
    let content = Self.tokens(document)
    #expect(content.count { $0 == "Paragraph" } == 4000)
    #expect(!content.contains("Menu"))
  }

  @Test(
    arguments: [
      ("<h1>The pump</h1><p>It runs.", 1),
      ("<div> <h2><a href=x>The pump</a></h2></div><p>It runs.", 1),
      ("<h1>All pumps</h1><p>They run.", 2), ("<p>It runs.</p><h2>The pump</h2><p>Always.", 2),
    ] as [(String, Int)])
  func `the title shown by the view or its caller is not repeated by the first heading`(
    markup: String, headings: Int
  ) throws {
    func count(showsTitle: Bool) throws -> Int {
      var options = ReaderOptions(showsTitle: showsTitle)
      options.contentSelectors = try #require(ComplexSelector.parseList("main"))
      let document = Document(
        bytes: Array("<title>The pump</title><main>\(markup)</main>".utf8), mediaType: "text/html",
        view: .reader(options))
      return document.blocks.count { if case .heading = $0.kind { true } else { false } }
    }
    #expect(try count(showsTitle: true) == headings)
    #expect(try count(showsTitle: false) == headings - 1)
  }

  @Test
  func `text hidden until a script shows it is used if there is hardly any other text`()
    throws
  {
    let text = (0..<12).map {
      "<p>The \($0). description of the thing, which is long, says what it is good for.</p>"
    }
    let page = """
      <title>A thing</title><nav><a href=/>Home</a></nav><main><p>Please wait.</p>
      <div style="display: none"><h1>A thing</h1>\(text.joined())</div></main>
      """
    let hidden = Document(bytes: Array(page.utf8), mediaType: "text/html", view: Self.text)
    #expect(String(decoding: hidden.plainText, as: UTF8.self).contains("what it is good for"))
    let note = try #require(hidden.readerFacts?.notice)
    #expect(note.contains("hides its text"))
    // If other text is visible, it stays hidden.
    let pageWithText = page.replacing("</main>", with: text.joined() + "</main>")
    let document = Document(
      bytes: Array(pageWithText.utf8), mediaType: "text/html", view: Self.text)
    #expect(Self.tokens(document).count { $0 == "description" } == 12)
    #expect(document.readerFacts?.notice == nil)
  }

  @Test(
    arguments: [
      (#"<img src="data:image/gif;base64,R0lGODlh" data-src=real.jpg alt=A>"#, "real.jpg"),
      ("<img src=blank.gif data-original=real.jpg alt=A>", "real.jpg"),
      ("<img src=blank.gif data-lazy-src=real.jpg alt=A>", "real.jpg"),
      (#"<img data-srcset="small.jpg 100w, large.jpg 900w" alt=A>"#, "large.jpg"),
      (#"<img srcset="small.jpg, large.jpg 2x" alt=A>"#, "small.jpg"),
      (
        #"<img src="data:image/gif;base64,R0lGODlh" alt=A><noscript><img src=real.jpg></noscript>"#,
        "real.jpg"
      ),
      ("<noscript><img src=real.jpg alt=Ship></noscript><img src=data:, alt=Ship>", "real.jpg"),
      (
        "<img data-lazy-src=real.jpg alt=A><noscript><img src=real.jpg alt=A></noscript>",
        "real.jpg"
      ),
      ("<img src=data:, data-url=real.jpg alt=A>", "real.jpg"),
      ("<img src=data:, data-actualsrc=real.jpg alt=A>", "real.jpg"),
      ("<img src=data:, data-hi-res-src=real.jpg alt=A>", "real.jpg"),
      ("<img src=data:, data-full-src=real.jpg alt=A>", "real.jpg"),
      ("<img src=data:, data-image=real.jpg alt=A>", "real.jpg"),
      ("<img src=/placeholder.png data-lazy=real alt=A>", "real"),
      ("<img src=real.jpg data-url=/story/5 alt=A>", "real.jpg"),
      (
        "<picture><source type=image/webp srcset='a.webp 1x'>"
          + "<source srcset=' real.jpg 1x, b.jpg 2x'><img src=data:, alt=A></picture>", "real.jpg"
      ),
      ("<picture><source data-srcset='real.jpg 480w'><img alt=A></picture>", "real.jpg"),
      (
        "<picture><source srcset=real.avif type=image/avif><img alt='' width=700></picture>",
        "real.avif"
      ),
      ("<picture><source srcset=other.jpg><img src=real.jpg alt=A></picture>", "real.jpg"),
      ("<amp-img src=real.jpg width=100 height=50 alt=A></amp-img>", "real.jpg"),
    ] as [(String, String)])
  func `lazily loaded images have their actual source`(
    _ image: String, _ source: String
  ) {
    let text = String(
      repeating: "<p>A text, with commas, which is long enough to count.</p>", count: 12)
    let document = Document(
      bytes: Array("<article>\(text)<figure>\(image)</figure>\(text)</article>".utf8),
      mediaType: "text/html", view: .reader(ReaderOptions()))
    #expect(document.images.map(\.source) == [source])
  }

  @Test(arguments: [
    ("", true),
    ("<figure><img data-src=lazy.jpg alt=B><figcaption>Old</figcaption></figure>", false),
  ])
  func `a figure for browsers without scripts is kept unless it repeats the one before it`(
    _ before: String, _ isKept: Bool
  ) {
    let text = String(
      repeating: "<p>A text, with commas, which is long enough to count.</p>", count: 12)
    let figure = "<noscript> <figure><img src=a.jpg alt=A><figcaption>New</figcaption></figure>"
    let document = Document(
      bytes: Array("<article>\(text)\(before)\(figure)</noscript>\(text)</article>".utf8),
      mediaType: "text/html", view: .reader(ReaderOptions()))
    #expect(document.images.map(\.source).contains("a.jpg") == isKept)
    #expect(String(decoding: document.text, as: UTF8.self).contains("New") == isKept)
  }

  @Test(
    arguments: [
      ("<sup><a href=#n1>1</a></sup>", "<aside id=n1 class=footnote>A first note.</aside>"),
      (
        "<a href=#n1>*</a>",
        "</article><div class=footnotes><p id=n1>A first note. <a href=#r>^</a></p></div>"
      ),
      ("<a href=#n1>[1]</a>", "<footer><ol><li id=n1>A first note.</li><li id=n2>x</ol></footer>"),
      (
        "<a href=#n1>1</a>",
        "<footer class=footnote><a id=n1 href=#r>1</a><p>A first note.</p></footer>"
      ),
    ] as [(mark: String, note: String)])
  func `targets of links in the text are kept`(_ row: (mark: String, note: String)) throws {
    let text = String(
      repeating: "<p>A text, with commas, which is long enough to count.</p>", count: 12)
    let html =
      "<title>T</title><header id=top>Site</header><article id=main><h1 id=t>T</h1>"
      + "<p id=r>It is said\(row.mark) so, <a href=#t>above</a>, <a href=#gone>below</a>.</p>"
      + text + row.note + "</article><footer><p id=gone>\(text)</p></footer>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    let content = String(decoding: document.plainText, as: UTF8.self)
    #expect(content.components(separatedBy: "A first note.").count == 2)
    #expect(!content.contains("Site"))
    let names = document.anchors.map(\.name)
    #expect(names.contains("n1"))
    let title = try #require(document.anchors.first { $0.name == "t" })
    let paragraph = try #require(document.anchors.first { $0.name == "r" })
    #expect(title.offset <= paragraph.offset)
    #expect(document.problems == [])
  }

  @Test func `notes keep their numbers, which are links back to the text`() {
    let text = String(
      repeating: "<p>A text, with commas, which is long enough to count.</p>", count: 12)
    let notes = [(1, "A first note that is long."), (2, "A second note.")].map {
      "<div class=footnote><a id=n\($0) href=#r\($0)>\($0)</a><div><p>\($1)</p></div></div>"
    }
    let html =
      "<title>T</title><article><h1>T</h1><p>It is said<a id=r1 href=#n1>1</a>"
      + " so<a id=r2 href=#n2>2</a>.</p>\(text)\(notes.joined())</article>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    let lines = String(decoding: document.plainText, as: UTF8.self).split(separator: "\n")
    #expect(lines.suffix(2) == ["1 A first note that is long.", "2 A second note."])
  }

  @Test(arguments: ["div", "li", "td", "p", "a"])
  func `hostile cross-references within a page are read`(_ name: String) {
    let html = (0..<3000).map {
      "<sup><a href=#n\($0)>\($0)</a></sup>"
        + "<\(name) class=sidebar id=n\(2999 - $0)>note \($0), and more"
    }
    let document = Document(
      bytes: Array(html.joined().utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    #expect(document.problems == [])
  }

  @Test(
    arguments: [
      (#"{"body":"\(text)"}"#, "this text is from its embedded data"),
      (#"{"body":"Nothing."}"#, "this page has no text"), ("", "this page has no text"),
    ] as [(String, String)])
  func `a page without text shows the text of its script data, or a note`(
    _ state: String, _ note: String
  ) throws {
    let text = String(repeating: "Once there was a text, and only a script knew it. ", count: 5)
    let state = state.replacing("\\(text)", with: text)
    let html = #"<div id=root></div><script type="application/json">"# + state + "</script>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: Self.text)
    #expect(Self.tokens(document).contains("Once") == state.contains("Once"))
    #expect(try #require(document.readerFacts?.notice).contains(note))
  }

  @Test(
    arguments: [
      (
        "<noscript><p>To use this site, please enable JavaScript, or try our apps.</noscript>", true
      ),
      (
        "<noscript><p>We mend gates of all kinds, in wood and in iron, since 1911.</noscript>",
        false
      ),
      ("<p>JavaScript is a language; we explain it to children in the evening.", false),
    ] as [(String, Bool)])
  func `a request for scripts does not take the place of the description`(
    _ content: String, _ isRequest: Bool
  ) throws {
    let html =
      "<meta property=og:description content='The gate is mended although it rained.'>" + content
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: Self.text)
    #expect(Self.tokens(document).contains("mended") == isRequest)
  }

  @Test func `a page without content is shown whole, with folded navigation`() throws {
    let golden = try #require(
      GoldenCase.all(in: "Fixtures/Contents").first { $0.name == "no-content" })
    let bytes = try golden.bytes()
    let folded = Document(
      bytes: bytes, mediaType: "text/html", view: .reader(ReaderOptions()))
    let whole = Document(bytes: bytes, mediaType: "text/html")
    #expect(folded.plainText == whole.plainText)
    #expect(folded.mainContentBlock == whole.mainContentBlock && whole.mainContentBlock > 0)
    let left = Document(
      bytes: bytes, mediaType: "text/html",
      view: .reader(ReaderOptions(showsMetadata: false, foldsNavigation: false)))
    #expect(left.mainContentBlock == 0)
    #expect(!Self.tokens(left).contains("Shop") && Self.tokens(left).contains("Password"))
    #expect(
      folded.readerFacts?.notice == left.readerFacts?.notice && folded.readerFacts?.notice != nil)
  }

  /// The articles and all other fixture pages.
  private static var pages: [GoldenCase] {
    GoldenCase.directories(in: "Fixtures/articles", result: "txt") + GoldenCase.all(in: "Fixtures")
  }
}

@Suite struct NextPageTests {
  @Test(
    arguments: [
      ("https://a.test/story", "/story/2", true), ("https://a.test/story", "/story?page=2", true),
      ("https://a.test/story/", "page/2/", true), ("https://a.test/s.html", "s-2.html", true),
      ("https://a.test/s-2.html", "/s-3.html", true), ("https://a.test/s?p=2", "?p=3", true),
      ("https://a.test/s?id=7", "?id=7&page=2", true),
      ("https://a.test/s.html", "/s.html?page=2", true),
      ("https://a.test/s.html", "/s?page=2", true),
      ("https://a.test/S-4711.html?seite=2", "/S-4711.html?seite=3", true),
      ("https://a.test/s.php", "/s.php?page=2", true), ("https://a.test/s.php", "/t?page=2", false),
      ("https://a.test/s.html", "/t.html?page=2", false),
      ("https://a.test/s-2.html", "/s-4.html", false),
      ("https://a.test/s-2.html", "/s-1.html", false),
      ("https://a.test/story", "/story/3", false), ("https://a.test/story", "/other/2", false),
      ("https://a.test/story", "https://b.test/story/2", false),
      ("https://a.test/2024", "/2025", false), ("https://a.test/story", "/story#2", false),
      ("https://a.test/post/41", "/post/43", false), ("", "/story/2", false),
      ("https://a.test/post/41", "/post/41/2", true), ("https://a.test/post/41", "?page=2", true),
      ("https://a.test/s-12.html", "/s-12-2.html", true), ("https://a.test/s-12", "/s-12/3", false),
      ("https://a.test/s/12?p=2", "/s/12?p=3", true), ("https://a.test/s/12", "/s/2", false),
      ("https://a.test/story", "/story-p2.html", true),
      ("https://a.test/story.html", "/story/page2", true),
      ("https://a.test/story", "/storyp2", false),
    ] as [(url: String, target: String, isNext: Bool)])
  func `the next part of an article is offered, and the next article is not`(
    _ row: (url: String, target: String, isNext: Bool)
  ) throws {
    let html = "<p>A story, in parts, of which this is one.</p><a href=\"\(row.target)\">&gt;</a>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: row.url, view: .reader(ReaderOptions()))
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.hasSuffix("Next page\n") == row.isNext)
    if row.isNext { #expect(document.links.last?.target == row.target) }
  }

  @Test(
    arguments: [
      ("<a href=/p1.html>Chapter 1</a><a href=/p2.html>Chapter 2</a>", nil),
      ("<a href=/p1.html>The sea</a><a href=/p2.html>2: the land</a>", nil),
      ("<a href=/p1.html>1</a><a href=/p2.html>2</a>", "/p2.html"),
      ("<a href=/p2.html>Chapter 2</a>", "/p2.html"),
    ] as [(String, String?)])
  func `in a list of parts all links are kept, and only numbered pages have a next page`(
    _ links: String, _ next: String?
  ) {
    let bytes = Array("<h1>Guide</h1><p>Welcome to it, it has several parts.<p>\(links)".utf8)
    let url = "https://a.test/"
    let document = Document(
      bytes: bytes, mediaType: "text/html", url: url, view: .reader(ReaderOptions()))
    #expect(document.readerFacts?.nextPageURL == next)
    #expect(
      Document(bytes: bytes, mediaType: "text/html", url: url).nextPartReference(of: url) == next)
    let chapter = next == nil ? document.links.contains { $0.target == "/p2.html" } : true
    #expect(chapter)
  }

  @Test(
    arguments: [
      ("2", true), ("Part 2: the mayor goes home", true), ("next", true), ("»", true), ("२", true),
      ("", true), ("The mayor goes home", false), ("In 3 parts", false), ("See also", false),
    ] as [(String, Bool)])
  func `a link to the next page number is the next part unless its text contradicts`(
    linkText: String, isNext: Bool
  ) {
    let others = "<li><a href=/p7.html>Tides</a><li><a href=/p9.html>Maps</a>"
    let document = Document(
      bytes: Array(
        "<article><p>A story, of which this is one.</p><ul><li><a href=/p2.html>\(linkText)</a>\(others)</ul>"
          .utf8), mediaType: "text/html", url: "https://a.test/p1.html",
      view: .reader(ReaderOptions()))
    #expect(document.readerFacts?.nextPageURL == (isNext ? "/p2.html" : nil))
    guard !linkText.isEmpty else { return }
    let page = Document(
      bytes: Array("<ul><li><a href=/p2.html>\(linkText)</a>\(others)</ul>".utf8),
      mediaType: "text/html", url: "https://a.test/p1.html")
    #expect(page.nextPartReference(of: "https://a.test/p1.html") == (isNext ? "/p2.html" : nil))
  }

  @Test(arguments: [
    "/story?cursor=abc>Next page »", "/s/b>Nächste Seite", "?debut=20>Page suivante",
    "/x>Halaman Selanjutnya", "/x>Επόμενη σελίδα »", "/x>Наступна сторінка", "/x>หน้าถัดไป",
    "/x>Página siguiente", "/x>Pagina successiva", "/x>Próxima página", "/x>Volgende pagina",
    "/x>次のページへ", "/x>下一页", "/x>СЛЕДУЮЩАЯ СТРАНИЦА",
    "?page=1>Next", "?start=15>Weiter", "?cursor=z>→", "/story/part-three rel=next>On it goes",
    "/story_b>Suivant",
  ])
  func `the next-page link is offered below the text and removed from it`(_ link: String) {
    let document = Self.page(with: "<p><b>1</b> <a href=\(link)</a> <a href=/story?x>Last</a></p>")
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.hasSuffix("in the text of it.\nNext page\n"))
    #expect(document.readerFacts?.nextPageURL.map { link.hasPrefix($0) } == true)
  }

  @Test(arguments: [
    "/other rel=next>Next: the mayor resigns", "/other>Next", "/news/other rel=next>Next",
    "https://b.test/story?page=x>Next page", "?id=8>Next", "#next>Next page",
    "https://a.test/story>Next page", "/other>Next page of history: the mayor resigns",
  ])
  func `a link to the next item is not offered as the next page`(_ link: String) {
    let document = Self.page(with: "<p><a href=\(link)</a></p>")
    #expect(document.readerFacts?.nextPageURL == nil)
  }

  @Test
  func `the head can name the next page, and a link within a sentence is kept there`() {
    let head = Self.page(with: "<link rel='prefetch next' href=/story/part-2b>")
    #expect(head.readerFacts?.nextPageURL == "/story/part-2b")
    let inside = Self.page(with: "<p>This goes on, and on, on the <a href=/x>next page</a>, too.")
    #expect(inside.readerFacts?.nextPageURL == "/x")
    #expect(String(decoding: inside.plainText, as: UTF8.self).contains("on the next page, too."))
  }

  @Test(
    arguments: [
      ("<a href=/second>Next page</a>", "/second"), ("<a href=/b>Nächste Seite »</a>", "/b"),
      ("<a href=?start=15>Weiter</a>", "?start=15"),
      ("<link rel=next href=/story/two>", "/story/two"),
      ("<link rel=next href='/story?page=2'>", "/story?page=2"),
      ("<a href=/story/2>2</a> <a href=/x>Next page</a>", "/story/2"),
      ("<a href=/x>Next page</a> <a href=/story/2>2</a>", "/story/2"),
      ("<link rel=next href=/another-story>", nil), ("<link rel=next href=/story2>", nil),
      ("<link rel=next href=/2>", nil), ("<a href=/other>Next</a>", nil),
      ("<a href=https://b.test/s>Next page</a>", nil), ("<a href=#more>Next page</a>", nil),
      ("<a href=/x>The next page of history</a>", nil), ("<iframe src=/x></iframe>", nil),
    ] as [(String, String?)])
  func `a labelled link or rel=next leads to the next part to save`(
    _ links: String, _ next: String?
  ) {
    let url = "https://a.test/story"
    let document = Document(
      bytes: Array("\(links)<p>A story, of which this is one part.</p>".utf8),
      mediaType: "text/html", url: url)
    #expect(document.nextPartReference(of: url) == next)
  }

  private static func page(with links: String) -> Document {
    let text = String(
      repeating: "<p>A story, in parts, of which this is one, and all is in the text of it.</p>",
      count: 12)
    return Document(
      bytes: Array("<article>\(text)\(links)</article>".utf8), mediaType: "text/html",
      url: "https://a.test/story", view: .reader(ReaderOptions()))
  }

  @Test func `site preferences select the content`() throws {
    let html = """
      <div class=teaser><p>Long, long teaser, with commas, and more text than the rest of it has.</p></div>
      <div id=text class="a b"><p>The text.</p><p class=ad>Buy!</p></div>
      """
    var options = ReaderOptions()
    options.contentSelectors = try #require(ComplexSelector.parseList("div#text.b"))
    options.removalSelectors = try #require(ComplexSelector.parseList("p.ad"))
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: .reader(options))
    #expect(document.plainText == Array("1 min (2 words)\nThe text.\n".utf8))
    for text in [
      "", "div + p", "a:hover", "[data-x]", "nonsense", "div >", "> div", "a > > b", "a,",
      "body", "main body.dark",
    ] {
      #expect(ComplexSelector.parseList(text) == nil, "\(text)")
    }
  }

  @Test func `adjacent dates and links are separated from words, as most style sheets show them`()
    throws
  {
    let html = """
      <main><p><a href="/u/ann">ann</a><time datetime="2026-03-01">March 1</time><span>1</span></p>
      <p>On <time>Monday</time>, <a href="/a">Privacy</a><a href="/b">Contact</a><a href="/b">s</a></p>
      <p>In <a href="/d">one</a>word and <a href="/e">[1]</a><a href="/f">[2]</a></p></main>
      """
    var options = ReaderOptions(showsMetadata: false)
    options.contentSelectors = try #require(ComplexSelector.parseList("main"))
    func text(_ view: PageViewMode) -> String {
      let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: view)
      return String(decoding: document.plainText, as: UTF8.self)
    }
    #expect(
      text(.reader(options))
        == "ann March 1 1\nOn Monday, Privacy Contacts\nIn oneword and [1][2]\n")
    #expect(text(.page).contains("ann March 1 1") && text(.page).contains("Privacy Contacts"))
  }

  @Test func `each kept part keeps the language and direction of its ancestors`() throws {
    let html = """
      <section lang=en dir=ltr><div class=post><p>one</div></section>
      <section lang=ar dir=rtl><div dir=none><div class=post><p>two</div></section><div class=post><p>three</div>
      """
    var options = ReaderOptions(showsMetadata: false)
    options.contentSelectors = try #require(ComplexSelector.parseList(".post"))
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: .reader(options))
    let parts = document.locales.map {
      "\($0.start) \($0.language) \($0.direction?.rawValue ?? "")"
    }
    #expect(parts == ["0 en ltr", "3 ar rtl", "6  "])
  }

  @Test(
    arguments: [
      ("p", "one two three four"), ("main > p", "one"), ("main p", "one two three"),
      ("section > div > p", "two"), ("main>section p", "two"),
      ("div p, aside", "two three four"),
      ("main > div p", "three"), ("section div > div > p", "three"), ("main section > p", ""),
      ("[class=\"a > b\"] p", "four"), ("html > body main p", "one two three"),
      ("body > main > p", "one"), ("body > section p", ""), ("body.k > aside > p", "four"),
      (".k div > div > p", "three"), ("html.k main p", ""), ("#h #b aside p", "four"),
      ("[class=\"a, b\"] p", ""),
      ("[class=\"a] > b\"], main > p", "one"),
    ] as [(String, String)])
  func `selectors match by ancestors`(text: String, expected: String) throws {
    let html = """
      <html id=h><body id=b class=k><main><p>one</p><section><div><p>two</p></div></section>
      <div><section><div><div><p>three</p></div></div></section></div></main><aside class="a > b"><b>gone</b><p>four</aside>
      """
    var options = ReaderOptions(showsMetadata: false)
    options.contentSelectors = try #require(ComplexSelector.parseList(text))
    options.removalSelectors = try #require(ComplexSelector.parseList("nav, aside > b"))
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: .reader(options))
    let words = String(decoding: document.plainText, as: UTF8.self).split { $0.isWhitespace }
    // If nothing matches, the view is the same as without a selector.
    #expect(words.joined(separator: " ") == (expected.isEmpty ? "one two three four" : expected))
  }
}
