@testable import Profiles
import Crawl
import Foundation
import OfflineCache
import Testing

@testable import Configuration
@testable import Feeds
@testable import Library
@testable import Saving

/// Items of followed feeds that lead to a page that was saved before.
@Suite struct UnlinkedItemsTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let page = "http://a.example/"
  private static let feed = "http://a.example/feed"

  init() throws {
    files = try TestProfile()
  }

  /// Saves and pins a page, then follows a feed of its site.
  /// - Parameters:
  ///   - count: The number of items.
  ///   - link: The element with the link of each item.
  ///   - isRead: Whether the page has been read.
  /// - Returns: The page, and the number of new items.
  /// - Throws: An error if the library cannot be used.
  private func follow(
    _ count: Int, link: String = "", isRead: Bool
  ) throws -> (page: LibraryPage, new: [Int]) {
    network.add(Self.page, "<title>Home</title><p>words")
    let items = (1...count).reversed().map { number in
      "<item><title>T\(number)</title><guid isPermaLink='false'>\(number)</guid>\(link)</item>"
    }
    network.add(
      Self.feed,
      "<rss><channel><title>News</title><link>\(Self.page)</link>\(items.joined())</channel></rss>")
    let profile = files.open(network)
    defer { profile.close() }
    var saving = SaveRequest(pages: [Self.page])
    saving.pace.minGap = .zero
    _ = PageSaver(saving, in: profile).collected()
    var changes = [LibraryChange(Self.page, .pinned, "1")]
    if isRead { changes.append(LibraryChange(Self.page, .read, "1")) }
    try profile.library.record(changes)
    var following = SaveRequest(pages: [])
    following.feeds = [FeedRequest(Self.feed, isNew: true)]
    following.pace.minGap = .zero
    let report = PageSaver(following, in: profile).collected()
    return (try profile.library.page(Self.page), report.feeds.map(\.newItemCount))
  }

  @Test(arguments: [true, false])
  func `items without a link are unread, and do not rename the page of the feed`(
    _ isRead: Bool
  ) throws {
    let found = try follow(2, isRead: isRead)
    #expect(found.new == [2])
    #expect(found.page.title == "Home" && found.page.isUnread)
    #expect(Set(found.page.unreadItems.map(\.title)) == ["T1", "T2"])
  }

  @Test func `an item with a link names its page, which stays read`() throws {
    let found = try follow(1, link: "<link>\(Self.page)</link>", isRead: true)
    #expect(found.new == [1])
    #expect(found.page.title == "T1" && !found.page.isUnread)
  }
}
