import Feeds
import Pages
import Sandbox
import TestSupport
import Testing

@Suite struct OPMLTests {
  private static func outlines(_ body: String) throws -> [OPML.Outline] {
    let text = "<opml version=\"2.0\"><head><title>L</title></head><body>\(body)</body></opml>"
    return try #require(OPML(Array(text.utf8))).outlines
  }

  @Test func `folders become tags`() throws {
    let outlines = try Self.outlines(
      """
      <outline text="News"><outline text="Local">
        <outline type="rss" text="A &amp; B" xmlUrl="https://a.test/feed" htmlUrl="https://a.test/"/>
      </outline><outline title="T" text="t" xmlUrl="https://b.test/feed"/></outline>
      <outline text="top" xmlUrl="feed://c.test/feed" category="/News/World,misc" description="d"/>
      <outline text="page" type="link" url="https://d.test/"/><outline text="note"/>
      """)
    #expect(outlines.map(\.title) == ["A & B", "T", "top", "page"])
    #expect(outlines.map(\.tags) == [["News", "Local"], ["News"], ["News", "World", "misc"], []])
    #expect(
      outlines.map(\.feedURL)
        == ["https://a.test/feed", "https://b.test/feed", "http://c.test/feed", nil])
    #expect(outlines[0].siteURL == "https://a.test/" && outlines[3].siteURL == "https://d.test/")
    #expect(outlines[2].descriptionLine == "d")
  }

  @Test func `ampersands of URLs may be escaped twice`() throws {
    let outlines = try Self.outlines(
      "<outline xmlUrl=\"https://a.test/?a&amp;amp;b\" htmlUrl=\"//c.test/?a&amp;b\"/>"
        + "<outline type=\"link\" url=\"https://b.test/?a&amp;amp;b=&amp;amp;\"/>")
    #expect(outlines.map(\.feedURL) == ["https://a.test/?a&b", nil])
    #expect(outlines.last?.siteURL == "https://b.test/?a&b=&")
  }

  @Test func `the episodes that a podcast player lists below a feed are not pages`() throws {
    let outlines = try Self.outlines(
      """
      <outline text="feeds"><outline type="rss" text="Pod" xmlUrl="https://a.test/feed">
        <outline type="podcast-episode" title="One" url="https://a.test/1" played="1"
          enclosureUrl="https://a.test/1.mp3"/>
      </outline></outline><outline type="link" text="page" url="https://b.test/"/>
      """)
    #expect(outlines.map(\.title) == ["Pod", "page"])
    #expect(outlines[0].feedURL == "https://a.test/feed" && outlines[0].tags == ["feeds"])
  }

  @Test(
    arguments: [
      ("<outline text=a xmlUrl=https://a.test/feed/>", ["https://a.test/feed"]),
      ("<outline text=\"a\" xmlURL=\"https://a.test/?a=1&b=2\">", ["https://a.test/?a=1&b=2"]),
      (
        "<OUTLINE XMLURL='https://a.test/'/><outline xmlUrl='https://a.test/'/>",
        ["https://a.test/"]
      ),
      ("<outline xmlUrl='javascript:x'/><outline xmlUrl=''/><outline/>", []),
      ("<outline text='<b>' xmlUrl='https://a.test/'/>", ["https://a.test/"]),
      ("<outline text='f'><outline xmlUrl='https://a.test/'", ["https://a.test/"]),
      (
        "<outline text='f'><outline xmlUrl='https://a.test/'><outline xmlUrl='https://b.test/'/>",
        ["https://a.test/", "https://b.test/"]
      ),
    ] as [(String, [String])])
  func `a malformed list yields its readable entries`(_ body: String, _ urls: [String]) throws {
    #expect(try Self.outlines(body).compactMap(\.feedURL) == urls)
  }

  @Test(
    arguments: [
      ("itpc://a.test/f", "http://a.test/f", 0), ("pcast:https://a.test/f", "https://a.test/f", 0),
      ("feed:https://a.test/f", "https://a.test/f", 0), ("FEED://a.test/f", "http://a.test/f", 0),
      ("a.test/f?x=1", "https://a.test/f?x=1", 0), ("//a.test/f", "https://a.test/f", 0),
      ("feed:a.test:8080/f", "https://a.test:8080/f", 0), (" http://a.test/ ", "http://a.test/", 0),
      ("feed.xml", nil, 1), ("feeds/a.xml", nil, 1), ("/a.test/f", nil, 1), ("a..test/f", nil, 1),
      ("gemini://a.test/f", nil, 1), ("a.test:x/f", nil, 1), ("me@a.test/f", nil, 1), (" ", nil, 0),
    ] as [(String, String?, Int)])
  func `the URL of a feed may lack its scheme, and entries without a web URL are counted`(
    _ url: String, _ expected: String?, _ skipped: Int
  ) throws {
    let text = "<opml><body><outline text='x' type='rss' xmlUrl='\(url)'/></body></opml>"
    let list = try #require(OPML(Array(text.utf8)))
    #expect(list.outlines.first?.feedURL == expected && list.skippedCount == skipped)
  }

  @Test func `an entry without a web URL is not a folder, and its page is kept`() throws {
    let text =
      "<opml><body><outline text='a' xmlUrl='ftp://a.test/'><outline text='b' xmlUrl='http://b.test/'/>"
      + "</outline><outline text='c' xmlUrl='ftp://c.test/' htmlUrl='http://c.test/'/></body></opml>"
    let list = try #require(OPML(Array(text.utf8)))
    #expect(list.outlines.map(\.title) == ["b", "c"] && list.outlines.allSatisfy(\.tags.isEmpty))
    #expect(list.outlines[1].siteURL == "http://c.test/" && list.skippedCount == 1)
  }

  @Test(
    arguments: [
      ("htmlUrl='http://a.test/'", ["News"], 0), ("url='http://a.test/'", ["News"], 0),
      ("htmlUrl='news.html'", ["News"], 0), ("url='/news'", ["News"], 0), ("url=''", ["News"], 0),
      ("xmlUrl='ftp://a.test/' htmlUrl='news.html'", [], 1),
    ] as [(String, [String], Int)])
  func `a folder of feeds may have a URL, which is not a page`(
    _ attributes: String, _ tags: [String], _ skipped: Int
  ) throws {
    let text =
      "<opml><body><outline text='News' \(attributes)><outline text='A' xmlUrl='http://a.test/'/>"
      + "</outline><outline text='B' htmlUrl='b.html'/></body></opml>"
    let list = try #require(OPML(Array(text.utf8)))
    #expect(list.outlines.map(\.tags) == [tags] && list.skippedCount == skipped + 1)
  }

  @Test func `a page with further pages is a page and a folder`() throws {
    let outlines = try Self.outlines(
      "<outline text='A' url='http://a.test/'><outline text='B' url='http://b.test/'/></outline>")
    #expect(outlines.map(\.title) == ["A", "B"] && outlines.map(\.tags) == [[], ["A"]])
  }

  @Test(
    arguments: [
      ("type='rss' url='http://a.test/a.rss'", "http://a.test/a.rss", nil),
      (
        "url='http://a.test/a.rss' type='Atom' htmlUrl='http://a.test/'", "http://a.test/a.rss",
        "http://a.test/"
      ),
      (
        "type='rss' xmlUrl='http://a.test/f' url='http://a.test/'", "http://a.test/f",
        "http://a.test/"
      ),
      ("type='link' url='http://a.test/a.rss'", nil, "http://a.test/a.rss"),
      ("type='rss' htmlUrl='http://a.test/'", nil, "http://a.test/"),
    ] as [(String, String?, String?)])
  func `the URL of an entry is a feed if its type says so`(
    _ attributes: String, _ feed: String?, _ site: String?
  ) throws {
    let outlines = try Self.outlines("<outline text='A' \(attributes)/>")
    #expect(outlines.map(\.feedURL) == [feed] && outlines.map(\.siteURL) == [site])
  }

  @Test(arguments: ["", "{}", "<html><p>x", "<rss></rss>", "\u{0}<<<>>>&"])
  func `other texts are not lists`(_ text: String) {
    #expect((OPML(Array(text.utf8)) == nil) == !text.contains("body"))
  }

  @Test(
    arguments: [
      ("A &amp;amp; B", "A & B"), ("It&amp;#39;s", "It's"), ("A &amp; B", "A & B"),
      ("R&amp;D", "R&D"), ("Fish&amp;notes", "Fish&notes"),
    ] as [(String, String)])
  func `a title that is escaped twice is shown as text`(_ text: String, _ title: String) throws {
    let list = try #require(
      OPML(Array("<opml><body><outline text=\"\(text)\" xmlUrl='https://a.test/f'/>".utf8)))
    #expect(list.outlines.map(\.title) == [title])
  }

  @Test func `a written list is read back`() throws {
    var list = OPML()
    list.title = "Mine \"&\" <yours>"
    list.outlines = [
      OPML.Outline(
        title: "A & <B> \"c\" 'd'", feedURL: "https://a.test/feed?a=1&b=2",
        siteURL: "https://a.test/", tags: ["x", "y z"], descriptionLine: "n"),
      OPML.Outline(title: "tab\tline\u{1}", feedURL: "https://b.test/feed"),
      OPML.Outline(title: "same folder", feedURL: "https://c.test/feed", tags: ["x"]),
      OPML.Outline(title: "page", siteURL: "https://d.test/", tags: ["p"]),
      OPML.Outline(title: "slash", feedURL: "https://e.test/", tags: ["a/b", "x"]),
      OPML.Outline(title: "both", feedURL: "https://f.test/", tags: ["x", "c/d"]),
    ]
    let parsedList = try #require(OPML(list.bytes()))
    #expect(parsedList.title == list.title)
    var expected = list.outlines
    expected[1].title = "tab line"
    #expect(Set(parsedList.outlines.map(\.title)) == Set(expected.map(\.title)))
    for outline in expected {
      #expect(
        parsedList.outlines.contains {
          var copy = $0
          copy.tags.sort()
          var expectedOutline = outline
          expectedOutline.tags.sort()
          return copy == expectedOutline
        }, "\(outline)")
    }
  }

  @Test func `10 MB are parsed in linear time, however nested`() throws {
    let note = String(repeating: "what it is about, ", count: 60)
    var flat = "<opml><body>"
    for number in 0..<9000 {
      flat += "<outline text=\"f\" words=\"\(note)\" xmlUrl=\"https://example.org/\(number)\"/>\n"
    }
    #expect(flat.utf8.count > 10_000_000)
    #expect(try #require(OPML(Array(flat.utf8))).outlines.count == 9000)
    let deep =
      "<opml><body>" + String(repeating: "<outline text=\"f\">", count: 60_000)
      + "<outline xmlUrl='https://a.test/'/>"
    #expect(try #require(OPML(Array(deep.utf8))).outlines.first?.tags == ["f"])
  }

  @Test func `any bytes are parsed`() {
    var random = SplitMix64(seed: 10)
    let pieces = [
      "<opml>", "<body>", "<outline ", "text='", "xmlUrl=\"https://a.test/", "\"", ">", "/>",
      "</outline>", "&", "\u{0}", "é", "category='/a,,/,b'",
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      _ = OPML(Array(text.utf8))?.bytes()
    }
  }
}
