import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("HTTP Strict Transport Security (RFC 6797)")
struct StrictTransportTests {
  @Test(
    arguments: [
      ("max-age=31536000", StrictTransport(maxAge: 31_536_000)),
      ("Max-Age=\"5\" ; includeSubDomains", StrictTransport(maxAge: 5, includesSubdomains: true)),
      ("; ;max-age = 0;;", StrictTransport(maxAge: 0)),
      ("preload; unknown=\"a;b\\\"\"; max-age=1", StrictTransport(maxAge: 1)),
      ("includeSubDomains", nil), ("", nil), ("max-age", nil), ("max-age=", nil),
      ("max-age=x", nil),
      ("max-age=-1", nil), ("max-age=1; max-age=2", nil), ("max-age=1, includeSubDomains", nil),
      ("max-age=\"1", nil), ("max-age=1 2", nil), ("=1; max-age=1", nil),
    ] as [(String, StrictTransport?)])
  func `the field is parsed by its grammar or ignored`(
    _ value: String, _ expected: StrictTransport?
  ) {
    #expect(StrictTransport(value) == expected)
  }

  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  @Test func `a host matches itself, and its subdomains with includeSubDomains`() {
    var hosts = HSTSStore()
    hosts.apply(StrictTransport(maxAge: 60), of: "a.test", now: Self.now)
    hosts.apply(
      StrictTransport(maxAge: 60, includesSubdomains: true), of: "b.test.", now: Self.now)
    for (host, isMeant) in [
      ("a.test", true), ("a.test.", true), ("x.a.test", false), ("aa.test", false),
      ("b.test", true), ("x.y.b.test", true), ("bb.test", false), ("test", false), ("", false),
    ] {
      #expect(hosts.contains(host, now: Self.now) == isMeant, "\(host)")
      #expect(!hosts.contains(host, now: Self.now + 60), "\(host)")
    }
    hosts.apply(StrictTransport(maxAge: 0), of: "b.test", now: Self.now)
    #expect(!hosts.contains("x.b.test", now: Self.now) && hosts.contains("a.test", now: Self.now))
  }

  @Test(arguments: ["127.0.0.1", "[::1]", "192.0.2.7", "[2001:db8::1]"])
  func `an IP address is never stored`(_ host: String) {
    var hosts = HSTSStore()
    hosts.apply(StrictTransport(maxAge: 60, includesSubdomains: true), of: host, now: Self.now)
    #expect(hosts.isEmpty && !hosts.contains(host, now: Self.now))
  }

  @Test func `a renewed lifetime is not a change until a tenth of it has passed`() {
    var hosts = HSTSStore()
    let policy = StrictTransport(maxAge: 1000)
    hosts.apply(policy, of: "a.test", now: Self.now)
    #expect(!hosts.isChanged(policy, of: "a.test", now: Self.now + 100))
    #expect(hosts.isChanged(policy, of: "a.test", now: Self.now + 101))
    #expect(hosts.isChanged(StrictTransport(maxAge: 999), of: "a.test", now: Self.now))
    #expect(
      hosts.isChanged(
        StrictTransport(maxAge: 1000, includesSubdomains: true), of: "a.test", now: Self.now))
    #expect(hosts.isChanged(StrictTransport(maxAge: 0), of: "a.test", now: Self.now))
    #expect(!hosts.isChanged(StrictTransport(maxAge: 0), of: "b.test", now: Self.now))
  }

  @Test func `the number of hosts is bounded, and those that expire first are removed`() {
    var hosts = HSTSStore()
    for index in 0...HSTSStore.maxHosts {
      hosts.apply(StrictTransport(maxAge: 1000 + index), of: "h\(index).test", now: Self.now)
    }
    #expect(!hosts.contains("h0.test", now: Self.now))
    #expect(hosts.contains("h1.test", now: Self.now))
    #expect(hosts.contains("h\(HSTSStore.maxHosts).test", now: Self.now))
  }

  @Test func `the file format is that of curl, and invalid lines are skipped`() {
    let text = """
      # a comment
      .b.test "20231114 22:14:20"
      c.test "unlimited"
      a.test "20231114 22:14:20"\r
      d.test 20231114
      e.test "20231314 22:14:20"
      127.0.0.1 "unlimited"
      f.test "20231114 22:14:20" more
      \u{0}
      """
    let hosts = HSTSStore(Array(text.utf8))
    for (host, isMeant) in [
      ("a.test", true), ("x.b.test", true), ("c.test", true), ("d.test", false),
      ("e.test", false), ("f.test", false), ("127.0.0.1", false),
    ] {
      #expect(hosts.contains(host, now: Self.now) == isMeant, "\(host)")
    }
    #expect(HSTSStore(hosts.text) == hosts)
    #expect(!hosts.contains("a.test", now: Date(timeIntervalSince1970: 1_700_000_060)))
  }

  @Test(arguments: ["a…", "…", "a..", "….test", "a.test."])
  func `a host name with an empty label has no HSTS entry, except for a final dot`(
    _ host: String
  ) throws {
    let hosts = HSTSStore(Array("\(host) \"unlimited\"\n".utf8))
    #expect(hosts.isEmpty == (host != "a.test."))
    #expect(HSTSStore(hosts.text) == hosts)
    var told = HSTSStore()
    let url = try #require(WebURL("https://\(host)/")?.host)
    told.apply(StrictTransport(maxAge: 1000), of: url, now: Self.now)
    #expect(HSTSStore(told.text) == told)
  }

  private static let strict = ("Strict-Transport-Security", "max-age=1000")

  @Test func `no http request is sent to a host with a policy, also offline`() throws {
    let transport = ScriptedTransport { request in
      .response(200, [Self.strict, ("Cache-Control", "no-cache")], request.url.description)
    }
    let fixture = CacheFixture(transport)
    // A policy received without TLS is ignored, as anyone could have sent it (section 8.1).
    fixture.load("http://h.test/a")
    fixture.load("http://h.test/a")
    #expect(transport.sent.map(\.url.scheme) == ["http", "http"])
    fixture.load("https://h.test/b")
    let led = fixture.load("http://h.test:80/b?q")
    #expect(led.status == 307)
    #expect(led.response?.response.fields["Location"] == "https://h.test/b?q")
    #expect(led.cacheStatus == "OfflineCache; detail=hsts")
    let otherPortLoad = fixture.load("http://h.test:8080/b") { $0.mode = .cacheOnly }
    #expect(otherPortLoad.response?.response.fields["Location"] == "https://h.test:8080/b")
    #expect(fixture.load("http://x.h.test/").status == 200)
    #expect(transport.sent.map(\.url.scheme) == ["http", "http", "https", "http"])
    fixture.advance(1000)
    #expect(fixture.load("http://h.test/a").status == 200)
  }

  private func walk(
    _ fixture: CacheFixture, _ request: WebRequest,
    _ configure: (inout LoadOptions) -> Void = { _ in }
  ) async throws -> (text: String, url: String, source: LoadedResponse.Source) {
    var options = LoadOptions()
    configure(&options)
    let page = try await fixture.cache.data(for: request, options: options)
    return (
      String(decoding: page.bytes, as: UTF8.self), page.url.description, page.answer.source
    )
  }

  @Test func `the upgraded request keeps method, content, credentials and fields`() async throws {
    let transport = ScriptedTransport { _ in .response(200, [Self.strict], "ok") }
    let fixture = CacheFixture(transport)
    fixture.load("https://h.test/")
    let request = WebRequest(
      method: "POST", url: "http://user:word@h.test/f#part",
      fields: FieldLines([.init("X-Api-Key", "k")]), body: [1])
    #expect(try await walk(fixture, request).url == "https://user:word@h.test/f#part")
    let sent = try #require(transport.sent.last)
    #expect(sent.method == "POST" && sent.url == "https://h.test/f" && sent.body == [1])
    #expect(sent.fields["X-Api-Key"] == "k" && sent.fields["Authorization"] != nil)
    #expect(transport.sent.count == 2)
  }

  @Test func `a page saved without TLS is still served if https fails`()
    async throws
  {
    let transport = ScriptedTransport { request in
      switch request.url.path {
      case "/": .response(200, [Self.strict], "known")
      case "/gone" where request.url.scheme == "https": .failure(.connectionRefused)
      default: .response(200, [], "from \(request.url.scheme)")
      }
    }
    let fixture = CacheFixture(transport)
    fixture.load("http://h.test/gone")
    fixture.load("https://h.test/")
    fixture.load("https://h.test/new")
    let gone = try await walk(fixture, WebRequest(url: "http://h.test/gone"))
    #expect(gone.text == "from http")
    let offline = try await walk(fixture, WebRequest(url: "http://h.test/gone")) {
      $0.mode = .cacheOnly
    }
    #expect(offline.text == "from http" && offline.source == .saved(.offlineMode))
    let new = try await walk(fixture, WebRequest(url: "http://h.test/new")) {
      $0.mode = .cacheOnly
    }
    #expect(new.text == "from https" && new.url == "https://h.test/new")
    // Lists of saved pages agree.
    #expect(fixture.cache.savedPages(among: ["http://h.test/new"]) == ["http://h.test/new"])
    #expect(transport.sent.filter { $0.url.scheme == "http" }.count == 1)
  }

  @Test func `rewritten or substituted URLs, and requests for a version, are not upgraded`() throws
  {
    let transport = ScriptedTransport { request in
      .response(200, [Self.strict], "from \(request.url)")
    }
    let fixture = CacheFixture(transport) {
      $0.rewrites = [Rewrite { ($0.prefix, $0.target) = ("http://h.test/m/", "http://m.test/") }]
    }
    let first = fixture.load("http://h.test/a")
    fixture.load("https://h.test/")
    #expect(fixture.load("http://h.test/m/x").text == "from http://m.test/x")
    let id = try #require(first.stored?.id)
    #expect(fixture.load("http://h.test/a") { $0.copy = .id(id) }.text == "from http://h.test/a")
  }

  @Test func `policies persist in a file unless the cache is read-only`() throws {
    let transport = ScriptedTransport { _ in .response(200, [Self.strict], "ok") }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("state/hsts.txt").path
    func fixture(isReadOnly: Bool = false) -> CacheFixture {
      CacheFixture(transport, in: directory) {
        ($0.hstsFile, $0.isReadOnly) = (file, isReadOnly)
      }
    }
    let readOnlyFixture = fixture(isReadOnly: true)
    readOnlyFixture.load("https://h.test/")
    #expect(readOnlyFixture.load("http://h.test/").status == 307)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(fixture().load("http://h.test/").status == 200)
    fixture().load("https://h.test/")
    #expect(fixture().load("http://h.test/").status == 307)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `a file of policies that cannot be read is reported`() throws {
    let transport = ScriptedTransport { _ in .response(200, [], "ok") }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("hsts.txt").path
    try FileManager.default.createDirectory(
      atPath: file + "/inner", withIntermediateDirectories: true)
    let fixture = CacheFixture(transport, in: directory) { $0.hstsFile = file }
    #expect(fixture.load("http://h.test/").status == 200)
    let warning = try #require(fixture.cache.warning)
    #expect(warning.description.hasPrefix("the list of hosts that require https cannot be read: "))
  }
}
