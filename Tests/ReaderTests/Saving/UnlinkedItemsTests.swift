@testable import Profiles
import Crawl
import Dispatch
import Document
import Foundation
import OfflineCache
import Synchronization
import TestNetwork
import Testing

@testable import Configuration
@testable import Feeds
@testable import Library
@testable import Pages
@testable import Reader
@testable import Saving

/// Items of followed feeds without links of their own, or with a link to a page that was saved
/// before.
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
  func `items without a link leave the page of the feed as it is`(_ isRead: Bool) throws {
    let found = try follow(2, isRead: isRead)
    #expect(found.new == [2])
    #expect(found.page.title == "Home" && found.page.feed.isEmpty)
    #expect(found.page.isUnread == !isRead)
  }

  @Test func `each item without a link has a row, which opens its text in the feed`() throws {
    let items = ["B", "A"].map { name in
      "<item><title>Status \(name)</title><guid isPermaLink='false'>\(name)</guid>"
        + "<description>The words of \(name)</description></item>"
    }
    network.add(Self.page, "<title>Home</title><p>words")
    network.add(
      Self.feed,
      "<rss><channel><title>News</title><link>\(Self.page)</link>\(items.joined())</channel></rss>")
    let profile = files.open(network)
    defer { profile.close() }
    var following = SaveRequest(pages: [])
    following.feeds = [FeedRequest(Self.feed, isNew: true)]
    following.pace.minGap = .zero
    _ = PageSaver(following, in: profile).collected()
    let rows = try FeedItems.all(of: Self.feed, in: profile).rows
    #expect(rows.map(\.title) == ["Status B", "Status A"])
    #expect(rows.allSatisfy { $0.unreadItemCount == 1 && $0.date != nil && !$0.isQueued })
    #expect(try FeedStatus.all(in: profile).map(\.counts.missing) == [0])
    #expect(!network.requests.contains(Self.page))
    let loader = PageLoader(profile: profile, queuesMissingPages: true)
    let key = try #require(rows.last?.key)
    let page = try #require(load(key, loader).page)
    let text = String(decoding: page.document.plainText, as: UTF8.self)
    #expect(text.contains("Status A") && text.contains("The words of A"))
    #expect(!text.contains("Status B") && page.url.text == key)
    loader.finishRecording()
    #expect(try profile.library.page(key).readDate != nil)
    #expect(try FeedItems.unread(in: profile).flatMap(\.rows).map(\.title) == ["Status B"])
    // A pinned one is not requested, and an unknown one is not queued.
    try profile.library.record([LibraryChange(key, .pinned, "1")])
    let later = Date().addingTimeInterval(90 * 86_400)
    let plan = try SyncPlan(of: profile, now: later)
    #expect(plan.dueURLs.isEmpty && plan.feeds.map(\.url) == [Self.feed])
    let unknownKey = FeedItemAddress(ofItem: "C", in: Self.feed).key
    let missingResult = load(unknownKey, loader)
    let explanation = missingResult.page.map {
      String(decoding: $0.document.plainText, as: UTF8.self)
    }
    #expect(!missingResult.isLoaded && explanation?.contains("This item is not saved") == true)
    #expect(try profile.library.keys(with: .queued).isEmpty)
  }

  @Test func `a check reports an item without a page as ready if its feed contains it`() throws {
    _ = try follow(1, isRead: true)
    let profile = files.open(network)
    defer { profile.close() }
    var check = SaveRequest(
      pages: ["1", "removed"].map { FeedItemAddress(ofItem: $0, in: Self.feed).key })
    check.options.mode = .cacheOnly
    let outcomes = PageSaver(check, in: profile).collected().pages
    #expect(outcomes.map(\.isReady) == [true, false])
    #expect(outcomes.first?.isFeedText == true)
  }

  @Test(arguments: ["", "<link>http://a.example/missing</link>"])
  func `an item whose text is in the feed has the present title of the feed`(_ link: String) throws
  {
    let profile = files.open(network)
    defer { profile.close() }
    for (title, days) in [("Ferry on time", 0.0), ("Ferry cancelled", 1)] {
      network.add(
        Self.feed,
        "<rss><channel><title>News</title><item><title>Other</title><guid>o</guid></item>"
          + "<item><title>\(title)</title><guid isPermaLink='false'>f</guid>\(link)"
          + "<description>\(title) tonight</description></item></channel></rss>")
      var request = SaveRequest(pages: [])
      if days > 0 {
        request = try SyncPlan(of: profile, now: Date().addingTimeInterval(days * 86_400))
          .request(LoadOptions())
      } else {
        request.feeds = [FeedRequest(Self.feed, isNew: true)]
      }
      request.pace.minGap = .zero
      _ = PageSaver(request, in: profile).collected()
      let rows = try FeedItems.all(of: Self.feed, in: profile).rows
      #expect(rows.map(\.title).sorted() == [title, "Other"].sorted())
    }
  }

  /// Loads a page, or the page that explains why that fails.
  private func load(_ url: String, _ loader: PageLoader) -> (page: Page?, isLoaded: Bool) {
    let end = DispatchSemaphore(value: 0)
    let loaded = Mutex<(page: Page?, isLoaded: Bool)>((nil, false))
    let load = loader.load(LoadRequest(url)) { event in
      switch event {
      case .loaded(let page):
        loaded.withLock { $0 = (page, true) }
        end.signal()
      case .failed(_, explanation: let page):
        loaded.withLock { $0 = (page, false) }
        end.signal()
      case .progressed, .asking, .offered, .began, .newer, .checked: break
      }
    }
    end.wait()
    withExtendedLifetime(load) {}
    return loaded.withLock { $0 }
  }

  @Test(arguments: [true, false])
  func `the text of an item that links to a file is shown with the file`(
    _ isInReader: Bool
  ) throws {
    let items = ["a", "b"].map { name in
      network.add("http://a.example/\(name).mp3", "ID3\u{0}\u{0}", type: "audio/mpeg")
      return "<item><title>Show \(name)</title><link>http://a.example/\(name).mp3</link>"
        + "<description>\(name == "a" ? "Notes of the show" : "")</description></item>"
    }
    network.add(
      Self.feed, "<rss><channel><title>News</title>\(items.joined())</channel></rss>")
    let profile = files.open(network)
    defer { profile.close() }
    var following = SaveRequest(pages: [])
    following.feeds = [FeedRequest(Self.feed, isNew: true)]
    following.pace.minGap = .zero
    _ = PageSaver(following, in: profile).collected()
    let loader = PageLoader(profile: profile, keepsContent: isInReader)
    let loadResult = load("http://a.example/a.mp3", loader)
    let page = try #require(loadResult.page)
    let text = String(decoding: page.document.plainText, as: UTF8.self)
    #expect(text.contains("Show a") && text.contains("Notes of the show"))
    #expect(text.contains("http://a.example/a.mp3"))
    #expect(loadResult.isLoaded == !isInReader && (page.attachment != nil) == isInReader)
    // Without a text, nothing but the file is shown.
    let otherResult = load("http://a.example/b.mp3", loader)
    #expect(!otherResult.isLoaded && otherResult.page?.document.title != "Show b")
  }

  @Test func `items that shared the page of their feed move to pages of their own`() throws {
    network.add(Self.page, "<title>Home</title><p>words")
    network.add(
      Self.feed,
      "<rss><channel><title>News</title><link>\(Self.page)</link><item><title>T</title>"
        + "<guid isPermaLink='false'>1</guid></item></channel></rss>")
    let profile = files.open(network)
    defer { profile.close() }
    let record = FeedItemRecord(identity: "1", page: Self.page, date: nil, title: "T")
    try profile.library.record([
      LibraryChange(Self.feed, .feed, ""), LibraryChange(Self.page, .item, Self.feed),
      LibraryChange(Self.page, .read, "1"),
      LibraryChange(Self.feed, .feedItem(record.identity), record.value),
    ])
    var request = try SyncPlan(of: profile, now: Date()).request(LoadOptions())
    request.pace.minGap = .zero
    #expect(PageSaver(request, in: profile).collected().feeds.map(\.newItemCount) == [0])
    let key = FeedItemAddress(ofItem: "1", in: Self.feed).key
    #expect(try profile.library.items(of: Self.feed) == [key])
    #expect(try profile.library.page(key).readDate != nil)
  }

  @Test func `an item without a page keeps its tags and pin when its feed moves`() throws {
    let text =
      "<rss><channel><title>News</title><item><title>T</title>"
      + "<guid isPermaLink='false'>1</guid></item></channel></rss>"
    network.add(Self.feed, text)
    let profile = files.open(network)
    defer { profile.close() }
    var following = SaveRequest(pages: [])
    following.feeds = [FeedRequest(Self.feed, isNew: true)]
    following.pace.minGap = .zero
    _ = PageSaver(following, in: profile).collected()
    let oldKey = FeedItemAddress(ofItem: "1", in: Self.feed).key
    try profile.library.record([
      LibraryChange(oldKey, .pinned, "1"), LibraryChange(oldKey, .tag("sea"), "1"),
      LibraryChange(oldKey, .note, "words"),
    ])
    let target = "http://b.example/feed"
    network.add(Self.feed, "", status: 301, fields: [("Location", target)])
    network.add(target, text)
    let later = Date().addingTimeInterval(9 * 86_400)
    var request = try SyncPlan(of: profile, now: later).request(LoadOptions())
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).collected()
    let key = FeedItemAddress(ofItem: "1", in: target).key
    #expect(try profile.library.items(of: target) == [key])
    let page = try profile.library.page(key)
    #expect(page.pinnedDate != nil && page.tags == ["sea"] && page.note == "words")
    #expect(try profile.library.keys(with: .pinned) == [key])
  }

  @Test func `an item with a link names its page, which stays read`() throws {
    let found = try follow(1, link: "<link>\(Self.page)</link>", isRead: true)
    #expect(found.new == [1])
    #expect(found.page.title == "T1" && !found.page.isUnread)
  }
}
