import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Cookies within a redirect chain (RFC 6265bis)")
struct ChainCookiesTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The responses of the chain: URLs and `Set-Cookie` lines.
    let chain: [(url: String, lines: [String])]
    let target: String
    var method = "GET"
    var seconds: TimeInterval = 0
    let header: String?

    init(
      _ description: String, _ chain: [(String, [String])], to target: String,
      _ header: String?, by method: String = "GET", after seconds: TimeInterval = 0
    ) {
      testDescription = description
      self.chain = chain.map { (url: $0.0, lines: $0.1) }
      (self.target, self.method, self.seconds, self.header) = (target, method, seconds, header)
    }
  }

  static let a = "https://a.example/x/y"
  static let rows: [Row] = [
    Row("the same host", [(a, ["s=1"])], to: "https://a.example/x/z", "s=1"),
    Row("host-only: not below", [(a, ["s=1"])], to: "https://b.a.example/x/", nil),
    Row("host-only: not beside", [(a, ["s=1"])], to: "https://other.example/x/", nil),
    Row("a port is none of the host", [(a, ["s=1"])], to: "https://a.example:8443/x/z", "s=1"),
    Row(
      "a domain", [("https://www.site.co.uk/", ["s=1; Domain=site.co.uk"])],
      to: "https://login.site.co.uk/", "s=1"),
    Row(
      "a public suffix", [("https://site.co.uk/", ["s=1; Domain=co.uk"])],
      to: "https://other.co.uk/", nil),
    Row(
      "a public suffix of a hoster", [("https://a.github.io/", ["s=1; Domain=github.io"])],
      to: "https://a.github.io/", nil),
    Row(
      "another domain", [(a, ["s=1; Domain=b.example"])], to: "https://b.example/", nil),
    Row("an address", [("http://127.0.0.1/", ["s=1"])], to: "http://127.0.0.1/a", "s=1"),
    Row("another address", [("http://127.0.0.1/", ["s=1"])], to: "http://127.0.0.2/a", nil),
    Row("the default path", [(a, ["s=1"])], to: "https://a.example/z", nil),
    Row("a path", [(a, ["s=1; Path=/z"])], to: "https://a.example/z/1", "s=1"),
    Row("no part of a name is a path", [(a, ["s=1; Path=/z"])], to: "https://a.example/zz", nil),
    Row("Secure over http", [(a, ["s=1; Secure; Path=/"])], to: "http://a.example/", nil),
    Row(
      "Secure is not set over http", [("http://a.example/", ["s=1; Secure"])],
      to: "https://a.example/", nil),
    Row("it is over", [(a, ["s=1; Max-Age=5; Path=/"])], to: "https://a.example/", nil, after: 6),
    Row("it is over already", [(a, ["s=1; Max-Age=0"])], to: "https://a.example/x/", nil),
    Row(
      "a later one takes its place", [(a, ["s=1"]), (a, ["s=2"])], to: "https://a.example/x/",
      "s=2"),
    Row(
      "a later one takes it away", [(a, ["s=1"]), (a, ["s=; Max-Age=0"])],
      to: "https://a.example/x/", nil),
    Row("__Host-", [(a, ["__Host-s=1; Secure; Path=/"])], to: "https://a.example/", "__Host-s=1"),
    Row("__Host- without Path", [(a, ["__Host-s=1; Secure"])], to: "https://a.example/x/", nil),
    Row(
      "__Host- with Domain", [(a, ["__Host-s=1; Secure; Path=/; Domain=a.example"])],
      to: "https://a.example/", nil),
    Row("__Secure-", [(a, ["__secure-s=1; Path=/"])], to: "https://a.example/", nil),
    Row("Strict within a site", [(a, ["s=1; SameSite=Strict"])], to: a, "s=1"),
    Row(
      "Strict after another site", [(a, ["s=1; SameSite=Strict"]), ("https://b.test/", [])],
      to: a, nil),
    Row(
      "Lax after another site", [(a, ["s=1; SameSite=Lax"]), ("https://b.test/", [])], to: a,
      "s=1"),
    Row(
      "Lax with POST after another site", [(a, ["s=1; SameSite=Lax"]), ("https://b.test/", [])],
      to: a, nil, by: "POST"),
    Row(
      "no word of it after another site", [(a, ["s=1"]), ("https://b.test/", [])], to: a, "s=1",
      by: "POST"),
    Row("None needs Secure", [(a, ["s=1; SameSite=None"])], to: a, nil),
    Row("None", [(a, ["s=1; SameSite=None; Secure"]), ("https://b.test/", [])], to: a, "s=1"),
    Row(
      "what another site sets", [(a, ["s=1"]), ("https://b.test/x/", ["t=2"])],
      to: "https://b.test/x/", "t=2"),
    Row("nothing but an equals sign", [(a, ["="])], to: a, nil),
  ]

  @Test(arguments: rows) func `cookies are sent to matching targets only`(_ row: Row) throws {
    var cookies = ChainCookies()
    for (url, lines) in row.chain {
      let response = ResponseHead(
        status: 302, fields: FieldLines(lines.map { .init("Set-Cookie", $0) }))
      _ = cookies.receive(response, from: try #require(WebURL(url)), now: Self.now)
    }
    let target = try #require(WebURL(row.target))
    #expect(
      cookies.header(for: target, method: row.method, now: Self.now + row.seconds) == row.header)
  }

  @Test func `at most the latest 180 cookies of a host are kept`() throws {
    var cookies = ChainCookies()
    let lines = (0..<200).map { FieldLines.Field("Set-Cookie", "n\($0)=v") }
    let url = try #require(WebURL("https://a.example/"))
    _ = cookies.receive(
      ResponseHead(status: 302, fields: FieldLines(lines)), from: url, now: Self.now)
    let header = try #require(cookies.header(for: url, method: "GET", now: Self.now))
    #expect(header.split(separator: ";").count == CookieStore.maxCookiesPerDomain)
    #expect(header.contains("n199=v") && !header.contains("n19=v;"))
  }

  @Test func `only new and changed cookies count as set`() throws {
    var cookies = ChainCookies()
    let url = try #require(WebURL("https://a.example/"))
    let response = ResponseHead(status: 302, fields: FieldLines([.init("Set-Cookie", "a=1")]))
    let changes = [response, response, ResponseHead(status: 302)].map { response in
      cookies.receive(response, from: url, now: Self.now)
    }
    #expect(changes == [true, false, false])
  }

  // MARK: Loads

  private static let html = [("Content-Type", "text/html")]
  private static let text = String(repeating: "<p>The article behind the wall.</p>", count: 20)

  private func load(
    _ fixture: CacheFixture, _ request: WebRequest,
    _ configure: (inout LoadOptions) -> Void = { _ in }
  ) -> SessionRecord.Result {
    var options = LoadOptions()
    configure(&options)
    let record = SessionRecord()
    fixture.cache.start(request, options: options, event: record.receive)
    return record.waitForEnd()
  }

  /// A page that requires its cookie.
  private static let wall = ScriptedTransport { request in
    request.fields["Cookie"] == "pass=secret-word"
      ? .response(200, html, text)
      : .response(302, [("Location", "/a"), ("Set-Cookie", "pass=secret-word; Path=/")])
  }

  @Test func `a page that redirects to itself with a cookie is shown, and saved for all users`() {
    let fixture = CacheFixture(Self.wall)
    let request = WebRequest(url: "http://a.example/a")
    #expect(load(fixture, request).text == Self.text)
    let saved = load(fixture, request) { $0.mode = .cacheOnly }
    #expect(saved.text == Self.text)
    #expect(saved.response?.stored?.isPrivate == false)
    // The next chain begins without cookies.
    #expect(Self.wall.sent.last { $0.fields["Cookie"] == nil } != nil)
    fixture.cache.close()
    let names = FileManager.default.enumerator(atPath: fixture.directory.path)?.allObjects ?? []
    #expect(names.count > 2)
    for case let name as String in names {
      let path = fixture.directory.appendingPathComponent(name).path
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      #expect(bytes.range(of: Data("secret-word".utf8)) == nil, "\(name)")
    }
  }

  @Test func `a page that keeps setting cookies ends in an error`() {
    let transport = ScriptedTransport { _ in
      .response(302, [("Location", "/a"), ("Set-Cookie", "pass=1; Path=/")])
    }
    let result = load(CacheFixture(transport), WebRequest(url: "http://a.example/a"))
    #expect(result.error == .redirectLoop(url: WebURL("http://a.example/a")!))
    #expect(transport.sent.count == 2)
  }

  @Test func `an anonymous request sends no cookies`() {
    let result = load(CacheFixture(Self.wall), WebRequest(url: "http://a.example/a")) {
      $0.isAnonymous = true
    }
    #expect(result.error != nil)
  }

  private static func form() -> WebRequest {
    WebRequest(method: "POST", url: "http://a.example/login", body: Array("word=pilot".utf8))
  }

  /// A site with a sign-in form.
  private static func site() -> ScriptedTransport {
    ScriptedTransport { request in
      if request.method == "POST" {
        return .response(303, [("Location", "/account"), ("Set-Cookie", "id=secret-word; Path=/")])
      }
      let isKnown = request.fields["Cookie"] == "id=secret-word"
      return .response(200, html, isKnown ? "<p>Hello Ada.</p>" + text : "<p>Who?</p>" + text)
    }
  }

  @Test func `the page after a form is shown and not saved`() {
    let fixture = CacheFixture(Self.site())
    let account = WebRequest(url: "http://a.example/account")
    #expect(load(fixture, account).text.contains("Who?"))
    #expect(load(fixture, Self.form()).text.contains("Hello Ada"))
    let saved = load(fixture, account) { $0.mode = .cacheOnly }
    #expect(saved.text.contains("Who?"))
    #expect(fixture.cache.captures(of: "http://a.example/account").count == 1)
  }

  @Test func `cookies that cannot be written last for the session, with a warning`() throws {
    let url = try #require(WebURL("http://a.example/account"))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("a file".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let fixture = CacheFixture(Self.site()) {
      // A file is where the directory of the jar would be.
      $0.identity.siteJar = file.path + "/jar"
    }
    _ = load(fixture, Self.form())
    #expect(fixture.cache.decide(.always, aboutCookiesOf: "a.example") == false)
    #expect(fixture.cache.warning != nil)
    let account = load(fixture, WebRequest(url: url)) { $0.isReload = true }
    #expect(account.text.contains("Hello Ada"))
    #expect(fixture.cache.decide(.session, aboutCookiesOf: "a.example") == true)
  }

  @Test func `the user's decision determines whether cookies are kept`() throws {
    let jar = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer {
      try? FileManager.default.removeItem(at: jar)
      try? FileManager.default.removeItem(atPath: jar.path + ".lock")
    }
    let url = try #require(WebURL("http://a.example/account"))
    let account = WebRequest(url: url)
    func open(_ choices: [String: CookieChoice] = [:]) -> CacheFixture {
      CacheFixture(Self.site()) {
        $0.identity.siteJar = jar.path
        $0.identity.cookieChoices = choices
      }
    }
    let fixture = open()
    #expect(fixture.cache.undecidedCookieSite(of: url) == nil)
    _ = load(fixture, Self.form())
    #expect(fixture.cache.undecidedCookieSite(of: url) == "a.example")
    #expect(load(fixture, account).text.contains("Who?"))
    fixture.cache.decide(.session, aboutCookiesOf: "a.example")
    #expect(load(fixture, account) { $0.isReload = true }.text.contains("Hello Ada"))
    #expect(fixture.cache.undecidedCookieSite(of: url) == nil)
    #expect(!FileManager.default.fileExists(atPath: jar.path))
    fixture.cache.decide(.always, aboutCookiesOf: "a.example")
    #expect(load(fixture, account) { $0.isReload = true }.text.contains("Hello Ada"))
    // This is another process.
    #expect(load(open(["a.example": .always]), account).text.contains("Hello Ada"))
    #expect(load(open(), account).text.contains("Who?"))
    fixture.cache.decide(nil, aboutCookiesOf: "a.example")
    #expect(load(fixture, account) { $0.isReload = true }.text.contains("Who?"))
    #expect(!(try String(contentsOf: jar, encoding: .utf8)).contains("secret-word"))
    let refusing = open(["a.example": .never])
    _ = load(refusing, Self.form())
    #expect(refusing.cache.undecidedCookieSite(of: url) == nil)
  }
}
