@testable import Crawl
@testable import Profiles
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Configuration
@testable import Reader
@testable import Saving

/// The times at which a sync requests pages and feeds.
@Suite struct SyncTimesTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let hour = 3600.0
  private static let day = 86_400.0
  private static let page = "http://a.example/p"
  private static let feed = "http://a.example/feed"
  static let threeDays = ("Retry-After", "259200")

  init() throws {
    files = try TestProfile()
    network.add(Self.page, "<title>P</title><p>words")
    network.add(Self.feed, "<rss><channel><title>News</title></channel></rss>")
  }

  private func save(_ profile: Profile) {
    var request = SaveRequest(pages: [Self.page])
    request.feeds = [FeedRequest(Self.feed, isNew: true)]
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
  }

  private func plan(_ profile: Profile, after time: TimeInterval) throws -> SyncPlan {
    try SyncPlan(of: profile, now: Date().addingTimeInterval(time))
  }

  private func sync(_ profile: Profile, after time: TimeInterval) throws -> CollectedReport {
    var request = try plan(profile, after: time).request(LoadOptions())
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected()
  }

  @Test(arguments: [429, 503])
  func `a page with a copy, and a feed, are not requested during a pause of their server`(
    _ status: Int
  ) throws {
    let profile = files.open(network)
    save(profile)
    network.add(Self.page, "busy", status: status, fields: [Self.threeDays])
    network.add(Self.feed, "busy", status: status, fields: [Self.threeDays])
    let report = try sync(profile, after: 2 * Self.day)
    #expect(
      report.pages.map(\.result) == [.kept("its server is busy"), .kept("its server is busy")])
    #expect(report.pages.allSatisfy { $0.retryAfter ?? .distantPast > Date() })
    let early = try plan(profile, after: 2.5 * Self.day)
    #expect(early.isEmpty && early.deferredCount == 1)
    let late = try plan(profile, after: 4 * Self.day)
    #expect(late.queuedPageURLs == [Self.page] && late.feeds.map(\.url) == [Self.feed])
    network.add(Self.page, "<title>P</title><p>words")
    network.add(Self.feed, "<rss><channel><title>News</title></channel></rss>")
    #expect(try sync(profile, after: 4 * Self.day).pages.allSatisfy(\.isCurrent))
    #expect(try profile.library.page(Self.page).queuedDate == nil)
    #expect(try profile.library.page(Self.feed).retryAfter == nil)
    profile.close()
  }

  @Test(arguments: [(500, [threeDays], 1), (503, [], 2)] as [(Int, [(String, String)], Int)])
  func `a response that asks for no pause causes none`(
    _ status: Int, _ fields: [(String, String)], _ requestCount: Int
  ) throws {
    let profile = files.open(network)
    save(profile)
    network.add(Self.page, "error", status: status, fields: fields)
    let asked = network.requests.count
    _ = try sync(profile, after: 2 * Self.day)
    #expect(network.requests.dropFirst(asked).count { $0 == Self.page } == requestCount)
    let page = try profile.library.page(Self.page)
    #expect(page.queuedDate == nil && page.retryAfter == nil)
    #expect(try plan(profile, after: 4 * Self.day).dueURLs == [Self.page])
    profile.close()
  }

  @Test func `a pause that a wrong clock set does not postpone a feed`() throws {
    let profile = files.open(network)
    save(profile)
    try profile.library.record([LibraryChange(Self.feed, .notBefore, "32503680000")])
    #expect(try plan(profile, after: Self.day).feeds.map(\.url) == [Self.feed])
    profile.close()
  }

  @Test func `a pause that a wrong clock set does not postpone a queued page`() throws {
    let profile = files.open(network)
    for (pause, isDeferred) in [(3 * Self.day, true), (400 * Self.day, false)] {
      let end = Int(Date().addingTimeInterval(pause).timeIntervalSince1970)
      try profile.library.record([
        LibraryChange(Self.page, .queued, ""), LibraryChange(Self.page, .notBefore, "\(end)"),
      ])
      #expect(try plan(profile, after: 0).queuedPageURLs == (isDeferred ? [] : [Self.page]))
    }
    profile.close()
  }

  @Test func `a job that runs once per interval skips no run`() throws {
    let profile = files.open(network)
    save(profile)
    let (feeds, pages) = (
      profile.settings.sync.feedInterval, profile.settings.sync.interval
    )
    #expect(feeds == Self.hour && pages == Self.day)
    #expect(try plan(profile, after: 0.75 * Self.hour).feeds.isEmpty)
    #expect(try plan(profile, after: 0.82 * Self.hour).feeds.map(\.url) == [Self.feed])
    #expect(try plan(profile, after: 21.5 * Self.hour).dueURLs.isEmpty)
    #expect(try plan(profile, after: 22.5 * Self.hour).dueURLs == [Self.page])
    profile.close()
  }

  @Test(
    arguments: [(60.0, 12.0), (3600, 720), (86_400, 7200), (604_800, 7200)] as [(Double, Double)])
  func `a page may be requested a fifth of its interval earlier, at most two hours`(
    _ interval: Double, _ slack: Double
  ) {
    #expect(SyncPlan.earlyTolerance(of: interval) == slack)
  }
}
