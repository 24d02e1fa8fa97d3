@testable import Profiles
@testable import Saving
import Crawl
@testable import Library
import Foundation
import OfflineCache
import TestNetwork
import Testing

@Suite struct SyncPlanTests {
  private static let start = Date(timeIntervalSince1970: 1_795_234_310)
  private static let day = 86_400.0

  @Test(
    arguments: [
      // The age of the content and of the last check, and the time after which the page is due, in
      // days.
      (0.0, 0.0, 1.0), (0, 1, 2), (0, 4, 5), (0, 8, 10), (0, 40, 50), (0, 1000, 1016), (3, 1, 2),
    ] as [(Double, Double, Double)])
  func `a page that does not change is requested less often`(
    _ content: Double, _ checked: Double, _ due: Double
  ) {
    let next = SyncPlan.nextRefresh(
      interval: Self.day, content: Self.start.addingTimeInterval(content * Self.day),
      checked: Self.start.addingTimeInterval(checked * Self.day))
    #expect(next == Self.start.addingTimeInterval(due * Self.day))
  }

  @Test func `queued pages come first, then those that have waited longest, without duplicates`()
    throws
  {
    let files = try TestProfile()
    let network = SiteNetwork()
    let profile = files.open(network)
    for path in ["a", "b", "c"] { network.add("http://x.example/\(path)", "<h1>\(path)</h1>") }
    let pages = ["a", "b", "c"].map { "http://x.example/\($0)" }
    var request = SaveRequest(pages: pages)
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    try profile.library.record([
      LibraryChange("http://x.example/q", .queued, ""), LibraryChange(pages[2], .queued, ""),
      LibraryChange(pages[1], .interval, "60"),
      LibraryChange("http://x.example/gone", .pinned, "1"),
    ])
    let now = Date()
    let today = try SyncPlan(of: profile, now: now)
    #expect(today.queuedPageURLs == ["http://x.example/q", pages[2]])
    #expect(today.dueURLs == ["http://x.example/gone"])
    #expect(today.notDueCount == 2)
    let soon = try SyncPlan(of: profile, now: now.addingTimeInterval(120))
    #expect(soon.dueURLs == ["http://x.example/gone", pages[1]])
    let later = try SyncPlan(of: profile, now: now.addingTimeInterval(2 * Self.day))
    #expect(later.dueURLs == ["http://x.example/gone", pages[1], pages[0]])
    #expect(later.notDueCount == 0)
    // A clock set back by years does not postpone everything.
    let back = try SyncPlan(of: profile, now: now.addingTimeInterval(-400 * Self.day))
    #expect(back.notDueCount == 0)
    profile.close()
  }

  @Test func `a refreshed collection keeps the restrictions of its start pages`() throws {
    let files = try TestProfile()
    let profile = files.open(SiteNetwork())
    let (key, other) = ("http://x.example/", "http://y.example/")
    let record = PageCollection.Record(name: "X", start: [key, other], isPinned: true, saved: 1)
    try profile.library.record([
      PageCollection(id: PageCollection.id(ofStart: key), record: record).change(record),
      LibraryChange(key, .fromProgram, "1"), LibraryChange(other, .schemeAssumed, "1"),
    ])
    let requests = try SyncPlan(of: profile, now: Date()).requests(LoadOptions())
    #expect(requests.map(\.pages) == [[key, other]])
    #expect(requests.map(\.publicOnlyPages) == [[key]])
    #expect(requests.map(\.assumedPages) == [[other]])
    profile.close()
  }

  @Test func `a page queued because of a link of a public site must be on the public network`()
    throws
  {
    let files = try TestProfile()
    let profile = files.open(SiteNetwork())
    let key = "http://192.168.0.9/"
    for (number, from) in ["http://x.example/", "http://192.168.0.1/", ""].enumerated() {
      let page = key + "\(number)"
      try profile.library.record(
        profile.library.page(page).membership.adding(
          page, to: PageCollection.id(ofStart: from), number: number, by: "d", at: 1)
          + [LibraryChange(page, .queued, from)])
    }
    let plan = try SyncPlan(of: profile, now: Date())
    #expect(plan.queuedPageURLs.count == 3)
    #expect(plan.request(LoadOptions()).publicOnlyPages == [key + "0"])
    profile.close()
  }

  @Test func `fetched pages leave the queue, and failed ones stay`() throws {
    let files = try TestProfile()
    let network = SiteNetwork()
    network.add("https://x.example/a", "<title>A</title><h1>a</h1>")
    let profile = files.open(network)
    try profile.library.record([
      LibraryChange("https://x.example/a", .queued, ""),
      LibraryChange("https://x.example/none", .queued, ""),
    ])
    var request = try SyncPlan(of: profile, now: Date()).request(LoadOptions())
    request.pace.minGap = .zero
    let report = PageSaver(request, in: profile).collected()
    #expect(report.pages.filter(\.isReadable).map(\.url) == ["https://x.example/a"])
    #expect(report.pages.count == 2)
    #expect(
      try profile.library.pages(with: .queued).map(\.key) == ["https://x.example/none"])
    // A fetched page is not pinned.
    #expect(try profile.library.count(with: .pinned) == 0)
    profile.close()
  }

  @Test func `unchanged pages are validated, and their images are not requested again`() throws {
    let files = try TestProfile()
    let network = SiteNetwork()
    network.add(
      "http://x.example/a", "<title>A</title><img alt=i src='/i.png'>",
      fields: [("ETag", "\"1\""), ("Cache-Control", "max-age=100000000")])
    network.add("http://x.example/i.png", "png")
    let profile = files.open(network)
    var first = SaveRequest(pages: ["http://x.example/a"])
    first.pace.minGap = .zero
    _ = PageSaver(first, in: profile).run()
    let asked = network.requests.count
    let plan = try SyncPlan(of: profile, now: Date().addingTimeInterval(3 * Self.day))
    let report = PageSaver(plan.request(LoadOptions()), in: profile).collected()
    #expect(report.pages.map(\.result) == [.unchanged])
    #expect(network.requests.dropFirst(asked) == ["http://x.example/a"])
    profile.close()
  }

  @Test func `only one process has the lock`() throws {
    let files = try TestProfile()
    let state = files.directory.appendingPathComponent("state")
    var lock = try SyncLock(in: state)
    #expect(lock != nil)
    #expect(try SyncLock(in: state) == nil)
    lock = nil
    #expect(try SyncLock(in: state) != nil)
  }
}
