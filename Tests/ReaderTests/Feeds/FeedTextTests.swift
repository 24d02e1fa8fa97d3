import Document
import Feeds
import Foundation
import Testing

/// The choice of the text of an item among several elements.
@Suite struct FeedTextTests {
  private static let start =
    "<rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/' "
    + "xmlns:media='http://search.yahoo.com/mrss/' "
    + "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>F</title>"
  private static let long = "The whole report about the harbour, with all of its many words."

  private static func feed(_ item: String) throws -> Feed {
    let text = "\(start)<item><title>T</title><link>https://a.test/1</link>\(item)</item>"
    return try #require(Feed(Array("\(text)</channel></rss>".utf8), url: "https://a.test/f"))
  }

  private static func atom(_ entry: String) throws -> Feed {
    let text =
      "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:media='http://search.yahoo.com/mrss/'>"
      + "<title>F</title><entry><id>1</id><title>T</title>"
      + "<link href='https://a.test/1'/>\(entry)</entry></feed>"
    return try #require(Feed(Array(text.utf8), url: "https://a.test/f"))
  }

  /// The lines of the page of the first item, without its title.
  private static func lines(of feed: Feed) throws -> [String] {
    let page = feed.document(of: try #require(feed.items.first), url: "https://a.test/1")
    return String(decoding: page.plainText, as: UTF8.self).split(separator: "\n").dropFirst()
      .map(String.init)
  }

  @Test(
    arguments: [
      // Content without text.
      ("<content:encoded><![CDATA[<p>&nbsp;</p>]]></content:encoded>", [long]),
      ("<content:encoded><![CDATA[<!-- <p>x</p> --><br>&#8203;]]></content:encoded>", [long]),
      ("<content:encoded><![CDATA[<style>p {color: red}</style>]]></content:encoded>", [long]),
      // A teaser.
      (
        "<content:encoded><![CDATA[<p>Just a teaser</p>]]></content:encoded>",
        ["Just a teaser", long]
      ),
      ("<content:encoded><![CDATA[<p>The <b>whole</b> report…</p>]]></content:encoded>", [long]),
      // Another text, or much more of it.
      (
        "<content:encoded><![CDATA[<p>Ferries sail again, at noon and in the evening.</p>]]>"
          + "</content:encoded>",
        ["Ferries sail again, at noon and in the evening."]
      ),
      ("<itunes:summary>Short blurb</itunes:summary>", [long]),
      ("<itunes:summary>\(long) \(long) And more.</itunes:summary>", ["\(long) \(long) And more."]),
      ("<media:description>A caption</media:description>", [long]),
      ("<media:group><media:description>A caption</media:description></media:group>", [long]),
      ("<media:text>Spoken</media:text>", [long]), ("<summary></summary>", [long]),
    ] as [(String, [String])])
  func `the text of an RSS item does not depend on the order of its elements`(
    _ element: String, _ expected: [String]
  ) throws {
    let description = "<description>\(Self.long)</description>"
    #expect(try Self.lines(of: Self.feed(element + description)) == expected)
    #expect(try Self.lines(of: Self.feed(description + element)) == expected)
  }

  @Test func `an image is shown with the text of an item that does not contain one`() throws {
    let image = "<content:encoded><![CDATA[<img src='a.jpg' alt='Quay'>]]></content:encoded>"
    for text in [Self.long, "&lt;p&gt;\(Self.long)"] {
      let feed = try Self.feed("<description>\(text)</description>\(image)")
      let page = feed.document(of: feed.items[0], url: "https://a.test/1")
      #expect(page.images.map(\.source) == ["https://a.test/a.jpg"])
      #expect(String(decoding: page.text, as: UTF8.self).contains(Self.long))
    }
    let other = "<description>\(Self.long) &lt;img src='b.jpg' alt='Pier'&gt;</description>"
    let feed = try Self.feed(other + image)
    let page = feed.document(of: feed.items[0], url: "https://a.test/1")
    #expect(page.images.map(\.source) == ["https://a.test/b.jpg"])
    #expect(try Self.feed(image).items[0].content != nil)
  }

  @Test func `a short description stays before the notes of an episode`() throws {
    let feed = try Self.feed(
      "<description>Short eight</description><itunes:summary>\(Self.long)</itunes:summary>")
    #expect(try Self.lines(of: feed) == ["Short eight", Self.long])
  }

  @Test func `a summary that is shorter than the content is folded with it`() throws {
    let item = try Self.feed(
      "<media:description>A caption</media:description><description>Short</description>"
        + "<content:encoded>\(Self.long)</content:encoded>"
    ).items[0]
    #expect(item.summary?.html == "Short" && item.content?.html == Self.long)
  }

  @Test(arguments: [
    "<content>Words</content>", "<body>Words</body>", "<summary>Words</summary>",
    "<media:text type='html'>&lt;p&gt;Words&lt;/p&gt;</media:text>",
    "<yandex:full-text xmlns:yandex='http://news.yandex.ru'>Words</yandex:full-text>",
    "<turbo:content xmlns:turbo='http://turbo.yandex.ru'><![CDATA[<p>Words]]></turbo:content>",
    "<source:markdown>*Words*</source:markdown>",
    "<googleplay:description>Words</googleplay:description>",
    "<content:items><rdf:Bag><rdf:li><content:item><rdf:value>&lt;p&gt;Words</rdf:value>"
      + "</content:item></rdf:li></rdf:Bag></content:items>",
  ])
  func `the only text of an RSS item is shown, whatever its element`(_ element: String) throws {
    #expect(try Self.lines(of: Self.feed(element)) == ["Words"])
  }

  @Test func `an Atom entry and an item of JSON Feed have their longest text`() throws {
    let group = "<media:group><media:description>A caption</media:description></media:group>"
    let caption = try Self.atom("\(group)<summary>\(Self.long)</summary>")
    #expect(try Self.lines(of: caption) == [Self.long])
    let blank = try Self.atom(
      "<content type='html'>&lt;p&gt;&amp;nbsp;</content><summary>\(Self.long)</summary>")
    #expect(try Self.lines(of: blank) == [Self.long])
    let json = """
      {"version": "https://jsonfeed.org/version/1", "items": [{"id": "1", "title": "T",
      "content_html": "<p>&nbsp;</p>", "content_text": "\(Self.long)", "summary": "Short"}]}
      """
    let feed = try #require(Feed(Array(json.utf8)))
    #expect(try Self.lines(of: feed) == [Self.long])
  }
}
