import Foundation
import Synchronization
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

/// The rules for redirects hold for loads in the foreground and for revalidations in the
/// background.
@Suite struct RedirectRulesTests {
  enum Path: CaseIterable, Sendable {
    case foreground, background
  }

  /// A response: a redirect, or a page.
  struct Response: Sendable {
    var location: String?
    var fields: [(String, String)] = []
  }

  private static let page = "http://site.example/page"
  private static let text = String(repeating: "<p>Some words of the page. ", count: 40)

  /// Follows the redirects from the page.
  /// - Parameters:
  ///   - path: Whether a copy is shown while the redirects are followed.
  ///   - responses: The responses by URL; all else is a page.
  ///   - visitedURL: A URL that is loaded before; nil for none.
  ///   - fields: The header fields of the request.
  ///   - configure: Sets the options.
  /// - Returns: What was requested, with the limits, in order.
  private static func follow(
    _ path: Path, _ responses: [String: Response], after visitedURL: String? = nil,
    fields: [(String, String)] = [], _ configure: (inout LoadOptions) -> Void = { _ in }
  ) -> [(request: WebRequest, limits: TransportLimits)] {
    let isMoved = Mutex(path == .foreground)
    let transport = ScriptedTransport { request in
      let response =
        isMoved.withLock(\.self) || request.url.description != page
        ? responses[request.url.description] : nil
      guard let location = response?.location else {
        return .response(200, (response?.fields ?? []) + [("Content-Type", "text/html")], text)
      }
      return .response(302, (response?.fields ?? []) + [("Location", location)])
    }
    let fixture = CacheFixture(transport)
    if let visitedURL { fixture.load(visitedURL) }
    if path == .background {
      fixture.load(page)
      fixture.advance(1e6)
      isMoved.withLock { $0 = true }
    }
    let count = transport.sent.count
    var options = LoadOptions()
    options.fallbackDelay = 30
    configure(&options)
    let request = WebRequest(url: page, fields: FieldLines(fields.map { .init($0.0, $0.1) }))
    switch path {
    case .foreground:
      let record = SessionRecord()
      fixture.cache.start(request, options: options, event: record.receive)
      _ = record.waitForEnd()
    case .background:
      options.mode = .staleWhileRevalidate
      let record = LoadRecord()
      let load = fixture.cache.load(request, options: options, receive: record.receive)
      _ = record.waitForFollowUp()
      withExtendedLifetime(load) {}
    }
    #expect(fixture.cache.finishBackgroundWork(timeout: 20))
    return Array(zip(transport.sent, transport.limits).dropFirst(count))
  }

  @Test(arguments: Path.allCases)
  func `each URL of a redirect loop is requested once`(_ path: Path) {
    let requests = Self.follow(
      path,
      [
        Self.page: .init(location: "/a"), "http://site.example/a": .init(location: "/b"),
        "http://site.example/b": .init(location: "/a"),
      ])
    let urls = [Self.page, "http://site.example/a", "http://site.example/b"]
    #expect(requests.map(\.request.url.description) == urls)
  }

  @Test(arguments: Path.allCases)
  func `a redirect to a host in the HSTS store is requested over https`(_ path: Path) {
    let secure = "https://strict.site.example/"
    let requests = Self.follow(
      path,
      [
        secure: .init(fields: [("Strict-Transport-Security", "max-age=99999999")]),
        Self.page: .init(location: "http://strict.site.example/new"),
      ], after: secure)
    let urls = [Self.page, "https://strict.site.example/new"]
    #expect(requests.map(\.request.url.description) == urls)
  }

  @Test(arguments: Path.allCases)
  func `cookies set by a redirect are sent to its host for the rest of the chain`(_ path: Path) {
    let next = "http://site.example/next"
    let requests = Self.follow(
      path,
      [
        Self.page: .init(location: "/next", fields: [("Set-Cookie", "s=1; Path=/")]),
        next: .init(location: "http://other.example/"),
        "http://other.example/": .init(location: "http://site.example/end"),
      ])
    #expect(requests.map(\.request.fields["Cookie"]) == [nil, "s=1", nil, "s=1"])
  }

  @Test func `a redirect in the background goes on with the cookies of the chain before it`() throws
  {
    let isMoved = Mutex(false)
    let transport = ScriptedTransport { request in
      isMoved.withLock(\.self) && request.url.description == Self.page
        ? .response(302, [("Location", "/next")])
        : .response(200, [("Content-Type", "text/html")], Self.text)
    }
    let fixture = CacheFixture(transport)
    fixture.load(Self.page)
    fixture.advance(1e6)
    isMoved.withLock { $0 = true }
    var options = LoadOptions()
    options.mode = .staleWhileRevalidate
    var step = RedirectStep(request: WebRequest(url: Self.page), options: options)
    let start = ResponseHead(
      status: 302, fields: FieldLines([.init("Set-Cookie", "s=1; Path=/")]))
    let url = try #require(WebURL("http://site.example/start"))
    let isNew = step.cookies.receive(start, from: url, now: fixture.now)
    #expect(isNew)
    let record = LoadRecord()
    let load = fixture.cache.load(step, receive: record.receive)
    _ = record.waitForFollowUp()
    withExtendedLifetime(load) {}
    #expect(fixture.cache.finishBackgroundWork(timeout: 20))
    #expect(transport.sent.dropFirst().map { $0.fields["Cookie"] } == ["s=1", "s=1"])
  }

  @Test(arguments: Path.allCases)
  func `the credentials of a request are sent only to its origin`(_ path: Path) {
    let requests = Self.follow(
      path,
      [
        Self.page: .init(location: "/next"),
        "http://site.example/next": .init(location: "http://other.example/"),
      ], fields: [("Authorization", "Basic eDp5")])
    #expect(
      requests.map(\.request.fields["Authorization"]) == ["Basic eDp5", "Basic eDp5", nil])
  }

  @Test(arguments: Path.allCases)
  func `an unattended load redirected by a public host is limited to public networks`(_ path: Path)
  {
    // In the background a redirect to a private address counts as one of a captive portal.
    let responses = [
      Self.page: Response(location: "/next"),
      "http://site.example/next": Response(location: "http://other.example/x"),
      "http://other.example/x": Response(location: "http://third.example/y"),
    ]
    let unattended = Self.follow(path, responses) { $0.isUnattended = true }
    #expect(unattended.map(\.limits.isPublicOnly) == [false, true, true, true])
    let attended = Self.follow(path, responses)
    #expect(attended.map(\.limits.isPublicOnly) == [false, false, false, false])
  }

  @Test(arguments: Path.allCases, ["http://other.example:25/", "ftp://site.example/x", "about:x"])
  func `redirects to ports or schemes that are not for the web are not followed`(
    _ path: Path, _ location: String
  ) {
    let requests = Self.follow(path, [Self.page: .init(location: location)])
    #expect(requests.map(\.request.url.description) == [Self.page])
  }

  @Test(arguments: Path.allCases)
  func `redirects are followed up to the limit`(_ path: Path) {
    var responses = [Self.page: Response(location: "/1")]
    for index in 1...30 {
      responses["http://site.example/\(index)"] = Response(location: "/\(index + 1)")
    }
    #expect(Self.follow(path, responses).count == RedirectFollower.defaultMaxRedirects + 1)
  }
}
