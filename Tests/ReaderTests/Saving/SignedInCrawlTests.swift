@testable import Configuration
@testable import Profiles
import Crawl
import Foundation
import Library
import OfflineCache
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

  @Test(arguments: [true, false])
  func `a crawl that is signed in does not sign out, and a check expects the same pages`(
    isSignedIn: Bool
  ) throws {
    let profile = files.open(network)
    defer { profile.close() }
    var request = SaveRequest(pages: [Self.start])
    request.pace.gap = .zero
    (request.bounds.depth, request.bounds.isSignedIn) = (1, isSignedIn)
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
    var netrc = Identity()
    let path = files.directory.path + ".netrc"
    try "machine a.example login u password p".write(
      toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(chmod(path, 0o600) == 0)
    netrc.netrc = try Netrc(path: path)
    var jar = Identity()
    jar.cookies = .jar(path: files.directory.path + "/jar")
    for (identity, expected) in [(Identity(), false), (netrc, true), (jar, true)] {
      let profile = Profile(
        locations: Locations(dataDirectory: files.directory.path, environment: [:]), shared: nil,
        identity: identity, transport: network)
      #expect(profile.isSignedIn == expected)
      profile.close()
    }
  }
}
