import Document
import Feeds
import Foundation
import Testing

/// Feeds that use the elements of several formats, and properties that an item inherits.
@Suite struct MixedFeedTests {
  private static func feed(_ text: String) throws -> Feed {
    try #require(Feed(Array(text.utf8), url: "https://a.test/f"))
  }

  private static func entry(_ elements: String, feed head: String = "") throws -> FeedItem {
    let feed = try Self.feed(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:content="http://purl.org/rss/1.0/modules/content/"><title>F</title>\(head)
      <entry><id>urn:1</id><title>T</title><link href="https://a.test/1"/>\(elements)</entry></feed>
      """)
    return try #require(feed.items.first)
  }

  private static func item(_ elements: String) throws -> FeedItem {
    let feed = try Self.feed(
      """
      <rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>F</title>
      <managingEditor>E</managingEditor><item><title>T</title>\(elements)</item></channel></rss>
      """)
    return try #require(feed.items.first)
  }

  @Test(arguments: [
    "http://www.w3.org/2005/Atom", "http://www.w3.org/1999/xhtml", "http://search.yahoo.com/mrss/",
    "http://backend.userland.com/rss2", "http://purl.org/rss/1.0/",
  ])
  func `elements of RSS without a prefix are known in any default namespace`(
    _ namespace: String
  ) throws {
    let feed = try Self.feed(
      """
      <rss version="2.0" xmlns="\(namespace)"><channel><title>F</title><link>https://a.test/</link>
      <item><title>T</title><link>/1</link><description>Words</description>
      <author>m@a.test (Ann)</author><pubDate>21 Nov 2026</pubDate></item></channel></rss>
      """)
    #expect(feed.title == "F" && feed.items.map(\.title) == ["T"])
    let item = try #require(feed.items.first)
    #expect(item.url == "https://a.test/1" && item.author == "Ann")
    #expect(item.plainText.split(separator: "\n") == ["Words"])
    #expect(item.date == DateText.parse("2026-11-21"))
  }

  @Test func `entities that a feed declares are replaced`() throws {
    let feed = try Self.feed(
      """
      <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY co "A &amp; B"><!ENTITY c '&#169; &co;'>]>
      <rss version="2.0"><channel><title>&co;</title><item><title>&c; &lt;&amp;co; &eacute;</title>
      <link>https://a.test/?a=1&b=2</link></item></channel></rss>
      """)
    #expect(feed.title == "A & B" && feed.items.map(\.title) == ["© A & B <&co; é"])
    #expect(feed.items.first?.url == "https://a.test/?a=1&b=2")
  }

  @Test(
    arguments: [
      ("<link>magnet:?xt=urn:btih:a&amp;dn=b</link>", "magnet:?xt=urn:btih:a&dn=b"),
      (
        "<enclosure url='magnet:?xt=urn:btih:a' type='application/x-bittorrent'/>",
        "magnet:?xt=urn:btih:a"
      ),
      ("<link>gemini://a.test/</link><enclosure url='gemini://a.test/'/>", "gemini://a.test/"),
    ] as [(String, String)])
  func `links for other programs are related links`(_ elements: String, _ url: String) throws {
    let item = try Self.item("<guid>https://a.test/1</guid>" + elements)
    #expect(item.url == "https://a.test/1" && item.relatedLinks.map(\.url) == [url])
    #expect(item.enclosures.isEmpty)
  }

  @Test(arguments: [("", "The Gazette"), ("<author>Ann</author>", "Ann")])
  func `an item without an author has the name of its source`(
    _ author: String, _ expected: String
  ) throws {
    let source = "<source url='https://b.test/'>The Gazette</source>"
    #expect(try Self.item(source + author).author == expected)
  }

  @Test func `an Atom link for another program is a related link`() throws {
    let item = try Self.entry("<link href='gemini://a.test/'/><link href='javascript:x'/>")
    #expect(item.url == "https://a.test/1" && item.relatedLinks.map(\.url) == ["gemini://a.test/"])
  }

  @Test func `an entry of a catalog of books leads to its part of the catalog`() throws {
    let type = "type='application/atom+xml;profile=opds-catalog;kind=navigation'"
    for relation in ["subsection", "http://opds-spec.org/sort/new"] {
      let link = "<link rel='\(relation)' \(type) href='https://a.test/new'/>"
      #expect(try Self.entry(link).url == "https://a.test/1")
      let feed = try Self.feed(
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>F</title><entry><id>urn:1</id>\(link)"
          + "<title>T</title></entry></feed>")
      #expect(feed.items.map(\.url) == ["https://a.test/new"])
    }
  }

  @Test func `the files of a book are related links`() throws {
    let item = try Self.entry(
      "<link rel='http://opds-spec.org/acquisition/open-access' href='https://a.test/b.epub'"
        + " type='application/epub+zip' title='EPUB'/>"
        + "<link rel='http://opds-spec.org/image' type='image/jpeg' href='https://a.test/c.jpg'/>")
    #expect(item.url == "https://a.test/1")
    #expect(item.relatedLinks.map(\.url) == ["https://a.test/b.epub"])
    #expect(item.relatedLinks.map(\.title) == ["EPUB"])
  }

  @Test func `an element of RSS with its own namespace keeps it`() throws {
    let item = try Self.item(
      "<link xmlns='http://www.w3.org/2005/Atom' rel='related' href='https://b.test/'/>"
        + "<guid>https://a.test/1</guid>")
    #expect(item.url == "https://a.test/1" && item.relatedLinks.map(\.url) == ["https://b.test/"])
  }

  @Test(
    arguments: [
      ("<description>Words</description>", "Words"),
      ("<content:encoded>&lt;p&gt;Words&lt;/p&gt;</content:encoded>", "Words"),
      ("<summary>Words</summary><description></description>", "Words"),
      (
        "<content type='html'>The words of the entry</content><description>The words</description>",
        "The words of the entry"
      ),
    ] as [(String, String)])
  func `an Atom entry has the text of elements of RSS`(_ elements: String, _ text: String) throws {
    #expect(try Self.entry(elements).plainText.split(separator: "\n").joined() == text)
  }

  @Test func `an Atom entry has the date of elements of RSS unless it has its own`() throws {
    let date = DateText.parse("2026-11-21")
    #expect(try Self.entry("<pubDate>21 Nov 2026</pubDate>").date == date)
    #expect(
      try Self.entry("<updated>2026-11-22</updated><dc:date>2026-11-21</dc:date>").date == date)
    #expect(
      try Self.entry("<dc:date>2026-11-20</dc:date><published>2026-11-21</published>").date == date)
  }

  @Test(
    arguments: [
      ("<published>2026-11-21</published>", "2026-11-21"),
      ("<date>2026-11-21</date>", "2026-11-21"),
      ("<updated>2026-11-21T00:00:00Z</updated>", "2026-11-21"),
      ("<date>2026-11-20</date><pubDate>21 Nov 2026</pubDate>", "2026-11-21"),
    ] as [(String, String)])
  func `an RSS item has the date of elements of Atom`(_ elements: String, _ date: String) throws {
    #expect(try Self.item(elements).date == DateText.parse(date))
  }

  @Test(
    arguments: [
      ("", "Feed Author"), ("<author><name></name></author>", "Feed Author"),
      ("<author><name>Ann</name></author>", "Ann"),
      ("<source><author><name>Bo</name></author></source>", "Bo"),
      ("<source><author><name>Bo</name></author></source><author><name>Ann</name></author>", "Ann"),
      ("<source><title>S</title></source>", "Feed Author"), ("<dc:creator>Cy</dc:creator>", "Cy"),
      ("<author><name>Ann</name></author><dc:creator>Cy</dc:creator>", "Ann"),
    ] as [(String, String)])
  func `an Atom entry without an author has that of its source or feed`(
    _ elements: String, _ author: String
  ) throws {
    let item = try Self.entry(elements, feed: "<author><name>Feed Author</name></author>")
    #expect(item.author == author)
  }

  @Test func `an item of JSON Feed without an author has that of the feed`() throws {
    let feed = try Self.feed(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "F", "authors": [{"name": "Ann"}],
       "items": [{"id": "1"}, {"id": "2", "authors": [{"name": "Bo"}]}]}
      """)
    #expect(feed.items.map(\.author) == ["Ann", "Bo"])
  }

  @Test func `arrays of JSON Feed may be objects with numbers as names, or single values`() throws {
    let feed = try Self.feed(
      """
      {"version": "https://jsonfeed.org/version/1", "title": "F", "items": {
       "10": {"id": "b", "author": "Bo", "tags": "sea"},
       "2": {"id": "a", "authors": {"name": "Ann"}, "tags": {"0": "tide", "3": "pier"},
        "attachments": {"url": "https://a.test/a.mp3", "mime_type": "audio/mpeg"}}}}
      """)
    #expect(feed.items.map(\.id) == ["a", "b"])
    #expect(feed.items.map(\.author) == ["Ann", "Bo"])
    #expect(feed.items.map(\.tags) == [["tide", "pier"], ["sea"]])
    #expect(feed.items.map { $0.enclosures.map(\.url) } == [["https://a.test/a.mp3"], []])
    let single = try Self.feed(
      """
      {"version": "https://jsonfeed.org/version/1", "title": "F", "items": {"id": "a"}}
      """)
    #expect(single.items.map(\.id) == ["a"])
  }

  @Test(
    arguments: [
      (#""title": "It&#8217;s R&amp;D""#, "It’s R&D", ""),
      (#""title": "The &nbsp tag & <em>""#, "The &nbsp tag & <em>", ""),
      (#""content_text": "<p>One</p><p>two</p>""#, "", "One two"),
      (#""summary": "<p>One</p>""#, "", "One"), (#""content_text": "1 < 2""#, "", "1 < 2"),
      (#""content_html": "&lt;p&gt;One&lt;/p&gt;""#, "", "One"),
    ] as [(String, String, String)])
  func `texts of JSON Feed may be escaped, or HTML in spite of their name`(
    _ members: String, _ title: String, _ text: String
  ) throws {
    let feed = try Self.feed(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "F",
       "items": [{"id": "1", \(members)}]}
      """)
    let item = try #require(feed.items.first)
    #expect(item.title == title)
    let page = feed.document(of: item, url: "https://a.test/1")
    let lines = String(decoding: page.plainText, as: UTF8.self).split(separator: "\n")
    #expect(lines.dropFirst().joined(separator: " ") == text)
  }

  @Test(arguments: ["1795256130", "1795256130000", "\"2026-11-21T10:15:30Z\""])
  func `a date of JSON Feed may be a number`(_ date: String) throws {
    let feed = try Self.feed(
      """
      {"version": "https://jsonfeed.org/version/1", "items": [{"id": "1",
       "date_published": \(date), "date_modified": 1e300}]}
      """)
    #expect(feed.items.map(\.date) == [DateText.parse("2026-11-21T10:15:30Z")])
  }

  @Test(
    arguments: [
      ("<author><name>Ann</name><email>a@a.test</email></author>", "Ann"),
      ("<author><email>a@a.test</email><name>Ann</name></author>", "Ann"),
      ("<creator>Ann</creator>", "Ann"), ("", ""),
    ] as [(String, String)])
  func `an author of an RSS item may be written as in Atom`(
    _ elements: String, _ author: String
  ) throws {
    #expect(try Self.item(elements).author == author)
  }
}
