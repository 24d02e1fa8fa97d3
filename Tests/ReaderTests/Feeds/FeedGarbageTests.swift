@testable import Feeds
import Document
import TestSupport
import Testing

/// Malformed feeds.
@Suite struct FeedGarbageTests {
  private static let feed = """
    <?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
    <channel><title>T</title><link>https://example.org/</link><ttl>60</ttl>
    <item><title>1 &amp; 2</title><link>https://example.org/1</link><pubDate>Sat, 21 Nov 2026 10:15:30
    GMT</pubDate><content:encoded><![CDATA[<p>x <a href="y">z</a></p>]]></content:encoded>
    <enclosure url="a.mp3" length="1" type="audio/mpeg"/></item></channel></rss>
    """

  @Test func `altered, truncated or duplicated bytes are parsed to a page`() {
    var random = SplitMix64(seed: 2005)
    let pieces = [
      "<", ">", "</", "/>", "&", "\"", "'", "<![CDATA[", "]]>", "<!--", "-->", "<item>", "<!", "<?",
      "\u{0}", "xmlns=", "[", "]",
    ]
    for _ in 0..<400 {
      var bytes = Array(Self.feed.utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeSubrange(position..<min(bytes.count, position + 12))
        case 1:
          bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: position)
        case 2: bytes[position] = UInt8.random(in: 0...255, using: &random)
        default: bytes.removeSubrange(position...)
        }
      }
      guard let feed = Feed(bytes, url: "https://example.org/feed") else { continue }
      let document = feed.document(url: "https://example.org/feed")
      #expect(document.blocks.allSatisfy { Int($0.end) <= document.blocks.count })
      #expect(document.text.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x09 })
    }
  }

  @Test(arguments: [
    "<a>", "</b>", "<a ", "<!x[", "<a b=\"", "<![CDATA[", "<!--", "&", "<item>", "<a><b></a>",
    "<?",
  ])
  func `repeated markup takes linear time`(_ part: String) {
    let text = "<rss><channel>" + String(repeating: part, count: 40_000)
    #expect(Feed(Array(text.utf8))?.format == .rss)
  }

  @Test(
    arguments: [
      ("<rss><channel>", "<item><title>a"), ("<rss><channel>", "<item><description><p>x"),
      ("<feed>", "<entry><content type='xhtml'><item>"), ("<?x <rss ?>", "<a>"),
      ("<rss><channel><item><title>", "&lt;b"), ("<rss><channel><item><title>", "&lt;q"),
    ] as [(String, String)])
  func `nested items, unterminated names and elements around a feed take linear time`(
    _ head: String, _ piece: String
  ) {
    let count = Effort.rounds(100_000, part: 25_000)
    let feed = Feed(Array((head + String(repeating: piece, count: count)).utf8))
    #expect(feed == nil || feed?.format != .json)
    let length = feed?.items.reduce(0) { sum, item in
      sum + (item.summary?.html.utf8.count ?? 0) + (item.content?.html.utf8.count ?? 0)
    }
    #expect(length ?? 0 <= count * piece.utf8.count, "no text is duplicated")
  }

  @Test func `the first items of a too long feed are parsed, and the truncation is reported`()
    throws
  {
    let count = Feed.maxItems + 2
    let xml = "<rss><channel>" + (0..<count).map { "<item><guid>\($0)</guid></item>" }.joined()
    let json =
      #"{"version":"https://jsonfeed.org/version/1","items":["#
      + (0..<count).map { #"{"id":"\#($0)"}"# }.joined(separator: ",") + "]}"
    // The last item is not parsed completely.
    let parts =
      "<feed><entry><id>1</id></entry><entry>" + String(repeating: "<a/>", count: Feed.maxNodes)
    for (text, read) in [(xml, Feed.maxItems), (json, Feed.maxItems), (parts, 2)] {
      let feed = try #require(Feed(Array((text + "<entry><id>2</id></entry>").utf8)))
      #expect(feed.isTruncated && feed.items.count == read)
    }
    var short = try #require(Feed(Array(Self.feed.utf8)))
    #expect(!short.isTruncated)
    let message = "This feed has more items; these are its first 1."
    let whole = String(decoding: short.document(url: "").plainText, as: UTF8.self)
    #expect(!whole.contains(message))
    short.isTruncated = true
    #expect(String(decoding: short.document(url: "").plainText, as: UTF8.self).contains(message))
  }

  @Test func `deeply nested JSON uses little stack, and truncated JSON is parsed`() {
    let head = "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":"
    #expect(Feed(Array((head + String(repeating: "[", count: 50_000)).utf8)) != nil)
    #expect(Feed(Array((head + String(repeating: "{\"a\":", count: 50_000)).utf8)) != nil)
    let whole = Array(
      (head + "[{\"id\":\"\\ud83d\\u00e9\\\",\",\"tags\":[1,true,null,-1e5]}]}").utf8)
    for count in 0..<whole.count { _ = Feed(Array(whole.prefix(count))) }
    var random = SplitMix64(seed: 8259)
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: head.utf8.count..<bytes.count, using: &random)] =
          Array("{}[],:\"\\u1tfn\u{0}".utf8).randomElement(using: &random) ?? 0
      }
      _ = Feed(bytes)
    }
  }
}
