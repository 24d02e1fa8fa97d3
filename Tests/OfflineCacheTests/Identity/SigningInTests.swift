import Foundation
import Synchronization
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

/// A cache that responds to authentication challenges, and the privacy of its responses.
@Suite("Signing in") struct SigningInTests {
  private static let me = Credentials(user: "me", password: "p:ä")
  private static let url = "https://site.test/docs/page"

  /// Returns a site with pages below /docs for `me` only, and public pages elsewhere.
  private static func site(_ challenge: String, nonceUses: Int = .max) -> ScriptedTransport {
    ScriptedTransport { request in
      let path = request.url.path
      guard path.hasPrefix("/docs") else { return .response(200, [], "public") }
      let authorization = request.fields["Authorization"]
      if challenge.hasPrefix("Basic"), authorization == me.basic {
        return .response(200, [], "mine")
      }
      if challenge.hasPrefix("Digest"), let authorization,
        authorization.hasPrefix("Digest username=\"me\"")
      {
        let isOld =
          Int(
            authorization.prefix(while: { _ in true }).components(separatedBy: "nc=")[1]
              .prefix(8), radix: 16
          ).map { $0 > nonceUses } ?? true
        if !isOld { return .response(200, [], "mine") }
        return .response(401, [("WWW-Authenticate", challenge + ", stale=true")], "again")
      }
      return .response(401, [("WWW-Authenticate", challenge)], "who?")
    }
  }

  private static let basic = "Basic realm=\"docs\""
  private static let digest = "Digest realm=\"docs\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"

  @Test(arguments: [basic, digest, "Basic"])
  func `a challenge is handled once, without involving the client`(_ challenge: String) {
    let transport = Self.site(challenge)
    let fixture = CacheFixture(transport)
    #expect(fixture.load(Self.url).status == 401)
    fixture.cache.signIn(Self.me, at: "https://site.test/")
    let response = fixture.load(Self.url)
    #expect(response.status == 200 && response.text == "mine")
    #expect(transport.sent.map { $0.fields["Authorization"] == nil } == [true, true, false])
    // The credentials are reused below the same directory, and not sent elsewhere.
    #expect(fixture.load("https://site.test/docs/other").text == "mine")
    #expect(transport.sent.count == 4)
    fixture.load("https://site.test/open")
    #expect(transport.sent.last?.fields["Authorization"] == nil || challenge == Self.digest)
    fixture.load("https://other.test/docs/x")
    #expect(transport.sent.last?.fields["Authorization"] == nil)
  }

  @Test(arguments: [basic, digest])
  func `a wrong password gives the challenge, not a loop`(_ challenge: String) {
    let transport = ScriptedTransport { _ in
      .response(401, [("WWW-Authenticate", challenge)], "who?")
    }
    let fixture = CacheFixture(transport)
    fixture.cache.signIn(Self.me, at: Self.url)
    let response = fixture.load(Self.url)
    #expect(response.status == 401 && response.text == "who?")
    #expect(transport.sent.count == 2)
    // The correct one is used afterwards.
    fixture.cache.signIn(Credentials(user: "me", password: "new"), at: Self.url, realm: "docs")
    fixture.load(Self.url)
    #expect(transport.sent.count == 4)
  }

  @Test func `a stale nonce is replaced immediately`() {
    let transport = Self.site(Self.digest, nonceUses: 2)
    let fixture = CacheFixture(transport)
    fixture.cache.signIn(Self.me, at: Self.url)
    for number in 1...5 {
      #expect(fixture.load(Self.url + "\(number)").text == "mine", "\(number)")
    }
  }

  @Test func `without a challenge, Basic credentials are sent only if requested`() {
    let transport = Self.site(Self.basic)
    let fixture = CacheFixture(transport)
    fixture.cache.signIn(Self.me, at: Self.url, isPreemptive: true)
    #expect(fixture.load(Self.url).text == "mine")
    #expect(transport.sent.map { $0.fields["Authorization"] } == [Self.me.basic])
  }

  @Test func `each URL is requested with its own user, and others with the last one`() {
    let users = [Credentials(user: "a", password: "1"), Credentials(user: "b", password: "2")]
    let transport = ScriptedTransport { request in
      let authorization = request.fields["Authorization"]
      let user = request.url.path.hasPrefix("/a") ? users[0] : users[1]
      return authorization == user.basic
        ? .response(200, [], user.user) : .response(401, [("WWW-Authenticate", Self.basic)], "who?")
    }
    let fixture = CacheFixture(transport)
    fixture.cache.signIn(users[0], at: "https://site.test/a", isPreemptive: true)
    fixture.cache.signIn(users[1], at: "https://site.test/b", isPreemptive: true)
    for path in ["/a", "/b", "/a", "/b2"] {
      let text = fixture.load("https://site.test" + path) { $0.isReload = true }.text
      #expect(text == String(path.dropFirst().prefix(1)))
    }
    #expect(transport.sent.count == 4)
    // A refused password is not sent again.
    fixture.cache.signIn(users[1], at: "https://site.test/a", isPreemptive: true)
    #expect(fixture.load("https://site.test/a") { $0.isReload = true }.status == 401)
    fixture.cache.signIn(users[0], at: "https://site.test/", realm: "docs")
    #expect(fixture.load("https://site.test/a") { $0.isReload = true }.text == "a")
  }

  @Test func `each realm has its own user`() {
    let transport = ScriptedTransport { request in
      let path = request.url.path
      return request.fields["Authorization"] == nil
        ? .response(401, [("WWW-Authenticate", "Basic realm=\"\(path)\"")], "who?")
        : .response(200, [], request.fields["Authorization"] ?? "")
    }
    let fixture = CacheFixture(transport)
    let users = [
      "/a/": Credentials(user: "a", password: "1"), "/b/": Credentials(user: "b", password: "2"),
    ]
    for (path, credentials) in users {
      fixture.cache.signIn(credentials, at: "https://site.test/", realm: path)
    }
    for (path, credentials) in users {
      #expect(fixture.load("https://site.test" + path).text == credentials.basic)
    }
    #expect(fixture.load("https://site.test/c/").status == 401)
  }

  @Test func `a request's own Authorization is left unchanged, and its 401 is shown`() {
    let transport = Self.site(Self.basic)
    let fixture = CacheFixture(transport)
    fixture.cache.signIn(Self.me, at: Self.url)
    #expect(fixture.load(Self.url, [("Authorization", "Bearer x")]).status == 401)
    #expect(transport.sent.count == 1)
  }

  @Test func `an authenticated response is private to its owner, also in another process`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let netrc = Netrc(text: "machine site.test login me password p:ä")
    func fixture(_ netrc: Netrc?) -> CacheFixture {
      CacheFixture(Self.site(Self.digest), in: directory) { $0.identity.netrc = netrc }
    }
    let first = fixture(netrc)
    #expect(first.load("https://site.test/open").stored?.isPrivate == false)
    #expect(first.load(Self.url).stored?.isPrivate == true)
    let others = [nil, Netrc(text: "machine site.test login you password p:ä")]
    for other in others {
      let otherFixture = fixture(other)
      #expect(otherFixture.load(Self.url) { $0.mode = .cacheOnly }.error == .notSaved)
      #expect(otherFixture.load("https://site.test/open") { $0.mode = .cacheOnly }.text == "public")
    }
    let reopened = fixture(netrc)
    #expect(reopened.load(Self.url) { $0.mode = .cacheOnly }.text == "mine")
    #expect(reopened.load("https://site.test/open") { $0.mode = .cacheOnly }.text == "public")
    // Basic and Digest credentials belong to the same user.
    let basic = "Basic " + Data("me:p:ä".utf8).base64EncodedString()
    #expect(
      fixture(nil).load(Self.url, [("Authorization", basic)]) { $0.mode = .cacheOnly }.text
        == "mine")
  }

  @Test
  func `the copy served instead of a 401 has its challenge, and other users get no copy`()
    throws
  {
    let isClosed = Atomic(false)
    let transport = ScriptedTransport { request in
      request.fields["Authorization"] == nil && isClosed.load(ordering: .sequentiallyConsistent)
        ? .response(401, [("WWW-Authenticate", "Negotiate, \(Self.basic)")], "who?")
        : .response(200, [], "minutes")
    }
    let fixture = CacheFixture(transport)
    #expect(fixture.load(Self.url).response?.question == nil)
    isClosed.store(true, ordering: .sequentiallyConsistent)
    let copy = fixture.load(Self.url)
    #expect(copy.text == "minutes" && copy.response?.source == .saved(.status(401)))
    let question = try #require(copy.response?.question)
    #expect(question.url == Self.url && question.challenges.map(\.scheme) == [.basic])
    // There is no challenge for a request with its own field, or offline.
    #expect(fixture.load(Self.url, [("Authorization", "x")]).response?.question == nil)
    #expect(fixture.load(Self.url) { $0.mode = .cacheOnly }.response?.question == nil)
    fixture.cache.signIn(Self.me, at: question.url, realm: question.challenges[0].realm)
    let mine = fixture.load(Self.url)
    #expect(mine.response?.source == .network && mine.response?.question == nil)
  }

  @Test func `a cookie set with a challenge is sent with the authenticated request`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let transport = ScriptedTransport { request in
      request.fields["Authorization"] == nil
        ? .response(401, [("WWW-Authenticate", Self.basic), ("Set-Cookie", "session=1")])
        : .response(200, [("Vary", "Cookie")], request.fields["Cookie"] ?? "none")
    }
    let fixture = CacheFixture(transport) {
      $0.identity.cookies = .jar(path: directory.appendingPathComponent("jar").path)
      $0.identity.netrc = Netrc(text: "machine site.test login me password p:ä")
    }
    let response = fixture.load(Self.url)
    #expect(response.text == "session=1" && response.stored?.isPrivate == true)
    #expect(transport.sent.map { $0.fields["Cookie"] } == [nil, "session=1"])
    #expect(fixture.load(Self.url) { $0.mode = .cacheOnly }.text == "session=1")
    let loadWithCookie = fixture.load("https://site.test/other/", [("Cookie", "mine=1")])
    #expect(loadWithCookie.text == "mine=1")
  }

  @Test func `a validator is sent again with the authenticated request`() {
    let transport = ScriptedTransport { request in
      guard request.fields["Authorization"] != nil else {
        return .response(401, [("WWW-Authenticate", Self.basic)])
      }
      return request.fields["If-None-Match"] == "\"1\""
        ? .response(304, [("ETag", "\"1\"")])
        : .response(200, [("ETag", "\"1\""), ("Cache-Control", "no-cache")], "mine")
    }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    for number in 1...2 {
      let fixture = CacheFixture(transport, in: directory)
      fixture.cache.signIn(Self.me, at: Self.url)
      let response = fixture.load(Self.url)
      #expect(response.text == "mine")
      #expect((response.response?.source == .validated) == (number == 2))
    }
  }
}
