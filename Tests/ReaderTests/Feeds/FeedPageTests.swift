import Feeds
import ReaderMode
import Document
import Pages
import Testing

@Suite struct FeedPageTests {
  private static let feed = """
    <rss version="2.0"><channel><title>The feed</title><link>https://example.org/</link>
    <description>About it</description>
    <item><title>One</title><link>/1</link><author>Ann</author>
      <pubDate>Sat, 21 Nov 2026 10:15:30 GMT</pubDate>
      <description>&lt;!-- &lt;p&gt;Open &lt;b&gt;bold &lt;a href="more"&gt;more&lt;/a&gt; --&gt;
      text&lt;/div&gt;&lt;table&gt;&lt;select&gt;</description>
      <enclosure url="/1.mp3" type="audio/mpeg" length="2500000"/></item>
    <item><title>Two &lt;script&gt;</title><description>&lt;b&gt;Plain&lt;title&gt;no&lt;/title&gt;</description>
      <comments>https://example.org/2#c</comments></item>
    <item><pubDate>2026-11-20</pubDate><description>&lt;p&gt;See &lt;a href="/x"&gt;x&lt;/a&gt;
      &lt;img src="i.png" alt="I"&gt; &lt;a href="#n"&gt;n&lt;/a&gt;</description></item>
    </channel></rss>
    """

  private static func page(_ text: String) throws -> Document {
    let url = "https://example.org/feed.xml"
    return try #require(Feed(Array(text.utf8), url: url)).document(url: url)
  }

  @Test(
    arguments: [("3725", "1:02:05"), ("65", "1:05"), ("12:34", "12:34"), ("-1", "-1")]
      as [(String, String)])
  func `an item shows its categories and duration`(_ duration: String, _ shown: String) throws {
    let document = try Self.page(
      """
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
      <title>T</title><item><title>One</title><category>Sea</category><category>Ice</category>
      <itunes:duration>\(duration)</itunes:duration></item></channel></rss>
      """)
    let lines = String(decoding: document.plainText, as: UTF8.self).split(separator: "\n")
    #expect(lines.suffix(2) == ["\(shown)", "Sea, Ice"])
  }

  @Test(arguments: ["0", "00:00", "0:00:00", "0.0"])
  func `an unknown duration is not shown`(_ duration: String) throws {
    let document = try Self.page(
      """
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
      <title>T</title><item><title>One</title><itunes:duration>\(duration)</itunes:duration></item>
      </channel></rss>
      """)
    #expect(!String(decoding: document.plainText, as: UTF8.self).contains("0"))
  }

  @Test func `an episode links to its most readable transcript`() throws {
    let document = try Self.page(
      """
      <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>T</title><item>
      <title>One</title><podcast:transcript url="/1.json" type="application/json"/>
      <podcast:transcript url="/1.html" type="text/html"/><podcast:transcript url="/1.vtt"
      type="text/vtt"/></item></channel></rss>
      """)
    #expect(document.links.map(\.target) == ["https://example.org/1.html"])
    #expect(String(decoding: document.plainText, as: UTF8.self).contains("Transcript"))
  }

  @Test func `an episode shows its chapters and people`() throws {
    let document = try Self.page(
      """
      <rss xmlns:podcast="https://podcastindex.org/namespace/1.0"
      xmlns:psc="http://podlove.org/simple-chapters"><channel><title>T</title><item>
      <title>One</title><description>Notes</description>
      <podcast:chapters url="/1.json" type="application/json+chapters"/>
      <psc:chapters><psc:chapter start="00:00:00.000" title="Intro &amp;lt;b>"/>
      <psc:chapter start="00:02:10" title="Sea" href="/sea"/><psc:chapter/></psc:chapters>
      <podcast:person href="/ann">Ann</podcast:person><podcast:person role="guest" href="/bo">Bo</podcast:person>
      </item></channel></rss>
      """)
    let text = String(decoding: document.plainText, as: UTF8.self)
    for part in ["Notes", "Chapters", "00:00:00 Intro &lt;b>", "00:02:10 Sea", "Ann", "Bo (guest)"]
    {
      #expect(text.contains(part), "\(part)")
    }
    #expect(
      Set(document.links.map(\.target)).isSuperset(of: [
        "https://example.org/sea", "https://example.org/1.json", "https://example.org/ann",
        "https://example.org/bo",
      ]))
  }

  @Test(
    arguments: [
      ("<a href='https://example.org/c?a=1&amp;amp;b=2'>12 replies</a>", false), ("Words", true),
      ("<a href='https://example.org/c?a=1&amp;amp;b=25'>Another page</a>", true),
    ] as [(String, Bool)])
  func `a link to the comments is not repeated`(_ description: String, _ isShown: Bool) throws {
    let document = try Self.page(
      """
      <rss><channel><title>T</title><item><title>One</title>
      <description>\(description.replacing("<", with: "&lt;"))</description>
      <comments>https://example.org/c?a=1&amp;b=2</comments></item></channel></rss>
      """)
    #expect(String(decoding: document.plainText, as: UTF8.self).contains("Comments") == isShown)
  }

  @Test func `references in content are resolved against the innermost base`() throws {
    let document = try Self.page(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.test/x/"><title>T</title>
      <entry xml:base="y/"><id>1</id><title>E</title>
      <content type="xhtml" xml:base="z/"><div xmlns="http://www.w3.org/1999/xhtml">
      <a href="1">1</a><div xml:base="w/"><a href="2">2</a><p xml:base="../v/"><img src="3.png" alt="3"/>
      <a href="/4">4</a><a href="#n">n</a></p><a href="5">5</a></div>
      <p xml:base="https://b.test/"><a href="6">6</a></p><a href="7" xml:base="u/">7</a></div></content>
      </entry></feed>
      """)
    #expect(
      document.links.map(\.target) == [
        "https://a.test/x/y/z/1", "https://a.test/x/y/z/w/2", "https://a.test/4", "#n",
        "https://a.test/x/y/z/w/5", "https://b.test/6", "https://a.test/x/y/z/u/7",
      ])
    #expect(document.images.first?.source == "https://a.test/x/y/z/v/3.png")
  }

  @Test(
    arguments: [
      ("<link rel='related' href='/x?a&amp;b'/>", ["https://example.org/x?a&b"]),
      ("<link rel='via' href='https://a.test/' title='Source'/>", ["Source"]),
      ("<link rel='related' href='/x'/><link rel='via' href='/x'/>", ["https://example.org/x"]),
      (
        "<link rel='http://www.iana.org/assignments/relation/related' href='/x'/>",
        ["https://example.org/x"]
      ),
      // The page itself, a link in the text, and other relations.
      ("<link rel='via' href='/1'/>", []), ("<link rel='related' href='/2'/>", []),
      ("<link rel='self' href='/x'/><link rel='edit' href='/x'/>", []),
    ] as [(String, [String])])
  func `an entry has links to the pages that it is about`(
    _ links: String, _ expected: [String]
  ) throws {
    let atom = try Self.page(
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><id>1</id><title>E</title>
      <link href="/1"/>\(links)<content type="html">Sea
      &lt;a href="https://example.org/2"&gt;2&lt;/a&gt;</content></entry></feed>
      """)
    let lines = String(decoding: atom.plainText, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropFirst(3).map(String.init) == expected)
    let rss = try Self.page(
      """
      <rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><title>T</title><item>
      <title>E</title><link>/1</link>\(links.replacing("<link", with: "<a:link"))
      <description>Sea &lt;a href="https://example.org/2"&gt;2&lt;/a&gt;</description></item>
      </channel></rss>
      """)
    #expect(rss.plainText == atom.plainText)
  }

  @Test func `an item of JSON Feed with its own page links to the page that it is about`() throws {
    let document = try Self.page(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [
        {"id": "1", "title": "A", "url": "/1", "external_url": "https://a.test/x",
         "content_text": "Sea"},
        {"id": "2", "title": "B", "external_url": "https://a.test/y", "content_text": "Ice"}]}
      """)
    #expect(
      document.links.map(\.target) == [
        "https://example.org/1", "https://a.test/x", "https://a.test/y",
      ])
  }

  @Test func `a footnote of an item leads to the note of the same item`() throws {
    let note = """
      &lt;p&gt;Sea &lt;a href='#fn:1'&gt;1&lt;/a&gt; &lt;a href='#fn%3A1'&gt;2&lt;/a&gt;
      &lt;a href='#x'&gt;3&lt;/a&gt; &lt;a href='/x#fn:1'&gt;4&lt;/a&gt;
      &lt;p id='fn:1'&gt;Note &lt;a name='x'&gt;&lt;/a&gt;
      """
    let other = "<description>&lt;a href='#x'&gt;5&lt;/a&gt;</description>"
    func targets(_ items: String) throws -> (links: [String], anchors: [String]) {
      let page = try Self.page("<rss><channel><title>T</title>\(items)</channel></rss>")
      return (page.links.map(\.target), page.anchors.map(\.name))
    }
    let item = "<description>\(note)</description>"
    let two = try targets(
      "<item><title>A</title>\(item)</item><item>\(other)</item>"
        + "<item><title>B</title>\(item)</item>"
    )
    #expect(
      two.links == [
        "#fn:1/1", "#fn%3A1/1", "#x/1", "https://example.org/x#fn:1", "#x",
        "#fn:1/3", "#fn%3A1/3", "#x/3", "https://example.org/x#fn:1",
      ])
    #expect(two.anchors == ["fn:1/1", "x/1", "fn:1/3", "x/3"])
    let one = try targets("<item>\(item)</item>")
    #expect(one.links.prefix(3) == ["#fn:1", "#fn%3A1", "#x"] && one.anchors == ["fn:1", "x"])
  }

  @Test func `a footnote in the summary of an item leads to the note in its content`() throws {
    let page = try Self.page(
      """
      <rss><channel><title>T</title><item><title>A</title></item><item><title>B</title>
      <description>Sea &lt;a href="#n"&gt;1&lt;/a&gt;</description>
      <content:encoded>Sea &lt;a href="#n"&gt;1&lt;/a&gt; and ice.
      &lt;p id="n"&gt;Note</content:encoded>
      </item></channel></rss>
      """)
    #expect(page.links.map(\.target) == ["#n/2", "#n/2"])
    #expect(page.anchors.map(\.name) == ["n/2"])
  }

  @Test func `a feed is shown as a page of its items`() throws {
    let document = try Self.page(Self.feed)
    #expect(document.title == "The feed")
    #expect(
      String(decoding: document.plainText, as: UTF8.self) == """
        The feed
        About it
        https://example.org/
        One
        21 Nov 2026, 10:15 UTC · Ann
        text
        https://example.org/1.mp3 (audio/mpeg, 2.5 MB)
        Two <script>
        Plain
        Comments
        20 Nov 2026
        See x I n

        """)
    #expect(
      document.links.map(\.target) == [
        "https://example.org/", "https://example.org/1", "https://example.org/1.mp3",
        "https://example.org/2#c", "https://example.org/x", "#n",
      ])
    #expect(document.images.map(\.source) == ["https://example.org/i.png"])
    let headings = document.blocks.filter { if case .heading = $0.kind { true } else { false } }
    #expect(headings.map(document.text(of:)) == ["The feed", "One", "Two <script>", "20 Nov 2026"])
  }

  @Test func `elements left open by an item end with it`() throws {
    let document = try Self.page(Self.feed)
    let last = try #require(document.runs.first { document.text(of: $0).contains("See") })
    #expect(!last.style.contains(.strong))
  }

  @Test func `a feed without items and title shows a message`() throws {
    let document = try Self.page("<rss></rss>")
    #expect(document.title == "RSS feed")
    #expect(String(decoding: document.plainText, as: UTF8.self).contains("no items"))
  }

  @Test func `the feeds of a page are those in its head, with comment feeds last`() {
    let html = """
      <title>x</title><base href="/blog/">
      <link rel="alternate stylesheet" type="text/css" href="no.css">
      <link rel=alternate type="application/rss+xml" title="Comments" href="comments.xml">
      <link rel="ALTERNATE" type="application/atom+xml; charset=utf-8" title="All &amp; more" href="atom.xml#x">
      <link rel="alternate" hreflang="de" href="de.html"><link rel=alternate type=text/html href=m.html>
      <link rel="alternate" type="application/feed+json" href="feed://a.test/feed.json">
      <link rel="alternate" type="application/rss+xml" href="javascript:x">
      <p>text <a href="other.rss">RSS</a>
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "https://example.org/p")
    #expect(
      document.feedLinks == [
        FeedLink(url: "https://example.org/blog/atom.xml", title: "All & more"),
        FeedLink(url: "https://a.test/feed.json", title: ""),
        FeedLink(url: "https://example.org/blog/comments.xml", title: "Comments"),
      ])
  }

  @Test(arguments: ["Kommentare zu Fähren", "Ferries » Comments Feed", "Fil des commentaires"])
  func `a feed of comments comes last in any language`(_ title: String) {
    let html = """
      <link rel=alternate type="application/rss+xml" title="\(title)" href=/c>
      <link rel=alternate type="application/rss+xml" title="Ferries" href=/f><p>Ferries
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "https://example.org/")
    #expect(
      document.feedLinks.map(\.url) == ["https://example.org/f", "https://example.org/c"])
  }

  @Test(
    arguments: [
      ("<link rel=feed href=/f>", true), ("<link rel='service feed' type=text/xml href=/f>", true),
      ("<link rel=alternate type=text/xml title=RSS href=/f>", true),
      ("<link rel=alternate type=application/json title='JSON Feed' href=/f>", true),
      ("<link rel=alternate type=application/json title=JSON href=/f>", false),
      ("<link rel=alternate type=text/xml title=Sitemap href=/f>", false),
      ("<link rel=alternate title='RSS feeds' href=/f>", false),
      ("<link rel=feed type=text/html href=/f>", false),
      ("<a href=/f>RSS</a>", true), ("<a href=/f>Atom feed</a>", true),
      ("<a href=/f>RSS 2.0</a>", true),
      ("<a href=/f>Subscribe to our RSS feed</a>", true),
      ("<a href=/f>RSS-Feed abonnieren</a>", true),
      ("<a href=/f title='Subscribe to RSS'>★</a>", true),
      ("<a href=/f>Subscribe</a>", false), ("<a href=/f>RSS feeds</a>", false),
      ("<a href=/f>Subscribe to the newsletter by RSS or mail</a>", false),
      ("<a href=/f>What is RSS?</a>", false), ("<a href=#f>RSS</a>", false),
      ("<a href=/f>Atoms</a>", false),
    ] as [(String, Bool)])
  func `a page declares a feed by a relation, a title or the text of a link`(
    _ link: String, _ isFeed: Bool
  ) {
    let document = Document(
      bytes: Array("\(link)<p>Ferries".utf8), mediaType: "text/html", url: "https://example.org/p")
    #expect(document.feedLinks.map(\.url) == (isFeed ? ["https://example.org/f"] : []))
  }

  @Test(
    arguments: [
      ("/feed", true), ("/feed/", true), ("index.rdf", true), ("a/rss.xml?x", true),
      ("x.atom", true),
      ("feed:https://example.org/f", true), ("/feedback", false), ("/blog", false), ("#rss", false),
    ] as [(String, Bool)])
  func `without feeds in the head, links that resemble feeds are used`(
    _ target: String, _ isFeed: Bool
  ) {
    let document = Document(
      bytes: Array("<a href=\"\(target)\">x</a>".utf8), mediaType: "text/html",
      url: "https://example.org/p")
    #expect(document.feedLinks.isEmpty != isFeed)
  }

  private static let twoLines =
    "Notes of the tour.\nMap: https://a.test/x?b&amp;c.\n\nEnd &lt;b&gt;"

  @Test(
    arguments: [
      "<content type=\"text\">\(twoLines)</content>",
      "<summary>\(twoLines)</summary>",
      "<content type=\"text/plain\">\(twoLines)</content>",
      "<m:group><m:description>\(twoLines)</m:description></m:group>",
      "<m:group><m:description type=\"plain\">\(twoLines)</m:description></m:group>",
    ])
  func `plain text of an Atom entry keeps its lines, and URLs in it are links`(
    _ element: String
  ) throws {
    let document = try Self.page(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://search.yahoo.com/mrss/">
      <title>T</title><entry><id>1</id><title>E</title>\(element)</entry></feed>
      """)
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(
      text.hasSuffix("E\nNotes of the tour.\nMap: https://a.test/x?b&c.\nEnd <b>\n"), "\(text)")
    #expect(document.links.map(\.target) == ["https://a.test/x?b&c"])
  }

  @Test(
    arguments: [
      (
        "type=\"text/markdown\">A *short*\nword, https://a.test/\n\n* [list](x)",
        "A short word, https://a.test/\nlist\n", ["https://a.test/", "https://b.test/x"]
      ),
      ("type=\"Text/X-Markdown; charset=utf-8\">*a*\nb", "E\na b\n", []),
      (
        "type=\"text/x-python\">if a &lt; 1:\n  print(1) # http://a.test/",
        "E\nif a < 1:\n  print(1) # http://a.test/\n", ["http://a.test/"]
      ),
      ("type=\"text/html; charset=utf-8\">&lt;b&gt;a&lt;/b&gt;\nb", "E\na b\n", []),
      ("type=\"text/plain; charset=utf-8\">&lt;a&gt;\nb", "E\n<a>\nb\n", []),
      ("type=\"unknown\">a\nb", "E\na\nb\n", []),
      ("type=\"text/markdown\"><p xmlns=\"http://www.w3.org/1999/xhtml\">a</p>", "E\na\n", []),
      ("type=\"image/png\">iVBORw0KGgo=", "E\n", []), ("type=\"text/x-c\"> ", "E\n", []),
    ] as [(String, String, [String])])
  func `content of an Atom entry that is text of any type is shown`(
    _ content: String, _ expected: String, _ links: [String]
  ) throws {
    let document = try Self.page(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.test/"><title>T</title>
      <entry><id>1</id><title>E</title><content \(content)</content></entry></feed>
      """)
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.hasSuffix(expected), "\(text)")
    #expect(document.links.map(\.target) == links)
  }

  @Test(
    arguments: [
      ("<m:description>\(twoLines)</m:description>", ["https://a.test/x?b&c"], "tour.\nMap"),
      (
        "<m:group><m:description>\(twoLines)</m:description></m:group>",
        ["https://a.test/x?b&c"], "tour.\nMap"
      ),
      (
        "<m:description>Sea &amp;amp; ice\nhttps://a.test/</m:description>", ["https://a.test/"],
        "Sea & ice\nhttps"
      ),
      // HTML, declared or not.
      ("<m:description type=\"html\">Sea\n&lt;i&gt;ice&lt;/i&gt;</m:description>", [], "Sea ice"),
      (
        "<m:description>Sea\n&lt;a href='/1'&gt;ice&lt;/a&gt;</m:description>",
        ["https://example.org/1"], "Sea ice"
      ),
    ] as [(String, [String], String)])
  func `a description of Media RSS is plain text, unless it is HTML`(
    _ element: String, _ links: [String], _ expected: String
  ) throws {
    let document = try Self.page(
      "<rss version=\"2.0\" xmlns:m=\"http://search.yahoo.com/mrss/\"><channel><title>T</title>"
        + "<item><title>I</title>\(element)</item></channel></rss>")
    #expect(document.links.map(\.target) == links)
    #expect(String(decoding: document.plainText, as: UTF8.self).contains(expected))
  }

  @Test(
    arguments: [
      ("<description>Sea\nice https://a.test/</description>", "Sea\nice https://a.test/", true),
      (
        "<itunes:summary>00:00 Sea\r\n01:30 A &amp;amp; B\r02:45 1 &lt; 2</itunes:summary>",
        "00:00 Sea\n01:30 A & B\n02:45 1 < 2", false
      ),
      ("<content:encoded><![CDATA[- a\n- b]]></content:encoded>", "- a\n- b", false),
      // HTML, and the layout of the XML.
      ("<description>Sea\n&lt;i&gt;ice&lt;/i&gt; https://a.test/</description>", "Sea ice", false),
      ("<description>Sea\n<br/>ice\nfloe</description>", "Sea\nice floe", false),
      ("<description>\n  Sea\n  and ice\n</description>", "Sea and ice", false),
    ] as [(String, String, Bool)])
  func `text of RSS without tags keeps its lines, and URLs in it are links`(
    _ element: String, _ expected: String, _ hasLink: Bool
  ) throws {
    let document = try Self.page(
      "<rss version='2.0'><channel><title>T</title><item><title>I</title>\(element)</item>"
        + "</channel></rss>")
    #expect(String(decoding: document.plainText, as: UTF8.self).contains(expected))
    #expect(document.links.map(\.target) == (hasLink ? ["https://a.test/"] : []))
  }

  @Test func `URLs in the text of JSON Feed are links`() throws {
    let document = try Self.page(
      #"""
      {"version": "https://jsonfeed.org/version/1.1", "items": [
        {"id": "1", "content_text": "One\r\n(https://a.test/1) <b>\n \n"}]}
      """#)
    #expect(document.links.map(\.target) == ["https://a.test/1"])
    #expect(
      String(decoding: document.plainText, as: UTF8.self).hasSuffix("One\n(https://a.test/1) <b>\n")
    )
  }

  @Test(
    arguments: [
      ("<guid isPermaLink='false'>x2</guid><description>Some words</description>", "Some words"),
      ("<link>/1</link><description>&lt;p&gt;Some&lt;p&gt;words</description>", "Some words"),
      ("<title>T</title><description>Some words</description>", "T"),
      ("<pubDate>2026-11-20</pubDate><description>Some words</description>", "20 Nov 2026"),
      ("<guid isPermaLink='false'>x2</guid><description> </description>", "x2"),
      ("<link>/1</link>", "https://example.org/1"),
      (
        "<description>\(String(repeating: "word ", count: 40))</description>",
        String(repeating: "word ", count: 15) + "word…"
      ),
      (
        "<description>\(String(repeating: "ü", count: 200))</description>",
        String(repeating: "ü", count: 80) + "…"
      ),
    ] as [(String, String)])
  func `an item without a title or date is named by its first words`(
    _ item: String, _ name: String
  ) throws {
    let document = try Self.page(
      "<rss version=\"2.0\"><channel><title>F</title><item>\(item)</item></channel></rss>")
    let headings = document.blocks.filter { if case .heading = $0.kind { true } else { false } }
    #expect(headings.map(document.text(of:)) == ["F", name])
  }
}
