import Foundation
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Substitution: local files instead of network responses")
struct SubstitutionTests {
  private static func tree() throws -> SeedTests.Tree {
    try SeedTests.Tree([
      "docs/index.html": "start", "docs/library/string.html": "string", "docs/a b.txt": "blank",
      "docs/sub/index.html": "sub", "single.css": "style", "secret": "secret",
    ])
  }

  /// Returns a cache with one substitution, and a network that responds to everything.
  private static func fixture(_ source: Substitution.Source, _ file: URL) -> CacheFixture {
    CacheFixture(ScriptedTransport { _ in .response(200, [], "network") }) {
      $0.substitutions = [Substitution(source, file: file)]
    }
  }

  @Test(
    arguments: [
      ("https://d.test/3/", "start", "text/html"), ("https://d.test/3", "start", "text/html"),
      ("https://d.test/3/library/string.html?q#f", "string", "text/html"),
      ("https://d.test/3/a%20b.txt", "blank", "text/plain"),
      ("https://d.test/3/sub", "sub", "text/html"), ("https://d.test/3/sub/", "sub", "text/html"),
      ("https://d.test/3/none.html", "network", nil), ("https://d.test/3x/", "network", nil),
      ("https://d.test/", "network", nil), ("http://d.test/3/", "network", nil),
      ("https://d.test/3/..%2fsecret", "network", nil),
      ("https://d.test/3/%2e%2e/secret", "network", nil),
    ] as [(String, String, String?)])
  func `a prefix maps to a directory with index.html, and missing files go to the network`(
    _ url: String, _ text: String, _ type: String?
  ) throws {
    let tree = try Self.tree()
    let fixture = Self.fixture(
      .prefix("https://d.test/3/"), tree.root.appendingPathComponent("docs"))
    let result = fixture.load(url)
    #expect(result.text == text)
    #expect(result.response?.response.fields["Content-Type"] == type)
    #expect((result.response?.source == .substituted) == (type != nil))
    if type != nil {
      #expect(result.cacheStatus == "OfflineCache; hit; detail=substitute")
      #expect(result.response?.response.fields["Last-Modified"] != nil)
      #expect(result.stored == nil)
    }
  }

  @Test
  func `an exact URL maps to one file, and a file can serve everything below a prefix`()
    throws
  {
    let tree = try Self.tree()
    let file = tree.root.appendingPathComponent("single.css")
    let one = Self.fixture(.url("http://D.test:80/a?b"), file)
    #expect(one.load("http://d.test/a?b#f").text == "style")
    for url in ["http://d.test/a", "http://d.test/a?c", "http://d.test/a/?b"] {
      #expect(one.load(url).text == "network")
    }
    let all = Self.fixture(.prefix("http://d.test/ads"), file)
    #expect(
      all.load("http://d.test/ads/x/y?z").response?.response.fields["Content-Type"] == "text/css")
    let directory = Self.fixture(.url("http://d.test/x"), tree.root.appendingPathComponent("docs"))
    #expect(directory.load("http://d.test/x").text == "start")
  }

  @Test
  func `substitution applies only to GET and HEAD, and not to saved versions`()
    throws
  {
    let tree = try Self.tree()
    let fixture = Self.fixture(.prefix("http://d.test"), tree.root.appendingPathComponent("docs"))
    #expect(fixture.load("http://d.test/", method: "POST").text == "network")
    let head = fixture.load("http://d.test/", method: "HEAD")
    #expect(head.body.isEmpty && head.response?.response.fields["Content-Length"] == "5")
    #expect(fixture.load("http://d.test/") { $0.mode = .cacheOnly }.text == "start")
    #expect(fixture.load("http://d.test/") { $0.copy = .previous }.error == .notSaved)
  }

  @Test func `range and conditional requests are supported`() throws {
    let tree = try Self.tree()
    let fixture = Self.fixture(.prefix("http://d.test"), tree.root.appendingPathComponent("docs"))
    let whole = fixture.load("http://d.test/")
    let date = try #require(whole.response?.response.fields["Last-Modified"])
    let part = fixture.load("http://d.test/", [("Range", "bytes=1-2")])
    #expect(part.status == 206 && part.text == "ta")
    #expect(part.response?.response.fields["Content-Range"] == "bytes 1-2/5")
    #expect(fixture.load("http://d.test/", [("Range", "bytes=9-")]).status == 416)
    let same = fixture.load("http://d.test/", [("If-Modified-Since", date)])
    #expect(same.status == 304 && same.body.isEmpty && same.response?.source == .substituted)
    let old = "Thu, 01 Jan 1970 00:00:00 GMT"
    #expect(fixture.load("http://d.test/", [("If-Modified-Since", old)]).text == "start")
    #expect(fixture.load("http://d.test/", [("If-None-Match", "\"x\"")]).text == "start")
    #expect(fixture.load("http://d.test/", [("Range", "lines=1-2")]).text == "start")
  }

  @Test func `a missing or special file leaves the URL to the network`() throws {
    let tree = try Self.tree()
    for file in [tree.root.appendingPathComponent("none"), URL(fileURLWithPath: "/dev/null")] {
      #expect(Self.fixture(.url("http://d.test/"), file).load("http://d.test/").text == "network")
    }
    #expect(!Substitution(.prefix("nonsense"), file: tree.root).isValid)
    #expect(!Substitution(.url(""), file: tree.root).isValid)
  }
}
