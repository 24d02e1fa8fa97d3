import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Rules: conditions, settings and their order")
struct RuleTests {
  struct Row: Sendable, CustomStringConvertible {
    var rule: Rule
    var url: String
    var method = "GET"
    var type: String?
    var size: Int64?
    var applies: Bool?
    var description: String { "\(url) \(method) \(type ?? "") \(size ?? -1)" }
  }

  @Test(arguments: [
    Row(rule: Rule(), url: "https://a.test/", applies: true),
    // Hosts.
    Row(rule: Rule { $0.hosts = ["a.test"] }, url: "https://a.test/x", applies: true),
    Row(rule: Rule { $0.hosts = ["A.test"] }, url: "https://a.TEST/x", applies: true),
    Row(rule: Rule { $0.hosts = ["a.test"] }, url: "https://b.a.test/", applies: false),
    Row(rule: Rule { $0.hosts = ["b.test", "a.test"] }, url: "https://a.test/", applies: true),
    Row(rule: Rule { $0.hosts = ["*.a.test"] }, url: "https://c.b.a.test/", applies: true),
    Row(rule: Rule { $0.hosts = ["*.a.test"] }, url: "https://a.test/", applies: false),
    Row(rule: Rule { $0.hosts = ["*.a.test"] }, url: "https://evila.test/", applies: false),
    Row(rule: Rule { $0.hosts = ["a.test:8080"] }, url: "http://a.test:8080/", applies: true),
    Row(rule: Rule { $0.hosts = ["a.test:8080"] }, url: "http://a.test/", applies: false),
    Row(rule: Rule { $0.hosts = ["a.test:443"] }, url: "https://a.test/", applies: true),
    Row(rule: Rule { $0.hosts = ["a.test"] }, url: "http://a.test:8080/", applies: true),
    Row(rule: Rule { $0.hosts = ["[::1]:80"] }, url: "http://[::1]/", applies: true),
    Row(
      rule: Rule { $0.hosts = ["bücher.test"] }, url: "http://xn--bcher-kva.test/", applies: true),
    // Paths.
    Row(rule: Rule { $0.paths = ["/a/*"] }, url: "https://a.test/a/b/c", applies: true),
    Row(rule: Rule { $0.paths = ["/a/*"] }, url: "https://a.test/b", applies: false),
    Row(rule: Rule { $0.paths = ["/a"] }, url: "https://a.test/a?q=1", applies: true),
    Row(rule: Rule { $0.paths = ["/ä b"] }, url: "https://a.test/%C3%A4%20b", applies: true),
    Row(rule: Rule { $0.paths = ["/%c3%a4"] }, url: "https://a.test/ä", applies: true),
    Row(rule: Rule { $0.paths = ["/A"] }, url: "https://a.test/a", applies: false),
    Row(rule: Rule { $0.paths = ["/?.html"] }, url: "https://a.test/x.html", applies: true),
    // Extensions.
    Row(
      rule: Rule { $0.extensions = ["css", ".JS"] }, url: "https://a.test/x.js?v=1", applies: true
    ),
    Row(rule: Rule { $0.extensions = ["js"] }, url: "https://a.test/x.JS", applies: true),
    Row(rule: Rule { $0.extensions = ["js"] }, url: "https://a.test/js", applies: false),
    Row(rule: Rule { $0.extensions = ["js"] }, url: "https://a.test/a.js/", applies: false),
    Row(rule: Rule { $0.extensions = ["gz"] }, url: "https://a.test/a.tar.gz", applies: true),
    // Methods.
    Row(rule: Rule { $0.methods = ["get", "HEAD"] }, url: "https://a.test/", applies: true),
    Row(rule: Rule { $0.methods = ["HEAD"] }, url: "https://a.test/", applies: false),
    // Media types: unknown before there is a response.
    Row(rule: Rule { $0.mediaTypes = ["image/*"] }, url: "https://a.test/", applies: nil),
    Row(
      rule: Rule { $0.mediaTypes = ["image/*"] }, url: "https://a.test/", type: "image/png",
      applies: true),
    Row(
      rule: Rule { $0.mediaTypes = ["IMAGE/PNG"] }, url: "https://a.test/", type: "image/png",
      applies: true),
    Row(
      rule: Rule { $0.mediaTypes = ["image/*"] }, url: "https://a.test/", type: "text/html",
      applies: false),
    Row(
      rule: Rule { $0.mediaTypes = ["image/*"] }, url: "https://a.test/", type: "", applies: false
    ),
    // Sizes: unknown before the end of the response.
    Row(rule: Rule { $0.minSize = 10 }, url: "https://a.test/", type: "", applies: nil),
    Row(rule: Rule { $0.minSize = 10 }, url: "https://a.test/", size: 10, applies: true),
    Row(rule: Rule { $0.minSize = 10 }, url: "https://a.test/", size: 9, applies: false),
    Row(rule: Rule { $0.maxSize = 10 }, url: "https://a.test/", size: 10, applies: true),
    Row(rule: Rule { $0.maxSize = 10 }, url: "https://a.test/", size: 11, applies: false),
    // All conditions must hold.
    Row(
      rule: Rule {
        $0.hosts = ["a.test"]
        $0.mediaTypes = ["image/*"]
      }, url: "https://b.test/", applies: false),
    Row(
      rule: Rule {
        $0.hosts = ["a.test"]
        $0.paths = ["/x"]
      }, url: "https://a.test/y", applies: false),
  ])
  func `each condition matches only what it describes`(_ row: Row) throws {
    let url = try #require(WebURL(row.url))
    let subject = Rule.Subject(url: url, method: row.method, mediaType: row.type, size: row.size)
    #expect(row.rule.applies(to: subject) == row.applies)
  }

  private static func subject(_ url: String) throws -> Rule.Subject {
    Rule.Subject(url: try #require(WebURL(url)))
  }

  @Test func `each setting comes from the first matching rule that has it`() throws {
    let book = RuleBook(rules: [
      Rule {
        $0.hosts = ["other.test"]
        $0.mode = .networkOnly
      },
      Rule {
        $0.paths = ["/x"]
        $0.maxAge = 5
      },
      Rule {
        $0.mode = .cacheFirst
        $0.maxAge = 7
        $0.stores = false
      },
      Rule { $0.stores = true },
    ])
    let subject = try Self.subject("https://a.test/x")
    #expect(book.mode(for: subject) == .cacheFirst)
    #expect(book.lifetime(of: ResponseHead(status: 200), subject) == 5)
    #expect(
      book.lifetime(of: ResponseHead(status: 200), try Self.subject("https://a.test/y")) == 7)
    #expect(book.storageDecision(for: subject) == .never)
  }

  @Test
  func `a rule with response conditions decides storing only later, and sets no mode`()
    throws
  {
    let book = RuleBook(rules: [
      Rule {
        $0.mediaTypes = ["image/*"]
        $0.stores = false
        $0.mode = .cacheFirst
        $0.ignoresCase = true
      }
    ])
    var subject = try Self.subject("https://a.test/X")
    #expect(book.storageDecision(for: subject) == .undecided)
    #expect(book.mode(for: subject) == nil)
    #expect(book.key(of: subject.url, for: subject, fields: FieldLines()) == "https://a.test/X")
    subject.mediaType = "image/png"
    #expect(book.storageDecision(for: subject) == .never)
    subject.mediaType = "text/html"
    #expect(book.storageDecision(for: subject) == .unspecified)
    #expect(book.rules[0].needsResponse && !Rule().needsResponse)
  }

  struct KeyRow: Sendable, CustomStringConvertible {
    var rule: Rule
    var url: String
    var key: String
    var description: String { url }
  }

  @Test(arguments: [
    KeyRow(rule: Rule(), url: "https://a.test/?b=2&a=1", key: "https://a.test/?b=2&a=1"),
    KeyRow(
      rule: Rule { $0.droppedParameters = ["utm_*"] },
      url: "https://a.test/p?utm_source=x&id=3&utm_medium=y", key: "https://a.test/p?id=3"),
    KeyRow(
      rule: Rule { $0.droppedParameters = ["utm_*"] }, url: "https://a.test/p?%75tm_x=1",
      key: "https://a.test/p"),
    KeyRow(
      rule: Rule { $0.droppedParameters = ["utm_*", "ref"] },
      url: "https://a.test/p?ref&reference=1",
      key: "https://a.test/p?reference=1"),
    KeyRow(
      rule: Rule { $0.droppedParameters = ["*"] }, url: "https://a.test/p?a&b=1&&c",
      key: "https://a.test/p"),
    KeyRow(
      rule: Rule { $0.droppedParameters = ["utm_*"] }, url: "https://a.test/p?id=utm_x",
      key: "https://a.test/p?id=utm_x"),
    KeyRow(
      rule: Rule { $0.sortsQuery = true }, url: "https://a.test/?b=2&a=9&b=1",
      key: "https://a.test/?a=9&b=2&b=1"),
    KeyRow(
      rule: Rule { $0.ignoresCase = true }, url: "https://a.test/Page%C3%84?Q=A",
      key: "https://a.test/page%C3%84?q=a"),
    KeyRow(
      rule: Rule { $0.fixedKey = "https://B.test:443/x#f" }, url: "https://a.test/1",
      key: "https://b.test/x"),
    KeyRow(
      rule: Rule { $0.fixedKey = "the news" }, url: "https://a.test:8/1",
      key: "https://a.test:8/#key=the%20news"),
    KeyRow(
      rule: Rule { $0.fixedKey = "#%\u{1B}" }, url: "https://a.test/1",
      key: "https://a.test/#key=%23%25%1B"),
  ])
  func `keys: dropped parameters, sorted queries, folded case, fixed keys`(_ row: KeyRow) throws {
    let subject = try Self.subject(row.url)
    let book = RuleBook(rules: [row.rule])
    #expect(book.key(of: subject.url, for: subject, fields: FieldLines()) == row.key)
  }

  @Test func `a request field determines the key only if a rule says so`() throws {
    let subject = try Self.subject("https://a.test/x?session=7")
    let fields = FieldLines([.init("mobileappcachekey", "news")])
    let book = RuleBook(rules: [Rule { $0.keyField = "MobileAppCacheKey" }])
    #expect(book.key(of: subject.url, for: subject, fields: fields) == "https://a.test/#key=news")
    let plain = CacheKey.make(subject.url)
    #expect(book.key(of: subject.url, for: subject, fields: FieldLines()) == plain)
    #expect(RuleBook(rules: []).key(of: subject.url, for: subject, fields: fields) == plain)
  }

  @Test(
    arguments: [
      ([("Access-Control-Max-Age", "60")], 60.0),
      ([("Access-Control-Max-Age", "60"), ("Cache-Control", "public")], 60.0),
      ([("Access-Control-Max-Age", "60"), ("Cache-Control", "max-age=1")], nil),
      ([("Access-Control-Max-Age", "60"), ("Expires", "0")], nil),
      ([("Access-Control-Max-Age", "soon")], nil), ([("X", "60")], nil),
    ] as [([(String, String)], Double?)])
  func `Access-Control-Max-Age is used only with a rule and without another lifetime`(
    _ fields: [(String, String)], _ seconds: Double?
  ) throws {
    let response = ResponseHead(status: 200, fields: FieldLines(fields.map { .init($0.0, $0.1) }))
    let subject = try Self.subject("https://a.test/")
    let book = RuleBook(rules: [Rule { $0.usesAccessControlMaxAge = true }])
    #expect(book.lifetime(of: response, subject) == seconds)
    #expect(RuleBook(rules: []).lifetime(of: response, subject) == nil)
  }

  @Test
  func `matching a pattern takes at most quadratic time, and special characters are literal`() {
    let stars = String(repeating: "*a", count: 200) + "b"
    let text = String(repeating: "a", count: 20_000)
    #expect(!Glob.matches(stars.utf8, text.utf8))
    #expect(Glob.matches("".utf8, "".utf8) && !Glob.matches("".utf8, "a".utf8))
    #expect(Glob.matches("**".utf8, "".utf8) && Glob.matches("*?".utf8, "ab".utf8))
    #expect(Glob.matches("*?*", url: "https://a.test/?b"))
    #expect(!Glob.matches("*?*", url: "https://a.test/b"))
    for text in ["%", "%4", "%zz", "a%4", "%%41", "\u{0}"] {
      #expect(PercentEncoding.decoded(text.utf8).count <= text.utf8.count)
    }
    #expect(PercentEncoding.decoded("%%41%4".utf8) == Array("%A%4".utf8))
    for pattern in [":", "[", "::", "*:*", ":80", "\u{0}", "a:99999999999999999999"] {
      #expect(
        !HostPattern.matches(
          pattern, WebURL("http://a.test:8/") ?? .init(scheme: "x", host: nil, path: "")))
    }
  }
}
