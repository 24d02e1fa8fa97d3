import Foundation
import Synchronization
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// The store of cookies, in memory and in files.
@Suite("The cookie store and its files") struct CookieStoreTests {
  private static let now = CookieTests.now

  private static func parsed(_ url: String) throws -> WebURL {
    try #require(WebURL(url))
  }

  /// Returns a store after some responses: pairs of URL and `Set-Cookie` line.
  private static func store(
    _ responses: [(String, String)], isSafe: Bool = true, in old: CookieStore = CookieStore()
  ) throws -> CookieStore {
    var store = old
    for (url, line) in responses {
      store.store(
        [line], from: try Self.parsed(url), isSafe: isSafe, now: now,
        newOwner: { UUID().uuidString })
    }
    return store
  }

  private static func header(_ store: CookieStore, _ url: String, after seconds: TimeInterval = 0)
    throws -> String?
  {
    store.selection(for: try Self.parsed(url), now: now + seconds)?.header
  }

  @Test func `longer paths come first, then older cookies, and a new value keeps the position`()
    throws
  {
    let store = try Self.store([
      ("https://h.test/", "a=1"), ("https://h.test/", "b=2"), ("https://h.test/x/y", "c=3"),
      ("https://h.test/", "nameless"), ("https://h.test/", "a=4"), ("https://o.test/", "d=5"),
    ])
    #expect(try Self.header(store, "https://h.test/x/y") == "c=3; a=4; b=2; nameless")
    #expect(try Self.header(store, "https://h.test/") == "a=4; b=2; nameless")
    #expect(try Self.header(store, "https://other.test/") == nil)
  }

  @Test func `a cookie expires at its time, and immediately if the server says so`() throws {
    var store = try Self.store([("https://h.test/", "a=1; max-age=60"), ("https://h.test/", "b=2")])
    #expect(try Self.header(store, "https://h.test/", after: 59) == "a=1; b=2")
    #expect(try Self.header(store, "https://h.test/", after: 60) == "b=2")
    store = try Self.store([("https://h.test/", "b=; max-age=0")], in: store)
    #expect(try Self.header(store, "https://h.test/") == "a=1")
    store = try Self.store(
      [("https://h.test/", "a=; expires=Thu, 01 Jan 1970 00:00:00 GMT")], in: store)
    #expect(store == CookieStore())
  }

  @Test func `without TLS no cookie can shadow a secure one`() throws {
    let secure = try Self.store([("https://h.test/", "a=1; secure; path=/x")])
    #expect(try Self.store([("http://h.test/", "a=2; path=/x/y")], in: secure) == secure)
    #expect(try Self.store([("http://h.test/", "a=2; path=/")], in: secure).cookies.count == 2)
    #expect(try Self.store([("https://h.test/", "a=2; path=/x")], in: secure).cookies.count == 1)
  }

  @Test func `limits apply, and the oldest cookies are removed first`() throws {
    let many = (0..<200).map { ("https://h.test/", "n\($0)=1") }
    let store = try Self.store(many)
    #expect(store.cookies.count == CookieStore.maxCookiesPerDomain)
    #expect(store.cookies.first?.name == "n20" && store.cookies.last?.name == "n199")
    var all = CookieStore(
      (0..<4000).map {
        Cookie(name: "a", value: "", domain: "h\($0 % 500).test", isHostOnly: true, path: "/\($0)")
      })
    all.shrink(now: Self.now)
    #expect(all.cookies.count == CookieStore.maxCookies && all.cookies.first?.path == "/1000")
  }

  @Test func `the owner survives new values, and changes when another user may have signed in`()
    throws
  {
    func owner(_ store: CookieStore, _ url: String = "https://www.h.test/") throws -> String {
      let url = try Self.parsed(url)
      return try #require(store.selection(for: url, now: Self.now)).owner
    }
    let first = try Self.store([
      ("https://www.h.test/", "a=1; domain=h.test"), ("https://h.test/", "b=2"),
    ])
    let renewed = try Self.store([("https://h.test/", "a=2; domain=h.test")], in: first)
    #expect(try owner(renewed) == owner(first) && renewed != first)
    let signedIn = try Self.store([("https://h.test/", "b=3")], isSafe: false, in: renewed)
    #expect(try owner(signedIn) != owner(renewed))
    let signedOut = try Self.store([("https://h.test/", "b=; max-age=0")], in: signedIn)
    #expect(try owner(signedOut) != owner(signedIn))
    let otherStore = try Self.store([("https://o.test/", "a=1")], in: signedOut)
    #expect(try owner(otherStore) == owner(signedOut))
    #expect(try owner(otherStore, "https://o.test/") != owner(otherStore))
  }

  @Test func `with a read-only file, its content determines the owner, also after expiry`() throws {
    func owner(_ text: String, after seconds: TimeInterval = 0) throws -> String? {
      let url = try Self.parsed("https://h.test/x")
      return CookieText.read(Array(text.utf8)).store.selection(for: url, now: Self.now + seconds)?
        .owner
    }
    let end = Int(Self.now.timeIntervalSince1970) + 60
    let mine = "h.test\tFALSE\t/\tFALSE\t\(end)\ts\tmine\n"
    #expect(try owner(mine) == owner("# comment\n" + mine, after: 100))
    #expect(try owner(mine) != owner(mine.replacingOccurrences(of: "mine", with: "yours")))
    #expect(try owner(mine) == owner(mine + "o.test\tFALSE\t/\tFALSE\t0\ts\tx\n"))
    #expect(try owner("o.test\tFALSE\t/\tFALSE\t0\ts\tx\n") == nil)
  }

  // MARK: Files

  @Test func `browser exports are parsed, and invalid lines are reported`() throws {
    let text = """
      \u{FEFF}# Netscape HTTP Cookie File\r
      # http://curl.haxx.se/rfc/cookie_spec.html\r
      \r
      .example.com\tTRUE\t/\tFALSE\t0\tsession\t1\r
      #HttpOnly_www.example.com\tFALSE\t/a\tTRUE\t1800000000.25\tid\tx y=z\r
      example.com\tFALSE\t/\tFALSE\t1\tover\t1
      example.com\tfalse\t/\tfalse\t1800000000\tempty
      example.com FALSE / FALSE 0 spaces 1
      .com\tTRUE\t/\tFALSE\t0\tstranger\t1
      example.com\tMAYBE\t/\tFALSE\t0\ta\t1
      example.com\tTRUE\tno-path\tFALSE\t0\ta\t1
      example.com\tTRUE\t/\tFALSE\tnever\ta\t1
      example.com\tTRUE\t/\tFALSE\t0\ta\t1; b=2
      example.com\tTRUE\t/\tFALSE\t0\ta\tline\u{1}break
      a b\tTRUE\t/\tFALSE\t0\ta\t1
      garbage
      \t \t
      """
    let content = CookieText.read(Array(text.utf8))
    #expect(content.invalidLines == [8, 9, 10, 11, 12, 13, 14, 15, 16])
    #expect(
      try Self.header(content.store, "https://www.example.com/a") == "id=x y=z; session=1")
    #expect(try Self.header(content.store, "http://example.com/") == "session=1; empty=")
    #expect(content.store.cookies.first { $0.name == "id" }?.isHTTPOnly == true)
  }

  /// The export of an extension, with a host-only cookie that occurs twice.
  private static let exported = #"""
    [{"domain":"h.test","hostOnly":true,"name":"a","path":"/","session":true,"value":"1"},
    {"domain":".h.test","expirationDate":1800000000.5,"httpOnly":true,"name":"b","path":"/",
    "secure":true,"storeId":"0","value":"2"},{"name":"c"},7,
    {"domain":"h.test","name":"a","value":"3"}]
    """#
  private static let storage = #"""
    {"cookies":[{"name":"a","value":"1","domain":".h.test","path":"/x","expires":-1,
    "httpOnly":false,"secure":false,"sameSite":"Lax"}],"origins":[]}
    """#

  @Test(
    arguments: [
      (exported, "b=2; a=3", "b=2", [3, 4]), ("\u{FEFF}" + storage, "a=1", "a=1", []),
      (#"[{"domain":".com","name":"a","value":"1"}]"#, nil, nil, [1]),
    ] as [(String, String?, String?, [Int])])
  func `cookies in JSON are parsed`(
    _ text: String, _ header: String?, _ subdomainHeader: String?, _ invalid: [Int]
  ) throws {
    let content = try #require(CookieJSON.read(Array(text.utf8)))
    #expect(content.invalidLines == invalid)
    #expect(try Self.header(content.store, "https://h.test/x") == header)
    #expect(try Self.header(content.store, "https://www.h.test/x") == subdomainHeader)
  }

  @Test(arguments: ["", "{}", "null", "[", "h.test\tFALSE\t/\tFALSE\t0\ta\t1\n"])
  func `other text is not read as cookies in JSON`(_ text: String) {
    #expect(CookieJSON.read(Array(text.utf8)) == nil)
  }

  @Test(arguments: ["", "0", "-1"])
  func `a cookie without an expiry time is a session cookie`(_ time: String) {
    let content = CookieText.read(Array("h.test\tFALSE\t/\tFALSE\t\(time)\ta\t1\n".utf8))
    #expect(content.store.cookies.map(\.expires) == [nil] && content.invalidLines.isEmpty)
  }

  @Test func `a host of dots alone has no cookies, because a cookie file cannot name it`() throws {
    // The ellipsis stands for three dots (UTS 46).
    let line = ".…\tTRUE\t/\tFALSE\t0\ta\t1"
    let content = CookieText.read(Array("\(line)\n.….com\tTRUE\t/\tFALSE\t0\ta\t1\n".utf8))
    #expect(content.invalidLines == [1, 2] && content.store.cookies.isEmpty)
    let url = try #require(WebURL("https://…/"))
    #expect(SetCookie.cookie("a=1", from: url, now: Self.now) == nil)
  }

  @Test(arguments: Seeds.all)
  func `random input never crashes`(_ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for length in [0, 1, 10, 1000] {
      for _ in 0..<50 {
        var bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes += Array("\nh.test\tTRUE\t/\tFALSE\t0\ta\t1\n".utf8)
        #expect(CookieText.read(bytes).store.cookies.contains { $0.name == "a" })
      }
    }
    let url = WebURL("https://h.test/")
    for _ in 0..<500 {
      let bytes = (0..<40).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let line =
        String(decoding: bytes, as: UTF8.self) + "=1; domain="
        + String(decoding: bytes, as: UTF8.self)
      if let url, let cookie = SetCookie.cookie(line, from: url, now: Self.now) {
        #expect(Cookie.domain(cookie.domain, covers: "h.test"))
      }
    }
  }

  @Test func `written cookies are read back`() throws {
    let store = try Self.store([
      ("https://www.h.test/x/", "a=1; domain=h.test; secure; httponly; max-age=60"),
      ("https://h.test/", "nameless"), ("https://h.test/", "empty="), ("http://127.0.0.1/", "c=é"),
      ("https://h.test/", "tab=1\t2"), ("https://h.test/", "p=1; path=/a\tb"),
      ("https://h.test/", "n\tm=1"),
    ])
    #expect(store.cookies.map(\.name) == ["a", "", "empty", "c", "tab", "p"])
    let content = CookieText.read(CookieText.write(store))
    #expect(content.store == store && content.invalidLines.isEmpty)
  }

  @Test func `a missing cookie file is reported`() {
    #expect(throws: ArchiveError.cookies("/nonexistent: there is no such file")) {
      try CookieFile(path: "/nonexistent")
    }
    #expect(throws: ArchiveError.self) { try CookieFile(path: "/") }
  }

  // MARK: The jar

  private struct Directory {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    var jar: String { url.appendingPathComponent("new/cookies.txt").path }
    func remove() { try? FileManager.default.removeItem(at: url) }
  }

  private static func store(_ jar: CookieJar, _ line: String) throws {
    try jar.store(
      [line], from: try Self.parsed("https://h.test/"), isSafe: true, now: now)
  }

  private static func header(_ jar: CookieJar) throws -> String? {
    try jar.selection(for: try Self.parsed("https://h.test/"), now: now)?.header
  }

  @Test func `a cookie jar is private to the user, and available to the next process`() throws {
    let directory = Directory()
    defer { directory.remove() }
    try Self.store(CookieJar(path: directory.jar, isReadOnly: false), "a=1")
    let status = try #require(try LocalFileSystem().status(of: directory.jar))
    #expect(status.mode & 0o777 == 0o600)
    #expect(try Self.header(CookieJar(path: directory.jar, isReadOnly: false)) == "a=1")
    let readOnly = CookieJar(path: directory.jar, isReadOnly: true)
    try Self.store(readOnly, "b=2")
    #expect(try Self.header(readOnly) == "a=1; b=2")
    #expect(try LocalFileSystem().status(of: directory.jar) == status)
  }

  @Test func `several jars on one file do not lose each other's cookies`() throws {
    let directory = Directory()
    defer { directory.remove() }
    let jars = (0..<4).map { _ in CookieJar(path: directory.jar, isReadOnly: false) }
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 80) { index in
      do { try Self.store(jars[index % 4], "n\(index)=1") } catch { failures.withLock { $0 += 1 } }
    }
    #expect(failures.withLock { $0 } == 0)
    let header = try Self.header(jars[0]) ?? ""
    let names = header.components(separatedBy: "; ")
    #expect(Set(names) == Set((0..<80).map { "n\($0)=1" }))
  }

  @Test func `leftovers of a killed process do not block a jar`() throws {
    let directory = Directory()
    defer { directory.remove() }
    try Self.store(CookieJar(path: directory.jar, isReadOnly: false), "a=1")
    try Data("half of a long line that was being written when".utf8)
      .write(to: URL(fileURLWithPath: directory.jar + ".new"))
    let jar = CookieJar(path: directory.jar, isReadOnly: false)
    try Self.store(jar, "b=2")
    #expect(try Self.header(CookieJar(path: directory.jar, isReadOnly: false)) == "a=1; b=2")
  }

  @Test func `a directory that cannot be written is an error`() throws {
    let jar = CookieJar(path: "/dev/null/cookies.txt", isReadOnly: false)
    #expect(throws: ArchiveError.self) { try Self.store(jar, "a=1") }
  }

  @Test
  func `in a file of very many cookies the last duplicate applies, and a pipe is rejected`()
    throws
  {
    let lines = (0..<60_000).map {
      "site.test\tFALSE\t/\tFALSE\t0\tname\($0 % 20_000)\t\($0)\n"
    }
    let store = CookieText.read(Array(lines.joined().utf8)).store
    #expect(store.cookies.count == 20_000)
    #expect(store.cookies.first?.value == "40000" && store.cookies.last?.value == "59999")
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { unlink(path) }
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: ArchiveError.cookies("\(path) is not a file")) { try CookieFile(path: path) }
    #expect(throws: ArchiveError.credentials("\(path) cannot be read")) { try Netrc(path: path) }
  }

  @Test func `secrets do not appear when an identity is printed, dumped or interpolated`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("site.test\tFALSE\t/\tFALSE\t0\tuser\ttop-secret\n".utf8).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    var identity = Identity()
    identity.cookies = .file(try CookieFile(path: path.path))
    identity.netrc = Netrc(text: "machine site.test login me password top-secret")
    var configuration = CacheConfiguration(location: ArchiveLocation(folder: path))
    configuration.identity = identity
    let credentials = Credentials(user: "me", password: "top-secret")
    for value in [identity, configuration, credentials] as [any Sendable] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("top-secret"), "\(type(of: value))")
      }
    }
    #expect("\(credentials)" == "me:(password)")
  }
}
