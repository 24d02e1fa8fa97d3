import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// The versions of a page under a URL that redirects to it.
@Suite struct RedirectVersionsTests {
  private static let short = "http://site.example.org/r"
  private static let page = "http://site.example.org/page"

  private typealias Network = RedirectedPageTests.Network

  private static func text(_ number: Int) -> String {
    Page.frame("Version \(number)", Page.article)
  }

  private func load(
    _ fixture: CacheFixture, _ configure: (inout LoadOptions) -> Void = { _ in }
  ) -> SessionRecord.Result {
    var options = LoadOptions()
    options.fallbackDelay = 30
    configure(&options)
    let record = SessionRecord()
    fixture.cache.start(WebRequest(url: Self.short), options: options, event: record.receive)
    return record.waitForEnd()
  }

  /// Saves a version of the page under `short` itself, and two of `page`, to which it then leads.
  private func filled() -> CacheFixture {
    let network = Network([
      Self.short: .response(200, RedirectedPageTests.html, Self.text(1))
    ])
    let fixture = CacheFixture(network.transport)
    #expect(load(fixture).text == Self.text(1))
    network[Self.short] = .response(302, [("Location", "/page")], "moved")
    for number in [2, 3] {
      fixture.advance(3600)
      network[Self.page] = .response(200, RedirectedPageTests.html, Self.text(number))
      #expect(load(fixture).text == Self.text(number))
    }
    return fixture
  }

  @Test func `the versions of the page precede those of the URL that redirects to it`() throws {
    let fixture = filled()
    let versions = try fixture.cache.pageVersions(of: Self.short)
    let pages = versions.filter { $0.isGood && !$0.response.isRedirect }
    #expect(pages.map(\.response.key) == [Self.page, Self.page, Self.short])
    #expect(versions.first?.response.key == Self.page)
    #expect(try fixture.cache.versions(of: Self.short).allSatisfy { $0.response.key == Self.short })
    #expect(try fixture.cache.pageVersions(of: Self.page).count == 2)
    #expect(try fixture.cache.redirectTargets(of: [Self.short, Self.page]) == [Self.page])
  }

  @Test func `each of these versions can be selected under the URL that redirects`() throws {
    let fixture = filled()
    let pages = try fixture.cache.pageVersions(of: Self.short).filter {
      $0.isGood && !$0.response.isRedirect
    }
    for (version, number) in zip(pages, [3, 2, 1]) {
      for id in [version.response.id, String(version.response.id.prefix(13))] {
        let result = load(fixture) { ($0.mode, $0.copy) = (.cacheOnly, .id(id)) }
        #expect(result.text == Self.text(number))
      }
    }
    let redirect = try #require(
      try fixture.cache.versions(of: Self.short).first { $0.response.isRedirect })
    let followed = load(fixture) {
      ($0.mode, $0.copy) = (.cacheOnly, .id(redirect.response.id))
    }
    #expect(followed.text == Self.text(3))
    let unknown = load(fixture) { ($0.mode, $0.copy) = (.cacheOnly, .id("ffffffff")) }
    #expect(unknown.error == .notSaved)
  }
}
