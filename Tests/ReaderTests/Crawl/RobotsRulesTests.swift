import Crawl
import OfflineCache
import Pages
import Reader
import TestSupport
import Testing

@Suite struct RobotsRulesTests {
  private static func allows(_ file: String, _ path: String) throws -> Bool {
    let url = try #require(WebURL("https://example.org" + path))
    return RobotsRules(Array(file.utf8)).allows(url)
  }

  /// RFC 9309, sections 2.2.2, 2.2.3 and 5, and extensions.
  @Test(
    arguments: [
      ("Disallow: /", "/x", false),
      ("Disallow:", "/x", true),
      ("Disallow: /a", "/ab", false),
      ("Disallow: /a/", "/a", true),
      ("Disallow: /A", "/a", true),
      ("Allow: /a\nDisallow: /", "/a/b", true),
      ("Disallow: /\nAllow: /a", "/b", false),
      ("Disallow: /page\nAllow: /page", "/page", true),
      ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/x", true),
      (
        "Allow: /example/page/\nDisallow: /example/page/disallowed.gif",
        "/example/page/disallowed.gif", false
      ),
      ("Disallow: *.gif$", "/a/b.gif", false),
      ("Disallow: *.gif$", "/a/b.gif?x", true),
      ("Disallow: /*?sort=", "/list?a=1&sort=2", true),
      ("Disallow: /*?sort=", "/list?sort=2", false),
      ("Disallow: /*/print", "/a/b/print", false),
      ("Disallow: /a*b*c$", "/aXbYcZc", false),
      ("Disallow: /a*b*c$", "/aXbYcZ", true),
      ("Disallow: /a*c$", "/ac", false),
      ("Disallow: /a*c$", "/a", true),
      ("Disallow: /$", "/", false),
      ("Disallow: /$", "/a", true),
      ("Disallow: /*", "/robots.txt", true),
      ("Disallow: /a$b", "/a$b", true),
      ("Disallow: /a%24", "/a$", false),
      ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", false),
      ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-x.html", true),
      ("Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", true),
      ("Disallow: /foo/bar/ツ", "/foo/bar/%E3%83%84", false),
      ("Disallow: /foo/bar/%e3%83%84", "/foo/bar/ツ", false),
      ("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false),
      ("Disallow: /a%2Fb", "/a/b", true),
      ("Disallow: /~joe/", "/%7ejoe/i", false),
      ("Disallow: /x # not y", "/x", false),
      ("DISALLOW : /x", "/x", false),
      ("dissallow: /x", "/x", false),
      ("Disallow /x", "/x", true),
      ("Disallow: /%", "/%", false),
      ("Disallow: /\u{0}\u{1B}x", "/a", true),
    ] as [(String, String, Bool)])
  func `the longest matching pattern applies`(
    _ lines: String, _ path: String, _ isAllowed: Bool
  ) throws {
    #expect(try Self.allows("User-agent: *\n" + lines, path) == isAllowed)
    #expect(try Self.allows("User-Agent: offread\r" + lines + "\r\n", path) == isAllowed)
  }

  @Test(
    arguments: [
      ("User-agent: other\nDisallow: /", true),
      ("User-agent: *\nDisallow: /\n\nUser-agent: offread\nDisallow: /b", true),
      ("User-agent: offread\nDisallow: /b\nUser-agent: *\nDisallow: /", true),
      ("User-agent: OffRead/1.0 (x)\nDisallow: /a", false),
      ("User-agent: offreader\nDisallow: /a", true),
      ("User-agent: offread\nUser-agent: other\nDisallow: /a", false),
      ("User-agent: offread\n\nSitemap: x\n\nDisallow: /a", false),
      ("User-agent: offread\nUser-agent: other\n\nUser-agent: third\nDisallow: /a", false),
      (
        "User-agent: offread\nDisallow: /b\nUser-agent: z\nDisallow: /\nUser-agent: offread\nDisallow: /a",
        false
      ),
      ("User-agent: offread\nCrawl-delay: 1\nUser-agent: *\nDisallow: /", true),
      ("User-agent: *\nDisallow: /x\nUser-agent: *\nDisallow: /a", false),
      ("Disallow: /", true),
      ("\u{FEFF}User-agent: *\nDisallow: /a", false),
      ("<!DOCTYPE html><p>User-agent: *<br>Disallow: /", true),
      ("User-agent: * anything\nDisallow: /a", false),
      ("User-agent:\nDisallow: /a", true),
    ] as [(String, Bool)])
  func `groups that name the crawler are merged, and otherwise the default groups apply`(
    _ file: String, _ isAllowed: Bool
  ) throws {
    #expect(try Self.allows(file, "/a") == isAllowed)
  }

  @Test(
    arguments: [
      (200, false), (206, false), (301, true), (401, true), (403, true), (404, true), (410, true),
      (429, false), (500, false), (503, false), (nil, false),
    ] as [(Int?, Bool)])
  func `without a robots.txt everything is allowed, and without a response nothing`(
    _ status: Int?, _ isAllowed: Bool
  ) throws {
    let body = Array("User-agent: *\nDisallow: /".utf8)
    let url = try #require(WebURL("https://example.org/a"))
    #expect(RobotsRules(status: status, body: body).allows(url) == isAllowed)
  }

  @Test func `only the first 500 KiB of a long file count, without the truncated line`() throws {
    let head = "User-agent: *\nDisallow: /a\n"
    var file = Array(head.utf8)
    file += [UInt8](repeating: UInt8(ascii: "#"), count: RobotsRules.maxSize - file.count - 13)
    file += "\nDisallow: /b/c\nDisallow: /d\n".utf8
    let rules = RobotsRules(file)
    for (path, isAllowed) in [("/a", false), ("/b/c", true), ("/b", true), ("/d", true)] {
      #expect(rules.allows(try #require(WebURL("https://example.org" + path))) == isAllowed)
    }
  }

  @Test(
    arguments: [
      ("2", 2000), ("0.5", 500), ("0", 0), ("1e99", 86_400_000), ("-1", nil), ("soon", nil),
      ("nan", nil), ("", nil),
    ] as [(String, Int?)])
  func `crawl-delay is parsed, and invalid values are ignored`(
    _ value: String, _ milliseconds: Int?
  ) {
    let rules = RobotsRules(Array("User-agent: *\nCrawl-delay: \(value)".utf8))
    #expect(rules.crawlDelay == milliseconds.map { .milliseconds($0) })
  }

  @Test func `sitemaps are listed wherever they appear`() {
    let file = "Sitemap: https://a.test/1.xml\nUser-agent: x\nDisallow: /\nsitemap:/2.xml # two"
    #expect(RobotsRules(Array(file.utf8)).sitemaps == ["https://a.test/1.xml", "/2.xml"])
  }

  @Test func `the robots.txt of a URL is at its origin`() throws {
    let url = try #require(WebURL("https://u:p@Example.org:8080/a/b?c#d"))
    #expect(RobotsRules.robotsURL(for: url)?.description == "https://example.org:8080/robots.txt")
    #expect(RobotsRules.robotsURL(for: try #require(WebURL("about:manual"))) == nil)
  }

  @Test func `any bytes are parsed, and patterns with many asterisks take little time`() throws {
    var random = SplitMix64(seed: 9309)
    let tokens = [
      "User-agent: *", "Disallow:", "Allow:", "/", "*", "$", "%", "\n", "\r", "#", ":", "\u{0}",
      "offread", "%2", "/a", "\u{FFFD}", " ",
    ]
    let url = try #require(WebURL("https://example.org/a/b?c=d"))
    for _ in 0..<2000 {
      let count = Int.random(in: 0...40, using: &random)
      let text = (0..<count).map { _ in tokens.randomElement(using: &random) ?? "" }.joined()
      var bytes = Array(text.utf8)
      if !bytes.isEmpty { bytes[Int.random(in: 0..<bytes.count, using: &random)] = 0xFF }
      _ = RobotsRules(bytes).allows(url)
    }
    let stars = "User-agent: *\nDisallow: /" + String(repeating: "*a", count: 5000) + "b$"
    let long = "/" + String(repeating: "a", count: 8000)
    #expect(try Self.allows(stars, long))
  }
}
