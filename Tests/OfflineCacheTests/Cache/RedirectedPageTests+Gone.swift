import Foundation
import Synchronization
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Stored redirects to pages that are gone.
extension RedirectedPageTests {
  @Test(arguments: [true, false])
  func `a fresh redirect to a page that is gone is requested again`(_ isMoved: Bool) {
    let targets = ["old", "new"].map { "http://site.example.org/\($0)" }
    let moved = [("Location", targets[0]), ("Cache-Control", "max-age=31536000")]
    let network = Network([
      Self.page: .response(301, moved, ""), targets[0]: .response(404, [], "gone"),
      targets[1]: .response(200, Self.html, Page.article),
    ])
    let fixture = CacheFixture(network.transport)
    #expect(load(fixture).waitForEnd().response?.response.status == 404)
    #expect(network.requestedURLs.withLock(\.self) == [Self.page, targets[0]])
    if isMoved { network[Self.page] = Self.redirect(targets[1]) }
    fixture.advance(3600)
    network.requestedURLs.withLock { $0 = [] }
    let result = load(fixture).waitForEnd()
    #expect(result.response?.response.status == (isMoved ? 200 : 404))
    let last = isMoved ? targets[1] : targets[0]
    #expect(network.requestedURLs.withLock(\.self) == [targets[0], Self.page, last])
    // The redirect has just been confirmed.
    guard !isMoved else { return }
    for (delay, expected) in [(60.0, [targets[0]]), (3600, [targets[0], Self.page, last])] {
      fixture.advance(delay)
      network.requestedURLs.withLock { $0 = [] }
      #expect(load(fixture).waitForEnd().response?.response.status == 404)
      #expect(network.requestedURLs.withLock(\.self) == expected)
    }
  }

  @Test func `the page is reported as gone if its redirect cannot be requested again`() {
    let target = "http://other.example.org/old"
    let moved = [("Location", target), ("Cache-Control", "max-age=31536000")]
    let network = Network([
      Self.page: .response(301, moved, ""), target: .response(404, [], "gone"),
    ])
    let fixture = CacheFixture(network.transport)
    _ = load(fixture).waitForEnd()
    network[Self.page] = .events([.failed(TransportFailure(.noNetwork))])
    fixture.advance(3600)
    network.requestedURLs.withLock { $0 = [] }
    let result = load(fixture).waitForEnd()
    #expect(result.response?.response.status == 404 && result.text == "gone")
    #expect(network.requestedURLs.withLock(\.self) == [target, Self.page, target])
  }

  @Test(arguments: [404, 429, 503])
  func `a fresh error behind a redirect from the URL of the user is requested again`(
    _ status: Int
  ) {
    let target = "http://site.example.org/new"
    let lifetime = [("Cache-Control", "max-age=31536000")]
    let network = Network([
      Self.page: .response(301, lifetime + [("Location", target)], ""),
      target: .response(status, lifetime, "busy"),
    ])
    let fixture = CacheFixture(network.transport)
    let first = load(fixture) { $0.isUserEntered = true }.waitForEnd()
    #expect(first.response?.response.status == status)
    network[target] = .response(200, Self.html + lifetime, Page.article)
    fixture.advance(60)
    network.requestedURLs.withLock { $0 = [] }
    for _ in 0..<2 {
      #expect(load(fixture) { $0.isUserEntered = true }.waitForEnd().text == Page.article)
    }
    // The redirect and the page are fresh.
    #expect(network.requestedURLs.withLock(\.self) == [target])
  }
}
