@testable import Saving
import Library
import Dispatch
import Foundation
import Document
import OfflineCache
import Synchronization
import TestNetwork
import Testing

@testable import Pages
@testable import Profiles
@testable import Reader

/// Pages requested without a network are queued for the next sync.
@Suite struct QueueTests {
  let files: TestProfile
  let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
  }

  /// Loads a page, and returns the explanation if it fails.
  private func load(_ request: LoadRequest, _ loader: PageLoader) -> Page? {
    let end = DispatchSemaphore(value: 0)
    let explanation = Mutex<Page?>(nil)
    let load = loader.load(request) { event in
      switch event {
      case .loaded: end.signal()
      case .failed(_, explanation: let page):
        explanation.withLock { $0 = page }
        end.signal()
      case .progressed, .asking, .offered, .began, .newer, .checked: break
      }
    }
    end.wait()
    withExtendedLifetime(load) {}
    return explanation.withLock { $0 }
  }

  private func queue(_ profile: Profile) throws -> [String] {
    try profile.library.pages(with: .queued).map(\.key)
  }

  @Test func `a link followed without a network is queued, and the page says so`() throws {
    network.setDown(true)
    let profile = files.open(network)
    let loader = PageLoader(profile: profile, queuesMissingPages: true)
    let link = LoadRequest("/b#part", origin: .link(from: "http://a.example/"))
    let page = try #require(load(link, loader))
    #expect(String(decoding: page.document.plainText, as: UTF8.self).contains("It is queued"))
    let waiting = try profile.library.pages(with: .queued)
    #expect(waiting.map(\.key) == ["http://a.example/b"])
    #expect(waiting.map(\.queuedFrom) == ["http://a.example/"])
    var offline = LoadRequest("http://a.example/c")
    offline.options.mode = .cacheOnly
    _ = load(offline, loader)
    #expect(try queue(profile) == ["http://a.example/b", "http://a.example/c"])
    // Nothing is queued unless requested.
    #expect(load(LoadRequest("http://a.example/d"), PageLoader(profile: profile)) != nil)
    #expect(try queue(profile).count == 2)
    profile.close()
  }

  @Test func `missing pages and mistyped URLs are not queued`() throws {
    let profile = files.open(network)
    let loader = PageLoader(profile: profile, queuesMissingPages: true)
    _ = load(LoadRequest("http://a.example/none", origin: .link(from: "http://a.example/")), loader)
    _ = load(LoadRequest("not an address at all"), loader)
    #expect(try queue(profile).isEmpty)
    profile.close()
  }

  @Test func `a queued page that has been read since is not fetched`() throws {
    network.setDown(true)
    let profile = files.open(network)
    let loader = PageLoader(profile: profile, queuesMissingPages: true)
    let link = LoadRequest("/b", origin: .link(from: "http://a.example/"))
    _ = load(link, loader)
    network.setDown(false)
    network.add("http://a.example/b", "<h1>b</h1>")
    #expect(try SyncPlan(of: profile, now: Date()).queuedPageURLs == ["http://a.example/b"])
    var again = link
    again.options.isUserEntered = true
    #expect(load(again, loader) == nil)
    let plan = try SyncPlan(of: profile, now: Date())
    #expect(plan.queuedPageURLs.isEmpty && plan.arrivedKeys == ["http://a.example/b"])
    profile.close()
  }
}
