@testable import Saving
import Crawl
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Profiles

/// Every kind of captive portal combined with every state of a library.
@Suite struct PortalTableTests {
  private static let article =
    "<title>Tides</title><h1>Tides</h1>"
    + (1...40).map { "<p>Chapter \($0) of granite, storms, pilots and lighthouses.</p>" }.joined()

  private func sync(_ profile: Profile, now: Date = Date()) throws -> [SaveOutcome] {
    var request = try SyncPlan(of: profile, now: now).request(LoadOptions())
    request.pace.minGap = .zero
    var outcomes: [SaveOutcome] = []
    _ = PageSaver(request, in: profile, now: { now }).run(outcome: { outcomes.append($0) })
    return outcomes
  }

  private func queued(_ profile: Profile) throws -> Set<String> {
    Set(try profile.library.pages(with: .queued).map(\.key))
  }

  /// Whether the saved content of a URL is that of its site.
  private func isSaved(_ url: String, _ profile: Profile, length: Int) -> Bool {
    profile.cache.page(of: url)?.length == Int64(length)
  }

  @Test(arguments: PortalKind.all)
  func `a saved copy is never replaced by a portal`(_ kind: PortalKind) throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let url = "http://site1.example/page"
    network.add(url, Self.article)
    let profile = directory.open(network)
    defer { profile.close() }
    _ = PageSaver(SaveRequest(pages: [url]), in: profile).run()
    #expect(isSaved(url, profile, length: Self.article.utf8.count))
    kind.respond(network, url, 1)
    let outcomes = try sync(profile, now: Date() + 3 * 86_400)
    #expect(outcomes.count == 1)
    #expect(isSaved(url, profile, length: Self.article.utf8.count), "\(outcomes)")
  }

  @Test(arguments: PortalKind.all)
  func `six queued pages of unrelated sites are not lost to a portal`(_ kind: PortalKind) throws {
    let urls = (1...6).map { "http://site\($0).example/page" }
    try expectNothingTaken(of: urls, by: kind)
  }

  @Test(arguments: PortalKind.all)
  func `a queued page whose URL indicates its type is not lost to a portal`(_ kind: PortalKind)
    throws
  {
    // The portal is detected by the type of its response, unless the page has the same type.
    let urls = ["http://site1.example/a.html", "http://site2.example/b.html"]
    try expectNothingTaken(of: urls, by: kind)
  }

  private func expectNothingTaken(of urls: [String], by kind: PortalKind) throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    for (number, url) in urls.enumerated() { kind.respond(network, url, number) }
    let profile = directory.open(network)
    defer { profile.close() }
    try profile.library.record(urls.map { LibraryChange($0, .queued, "") })
    for _ in 0..<2 {
      let outcomes = try sync(profile)
      #expect(outcomes.allSatisfy { !$0.isReadable }, "\(outcomes)")
      #expect(try queued(profile) == Set(urls))
      #expect(profile.cache.savedPages(among: urls).isEmpty)
    }
    try expectArrival(of: urls, network, profile)
  }

  private func expectArrival(of urls: [String], _ network: SiteNetwork, _ profile: Profile) throws {
    for (number, url) in urls.enumerated() {
      network.add(url, "\(Self.article)<p>\(Array(repeating: "x", count: number + 1))</p>")
    }
    _ = try sync(profile)
    _ = try sync(profile)
    #expect(try queued(profile).isEmpty)
    for (number, url) in urls.enumerated() {
      let text = "\(Self.article)<p>\(Array(repeating: "x", count: number + 1))</p>"
      #expect(isSaved(url, profile, length: text.utf8.count))
    }
  }

  @Test(arguments: PortalKind.all)
  func `a single queued page is rejected, or stored as not confirmed and requested again`(
    _ kind: PortalKind
  ) throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let url = "http://site1.example/page"
    kind.respond(network, url, 1)
    let profile = directory.open(network)
    defer { profile.close() }
    try profile.library.record([LibraryChange(url, .queued, "")])
    let outcomes = try sync(profile)
    #expect(try queued(profile) == [url])
    #expect(outcomes.map(\.isUnconfirmed) == [!kind.isToldAlone], "\(outcomes)")
    #expect(profile.cache.savedPages(among: [url]).isEmpty == kind.isToldAlone)
    // No response of the portal prevents the page from being saved.
    try expectArrival(of: [url], network, profile)
  }

  @Test(arguments: [PortalKind.all[8], PortalKind.all[0]])
  func `a portal response for a saved page is evidence against a single queued page`(
    _ kind: PortalKind
  ) throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let (known, wanted) = ("http://known.example/page", "http://site1.example/page")
    network.add(known, Self.article)
    let profile = directory.open(network)
    defer { profile.close() }
    _ = PageSaver(SaveRequest(pages: [known]), in: profile).run()
    for url in [known, wanted] { kind.respond(network, url, 1) }
    try profile.library.record([LibraryChange(wanted, .queued, "")])
    let plan = try SyncPlan(of: profile, now: Date(), only: [known, wanted])
    var request = plan.request(LoadOptions())
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
    #expect(isSaved(known, profile, length: Self.article.utf8.count))
    #expect(profile.cache.savedPages(among: [wanted]).isEmpty)
    #expect(try queued(profile) == [wanted])
  }

  @Test(arguments: HonestSet.all)
  func `legitimate pages that resemble portal responses are all saved`(_ set: HonestSet) throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    for page in set.pages {
      if let target = page.target {
        network.add(page.url, "", status: 302, fields: [("Location", target)])
      }
      network.add(page.target ?? page.url, page.body, type: page.type)
    }
    let profile = directory.open(network)
    defer { profile.close() }
    let urls = set.pages.map(\.url)
    try profile.library.record(urls.map { LibraryChange($0, .queued, "") })
    let outcomes = try sync(profile)
    #expect(outcomes.allSatisfy { $0.isReadable }, "\(outcomes)")
    #expect(profile.cache.savedPages(among: urls) == Set(urls))
    _ = try sync(profile)
    #expect(try queued(profile).isEmpty)
  }

  @Test func `after rejections on two days the user is informed, and can accept the page`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let url = "http://site1.example/page"
    network.add(url, PortalKind.gate)
    let profile = directory.open(network)
    defer { profile.close() }
    try profile.library.record([LibraryChange(url, .queued, "")])
    for (days, count) in [(0.0, 1), (0, 1), (1, 2)] {
      let outcomes = try sync(profile, now: Date() + days * 86_400)
      #expect(outcomes.map(\.rejectionDayCount) == [count])
    }
    var request = SaveRequest(pages: [url])
    request.options.trust = .accepted
    #expect(PageSaver(request, in: profile).run().saved == 1)
    #expect(try queued(profile).isEmpty)
    let page = try profile.library.page(url)
    #expect(!page.refusals.areRepeated && !page.isUnconfirmed)
    // The response stays accepted: from now on, the same response is the page.
    let later = try sync(profile, now: Date() + 5 * 86_400)
    #expect(later.map(\.isCurrent) == [true], "\(later)")
  }

  @Test func `an accepted page replaces a saved copy`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let url = "http://site1.example/page"
    network.add(url, Self.article)
    let profile = directory.open(network)
    defer { profile.close() }
    _ = PageSaver(SaveRequest(pages: [url]), in: profile).run()
    network.add(url, PortalKind.gate)
    var request = try SyncPlan(of: profile, now: Date(), only: [url]).request(LoadOptions())
    #expect(PageSaver(request, in: profile).run().kept == 1)
    request.options.trust = .accepted
    #expect(PageSaver(request, in: profile).run().saved == 1)
    #expect(isSaved(url, profile, length: PortalKind.gate.utf8.count))
  }
}
