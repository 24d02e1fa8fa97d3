@testable import Saving
import Library
import Crawl
import Foundation
import OfflineCache
import Testing

@testable import Reader

/// Where a page may lead to that nobody reads.
@Suite struct PublicNetworkTests {
  private let inner = "http://10.0.0.1"

  private func save(_ url: String, feed: Bool = false) throws -> SiteNetwork {
    let folder = try TestProfile()
    let network = SiteNetwork()
    network.add(
      url,
      "<title>T</title><p>words <a href='\(inner)/page'>x</a><img src='\(inner)/i.png' alt='A harbour' width=640 height=480>"
        + "<a rel=next href='\(inner)/2'>next page</a>")
    for path in ["/page", "/2"] { network.add(inner + path, "<p>inner") }
    network.add(inner + "/i.png", "png")
    network.add(
      url + "feed",
      "<rss><channel><title>F</title><item><title>I</title><link>\(inner)/page</link></item>"
        + "</channel></rss>", fields: [])
    let profile = folder.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: feed ? [] : [url])
    if feed { request.feeds = [FeedRequest(url + "feed", isNew: true)] }
    request.pace.gap = .zero
    request.bounds.depth = 1
    _ = PageSaver(request, in: profile).run()
    return network
  }

  @Test func `what a page of the public network names has to be of that network`() throws {
    let network = try save("http://site.example/")
    let found = ["/page", "/i.png", "/robots.txt"].map { inner + $0 }
    #expect(network.publicOnly.isSuperset(of: found))
    #expect(network.publicOnly.allSatisfy { $0.hasPrefix(inner) })
    #expect(try save("http://site.example/", feed: true).publicOnly.contains(inner + "/page"))
  }

  @Test func `a page of a network of one's own may lead on within it`() throws {
    let network = try save("http://192.168.1.5/")
    #expect(network.publicOnly.isEmpty && network.requests.contains(inner + "/page"))
    #expect(try save("http://192.168.1.5/", feed: true).publicOnly.isEmpty)
  }

  /// Follows a feed whose item cannot be had at first, and syncs in another process.
  /// - Parameters:
  ///   - isPublic: of which network its connection tells it is.
  ///   - machine: the machine that syncs later.
  /// - Returns: the network as it is then.
  /// - Throws: what a library throws.
  private func sync(_ isPublic: Bool, machine: String = "one") throws -> SiteNetwork {
    let folder = try TestProfile(machine: "one")
    let network = SiteNetwork()
    let feed = "http://news.example/feed"
    network.add(
      feed,
      "<rss><channel><title>F</title><item><title>I</title><link>\(inner)/page</link></item>"
        + "</channel></rss>")
    network.setPublic(isPublic, feed)
    let first = folder.open(network)
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(feed, isNew: true)]
    request.pace.gap = .zero
    _ = PageSaver(request, in: first).run()
    #expect(try first.library.page(inner + "/page").queued != nil)
    first.close()
    let later = SiteNetwork()
    later.add(inner + "/page", "<p>inner")
    let second = folder.open(later, machine: machine)
    var plan = try SyncPlan(queueOf: second, now: Date()).request(LoadOptions())
    plan.pace.gap = .zero
    _ = PageSaver(plan, in: second).run()
    second.close()
    #expect(later.requests.contains(inner + "/page"))
    return later
  }

  @Test func `an item that waits is of the network of which its feed was`() throws {
    #expect(try sync(true).publicOnly.contains(inner + "/page"))
    #expect(try !sync(false).publicOnly.contains(inner + "/page"))
    // Another machine stands in another network.
    #expect(try sync(false, machine: "other").publicOnly.contains(inner + "/page"))
  }
}
