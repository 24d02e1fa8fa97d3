@testable import Profiles
import Crawl
import Feeds
import Foundation
import OfflineCache
import TestNetwork
import Testing

@testable import Configuration
@testable import Library
@testable import Reader
@testable import Saving

/// The feeds of services that offread-services(7) describes. The responses were written for these
/// tests, in the forms that the documentation of the services gives.
@Suite struct ServiceFeedTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  /// A feed of a bookmarking service: the URL pattern in the manual (`form`), a URL of that form,
  /// and the response.
  private struct Recipe {
    var form: String
    var url: String
    var type: String
    var body: String
  }

  private static let host = "https://lists.example"

  private static func wallabag(_ page: Int, of pages: Int, _ numbers: [Int]) -> String {
    let base = "\(host)/feed/anna/aT0k3n/unread"
    let entries = numbers.map { number in
      """
      <entry><title><![CDATA[Story &amp; number \(number)]]></title>
        <link href="https://press.example/\(number)"/>
        <link rel="alternate" type="text/html" href="\(host)/view/\(number)"/>
        <link rel="via" href="https://press.example/\(number)"/>
        <id>wallabag:lists.example:anna:entry:\(number)</id>
        <updated>2026-11-0\(number)T10:00:00+00:00</updated>
        <published>2026-11-0\(number)T09:00:00+00:00</published>
        <category term="sea" label="Sea"/><author><name>Reporter</name></author>
        <content type="html" xml:lang="en"><![CDATA[2 min read<p>Text \(number)</p>]]></content>
      </entry>
      """
    }
    let previous = page > 1 ? "<link rel=\"previous\" href=\"\(base)/\(page - 1)\"/>" : ""
    let next = page < pages ? "<link rel=\"next\" href=\"\(base)/\(page + 1)\"/>" : ""
    return """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom"><title>wallabag — unread feed</title>
        <subtitle type="html">Atom feed for unread entries</subtitle>
        <id>wallabag:lists.example:anna:unread</id>
        <link rel="alternate" type="text/html" href="\(host)/unread/list"/>
        <updated>2026-11-05T10:00:00+00:00</updated>
        <link rel="self" type="application/atom+xml" href="\(base)/\(page)"/>
        \(previous)\(next)<link rel="last" href="\(base)/\(pages)"/>
        <generator uri="https://wallabag.org" version="2.6">wallabag</generator>
        <author><name>anna</name></author>\(entries.joined())</feed>
      """
  }

  private static let readeck = Recipe(
    form: "https://HOST/api/bookmarks/feed?is_archived=false",
    url: "\(host)/api/bookmarks/feed?is_archived=false", type: "application/atom+xml",
    body: """
      <?xml version="1.0" encoding="UTF-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom"><id>urn:uuid:</id><title>Readeck</title>
        <subtitle>Readeck's Bookmarks</subtitle><updated>2026-11-05T10:00:00Z</updated>
        <link href="\(host)/api/bookmarks/feed?is_archived=false" rel="self"
          type="application/atom+xml"/>
        <link href="\(host)/bookmarks?is_archived=false" rel="alternate" type="text/html"/>
        <entry><title>Low water</title>
          <link href="\(host)/bookmarks/Qm3yTn8sLd2kWv5bRx7cZa" rel="alternate" type="text/html"/>
          <id>urn:uuid:3f6a9f50-8a77-4c38-9a70-0a1b2c3d4e5f</id>
          <updated>2026-11-05T10:00:00Z</updated><published>2026-11-04T10:00:00Z</published>
          <summary type="text">About tides</summary>
          <content type="html">&lt;p&gt;The whole text of the bookmark.&lt;/p&gt;</content>
        </entry></feed>
      """)

  private static let linkding = Recipe(
    form: "https://HOST/feeds/TOKEN/unread?limit=500",
    url: "\(host)/feeds/f00d/unread?limit=500", type: "application/rss+xml; charset=utf-8",
    body: """
      <?xml version="1.0" encoding="utf-8"?>
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
        <title>Unread bookmarks</title><link>\(host)/feeds/f00d/unread</link>
        <description>All unread bookmarks</description>
        <atom:link href="\(host)/feeds/f00d/unread?limit=500" rel="self"/>
        <language>en-us</language><lastBuildDate>Thu, 05 Nov 2026 10:00:00 +0000</lastBuildDate>
        <item><title>Low water</title><link>https://press.example/tides</link>
          <description>About tides</description>
          <pubDate>Thu, 05 Nov 2026 10:00:00 +0000</pubDate>
          <guid>https://press.example/tides</guid><category>sea</category></item>
      </channel></rss>
      """)

  private static let karakeep = Recipe(
    form: "https://HOST/api/v1/rss/lists/LIST?token=TOKEN",
    url: "\(host)/api/v1/rss/lists/k2l?token=f00d", type: "application/rss+xml",
    body: """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss xmlns:dc="http://purl.org/dc/elements/1.1/" version="2.0"
        xmlns:atom="http://www.w3.org/2005/Atom"><channel>
        <title><![CDATA[Bookmarks from Unread]]></title><link>\(host)/dashboard/lists/k2l</link>
        <atom:link href="\(host)/api/v1/rss/lists/k2l" rel="self" type="application/rss+xml"/>
        <item><title><![CDATA[Low water]]></title><link>https://press.example/tides</link>
          <guid isPermaLink="false">bm1</guid><category><![CDATA[sea]]></category>
          <dc:creator><![CDATA[Reporter]]></dc:creator>
          <pubDate>Thu, 05 Nov 2026 10:00:00 GMT</pubDate></item>
      </channel></rss>
      """)

  private static let freshRSS = Recipe(
    form: "https://HOST/api/query.php?user=USER&t=TOKEN&f=rss&nb=200",
    url: "\(host)/api/query.php?user=anna&t=f00d&f=rss&nb=200",
    type: "application/rss+xml; charset=utf-8",
    body: """
      <?xml version="1.0" encoding="UTF-8" ?>
      <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
        <title>Unread</title><link>\(host)/api/query.php?user=anna&amp;t=f00d&amp;f=html</link>
        <description>RSS feed of Unread</description>
        <pubDate>Thu, 05 Nov 2026 10:00:00 +0000</pubDate>
        <atom:link href="\(host)/api/query.php?user=anna&amp;t=f00d&amp;f=rss" rel="self"
          type="application/rss+xml"/>
        <item><title>Low water</title><link>https://press.example/tides</link>
          <dc:creator>Reporter</dc:creator>
          <description><![CDATA[<p>About tides</p>]]></description>
          <pubDate>Thu, 05 Nov 2026 10:00:00 +0000</pubDate>
          <guid isPermaLink="false">1762336800000001</guid></item>
      </channel></rss>
      """)

  /// The output of the `jq` program in the manual for entries of Miniflux.
  private static let miniflux = """
    {"version": "https://jsonfeed.org/version/1.1", "title": "Miniflux", "items": [
      {"id": "888", "url": "https://press.example/tides", "title": "Low water",
       "content_html": "<p>About tides</p>", "date_published": "2026-11-05T10:00:00Z"}]}
    """

  private func follow(_ url: String, in profile: Profile) -> CollectedReport {
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(url, maxItems: 0, isNew: true)]
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected()
  }

  @Test func `all pages of the unread feed of wallabag are followed`() throws {
    let first = Self.host + "/feed/anna/aT0k3n/unread"
    network.add(first, Self.wallabag(1, of: 2, [5, 4]), type: "application/atom+xml")
    network.add(first + "/2", Self.wallabag(2, of: 2, [3]), type: "application/atom+xml")
    for number in 3...5 {
      network.add("https://press.example/\(number)", "<title>\(number)</title><p>words")
    }
    let profile = files.open(network)
    defer { profile.close() }
    let report = follow(first, in: profile)
    #expect(report.feeds.map(\.newItemCount) == [3] && report.feeds.map(\.olderProblem) == [nil])
    #expect(
      try profile.library.items(of: first) == (3...5).map { "https://press.example/\($0)" })
    // The page of wallabag itself is not the page of an item.
    #expect(!network.requests.contains { $0.contains("/view/") })
    let feed = try #require(Feed(Array(Self.wallabag(1, of: 2, [5]).utf8), url: first))
    #expect(feed.items.first?.title == "Story & number 5" && feed.items.first?.tags == ["Sea"])
    #expect(Feed(Array(Self.wallabag(2, of: 2, [3]).utf8), url: first + "/2")?.nextURL == nil)
  }

  @Test func `the feeds of services without further pages have the pages of their items`() throws {
    for recipe in [Self.linkding, Self.karakeep, Self.freshRSS] {
      let files = try TestProfile()
      let network = SiteNetwork()
      network.add(recipe.url, recipe.body, type: recipe.type)
      network.add("https://press.example/tides", "<title>Tides</title><p>words")
      let profile = files.open(network)
      defer { profile.close() }
      #expect(follow(recipe.url, in: profile).feeds.map(\.newItemCount) == [1], "\(recipe.form)")
      let page = try profile.library.page("https://press.example/tides")
      #expect(page.isUnread && page.title == "Tides", "\(recipe.form)")
      let feed = try #require(Feed(Array(recipe.body.utf8), url: recipe.url))
      let item = try #require(feed.items.first)
      #expect(feed.nextURL == nil && item.title == "Low water" && item.date != nil)
    }
  }

  @Test func `the feed of Readeck has the text of items whose pages need its session`() throws {
    let recipe = Self.readeck
    network.add(recipe.url, recipe.body, type: recipe.type)
    let profile = files.open(network)
    defer { profile.close() }
    #expect(follow(recipe.url, in: profile).feeds.map(\.newItemCount) == [1])
    let feed = try #require(Feed(Array(recipe.body.utf8), url: recipe.url))
    let item = try #require(feed.items.first)
    #expect(item.url == Self.host + "/bookmarks/Qm3yTn8sLd2kWv5bRx7cZa")
    #expect(item.content?.html == "<p>The whole text of the bookmark.</p>")
    #expect(try profile.library.page(try #require(item.url)).feed == recipe.url)
  }

  @Test func `entries of Miniflux in a file are followed in place of a URL`() throws {
    let file = files.directory.appendingPathComponent("miniflux.json")
    try FileManager.default.createDirectory(
      at: files.directory, withIntermediateDirectories: true)
    try Data(Self.miniflux.utf8).write(to: file)
    network.add("https://press.example/tides", "<title>Tides</title><p>words")
    var settings = Settings()
    let url = "https://miniflux.example/unread.json"
    settings.substitutions = [Substitution(.url(url), file: file)]
    let profile = files.open(network, settings: settings)
    defer { profile.close() }
    #expect(follow(url, in: profile).feeds.map(\.newItemCount) == [1])
    #expect(try profile.library.items(of: url) == ["https://press.example/tides"])
    #expect(!network.requests.contains(url))
  }

  @Test func `the manual has the forms of all URLs that are tested`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let manual = String(
      decoding: try Data(contentsOf: root.appendingPathComponent("man/offread-services.7")),
      as: UTF8.self)
    let forms = [Self.readeck, Self.linkding, Self.karakeep, Self.freshRSS].map(\.form)
    for form in forms + ["https://HOST/feed/USER/TOKEN/unread"] {
      #expect(manual.contains("\n.Li \(form)\n"), "\(form)")
    }
  }

  @Test func `garbage and truncated responses of a service add no items`() throws {
    let (recipe, profile) = (Self.linkding, files.open(network))
    defer { profile.close() }
    for body in ["", "<html><title>Log in</title>", "{}", String(recipe.body.prefix(120))] {
      network.add(recipe.url, body, type: recipe.type)
      _ = follow(recipe.url, in: profile)
      #expect(try profile.library.items(of: recipe.url) == [], "\(body)")
    }
  }
}
