@testable import Profiles
@testable import Saving
import Library
import Crawl
import Foundation
import OfflineCache
import TestNetwork
import Testing

/// The networks that a page may lead to without the user.
@Suite struct PublicNetworkTests {
  private let inner = "http://10.0.0.1"

  private func save(_ url: String, feed: Bool = false) throws -> SiteNetwork {
    let directory = try TestProfile()
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
    let profile = directory.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: feed ? [] : [url])
    if feed { request.feeds = [FeedRequest(url + "feed", isNew: true)] }
    request.pace.minGap = .zero
    request.bounds.depth = 1
    _ = PageSaver(request, in: profile).run()
    return network
  }

  @Test func `resources of a public page must be in the public network`() throws {
    let network = try save("http://site.example/")
    let found = ["/page", "/i.png", "/robots.txt"].map { inner + $0 }
    #expect(network.publicOnly.isSuperset(of: found))
    #expect(network.publicOnly.allSatisfy { $0.hasPrefix(inner) })
    #expect(try save("http://site.example/", feed: true).publicOnly.contains(inner + "/page"))
  }

  @Test func `resources of a private page may be in that network`() throws {
    let network = try save("http://192.168.1.5/")
    #expect(network.publicOnly.isEmpty && network.requests.contains(inner + "/page"))
    #expect(try save("http://192.168.1.5/", feed: true).publicOnly.isEmpty)
  }

  /// Follows a feed whose item fails at first, and syncs in another process.
  /// - Parameters:
  ///   - isPublic: Whether the connection of the feed is to the public network.
  ///   - device: The name of the device that syncs later.
  /// - Returns: The network after the sync.
  /// - Throws: Errors of the library.
  private func sync(_ isPublic: Bool, device: String = "one") throws -> SiteNetwork {
    let directory = try TestProfile(device: "one")
    let network = SiteNetwork()
    let feed = "http://news.example/feed"
    network.add(
      feed,
      "<rss><channel><title>F</title><item><title>I</title><link>\(inner)/page</link></item>"
        + "</channel></rss>")
    network.setPublic(isPublic, feed)
    network.add(inner + "/page", "busy", status: 500)
    let first = directory.open(network)
    var request = SaveRequest(pages: [])
    request.feeds = [FeedRequest(feed, isNew: true)]
    request.pace.minGap = .zero
    _ = PageSaver(request, in: first).run()
    #expect(try first.library.page(inner + "/page").queuedDate != nil)
    first.close()
    let later = SiteNetwork()
    later.add(inner + "/page", "<p>inner")
    let second = directory.open(later, device: device)
    var plan = try SyncPlan(queueOf: second, now: Date()).request(LoadOptions())
    plan.pace.minGap = .zero
    _ = PageSaver(plan, in: second).run()
    second.close()
    #expect(later.requests.contains(inner + "/page"))
    return later
  }

  @Test func `a queued item is limited to the network of its feed`() throws {
    #expect(try sync(true).publicOnly.contains(inner + "/page"))
    #expect(try !sync(false).publicOnly.contains(inner + "/page"))
    // Another device may be in another network.
    #expect(try sync(false, device: "other").publicOnly.contains(inner + "/page"))
  }

  /// The origin of a URL that a public host redirects.
  enum Path: String, CaseIterable, Sendable {
    case named, queued, feed, item, link, image, sheet, robots
  }

  /// Saves pages with a host that redirects everything of one origin.
  private func saveWithRedirect(
    _ path: Path, from host: String, to target: String
  ) throws -> SiteNetwork {
    let network = SiteNetwork()
    let page = host + "/page"
    let source = path == .robots ? host + "/robots.txt" : "\(host)/moved"
    network.add(source, "", status: 302, fields: [("Location", target)])
    network.add(target, "<p>inner")
    network.add(
      page,
      "<title>T</title><p>words <a href='/moved'>x</a>"
        + (path == .image ? "<img src='/moved' alt='A harbour' width=640 height=480>" : "")
        + (path == .sheet ? "<link rel=stylesheet href='/moved'>" : ""))
    network.add(
      host + "/feed",
      "<rss><channel><title>F</title><item><title>I</title><link>\(host)/moved</link></item>"
        + "</channel></rss>")
    let profile = try TestProfile().open(network)
    defer { profile.close() }
    var request: SaveRequest
    switch path {
    case .named: request = SaveRequest(pages: [source])
    case .queued:
      try profile.library.record([LibraryChange(source, .queued, "")])
      request = try SyncPlan(queueOf: profile, now: Date()).request(LoadOptions())
    case .feed: request = SaveRequest(pages: [])
    case .item: request = SaveRequest(pages: [])
    case .link, .image, .sheet, .robots: request = SaveRequest(pages: [page])
    }
    if path == .feed { request.feeds = [FeedRequest(source, isNew: true)] }
    if path == .item { request.feeds = [FeedRequest(host + "/feed", isNew: true)] }
    request.pace.minGap = .zero
    request.bounds.depth = [.link, .robots].contains(path) ? 1 : 0
    request.isComplete = path == .sheet
    _ = PageSaver(request, in: profile).run()
    #expect(network.requests.contains(source), "\(network.requests)")
    return network
  }

  @Test(arguments: Path.allCases)
  func `a redirect from the public network does not lead to a private host`(_ path: Path) throws {
    let target = inner + "/target"
    let network = try saveWithRedirect(path, from: "http://site.example", to: target)
    #expect(network.requests.contains(target))
    // The transport refuses non-public addresses. Here the restriction is only recorded.
    #expect(network.publicOnly.contains(target), "\(network.publicOnly)")
    let own = try saveWithRedirect(path, from: "http://192.168.1.5", to: target)
    #expect(own.requests.contains(target) && !own.publicOnly.contains(target))
  }

  @Test func `resources on ports of other protocols are not requested`() throws {
    let network = SiteNetwork()
    let (page, blocked) = ("http://site.example:6000/", "http://site.example:25")
    network.add(
      page,
      "<title>T</title><p>words <a href='\(blocked)/page'>x</a><a href='/next'>y</a>"
        + "<img src='\(blocked)/i.png' alt='A harbour' width=640 height=480>"
        + "<link rel=stylesheet href='\(blocked)/s.css'>")
    network.add(
      "http://site.example/feed",
      "<rss><channel><title>F</title><item><title>I</title><link>\(blocked)/item</link></item>"
        + "</channel></rss>")
    for path in ["/page", "/i.png", "/s.css", "/item"] { network.add(blocked + path, "x") }
    let profile = try TestProfile().open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [page])
    request.feeds = [FeedRequest("http://site.example/feed", isNew: true)]
    (request.pace.minGap, request.bounds.depth, request.isComplete) = (.zero, 1, true)
    _ = PageSaver(request, in: profile).run()
    // The user has entered the port of the page.
    #expect(network.requests.contains(page))
    #expect(network.requests.contains("http://site.example/feed"))
    #expect(!network.requests.contains { $0.hasPrefix(blocked) }, "\(network.requests)")
  }
}
