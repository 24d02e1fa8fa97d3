@testable import Profiles
@testable import Saving
import Library
import Crawl
import Foundation
import OfflineCache
import Synchronization
import TestNetwork
import TestSupport
import Testing

@testable import Pages
@testable import Reader
@testable import Sandbox

/// Pages requested while a captive portal responds in place of their sites.
@Suite struct PortalTests {
  static let portal =
    "<h1>Welcome</h1><form><p>Sign in with your number</p><input type=password></form>"
  static let gate = "<h1>Hotel Wi-Fi</h1><form><p>Room number</p><input><button>Connect</button>"
  static let urls = (1...6).map { "http://site\($0).test/page" }

  private func save(
    _ urls: [String], _ network: SiteNetwork, in directory: TestProfile,
    _ configure: (inout SaveRequest) -> Void = { _ in }
  ) -> (SaveReport, [SaveOutcome]) {
    let profile = directory.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: urls)
    request.pace.minGap = .zero
    configure(&request)
    var outcomes: [SaveOutcome] = []
    let report = PageSaver(request, in: profile).run(outcome: { outcomes.append($0) })
    return (report, outcomes)
  }

  private static func redirect(_ network: SiteNetwork, _ urls: [String]) {
    for url in urls {
      network.add(url, "", status: 302, fields: [("Location", "http://portal.test/in?from=\(url)")])
      network.add("http://portal.test/in?from=\(url)", portal)
    }
  }

  @Test(arguments: [true, false])
  func `portal responses do not become pages, and the next run requests them again`(
    _ redirects: Bool
  ) throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    if redirects {
      Self.redirect(network, Self.urls)
    } else {
      for url in Self.urls { network.add(url, Self.portal) }
    }
    let (report, outcomes) = save(Self.urls, network, in: directory)
    #expect(report.isBlockedByPortal && report.savedPageCount == 0 && report.failed == 6)
    #expect(outcomes.allSatisfy { $0.result == .failed("sign-in page of this network") })
    let profile = directory.open(network)
    let keys = Self.urls.compactMap(profile.cache.key)
    #expect(profile.cache.savedPages(among: keys).isEmpty)
    if redirects {
      let targets = Self.urls.map { "http://portal.test/in?from=\($0)" }
      #expect(profile.cache.savedPages(among: targets.compactMap(profile.cache.key)).isEmpty)
    }
    // The requested pages are pinned and queued like others that could not be loaded.
    #expect(try profile.library.keys(with: .pinned).count == 6)
    #expect(try profile.library.keys(with: .queued).count == 6)
    profile.close()
    // After signing in, the pages can be loaded.
    for (number, url) in Self.urls.enumerated() {
      network.add(url, "<h1>Page \(number)</h1><p>Its own words, number \(number).</p>")
    }
    let (secondReport, _) = save(Self.urls, network, in: directory)
    #expect(secondReport.saved == 6 && secondReport.isComplete && !secondReport.isBlockedByPortal)
  }

  @Test func `responses of other sites are given as the reason, also in a separate run`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let notice = "<h1>Hello</h1><p>Your data plan has ended. Please visit a shop.</p>"
    var last: SaveOutcome.Result?
    for (number, url) in Self.urls.prefix(4).enumerated() {
      network.add("\(url)/\(number)", notice)
      last = save(["\(url)/\(number)"], network, in: directory).1.first?.result
    }
    #expect(last == .failed("same answer as other sites"))
  }

  @Test func `the single sign-on of a company is not treated as a captive portal`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let urls = ["http://wiki.corp.test/a", "http://mail.corp.test/b"]
    for url in urls {
      network.add(url, "", status: 302, fields: [("Location", "http://login.sso.test/")])
    }
    network.add("http://login.sso.test/", Self.portal)
    let (report, _) = save(urls, network, in: directory)
    #expect(report.saved == 2 && !report.isBlockedByPortal)
  }

  @Test func `a portal response for a saved page is evidence against a single other page`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let known = "http://known.test/article"
    network.add(
      known,
      "<h1>Tides</h1>" + String(repeating: "<p>Of granite, storms and pilots.</p>", count: 50))
    #expect(save([known], network, in: directory).0.saved == 1)
    Self.redirect(network, [known, Self.urls[0]])
    #expect(save([Self.urls[0]], network, in: directory).0.saved == 1)
    // If both pages are saved at once, the copy is kept, and the other response is recognized.
    let (report, _) = save([known, Self.urls[1]], network, in: directory) { [urls = Self.urls] in
      Self.redirect(network, [urls[1]])
      $0.options.isReload = true
    }
    #expect(report.kept == 1 && report.failed == 1 && report.isBlockedByPortal)
  }

  @Test func `a clear portal page is rejected on the first visit, and the page is queued`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    network.add(Self.urls[0], Self.gate)
    let (report, outcomes) = save([Self.urls[0]], network, in: directory)
    #expect(report.isBlockedByPortal && report.savedPageCount == 0 && report.failed == 1)
    #expect(outcomes.map(\.result) == [.failed("sign-in page of this network")])
    let profile = directory.open(network)
    #expect(try profile.library.keys(with: .queued).count == 1)
    // The reader shows the page with an explanation.
    let loader = PageLoader(profile: profile)
    let shown = Mutex<Page?>(nil)
    let end = Gate()
    let load = loader.load(LoadRequest(Self.urls[0])) { event in
      if case .loaded(let page) = event { shown.withLock { $0 = page } }
      end.open()
    }
    end.wait()
    withExtendedLifetime(load) {}
    #expect(shown.withLock { $0?.provenance.rejection } == .signInPage)
    profile.close()
  }

  @Test func `a page that unrelated sites have returned before is labelled on the first visit`()
    throws
  {
    let directory = try TestProfile()
    let network = SiteNetwork()
    let urls = (1...3).map { "https://site\($0).test/page\($0)" }
    let notice = String(repeating: "<p>Please visit a shop of your operator.</p>", count: 9)
    for url in urls { network.add(url, "<h1>Notice</h1>" + notice) }
    let profile = directory.open(network)
    defer { profile.close() }
    let loader = PageLoader(profile: profile)
    var rejections: [SavedReason?] = []
    for url in urls {
      let shown = Mutex<Page?>(nil)
      let end = Gate()
      let load = loader.load(LoadRequest(url)) { event in
        if case .loaded(let page) = event { shown.withLock { $0 = page } }
        end.open()
      }
      end.wait()
      withExtendedLifetime(load) {}
      rejections.append(shown.withLock { $0?.provenance.rejection })
    }
    #expect(rejections == [nil, nil, .suspect(.repeatedAnswer)])
  }

  @Test func `a run answered only by a portal is distinguished from a successful one`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    for url in Self.urls.prefix(2) {
      let text = String(repeating: "<p>Of granite and pilots.</p>", count: 50)
      network.add(url, "<h1>Tides</h1>" + text)
    }
    let urls = Array(Self.urls.prefix(2))
    #expect(save(urls, network, in: directory).0.saved == 2)
    for url in urls { network.add(url, "<p>x", status: 511) }
    let (all, _) = save(urls, network, in: directory) { $0.options.isReload = true }
    #expect(all.kept == 2 && all.isBlockedByPortal)
    network.add(urls[0], "<h1>Tides</h1>" + String(repeating: "<p>Of ships.</p>", count: 50))
    let (some, _) = save(urls, network, in: directory) { $0.options.isReload = true }
    #expect(some.kept == 1 && !some.isBlockedByPortal)
  }

  @Test func `pages entered one after another are judged together`() throws {
    let directory = try TestProfile()
    let network = SiteNetwork()
    Self.redirect(network, Self.urls)
    let profile = directory.open(network)
    let loader = PageLoader(profile: profile)
    func saved() -> Int {
      profile.cache.savedPages(among: Self.urls.compactMap(profile.cache.key)).count
    }
    func type(_ url: String) {
      let end = Gate()
      let load = loader.load(LoadRequest(url)) { event in
        switch event {
        case .loaded, .failed: end.open()
        case .began, .progressed, .asking, .offered, .newer, .checked: break
        }
      }
      end.wait()
      withExtendedLifetime(load) {}
    }
    type(Self.urls[0])
    #expect(saved() == 1)
    type(Self.urls[1])
    #expect(saved() == 0)
    profile.close()
  }
}
