@testable import Profiles
@testable import Configuration
@testable import Saving
import Crawl
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Reader

/// Pages that are unlikely to become available.
@Suite struct LastingFailureTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  @Test func `a page missing on its server is not pinned, and one with an unknown host is queued`()
    throws
  {
    network.fail("nonsense.example", .hostNotFound)
    let profile = files.open(network)
    let none = ["http://a.example/none", "http://nonsense.example/"]
    var request = SaveRequest(pages: none)
    request.pace.minGap = .zero
    let report = PageSaver(request, in: profile).collected()
    #expect(!report.isComplete)
    let lasting = Dictionary(uniqueKeysWithValues: report.pages.map { ($0.url, $0.lastingFailure) })
    #expect(lasting == [none[0]: .notFound, none[1]: .unknownHost])
    #expect(report.pages.filter(\.isQueued).map(\.url) == [none[1]])
    #expect(try profile.library.page(none[0]) == LibraryPage(key: none[0]))
    #expect(try profile.library.page(none[1]).failure == "host")
    profile.close()
  }

  @Test
  func `a permanent failure in the queue is reported once, and again if it changes`()
    throws
  {
    network.add("http://a.example/gone", "gone", status: 410)
    let profile = files.open(network)
    let pages = ["http://a.example/none", "http://a.example/gone"]
    try profile.library.record(pages.map { LibraryChange($0, .queued, "") })
    func sync(excusing: Bool = true) throws -> CollectedReport {
      var request = try SyncPlan(of: profile, now: Date()).request(LoadOptions())
      request.pace.minGap = .zero
      request.excusesRepeatedFailures = excusing
      return PageSaver(request, in: profile).collected()
    }
    let first = try sync()
    #expect(!first.isComplete && first.excused == 0 && first.failed == 2)
    let second = try sync()
    #expect(second.isComplete && second.excused == 2 && second.failed == 2)
    // A page requested explicitly is reported each time.
    #expect(try !sync(excusing: false).isComplete)
    network.fail("a.example", .timedOut)
    #expect(try !sync().isComplete)
    network.fail("a.example", nil)
    network.add(pages[0], "gone", status: 410)
    let other = try sync()
    #expect(!other.isComplete && other.excused == 1)
    network.add(pages[0], "<title>T</title><p>words")
    let last = try sync()
    #expect(last.isComplete && last.excused == 1)
    #expect(try profile.library.page(pages[0]).failure.isEmpty)
    // A single page is confirmed by the next sync.
    _ = try sync()
    #expect(try profile.library.keys(with: .queued) == [pages[1]])
    profile.close()
  }

  private static let home = "https://a.example/p"

  @Test(
    arguments: [
      (.answered(status: 404, source: .network, isStored: false), [home], .notFound),
      (.answered(status: 410, source: .network, isStored: true), [home], .gone),
      // A saved copy was shown.
      (.answered(status: 200, source: .saved(.status(404)), isStored: true), [home], .notFound),
      (.answered(status: 200, source: .saved(.status(410)), isStored: true), [home], .gone),
      (.answered(status: 200, source: .saved(.status(500)), isStored: true), [home], nil),
      (.answered(status: 404, source: .saved(.offlineMode), isStored: true), [home], nil),
      (.answered(status: 404, source: .saved(.suspect(.signInPage)), isStored: true), [home], nil),
      (.answered(status: 404, source: .fresh, isStored: true), [home], nil),
      (.answered(status: 403, source: .network, isStored: false), [home], nil),
      (.answered(status: 200, source: .network, isStored: true), [home], nil),
      // Redirects: only an https redirect to another site is certain to be from the origin.
      (
        .answered(status: 404, source: .network, isStored: false),
        ["http://a.example/p", "http://gate.example/"], nil
      ),
      (
        .answered(status: 404, source: .network, isStored: false),
        ["http://a.example/p", "https://www.a.example/p", "https://b.example/"], .notFound
      ),
      (.failed(.transport(TransportFailure(.hostNotFound))), [home], .unknownHost),
      (.failed(.transport(TransportFailure(.timedOut))), [home], nil),
      (.abandoned("its server is busy"), [home], nil),
    ] as [(CrawlResult.Ending, [String], LastingFailure?)])
  func `the status returned by the origin decides whether a failure is permanent`(
    _ ending: CrawlResult.Ending, _ urls: [String], _ failure: LastingFailure?
  ) {
    #expect(LastingFailure(ending, through: urls.compactMap { WebURL($0) }) == failure)
  }

  @Test(
    arguments: [
      (LastingFailure.gone, "https://a.example/", true, nil, true),
      (.gone, "http://10.0.0.1/", false, nil, true),
      (.notFound, "http://a.example/", true, nil, false),
      (.notFound, "http://a.example/", true, 3600, false),
      (.notFound, "http://a.example/", true, 86_400, true),
      (.unknownHost, "https://a.example/", true, 86_400, false),
    ] as [(LastingFailure, String, Bool, TimeInterval?, Bool)])
  func `a response possibly sent by a captive portal is confirmed on another day`(
    _ failure: LastingFailure, _ url: String, _ isPublic: Bool, _ age: TimeInterval?,
    _ isConfirmed: Bool
  ) {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(
      failure.isConfirmed(
        at: url, isPublic: isPublic, since: age.map { now.addingTimeInterval(-$0) }, now: now)
        == isConfirmed)
  }

  @Test func `the waiting time for a permanently missing page doubles, up to a month`() {
    let since = Date(timeIntervalSince1970: 1_800_000_000)
    func waits(_ interval: TimeInterval, _ count: Int) -> [TimeInterval] {
      var now = since
      return (0..<count).map { _ in
        let next = GoneSchedule.nextRequest(interval: interval, goneSince: since, now: now)
        defer { now = next }
        return next.timeIntervalSince(now) / 86_400
      }
    }
    #expect(waits(86_400, 6) == [2, 4, 8, 16, 30, 30])
    #expect(waits(50 * 86_400, 2) == [50, 50])
    let early = GoneSchedule.nextRequest(
      interval: 60, goneSince: since, now: since.addingTimeInterval(-9))
    #expect(early == since.addingTimeInterval(111))
  }

  @Test func `a pinned page that is gone is reported once, keeps its copy and is requested rarely`()
    throws
  {
    let url = "https://a.example/page"
    network.add(url, "<title>T</title><p>words")
    let profile = files.open(network)
    var save = SaveRequest(pages: [url])
    save.pace.minGap = .zero
    #expect(PageSaver(save, in: profile).collected().isComplete)
    network.add(url, "gone", status: 410)
    let start = Date()
    func plan(after days: Double) throws -> SyncPlan {
      try SyncPlan(of: profile, now: start.addingTimeInterval(days * 86_400))
    }
    func sync(after days: Double) throws -> CollectedReport {
      var request = try plan(after: days).request(LoadOptions())
      request.pace.minGap = .zero
      request.excusesRepeatedFailures = true
      let now = start.addingTimeInterval(days * 86_400)
      return PageSaver(request, in: profile, now: { now }).collected()
    }
    let first = try sync(after: 9)
    #expect(first.pages.map(\.isExcused) == [false] && first.kept == 1)
    let page = try profile.library.page(url)
    #expect(page.goneSince != nil && page.pinnedDate != nil)
    let interval = profile.settings.sync.interval / 86_400
    #expect(try plan(after: 9 + interval).isEmpty)
    #expect(try plan(after: 9.1 + 2 * interval).dueURLs == [url])
    let second = try sync(after: 9.1 + 2 * interval)
    #expect(second.pages.map(\.isExcused) == [true] && second.isComplete)
    #expect(try profile.library.page(url).goneSince == page.goneSince)
    #expect(!profile.cache.savedPages(among: [url]).isEmpty)
    network.add(url, "<title>T</title><p>words again")
    #expect(try sync(after: 90).pages.map(\.result) == [.saved])
    #expect(try profile.library.page(url).goneSince == nil)
    profile.close()
  }

  @Test func `a feed that is gone is reported as a failure once`() throws {
    let url = "https://a.example/feed"
    network.add(url, "<rss><channel><title>News</title></channel></rss>")
    let profile = files.open(network)
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(url, isNew: true)]
    request.pace.minGap = .zero
    #expect(PageSaver(request, in: profile).collected().isComplete)
    network.add(url, "none", status: 404)
    request.feeds = [FeedRequest(url)]
    request.excusesRepeatedFailures = true
    let first = PageSaver(request, in: profile).collected()
    #expect(!first.isComplete && first.feeds.map(\.isExcused) == [false])
    let second = PageSaver(request, in: profile).collected()
    #expect(second.isComplete && second.feeds.map(\.isExcused) == [true])
    #expect(try profile.library.page(url).goneSince != nil)
    #expect(try SyncPlan(of: profile, now: Date()).feeds.isEmpty)
    profile.close()
  }
}
