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
      BookMetadata(title: title, creator: "C & D", date: date, urls: pages.map(\.url)))
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
    #expect(text.contains("href=\"page-0002.xhtml\""), "\(text)")
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
      "<dc:creator>C &amp; D</dc:creator>",
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
      ("/2", "page-0002.xhtml"), ("https://A.test/2#part", "page-0002.xhtml"), ("#here", nil),
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
  @Test(arguments: [
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
  ])
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
