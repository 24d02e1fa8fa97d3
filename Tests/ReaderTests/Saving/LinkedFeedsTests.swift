@testable import Profiles
import Crawl
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Feeds that are found in pages or cannot be read at first, and the titles of feeds.
@Suite struct LinkedFeedsTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let site = "http://a.example/"
  private static let feed = "http://a.example/feed"

  init() throws {
    files = try TestProfile()
    network.add("http://a.example/1", "<title>Page</title><p>words")
  }

  private func publish(_ title: String = "News", at url: String = feed) {
    network.add(
      url,
      "<rss><channel><title>\(title)</title><item><title>One</title>"
        + "<link>http://a.example/1</link></item></channel></rss>")
  }

  /// Publishes a page that links to feeds.
  private func publishPage(_ feeds: [String]) {
    let links = feeds.map { "<link rel=alternate type='application/rss+xml' href='\($0)'>" }
    network.add(Self.site, "<head>\(links.joined())</head><p>words")
  }

  private func follow(_ url: String, _ profile: Profile) -> CollectedReport {
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(url, isNew: true)]
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected()
  }

  private func sync(_ profile: Profile, after days: Double) throws -> CollectedReport {
    let plan = try SyncPlan(of: profile, now: Date().addingTimeInterval(days * 86_400))
    var request = plan.request(LoadOptions())
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected()
  }

  private func feeds(_ profile: Profile) throws -> [String] {
    try profile.library.pages(with: .feed).map(\.key)
  }

  @Test(arguments: [
    ("other words", false),
    ("The words of the daily text, which has one error.", false),
    ("First words of the daily text, which has 1 eror.", false),
    ("First words of the daily text, which has one error.", true),
    ("First words of the daily text, which has one error and is longer.", false),
  ])
  func `an item without guid, link and date keeps its tags, and is read if its text is corrected`(
    _ change: String, _ isCorrection: Bool
  ) throws {
    func publish(_ text: String) {
      network.add(
        Self.feed,
        "<rss><channel><title>News</title><item><title>Daily</title><description>\(text)"
          + "</description></item><item><title>About</title></item></channel></rss>")
    }
    publish("First words of the daily text, which has one eror.")
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow(Self.feed, profile)
    func daily() throws -> LibraryPage? {
      try profile.library.pages(with: .item).first { $0.title == "Daily" }
    }
    let first = try #require(try daily())
    try profile.library.record([
      LibraryChange(first.key, .read, "1"), LibraryChange(first.key, .tag("t"), "1"),
    ])
    publish(change)
    _ = try sync(profile, after: 1)
    let second = try #require(try daily())
    #expect(second.key != first.key && second.tags == ["t"])
    #expect((second.readDate != nil) == isCorrection)
  }

  @Test(arguments: [
    "<title>Two", "<title>Two</title><description>words",
    "<title>Two</title><link>http://a.example/", "<link>http://a.example/2</link><guid>tag:a.exa",
  ])
  func `an item that cannot be identified in a truncated feed is added later`(
    _ beginning: String
  ) throws {
    let whole = "<title>Two</title><link>http://a.example/2</link><guid>tag:a.example:2</guid>"
    let feed =
      "<rss><channel><title>News</title><item><title>One</title>"
      + "<link>http://a.example/1</link></item><item>"
    network.add("http://a.example/2", "<title>Page</title><p>other words")
    network.add(Self.feed, feed + beginning)
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow(Self.feed, profile)
    #expect(try profile.library.items(of: Self.feed) == ["http://a.example/1"])
    network.add(Self.feed, feed + whole + "</item></channel></rss>")
    _ = try sync(profile, after: 1)
    #expect(
      try Set(profile.library.items(of: Self.feed)) == ["http://a.example/1", "http://a.example/2"])
  }

  @Test(arguments: [404, 410, 200])
  func `the next feed of a page is followed if the first does not exist`(_ status: Int) throws {
    publish()
    network.add("http://a.example/old", "<p>There is no feed", status: status)
    publishPage(["/old", "/feed"])
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow(Self.site, profile)
    #expect(try feeds(profile) == [Self.feed])
  }

  @Test func `the comments do not replace the feed of a page`() throws {
    publish(at: "http://a.example/comments/feed")
    publishPage(["/old", "/comments/feed"])
    let profile = files.open(network)
    defer { profile.close() }
    #expect(!follow(Self.site, profile).isComplete)
    #expect(try feeds(profile).isEmpty)
  }

  @Test func `a page that immediately forwards to a feed leads to it`() throws {
    let moved = "https://b.example/feed.xml"
    publish(at: moved)
    network.add("https://b.example/feed/", "<meta http-equiv=refresh content='0; url=/feed.xml'>")
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow("https://b.example/feed/", profile)
    #expect(try feeds(profile) == [moved])
  }

  @Test func `a page in an imported list of feeds leads to the feed that it links to`() throws {
    publish()
    publishPage(["/feed"])
    let profile = files.open(network)
    defer { profile.close() }
    try profile.library.record([
      LibraryChange(Self.site, .feed, ""), LibraryChange(Self.site, .title, "My site"),
      LibraryChange(Self.site, .tag("sea"), "1"),
    ])
    #expect(try sync(profile, after: 0).feeds.compactMap(\.problem).isEmpty)
    #expect(try feeds(profile) == [Self.feed])
    let page = try profile.library.page(Self.feed)
    #expect(page.title == "My site" && page.tags == ["sea"])
    #expect(try profile.library.items(of: Self.feed) == ["http://a.example/1"])
    // A feed that was read is not replaced by the one to which an error page links.
    network.add(Self.feed, "<head><link rel=alternate type='application/rss+xml' href='/b'></head>")
    publish(at: "http://a.example/b")
    _ = try sync(profile, after: 9)
    #expect(try feeds(profile) == [Self.feed])
  }

  @Test func `a page in an imported list is not followed beside its feed`() throws {
    publish()
    publishPage(["/feed"])
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow(Self.feed, profile)
    try profile.library.record([
      LibraryChange(Self.site, .feed, ""), LibraryChange(Self.site, .tag("sea"), "1"),
    ])
    _ = try sync(profile, after: 9)
    #expect(try feeds(profile) == [Self.feed])
    #expect(try profile.library.page(Self.feed).tags == ["sea"])
  }

  @Test(arguments: [true, false])
  func `a feed is followed at the URL to which it has moved, if that is a feed`(
    _ isFeed: Bool
  ) throws {
    publish()
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow(Self.feed, profile)
    let target = "http://b.example/feed"
    network.add(
      Self.feed,
      "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>News</title>"
        + "<itunes:new-feed-url>\(target)</itunes:new-feed-url><item><title>One</title>"
        + "<link>http://a.example/1</link></item></channel></rss>")
    if isFeed { publish(at: target) } else { network.add(target, "<p>For sale") }
    let report = try sync(profile, after: 9)
    #expect(report.feeds.allSatisfy { $0.newItemCount == 0 })
    #expect(try feeds(profile) == [isFeed ? target : Self.feed])
    #expect(
      try profile.library.items(of: isFeed ? target : Self.feed) == ["http://a.example/1"])
    #expect(report.feeds.first { $0.url == Self.feed }?.newURL == (isFeed ? target : nil))
    #expect(report.pages.contains { $0.url == target } == isFeed)
    #expect(profile.cache.savedPages(among: [target]).isEmpty == !isFeed)
  }

  @Test(arguments: [true, false], ["text/html", "application/rss+xml"])
  func `a feed that turns into a page that forwards to a feed is followed there`(
    _ isFeed: Bool, _ type: String
  ) throws {
    let items = (1...40).map {
      "<item><title>Item \($0)</title><link>http://a.example/1</link><guid>\($0)</guid></item>"
    }
    network.add(
      Self.feed, "<rss><channel><title>News</title>\(items.joined())</channel></rss>", type: type)
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow(Self.feed, profile)
    network.add(
      Self.feed,
      "<meta http-equiv=refresh content='5; url=/new'><p>The feed has moved to another address.")
    if isFeed { publish(at: "http://a.example/new") }
    let report = try sync(profile, after: 9)
    #expect(try feeds(profile) == [isFeed ? "http://a.example/new" : Self.feed])
    let outcome = try #require(report.feeds.first { $0.url == Self.feed })
    #expect(outcome.newURL == (isFeed ? "http://a.example/new" : nil))
    #expect((outcome.problem == nil) == isFeed)
  }

  /// Publishes an item of a feed that has moved to `target`, with a link to the next page of it.
  private func publishMoved(_ item: String, to target: String, next: String = "", at url: String) {
    network.add(
      url,
      "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'"
        + " xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>News</title>"
        + "<itunes:new-feed-url>\(target)</itunes:new-feed-url>"
        + (next.isEmpty ? "" : "<atom:link rel='next' href='\(next)'/>")
        + "<item><title>\(item)</title><link>http://a.example/\(item)</link></item>"
        + "</channel></rss>")
  }

  @Test func `a feed that has moved by a redirect and by its content is followed`() throws {
    publish()
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow(Self.feed, profile)
    let (redirected, target) = ("http://b.example/feed", "http://c.example/feed")
    network.add(Self.feed, "", status: 301, fields: [("Location", redirected)])
    publishMoved("1", to: target, at: redirected)
    publish(at: target)
    #expect(try sync(profile, after: 9).feeds.first?.newURL == target)
    #expect(try feeds(profile) == [target])
    #expect(try profile.library.items(of: target) == ["http://a.example/1"])
  }

  @Test func `items on older pages of a feed that has moved are listed at its new URL`() throws {
    publish()
    let profile = files.open(network)
    defer { profile.close() }
    _ = follow(Self.feed, profile)
    let target = "http://b.example/feed"
    publishMoved("2", to: target, next: "\(Self.feed)/2", at: Self.feed)
    publishMoved("3", to: target, at: "\(Self.feed)/2")
    publish(at: target)
    _ = try sync(profile, after: 9)
    #expect(try feeds(profile) == [target])
    let items = try profile.library.items(of: target)
    #expect(items.sorted() == (1...3).map { "http://a.example/\($0)" })
  }

  @Test(arguments: [(500, true), (503, true), (404, false), (410, false)] as [(Int, Bool)])
  func `a feed that cannot be requested at first is followed`(
    _ status: Int, _ isFollowed: Bool
  ) throws {
    network.add(Self.feed, "error", status: status)
    let profile = files.open(network)
    defer { profile.close() }
    let report = follow(Self.feed, profile)
    #expect(!report.isComplete)
    #expect(report.feeds.contains { $0.problem?.contains("is followed") ?? false } == isFollowed)
    #expect(try feeds(profile) == (isFollowed ? [Self.feed] : []))
    guard isFollowed else { return }
    publish()
    #expect(try sync(profile, after: 9).feeds.map(\.newItemCount) == [1])
  }

  @Test func `the title that the user gave a feed stays, and its own one changes with it`() throws {
    publish("First")
    let profile = files.open(network)
    defer { profile.close() }
    try profile.library.record([
      LibraryChange(Self.feed, .feed, ""), LibraryChange(Self.feed, .title, "Mine"),
    ])
    _ = try sync(profile, after: 0)
    publish("Second")
    _ = try sync(profile, after: 9)
    #expect(try profile.library.page(Self.feed).title == "Mine")
    try profile.library.record([LibraryChange(Self.feed, .title, "Second")])
    publish("Third")
    _ = try sync(profile, after: 20)
    #expect(try profile.library.page(Self.feed).title == "Third")
  }
}
