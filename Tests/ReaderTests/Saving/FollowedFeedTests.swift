@testable import Configuration
@testable import Saving
import Crawl
@testable import Feeds
@testable import Library
import Foundation
import OfflineCache
import TestNetwork
import Testing

@testable import Profiles

/// Followed feeds, whose new items are saved with their pages.
@Suite struct FollowedFeedTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let day = 86_400.0

  init() throws {
    files = try TestProfile()
  }

  /// Publishes a feed with items of the given numbers, of which the last is the newest.
  private func publish(_ numbers: ClosedRange<Int>, at path: String = "feed") {
    let items = numbers.reversed().map { number in
      "<item><title>Item \(number)</title><link>http://a.example/\(number)</link></item>"
    }.joined()
    network.add(
      "http://a.example/\(path)",
      "<rss version='2.0'><channel><title>News</title>\(items)</channel></rss>",
      fields: [("ETag", "\"\(numbers)\"")])
    for number in numbers {
      network.add("http://a.example/\(number)", "<title>Page \(number)</title><p>words")
    }
  }

  private func follow(
    _ url: String, most: Int? = nil, _ profile: Profile, tags: [String] = []
  ) -> CollectedReport {
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(url, maxItems: most, isNew: true)]
    request.pace.minGap = .zero
    request.tags = tags
    return PageSaver(request, in: profile).collected()
  }

  private func sync(_ profile: Profile, after days: Double) throws -> CollectedReport {
    let plan = try SyncPlan(of: profile, now: Date().addingTimeInterval(days * Self.day))
    var request = plan.request(LoadOptions())
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected()
  }

  private func items(_ profile: Profile, of feed: String = "feed") throws -> [String] {
    try profile.library.items(of: "http://a.example/\(feed)")
      .map { String($0.dropFirst("http://a.example/".count)) }
  }

  @Test func `pages of the newest items are saved as unread, and later those of new items`() throws
  {
    publish(1...5)
    let profile = files.open(network)
    let report = follow("http://a.example/feed", most: 3, profile, tags: ["news"])
    #expect(report.isComplete)
    #expect(report.feeds.map(\.title) == ["News"] && report.feeds.map(\.newItemCount) == [3])
    #expect(try items(profile) == ["3", "4", "5"])
    let feed = try profile.library.page("http://a.example/feed")
    #expect(feed.isFeed && feed.maxFeedItems == 3 && feed.title == "News" && feed.tags == ["news"])
    #expect(feed.pinnedDate == nil)
    let page = try profile.library.page("http://a.example/4")
    #expect(page.isUnread && page.title == "Page 4" && page.queuedDate == nil)
    #expect(profile.library.isEvictionExempt("http://a.example/4"))
    // The user pins a page that is about to be removed with the older ones.
    try profile.library.record([LibraryChange("http://a.example/3", .pinned, "1")])
    publish(2...7)
    let earlierRequestCount = network.requests.count
    let nextReport = try sync(profile, after: 3)
    #expect(nextReport.feeds.map(\.newItemCount) == [2])
    #expect(try items(profile) == ["5", "6", "7"])
    #expect(profile.library.isEvictionExempt("http://a.example/3"))
    #expect(!profile.library.isEvictionExempt("http://a.example/4"))
    let newRequests = Set(network.requests.dropFirst(earlierRequestCount))
    #expect(newRequests.isSuperset(of: ["http://a.example/feed", "http://a.example/7"]))
    #expect(
      !newRequests.contains("http://a.example/2") && !newRequests.contains("http://a.example/4"))
    profile.close()
  }

  @Test func `an unchanged feed is validated and brings nothing new`() throws {
    publish(1...2)
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    let asked = network.requests.count
    #expect(try sync(profile, after: 0).pages.isEmpty)
    let report = try sync(profile, after: 1)
    #expect(report.pages.map(\.result) == [.unchanged] && report.feeds.map(\.newItemCount) == [0])
    #expect(network.requests.dropFirst(asked) == ["http://a.example/feed"])
    profile.close()
  }

  @Test func `a page leads to the feed that it links to`() throws {
    publish(1...2)
    network.add(
      "http://a.example/",
      "<head><link rel=alternate type='application/rss+xml' href='/feed'></head><p>words")
    network.add("http://a.example/none", "<p>no feed here")
    let profile = files.open(network)
    #expect(follow("http://a.example/", profile).isComplete)
    #expect(try profile.library.pages(with: .feed).map(\.key) == ["http://a.example/feed"])
    #expect(try profile.library.count(with: .pinned) == 0)
    let none = follow("http://a.example/none", profile)
    #expect(!none.isComplete)
    #expect(none.feeds.compactMap(\.problem) == ["this is not a feed, and it links to no feed"])
    #expect(try profile.library.count(with: .feed) == 1)
    profile.close()
  }

  @Test(arguments: [
    ("</feed>; rel=\"alternate\"; type=\"application/rss+xml\"", true),
    ("</style>; rel=preload, <feed>; rel=feed; title=News", true),
    ("</feed>; rel=alternate; type=text/html", false), ("</feed>; rel=next", false),
  ])
  func `a page leads to the feed in its Link field`(_ field: String, _ isFound: Bool) throws {
    publish(1...2)
    network.add(
      "http://a.example/", "<p>words", fields: [("Link", field)])
    let profile = files.open(network)
    #expect(follow("http://a.example/", profile).isComplete == isFound)
    #expect(try profile.library.count(with: .feed) == (isFound ? 1 : 0))
    profile.close()
  }

  @Test(arguments: [
    (
      "<!DOCTYPE html><p>We are moving", 200,
      "the response is not a feed; the saved items are unchanged"
    ),
    ("", 200, nil), ("gone", 410, "page gone (410)"), ("oops", 500, "server error 500"),
    ("<rss><channel><title>x</title><item><title>", 200, nil), ("<rss", 200, nil),
    ("\u{0}\u{1}<feed>\u{FFFD}", 200, nil),
  ])
  func `a response that is not a feed removes no items`(
    _ body: String, _ status: Int, _ message: String?
  ) throws {
    publish(1...3)
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    network.add("http://a.example/feed", body, status: status)
    let report = try sync(profile, after: 1)
    if let message { #expect(report.feeds.compactMap(\.problem) == [message]) }
    #expect(report.feeds.allSatisfy { $0.newItemCount == 0 })
    #expect(try items(profile) == ["1", "2", "3"])
    publish(2...4)
    #expect(try sync(profile, after: 40).feeds.map(\.newItemCount) == [1])
    profile.close()
  }

  @Test func `an item that cannot be fetched is queued, and an excluded one is not`()
    throws
  {
    publish(1...3)
    network.add("http://a.example/2", "busy", status: 500)
    network.add("http://a.example/robots.txt", "User-agent: *\nDisallow: /3")
    let profile = files.open(network)
    let report = follow("http://a.example/feed", profile)
    // The user's request was the feed itself.
    #expect(report.isComplete)
    #expect(!network.requests.contains("http://a.example/3"))
    #expect(try profile.library.pages(with: .queued).map(\.key) == ["http://a.example/2"])
    let plan = try SyncPlan(of: profile, now: Date())
    #expect(plan.queuedItemURLs == ["http://a.example/2"] && plan.queuedPageURLs.isEmpty)
    publish(2...2)
    #expect(try sync(profile, after: 0).pages.map(\.result) == [.saved])
    // A single page is confirmed by the next sync.
    #expect(try sync(profile, after: 0).isComplete)
    #expect(try profile.library.count(with: .queued) == 0)
    profile.close()
  }

  @Test
  func `a removed item does not reappear, and a removed feed is no longer followed`()
    throws
  {
    publish(1...3)
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    _ = try PageRemoval(from: profile).remove("http://a.example/2")
    publish(1...4)
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [1])
    #expect(try items(profile) == ["1", "3", "4"])
    let outcome = try PageRemoval(from: profile).remove("http://a.example/feed")
    #expect(outcome.wasFeed)
    #expect(try profile.library.count(with: .feed) == 0)
    #expect(try profile.library.count(with: .item) == 0)
    #expect(try sync(profile, after: 9).pages.isEmpty)
    profile.close()
  }

  @Test(arguments: [["feed"], ["feed", "other"]])
  func `items of removed feeds remain only in another feed that contains them`(
    _ removed: [String]
  ) throws {
    publish(1...3)
    publish(2...4, at: "other")
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    _ = follow("http://a.example/other", profile)
    #expect(try Set(items(profile)) == ["1", "2", "3"])
    _ = try PageRemoval(from: profile).remove(removed.map { "http://a.example/\($0)" })
    let remaining: Set<String> = removed.count > 1 ? [] : ["2", "3", "4"]
    #expect(try items(profile).isEmpty && Set(items(profile, of: "other")) == remaining)
    #expect(try profile.library.page("http://a.example/1").feed.isEmpty)
    profile.close()
  }

  @Test func `feeds of an imported list are followed`() throws {
    publish(1...2)
    let profile = files.open(network)
    let list = files.directory.appendingPathComponent("list.opml")
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
    try Data(
      """
      <opml version="2.0"><body><outline text="Press"><outline text="News" type="rss"
      xmlUrl="http://a.example/feed"/></outline></body></opml>
      """.utf8
    ).write(to: list)
    #expect(try LibraryImport(into: profile).run(list.path).feedCount == 1)
    #expect(try sync(profile, after: 0).feeds.map(\.newItemCount) == [2])
    #expect(try profile.library.page("http://a.example/feed").tags == ["press"])
    #expect(try items(profile) == ["1", "2"])
    profile.close()
  }

  @Test func `intervals are those of the page, its tags, or the settings`() {
    var settings = Settings()
    settings.sync.interval = 100
    settings.sync.feedInterval = 200
    var (slow, fast) = (RefreshRule(), RefreshRule())
    (slow.tag, slow.interval, fast.tag, fast.interval) = ("slow", 900, "fast", 60)
    settings.refreshes = [slow, fast]
    var page = LibraryPage(key: "http://a.example/")
    #expect(settings.interval(of: page) == 100)
    page.isFeed = true
    #expect(settings.interval(of: page) == 200)
    page.tags = ["slow"]
    #expect(settings.interval(of: page) == 900)
    page.tags = ["fast", "slow"]
    #expect(settings.interval(of: page) == 60)
    page.interval = 7
    #expect(settings.interval(of: page) == 7)
  }

  @Test func `the newest items by date are selected, or the first ones without dates`() throws {
    func feed(_ dates: [Int?]) throws -> Feed {
      let items = dates.enumerated().map { position, day in
        "<item><link>http://a.example/\(position)</link>"
          + (day.map { "<pubDate>0\($0) Nov 2026 10:00:00 GMT</pubDate>" } ?? "") + "</item>"
      }.joined()
      return try #require(Feed(Array("<rss><channel>\(items)</channel></rss>".utf8)))
    }
    #expect(
      try feed([1, 3, 2]).newestItems(2).map(\.url) == [
        "http://a.example/1", "http://a.example/2",
      ])
    #expect(try feed([1, nil, 2]).newestItems(1).map(\.url) == ["http://a.example/0"])
    #expect(try feed([1, 3, 2]).newestItems(0).count == 3)
  }

  // MARK: Identity of items

  /// Publishes a feed whose items have the given guids and paths.
  private func publish(_ items: [(guid: String, path: String)], next: String? = nil) {
    let text = items.map { guid, path in
      "<item><title>\(guid)</title><guid isPermaLink='false'>\(guid)</guid>"
        + "<link>http://a.example/\(path)</link></item>"
    }.joined()
    network.add("http://a.example/feed", "<rss><channel><title>News</title>\(text)</channel></rss>")
    for (guid, path) in items {
      network.add("http://a.example/\(path)", "<title>\(guid)</title><p>words of \(path)")
    }
  }

  private func unread(_ profile: Profile) throws -> Set<String> {
    let pages = try profile.library.pages(with: .item).filter(\.isUnread)
    return Set(pages.map { String($0.key.dropFirst("http://a.example/".count)) })
  }

  @Test func `items keep their state when their links change, and are not fetched again`() throws {
    publish([("g2", "2026/2"), ("g1", "2026/1")])
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    try profile.library.record([LibraryChange("http://a.example/2026/1", .read, "1")])
    publish([("g3", "blog/3"), ("g2", "blog/2"), ("g1", "blog/1")])
    let asked = network.requests.count
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [1])
    #expect(network.requests.dropFirst(asked).filter { $0.contains("/blog/") }.count == 1)
    #expect(try unread(profile) == ["2026/2", "blog/3"])
    #expect(try sync(profile, after: 9).feeds.map(\.newItemCount) == [0])
    // A removed item stays removed under its new link.
    _ = try PageRemoval(from: profile).remove("http://a.example/2026/2")
    publish([("g3", "new/3"), ("g2", "new/2"), ("g1", "new/1")])
    #expect(try sync(profile, after: 20).feeds.map(\.newItemCount) == [0])
    #expect(try unread(profile) == ["blog/3"])
    profile.close()
  }

  @Test func `an item not yet fetched is fetched from its new link, and keeps its state`()
    throws
  {
    publish([("g1", "old"), ("g2", "other")])
    network.add("http://a.example/old", "busy", status: 500)
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    try profile.library.record([LibraryChange("http://a.example/old", .read, "1")])
    publish([("g1", "new"), ("g2", "other")])
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [0])
    #expect(try Set(items(profile)) == ["new", "other"])
    #expect(try unread(profile) == ["other"])
    #expect(try profile.library.page("http://a.example/new").queuedDate == nil)
    #expect(!profile.cache.savedPages(among: ["http://a.example/new"]).isEmpty)
    profile.close()
  }

  @Test func `items that share a guid are all kept`() throws {
    publish([("same", "2"), ("same", "1")])
    let profile = files.open(network)
    #expect(follow("http://a.example/feed", profile).feeds.map(\.newItemCount) == [2])
    publish([("same", "3"), ("same", "2"), ("same", "1")])
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [1])
    #expect(try unread(profile) == ["1", "2", "3"])
    profile.close()
  }

  @Test func `another item with a known link makes its page unread again`() throws {
    publish([("g1", "page")])
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    try profile.library.record([LibraryChange("http://a.example/page", .read, "1")])
    publish([("g2", "page"), ("g1", "page")])
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [1])
    #expect(try unread(profile) == ["page"])
    try profile.library.record([LibraryChange("http://a.example/page", .read, "2")])
    #expect(try sync(profile, after: 9).feeds.map(\.newItemCount) == [0])
    #expect(try unread(profile).isEmpty)
    profile.close()
  }

  /// The titles of the unread items of all feeds.
  private func unreadTitles(_ profile: Profile) throws -> [String] {
    try profile.library.pages(with: .item).filter(\.isUnread).flatMap(\.unreadItems).map(\.title)
      .sorted()
  }

  @Test func `unread items that share a link are listed one by one, until their page is read`()
    throws
  {
    publish([("g2", "page"), ("g1", "page"), ("g0", "other")])
    let profile = files.open(network)
    #expect(follow("http://a.example/feed", profile).feeds.map(\.newItemCount) == [3])
    #expect(try unreadTitles(profile) == ["g0", "g1", "g2"])
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [0])
    #expect(try unreadTitles(profile) == ["g0", "g1", "g2"])
    // Items that are no longer in the feed stay, like those with a page of their own.
    publish([("g4", "other"), ("g3", "page"), ("g2", "page"), ("g0", "other")])
    #expect(try sync(profile, after: 9).feeds.map(\.newItemCount) == [2])
    #expect(try unreadTitles(profile) == ["g0", "g1", "g2", "g3", "g4"])
    try profile.library.record([LibraryChange("http://a.example/page", .read, "1")])
    #expect(try unreadTitles(profile) == ["g0", "g4"])
    publish([("g5", "page"), ("g4", "other"), ("g3", "page")])
    #expect(try sync(profile, after: 20).feeds.map(\.newItemCount) == [1])
    #expect(try unreadTitles(profile) == ["g0", "g4", "g5"])
    // Once the feed is not followed any more, the page is listed once.
    try profile.library.record([LibraryChange("http://a.example/other", .item, nil)])
    let other = try profile.library.page("http://a.example/other")
    #expect(other.unreadItems == [other])
    profile.close()
  }

  @Test
  func `items that share a link are listed up to the limit, with one-line titles`()
    throws
  {
    let items = (1...9).map { number in
      "<item><title>\(number == 9 ? "" : "T\n\(number)")</title><guid>\(number)</guid>"
        + "<link>http://a.example/page</link></item>"
    }.joined()
    network.add(
      "http://a.example/feed", "<rss><channel><title>News</title>\(items)</channel></rss>")
    network.add("http://a.example/page", "<title>Page</title><p>words")
    let profile = files.open(network)
    _ = follow("http://a.example/feed", most: 3, profile)
    let page = try profile.library.page("http://a.example/page")
    #expect(page.unreadItems.count == 3, "\(page.itemTitles)")
    #expect(page.itemTitles.allSatisfy { !$0.contains("\n") })
    profile.close()
  }

  @Test(
    arguments: ["<link>http://a.example/</link>", "<link>http://a.example/feed</link>", ""],
    ["", "<link>http://a.example/feed#1</link>"])
  func `items without a link of their own are listed, and the page of the feed is not`(
    _ link: String, _ itemLink: String
  ) throws {
    let feed = "http://a.example/feed"
    func update(_ numbers: ClosedRange<Int>) {
      let items = numbers.reversed().map { number in
        "<item><title>T\(number)</title>\(itemLink)"
          + "<guid isPermaLink='false'>\(number)</guid></item>"
      }
      network.add(feed, "<rss><channel><title>News</title>\(link)\(items.joined())</channel></rss>")
    }
    network.add("http://a.example/", "<title>Home</title><p>words")
    update(1...2)
    let profile = files.open(network)
    #expect(follow(feed, profile).feeds.map(\.newItemCount) == [2])
    let keys = try profile.library.items(of: feed)
    #expect(keys == ["1", "2"].map { FeedItemAddress(ofItem: $0, in: feed).key })
    #expect(try unreadTitles(profile) == ["T1", "T2"])
    update(1...3)
    #expect(try sync(profile, after: 9).feeds.map(\.newItemCount) == [1])
    #expect(try unreadTitles(profile) == ["T1", "T2", "T3"])
    #expect(!network.requests.contains("http://a.example/"))
    profile.close()
  }

  @Test func `an item without a title is listed by the first words of its text`() throws {
    let items = [
      "&lt;p&gt;Sea &amp;amp; &lt;b&gt;ice&lt;/b&gt;&lt;/p&gt;&lt;p&gt;more&lt;/p&gt;", "",
    ]
    .enumerated().map { number, text in
      "<item><link>http://a.example/\(number)</link><description>\(text)</description></item>"
    }
    network.add(
      "http://a.example/feed", "<rss><channel><title>News</title>\(items.joined())</channel></rss>")
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    #expect(try profile.library.page("http://a.example/0").title == "Sea & ice more")
    #expect(try profile.library.page("http://a.example/1").title == "")
    profile.close()
  }

  @Test func `a library of an earlier version keeps the state of items that share a link`() throws {
    publish([("g2", "page"), ("g1", "page")])
    let profile = files.open(network)
    let (feed, page) = ("http://a.example/feed", "http://a.example/page")
    _ = follow(feed, profile)
    // Earlier versions do not record titles.
    try profile.library.record([LibraryChange(page, .itemTitles, nil)])
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [0])
    #expect(try unreadTitles(profile).count == 1)
    let asked = network.requests.count { $0.hasSuffix("/page") }
    publish([("g3", "page"), ("g2", "page"), ("g1", "page")])
    #expect(try sync(profile, after: 9).feeds.map(\.newItemCount) == [1])
    #expect(try unreadTitles(profile) == ["g1", "g2", "g3"])
    #expect(network.requests.count { $0.hasSuffix("/page") } == asked + 1)
    profile.close()
  }

  @Test func `a library of an earlier version adopts guids without other changes`() throws {
    publish([("g2", "2"), ("g1", "1"), ("g0", "1")])
    let profile = files.open(network)
    let feed = "http://a.example/feed"
    let pages = ["http://a.example/1", "http://a.example/2"]
    try profile.library.record(
      [LibraryChange(feed, .feed, "")] + pages.map { LibraryChange($0, .item, feed) }
        + pages.map { LibraryChange($0, .read, "1") })
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [0])
    #expect(try unread(profile).isEmpty && profile.library.itemRecords(of: feed).count == 3)
    #expect(network.requests == [feed])
    publish([("g2", "moved/2"), ("g1", "moved/1")])
    #expect(try sync(profile, after: 9).feeds.map(\.newItemCount) == [0])
    #expect(try unread(profile).isEmpty)
    profile.close()
  }

  @Test func `a library of an earlier version takes guids from the saved feed`() throws {
    publish([("g2", "2"), ("g1", "1")])
    let profile = files.open(network)
    let feed = "http://a.example/feed"
    _ = follow(feed, profile)
    let records = try profile.library.itemRecords(of: feed)
    #expect(records.count == 2)
    try profile.library.record(records.map { LibraryChange(feed, .feedItem($0.identity), nil) })
    publish([("g2", "moved/2"), ("g1", "moved/1")])
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [0])
    #expect(try unread(profile) == ["1", "2"])
    profile.close()
  }

  // MARK: Older pages and other URLs

  /// Publishes a feed with its items on pages of the given size, newest first.
  private func publishPages(_ count: Int, by size: Int, end: String = "") {
    let numbers = Array((1...count).reversed())
    let pages = stride(from: 0, to: count, by: size).map {
      Array(numbers[$0..<min($0 + size, count)])
    }
    for (position, page) in pages.enumerated() {
      let items = page.map { "{\"id\":\"\($0)\",\"url\":\"http://a.example/\($0)\"}" }
      let next = position + 1 < pages.count ? "/feed?page=\(position + 2)" : end
      network.add(
        "http://a.example/feed" + (position > 0 ? "?page=\(position + 1)" : ""),
        "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":["
          + items.joined(separator: ",") + "],\"next_url\":\"\(next)\"}")
      for number in page { network.add("http://a.example/\(number)", "<p>words of \(number)") }
    }
  }

  @Test(arguments: [(12, 3), (5, 1), (0, 3), (99, 3)])
  func `older pages of a feed are fetched until there are enough items`(
    _ most: Int, _ pages: Int
  ) throws {
    // The last page links to the first one.
    publishPages(15, by: 5, end: "/feed")
    let profile = files.open(network)
    let report = follow("http://a.example/feed", most: most, profile)
    let count = most == 0 ? 15 : min(most, 15)
    #expect(report.isComplete && report.feeds.map(\.newItemCount) == [count])
    // The oldest items come first, because they are removed first.
    #expect(try items(profile) == ((16 - count)...15).map { "\($0)" })
    #expect(network.requests.filter { $0.contains("feed") }.count == pages)
    let asked = network.requests.count
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [0])
    #expect(network.requests.dropFirst(asked).filter { $0.contains("feed?") }.isEmpty)
    profile.close()
  }

  @Test func `a sync fetches older pages only if all items of a page are new`() throws {
    publishPages(5, by: 5)
    let profile = files.open(network)
    _ = follow("http://a.example/feed", most: 0, profile)
    publishPages(15, by: 4)
    #expect(try sync(profile, after: 1).feeds.map(\.newItemCount) == [10])
    #expect(!network.requests.contains("http://a.example/feed?page=4"))
    profile.close()
  }

  @Test func `older pages that cannot be fetched are reported, and the newest items are saved`()
    throws
  {
    publishPages(15, by: 5)
    network.add("http://a.example/feed?page=2", "oops", status: 500)
    let profile = files.open(network)
    let report = follow("http://a.example/feed", most: 12, profile)
    #expect(!report.isComplete)
    #expect(report.feeds.allSatisfy { $0.olderProblem?.contains("500") == true })
    #expect(try items(profile).count == 5)
    network.add("http://a.example/robots.txt", "User-agent: *\nDisallow: /feed?page")
    let refused = try TestProfile()
    let other = refused.open(network)
    let second = follow("http://a.example/feed", most: 12, other)
    #expect(second.feeds.compactMap(\.olderProblem).count == 1)
    #expect(try items(other).count == 5)
    other.close()
    profile.close()
  }

  @Test(arguments: [(301, true), (308, true), (302, false), (307, false)])
  func `a feed is followed at its new URL after a permanent redirect`(
    _ status: Int, _ isMoved: Bool
  ) throws {
    publish(1...3)
    let profile = files.open(network)
    _ = follow("http://a.example/feed", most: 7, profile, tags: ["news"])
    try profile.library.record([LibraryChange("http://a.example/2", .read, "1")])
    publish(1...4, at: "new")
    network.add(
      "http://a.example/feed", "", status: status, fields: [("Location", "http://a.example/new")])
    let report = try sync(profile, after: 1)
    #expect(report.feeds.map(\.newURL) == [isMoved ? "http://a.example/new" : nil])
    #expect(report.feeds.map(\.newItemCount) == [1])
    let feeds = try profile.library.pages(with: .feed)
    #expect(feeds.map(\.key) == ["http://a.example/\(isMoved ? "new" : "feed")"])
    #expect(feeds.first?.maxFeedItems == 7 && feeds.first?.tags == ["news"])
    #expect(try items(profile, of: isMoved ? "new" : "feed") == ["1", "2", "3", "4"])
    #expect(try unread(profile) == ["1", "3", "4"])
    profile.close()
  }

  @Test func `a feed is followed to another site, but not to something other than a feed`()
    throws
  {
    publish(1...2)
    let profile = files.open(network)
    _ = follow("http://a.example/feed", profile)
    network.add("http://gate.example/", "<title>Hotel</title><form><input type=password></form>")
    network.add(
      "http://a.example/feed", "", status: 301, fields: [("Location", "http://gate.example/")])
    #expect(try sync(profile, after: 1).feeds.map(\.newURL) == [nil])
    #expect(try profile.library.pages(with: .feed).map(\.key) == ["http://a.example/feed"])
    network.add(
      "http://b.example/feed",
      "<rss><channel><item><link>http://a.example/1</link></item></channel></rss>")
    network.add(
      "http://a.example/feed", "", status: 301, fields: [("Location", "http://b.example/feed")])
    #expect(try sync(profile, after: 9).feeds.map(\.newURL) == ["http://b.example/feed"])
    #expect(try profile.library.pages(with: .feed).map(\.key) == ["http://b.example/feed"])
    profile.close()
  }
}
