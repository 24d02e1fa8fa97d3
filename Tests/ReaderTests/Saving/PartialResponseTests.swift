@testable import Crawl
@testable import Profiles
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Responses with a range that was not requested, and responses that are too large.
@Suite struct PartialResponseTests {
  private static let body = "<title>P</title><p>words"
  private static let page = "http://a.example/p"

  private func save(_ range: String) throws -> [SaveOutcome.Result] {
    let network = SiteNetwork()
    network.add(Self.page, Self.body, status: 206, fields: [("Content-Range", range)])
    let files = try TestProfile()
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [Self.page])
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected().pages.map(\.result)
  }

  @Test func `a response whose range is the whole page is saved`() throws {
    let count = Self.body.utf8.count
    #expect(try save("bytes 0-\(count - 1)/\(count)") == [.saved])
  }

  @Test func `a page that is too large, or a stream without an end, is not requested again`()
    throws
  {
    let network = SiteNetwork()
    network.fail("a.example", .tooLarge)
    let files = try TestProfile()
    let profile = files.open(network)
    defer { profile.close() }
    let request = SaveRequest(pages: [Self.page])
    #expect(PageSaver(request, in: profile).collected().pages.map(\.isQueued) == [false])
    #expect(try profile.library.keys(with: .queued).isEmpty)
    let url = try #require(WebURL(Self.page))
    let options = request.options(
      for: CrawlTask(number: 1, job: .page(0), url: url), isFeed: false)
    #expect(options.maxStreamSize == LoadOptions().maxRenderedSize && options.refusesEndless)
  }

  @Test(arguments: ["bytes 0-23/100", "bytes 1-23/24", "bytes 0-23/*", "x"])
  func `a part of a page is not saved`(_ range: String) throws {
    #expect(try save(range) == [.failed("the server sent only a part of the page")])
  }
}
