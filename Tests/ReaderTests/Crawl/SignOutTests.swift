import OfflineCache
import Testing

@testable import Crawl

/// Links that sign the user out.
@Suite struct SignOutTests {
  @Test(
    arguments: [
      ("/logout", true), ("/account/log-out/", true), ("/sign_out", true), ("/signoff", true),
      ("/Logout.aspx", true), ("/wp-login.php?action=logout&_wpnonce=1", true),
      ("/index.php?logout", true), ("/forum?mode=logout", true),
      ("/login", false), ("/blog/how-to-logout", false), ("/logout/history", false),
      ("/logout.3.html", false), ("/search?q=logout", false), ("/man/logout.html", false),
      ("/logouts", false), ("/", false),
      ("/wiki/Logout", false), ("/reference/cli/docker/logout/", false),
      ("/Docs/auth/logout", false),
      ("/wiki/logout.action", true), ("/docs?action=logout", true), ("/cli/x?do=logout", true),
    ] as [(String, Bool)])
  func `a link that signs out is recognized`(path: String, isMatch: Bool) throws {
    #expect(SignOut.isMatch(try #require(WebURL("https://a.test\(path)"))) == isMatch)
  }

  @Test func `a sign-out link is followed on sites at which the user is not signed in`() throws {
    var bounds = CrawlBounds()
    (bounds.depth, bounds.isSignedIn) = (1, true)
    var frontier = LinkFrontier(bounds, isSignedIn: { $0.host == "b.test" })
    frontier.add("https://a.test/")
    let next = frontier.next()
    let links = ["https://a.test/logout", "https://b.test/logout"]
    frontier.recordFinished(try #require(next), links: links)
    let (followed, last) = (frontier.next(), frontier.next())
    #expect(followed?.url == links[0] && last == nil)
    #expect(frontier.refusals == [.signOut: 1])
  }

  @Test(
    arguments: [(false, [] as [String], 2), (true, [], 1), (true, ["/*"], 2)]
      as [(Bool, [String], Int)])
  func `a signed-in crawl does not follow a sign-out link unless it is included`(
    isSignedIn: Bool, includes: [String], count: Int
  ) throws {
    var bounds = CrawlBounds()
    (bounds.depth, bounds.isSignedIn, bounds.includes) = (1, isSignedIn, includes)
    var frontier = LinkFrontier(bounds)
    frontier.add("https://a.test/")
    let next = frontier.next()
    let start = try #require(next)
    frontier.recordFinished(start, links: ["https://a.test/logout", "https://a.test/tides"])
    var found = 0
    while frontier.next() != nil { found += 1 }
    #expect(found == count && frontier.refusals == (count == 1 ? [.signOut: 1] : [:]))
  }
}
