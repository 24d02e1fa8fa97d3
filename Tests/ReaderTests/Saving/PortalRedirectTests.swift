@testable import Saving
import Crawl
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Profiles
@testable import Reader

/// Queued pages that are redirected by a captive portal.
@Suite struct PortalRedirectTests {
  private static let gateway = "http://gateway.hotel.example/start"

  /// Queues pages and syncs once.
  private func sync(
    _ urls: [String], _ network: SiteNetwork, in directory: TestProfile
  ) throws -> SaveReport {
    let profile = directory.open(network)
    defer { profile.close() }
    try profile.library.record(urls.map { LibraryChange($0, .queued, "") })
    return try run(profile)
  }

  private func run(_ profile: Profile) throws -> SaveReport {
    var request = try SyncPlan(queueOf: profile, now: Date()).request(LoadOptions())
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).run()
  }

  /// Checks that the pages are still queued, that no response for them is trusted, and that they
  /// arrive without the portal.
  private func expectNothingLost(
    _ urls: [String], _ network: SiteNetwork, in directory: TestProfile
  ) throws {
    let profile = directory.open(network)
    defer { profile.close() }
    let plan = try SyncPlan(queueOf: profile, now: Date())
    #expect(Set(plan.queuedPageURLs) == Set(urls) && plan.arrivedKeys.isEmpty)
    for url in urls {
      #expect(try profile.cache.archive.captures(of: url).allSatisfy { !$0.isGood })
      network.add(url, "<h1>Tides</h1><p>The page of \(url)</p>")
    }
    #expect(try run(profile).saved == urls.count)
    let text = "<h1>Tides</h1><p>The page of \(urls[0])</p>"
    let page = try #require(profile.cache.page(of: urls[0]))
    #expect(page.length == Int64(text.utf8.count))
  }

  @Test(arguments: [1, 2, 6], [nil, false])
  func `a gateway with a public name and a private address does not empty the queue`(
    count: Int, isPublic: Bool?
  ) throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let urls = (1...count).map { "http://site\($0).example/page" }
    for url in urls {
      network.add(url, "", status: 302, fields: [("Location", Self.gateway)])
      network.setPublic(true, url)
    }
    network.add(Self.gateway, "<h1>Welcome</h1><form><p>Room number</p><button>Connect</button>")
    if let isPublic { network.setPublic(isPublic, Self.gateway) }
    let report = try sync(urls, network, in: directory)
    #expect(report.failed == count && report.isBlockedByPortal)
    try expectNothingLost(urls, network, in: directory)
  }

  @Test(arguments: [TransportFailure.Kind.connectionRefused, .hostNotFound, .timedOut])
  func `a redirect to an unreachable host leaves the page in the queue`(
    _ kind: TransportFailure.Kind
  ) throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let url = "http://site.example/page"
    network.add(url, "", status: 302, fields: [("Location", Self.gateway)])
    network.fail("gateway.hotel.example", kind)
    #expect(try sync([url], network, in: directory).failed == 1)
    network.fail("gateway.hotel.example", nil)
    try expectNothingLost([url], network, in: directory)
  }

  @Test func `a redirect to an error leaves the page in the queue`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let url = "http://site.example/page"
    network.add(url, "", status: 302, fields: [("Location", Self.gateway)])
    network.add(Self.gateway, "<p>Not authorized", status: 403)
    #expect(try sync([url], network, in: directory).failed == 1)
    try expectNothingLost([url], network, in: directory)
  }

  @Test func `a redirect to a successfully loaded page removes the page from the queue`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let url = "https://site.example/page"
    network.add(url, "", status: 301, fields: [("Location", "https://www.site.example/new")])
    network.add("https://www.site.example/new", "<h1>Tides</h1><p>At nine.</p>")
    let report = try sync([url], network, in: directory)
    #expect(report.saved == 1)
    let profile = directory.open(network)
    defer { profile.close() }
    #expect(try profile.library.page(url).queuedDate == nil)
  }

  @Test func `a redirect stored without its target does not count as the page`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let url = "http://site.example/page"
    network.add(url, "", status: 302, fields: [("Location", "http://other.site.example/x")])
    let profile = directory.open(network)
    defer { profile.close() }
    try profile.library.record([LibraryChange(url, .queued, "")])
    // Loaded separately, as by the reader: the redirect is stored, and its target is a 404.
    let end = DispatchSemaphore(value: 0)
    let load = profile.cache.start(try WebRequest(written: url)) { event in
      switch event {
      case .finished, .failed: end.signal()
      default: break
      }
    }
    end.wait()
    withExtendedLifetime(load) {}
    let stored = try profile.cache.archive.captures(of: url)
    #expect(stored.contains { $0.isGood && $0.isRedirect })
    let plan = try SyncPlan(queueOf: profile, now: Date())
    #expect(plan.queuedPageURLs == [url] && plan.arrivedKeys.isEmpty)
  }
}
