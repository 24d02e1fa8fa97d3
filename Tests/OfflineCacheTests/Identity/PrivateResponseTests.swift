import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Responses to requests with an identity are private to it.
@Suite("Responses to requests with cookies and credentials") struct PrivateResponseTests {
  private static let url = "https://site.test/page"

  /// A directory shared by several caches, consecutively or concurrently.
  private struct Directory {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    func remove() { try? FileManager.default.removeItem(at: url) }
  }

  /// Returns a site that greets the user by cookie, field or name.
  private static func site(_ fields: [(String, String)] = []) -> ScriptedTransport {
    ScriptedTransport { request in
      let name = request.fields["Cookie"] ?? request.fields["Authorization"] ?? "nobody"
      return .response(200, [("Cache-Control", "max-age=600")] + fields, "hello \(name)")
    }
  }

  /// Returns a cookie of the site, read from a file.
  private static func cookies(_ value: String) throws -> Identity.Cookies {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("site.test\tFALSE\t/\tFALSE\t0\tuser\t\(value)\n".utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    return .file(try CookieFile(path: path.path))
  }

  private static func fixture(
    _ transport: ScriptedTransport, in directory: Directory, _ cookies: Identity.Cookies = .none
  ) -> CacheFixture {
    CacheFixture(transport, in: directory.url) { $0.identity.cookies = cookies }
  }

  @Test(arguments: [nil, "Cookie", "Authorization", "Accept", "*"] as [String?])
  func `each user gets their own response, fresh or offline, whatever Vary is`(_ vary: String?)
    throws
  {
    let transport = Self.site(vary.map { [("Vary", $0)] } ?? [])
    let directory = Directory()
    defer { directory.remove() }
    let fixtureA = Self.fixture(transport, in: directory, try Self.cookies("A"))
    #expect(fixtureA.load(Self.url).text == "hello user=A")
    let fixtureB = Self.fixture(transport, in: directory, try Self.cookies("B"))
    let nobody = Self.fixture(transport, in: directory)
    // Nothing of A is available to others, however they request it.
    #expect(fixtureB.load(Self.url) { $0.mode = .cacheOnly }.error == .notSaved)
    for fields in [[], [("Cookie", "user=B")], [("Authorization", "x")]] {
      #expect(nobody.load(Self.url, fields) { $0.mode = .cacheOnly }.error == .notSaved)
      let previous = nobody.load(Self.url, fields) {
        $0.mode = .cacheOnly
        $0.copy = .previous
      }
      #expect(previous.error == .notSaved)
    }
    #expect(fixtureB.load(Self.url).text == "hello user=B")
    #expect(nobody.load(Self.url, [("Authorization", "x")]).text == "hello x")
    #expect(nobody.load(Self.url).text == "hello nobody")
    // Offline, each user finds their own response, and A has nothing else.
    for (fixture, name) in [(fixtureA, "user=A"), (fixtureB, "user=B"), (nobody, "nobody")] {
      #expect(fixture.load(Self.url) { $0.mode = .cacheOnly }.text == "hello \(name)")
    }
    let authorized = nobody.load(Self.url, [("Authorization", "x")]) { $0.mode = .cacheOnly }
    #expect(authorized.text == "hello x")
    let captures = try fixtureA.cache.archive.captures(of: Self.url)
    #expect(captures.count == 4 && captures.count(where: \.isPrivate) == 3)
  }

  @Test func `an anonymous request is sent as such, and changes nothing of the user`() throws {
    let transport = Self.site([("Set-Cookie", "user=other")])
    let directory = Directory()
    defer { directory.remove() }
    let person = Self.fixture(transport, in: directory, try Self.cookies("A"))
    let url = try #require(WebURL(Self.url))
    person.cache.signIn(Credentials(user: "user", password: "word"), at: url, isPreemptive: true)
    func ask(_ mode: LoadMode, _ fields: [(String, String)] = []) -> String? {
      person.load(Self.url, fields) {
        $0.mode = mode
        $0.isAnonymous = true
      }.text
    }
    #expect(person.load(Self.url).text == "hello user=A")
    #expect(ask(.networkFirst, [("Cookie", "user=A"), ("Authorization", "x")]) == "hello nobody")
    #expect(ask(.cacheOnly) == "hello nobody")
    #expect(person.load(Self.url) { $0.mode = .cacheOnly }.text == "hello user=A")
    #expect(person.load(Self.url) { $0.isReload = true }.text == "hello user=A")
  }

  @Test func `a failing server does not expose the copy of another user`() throws {
    let directory = Directory()
    defer { directory.remove() }
    let fixtureA = Self.fixture(Self.site(), in: directory, try Self.cookies("A"))
    fixtureA.load(Self.url)
    let down = ScriptedTransport { _ in .failure(.noNetwork) }
    let broken = ScriptedTransport { _ in .response(503, [], "broken") }
    for transport in [down, broken] {
      #expect(!Self.fixture(transport, in: directory).load(Self.url).text.contains("A"))
      #expect(
        !Self.fixture(transport, in: directory, try Self.cookies("B")).load(Self.url).text
          .contains("A"))
    }
    let reopened = Self.fixture(down, in: directory, try Self.cookies("A"))
    reopened.advance(10_000)
    #expect(reopened.load(Self.url).text == "hello user=A")
  }

  @Test func `an anonymous response may be shown to every user`() throws {
    let directory = Directory()
    defer { directory.remove() }
    let nobody = Self.fixture(Self.site(), in: directory)
    nobody.load(Self.url)
    let fixtureA = Self.fixture(Self.site(), in: directory, try Self.cookies("A"))
    #expect(fixtureA.load(Self.url) { $0.mode = .cacheOnly }.text == "hello nobody")
  }

  @Test(arguments: ["GET", "HEAD"])
  func `a 304 or HEAD response to one user does not affect others`(_ method: String) throws {
    let transport = ScriptedTransport { request in
      let name = request.fields["Cookie"] ?? "nobody"
      let fields = [("ETag", "\"x\""), ("Cache-Control", "max-age=0"), ("X-For", name)]
      let isKnown = request.fields["If-None-Match"] != nil || request.method == "HEAD"
      guard isKnown else { return .response(200, fields, "the page") }
      let secret = [("Set-Cookie", "session=\(name)")]
      return .response(request.method == "HEAD" ? 200 : 304, fields + secret)
    }
    let directory = Directory()
    defer { directory.remove() }
    let time = CacheFixture.Time()
    let nobody = CacheFixture(transport, in: directory.url, time: time)
    nobody.load(Self.url)
    nobody.advance(5)
    let cookiesOfA = try Self.cookies("A")
    let fixtureA = CacheFixture(transport, in: directory.url, time: time) {
      $0.identity.cookies = cookiesOfA
    }
    let loadByA = fixtureA.load(Self.url, method: method)
    #expect(loadByA.response?.response.fields["X-For"] == "user=A")
    if method == "GET" {
      #expect(loadByA.text == "the page")
      let offline = fixtureA.load(Self.url) { $0.mode = .cacheOnly }
      #expect(offline.response?.response.fields["X-For"] == "user=A" && offline.text == "the page")
    }
    let cookiesOfB = try Self.cookies("B")
    let fixtureB = CacheFixture(transport, in: directory.url, time: time) {
      $0.identity.cookies = cookiesOfB
    }
    for fixture in [nobody, fixtureB] {
      let otherLoad = fixture.load(Self.url) { $0.mode = .cacheOnly }
      #expect(otherLoad.text == "the page")
      #expect(otherLoad.response?.response.fields["X-For"] == "nobody")
      #expect(otherLoad.response?.response.fields["Set-Cookie"] == nil)
    }
  }

  @Test func `a version can be read by its id regardless of identity`() throws {
    let directory = Directory()
    defer { directory.remove() }
    let fixtureA = Self.fixture(Self.site(), in: directory, try Self.cookies("A"))
    let stored = try #require(fixtureA.load(Self.url).stored)
    let nobody = Self.fixture(Self.site(), in: directory)
    let otherLoad = nobody.load(Self.url) {
      $0.mode = .cacheOnly
      $0.copy = .id(stored.id)
    }
    #expect(otherLoad.text == "hello user=A" && otherLoad.response?.stored?.isPrivate == true)
  }

  @Test func `a jar stores cookies of network responses, and not of saved ones`() throws {
    let transport = ScriptedTransport { request in
      .response(
        200, [("Set-Cookie", "visit=1"), ("Cache-Control", "max-age=600")],
        request.fields["Cookie"] ?? "none")
    }
    let directory = Directory()
    defer { directory.remove() }
    let path = directory.url.appendingPathComponent("cookies.txt").path
    let fixture = Self.fixture(transport, in: directory, .jar(path: path))
    #expect(fixture.load(Self.url).text == "none")
    #expect(fixture.load("https://site.test/other").text == "visit=1")
    #expect(fixture.load("https://other.test/").text == "none")
    try FileManager.default.removeItem(atPath: path)
    #expect(fixture.load(Self.url).cacheStatus?.contains("hit") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    // Without a jar no cookies are stored.
    let off = Self.fixture(transport, in: directory)
    off.load("https://site.test/new")
    #expect(off.load("https://site.test/new2").text == "none")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `pages of a server that renews its session cookie each time are readable offline`()
    throws
  {
    let transport = ScriptedTransport { request in
      let next = (request.fields["Cookie"]?.utf8.count ?? 0) + 1
      return .response(
        200, [("Set-Cookie", "s=" + String(repeating: "x", count: next)), ("ETag", "\"1\"")],
        "page \(request.url)")
    }
    let directory = Directory()
    defer { directory.remove() }
    let path = directory.url.appendingPathComponent("cookies.txt").path
    let fixture = Self.fixture(transport, in: directory, .jar(path: path))
    for name in ["1", "2", "3"] { fixture.load("https://site.test/" + name) }
    for name in ["1", "2", "3"] {
      let copy = fixture.load("https://site.test/" + name) { $0.mode = .cacheOnly }
      #expect(copy.text == "page https://site.test/" + name)
    }
    // From now on, another user may be signed in.
    fixture.load("https://site.test/login", method: "POST")
    let offlineLoad = fixture.load("https://site.test/3") { $0.mode = .cacheOnly }
    #expect(offlineLoad.error == .notSaved)
  }

  @Test func `a Cookie field set by the request is sent unchanged`() throws {
    let directory = Directory()
    defer { directory.remove() }
    let fixtureA = Self.fixture(Self.site(), in: directory, try Self.cookies("A"))
    #expect(fixtureA.load(Self.url, [("Cookie", "own=1")]).text == "hello own=1")
  }

  @Test func `no secret of a request is written to disk`() throws {
    let transport = Self.echoless
    let directory = Directory()
    defer { directory.remove() }
    let fixture = Self.fixture(transport, in: directory, try Self.cookies("hunter2"))
    fixture.load(Self.url)
    fixture.load("https://site.test/vary", [("Authorization", "hunter2")])
    fixture.load("https://me:hunter2@site.test/basic")
    fixture.cache.close()
    let encoded = Data("me:hunter2".utf8).base64EncodedString()
    let names = try #require(FileManager.default.enumerator(atPath: directory.url.path))
    var files = 0
    for case let name as String in names {
      let path = directory.url.appendingPathComponent(name).path
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      files += 1
      for secret in ["hunter2", encoded] {
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)")
      }
    }
    #expect(files >= 3)
    #expect(transport.sent.count == 3)
  }

  private static var echoless: ScriptedTransport {
    ScriptedTransport { _ in .response(200, [("Vary", "Cookie, Authorization")], "hello") }
  }
}
