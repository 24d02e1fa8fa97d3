@testable import Profiles
import Crawl
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Crawls whose start page redirects to another host.
@Suite struct RedirectedStartTests {
  private let files: TestProfile
  private let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
    network.add(
      "https://a.example/", "", status: 301, fields: [("Location", "https://new.example/start")])
    network.add(
      "https://new.example/start",
      "<title>T</title><p>words <a href=/1>1</a> <a href='https://a.example/2'>2</a>"
        + " <a href='https://other.example/'>3</a>")
    for url in ["https://new.example/1", "https://a.example/2", "https://other.example/"] {
      network.add(url, "<title>\(url)</title><p>The page \(url) with its words.")
    }
  }

  @Test func `pages of both hosts are saved, and a check expects the same pages`() throws {
    let profile = files.open(network)
    var request = SaveRequest(pages: ["https://a.example/"])
    request.pace.minGap = .zero
    request.bounds.depth = 1
    request.bounds.staysOnHost = true
    let saved = PageSaver(request, in: profile).collected()
    let expected = ["https://a.example/", "https://new.example/1", "https://a.example/2"]
    #expect(saved.pages.map(\.url).sorted() == expected.sorted())
    #expect(saved.refusals[.host] == 1)
    request.options.mode = .cacheOnly
    let check = PageSaver(request, in: profile).collected()
    #expect(check.pages.map(\.url).sorted() == expected.sorted() && check.isComplete)
    profile.close()
  }
}
