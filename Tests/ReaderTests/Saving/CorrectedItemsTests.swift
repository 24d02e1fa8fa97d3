@testable import Profiles
import Crawl
import Foundation
import OfflineCache
import TestNetwork
import Testing

@testable import Configuration
@testable import Feeds
@testable import Library
@testable import Saving

/// Items of followed feeds that are changed after their pages were saved.
@Suite struct CorrectedItemsTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let feed = "http://a.example/feed"

  init() throws {
    files = try TestProfile()
  }

  private struct Item {
    var title: String
    var date = "Mon, 06 May 2019 10:00:00 GMT"
    var other = ""
  }

  private func publish(_ items: [Item], text: String) {
    let entries = items.enumerated().map { number, item in
      "<item><title>\(item.title)</title><guid isPermaLink='false'>g\(number)</guid>"
        + "<link>http://a.example/\(number)</link><pubDate>\(item.date)</pubDate>\(item.other)</item>"
    }.joined()
    network.add(
      Self.feed,
      "<rss xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>News</title>\(entries)"
        + "</channel></rss>")
    for number in items.indices {
      network.add("http://a.example/\(number)", "<title>Page \(number)</title><p>\(text)")
    }
  }

  /// Follows a feed, then syncs it with other items.
  /// - Returns: The pages that the sync requested, and the number of unread items.
  private func requests(
    of count: Int = 6, after change: (inout [Item]) -> Void
  ) throws -> (pages: [String], unread: Int) {
    var items = (0..<count).map { Item(title: "Item \($0)") }
    publish(items, text: "first words")
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(Self.feed, isNew: true)]
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).collected()
    try profile.library.record(
      items.indices.map { LibraryChange("http://a.example/\($0)", .read, "1") })
    change(&items)
    publish(items, text: "corrected words")
    let earlierRequestCount = network.requests.count
    for days in [1.0, 2] {
      let plan = try SyncPlan(of: profile, now: Date().addingTimeInterval(days * 86_400))
      var sync = plan.request(LoadOptions())
      sync.pace.minGap = .zero
      _ = PageSaver(sync, in: profile).collected()
    }
    let pages = network.requests.dropFirst(earlierRequestCount).filter {
      $0 != Self.feed && !$0.hasSuffix("/robots.txt")
    }
    let unread = try profile.library.pages(with: .item).filter(\.isUnread).count
    return (pages.map { String($0.dropFirst("http://a.example/".count)) }, unread)
  }

  @Test func `the page of an item with another title is requested again, once, and stays read`()
    throws
  {
    let found = try requests { $0[2].title = "Item 2 (updated)" }
    #expect(found.pages == ["2"] && found.unread == 0)
  }

  @Test func `the page of an item with a later date is requested again`() throws {
    let found = try requests { $0[4].date = "Tue, 07 May 2019 10:00:00 GMT" }
    #expect(found.pages == ["4"] && found.unread == 0)
  }

  /// The element of an item that was changed just now, after its page was saved.
  private static func updatedNow() -> String {
    let milliseconds = Int((Date().timeIntervalSince1970 * 1000).rounded(.up))
    return "<atom:updated>\(milliseconds)</atom:updated>"
  }

  @Test(arguments: [3, 6])
  func `the page of an item that was changed after the last request is requested again, once`(
    _ count: Int
  ) throws {
    let found = try requests(of: count) { $0[1].other = Self.updatedNow() }
    #expect(found.pages == ["1"] && found.unread == 0)
  }

  @Test(arguments: [1, 2, 3, 6])
  func `a feed that has the present time as the date of all its items brings no corrections`(
    _ count: Int
  ) throws {
    let found = try requests(of: count) { items in
      for index in items.indices { items[index].other = Self.updatedNow() }
    }
    #expect(found.pages.isEmpty)
  }

  @Test(arguments: [500, 200])
  func `the page of a corrected item is queued until it has been loaded`(_ status: Int) throws {
    var items = (0..<4).map { Item(title: "Item \($0)") }
    publish(items, text: "first words")
    let profile = files.open(network)
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(Self.feed, isNew: true)]
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).collected()
    items[2].title = "Item 2 (updated)"
    publish(items, text: "corrected words")
    network.add("http://a.example/2", "<title>Page 2</title><p>other words", status: status)
    let day = 86_400.0
    var sync = try SyncPlan(of: profile, now: Date().addingTimeInterval(day))
      .request(LoadOptions())
    sync.pace.minGap = .zero
    _ = PageSaver(sync, in: profile).collected()
    let plan = try SyncPlan(of: profile, now: Date().addingTimeInterval(2 * day))
    #expect(plan.queuedItemURLs == (status == 200 ? [] : ["http://a.example/2"]))
    profile.close()
  }

  @Test func `pages of unchanged items are not requested again`() throws {
    let found = try requests { items in
      // An earlier date, and a change long ago.
      items[1].date = "Sun, 05 May 2019 10:00:00 GMT"
      items[3].other = "<atom:updated>2019-05-07T10:00:00Z</atom:updated>"
    }
    #expect(found.pages.isEmpty)
  }

  @Test func `a feed that changes all its titles or dates brings no corrections`() throws {
    let found = try requests { items in
      for index in items.indices { items[index].date = "Tue, 07 May 2019 10:00:00 GMT" }
    }
    #expect(found.pages.isEmpty)
  }
}
