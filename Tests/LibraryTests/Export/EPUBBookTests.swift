import Exchange
import ReaderMode
import Foundation
import Document
import Pages
import Testing

@Suite struct EPUBBookTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]
  private static let date = Date(timeIntervalSince1970: 1_795_256_130)

  private static func document(_ html: String, url: String) -> Document {
    Document(bytes: Array(html.utf8), mediaType: "text/html", url: url)
  }

  /// Returns the texts of the files of a book by their paths.
  private static func book(
    _ pages: [(url: String, html: String)], title: String = "",
    images: [String: [UInt8]] = [:]
  ) -> [String: String] {
    var book = EPUBBook(
      BookMetadata(title: title, date: date, urls: pages.map(\.url)))
    var entries = book.begin()
    for (url, html) in pages {
      entries += book.add(BookPage(url: url, document: document(html, url: url), images: images))
    }
    entries += book.finish()
    return Dictionary(
      entries.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) },
      uniquingKeysWith: { first, _ in first })
  }

  @Test func `the mimetype entry comes first and is uncompressed`() {
    let entries = EPUBBook(BookMetadata(date: Self.date, urls: [])).begin()
    #expect(entries[0].path == "mimetype" && entries[0].isStored)
    #expect(entries[0].bytes == Array("application/epub+zip".utf8))
    #expect(entries[1].path == "META-INF/container.xml")
  }

  @Test func `a link to a URL that redirects to a page of the book leads to the page`() {
    var description = BookMetadata(
      date: Self.date, urls: ["https://a.test/1", "https://a.test/new"])
    description.redirects = [
      "https://a.test/old": "https://a.test/new", "https://a.test/lost": "https://b.test/",
    ]
    var book = EPUBBook(description)
    let page = Self.document(
      "<title>One</title><p><a href=/old#x>old</a> <a href=/lost>lost</a>", url: "https://a.test/1")
    let entries = book.add(BookPage(url: "https://a.test/1", document: page))
    let text = String(decoding: entries.last?.bytes ?? [], as: UTF8.self)
    #expect(text.contains("href=\"page-0002.xhtml#x\""), "\(text)")
    #expect(text.contains("href=\"https://a.test/lost\""), "\(text)")
  }

  @Test func `pages, contents and package refer to each other`() throws {
    let book = Self.book([
      ("https://a.test/1", "<html lang=de><title>One & <two></title><p>x"),
      ("https://a.test/2", "<title>Two</title><h1>Two</h1><p>y"),
      ("https://a.test/3", "<p>no title"),
    ])
    let package = try #require(book["EPUB/content.opf"])
    for part in [
      "<dc:title>One &amp; &lt;two&gt; and 2 more</dc:title>", "<dc:language>de</dc:language>",
      "<meta property=\"dcterms:modified\">2026-11-21T10:15:30Z</meta>",
      "href=\"page-0001.xhtml\"", "href=\"page-0003.xhtml\"", "<itemref idref=\"p3\"/>",
    ] {
      #expect(package.contains(part), "\(part)")
    }
    let contents = try #require(book["EPUB/nav.xhtml"])
    #expect(contents.contains("<a href=\"page-0001.xhtml\">One &amp; &lt;two&gt;</a>"))
    #expect(contents.contains("<a href=\"page-0003.xhtml\">https://a.test/3</a>"))
    let second = try #require(book["EPUB/page-0002.xhtml"])
    #expect(second.split(separator: "<h1>").count == 2)
    #expect(second.contains("<a href=\"https://a.test/2\">https://a.test/2</a>"))
  }

  @Test func `pages have their direction, and the book that of most of them`() throws {
    let right = "<html lang=ar dir=rtl><title>T</title><p>x"
    let left = "<html lang=en><title>T</title><p>x"
    for (pages, isRight) in [([right, left, right], true), ([left, right, left], false)] {
      let book = Self.book(
        pages.enumerated().map { (url: "https://a.test/\($0.offset)", html: $0.element) })
      for (index, page) in pages.enumerated() {
        let text = try #require(book["EPUB/page-000\(index + 1).xhtml"])
        #expect(text.contains("xml:lang=\"ar\" dir=\"rtl\">") == (page == right), "\(text)")
        #expect(text.contains(" dir=") == (page == right))
      }
      #expect(book["EPUB/nav.xhtml"]?.contains(" dir=\"rtl\"") == isRight)
      let package = try #require(book["EPUB/content.opf"])
      #expect(package.contains("<spine page-progression-direction=\"rtl\">") == isRight)
      #expect(package.contains("<dc:language>\(isRight ? "ar" : "en")</dc:language>"))
    }
  }

  @Test func `the same pages give the same book identifier`() throws {
    let pages = [("https://a.test/1", "<p>x")]
    let first = try #require(Self.book(pages)["EPUB/content.opf"])
    #expect(first == Self.book(pages)["EPUB/content.opf"])
    #expect(first != Self.book([("https://a.test/2", "<p>x")])["EPUB/content.opf"])
    let uuid = try #require(first.range(of: "urn:uuid:").map { first[$0.upperBound...].prefix(36) })
    #expect(UUID(uuidString: String(uuid)) != nil)
  }

  @Test(
    arguments: [
      ("/2", "page-0002.xhtml"), ("https://A.test/2#part", "page-0002.xhtml#part"),
      ("/2#:~:text=y", "page-0002.xhtml"), ("/2#", "page-0002.xhtml"), ("#here", nil), ("#", nil),
      ("https://b.test/a b", "https://b.test/a%20b"),
      ("https://b.test/[x]|{y}", "https://b.test/%5Bx%5D%7C%7By%7D"),
      ("https://b.test/100%", "https://b.test/100%25"),
      ("https://b.test/%41?a=1&b=^", "https://b.test/%41?a=1&amp;b=%5E"),
      ("https://[::1]/x", "https://[::1]/x"), ("mailto:a@b.test", "mailto:a@b.test"),
      ("javascript:x", nil), ("file:///x", nil), ("https://b.test/#a#b", "https://b.test/#a%23b"),
    ] as [(String, String?)])
  func `links lead to pages of the book, or otherwise to valid web URLs`(
    _ target: String, _ expected: String?
  ) throws {
    let book = Self.book([
      ("https://a.test/1", "<title>t</title><p><a href=\"\(target)\">link</a>"),
      ("https://a.test/2", "<p>y"),
    ])
    let page = try #require(book["EPUB/page-0001.xhtml"])
    let link = expected.map { "<p><a href=\"\($0)\">link</a></p>" } ?? "<p>link</p>"
    #expect(page.contains(link), "\(page)")
  }

  /// Returns the violations of the rules for IDs and links: IDs are valid and unique in a file, and
  /// every link within the book leads to a file and an ID in it.
  private static func linkProblems(_ book: [String: String]) -> [String] {
    var problems: [String] = []
    let ids = book.mapValues { $0.matches(of: #/ id="([^"]*)"/#).map { String($0.1) } }
    for (path, text) in book where path.hasSuffix(".xhtml") {
      let own = ids[path] ?? []
      if Set(own).count != own.count { problems.append("\(path): duplicate IDs in \(own)") }
      for id in own where id.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9._-]*/#) == nil {
        problems.append("\(path): invalid ID \(id)")
      }
      for match in text.matches(of: #/<a href="([^":]*)"/#) {
        let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target = ids[parts[0].isEmpty ? path : "EPUB/\(parts[0])"]
        if target == nil || parts.count == 2 && target?.contains(String(parts[1])) != true {
          problems.append("\(path): \(match.1) leads nowhere")
        }
      }
    }
    return problems
  }

  @Test func `links within pages and to parts of other pages lead to IDs that exist`() throws {
    let book = Self.book([
      (
        "https://a.test/1",
        """
        <title>One</title><p>Text<sup id=r1><a href=#fn1>1</a></sup>, <a href=#gone>gone</a>,
        <a href=/1#s2>own</a>, <a href=/2#later>later</a>, <a href=/2#nowhere>nowhere</a>,
        <a href=/2#user>user</a>, <a href=/2#a%3Ab>colon</a>.
        <h2 id=s2>Section</h2><p id=s2>Twice.<ol><li id=fn1>Note <a href=#r1>back</a></ol><p id=end>
        """
      ),
      (
        "https://a.test/2",
        """
        <title>Two</title><p><a href=/1#s2>section</a>, <a href=/1#none>none</a>,
        <a href=/1#end>end</a>, <a href=#é>é</a>, <a href=#7>7</a>.
        <h2 id=later>Later</h2><p id=a:b>x<p id=user-content-user>y<p id=é>z<table><tr><td id=7>7
        </table><pre>1\n<a name=L2></a>2</pre>
        """
      ),
    ])
    #expect(Self.linkProblems(book) == [])
    let first = try #require(book["EPUB/page-0001.xhtml"])
    let second = try #require(book["EPUB/page-0002.xhtml"])
    for link in [
      "<a href=\"#fn1\">", "<a href=\"#r1\">", "<a href=\"page-0001.xhtml#s2\">",
      "<a href=\"page-0002.xhtml#later\">", "<a href=\"page-0002.xhtml#user\">",
      "<a href=\"page-0002.xhtml#a_3ab\">", "<h2><span id=\"s2\"></span>Section</h2>",
      "<span id=\"fn1\"></span>Note", "gone,",
    ] {
      #expect(first.contains(link), "\(link): \(first)")
    }
    for link in [
      "<a href=\"page-0001.xhtml#s2\">", "<a href=\"page-0001.xhtml\">none</a>",
      "<a href=\"page-0001.xhtml#end\">", "<a href=\"#_c3_a9\">", "<a href=\"#_7\">",
      "<span id=\"nowhere\"></span>", "<span id=\"L2\"></span>",
    ] {
      #expect(second.contains(link), "\(link): \(second)")
    }
  }

  @Test func `the check of links finds violations`() {
    let file = "EPUB/page-0001.xhtml"
    for page in [
      "<p id=\"a\"/><p id=\"a\"/>", "<p id=\"1\"/>", "<a href=\"#a\">", "<a href=\"no.xhtml\">",
    ] {
      #expect(Self.linkProblems([file: page]).count == 1, "\(page)")
    }
    #expect(Self.linkProblems([file: "<p id=\"a\"/><a href=\"#a\"><a href=\"x:#b\">"]) == [])
  }

  @Test(
    arguments: [
      (["A & B"], "<dc:creator>A &amp; B</dc:creator>\n<dc:date>2020-05-06</dc:date>\n"),
      (["A", "", "B", "A"], "<dc:creator>A</dc:creator>\n<dc:creator>B</dc:creator>\n"), ([""], ""),
    ] as [([String], String)])
  func `a book names the authors of its pages, and the date of a single page`(
    _ authors: [String], _ elements: String
  ) throws {
    let urls = authors.indices.map { "https://a.test/\($0)" }
    var book = EPUBBook(BookMetadata(date: Self.date, urls: urls))
    for (author, url) in zip(authors, urls) {
      var metadata = PageMetadata()
      metadata.byline = author
      metadata.date = author.isEmpty ? "" : "2020-05-06T07:08:09Z"
      var document = Self.document("<p>x", url: url)
      document.readerFacts = ReaderFacts(
        metadata: metadata, wordCount: 1, kind: .article, contentSource: .visiblePage,
        nextPageURL: nil, trace: [])
      _ = book.add(BookPage(url: url, document: document))
    }
    let package = try #require(book.finish().last)
    let text = String(decoding: package.bytes, as: UTF8.self)
    let expected = "</dc:language>\n" + elements + "<meta property=\"dcterms:modified\">"
    #expect(text.contains(expected), "\(text)")
  }

  @Test func `an image is included once, if its format is supported in EPUB`() throws {
    let html = "<p>a <img src=i.png alt=I> b <img src=v.avif alt=V> c <img src=none.png alt=N>"
    let avif: [UInt8] = [0, 0, 0, 20] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("mif1".utf8)
    let book = Self.book(
      [("https://a.test/1", html), ("https://a.test/2", html)],
      images: ["https://a.test/i.png": Self.png, "https://a.test/v.avif": avif])
    #expect(book.keys.filter { $0.hasPrefix("EPUB/images/") } == ["EPUB/images/1.png"])
    for name in ["EPUB/page-0001.xhtml", "EPUB/page-0002.xhtml"] {
      let page = try #require(book[name])
      #expect(page.contains("<img src=\"images/1.png\" alt=\"I\"/> b V c N"), "\(page)")
    }
    #expect(
      book["EPUB/content.opf"]?.contains("href=\"images/1.png\" media-type=\"image/png\"") == true)
  }

  @Test func `a cleaned SVG is included in a book, and WebP is not, as old readers reject it`()
    throws
  {
    let svg = "<?xml version='1.0'?><svg onload='x()'><script>x()</script><rect width='1'/></svg>"
    let webp = Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBPVP8 ".utf8)
    let book = Self.book(
      [("https://a.test/1", "<p>a <img src=v.svg alt=V> b <img src=w.webp alt=W>")],
      images: ["https://a.test/v.svg": Array(svg.utf8), "https://a.test/w.webp": webp])
    let drawn = try #require(book["EPUB/images/1.svg"])
    #expect(drawn.contains("<rect width=\"1\"></rect>") && !drawn.contains("x()"))
    let package = try #require(book["EPUB/content.opf"])
    #expect(package.contains("href=\"images/1.svg\" media-type=\"image/svg+xml\""))
    #expect(!package.contains("webp"))
    let page = try #require(book["EPUB/page-0001.xhtml"])
    #expect(page.contains("src=\"images/1.svg\" alt=\"V\"") && page.contains(" b W"))
  }

  @Test func `a book without pages, or with duplicate pages, is valid`() throws {
    #expect(Self.book([])["EPUB/nav.xhtml"]?.contains("No pages") == true)
    let twice = Self.book([("https://a.test/1", "<p>x"), ("https://a.test/1", "<p>x")])
    #expect(twice.keys.filter { $0.contains("page-") } == ["EPUB/page-0001.xhtml"])
    #expect(twice["EPUB/content.opf"]?.contains("<dc:language>und</dc:language>") == true)
  }

  /// Problems that `epubcheck` found in web pages, and requirements of XML.
  @Test(
    arguments: [
      ("<p>a<br>b & c", "<p>a<br/>\nb &amp; c</p>"), ("<hr>", "<hr/>"),
      ("<dl><dt>t<dd>d</dl>", "<dl>\n<dt>t</dt>\n<dd>d</dd>\n</dl>"),
      ("<dl><dd>d<dt>t</dl>", "<div>\n<div>d</div>\n<p>t</p>\n</div>"),
      (
        "<details open><summary>s</summary>t</details>",
        "<details open=\"open\">\n<summary>s</summary>"
      ),
      (
        "<table><tr><th>a<td align=right>1<tr><td>b<td>2</table>",
        "<td style=\"text-align: right\">"
      ),
      ("<table><tr><th><h3>a</h3><td>1<tr><td>b<td>2</table>", "<td><h3>a</h3>"),
      ("<ol start=3><li>x</ol>", "<ol start=\"3\">\n<li>"),
      (
        "<figure><p>a<figcaption>c</figcaption><p>b</figure>",
        "<figure>\n<p>a</p>\n<div>c</div>\n<p>b</p>\n</figure>"
      ),
      (
        "<figure><p>a<figcaption>c</figcaption></figure>",
        "<figure>\n<p>a</p>\n<figcaption>c</figcaption>\n</figure>"
      ),
      ("<p>a\u{FFFE}\u{FFFF}b\u{1}", "<p>ab\u{FFFD}</p>"),
    ] as [(String, String)])
  func `pages are XHTML valid for EPUB`(_ html: String, _ expected: String) throws {
    let page = try #require(
      Self.book([("https://a.test/1", "<title>t</title>" + html)])["EPUB/page-0001.xhtml"])
    #expect(page.contains(expected), "\(page)")
  }

  @Test func `every tag is closed in order, whatever the page is`() throws {
    let html = """
      <title>"t" & <b></title><p>a <b>b <i>c</b> d</i> <a href='x"y&z'>l</a><table><caption>c<tr><td>
      <ul><li>x<ol><li>y</ul><dl><dd>only</dl></table><blockquote><details><summary><h2>s</h2></summary>
      <pre>p & <b>q</b>\n</pre></details><img src=a alt='"&<>'><figure><figcaption>f</figure><textarea>
      """
    let book = Self.book([("https://a.test/1?a=1&b='<", html)], title: "A & B")
    for (path, text) in book where !path.hasSuffix(".css") && path != "mimetype" {
      var open: [Substring] = []
      var rest = text[...]
      while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
        #expect(
          !rest[..<start].contains(">") && !rest[rest.index(after: start)..<end].contains("<"))
        let tag = rest[rest.index(after: start)..<end]
        rest = rest[rest.index(after: end)...]
        if tag.hasPrefix("?") || tag.hasPrefix("!") || tag.hasSuffix("/") { continue }
        if tag.hasPrefix("/") {
          #expect(open.popLast() == tag.dropFirst(), "\(path)")
        } else {
          open.append(tag.prefix { $0 != " " && $0 != "\n" })
        }
      }
      #expect(open == [], "\(path)")
      #expect(!text.contains("& "), "\(path)")
    }
  }
}
