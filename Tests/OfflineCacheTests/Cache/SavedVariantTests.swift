import Foundation
import GRDB
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Saved pages with a variant of the URL")
struct SavedVariantTests {
  private static let transport = ScriptedTransport { _ in
    .response(200, [("Content-Type", "text/html")], String(repeating: "<p>Words.</p>", count: 40))
  }

  @Test(
    arguments: [
      ("https://a.example/docs", "https://a.example/docs/"),
      ("https://a.example/docs/", "https://a.example/docs"),
      ("http://a.example/docs", "https://a.example/docs"),
      ("https://a.example/", "http://a.example/"),
      ("https://a.example:8080/x?q=1#part", "http://a.example:8080/x/?q=1"),
      ("http://a.example/docs?q=%7E", "https://a.example/docs/?q=~"),
      ("http://a.example/", "https://www.a.example/"),
      ("https://www.a.example/x", "https://a.example/x"),
      ("https://a.example/", "https://a.example/index.html"),
      ("https://a.example/docs", "https://a.example/docs/index.php"),
      ("https://a.example/docs/index.htm", "https://a.example/docs/"),
      ("https://a.example/index.html", "http://www.a.example/"),
      ("https://a.example/docs?", "https://a.example/docs"),
      (
        "https://b.example/url?sa=U&q=https%3A%2F%2Fa.example%2Fx%3Fy%3D1&h=2",
        "https://a.example/x?y=1"
      ),
      ("https://b.example/t3_1?url=http://a.example/docs", "https://a.example/docs/"),
      ("https://b.example/web/20200102030405id_/http://a.example/x?y=1", "http://a.example/x?y=1"),
      (
        "http://a.example/t?id=1&sid=00112233445566778899aabbccddeeff",
        "http://a.example/t?id=1&sid=ffeeddccbbaa99887766554433221100"
      ),
      ("http://a.example/t?PHPSESSID=a1&id=1", "http://a.example/t?PHPSESSID=b2&id=1"),
      ("http://a.example/t?id=1&PHPSESSID=a1", "http://a.example/t?id=1"),
      ("http://a.example/t?id=1", "http://a.example/t?id=1&PHPSESSID=a1"),
      ("http://a.example/t;jsessionid=A1?id=1", "http://a.example/t;jsessionid=B2?id=1"),
      ("http://a.example/t?id=1&page=2", "http://a.example/t?page=2&id=1"),
      ("http://a.example/t?b=1&a=2&a=3&PHPSESSID=a1", "http://a.example/t?a=2&a=3&b=1"),
    ] as [(String, String)])
  func `the saved variant of a URL is found`(_ requestedURL: String, _ saved: String) throws {
    let fixture = CacheFixture(Self.transport)
    fixture.load(saved)
    let url = try #require(WebURL(requestedURL))
    #expect(fixture.cache.savedVariant(of: url).map(CacheKey.make) == CacheKey.make(saved))
    fixture.load(requestedURL)
    #expect(fixture.cache.savedVariant(of: url) == nil)
  }

  @Test(arguments: [
    "https://a.example/doc", "https://b.example/docs", "https://a.example/docs?x",
    "https://b.example/?q=a.example/docs/", "https://b.example/?q=ftp://a.example/docs/",
    "https://b.example/https:a.example/docs/", "https://a.example/docs/?PHPSESSID=1&x=1",
  ])
  func `different URLs are not variants`(_ requestedURL: String) throws {
    let fixture = CacheFixture(Self.transport)
    fixture.load("https://a.example/docs/")
    #expect(fixture.cache.savedVariant(of: try #require(WebURL(requestedURL))) == nil)
  }

  @Test(
    arguments: [
      ("http://a.example/wiki/Gale_(film)", "http://a.example/wiki/Gale_%28film%29"),
      ("http://a.example/Ned%27s_Point,_Reef", "http://a.example/Ned's_Point%2C_Reef"),
      ("http://a.example/AT&T", "http://a.example/AT%26T"),
      ("http://a.example/C++?q=a+b&u=c:d/", "http://a.example/C%2B%2B?q=a%20b&u=c%3Ad%2F"),
      ("http://a.example/?q=a%7Cb", "http://a.example/?q=a|b"),
    ] as [(String, String)])
  func `a page is read offline by another spelling of its URL`(_ first: String, _ second: String)
    throws
  {
    for (saved, requested) in [(first, second), (second, first)] {
      let fixture = CacheFixture(Self.transport)
      fixture.load(saved)
      let url = try #require(WebURL(requested))
      #expect(fixture.load(requested) { $0.mode = .cacheOnly }.status == 200)
      #expect(fixture.cache.savedPages(among: [url]) == [url])
      fixture.load(requested) { $0.isReload = true }
      #expect(Self.transport.sent.contains { $0.url == url })
    }
  }

  @Test func `a fresh page of another spelling is neither served nor validated online`() throws {
    let transport = ScriptedTransport { _ in
      .response(
        200, [("Content-Type", "text/html"), ("Cache-Control", "max-age=600"), ("ETag", "\"e\"")],
        String(repeating: "<p>Words.</p>", count: 40))
    }
    let fixture = CacheFixture(transport)
    fixture.load("http://a.example/a,b")
    fixture.load("http://a.example/a%2Cb")
    #expect(transport.sent.map(\.url.path) == ["/a,b", "/a%2Cb"])
    #expect(transport.sent.allSatisfy { $0.fields["If-None-Match"] == nil })
  }

  @Test(
    arguments: [
      ("http://a.example/a/b", "http://a.example/a%2Fb"),
      ("http://a.example/?a=1&b=2", "http://a.example/?a=1%26b=2"),
      ("http://a.example/a?b", "http://a.example/a%3Fb"),
      ("http://a.example/(a)", "http://a.example/%28a%29?"),
      ("http://a.example/+", "http://a.example/%20"),
    ] as [(String, String)])
  func `a delimiter and its percent-encoded form are different pages`(
    _ saved: String, _ requested: String
  ) throws {
    let fixture = CacheFixture(Self.transport)
    fixture.load(saved)
    #expect(fixture.load(requested) { $0.mode = .cacheOnly }.status == nil)
    #expect(fixture.cache.savedPages(among: [try #require(WebURL(requested))]).isEmpty)
  }

  @Test func `two encodings of an unreserved character are the same page`() throws {
    let fixture = CacheFixture(Self.transport)
    fixture.load("http://a.example/%7Eada/%41")
    for url in ["http://a.example/~ada/A", "http://a.example/%7eada/%41"] {
      let result = fixture.load(url) { $0.mode = .cacheOnly }
      #expect(result.status == 200, "\(url)")
    }
    fixture.load("http://a.example/~ada/A") { $0.isReload = true }
    #expect(fixture.cache.captures(of: "http://a.example/~ada/A").count == 1)
    // The server receives the URL as requested.
    #expect(Self.transport.sent.contains { $0.url.path == "/%7Eada/%41" })
  }

  @Test func `the keys of an earlier index version are migrated`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let old = "http://a.example/%7Eada"
    var fixture: CacheFixture? = CacheFixture(Self.transport, in: directory)
    fixture?.load(old)
    fixture?.load(old) { $0.mode = .cacheOnly }
    let id = fixture?.cache.captures(of: "http://a.example/~ada").first?.id
    fixture?.cache.close()
    fixture = nil
    // The index is changed to the state of version 9.
    let path = directory.appendingPathComponent("index.sqlite").path
    let index = try CaptureIndex(path: path, device: "test")
    try index.write { db in
      for var version in try CaptureIndex.fetch(db, "WHERE key = ?", ["http://a.example/~ada"]) {
        version.stored.key = old
        try CaptureIndex.update(version, db)
      }
      try db.execute(sql: "UPDATE use SET key = \(CaptureIndex.keyHash(of: old))")
      try db.execute(sql: "PRAGMA user_version = 9")
    }
    index.close()
    let reopened = CacheFixture(Self.transport, in: directory)
    #expect(reopened.cache.captures(of: "http://a.example/~ada").map(\.id) == [try #require(id)])
    #expect(reopened.load("http://a.example/~ada") { $0.mode = .cacheOnly }.status == 200)
    #expect(reopened.cache.warning == nil)
    let upgraded = try CaptureIndex(path: path, device: "test", .reading)
    let uses = try upgraded.read { db in
      try Int64.fetchAll(db, sql: "SELECT key FROM use")
    }
    #expect(uses == [CaptureIndex.keyHash(of: "http://a.example/~ada")])
  }
}
