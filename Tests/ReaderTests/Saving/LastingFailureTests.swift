@testable import Saving
import Crawl
import Foundation
import Library
import OfflineCache
import Testing

@testable import Reader

/// Pages that hardly ever come, however often they are asked for.
@Suite struct LastingFailureTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  @Test func `a page that its server does not have is not kept; a name that is not found waits`()
    throws
  {
    network.fail("nonsense.example", .hostNotFound)
    let profile = files.open(network)
    let none = ["http://a.example/none", "http://nonsense.example/"]
    var request = SaveRequest(pages: none)
    request.pace.gap = .zero
    let report = PageSaver(request, in: profile).collected()
    #expect(!report.isComplete)
    let lasting = Dictionary(uniqueKeysWithValues: report.pages.map { ($0.url, $0.lasting) })
    #expect(lasting == [none[0]: .notFound, none[1]: .unknownHost])
    #expect(report.pages.filter(\.isQueued).map(\.url) == [none[1]])
    #expect(try profile.library.page(none[0]) == LibraryPage(key: none[0]))
    #expect(try profile.library.page(none[1]).failure == "host")
    profile.close()
  }

  @Test
  func `what fails for good in the queue is a failure once, and one again when it is another`()
    throws
  {
    network.add("http://a.example/gone", "gone", status: 410)
    let profile = files.open(network)
    let pages = ["http://a.example/none", "http://a.example/gone"]
    try profile.library.record(pages.map { LibraryChange($0, .queued, "") })
    func sync(excusing: Bool = true) throws -> CollectedReport {
      var request = try SyncPlan(of: profile, now: Date()).request(LoadOptions())
      request.pace.gap = .zero
      request.excusesRepeatedFailures = excusing
      return PageSaver(request, in: profile).collected()
    }
    let first = try sync()
    #expect(!first.isComplete && first.excused == 0 && first.failed == 2)
    let second = try sync()
    #expect(second.isComplete && second.excused == 2 && second.failed == 2)
    // Who asks by name is told each time.
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
    #expect(try profile.library.keys(with: .queued) == [pages[1]])
    profile.close()
  }
}
