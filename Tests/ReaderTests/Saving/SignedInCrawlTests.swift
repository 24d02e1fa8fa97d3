@testable import Configuration
@testable import Profiles
import Crawl
import Foundation
import Library
import OfflineCache
import TestNetwork
import Testing

@testable import Saving

/// Crawls with cookies or passwords of the user.
@Suite struct SignedInCrawlTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let start = "http://a.example/"

  init() throws {
    files = try TestProfile()
    network.add(Self.start, "<title>T</title><p>A text.<a href=/logout>x</a> <a href=/b>y</a>")
    network.add("http://a.example/b", "<title>B</title><p>Another text.")
    network.add("http://a.example/logout", "<title>Out</title><p>You have left.")
  }

  /// Returns an identity with a password for a host.
  private func identity(_ host: String) throws -> Identity {
    var identity = Identity()
    let path = files.directory.path + ".netrc"
    try "machine \(host) login u password p".write(
      toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(chmod(path, 0o600) == 0)
    identity.netrc = try Netrc(path: path)
    return identity
  }

  private func open(_ identity: Identity) -> Profile {
    Profile(
      locations: Locations(dataDirectory: files.directory.path, environment: [:]), shared: nil,
      identity: identity, transport: network)
  }

  @Test(
    arguments: [("a.example", true), ("other.example", false), (nil, false)] as [(String?, Bool)])
  func `a crawl that is signed in does not sign out, and a check expects the same pages`(
    host: String?, isSignedIn: Bool
  ) throws {
    let profile = open(try host.map { try identity($0) } ?? Identity())
    defer { profile.close() }
    var request = SaveRequest(pages: [Self.start])
    request.pace.minGap = .zero
    request.bounds.depth = 1
    let report = PageSaver(request, in: profile).collected()
    #expect(report.pages.count == (isSignedIn ? 2 : 3))
    #expect(report.refusals == (isSignedIn ? [.signOut: 1] : [:]))
    #expect(network.requests.contains("http://a.example/logout") == !isSignedIn)
    let scope = CrawlScope(text: try profile.library.page(Self.start).crawlScope)
    var check = SaveRequest(pages: [Self.start])
    check.options.mode = .cacheOnly
    try #require(scope).apply(to: &check)
    let checked = PageSaver(check, in: profile).collected()
    #expect(checked.failed == 0 && checked.pages.count == report.pages.count)
  }

  @Test func `a profile is signed in if it has cookies or passwords`() throws {
    let netrc = try identity("a.example")
    var jar = Identity()
    jar.cookies = .jar(path: files.directory.path + "/jar")
    for (identity, expected) in [(Identity(), false), (netrc, true), (jar, true)] {
      let profile = open(identity)
      #expect(profile.isSignedIn == expected)
      profile.close()
    }
  }
}
