import Profiles
import Feeds
import Foundation
import Document
import Pages
import Testing

@Suite struct FeedTests {
  private static let url = "https://example.org/feeds/all.xml"

  private static func feed(_ text: String, url: String = url) throws -> Feed {
    try #require(Feed(Array(text.utf8), url: url))
  }

  /// Parses an item of RSS 2.0 that contains the given elements.
  private static func rssItem(_ elements: String) throws -> FeedItem {
    let feed = try feed(
      "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>F</title>"
        + "<link>https://example.org/</link><item>\(elements)</item></channel></rss>")
    return try #require(feed.items.first)
  }

  @Test func `RSS 2.0 is parsed`() throws {
    let feed = try Self.feed(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
      <channel>
        <title>News &amp; more</title><link>https://example.org/</link>
        <atom:link href="https://example.org/self.xml" rel="self" type="application/rss+xml"/>
        <description>About <![CDATA[<b>things</b>]]></description><language>en-gb</language>
        <managingEditor>ed@example.org (Ed Itor)</managingEditor>
        <lastBuildDate>Sat, 21 Nov 2026 10:15:30 GMT</lastBuildDate><ttl>90</ttl>
        <image><title>not this</title><url>i.png</url><link>https://image.test/</link></image>
        <item>
          <title>First</title><link>https://example.org/1</link><guid>tag:1</guid>
          <dc:creator>Ann</dc:creator><pubDate>Fri, 20 Nov 2026 10:15:30 GMT</pubDate>
          <category>one</category><category>two</category><category>one</category>
          <description>Short &lt;i&gt;text&lt;/i&gt;</description>
          <content:encoded><![CDATA[<p>Long</p>]]></content:encoded>
          <comments>https://example.org/1#c</comments>
          <enclosure url="https://example.org/1.mp3" length="1234567" type="audio/mpeg"/>
        </item>
        <item><title>Second</title><guid isPermaLink="true">https://example.org/2</guid></item>
        <item><title>Third</title><guid isPermaLink="false">https://example.org/3</guid></item>
        <item><title>First again</title><guid>tag:1</guid></item>
      </channel></rss>
      """)
    #expect(feed.format == .rss && feed.title == "News & more" && feed.subtitle == "About things")
    #expect(feed.siteURL == "https://example.org/" && feed.language == "en-gb")
    #expect(feed.selfURL == "https://example.org/self.xml" && feed.author == "Ed Itor")
    #expect(feed.updateInterval == .seconds(5400) && feed.date != nil)
    #expect(feed.items.map(\.title) == ["First", "Second", "Third", "First again"])
    let first = feed.items[0]
    #expect(first.guid == "tag:1" && first.url == "https://example.org/1" && first.author == "Ann")
    #expect(first.tags == ["one", "two"] && first.commentsURL == "https://example.org/1#c")
    #expect(first.summary?.html == "Short <i>text</i>" && first.content?.html == "<p>Long</p>")
    #expect(first.content?.base == "https://example.org/1")
    let enclosure = try #require(first.enclosures.first)
    #expect(enclosure.url == "https://example.org/1.mp3" && enclosure.mediaType == "audio/mpeg")
    #expect(enclosure.length == 1_234_567)
    #expect(feed.items[1].url == "https://example.org/2" && feed.items[2].url == nil)
  }

  @Test func `RSS 1.0 and 0.90 are parsed, with items next to the channel`() throws {
    let feed = try Self.feed(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
      <channel rdf:about="https://example.org/"><title>R</title><link>https://example.org/</link>
        <sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
        <items><rdf:Seq><rdf:li rdf:resource="https://example.org/1"/></rdf:Seq></items></channel>
      <item rdf:about="https://example.org/1"><title>One</title><dc:date>2026-11-21</dc:date>
        <dc:subject>s</dc:subject></item>
      <item><title>Two</title><link>two</link></item>
      </rdf:RDF>
      """)
    #expect(feed.format == .rdf && feed.title == "R" && feed.updateInterval == .seconds(21_600))
    #expect(feed.items.map(\.url) == ["https://example.org/1", "https://example.org/two"])
    #expect(feed.items[0].tags == ["s"] && feed.items[0].date != nil)
    let old = try Self.feed(
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        + "xmlns='http://my.netscape.com/rdf/simple/0.9/'><channel><title>O</title></channel>"
        + "<item><title>x</title><link>http://a.test/</link></item></rdf:RDF>")
    #expect(old.items.map(\.url) == ["http://a.test/"])
  }

  @Test(
    arguments: [
      (
        "<dc:creator>&lt;a href=\"x\"&gt;A. Ä&lt;/a&gt;, &lt;b class=x&gt;B&lt;/b&gt;</dc:creator>",
        "A. Ä, B"
      ),
      ("<dc:creator><![CDATA[<p>A &amp; B</p>]]></dc:creator>", "A & B"),
      ("<dc:creator>&amp;lt;i&amp;gt;A&amp;lt;/i&amp;gt;</dc:creator>", "A"),
      ("<author>a@e.test (&lt;b&gt;A&lt;/b&gt;)</author>", "A"),
      ("<author>A &lt;a@e.test&gt;</author>", "A"),
      ("<author>&lt;a@e.test&gt;</author>", "<a@e.test>"),
      ("<dc:creator>A</dc:creator><dc:creator>B</dc:creator><dc:creator>A</dc:creator>", "A, B"),
      ("<author>A</author><dc:creator>A of B</dc:creator>", "A"),
      ("<author>a@e.test</author><dc:creator>A</dc:creator><dc:creator>B</dc:creator>", "A, B"),
      ("<author>a@e.test</author><itunes:author>A</itunes:author>", "A"),
      ("<author>a@e.test</author><media:credit>A</media:credit>", "a@e.test"),
      ("<dc:creator>A</dc:creator><author>a@e.test</author>", "A"),
      ("<author>a@e.test</author><author>b@e.test</author>", "a@e.test, b@e.test"),
      (
        "<dc:creator>&lt;ul&gt;&lt;li&gt;A&lt;/li&gt;&lt;li&gt;B&lt;/li&gt;&lt;/ul&gt;</dc:creator>",
        "A B"
      ),
      ("<atom:author><atom:name>&lt;span&gt;A&lt;/span&gt;</atom:name></atom:author>", "A"),
      ("<itunes:author>&lt;a href='x'&gt;A&lt;/a&gt;</itunes:author>", "A"),
      ("<dc:creator>A &lt; B</dc:creator>", "A < B"),
    ] as [(String, String)])
  func `authors are text on one line, in any element`(
    _ element: String, _ expected: String
  ) throws {
    let feed = try Self.feed(
      """
      <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:atom="http://www.w3.org/2005/Atom"
      xmlns:media="http://search.yahoo.com/mrss/"
      xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>T</title>
      <item><title>I</title>\(element)</item></channel></rss>
      """)
    #expect(feed.items[0].author == expected)
  }

  @Test func `Atom is parsed, with bases, text types and several links`() throws {
    let feed = try Self.feed(
      """
      <?xml version="1.0"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/blog/" xml:lang="de">
        <title type="html">A &amp;lt;b&gt; &lt;i&gt;c&lt;/i&gt;</title><subtitle>Sub</subtitle>
        <link href="./"/><link rel="self" href="atom.xml"/><link rel="next" href="?page=2"/>
        <author><name>Ada</name><email>a@b</email></author><updated>2026-11-21T10:15:30Z</updated>
        <entry>
          <id>tag:a,1</id><title>1 &lt; 2</title>
          <link rel="enclosure" href="a.ogg" type="audio/ogg" length="7" title="Sound"/>
          <link rel="alternate" type="application/json" href="1.json"/>
          <link rel="alternate" type="text/html" hreflang="en" href="1.html"/>
          <link rel="replies" href="1#r"/>
          <published>2026-11-19T10:00:00+01:00</published><updated>2026-11-20T10:00:00Z</updated>
          <category term="t" label="Tag"/>
          <summary>a &lt; b &amp;amp; c

      second</summary>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>x<br/>y</p></div></content>
        </entry>
        <entry xml:base="2/"><id>2</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">T
          <b>w</b></div></title>
          <link href="."/><content type="html">&lt;a href="x"&gt;l&lt;/a&gt;</content></entry>
        <entry><id>3</id><content src="3.html" type="text/html"/></entry>
      </feed>
      """)
    #expect(feed.format == .atom && feed.title == "A <b> c" && feed.subtitle == "Sub")
    #expect(feed.siteURL == "https://example.org/blog/" && feed.language == "de")
    #expect(feed.selfURL == "https://example.org/blog/atom.xml")
    #expect(feed.nextURL == "https://example.org/blog/?page=2" && feed.author == "Ada")
    let first = feed.items[0]
    #expect(first.title == "1 < 2" && first.url == "https://example.org/blog/1.html")
    #expect(first.enclosures.map(\.url) == ["https://example.org/blog/a.ogg"])
    #expect(first.enclosures[0].title == "Sound" && first.tags == ["Tag"])
    #expect(first.commentsURL == "https://example.org/blog/1#r")
    #expect(first.date == DateText.parse("2026-11-19T09:00:00Z"))
    #expect(first.updateDate == DateText.parse("2026-11-20T10:00:00Z"))
    #expect(first.summary?.html == "<p>a &lt; b &amp;amp; c</p><p>second</p>")
    #expect(first.content?.isXML == true)
    #expect(first.content?.html.contains("<p>x<br/>y</p>") == true)
    #expect(feed.items[1].title == "T w" && feed.items[1].url == "https://example.org/blog/2/")
    #expect(feed.items[1].content?.base == "https://example.org/blog/2/")
    #expect(feed.items[2].url == "https://example.org/blog/3.html")
  }

  @Test func `Atom 0.3, and Atom with prefixes, are parsed`() throws {
    let old = try Self.feed(
      "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>O</title><tagline>t</tagline>"
        + "<entry><id>1</id><issued>2004-01-02T00:00:00Z</issued><modified>2005</modified>"
        + "<content type='text/html' mode='escaped'>&lt;b>x&lt;/b></content></entry></feed>")
    #expect(old.subtitle == "t" && old.items[0].date == DateText.parse("2004-01-02"))
    #expect(old.items[0].content?.html == "<b>x</b>")
    let prefixed = try Self.feed(
      "<a:feed xmlns:a='http://www.w3.org/2005/Atom' xmlns:h='http://www.w3.org/1999/xhtml'>"
        + "<a:title>P</a:title><a:entry><a:id>1</a:id><a:title>e</a:title>"
        + "<a:content type='xhtml'><h:div><h:p>x</h:p></h:div></a:content></a:entry></a:feed>")
    #expect(prefixed.title == "P" && prefixed.items[0].title == "e")
    #expect(prefixed.items[0].content?.html == "<div><p>x</p></div>")
  }

  @Test(
    arguments: [
      ("<id>https://example.org/i3</id>", "https://example.org/i3"),
      ("<id>https://example.org/i3</id><link rel='self' href='/3'/>", "https://example.org/i3"),
      ("<id>https://example.org/i3</id><link href='/3'/>", "https://example.org/3"),
      ("<id>urn:uuid:3</id>", nil), ("<id>3</id>", nil),
    ] as [(String, String?)])
  func `the page of an Atom entry without an alternate link is its id`(
    _ elements: String, _ url: String?
  ) throws {
    let feed = try Self.feed(
      "<feed xmlns='http://www.w3.org/2005/Atom'><title>A</title>"
        + "<entry>\(elements)<title>E</title><content>Sea</content></entry></feed>")
    #expect(feed.items.map(\.title) == ["E"] && feed.items.map(\.url) == [url])
  }

  @Test func `content of Atom 0.3 in Base64 is decoded if it is text`() throws {
    let entries = [
      ("text/html", "PGI+U2VhPC9iPg=="), ("text/plain", "MSA8\n IDIgU2Vh"), ("image/png", "AA=="),
      ("text", "U2Vh"),
    ]
    let old = try Self.feed(
      "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>O</title>"
        + entries.enumerated().map {
          "<entry><id>\($0)</id><content type='\($1.0)' mode='base64'>\($1.1)</content></entry>"
        }.joined() + "</feed>")
    let texts = ["<b>Sea</b>", "<p>1 &lt; 2 Sea</p>", nil, "<p>Sea</p>"]
    #expect(old.items.map(\.content?.html) == texts)
  }

  @Test func `items of RSS 1.0 are in the order of the list in the channel`() throws {
    let items = ["a", "b", "c", "d"].map {
      "<item rdf:about='https://example.org/\($0)'><title>\($0)</title></item>"
    }.joined()
    func titles(_ list: String) throws -> [String] {
      try Self.feed(
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
          + "xmlns='http://purl.org/rss/1.0/'><channel><title>O</title>\(list)</channel>\(items)"
          + "</rdf:RDF>"
      ).items.map(\.title)
    }
    let list = ["c", "x", "b", "c"].map { "<rdf:li rdf:resource='https://example.org/\($0)'/>" }
    #expect(
      try titles("<items><rdf:Seq>\(list.joined())</rdf:Seq></items>") == ["c", "b", "a", "d"])
    #expect(try titles("<items/>") == ["a", "b", "c", "d"])
    #expect(try titles("") == ["a", "b", "c", "d"])
  }

  @Test func `Items of RSS 1.0 are identified by rdf:about, even if their links are the same`()
    throws
  {
    let items = ["1", "2"].map { id in
      "<item rdf:about='https://example.org/\(id)'><title>\(id)</title>"
        + "<link>https://example.org/</link></item>"
    }
    let feed = try Self.feed(
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
        + "xmlns='http://purl.org/rss/1.0/'><channel><title>O</title></channel>"
        + items.joined() + "</rdf:RDF>")
    #expect(feed.items.map(\.id) == ["https://example.org/1", "https://example.org/2"])
  }

  @Test(arguments: [
    #"{"version":"https:\/\/jsonfeed.org\/version\/1.1","items":[{"id":"1","title":"x"}]}"#,
    "{\"items\": [{\"id\": \"1\", \"title\": \"x\", \"content_text\": \""
      + String(repeating: "word ", count: 2000)
      + "\"}], \"version\": \"https://jsonfeed.org/version/1\"}",
  ])
  func `JSON Feed is recognised with escaped slashes, and by a version at its end`(
    _ json: String
  ) throws {
    #expect(try Self.feed(json).items.map(\.title) == ["x"])
  }

  @Test(arguments: [
    ("<rss version='2.0'><channel>", "item", "</channel></rss>"),
    ("<feed xmlns='http://www.w3.org/2005/Atom'>", "entry", "</feed>"),
  ])
  func `the files of Media RSS are enclosures with their size and playing time`(
    _ start: String, _ item: String, _ end: String
  ) throws {
    let feed = try Self.feed(
      """
      \(start)<title>T</title><\(item) xmlns:media="http://search.yahoo.com/mrss/"><title>a</title>
      <media:group><media:content url="https://example.org/a.mp4" type="video/mp4" fileSize="9"
        duration="3725"/><media:content url="https://example.org/a.jpg" type="image/jpeg"/>
        <media:content url="https://example.org/x.mp4"/></media:group>
      <media:content url="https://example.org/b.mp3" type="audio/mpeg" fileSize="-9" duration="x y"/>
      <media:content url="javascript:x" type="audio/mpeg"/></\(item)>\(end)
      """)
    let files = try #require(feed.items.first).enclosures
    #expect(files.map(\.url) == ["https://example.org/a.mp4", "https://example.org/b.mp3"])
    #expect(files.map(\.length) == [9, nil] && files.map(\.duration) == ["1:02:05", "x y"])
  }

  @Test(arguments: [
    ("<rss version='2.0'><channel>", "item", "</channel></rss>"),
    ("<feed xmlns='http://www.w3.org/2005/Atom'>", "entry", "</feed>"),
  ])
  func `video and audio of Media RSS need no type, and keep their descriptions`(
    _ start: String, _ item: String, _ end: String
  ) throws {
    let feed = try Self.feed(
      """
      \(start)<title>T</title><\(item) xmlns:media="http://search.yahoo.com/mrss/">
      <media:content url="https://example.org/a.mp4" medium="video"><media:description>The
        harbour</media:description></media:content>
      <media:content url="https://example.org/b" medium="Audio"/>
      <media:content url="https://example.org/c" medium="document"/>
      <media:content url="https://example.org/d.png" medium="image"/></\(item)>\(end)
      """)
    let first = try #require(feed.items.first)
    #expect(first.enclosures.map(\.url) == ["https://example.org/a.mp4", "https://example.org/b"])
    #expect(first.enclosures.map(\.descriptionText) == ["The harbour", ""])
    #expect(first.displayName == "The harbour")
    let page = feed.document(of: first, url: "https://example.org/1")
    #expect(String(decoding: page.plainText, as: UTF8.self).contains("a.mp4\nThe harbour\n"))
  }

  @Test(arguments: [
    ("<rss version='2.0'><channel>", "item", "</channel></rss>"),
    ("<feed xmlns='http://www.w3.org/2005/Atom'>", "entry", "</feed>"),
  ])
  func `files of one group of Media RSS are forms of the same content`(
    _ start: String, _ item: String, _ end: String
  ) throws {
    let feed = try Self.feed(
      """
      \(start)<title>T</title><\(item) xmlns:media="http://search.yahoo.com/mrss/"><title>a</title>
      <media:group><media:content url="https://example.org/a.mp4" type="video/mp4"/>
        <media:content url="https://example.org/b.mp4" type="video/mp4" isDefault="true"/>
      </media:group>
      <media:group><media:content url="https://example.org/c.mp4" type="video/mp4"/></media:group>
      <media:content url="https://example.org/d.mp4" type="video/mp4"/></\(item)>\(end)
      """)
    let files = try #require(feed.items.first).enclosures
    #expect(files.map(\.groupIndex) == [1, 1, 2, nil])
    #expect(files.map(\.isDefault) == [false, true, false, false])
  }

  @Test(arguments: [50, 53])
  func `files of an item beyond the maximum are counted and reported`(_ count: Int) throws {
    let files = (1...count).map { "https://a.example/\($0).mp3" }
    let rss = files.map { "<enclosure url='\($0)' type='audio/mpeg'/>" }.joined()
    // A file that is listed again, and an image, are not counted as files.
    let others =
      "<enclosure url='\(files[0])' type='audio/mpeg'/>"
      + "<media:content xmlns:media='http://search.yahoo.com/mrss/' url='/a.png' type='image/png'/>"
    let json = files.map { #"{"url": "\#($0)", "mime_type": "audio/mpeg"}"# }
      .joined(separator: ",")
    let feeds = [
      try Self.feed(
        "<rss version='2.0'><channel><item><title>a</title>\(rss)\(others)</item>"
          + "</channel></rss>"),
      try Self.feed(
        """
        {"version": "https://jsonfeed.org/version/1.1", "title": "J",
         "items": [{"id": "1", "title": "a", "attachments": [\(json)]}]}
        """),
    ]
    for feed in feeds {
      let item = try #require(feed.items.first)
      #expect(item.enclosures.map(\.url) == Array(files.prefix(50)))
      #expect(item.omittedEnclosureCount == count - 50)
      let text = String(decoding: feed.document(url: "https://a.example/").text, as: UTF8.self)
      #expect(
        text.contains("This item has 3 more files; these are its first 50.") == (count > 50))
    }
  }

  @Test func `JSON Feed is parsed`() throws {
    let feed = try Self.feed(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "J \\u00e9\\ud83d\\ude00", "language": "en",
       "home_page_url": "https://example.org/", "feed_url": "https://example.org/feed.json",
       "next_url": "/feed.json?2", "authors": [{"name": "A"}, {"name": "B"}], "expired": true,
       "items": [
         {"id": 7, "url": "/7", "title": "Seven", "content_html": "<p>x</p>", "summary": "s & t",
          "date_published": "2026-11-21T10:15:30Z", "tags": ["a", "b"], "author": {"name": "C"},
          "attachments": [{"url": "7.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 12,
                           "duration_in_seconds": 65.4}]},
         {"id": "https://example.org/8", "content_text": "1 < 2"}, {}
       ]}
      """)
    #expect(feed.format == .json && feed.title == "J é😀" && feed.author == "A, B")
    #expect(feed.isExpired && feed.nextURL == "https://example.org/feed.json?2")
    let seven = feed.items[0]
    #expect(seven.id == "7" && seven.url == "https://example.org/7" && seven.author == "C")
    #expect(seven.summary?.html == "<p>s &amp; t</p>" && seven.enclosures[0].length == 12)
    #expect(seven.enclosures[0].duration == "1:05")
    #expect(feed.items[1].url == "https://example.org/8")
    #expect(feed.items[1].content?.html == "<p>1 &lt; 2</p>")
  }

  @Test(
    arguments: [
      ("<title>A & B &nbsp; &eacute; &bogus;</title>", "A & B \u{A0} é &bogus;"),
      ("<title>a &lt;video&gt; tag</title>", "a <video> tag"),
      ("<title>Use of &lt;div&gt; and &lt;p&gt; in HTML</title>", "Use of <div> and <p> in HTML"),
      ("<title>&lt;DIV&gt;&lt;p&gt;wrapped&lt;/p&gt;&lt;/DIV&gt;</title>", "wrapped"),
      ("<title>&lt;b&gt;bold&lt;/b&gt; &amp;amp; more</title>", "bold & more"),
      ("<title><![CDATA[C & D]]></title>", "C & D"),
      ("<title>1 < 2 and 3 > 2</title>", "1 < 2 and 3 > 2"),
      ("<title>T\n  U\u{1B}[31m</title>", "T U\u{FFFD}[31m"),
      ("<title>x</titel><link>https://a.test/</link>", "x"),
      ("<TITLE>up</TITLE>", "up"),
      ("<title>cut", "cut"),
      ("<title type=text>a</title><media:title>b</media:title>", "a"),
      ("<itunes:title>only</itunes:title>", "only"),
      ("<title/><dc:title>dc</dc:title>", "dc"),
      ("<title>&#55357;&#56832; &#xD83D;&#xDE00;</title>", "😀 😀"),
      ("<title>&#55357; &#56832;&#55357; &#12345;&#12345;</title>", "\u{FFFD} \u{FFFD}\u{FFFD} 〹〹"),
    ] as [(String, String)])
  func `a malformed item still has its readable parts`(_ elements: String, _ title: String) throws {
    #expect(try Self.rssItem(elements).title == title)
  }

  @Test(
    arguments: [
      ("<link>https://a.test/x?a=1&b=2</link>", "https://a.test/x?a=1&b=2"),
      ("<link>https://a.test/x?a=1&section=2</link>", "https://a.test/x?a=1&section=2"),
      ("<link> \n https://a.test/ \n</link>", "https://a.test/"),
      ("<link><![CDATA[https://a.test/]]></link>", "https://a.test/"),
      ("<link>/rel</link>", "https://example.org/rel"),
      ("<link>www.a.test/x</link>", "https://www.a.test/x"),
      ("<link>www.html</link>", "https://example.org/www.html"),
      ("<link>https://a.test/x?a=1&amp;amp;b=2</link>", "https://a.test/x?a=1&b=2"),
      ("<link href='https://a.test/'/>", "https://a.test/"),
      ("<atom:link href='https://a.test/'/>", "https://a.test/"),
      (
        "<link>https://a.test/</link><feedburner:origLink>https://b.test/</feedburner:origLink>",
        "https://b.test/"
      ),
      ("<guid>https://a.test/g</guid>", "https://a.test/g"),
      // A guid that is not a URL is not a relative link.
      ("<guid isPermaLink='true'>12345</guid>", nil),
      ("<guid isPermaLink='true'>3f6a9f50-8a77</guid>", nil), ("<guid/>", nil),
      ("<guid isPermaLink='true'>urn:uuid:3f6a</guid>", nil),
      // An Atom link may be another form of the page.
      ("<atom:link rel='alternate' href='/amp'/><link>/1</link>", "https://example.org/1"),
      ("<link>/1</link><atom:link rel='alternate' href='/amp'/>", "https://example.org/1"),
      ("<guid>12</guid><link/>", nil),
      ("<link>javascript:alert(1)</link>", nil),
      ("<link>file:///etc/passwd</link>", nil),
      ("<title>x</title>", nil),
    ] as [(String, String?)])
  func `the link of an item is found`(_ elements: String, _ url: String?) throws {
    let item = try Self.rssItem(
      elements.replacing("<guid>12", with: "<guid isPermaLink='false'>12"))
    #expect(item.url == url)
  }

  @Test func `the page of a feed is that of its RSS link, wherever it is`() throws {
    let text =
      "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>F</title>"
      + "<atom:link rel='alternate' href='/amp/'/><link>/</link></channel></rss>"
    #expect(try Self.feed(text).siteURL == "https://example.org/")
    let only = text.replacing("<link>/</link>", with: "")
    #expect(try Self.feed(only).siteURL == "https://example.org/amp/")
  }

  @Test func `unescaped HTML is taken verbatim`() throws {
    let item = try Self.rssItem("<description><p>a<br>b <b>c</description><title>t</title>")
    #expect(item.summary?.html == "<p>a<br>b <b>c" && item.title == "t")
    let mixed = try Self.rssItem("<content:encoded><![CDATA[<p>x]]></content:encoded>")
    #expect(mixed.content?.html == "<p>x")
  }

  @Test func `a feed after a warning has its items`() throws {
    let feed = try Self.feed(
      "Warning: x in y.php on line 3\n<?xml version='1.0'?><rss><channel><title>c</title>"
        + "<item><title>1</title></item></channel></rss>")
    #expect(feed.title == "c" && feed.items.map(\.title) == ["1"])
  }

  @Test func `items are found anywhere, and a truncated feed has its complete items`() throws {
    let nested = try Self.feed(
      "<rss><channel><item><title>1</title><item><title>2</title></item></channel>"
        + "<item><title>3</title></item></rss><item><title>4</title></item>")
    #expect(nested.items.map(\.title) == ["1", "2", "3"])
    let cut = try Self.feed(
      "<rss><channel><title>c</title><item><title>1</title></item><item><title>2</title><link>https://a"
    )
    #expect(cut.items.map(\.title) == ["1", "2"])
    #expect(cut.items.map(\.isCutOff) == [false, true])
    let bare = try Self.feed("<channel><title>b</title><item><title>1</title></item></channel>")
    #expect(bare.title == "b" && bare.items.count == 1)
    let json = try Self.feed(
      "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":\"1\"},{\"id\":\"2\",\"title\":\"x"
    )
    #expect(json.items.map(\.id) == ["1", "2"] && json.items[1].title == "x")
    #expect(json.items.map(\.isCutOff) == [false, true])
  }

  @Test func `a document that is an entry of Atom is a feed with one item`() throws {
    let feed = try Self.feed(
      "<?xml version='1.0'?><entry xmlns='http://www.w3.org/2005/Atom'><title>One</title>"
        + "<link href='/1'/><id>tag:1</id><author><name>Ann</name></author>"
        + "<content type='html'>&lt;p>Text&lt;/p></content></entry>")
    #expect(feed.title == "One" && feed.items.map(\.title) == ["One"])
    let item = try #require(feed.items.first)
    #expect(item.url == "https://example.org/1" && item.guid == "tag:1" && item.author == "Ann")
    #expect(item.content?.html == "<p>Text</p>")
  }

  @Test func `encodings are detected as for pages`() throws {
    let text =
      "<?xml version='1.0' encoding='iso-8859-1'?><rss><channel><title>caf\u{E9}</title></channel></rss>"
    let latin = text.unicodeScalars.map { UInt8($0.value) }
    #expect(Feed(latin)?.title == "café" && Feed(latin)?.encoding == "windows-1252")
    // Declared incorrectly.
    #expect(Feed(Array(text.utf8))?.title == "café")
    let utf16 = Array(text.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(Feed([0xFF, 0xFE] + utf16)?.title == "café")
    #expect(Feed(utf16)?.title == "café")
    let bare = "<rss><channel><title>\u{FEFF}x</title></channel></rss>"
    #expect(Feed([0xEF, 0xBB, 0xBF] + Array(bare.utf8))?.title == "x")
  }

  @Test(
    arguments: [
      ("<rss>", .rss), ("\n\n<?xml version='1.0'?>\n<!-- c <html> --><rss version='2.0'>", .rss),
      ("<?xml-stylesheet href='a.xsl'?><feed xmlns='http://www.w3.org/2005/Atom'>", .atom),
      ("<entry xmlns='http://www.w3.org/2005/Atom'>", .atom), ("<entry>", nil),
      ("<atom:entry xml:lang='en' xmlns:atom=\"http://www.w3.org/2005/Atom\">", .atom),
      ("<entry xmlns='http://www.tei-c.org/ns/1.0'>", nil),
      ("<!DOCTYPE rss PUBLIC 'x' 'y'><rss>", .rss),
      ("<!DOCTYPE rss [<!ENTITY x 'y'>]><rss>", .rss),
      ("<rdf:RDF>", .rdf), ("<atom:feed>", .atom), ("<channel>", .rss),
      ("<br />\n<b>Warning</b>: x in <b>y</b><br />\n<?xml version='1.0'?><rss>", .rss),
      // A long comment, and text before a complete feed.
      ("<?xml version='1.0'?><!--\(String(repeating: "a > b <p> ", count: 900))--><rss>", .rss),
      ("Warning: x in y on line 3\n<?xml version='1.0'?><rss></rss>\n<!-- z -->\n", .rss),
      ("Notice: a\n<a:feed></a:feed>", .atom), ("Notice: a <b>c</b> <rdf:RDF></RDF:rdf >", .rdf),
      ("Notice: a <?xml version='1.0'?><rss><channel>", nil),
      ("In a feed, <rss></rss> is the root.", nil), ("Use <p> in <rss></rss>", nil),
      ("Notice: a <rss></feed>", nil),
      ("<!DOCTYPE html>\n<?xml version='1.0'?><rss></rss>\n", .rss),
      ("<!doctype html><!-- c --><feed></feed>", .atom), ("<!DOCTYPE html><p><rss></rss>", nil),
      ("{\"version\":\"https://jsonfeed.org/version/1\"}", .json),
      ("{\"version\":\"1\"}", nil), ("[]", nil), ("<!DOCTYPE html><rss>", nil), ("<html>", nil),
      ("<p>in <rss> one writes", nil), ("text with <rss>", nil), ("<opml>", nil), ("", nil),
      ("<", nil), ("<!--", nil), ("<svg><feed>", nil),
    ] as [(String, FeedFormat?)])
  func `a feed is recognized by its beginning`(_ text: String, _ format: FeedFormat?) {
    #expect(FeedFormat(of: Array(text.utf8)) == format)
  }

  @Test(
    arguments: [
      // A guid, a link, both. Finally the title, text or date differs.
      ("<guid>1</guid><link>/a</link>", "<guid>1</guid><link>/b</link>", 2),
      ("<guid>1</guid><link>/a</link>", "<guid>2</guid><link>/a</link>", 2),
      ("<link>/a</link><title>x</title>", "<link>/a</link><title>y</title>", 2),
      ("<guid>1</guid><link>/a</link><title>x</title>", "<guid>1</guid><link>/a</link>", 2),
      (
        "<guid>1</guid><description>x</description>", "<guid>1</guid><description>y</description>",
        2
      ),
      ("<title>x</title><pubDate>2026-01-01</pubDate>", "<title>x</title>", 2),
      ("<guid>1</guid><link>/a</link>", "<guid>1</guid><link>/a</link>", 1),
      ("<title>x</title>", "<title>x</title>", 1),
    ] as [(String, String, Int)])
  func `items that share a guid or a link are kept, without duplicates`(
    _ one: String, _ other: String, _ count: Int
  ) throws {
    let feed = try Self.feed(
      "<rss><channel><link>https://a.example/</link><item>\(one)</item><item>\(other)</item>"
        + "</channel></rss>")
    #expect(feed.items.count == count && Set(feed.items.map(\.id)).count == count)
  }
}
