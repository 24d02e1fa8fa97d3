import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Requests rewritten before they are sent")
struct RewriteTests {
  struct Row: Sendable, CustomStringConvertible {
    var prefix: String?
    var target: String
    var url: String
    var sent: String
    var description: String { "\(prefix ?? "any") \(url)" }
  }

  @Test(arguments: [
    Row(
      prefix: "https://a.test/docs/", target: "http://b.test/x/", url: "https://a.test/docs/1?q",
      sent: "http://b.test/x/1?q"),
    Row(
      prefix: "https://a.test/docs", target: "http://b.test/x/", url: "https://a.test/docs",
      sent: "http://b.test/x"),
    Row(
      prefix: "https://a.test/docs", target: "http://b.test", url: "https://a.test/docs?q",
      sent: "http://b.test/?q"),
    Row(
      prefix: "https://a.test/docs", target: "http://b.test", url: "https://a.test/docsx",
      sent: "https://a.test/docsx"),
    Row(
      prefix: "https://a.test", target: "https://b.test:8", url: "https://a.test/p/%2e%2e/x",
      sent: "https://b.test:8/x"),
    Row(
      prefix: "https://A.test:443/", target: "https://b.test/m", url: "https://a.test/p",
      sent: "https://b.test/m/p"),
    Row(
      prefix: nil, target: "http://b.test/m", url: "https://a.test/p?q",
      sent: "http://b.test/m/p?q"),
    Row(
      prefix: "https://a.test/", target: "http://b.test/", url: "http://a.test/",
      sent: "http://a.test/"),
  ])
  func `a prefix is replaced at whole path segments, and the rest is unchanged`(_ row: Row) throws {
    let url = try #require(WebURL(row.url))
    let rewrite = Rewrite { ($0.prefix, $0.target) = (row.prefix, row.target) }
    #expect(rewrite.isValid)
    let result = RewrittenRequest(WebRequest(url: url.description), for: url, by: [rewrite])
    #expect(result.target.description == row.sent)
    #expect(result.request.url == url.description && result.storageURL == url)
  }

  @Test
  func `a rewritten URL is not rewritten again, so mutual rules do not loop`()
    throws
  {
    let rewrites = [
      Rewrite { ($0.prefix, $0.target) = ("http://a.test/", "http://b.test/") },
      Rewrite { ($0.prefix, $0.target) = ("http://b.test/", "http://a.test/") },
      Rewrite { ($0.prefix, $0.target) = ("http://a.test/", "http://c.test/") },
    ]
    for (url, sent) in [
      ("http://a.test/x", "http://b.test/x"), ("http://b.test/x", "http://a.test/x"),
    ] {
      let requestedURL = try #require(WebURL(url))
      let result = RewrittenRequest(WebRequest(url: url), for: requestedURL, by: rewrites)
      #expect(result.target.description == sent)
    }
  }

  @Test func `credentials are never sent to another origin, except those set by the rewrite`()
    throws
  {
    let fields = FieldLines([
      .init("authorization", "Basic x"), .init("Cookie", "a=1"), .init("Accept", "*/*"),
      .init("Host", "a.test"),
    ])
    let request = WebRequest(url: "https://a.test/", fields: fields)
    let url = try #require(WebURL("https://a.test/"))
    for (target, keepsCredentials) in [
      ("https://b.test/", false), ("http://a.test/", false), ("https://a.test:8443/", false),
      ("https://a.test/other/", true),
    ] {
      let rewrite = Rewrite {
        $0.target = target
        $0.fields = [.init("X-Key", "1")]
      }
      let sent = RewrittenRequest(request, for: url, by: [rewrite]).request
      #expect((sent.fields["Authorization"] != nil) == keepsCredentials, "\(target)")
      #expect((sent.fields["Cookie"] != nil) == keepsCredentials, "\(target)")
      #expect(sent.fields["X-Key"] == "1" && sent.fields["Accept"] == "*/*")
      #expect(sent.fields["Host"] == nil)
    }
    let rewriteWithFields = Rewrite {
      $0.target = "https://b.test/"
      $0.fields = [.init("Authorization", "Bearer of b")]
    }
    let sent = RewrittenRequest(request, for: url, by: [rewriteWithFields]).request
    #expect(sent.fields["Authorization"] == "Bearer of b")
  }

  @Test func `the first rule that sets a header field, User-Agent or proxy applies`() throws {
    let rewrites = [
      Rewrite {
        $0.hosts = ["*.a.test"]
        $0.fields = [.init("User-Agent", "one")]
        $0.removedFields = ["X-Gone"]
        $0.proxy = ""
      },
      Rewrite {
        $0.fields = [.init("user-agent", "two"), .init("X-Gone", "back"), .init("DNT", "1")]
        $0.proxy = "http://proxy.test"
      },
    ]
    func sent(_ url: String) throws -> WebRequest {
      let fields = FieldLines([.init("User-Agent", "mine"), .init("X-Gone", "x")])
      return RewrittenRequest(
        WebRequest(url: url, fields: fields), for: try #require(WebURL(url)), by: rewrites
      ).request
    }
    let first = try sent("http://b.a.test/")
    #expect(first.fields.values(of: "User-Agent") == ["one"])
    #expect(first.fields["X-Gone"] == nil && first.fields["DNT"] == "1" && first.proxy == "")
    let second = try sent("http://c.test/")
    #expect(second.fields["User-Agent"] == "two" && second.fields["X-Gone"] == "back")
    #expect(second.proxy == "http://proxy.test")
  }

  @Test func `targets that are not HTTP URLs are rejected and never used`() throws {
    let url = try #require(WebURL("http://a.test/x"))
    for target in ["file:///etc/", "about:x", "nonsense", "http://b.test/?q", "", "javascript:1"] {
      let rewrite = Rewrite { $0.target = target }
      #expect(!rewrite.isValid, "\(target)")
      let result = RewrittenRequest(WebRequest(url: url.description), for: url, by: [rewrite])
      #expect(result.target == url)
    }
    #expect(!Rewrite { $0.prefix = "nonsense" }.isValid)
  }

  @Test func `another server responds, and the archive keeps the requested URL`() throws {
    let server = try ScriptedServer()
    server.on("/mirror/page", .response(text: "from the mirror"))
    let fixture = CacheFixture {
      $0.rewrites = [
        Rewrite {
          $0.prefix = "https://a.invalid/docs/"
          $0.target = server.url + "/mirror"
          $0.fields = [.init("User-Agent", "mirror reader")]
        }
      ]
    }
    let response = fixture.load("https://user:secret@a.invalid/docs/page")
    #expect(response.text == "from the mirror")
    #expect(response.stored?.key == "https://a.invalid/docs/page")
    let received = try #require(server.requests.first)
    #expect(received.fields.contains { $0.name == "User-Agent" && $0.value == "mirror reader" })
    #expect(!received.fields.contains { $0.name.lowercased() == "authorization" })
    let copy = fixture.load("https://a.invalid/docs/page") { $0.mode = .cacheOnly }
    #expect(copy.text == "from the mirror")
  }

  private static let moved = Rewrite {
    $0.prefix = "https://a.test/docs/"
    $0.target = "http://mirror.test:8080/x"
  }

  @Test(
    arguments: [
      ("http://mirror.test:8080/x/2#f", "https://a.test/docs/2#f"),
      ("/x/2?q", "https://a.test/docs/2?q"), ("2", "https://a.test/docs/2"),
      ("http://MIRROR.test:8080/x", "https://a.test/docs"),
      ("//mirror.test:8080/x/", "https://a.test/docs/"),
      ("http://me:secret@mirror.test:8080/x/2", "https://a.test/docs/2"),
      ("/xyz", "http://mirror.test:8080/xyz"), ("/", "http://mirror.test:8080/"),
      ("http://mirror.test/x/2", "http://mirror.test/x/2"),
      ("https://a.test/docs/2", "https://a.test/docs/2"), ("mailto:a@b", "mailto:a@b"),
    ] as [(String, String)])
  func `a redirect below the target is mapped below the prefix, and others are unchanged`(
    _ location: String, _ asked: String
  ) throws {
    let url = try #require(WebURL("https://a.test/docs/1"))
    let request = WebRequest(url: url.description)
    let result = RewrittenRequest(request, for: url, by: [Self.moved])
    #expect(result.requestedURL(for: location) == asked)
    let transport = ScriptedTransport { _ in .response(302, [("Location", location)], "moved") }
    let fixture = CacheFixture(transport) { $0.rewrites = [Self.moved] }
    let response = fixture.load("https://a.test/docs/1")
    #expect(response.response?.response.fields["Location"] == asked)
    #expect(transport.sent.map(\.url.description) == ["http://mirror.test:8080/x/1"])
    // Without a rewrite the field is unchanged.
    let plain = CacheFixture(transport).load("https://a.test/docs/1")
    #expect(plain.response?.response.fields["Location"] == location)
  }

  @Test func `redirects of a mirror are followed, and read offline, at the original URLs`()
    throws
  {
    let server = try ScriptedServer()
    server.on("/m/old", .redirect(301, to: server.url + "/m/new/"))
    server.on("/m/new/", .response([("Content-Location", "/m/new/index")], text: "the page"))
    let fixture = CacheFixture {
      $0.rewrites = [Rewrite { ($0.prefix, $0.target) = ("http://a.invalid", server.url + "/m") }]
    }
    for mode in [LoadMode.networkFirst, .cacheOnly] {
      let first = fixture.load("http://a.invalid/old") { $0.mode = mode }
      #expect(first.response?.response.fields["Location"] == "http://a.invalid/new/")
      let page = fixture.load("http://a.invalid/new/") { $0.mode = mode }
      #expect(page.text == "the page")
      #expect(page.response?.response.fields["Content-Location"] == "http://a.invalid/new/index")
    }
    let versions = try fixture.cache.versions(of: "http://a.invalid/new/")
    #expect(versions.count == 1)
  }

  @Test(
    arguments: [
      ("http://site.test/", "http://site.test:8080/", false),
      ("https://site.test/", "http://site.test/", false),
      ("http://site.test/", "http://other.test/", false),
      ("http://site.test/a/", "http://site.test/b/", true),
    ] as [(String, String, Bool)])
  func `cookies and passwords, including those in files, are sent only to their origin`(
    _ prefix: String, _ target: String, _ isSent: Bool
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("cookies")
    let lines = ["site", "other"].map { "\($0).test\tFALSE\t/\tFALSE\t0\tuser\tme\n" }.joined()
    try Data(lines.utf8).write(to: file)
    let cookies = Identity.Cookies.file(try CookieFile(path: file.path))
    let jar = directory.appendingPathComponent("jar").path
    for chosen in [cookies, .jar(path: jar)] {
      let transport = ScriptedTransport { request in
        request.fields["Authorization"] == nil
          ? .response(401, [("WWW-Authenticate", "Basic realm=r"), ("Set-Cookie", "a=1")], "who?")
          : .response(200, [], "in")
      }
      let fixture = CacheFixture(transport) {
        $0.rewrites = [Rewrite { ($0.prefix, $0.target) = (prefix, target) }]
        $0.identity.cookies = chosen
        $0.identity.netrc = Netrc(
          text: "machine site.test login me password x\nmachine other.test login me password y")
      }
      let response = fixture.load(prefix + "page")
      fixture.load(prefix + "page") { $0.isReload = true }
      #expect(transport.sent.map(\.url).allSatisfy { $0 == target + "page" })
      #expect((response.text == "in") == isSent)
      #expect(transport.sent.contains { $0.fields["Authorization"] != nil } == isSent)
      let hasCookie = transport.sent.contains { $0.fields["Cookie"] != nil }
      #expect(hasCookie == isSent)
      #expect(FileManager.default.fileExists(atPath: jar) == (isSent && chosen != cookies))
      if !isSent { #expect(response.stored?.isPrivate != true) }
    }
  }

  @Test func `typed credentials are sent to the server that asked, and not to the other one`()
    throws
  {
    let transport = ScriptedTransport { request in
      request.fields["Authorization"] == nil
        ? .response(401, [("WWW-Authenticate", "Basic realm=r")], "who?") : .response(200, [], "in")
    }
    let fixture = CacheFixture(transport) { $0.rewrites = [Self.moved] }
    let me = Credentials(user: "me", password: "x")
    fixture.cache.signIn(me, at: "https://a.test/docs/1", isPreemptive: true)
    let load = fixture.load("https://a.test/docs/1")
    #expect(load.status == 401 && transport.sent.allSatisfy { $0.fields["Authorization"] == nil })
    let question = try #require(load.response?.question)
    #expect(question.url == "http://mirror.test:8080/x/1")
    #expect(question.challenges.map(\.realm) == ["r"])
    fixture.cache.signIn(me, at: question.url, realm: "r")
    let response = fixture.load("https://a.test/docs/1")
    #expect(response.text == "in" && response.response?.question == nil)
  }

  @Test func `a field removed by a rewrite is not added again by the cache`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("a.test\tFALSE\t/\tFALSE\t0\tuser\tme\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let cookies = try CookieFile(path: file.path)
    let transport = ScriptedTransport { _ in
      .response(401, [("WWW-Authenticate", "Basic realm=r")], "who?")
    }
    let fixture = CacheFixture(transport) {
      $0.rewrites = [Rewrite { $0.removedFields = ["cookie", "AUTHORIZATION"] }]
      $0.identity.cookies = .file(cookies)
      $0.identity.netrc = Netrc(text: "machine a.test login me password x")
    }
    #expect(fixture.load("http://a.test/").status == 401)
    #expect(transport.sent.count == 1)
    #expect(transport.sent.allSatisfy { $0.fields["Cookie"] == nil })
  }

  @Test func `a proxy set by a rule is used only for matching hosts`() throws {
    let proxy = try ScriptedServer()
    proxy.onOthers { request in .response(text: "proxied \(request.target)") }
    let server = try ScriptedServer()
    server.on("/", .response(text: "direct"))
    let fixture = CacheFixture {
      $0.rewrites = [
        Rewrite {
          $0.hosts = ["*.invalid"]
          $0.proxy = proxy.url
        }
      ]
    }
    #expect(fixture.load("http://far.invalid/x").text == "proxied http://far.invalid/x")
    #expect(fixture.load(server.url).text == "direct")
    #expect(proxy.requests.count == 1)
  }
}
