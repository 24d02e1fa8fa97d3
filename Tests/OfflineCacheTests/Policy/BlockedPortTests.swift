import Foundation
import Testing

@testable import OfflineCache

@Suite("Blocked ports (Fetch standard)")
struct BlockedPortTests {
  @Test func `the blocked ports are those of the standard`() {
    let blocked = (0...65_535).filter(BlockedPort.contains)
    #expect(blocked.count == 83)
    for port in [0, 1, 22, 25, 110, 143, 587, 993, 6000, 6667, 10_080] {
      #expect(BlockedPort.contains(port), "\(port)")
    }
    for port in [80, 443, 591, 8000, 8008, 8080, 8443, 10_081] {
      #expect(!BlockedPort.contains(port), "\(port)")
    }
  }

  @Test(
    arguments: [
      ("http://site.example:25/", true, true), ("http://site.example:25/", false, false),
      ("http://site.example:8080/", true, false), ("https://site.example/", true, false),
    ] as [(String, Bool, Bool)])
  func `blocked ports are requested only on behalf of the user`(
    _ url: String, isFromPage: Bool, isRefused: Bool
  ) {
    let network = ScriptedTransport { _ in .response(200, [], "there") }
    let fixture = CacheFixture(network)
    let result = fixture.load(url) { $0.isFromPage = isFromPage }
    #expect(result.text == (isRefused ? "" : "there"))
    #expect(network.sent.isEmpty == isRefused)
    guard isRefused else { return }
    #expect(result.error == .transport(.blockedPort(25)))
    // A page that the user has saved from there may be read.
    #expect(fixture.load(url).text == "there")
    fixture.advance(1e6)
    #expect(fixture.load(url) { $0.isFromPage = true }.text == "there")
    #expect(network.sent.count == 1)
  }

  @Test func `a redirect to a blocked port names the port`() {
    let failure = LoadError.forbiddenRedirect(location: "http://site.example:25/").failure
    #expect(failure.kind == .blockedPort && failure.subject == "25")
    let otherFailure = LoadError.forbiddenRedirect(location: "ftp://site.example:25/").failure
    #expect(otherFailure.kind == .forbiddenRedirect)
  }

  @Test func `a configured rewrite may target a blocked port`() {
    let network = ScriptedTransport { .response(200, [], $0.url.description) }
    let fixture = CacheFixture(network) {
      $0.rewrites = [
        Rewrite { ($0.hosts, $0.target) = (["site.example"], "http://127.0.0.1:6000/") }
      ]
    }
    #expect(
      fixture.load("http://site.example/a") { $0.isFromPage = true }.text
        == "http://127.0.0.1:6000/a")
  }
}
