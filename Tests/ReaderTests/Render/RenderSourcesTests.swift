import DOM
import Foundation
import OfflineCache
import Testing

@testable import Rendering

/// The networks that requests of a rendered page may access.
@Suite struct RenderSourcesTests {
  private static func request(
    _ url: String, kind: String = "XHR", frame: String = "T", id: String = "r1",
    from: String? = nil
  ) throws -> BrowserRequest {
    let redirected = from.map { ", \"redirectedRequestId\": \"\($0)\"" } ?? ""
    let event = """
      {"requestId": "\(id)", "frameId": "\(frame)", "resourceType": "\(kind)"\(redirected),
       "request": {"url": "\(url)", "method": "GET", "headers": {}}}
      """
    let value = try #require(JSONValue(Array(event.utf8)))
    return try #require(BrowserRequest(value, session: "S", page: "T"))
  }

  private struct Rendering {
    var sources = RenderSources()

    /// Requests a URL, and delivers the response.
    /// - Returns: Whether only the public network was allowed, and why the browser must not follow
    ///   a redirect.
    mutating func load(
      _ request: BrowserRequest, isPublic: Bool, location: String? = nil
    ) -> (isPublicOnly: Bool, failure: String?) {
      var request = request
      request.isPublicOnly = sources.isPublicOnly(request)
      var head = ResponseHead(status: location == nil ? 200 : 302)
      if let location { head.fields.append("Location", location) }
      head.isFromPublicNetwork = isPublic
      return (request.isPublicOnly, sources.record(head, for: request))
    }
  }

  @Test func `the page that the user entered may be anywhere, but its resources may not`() throws {
    var page = Rendering()
    #expect(
      try !page.load(
        Self.request("http://site.example/", kind: "Document", id: "0"), isPublic: true
      ).isPublicOnly)
    #expect(try page.load(Self.request("http://10.0.0.1/a", id: "1"), isPublic: false).isPublicOnly)
  }

  @Test func `a redirect of a public host does not lead to a private host`() throws {
    var page = Rendering()
    let first = page.load(
      try Self.request("http://site.example/", kind: "Document", id: "0"), isPublic: true,
      location: "http://10.0.0.1/")
    #expect(!first.isPublicOnly && first.failure == nil)
    let target = try Self.request("http://10.0.0.1/", kind: "Document", id: "0.1", from: "0")
    #expect(page.load(target, isPublic: false).isPublicOnly)
    // Requests of the page to which such a redirect leads are limited to the public network, too.
    #expect(page.load(try Self.request("http://10.0.0.2/", id: "1"), isPublic: false).isPublicOnly)
  }

  @Test func `a private page may use private hosts, but a public host cannot do so on its behalf`()
    throws
  {
    var page = Rendering()
    _ = page.load(try Self.request("http://10.0.0.1/", kind: "Document", id: "0"), isPublic: false)
    #expect(
      !page.load(try Self.request("http://10.0.0.2/a", id: "1"), isPublic: false).isPublicOnly)
    // An image of the page on a public host that redirects.
    let moved = page.load(
      try Self.request("http://site.example/r", id: "2"), isPublic: true,
      location: "http://10.0.0.3/")
    #expect(!moved.isPublicOnly)
    let target = try Self.request("http://10.0.0.3/", id: "2.1", from: "2")
    #expect(page.load(target, isPublic: false).isPublicOnly)
    // A frame on a public host, its resources, and its own frames.
    let frame = try Self.request("http://b.example/", kind: "Document", frame: "F", id: "3")
    #expect(!page.load(frame, isPublic: true).isPublicOnly)
    let part = try Self.request("http://10.0.0.2/b", frame: "F", id: "4")
    #expect(page.load(part, isPublic: false).isPublicOnly)
    let inner = try Self.request("http://10.0.0.2/c", kind: "Document", frame: "G", id: "5")
    #expect(page.load(inner, isPublic: false).isPublicOnly)
    let worker = try Self.request("http://10.0.0.2/d", frame: "W", id: "6")
    #expect(page.load(worker, isPublic: false).isPublicOnly)
    // The page itself keeps its permissions.
    #expect(
      !page.load(try Self.request("http://10.0.0.2/e", id: "7"), isPublic: false).isPublicOnly)
  }

  @Test func `redirect loops end`() throws {
    var page = Rendering()
    _ = page.load(try Self.request("http://10.0.0.1/", kind: "Document", id: "0"), isPublic: false)
    let first = page.load(
      try Self.request("http://10.0.0.1/a", id: "1"), isPublic: false, location: "/b")
    #expect(first.failure == nil)
    let second = try Self.request("http://10.0.0.1/b", id: "1.1", from: "1")
    #expect(page.load(second, isPublic: false, location: "/a").failure != nil)
  }
}
