@testable import Crawl
@testable import Profiles
import Feeds
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Responses to the requests for followed feeds, and saves of feeds that are interrupted.
@Suite struct FeedResponseTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let feed = "http://a.example/feed"
  private static let text =
    "<rss><channel><title>News</title><item><title>One</title><link>http://a.example/1</link>"
    + "<description>The text of the first item</description></item></channel></rss>"

  init() throws {
    files = try TestProfile()
    network.add(Self.feed, Self.text, type: "application/rss+xml")
    network.add("http://a.example/1", "<title>One</title><p>words")
  }

  private func follow(
    _ profile: Profile, _ url: String = Self.feed, progress: (SaveProgress) -> Bool = { _ in true }
  ) -> CollectedReport {
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(url, isNew: true)]
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected(progress: progress)
  }

  private func sync(
    _ profile: Profile, _ change: (inout SaveRequest) -> Void = { _ in }
  ) throws -> CollectedReport {
    let plan = try SyncPlan(of: profile, now: Date().addingTimeInterval(86_400))
    var request = plan.request(LoadOptions())
    request.pace.minGap = .zero
    change(&request)
    return PageSaver(request, in: profile).collected()
  }

  /// The content of the newest trusted copy of the feed.
  private func copy(_ profile: Profile) throws -> String {
    let versions = try profile.cache.archive.captures(of: Self.feed)
    let newest = versions.first(where: \.isGood)
    let copy = try #require(newest)
    return String(decoding: try profile.cache.archive.body(of: copy).rest(), as: UTF8.self)
  }

  @Test(
    arguments: [
      (#"{"error":"x"}"#, "application/json"), ("Too many connections", "text/plain"),
      ("<redirect><newLocation>x</newLocation></redirect>", "text/xml"),
      ("<?xml version='1.0'?><rss version='2.0'><channel><title>Harb", "application/rss+xml"),
    ] as [(String, String)])
  func `a response that is not a feed does not replace the copy`(
    _ body: String, _ type: String
  ) throws {
    let profile = files.open(network)
    #expect(follow(profile).isComplete)
    network.add(Self.feed, body, type: type)
    let report = try sync(profile)
    #expect(
      report.pages.map(\.result) == [.kept(FeedFollower.notAFeedMessage)] && !report.isComplete)
    #expect(report.feeds.compactMap(\.problem) == [FeedFollower.notAFeedMessage])
    #expect(try copy(profile) == Self.text)
    #expect(try profile.library.items(of: Self.feed) == ["http://a.example/1"])
    profile.close()
  }

  @Test(arguments: [200, 204])
  func `a response without content means that a feed has no new items`(_ status: Int) throws {
    let profile = files.open(network)
    #expect(follow(profile).isComplete)
    network.add(Self.feed, "", status: status, type: "application/rss+xml")
    let report = try sync(profile)
    #expect(report.pages.map(\.result) == [.unchanged] && report.isComplete)
    #expect(report.feeds.map(\.newItemCount) == [0] && report.feeds[0].problem == nil)
    #expect(try copy(profile) == Self.text)
    profile.close()
  }

  @Test(arguments: [
    ("<rss><channel><title>News</title></channel></rss>", false), (#"{"error":"x"}"#, true),
  ])
  func `an empty feed, and an accepted response, replace the copy`(
    _ body: String, _ isAccepted: Bool
  ) throws {
    let profile = files.open(network)
    #expect(follow(profile).isComplete)
    network.add(Self.feed, body, type: "text/xml")
    let report = try sync(profile) { if isAccepted { $0.options.trust = .accepted } }
    #expect(report.pages.map(\.result) == [.saved])
    #expect(try copy(profile) == body)
    profile.close()
  }

  @Test(
    arguments: [
      ("<rss><channel><title>a", true), ("<feed>", true), ("<rss><channel><title>a</title>", true),
      ("<rss><channel><title>a</title></channel></rss>", false), ("<feed/>", false),
      ("<feed></feed>\n<!-- cached -->", false), ("<channel></channel>", false),
      ("<rss><channel><item><title>a", false),
    ] as [(String, Bool)])
  func `a feed without items and without its end tag is cut off`(
    _ text: String, _ isCutOff: Bool
  ) throws {
    let feed = try #require(Feed(Array(text.utf8)))
    #expect(feed.isCutOffBeforeItems(in: Array(text.utf8)) == isCutOff)
  }

  @Test func `an interrupted save of a feed continues with the other items`() throws {
    let feed = "https://a.example/feed"
    let items = (1...8).reversed().map { number in
      "<item><title>\(number)</title><link>https://a.example/\(number)</link></item>"
    }
    let text = "<rss><channel><title>News</title>\(items.joined())</channel></rss>"
    let uninterruptedNetwork = SiteNetwork()
    for one in [network, uninterruptedNetwork] {
      one.add(feed, text, type: "application/rss+xml")
      for number in 1...8 {
        one.add("https://a.example/\(number)", "<title>Page \(number)</title><p>words")
      }
    }
    for number in 1...6 { network.leaveUnanswered("https://a.example/\(number)") }
    let first = files.open(network)
    let report = follow(first, feed) { $0.doneCount < 3 }
    #expect(report.isInterrupted && report.pages.count == 3)
    #expect(try first.library.keys(with: .queued).count == 6)
    var saveRequest = SaveRequest(pages: [])
    saveRequest.feeds = [FeedRequest("https://a.example/other", isNew: true)]
    #expect(PageSaver(saveRequest, in: first).resumedCount == 0)
    first.close()
    let second = files.open(uninterruptedNetwork)
    #expect(follow(second, feed).isComplete)
    #expect(try second.library.keys(with: .queued).isEmpty)
    let pages = (1...8).map { "https://a.example/\($0)" }
    #expect(second.cache.savedPages(among: pages).count == 8)
    #expect(!uninterruptedNetwork.requests.contains("https://a.example/8"))
    // Nothing is left to do.
    let earlierRequestCount = uninterruptedNetwork.requests.count
    #expect(follow(second, feed).isComplete)
    #expect(Set(uninterruptedNetwork.requests.dropFirst(earlierRequestCount)).isSubset(of: [feed]))
    second.close()
  }

  @Test(arguments: [true, false])
  func `a check reports an item as ready if its feed contains the text`(_ hasText: Bool) throws {
    network.add("http://a.example/1", "forbidden", status: 403)
    if !hasText {
      let text = Self.text.replacing("The text of the first item", with: "")
      network.add(Self.feed, text, type: "application/rss+xml")
    }
    let profile = files.open(network)
    _ = follow(profile)
    var check = SaveRequest(pages: ["http://a.example/1", "http://a.example/none"])
    check.options.mode = .cacheOnly
    let report = PageSaver(check, in: profile).collected()
    let outcome = try #require(report.pages.first)
    #expect(outcome.isFeedText == hasText && outcome.isReady == hasText)
    #expect(report.pages.last?.isReadable == false)
    profile.close()
  }
}
