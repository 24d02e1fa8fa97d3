@testable import Crawl
@testable import Profiles
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Pages without encryption that redirect to another site.
@Suite struct MovedPagesTests {
  let files: TestProfile
  let network = SiteNetwork()
  private static let old = "http://old.example/p"
  private static let new = "http://new.example/p"

  init() throws {
    files = try TestProfile()
    network.add(Self.old, Self.article())
  }

  /// An article with sentences of different words.
  static func article(of topic: String = "harbour", end: String = "") -> String {
    let words = (0..<90).map { "\(topic)\(["tide", "rope", "sail"][$0 % 3])\($0)" }
    return "<title>Art</title><h1>Art</h1><p>\(words.joined(separator: " "))</p>\(end)</html>"
  }

  private func save(_ urls: [String], _ profile: Profile) {
    var request = SaveRequest(pages: urls)
    request.pace.minGap = .zero
    _ = PageSaver(request, in: profile).run()
  }

  private func sync(_ profile: Profile) throws -> CollectedReport {
    let plan = try SyncPlan(of: profile, now: Date().addingTimeInterval(2 * 86_400))
    var request = plan.request(LoadOptions())
    request.pace.minGap = .zero
    return PageSaver(request, in: profile).collected()
  }

  @Test func `a redirect leads to the page without tracking parameters`() throws {
    let (link, target) = ("http://a.example/~r", "http://a.example/p?utm_source=feed")
    network.add(link, "", status: 301, fields: [("Location", target)])
    for url in [target, "http://a.example/p"] { network.add(url, Self.article()) }
    network.add("http://a.example/other", Self.article(of: "other"))
    let profile = files.open(network)
    defer { profile.close() }
    save([link, "http://a.example/other"], profile)
    #expect(try profile.cache.archive.redirects(to: "http://a.example/p") == [link])
    #expect(try profile.cache.archive.redirects(to: "http://a.example/other").isEmpty)
  }

  @Test(arguments: [301, 302, 308], ["", "<p>An update of the article</p>"])
  func `a page that has moved with its text is followed to the other site`(
    _ status: Int, _ update: String
  ) throws {
    let profile = files.open(network)
    save([Self.old], profile)
    network.add(Self.old, "", status: status, fields: [("Location", Self.new)])
    network.add(Self.new, Self.article(end: update))
    #expect(try sync(profile).pages.map(\.result) == [.saved])
    #expect(profile.cache.page(of: Self.old)?.key == Self.new)
    // The redirect is trusted from now on.
    let asked = network.requests.count
    #expect(try sync(profile).pages.map(\.result) == [.unchanged])
    #expect(network.requests.dropFirst(asked) == [Self.old, Self.new])
    profile.close()
  }

  @Test(arguments: [
    "<h1>Welcome</h1><form><p>Sign in with your number</p><input type=password></form>",
    article() + "<form><input type=password></form>", article(of: "other"), "",
  ])
  func `a redirect to a page with another text is rejected, and its target is not saved`(
    _ text: String
  ) throws {
    let profile = files.open(network)
    save([Self.old], profile)
    network.add(Self.old, "", status: 302, fields: [("Location", Self.new)])
    network.add(Self.new, text)
    let report = try sync(profile)
    #expect(report.pages.map(\.result) == [.kept("sign-in page of this network")])
    #expect(profile.cache.page(of: Self.old)?.key == Self.old)
    #expect(try profile.cache.archive.captures(of: Self.new).isEmpty)
    profile.close()
  }

  /// A network that responds otherwise once a URL has been requested.
  private final class ChangingNetwork: Transport {
    let network: SiteNetwork
    let url: String
    let change: @Sendable () -> Void

    init(_ network: SiteNetwork, after url: String, _ change: @escaping @Sendable () -> Void) {
      (self.network, self.url, self.change) = (network, url, change)
    }

    func send(
      _ request: WebRequest, limits: TransportLimits,
      receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportExchange {
      let exchange = network.send(request, limits: limits, receive: receive)
      if request.url.description == url { change() }
      return exchange
    }

    func close() {}
  }

  @Test(arguments: ["http://portal.example/sign-in", new])
  func `a redirect that leads elsewhere when it is accepted is rejected`(_ target: String) throws {
    let first = files.open(network)
    save([Self.old], first)
    first.close()
    network.add(Self.old, "", status: 302, fields: [("Location", Self.new)])
    network.add(Self.new, Self.article())
    let changing = ChangingNetwork(network, after: Self.new) { [network] in
      network.add(Self.old, "", status: 302, fields: [("Location", target)])
      network.add(target, "<h1>Welcome</h1><form><input type=password></form>")
    }
    let profile = files.open(changing)
    #expect(try sync(profile).pages.map(\.result) == [.kept("sign-in page of this network")])
    #expect(profile.cache.page(of: Self.old)?.key == Self.old)
    #expect(try profile.cache.archive.captures(of: target).allSatisfy { !$0.isGood })
    profile.close()
  }

  @Test func `a page on the public network is not looked for in a private network`() throws {
    network.setPublic(true, Self.old)
    let profile = files.open(network)
    save([Self.old], profile)
    network.add(Self.old, "", status: 302, fields: [("Location", Self.new)])
    network.setPublic(true, Self.old)
    network.add(Self.new, Self.article())
    network.setPublic(false, Self.new)
    #expect(try sync(profile).pages.map(\.result) == [.kept("sign-in page of this network")])
    #expect(network.publicOnly.contains(Self.new))
    profile.close()
  }
}
