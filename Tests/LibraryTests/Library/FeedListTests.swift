@testable import Saving
import Crawl
@testable import Library
import Foundation
import OfflineCache
import TestNetwork
import Testing

@testable import Profiles

/// The lists of feeds, of the items of a feed and of all unread items.
@Suite struct FeedListTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  /// Follows a feed whose items have the given numbers and days of publication.
  private func follow(
    _ name: String, _ items: [(number: Int, day: Int)], in profile: Profile
  ) {
    let elements = items.map { number, day in
      network.add("http://\(name).example/\(number)", "<title>Page \(number)</title><p>words")
      return "<item><title>Item \(number)</title><link>http://\(name).example/\(number)</link>"
        + "<pubDate>0\(day) Nov 2026 10:00:00 GMT</pubDate></item>"
    }.joined()
    network.add(
      "http://\(name).example/feed",
      "<rss version='2.0'><channel><title>News of \(name)</title>\(elements)</channel></rss>")
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest("http://\(name).example/feed", isNew: true)]
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
  }

  private func keys(_ items: FeedItems?) -> [String] { items?.rows.map(\.key) ?? [] }

  @Test func `feeds have numbers of unread items and a size, those with unread items first`() throws
  {
    let profile = files.open(network)
    defer { profile.close() }
    follow("a", [(2, 4), (1, 3)], in: profile)
    follow("b", [(9, 5)], in: profile)
    #expect(try FeedStatus.all(in: profile).map(\.counts.unread).sorted() == [1, 2])
    try profile.library.mark(["http://b.example/9"], isRead: true)
    try profile.library.record([
      LibraryChange("http://a.example/2", .queued, "1"),
      LibraryChange("http://a.example/feed", .tag("news"), "1"),
    ])
    let feeds = try FeedStatus.all(in: profile)
    #expect(feeds.map(\.name) == ["News of a", "News of b"])
    let (first, second) = (try #require(feeds.first), try #require(feeds.last))
    #expect(
      first.counts.unread == 2 && first.counts.total == 2 && first.counts.missing == 0
        && first.tags == ["news"])
    #expect(
      second.counts.unread == 0 && second.counts.total == 1 && second.counts.size > 0
        && second.isFollowed)
    let copies = try profile.cache.newest(of: ["http://a.example/1", "http://a.example/2"])
    #expect(first.counts.size == copies.values.reduce(0) { $0 + $1.length })
    #expect(
      first.counts.date == (try profile.cache.newest(of: [first.key])[first.key]?.contentDate))
    #expect(try LibraryContents(of: profile).unread == UnreadFeeds([first]))
    // An archived item and a removed one are not unread, and a removed one is not an item.
    try profile.library.record([
      LibraryChange("http://a.example/1", .archived, "1"),
      LibraryChange("http://a.example/2", .removed, "1"),
    ])
    let remainingFeed = try #require(try FeedStatus.all(in: profile).first { $0.key == first.key })
    #expect(remainingFeed.counts.unread == 0 && remainingFeed.counts.total == 1)
    #expect(try LibraryContents(of: profile).unread == UnreadFeeds())
  }

  @Test func `an item that is not saved counts as missing while it is unread`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    follow("a", [(1, 3)], in: profile)
    let lost = "http://a.example/lost"
    try profile.library.record([LibraryChange(lost, .item, "http://a.example/feed")])
    #expect(try FeedStatus.all(in: profile).map(\.counts.missing) == [1])
    try profile.library.mark([lost], isRead: true)
    #expect(try FeedStatus.all(in: profile).map(\.counts.missing) == [0])
  }

  @Test func `items are ordered by publication, and unread ones have a mark`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    follow("a", [(1, 3), (2, 5), (3, 4)], in: profile)
    try profile.library.mark(["http://a.example/3"], isRead: true)
    let items = try FeedItems.all(of: "http://a.example/feed", in: profile)
    #expect(items.name == "News of a")
    #expect(keys(items) == [2, 3, 1].map { "http://a.example/\($0)" })
    #expect(items.rows.map(\.unreadItemCount) == [1, 0, 1])
    #expect(items.rows.map(\.title) == ["Page 2", "Page 3", "Page 1"])
    #expect(items.rows.allSatisfy { $0.date != nil && $0.publicationDate != nil })
    #expect(try FeedItems.all(of: "http://a.example/none", in: profile).rows.isEmpty)
  }

  @Test func `several unread items that lead to one page are one row with their number`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    follow("a", [(1, 3)], in: profile)
    let page = "http://a.example/1"
    try profile.library.record([LibraryChange(page, .itemTitles, "First\nSecond\nThird")])
    #expect(try FeedItems.unread(in: profile).flatMap(\.rows).map(\.unreadItemCount) == [3])
    #expect(try FeedStatus.all(in: profile).map(\.counts.unread) == [3])
    #expect(try LibraryContents(of: profile).unread.items == 3)
    try profile.library.mark([page], isRead: true)
    #expect(try FeedStatus.all(in: profile).map(\.counts.total) == [1])
    try profile.library.mark([page], isRead: false)
    #expect(try FeedStatus.all(in: profile).map(\.counts.unread) == [3])
  }

  @Test func `unread items are grouped by feed, also those of a feed that is not followed`() throws
  {
    let profile = files.open(network)
    defer { profile.close() }
    follow("a", [(1, 3), (2, 4)], in: profile)
    follow("b", [(9, 5)], in: profile)
    try profile.library.mark(["http://a.example/2"], isRead: true)
    try profile.library.record([LibraryChange("http://b.example/feed", .feed, nil)])
    let groups = try FeedItems.unread(in: profile)
    #expect(Set(groups.map(\.name)) == ["News of a", "News of b"])
    #expect(keys(groups.first { $0.name == "News of a" }) == ["http://a.example/1"])
    #expect(keys(groups.first { $0.name == "News of b" }) == ["http://b.example/9"])
    let feeds = try FeedStatus.all(in: profile)
    #expect(feeds.filter { !$0.isFollowed }.map(\.name) == ["News of b"])
    try profile.library.mark(["http://b.example/9"], isRead: true)
    #expect(try FeedStatus.all(in: profile).map(\.name) == ["News of a"])
  }

  @Test func `the library shows some feeds with unread items, and counts the others`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    let numbers = 1...UnreadFeeds.maxRows + 2
    let items = numbers.flatMap { feed in (0..<feed).map { (feed, "http://f\(feed).example/\($0)") }
    }
    try profile.library.record(
      items.map { LibraryChange($0.1, .item, "http://f\($0.0).example/feed") })
    let unread = try LibraryContents(of: profile).unread
    #expect(unread.feeds.count == UnreadFeeds.maxRows - 1 && unread.otherFeedCount == 3)
    #expect(unread.items == items.count)
    #expect(unread.feeds.reduce(0) { $0 + $1.counts.unread } + unread.otherItemCount == items.count)
  }

  @Test func `lists of feeds change nothing in the journals`() throws {
    let profile = files.open(network)
    defer { profile.close() }
    follow("a", [(1, 3)], in: profile)
    let directory = profile.library.directory.path
    func sizes() throws -> [String: Int] {
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      return try Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, try Data(contentsOf: URL(fileURLWithPath: directory + "/" + $0)).count)
        })
    }
    let before = try sizes()
    #expect(!before.isEmpty)
    _ = try FeedStatus.all(in: profile)
    _ = try FeedItems.unread(in: profile)
    _ = try FeedItems.all(of: "http://a.example/feed", in: profile)
    #expect(try sizes() == before)
  }
}
