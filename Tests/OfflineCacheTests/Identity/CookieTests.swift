import Foundation
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Cookies that servers may set, and the requests that they are sent with (RFC 6265 and its
/// successor).
@Suite("Cookies") struct CookieTests {
  static let now = Date(timeIntervalSince1970: 1_700_000_000)

  /// A `Set-Cookie` line, the URL of the response, and a short form of the cookie, or nil if it is
  /// rejected.
  struct Row: Sendable, CustomTestStringConvertible {
    var line: String
    var url: String
    var expected: String?

    init(_ line: String, _ expected: String?) {
      self.init(line, "https://www.example.co.uk/a/b", expected)
    }

    init(_ line: String, _ url: String, _ expected: String?) {
      (self.line, self.url, self.expected) = (line, url, expected)
    }

    var testDescription: String { "\(url): \(line.prefix(60))" }
  }

  private static func summary(_ cookie: Cookie) -> String {
    "\(cookie.name)=\(cookie.value) \(cookie.isHostOnly ? "" : ".")\(cookie.domain) \(cookie.path)"
      + (cookie.isSecure ? " secure" : "") + (cookie.isHTTPOnly ? " http" : "")
      + (cookie.expires.map { " \(Int($0.timeIntervalSince(now)))" } ?? "")
  }

  @Test(arguments: [
    Row("a=1", "a=1 www.example.co.uk /a"),
    Row("a=1", "https://h.test/", "a=1 h.test /"), Row("a=1", "https://h.test/x", "a=1 h.test /"),
    Row("a=1", "https://h.test/x/", "a=1 h.test /x"),
    Row("a", "=a www.example.co.uk /a"), Row("=a", "=a www.example.co.uk /a"),
    Row("a=", "a= www.example.co.uk /a"), Row("", nil), Row("=", nil), Row(";", nil),
    Row("; a=1", nil), Row(" \ta = \"1 2\" \t; path = /", "a=\"1 2\" www.example.co.uk /"),
    Row("a=b=c; x; =; ;;", "a=b=c www.example.co.uk /a"),
    Row("a=1\u{1}", nil), Row("a=1\u{7F}", nil), Row("a=1; path=/\u{0}", nil),
    Row("a=é", "a=é www.example.co.uk /a"),
    Row(
      "a=" + String(repeating: "x", count: 4095),
      "a=" + String(repeating: "x", count: 4095) + " www.example.co.uk /a"),
    Row("a=" + String(repeating: "x", count: 4096), nil),
    Row("a=1; path=/" + String(repeating: "x", count: 1024), "a=1 www.example.co.uk /a"),
    Row("a=1; path=relative", "a=1 www.example.co.uk /a"),
    Row("a=1; Path=/x; path=", "a=1 www.example.co.uk /a"),
    Row("a=1; SECURE; HTTPONLY", "a=1 www.example.co.uk /a secure http"),
    Row("a=1; Secure", "http://h.test/", nil),
    Row("a=1; Secure", "http://localhost:80/", "a=1 localhost / secure"),
    Row("a=1; Secure", "http://a.localhost/", "a=1 a.localhost / secure"),
    Row("a=1; Secure", "http://127.0.77.1:8/", "a=1 127.0.77.1 / secure"),
    Row("a=1; Secure", "http://[::1]/", "a=1 [::1] / secure"),
    Row("a=1; Secure", "http://127.h.test/", nil),
    Row("a=1; Secure", "http://127.a-localhost/", nil),
    // Domain.
    Row("a=1; domain=example.co.uk", "a=1 .example.co.uk /a"),
    Row("a=1; Domain=.EXAMPLE.CO.UK", "a=1 .example.co.uk /a"),
    Row("a=1; domain=www.example.co.uk", "a=1 .www.example.co.uk /a"),
    Row("a=1; domain=x.www.example.co.uk", nil), Row("a=1; domain=ample.co.uk", nil),
    Row("a=1; domain=other.test", nil), Row("a=1; domain=..example.co.uk", nil),
    Row("a=1; domain=", "a=1 www.example.co.uk /a"),
    Row("a=1; domain=other.test; domain=example.co.uk", "a=1 .example.co.uk /a"),
    Row("a=1; domain=co.uk", nil), Row("a=1; domain=uk", nil),
    Row("a=1; domain=co.uk", "https://co.uk/", "a=1 co.uk /"),
    Row("a=1; domain=github.io", "https://me.github.io/", nil),
    Row("a=1; domain=me.github.io", "https://x.me.github.io/", "a=1 .me.github.io /"),
    Row("a=1; domain=localhost", "https://localhost/", "a=1 localhost /"),
    Row("a=1; domain=test", "https://h.test/", nil),
    Row("a=1; domain=127.0.0.1", "https://127.0.0.1/", "a=1 127.0.0.1 /"),
    Row("a=1; domain=0.0.1", "https://127.0.0.1/", nil),
    Row("a=1; domain=[::1]", "https://[::1]:8/", "a=1 [::1] /"),
    Row(
      "a=1; domain=bücher.example", "https://www.xn--bcher-kva.example/",
      "a=1 .xn--bcher-kva.example /"),
    // Lifetime, at most 400 days.
    Row("a=1; max-age=60", "a=1 www.example.co.uk /a 60"),
    Row("a=1; max-age=60; expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=1 www.example.co.uk /a 60"),
    Row("a=1; max-age=+60", "a=1 www.example.co.uk /a"),
    Row("a=1; max-age=6x", "a=1 www.example.co.uk /a"),
    Row("a=1; max-age=99999999999999999999", "a=1 www.example.co.uk /a 34560000"),
    Row("a=1; expires=Tue, 14-Nov-2023 22:14:20 GMT", "a=1 www.example.co.uk /a 60"),
    Row("a=1; expires=Fri, 31 Dec 9999 23:59:59 GMT", "a=1 www.example.co.uk /a 34560000"),
    Row("a=1; expires=soon", "a=1 www.example.co.uk /a"),
    // Prefixes.
    Row("__Secure-a=1", nil),
    Row("__Secure-a=1; secure", "__Secure-a=1 www.example.co.uk /a secure"),
    Row("__Host-a=1; secure; path=/", "__Host-a=1 www.example.co.uk / secure"),
    Row("__Host-a=1; secure", nil), Row("__Host-a=1; path=/", nil),
    Row("__HOST-a=1; secure; path=/; domain=example.co.uk", nil), Row("=__Host-a; secure", nil),
  ])
  func `a line sets a cookie or is rejected`(_ row: Row) throws {
    let url = try #require(WebURL(row.url))
    let cookie = SetCookie.cookie(row.line, from: url, now: Self.now)
    #expect(cookie.map(Self.summary) == row.expected)
  }

  @Test(arguments: ["max-age=0", "max-age=-1"])
  func `a cookie with a past lifetime is expired`(_ attribute: String) throws {
    let url = try #require(WebURL("https://h.test/"))
    let cookie = try #require(SetCookie.cookie("a=1; " + attribute, from: url, now: Self.now))
    #expect(cookie.isExpired(at: Self.now))
  }

  @Test(
    arguments: [
      ("h.test", true, "/", false, "http://h.test/x", true),
      ("h.test", true, "/", false, "https://h.test:8/x", true),
      ("h.test", true, "/", false, "http://a.h.test/x", false),
      ("h.test", false, "/", false, "http://a.b.h.test/x", true),
      ("h.test", false, "/", false, "http://ah.test/x", false),
      ("h.test", false, "/", false, "http://test/", false),
      ("h.test", true, "/", true, "http://h.test/", false),
      ("h.test", true, "/", true, "https://h.test/", true),
      ("localhost", true, "/", true, "http://localhost:8/", true),
      ("127.0.0.1", true, "/", true, "http://127.0.0.1/", true),
      ("127.h.test", true, "/", true, "http://127.h.test/", false),
      ("h.test", true, "/a", false, "http://h.test/a", true),
      ("h.test", true, "/a", false, "http://h.test/a/b", true),
      ("h.test", true, "/a", false, "http://h.test/ab", false),
      ("h.test", true, "/a", false, "http://h.test/", false),
      ("h.test", true, "/a/", false, "http://h.test/a/b", true),
      ("h.test", true, "/a/", false, "http://h.test/a", false),
      ("h.test", true, "/a", false, "http://h.test/a?b", true),
      ("1.2.3.4", false, "/", false, "http://1.2.3.4/", true),
      ("2.3.4", false, "/", false, "http://1.2.3.4/", false),
      ("h.test", false, "/", false, "about:h.test", false),
    ] as [(String, Bool, String, Bool, String, Bool)])
  func `a cookie is sent to matching hosts and paths`(
    _ domain: String, _ isHostOnly: Bool, _ path: String, _ isSecure: Bool, _ url: String,
    _ isSent: Bool
  ) {
    let cookie = Cookie(
      name: "a", value: "1", domain: domain, isHostOnly: isHostOnly, path: path, isSecure: isSecure)
    #expect(WebURL(url).map(cookie.isSent(to:)) == isSent)
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("6 nov 1994 8:49:37", 784_111_777),
      ("08:49:37 1994 November 6", 784_111_777), ("06/Nov/1994/08:49:37x", 784_111_777),
      ("1 Jan 00 00:00:00", 946_684_800), ("29 Feb 2024 00:00:00", 1_709_164_800),
      ("1 Jan 69 00:00:00", 3_124_224_000), ("1 Jan 70 00:00:00", 0),
      ("1 Jan 1601 00:00:00", -11_644_473_600), ("31 Dec 9999 23:59:59", 253_402_300_799),
      ("29 Feb 2023 00:00:00", nil), ("31 Apr 2024 00:00:00", nil), ("0 Jan 2024 00:00:00", nil),
      ("1 Jan 1600 00:00:00", nil), ("1 Jan 2024 24:00:00", nil), ("1 Jan 2024 00:60:00", nil),
      ("1 Jan 2024 0:0", nil), ("1 Jan 2024 000:00:00", nil), ("Jan 2024 00:00:00", nil),
      ("1 2024 00:00:00", nil), ("1 Jan 00:00:00", nil), ("1 Jan 99999 00:00:00", nil), ("", nil),
      ("::", nil), ("é", nil), (String(repeating: ":", count: 9999), nil),
    ] as [(String, Int?)])
  func `dates are parsed in any order with any separators, and other texts rejected`(
    _ text: String, _ seconds: Int?
  ) {
    #expect(CookieDate.parse(text).map { Int($0.timeIntervalSince1970) } == seconds)
  }

  @Test(
    arguments: [
      ("www.example.co.uk", "example.co.uk"), ("example.com", "example.com"), ("com", "com"),
      ("a.b.github.io", "b.github.io"), ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"),
      ("[::1]", "[::1]"), ("", ""),
    ] as [(String, String)])
  func `the site of a host is its registrable domain`(_ host: String, _ site: String) {
    #expect(PublicSuffix.site(of: host) == site)
  }
}
