@testable import Configuration
import Crawl
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Pages
@testable import Profiles
@testable import Saving

/// Frames and refresh targets are saved with the pages that need them.
@Suite struct NeededPartsTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let page = "http://a.example/page"

  init() throws {
    files = try TestProfile()
  }

  private func add(_ path: String, _ body: String, status: Int = 200) {
    network.add("http://a.example" + path, body, status: status)
  }

  private func request(
    _ urls: [String] = [page], _ change: (inout SaveRequest) -> Void = { _ in }
  ) -> SaveRequest {
    var request = SaveRequest(pages: urls)
    request.pace.minGap = .zero
    change(&request)
    return request
  }

  private func addFrameset() {
    add("/page", "<title>Manual</title><frameset><frame src=/toc><frame src=/body></frameset>")
    add("/toc", "<p>Contents <a href=/two>Chapter two</a>")
    add("/body", "<p>Chapter one <img alt=a src=/1.png>")
    add("/1.png", "png")
    add("/two", "<p>Chapter two")
  }

  private func check(_ profile: Profile, depth: Int = 0) -> CollectedReport {
    PageSaver(
      request {
        $0.options.mode = .cacheOnly
        $0.bounds.depth = depth
      }, in: profile
    ).collected()
  }

  @Test func `a page that sets a cookie and refreshes is saved as its target`() throws {
    let wall = "<meta http-equiv=refresh content=\"0; url=/inside\"><p>One moment"
    network.add("http://a.example/", wall, fields: [("Set-Cookie", "pass=1; Path=/")])
    network.add(
      "http://a.example/inside", "<title>Inside</title><p>" + String(repeating: "word ", count: 200)
    )
    let profile = files.open(network)
    let report = PageSaver(request(["http://a.example/"]), in: profile).collected()
    #expect(report.pages.map(\.title) == ["Inside"] && report.report.savedPageCount == 1)
    let last = try #require(network.webRequests.last { $0.url.path == "/inside" })
    #expect(last.fields["Cookie"] == "pass=1")
    profile.close()
  }

  @Test func `an interrupted save cancels the load of a refresh target`() throws {
    let (start, target) = ("http://a.example/", "http://a.example/inside")
    let wall = "<meta http-equiv=refresh content=\"0; url=/inside\"><p>One moment"
    network.add(start, wall, fields: [("Set-Cookie", "pass=1; Path=/")])
    network.leaveUnanswered(target)
    let profile = files.open(network)
    let report = PageSaver(request([start]), in: profile)
      .collected(progress: { [network] _ in !network.requests.contains(target) })
    #expect(report.isInterrupted)
    #expect(network.waitForCancellation(of: target))
    profile.close()
  }

  @Test func `frames of a frameset are saved with it, including their images and links`() throws {
    addFrameset()
    let profile = files.open(network)
    let report = PageSaver(request { $0.bounds.depth = 1 }, in: profile).collected()
    #expect(report.isComplete && report.readableCount == 2)
    #expect(Set(report.pages.map(\.url)) == [Self.page, "http://a.example/two"])
    let page = try #require(report.pages.first { $0.url == Self.page })
    #expect(page.neededPartCount == 2 && page.missingNeededPartCount == 0 && page.imageCount == 1)
    #expect(page.title == "Manual" && page.isReady)
    let checked = check(profile, depth: 1)
    #expect(checked.readableCount == 2 && checked.neededParts == 2)
    // The frames are kept as long as the page, despite limits.
    let frames = ["/toc", "/body"].map { "http://a.example" + $0 }
    #expect(frames.allSatisfy(profile.library.isEvictionExempt))
    #expect(!profile.library.isEvictionExempt("http://a.example/two"))
    try profile.library.record([LibraryChange(Self.page, .pinned, nil)])
    #expect(!frames.contains(where: profile.library.isEvictionExempt))
    profile.close()
  }

  /// Evicts everything that is not exempt, and returns the saved ones of some paths.
  private func remaining(_ paths: [String], in profile: Profile) throws -> [String] {
    try profile.cache.archive.evict(
      StorageLimits(age: 1), now: Date() + 1e6,
      isEvictionExempt: profile.library.isEvictionExempt)
    return try paths.filter {
      try !profile.cache.archive.captures(of: "http://a.example" + $0).isEmpty
    }
  }

  @Test func `images and redirects of a pinned page are kept with it, despite limits`() throws {
    network.add(Self.page, "moved", status: 302, fields: [("Location", "/text")])
    add("/text", "<title>T</title><p>words <img alt=a src=/1.png><img alt=b src=/2.png>")
    network.add("http://a.example/1.png", "", status: 302, fields: [("Location", "/3.png")])
    for name in ["/2.png", "/3.png", "/4.png"] { add(name, "png") }
    add("/also", "<p>words <img alt=b src=/2.png><img alt=c src=/4.png>")
    let profile = files.open(network)
    let also = "http://a.example/also"
    #expect(PageSaver(request([Self.page, also]), in: profile).collected().readableCount == 2)
    try profile.library.record([LibraryChange(also, .pinned, nil)])
    let paths = ["/page", "/text", "/1.png", "/2.png", "/3.png", "/4.png", "/also"]
    #expect(try remaining(paths, in: profile) == Array(paths.prefix(5)))
    try profile.library.record([LibraryChange(Self.page, .pinned, nil)])
    #expect(try remaining(paths, in: profile).isEmpty)
    profile.close()
  }

  @Test func `images of a pinned page stay although it is unchanged and the index is new`() throws {
    let etag = [("ETag", "\"1\"")]
    let words = String(repeating: "<p>words ", count: 4000)
    network.add(Self.page, "<title>T</title>\(words)<img alt=a src=/1.png>", fields: etag)
    add("/1.png", "png")
    let profile = files.open(network)
    #expect(PageSaver(request(), in: profile).collected().pages.first?.imageCount == 1)
    let index = profile.locations.index
    profile.close()
    try FileManager.default.removeItem(at: index)
    let again = files.open(network)
    var refresh = request()
    (refresh.options.isReload, refresh.skipsUnchanged) = (true, true)
    #expect(PageSaver(refresh, in: again).collected().pages.map(\.result) == [.unchanged])
    #expect(try remaining(["/page", "/1.png"], in: again) == ["/page", "/1.png"])
    again.close()
  }

  @Test func `a frameset without one of its frames is queued until that frame is saved`() throws {
    addFrameset()
    add("/body", "busy", status: 500)
    let profile = files.open(network)
    let report = PageSaver(request(), in: profile).collected()
    #expect(!report.isComplete && report.savedPageCount == 1 && report.readableCount == 0)
    #expect(report.pages.first?.unreadiness == .missingFrame("http://a.example/body"))
    #expect(report.missingNeededParts == 1 && report.queued == 1)
    #expect(check(profile).pages.first?.unreadiness == .missingFrame("http://a.example/body"))
    addFrameset()
    let plan = try SyncPlan(of: profile, now: .now)
    #expect(plan.queuedPageURLs == [Self.page])
    let synced = PageSaver(plan.request(LoadOptions()), in: profile).collected()
    #expect(synced.isComplete && synced.readableCount == 1 && synced.queued == 0)
    #expect(check(profile).readableCount == 1)
    #expect(try profile.library.count(with: .queued) == 0)
    profile.close()
  }

  @Test func `a permanently missing frame is reported and not requested again`() throws {
    addFrameset()
    add("/body", "gone", status: 404)
    let profile = files.open(network)
    let report = PageSaver(request(), in: profile).collected()
    #expect(report.pages.first?.unreadiness == .missingFrame("http://a.example/body"))
    #expect(try profile.library.count(with: .queued) == 0)
    profile.close()
  }

  @Test func `the target of a refresh is saved with its title, images and links`() throws {
    add("/page", "<meta http-equiv=refresh content='0; url=/b'>")
    network.add("http://a.example/b", "", fields: [("Refresh", "0; url=/c")])
    add("/c", "<title>The text</title><p>Words <a href=/two>two</a> <img alt=a src=/1.png>")
    add("/two", "<p>Words.")
    add("/1.png", "png")
    let profile = files.open(network)
    let report = PageSaver(request { $0.bounds.depth = 1 }, in: profile).collected()
    #expect(report.isComplete && report.pages.map(\.url).contains("http://a.example/two"))
    let page = try #require(report.pages.first { $0.url == Self.page })
    #expect(page.title == "The text" && page.neededPartCount == 2 && page.imageCount == 1)
    #expect(check(profile).readableCount == 1)
    profile.close()
  }

  @Test func `a chain of endless refreshes is bounded`() {
    for number in 0..<50 {
      add("/\(number)", "<meta http-equiv=refresh content='0; url=/\(number + 1)'>")
    }
    let profile = files.open(network)
    let report = PageSaver(request(["http://a.example/0"]), in: profile).collected()
    #expect(!report.isComplete && report.readableCount == 0)
    #expect(network.requests.count == 1 + PageNeeds.maxLevels)
    profile.close()
  }

  @Test func `a page saved without its frames is completed by a sync`() throws {
    addFrameset()
    network.add(
      Self.page, "<title>Manual</title><frameset><frame src=/toc><frame src=/body></frameset>",
      fields: [("ETag", "\"1\"")])
    for path in ["/toc", "/body"] { network.remove("http://a.example" + path) }
    let profile = files.open(network)
    _ = PageSaver(request(), in: profile).collected()
    addFrameset()
    network.add(
      Self.page, "<title>Manual</title><frameset><frame src=/toc><frame src=/body></frameset>",
      fields: [("ETag", "\"1\"")])
    #expect(check(profile).readableCount == 0)
    let plan = try SyncPlan(of: profile, now: .now.addingTimeInterval(30 * 86_400))
    #expect(plan.dueURLs == [Self.page])
    let report = PageSaver(plan.request(LoadOptions()), in: profile).collected()
    #expect(report.unchanged == 1 && report.readableCount == 1 && report.neededParts == 2)
    #expect(check(profile).readableCount == 1)
    profile.close()
  }

  @Test func `a consent page is not ready`() {
    add(
      "/page",
      "<title>Before you continue</title><p>We use cookies.<form><button>Accept</button></form>")
    let profile = files.open(network)
    let report = PageSaver(request(), in: profile).collected()
    #expect(report.unready == [.asksForConsent: 1] && !report.isComplete)
    #expect(check(profile).unready == [.asksForConsent: 1])
    profile.close()
  }

  @Test func `an automatic sync reports a page without text only once`() throws {
    network.add(
      Self.page, "<div id=app></div><script src=/app.js></script>", fields: [("ETag", "\"1\"")])
    let profile = files.open(network)
    #expect(!PageSaver(request(), in: profile).collected().isComplete)
    let plan = try SyncPlan(of: profile, now: .now.addingTimeInterval(30 * 86_400))
    var again = plan.request(LoadOptions())
    again.excusesRepeatedFailures = true
    let report = PageSaver(again, in: profile).collected()
    #expect(report.isComplete && report.readableCount == 0 && report.unready == [.withoutText: 1])
    profile.close()
  }

  @Test func `frames of a page in the public network must be in that network`() {
    addFrameset()
    network.setPublic(true, Self.page)
    let profile = files.open(network)
    _ = PageSaver(request(), in: profile).collected()
    #expect(network.publicOnly.isSuperset(of: ["http://a.example/toc", "http://a.example/body"]))
    #expect(!network.publicOnly.contains(Self.page))
    profile.close()
  }
}
