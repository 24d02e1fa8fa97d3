import Document
import Feeds
import Foundation
import Testing

/// Images of Media RSS and JSON Feed.
@Suite struct FeedImageTests {
  private static func rssItem(_ elements: String) throws -> FeedItem {
    let feed = Feed(
      Array("<rss><channel><title>F</title><item>\(elements)</item></channel></rss>".utf8),
      url: "https://a.test/f")
    return try #require(feed?.items.first)
  }

  private static let described =
    "<media:content url='/m.png' type='image/png' medium='image'>"
    + "<media:description type='plain'>A ferry at dawn</media:description></media:content>"
  private static let plain = "<media:content url='/m.png' medium='image'/>"
  private static let image = "https://a.test/m.png"

  @Test(
    arguments: [
      ("<description></description>" + described, ["A ferry at dawn"]),
      ("<description>A toot</description>" + described, ["A ferry at dawn"]),
      // An image of an item without text, or one that the text describes.
      (plain, [""]), ("<media:title>Gull on a pole</media:title>" + plain, ["Gull on a pole"]),
      ("<media:description>Seen today</media:description>" + plain, [""]),
      ("<media:group>\(plain)</media:group>", [""]),
      // Decoration, and an image that the text contains.
      ("<description>An article</description>" + plain, []),
      ("<description>&lt;p&gt;A &lt;IMG src=m.png&gt;</description>" + described, []),
      ("<media:content url='/m.mp3' type='audio/mpeg'/>", []),
      ("<media:content url='/m.png'/>", []),
      // A preview of an item without text, or of a file or an article.
      ("<media:thumbnail url='/m.png'/>", [""]),
      ("<media:group><media:thumbnail url='/m.png'/></media:group>", [""]),
      ("<media:thumbnail url='/m.png'/><media:description>Seen today</media:description>", [""]),
      ("<media:thumbnail url='/small.png'/>" + plain, [""]),
      ("<media:thumbnail url='/m.png'/><description>An article</description>", []),
      (
        "<media:thumbnail url='/m.png'/><media:content url='/m.mp3' type='audio/mpeg'/>", []
      ),
      ("<media:content url='javascript:x' medium='image'/>", []),
      // Several sizes of one image.
      (described + described.replacing("/m.png", with: "/large.png"), ["A ferry at dawn"]),
    ] as [(String, [String])])
  func `an image that belongs to the text of an item is shown`(
    _ elements: String, _ texts: [String]
  ) throws {
    let item = try Self.rssItem(elements)
    #expect(item.images == texts.map { FeedItem.Image(url: Self.image, descriptionText: $0) })
    #expect(item.enclosures.allSatisfy { $0.mediaType == "audio/mpeg" })
  }

  @Test(
    arguments: [
      ("<enclosure url='/m.png' type='image/png' length='9'/>", 1, 0),
      ("<description>Seen today</description><enclosure url='/m.png' type='Image/PNG'/>", 1, 0),
      (
        "<enclosure url='/m.png' type='image/png'/><enclosure url='/n.png' type='image/png'/>", 2, 0
      ),
      (
        "<enclosure url='/m.png' type='image/png'/><enclosure url='/a.mp3' type='audio/mpeg'/>", 1,
        1
      ),
      // An image that the text contains, and files that are not images.
      (
        "<description>&lt;img src='/m.png'></description><enclosure url='/m.png' type='image/png'/>",
        0, 1
      ),
      ("<enclosure url='/m.png' type='application/pdf'/>", 0, 1),
      ("<enclosure url='/m.png'/>", 0, 1),
    ] as [(String, Int, Int)])
  func `an attached image is shown if the text has no image`(
    _ elements: String, _ images: Int, _ links: Int
  ) throws {
    let feed = try #require(
      Feed(
        Array("<rss><channel><title>F</title><item>\(elements)</item></channel></rss>".utf8),
        url: "https://a.test/f"))
    let item = try #require(feed.items.first)
    let page = feed.document(of: item, url: "")
    #expect(item.images.count == images)
    #expect(page.links.filter { $0.kind == .anchor }.count == links)
  }

  @Test func `images attached to an Atom entry and to an item of JSON Feed are shown`() throws {
    for text in [
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><id>1</id><title>T</title>
      <link rel="enclosure" href="/m.png" type="image/png"/></entry></feed>
      """,
      """
      {"version": "https://jsonfeed.org/version/1", "title": "F", "items": [{"id": "1",
       "content_html": "<p>Words</p>", "attachments": [
         {"url": "/m.png", "mime_type": "image/png"},
         {"url": "/a.mp3", "mime_type": "audio/mpeg"}]}]}
      """,
    ] {
      let feed = Feed(Array(text.utf8), url: "https://a.test/f")
      #expect(feed?.items.first?.images == [FeedItem.Image(url: Self.image)])
    }
  }

  @Test func `the title of an attached image describes it`() {
    let feed = Feed(
      Array(
        """
        <feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><id>1</id><title>T</title>
        <link rel="enclosure" href="/m.png" type="image/png" title="A map"/></entry></feed>
        """.utf8), url: "https://a.test/f")
    #expect(
      feed?.items.first?.images == [FeedItem.Image(url: Self.image, descriptionText: "A map")])
  }

  @Test func `a video has its preview instead of a Flash player`() throws {
    let feed = Feed(
      Array(
        """
        <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
        <title>F</title><entry><id>1</id><title>T</title><link href="/1"/><media:group>
        <media:content url="/v/1?version=3" type="application/x-shockwave-flash"/>
        <media:thumbnail url="/m.png"/><media:description>Words</media:description></media:group>
        </entry></feed>
        """.utf8), url: "https://a.test/f")
    let item = try #require(feed?.items.first)
    #expect(item.images == [FeedItem.Image(url: Self.image)] && item.enclosures.isEmpty)
  }

  @Test func `images of a toot are shown in the page of the feed and in that of the item`() throws {
    let feed = try #require(
      Feed(
        Array(
          """
          <rss><channel><title>F</title><item><link>https://a.test/1</link>\(Self.described)
          <media:content url='/n.png' medium='image'><media:description>A gull</media:description>
          </media:content></item></channel></rss>
          """.utf8), url: "https://a.test/f"))
    let item = try #require(feed.items.first)
    #expect(item.displayName == "A ferry at dawn")
    for page in [feed.document(url: "https://a.test/f"), feed.document(of: item, url: "")] {
      #expect(page.images.map(\.source) == ["https://a.test/m.png", "https://a.test/n.png"])
      #expect(page.images.map(\.alternativeText) == ["A ferry at dawn", "A gull"])
    }
  }

  @Test func `an Atom entry has the image that its media description is about`() throws {
    let text = """
      <feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><media:group>\(Self.plain)
      <media:description>Seen today</media:description></media:group></entry>
      <entry><id>2</id><content>An article</content>\(Self.plain)</entry></feed>
      """
    let feed = try #require(Feed(Array(text.utf8), url: "https://a.test/f"))
    #expect(feed.items.map(\.images) == [[FeedItem.Image(url: Self.image)], []])
    #expect(feed.items[1].content?.html.contains("An article") == true)
  }

  @Test func `an item of a JSON feed without text has its image`() throws {
    let text = """
      {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "image": "/m.png"},
      {"id": "2", "image": "/m.png", "content_text": "An article"}, {"id": "3", "image": {}}]}
      """
    let feed = try #require(Feed(Array(text.utf8), url: "https://a.test/f"))
    #expect(feed.items.map(\.images) == [[FeedItem.Image(url: Self.image)], [], []])
  }

  @Test func `a subtitle of a podcast is shown if there is no other text`() throws {
    let subtitle = "<itunes:subtitle>Short</itunes:subtitle>"
    #expect(try Self.rssItem(subtitle).summary?.html == "Short")
    let both = subtitle + "<itunes:summary>Long</itunes:summary>"
    #expect(try Self.rssItem(both).summary?.html == "Long")
  }
}
