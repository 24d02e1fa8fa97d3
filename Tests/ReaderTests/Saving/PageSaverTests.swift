@testable import Pages
@testable import Profiles
@testable import Configuration
@testable import Saving
import Library
import Crawl
import Dispatch
import Foundation
import OfflineCache
import Synchronization
import TestFiles
import TestNetwork
import Testing

@testable import Rendering

@Suite struct PageSaverTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  private func request(
    _ pages: String..., change: (inout SaveRequest) -> Void = { _ in }
  ) -> SaveRequest {
    var request = SaveRequest(pages: pages)
    request.pace.minGap = .zero
    change(&request)
    return request
  }

  private func links(_ paths: String...) -> String {
    "<title>T</title><p>words " + paths.map { "<a href='\($0)'>\($0)</a>" }.joined(separator: " ")
  }

  private func results(_ report: CollectedReport) -> [String: SaveOutcome.Result] {
    Dictionary(report.pages.map { ($0.url, $0.result) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `a requested page is pinned, with its title, tags and images`() throws {
    network.add(
      "http://a.example/",
      links() + ["1", "2", "1"].map { "<img alt=a src='/\($0).png'>" }.joined())
    network.add("http://a.example/1.png", "one")
    let profile = files.open(network)
    let report = PageSaver(
      request("http://a.example/") { $0.tags = ["trip"] }, in: profile
    ).collected()
    #expect(report.isComplete)
    let page = try #require(report.pages.first)
    #expect(page.result == .saved)
    #expect(page.title == "T")
    #expect(page.imageCount == 1)
    #expect(page.missingImageCount == 1)
    #expect(
      page.missingImageNames
        == [MissingImage(url: "http://a.example/2.png", reason: "the server returned 404")])
    let known = try profile.library.page("http://a.example/")
    #expect(known.pinnedDate != nil)
    #expect(known.tags == ["trip"])
    #expect(known.title == "T")
    let saved = profile.cache.savedPages(among: ["http://a.example/", "http://a.example/1.png"])
    #expect(saved.count == 2)
    profile.close()
  }

  @Test func `no image is requested if images are excluded`() throws {
    network.add("http://a.example/", links() + "<img src='/1.png'>")
    let profile = files.open(network)
    _ = PageSaver(request("http://a.example/") { $0.includesImages = false }, in: profile).run()
    #expect(network.requests == ["http://a.example/"])
    profile.close()
  }

  @Test func `links are followed to a depth if robots.txt allows it`() throws {
    network.add("http://a.example/", links("/b", "/secret/c", "http://other.example/", "/b#x"))
    network.add("http://a.example/b", links("/d", "/"))
    network.add("http://a.example/d", links("/e"))
    network.add("http://other.example/", links())
    network.add("http://a.example/robots.txt", "User-agent: *\nDisallow: /secret")
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/") { $0.bounds.depth = 2 }, in: profile)
      .collected()
    #expect(
      results(report) == [
        "http://a.example/": .saved, "http://a.example/b": .saved,
        "http://a.example/secret/c": .refused, "http://other.example/": .saved,
        "http://a.example/d": .saved,
      ])
    #expect(!network.requests.contains("http://a.example/secret/c"))
    #expect(network.requests.count { $0 == "http://a.example/robots.txt" } == 1)
    #expect(report.isComplete)
    // Only the requested page is pinned.
    #expect(try profile.library.pages(with: .pinned).map(\.key) == ["http://a.example/"])
    profile.close()
  }

  @Test
  func `robots.txt does not apply to pages requested by the user, nor if it is to be ignored`() {
    network.add("http://a.example/x", links("/y"))
    network.add("http://a.example/y", links())
    network.add("http://a.example/robots.txt", "User-agent: *\nDisallow: /")
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/x") { $0.bounds.depth = 1 }, in: profile)
      .collected()
    #expect(results(report)["http://a.example/x"] == .saved)
    #expect(results(report)["http://a.example/y"] == .refused)
    let again = PageSaver(
      request("http://a.example/x") {
        $0.bounds.depth = 1
        $0.obeysRobots = false
      }, in: profile
    ).collected()
    #expect(results(again)["http://a.example/y"] == .saved)
    profile.close()
  }

  @Test func `a failed page is reported with its reason, and its earlier copy is kept`() throws {
    network.add("http://a.example/old", links())
    let profile = files.open(network)
    _ = PageSaver(request("http://a.example/old"), in: profile).run()
    network.add("http://a.example/old", "gone", status: 410)
    let report = PageSaver(
      request("http://a.example/old", "http://a.example/none"), in: profile
    ).collected()
    #expect(!report.isComplete)
    #expect(results(report)["http://a.example/old"] == .kept("page gone (410)"))
    #expect(results(report)["http://a.example/none"] == .failed("404 Not Found"))
    #expect(report.pages.first { !$0.isReadable }?.size == 0)
    network.setDown(true)
    let down = PageSaver(
      request("http://a.example/old", "http://b.example/"), in: profile
    ).collected()
    #expect(results(down)["http://a.example/old"] == .kept("no network"))
    #expect(results(down)["http://b.example/"] == .failed("no network"))
    profile.close()
  }

  @Test func `a check reports pages in the order in which they were found`() {
    let paths = (0..<300).map { "/item\($0)x" }
    network.add("http://a.example/", "<p>" + paths.map { "<a href='\($0)'>x</a>" }.joined())
    for path in paths where path != "/item7x" {
      network.add("http://a.example" + path, "<p>The text of \(path).")
    }
    let profile = files.open(network)
    let saved = PageSaver(request("http://a.example/") { $0.bounds.depth = 1 }, in: profile)
      .collected()
    #expect(saved.pages.count == 301 && saved.failed == 1 && saved.saved == 300)
    let asked = network.requests.count
    let report = PageSaver(
      request("http://a.example/") {
        $0.bounds.depth = 1
        $0.options.mode = .cacheOnly
      }, in: profile
    ).collected()
    #expect(
      report.pages.map(\.url) == ["http://a.example/"] + paths.map { "http://a.example" + $0 })
    #expect(report.savedPageCount == 300 && network.requests.count == asked)
    profile.close()
  }

  @Test func `confirmed content is not read if only the confirmation is requested`() throws {
    network.add("http://a.example/", links(), fields: [("ETag", "\"1\"")])
    let profile = files.open(network)
    _ = PageSaver(request("http://a.example/"), in: profile).run()
    let size = try #require(
      profile.cache.archive.captures(of: "http://a.example/").first
    ).length
    func content(_ leavesOut: Bool) -> (bytes: Int, source: LoadedResponse.Source?) {
      var options = LoadOptions()
      options.isReload = true
      options.omitsValidatedContent = leavesOut
      let seen = Mutex((bytes: 0, source: LoadedResponse.Source?.none))
      let end = DispatchSemaphore(value: 0)
      profile.cache.start(WebRequest(url: "http://a.example/"), options: options) { event in
        switch event {
        case .response(let response, _): seen.withLock { $0.source = response.source }
        case .data(let bytes): seen.withLock { $0.bytes += bytes.count }
        case .finished, .failed: end.signal()
        case .redirected, .refreshed, .checked: break
        }
      }
      end.wait()
      return seen.withLock { $0 }
    }
    #expect(content(false) == (Int(size), .validated))
    #expect(content(true) == (0, .validated))
    // A sync still reports its size.
    let again = PageSaver(
      request("http://a.example/") {
        $0.options.isReload = true
        $0.skipsUnchanged = true
      }, in: profile
    ).collected()
    #expect(again.pages.map(\.result) == [.unchanged] && again.size == size)
    profile.close()
  }

  @Test func `unchanged pages are distinguished from new ones`() {
    network.add("http://a.example/", links(), fields: [("ETag", "\"1\"")])
    let profile = files.open(network)
    _ = PageSaver(request("http://a.example/"), in: profile).run()
    let same = PageSaver(request("http://a.example/"), in: profile).collected()
    #expect(results(same) == ["http://a.example/": .unchanged])
    network.add("http://a.example/", links() + "more", fields: [("ETag", "\"2\"")])
    let new = PageSaver(request("http://a.example/"), in: profile).collected()
    #expect(results(new) == ["http://a.example/": .saved])
    profile.close()
  }

  @Test func `a new URL that redirects to a saved page is reported as saved the first time only`()
    throws
  {
    for fields in [[], [("Cache-Control", "max-age=60")]] {
      let (files, network) = (try TestProfile(), SiteNetwork())
      let profile = files.open(network)
      defer { profile.close() }
      network.add("http://a.example/", "<p>words", fields: fields)
      network.add("http://b.example/", "", status: 302, fields: [("Location", "http://a.example/")])
      for url in ["http://a.example/", "http://b.example/"] {
        var request = SaveRequest(pages: [url])
        request.pace.minGap = .zero
        let outcomes = [
          PageSaver(request, in: profile).collected(), PageSaver(request, in: profile).collected(),
        ]
        #expect(outcomes.flatMap(\.pages).map(\.result) == [.saved, .unchanged], "\(url)")
      }
    }
  }

  @Test func `a page whose server sends the same content again is unchanged`() {
    network.add("http://a.example/", links())
    let profile = files.open(network)
    #expect(
      results(PageSaver(request("http://a.example/"), in: profile).collected()).values.first
        == .saved)
    let same = PageSaver(request("http://a.example/"), in: profile).collected()
    #expect(results(same) == ["http://a.example/": .unchanged])
    network.add("http://a.example/", links() + "more")
    let new = PageSaver(request("http://a.example/"), in: profile).collected()
    #expect(results(new) == ["http://a.example/": .saved])
    profile.close()
  }

  @Test func `the reason why a queued page could not be loaded is recorded`() throws {
    network.add("http://a.example/", "<p>no", status: 500)
    let profile = files.open(network)
    let key = "http://a.example/"
    _ = PageSaver(request(key), in: profile).run()
    #expect(try profile.library.page(key).failureText == "500 Internal Server Error")
    #expect(try profile.library.page(key).goneSince == nil)
    network.add("http://a.example/", links())
    #expect(PageSaver(request(key), in: profile).run().isComplete)
    #expect(try profile.library.page(key).failureText == nil)
    profile.close()
  }

  @Test func `at most two loads per host run at a time`() {
    let paths = (0..<30).map { "/\($0)" }
    network.add("http://a.example/", "<p>" + paths.map { "<a href='\($0)'>x</a>" }.joined())
    for path in paths { network.add("http://a.example" + path, links()) }
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/") { $0.bounds.depth = 1 }, in: profile)
      .collected()
    #expect(report.pages.count == 31)
    #expect(report.isComplete)
    #expect(network.maxConcurrentRequests("a.example") <= 2)
    profile.close()
  }

  @Test(arguments: [429, 502, 503, 504])
  func `a busy host is requested again at the announced time, or not at all`(_ status: Int) throws {
    network.add("http://a.example/", "busy", status: status, fields: [("Retry-After", "100000")])
    for path in ["1", "2", "3"] { network.add("http://a.example/\(path)", links()) }
    let profile = files.open(network)
    let report = PageSaver(
      request(
        "http://a.example/", "http://a.example/1", "http://a.example/2", "http://a.example/3"
      ) { $0.pace.maxLoadsPerHost = 1 }, in: profile
    ).collected()
    #expect(report.pages.count == 4 && report.queued == 4)
    let abandoned = report.pages.filter {
      if case .failed(let message) = $0.result { message == "its server is busy" } else { false }
    }
    #expect(abandoned.count == 4, "\(report.pages)")
    #expect(network.requests == ["http://a.example/"])
    #expect(report.pages.allSatisfy { $0.isQueued && $0.retryAfter ?? .distantPast > Date() })
    // The pages are queued, with the time before which they are not requested.
    let page = try profile.library.page("http://a.example/1")
    #expect(page.queuedDate != nil && page.pinnedDate != nil)
    let due = try #require(page.retryAfter)
    let early = try SyncPlan(of: profile, now: Date())
    #expect(early.isEmpty && early.deferredCount == 4 && early.retryAfter ?? .distantPast > Date())
    let late = try SyncPlan(of: profile, now: due.addingTimeInterval(10))
    #expect(late.queuedPageURLs.count == 4 && late.deferredCount == 0)
    profile.close()
  }

  @Test func `a page that cannot be loaded is pinned and queued until it is`() throws {
    let profile = files.open(network)
    network.setDown(true)
    let report = PageSaver(request("https://a.example/") { $0.tags = ["t"] }, in: profile)
      .collected()
    #expect(report.pages.map(\.isQueued) == [true])
    let page = try profile.library.page("https://a.example/")
    #expect(
      page.queuedDate != nil && page.pinnedDate != nil && page.tags == ["t"]
        && page.retryAfter == nil)
    network.setDown(false)
    network.add("https://a.example/", "<title>T</title><p>words")
    let plan = try SyncPlan(of: profile, now: Date())
    #expect(plan.queuedPageURLs == ["https://a.example/"])
    _ = PageSaver(plan.request(LoadOptions()), in: profile).run()
    #expect(try profile.library.page("https://a.example/").queuedDate == nil)
    profile.close()
  }

  @Test func `a page without text is counted separately by a save and by a check`() throws {
    network.add(
      "http://a.example/",
      "<script src=x></script><noscript>Please enable JavaScript to run</noscript>")
    network.add("http://a.example/text", "<script src=x></script><p>one two three four five")
    let profile = files.open(network)
    var request = request("http://a.example/", "http://a.example/text")
    let report = PageSaver(request, in: profile).collected()
    #expect(
      report.pages.count { $0.unreadiness == .withoutText } == 1 && report.savedPageCount == 2
        && report.readableCount == 1)
    #expect(!report.isComplete)
    request.options.mode = .cacheOnly
    let check = PageSaver(request, in: profile).collected()
    #expect(check.unready == [.withoutText: 1] && check.savedPageCount == 2)
    profile.close()
  }

  @Test func `a check counts missing images like the save`() throws {
    network.add(
      "http://a.example/",
      links("2") + ["1", "2", "1"].map { "<img alt=a src='/\($0).png'>" }.joined())
    network.add("http://a.example/2", links() + "<img alt=a src='/2.png'><img alt=a src='/3.png'>")
    network.add("http://a.example/1.png", "one")
    let profile = files.open(network)
    var request = request("http://a.example/") { $0.bounds.depth = 1 }
    let saved = PageSaver(request, in: profile).collected()
    request.options.mode = .cacheOnly
    let check = PageSaver(request, in: profile).collected()
    #expect(saved.missingImages == 2 && check.missingImages == 2)
    #expect(check.pages.reduce(0) { $0 + $1.imageCount } == 1)
    profile.close()
  }

  @Test func `a size limit applies within a page`() throws {
    let names = (0..<40).map { "http://a.example/\($0).png" }
    network.add("http://a.example/", links() + names.map { "<img alt=a src='\($0)'>" }.joined())
    for name in names { network.add(name, String(repeating: "x", count: 10_000)) }
    let profile = files.open(network)
    let report = PageSaver(
      request("http://a.example/") { $0.bounds.maxBytes = 30_000 }, in: profile
    ).collected()
    // Only loads already running when the limit was reached exceed it.
    #expect((30_000...50_000).contains(report.size), "\(report.size)")
    #expect(network.requests.count <= 6)
    let page = try #require(report.pages.first)
    #expect(page.imageCount + page.missingImageCount == 40)
    profile.close()
  }

  @Test func `the crawl depth is stored with the page`() throws {
    network.add("http://a.example/", links("/a", "/b"))
    network.add("http://a.example/a", links())
    let profile = files.open(network)
    let saveRequest = request("http://a.example/") {
      $0.bounds.depth = 2
      $0.bounds.staysOnHost = true
      $0.bounds.excludes = ["*/b"]
    }
    _ = PageSaver(saveRequest, in: profile).run()
    let crawlScope = try #require(
      CrawlScope(text: try profile.library.page("http://a.example/").crawlScope))
    var check = SaveRequest(pages: saveRequest.pages)
    crawlScope.apply(to: &check)
    #expect(check.bounds == saveRequest.bounds && check.includesImages)
    check.options.mode = .cacheOnly
    #expect(
      PageSaver(check, in: profile).collected().pages.map(\.url) == [
        "http://a.example/", "http://a.example/a",
      ])
    for garbage in ["", "{", "{\"depth\":-1}", "{\"depth\":1,\"maxPages\":0}", "1"] {
      #expect(CrawlScope(text: garbage) == nil)
    }
    // Without links, only the page itself is saved again.
    _ = PageSaver(request("http://a.example/"), in: profile).run()
    #expect(
      CrawlScope(text: try profile.library.page("http://a.example/").crawlScope) == crawlScope)
    let deeperRequest = request("http://a.example/") { $0.bounds.depth = 3 }
    _ = PageSaver(deeperRequest, in: profile).run()
    #expect(CrawlScope(text: try profile.library.page("http://a.example/").crawlScope)?.depth == 3)
    profile.close()
  }

  @Test func `requests refused by a busy host are repeated`() {
    network.add("http://a.example/", "busy", status: 429, fields: [("Retry-After", "1")])
    let network = network
    let profile = files.open(network)
    var isHealed = false
    let report = PageSaver(request("http://a.example/"), in: profile).collected(progress: { _ in
      if !isHealed, !network.requests.isEmpty {
        isHealed = true
        network.add("http://a.example/", links())
      }
      return true
    })
    #expect(results(report) == ["http://a.example/": .saved])
    profile.close()
  }

  @Test func `a requested page that was not fetched is not a success`() {
    for path in ["1", "2"] { network.add("http://a.example/\(path)", links()) }
    let profile = files.open(network)
    let report = PageSaver(
      request("http://a.example/1", "http://a.example/2") { $0.bounds.maxPages = 1 }, in: profile
    ).collected()
    #expect(report.namedCutOff == 1)
    #expect(!report.isComplete)
    profile.close()
  }

  @Test func `the parts of a text are saved with it, and the pages of the next text are not`() {
    network.add("http://a.example/text", links("/text?page=2", "/other"))
    network.add("http://a.example/text?page=2", links("/text?page=3"))
    network.add("http://a.example/text?page=3", links("/text"))
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/text"), in: profile).collected()
    #expect(
      report.pages.map(\.url).sorted() == [
        "http://a.example/text", "http://a.example/text?page=2", "http://a.example/text?page=3",
      ])
    var counts = SaveReport()
    for page in report.pages { counts.count(page) }
    #expect(counts.pageCount == 3 && counts.nextPartCount == 2)
    profile.close()
  }

  @Test func `an endless series of parts is bounded`() {
    for number in 1...60 {
      network.add("http://a.example/list?page=\(number)", links("/list?page=\(number + 1)"))
    }
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/list?page=1"), in: profile).collected()
    #expect(report.pages.count == 20)
    profile.close()
  }

  @Test func `an interrupted save is resumed without repeating requests`() throws {
    let paths = (0..<40).map { "/\($0)" }
    network.add("http://a.example/", "<p>" + paths.map { "<a href='\($0)'>x</a>" }.joined())
    for path in paths { network.add("http://a.example" + path, links()) }
    let saveRequest = request("http://a.example/") { $0.bounds.depth = 1 }
    let profile = files.open(network)
    let first = PageSaver(saveRequest, in: profile).collected(progress: { $0.doneCount < 12 })
    #expect(first.isInterrupted && !first.isComplete)
    #expect(first.pages.count >= 12 && first.pages.count < 41)
    profile.close()
    let earlierRequestCount = network.requests.count
    let reopenedProfile = files.open(network)
    let second = PageSaver(saveRequest, in: reopenedProfile)
    #expect(second.resumedCount == first.pages.count)
    let report = second.collected()
    #expect(report.pages.count == 41)
    #expect(report.isComplete)
    // Running loads and robots.txt may be requested again.
    let finishedURLs = Set(first.pages.map(\.url))
    #expect(
      network.requests.dropFirst(earlierRequestCount).allSatisfy { !finishedURLs.contains($0) })
    // After its end, the same save starts from the beginning.
    #expect(PageSaver(saveRequest, in: reopenedProfile).resumedCount == 0)
    // A removed page is forgotten here, too.
    _ = PageSaver(saveRequest, in: reopenedProfile).collected(progress: { $0.doneCount < 3 })
    #expect(PageSaver(saveRequest, in: reopenedProfile).resumedCount > 0)
    InterruptedSave.forget("http://a.example/", in: reopenedProfile.locations.saves)
    #expect(PageSaver(saveRequest, in: reopenedProfile).resumedCount == 0)
    reopenedProfile.close()
  }

  @Test func `limits on number and size stop a save`() {
    let paths = (0..<40).map { "/\($0)" }
    network.add("http://a.example/", "<p>" + paths.map { "<a href='\($0)'>x</a>" }.joined())
    for path in paths {
      network.add("http://a.example" + path, String(repeating: "x", count: 1000))
    }
    let profile = files.open(network)
    let few = PageSaver(
      request("http://a.example/") {
        $0.bounds.depth = 1
        $0.bounds.maxPages = 5
      }, in: profile
    ).collected()
    #expect(few.pages.count == 5)
    #expect(few.cutOff == 36)
    let small = PageSaver(
      request("http://a.example/") {
        $0.bounds.depth = 1
        $0.bounds.maxBytes = 6000
      }, in: profile
    ).collected()
    #expect(small.pages.count < 30)
    #expect(small.isComplete)
    profile.close()
  }

  @Test func `a site whose robots.txt cannot be loaded is not reported as refusing`() {
    network.add("http://a.example/", links("/b"))
    network.add("http://a.example/b", links())
    network.add("http://a.example/robots.txt", "oops", status: 500)
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/") { $0.bounds.depth = 1 }, in: profile)
      .collected()
    #expect(
      results(report)["http://a.example/b"]
        == .failed("the robots.txt of its site could not be read: 500 Internal Server Error"))
    profile.close()
  }

  @Test func `a page removed after an interruption is fetched again`() throws {
    network.add("http://a.example/1", links())
    network.add("http://a.example/2", links())
    let wanted = request("http://a.example/1", "http://a.example/2") { $0.pace.maxLoadsPerHost = 1 }
    let profile = files.open(network)
    let first = PageSaver(wanted, in: profile).collected(progress: { $0.doneCount < 1 })
    #expect(first.isInterrupted && first.pages.map(\.url) == ["http://a.example/1"])
    // The page was removed by another device, which does not know of interrupted saves on this one.
    _ = try profile.cache.remove("http://a.example/1")
    let report = PageSaver(wanted, in: profile).collected()
    #expect(report.isComplete && results(report)["http://a.example/1"] == .saved)
    profile.close()
  }

  @Test func `two concurrent identical saves do not share their progress file`() {
    network.add("http://a.example/1", links())
    network.add("http://a.example/2", links())
    let wanted = request("http://a.example/1", "http://a.example/2") { $0.pace.maxLoadsPerHost = 1 }
    let profile = files.open(network)
    let one = PageSaver(wanted, in: profile)
    #expect(one.collected(progress: { $0.doneCount < 1 }).isInterrupted)
    let other = PageSaver(wanted, in: profile)
    #expect(other.resumedCount == 0)
    #expect(other.collected().isComplete)
    withExtendedLifetime(one) {}
    profile.close()
  }

  @Test func `link cycles and endless calendars end`() {
    network.add("http://a.example/a", links("/b"))
    network.add("http://a.example/b", links("/a", "/b", "/2026/1/1"))
    let network = network
    for day in 1...700 {
      network.add("http://a.example/2026/1/\(day)", links("/2026/1/\(day + 1)"))
    }
    let profile = files.open(network)
    let report = PageSaver(
      request("http://a.example/a") {
        $0.bounds.depth = 100
        $0.bounds.maxPagesOfSeries = 20
      }, in: profile
    ).collected()
    #expect(report.isComplete)
    #expect(report.pages.count == 22 && report.refusals[.series] == 1)
    profile.close()
  }

  @Test func `tracking parameters do not create separate pages`() throws {
    network.add("http://a.example/p?id=1&utm_source=x", links())
    let profile = files.open(network)
    _ = PageSaver(request("http://a.example/p?id=1&utm_source=x"), in: profile).run()
    let page = try #require(try profile.library.pages(with: .pinned).first)
    #expect(page.key == "http://a.example/p?id=1")
    #expect(page.url == "http://a.example/p?id=1")
    #expect(!profile.cache.savedPages(among: ["http://a.example/p?id=1"]).isEmpty)
    // The URL without tracking parameters is listed and requested.
    let plan = try SyncPlan(of: profile, now: Date().addingTimeInterval(9 * 86_400))
    #expect(plan.dueURLs == ["http://a.example/p?id=1"])
    profile.close()
    var settings = Settings()
    settings.dropsTracking = false
    let plain = files.open(network, settings: settings)
    #expect(plain.cache.key(of: "http://a.example/p?fbclid=1") == "http://a.example/p?fbclid=1")
    plain.close()
  }

  @Test func `a binary file is saved as well`() throws {
    network.add("http://a.example/x.png", "\u{89}PNG\u{0}\u{1}")
    let profile = files.open(network)
    let report = PageSaver(request("http://a.example/x.png"), in: profile).collected()
    #expect(report.isComplete)
    #expect(report.pages.first?.result == .saved)
    profile.close()
  }
}
