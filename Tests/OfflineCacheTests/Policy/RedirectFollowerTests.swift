import Foundation
import TestFiles
import Testing

@testable import OfflineCache

@Suite("Rules for following redirects")
struct RedirectFollowerTests {
  /// A redirect, whether the host that sent it is public, and whether the response sets cookies.
  struct Redirect: Sendable {
    var location: String
    var isSourcePublic = true
    var setsCookies = false
    var status = 302
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var first = "http://site.example/page"
    var isPublicOnly = false
    var isUnattended = true
    var limit = RedirectFollower.defaultMaxRedirects
    let redirects: [Redirect]
    /// The requested URLs, and whether the host of each must be public.
    let expected: [(String, Bool)]
    var error: LoadError?
  }

  static let rows = [
    Row(
      testDescription: "a public host leads to public hosts only",
      redirects: [Redirect(location: "http://10.0.0.1/x")],
      expected: [("http://10.0.0.1/x", true)]),
    Row(
      testDescription: "a private host leads to private hosts", first: "http://10.0.0.1/x",
      redirects: [Redirect(location: "http://10.0.0.2/x", isSourcePublic: false)],
      expected: [("http://10.0.0.2/x", false)]),
    Row(
      testDescription: "a private host leads to a public one, which leads to no private one",
      first: "http://10.0.0.1/x",
      redirects: [
        Redirect(location: "http://site.example/a", isSourcePublic: false),
        Redirect(location: "http://10.0.0.1/y"),
      ],
      expected: [("http://site.example/a", false), ("http://10.0.0.1/y", true)]),
    Row(
      testDescription: "once a public host has redirected, no later host leads to a private one",
      redirects: [
        Redirect(location: "http://rebound.example/"),
        Redirect(location: "http://10.0.0.1/x", isSourcePublic: false),
      ],
      expected: [("http://rebound.example/", true), ("http://10.0.0.1/x", true)]),
    Row(
      testDescription: "what begins in the public network remains in it", isPublicOnly: true,
      redirects: [Redirect(location: "/x", isSourcePublic: false)],
      expected: [("http://site.example/x", true)]),
    Row(
      testDescription: "a user who follows the redirects may be led anywhere",
      isUnattended: false, redirects: [Redirect(location: "http://10.0.0.1/x")],
      expected: [("http://10.0.0.1/x", false)]),
    Row(
      testDescription: "a circle ends",
      redirects: [
        Redirect(location: "/a"), Redirect(location: "/b"), Redirect(location: "/page#f"),
      ],
      expected: [("http://site.example/a", true), ("http://site.example/b", true)],
      error: .redirectLoop(url: WebRequest(url: "http://site.example/page").url)),
    Row(
      testDescription: "a redirect to itself ends", redirects: [Redirect(location: "#f")],
      expected: [], error: .redirectLoop(url: WebRequest(url: "http://site.example/page").url)),
    Row(
      testDescription: "with a new cookie a URL is requested again",
      redirects: [Redirect(location: "/a"), Redirect(location: "/page", setsCookies: true)],
      expected: [("http://site.example/a", true), ("http://site.example/page", true)]),
    Row(
      testDescription: "the limit holds, with cookies, too", limit: 2,
      redirects: [
        Redirect(location: "/a", setsCookies: true), Redirect(location: "/b", setsCookies: true),
        Redirect(location: "/a", setsCookies: true),
      ],
      expected: [("http://site.example/a", true), ("http://site.example/b", true)],
      error: .tooManyRedirects(limit: 2)),
    Row(
      testDescription: "no port of another protocol is followed",
      redirects: [Redirect(location: "//site.example:25/")], expected: [],
      error: .forbiddenRedirect(location: "http://site.example:25/")),
    Row(
      testDescription: "a user who named such a port is led on at the same server",
      first: "http://site.example:6000/", redirects: [Redirect(location: "/x")],
      expected: [("http://site.example:6000/x", true)]),
    Row(
      testDescription: "nothing but the web is followed",
      redirects: [Redirect(location: "file:///etc/passwd")], expected: [],
      error: .forbiddenRedirect(location: "file:///etc/passwd")),
  ]

  @Test(arguments: rows)
  func `a follower decides on the next request, its allowed networks and the end`(_ row: Row) throws
  {
    var follower = RedirectFollower(
      WebRequest(url: row.first), isPublicOnly: row.isPublicOnly,
      isUnattended: row.isUnattended, maxRedirects: row.limit)
    var steps: [(String, Bool)] = []
    var failure: LoadError?
    for redirect in row.redirects {
      let before = follower.url
      let response = ResponseHead(
        status: redirect.status, fields: FieldLines([.init("Location", redirect.location)]))
      do throws(LoadError) {
        try follower.follow(
          response, isSourcePublic: redirect.isSourcePublic, setsCookies: redirect.setsCookies)
        steps.append((follower.request.url.description, follower.isPublicOnly))
      } catch {
        failure = error
        #expect(follower.url == before)
      }
    }
    #expect(steps.map(\.0) == row.expected.map(\.0))
    #expect(steps.map(\.1) == row.expected.map(\.1))
    #expect(failure == row.error)
  }

  @Test func `an upgrade to https does not count as a redirect, and a loop is detected`() throws {
    var follower = RedirectFollower(
      WebRequest(url: "http://a.example/x#f"), isPublicOnly: false,
      isUnattended: true, maxRedirects: 1)
    try follower.upgrade()
    #expect(
      follower.url == "https://a.example/x#f" && follower.request.url == "https://a.example/x")
    #expect(!follower.isPublicOnly)
    let back = ResponseHead(
      status: 302, fields: FieldLines([.init("Location", "http://a.example/y")]))
    try follower.follow(back, isSourcePublic: true)
    try follower.upgrade()
    #expect(throws: LoadError.redirectLoop(url: WebRequest(url: "https://a.example/y").url)) {
      var again = follower
      try again.upgrade()
    }
  }
}
