@testable import Profiles
@testable import Saving
import Crawl
import Foundation
import OfflineCache
import TestNetwork
import Testing

/// Pages with a status of redirects that lead nowhere.
@Suite struct RedirectStatusTests {
  @Test func `a choice is saved as a page, unlike a redirect without a target`() throws {
    let files = try TestProfile()
    let network = SiteNetwork()
    network.add(
      "http://a.example/", "<title>T</title><p>words <a href='/b'>b</a>", status: 300)
    network.add("http://a.example/b", "moved", status: 302, fields: [("Location", "")])
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: ["http://a.example/"])
    request.pace.minGap = .zero
    request.bounds.depth = 1
    let report = PageSaver(request, in: profile).collected()
    #expect(report.pages.map(\.result) == [.saved, .failed("302, a redirect without a target")])
    let saved = profile.cache.savedPages(among: ["http://a.example/", "http://a.example/b"])
    #expect(saved.count == 1)
  }

  @Test func `a choice without content is not saved as a page`() throws {
    let files = try TestProfile()
    let network = SiteNetwork()
    network.add("http://a.example/", "", status: 300)
    let profile = files.open(network)
    defer { profile.close() }
    let report = PageSaver(SaveRequest(pages: ["http://a.example/"]), in: profile).collected()
    #expect(report.pages.count == 1 && report.pages.allSatisfy { $0.result != .saved })
    #expect(profile.cache.savedPages(among: ["http://a.example/"]).isEmpty)
  }
}
